"""A send that may be repeated: over journals of each kind, in threads and in tasks, judged by the simulated service's
ledger."""

import asyncio
import ctypes
import json
import multiprocessing
import os
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

from conftest import KEY, Service
from messaging_plugin import (
    CreatedMessage,
    ExecutionFailed,
    InvalidInput,
    NotSent,
    OutcomeUnknown,
    Plugin,
    Refused,
    Retry,
    Unavailable,
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
)

PHONE = "+34600111222"
CLOSES = "+99900002000"
REFUSED = "+99900000422"


class InMemory:
    """A journal in memory, that calls `before` first."""

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
    """A client whose every message ends so."""

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


@pytest.mark.parametrize("in_tasks", [False, True])
def test_of_calls_under_one_key_one_sends_and_the_others_are_answered_from_the_journal(
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


def test_the_exceptions_of_the_client_are_handed_over_and_free_the_key_where_nothing_was_created(
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


def test_what_nobody_knows_stays_unknown_until_somebody_says_what_the_service_has(plugin: Plugin) -> None:
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


@pytest.mark.parametrize(
    "ends",
    [
        lambda: None,
        lambda: CreatedMessage(7, "{}"),  # type: ignore[arg-type]
        lambda: CreatedMessage("\ud800", "{}"),
        lambda: 1 / 0,
    ],
)
def test_a_client_that_ends_otherwise_leaves_the_outcome_unknown(ends: Callable[[], Any]) -> None:
    once = Once(Client(ends), InMemory())
    with pytest.raises(OutcomeUnknown):
        once.send_once("k", PHONE, "hi")
    with pytest.raises(OutcomeUnknown):
        asyncio.run(once.asend_once("other", PHONE, "hi"))


def failing(error: Exception, first: int) -> Journal:
    calls = 0

    def before() -> None:
        nonlocal calls
        calls += 1
        if calls >= first:
            raise error

    return InMemory(before)


def test_a_journal_without_an_answer_lets_nothing_be_sent_and_does_not_hide_what_came(plugin: Plugin, service: Service) -> None:
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


def test_a_sender_that_is_at_work_keeps_others_waiting_for_one_deadline(plugin: Plugin) -> None:
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


def test_after_a_crash_of_the_component_the_same_call_says_what_is_known(
    plugin: Plugin, monkeypatch: pytest.MonkeyPatch
) -> None:
    once = Once(plugin, InMemory())
    plain, steps = Plugged.next, 0

    def crashing(self: Plugged, resource: Any, call: int, *told: Any) -> Any:
        nonlocal steps
        steps += resource.name == "call"
        if steps == 3:
            raise Crash("unreachable")
        return plain(self, resource, call, *told)

    monkeypatch.setattr(Plugged, "next", crashing)
    with pytest.raises(ExecutionFailed) as crashed:
        once.send_once("k", PHONE, "hi")
    assert crashed.value.may_exist and crashed.value.retry is Retry.SAFE
    monkeypatch.setattr(Plugged, "next", plain)
    entry = once.look_up("k")
    assert entry and entry.state is EntryState.SENDING


def test_wrong_arguments_are_said_before_the_journal_is_asked() -> None:
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


def test_the_journal_in_a_file_is_that_of_the_command_line(
    plugin: Plugin, service: Service, host_test: Path, tmp_path: Path
) -> None:
    file = tmp_path / "journal.sqlite"
    once = Once(plugin, SqliteJournal(file))
    ours = once.send_once("ours", PHONE, "hi")
    assert file.stat().st_mode & 0o777 == 0o600
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


def test_a_file_that_is_no_journal_is_left_as_it_is_and_one_that_goes_away_is_missed(tmp_path: Path) -> None:
    sqlite3.connect(tmp_path / "other.sqlite").execute("CREATE TABLE t (a)").connection.close()
    (tmp_path / "text").write_text("this is a text and no database, however long it is made to be " * 20)
    (tmp_path / "gone.sqlite-wal").write_text("a log")
    for name in ("other.sqlite", "text", "gone.sqlite", ".", "no/such/folder"):
        with pytest.raises(JournalFailure) as failure:
            SqliteJournal(tmp_path / name)
        assert failure.value.refused, failure.value
    file = tmp_path / "journal.sqlite"
    journal = SqliteJournal(file)
    assert journal.swap("k", None, "one") is None
    assert journal.swap("k", None, "two") == Stale("one")
    file.unlink()
    Path(f"{file}-wal").unlink()
    with pytest.raises(JournalFailure) as failure:
        journal.get("k")
    assert failure.value.refused
    journal.close()


def wins(file: Path) -> int:
    journal = SqliteJournal(file, timeout_ms=20_000)
    return sum(journal.swap(str(key), None, str(os.getpid())) is None for key in range(200))


def test_of_swaps_at_once_in_several_processes_one_changes_a_text(tmp_path: Path) -> None:
    with multiprocessing.get_context("spawn").Pool(3) as pool:
        assert sum(pool.map(wins, [tmp_path / "journal.sqlite"] * 3)) == 200


def forked(work: Callable[[], None]) -> int:
    """A process that is forked to do this."""
    child = os.fork()
    if child == 0:
        ended = 1
        try:
            work()
            ended = 0
        finally:
            os._exit(ended)
    return child


def ended(child: int) -> int:
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


@pytest.mark.filterwarnings("ignore:.*use of fork:DeprecationWarning")
@pytest.mark.skipif(not hasattr(os, "fork"), reason="there are no forks here")
@pytest.mark.parametrize("used", [False, True], ids=["after the parent has closed", "before it as well"])
def test_what_a_fork_has_noted_is_found_by_others_after_its_parent_has_closed(tmp_path: Path, used: bool) -> None:
    file = tmp_path / "journal.sqlite"
    journal = SqliteJournal(file)
    journal.swap("parent", None, "1")
    is_used, uses = os.pipe()
    is_closed, closes = os.pipe()

    def work() -> None:
        if used:
            journal.swap("early", None, "1")
        os.write(uses, b".")
        os.read(is_closed, 1)
        for key in ("one", "two"):
            assert journal.swap(key, None, "1") is None
        # Another process, on the same file.
        again = [sys.executable, "-c", f"""if True:
            from messaging_plugin.once import SqliteJournal
            journal = SqliteJournal({str(file)!r})
            assert all(journal.get(key) == "1" for key in ("parent", "one", "two"))
            assert journal.swap("three", None, "1") is None
            journal.close()"""]
        subprocess.run(again, check=True)
        assert journal.get("three") == "1"

    child = forked(work)
    os.read(is_used, 1)
    journal.close()
    os.write(closes, b".")
    assert ended(child) == 0
    kept = SqliteJournal(file)
    assert [kept.get(key) for key in ("parent", "one", "two", "three")] == ["1"] * 4
    for end in (is_used, uses, is_closed, closes):
        os.close(end)


@pytest.mark.filterwarnings("ignore:.*use of fork:DeprecationWarning")
@pytest.mark.skipif(sys.platform != "linux", reason="the C library has another name here")
def test_a_fork_that_python_does_not_know_of_uses_no_journal_of_its_parent(tmp_path: Path) -> None:
    file = tmp_path / "journal.sqlite"
    journal = SqliteJournal(file)
    child = ctypes.PyDLL(None).fork()
    if child == 0:
        refused = 0
        try:
            for use in (lambda: journal.get("k"), lambda: SqliteJournal(file)):
                try:
                    use()
                except JournalFailure as failure:
                    refused += failure.refused
            SqliteJournal(tmp_path / "other.sqlite").swap("k", None, "1")
        finally:
            os._exit(refused)
    assert ended(child) == 2
    assert journal.swap("k", None, "1") is None


@pytest.mark.filterwarnings("ignore:.*use of fork:DeprecationWarning")
@pytest.mark.skipif(not hasattr(os, "fork"), reason="there are no forks here")
def test_forks_of_a_process_whose_threads_note_much_go_on(tmp_path: Path) -> None:
    journal = SqliteJournal(tmp_path / "journal.sqlite", timeout_ms=30_000)
    is_over = threading.Event()

    def note(thread: int) -> int:
        count = 0
        while not is_over.is_set():
            assert journal.swap(f"thread-{thread}-{count}", None, "1") is None
            count += 1
        return count

    def work() -> None:
        for key in range(20):
            assert journal.swap(f"fork-{os.getpid()}-{key}", None, "1") is None

    with ThreadPoolExecutor(3) as threads:
        counts = [threads.submit(note, thread) for thread in range(3)]
        ends = [ended(forked(work)) for _ in range(8)]
        is_over.set()
    assert ends == [0] * 8
    noted, after = 0, None
    while True:
        found = journal.list_items(after)
        noted += len(found.items)
        if (after := found.next) is None:
            break
    assert noted == sum(count.result() for count in counts) + 8 * 20


@pytest.mark.filterwarnings("ignore:.*use of fork:DeprecationWarning")
@pytest.mark.skipif(not hasattr(os, "fork"), reason="there are no forks here")
def test_forks_of_a_process_whose_threads_make_journals_go_on(tmp_path: Path) -> None:
    is_over = threading.Event()

    def make(thread: int) -> None:
        number = 0
        while not is_over.is_set():
            journal = SqliteJournal(tmp_path / f"{thread}-{number}.sqlite", timeout_ms=30_000)
            assert journal.swap("k", None, "1") is None
            journal.close()
            number += 1

    def work() -> None:
        journal = SqliteJournal(tmp_path / "of the forks.sqlite", timeout_ms=30_000)
        assert journal.swap(str(os.getpid()), None, "1") is None

    with ThreadPoolExecutor(3) as threads:
        made = [threads.submit(make, thread) for thread in range(3)]
        ends = [ended(forked(work)) for _ in range(12)]
        is_over.set()
    assert ends == [0] * 12
    assert [thread.result() for thread in made] == [None] * 3


@pytest.mark.filterwarnings("ignore:.*use of fork:DeprecationWarning")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.skipif(not hasattr(os, "fork"), reason="there are no forks here")
def test_a_fork_that_a_signal_breaks_off_leaves_no_journal_closed_to_its_threads(tmp_path: Path) -> None:
    held, journals = tmp_path / "held.sqlite", [SqliteJournal(tmp_path / f"{n}.sqlite") for n in range(4)]
    last = SqliteJournal(held, timeout_ms=5_000)
    # Another connection, as of another process, has the file, so that a thread waits in a transaction.
    other = sqlite3.connect(held, isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    waiting = threading.Thread(target=last.swap, args=("k", None, "1"))
    waiting.start()

    def interrupt(*_: object) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, 0.3)
    try:
        # The hooks' exceptions are reported, and the fork goes on.
        child = forked(lambda: None)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        other.execute("ROLLBACK")
        waiting.join()
    assert ended(child) == 0
    for journal in [*journals, last]:
        assert journal.swap("after", None, "1") is None


def test_threads_that_make_one_journal_at_once_all_have_it(tmp_path: Path) -> None:
    with ThreadPoolExecutor(4) as threads:
        for number in range(50):
            file = tmp_path / f"{number}.sqlite"
            for journal in list(threads.map(lambda _, file=file: SqliteJournal(file), range(4))):
                assert journal.get("k") is None
                journal.close()


TOKEN = "token-of-senders-and-nobody-else"
WORKER = Path(__file__).parents[1] / "once_worker.py"


@pytest.fixture
def keeper(host_test: Path, tmp_path: Path) -> Iterator[str]:
    """A server that keeps a journal."""
    command = [str(host_test), "serve", "--json", "--listen", "127.0.0.1:0", "--workers", "127.0.0.1:0"]
    command += ["--store", str(tmp_path / "inbox.sqlite"), "--journal", str(tmp_path / "journal.sqlite")]
    env = os.environ | {"MESSAGING_JOURNAL_TOKENS": TOKEN, "RUST_LOG": "off"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=env) as process:
        assert process.stdout is not None
        try:
            yield json.loads(process.stdout.readline())["workers"]
        finally:
            process.kill()


def test_over_http_the_journal_is_the_servers(
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
    journal = HttpJournal(keeper, TOKEN)
    long = '"é\\' * 13_000
    assert journal.swap("k", None, long) is None
    assert journal.swap("k", None, "x") == Stale(long)
    assert journal.swap("none", "x", "y") == Stale(None)
    assert (journal.get("k"), journal.get("none")) == (long, None)
    page = journal.list_items(None)
    assert ([item.key for item in page.items], page.next) == (['a/../"key', "k"], None)
    for call in (
        lambda: journal.swap("k", long, "x" * 65_537),
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
def test_an_answer_that_proves_nothing_leaves_open_whether_a_text_was_written(
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


def test_a_server_that_is_not_there_leaves_it_open_as_well() -> None:
    with pytest.raises(JournalFailure) as failure:
        HttpJournal("http://127.0.0.1:1", TOKEN).swap("k", None, "x")
    assert not failure.value.refused
    for url in ("http://journal.example", "https://a:b@journal.example", "journal"):
        with pytest.raises(ValueError, match="url"):
            HttpJournal(url, TOKEN)


@pytest.mark.parametrize("more", [(), ("--asyncio",)])
def test_over_http_it_passes_the_suite_of_those_that_send_once(
    host_test: Path, keeper: str, more: tuple[str, ...]
) -> None:
    env = os.environ | {"JOURNAL_TOKEN": TOKEN}
    command = [str(host_test), "conform", "--json", "--journal", keeper, "--worker", sys.executable, str(WORKER), *more]
    done = subprocess.run(command, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert len(json.loads(done.stdout)["cases"]) == 17
