"""The wish to stop, which ends waits for events in any thread and task."""

import asyncio
import socket
import weakref
from typing import Any


class Stop:
    """May be set from anywhere, handlers of signals included."""

    def __init__(self) -> None:
        self.is_set = False
        self._said, self.heard = socket.socketpair()
        """`heard` has something to read once it is set."""
        self._said.setblocking(False)
        self._tasks: set[tuple[asyncio.AbstractEventLoop, asyncio.Task[Any]]] = set()
        weakref.finalize(self, _close, self._said, self.heard)

    def set(self) -> None:
        self.is_set = True
        try:
            self._said.send(b"!")
        except OSError:
            pass  # It has been said so often that nothing more fits.
        for loop, task in list(self._tasks):
            try:
                loop.call_soon_threadsafe(task.cancel)
            except RuntimeError:
                pass  # The loop is closed.

    def cancels(self, task: asyncio.Task[Any]) -> None:
        """Has the task cancelled when it is set, unless the task is over by then."""
        entry = (asyncio.get_running_loop(), task)
        self._tasks.add(entry)
        task.add_done_callback(lambda _: self._tasks.discard(entry))
        if self.is_set:
            task.cancel()


def _close(*sockets: socket.socket) -> None:
    for one in sockets:
        one.close()
