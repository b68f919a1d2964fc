"""The driver that `wit/sans-io.wit` asks for: makes a request once, and says exactly what became of it.

Owns what may be reached, the key, the deadline, and what a failure proves. How it waits is left to `waits`.
"""

import re
import time
from dataclasses import dataclass

from . import http1, wit
from .connections import Broken, Connection, Connections, Late, NotConnected
from .deadline import Deadline
from .key import HeldKey, NotForThere
from .origins import Origin
from .waits import Steps

CONNECT_SECONDS = 10.0
"""The longest wait for a connection, TLS included."""
CONNECT_MARGIN_SECONDS = 0.05
"""How long before the deadline it is given up, while it is certain that nothing was sent."""
MOST_REPLY_BYTES = 4 * 1024 * 1024
"""The largest setting."""

_URL = re.compile(r"(https?)://([^/?#]+)(/[!\"$-~]*)")
_NAME = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")
_VALUE = re.compile(r"[\t -~\x80-\xff]*")
_HTTPS_OWN = {
    *("connection", "content-length", "host", "http2-settings", "keep-alive"),
    *("proxy-authenticate", "proxy-authorization", "proxy-connection", "transfer-encoding"),
    *("upgrade", "expect", "trailer"),
}
"""Headers that could say where a request goes, or where it ends."""
_READ = {b"content-encoding", b"retry-after", b"date"}


@dataclass(slots=True)
class Progress:
    """State of the message of a call, as far as it is known."""

    unsettled: int = 0
    """Requests of which a byte may have left, and no reply says that they created nothing."""


class Driver:
    """Makes the requests of a plugin."""

    def __init__(
        self, allow: frozenset[Origin], key: HeldKey | None, connections: Connections
    ) -> None:
        self._allow = allow
        self._key = key
        self._connections = connections

    def make(self, request: wit.HttpRequest, progress: Progress, deadline: Deadline) -> Steps[wit.Input]:
        """Makes one request, of which no byte leaves after the deadline."""
        match = _URL.fullmatch(request.url)
        origin = Origin.of(match[1], match[2]) if match else None
        if match is None or origin is None:
            return _denied("the host does not make requests to such a URL")
        if origin not in self._allow:
            return _denied("the host does not allow this destination")
        if request.method not in ("GET", "POST"):
            return _denied("the host does not make requests of this method")
        try:
            data = self._written(request, origin, authority=match[2], target=match[3])
        except NotForThere:
            return _denied("the host does not give the key to this destination or header")
        if data is None:
            return _denied("the host does not set such a header")
        reply = http1.Reply(request.method, min(request.max_reply_bytes, MOST_REPLY_BYTES))
        is_post = request.method == "POST"
        try:
            connection = self._connections.kept(origin) or (
                yield from self._connections.connect(origin, _connecting_until(deadline))
            )
        except NotConnected as error:
            return wit.Failed(wit.Failure.NOT_REACHED, str(error))
        progress.unsettled += is_post
        came = yield from self._exchange(connection, data, reply, deadline)
        progress.unsettled -= is_post and _has_created_nothing(came)
        return came

    def _written(
        self, request: wit.HttpRequest, origin: Origin, authority: str, target: str
    ) -> http1.Request | None:
        """The request with the key, and none where a header may not be set. Raises `NotForThere`."""
        headers = [(header.name, header.value) for header in request.headers]
        for name, value in headers:
            if not (_NAME.fullmatch(name) and _VALUE.fullmatch(value)) or name.lower() in _HTTPS_OWN:
                return None
        if self._key:
            headers = self._key.put(headers, origin)
        return http1.request(request.method, target, authority, headers, request.body)

    def _exchange(
        self, connection: Connection, data: http1.Request, reply: http1.Reply, deadline: Deadline
    ) -> Steps[wit.Input]:
        ended = wit.BodyEnd.WHOLE
        failure = wit.Failed(wit.Failure.LATE, "the time was over")
        try:
            yield from connection.exchange(data, reply, deadline)
            if reply.too_large:
                ended = wit.BodyEnd.TOO_LARGE
        except NotConnected as error:
            failure = wit.Failed(wit.Failure.NOT_REACHED, str(error))
        except Late:
            ended = wit.BodyEnd.LATE
        except Broken as error:
            ended = wit.BodyEnd.BROKEN
            failure = wit.Failed(wit.Failure.BROKEN, str(error))
        finally:
            if reply.keeps:
                self._connections.keep(connection)
            else:
                connection.close()
        return failure if reply.status is None else self._handed_over(reply.status, reply, ended)

    def _handed_over(
        self, status: int, reply: http1.Reply, ended: wit.BodyEnd
    ) -> wit.HttpReply:
        headers = [(name, value) for name, value in reply.headers if name in _READ]
        body = bytes(reply.body)
        if self._key:
            if body and (b"\0" in body or self._key.hides(reply.headers)):
                # In an encoding in which the key is other bytes, no mask finds it.
                body, ended = b"", wit.BodyEnd.WITHHELD
            body = self._key.mask(body, ended is wit.BodyEnd.WHOLE and reply.is_delimited)
            headers = [(name, self._key.mask(value)) for name, value in headers]
        return wit.HttpReply(
            status,
            tuple(
                [wit.Header(name.decode(), value.decode("utf-8", "replace")) for name, value in headers]
            ),
            body[: reply.most_bytes],
            ended,
        )


def _connecting_until(deadline: Deadline) -> float:
    """When a connection is given up, on `time.monotonic`."""
    left = deadline.left()
    return time.monotonic() + min(CONNECT_SECONDS, max(left - CONNECT_MARGIN_SECONDS, left / 2))


def _denied(detail: str) -> wit.Failed:
    return wit.Failed(wit.Failure.DENIED, detail)


def _has_created_nothing(came: wit.Input) -> bool:
    """Whether it is known of a request that it created nothing. Of the 4xx, those do not say so that
    a proxy gives in the place of a reply, or that can stand for this very message."""
    if isinstance(came, wit.Failed):
        return came.failure is wit.Failure.NOT_REACHED
    return (
        isinstance(came, wit.HttpReply)
        and 400 <= came.status < 500
        and came.status not in (408, 409, 460, 499)
    )
