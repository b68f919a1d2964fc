"""The client for threads."""

import asyncio
import contextvars
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType
from typing import Self

from ..waits import Stopped, run
from .core import Client
from .errors import InboxError
from .events import Lease, LeasedEvent, ListedEvent, ShownEvent
from .tasks import AsyncInbox
from .work import Work


class Inbox(Client):
    """An inbox on another machine: events under a lease, to be processed and acknowledged. Any number of
    threads may use it.

    `url` is where `messaging serve --workers` listens, `token` one of MESSAGING_WORKER_TOKENS. `lease_ms` is
    the length of a lease, and `kinds` lists the kinds of events that are wanted. `on_error` is told of what
    is dealt with here: requests that are repeated, handlers that fail, leases that are lost, ends of events
    that the inbox could not be told of. A request is repeated for `patience_ms` while the inbox cannot be
    reached or answers 5xx, 408 or 429, and then raises `InboxUnavailable`. `tls` is what certificates are
    checked with: the system's authorities unless given. `allow_http` allows `http:` to hosts other than
    loopback: whoever is in between can read the token.
    """

    def __iter__(self) -> Iterator[LeasedEvent]:
        """One event after the other, for ever or until `stop`. One whose turn of the loop is left by `break`,
        `return` or an exception is given back, at the latest with the end of `with inbox`, unless it is
        settled; one whose turn ends otherwise stays leased."""
        while event := self._next():
            self._turns.add(event._lease)
            try:
                yield event
                self._turns.discard(event._lease)
            finally:
                self._give_back_turn(event._lease)

    def run(
        self,
        handler: Callable[[LeasedEvent], object],
        *,
        concurrency: int = 1,
        pause_ms: int | Callable[[LeasedEvent, BaseException], int] | None = None,
        dead_after: int | None = None,
    ) -> None:
        """Calls the handler for each event, in `concurrency` threads: acks it when the handler returns, nacks it
        when it raises, extends its lease while it works. Returns after `stop`, when all handlers are over.

        `event.is_lost` says to a handler that somebody else may have its event. An event whose handler failed
        can be leased again after `pause_ms`; unless given after 1 s, doubled with each of its failures, up
        to 5 min, less up to a half by chance. With `dead_after` failures it is dead. After ctrl-C handlers
        come to their end, too; after a second one they do not.
        """
        with asyncio.Runner(loop_factory=asyncio.SelectorEventLoop) as runner:
            runner.run(self._run(handler, concurrency, pause_ms, dead_after))

    def lease(self, limit: int = 1, wait_ms: int = 0) -> list[LeasedEvent]:
        """Leases up to `limit` events (100 at most) once; with none it waits for up to `wait_ms` (30000 at
        most). Raises `InboxUnavailable` after 10 s and the wait."""
        return [self._event(lease) for lease in run(self._core.lease(limit, wait_ms))]

    def list_events(
        self,
        state: str | None = None,
        kind: str | None = None,
        after: int | None = None,
        limit: int | None = None,
    ) -> list[ListedEvent]:
        """A page of events by number, those `after` one; 100 of them unless `limit` (1000 at most) says
        otherwise. Raises `InboxUnavailable` after 10 s."""
        return run(self._core.list(state=state, kind=kind, after=after, limit=limit))

    def show_event(self, number: int) -> ShownEvent:
        """One event, with its payload. Raises `InboxUnavailable` after 10 s."""
        return run(self._core.show(number))

    def stop(self) -> None:
        """Ends loops and `run`: waits for events end, handlers come to their end, and what nobody has begun is
        given back. For any thread, and for handlers of signals."""
        self._core.stop.set()

    def close(self) -> None:
        """Stops, gives back what loops have left, and closes the connections."""
        self.stop()
        for lease in list(self._turns):
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
        """Waits for an event; none where it is to stop."""
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
        if lease in self._turns:
            self._turns.discard(lease)
            run(self._core.given_back([lease], self._event))

    async def _run(
        self,
        handler: Callable[[LeasedEvent], object],
        concurrency: int,
        pause_ms: int | Callable[[LeasedEvent, BaseException], int] | None,
        dead_after: int | None,
    ) -> None:
        core, loop = self._core, asyncio.get_running_loop()
        tasks = AsyncInbox._of(core)

        async def take(limit: int) -> list[LeasedEvent]:
            return [self._event(event._lease) for event in await tasks._next(limit)]

        def call(event: LeasedEvent) -> "asyncio.Future[object]":
            return loop.run_in_executor(threads, contextvars.copy_context().run, handler, event)

        with ThreadPoolExecutor(concurrency, "messaging-plugin-inbox") as threads:
            work = Work(call, False, concurrency, pause_ms, dead_after, core.lease_ms, core.tell)
            whole = asyncio.ensure_future(work.run(take))
            try:
                await asyncio.shield(whole)
            except asyncio.CancelledError:  # ctrl-C
                self.stop()
                await whole
                raise
