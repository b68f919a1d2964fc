"""A journal of sends in a file of SQLite, the same that the repository's host has: any number of processes on one
machine can share it, in whatever language they are written."""

import os
import sqlite3
import stat
import sys
import threading
import time
import weakref
from collections.abc import Callable
from typing import TypeVar

from .journal import PAGE_KEYS, Item, JournalFailure, Page, Stale, page, too_long

T = TypeVar("T")

APPLICATION_ID = 0x4D53474A
""""MSGJ", in the header of every journal."""
VERSION = 1
CHECKED_BYTES = 64 * 1024 * 1024
"""A file of up to so many bytes is looked through before it is used."""
FORKED = (
    "this process was forked while it was open, without Python's knowledge or while it was in use for long; open it"
    " only after the fork, or fork by os.fork"
)
BETWEEN_TRIES = 0.01
PATIENCE = 5.0
"""Seconds for which a fork waits for a transaction, past those that it may wait for others."""
REFUSED = frozenset(
    {
        sqlite3.SQLITE_PERM,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_CORRUPT,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_NOTADB,
    }
)
"""Primary codes of what somebody has to mend."""

SCHEMA = f"""
    BEGIN IMMEDIATE;
    CREATE TABLE journal (key TEXT PRIMARY KEY, text TEXT NOT NULL) STRICT, WITHOUT ROWID;
    PRAGMA application_id = {APPLICATION_ID};
    PRAGMA user_version = {VERSION};
    COMMIT;"""
SETTINGS = (
    "PRAGMA cell_size_check = ON",
    # A commit has reached the disk when it returns. The fullfsyncs say what that means on macOS, and nothing elsewhere.
    "PRAGMA synchronous = FULL",
    "PRAGMA fullfsync = ON",
    "PRAGMA checkpoint_fullfsync = ON",
    "PRAGMA journal_size_limit = 67108864",
    "PRAGMA temp_store = MEMORY",
)


class SqliteJournal:
    """A journal in a file, which is made where there is none. Any number of threads may use it, and processes that are
    forked by `os.fork` or `multiprocessing`. `timeout_ms` is how long it waits for other processes."""

    def __init__(self, path: str | os.PathLike[str], *, timeout_ms: int = 2_000) -> None:
        self._path = os.path.abspath(os.fspath(path))
        self._timeout = timeout_ms / 1000
        self._closed = False
        self._process = os.getpid()
        self._lock = threading.Lock()
        self._connection: sqlite3.Connection | None = None
        self._identity: tuple[int, int] | None = None
        begun = time.monotonic()
        while True:
            try:
                # A fork waits for this, and this for a fork.
                with _forking, self._lock:
                    if any(journal._is_inherited(self._identity_now()) for journal in _journals):
                        raise self._refusal(FORKED)
                    _journals.add(self)
                    self._open(create=True)
                return
            except JournalFailure as failure:
                if failure.refused or time.monotonic() - begun > self._timeout:
                    raise
                time.sleep(BETWEEN_TRIES)

    def get(self, key: str) -> str | None:
        """The text of a key."""
        return self._run("BEGIN", lambda connection: _get(connection, key))

    def swap(self, key: str, expected: str | None, text: str) -> Stale | None:
        """Gives a key a new text if its text is the expected one."""
        too_long(text.encode())

        def swap(connection: sqlite3.Connection) -> Stale | None:
            found = _get(connection, key)
            if found != expected:
                return Stale(found)
            sql = (
                "INSERT INTO journal (key, text) VALUES (?, ?)"
                " ON CONFLICT (key) DO UPDATE SET text = excluded.text"
            )
            connection.execute(sql, (key, text))
            return None

        return self._run("BEGIN IMMEDIATE", swap)

    def list_items(self, after: str | None) -> Page:
        """Keys and their texts, in the order of the keys."""

        def items(connection: sqlite3.Connection) -> list[Item]:
            sql = "SELECT key, text FROM journal WHERE key > ? ORDER BY key LIMIT ?"
            return [Item(*row) for row in connection.execute(sql, (after or "", PAGE_KEYS))]

        return page(self._run("BEGIN", items))

    def close(self) -> None:
        """Closes the file. What is asked afterwards is refused."""
        if self._process != os.getpid():
            # A thread that this process does not have may hold the lock, and the file is its parent's.
            self._closed = True
            return
        with self._lock:
            self._closed = True
            self._forget()

    def _pause(self) -> bool:
        """Closes the file for a fork, once nobody uses it; `_go_on` follows. False where somebody uses it for long."""
        if not self._lock.acquire(timeout=self._timeout + PATIENCE):
            return False
        self._forget()
        return True

    def _go_on(self) -> None:
        self._lock.release()

    def _is_inherited(self, identity: tuple[int, int] | None) -> bool:
        """Whether this process has this file open by a fork: SQLite would take its parent's locks for its own."""
        return self._process != os.getpid() and self._connection is not None and self._identity == identity

    def _begin_anew(self) -> None:
        """In the process that was forked: what other threads held is held by nobody."""
        self._process = os.getpid()
        self._lock = threading.Lock()

    def _run(self, begin: str, work: Callable[[sqlite3.Connection], T]) -> T:
        """Works in a transaction, whose end is on the disk when this returns."""
        if self._process != os.getpid():
            raise self._refusal(FORKED)
        with self._lock:
            if self._closed:
                raise JournalFailure("the journal is closed", refused=True)
            try:
                if not self._is_there():
                    self._forget()
                    self._open(create=False)
                connection = self._connection
                assert connection is not None
                connection.execute(begin)
                result = work(connection)
                connection.execute("COMMIT")
                # A commit to a file that nobody will find again is not kept.
                if not self._is_there():
                    raise self._failure("another file, or none, is in its place; put it back")
                return result
            except sqlite3.Error as error:
                raise self._of_sqlite("a transaction", error) from error
            finally:
                if self._connection is not None and self._connection.in_transaction:
                    self._forget()

    def _forget(self) -> None:
        if self._connection is not None:
            self._connection.close()
        self._connection = None

    def _is_there(self) -> bool:
        return self._connection is not None and self._identity == self._identity_now()

    def _identity_now(self) -> tuple[int, int] | None:
        """Marks of the file, which another one in its place has not."""
        try:
            found = os.stat(self._path)
        except OSError:
            return None
        return found.st_dev, found.st_ino

    def _open(self, create: bool) -> None:
        made = self._prepare(create)
        try:
            self._connection = sqlite3.connect(
                self._path, timeout=self._timeout, isolation_level=None, check_same_thread=False
            )
            self._identity = self._identity_now()
            self._set_up(self._connection, made)
        except sqlite3.Error as error:
            self._forget()
            raise self._of_sqlite("opening it", error) from error
        except JournalFailure:
            self._forget()
            raise

    def _set_up(self, connection: sqlite3.Connection, made: bool) -> None:
        known = self._check(connection)
        if _first(connection, "PRAGMA journal_mode = WAL") != "wal":
            raise self._refusal(
                "its file system cannot share memory between processes; put it on a local disk"
            )
        for setting in SETTINGS:
            connection.execute(setting)
        if not known:
            try:
                connection.executescript(SCHEMA)
            except sqlite3.Error:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                # Another process may have been faster.
                if not self._check(connection):
                    raise
        if made or not known:
            self._sync_folder()

    def _check(self, connection: sqlite3.Connection) -> bool:
        """Whether it is a journal; not, where it is empty."""
        # At one moment: another process may be setting it up.
        connection.execute("BEGIN")
        try:
            tables = _first(connection, "SELECT count(*) FROM sqlite_schema")
            application = _first(connection, "PRAGMA application_id")
            version = _first(connection, "PRAGMA user_version")
        finally:
            connection.execute("ROLLBACK")
        if (tables, application, version) == (0, 0, 0):
            return False
        if application != APPLICATION_ID:
            raise self._refusal("it is a database, and no journal; name another file")
        if version != VERSION:
            raise self._refusal(f"it is of version {version}, and this package knows version {VERSION}")
        if os.stat(self._path).st_size <= CHECKED_BYTES:
            said = _first(connection, "PRAGMA quick_check(1)")
            if said != "ok":
                raise self._refusal(f"it is damaged: {said}")
        return True

    def _prepare(self, create: bool) -> bool:
        """Makes an empty file where there is none, for its owner alone; SQLite gives its other files the same
        rights. Returns whether it did."""
        try:
            if stat.S_ISREG(os.stat(self._path).st_mode):
                return False
            raise self._refusal("it is not a file")
        except OSError:
            pass  # said where it cannot be made
        if not create:
            raise self._refusal("there is no such file")
        log = f"{self._path}-wal"
        if os.path.exists(log) and os.path.getsize(log) > 0:
            # SQLite would take the log for a left one, and delete it: it holds what was sent.
            raise self._refusal(
                "it is gone, and its log, the file -wal, is there; put the file back beside it"
            )
        try:
            os.close(os.open(self._path, os.O_CREAT | os.O_APPEND | os.O_WRONLY, 0o600))
        except OSError as error:
            raise self._refusal(f"{error}; make its folder, with the right to write to it") from error
        return True

    def _sync_folder(self) -> None:
        # Windows has no such thing.
        if sys.platform == "win32":
            return
        folder = os.open(os.path.dirname(self._path), os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)

    def _of_sqlite(self, doing: str, error: sqlite3.Error) -> JournalFailure:
        code = getattr(error, "sqlite_errorcode", 0)
        return self._failure(f"{doing}: {error}", refused=code & 0xFF in REFUSED)

    def _refusal(self, detail: str) -> JournalFailure:
        return self._failure(detail, refused=True)

    def _failure(self, detail: str, *, refused: bool = False) -> JournalFailure:
        return JournalFailure(f"the journal {self._path}: {detail}", refused=refused)


_journals: weakref.WeakSet[SqliteJournal] = weakref.WeakSet()
_paused: list[SqliteJournal] = []
_forking = threading.Lock()
# Whether each fork under way of a thread has it: one within another, by a handler of a signal, has not.
_forks = threading.local()


def _before_fork() -> None:
    # SQLite keeps in the memory of a process which locks it has, and in one that is forked it goes on to believe that it
    # has them. So nothing is open then.
    _forks.under_way = [*getattr(_forks, "under_way", []), False]
    if _forking.acquire(timeout=2 * PATIENCE):
        _forks.under_way[-1] = True
        for journal in _journals:
            if journal._pause():
                _paused.append(journal)


def _after_fork_in_parent() -> None:
    if _forks.under_way.pop():
        while _paused:
            _paused.pop()._go_on()
        _forking.release()


def _after_fork_in_child() -> None:
    global _forking
    if _forks.under_way.pop():
        while _paused:
            _paused.pop()._begin_anew()
    _paused.clear()
    _forking = threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        before=_before_fork, after_in_parent=_after_fork_in_parent, after_in_child=_after_fork_in_child
    )


def _first(connection: sqlite3.Connection, sql: str) -> object:
    found: object = connection.execute(sql).fetchone()[0]
    return found


def _get(connection: sqlite3.Connection, key: str) -> str | None:
    row = connection.execute("SELECT text FROM journal WHERE key = ?", (key,)).fetchone()
    return None if row is None else row[0]
