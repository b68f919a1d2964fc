"""Tests the inbox client against `messaging serve --workers`."""

import http.client
import json
import os
import select
import socket
import ssl
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import trustme

from inbox_client import Client, until, when
from messaging_plugin.inbox import InboxRefused, InboxUnavailable, LeaseLost, TokenRefused

TOKENS = ("worker-token-of-yesterday", "worker-token-of-tomorrow")
WORKER = Path(__file__).with_name("inbox_worker.py")


class Served:
    """A running `messaging serve`."""

    def __init__(self, urls: dict[str, str], process: "subprocess.Popen[str]", tls: ssl.SSLContext | None) -> None:
        host = "localhost" if tls else "127.0.0.1"
        self.url = urls["workers"].replace("127.0.0.1", host)
        self.process = process
        self._webhook = urlsplit(urls["url"].replace("127.0.0.1", host))
        self._tls = tls

    def client(self, kind: str, **options: Any) -> Client:
        usual: dict[str, Any] = {"url": self.url, "token": TOKENS[0], "tls": self._tls}
        return Client(kind, None, **usual | options)

    def deliver(self, *keys: str) -> None:
        """Delivers events in this order."""
        host, port = self._webhook.hostname or "", self._webhook.port
        link = (
            http.client.HTTPSConnection(host, port, context=self._tls)
            if self._tls
            else http.client.HTTPConnection(host, port)
        )
        for key in keys:
            event = json.dumps({"id": f"m-{key}", "object": "message", "event": key.split("-")[0]})
            link.request("POST", "/", event, {"x-idempotency-key": key, "content-type": "application/json"})
            reply = link.getresponse()
            assert (reply.status, reply.read()) == (200, b'{"received":true}')
        link.close()


@contextmanager
def serving(
    host_test: Path, folder: Path, *more: str, workers: str = "127.0.0.1:0", tls: ssl.SSLContext | None = None
) -> Iterator[Served]:
    command = [str(host_test), "serve", "--json", "--listen", "127.0.0.1:0", "--workers", workers]
    command += ["--store", str(folder / "inbox.sqlite"), *more]
    env = os.environ | {"MESSAGING_WORKER_TOKENS": " ".join(TOKENS), "RUST_LOG": "off"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=env) as process:
        assert process.stdout is not None
        try:
            yield Served(json.loads(process.stdout.readline()), process, tls)
        finally:
            process.kill()


Serve = Callable[..., Served]


@pytest.fixture
def serve(host_test: Path, tmp_path: Path) -> Iterator[Serve]:
    with ExitStack() as stack:
        yield lambda *more, **options: stack.enter_context(serving(host_test, tmp_path, *more, **options))


@pytest.fixture(params=["threads", "asyncio"])
def kind(request: pytest.FixtureRequest) -> str:
    which: str = request.param
    return which


@pytest.mark.slow
def test_ten_thousand_events_reach_killed_workers(
    serve: Serve, tmp_path: Path
) -> None:
    served = serve()
    keys = [f"event-{number}" for number in range(10_000)]
    with ThreadPoolExecutor(16) as threads:
        list(threads.map(lambda at: served.deliver(*keys[at::16]), range(16)))
    (tmp_path / "done").mkdir()
    lines = tmp_path / "lines"
    lines.touch()

    def worker(at: int) -> "subprocess.Popen[bytes]":
        # Alternates the kind of the client and the token.
        command = [sys.executable, str(WORKER), ("threads", "asyncio")[at % 2], served.url, str(tmp_path)]
        return subprocess.Popen(command, env=os.environ | {"TOKEN": TOKENS[at % 3 == 0]})

    look = served.client("threads")
    workers = [worker(at) for at in range(3)]
    begun = len(workers)
    try:
        while any(look.inbox.list_events(state=state, limit=1) for state in ("pending", "leased")):
            if begun < 8 and len(lines.read_text().splitlines()) > 1_500 * (begun - 2):
                workers[begun % 3].kill()
                workers[begun % 3].wait()
                workers[begun % 3] = worker(begun)
                begun += 1
            time.sleep(0.05)
    finally:
        for process in workers:
            process.terminate()
    assert [process.wait(20) for process in workers] == [0, 0, 0]

    assert begun == 8
    seen = [line.split() for line in lines.read_text().splitlines()]
    assert sorted({key for key, _ in seen}) == sorted(keys)
    assert sorted(path.name for path in (tmp_path / "done").iterdir()) == sorted(keys)
    count, after = 0, 0
    while page := look.inbox.list_events(state="done", after=after, limit=1_000):
        count, after = count + len(page), page[-1].id
    assert count == 10_000
    print(f"{len(seen)} events handled, {sum(attempts > '1' for _, attempts in seen)} of them again")


def test_two_tokens_are_accepted_during_rotation(serve: Serve, kind: str) -> None:
    served = serve()
    served.deliver("event-1", "event-2")
    for token in TOKENS:
        assert len(served.client(kind, token=token).lease()) == 1
    for token in ("unknown-worker-token", TOKENS[0][:20]):
        with pytest.raises(TokenRefused, match="lease: unauthorized"):
            served.client(kind, token=token).lease()


def test_wait_ends_by_event_timeout_or_cancel(serve: Serve, kind: str) -> None:
    served = serve()
    client = served.client(kind)
    leased = client.soon(lambda: client.lease(wait_ms=30_000))
    served.deliver("event-1")
    assert [event.key for event in leased.result(10)] == ["event-1"]

    began = time.monotonic()
    assert client.lease(wait_ms=300) == []
    assert time.monotonic() - began >= 0.3

    async def never(event: Any) -> None:
        pytest.fail(event.key)

    waiting = client.soon(lambda: client.run(never))
    time.sleep(0.2)
    client.inbox.stop()
    waiting.result(1)
    # The stopped wait must not receive the next event.
    time.sleep(0.2)
    served.deliver("event-2")
    assert [(event.key, event.attempts) for event in served.client(kind).lease(wait_ms=5_000)] == [("event-2", 1)]


def test_requested_kinds_come_with_all_fields(serve: Serve, kind: str) -> None:
    served = serve()
    served.deliver("first-1", "second-1")
    client = served.client(kind, kinds=["second"])
    (event,) = client.lease(10)
    assert (event.key, event.message_id, event.kind) == ("second-1", "m-second-1", "second")
    assert (event.attempts, event.failures, event.last_error) == (1, 0, None)
    assert event.payload == '{"id": "m-second-1", "object": "message", "event": "second"}'
    assert abs(event.received_at_ms / 1000 - time.time()) < 60
    shown = client.do(lambda: client.inbox.show_event(event.id))
    assert (shown.state, shown.payload, shown.first_id) == ("leased", event.payload, None)
    (other,) = client.do(lambda: client.inbox.list_events(kind="first"))
    assert (other.key, other.state) == ("first-1", "pending")
    with pytest.raises(InboxRefused, match="event 99: not-found"):
        client.do(lambda: client.inbox.show_event(99))
    with pytest.raises(InboxRefused, match="malformed") as caught:
        client.lease(101)
    assert caught.value.field == "limit"


def test_nack_stores_reason_and_can_be_final(serve: Serve, kind: str) -> None:
    served = serve()
    served.deliver("event-1")
    client = served.client(kind)
    (first,) = client.lease()
    assert client.do(lambda: first.nack("no 🎈" * 1_000, pause_ms=0, dead_after=2)) == "pending"
    (second,) = client.lease(wait_ms=5_000)
    assert (second.failures, second.attempts, len(second.last_error)) == (1, 2, 2_000)
    assert client.do(lambda: second.nack("half a pair \ud83c", dead_after=2)) == "dead"
    (dead,) = client.do(lambda: client.inbox.list_events(state="dead"))
    assert dead.last_error == "half a pair ?"


class Passage:
    """A proxy. `lose` discards the next reply, and `hold` discards all requests; both close the connection."""

    def __init__(self, url: str) -> None:
        self.lose = self.hold = False
        self._to = (urlsplit(url).hostname, urlsplit(url).port)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            threading.Thread(target=self._pass, args=self._listener.accept()[:1], daemon=True).start()

    def _pass(self, client: socket.socket) -> None:
        with client, socket.create_connection(self._to) as inbox:
            while True:
                for one in select.select([client, inbox], [], [])[0]:
                    data = one.recv(65536)
                    if not data or (one is client and self.hold):
                        return
                    if one is inbox and self.lose:
                        self.lose = False
                        return
                    (inbox if one is client else client).sendall(data)


def test_repeated_request_counts_once(serve: Serve, kind: str) -> None:
    served = serve()
    way = Passage(served.url)
    worker = served.client(kind, url=way.url)
    served.deliver("event-1", "event-2", "event-3")
    a, b, c = worker.lease(3)
    nack = (lambda: b.nack("no", pause_ms=600_000), "pending")
    for ask, answer in ((a.extend, None), (a.ack, None), nack, (c.release, None)):
        way.lose = True
        assert worker.do(ask) == answer
    assert [type(error) for error, _ in worker.errors] == [InboxUnavailable] * 4
    look = served.client(kind)
    after = [(event.state, event.failures, event.last_error) for event in look.do(look.inbox.list_events)]
    assert after == [("done", 0, None), ("pending", 1, "no"), ("pending", 0, None)]
    assert [event.key for event in look.lease(3)] == ["event-3"]


def test_expired_lease_is_lost_to_next_worker(serve: Serve, kind: str) -> None:
    served = serve()
    served.deliver("event-1", "event-2")
    client, other = served.client(kind, lease_ms=1_000), served.client(kind)
    late, lost = client.lease(2)
    time.sleep(1.2)
    client.do(late.ack)
    (theirs,) = other.lease(2)
    assert theirs.key == lost.key
    with pytest.raises(LeaseLost):
        client.do(lost.ack)
    assert lost.is_lost
    other.do(theirs.ack)


def test_handler_learns_of_another_lease(serve: Serve, kind: str) -> None:
    served = serve()
    way = Passage(served.url)
    served.deliver("event-1")
    client, other = served.client(kind, url=way.url, lease_ms=1_000), served.client("threads")

    def taken() -> bool:
        for event in other.lease():
            assert (event.key, event.attempts) == ("event-1", 2)
            event.ack()
            return True
        return False

    async def handle(event: Any) -> None:
        client.inbox.stop()
        # Discards the extensions until the lease has ended.
        way.hold = True
        try:
            await when(client, lambda: event.is_lost)
        finally:
            until(taken)
            way.hold = False

    client.run(handle)
    assert any(isinstance(error, LeaseLost) for error, _ in client.errors)
    assert [(event.state, event.failures) for event in other.inbox.list_events()] == [("done", 0)]


def test_workers_reconnect_to_restarted_inbox(serve: Serve, kind: str) -> None:
    first = serve()
    first.deliver("event-1")
    client = first.client(kind)
    seen: list[str] = []

    async def handle(event: Any) -> None:
        seen.append(event.key)
        if event.key == "event-1":
            first.process.kill()
            first.process.wait()
        else:
            client.inbox.stop()

    running = client.soon(lambda: client.run(handle))
    until(lambda: first.process.returncode is not None)
    second = serve(workers=urlsplit(first.url).netloc)
    second.deliver("event-2")
    running.result(20)
    assert seen == ["event-1", "event-2"]
    look = second.client(kind)
    assert [event.state for event in look.do(look.inbox.list_events)] == ["done", "done"]


def test_client_trusts_private_authority_of_inbox(
    serve: Serve, kind: str, tmp_path: Path
) -> None:
    authority = trustme.CA()
    issued = authority.issue_cert("localhost")
    issued.private_key_pem.write_to_path(tmp_path / "key")
    for part in issued.cert_chain_pems:
        part.write_to_path(tmp_path / "cert", append=True)
    tls = ssl.create_default_context()
    authority.configure_trust(tls)
    served = serve("--tls-cert", str(tmp_path / "cert"), "--tls-key", str(tmp_path / "key"), tls=tls)
    served.deliver("event-1")
    client = served.client(kind)
    (event,) = client.lease(wait_ms=5_000)
    client.do(event.ack)
    assert event.key == "event-1"
    with pytest.raises(InboxUnavailable, match="certificate is not accepted"):
        served.client(kind, tls=None, retry_timeout_ms=0).lease()
