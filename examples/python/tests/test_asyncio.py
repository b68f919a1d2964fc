import asyncio
import os
import resource
import socket
import threading
from collections.abc import Awaitable, Callable

import pytest

import peers
from conftest import KEY, Service
from messaging_plugin import NotSent, OutcomeUnknown, Plugin, PluginClosed, RateLimited, Settings

PHONE = "+34600111222"


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(20):
        while not condition():
            await asyncio.sleep(0.001)


def test_thousand_concurrent_calls_create_each_message_once(
    plugin: Plugin, service: Service
) -> None:
    async def send_all() -> list[str]:
        calls = [plugin.asend_message(PHONE, f"message {number}") for number in range(1000)]
        return [created.id for created in await asyncio.gather(*calls)]

    before = threading.active_count()
    identifiers = asyncio.run(send_all())
    assert threading.active_count() == before
    messages = service.ledger()["messages"]
    assert sorted(message["id"] for message in messages) == sorted(identifiers)
    assert {message["message"] for message in messages} == {f"message {n}" for n in range(1000)}


def test_call_leaves_nothing_in_event_loop(plugin: Plugin) -> None:
    async def left() -> list[object]:
        await plugin.asend_message(PHONE, "hi")
        await plugin.alist_templates()
        loop = asyncio.get_running_loop()
        return [timer for timer in vars(loop)["_scheduled"] if not timer.cancelled()]

    assert asyncio.run(left()) == []


def test_calls_that_wait_let_event_loop_run(loaded: Plugin) -> None:
    gate = threading.Event()
    with peers.peer(peers.silence_until(gate)) as peer:
        plugin = loaded.with_settings(Settings(peer.base_url, KEY))

        async def both() -> None:
            waiting = asyncio.create_task(plugin.asend_message(PHONE, "hi"))
            await until(lambda: peer.connections == 1)
            assert not waiting.done()
            gate.set()
            with pytest.raises(OutcomeUnknown):
                await waiting

        asyncio.run(both())


def test_templates_can_be_awaited(plugin: Plugin) -> None:
    assert asyncio.run(plugin.alist_templates(every_page="page")).incomplete is None


def cancelled(
    plugin: Plugin, ready: Callable[[], bool], call: Callable[[], Awaitable[object]]
) -> asyncio.CancelledError:
    """Cancels a call when `ready` returns true. Returns the call's `CancelledError`."""

    async def cancel() -> asyncio.CancelledError:
        task = asyncio.ensure_future(call())
        await until(ready)
        task.cancel()
        try:
            await task
        except asyncio.CancelledError as error:
            return error
        raise AssertionError("the call was not canceled")

    return asyncio.run(cancel())


def test_cancelled_send_may_have_created_message(
    loaded: Plugin,
) -> None:
    gate = threading.Event()
    with peers.peer(peers.silence_until(gate)) as peer:
        plugin = loaded.with_settings(Settings(peer.base_url, KEY))
        error = cancelled(
            plugin, lambda: peer.connections == 1, lambda: plugin.asend_message(PHONE, "hi")
        )
        gate.set()
        assert peer.finish() == 1
    assert getattr(error, "may_exist", False)
    assert "the message may exist" in "".join(error.__notes__)
    assert plugin._calls.under_way == 0 and not plugin._connections._idle


def test_asyncio_timeout_reports_possible_message(loaded: Plugin) -> None:
    gate = threading.Event()
    with peers.peer(peers.silence_until(gate)) as peer:
        plugin = loaded.with_settings(Settings(peer.base_url, KEY))

        async def call() -> None:
            async with asyncio.timeout(0.3):
                await plugin.asend_message(PHONE, "hi")

        with pytest.raises(TimeoutError) as caught:
            asyncio.run(call())
        gate.set()
        assert peer.finish() == 1
    assert getattr(caught.value.__cause__, "may_exist", False)


def test_cancelled_read_reports_no_message(loaded: Plugin) -> None:
    gate = threading.Event()
    with peers.peer(peers.silence_until(gate)) as peer:
        plugin = loaded.with_settings(Settings(peer.base_url, KEY))
        error = cancelled(plugin, lambda: peer.connections == 1, plugin.alist_templates)
        gate.set()
    assert not hasattr(error, "may_exist")


def test_call_cancelled_while_connecting_sent_nothing(
    loaded: Plugin, monkeypatch: pytest.MonkeyPatch
) -> None:
    plugin = loaded.with_settings(Settings("https://slow.example", KEY, max_attempts=1))
    asked = threading.Event()

    async def never(*_: object, **__: object) -> None:
        asked.set()
        await asyncio.Event().wait()

    monkeypatch.setattr(asyncio.BaseEventLoop, "getaddrinfo", never)
    error = cancelled(plugin, asked.is_set, lambda: plugin.asend_message(PHONE, "hi"))
    assert not hasattr(error, "may_exist") and not hasattr(error, "__notes__")


def test_call_cancelled_between_attempts_created_nothing(
    plugin: Plugin, service: Service
) -> None:
    """The service replies 429, which proves that nothing was created. The requested delay is within the deadline."""

    replies: list[bytes] = []

    def busy(connection: socket.socket) -> None:
        peers.read_request(connection)
        connection.sendall(b"HTTP/1.1 429 Busy\r\nRetry-After: 3\r\nContent-Length: 0\r\n\r\n")
        replies.append(b"429")
        peers.until_closed(connection)

    with peers.peer(busy) as peer:
        own = plugin.with_settings(Settings(peer.base_url, KEY))

        async def cancel() -> asyncio.CancelledError:
            task = asyncio.create_task(own.asend_message(PHONE, "hi"))
            await until(lambda: bool(replies) and bool(own._connections._idle))
            task.cancel()
            try:
                await task
            except asyncio.CancelledError as error:
                return error
            raise AssertionError

        error = asyncio.run(cancel())
        own.close()
        assert peer.finish() == 1
    assert not hasattr(error, "may_exist")


def test_instance_of_cancelled_call_is_not_reused(loaded: Plugin) -> None:
    gate = threading.Event()
    with peers.peer(peers.silence_until(gate)) as peer:
        plugin = loaded.with_settings(Settings(peer.base_url, KEY))
        cancelled(plugin, lambda: peer.connections == 1, lambda: plugin.asend_message(PHONE, "hi"))
        gate.set()
    assert not plugin._instances.kept


def test_pause_does_not_block_loop(loaded: Plugin) -> None:
    with peers.peer(
        peers.answer("429 Busy", b"", "Retry-After: 1\r\n")
    ) as peer:
        plugin = loaded.with_settings(Settings(peer.base_url, KEY, max_attempts=2))
        turns = 0

        async def count() -> None:
            nonlocal turns
            while True:
                await asyncio.sleep(0.01)
                turns += 1

        async def both() -> None:
            counting = asyncio.create_task(count())
            with pytest.raises(RateLimited):
                await plugin.asend_message(PHONE, "hi")
            counting.cancel()

        asyncio.run(both())
        assert peer.finish() == 2
    assert turns > 5


def test_close_in_task_waits_for_open_calls(loaded: Plugin) -> None:
    gate = threading.Event()
    with peers.peer(peers.silence_until(gate)) as peer:

        async def all_of_it() -> None:
            async with loaded.with_settings(Settings(peer.base_url, KEY)) as plugin:
                waiting = asyncio.create_task(plugin.asend_message(PHONE, "hi"))
                await until(lambda: peer.connections == 1)
                asyncio.get_running_loop().call_later(0.05, gate.set)
            assert waiting.done() and isinstance(waiting.exception(), OutcomeUnknown)
            with pytest.raises(PluginClosed, match="closed"):
                await plugin.asend_message(PHONE, "hi")

        asyncio.run(all_of_it())


def test_calls_beyond_descriptor_limit_are_not_sent(
    loaded: Plugin, service: Service
) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (len(os.listdir("/proc/self/fd")) + 30, hard))
    try:
        plugin = loaded.with_settings(service.settings(max_attempts=1))

        async def send_all() -> list[object]:
            calls = [plugin.asend_message(PHONE, str(number)) for number in range(100)]
            return await asyncio.gather(*calls, return_exceptions=True)

        outcomes = asyncio.run(send_all())
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    plugin.close()
    failed = [outcome for outcome in outcomes if isinstance(outcome, BaseException)]
    assert failed and all(isinstance(error, NotSent) for error in failed), failed[:3]
    assert len(service.ledger()["messages"]) == 100 - len(failed)
