"""Tests kept, late and broken connections, and the error of each failure, in threads and in asyncio."""

import asyncio
import socket
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

import peers
from conftest import KEY, Service
from messaging_plugin import (
    CreatedMessage,
    NotSent,
    OutcomeUnknown,
    Plugin,
    Refused,
    Settings,
    Stage,
    Unavailable,
    connections,
    driver,
    http1,
    waits,
)
from messaging_plugin.deadline import Deadline
from messaging_plugin.origins import Origin

PHONE = "+34600111222"
Send = Callable[[Plugin], CreatedMessage]


@pytest.fixture(params=["threads", "asyncio"])
def send(request: pytest.FixtureRequest) -> Send:
    if request.param == "threads":
        return lambda plugin: plugin.send_message(PHONE, "hi")
    return lambda plugin: asyncio.run(plugin.asend_message(PHONE, "hi"))


def test_connection_is_shared_by_threads_and_loops(loaded: Plugin) -> None:
    with peers.peer(peers.answers_then(4, peers.until_closed)) as peer:
        with loaded.with_settings(Settings(peer.base_url, KEY)) as plugin:
            plugin.send_message(PHONE, "hi")
            asyncio.run(plugin.asend_message(PHONE, "hi"))
            thread = threading.Thread(target=plugin.send_message, args=(PHONE, "hi"))
            thread.start()
            thread.join()
            asyncio.run(plugin.asend_message(PHONE, "hi"))
        assert peer.finish() == 1


def test_closed_connection_gets_no_request(
    loaded: Plugin, send: Send
) -> None:
    closed = threading.Event()

    def close(connection: socket.socket) -> None:
        connection.close()
        closed.set()

    with peers.peer(peers.answers_then(1, close)) as peer:
        with loaded.with_settings(Settings(peer.base_url, KEY)) as plugin:
            for _ in range(3):
                assert send(plugin).id == "m"
                assert closed.wait(10)
                closed.clear()
        assert peer.finish() == 3


@pytest.mark.parametrize("last", [peers.reset_before_the_reply, peers.close_before_the_reply])
def test_kept_connection_that_breaks_leaves_outcome_unknown(
    loaded: Plugin, send: Send, last: peers.Script
) -> None:
    with peers.peer(peers.answers_then(1, last)) as peer:
        with loaded.with_settings(Settings(peer.base_url, KEY)) as plugin:
            send(plugin)
            with pytest.raises(OutcomeUnknown) as caught:
                send(plugin)
            assert caught.value.payload.stage is Stage.AWAITING_REPLY
        assert peer.finish() == 1


def test_unsolicited_data_is_not_a_reply(
    loaded: Plugin, send: Send
) -> None:
    said = threading.Event()

    def say(connection: socket.socket) -> None:
        connection.sendall(peers.CREATED)
        said.set()
        peers.until_closed(connection)

    with peers.peer(peers.answers_then(1, say)) as peer:
        with loaded.with_settings(Settings(peer.base_url, KEY)) as plugin:
            send(plugin)
            assert said.wait(10)
            send(plugin)
        assert peer.finish() == 2


@pytest.mark.parametrize(
    "head",
    [
        b"HTTP/1.0 201 Created\r\nContent-Length: 10\r\n\r\n",
        b"HTTP/1.1 201 Created\r\nContent-Length: 10\r\nConnection: close\r\n\r\n",
        b"HTTP/1.1 201 Created\r\nTransfer-Encoding: chunked\r\nContent-Length: 10\r\n\r\na\r\n",
    ],
)
def test_unusable_connection_is_closed(
    loaded: Plugin, send: Send, head: bytes
) -> None:
    def script(connection: socket.socket) -> None:
        peers.read_request(connection)
        rest = b"\r\n0\r\n\r\n" if b"chunked" in head else b""
        connection.sendall(head + b'{"id":"m"}' + rest)
        peers.until_closed(connection)

    with peers.peer(script) as peer:
        with loaded.with_settings(Settings(peer.base_url, KEY)) as plugin:
            assert [send(plugin).id, send(plugin).id] == ["m", "m"]
        assert peer.finish() == 2


def test_old_connection_is_not_used(
    loaded: Plugin, send: Send, monkeypatch: pytest.MonkeyPatch
) -> None:
    with peers.peer(peers.answers_then(1, peers.until_closed)) as peer:
        with loaded.with_settings(Settings(peer.base_url, KEY)) as plugin:
            send(plugin)
            monkeypatch.setattr(connections, "IDLE_SECONDS", 0)
            send(plugin)
        assert peer.finish() == 2


def test_body_that_drips_ends_with_deadline(loaded: Plugin, send: Send) -> None:
    def drip(connection: socket.socket) -> None:
        peers.read_request(connection)
        connection.sendall(b"HTTP/1.1 201 Created\r\nContent-Length: 100000\r\n\r\n")
        try:
            while True:
                connection.sendall(b"x")
                time.sleep(0.02)
        except OSError:
            pass

    with peers.peer(drip) as peer:
        plugin = loaded.with_settings(Settings(peer.base_url, KEY, deadline_ms=400))
        started = time.monotonic()
        with pytest.raises(OutcomeUnknown) as caught:
            send(plugin)
        assert 0.35 < time.monotonic() - started < 5
        assert peer.finish() == 1
    assert (caught.value.payload.stage, caught.value.payload.status) == (Stage.READING_REPLY, 201)


def test_head_that_floods_ends_before_deadline(loaded: Plugin, send: Send) -> None:
    def flood(connection: socket.socket) -> None:
        peers.read_request(connection)
        try:
            while True:
                connection.sendall(b"HTTP/1.1 103 Early Hints\r\nX: " + b"x" * 1000 + b"\r\n\r\n")
        except OSError:
            pass

    with peers.peer(flood) as peer:
        plugin = loaded.with_settings(Settings(peer.base_url, KEY, deadline_ms=60_000))
        started = time.monotonic()
        with pytest.raises(OutcomeUnknown):
            send(plugin)
        assert time.monotonic() - started < 10
        assert peer.finish() == 1


def test_body_over_cap_is_not_read_completely(loaded: Plugin, send: Send) -> None:
    sent = 0

    def flood(connection: socket.socket) -> None:
        nonlocal sent
        peers.read_request(connection)
        connection.sendall(b"HTTP/1.1 201 Created\r\n\r\n")
        try:
            while True:
                sent += connection.send(b"x" * 65536)
        except OSError:
            pass

    with peers.peer(flood) as peer:
        plugin = loaded.with_settings(Settings(peer.base_url, KEY, max_reply_bytes=1024))
        with pytest.raises(OutcomeUnknown, match="larger than"):
            send(plugin)
        assert peer.finish() == 1
    assert sent < 50_000_000  # the socket buffers hold less than this


def test_refusal_during_write_is_read(loaded: Plugin) -> None:
    """The service replies during the write, stops reading, and leaves the connection open."""
    gate = threading.Event()

    def refuse(connection: socket.socket) -> None:
        connection.recv(1000)
        connection.sendall(b"HTTP/1.1 413 Content Too Large\r\nContent-Length: 0\r\n\r\n")
        gate.wait()

    for asyncs in (False, True):
        gate.clear()
        with peers.peer(refuse) as peer:
            plugin = loaded.with_settings(Settings(peer.base_url, KEY, deadline_ms=20_000))
            text = "x" * 8_000_000
            with pytest.raises(Refused) as caught:
                if asyncs:
                    asyncio.run(plugin.asend_message(PHONE, text))
                else:
                    plugin.send_message(PHONE, text)
            gate.set()
            assert peer.finish() == 1
        assert caught.value.payload.status == 413
        assert not plugin._connections._idle, "a connection with an incomplete request was kept"


def full_backlog() -> tuple[socket.socket, list[socket.socket]]:
    """Returns a listener with a full accept queue, and the sockets in it. Further connections get no answer."""
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen(0)
    held = []
    for _ in range(4):
        one = socket.socket()
        one.setblocking(False)
        one.connect_ex(listener.getsockname())
        held.append(one)
    return listener, held


def test_unaccepted_connection_is_not_sent(loaded: Plugin, send: Send) -> None:
    listener, held = full_backlog()
    url = f"http://127.0.0.1:{listener.getsockname()[1]}"
    plugin = loaded.with_settings(Settings(url, KEY, deadline_ms=700, max_attempts=3))
    started = time.monotonic()
    with pytest.raises(NotSent, match="the connection was not accepted in time"):
        send(plugin)
    assert time.monotonic() - started < 5
    for one in [listener, *held]:
        one.close()


@pytest.mark.parametrize("host", ["name.invalid", "a" * 63 + "." + "b" * 63 + ".invalid"])
def test_unknown_name_is_not_sent(loaded: Plugin, send: Send, host: str) -> None:
    plugin = loaded.with_settings(Settings(f"https://{host}", KEY, max_attempts=1))
    with pytest.raises(NotSent, match="the name is not found"):
        send(plugin)


def test_send_with_silent_resolver_is_not_sent(
    loaded: Plugin, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate, plain = threading.Event(), socket.getaddrinfo

    def silent(*arguments: Any, **named: Any) -> Any:
        if "flags" not in named:
            gate.wait()
        return plain(*arguments, **named)

    monkeypatch.setattr(socket, "getaddrinfo", silent)
    plugin = loaded.with_settings(Settings("https://slow.example", KEY, deadline_ms=300, max_attempts=1))
    with pytest.raises(NotSent, match="looking the name up took too long"):
        plugin.send_message(PHONE, "hi")

    async def in_a_task() -> None:
        with pytest.raises(NotSent, match="looking the name up took too long"):
            await plugin.asend_message(PHONE, "hi")
        gate.set()  # ends the resolver's thread, because asyncio waits for its threads

    asyncio.run(in_a_task())


def test_silent_address_leaves_time_for_another() -> None:
    listener, held = full_backlog()
    address = listener.getsockname()
    usual = (socket.AF_INET, socket.SOCK_STREAM, 6, "")
    now = time.monotonic()
    steps = connections.Connections(None).connect(Origin("http", "a.example", 80), now + 90)
    assert isinstance(next(steps), waits.Lookup)
    shares = []
    wait = steps.send([(*usual, address)] * 3)
    with pytest.raises(connections.NotConnected):
        while True:
            assert isinstance(wait, waits.Ready) and wait.writing
            shares.append(round(wait.until - now))
            wait = steps.send(False)
    assert shares == [30, 45, 90]  # 90 s / 3, 90 s / 2 and 90 s / 1, because no time passes in this test
    for one in [listener, *held]:
        one.close()


def test_endless_reply_ends_at_deadline() -> None:
    near, far = socket.socketpair()
    with near, far:
        near.setblocking(False)
        connection = connections.Connection(Origin("http", "a.example", 80), near, None)
        steps = connection.exchange(http1.Request(b"request"), http1.Reply("POST", 1 << 40), Deadline.after(0.2))
        far.send(b"HTTP/1.1 201 Created\r\n\r\n")
        with pytest.raises(connections.Late):
            next(steps)
            while True:
                steps.send(True)
                far.send(b"x")


def test_ipv6_address_is_reached(loaded: Plugin, send: Send) -> None:
    try:
        listener = socket.create_server(("::1", 0), family=socket.AF_INET6)
    except OSError:
        pytest.skip("this system has no IPv6")

    def serve() -> None:
        with listener.accept()[0] as connection:
            heads.append(peers.read_request(connection))
            connection.sendall(peers.CREATED)

    heads: list[bytes] = []
    thread = threading.Thread(target=serve)
    thread.start()
    port = listener.getsockname()[1]
    assert send(loaded.with_settings(Settings(f"http://[::1]:{port}", KEY))).id == "m"
    thread.join()
    listener.close()
    assert f"host: [::1]:{port}\r\n".encode() in heads[0]


def test_proxy_variables_are_ignored(
    plugin: Plugin, send: Send, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    send(plugin)
    monkeypatch.undo()  # resets the proxies, because `ledger` would use them
    assert len(service.ledger()["messages"]) == 1


def test_unread_reply_does_not_delay_next(loaded: Plugin) -> None:
    """After a 503 whose body never arrives, the next attempt of a read starts at once."""
    gate = threading.Event()

    def script(connection: socket.socket) -> None:
        peers.read_request(connection)
        connection.sendall(b"HTTP/1.1 503 Unavailable\r\nContent-Length: 100\r\n\r\n")
        peers.until_closed(connection)

    with peers.peer(script) as peer:
        settings = Settings(peer.base_url, KEY, max_attempts=3, deadline_ms=20_000)
        with pytest.raises(Unavailable):
            loaded.with_settings(settings).list_templates()
        assert peer.finish() == 3
    gate.set()


def test_connecting_gets_less_time_than_call() -> None:
    for left in (0.01, 0.1, 1.0, 30.0, 600.0):
        now = time.monotonic()
        until = driver._connecting_until(Deadline.after(left)) - now
        assert 0 < until < left
        assert until <= driver.CONNECT_SECONDS + 0.1
