"""Runs handlers for events. Extends a lease while its handler runs, and settles the event afterwards."""

import asyncio
import inspect
import math
import random
import time
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

from ..waits import arun
from .core import OnError, within
from .errors import InboxError, InboxUnavailable, lease_ended
from .events import GIVE_BACK_SECONDS, _Leased

FIRST_PAUSE_MS: Final = 1_000
"""Initial default delay after a failure of a handler, in milliseconds."""
LONGEST_PAUSE_MS: Final = 300_000
SHORTEST_TRY_SECONDS: Final = 1.0
"""Minimum timeout of a request that extends a lease. The request may end after the lease, because it still succeeds if
no other worker has the event."""
MOST_PAUSE_MS: Final = 604_800_000

E = TypeVar("E", bound=_Leased)

ASYNC_HANDLER: Final = "the handler is an async function: use AsyncInbox"


def callable_handler(handler: object) -> None:
    """Raises `TypeError` if a handler cannot be called."""
    if not callable(handler):
        raise TypeError(f"handler has to be callable, not {type(handler).__name__}")


def returned(result: object) -> object:
    """Returns the result of a handler in a thread. Raises `TypeError` if it is a coroutine, which nothing would run."""
    if inspect.iscoroutine(result):
        result.close()
        raise TypeError(ASYNC_HANDLER)
    return result


@dataclass(frozen=True)
class Work(Generic[E]):
    """Handles events with these settings."""

    call: Callable[[E], Awaitable[object]]
    """Starts a handler for an event."""
    cancels: bool
    """True if a handler is canceled when the lease of its event is lost."""
    concurrency: int
    pause_ms: "int | Callable[[E, BaseException], float] | None"
    dead_after: int | None
    lease_ms: int
    tell: OnError

    def __post_init__(self) -> None:
        within("concurrency", self.concurrency, 1, 10_000)
        if self.pause_ms is not None and not callable(self.pause_ms):
            within("pause_ms", self.pause_ms, 0, MOST_PAUSE_MS)
        if self.dead_after is not None:
            within("dead_after", self.dead_after, 1, 1_000_000)

    async def run(self, take: Callable[[int], Coroutine[Any, Any, Sequence[E]]]) -> None:
        """Handles the events that `take` returns, until `take` returns an empty list."""
        running: set[asyncio.Task[None]] = set()
        failures: list[BaseException] = []
        taking: asyncio.Task[Sequence[E]] | None = None

        def over(task: asyncio.Task[None]) -> None:
            running.discard(task)
            error = None if task.cancelled() else task.exception()
            if error:
                failures.append(error)
                if taking:
                    taking.cancel()

        try:
            while not failures:
                if len(running) >= self.concurrency:
                    await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
                    continue
                taking = asyncio.create_task(take(self.concurrency - len(running)))
                try:
                    events = await taking
                except asyncio.CancelledError:
                    this = asyncio.current_task()
                    if failures and not (this and this.cancelling()):
                        break
                    raise
                if failures:
                    for event in events:
                        await self._give_back(event)
                if failures or not events:
                    break
                for event in events:
                    task = asyncio.create_task(self._one(event))
                    running.add(task)
                    task.add_done_callback(over)
        except asyncio.CancelledError:
            for task in running:
                task.cancel()
            raise
        finally:
            if running:
                await asyncio.wait(set(running))
        if failures:
            raise failures[0]

    async def _one(self, event: E) -> None:
        """Handles one event. Raises only exceptions of `tell` and `pause_ms`, `CancelledError` and `SystemExit`."""
        failed: list[Exception] = []

        # Settles the event before an exception of a function of the caller ends the loop.
        def tell(error: Exception) -> None:
            try:
                self.tell(error, event)
            except Exception as thrown:
                failed.append(thrown)

        handler = asyncio.ensure_future(self.call(event))
        keeper = asyncio.create_task(self._keep(event, handler, tell))
        failure: BaseException | None = None
        ending: SystemExit | None = None
        try:
            await handler
        except asyncio.CancelledError as error:
            task = asyncio.current_task()
            if task and task.cancelling():
                await self._ended(keeper)
                await self._give_back(event)
                raise
            # `_keep` cancels a handler after a lost lease. A handler that cancels itself has failed.
            failure = error if event.is_lost else RuntimeError("the handler was canceled")
        except Exception as error:
            failure = error
        except SystemExit as error:
            failure = ending = error
        await self._ended(keeper)
        if isinstance(failure, Exception):
            tell(failure)
        await self._settle(event, failure, tell, failed)
        if ending:
            raise ending
        if failed:
            raise failed[0]

    async def _settle(
        self, event: E, failure: BaseException | None, tell: Callable[[Exception], None], failed: list[Exception]
    ) -> None:
        # The handler may have settled the event, or another worker may have it.
        if event.is_settled:
            return
        if failure is not None and event.is_lost:
            # After a lost lease, the handler's error says nothing about the event.
            await self._give_back(event)
            return
        try:
            if failure is None:
                await arun(event._lease.settle("ack"))
                return
            try:
                pause_ms = self._pause_ms(event, failure)
            except Exception as thrown:
                failed.append(thrown)
                pause_ms = _doubled(event)
            await arun(event._nack(failure, pause_ms, self.dead_after, False))
        except InboxError as error:
            tell(error)

    async def _keep(
        self, event: E, handler: "asyncio.Future[object]", tell: Callable[[Exception], None]
    ) -> None:
        """Extends the lease until the handler ends. Reports a lost lease."""
        seconds = self.lease_ms / 1000
        ends_at = time.monotonic() + seconds
        while True:
            await asyncio.sleep(seconds / 3)
            if event.is_settled:
                return
            asked = time.monotonic()
            try:
                limit = max(ends_at - asked, SHORTEST_TRY_SECONDS)
                await arun(event._lease.extend(self.lease_ms, limit=limit, until=ends_at))
                ends_at = asked + seconds
            except InboxError as error:
                if event.is_settled and not event.is_lost:
                    return
                event._lease.lost = True
                if self.cancels:
                    handler.cancel()
                tell(lease_ended(event.id, error) if isinstance(error, InboxUnavailable) else error)
                return

    @staticmethod
    async def _ended(keeper: "asyncio.Task[None]") -> None:
        keeper.cancel()
        await asyncio.wait([keeper])
        if not keeper.cancelled() and (error := keeper.exception()):
            raise error

    async def _give_back(self, event: E) -> None:
        if event.is_settled:
            return
        try:
            async with asyncio.timeout(GIVE_BACK_SECONDS):
                await arun(event._lease.give_back())
        except (InboxError, TimeoutError) as error:
            self.tell(error, event)

    def _pause_ms(self, event: E, failure: BaseException) -> int:
        if isinstance(self.pause_ms, int):
            return self.pause_ms
        if self.pause_ms is not None:
            given = self.pause_ms(event, failure)
            if not isinstance(given, int | float) or math.isnan(given):
                raise TypeError(f"pause_ms returned {given!r}, which is not a number of milliseconds")
            return round(min(max(given, 0), MOST_PAUSE_MS))
        return _doubled(event)


def _doubled(event: _Leased) -> int:
    """Returns the default delay: it doubles with each failure."""
    most = min(FIRST_PAUSE_MS << min(event.failures, 30), LONGEST_PAUSE_MS)
    return round(most * random.uniform(0.5, 1.0))
