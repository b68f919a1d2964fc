"""A journal of sends in an SQLite file. The Rust, Python and Node code of this repository shares its schema and files.
"""

import os
import re
import sqlite3
import threading
import time
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from .journal import PAGE_KEYS, Item, JournalFailure, Page, Stale, page, too_long

T = TypeVar("T")

APPLICATION_ID = 0x4D53474A
""""MSGJ", in the header of every journal."""
VERSION = 1
OPEN_PAUSE = 0.01
MOUNTS = Path("/proc/self/mountinfo")
STRAY = re.compile(r"""[\0-\x1f\x7f]|^[ "']|[ "']$""")
MOVED = (
    "its file, -wal or -shm was moved, replaced or deleted; put the originals back; if one was deleted, first copy it"
    " from /proc/PID/fd to another directory, then stop all processes, put the copy in its place, and restart"
)
FORKED = "the process was forked, but not by Python, while the journal was open; open the journal after the fork"
REFUSED = frozenset(
    {
        sqlite3.SQLITE_ERROR,  # wrong schema
        sqlite3.SQLITE_PERM,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_CORRUPT,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_NOTADB,
    }
)
"""Primary error codes of SQLite that only an operator can remedy."""
SCHEMA = (
    "CREATE TABLE journal (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID",
    f"PRAGMA application_id = {APPLICATION_ID}",
    f"PRAGMA user_version = {VERSION}",
)
# macOS flushes the cache of a disk only with the two fullfsync settings.
SETTINGS = ("PRAGMA synchronous = FULL", "PRAGMA fullfsync = ON", "PRAGMA checkpoint_fullfsync = ON")

Identity = tuple[int, int] | None
"""Device and inode of a file; `None` if there is no file."""


class SqliteJournal:
    """A journal in an SQLite file, which is created if it does not exist. Threads can share an instance. Processes
    that `os.fork` or `multiprocessing` forks can also share it. `timeout_ms` is the maximum wait for other processes.
    Requests fail if the file, its -wal or its -shm is moved, replaced or deleted."""

    def __init__(self, path: str | os.PathLike[str], *, timeout_ms: int = 2_000) -> None:
        if os.fspath(path) == ":memory:":
            raise ValueError("a journal in memory would forget its keys; name a file")
        # A mistake in an environment file or shell script can add a line break, space or quotation mark. The path would
        # then name another, empty journal.
        if STRAY.search(os.fspath(path)):
            raise ValueError(f"{path!r} has a control character, or a space or quotation mark at an end; remove it")
        # SQLite creates the -wal next to the target of a symbolic link.
        self._path = os.path.realpath(os.fspath(path))
        self._timeout = timeout_ms / 1000
        self._closed = False
        self._process = os.getpid()
        self._connection: sqlite3.Connection | None = None
        self._file: Identity = None
        self._sidecars: tuple[Identity, ...] = ()
        began = time.monotonic()
        while True:
            try:
                with _lock:
                    if any(other._is_inherited(_identity(self._path)) for other in _journals):
                        raise self._refusal(FORKED)
                    self._open()
                    _journals.add(self)
                return
            except JournalFailure as failure:
                if failure.refused or time.monotonic() - began > self._timeout:
                    raise
                time.sleep(OPEN_PAUSE)

    def get(self, key: str) -> str | None:
        """Returns the value of a key."""
        return self._run("BEGIN", lambda connection: _get(connection, key))

    def swap(self, key: str, expected: str | None, text: str) -> Stale | None:
        """Replaces the value of a key if the value equals `expected`."""
        too_long(text.encode())

        def swap(connection: sqlite3.Connection) -> Stale | None:
            found = _get(connection, key)
            if found != expected:
                return Stale(found)
            sql = (
                "INSERT INTO journal (key, value) VALUES (?, ?)"
                " ON CONFLICT (key) DO UPDATE SET value = excluded.value"
            )
            connection.execute(sql, (key, text))
            return None

        return self._run("BEGIN IMMEDIATE", swap)

    def list_items(self, after: str | None) -> Page:
        """Returns keys and their values, in key order."""

        def items(connection: sqlite3.Connection) -> list[Item]:
            sql = "SELECT key, value FROM journal WHERE key > ? ORDER BY key LIMIT ?"
            return [Item(*row) for row in connection.execute(sql, (after or "", PAGE_KEYS))]

        return page(self._run("BEGIN", items))

    def close(self) -> None:
        """Closes the file. Later requests fail."""
        with _lock:
            self._closed = True
            if self._process == os.getpid():
                self._disconnect()

    def _run(self, begin: str, work: Callable[[sqlite3.Connection], T]) -> T:
        """Runs `work` in a transaction, which is durable when this function returns."""
        with _lock:
            if self._closed:
                raise self._refusal("it is closed")
            if self._connection and self._process != os.getpid():
                raise self._refusal(FORKED)
            # A fork closes the connection, so the next request opens the file again.
            connection = self._connection or self._open()
            if not self._is_in_place():
                raise self._refusal(MOVED)
            try:
                connection.execute(begin)
                result = work(connection)
                connection.execute("COMMIT")
            except sqlite3.Error as error:
                raise self._of_sqlite("transaction", error) from error
            finally:
                if connection.in_transaction:
                    connection.rollback()
            if not self._is_in_place():
                raise self._failure(f"the transaction may not be recorded: {MOVED}")
            return result

    def _is_in_place(self) -> bool:
        return self._file == _identity(self._path) and self._sidecars == self._sidecars_now()

    def _sidecars_now(self) -> tuple[Identity, ...]:
        return tuple(_identity(f"{self._path}{end}") for end in ("-wal", "-shm"))

    def _is_inherited(self, file: Identity) -> bool:
        """Returns true if a fork left this file open. SQLite would then treat the locks of the parent as its own."""
        return self._process != os.getpid() and self._connection is not None and self._file == file

    def _disconnect(self) -> None:
        if self._connection:
            self._connection.close()
        self._connection = None

    def _open(self) -> sqlite3.Connection:
        """Opens the file, also after a fork. Creates a missing file only the first time."""
        if self._file is None:
            self._create_file()
            self._check_rights()
            if _is_mounted(self._path):
                raise self._refusal("only the file is mounted, so its -wal is not in the volume; mount its directory")
        elif self._file != _identity(self._path):
            raise self._refusal(MOVED)
        try:
            connection = self._connection = sqlite3.connect(
                self._path, timeout=self._timeout, isolation_level=None, check_same_thread=False
            )
            self._set_up(connection)
        except sqlite3.Error as error:
            self._disconnect()
            raise self._of_sqlite("open", error) from error
        except JournalFailure:
            self._disconnect()
            raise
        self._process = os.getpid()
        self._file = self._file or _identity(self._path)
        self._sidecars = self._sidecars_now()
        return connection

    def _set_up(self, connection: sqlite3.Connection) -> None:
        is_new = self._is_empty(connection)
        (mode,) = connection.execute("PRAGMA journal_mode = WAL").fetchone()
        if mode != "wal":
            raise self._refusal("its file system does not support WAL mode; move it to a local disk")
        for setting in SETTINGS:
            connection.execute(setting)
        if is_new:
            connection.execute("BEGIN IMMEDIATE")
            # Another process may have created the table before this transaction.
            for statement in SCHEMA if self._is_empty(connection) else ():
                connection.execute(statement)
            connection.execute("COMMIT")
        # SQLite opens the -wal at the first read.
        _get(connection, "")

    def _is_empty(self, connection: sqlite3.Connection) -> bool:
        """Returns true if the database is empty. Raises `JournalFailure` if the database is not a journal."""
        application, version, tables = connection.execute(
            "SELECT application_id, user_version, (SELECT count(*) FROM sqlite_schema)"
            " FROM pragma_application_id, pragma_user_version"
        ).fetchone()
        if (application, version, tables) == (0, 0, 0):
            return True
        if application != APPLICATION_ID:
            raise self._refusal("it is a database, but not a journal; name another file")
        if version != VERSION:
            raise self._refusal(f"it has version {version}; this package supports version {VERSION}")
        return False

    def _create_file(self) -> None:
        """Creates a missing file, empty and readable only by its owner. SQLite copies the mode to the -wal and -shm."""
        path, wal = Path(self._path), Path(f"{self._path}-wal")
        is_there = path.exists()
        if path.is_dir():
            raise self._refusal("it is a directory; name a file")
        # SQLite would delete the -wal of an empty database.
        if not (is_there and path.stat().st_size) and wal.exists() and wal.stat().st_size:
            raise self._refusal("it is missing or empty, but its -wal holds data; put the file back next to it")
        if not is_there:
            try:
                os.close(os.open(path, os.O_CREAT | os.O_APPEND | os.O_WRONLY, 0o600))
            except OSError as error:
                raise self._refusal(f"{error}; create its directory, and allow writing to it") from error

    def _check_rights(self) -> None:
        """Rejects a database, -journal, -wal or -shm that other users can change, because SQLite reads all four."""
        if not hasattr(os, "geteuid"):
            return
        database, user = os.stat(self._path), os.geteuid()
        if database.st_mode & 0o002:
            raise self._refusal("every user can write to it; run `chmod o-w` on it")
        # Root trusts the owner of the database, because containers often run as root with another user's directories.
        trusted = (0, user or database.st_uid)
        for end in ("", "-journal", "-wal", "-shm"):
            try:
                found = os.lstat(f"{self._path}{end}")
            except FileNotFoundError:
                continue
            # In Kubernetes, users can share a database by its group (`fsGroup`).
            is_of_group = end and database.st_mode & 0o020 and found.st_gid == database.st_gid
            if found.st_uid not in trusted and not is_of_group:
                raise self._refusal(
                    f"another user (uid {found.st_uid}) owns {self._path}{end}; stop every process that uses it, then"
                    " `chown` the file if it belongs to the journal, otherwise move it away"
                )

    def _of_sqlite(self, doing: str, error: sqlite3.Error) -> JournalFailure:
        code = getattr(error, "sqlite_errorcode", 0)
        return self._failure(f"{doing} failed: {error}", refused=code & 0xFF in REFUSED)

    def _refusal(self, detail: str) -> JournalFailure:
        return self._failure(detail, refused=True)

    def _failure(self, detail: str, *, refused: bool = False) -> JournalFailure:
        return JournalFailure(f"journal {self._path}: {detail}", refused=refused)


def _get(connection: sqlite3.Connection, key: str) -> str | None:
    row = connection.execute("SELECT value FROM journal WHERE key = ?", (key,)).fetchone()
    return None if row is None else row[0]


def _identity(path: str) -> Identity:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _is_mounted(path: str) -> bool:
    """Returns true if `proc_pid_mountinfo(5)` lists the file as a mount point."""
    name = re.sub(rb"[ \t\n\\]", lambda found: b"\\%03o" % ord(found[0]), os.fsencode(path))
    try:
        mounts = MOUNTS.read_bytes().split(b"\n")
    except OSError:
        return False  # Only Linux has this list.
    return any(mount.split(b" ")[4:5] == [name] for mount in mounts)


# SQLite keeps the locks of a process in its memory, and a fork copies this memory. The functions below therefore close
# all journals before a fork. Each process opens its connections again at its next request.
_lock = threading.RLock()
_journals: weakref.WeakSet[SqliteJournal] = weakref.WeakSet()


def _before_fork() -> None:
    _lock.acquire()
    for journal in _journals:
        if journal._process == os.getpid():
            journal._disconnect()


def _after_fork_in_child() -> None:
    global _lock
    _lock = threading.RLock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        before=_before_fork, after_in_parent=lambda: _lock.release(), after_in_child=_after_fork_in_child
    )
