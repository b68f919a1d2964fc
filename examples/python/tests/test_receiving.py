"""Tests the example receivers over HTTP."""

import gzip
import http.client
import os
import socket
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import partial
from importlib.util import find_spec
from pathlib import Path

import pytest

import receive
from messaging_plugin import Event
from messaging_plugin.proofs import Proofs

SECRET = "only-the-sender-knows"
BODY = b'{"id":"msg-1","object":"message","event":"message:in:new"}'
HEADERS = {
    "X-Webhook-Secret": SECRET,
    "X-Idempotency-Key": "evt-1",
    "Content-Type": "application/json",
}


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "inbox.sqlite"


@pytest.fixture(params=["http.server", "fastapi"])
def port(request: pytest.FixtureRequest, store: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    monkeypatch.setenv("MESSAGING_WEBHOOK_HEADER_SECRET", SECRET)
    monkeypatch.setenv("MESSAGING_WEBHOOK_STORE", str(store))
    serving = with_http_server if request.param == "http.server" else with_fastapi
    with serving(store) as port:
        yield port


@contextmanager
def with_http_server(store: Path) -> Iterator[int]:
    receiver = receive.Receiver(receive.Inbox(store), Proofs.from_variables(os.environ))
    with receive.server(("127.0.0.1", 0), receiver) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server.server_address[1]
        server.shutdown()
        thread.join()


@contextmanager
def with_fastapi(store: Path) -> Iterator[int]:
    if not (find_spec("fastapi") and find_spec("uvicorn")):
        pytest.skip("NOT RUN: fastapi is not installed; install '.[test,fastapi]'")
    import uvicorn

    import receive_fastapi

    with socket.create_server(("127.0.0.1", 0)) as listener:
        server = uvicorn.Server(uvicorn.Config(receive_fastapi.app(), log_level="warning"))
        thread = threading.Thread(target=server.run, args=([listener],))
        thread.start()
        yield listener.getsockname()[1]
        server.should_exit = True
        thread.join()


def deliver(port: int, body: bytes = BODY, **changes: str) -> int:
    return answer_to(port, body, **changes)[0]


def answer_to(port: int, body: bytes = BODY, **changes: str) -> tuple[int, str]:
    """Returns the status and the text of the answer to a delivery."""
    headers = HEADERS | {name.replace("_", "-"): value for name, value in changes.items()}
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=20)) as connection:
        connection.request("POST", "/", body, headers)
        answer = connection.getresponse()
        text = answer.read().decode()
        if answer.status == 503:
            assert answer.headers["Retry-After"]
        return answer.status, text


def rows(store: Path, table: str = "events") -> list[tuple[str, ...]]:
    if not store.exists():
        return []
    with closing(sqlite3.connect(store)) as database:
        return database.execute(f"select * from {table}").fetchall()


def test_event_is_kept_before_it_is_acknowledged(port: int, store: Path) -> None:
    assert deliver(port) == 200
    assert rows(store) == [("evt-1", "msg-1", BODY.decode())]


def test_redelivery_changes_nothing(port: int, store: Path) -> None:
    assert [deliver(port), deliver(port)] == [200, 200]
    assert len(rows(store)) == 1 and rows(store, "conflicts") == []


def test_conflicting_event_is_kept(port: int, store: Path) -> None:
    other = BODY.replace(b"msg-1", b"msg-2")
    assert [deliver(port), deliver(port, other), deliver(port, other)] == [200, 200, 200]
    assert rows(store) == [("evt-1", "msg-1", BODY.decode())]
    assert rows(store, "conflicts") == [("evt-1", other.decode())]


def test_commit_syncs_directory_of_store(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    levels: list[int] = []

    class Recorded(sqlite3.Connection):
        def close(self) -> None:
            levels.append(self.execute("pragma synchronous").fetchone()[0])
            super().close()

    monkeypatch.setattr(sqlite3, "connect", partial(sqlite3.connect, factory=Recorded))
    receive.Inbox(store).put(Event("evt-1", "msg-1", "message:in:new", "{}"))
    assert levels == [3]


def test_unverified_delivery_stores_nothing(port: int, store: Path) -> None:
    assert deliver(port, X_Webhook_Secret="another-secret-of-it") == 401
    assert deliver(port, b"malformed", X_Webhook_Secret="") == 401
    assert rows(store) == []


@pytest.mark.parametrize("body", [b"", b"{", b"\xff", BODY.replace(b"object", b"subject")])
def test_malformed_delivery_is_refused(port: int, store: Path, body: bytes) -> None:
    assert deliver(port, body) == 400
    assert rows(store) == []


def test_encoded_body_is_unsupported(port: int, store: Path) -> None:
    for coding, shown in [("gzip", "gzip"), ("g\xe9" + "z" * 60, "g?" + "z" * 38)]:
        status, text = answer_to(port, gzip.compress(BODY), Content_Encoding=coding)
        assert (status, text) == (415, f"unsupported Content-Encoding: {shown}; use identity")
    assert deliver(port, gzip.compress(BODY), Content_Encoding="gzip", X_Webhook_Secret="") == 401
    assert rows(store) == []
    assert deliver(port, Content_Encoding="Identity") == 200


def test_body_over_cap_is_refused(port: int) -> None:
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=20)) as connection:
        connection.putrequest("POST", "/")
        connection.putheader("Content-Length", str(receive.MAX_BODY_BYTES + 1))
        connection.endheaders()
        assert connection.getresponse().status == 413


def test_failing_store_acknowledges_nothing(
    port: int, store: Path
) -> None:
    store.write_bytes(b"this is no database" * 100)
    assert deliver(port) == 503
    store.unlink()
    assert deliver(port) == 200
    assert len(rows(store)) == 1


def test_permanently_rejected_event_gets_status_422(
    port: int, store: Path
) -> None:
    rule = "idempotency_key text primary key, message_id text, json text check (length(json) < 60)"
    with closing(sqlite3.connect(store)) as database:
        database.execute(f"create table events ({rule})")
    assert deliver(port, BODY.replace(b"msg-1", b"msg-" + b"1" * 60)) == 422
    assert (rows(store), rows(store, "conflicts")) == ([], [])
    assert deliver(port) == 200


def test_concurrent_deliveries_are_stored_once(port: int, store: Path) -> None:
    statuses: list[int] = []
    threads = [threading.Thread(target=lambda: statuses.append(deliver(port))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert statuses == [200] * 8
    assert len(rows(store)) == 1
