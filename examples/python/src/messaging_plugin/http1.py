"""HTTP/1.1 (RFC 9112) without connections: encodes a request and parses one reply.

The parser is strict, because a lenient parser could accept a truncated reply. An ambiguous reply is `Malformed`,
and its connection is not used again.

h11 0.16, with which the tests compare it, takes 80 us instead of 14 for a short reply. It takes quadratic time for a
header of white space: 1.6 s for 16,000 tabs and a zero byte, measured on 2026-12-01.
"""

import re
from collections.abc import Iterable

MOST_HEAD_BYTES = 256 * 1024
"""Maximum size of the status line and headers, including interim replies and trailers."""
_MOST_LINE_BYTES = 8 * 1024
"""Maximum size of the line before a chunk."""

_STATUS = re.compile(rb"HTTP/1\.([01]) ([0-9]{3})(?: [^\r\n\0]*)?")
_FIELD = re.compile(rb"([!#$%&'*+\-.^_`|~0-9A-Za-z]+):([^\0-\x08\x0a-\x1f\x7f]*)")
_CHUNK = re.compile(rb"([0-9A-Fa-f]{1,15})[ \t]*(?:;[^\r\n\0]*)?")
_END_OF_HEAD = re.compile(rb"\r?\n\r?\n")


class Malformed(Exception):
    """The bytes are not a reply of HTTP/1.1."""


class Request:
    """The bytes of a request. They contain the API key, so `repr` does not show them. An error report with local
    variables therefore does not contain the key."""

    __slots__ = ("data",)

    def __init__(self, data: bytes) -> None:
        self.data = data


def request(
    method: str, target: str, authority: str, headers: Iterable[tuple[str, str]], body: bytes
) -> Request:
    """Returns a request. The caller has checked that no part contains a line break."""
    lines = [f"{method} {target} HTTP/1.1", f"host: {authority}"]
    lines += [f"{name}: {value}" for name, value in headers]
    if body or method == "POST":
        lines.append(f"content-length: {len(body)}")
    return Request("\r\n".join([*lines, "", ""]).encode("latin-1") + body)


class Reply:
    """Parses one reply. Call `feed` with its bytes, and `end` when the connection closes."""

    def __init__(self, method: str, most_bytes: int) -> None:
        self._method = method
        self.most_bytes = most_bytes
        self._buffer = bytearray()
        self._searched = 0
        self._head_bytes = 0
        self._next = self._head
        self._left = 0
        """Remaining bytes of the body or chunk."""
        self.status: int | None = None
        """`None` until the status line and headers are complete."""
        self.headers: list[tuple[bytes, bytes]] = []
        """Headers with names in lower case."""
        self.body = bytearray()
        self.whole = False
        """True if the body is complete."""
        self.too_large = False
        self.is_delimited = False
        """True if HTTP marks the end of the body, so that an early close is detectable."""
        self.keeps = False
        """True if another request may follow on the connection."""
        self.cut = False
        """True if the request could not be written completely."""

    @property
    def over(self) -> bool:
        """True if no more data is read."""
        return self.whole or self.too_large

    def feed(self, data: bytes) -> None:
        """Parses received bytes. Raises `Malformed`."""
        self._buffer += data
        while not self.over and self._next():
            pass
        if self.over and self._buffer:
            # The connection is not used again, because these bytes belong to no request.
            self.keeps = False

    def end(self) -> None:
        """Reports that the connection was closed. Raises `Malformed` if the reply is incomplete."""
        self.keeps = False
        if self._next == self._until_end:
            self.whole = True
        elif not self.over:
            raise Malformed

    def _head(self) -> bool:
        end = _END_OF_HEAD.search(self._buffer, self._searched)
        size = end.end() if end else len(self._buffer)
        if self._head_bytes + size > MOST_HEAD_BYTES:
            raise Malformed
        if end is None:
            self._searched = max(0, size - 3)
            if not b"HTTP/1.".startswith(bytes(self._buffer[:7])):
                raise Malformed
            return False
        lines = bytes(self._buffer[: end.start()]).split(b"\n")
        del self._buffer[:size]
        self._searched = 0
        self._head_bytes += size
        start = _STATUS.fullmatch(lines[0].removesuffix(b"\r"))
        if start is None:
            raise Malformed
        status = int(start[2])
        if 100 <= status < 200 and status != 101:
            return True  # An interim reply; the final reply follows.
        self.headers = [_field(line) for line in lines[1:]]
        self._frame(status, start[1] == b"1")
        return True

    def _frame(self, status: int, persists: bool) -> None:
        """Determines the end of the body (RFC 9112, section 6.3)."""
        codings = self._tokens(b"transfer-encoding")
        lengths = self._tokens(b"content-length")
        if lengths and (len(set(lengths)) > 1 or not re.fullmatch(b"[0-9]{1,15}", lengths[0])):
            raise Malformed
        self.status = status
        self.is_delimited = bool(codings or lengths)
        self.keeps = persists and b"close" not in self._tokens(b"connection")
        if status in (101, 204, 304):
            self.keeps = self.keeps and status != 101
            self.whole = True
        elif self._method == "GET" and status != 200 and not 400 <= status < 500:
            # The component does not need this body.
            self.keeps = False
            self.whole = True
        elif codings:
            if codings != [b"chunked"]:
                raise Malformed  # An unsupported coding.
            # With both headers, client and server could disagree about the end of the body, and a part of the body
            # could be read as the next reply.
            self.keeps = self.keeps and not lengths
            self._next = self._chunk
        elif lengths:
            self._left = int(lengths[0])
            self._next = self._counted
        else:
            self.keeps = False
            self._next = self._until_end

    def _tokens(self, name: bytes) -> list[bytes]:
        values = [value for held, value in self.headers if held == name]
        return [part.strip(b" \t").lower() for value in values for part in value.split(b",")]

    def _take(self, size: int) -> None:
        """Moves bytes from the buffer to the body."""
        self.body += self._buffer[:size]
        del self._buffer[:size]
        if len(self.body) > self.most_bytes:
            self.too_large = True
            self.keeps = False

    def _counted(self) -> bool:
        size = min(self._left, len(self._buffer))
        self._left -= size
        self._take(size)
        self.whole = self._left == 0 and not self.too_large
        return False

    def _until_end(self) -> bool:
        self._take(len(self._buffer))
        return False

    def _line(self, most: int) -> bytes | None:
        """Returns the next line, or `None` if the line is incomplete."""
        end = self._buffer.find(b"\r\n", self._searched)
        if (end if end >= 0 else len(self._buffer)) > most:
            raise Malformed
        if end < 0:
            self._searched = max(0, len(self._buffer) - 1)
            return None
        line = bytes(self._buffer[:end])
        del self._buffer[: end + 2]
        self._searched = 0
        return line

    def _chunk(self) -> bool:
        line = self._line(_MOST_LINE_BYTES)
        if line is None:
            return False
        match = _CHUNK.fullmatch(line)
        if match is None:
            raise Malformed
        self._left = int(match[1], 16)
        self._next = self._chunk_bytes if self._left else self._trailer
        return True

    def _chunk_bytes(self) -> bool:
        size = min(self._left, len(self._buffer))
        self._left -= size
        self._take(size)
        if self._left:
            return False
        self._next = self._chunk_end
        return True

    def _chunk_end(self) -> bool:
        if len(self._buffer) < 2:
            return False
        if self._buffer[:2] != b"\r\n":
            raise Malformed
        del self._buffer[:2]
        self._next = self._chunk
        return True

    def _trailer(self) -> bool:
        line = self._line(MOST_HEAD_BYTES - self._head_bytes)
        if line is None:
            return False
        self._head_bytes += len(line) + 2
        self.whole = not line
        return True


def _field(line: bytes) -> tuple[bytes, bytes]:
    match = _FIELD.fullmatch(line.removesuffix(b"\r"))
    if match is None:
        raise Malformed
    return match[1].lower(), match[2].strip(b" \t")
