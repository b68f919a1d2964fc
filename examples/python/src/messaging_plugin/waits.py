"""Waits of a driver, separate from their implementation. A call yields waits. `run` performs the waits in a thread, and
`arun` in an asyncio task. Threads and tasks therefore make equal requests and classify failures in the same way.
"""

import asyncio
import select
import socket
import threading
import time
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any, TypeVar

T = TypeVar("T")

Address = tuple[Any, ...]
"""An address as `socket.getaddrinfo` returns it."""


@dataclass(slots=True)
class Ready:
    """Waits until the socket is readable (with `reading`) or writable (with `writing`). The result is true, or false if
    `until` has passed."""

    socket: socket.socket
    reading: bool
    writing: bool
    until: float
    """End of the wait, by `time.monotonic`."""


@dataclass(slots=True)
class Lookup:
    """Waits for the addresses of a name. The answer is a list of addresses, an `OSError`, or `None` if the time has
    passed."""

    host: str
    port: int
    until: float


@dataclass(slots=True)
class Pause:
    """Waits for a number of seconds."""

    seconds: float


Wait = Ready | Lookup | Pause
Steps = Generator[Wait, Any, T]


GRACE_SECONDS = 0.5
"""Time for the reply to a request that is abandoned. The inbox may already have leased events to it."""


class Stopped(BaseException):
    """The socket `stop` of `run` became readable while a call waited."""


def run(steps: Steps[T], stop: socket.socket | None = None) -> T:
    """Runs a call in this thread. Raises `Stopped` if `stop` becomes readable while the call waits for a socket, and the
    wait does not end within `GRACE_SECONDS`."""
    try:
        wait = next(steps)
        while True:
            try:
                answer = _wait(wait, stop)
            except BaseException as error:  # KeyboardInterrupt, for example
                wait = steps.throw(error)
            else:
                wait = steps.send(answer)
    except StopIteration as end:
        result: T = end.value
        return result


async def arun(steps: Steps[T]) -> T:
    """Runs a call in this task. The task can be canceled while it waits."""
    try:
        wait = next(steps)
        while True:
            try:
                answer = await _await(wait)
            except BaseException as error:
                wait = steps.throw(error)
            else:
                wait = steps.send(answer)
    except StopIteration as end:
        result: T = end.value
        return result


def _wait(wait: Wait, stop: socket.socket | None) -> Any:
    match wait:
        case Ready():
            try:
                return _ready(wait, stop)
            except Stopped:
                until = min(wait.until, time.monotonic() + GRACE_SECONDS)
                if _ready(Ready(wait.socket, wait.reading, wait.writing, until), None):
                    return True
                raise
        case Lookup():
            return _looked_up(wait)
        case Pause():
            time.sleep(wait.seconds)
            return None


def _ready(wait: Ready, stop: socket.socket | None) -> bool:
    left = max(0.0, wait.until - time.monotonic())
    reading = [wait.socket] if wait.reading else []
    if stop is not None:
        reading.append(stop)
    writing = [wait.socket] if wait.writing else []
    if not hasattr(select, "poll"):  # Windows
        ready = select.select(reading, writing, writing, left)
        if stop in ready[0]:
            raise Stopped
        return any(ready)
    poll = select.poll()
    events = (select.POLLIN if wait.reading else 0) | (select.POLLOUT if wait.writing else 0)
    poll.register(wait.socket, events)
    if stop is not None:
        poll.register(stop, select.POLLIN)
    ready_now = [descriptor for descriptor, _ in poll.poll(ceil(left * 1000))]
    if stop is not None and stop.fileno() in ready_now:
        raise Stopped
    return bool(ready_now)


def _looked_up(wait: Lookup) -> Sequence[Address] | OSError | None:
    found = _numeric(wait)
    if found is not None:
        return found
    # The system's resolver has no deadline, so its thread is abandoned when the time has passed.
    answers: list[Sequence[Address] | OSError] = []

    def look_up() -> None:
        try:
            answers.append(socket.getaddrinfo(wait.host, wait.port, type=socket.SOCK_STREAM))
        except (OSError, UnicodeError) as error:
            answers.append(error if isinstance(error, OSError) else OSError(str(error)))

    thread = threading.Thread(target=look_up, name="messaging-plugin-name", daemon=True)
    thread.start()
    thread.join(max(0.0, wait.until - time.monotonic()))
    return answers[0] if answers else None


def _numeric(wait: Lookup) -> Sequence[Address] | None:
    """Returns the address without a lookup if the host is an IP address, otherwise `None`."""
    flags = socket.AI_NUMERICHOST | socket.AI_NUMERICSERV
    try:
        return socket.getaddrinfo(wait.host, wait.port, type=socket.SOCK_STREAM, flags=flags)
    except (OSError, UnicodeError):
        return None


async def _await(wait: Wait) -> Any:
    match wait:
        case Ready():
            return await _aready(wait)
        case Lookup():
            return await _alooked_up(wait)
        case Pause():
            await asyncio.sleep(wait.seconds)
            return None


async def _aready(wait: Ready) -> bool:
    loop = asyncio.get_running_loop()
    ready: asyncio.Future[bool] = loop.create_future()

    def answer(value: bool) -> None:
        if not ready.done():
            ready.set_result(value)

    descriptor = wait.socket.fileno()
    timer = loop.call_later(max(0.0, wait.until - time.monotonic()), answer, False)
    if wait.reading:
        loop.add_reader(descriptor, answer, True)
    if wait.writing:
        loop.add_writer(descriptor, answer, True)
    try:
        return await ready
    finally:
        timer.cancel()
        if wait.reading:
            loop.remove_reader(descriptor)
        if wait.writing:
            loop.remove_writer(descriptor)


async def _alooked_up(wait: Lookup) -> Sequence[Address] | OSError | None:
    found = _numeric(wait)
    if found is not None:
        return found
    loop = asyncio.get_running_loop()
    try:
        async with asyncio.timeout(max(0.0, wait.until - time.monotonic())):
            return await loop.getaddrinfo(wait.host, wait.port, type=socket.SOCK_STREAM)
    except TimeoutError:
        return None
    except (OSError, UnicodeError) as error:
        return error if isinstance(error, OSError) else OSError(str(error))
