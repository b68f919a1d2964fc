"""Connections: names, TCP, TLS, and what exactly failed.

The difference between "could not connect" and "broke afterwards" is what the proof that nothing was sent
rests on: `NotConnected` is raised before any byte of a request is written, and by nothing else.
"""

import os
import socket
import ssl
import time
from collections import deque
from collections.abc import Sequence
from typing import Final

from . import http1
from .deadline import Deadline
from .origins import Origin
from .waits import Address, Lookup, Ready, Steps

IDLE_SECONDS: Final = 4.0
"""How long an unused connection is kept. Servers close theirs after 5 seconds and more: a request must
not meet a connection that is just being closed."""
MOST_IDLE: Final = 100
_CHUNK: Final = 64 * 1024


class NotConnected(Exception):
    """There is no connection. Nothing was sent, and nothing will be."""


class Broken(Exception):
    """A connection that was there failed."""


class Late(Exception):
    """The time was over, on a connection that was there."""


class Connection:
    """A connection of this process. Its socket never blocks."""

    def __init__(self, origin: Origin, link: socket.socket, tls: "_Tls | None") -> None:
        self.origin = origin
        self._socket = link
        self._tls = tls
        self._process = os.getpid()
        self._used = 0.0

    def close(self) -> None:
        self._socket.close()

    def rest(self) -> None:
        """Begins to be idle."""
        self._used = time.monotonic()

    def is_old(self) -> bool:
        return time.monotonic() - self._used > IDLE_SECONDS

    def is_usable(self) -> bool:
        """Whether a request can be put on it: it is new enough, of this process, and the server
        neither closed it nor said anything that nobody had asked for."""
        if self.is_old() or self._process != os.getpid():
            return False
        try:
            self._socket.recv(1, socket.MSG_PEEK)
        except BlockingIOError:
            return True
        except OSError:
            return False
        return False

    def exchange(self, request: http1.Request, reply: http1.Reply, deadline: Deadline) -> Steps[None]:
        """Writes a request and reads its reply. Raises `Broken` or `Late`; `reply` has what came
        until then. Raises `NotConnected` if the deadline passed before the first byte."""
        try:
            yield from self._exchange(request, reply, deadline)
        except http1.Malformed:
            raise Broken("the reply is not HTTP/1.1") from None
        finally:
            reply.keeps = reply.keeps and reply.whole

    def _exchange(self, request: http1.Request, reply: http1.Reply, deadline: Deadline) -> Steps[None]:
        link, tls = self._socket, self._tls
        left = memoryview(tls.write(request.data) if tls else request.data)
        until = time.monotonic() + deadline.left()
        is_begun = False
        while True:
            # The process, or its event loop, may have stood still since the connection was there.
            if not is_begun and not deadline.left():
                raise NotConnected("the deadline passed before the request was written")
            if left:
                try:
                    left = left[link.send(left) :]
                    is_begun = True
                except BlockingIOError:
                    pass
                except OSError:
                    # A refusal may have come all the same, and says more.
                    left = left[:0]
                    is_begun = reply.cut = True
            if time.monotonic() >= until:
                raise Late
            if not (yield Ready(link, True, bool(left), until)):
                raise Late
            try:
                data = link.recv(_CHUNK)
            except BlockingIOError:
                continue
            except OSError as error:
                raise Broken(_words(error)) from None
            if tls is None:
                if data:
                    reply.feed(data)
                else:
                    self._end(reply)
            else:
                for part in tls.read(data):
                    if part:
                        reply.feed(part)
                    else:
                        self._end(reply)
                left = memoryview(bytes(left) + tls.outgoing())
            if reply.over:
                # A request that was not read to its end is in the way of the next one.
                reply.keeps = reply.keeps and not left and not reply.cut
                return

    @staticmethod
    def _end(reply: http1.Reply) -> None:
        try:
            reply.end()
        except http1.Malformed:
            raise Broken("the connection ended") from None


class Connections:
    """Those that are kept for another request. For any threads, tasks and event loops."""

    def __init__(self, context: ssl.SSLContext | None) -> None:
        self._context = context
        # Its methods are atomic; the last one used is the next one taken.
        self._idle: deque[Connection] = deque()

    def keep(self, connection: Connection) -> None:
        connection.rest()
        self._idle.append(connection)
        try:
            while len(self._idle) > MOST_IDLE or self._idle[0].is_old():
                self._idle.popleft().close()
        except IndexError:
            pass  # Another thread took the last one.

    def kept(self, origin: Origin) -> Connection | None:
        """One to the origin that is not in use."""
        others: list[Connection] = []
        try:
            while True:
                connection = self._idle.pop()
                if connection.origin != origin:
                    others.append(connection)
                elif connection.is_usable():
                    return connection
                else:
                    connection.close()
        except IndexError:
            return None
        finally:
            self._idle.extend(reversed(others))

    def close(self) -> None:
        try:
            while True:
                self._idle.pop().close()
        except IndexError:
            pass

    def connect(self, origin: Origin, until: float) -> Steps[Connection]:
        """A new connection. Raises `NotConnected`."""
        host = origin.host.strip("[]")
        found: Sequence[Address] | OSError | None = yield Lookup(host, origin.port, until)
        if found is None:
            raise NotConnected("looking the name up took too long")
        if isinstance(found, OSError):
            raise NotConnected(f"the name is not found ({_words(found)})")
        failure = NotConnected("the name has no address")
        for index, address in enumerate(found):
            now = time.monotonic()
            # One that is silent leaves time for another.
            share = now + max(0.0, until - now) / (len(found) - index)
            try:
                link = yield from _tcp(address, share)
            except NotConnected as error:
                failure = error
                continue
            try:
                tls = None
                if origin.scheme == "https":
                    tls = _Tls(self._trusted(), host)
                    yield from tls.handshake(link, until)
                return Connection(origin, link, tls)
            except BaseException:
                link.close()
                raise
        raise failure

    def _trusted(self) -> ssl.SSLContext:
        if self._context is None:
            self._context = ssl.create_default_context()
            self._context.set_alpn_protocols(["http/1.1"])
        return self._context


def _tcp(address: Address, until: float) -> Steps[socket.socket]:
    family, kind, protocol, _, place = address
    try:
        link = socket.socket(family, kind, protocol)
    except OSError as error:
        raise NotConnected(_words(error)) from None
    try:
        link.setblocking(False)
        link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        try:
            link.connect(place)
        except BlockingIOError:
            if not (yield Ready(link, False, True, until)):
                raise NotConnected("nobody accepted the connection in time") from None
            number = link.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
            if number:
                raise NotConnected(os.strerror(number).lower()) from None
    except NotConnected:
        link.close()
        raise
    except OSError as error:
        link.close()
        raise NotConnected(_words(error)) from None
    except BaseException:
        link.close()
        raise
    return link


class _Tls:
    """TLS between a socket and what is said through it."""

    def __init__(self, context: ssl.SSLContext, host: str) -> None:
        self._in, self._out = ssl.MemoryBIO(), ssl.MemoryBIO()
        self._object = context.wrap_bio(self._in, self._out, server_hostname=host)

    def handshake(self, link: socket.socket, until: float) -> Steps[None]:
        """Raises `NotConnected`."""
        done = False
        while not done:
            failure = None
            try:
                self._object.do_handshake()
                done = True
            except ssl.SSLWantReadError:
                pass
            except ssl.SSLCertVerificationError as error:
                failure = f"its certificate is not accepted: {error.verify_message}"
            except ssl.SSLError as error:
                failure = f"the TLS handshake failed: {_reason(error)}"
            left = memoryview(self._out.read())
            try:
                while left:
                    try:
                        left = left[link.send(left) :]
                    except BlockingIOError:
                        if not (yield Ready(link, False, True, until)):
                            raise NotConnected("the TLS handshake took too long") from None
                if failure:
                    raise NotConnected(failure)
                if not done:
                    data = yield from self._handshake_bytes(link, until)
                    self._in.write(data) if data else self._in.write_eof()
            except OSError as error:
                reason = failure or f"the TLS handshake failed: {_words(error)}"
                raise NotConnected(reason) from None

    @staticmethod
    def _handshake_bytes(link: socket.socket, until: float) -> Steps[bytes]:
        while True:
            if time.monotonic() >= until or not (yield Ready(link, True, False, until)):
                raise NotConnected("the TLS handshake took too long")
            try:
                return link.recv(_CHUNK)
            except BlockingIOError:
                continue

    def write(self, data: bytes) -> bytes:
        """The bytes that say `data`. Raises `Broken`."""
        left = memoryview(data)
        try:
            while left:
                left = left[self._object.write(left) :]
        except ssl.SSLError as error:
            raise Broken(_words(error)) from None
        return self._out.read()

    def outgoing(self) -> bytes:
        """Bytes that TLS itself has to send."""
        return self._out.read()

    def read(self, data: bytes) -> list[bytes]:
        """Reads what the bytes of the socket say; `b""` is the end, where TLS says so. Raises `Broken`
        where it does not."""
        if data:
            self._in.write(data)
        else:
            self._in.write_eof()
        parts: list[bytes] = []
        try:
            while True:
                part = self._object.read(_CHUNK)
                parts.append(part)
                if not part:
                    return parts
        except ssl.SSLWantReadError:
            return parts
        except ssl.SSLZeroReturnError:
            return [*parts, b""]
        except ssl.SSLError as error:
            if parts:
                # Bytes that came before count; the failure is met again.
                return parts
            raise Broken(_words(error)) from None


def _words(error: OSError) -> str:
    """A word for a person, without a place in a program."""
    if isinstance(error, ssl.SSLEOFError):
        return "the connection ended, and TLS did not say so"
    if isinstance(error, ssl.SSLError):
        return f"TLS: {_reason(error)}"
    return (error.strerror or type(error).__name__).lower()


def _reason(error: ssl.SSLError) -> str:
    return (error.reason or "it ended").lower().replace("_", " ")
