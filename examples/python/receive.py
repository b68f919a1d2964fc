"""Receives the service's events over HTTP. Answers 200 only after an event is stored durably.

    MESSAGING_WEBHOOK_HEADER_SECRET=... python receive.py STORE.sqlite 127.0.0.1:8475

The variables MESSAGING_WEBHOOK_* configure how a delivery proves its origin, as for the webhook component. An event
is stored under its idempotency key in one transaction, which is on the disk before the answer. A redelivery changes
nothing. Different bytes under a stored key go to the table `conflicts`. The answer is 422 if the store can never
accept the event, and 503 if the store cannot accept it now. After a 503, the event source delivers again.
"""

import os
import re
import sqlite3
import sys
from contextlib import closing
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from messaging_plugin import Event, InvalidInput, MessagingError, Plugin, Variables
from messaging_plugin.proofs import Proofs, Unverified

MAX_BODY_BYTES = 256 * 1024
# Errors that the event causes, not the state of the store: the event is too long, or violates a `check`.
REJECTED = {sqlite3.SQLITE_TOOBIG, sqlite3.SQLITE_CONSTRAINT_CHECK}
SCHEMA = """
create table if not exists events (
    idempotency_key text primary key, message_id text not null, json text not null);
create table if not exists conflicts (
    idempotency_key text, json text, primary key (idempotency_key, json));
"""


class Inbox:
    """A store of events. If it fails, the delivery is not acknowledged."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def put(self, event: Event) -> None:
        """Stores an event. The event is durable when the method returns."""
        row = {"key": event.idempotency_key, "message": event.message_id, "json": event.json}
        with closing(sqlite3.connect(self._file, timeout=5)) as store:
            # With `full`, a power failure could restore the deleted rollback journal, which would undo a commit. `extra`
            # prevents this, because it syncs the directory.
            store.execute("pragma synchronous = extra")
            store.executescript(SCHEMA)
            with store:
                store.execute(
                    "insert into events values (:key, :message, :json) on conflict do nothing", row
                )
                store.execute(
                    "insert into conflicts select :key, :json where not exists "
                    "(select 1 from events where idempotency_key = :key and json = :json) "
                    "on conflict do nothing",
                    row,
                )


class Receiver:
    """Verifies, parses and stores deliveries. Threads can share an instance."""

    def __init__(self, inbox: Inbox, proofs: Proofs) -> None:
        self._inbox, self._proofs = inbox, proofs
        # `handle_event` needs no settings and no API key.
        self._plugin = Plugin(Variables({}))

    def receive(self, headers: list[tuple[str, str]], body: bytes, path: str) -> tuple[int, str]:
        """Returns the status and the text of the answer."""
        try:
            delivery = self._proofs.verify(headers, body, path=path)
            codings = [value.strip() for name, value in headers if name.lower() == "content-encoding"]
            for coding in codings:
                if coding.lower() not in ("", "identity"):
                    return 415, f"unsupported Content-Encoding: {printable(coding)}; use identity"
            self._inbox.put(self._plugin.handle_event(*delivery))
        except Unverified as error:
            # Only the operator learns the reason.
            print(f"401: {error}", file=sys.stderr)
            return 401, "the delivery does not prove its origin"
        except InvalidInput as malformed:
            return 400, str(malformed)
        except MessagingError:
            return 503, "the delivery could not be checked"
        except sqlite3.Error as error:
            if getattr(error, "sqlite_errorcode", None) in REJECTED:
                return 422, "the store can never accept this event"
            return 503, "the event could not be stored"
        return 200, ""


def printable(value: str) -> str:
    """Returns the beginning of a header's value, in printable ASCII."""
    return re.sub("[^ -~]", "?", value[:40])


class Handler(BaseHTTPRequestHandler):
    receiver: Receiver
    timeout = 10

    def do_POST(self) -> None:
        length = self.headers.get("Content-Length", "")
        if not (length.isascii() and length.isdecimal()):
            return self._answer(411, "a Content-Length is required")
        if len(length) > 9 or int(length) > MAX_BODY_BYTES:
            return self._answer(413, f"the body is larger than {MAX_BODY_BYTES} bytes")
        body = self.rfile.read(int(length))
        if len(body) < int(length):
            return self._answer(400, "the body is incomplete")
        self._answer(*self.receiver.receive(self.headers.items(), body, self.path))

    def _answer(self, status: int, reason: str) -> None:
        text = reason.encode("ascii", "backslashreplace")
        self.send_response(status)
        if status == 503:
            self.send_header("Retry-After", "30")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, format: str, *args: Any) -> None:
        """Logs nothing, because a request's path can contain a secret."""


def server(address: tuple[str, int], receiver: Receiver) -> ThreadingHTTPServer:
    return ThreadingHTTPServer(address, type("Handler", (Handler,), {"receiver": receiver}))


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(f"usage: {sys.argv[0]} STORE.sqlite ADDRESS:PORT")
    host, _, port = sys.argv[2].rpartition(":")
    made = Receiver(Inbox(Path(sys.argv[1])), Proofs.from_variables(os.environ))
    with server((host, int(port)), made) as running:
        print(f"receiving on http://{sys.argv[2]}/", flush=True)
        running.serve_forever()
