"""The inbox client for threads."""

import asyncio
import contextvars
import inspect
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType
from typing import Self

from ..waits import Stopped, run
from .core import CALL_MS, Client, call_seconds
from .errors import InboxError
from .events import Lease, LeasedEvent, ListedEvent, ShownEvent
from .tasks import AsyncInbox
from .work import ASYNC_HANDLER, Work, callable_handler, returned


class Inbox(Client):
    """Client of an inbox on another machine. A worker leases events, processes them and acknowledges them. Threads
    can share the client.

    `url` is the base URL of `messaging serve --workers`, and `token` a token in MESSAGING_WORKER_TOKENS. `lease_ms`
    is the duration of a lease. `kinds` lists the kinds of events to lease.

    `on_error` is called for problems that the client handles: retried requests, failed handlers, lost leases, and
    failed calls of `ack`, `nack` and `release`. Its arguments are the error and the event, which is `None` for an error
    without an event. An exception that it raises ends `run`. A request is retried for `retry_timeout_ms` while the
    inbox is unreachable or returns 5xx, 408 or 429. After this time, the call raises `InboxUnavailable`.

    `tls` is the TLS context; by default, the client trusts the authorities of the system. `allow_http` permits `http:`
    to hosts other than loopback, although the network can then read the token.
    """

    def __iter__(self) -> Iterator[LeasedEvent]:
        """Yields one event at a time until `stop`. Releases an unsettled event if the loop body is left by `break`,
        `return` or an exception, at the latest at the end of `with inbox`. Otherwise an unsettled event stays
        leased."""
        while event := self._next():
            self._turns[event._lease] = threading.current_thread()
            try:
                yield event
                self._turns.pop(event._lease, None)
            finally:
                self._give_back_turn(event._lease)

    def run(
        self,
        handler: Callable[[LeasedEvent], object],
        *,
        concurrency: int = 1,
        pause_ms: int | Callable[[LeasedEvent, BaseException], float] | None = None,
        dead_after: int | None = None,
    ) -> None:
        """Calls the handler for each event in `concurrency` threads, and extends the lease while the handler runs.
        Acks the event when the handler returns, and nacks it when the handler raises. Returns after `stop`, when
        all handlers have ended.

        `event.is_lost` tells a handler that another worker can have its event. An event whose handler failed can be
        leased again after `pause_ms`. Default: 1 s, doubled for each failure up to 5 min, then reduced by a random
        part of up to one half. The event is dead after `dead_after` failures. After ctrl-C, active handlers still
        finish, because Python cannot stop a thread.
        """
        callable_handler(handler)
        if inspect.iscoroutinefunction(handler):
            raise TypeError(ASYNC_HANDLER)
        with asyncio.Runner(loop_factory=asyncio.SelectorEventLoop) as runner:
            runner.run(self._run(handler, concurrency, pause_ms, dead_after))

    def lease(self, limit: int = 1, wait_ms: int = 0, *, timeout_ms: int = CALL_MS) -> list[LeasedEvent]:
        """Leases up to `limit` events (at most 100). Waits up to `wait_ms` (at most 30000) for an event. Raises
        `InboxUnavailable` if the call takes longer than `wait_ms` plus `timeout_ms`."""
        return [self._event(lease) for lease in run(self._core.lease(limit, wait_ms, call_seconds(timeout_ms)))]

    def list_events(
        self,
        state: str | None = None,
        kind: str | None = None,
        after: int | None = None,
        limit: int | None = None,
        *,
        timeout_ms: int = CALL_MS,
    ) -> list[ListedEvent]:
        """Returns a page of up to `limit` events (at most 1000; default 100) with IDs above `after`, ordered by ID.
        Raises `InboxUnavailable` after `timeout_ms`."""
        return run(self._core.list(timeout_ms, state=state, kind=kind, after=after, limit=limit))

    def show_event(self, number: int, *, timeout_ms: int = CALL_MS) -> ShownEvent:
        """Returns one event with its payload. Raises `InboxUnavailable` after `timeout_ms`."""
        return run(self._core.show(number, timeout_ms))

    def stop(self) -> None:
        """Stops loops and `run`: waits end, active handlers finish, and events without a handler are released. Any
        thread or signal handler can call `stop`."""
        self._core.stop.set()

    def close(self) -> None:
        """Stops the client, releases the current event of each loop in this thread or in an ended thread, and closes
        the connections."""
        self.stop()
        for lease, thread in list(self._turns.items()):
            # Skips the event of another active thread, because that thread can be working on the event.
            if thread is threading.current_thread() or not thread.is_alive():
                self._give_back_turn(lease)
        self._core.requests.connections.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def _event(self, lease: Lease) -> LeasedEvent:
        return LeasedEvent(lease, self._core.lease_ms)

    def _next(self) -> LeasedEvent | None:
        """Waits for an event. Returns `None` after `stop`."""
        core = self._core
        while not core.stop.is_set:
            try:
                leases = run(core.wait_for_events(1), core.stop.heard)
            except Stopped:
                break
            except InboxError:
                if core.stop.is_set:
                    break
                raise
            if core.stop.is_set:
                run(core.given_back(leases, self._event))
            elif leases:
                return self._event(leases[0])
        return None

    def _give_back_turn(self, lease: Lease) -> None:
        if self._turns.pop(lease, None):
            run(self._core.given_back([lease], self._event))

    async def _run(
        self,
        handler: Callable[[LeasedEvent], object],
        concurrency: int,
        pause_ms: int | Callable[[LeasedEvent, BaseException], float] | None,
        dead_after: int | None,
    ) -> None:
        core, loop = self._core, asyncio.get_running_loop()
        tasks = AsyncInbox._of(core)

        async def take(limit: int) -> list[LeasedEvent]:
            return [self._event(event._lease) for event in await tasks._next(limit)]

        def handle(event: LeasedEvent) -> object:
            try:
                return returned(handler(event))
            except StopIteration as error:
                # Converts the exception, because a future cannot hold a `StopIteration`.
                raise RuntimeError("the handler raised StopIteration") from error

        def call(event: LeasedEvent) -> "asyncio.Future[object]":
            return loop.run_in_executor(threads, contextvars.copy_context().run, handle, event)

        with ThreadPoolExecutor(concurrency, "messaging-plugin-inbox") as threads:
            work = Work(call, False, concurrency, pause_ms, dead_after, core.lease_ms, core.tell)
            whole = asyncio.ensure_future(work.run(take))
            try:
                await asyncio.shield(whole)
            except asyncio.CancelledError:  # ctrl-C
                self.stop()
                await whole
                raise
