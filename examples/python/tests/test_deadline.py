"""Tests that no byte of a request is sent after the deadline of the call, even if the process or its event loop stops,
or a clock jumps."""

import asyncio
import contextlib
import signal
import socket
import ssl
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import trustme

import peers
from conftest import KEY
from messaging_plugin import CreatedMessage, MessagingError, NotSent, Plugin, Settings, deadline
from messaging_plugin.connections import Connection, Connections
from messaging_plugin.once import HttpJournal, JournalFailure, Once
from messaging_plugin.waits import Steps
from test_once import InMemory

PHONE = "+34600111222"
DEADLINE = 0.4
Send = Callable[[Plugin], CreatedMessage]


@pytest.fixture(params=["threads", "asyncio"])
def send(request: pytest.FixtureRequest) -> Send:
    if request.param == "threads":
        return lambda plugin: plugin.send_message(PHONE, "hi")
    return lambda plugin: asyncio.run(plugin.asend_message(PHONE, "hi"))


@pytest.fixture
def arrivals() -> list[float]:
    """Returns the list of times at which requests arrived."""
    return []


@pytest.fixture
def service(arrivals: list[float]) -> Iterator[peers.Peer]:
    def script(connection: socket.socket) -> None:
        while connection.recv(1, socket.MSG_PEEK):
            arrivals.append(time.monotonic())
            peers.read_request(connection)
            connection.sendall(peers.CREATED)

    with peers.peer(script) as running:
        yield running


class Clock:
    """The module `time` with clocks that can jump."""

    def __init__(self) -> None:
        self.jumps = {"monotonic": 0.0, "time": 0.0}

    def monotonic(self) -> float:
        return time.monotonic() + self.jumps["monotonic"]

    def time(self) -> float:
        return time.time() + self.jumps["time"]


@pytest.fixture(params=["monotonic", "time"])
def slow_connection(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets a minute pass on one clock while a connection is opened."""
    clocks, connect = Clock(), Connections.connect
    monkeypatch.setattr(deadline, "time", clocks)

    def connect_slowly(self: Connections, *given: Any) -> Steps[Connection]:
        connection = yield from connect(self, *given)
        clocks.jumps[request.param] = 60.0
        return connection

    monkeypatch.setattr(Connections, "connect", connect_slowly)


@pytest.mark.usefixtures("slow_connection")
def test_deadline_passed_while_connecting_sends_nothing(
    loaded: Plugin, service: peers.Peer, arrivals: list[float], send: Send
) -> None:
    with loaded.with_settings(Settings(service.base_url, KEY, deadline_ms=10_000)) as plugin:
        with pytest.raises(NotSent, match="the deadline passed before the request was written"):
            send(plugin)
    assert arrivals == []


@pytest.mark.usefixtures("slow_connection")
def test_late_http_journal_request_is_not_sent(service: peers.Peer, arrivals: list[float]) -> None:
    with pytest.raises(JournalFailure, match="the deadline passed before the request was written"):
        HttpJournal(service.base_url, "token").swap("k", None, "x")
    assert arrivals == []


@pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="this system has no SIGSTOP")
@pytest.mark.parametrize("call", ["plugin.send_message", "asyncio.run(plugin.asend_message"])
def test_process_stopped_past_deadline_sends_nothing(tmp_path: Path, call: str) -> None:
    authority = trustme.CA()
    authority.cert_pem.write_to_path(tmp_path / "ca.pem")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("localhost").configure_cert(context)
    received: list[bytes] = []

    def stopping(connection: socket.socket) -> None:
        # Stops the process during the handshake. The rest of the handshake waits in the process's socket.
        connection.recv(1, socket.MSG_PEEK)
        child.send_signal(signal.SIGSTOP)
        resume = threading.Timer(2 * DEADLINE, child.send_signal, [signal.SIGCONT])
        resume.start()
        try:
            with context.wrap_socket(connection, server_side=True) as secure:
                received.append(secure.recv(1))
        except OSError:
            received.append(b"")
        resume.join()

    program = f"""if True:
        import asyncio, ssl
        from messaging_plugin import MessagingError, Plugin, Settings
        context = ssl.create_default_context(cafile={str(tmp_path / "ca.pem")!r})
        settings = Settings(input(), "key", deadline_ms={int(DEADLINE * 1000)}, max_attempts=1)
        plugin = Plugin(settings, tls=context)
        try:
            print({call}("{PHONE}", "hi"){")" * call.count("(")})
        except MessagingError as error:
            print(error.case)"""
    with (
        subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as child,
        peers.peer(stopping) as running,
    ):
        url = running.base_url.replace("http://127.0.0.1", "https://localhost")
        assert child.communicate(f"{url}\n")[0] == "not-sent\n"
    assert received == [b""]


@pytest.mark.parametrize("turn", range(1, 8))
@pytest.mark.parametrize("is_kept", [False, True])
def test_busy_event_loop_sends_nothing_late(
    loaded: Plugin, service: peers.Peer, arrivals: list[float], turn: int, is_kept: bool
) -> None:
    async def call(plugin: Plugin) -> float:
        is_warm = not is_kept
        while not is_warm:  # repeats, because a call on a busy machine can exceed the deadline
            with contextlib.suppress(MessagingError):
                is_warm = bool(await plugin.asend_message(PHONE, "hi"))
        arrivals.clear()
        began = time.monotonic()
        sending = asyncio.create_task(plugin.asend_message(PHONE, "hi"))
        for _ in range(turn):
            await asyncio.sleep(0)
        time.sleep(2 * DEADLINE)
        await asyncio.gather(sending, return_exceptions=True)
        is_not_sent = isinstance(sending.exception(), NotSent)
        assert is_not_sent or arrivals
        return began

    settings = Settings(service.base_url, KEY, deadline_ms=int(DEADLINE * 1000), max_attempts=1)
    with loaded.with_settings(settings) as plugin:
        began = asyncio.run(call(plugin))
    assert [at for at in arrivals if at > began + 1.5 * DEADLINE] == []


@pytest.mark.parametrize("in_tasks", [False, True])
def test_late_send_is_not_sent_after_deadline(
    loaded: Plugin, service: peers.Peer, arrivals: list[float], monkeypatch: pytest.MonkeyPatch, in_tasks: bool
) -> None:
    sending = Plugin.sending

    def send_slowly(self: Plugin, *given: Any) -> Steps[CreatedMessage]:
        time.sleep(2 * DEADLINE)
        return sending(self, *given)

    settings = Settings(service.base_url, KEY, deadline_ms=int(DEADLINE * 1000))
    with loaded.with_settings(settings) as plugin:
        journal = InMemory()
        once = Once(plugin, journal)
        monkeypatch.setattr(Plugin, "sending", send_slowly)
        with pytest.raises(NotSent):
            if in_tasks:
                asyncio.run(once.asend_once("k", PHONE, "hi"))
            else:
                once.send_once("k", PHONE, "hi")
        assert arrivals == []
        monkeypatch.undo()
        patient = loaded.with_settings(Settings(service.base_url, KEY))
        assert not Once(patient, journal).send_once("k", PHONE, "hi").replayed
        patient.close()
