"""Requests to the inbox, with retries.

Every request is safe to retry. A lease whose reply is lost expires. An ack or an extension can be repeated. A
repeated nack or release finds the lease lost, because the first try ended it.
"""

import json
import math
import random
import re
import ssl
import time
from collections.abc import Callable, Mapping
from datetime import UTC
from decimal import Decimal
from email.utils import parsedate_to_datetime
from typing import Any, Final

from .. import http1
from ..bearer import Server, Token
from ..connections import Broken, Late, NotConnected
from ..waits import Pause, Steps
from . import errors
from .errors import InboxError, InboxRefused, InboxUnavailable, LeaseLost, Problem, TokenRefused

REQUEST_SECONDS: Final = 10.0
"""Timeout of one request. The wait for an event does not count."""
STOPPING_SECONDS: Final = 5.0
"""Maximum time for retries after `stop`."""
FIRST_PAUSE_SECONDS: Final = 0.1
LONGEST_PAUSE_SECONDS: Final = 10.0
UNREADABLE_RETRY_AFTER_SECONDS: Final = 60
"""Delay for a `Retry-After` that is neither a number nor a date."""
MOST_REPLY_BYTES: Final = 64 * 1024 * 1024
"""Maximum size of a reply in bytes. A reply has under 8 MiB of JSON, plus one event of up to 16 MiB. Escapes can double
the size of the event."""

_NOT_NOW = (408, 429)
"""4xx statuses after which a retry can succeed: timeout and rate limit."""


class Requests:
    """Makes requests to one inbox with one token. Threads and tasks can share an instance."""

    def __init__(
        self,
        url: str,
        token: Token | str,
        *,
        tls: ssl.SSLContext | None,
        allow_http: bool,
        retry_timeout_ms: int,
        on_error: Callable[[InboxError], None],
        is_stopped: Callable[[], bool],
    ) -> None:
        self._server = Server(url, token, tls=tls, allow_http=allow_http)
        self.connections = self._server.connections
        self._retry_timeout = retry_timeout_ms / 1000
        self._on_error = on_error
        self._is_stopped = is_stopped

    def get(self, doing: str, path: str, *, call: float = math.inf) -> Steps[dict[str, Any]]:
        value = yield from self._repeated(doing, "GET", path, b"", call=call)
        return value or {}

    def post(
        self,
        doing: str,
        path: str,
        body: Mapping[str, object],
        *,
        wait: float = 0.0,
        limit: float = REQUEST_SECONDS,
        retry_timeout: float | None = None,
        until: float = math.inf,
        call: float = math.inf,
        ends_lease: bool = False,
    ) -> Steps[dict[str, Any] | None]:
        """Makes a POST request. All times are in seconds.

        `wait` is the maximum wait of the inbox for an event. `limit` is the timeout of one try, in addition to
        `wait`. `retry_timeout` is the maximum time for retries after the first failure. `until` is the latest time for a
        retry, by `time.monotonic`. `call` is the maximum time of all tries, in addition to `wait`. `ends_lease`
        marks a request that ends the lease. If an earlier try may have ended the lease, the result of a lost lease
        is `None`.
        """
        given = {name: value for name, value in body.items() if value is not None}
        data = json.dumps(given).encode()
        return self._repeated(doing, "POST", path, data, wait + limit, retry_timeout, until, ends_lease, wait + call)

    def _repeated(
        self,
        doing: str,
        method: str,
        path: str,
        body: bytes,
        limit: float = REQUEST_SECONDS,
        retry_timeout: float | None = None,
        until: float = math.inf,
        ends_lease: bool = False,
        call: float = math.inf,
    ) -> Steps[dict[str, Any] | None]:
        ends_at = time.monotonic() + call
        retry_timeout = self._retry_timeout if retry_timeout is None else retry_timeout
        failed_at: float | None = None
        may_have_arrived = False
        attempt = 0
        while True:
            try:
                reply = yield from self._server.exchange(
                    method,
                    path,
                    body,
                    limit=max(0.0, min(limit, ends_at - time.monotonic())),
                    most_bytes=MOST_REPLY_BYTES,
                )
                return _read(doing, reply)
            except NotConnected as error:
                failure: InboxUnavailable = errors.unreachable(doing, str(error))
            except (Broken, Late) as error:
                may_have_arrived = True
                failure = errors.unreachable(doing, str(error))
            except LeaseLost:
                if ends_lease and may_have_arrived:
                    return None
                raise
            except InboxUnavailable as error:
                may_have_arrived = True
                failure = error
            pause = max((failure.retry_after_ms or 0) / 1000, _pause(attempt))
            now = time.monotonic()
            failed_at = now if failed_at is None else failed_at
            if now + pause > min(failed_at + self._left(retry_timeout), until, ends_at):
                raise failure
            self._on_error(failure)
            yield from self._pause(pause)
            attempt += 1

    def _left(self, retry_timeout: float) -> float:
        return min(STOPPING_SECONDS, retry_timeout) if self._is_stopped() else retry_timeout

    def _pause(self, seconds: float) -> Steps[None]:
        """Waits for `seconds`. Ends early after `stop`, because only a short time is then left for further tries."""
        until = time.monotonic() + seconds
        was_stopped = self._is_stopped()
        while (left := until - time.monotonic()) > 0 and self._is_stopped() == was_stopped:
            yield Pause(min(left, 0.5))


def _read(doing: str, reply: http1.Reply) -> dict[str, Any]:
    """Parses a reply of the inbox. Raises `InboxError`."""
    status = reply.status or 0
    try:
        value = json.loads(reply.body)
    except (ValueError, RecursionError):
        value = None
    if status == 200 and not reply.too_large:
        if isinstance(value, dict):
            return value
        raise errors.wrong_reply(doing)
    said = value if isinstance(value, dict) else {}
    code, detail, field = (_text(said.get(name)) for name in ("code", "detail", "field"))
    is_not_now = status >= 500 or status in _NOT_NOW
    if code is None:
        code = "unavailable" if is_not_now else "unexpected-reply"
        detail, field = f"status {status}" + ("" if is_not_now else f": {errors.NOT_AN_INBOX}"), None
    problem = Problem(code, detail or f"status {status}", status, field, _retry_after_ms(reply))
    if is_not_now:
        raise InboxUnavailable(doing, problem)
    if status in (401, 403):
        raise TokenRefused(doing, problem)
    if status == 409 and code == "lease-lost":
        raise LeaseLost(doing, problem)
    raise InboxRefused(doing, problem)


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _retry_after_ms(reply: http1.Reply) -> int | None:
    """Returns the longest delay of the `Retry-After` headers, or `None` if there is no such header."""

    def values(name: bytes) -> list[str]:
        return [value.decode("latin-1") for known, value in reply.headers if known == name]

    now = next(filter(None, map(_unix_seconds, values(b"date"))), time.time())
    delays = [_seconds(value, now) for value in values(b"retry-after")]
    return min(max(delays) * 1000, 2**32 - 1) if delays else None


def _seconds(value: str, now: float) -> int:
    """Converts a number or a date to seconds, rounded up. Returns a default delay for an unreadable value."""
    if re.fullmatch(r"[0-9]{1,256}(\.[0-9]{1,256})?", value):
        return math.ceil(Decimal(value))
    at = _unix_seconds(value)
    return UNREADABLE_RETRY_AFTER_SECONDS if at is None else max(0, math.ceil(at - now))


def _unix_seconds(date: str) -> float | None:
    """Parses an HTTP date. Returns `None` if the date is malformed."""
    try:
        found = parsedate_to_datetime(date[:256])
    except (ValueError, OverflowError, IndexError, TypeError):
        return None
    # One of the three date formats of HTTP has no time zone. HTTP dates are in UTC.
    return (found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp()


def _pause(attempt: int) -> float:
    """Returns an exponential delay in seconds, with jitter, because workers must not retry at the same moment."""
    most = min(FIRST_PAUSE_SECONDS * 2.0 ** min(attempt, 30), LONGEST_PAUSE_SECONDS)
    return most * random.uniform(0.5, 1.0)
