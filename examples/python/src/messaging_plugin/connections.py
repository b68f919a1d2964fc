"""Connections: name lookup, TCP, TLS, and the exact stage of a failure.

`NotConnected` is raised only before the first byte of a request is written. It is therefore proof that nothing was
sent.
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
"""Maximum idle time of a kept connection. Servers close idle connections after 5 s or more, and a request must not
use a connection that is closing."""
MOST_IDLE: Final = 100
_CHUNK: Final = 64 * 1024


class NotConnected(Exception):
    """The request was not sent and will not be sent: there is no connection, or the deadline passed."""


class Broken(Exception):
    """An open connection failed."""


class Late(Exception):
    """The deadline of a request on an open connection has passed."""


class Connection:
    """A connection of this process. Its socket is non-blocking."""

    def __init__(self, origin: Origin, link: socket.socket, tls: "_Tls | None") -> None:
        self.origin = origin
        self._socket = link
        self._tls = tls
        self._process = os.getpid()
        self._used = 0.0

    def close(self) -> None:
        self._socket.close()

    def rest(self) -> None:
        """Starts the idle time."""
        self._used = time.monotonic()

    def is_old(self) -> bool:
        return time.monotonic() - self._used > IDLE_SECONDS

    def is_usable(self) -> bool:
        """Returns true if a request can use the connection: the connection is not too old and belongs to this
        process, and the server has neither closed it nor sent unrequested data."""
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
        """Writes a request and reads its reply. Raises `Broken` or `Late`; `reply` then holds the data that
        arrived. Raises `NotConnected` if the deadline passed before the first byte."""
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
            # The process or its event loop may have stopped since the connection was opened.
            if not is_begun and not deadline.left():
                raise NotConnected("the deadline passed before the request was written")
            if left:
                try:
                    left = left[link.send(left) :]
                    is_begun = True
                except BlockingIOError:
                    pass
                except OSError:
                    # The server may have replied before it closed the connection, and its reply says more than the
                    # error.
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
                # After an incomplete request, the connection is not kept: the rest of the request would precede the
                # next request.
                reply.keeps = reply.keeps and not left and not reply.cut
                return

    @staticmethod
    def _end(reply: http1.Reply) -> None:
        try:
            reply.end()
        except http1.Malformed:
            raise Broken("the connection ended") from None


class Connections:
    """Idle connections for further requests. Threads, tasks and event loops can share them."""

    def __init__(self, context: ssl.SSLContext | None) -> None:
        self._context = context
        # The methods of `deque` are atomic. The most recently used connection is taken first.
        self._idle: deque[Connection] = deque()

    def keep(self, connection: Connection) -> None:
        connection.rest()
        self._idle.append(connection)
        try:
            while len(self._idle) > MOST_IDLE or self._idle[0].is_old():
                self._idle.popleft().close()
        except IndexError:
            pass  # Another thread took the last connection.

    def kept(self, origin: Origin) -> Connection | None:
        """Returns a usable idle connection to the origin, or `None`."""
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
        """Opens a connection. Raises `NotConnected`."""
        host = origin.host.strip("[]")
        found: Sequence[Address] | OSError | None = yield Lookup(host, origin.port, until)
        if found is None:
            raise NotConnected("looking the name up took too long")
        if isinstance(found, OSError):
            raise NotConnected(f"the name is not found ({_words(found)})")
        failure = NotConnected("the name has no address")
        for index, address in enumerate(found):
            now = time.monotonic()
            # Divides the remaining time, so that a silent address leaves time for the next address.
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
    family, kind, protocol, _, target = address
    try:
        link = socket.socket(family, kind, protocol)
    except OSError as error:
        raise NotConnected(_words(error)) from None
    try:
        link.setblocking(False)
        link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        try:
            link.connect(target)
        except BlockingIOError:
            if not (yield Ready(link, False, True, until)):
                raise NotConnected("the connection was not accepted in time") from None
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
    """The TLS state of a connection. Encrypts and decrypts the data of a socket."""

    def __init__(self, context: ssl.SSLContext, host: str) -> None:
        self._in, self._out = ssl.MemoryBIO(), ssl.MemoryBIO()
        self._object = context.wrap_bio(self._in, self._out, server_hostname=host)

    def handshake(self, link: socket.socket, until: float) -> Steps[None]:
        """Performs the handshake. Raises `NotConnected`."""
        done = False
        while not done:
            failure = None
            try:
                self._object.do_handshake()
                done = True
            except ssl.SSLWantReadError:
                pass
            except ssl.SSLCertVerificationError as error:
                failure = f"the server's certificate is not accepted: {error.verify_message}"
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
        """Returns `data` encrypted. Raises `Broken`."""
        left = memoryview(data)
        try:
            while left:
                left = left[self._object.write(left) :]
        except ssl.SSLError as error:
            raise Broken(_words(error)) from None
        return self._out.read()

    def outgoing(self) -> bytes:
        """Returns bytes that TLS itself must send."""
        return self._out.read()

    def read(self, data: bytes) -> list[bytes]:
        """Decrypts bytes of the socket. Returns `b""` as the last part after a TLS close. Raises `Broken` if the
        connection ends without a TLS close."""
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
                # Returns the data that arrived before the failure. The next read reports the failure.
                return parts
            raise Broken(_words(error)) from None


def _words(error: OSError) -> str:
    """Returns a description of the error for the caller."""
    if isinstance(error, ssl.SSLEOFError):
        return "the connection ended without a TLS close"
    if isinstance(error, ssl.SSLError):
        return f"TLS: {_reason(error)}"
    return (error.strerror or type(error).__name__).lower()


def _reason(error: ssl.SSLError) -> str:
    return (error.reason or "it ended").lower().replace("_", " ")
