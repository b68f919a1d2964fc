"""The inbox client for asyncio."""

import asyncio
import inspect
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from types import TracebackType
from typing import Self

from ..waits import GRACE_SECONDS, arun
from .core import CALL_MS, Client, Core, call_seconds
from .errors import InboxError
from .events import AsyncLeasedEvent, Lease, ListedEvent, ShownEvent
from .work import Work, callable_handler


class AsyncInbox(Client):
    """Client of an inbox on another machine, like `Inbox`, for asyncio. Tasks of one event loop can share a client."""

    @classmethod
    def _of(cls, core: Core) -> Self:
        """Returns a client that shares the state of another client."""
        made = cls.__new__(cls)
        made._core, made._turns = core, {}
        return made

    async def __aiter__(self) -> AsyncIterator[AsyncLeasedEvent]:
        """Yields one event at a time until `stop`. Releases an unsettled event if the loop body is left by `break`,
        `return` or an exception, at the latest at the end of `async with inbox`. Otherwise an unsettled event stays
        leased."""
        while events := await self._next(1):
            (event,) = events
            self._turns[event._lease] = asyncio.current_task()
            try:
                yield event
                self._turns.pop(event._lease, None)
            finally:
                await self._give_back_turn(event._lease)

    async def run(
        self,
        handler: Callable[[AsyncLeasedEvent], Awaitable[object]],
        *,
        concurrency: int = 1,
        pause_ms: int | Callable[[AsyncLeasedEvent, BaseException], float] | None = None,
        dead_after: int | None = None,
    ) -> None:
        """Handles events like `Inbox.run`, with a task for each event. Cancels a handler if its lease is lost. If `run`
        is canceled, it cancels the handlers and releases their events."""
        callable_handler(handler)
        core = self._core
        work = Work(
            lambda event: _task(handler, event),
            True,
            concurrency,
            pause_ms,
            dead_after,
            core.lease_ms,
            core.tell,
        )
        await work.run(self._next)

    async def lease(self, limit: int = 1, wait_ms: int = 0, *, timeout_ms: int = CALL_MS) -> list[AsyncLeasedEvent]:
        """Leases events, like `Inbox.lease`."""
        return [self._event(lease) for lease in await arun(self._core.lease(limit, wait_ms, call_seconds(timeout_ms)))]

    async def list_events(
        self,
        state: str | None = None,
        kind: str | None = None,
        after: int | None = None,
        limit: int | None = None,
        *,
        timeout_ms: int = CALL_MS,
    ) -> list[ListedEvent]:
        """Lists events, like `Inbox.list_events`."""
        return await arun(self._core.list(timeout_ms, state=state, kind=kind, after=after, limit=limit))

    async def show_event(self, number: int, *, timeout_ms: int = CALL_MS) -> ShownEvent:
        """Returns one event with its payload."""
        return await arun(self._core.show(number, timeout_ms))

    def stop(self) -> None:
        """Stops, like `Inbox.stop`."""
        self._core.stop.set()

    async def aclose(self) -> None:
        """Stops the client, releases the current event of each loop in this task or in an ended task, and closes the
        connections."""
        self.stop()
        for lease, task in list(self._turns.items()):
            # Skips the event of another active task, because that task can be working on the event.
            if task is asyncio.current_task() or task.done():
                await self._give_back_turn(lease)
        self._core.requests.connections.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.aclose()

    def _event(self, lease: Lease) -> AsyncLeasedEvent:
        return AsyncLeasedEvent(lease, self._core.lease_ms)

    async def _next(self, limit: int) -> list[AsyncLeasedEvent]:
        """Waits for events. Returns an empty list after `stop`."""
        core = self._core
        while not core.stop.is_set:
            waiting = asyncio.ensure_future(arun(core.wait_for_events(limit)))
            core.stop.cancels(waiting)
            try:
                leases = await asyncio.shield(waiting)
            except asyncio.CancelledError:
                task = asyncio.current_task()
                if core.stop.is_set and not (task and task.cancelling()):
                    break
                await self._abandon(waiting)
                raise
            except InboxError:
                if core.stop.is_set:
                    break
                raise
            if core.stop.is_set:
                await arun(core.given_back(leases, self._event))
            elif leases:
                return [self._event(lease) for lease in leases]
        return []

    async def _abandon(self, waiting: "asyncio.Future[list[Lease]]") -> None:
        """Releases the events that a request leases within `GRACE_SECONDS`. Cancels the request after this time."""
        await asyncio.wait([waiting], timeout=GRACE_SECONDS)
        waiting.cancel()
        await asyncio.wait([waiting])
        if not waiting.cancelled() and not waiting.exception():
            await arun(self._core.given_back(waiting.result(), self._event))

    async def _give_back_turn(self, lease: Lease) -> None:
        if self._turns.pop(lease, None):
            await arun(self._core.given_back([lease], self._event))


async def _task(handler: Callable[[AsyncLeasedEvent], Awaitable[object]], event: AsyncLeasedEvent) -> object:
    # A function that is not async has already handled the event.
    result: object = handler(event)
    return await result if inspect.isawaitable(result) else result
