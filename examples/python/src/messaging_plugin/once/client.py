"""The driver of `send-once`. The component decides; the driver calls the journal and the plugin, and reports their
results."""

import asyncio
import contextlib
import secrets
import time
from collections.abc import Callable, Generator
from typing import Any, Literal, NamedTuple, Protocol, cast

from .. import records as plugin_records
from .. import wit as plugin_wit
from ..component import MEMORY_BYTES, Crash, Instances, packaged
from ..deadline import Stopwatch
from ..plugin import Fields, Plugin, message_request, text
from ..settings import deadline_ms as checked_deadline
from ..settings import is_unicode, text_of
from ..waits import arun, run
from . import records, wit
from .errors import Crashed, exception, unknown_of
from .journal import Journal, JournalFailure

FILE = "messaging_once_sans_io.wasm"
RANDOM_BYTES = 32
"""Number of random bytes for the salt of the digest and the name of the attempt."""


class Client(Protocol):
    """A client that sends messages, for example `Plugin`. Its errors have a `case` of the WIT. An error without a case
    leaves the outcome unknown."""

    def send_message(
        self, phone: str, message: str, device: str | None = None, fields: Fields = ()
    ) -> plugin_records.CreatedMessage:
        """Creates one message."""

    async def asend_message(
        self, phone: str, message: str, device: str | None = None, fields: Fields = ()
    ) -> plugin_records.CreatedMessage:
        """Creates one message, in a task."""


Steps = Generator["tuple[_Asked, wit.Step]", "tuple[wit.Input, BaseException | None]", Any]


class _Asked:
    """The key and the request of a call, and the time since the component's last step."""

    def __init__(self, key: str = "", request: plugin_wit.MessageRequest | None = None) -> None:
        self.key, self.request = key, request
        self.stopwatch = Stopwatch()


class Wait(NamedTuple):
    """A wait of a call, passed to `on_wait`."""

    key: str
    reason: Literal["sender", "journal"]
    """`sender` if another sender holds the key, `journal` if the journal failed."""
    detail: str


class Once:
    """A send that is safe to retry: a key creates at most one message, across calls, processes, machines and
    restarts. Every method can be called again after any error. Threads and asyncio tasks can share an instance.

    `deadline_ms` is the maximum duration of one send; default: `deadline_ms` of the client. A client other than `Plugin`
    has to enforce it. Other callers wait this long for the sender of their key. 10 s later, the outcome counts as
    unknown. A key belongs to the `base_url` of the client, if the client has a `base_url`. A canceled call can leave its key claimed: the key
    is then busy, and later its outcome is unknown, although nothing was sent. `on_wait` is called before each wait;
    exceptions of `on_wait` are ignored.
    """

    def __init__(
        self,
        client: Client,
        journal: Journal,
        *,
        deadline_ms: int | None = None,
        on_wait: Callable[[Wait], object] | None = None,
    ) -> None:
        if deadline_ms is None:
            deadline_ms = getattr(client, "deadline_ms", None)
        if not hasattr(client, "send_message") and not hasattr(client, "asend_message"):
            raise TypeError("the client has no send_message; pass a Plugin")
        if not hasattr(journal, "swap"):
            raise TypeError("the journal has no swap; pass a SqliteJournal or an HttpJournal")
        self._client, self._journal, self._on_wait = client, journal, on_wait
        self._deadline_ms = checked_deadline(deadline_ms)
        self._instances = Instances(packaged(FILE, wit.SANS_IO_ONCE), MEMORY_BYTES)

    def send_once(
        self, key: str, phone: str, message: str | bytes, device: str | None = None, fields: Fields = ()
    ) -> records.OnceCreated:
        """Creates one message, unless the key already has a message. The key identifies the reason for the message,
        for example `order-17-shipped`. Do not use a random key for each call."""
        if not hasattr(self._client, "send_message"):
            raise TypeError("the client has no send_message; call asend_once")
        return cast(records.OnceCreated, self._run(self._send(key, phone, message, device, fields)))

    def look_up(self, key: str) -> records.JournalEntry | None:
        """Returns the journal's entry of a key."""
        return cast("records.JournalEntry | None", self._run(self._look_up(key)))

    def list_entries(self, after: str | None = None) -> records.EntryPage:
        """Lists entries (read-only). `after` is `next` of the previous page. Without it, the list starts at the
        beginning."""
        return cast(records.EntryPage, self._run(self._list(after)))

    def resolve(
        self, key: str, attempt: int, found: records.Created | records.NotCreated, *, by: str, reason: str
    ) -> None:
        """Records the outcome of a key whose outcome is unknown. `attempt` is the number of the attempt that the
        operator checked: `attempts` of the entry."""
        self._run(self._resolve(key, attempt, found, by, reason))

    def forget(self, key: str) -> None:
        """Discards the outcome of a key. The key stays reserved: nothing is sent under it again."""
        self._run(self._forget(key))

    async def asend_once(
        self, key: str, phone: str, message: str | bytes, device: str | None = None, fields: Fields = ()
    ) -> records.OnceCreated:
        """`send_once` in a task. Calls the journal in threads."""
        if not isinstance(self._client, Plugin) and not hasattr(self._client, "asend_message"):
            raise TypeError("the client has no asend_message; call send_once")
        steps = self._send(key, phone, message, device, fields)
        return cast(records.OnceCreated, await self._arun(steps))

    async def alook_up(self, key: str) -> records.JournalEntry | None:
        """`look_up` in a task."""
        return cast("records.JournalEntry | None", await self._arun(self._look_up(key)))

    async def alist_entries(self, after: str | None = None) -> records.EntryPage:
        """`list_entries` in a task."""
        return cast(records.EntryPage, await self._arun(self._list(after)))

    async def aresolve(
        self, key: str, attempt: int, found: records.Created | records.NotCreated, *, by: str, reason: str
    ) -> None:
        """`resolve` in a task."""
        await self._arun(self._resolve(key, attempt, found, by, reason))

    async def aforget(self, key: str) -> None:
        """`forget` in a task."""
        await self._arun(self._forget(key))

    def _send(self, key: str, phone: str, message: str | bytes, device: str | None, fields: Fields) -> Steps:
        request = message_request(phone, message, device, fields)
        random = secrets.token_bytes(RANDOM_BYTES)
        base_url = getattr(self._client, "base_url", None)
        base_url = None if base_url is None else str(base_url)
        operation = wit.SendOnce(text("key", key), request, base_url, random, self._deadline_ms)
        return self._call(operation, _Asked(key, request), "send-once")

    def _look_up(self, key: str) -> Steps:
        return self._call(wit.LookUp(text("key", key)), _Asked(key), "look-up")

    def _list(self, after: str | None) -> Steps:
        operation = wit.ListEntries(None if after is None else text("after", after))
        return self._call(operation, _Asked(), "list-entries")

    def _resolve(
        self, key: str, attempt: int, found: records.Created | records.NotCreated, by: str, reason: str
    ) -> Steps:
        if not isinstance(found, records.Created | records.NotCreated):
            raise TypeError(f"found has to be Created or NotCreated, not {type(found).__name__}")
        if isinstance(found, records.Created):
            text("found", found.id)
        if not 0 <= attempt < 2**32:
            raise ValueError("attempt has to be 0 or more, and at most 4294967295")
        resolution = records.Resolution(attempt, found, text("by", by), text("reason", reason))
        return self._call(wit.Resolve(text("key", key), resolution), _Asked(key), "resolve")

    def _forget(self, key: str) -> Steps:
        return self._call(wit.Forget(text("key", key)), _Asked(key), "forget")

    def _call(self, operation: wit.Operation, asked: _Asked, function: str) -> Steps:
        """Performs all steps of a call. Yields each step, and receives its outcome."""
        try:
            with self._instances.one() as instance:
                began = time.monotonic()
                call = instance.start(wit.CALL, operation)
                outcome: wit.Input | None = None
                said: BaseException | None = None
                while True:
                    # The stopwatch starts when the component reads the clocks, because the deadline of a send counts
                    # from that moment.
                    asked.stopwatch = Stopwatch()
                    step = instance.next(wit.CALL, call, outcome, _now(began))
                    if isinstance(step, plugin_wit.Done):
                        instance.drop(wit.CALL, call)
                        break
                    if isinstance(step, wit.Sleep):
                        self._tell(asked.key, outcome)
                    outcome, failed = yield asked, step
                    # Keeps the provider's error until the call is done.
                    said = failed or said
        except Crash as crash:
            raise Crashed(str(crash), function) from None
        found = step.result
        if isinstance(found, plugin_wit.Error):
            raise exception(found.case, found.payload, said, function)
        return found

    def _tell(self, key: str, outcome: wit.Input | None) -> None:
        """Calls `on_wait` with the reason for a wait."""
        wait = Wait(key, "sender", "another sender holds the key")
        if isinstance(outcome, wit.JournalFailed):
            wait = Wait(key, "journal", outcome.detail)
        if self._on_wait:
            # An exception of `on_wait` is ignored, because the message may have been sent.
            with contextlib.suppress(Exception):
                self._on_wait(wait)

    def _run(self, steps: Steps) -> object:
        """Runs a call in this thread."""
        try:
            asked, step = next(steps)
            while True:
                asked, step = steps.send(self._perform(asked, step))
        except StopIteration as end:
            return end.value

    async def _arun(self, steps: Steps) -> object:
        """Runs a call in this task."""
        try:
            asked, step = next(steps)
            while True:
                asked, step = steps.send(await self._aperform(asked, step))
        except StopIteration as end:
            return end.value

    def _perform(self, asked: _Asked, step: wit.Step) -> "tuple[wit.Input, BaseException | None]":
        match step:
            case wit.Send():
                request = _request(asked)
                try:
                    if isinstance(self._client, Plugin) and _is(self._client.send_message, Plugin.send_message):
                        return _created(run(self._client.sending(request, asked.stopwatch, self._deadline_ms)))
                    return _created(
                        self._client.send_message(
                            request.phone, request.message, request.device, request.fields
                        )
                    )
                except Exception as error:
                    return _failed(error)
            case wit.Sleep():
                time.sleep(step.milliseconds / 1000)
                return wit.Woke(), None
            case _:
                return self._ask(asked.key, step), None

    async def _aperform(self, asked: _Asked, step: wit.Step) -> "tuple[wit.Input, BaseException | None]":
        match step:
            case wit.Send():
                request = _request(asked)
                try:
                    if isinstance(self._client, Plugin) and _is(self._client.asend_message, Plugin.asend_message):
                        return _created(await arun(self._client.sending(request, asked.stopwatch, self._deadline_ms)))
                    return _created(
                        await self._client.asend_message(
                            request.phone, request.message, request.device, request.fields
                        )
                    )
                except Exception as error:
                    return _failed(error)
            case wit.Sleep():
                await asyncio.sleep(step.milliseconds / 1000)
                return wit.Woke(), None
            case _:
                return await asyncio.to_thread(self._ask, asked.key, step), None

    def _ask(self, key: str, step: wit.Step) -> wit.Input:
        """Performs a step on the journal."""
        try:
            match step:
                case wit.Get():
                    return wit.Found(self._journal.get(key))
                case wit.Swap():
                    stale = self._journal.swap(key, step.expected, step.new)
                    return wit.Swapped() if stale is None else wit.Stale(stale.found)
                case wit.ListItems():
                    return self._journal.list_items(step.after)
                case _:
                    raise TypeError(f"{step} is an unknown step")
        except Exception as error:
            refused = isinstance(error, JournalFailure) and error.refused
            return wit.JournalFailed(refused, text_of(error))


def _is(method: object, function: object) -> bool:
    """Returns true if a method is this function: neither a subclass nor a wrapper replaces it."""
    return getattr(method, "__func__", None) is function


def _request(asked: _Asked) -> plugin_wit.MessageRequest:
    assert asked.request is not None, "only `send_once` sends"
    return asked.request


def _created(created: plugin_records.CreatedMessage) -> "tuple[wit.Input, None]":
    for given in (created.id, created.json):
        # This exception has no `case`, because a case can prove that nothing was created.
        if not isinstance(given, str) or not is_unicode(given):
            raise TypeError("the client returned no message")
    return plugin_records.CreatedMessage(created.id, created.json), None


def _failed(error: Exception) -> tuple[wit.Input, BaseException]:
    case = getattr(error, "case", None)
    if not isinstance(case, str):
        return wit.Lost(f"{type(error).__name__}: {text_of(error)}"), error
    return wit.ProviderError(case, text_of(error), unknown_of(error)), error


def _now(began: float) -> wit.Now:
    wall_ms = time.time_ns() // 1_000_000
    elapsed_ms = int((time.monotonic() - began) * 1000)
    return wit.Now(wall_ms // 1000, wall_ms % 1000, min(elapsed_ms, 0xFFFFFFFF))
