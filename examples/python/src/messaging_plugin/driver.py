"""The driver for `wit/sans-io.wit`. Makes each request once and reports its exact outcome.

Checks destinations, injects the API key, applies the deadline, and classifies failures. `waits` implements the waiting.
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
"""Maximum time for opening a connection, TLS included."""
CONNECT_MARGIN_SECONDS = 0.05
"""An attempt to connect ends this long before the deadline, so that the caller still learns that nothing was
sent."""
MOST_REPLY_BYTES = 4 * 1024 * 1024
"""Maximum of the setting `MESSAGING_MAX_REPLY_BYTES`."""

_URL = re.compile(r"(https?)://([^/?#]+)(/[!\"$-~]*)")
_NAME = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")
_VALUE = re.compile(r"[\t -~\x80-\xff]*")
_HTTPS_OWN = {
    *("connection", "content-length", "host", "http2-settings", "keep-alive"),
    *("proxy-authenticate", "proxy-authorization", "proxy-connection", "transfer-encoding"),
    *("upgrade", "expect", "trailer"),
}
"""Headers that could change the destination or the end of a request."""
_READ = {b"content-encoding", b"retry-after", b"date"}


@dataclass(slots=True)
class Progress:
    """Known state of the message of a call."""

    unsettled: int = 0
    """Number of sent requests that may have created a message."""


class Driver:
    """Makes the requests of a plugin."""

    def __init__(
        self, allow: frozenset[Origin], key: HeldKey | None, connections: Connections
    ) -> None:
        self._allow = allow
        self._key = key
        self._connections = connections

    def make(self, request: wit.HttpRequest, progress: Progress, deadline: Deadline) -> Steps[wit.Input]:
        """Makes one request. No byte leaves after the deadline."""
        match = _URL.fullmatch(request.url)
        origin = Origin.of(match[1], match[2]) if match else None
        if match is None or origin is None:
            return _denied("invalid URL")
        if origin not in self._allow:
            return _denied("the allow list does not contain this destination")
        if request.method not in ("GET", "POST"):
            return _denied("the method is neither GET nor POST")
        try:
            data = self._written(request, origin, authority=match[2], target=match[3])
        except NotForThere:
            return _denied("the API key may be sent only in the header `token`, to the origin of the base URL")
        if data is None:
            return _denied("the request has an invalid or reserved header")
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
        """Returns the request with the key, or `None` if a header is not permitted. Raises `NotForThere`."""
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
        failure = wit.Failed(wit.Failure.LATE, "the deadline passed")
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
                # The mask cannot find the key in an encoded body.
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
    """Returns the time at which an attempt to connect ends, by `time.monotonic`."""
    left = deadline.left()
    return time.monotonic() + min(CONNECT_SECONDS, max(left - CONNECT_MARGIN_SECONDS, left / 2))


def _denied(detail: str) -> wit.Failed:
    return wit.Failed(wit.Failure.DENIED, detail)


def _has_created_nothing(came: wit.Input) -> bool:
    """Returns true if the request is known to have created nothing. A 4xx status proves this, with two exceptions: a
    proxy can send 408, 460 and 499 in place of the service, and 409 can mean that this message exists."""
    if isinstance(came, wit.Failed):
        return came.failure is wit.Failure.NOT_REACHED
    return (
        isinstance(came, wit.HttpReply)
        and 400 <= came.status < 500
        and came.status not in (408, 409, 460, 499)
    )
