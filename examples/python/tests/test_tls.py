"""Tests TLS: trusted authorities, and the error of each failure."""

import asyncio
import socket
import ssl
import threading
from collections.abc import Callable

import pytest
import trustme

import peers
from conftest import KEY
from messaging_plugin import CreatedMessage, NotSent, OutcomeUnknown, Plugin, Settings, Variables
from messaging_plugin.once import HttpJournal, JournalFailure

PHONE = "+34600111222"
Send = Callable[[Plugin], CreatedMessage]


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    return trustme.CA()


@pytest.fixture(scope="module")
def trusting(authority: trustme.CA) -> Plugin:
    context = ssl.create_default_context()
    authority.configure_trust(context)
    return Plugin(Settings("https://127.0.0.1:9", KEY), tls=context)


@pytest.fixture(params=["threads", "asyncio"])
def send(request: pytest.FixtureRequest) -> Send:
    if request.param == "threads":
        return lambda plugin: plugin.send_message(PHONE, "hi")
    return lambda plugin: asyncio.run(plugin.asend_message(PHONE, "hi"))


def server(authority: trustme.CA, name: str = "localhost") -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert(name).configure_cert(context)
    return context


def over(context: ssl.SSLContext, script: peers.Script) -> peers.Script:
    """Returns the script wrapped in TLS."""

    def wrapped(connection: socket.socket) -> None:
        try:
            with context.wrap_socket(connection, server_side=True) as secure:
                script(secure)
        except OSError:
            pass  # The client rejected the handshake.

    return wrapped


def secure_url(peer: peers.Peer) -> str:
    return peer.base_url.replace("http://127.0.0.1", "https://localhost")


def attempts(peer: peers.Peer, plugin: Plugin, send: Send, attempts: int = 1) -> CreatedMessage:
    settings = Settings(secure_url(peer), KEY, max_attempts=attempts, deadline_ms=3000)
    return send(plugin.with_settings(settings))


def test_trusted_service_uses_kept_connection(
    authority: trustme.CA, trusting: Plugin, send: Send
) -> None:
    heads: list[bytes] = []

    def script(connection: socket.socket) -> None:
        for _ in range(2):
            heads.append(peers.read_request(connection))
            connection.sendall(peers.CREATED)
        peers.until_closed(connection)

    with peers.peer(over(server(authority), script)) as peer:
        with trusting.with_settings(Settings(secure_url(peer), KEY)) as plugin:
            assert [send(plugin).id, send(plugin).id] == ["m", "m"]
        assert peer.finish() == 1
    assert all(f"token: {KEY}\r\n".encode() in head for head in heads)


def test_untrusted_certificate_is_not_sent(
    authority: trustme.CA, trusting: Plugin, loaded: Plugin, send: Send
) -> None:
    seen: list[bytes] = []

    def script(connection: socket.socket) -> None:
        seen.append(connection.recv(1))

    for plugin, context, reason in [
        (loaded, server(authority), "certificate is not accepted"),
        (trusting, server(authority, "other.example"), "certificate is not accepted: hostname"),
        (trusting, server(trustme.CA()), "certificate is not accepted"),
    ]:
        with peers.peer(over(context, script)) as peer:
            with pytest.raises(NotSent, match=f"(?i){reason}"):
                attempts(peer, plugin, send)
            assert peer.finish() == 1
    assert b"".join(seen) == b""


def test_http_journal_trusts_private_authority(authority: trustme.CA) -> None:
    context = ssl.create_default_context()
    authority.configure_trust(context)
    with peers.peer(over(server(authority), peers.answer("200 OK", b'{"text":"x"}'))) as peer:
        assert HttpJournal(secure_url(peer), "token", tls=context).get("k") == "x"
        with pytest.raises(JournalFailure, match="certificate is not accepted"):
            HttpJournal(secure_url(peer), "token").get("k")


def test_handshake_that_fails_is_not_sent(trusting: Plugin, send: Send) -> None:
    gate = threading.Event()

    def no_tls(connection: socket.socket) -> None:
        connection.recv(1000)
        connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")

    def hung_up(connection: socket.socket) -> None:
        connection.recv(1000)

    def reset(connection: socket.socket) -> None:
        connection.recv(1)
        peers.reset(connection)

    def silent(connection: socket.socket) -> None:
        gate.wait()

    for script in (no_tls, hung_up, reset, silent):
        with peers.peer(script) as peer:
            settings = Settings(secure_url(peer), KEY, max_attempts=1, deadline_ms=700)
            with pytest.raises(NotSent, match="TLS handshake"):
                send(trusting.with_settings(settings))
            gate.set()
            assert peer.finish() == 1


def cut(connection: socket.socket) -> None:
    """Closes the TCP connection without a TLS close."""
    assert isinstance(connection, ssl.SSLSocket)
    socket.socket(fileno=connection.detach()).close()


@pytest.mark.parametrize(
    ("reply", "created"),
    [
        (b'HTTP/1.1 201 Created\r\nContent-Length: 10\r\n\r\n{"id":"m"}', True),
        (b'HTTP/1.1 201 Created\r\n\r\n{"id":"m"}', False),
        (b"HTTP/1.1 201 Cre", False),
        (b"", False),
    ],
)
def test_truncated_tls_stream_is_broken(
    authority: trustme.CA, trusting: Plugin, send: Send, reply: bytes, created: bool
) -> None:
    def script(connection: socket.socket) -> None:
        peers.read_request(connection)
        connection.sendall(reply)
        cut(connection)

    with peers.peer(over(server(authority), script)) as peer:
        if created:
            assert attempts(peer, trusting, send).id == "m"
        else:
            with pytest.raises(OutcomeUnknown):
                attempts(peer, trusting, send, attempts=3)
        assert peer.finish() == 1


def test_close_notify_ends_body(authority: trustme.CA, trusting: Plugin, send: Send) -> None:
    def script(connection: socket.socket) -> None:
        peers.read_request(connection)
        connection.sendall(b'HTTP/1.1 201 Created\r\n\r\n{"id":"m"}')
        assert isinstance(connection, ssl.SSLSocket)
        try:
            connection.unwrap()
        except OSError:
            pass  # The client does not wait for the TLS close.

    with peers.peer(over(server(authority), script)) as peer:
        assert attempts(peer, trusting, send).id == "m"
        assert peer.finish() == 1


def test_late_client_certificate_request_is_no_proof(
    authority: trustme.CA, trusting: Plugin, send: Send
) -> None:
    """The server requires a client certificate. In TLS 1.3, the server's alert arrives after the client's handshake, and
    therefore after the request."""
    context = server(authority)
    context.verify_mode = ssl.CERT_REQUIRED
    authority.configure_trust(context)
    with peers.peer(over(context, peers.until_closed)) as peer:
        with pytest.raises(OutcomeUnknown):
            attempts(peer, trusting, send, attempts=3)
        assert peer.finish() == 1


def test_large_messages_and_replies_pass(authority: trustme.CA, trusting: Plugin, send: Send) -> None:
    lengths: list[int] = []
    body = b'{"id":"m","rest":"' + b"x" * 500_000 + b'"}'

    def script(connection: socket.socket) -> None:
        lengths.append(len(peers.read_request(connection)))
        head = f"HTTP/1.1 201 Created\r\nContent-Length: {len(body)}\r\n\r\n"
        connection.sendall(head.encode() + body)

    with peers.peer(over(server(authority), script)) as peer:
        plugin = trusting.with_settings(Settings(secure_url(peer), KEY))
        created = plugin.send_message(PHONE, "x" * 3_000_000)
        assert created.json == body.decode()
        assert asyncio.run(plugin.asend_message(PHONE, "x" * 3_000_000)).json == body.decode()
        assert peer.finish() == 2
    assert min(lengths) > 3_000_000


def test_tls_context_without_checks_is_rejected() -> None:
    context = ssl.create_default_context()
    context.check_hostname = False
    with pytest.raises(ValueError, match="checks no certificates"):
        Plugin(Variables({}), tls=context)
    context.verify_mode = ssl.CERT_NONE
    with pytest.raises(ValueError, match="checks no certificates"):
        Plugin(Variables({}), tls=context)
