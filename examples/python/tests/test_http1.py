"""Compares the parser of replies with h11."""

import h11
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from messaging_plugin import http1

Outcome = tuple[int | None, bytes, str]


def by_http1(data: bytes, cuts: list[int], method: str = "POST") -> Outcome:
    """Returns the status, the body, and the kind of end of a reply."""
    reply = http1.Reply(method, 1_000_000)
    ended = "broken"
    try:
        for part in pieces(data, cuts):
            reply.feed(part)
        if not reply.over:
            reply.end()
    except http1.Malformed:
        pass
    else:
        ended = "whole" if reply.whole else "too-large"
    return reply.status, bytes(reply.body), ended


def pieces(data: bytes, cuts: list[int]) -> list[bytes]:
    bounds = [0, *sorted({cut % (len(data) + 1) for cut in cuts}), len(data)]
    parts = [data[start:end] for start, end in zip(bounds, bounds[1:], strict=False)]
    return [part for part in parts if part]


def by_h11(data: bytes) -> Outcome:
    client = h11.Connection(h11.CLIENT, max_incomplete_event_size=http1.MOST_HEAD_BYTES)
    client.send(h11.Request(method="POST", target="/", headers=[("host", "a"), ("content-length", "0")]))
    client.send(h11.EndOfMessage())
    client.receive_data(data)
    client.receive_data(b"")
    status, body = None, b""
    try:
        while True:
            event = client.next_event()
            match event:
                case h11.InformationalResponse(status_code=101):
                    return 101, b"", "whole"
                case h11.Response():
                    status = event.status_code
                case h11.Data():
                    body += bytes(event.data)
                case h11.EndOfMessage():
                    return status, body, "whole"
                case h11.ConnectionClosed() | h11.PAUSED | h11.NEED_DATA:
                    return status, body, "broken"
    except h11.RemoteProtocolError:
        return status, body, "broken"


@pytest.mark.parametrize("value", [b"\t" * 200_000 + b"\x01", b"x" + b" \t" * 100_000 + b"\x01"])
def test_header_of_white_space_is_malformed(value: bytes) -> None:
    assert by_http1(b"HTTP/1.1 200 OK\r\nx: " + value + b"\r\n\r\n", [])[2] == "broken"


STATUS = st.sampled_from([b"200", b"201", b"204", b"304", b"404", b"500", b"99", b"20"])
BODY = st.binary(max_size=20)


@st.composite
def replies(draw: st.DrawFn) -> bytes:
    """Generates valid and almost valid replies."""
    parts = []
    for _ in range(draw(st.integers(0, 2))):
        parts.append(b"HTTP/1.1 %d Early\r\nX: y\r\n\r\n" % draw(st.sampled_from([100, 102, 103])))
    body = draw(BODY)
    lines = [b"HTTP/1.%d %s Reason" % (draw(st.integers(0, 1)), draw(STATUS))]
    match draw(st.integers(0, 4)):
        case 0:
            lines.append(b"Content-Length: %d" % (len(body) + draw(st.sampled_from([0, 0, 0, 1, -1]))))
        case 1:
            lines.append(b"Transfer-Encoding: chunked")
            middle = draw(st.integers(0, len(body)))
            chunks = [b"%x\r\n%s\r\n" % (len(part), part) for part in (body[:middle], body[middle:]) if part]
            trailer = draw(st.sampled_from([b"", b"X-T: 1\r\n"]))
            body = b"".join(chunks) + b"0\r\n" + trailer + b"\r\n"
        case 2:
            lines += [b"Content-Length: %d" % len(body)] * 2
        case 3:
            lines += [b"Content-Length: %d" % len(body), b"Content-Length: 7"]
    lines += draw(st.lists(st.sampled_from([b"X-A: b", b"x-c:", b"Date:  now ", b"Bad Name: x", b"no colon"]), max_size=2))
    data = b"".join(parts) + b"\r\n".join([*lines, b"", b""]) + body
    cut = draw(st.integers(0, len(data)))
    return data[: max(cut, draw(st.sampled_from([0, len(data)])))]


@settings(max_examples=1000, deadline=None)
@given(replies(), st.lists(st.integers(0, 300), max_size=6))
@example(b"", [])
@example(b"HTTP/1.1 200 OK\n\nabc", [])
def test_replies_are_read_as_by_h11(data: bytes, cuts: list[int]) -> None:
    own = by_http1(data, cuts)
    assert own == by_http1(data, list(range(len(data))))
    other = by_h11(data)
    # Only the status of a broken reply is compared, because the parsers can return different parts of a broken reply.
    if own[2] == "whole" or other[2] == "whole":
        assert own == other
    else:
        assert own[0] == other[0]


@pytest.mark.parametrize(
    "data",
    [
        b"HTTP/2 200 OK\r\n\r\n",
        b"HTTP/1.1 2000 OK\r\n\r\n",
        b"SSH-2.0-OpenSSH\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: +3\r\n\r\nabc",
        b"HTTP/1.1 200 OK\r\nContent-Length: 0x3\r\n\r\nabc",
        b"HTTP/1.1 200 OK\r\nContent-Length: \r\n\r\nabc",
        b"HTTP/1.1 200 OK\r\nContent-Length : 3\r\n\r\nabc",
        b"HTTP/1.1 200 OK\r\nA: b\r\n c\r\nContent-Length: 3\r\n\r\nabc",
        b"HTTP/1.1 200 OK\r\nA: b\0\r\nContent-Length: 3\r\n\r\nabc",
        b"HTTP/1.1 200 OK\r\nX: " + b"x" * http1.MOST_HEAD_BYTES + b"\r\n\r\n",
    ],
)
def test_malformed_head_has_no_status(data: bytes) -> None:
    assert by_http1(data, []) == by_http1(data, [3, 17, 30]) == (None, b"", "broken")


@pytest.mark.parametrize(
    "rest",
    [
        b"Transfer-Encoding: chunked\r\n\r\nz\r\n",
        b"Transfer-Encoding: chunked\r\n\r\n3\r\nabcd\r\n0\r\n\r\n",
        b"Transfer-Encoding: chunked\r\n\r\n3\r\nabcXX0\r\n\r\n",
        b"Transfer-Encoding: chunked\r\n\r\n-1\r\n",
        b"Transfer-Encoding: chunked\r\n\r\n" + b"1" * 16 + b"\r\n",
        b"Transfer-Encoding: chunked\r\n\r\n0" + b";" * 10_000 + b"\r\n\r\n",
        b"Transfer-Encoding: chunked\r\n\r\n0\r\n",
        b"Transfer-Encoding: chunked, gzip\r\n\r\nabc",
        b"Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
        b"Content-Length: 4\r\n\r\nabc",
    ],
)
def test_incomplete_body_keeps_its_status(rest: bytes) -> None:
    status, _, ended = by_http1(b"HTTP/1.1 201 Created\r\n" + rest, [])
    assert (status, ended) == (201, "broken")


def test_size_limit_applies_while_body_arrives() -> None:
    reply = http1.Reply("POST", 5)
    reply.feed(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n12345")
    assert reply.whole and reply.keeps
    reply = http1.Reply("POST", 5)
    reply.feed(b"HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n123456")
    assert reply.too_large and reply.over and not reply.whole and not reply.keeps


def test_unread_reply_body_ends_connection() -> None:
    reply = http1.Reply("GET", 5)
    reply.feed(b"HTTP/1.1 503 Unavailable\r\nContent-Length: 3\r\n\r\n")
    assert reply.whole and not reply.keeps


def test_bytes_after_reply_end_connection() -> None:
    reply = http1.Reply("POST", 5)
    reply.feed(b"HTTP/1.1 204 None\r\n\r\nHTTP/1.1 200 OK\r\n\r\n")
    assert reply.whole and not reply.keeps
