"""Events in a list, and leased events, which a worker settles with ack, nack or release."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields
from types import TracebackType
from typing import Any, Self, TypeVar

from ..settings import text_of
from ..waits import Steps, arun, run
from . import errors
from .errors import LeaseLost
from .requests import Requests

MOST_ERROR_CHARACTERS = 2_000
"""Maximum length of an error that the inbox stores, in characters."""
GIVE_BACK_SECONDS = 5.0
"""Maximum time for retries of a release. Without the release, the event is pending again when its lease ends."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedEvent:
    """An event without its payload."""

    id: int
    key: str
    """Key for idempotent processing: process each key once."""
    message_id: str
    kind: str
    received_at_ms: int
    """Time of arrival in milliseconds since 1970 (UTC). All times of an event have this unit."""
    state: str
    """`pending`, `leased`, `done`, `quarantined` or `dead`. A quarantined event arrived under the key of another
    event. A dead event failed and is not retried. Quarantined and dead events wait for an operator."""
    due_ms: int
    """For a pending event, the earliest time of its next lease. For a leased event, the end of the lease."""
    attempts: int
    """Number of leases so far."""
    failures: int
    """Number of leases that ended in a failure of the event."""
    last_error: str | None
    done_at_ms: int | None
    dead_at_ms: int | None
    traceparent: str | None
    """Trace context (W3C) of the delivery."""
    tracestate: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownEvent(ListedEvent):
    """An event with its payload."""

    attempted_at_ms: tuple[int, ...]
    """Start times of the last 20 leases in milliseconds since 1970 (UTC), oldest first."""
    payload: str
    """The event's JSON as received, byte for byte."""
    first_id: int | None
    """For a quarantined event: ID of the first event with the same key, if known."""


class Lease:
    """State of a lease, and the requests that change it."""

    def __init__(self, requests: Requests, event: ListedEvent, payload: str, token: str) -> None:
        self._requests = requests
        self._token = token
        self.event = event
        self.payload = payload
        self.settled: str | None = None
        """`ack`, `nack` or `release` if the event was settled, `lost` if the inbox has reported the lease as
        lost."""
        self.lost = False
        """True if another worker can have the event."""

    def settle(self, how: str, retry_timeout: float | None = None, **body: object) -> Steps[dict[str, Any]]:
        self._refuse_settled()
        self.settled = how
        try:
            said = yield from self._post(how, body, ends_lease=how != "ack", retry_timeout=retry_timeout)
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
    """An event under a lease. A worker settles the event once, with `ack`, `nack` or `release`. An unsettled event is
    pending again when its lease ends."""

    def __init__(self, lease: Lease, lease_ms: int) -> None:
        event = lease.event
        self._lease = lease
        self._lease_ms = lease_ms
        self.id = event.id
        self.key = event.key
        """Key for idempotent processing: process each key once, because the same event can be leased again."""
        self.message_id = event.message_id
        self.kind = event.kind
        self.received_at_ms = event.received_at_ms
        """Time of arrival in milliseconds since 1970 (UTC)."""
        self.attempts = event.attempts
        """Number of leases so far, including this one."""
        self.failures = event.failures
        """Number of leases that ended in a failure of the event."""
        self.last_error = event.last_error
        self.traceparent = event.traceparent
        """Trace context (W3C) of the delivery."""
        self.tracestate = event.tracestate
        self.payload = lease.payload
        """The event's JSON as received, byte for byte."""

    def json(self) -> Any:
        """Parses the payload."""
        return json.loads(self.payload)

    @property
    def is_settled(self) -> bool:
        """True if the event was settled (`ack`, `nack`, `release`), or the inbox has reported the lease as lost."""
        return self._lease.settled is not None

    @property
    def is_lost(self) -> bool:
        """True if another worker can have the event. The handler must then stop."""
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
        """Settles the event at the end of its `with` block."""
        if error is None:
            return self._lease.settle("ack")
        if isinstance(error, Exception):
            return self._nack(error, None, None, False)
        return self._lease.give_back()


class LeasedEvent(_Leased):
    __doc__ = _Leased.__doc__

    def ack(self) -> None:
        """Marks the event as done. Raises `LeaseLost` if this lease has ended."""
        run(self._lease.settle("ack"))

    def nack(
        self,
        error: object = "",
        *,
        pause_ms: int | None = None,
        dead_after: int | None = None,
        dead: bool = False,
    ) -> str | None:
        """Marks the event as failed. The inbox stores up to 2,000 characters of `error`. The event can be leased again
        after `pause_ms` (default 5000). The event is dead after `dead_after` failures, or at once with `dead`.

        Returns `pending` or `dead`, or `None` if the reply to an earlier try was lost and the lease has ended.
        """
        return run(self._nack(error, pause_ms, dead_after, dead)).get("state")

    def release(self) -> None:
        """Ends the lease without a failure. The event can be leased at once."""
        run(self._lease.settle("release"))

    def extend(self, lease_ms: int | None = None) -> None:
        """Extends the lease to `lease_ms` milliseconds from now; default: `lease_ms` of the client."""
        run(self._lease.extend(lease_ms or self._lease_ms))

    def __enter__(self) -> Self:
        """Settles the event at the end of `with event:`. Acks without an exception, nacks after an `Exception`, and
        releases after any other exception, for example `KeyboardInterrupt`."""
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
        """Marks the event as done. Raises `LeaseLost` if this lease has ended."""
        await arun(self._lease.settle("ack"))

    async def nack(
        self,
        error: object = "",
        *,
        pause_ms: int | None = None,
        dead_after: int | None = None,
        dead: bool = False,
    ) -> str | None:
        """Marks the event as failed, like `LeasedEvent.nack`."""
        return (await arun(self._nack(error, pause_ms, dead_after, dead))).get("state")

    async def release(self) -> None:
        """Ends the lease without a failure. The event can be leased at once."""
        await arun(self._lease.settle("release"))

    async def extend(self, lease_ms: int | None = None) -> None:
        """Extends the lease to `lease_ms` milliseconds from now; default: `lease_ms` of the client."""
        await arun(self._lease.extend(lease_ms or self._lease_ms))

    async def __aenter__(self) -> Self:
        """Settles the event at the end of `async with event:`. Acks without an exception, nacks after an
        `Exception`, and releases after any other exception, for example `CancelledError`."""
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
    """Returns the leases of a reply to `lease`. Raises `InboxRefused` if the reply is malformed."""
    leases = []
    for raw in _events("lease", reply):
        event = record(ListedEvent, raw, "lease")
        payload, token = raw.get("payload"), raw.get("lease")
        if not isinstance(payload, str) or not isinstance(token, str):
            raise errors.wrong_reply("lease")
        leases.append(Lease(requests, event, payload, token))
    return leases


def listed(doing: str, reply: Mapping[str, object]) -> list[ListedEvent]:
    """Returns the events of a page. Raises `InboxRefused` if the page is malformed."""
    return [record(ListedEvent, raw, doing) for raw in _events(doing, reply)]


def record(kind: type[T], raw: object, doing: str) -> T:
    """Returns a dataclass with the members of `raw`. Raises `InboxRefused` if a member is missing or has a wrong
    type."""
    if not isinstance(raw, dict):
        raise errors.wrong_reply(doing)
    values = {}
    for field in fields(kind):  # type: ignore[arg-type]
        value, name = raw.get(field.name), str(field.type)
        if name.startswith("tuple") and isinstance(value, list):
            value = tuple(value)
        if not (value is None and "None" in name) and not _has_type(value, name):
            raise errors.wrong_reply(doing)
        values[field.name] = value
    return kind(**values)


def _has_type(value: object, name: str) -> bool:
    if name.startswith("tuple"):
        return isinstance(value, tuple) and all(_has_type(one, "int") for one in value)
    return isinstance(value, int if "int" in name else str) and not isinstance(value, bool)


def _events(doing: str, reply: Mapping[str, object]) -> list[dict[str, object]]:
    found = reply.get("events")
    if not isinstance(found, list) or not all(isinstance(event, dict) for event in found):
        raise errors.wrong_reply(doing)
    return found


def _shortened(error: object) -> str:
    text = text_of(error)
    if isinstance(error, BaseException):
        text = f"{type(error).__name__}: {text}"
    return text[:MOST_ERROR_CHARACTERS]
