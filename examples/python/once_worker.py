"""A sender for `cargo verify conform --worker` and `cargo verify ordinary --sender`.

Reads requests from standard input, one JSON line each, and writes replies as lines in any order. A request runs in
a thread, or in a task with `--asyncio`. The variables MESSAGING_* are the plugin's settings. MESSAGING_ONCE_JOURNAL is an
SQLite file or the URL of a journal server. A server needs its token in JOURNAL_TOKEN.
"""

import asyncio
import json
import os
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from conform import canonical
from messaging_plugin import Field, MessagingError, Plugin, Variables
from messaging_plugin.once import (
    Created,
    HttpJournal,
    Journal,
    NotCreated,
    Once,
    SqliteJournal,
)

THREADS = 32


def journal_at(location: str) -> Journal:
    """Opens the journal with this path or URL."""
    if location.startswith(("http:", "https:")):
        return HttpJournal(location, os.environ["JOURNAL_TOKEN"])
    return SqliteJournal(location)


def arguments(function: str, given: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Converts a function's arguments to arguments of this package."""
    match function:
        case "send-once":
            request = given["request"]
            fields = [Field(**field) for field in request["fields"]]
            return (given["key"], request["phone"], request["message"], request["device"], fields), {}
        case "resolve":
            made = given["resolution"]
            found = NotCreated() if made["found"] == "not-created" else Created(made["found"]["created"])
            return (given["key"], made["attempt"], found), {"by": made["by"], "reason": made["reason"]}
        case "list-entries":
            return (given["after"],), {}
        case _:
            return (given["key"],), {}


def written(value: Any) -> Any:
    """Converts a result to the form of the suite."""
    held = canonical(value)
    if isinstance(held, dict):
        for entry in held.get("entries", [held]):
            entry_resolutions(entry)
    return held


def entry_resolutions(entry: dict[str, Any]) -> None:
    """Merges each resolution of an entry with its time into one object."""
    for made in entry.get("resolutions", []):
        resolution = made.pop("resolution")
        found = resolution["found"]
        made.update(resolution, found={"created": found["id"]} if found else "not-created")


def ended(error: Exception) -> dict[str, Any]:
    """Converts an exception to the form of the suite."""
    if isinstance(error, MessagingError):
        return {"error": {"case": error.case, "payload": canonical(error.payload)}}
    return {"trap": repr(error)}


def main(in_tasks: bool) -> None:
    location = os.environ.pop("MESSAGING_ONCE_JOURNAL")
    plugin = Plugin(Variables(dict(os.environ)))
    once = Once(plugin, journal_at(location))
    writing = threading.Lock()

    def answer(number: int, made: dict[str, Any]) -> None:
        with writing:
            print(json.dumps({"id": number} | made), flush=True)

    def perform(line: str) -> None:
        request = json.loads(line)
        function = request["function"]
        values, named = arguments(function, request)
        try:
            made = {"ok": written(getattr(once, function.replace("-", "_"))(*values, **named))}
        except Exception as error:
            made = ended(error)
        answer(request["id"], made)

    async def aperform(line: str) -> None:
        request = json.loads(line)
        function = request["function"]
        values, named = arguments(function, request)
        try:
            made = {"ok": written(await getattr(once, f"a{function.replace('-', '_')}")(*values, **named))}
        except Exception as error:
            made = ended(error)
        answer(request["id"], made)

    async def tasks() -> None:
        async with asyncio.TaskGroup() as group:
            while line := await asyncio.to_thread(sys.stdin.readline):
                group.create_task(aperform(line))

    if in_tasks:
        asyncio.run(tasks())
    else:
        with ThreadPoolExecutor(THREADS) as threads:
            for line in sys.stdin:
                threads.submit(perform, line)


if __name__ == "__main__":
    main("--asyncio" in sys.argv[1:])
