"""A journal of sends in PostgreSQL, the same that the repository's host has: any number of machines can share it."""

import os
import threading
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any, Protocol, runtime_checkable

from .journal import PAGE_KEYS, Item, JournalFailure, Page, Stale, page, too_long

NO_TABLES = "it has no tables; make them with the command `messaging sent list --journal`"
REFUSED = {
    "3F000": NO_TABLES,
    "42P01": NO_TABLES,
    "42501": "give its role the right to use the schema messaging_journal and to write to its tables",
    "25006": "it is open to read alone: a journal is on the primary",
}
"""States of SQL that somebody has to mend, and how."""
UNSAFE = (
    "its synchronous_commit or fsync is off or its table is unlogged, so that a crash loses what was noted, or its table"
    " has no primary key, so that a key can be there twice, or is newer than this package; `messaging sent list --journal`"
    " says which"
)

# A pooler may have given this a session with other settings than the last: so each statement asks.
_SAFE = """(current_setting('synchronous_commit') IN ('on', 'remote_apply') AND current_setting('fsync') = 'on'
  AND (SELECT relpersistence = 'p' FROM pg_catalog.pg_class WHERE oid = 'messaging_journal.entries'::regclass)
  AND EXISTS (SELECT FROM pg_catalog.pg_index
    WHERE indisunique AND indisvalid AND indrelid = 'messaging_journal.entries'::regclass
    AND indexrelid = (SELECT to_regclass('messaging_journal.entries_pkey')::oid))
  AND (SELECT compatible_from <= 1 FROM messaging_journal.version))"""
# Who is told what the journal has relies on the synchronous standby, as if it had been written now.
_CONFIRMED = """(SELECT CASE WHEN current_setting('synchronous_standby_names') <> ''
  THEN pg_logical_emit_message(true, 'messaging_journal', '') END)"""
_SWAP = f"""
  WITH asked AS MATERIALIZED (SELECT %s::bytea AS k, %s::bytea AS expected, %s::bytea AS new, {_SAFE} AS safe),
  inserted AS (
    INSERT INTO messaging_journal.entries (key, text) SELECT k, new FROM asked WHERE safe AND expected IS NULL
    ON CONFLICT DO NOTHING RETURNING key
  ), updated AS (
    UPDATE messaging_journal.entries AS entry SET text = new FROM asked
    WHERE safe AND entry.key = k AND entry.text = expected RETURNING entry.key
  )
  SELECT safe, EXISTS (SELECT FROM inserted) OR EXISTS (SELECT FROM updated) FROM asked"""
_GET = f"""
  SELECT {_SAFE}, (SELECT text FROM messaging_journal.entries WHERE key = %s::bytea), {_CONFIRMED}"""
_LIST = "SELECT key, text FROM messaging_journal.entries WHERE key > %s::bytea ORDER BY key LIMIT %s"


class Connection(Protocol):
    """A connection of psycopg."""

    @property
    def autocommit(self) -> bool:
        """Whether each statement is a transaction."""

    def execute(self, query: Any, params: Any = None) -> Any:
        """Runs a statement."""


@runtime_checkable
class ConnectionPool(Protocol):
    """A pool of psycopg_pool."""

    def connection(self) -> AbstractContextManager[Any]:
        """A connection, whose transaction is committed at the end."""


class PostgresJournal:
    """A journal in a database: over a `psycopg_pool.ConnectionPool`, or one `psycopg.Connection` in autocommit mode.
    The repository's host makes its tables. A process that is forked makes its own, over connections of its own."""

    def __init__(self, connections: ConnectionPool | Connection) -> None:
        if not isinstance(connections, ConnectionPool) and not connections.autocommit:
            raise ValueError("the connection has to be in autocommit mode, or a swap is not durable")
        self._connections = connections
        self._process = os.getpid()
        self._lock = threading.Lock()

    def get(self, key: str) -> str | None:
        """The text of a key."""
        (row,) = self._rows(_GET, (key.encode(),))
        return None if (found := _safe(row)) is None else _text(found)

    def swap(self, key: str, expected: str | None, text: str) -> Stale | None:
        """Gives a key a new text if its text is the expected one."""
        written = text.encode()
        too_long(written)
        (row,) = self._rows(_SWAP, (key.encode(), None if expected is None else expected.encode(), written))
        return None if _safe(row) else Stale(self.get(key))

    def list_items(self, after: str | None) -> Page:
        """Keys and their texts, in the order of the keys."""
        rows = self._rows(_LIST, ((after or "").encode(), PAGE_KEYS))
        return page([Item(_text(key), _text(text)) for key, text in rows])

    def _rows(self, sql: str, values: Sequence[object]) -> list[Any]:
        if self._process != os.getpid():
            # Each would read what the other is answered.
            raise JournalFailure(
                "the journal: this process was forked, and its connections are its parent's; make a pool and a"
                " PostgresJournal in each process",
                refused=True,
            )
        try:
            with self._connection() as connection:
                rows: list[Any] = connection.execute(sql, values).fetchall()
            return rows
        except Exception as error:  # psycopg's, which this package does not depend on
            how = REFUSED.get(getattr(error, "sqlstate", None) or "")
            detail = f"the journal: {error}" + (f"; {how}" if how else "")
            raise JournalFailure(detail, refused=how is not None) from error

    @contextmanager
    def _connection(self) -> Iterator[Any]:
        if isinstance(self._connections, ConnectionPool):
            with self._connections.connection() as connection:
                yield connection
        else:
            with self._lock:
                yield self._connections


def _safe(row: Sequence[Any]) -> Any:
    """The second column, of a database that keeps what it is told."""
    if row[0] is not True:
        raise JournalFailure(f"the journal: {UNSAFE}", refused=True)
    return row[1]


def _text(found: bytes | memoryview) -> str:
    return bytes(found).decode()
