"""Sends once, for `cargo verify conform --worker` and `cargo verify ordinary --sender`.

Takes requests from standard input, a line of JSON for each, and answers in lines, in any order; with `--asyncio` each is
a task, and otherwise a thread. Its settings are the plugin's variables; MESSAGING_ONCE_JOURNAL names its journal: an
SQLite file, or the URL of a server, whose token is in JOURNAL_TOKEN.
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


def journal_at(place: str) -> Journal:
    """The journal of this name."""
    if place.startswith(("http:", "https:")):
        return HttpJournal(place, os.environ["JOURNAL_TOKEN"])
    return SqliteJournal(place)


def arguments(function: str, given: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """A function's arguments, as this package takes them."""
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
    """A result as the suite reads it."""
    held = canonical(value)
    if isinstance(held, dict):
        for entry in held.get("entries", [held]):
            entry_resolutions(entry)
    return held


def entry_resolutions(entry: dict[str, Any]) -> None:
    """Puts decisions and their times side by side."""
    for made in entry.get("resolutions", []):
        resolution = made.pop("resolution")
        found = resolution["found"]
        made.update(resolution, found={"created": found["id"]} if found else "not-created")


def ended(error: Exception) -> dict[str, Any]:
    """An exception as the suite reads it."""
    if isinstance(error, MessagingError):
        return {"error": {"case": error.case, "payload": canonical(error.payload)}}
    return {"trap": repr(error)}


def main(in_tasks: bool) -> None:
    place = os.environ.pop("MESSAGING_ONCE_JOURNAL")
    plugin = Plugin(Variables(dict(os.environ)))
    once = Once(plugin, journal_at(place))
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
