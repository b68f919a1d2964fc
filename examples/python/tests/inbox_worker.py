"""A worker in a separate process: python inbox_worker.py threads|asyncio URL FOLDER. Processes each key once by
creating a file in FOLDER/done, and appends a line to FOLDER/lines for each event."""

import asyncio
import os
import signal
import sys
from pathlib import Path

from messaging_plugin.inbox import AsyncInbox, AsyncLeasedEvent, Inbox, LeasedEvent

KIND, URL, FOLDER = sys.argv[1:]
LINES = os.open(f"{FOLDER}/lines", os.O_WRONLY | os.O_APPEND)


def handle(event: LeasedEvent | AsyncLeasedEvent) -> None:
    os.write(LINES, f"{event.key} {event.attempts}\n".encode())
    try:
        Path(FOLDER, "done", event.key).touch(exist_ok=False)
    except FileExistsError:
        pass


def complain(error: Exception, event: object) -> None:
    print(f"{error!r} {event!r}", file=sys.stderr)


async def tasks(inbox: AsyncInbox) -> None:
    async def handled(event: AsyncLeasedEvent) -> None:
        handle(event)

    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, inbox.stop)
    await inbox.run(handled, concurrency=16)


if KIND == "threads":
    inbox = Inbox(URL, os.environ["TOKEN"], lease_ms=2_000, on_error=complain)
    signal.signal(signal.SIGTERM, lambda *_: inbox.stop())
    inbox.run(handle, concurrency=16)
else:
    asyncio.run(tasks(AsyncInbox(URL, os.environ["TOKEN"], lease_ms=2_000, on_error=complain)))
