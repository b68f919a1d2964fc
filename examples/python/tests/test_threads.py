import asyncio
import os
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from wasmtime.component import _types

import peers
from conftest import KEY, Service
from messaging_plugin import Plugin, Settings


@pytest.fixture
def restless() -> Iterator[None]:
    """Python changes threads as often as it can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def test_many_threads_send_at_once_and_each_message_is_created_once(
    plugin: Plugin, service: Service, restless: None
) -> None:
    def send(number: int) -> str:
        device = str(number) if number % 2 else None
        return plugin.send_message("+34600111222", f"message {number}", device).id

    with ThreadPoolExecutor(16) as threads:
        identifiers = list(threads.map(send, range(200)))
    messages = service.ledger()["messages"]
    assert sorted(message["id"] for message in messages) == sorted(identifiers)
    expected = {(f"message {n}", str(n) if n % 2 else None) for n in range(200)}
    assert {(message["message"], message.get("device")) for message in messages} == expected


def test_threads_that_pass_values_do_not_empty_each_others_set(loaded: Plugin) -> None:
    kinds = _types.case_test_cache
    kinds.clear()
    kinds.add(str)
    other = threading.Thread(target=kinds.clear)
    other.start()
    other.join()
    assert tuple(kinds) == (str,)


def test_calls_of_two_plugins_at_once_keep_to_their_own_allow_lists(
    loaded: Plugin, service: Service, restless: None
) -> None:
    open_one = loaded.with_settings(service.settings())
    closed_one = loaded.with_settings(service.settings(), allow=[])

    def send(number: int) -> str:
        plugin = open_one if number % 2 else closed_one
        try:
            return plugin.send_message("+34600111222", "open" if number % 2 else "closed").id
        except Exception as error:
            return type(error).__name__

    with ThreadPoolExecutor(8) as threads:
        outcomes = list(threads.map(send, range(80)))
    assert outcomes.count("Denied") == 40
    assert {message["message"] for message in service.ledger()["messages"]} == {"open"}
    assert len(service.ledger()["messages"]) == 40


def test_a_call_that_waits_lets_other_threads_run(loaded: Plugin) -> None:
    gate = threading.Event()
    with peers.peer(peers.silence_until(gate)) as peer:
        plugin = loaded.with_settings(Settings(peer.base_url, KEY))

        async def both() -> None:
            waiting = asyncio.create_task(plugin.asend_message("+34600111222", "hi"))
            # The peer's thread and this one run while the call waits, or this never ends.
            while peer.connections == 0:
                await asyncio.sleep(0)
            assert not waiting.done()
            gate.set()
            with pytest.raises(Exception, match="permanent-outcome-unknown"):
                await waiting

        asyncio.run(both())


def test_templates_can_be_awaited(plugin: Plugin) -> None:
    assert asyncio.run(plugin.alist_templates(every_page="page")).incomplete is None


def test_closing_waits_for_the_calls_under_way(loaded: Plugin) -> None:
    gate = threading.Event()
    with peers.peer(peers.silence_until(gate)) as peer:
        plugin = loaded.with_settings(Settings(peer.base_url, KEY))
        outcomes: list[str] = []

        def send() -> None:
            with pytest.raises(Exception, match="permanent-outcome-unknown"):
                plugin.send_message("+34600111222", "hi")
            outcomes.append("sent")

        sending = threading.Thread(target=send)
        sending.start()
        while peer.connections == 0:
            pass
        closing = threading.Thread(target=plugin.close)
        closing.start()
        while not plugin._closed:
            pass
        with pytest.raises(RuntimeError, match="closed"):
            plugin.send_message("+34600111222", "hi")
        assert closing.is_alive() and outcomes == []
        gate.set()
        closing.join()
        sending.join()
        assert outcomes == ["sent"]
        assert peer.finish() == 1


def test_with_closes_the_plugin(loaded: Plugin) -> None:
    with loaded.with_settings(Settings("http://127.0.0.1:9", KEY)) as plugin:
        pass
    with pytest.raises(RuntimeError, match="closed"):
        plugin.list_templates()


@pytest.mark.filterwarnings("ignore:.*use of fork:DeprecationWarning")
@pytest.mark.skipif(not hasattr(os, "fork"), reason="there are no forks here")
def test_a_fork_is_told_to_make_its_own_plugin(loaded: Plugin) -> None:
    child = os.fork()
    if child == 0:
        try:
            loaded.list_templates()
        except RuntimeError as error:
            os._exit(42 if "after the fork" in str(error) else 1)
        finally:
            os._exit(2)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 42
