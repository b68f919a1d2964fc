"""Tests the SQLite journal: its schema, the identity of its file, and concurrent processes."""

import ctypes
import multiprocessing
import os
import shutil
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from conftest import ended, forked, forks, ignores_forks
from messaging_plugin.once import JournalFailure, SqliteJournal, Stale, check_journal


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "journal.sqlite"


def wal(file: Path) -> Path:
    return Path(f"{file}-wal")


def is_rejected(call: Callable[[], Any], *, refused: bool, match: str) -> None:
    with pytest.raises(JournalFailure, match=match) as failure:
        call()
    assert failure.value.refused is refused


def read_elsewhere(file: Path, key: str) -> str:
    """Reads a key in another process, which then closes the journal."""
    program = """if True:
        import sys
        from messaging_plugin.once import SqliteJournal
        journal = SqliteJournal(sys.argv[1])
        print(journal.get(sys.argv[2]))
        journal.close()"""
    command = [sys.executable, "-c", program, str(file), key]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def test_sqlite_journal_passes_journal_suite(file: Path) -> None:
    check_journal(lambda: SqliteJournal(file, timeout_ms=30_000))


def test_new_journal_has_shared_schema_and_settings(file: Path) -> None:
    journal = SqliteJournal(file)
    connection = sqlite3.connect(f"file:{file}?mode=ro", uri=True)

    def value(sql: str) -> object:
        found: object = connection.execute(sql).fetchone()[0]
        return found

    schema = "CREATE TABLE journal (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID"
    assert value("SELECT group_concat(sql) FROM sqlite_schema") == schema
    pragmas = ("application_id", "user_version", "journal_mode")
    assert [value(f"PRAGMA {name}") for name in pragmas] == [1297303370, 1, "wal"]
    assert file.stat().st_mode & 0o777 == 0o600
    connection.close()
    journal.close()


def test_file_that_is_not_journal_is_unchanged(tmp_path: Path) -> None:
    sqlite3.connect(tmp_path / "other.sqlite").execute("CREATE TABLE t (a)").connection.close()
    (tmp_path / "text").write_text("this is a text and no database, however long it is made to be " * 20)
    before = {name: (tmp_path / name).read_bytes() for name in ("other.sqlite", "text")}
    for name in ("other.sqlite", "text", ".", "no/such/folder"):
        is_rejected(lambda name=name: SqliteJournal(tmp_path / name), refused=True, match="journal")  # type: ignore[misc]
    for name in (f"{tmp_path}/j.sqlite\r", f"{tmp_path}/j.sqlite ", '"j.sqlite"'):
        with pytest.raises(ValueError, match="at an end; remove it"):
            SqliteJournal(name)
    assert before == {name: (tmp_path / name).read_bytes() for name in before}


@pytest.mark.parametrize("is_there", [False, True])
def test_missing_or_empty_file_with_wal_is_rejected(file: Path, is_there: bool) -> None:
    wal(file).write_text("a log")
    if is_there:
        file.touch()
    is_rejected(lambda: SqliteJournal(file), refused=True, match="-wal holds data")
    assert wal(file).read_text() == "a log"


def test_replaced_file_is_rejected_until_it_is_back(file: Path, tmp_path: Path) -> None:
    moved = tmp_path / "moved.sqlite"

    def move(source: Path, target: Path) -> None:
        for end in ("", "-wal", "-shm"):
            os.rename(f"{source}{end}", f"{target}{end}")

    journal = SqliteJournal(file)
    assert journal.swap("k", None, "one") is None
    move(file, moved)
    is_rejected(lambda: journal.get("k"), refused=True, match="moved, replaced or deleted")
    assert not file.exists()
    # Replaces the file with an empty file, as logrotate does, then with the journal of another process.
    file.touch()
    is_rejected(lambda: journal.swap("k", None, "two"), refused=True, match="moved, replaced or deleted")
    assert file.stat().st_size == 0
    assert read_elsewhere(file, "k") == "None"
    is_rejected(lambda: journal.swap("k", None, "two"), refused=True, match="moved, replaced or deleted")
    file.unlink()
    move(moved, file)
    assert journal.swap("k", "one", "three") is None
    journal.close()
    assert read_elsewhere(file, "k") == "three"


def test_replaced_shm_is_rejected_until_it_is_back(file: Path) -> None:
    journal = SqliteJournal(file)
    os.rename(f"{file}-shm", f"{file}-moved")
    is_rejected(lambda: journal.swap("k", None, "one"), refused=True, match="-shm was moved, replaced or deleted")
    os.rename(f"{file}-moved", f"{file}-shm")
    assert journal.swap("k", None, "one") is None


def test_symbolic_link_is_resolved_to_its_target(file: Path, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to("chained")
    (tmp_path / "chained").symlink_to(file.name)
    # The links have no target yet.
    wal(file).write_text("a log")
    is_rejected(lambda: SqliteJournal(link), refused=True, match="-wal holds data")
    wal(file).unlink()
    journal = SqliteJournal(link)
    assert journal.swap("k", None, "one") is None
    wal(file).unlink()
    is_rejected(lambda: journal.swap("k", "one", "two"), refused=True, match="moved, replaced or deleted")


def test_file_mounted_without_its_folder_is_rejected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, mounts = tmp_path / "a \\journal.sqlite", tmp_path / "mountinfo"
    SqliteJournal(file).close()
    point = str(file).replace("\\", "\\134").replace(" ", "\\040")
    mounts.write_text(f"1 2 0:3 / /proc rw\n4 5 8:1 /j.sqlite {point} rw,relatime - ext4 /dev/a rw\n")
    monkeypatch.setattr("messaging_plugin.once.sqlite.MOUNTS", mounts)
    is_rejected(lambda: SqliteJournal(file), refused=True, match="only the file is mounted.*; mount its directory")
    SqliteJournal(f"{file}-2").close()


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="this system has no file owners")
def test_file_that_others_can_change_is_rejected(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file.touch(0o600)
    if os.geteuid() == 0:
        os.chown(file, 4711, -1)
    owner = file.stat().st_uid
    SqliteJournal(file).close()
    file.chmod(0o602)
    is_rejected(lambda: SqliteJournal(file), refused=True, match="every user can write.*run `chmod o-w`")
    file.chmod(0o600)
    monkeypatch.setattr(os, "geteuid", lambda: owner + 1)
    is_rejected(lambda: SqliteJournal(file), refused=True, match=rf"\(uid {owner}\) owns {file}; .*`chown`")
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    SqliteJournal(file).close()


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="NOT RUN: only root can change owners")
@pytest.mark.parametrize("end", ["-journal", "-wal", "-shm"])
def test_sidecar_of_other_user_is_rejected(file: Path, end: str) -> None:
    SqliteJournal(file).close()
    other = Path(f"{file}{end}")
    other.touch()
    os.chown(other, 4711, 4711)
    is_rejected(lambda: SqliteJournal(file), refused=True, match=rf"\(uid 4711\) owns {other}; .*`chown`")
    os.chown(file, -1, 4711)
    file.chmod(0o660)
    SqliteJournal(file).close()


def test_lost_locks_never_acknowledge_unrecorded_swap(file: Path, tmp_path: Path) -> None:
    journal = SqliteJournal(file)
    journal.swap("k", None, "one")
    # POSIX drops the locks of a process when the process closes any descriptor of the file. The next process therefore
    # considers itself the last user of the journal, and deletes the -wal.
    shutil.copyfile(file, tmp_path / "copy")
    assert read_elsewhere(file, "k") == "one"
    is_rejected(lambda: journal.swap("k", "one", "two"), refused=True, match="-wal or -shm was moved")
    assert read_elsewhere(file, "k") == "one"


def test_wal_removed_during_commit_is_reported(file: Path) -> None:
    journal = SqliteJournal(file)
    assert journal._connection
    journal._connection.set_trace_callback(lambda sql: wal(file).unlink() if sql == "COMMIT" else None)
    is_rejected(lambda: journal.swap("k", None, "one"), refused=False, match="may not be recorded")


def test_closed_journal_rejects_requests(file: Path) -> None:
    journal = SqliteJournal(file)
    journal.close()
    journal.close()
    is_rejected(lambda: journal.get("k"), refused=True, match="closed")


def wins(file: Path) -> int:
    journal = SqliteJournal(file, timeout_ms=20_000)
    return sum(journal.swap(str(key), None, str(os.getpid())) is None for key in range(200))


@pytest.mark.parametrize("method", multiprocessing.get_all_start_methods())
@ignores_forks
def test_concurrent_processes_swap_each_key_once(file: Path, method: str) -> None:
    with multiprocessing.get_context(method).Pool(3) as pool:
        assert sum(pool.map(wins, [file] * 3)) == 200


def test_concurrent_threads_create_one_journal(tmp_path: Path) -> None:
    with ThreadPoolExecutor(4) as threads:
        for number in range(50):
            file = tmp_path / f"{number}.sqlite"
            for journal in list(threads.map(lambda _, file=file: SqliteJournal(file), range(4))):
                assert journal.get("k") is None
                journal.close()


@forks
@ignores_forks
def test_fork_and_parent_share_journal(file: Path) -> None:
    journal = SqliteJournal(file)
    journal.swap("parent", None, "1")
    is_used, uses = os.pipe()
    is_closed, closes = os.pipe()

    def work() -> None:
        assert journal.swap("early", None, "1") is None
        os.write(uses, b".")
        os.read(is_closed, 1)
        # The parent has closed the journal, so this process is the last user.
        assert journal.swap("late", None, "1") is None
        assert read_elsewhere(file, "late") == "1"
        assert journal.swap("later", None, "1") is None

    child = forked(work)
    os.read(is_used, 1)
    assert journal.swap("early", None, "2") == Stale("1")
    journal.close()
    os.write(closes, b".")
    assert ended(child) == 0
    kept = SqliteJournal(file)
    assert [kept.get(key) for key in ("parent", "early", "late", "later")] == ["1"] * 4
    for end in (is_used, uses, is_closed, closes):
        os.close(end)


@forks
@ignores_forks
def test_replaced_file_is_rejected_after_fork(file: Path, tmp_path: Path) -> None:
    journal = SqliteJournal(file)
    journal.swap("k", None, "1")
    assert ended(forked(lambda: None)) == 0
    file.rename(tmp_path / "moved.sqlite")
    file.touch()
    is_rejected(lambda: journal.swap("k", None, "2"), refused=True, match="moved, replaced or deleted")
    assert file.stat().st_size == 0


@pytest.mark.skipif(sys.platform != "linux", reason="the test calls `fork` of the C library on Linux")
@ignores_forks
def test_fork_by_c_code_is_rejected(file: Path, tmp_path: Path) -> None:
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


@forks
@ignores_forks
def test_forks_of_busy_threads_lose_nothing(file: Path) -> None:
    journal = SqliteJournal(file, timeout_ms=30_000)
    is_over = threading.Event()

    def write(thread: int) -> int:
        count = 0
        while not is_over.is_set():
            assert journal.swap(f"thread-{thread}-{count}", None, "1") is None
            count += 1
        return count

    def work() -> None:
        for key in range(20):
            assert journal.swap(f"fork-{os.getpid()}-{key}", None, "1") is None

    with ThreadPoolExecutor(3) as threads:
        counts = [threads.submit(write, thread) for thread in range(3)]
        ends = [ended(forked(work)) for _ in range(8)]
        is_over.set()
    assert ends == [0] * 8
    written, after = 0, None
    while True:
        found = journal.list_items(after)
        written += len(found.items)
        if (after := found.next) is None:
            break
    assert written == sum(count.result() for count in counts) + 8 * 20
