"""The stop signal, which ends waits for events in any thread and task."""

import asyncio
import socket
import weakref
from typing import Any

from ..waits import GRACE_SECONDS


class Stop:
    """A stop signal. Any thread or signal handler can set it."""

    def __init__(self) -> None:
        self.is_set = False
        self._said, self.heard = socket.socketpair()
        """`heard` becomes readable when the signal is set."""
        self._said.setblocking(False)
        self._tasks: set[tuple[asyncio.AbstractEventLoop, asyncio.Task[Any]]] = set()
        weakref.finalize(self, _close, self._said, self.heard)

    def set(self) -> None:
        self.is_set = True
        try:
            self._said.send(b"!")
        except OSError:
            pass  # The buffer is full of earlier signals.
        for loop, task in list(self._tasks):
            try:
                loop.call_soon_threadsafe(_cancel_later, loop, task)
            except RuntimeError:
                pass  # The loop is closed.

    def cancels(self, task: asyncio.Task[Any]) -> None:
        """Cancels the task `GRACE_SECONDS` after the signal, unless the task has ended."""
        entry = (asyncio.get_running_loop(), task)
        self._tasks.add(entry)
        task.add_done_callback(lambda _: self._tasks.discard(entry))
        if self.is_set:
            task.cancel()


def _cancel_later(loop: asyncio.AbstractEventLoop, task: asyncio.Task[Any]) -> None:
    loop.call_later(GRACE_SECONDS, task.cancel)


def _close(*sockets: socket.socket) -> None:
    for one in sockets:
        one.close()
