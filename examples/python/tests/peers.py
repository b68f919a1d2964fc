"""Services on raw sockets that break connections."""

import socket
import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Script = Callable[[socket.socket], None]


class Peer:
    """Runs `script` on each connection, and counts the connections."""

    def __init__(self, script: Script) -> None:
        self.connections = 0
        self._script = script
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.address: tuple[str, int] = self._listener.getsockname()
        self.base_url = f"http://127.0.0.1:{self.address[1]}"
        self._thread = threading.Thread(target=self._serve)
        self._thread.start()
        self._last: tuple[str, int] | None = None

    def _serve(self) -> None:
        while True:
            connection, client = self._listener.accept()
            with connection:
                if client == self._last:
                    return
                self.connections += 1
                try:
                    self._script(connection)
                except OSError:
                    pass  # The client closed the connection.

    def finish(self) -> int:
        """Waits until every connection is served. Returns the number of connections."""
        with socket.socket() as last:
            last.bind(("127.0.0.1", 0))
            self._last = last.getsockname()
            last.connect(self.address)
            self._thread.join()
        self._listener.close()
        return self.connections


@contextmanager
def peer(script: Script) -> Iterator[Peer]:
    running = Peer(script)
    try:
        yield running
    finally:
        if running._thread.is_alive():
            running.finish()


def read_request(connection: socket.socket) -> bytes:
    """Reads a complete request with a Content-Length."""
    text = b""
    while b"\r\n\r\n" not in text:
        text += connection.recv(65536)
    head, _, body = text.partition(b"\r\n\r\n")
    fields = dict(line.lower().split(b": ", 1) for line in head.split(b"\r\n")[1:])
    missing = int(fields.get(b"content-length", b"0")) - len(body)
    while missing > 0:
        part = connection.recv(65536)
        missing -= len(part)
        text += part
    return text


def reset(connection: socket.socket) -> None:
    """Closes the connection with RST."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()


def reset_in_the_middle_of_the_request(connection: socket.socket) -> None:
    connection.recv(1)
    reset(connection)


def reset_before_the_reply(connection: socket.socket) -> None:
    read_request(connection)
    reset(connection)


def close_before_the_reply(connection: socket.socket) -> None:
    read_request(connection)


def close_in_the_middle_of_the_head(connection: socket.socket) -> None:
    read_request(connection)
    connection.sendall(b"HTTP/1.1 201 Created\r\nContent-Le")


def close_in_the_middle_of_the_body(connection: socket.socket) -> None:
    read_request(connection)
    connection.sendall(b'HTTP/1.1 201 Created\r\nContent-Length: 20\r\n\r\n{"id":"m')


def close_in_the_middle_of_a_chunk(connection: socket.socket) -> None:
    read_request(connection)
    connection.sendall(b'HTTP/1.1 201 Created\r\nTransfer-Encoding: chunked\r\n\r\n14\r\n{"id":')


def answer(status: str, body: bytes, headers: str = "") -> Script:
    """Returns a script that sends a complete reply and closes the connection."""

    def script(connection: socket.socket) -> None:
        read_request(connection)
        head = f"HTTP/1.1 {status}\r\nContent-Length: {len(body)}\r\nConnection: close\r\n{headers}\r\n"
        connection.sendall(head.encode() + body)

    return script


def silence_until(gate: threading.Event) -> Script:
    def script(connection: socket.socket) -> None:
        read_request(connection)
        gate.wait()

    return script


CREATED = b'HTTP/1.1 201 Created\r\nContent-Length: 10\r\n\r\n{"id":"m"}'


def answers_then(times: int, then: Script) -> Script:
    """Returns a script that answers `times` requests on a kept connection, then runs `then` on this connection."""

    def script(connection: socket.socket) -> None:
        for _ in range(times):
            read_request(connection)
            connection.sendall(CREATED)
        then(connection)

    return script


def until_closed(connection: socket.socket) -> None:
    try:
        while connection.recv(65536):
            pass
    except OSError:
        pass
