"""Tests `run` and the end of its handlers, in threads and in asyncio. The tests check the resulting states of the
events."""

import asyncio
import json
import signal
import subprocess
import sys
import threading
import time
from typing import Any

import pytest

from conftest import Unprintable
from inbox_client import Make, make, maybe, on, until, when
from inbox_server import BREAK, TOKEN, Answer, Asked, Server, inbox_server, problem
from messaging_plugin.inbox import AsyncInbox, Inbox, InboxUnavailable, LeaseLost, TokenRefused


def test_run_acks_handled_and_nacks_failed_events(make: Make) -> None:
    client = make()
    client.server.put("good", "bad", "own", "late")
    bad = ValueError("it is bad")

    async def handle(event: Any) -> None:
        if event.key == "bad":
            raise bad
        if event.key == "own":
            await maybe(event.nack("rejected by the handler", dead=True))
        if event.key == "late":
            client.inbox.stop()

    client.run(handle, pause_ms=lambda event, error: 9 if error is bad else 0, dead_after=1)
    assert client.server.states() == ["done", "dead", "dead", "done"]
    assert client.server.events[2]["last_error"] == "ValueError: it is bad"
    said = [(asked.body.get("pause_ms"), asked.body.get("dead_after")) for asked in client.server.asked("nack")]
    assert said == [(9, 1), (None, None)]
    assert [(error, event.key) for error, event in client.errors] == [(bad, "bad")]


def test_run_limits_concurrent_handlers(make: Make) -> None:
    client = make()
    client.server.put(*[f"e{number}" for number in range(20)])
    now: set[str] = set()
    most: list[int] = []

    async def handle(event: Any) -> None:
        now.add(event.key)
        most.append(len(now))
        await when(client, lambda: len(most) >= 4)
        now.remove(event.key)
        if len(most) == 20:
            client.inbox.stop()

    client.run(handle, concurrency=4)
    assert max(most) == 4
    assert max(asked.body["limit"] for asked in client.server.asked("lease")) == 4
    assert client.server.states() == ["done"] * 20


def test_default_delay_grows_with_failures(make: Make) -> None:
    client = make()
    client.server.put("a")

    async def handle(event: Any) -> None:
        if event.attempts == 12:
            client.inbox.stop()
        raise ValueError

    client.run(handle)
    for number, asked in enumerate(client.server.asked("nack")):
        most = min(1_000 * 2**number, 300_000)
        assert most // 2 <= asked.body["pause_ms"] <= most


def test_delay_of_pause_function_is_limited(make: Make) -> None:
    client = make()
    client.server.put("a", "b", "c")
    pauses = {"a": 5062.7, "b": -1, "c": float("inf")}

    async def handle(event: Any) -> None:
        if event.key == "c":
            client.inbox.stop()
        raise ValueError

    client.run(handle, pause_ms=lambda event, error: pauses[event.key], dead_after=1)
    assert [asked.body["pause_ms"] for asked in client.server.asked("nack")] == [5063, 0, 604_800_000]


def test_handler_that_raises_stop_iteration_fails() -> None:
    with inbox_server(lambda asked, count: None) as server, Inbox(server.url, TOKEN) as inbox:
        server.put("a")

        def handle(event: Any) -> None:
            inbox.stop()
            next(iter(()))

        inbox.run(handle, dead_after=1)
        assert server.states() == ["dead"]


async def wrong(event: Any) -> None:
    raise AssertionError("nothing runs this coroutine")


@pytest.mark.parametrize("handler", [None, "text", wrong])
def test_unusable_handler_leases_nothing(handler: Any) -> None:
    with inbox_server(lambda asked, count: None) as server, Inbox(server.url, TOKEN) as inbox:
        server.put("a")
        with pytest.raises(TypeError, match="handler"):
            inbox.run(handler)
        assert server.states() == ["pending"]


def test_coroutine_of_handler_is_never_acknowledged() -> None:
    with inbox_server(lambda asked, count: None) as server, Inbox(server.url, TOKEN) as inbox:
        server.put("a")

        def handle(event: Any) -> Any:
            inbox.stop()
            return wrong(event)

        inbox.run(handle, dead_after=1)
        assert server.states() == ["dead"]


def test_async_inbox_accepts_plain_function() -> None:
    async def handle_one(url: str) -> None:
        async with AsyncInbox(url, TOKEN) as inbox:
            handler: Any = lambda event: inbox.stop()
            await inbox.run(handler)

    with inbox_server(lambda asked, count: None) as server:
        server.put("a")
        asyncio.run(handle_one(server.url))
        assert server.states() == ["done"]


def test_lease_is_extended_while_handler_runs(make: Make) -> None:
    client = make(lease_ms=1_000)
    client.server.put("a")

    async def handle(event: Any) -> None:
        await when(client, lambda: len(client.server.asked("extend")) == 3)
        client.inbox.stop()

    client.run(handle)
    assert {asked.body["lease_ms"] for asked in client.server.asked("extend")} == {1_000}
    count = len(client.server.requests)
    time.sleep(0.5)
    assert (len(client.server.requests), client.server.requests[-1].what) == (count, "ack")


def test_lost_lease_ends_handler_without_nack(make: Make) -> None:
    client = make(lease_ms=1_000)
    client.server.put("a")
    stopped: list[bool] = []

    async def handle(event: Any) -> None:
        client.inbox.stop()
        client.server.end_leases()
        try:
            await when(client, lambda: event.is_lost)
        finally:
            stopped.append(event.is_lost)

    client.run(handle)
    assert stopped == [True]
    assert [(type(error), event.key) for error, event in client.errors] == [(LeaseLost, "a")]
    assert [asked.what for asked in client.server.requests] == ["lease", "extend"]
    assert (client.server.states(), client.server.events[1]["failures"]) == (["pending"], 0)


@pytest.mark.parametrize("how", ["is unreachable", "does not answer"])
def test_ended_lease_stops_handler_without_failure(make: Make, how: str) -> None:
    gate = threading.Event()

    def fault(asked: Asked, count: int) -> Answer | None:
        if asked.what != "extend":
            return None
        if how == "does not answer":
            gate.wait()
        return BREAK

    client = make(fault, lease_ms=1_000)
    client.server.put("a")

    async def handle(event: Any) -> None:
        client.inbox.stop()
        await when(client, lambda: event.is_lost)
        raise ValueError("an error of the handler after the stop")

    began = time.monotonic()
    client.run(handle)
    gate.set()
    assert time.monotonic() - began < 2
    assert (client.server.states(), client.server.events[1]["failures"]) == (["pending"], 0)
    assert any(isinstance(error, LeaseLost) and error.code == "lease-ended" for error, _ in client.errors)


def test_acknowledged_event_is_not_lost_during_extension(make: Make) -> None:
    def fault(asked: Asked, count: int) -> Answer | None:
        if asked.what == "extend":
            until(lambda: client.server.states() == ["done"])
        return None

    client = make(fault, lease_ms=1_000)
    client.server.put("a")

    async def handle(event: Any) -> None:
        await when(client, lambda: client.server.asked("extend"))
        await maybe(event.ack())
        await when(client, lambda: time.monotonic() > began + 0.1)
        assert not event.is_lost
        client.inbox.stop()

    began = time.monotonic() + 0.4
    client.run(handle)
    assert client.errors == []


def test_stop_during_wait_is_immediate(make: Make) -> None:
    client = make()

    async def never(event: Any) -> None:
        pytest.fail(event.key)

    over = [client.soon(lambda: client.run(never)), client.soon(lambda: client.each(never))]
    until(lambda: client.server.waiting == 2)
    began = time.monotonic()
    client.inbox.stop()
    for one in over:
        one.result(10)
    assert time.monotonic() - began < 1
    until(lambda: client.server.waiting == 0)


def test_stop_without_inbox_is_immediate(make: Make) -> None:
    client = make(on("lease", problem(503, "unavailable", retry_after="60")))

    async def never(event: Any) -> None:
        pytest.fail(event.key)

    over = [client.soon(lambda: client.run(never)), client.soon(lambda: client.each(never))]
    until(lambda: len(client.server.requests) == 2)
    client.inbox.stop()
    for one in over:
        one.result(5)


def test_stop_waits_for_active_handlers(make: Make) -> None:
    client = make()
    client.server.put("a")
    begun, gate = threading.Event(), threading.Event()

    async def handle(event: Any) -> None:
        begun.set()
        await when(client, gate.is_set)

    over = client.soon(lambda: client.run(handle, concurrency=2))
    until(lambda: begun.is_set() and client.server.waiting == 1)
    client.inbox.stop()
    until(lambda: client.server.waiting == 0)
    assert not over.done()
    gate.set()
    over.result(10)
    assert client.server.states() == ["done"]


def test_stop_with_unsent_result_is_quick(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("messaging_plugin.inbox.requests.STOPPING_SECONDS", 0.3)
    client = make(on("ack", problem(503, "unavailable")))
    client.server.put("a")

    async def handle(event: Any) -> None:
        client.inbox.stop()

    began = time.monotonic()
    client.run(handle)
    assert time.monotonic() - began < 2
    assert isinstance(client.errors[-1][0], InboxUnavailable) and client.server.states() == ["leased"]


def test_events_leased_during_stop_are_released(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    client = make()
    client.server.put("a", "b")
    loads = json.loads

    def stopping(text: Any) -> Any:
        value = loads(text)
        # Stops after the reply has arrived.
        if value.get("events"):
            client.inbox._core.stop.is_set = True
        return value

    monkeypatch.setattr("messaging_plugin.inbox.requests.json.loads", stopping)

    async def never(event: Any) -> None:
        pytest.fail(event.key)

    client.run(never, concurrency=2)
    assert client.server.states() == ["pending", "pending"]
    assert len(client.server.asked("release")) == 2


@pytest.mark.parametrize("how", ["run", "each"])
def test_events_leased_before_stop_are_released(make: Make, how: str) -> None:
    client = make()
    client.server.put("a")

    def stop() -> None:
        client.inbox.stop()
        # The client could now abandon the request.
        time.sleep(0.1)

    client.server.on_lease = stop

    async def never(event: Any) -> None:
        pytest.fail(event.key)

    getattr(client, how)(never)
    assert (client.server.states(), client.errors) == (["pending"], [])
    assert len(client.server.asked("release")) == 1


def test_events_leased_before_cancellation_are_released() -> None:
    leased = threading.Event()

    def late() -> None:
        leased.set()
        time.sleep(0.1)

    async def never(event: Any) -> None:
        pytest.fail(event.key)

    async def canceled(inbox: AsyncInbox) -> None:
        running = asyncio.create_task(inbox.run(never))
        while not leased.is_set():
            await asyncio.sleep(0.001)
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running

    with inbox_server() as server:
        server.put("a")
        server.on_lease = late
        asyncio.run(canceled(AsyncInbox(server.url, TOKEN)))
        assert server.states() == ["pending"]


@pytest.mark.parametrize("broken", ["on_error", "pause_ms"])
def test_event_fails_even_if_callback_raises(make: Make, broken: str) -> None:
    def raises(*_: object) -> Any:
        raise RuntimeError("the callback is broken")

    client = make(on_error=raises) if broken == "on_error" else make()
    client.server.put("a")

    async def handle(event: Any) -> None:
        raise ValueError("failed")

    with pytest.raises(RuntimeError, match="the callback is broken"):
        client.run(handle, pause_ms=raises if broken == "pause_ms" else 5)
    (event,) = client.server.events.values()
    assert (event["state"], event["failures"]) == ("pending", 1)


def test_exception_without_text_fails_event(make: Make) -> None:
    client = make()
    client.server.put("a")

    async def handle(event: Any) -> None:
        client.inbox.stop()
        raise Unprintable

    client.run(handle, dead_after=1)
    assert client.server.states() == ["dead"]
    assert client.server.events[1]["last_error"] == "Unprintable: an error without a text"


def test_exit_in_handler_fails_event() -> None:
    with inbox_server() as server, Inbox(server.url, TOKEN) as inbox:
        server.put("a")
        with pytest.raises(SystemExit):
            inbox.run(lambda event: sys.exit(3), dead_after=1)
        assert server.states() == ["dead"]


def test_rejected_acknowledgement_does_not_end_run(make: Make) -> None:
    client = make(lambda asked, count: BREAK if asked.what == "ack" and count == 1 else None, retry_timeout_ms=0)
    client.server.put("a")
    attempts: list[int] = []

    async def handle(event: Any) -> None:
        attempts.append(event.attempts)
        if len(attempts) == 2:
            client.inbox.stop()
        else:
            threading.Timer(0.1, client.server.end_leases).start()

    client.run(handle)
    assert (attempts, client.server.states()) == ([1, 2], ["done"])
    assert isinstance(client.errors[0][0], InboxUnavailable)


def test_permanent_error_ends_run_after_handlers(make: Make) -> None:
    refused = problem(401, "unauthorized")
    client = make(lambda asked, count: refused if asked.what == "lease" and count == 2 else None)
    client.server.put("a")

    async def handle(event: Any) -> None:
        await when(client, lambda: len(client.server.asked("lease")) == 2)
        began = time.monotonic()
        await when(client, lambda: time.monotonic() > began + 0.05)

    with pytest.raises(TokenRefused):
        client.run(handle, concurrency=2)
    assert client.server.states() == ["done"]


def test_invalid_pause_ms_ends_waiting_run(make: Make) -> None:
    client = make()
    client.server.put("a")

    async def handle(event: Any) -> None:
        await when(client, lambda: client.server.waiting == 1)
        raise ValueError

    over = client.soon(lambda: client.run(handle, concurrency=2, pause_ms=lambda event, error: "later"))
    with pytest.raises(TypeError, match="pause_ms returned 'later'"):
        over.result(10)
    until(lambda: client.server.waiting == 0)
    client.server.put("b")
    assert client.server.states()[1] == "pending"


def test_cancelled_run_releases_events() -> None:
    async def main(server: Server) -> None:
        inbox = AsyncInbox(server.url, TOKEN)
        begun = asyncio.Event()

        async def handle(event: object) -> None:
            begun.set()
            await asyncio.sleep(60)

        running = asyncio.create_task(inbox.run(handle, concurrency=2))
        await begun.wait()
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running

    with inbox_server() as server:
        server.put("a")
        asyncio.run(main(server))
        assert (server.states(), server.events[1]["failures"]) == (["pending"], 0)
        until(lambda: server.waiting == 0)


@pytest.mark.parametrize("how", ["stop", "ctrl-C"])
def test_terminated_program_ends_after_handlers(how: str) -> None:
    program = f"""
import signal, sys, time
from messaging_plugin.inbox import Inbox
inbox = Inbox(sys.argv[1], {TOKEN!r})
# A job in the background of a shell script inherits an ignored SIGINT.
signal.signal(signal.SIGINT, signal.default_int_handler)
if {how == "stop"}:
    signal.signal(signal.SIGTERM, lambda *_: inbox.stop())
def handle(event):
    print("begun", flush=True)
    time.sleep(0.5)
try:
    inbox.run(handle)
except KeyboardInterrupt:
    print("interrupted")
"""
    with inbox_server() as server:
        server.put("a")
        command = [sys.executable, "-c", program, server.url]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == "begun\n"
            process.send_signal(signal.SIGTERM if how == "stop" else signal.SIGINT)
            assert process.stdout.read() == ("" if how == "stop" else "interrupted\n")
            assert process.wait(10) == 0
        assert server.states() == ["done"]
