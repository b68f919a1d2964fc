import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import peers
from conftest import KEY, Service
from messaging_plugin import Plugin, Settings, component

PHONE = "+34600111222"


@pytest.fixture
def restless() -> Iterator[None]:
    """Makes Python switch threads as often as possible."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def test_hundred_threads_create_each_message_once(
    plugin: Plugin, service: Service, restless: None
) -> None:
    together = threading.Barrier(100)

    def send(number: int) -> list[str]:
        together.wait()
        device = str(number) if number % 2 else None
        return [plugin.send_message(PHONE, f"{number} {turn}", device).id for turn in range(3)]

    with ThreadPoolExecutor(100) as threads:
        identifiers = sum(threads.map(send, range(100)), [])
    messages = service.ledger()["messages"]
    assert sorted(message["id"] for message in messages) == sorted(identifiers)
    expected = {(f"{n} {turn}", str(n) if n % 2 else None) for n in range(100) for turn in range(3)}
    assert {(message["message"], message.get("device")) for message in messages} == expected


def test_two_plugins_keep_their_allow_lists(
    loaded: Plugin, service: Service, restless: None
) -> None:
    open_one = loaded.with_settings(service.settings())
    closed_one = loaded.with_settings(service.settings(), allow=[])

    def send(number: int) -> str:
        plugin = open_one if number % 2 else closed_one
        try:
            return plugin.send_message(PHONE, "open" if number % 2 else "closed").id
        except Exception as error:
            return type(error).__name__

    with ThreadPoolExecutor(8) as threads:
        outcomes = list(threads.map(send, range(80)))
    assert outcomes.count("Denied") == 40
    assert {message["message"] for message in service.ledger()["messages"]} == {"open"}
    assert len(service.ledger()["messages"]) == 40


def test_closing_waits_for_calls_under_way(loaded: Plugin) -> None:
    gate = threading.Event()
    with peers.peer(peers.silence_until(gate)) as peer:
        plugin = loaded.with_settings(Settings(peer.base_url, KEY))
        outcomes: list[str] = []

        def send() -> None:
            with pytest.raises(Exception, match="permanent-outcome-unknown"):
                plugin.send_message(PHONE, "hi")
            outcomes.append("sent")

        sending = threading.Thread(target=send)
        sending.start()
        while peer.connections == 0:
            pass
        closing = threading.Thread(target=plugin.close)
        closing.start()
        while not plugin._calls._closed:
            pass
        with pytest.raises(RuntimeError, match="closed"):
            plugin.send_message(PHONE, "hi")
        assert closing.is_alive() and outcomes == []
        gate.set()
        closing.join()
        sending.join()
        assert outcomes == ["sent"]
        assert peer.finish() == 1


def test_with_closes_plugin_and_its_connections(loaded: Plugin, service: Service) -> None:
    with loaded.with_settings(service.settings()) as plugin:
        plugin.send_message(PHONE, "hi")
        (kept,) = plugin._connections._idle
    assert kept._socket.fileno() == -1
    with pytest.raises(RuntimeError, match="closed"):
        plugin.list_templates()


def test_collected_plugin_closes_its_connections(loaded: Plugin, service: Service) -> None:
    plugin = loaded.with_settings(service.settings())
    plugin.send_message(PHONE, "hi")
    (kept,) = plugin._connections._idle
    del plugin
    assert kept._socket.fileno() == -1


def test_interrupted_request_may_have_created_message(loaded: Plugin) -> None:
    gate = threading.Event()

    def interrupt(connection: socket.socket) -> None:
        peers.read_request(connection)
        os.kill(os.getpid(), signal.SIGINT)
        gate.wait()

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with peers.peer(interrupt) as peer:
            plugin = loaded.with_settings(Settings(peer.base_url, KEY))
            started = time.monotonic()
            with pytest.raises(KeyboardInterrupt) as caught:
                plugin.send_message(PHONE, "hi")
            assert time.monotonic() - started < 10
            gate.set()
            assert peer.finish() == 1
    finally:
        signal.signal(signal.SIGINT, before)
    assert getattr(caught.value, "may_exist", False) and caught.value.__notes__


def in_a_fork(work: str, plugin: Plugin, service: Service) -> int:
    child = os.fork()
    if child == 0:
        try:
            if work == "close":
                plugin.close()
            elif work == "load":
                file = Path(component.__file__).with_name(component.FILE)
                with Plugin(service.settings(), component_path=file) as own:
                    own.send_message(PHONE, "of the fork")
            else:
                (parents,) = plugin._connections._idle
                plugin.send_message(PHONE, "of the fork")
                assert parents not in plugin._connections._idle
            os._exit(42)
        finally:
            os._exit(1)
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.01)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    raise AssertionError("the fork hangs")


@pytest.mark.filterwarnings("ignore:.*use of fork:DeprecationWarning")
@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@pytest.mark.parametrize("work", ["send", "load", "close"])
def test_fork_has_its_own_connections(
    loaded: Plugin, service: Service, work: str
) -> None:
    gate, held = threading.Event(), threading.Event()
    with peers.peer(peers.silence_until(gate)) as peer:
        plugin = loaded.with_settings(service.settings())
        plugin.send_message(PHONE, "before")
        (kept,) = plugin._connections._idle
        # During the fork, one thread is in a call, and one holds a lock. The child process has neither thread.
        waiting = threading.Thread(target=blocked, args=(loaded, peer.base_url))
        counting = threading.Thread(target=hold, args=(plugin._calls._idle, held, gate))
        waiting.start()
        counting.start()
        assert held.wait(10)
        while peer.connections == 0:
            pass
        try:
            ended = in_a_fork(work, plugin, service)
        finally:
            gate.set()
            waiting.join()
            counting.join()
        assert ended == 42
        plugin.send_message(PHONE, "after")
        assert list(plugin._connections._idle) == [kept], "the fork took the connection"
    sent = [message["message"] for message in service.ledger()["messages"]]
    assert sent == (["before", "after"] if work == "close" else ["before", "of the fork", "after"])


def hold(lock: threading.Condition, held: threading.Event, until: threading.Event) -> None:
    """Holds a lock, as a thread does while it counts its call."""
    with lock:
        held.set()
        until.wait()


def blocked(loaded: Plugin, url: str) -> None:
    with pytest.raises(Exception, match="permanent-outcome-unknown"):
        loaded.with_settings(Settings(url, KEY)).send_message(PHONE, "hi")
