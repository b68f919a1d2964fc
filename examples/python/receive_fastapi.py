"""The receiver of `receive.py` with FastAPI. Needs `receive.py`. Each worker process serves many deliveries at once.

    MESSAGING_WEBHOOK_HEADER_SECRET=... MESSAGING_WEBHOOK_STORE=inbox.sqlite uvicorn --factory receive_fastapi:app
"""

import os
from pathlib import Path

from fastapi import FastAPI, Request, Response
from fastapi.concurrency import run_in_threadpool

from messaging_plugin.proofs import Proofs
from receive import MAX_BODY_BYTES, Inbox, Receiver


def app() -> FastAPI:
    inbox = Inbox(Path(os.environ["MESSAGING_WEBHOOK_STORE"]))
    receiver = Receiver(inbox, Proofs.from_variables(os.environ))

    async def events(request: Request) -> Response:
        # Reads the bytes as they arrived, because parsed JSON has lost the signed bytes.
        body = bytearray()
        if int(request.headers.get("content-length", 0)) > MAX_BODY_BYTES:
            return Response(status_code=413)
        async for piece in request.stream():
            body += piece
            if len(body) > MAX_BODY_BYTES:
                return Response(status_code=413)
        status, reason = await run_in_threadpool(
            receiver.receive, request.headers.items(), bytes(body), request.url.path
        )
        return Response(reason, status, {"Retry-After": "30"} if status == 503 else None)

    made = FastAPI()
    made.add_api_route("/{path:path}", events, methods=["POST"])
    return made
