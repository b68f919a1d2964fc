"""Tests `send_once` with each kind of journal, in threads and in tasks. The simulated service's ledger shows which
messages were created."""

import asyncio
import json
import os
import random
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

import peers
from conftest import KEY, ROOT, Service, Unprintable, ended, forked, forks, ignores_forks
from messaging_plugin import (
    CreatedMessage,
    ExecutionFailed,
    InvalidInput,
    InvalidSettings,
    NotSent,
    Other,
    OutcomeUnknown,
    Plugin,
    Refused,
    Retry,
    Settings,
    Unavailable,
    Variables,
)
from messaging_plugin import records as plugin_records
from messaging_plugin.component import Crash, Plugged
from messaging_plugin.once import (
    Busy,
    Created,
    EntryState,
    HttpJournal,
    Item,
    Journal,
    JournalFailure,
    JournalUnusable,
    KeyForgotten,
    KeyReused,
    NotCreated,
    NotRecorded,
    Once,
    Page,
    SqliteJournal,
    Stale,
    Wait,
    check_journal,
    wit,
)
from messaging_plugin.once.errors import exception

PHONE = "+34600111222"
CLOSES = "+99900002000"
REFUSED = "+99900000422"
DEADLINES: Any = json.loads((ROOT / "guest/core/tests/deadline_cases.json").read_text())


class InMemory:
    """A journal in memory. Calls `before` before each function."""

    def __init__(self, before: Callable[[], None] = lambda: None) -> None:
        self.texts: dict[str, str] = {}
        self.before = before

    def get(self, key: str) -> str | None:
        self.before()
        return self.texts.get(key)

    def swap(self, key: str, expected: str | None, text: str) -> Stale | None:
        self.before()
        found = self.texts.get(key)
        if found != expected:
            return Stale(found)
        self.texts[key] = text
        return None

    def list_items(self, after: str | None) -> Page:
        self.before()
        return Page(tuple(Item(key, text) for key, text in self.texts.items()), None)


class Client:
    """A client for which every send has the outcome of `ends()`."""

    deadline_ms = 100

    def __init__(self, ends: Callable[[], Any]) -> None:
        self.ends = ends

    def send_message(self, *_: object) -> CreatedMessage:
        made: CreatedMessage = self.ends()
        return made

    async def asend_message(self, *_: object) -> CreatedMessage:
        return self.send_message()


def raising(error: BaseException) -> Client:
    def ends() -> None:
        raise error

    return Client(ends)


@pytest.mark.parametrize("is_async", [False, True])
def test_deadline_of_once_ends_send(is_async: bool) -> None:
    gate = threading.Event()
    with peers.peer(peers.silence_until(gate)) as peer:
        plugin = Plugin(Settings(peer.base_url, KEY, deadline_ms=600_000))
        client = Once(plugin, InMemory(), deadline_ms=200)
        with pytest.raises(OutcomeUnknown):
            asyncio.run(client.asend_once("k", PHONE, "hi")) if is_async else client.send_once("k", PHONE, "hi")
        gate.set()


def test_journal_in_memory_passes_journal_suite() -> None:
    journal = InMemory()
    check_journal(lambda: journal)


class Overwriting(InMemory):
    """A journal whose swap ignores the value."""

    def swap(self, key: str, expected: str | None, text: str) -> Stale | None:
        self.texts[key] = text
        return None


class InTwoSteps(InMemory):
    """A journal whose swap is not atomic. Two callers that race read before one of them writes."""

    def __init__(self) -> None:
        super().__init__()
        self.has_read = threading.Barrier(2)

    def swap(self, key: str, expected: str | None, text: str) -> Stale | None:
        found = self.texts.get(key)
        if "race" in key:
            self.has_read.wait(30)
        if found != expected:
            return Stale(found)
        self.texts[key] = text
        return None


class OfOnePage(InMemory):
    """A journal that lists only its first page."""

    def list_items(self, after: str | None) -> Page:
        return Page(super().list_items(after).items[:500], None)


class InLowerCase(InMemory):
    """A journal whose keys ignore case."""

    def get(self, key: str) -> str | None:
        return super().get(key.lower())

    def swap(self, key: str, expected: str | None, text: str) -> Stale | None:
        return super().swap(key.lower(), expected, text)


@pytest.mark.parametrize("kind", [Overwriting, InTwoSteps, OfOnePage, InLowerCase])
def test_journal_suite_names_broken_promise(kind: type[InMemory]) -> None:
    journal = kind()
    with pytest.raises(AssertionError, match="^journal suite: "):
        check_journal(lambda: journal)
    with pytest.raises(AssertionError, match="a swap is visible to every client"):
        check_journal(InMemory)


@pytest.mark.parametrize("in_tasks", [False, True])
def test_only_one_of_many_calls_sends(
    plugin: Plugin, service: Service, tmp_path: Path, in_tasks: bool
) -> None:
    once = Once(plugin, SqliteJournal(tmp_path / "journal.sqlite"))

    async def at_once() -> list[Any]:
        return await asyncio.gather(*[once.asend_once("k", PHONE, "hi there") for _ in range(16)])

    before = len(service.ledger()["messages"])
    if in_tasks:
        made = asyncio.run(at_once())
    else:
        with ThreadPoolExecutor(16) as threads:
            made = list(threads.map(lambda _: once.send_once("k", PHONE, "hi there"), range(16)))
    assert len({one.id for one in made}) == 1
    assert sum(not one.replayed for one in made) == 1
    assert len(service.ledger()["messages"]) == before + 1
    entry = once.look_up("k")
    assert entry and (entry.state, entry.attempts, entry.resolutions) == (EntryState.CREATED, 1, ())
    assert "hi there" not in str(SqliteJournal(tmp_path / "journal.sqlite").get("k"))


def test_client_exceptions_are_raised_and_proof_frees_key(
    plugin: Plugin, service: Service
) -> None:
    journal = InMemory()
    once = Once(plugin, journal)
    with pytest.raises(Refused) as refused:
        once.send_once("k", REFUSED, "hi")
    assert refused.value.payload.status == 422
    entry = once.look_up("k")
    assert entry and entry.state is EntryState.NOT_CREATED
    said = NotSent(plugin_records.NotSent("no route"), "send-message")
    with pytest.raises(NotSent) as caught:
        Once(raising(said), journal).send_once("other", PHONE, "hi")
    assert caught.value is said
    closed = plugin.with_settings(service.settings())
    closed.close()
    with pytest.raises(RuntimeError, match="closed"):
        Once(closed, journal).send_once("other", PHONE, "hi")
    assert not once.send_once("other", PHONE, "hi").replayed


def test_key_belongs_to_one_base_url(plugin: Plugin, loaded: Plugin) -> None:
    journal = InMemory()
    created = Once(plugin, journal).send_once("order-17", PHONE, "hi")
    elsewhere = loaded.with_settings(Settings("http://127.0.0.1:1", "another-key"))
    with pytest.raises(KeyReused):
        Once(elsewhere, journal).send_once("order-17", PHONE, "hi")
    again = Once(plugin, journal).send_once("order-17", PHONE, "hi")
    assert (again.id, again.replayed) == (created.id, True)


def test_unknown_outcome_stays_until_resolved(plugin: Plugin) -> None:
    once = Once(plugin, InMemory())
    for _ in range(2):
        with pytest.raises(OutcomeUnknown) as unknown:
            once.send_once("k", CLOSES, "hi")
        assert unknown.value.may_exist
    once.resolve("k", 1, Created("msg-7"), by="Ada", reason="looked")
    found = once.send_once("k", CLOSES, "hi")
    assert (found.id, found.json, found.replayed, found.recorded) == ("msg-7", None, True, True)
    entry = once.look_up("k")
    assert entry
    (made,) = entry.resolutions
    assert (made.resolution.found, made.resolution.by) == (Created("msg-7"), "Ada")
    with pytest.raises(KeyReused) as reused:
        once.send_once("k", PHONE, "hi")
    assert not reused.value.may_exist and reused.value.retry is Retry.NEVER
    once.forget("k")
    with pytest.raises(KeyForgotten):
        once.send_once("k", CLOSES, "hi")
    assert [one.state for one in once.list_entries().entries] == [EntryState.FORGOTTEN]
    with pytest.raises(OutcomeUnknown):
        once.send_once("other", "+99900000500", "hi")
    once.resolve("other", 1, NotCreated(), by="Ada", reason="looked")
    entry = once.look_up("other")
    assert entry and entry.resolutions[0].resolution.found == NotCreated()


def unprintable() -> CreatedMessage:
    raise Unprintable


@pytest.mark.parametrize(
    "ends",
    [
        lambda: None,
        lambda: CreatedMessage(7, "{}"),  # type: ignore[arg-type]
        lambda: CreatedMessage("\ud800", "{}"),
        lambda: 1 / 0,
        unprintable,
    ],
)
def test_unknown_exception_leaves_outcome_unknown(ends: Callable[[], Any]) -> None:
    once = Once(Client(ends), InMemory())
    with pytest.raises(OutcomeUnknown):
        once.send_once("k", PHONE, "hi")
    with pytest.raises(OutcomeUnknown):
        asyncio.run(once.asend_once("other", PHONE, "hi"))


def test_overridden_send_message_is_called() -> None:
    class Own(Plugin):
        def send_message(self, *_: Any, **__: Any) -> CreatedMessage:
            return CreatedMessage("own", "{}")

        async def asend_message(self, *_: Any, **__: Any) -> CreatedMessage:
            return CreatedMessage("own", "{}")

    once = Once(Own(Settings("http://127.0.0.1:9", KEY)), InMemory())
    assert once.send_once("k", PHONE, "hi").id == "own"
    assert asyncio.run(once.asend_once("other", PHONE, "hi")).id == "own"


def test_only_call_is_over_leaves_outcome_unknown() -> None:
    with pytest.raises(Other) as missing:
        Once(raising(AssertionError()), InMemory()).resolve("k", 1, NotCreated(), by="Ada", reason="looked")
    assert missing.value.payload.code == "no-entry"
    assert not missing.value.may_exist and missing.value.retry is Retry.NEVER
    over = plugin_records.Other("call-is-over", "the call is over", None)
    assert exception("permanent-other", over, None, "send-once").may_exist  # type: ignore[attr-defined]


def test_invalid_input_frees_key_for_corrected_request(plugin: Plugin, service: Service) -> None:
    once = Once(plugin, InMemory())
    with pytest.raises(InvalidInput):
        once.send_once("k", "600 111 222", "hi")
    assert not once.send_once("k", "+34 600 111 222", "hi").replayed
    # Another spelling of the phone number does not change the request.
    assert once.send_once("k", "+34600111222", "hi").replayed
    with pytest.raises(KeyReused):
        once.send_once("k", "+34600111223", "hi")
    assert len(service.ledger()["messages"]) == 1


def test_wrong_input_after_send_leaves_outcome_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    sent = list[str]()

    def ends() -> CreatedMessage:
        sent.append("k")
        return CreatedMessage("msg-1", "{}")

    once = Once(Client(ends), InMemory())
    perform = once._ask
    monkeypatch.setattr(once, "_ask", lambda key, step: wit.Woke() if sent else perform(key, step))
    with pytest.raises(OutcomeUnknown) as unknown:
        once.send_once("k", PHONE, "hi")
    assert unknown.value.may_exist


@forks
@ignores_forks
def test_process_copies_claim_different_attempts(tmp_path: Path) -> None:
    journal = SqliteJournal(tmp_path / "journal.sqlite")
    once = Once(Client(lambda: CreatedMessage("msg-1", "{}")), journal)
    state = random.getstate()

    def claim(key: str) -> None:
        # A copy of a virtual machine also copies the random state of its processes.
        random.setstate(state)
        assert once.send_once(key, PHONE, "hi").recorded

    assert ended(forked(lambda: claim("fork"))) == 0
    for key in ("copy", "original"):
        claim(key)
    entries = [json.loads(str(journal.get(key)))["entry"] for key in ("fork", "copy", "original")]
    assert len({entry["attempt"]["name"] for entry in entries}) == 3
    assert len({entry["digest"]["salt"] for entry in entries}) == 3


def failing(error: Exception, first: int) -> Journal:
    calls = 0

    def before() -> None:
        nonlocal calls
        calls += 1
        if calls >= first:
            raise error

    return InMemory(before)


def test_journal_failure_prevents_send_or_is_reported(plugin: Plugin, service: Service) -> None:
    gone, refused = OSError("it went away"), JournalFailure("no table", refused=True)
    before = len(service.ledger()["requests"])
    with pytest.raises(Unavailable):
        Once(plugin, failing(gone, 1)).send_once("k", PHONE, "hi")
    with pytest.raises(JournalUnusable):
        Once(plugin, failing(refused, 1)).send_once("k", PHONE, "hi")
    with pytest.raises(JournalUnusable):
        Once(plugin, failing(refused, 1)).look_up("k")
    assert len(service.ledger()["requests"]) == before
    assert not Once(plugin, failing(refused, 2)).send_once("k", PHONE, "hi").recorded
    with pytest.raises(NotRecorded) as lost:
        Once(plugin, failing(refused, 2)).send_once("k", REFUSED, "hi")
    assert lost.value.payload.error == "permanent-refused"


def test_active_sender_blocks_others_for_one_deadline(plugin: Plugin) -> None:
    journal = InMemory()

    async def both() -> None:
        answer: asyncio.Future[CreatedMessage] = asyncio.get_running_loop().create_future()

        class Slow(Client):
            async def asend_message(self, *_: object) -> CreatedMessage:
                return await answer

        once = Once(Slow(lambda: None), journal)
        sending = asyncio.create_task(once.asend_once("k", PHONE, "hi"))
        while "k" not in journal.texts:
            await asyncio.sleep(0)
        with pytest.raises(Busy) as busy:
            await once.asend_once("k", PHONE, "hi")
        assert busy.value.retry is Retry.SAFE and busy.value.retry_after_ms
        answer.set_result(CreatedMessage("msg-1", "{}"))
        assert (await sending).id == "msg-1"

    asyncio.run(both())


def test_waiting_call_reports_its_reason() -> None:
    journal, waits = InMemory(), list[Wait]()
    gate, is_sending = threading.Event(), threading.Event()

    def ends() -> CreatedMessage:
        is_sending.set()
        gate.wait()
        return CreatedMessage("msg-1", "{}")

    with ThreadPoolExecutor(1) as threads:
        sending = threads.submit(Once(Client(ends), journal).send_once, "k", PHONE, "hi")
        is_sending.wait()
        with pytest.raises(Busy):
            Once(raising(AssertionError()), journal, on_wait=waits.append).send_once("k", PHONE, "hi")
        gate.set()
        assert sending.result().id == "msg-1"
    assert waits[0] == Wait("k", "sender", "another sender holds the key")
    waits.clear()

    def wait(reported: Wait) -> None:
        waits.append(reported)
        raise RuntimeError("ignored")

    failures: list[Exception] = [OSError("it went away")]

    def before() -> None:
        if failures:
            raise failures.pop()

    once = Once(Client(lambda: CreatedMessage("msg-1", "{}")), InMemory(before), on_wait=wait)
    assert once.send_once("k", PHONE, "hi").recorded
    assert waits[0].reason == "journal" and "it went away" in waits[0].detail


@pytest.mark.parametrize("given", [*DEADLINES["invalid"], "9" * 5000, 0, 600_001, True])
def test_deadline_that_is_not_plain_digits_is_rejected(loaded: Plugin, given: str | int) -> None:
    plugin = loaded.with_settings(Variables({"MESSAGING_DEADLINE_MS": str(given)}))
    with pytest.raises(InvalidSettings):
        Once(plugin, InMemory())
    with pytest.raises(InvalidSettings):
        Once(raising(AssertionError()), InMemory(), deadline_ms=given)  # type: ignore[arg-type]


@pytest.mark.parametrize(("given", "expected"), [*DEADLINES["valid"].items(), ("0" * 50 + "600", 600)])
def test_deadline_of_plain_digits_is_read(loaded: Plugin, given: str, expected: int) -> None:
    assert loaded.with_settings(Variables({"MESSAGING_DEADLINE_MS": given})).deadline_ms == expected
    assert loaded.with_settings(Variables({})).deadline_ms is None


def test_client_and_journal_must_have_their_methods(plugin: Plugin) -> None:
    with pytest.raises(TypeError, match="pass a Plugin"):
        Once(Variables({}), InMemory())  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="pass a SqliteJournal"):
        Once(plugin, "journal.sqlite")  # type: ignore[arg-type]


def test_repeated_call_after_crash_reports_state(
    plugin: Plugin, monkeypatch: pytest.MonkeyPatch
) -> None:
    once = Once(plugin, InMemory())
    plain, steps = Plugged.next, 0

    def crashing(self: Plugged, resource: Any, call: int, *inputs: Any) -> Any:
        nonlocal steps
        steps += resource.name == "call"
        if steps == 3:
            raise Crash("unreachable")
        return plain(self, resource, call, *inputs)

    monkeypatch.setattr(Plugged, "next", crashing)
    with pytest.raises(ExecutionFailed) as crashed:
        once.send_once("k", PHONE, "hi")
    assert crashed.value.may_exist and crashed.value.retry is Retry.SAFE
    monkeypatch.setattr(Plugged, "next", plain)
    entry = once.look_up("k")
    assert entry and entry.state is EntryState.SENDING


def test_wrong_arguments_are_reported_before_journal() -> None:
    once = Once(raising(AssertionError()), failing(AssertionError(), 1))
    for key in ("", "a b", "é", "\ud800"):
        with pytest.raises(InvalidInput):
            once.send_once(key, PHONE, "hi")
    with pytest.raises(TypeError):
        once.send_once(17, PHONE, "hi")  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        once.send_once("k", PHONE, None)  # type: ignore[arg-type]
    with pytest.raises(InvalidInput):
        once.resolve("k", 1, NotCreated(), by="", reason="looked")


def test_file_journal_is_shared_with_command_line(
    plugin: Plugin, service: Service, host_test: Path, tmp_path: Path
) -> None:
    file = tmp_path / "journal.sqlite"
    once = Once(plugin, SqliteJournal(file))
    ours = once.send_once("ours", PHONE, "hi")
    env = {
        "MESSAGING_BASE_URL": service.base_url,
        "MESSAGING_API_KEY": KEY,
        "MESSAGING_ONCE_JOURNAL": str(file),
    }

    def send(key: str) -> Any:
        command = [str(host_test), "send", "--json", "--once", key, "--phone", PHONE, "--message", "hi"]
        return json.loads(subprocess.run(command, env=env, capture_output=True, check=True).stdout)["ok"]

    assert (send("ours")["id"], send("ours")["replayed"]) == (ours.id, True)
    assert send("theirs")["replayed"] is False
    assert once.send_once("theirs", PHONE, "hi").replayed
    assert [entry.key for entry in once.list_entries().entries] == ["ours", "theirs"]


TOKEN = "token-of-senders-only"
WORKER = Path(__file__).parents[1] / "once_worker.py"


@pytest.fixture
def keeper(host_test: Path, tmp_path: Path) -> Iterator[str]:
    """Yields the URL of a server with a journal."""
    command = [str(host_test), "serve", "--json", "--listen", "127.0.0.1:0", "--workers", "127.0.0.1:0"]
    command += ["--store", str(tmp_path / "inbox.sqlite"), "--journal", str(tmp_path / "journal.sqlite")]
    env = os.environ | {"MESSAGING_JOURNAL_TOKENS": TOKEN, "RUST_LOG": "off"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=env) as process:
        assert process.stdout is not None
        try:
            yield json.loads(process.stdout.readline())["workers"]
        finally:
            process.kill()


def test_http_journal_uses_file_of_server(
    plugin: Plugin, service: Service, keeper: str, tmp_path: Path
) -> None:
    before = len(service.ledger()["messages"])
    once = Once(plugin, HttpJournal(keeper, TOKEN))
    with ThreadPoolExecutor(16) as threads:
        made = list(threads.map(lambda _: once.send_once('a/../"key', PHONE, "hi"), range(16)))
    assert sum(not one.replayed for one in made) == 1
    assert len(service.ledger()["messages"]) == before + 1
    in_file = SqliteJournal(tmp_path / "journal.sqlite")
    assert "created" in str(in_file.get('a/../"key'))
    check_journal(lambda: HttpJournal(keeper, TOKEN))
    journal = HttpJournal(keeper, TOKEN)
    for call in (
        lambda: journal.swap("k", None, "x" * 65_537),
        lambda: journal.get(""),
        lambda: HttpJournal(keeper, "another").get("k"),
    ):
        with pytest.raises(JournalFailure) as failure:
            call()
        assert failure.value.refused, failure.value
    journal.close()


@pytest.mark.parametrize(
    ("status", "body", "refused"),
    [
        (200, '{"swapped":"true"}', False),
        (200, '{"swapped":1}', False),
        (200, '{"swapped":false}', False),
        (200, "<html>", False),
        (200, '{"swapped":true,"x":"' + "x" * 4 * 1024 * 1024 + '"}', False),
        (302, "", False),
        (503, '{"detail":"later"}', False),
        (404, '{"detail":"no journal for ' + TOKEN + '"}', True),
        (401, "", True),
        (422, "", True),
    ],
)
def test_only_clear_rejection_proves_no_write(
    status: int, body: str, refused: bool
) -> None:
    class Answer(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["content-length"]))
            self.send_response(status)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body.encode())

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Answer) as server:
        threading.Thread(target=server.handle_request, daemon=True).start()
        with pytest.raises(JournalFailure) as failure:
            HttpJournal(f"http://127.0.0.1:{server.server_port}", TOKEN).swap("k", None, "x")
    assert failure.value.refused is refused, failure.value
    assert TOKEN not in str(failure.value)


def test_missing_server_leaves_write_uncertain() -> None:
    with pytest.raises(JournalFailure) as failure:
        HttpJournal("http://127.0.0.1:1", TOKEN).swap("k", None, "x")
    assert not failure.value.refused
    for url in ("http://journal.example", "https://a:b@journal.example", "journal"):
        with pytest.raises(ValueError, match="url"):
            HttpJournal(url, TOKEN)


@pytest.mark.parametrize("more", [(), pytest.param(("--asyncio",), marks=pytest.mark.slow)])
def test_http_journal_passes_suite(
    verify: Path, keeper: str, more: tuple[str, ...]
) -> None:
    env = os.environ | {"JOURNAL_TOKEN": TOKEN}
    command = [str(verify), "conform", "--json", "--journal", keeper, "--worker", sys.executable, str(WORKER), *more]
    done = subprocess.run(command, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert len(json.loads(done.stdout)["cases"]) == 17
