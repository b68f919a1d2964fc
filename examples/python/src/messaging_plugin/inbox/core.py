"""The part of the inbox client that threads and tasks share: options, and requests without an event."""

import math
import random
import ssl
import time
from collections.abc import Callable, Sequence
from typing import Any, Final
from urllib.parse import urlencode

from ..bearer import Token
from ..waits import Pause, Steps
from .errors import InboxError
from .events import Lease, ListedEvent, ShownEvent, leases_of, listed, record
from .requests import Requests
from .stop import Stop

WAIT_MS: Final = 30_000
"""Maximum time that the inbox waits for an event, in milliseconds."""
EARLY_SECONDS: Final = 1.0
"""If an empty reply arrives within this time, the loop waits before its next request."""
MOST_EVENTS: Final = 100
"""Maximum number of events in one lease request."""
MOST_LEASE_MS: Final = 43_200_000
CALL_MS: Final = 10_000
"""Default timeout in milliseconds for all tries of a call outside of a worker loop. Excludes the wait for an event."""

OnError = Callable[[Exception, Any], None]
"""Called with an error and its event, or with `None` in place of the event if the error has no event."""


class Core:
    """State and requests that the clients for threads and for asyncio share."""

    def __init__(
        self,
        url: str,
        token: Token | str,
        *,
        lease_ms: int,
        kinds: Sequence[str] | None,
        on_error: OnError | None,
        retry_timeout_ms: int,
        tls: ssl.SSLContext | None,
        allow_http: bool,
    ) -> None:
        if isinstance(kinds, str):
            raise TypeError("kinds is a list of kinds, not one string")
        if on_error is not None and not callable(on_error):
            raise TypeError(f"on_error has to be callable, not {type(on_error).__name__}")
        self.lease_ms = within("lease_ms", lease_ms, 1_000, MOST_LEASE_MS)
        within("retry_timeout_ms", retry_timeout_ms, 0, None)
        self.kinds = None if kinds is None else list(kinds)
        self.stop = Stop()
        self._on_error = on_error
        self.requests = Requests(
            url,
            token,
            tls=tls,
            allow_http=allow_http,
            retry_timeout_ms=retry_timeout_ms,
            on_error=lambda error: self.tell(error, None),
            is_stopped=lambda: self.stop.is_set,
        )

    def tell(self, error: Exception, event: object) -> None:
        if self._on_error:
            self._on_error(error, event)

    def lease(self, limit: int, wait_ms: int, call: float) -> Steps[list[Lease]]:
        asked = {"limit": limit, "lease_ms": self.lease_ms, "wait_ms": wait_ms, "kinds": self.kinds}
        reply = yield from self.requests.post("lease", "/v1/lease", asked, wait=wait_ms / 1000, call=call)
        return leases_of(self.requests, reply or {})

    def wait_for_events(self, limit: int) -> Steps[list[Lease]]:
        """Waits for events. Returns an empty list if no event arrived in time."""
        asked = time.monotonic()
        leases = yield from self.lease(min(limit, MOST_EVENTS), WAIT_MS, math.inf)
        if not leases and time.monotonic() - asked < EARLY_SECONDS:
            yield Pause(EARLY_SECONDS * random.uniform(0.5, 1.0))
        return leases

    def list(self, timeout_ms: int, **query: str | int | None) -> Steps[list[ListedEvent]]:
        given = urlencode({name: value for name, value in query.items() if value is not None})
        path = f"/v1/events?{given}" if given else "/v1/events"
        reply = yield from self.requests.get("list of events", path, call=call_seconds(timeout_ms))
        return listed("list of events", reply)

    def show(self, number: int, timeout_ms: int) -> Steps[ShownEvent]:
        doing, call = f"event {number}", call_seconds(timeout_ms)
        reply = yield from self.requests.get(doing, f"/v1/events/{int(number)}", call=call)
        return record(ShownEvent, reply, doing)

    def given_back(self, leases: Sequence[Lease], event_of: Callable[[Lease], object]) -> Steps[None]:
        """Releases unsettled events, so that another worker can lease them at once."""
        for lease in leases:
            if lease.settled is None:
                try:
                    yield from lease.give_back()
                except InboxError as error:
                    self.tell(error, event_of(lease))


def call_seconds(timeout_ms: int) -> float:
    """Validates the timeout of a call outside of a loop, and converts it to seconds."""
    return within("timeout_ms", timeout_ms, 1, 600_000) / 1000


def within(name: str, value: int, least: int, most: int | None) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f"{name} has to be an int, not {type(value).__name__}")
    if value < least or (most is not None and value > most):
        raise ValueError(f"{name} has to be {least} or more" + (f", and at most {most}" if most else ""))
    return value


class Client:
    """The options of the clients for threads and for asyncio."""

    def __init__(
        self,
        url: str,
        token: Token | str,
        *,
        lease_ms: int = 60_000,
        kinds: Sequence[str] | None = None,
        on_error: OnError | None = None,
        retry_timeout_ms: int = 300_000,
        tls: ssl.SSLContext | None = None,
        allow_http: bool = False,
    ) -> None:
        self._core = Core(
            url,
            token,
            lease_ms=lease_ms,
            kinds=kinds,
            on_error=on_error,
            retry_timeout_ms=retry_timeout_ms,
            tls=tls,
            allow_http=allow_http,
        )
        self._turns: dict[Lease, Any] = {}
        """The thread or task of each event in a loop, by lease."""
