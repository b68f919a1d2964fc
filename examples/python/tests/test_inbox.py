"""Tests leased events, loops over events, and errors, in threads and in asyncio. The tests check the resulting states
of the events."""

import asyncio
import gc
import json
import pickle
import ssl
import threading
import time
import traceback
from collections.abc import Callable
from email.utils import formatdate
from typing import Any

import pytest
import trustme

from inbox_client import Client, Make, driven, make, maybe, on, until, when
from inbox_server import BREAK, LOSE, TOKEN, Answer, inbox_server, problem
from messaging_plugin import http1, waits
from messaging_plugin.inbox import AsyncInbox, Inbox, InboxError, InboxRefused, InboxUnavailable, LeaseLost, Token, TokenRefused, requests


def test_events_are_leased_in_turn(make: Make) -> None:
    client = make()
    client.server.put("a", "b", "c")
    seen: list[object] = []

    async def body(event: Any) -> None:
        seen.append((event.key, event.json(), event.payload, event.message_id, event.attempts))
        await maybe(event.ack())
        if len(seen) == 3:
            client.inbox.stop()

    client.each(body)
    assert seen == [(key, {"key": key}, json.dumps({"key": key}), f"m-{key}", 1) for key in "abc"]
    assert client.server.states() == ["done"] * 3


class Clock:
    """The module `time` with a `sleep` that returns at once."""

    def __init__(self) -> None:
        self.paused = 0.0

    def monotonic(self) -> float:
        return time.monotonic() + self.paused

    def sleep(self, seconds: float) -> None:
        self.paused += seconds


@pytest.mark.parametrize(("options", "least", "most"), [({}, 1, 10), ({"timeout_ms": 60_000}, 15, 60)])
@pytest.mark.parametrize(("name", "arguments"), [("list_events", ()), ("show_event", (1,)), ("lease", ())])
def test_single_calls_fail_soon_when_server_is_down(
    name: str, arguments: tuple[int, ...], options: dict[str, int], least: int, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock()
    for module in (requests, waits):
        monkeypatch.setattr(module, "time", clock)
    with Inbox("http://127.0.0.1:1", TOKEN) as inbox:
        with pytest.raises(InboxUnavailable, match="refused"):
            getattr(inbox, name)(*arguments, **options)
        assert least < clock.paused <= most
        with pytest.raises(ValueError, match="timeout_ms has to be 1 or more"):
            getattr(inbox, name)(*arguments, timeout_ms=0)


def test_loop_left_within_body_releases_event(make: Make) -> None:
    client = make()
    client.server.put("a", "b")
    turns: list[object] = []

    async def second(event: Any) -> bool:
        turns.append(event)
        return len(turns) == 2

    client.each(second)
    gc.collect()
    assert client.server.states() == ["leased", "pending"]

    async def failing(event: Any) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        client.each(failing)
    assert client.server.states() == ["leased", "pending"]

    async def done(event: Any) -> bool:
        await maybe(event.ack())
        return True

    client.each(done)
    assert client.server.states() == ["leased", "done"]
    assert client.server.events[2]["failures"] == 0


def test_closed_inbox_releases_open_events(make: Make) -> None:
    client = make()
    client.server.put("a", "b")

    async def in_tasks() -> None:
        async with client.inbox as inbox:
            iterator = aiter(inbox)
            await anext(iterator)
            assert client.server.states() == ["leased", "pending"]
        assert client.server.states() == ["pending", "pending"]
        await iterator.aclose()

    if client.is_async:
        asyncio.run(in_tasks())
    else:
        with client.inbox as inbox:
            iterator = iter(inbox)
            next(iterator)
            assert client.server.states() == ["leased", "pending"]
        assert client.server.states() == ["pending", "pending"]
        iterator.close()
    assert len(client.server.asked("release")) == 1


def test_close_keeps_events_of_active_loops(make: Make) -> None:
    client = make()
    client.server.put("a")
    begun, gate = threading.Event(), threading.Event()

    async def handle(event: Any) -> None:
        begun.set()
        await when(client, gate.is_set)
        await maybe(event.ack())

    over = client.soon(lambda: client.each(handle))
    assert begun.wait(10)
    client.do(client.inbox.aclose if client.is_async else client.inbox.close)
    states = client.server.states()
    gate.set()
    over.result(10)
    assert (states, client.server.states()) == (["leased"], ["done"])


def test_with_block_acknowledges_or_nacks(make: Make) -> None:
    client = make()
    client.server.put("good", "bad", "own", "left")
    good, bad, own, left = client.lease(4)

    async def block(event: Any, error: BaseException | None) -> None:
        if client.is_async:
            async with event:
                if error:
                    raise error
        else:
            with event:
                if error:
                    raise error

    def within(event: Any, error: BaseException | None) -> None:
        client.do(lambda: block(event, error)) if client.is_async else driven(block(event, error))

    within(good, None)
    with pytest.raises(ValueError):
        within(bad, ValueError("it is bad"))
    client.do(lambda: own.nack("rejected by the handler", dead=True))
    within(own, None)
    with pytest.raises(GeneratorExit):
        within(left, GeneratorExit())
    assert client.server.states() == ["done", "pending", "dead", "pending"]
    assert [event["last_error"] for event in client.server.events.values()] == [None, "ValueError: it is bad", "rejected by the handler", None]


def test_nack_stores_reason_and_can_be_final(make: Make) -> None:
    client = make()
    client.server.put("a", "b", "c", "d")
    a, b, c, d = client.lease(4)
    assert client.do(lambda: a.nack(IndexError("too far"), pause_ms=7, dead_after=3)) == "pending"
    assert client.do(lambda: b.nack("not possible", dead=True)) == "dead"
    client.do(lambda: c.nack("🎈" * 3_000))
    client.do(lambda: d.nack("half a pair \ud83c"))
    bodies = [asked.body for asked in client.server.asked("nack")]
    assert [(len(body["error"]), body.get("pause_ms"), body.get("dead_after"), body.get("dead")) for body in bodies] == [
        (19, 7, 3, None),
        (12, None, None, True),
        (2_000, None, None, None),
        (13, None, None, None),
    ]
    assert client.server.events[1]["last_error"] == "IndexError: too far"
    assert client.server.events[4]["last_error"] == "half a pair ?"


def test_event_is_settled_once(make: Make) -> None:
    client = make()
    client.server.put("a")
    (event,) = client.lease()
    assert not event.is_settled
    client.do(event.ack)
    assert event.is_settled
    for again in (event.ack, event.nack, event.release, event.extend):
        with pytest.raises(RuntimeError, match="event 1 is settled already: ack"):
            client.do(again)
    assert [asked.what for asked in client.server.requests] == ["lease", "ack"]


def test_wait_returns_requested_kinds(make: Make) -> None:
    client = make(kinds=["call"])
    client.server.put("message")
    leased = client.soon(lambda: client.lease(wait_ms=20_000))
    until(lambda: client.server.waiting == 1)
    client.server.put("call-1")
    assert [(event.key, event.kind) for event in leased.result(10)] == [("call-1", "call")]
    assert client.server.states() == ["pending", "leased"]


def test_wait_without_event_returns_empty_list(make: Make) -> None:
    client = make()
    assert client.lease(wait_ms=30) == client.lease() == []
    assert len(client.server.requests) == 2


def test_empty_inbox_is_asked_with_pauses(make: Make) -> None:
    client = make(on("lease", Answer(200, {"events": []})))
    threading.Timer(0.3, client.inbox.stop).start()
    client.each(lambda event: pytest.fail(event.key))
    assert len(client.server.requests) == 1


def test_request_with_lost_reply_is_repeated(make: Make) -> None:
    client = make(lambda asked, count: LOSE if asked.what != "lease" and count % 2 else None)
    client.server.put("a", "b", "c")
    a, b, c = client.lease(3)
    client.do(a.extend)
    client.do(a.ack)
    assert client.do(lambda: b.nack("no")) is None
    client.do(c.release)
    assert client.server.states() == ["done", "pending", "pending"]
    assert [event["failures"] for event in client.server.events.values()] == [0, 1, 0]
    twice = [what for what in ("extend", "ack", "nack", "release") for _ in range(2)]
    assert [asked.what for asked in client.server.requests] == ["lease", *twice]
    assert [type(error) for error, _ in client.errors] == [InboxUnavailable] * 4
    assert {error.code for error, _ in client.errors if isinstance(error, InboxError)} == {"unreachable"}


def test_nack_after_lost_lease_reports_it(make: Make) -> None:
    client = make()
    client.server.put("a")
    (event,) = client.lease()
    client.server.end_leases()
    with pytest.raises(LeaseLost):
        client.do(event.nack)
    assert event.is_settled and event.is_lost
    with pytest.raises(RuntimeError, match="the lease on event 1 is lost"):
        client.do(event.ack)


def test_lost_reply_to_lease_only_delays_events(make: Make) -> None:
    client = make(lambda asked, count: LOSE if asked.what == "lease" and count == 1 else None)
    client.server.put("a")
    leased = client.soon(lambda: client.lease(wait_ms=20_000))
    until(lambda: client.server.waiting == 1)
    assert client.server.states() == ["leased"]
    client.server.end_leases()
    assert [(event.key, event.attempts) for event in leased.result(10)] == [("a", 2)]


def test_temporary_errors_are_retried_after_their_delay(make: Make) -> None:
    faults: list[Answer | None] = [BREAK, problem(503, "unavailable", retry_after="1"), Answer(502, "<html>")]
    faults += [problem(408, "too-slow"), Answer(429, ""), None]
    client = make(lambda asked, count: faults[count - 1])
    client.server.put("a")
    began = time.monotonic()
    assert len(client.lease()) == 1
    assert time.monotonic() - began >= 1
    reported = [(type(error), getattr(error, "code"), getattr(error, "status")) for error, _ in client.errors]
    assert reported == [
        (InboxUnavailable, "unreachable", None),
        (InboxUnavailable, "unavailable", 503),
        (InboxUnavailable, "unavailable", 502),
        (InboxUnavailable, "too-slow", 408),
        (InboxUnavailable, "unavailable", 429),
    ]


def retry_after_ms(*headers: str) -> int:
    reply = http1.Reply("POST", 1_000)
    reply.feed("\r\n".join(["HTTP/1.1 503 Away", *headers, "Content-Length: 0", "", ""]).encode())
    with pytest.raises(InboxUnavailable) as unavailable:
        requests._read("lease", reply)
    return unavailable.value.retry_after_ms or 0


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("2", 2_000),
        ("300.0", 300_000),
        ("299.001", 300_000),
        ("9" * 30, 2**32 - 1),
        ("Sat, 21 Nov 2026 10:00:05 GMT", 5_000),
        ("Saturday, 21-Nov-26 10:00:05 GMT", 5_000),
        ("Sat Nov 21 10:00:05 2026", 5_000),
        ("Sat, 21 Nov 2020 10:00:05 GMT", 0),
        ("Sat, 32 Nov 2026 10:00:05 GMT", 60_000),
        ("soon", 60_000),
        ("-1", 60_000),
        ("1e3", 60_000),
        ("", 60_000),
    ],
)
def test_retry_after_becomes_milliseconds(value: str, expected: int) -> None:
    assert retry_after_ms("Retry-After: 0", f"Retry-After: {value}", "Date: Sat, 21 Nov 2026 10:00:00 GMT") == expected


def test_retry_date_without_reply_date_counts_from_now() -> None:
    date = formatdate(time.time() + 300, usegmt=True)
    assert 200_000 < retry_after_ms(f"Retry-After: {date}", "Date: today") <= 300_000


def test_missing_inbox_is_unavailable_after_wait(make: Make) -> None:
    client = make(url="http://127.0.0.1:1", retry_timeout_ms=300)

    async def never(event: Any) -> None:
        pytest.fail(event.key)

    calls: list[Callable[[], Any]] = [
        client.lease,
        lambda: client.run(never),
        lambda: client.each(never),
        lambda: client.do(lambda: client.inbox.show_event(1)),
    ]
    for call in calls:
        with pytest.raises(InboxUnavailable, match="unreachable: connection refused"):
            call()


def test_interrupted_wait_is_requested_again(make: Make) -> None:
    def late(asked: object, count: int) -> Answer | None:
        if count > 1:
            return None
        time.sleep(0.3)
        return BREAK

    client = make(late, retry_timeout_ms=200)
    client.server.put("a")
    assert len(client.lease(wait_ms=1_000)) == 1


def test_permanent_error_is_never_retried(make: Make) -> None:
    client = make()
    for status, code, kind in [
        (400, "malformed", InboxRefused),
        (401, "unauthorized", TokenRefused),
        (403, "forbidden", TokenRefused),
        (404, "not-found", InboxRefused),
        (409, "lease-lost", LeaseLost),
        (413, "too-large", InboxRefused),
    ]:
        client.server.fault = lambda asked, count: problem(status, code)
        with pytest.raises(InboxError) as caught:
            client.lease()
        error = caught.value
        assert (type(error), error.status, error.code, error.detail, error.field) == (kind, status, code, "so it is", "limit")
        assert str(pickle.loads(pickle.dumps(error))) == str(error) == f"lease: {code}: limit so it is"
    half = {"id": 1, "key": "a", "payload": "{}"}
    elsewhere = Answer(302, "", {"location": f"{client.server.url}/v1/lease"})
    deep = Answer(200, "[" * 100_000)
    wrong = [Answer(200, "<html>"), Answer(200, []), Answer(200, {"a": 1}), Answer(200, {"events": [half]})]
    wrong += [deep, elsewhere]
    for answer in wrong:
        client.server.fault = lambda asked, count: answer
        with pytest.raises(InboxRefused, match="unexpected-reply"):
            client.lease()
    assert len(client.server.requests) == 12


def test_list_and_event_need_no_lease(make: Make) -> None:
    client = make()
    client.server.put("a")
    (event,) = client.do(lambda: client.inbox.list_events(state="pending", limit=5))
    assert (event.id, event.key, event.message_id, event.last_error) == (1, "a", "m-a", None)
    assert client.server.requests[0].path == "/v1/events?state=pending&limit=5"
    assert client.do(lambda: client.inbox.show_event(1)).payload == '{"key": "a"}'
    with pytest.raises(InboxRefused, match="event 2: not-found"):
        client.do(lambda: client.inbox.show_event(2))
    assert client.server.states() == ["pending"]


def test_token_is_in_one_header_only(make: Make) -> None:
    client = make(retry_timeout_ms=150)
    client.server.put("a")
    (event,) = client.lease()
    assert client.server.requests[0].token == f"Bearer {TOKEN}"
    assert "canary" not in str([(asked.path, asked.body) for asked in client.server.requests])
    shown: list[object] = [client.inbox, event, Token(TOKEN), vars(client.inbox), vars(event), vars(client.inbox._core)]
    for answer in (BREAK, problem(401, "unauthorized"), problem(503, "unavailable"), Answer(200, "")):
        client.server.fault = lambda asked, count: answer
        calls: list[Callable[[], Any]] = [client.lease, lambda: client.do(event.extend)]
        for call in calls:
            with pytest.raises(InboxError) as caught:
                call()
            shown.append(caught.value)
            # Includes local variables, as some error reporters do.
            report = traceback.TracebackException.from_exception(caught.value, capture_locals=True)
            assert "canary" not in "".join(report.format())
    for one in [*shown, *client.errors]:
        assert "canary" not in f"{one} {one!r}"


@pytest.mark.parametrize("kind", [Inbox, AsyncInbox])
def test_invalid_options_are_rejected_early(kind: Any) -> None:
    usual: dict[str, Any] = {"url": "https://inbox.example", "token": TOKEN}
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"url": "http://inbox.example"}, "unencrypted to another machine"),
        ({"url": "https://me:canary@inbox.example"}, "user name, password"),
        ({"url": "inbox.example"}, "http or https"),
        ({"url": "https://inbox.example?a=1"}, "query"),
        ({"token": ""}, "visible ASCII"),
        ({"token": f"{TOKEN}\n"}, "visible ASCII"),
        ({"lease_ms": 999}, "lease_ms"),
        ({"retry_timeout_ms": -1}, "retry_timeout_ms"),
    ]
    for options, complaint in wrong:
        with pytest.raises(ValueError, match=complaint) as caught:
            kind(**usual | options)
        assert "canary" not in str(caught.value)
    for options in ({"lease_ms": "60000"}, {"kinds": "call"}):
        with pytest.raises(TypeError):
            kind(**usual | options)
    context = ssl.create_default_context()
    context.check_hostname = False
    with pytest.raises(ValueError, match="checks no certificates"):
        kind("https://inbox.example", TOKEN, tls=context)
    for url in ("http://localhost:1/", "http://127.9.9.9:1", "http://[::1]:1/inbox/"):
        kind(url, TOKEN)
    kind("http://inbox.example", TOKEN, allow_http=True)


def test_inbox_behind_path_prefix_is_reached(make: Make) -> None:
    server = make().server
    client = make(url=f"{server.url}/of/a/proxy/")
    assert client.do(lambda: client.inbox.list_events()) == []
    assert server.requests[0].path == "/of/a/proxy/v1/events"


def test_private_authority_is_trusted_only_if_given(request: pytest.FixtureRequest) -> None:
    authority, other = trustme.CA(), trustme.CA()
    own = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("localhost").configure_cert(own)
    trusting, mistaken = ssl.create_default_context(), ssl.create_default_context()
    authority.configure_trust(trusting)
    other.configure_trust(mistaken)
    with inbox_server(tls=own) as server:
        for kind in ("threads", "asyncio"):
            server.put("a")
            assert [event.key for event in Client(kind, server, tls=trusting).lease()] == ["a"]
            for tls in (None, mistaken):
                with pytest.raises(InboxUnavailable, match="certificate"):
                    Client(kind, server, tls=tls, retry_timeout_ms=0).lease()
        assert len(server.requests) == 2
