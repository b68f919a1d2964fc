"""Events: as a list shows them, and under a lease, as a worker gets and settles them."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields
from types import TracebackType
from typing import Any, Self, TypeVar

from ..waits import Steps, arun, run
from . import errors
from .errors import LeaseLost
from .requests import Requests

MOST_ERROR_CHARACTERS = 2_000
"""As much of an error as the inbox keeps."""
GIVE_BACK_SECONDS = 5.0
"""For how long it is tried to give an event back that comes back by itself."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedEvent:
    """An event without its payload."""

    id: int
    key: str
    """Process it under this key, once."""
    message_id: str
    kind: str
    received_at_ms: int
    """Since 1970, UTC, as all times are."""
    state: str
    """`pending`, `leased`, `done`; `quarantined` came under the key of another event, `dead` failed and is not
    tried again: both wait for a person."""
    due_ms: int
    """While pending: the earliest time of its next lease. While leased: the end of the lease."""
    attempts: int
    """Leases so far."""
    failures: int
    """Those that failed through the event."""
    last_error: str | None
    done_at_ms: int | None
    dead_at_ms: int | None
    traceparent: str | None
    """Trace context of its delivery (W3C)."""
    tracestate: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownEvent(ListedEvent):
    """An event with its payload."""

    payload: str
    """The event's JSON as it was received, byte for byte."""
    first_id: int | None
    """Of a quarantined event: the one that came first under its key, where that is known."""


class Lease:
    """State of a lease, and the requests that change it."""

    def __init__(self, requests: Requests, event: ListedEvent, payload: str, token: str) -> None:
        self._requests = requests
        self._token = token
        self.event = event
        self.payload = payload
        self.settled: str | None = None
        """How it was settled, or that the inbox says that it is lost."""
        self.lost = False
        """Somebody else may have the event."""

    def settle(self, how: str, patience: float | None = None, **body: object) -> Steps[dict[str, Any]]:
        self._refuse_settled()
        self.settled = how
        try:
            said = yield from self._post(how, body, ends_lease=how != "ack", patience=patience)
        except LeaseLost:
            self._lose()
            raise
        except BaseException:
            self.settled = None
            raise
        return said or {}

    def extend(self, lease_ms: int, **limits: float) -> Steps[None]:
        self._refuse_settled()
        try:
            yield from self._post("extend", {"lease_ms": lease_ms}, **limits)
        except LeaseLost:
            if self.settled is None:
                self._lose()
            raise

    def give_back(self) -> Steps[None]:
        yield from self.settle("release", GIVE_BACK_SECONDS)

    def _lose(self) -> None:
        self.settled, self.lost = "lost", True

    def _post(
        self, what: str, body: Mapping[str, object], **limits: Any
    ) -> Steps[dict[str, Any] | None]:
        number = self.event.id
        held = {"lease": self._token, **body}
        return self._requests.post(f"{what} of event {number}", f"/v1/events/{number}/{what}", held, **limits)

    def _refuse_settled(self) -> None:
        if self.settled == "lost":
            raise RuntimeError(f"the lease on event {self.event.id} is lost")
        if self.settled is not None:
            raise RuntimeError(f"event {self.event.id} is settled already: {self.settled}")


class _Leased:
    """An event under a lease. It is settled once, by `ack`, `nack` or `release`; what is not settled comes
    again when its lease ends."""

    def __init__(self, lease: Lease, lease_ms: int) -> None:
        event = lease.event
        self._lease = lease
        self._lease_ms = lease_ms
        self.id = event.id
        self.key = event.key
        """Process it under this key, once: the same event can come again."""
        self.message_id = event.message_id
        self.kind = event.kind
        self.received_at_ms = event.received_at_ms
        """Since 1970, UTC."""
        self.attempts = event.attempts
        """Leases so far, this one included."""
        self.failures = event.failures
        """Those that failed through the event."""
        self.last_error = event.last_error
        self.traceparent = event.traceparent
        """Trace context of its delivery (W3C)."""
        self.tracestate = event.tracestate
        self.payload = lease.payload
        """The event's JSON as it was received, byte for byte."""

    def json(self) -> Any:
        """The payload as a value."""
        return json.loads(self.payload)

    @property
    def is_settled(self) -> bool:
        """Whether it was settled, or the inbox said that its lease is lost."""
        return self._lease.settled is not None

    @property
    def is_lost(self) -> bool:
        """Whether somebody else may have it: stop working on it."""
        return self._lease.lost

    def __repr__(self) -> str:
        return f"{type(self).__name__}(id={self.id}, key={self.key!r})"

    def _nack(
        self, error: object, pause_ms: int | None, dead_after: int | None, dead: bool
    ) -> Steps[dict[str, Any]]:
        return self._lease.settle(
            "nack",
            error=_shortened(error),
            pause_ms=pause_ms,
            dead_after=dead_after,
            dead=dead or None,
        )

    def _end(self, error: BaseException | None) -> Steps[Any]:
        """Settles the event when its `with` ends."""
        if error is None:
            return self._lease.settle("ack")
        if isinstance(error, Exception):
            return self._nack(error, None, None, False)
        return self._lease.give_back()


class LeasedEvent(_Leased):
    __doc__ = _Leased.__doc__

    def ack(self) -> None:
        """It is done. Raises `LeaseLost` where somebody else has it."""
        run(self._lease.settle("ack"))

    def nack(
        self,
        error: object = "",
        *,
        pause_ms: int | None = None,
        dead_after: int | None = None,
        dead: bool = False,
    ) -> str | None:
        """It failed, for this reason, of which the inbox keeps 2,000 characters. It can be leased again after
        `pause_ms` (5000 unless given), or is dead: with `dead_after` failures, or at once with `dead`.

        Returns `pending` or `dead`; `None` where the answer to an earlier try was lost, and the event is
        no longer this worker's.
        """
        return run(self._nack(error, pause_ms, dead_after, dead)).get("state")

    def release(self) -> None:
        """Gives it back: it can be leased at once, and has not failed."""
        run(self._lease.settle("release"))

    def extend(self, lease_ms: int | None = None) -> None:
        """Lets the lease end so long after now; after `lease_ms` of the inbox unless given."""
        run(self._lease.extend(lease_ms or self._lease_ms))

    def __enter__(self) -> Self:
        """`with event:` acknowledges it at the end, and nacks it where an exception leaves the block; what is
        none (`KeyboardInterrupt`) gives it back."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if not self.is_settled:
            run(self._end(error))


class AsyncLeasedEvent(_Leased):
    __doc__ = _Leased.__doc__

    async def ack(self) -> None:
        """It is done. Raises `LeaseLost` where somebody else has it."""
        await arun(self._lease.settle("ack"))

    async def nack(
        self,
        error: object = "",
        *,
        pause_ms: int | None = None,
        dead_after: int | None = None,
        dead: bool = False,
    ) -> str | None:
        """As `LeasedEvent.nack`."""
        return (await arun(self._nack(error, pause_ms, dead_after, dead))).get("state")

    async def release(self) -> None:
        """Gives it back: it can be leased at once, and has not failed."""
        await arun(self._lease.settle("release"))

    async def extend(self, lease_ms: int | None = None) -> None:
        """Lets the lease end so long after now; after `lease_ms` of the inbox unless given."""
        await arun(self._lease.extend(lease_ms or self._lease_ms))

    async def __aenter__(self) -> Self:
        """`async with event:` acknowledges it at the end, and nacks it where an exception leaves the block; what
        is none (`CancelledError`) gives it back."""
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if not self.is_settled:
            await arun(self._end(error))


def leases_of(requests: Requests, reply: Mapping[str, object]) -> list[Lease]:
    """The events of an answer to `lease`. Raises `InboxRefused` where it is none."""
    leases = []
    for raw in _events("lease", reply):
        event = record(ListedEvent, raw, "lease")
        payload, token = raw.get("payload"), raw.get("lease")
        if not isinstance(payload, str) or not isinstance(token, str):
            raise errors.wrong_reply("lease")
        leases.append(Lease(requests, event, payload, token))
    return leases


def listed(doing: str, reply: Mapping[str, object]) -> list[ListedEvent]:
    """The events of a page. Raises `InboxRefused` where it is none."""
    return [record(ListedEvent, raw, doing) for raw in _events(doing, reply)]


def record(kind: type[T], raw: object, doing: str) -> T:
    """One of the dataclasses here. Raises `InboxRefused` where the fields are others."""
    if not isinstance(raw, dict):
        raise errors.wrong_reply(doing)
    values = {}
    for field in fields(kind):  # type: ignore[arg-type]
        value = raw.get(field.name)
        allowed = (value is None and "None" in str(field.type)) or (
            isinstance(value, int if "int" in str(field.type) else str) and not isinstance(value, bool)
        )
        if not allowed:
            raise errors.wrong_reply(doing)
        values[field.name] = value
    return kind(**values)


def _events(doing: str, reply: Mapping[str, object]) -> list[dict[str, object]]:
    found = reply.get("events")
    if not isinstance(found, list) or not all(isinstance(event, dict) for event in found):
        raise errors.wrong_reply(doing)
    return found


def _shortened(error: object) -> str:
    text = f"{type(error).__name__}: {error}" if isinstance(error, BaseException) else str(error)
    # Only such characters as UTF-8 has.
    return text[:MOST_ERROR_CHARACTERS].encode("utf-8", "replace").decode()
