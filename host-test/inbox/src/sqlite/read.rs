//! Reads of a store, with or without a writer in this process.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use messaging_journal::sqlite::files::OpenFiles;
use rusqlite::{Connection, OptionalExtension, Row};

use super::error::StoreError;
use super::lease::up_to_page;
use super::model::{Counts, DeadFilter, Due, Event, Filter, Kinds, STEP_MS, State, Summary};
use super::row::{columns, event};
use super::schema::{self, FileState, Location};
use crate::backend::PAGE_BYTES;

/// Maximum number of idle connections.
const IDLE: usize = 4;

/// The read-only connections of a store. Clones share them.
#[derive(Clone)]
pub(super) struct Readers {
    location: Location,
    /// True if this process has no writer. Reads then change nothing, and create at most a `-shm`.
    without_writer: bool,
    idle: Arc<Mutex<Idle>>,
}

#[derive(Default)]
struct Idle {
    connections: Vec<Reader>,
    /// Number of calls of [`Readers::forget`]. A connection that was opened before the last call is
    /// not reused.
    round: u64,
}

struct Reader {
    connection: Connection,
    /// State of the file when this connection was opened as immutable.
    file_state: Option<FileState>,
    /// Identity of the file that the connection reads. Detects the removal or replacement of the
    /// file.
    files: Option<OpenFiles>,
}

impl Readers {
    pub(super) fn new(location: Location) -> Self {
        Self { location, without_writer: false, idle: Arc::default() }
    }

    /// Creates readers for a file that this process does not write.
    pub(super) fn without_writer(location: Location) -> Self {
        Self { location, without_writer: true, idle: Arc::default() }
    }

    /// Reads on this thread. Drops a connection after a failure.
    pub(super) fn read<T>(
        &self,
        doing: &'static str,
        work: impl Fn(&Connection) -> rusqlite::Result<T>,
    ) -> Result<T, StoreError> {
        match self.without_writer {
            // Retries, because other processes may create and delete the `-wal`.
            true => self.location.retrying(|| self.try_read(doing, &work)),
            false => self.try_read(doing, &work),
        }
    }

    fn try_read<T>(
        &self,
        doing: &'static str,
        work: &impl Fn(&Connection) -> rusqlite::Result<T>,
    ) -> Result<T, StoreError> {
        let (idle, round) = {
            let mut idle = self.idle();
            (idle.connections.pop(), idle.round)
        };
        let reader = match idle {
            Some(reader) => reader,
            None => self.open()?,
        };
        let result = work(&reader.connection).map_err(self.location.fault(doing));
        if let Some(Err(detail)) = reader.files.as_ref().map(OpenFiles::check_database) {
            return Err(self.location.unavailable(detail));
        }
        if reader.file_state.is_some() && reader.file_state != schema::file_state(&self.location) {
            return Err(self.location.unavailable("it was written to while it was read"));
        }
        let result = result?;
        let mut idle = self.idle();
        if idle.connections.len() < IDLE && idle.round == round {
            idle.connections.push(reader);
        }
        Ok(result)
    }

    /// Opens the file once to report errors early.
    pub(super) fn try_open(&self) -> Result<(), StoreError> {
        let reader = self.location.retrying(|| self.open())?;
        self.idle().connections.push(reader);
        Ok(())
    }

    fn open(&self) -> Result<Reader, StoreError> {
        let (connection, file_state) = match self.without_writer {
            true => schema::read_only(&self.location)?,
            false => (schema::reader(&self.location)?, None),
        };
        let files = OpenFiles::read_only(&self.location.path, &self.location.given);
        Ok(Reader { connection, file_state, files })
    }

    pub(super) fn location(&self) -> &Location {
        &self.location
    }

    fn idle(&self) -> MutexGuard<'_, Idle> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Closes idle connections, and prevents the reuse of connections that are in use. The writer
    /// calls this before it closes the file.
    pub(super) fn forget(&self) {
        let mut idle = self.idle();
        idle.round = idle.round.wrapping_add(1);
        idle.connections.clear();
    }
}

pub(super) fn list(connection: &Connection, filter: &Filter) -> rusqlite::Result<Vec<Event>> {
    // Conditions are literals, because the planner must match them to the conditions of the
    // indexes. Untried and tried events have separate indexes.
    const AGAIN: &str = "state IN ('pending', 'leased') AND attempts > 0";
    let (kind, of_kind) = match &filter.kind {
        Some(kind) => (kind.as_str(), "kind = ?4"),
        None => ("", "?4 = ?4"),
    };
    let (key, of_key) = match &filter.key {
        Some(key) => (key.as_str(), "idempotency_key = ?5"),
        None => ("", "?5 = ?5"),
    };
    let (after, order) = if filter.newest { ("<", "DESC") } else { (">", "ASC") };
    let state = match (filter.state, filter.stuck) {
        (None, false) => "true".to_string(),
        (None, true) => AGAIN.to_string(),
        // Needs no union of two indexes, because the index of keys finds the few events of the key.
        (Some(state), _) if filter.key.is_some() => format!("state = '{state}'"),
        (Some(State::Pending), false) => format!(
            "id IN (
                SELECT id FROM (SELECT id FROM events
                    WHERE state = 'pending' AND attempts = 0 AND id {after} ?1 AND {of_kind}
                    ORDER BY id {order} LIMIT ?2)
                UNION ALL
                SELECT id FROM events WHERE {AGAIN} AND state = 'pending'
            )"
        ),
        (Some(state @ (State::Pending | State::Leased)), _) => {
            format!("{AGAIN} AND state = '{state}'")
        }
        (Some(state), _) => format!("state = '{state}'"),
    };
    let (stuck, least) = if filter.stuck {
        let stuck = "state <> 'done' AND (failures > 0 OR (last_error IS NULL AND attempts >= ?3))";
        (stuck, Event::STUCK_ATTEMPTS)
    } else {
        ("?3 = ?3", 0)
    };
    let sql = format!(
        "SELECT {} FROM events
        WHERE id {after} ?1 AND {state} AND {stuck} AND {of_kind} AND {of_key}
        ORDER BY id {order} LIMIT ?2",
        columns!()
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let mut rows = statement.query((filter.bound(), filter.limit, least, kind, key))?;
    let (mut events, mut bytes) = (Vec::new(), 0);
    while bytes < PAGE_BYTES
        && let Some(row) = rows.next()?
    {
        let event = event(row)?;
        bytes = event.json.len().saturating_add(bytes);
        events.push(event);
    }
    Ok(events)
}

pub(super) fn get(connection: &Connection, id: i64) -> rusqlite::Result<Option<Event>> {
    let sql = concat!("SELECT ", columns!(), " FROM events WHERE id = ?1");
    connection.prepare_cached(sql)?.query_row([id], event).optional()
}

pub(super) fn first(connection: &Connection, key: &str) -> rusqlite::Result<Option<i64>> {
    let sql = "SELECT id FROM events WHERE idempotency_key = ?1 AND copy = 0";
    connection.prepare_cached(sql)?.query_row([key], |row| row.get(0)).optional()
}

/// One statement, because the numbers must belong to one moment. `min(id)` is the oldest event,
/// because identifiers are in order of arrival.
pub(super) const SUMMARY: &str = "SELECT pending, leased, done, quarantined, dead,
    (SELECT received_at_ms FROM events WHERE id = (SELECT min(id) FROM (
        SELECT min(id) AS id FROM events WHERE state = 'pending' AND attempts = 0
        UNION ALL
        SELECT min(id) FROM events WHERE state IN ('pending', 'leased') AND attempts > 0)))
    FROM counts";

pub(super) fn summary(connection: &Connection) -> rusqlite::Result<Summary> {
    connection.prepare_cached(SUMMARY)?.query_row([], |row| {
        let counts = Counts::read(|column| row.get(column))?;
        Ok(Summary { counts, oldest_open_ms: row.get(5)? })
    })
}

/// Returns a page of identifiers of dead events, each with the length of its event.
pub(super) const DEAD: &str = "SELECT id, octet_length(json) FROM events INDEXED BY events_dead
    WHERE state = 'dead' AND id > ?1 AND dead_at_ms BETWEEN ?2 AND ?3
        AND (?4 IS NULL OR kind = ?4)
    ORDER BY id LIMIT ?5";

pub(super) fn dead(
    connection: &Connection,
    filter: &DeadFilter,
    after_id: i64,
    limit: u32,
) -> rusqlite::Result<Vec<i64>> {
    let (since, until) = filter.times();
    up_to_page(connection, DEAD, (after_id, since, until, filter.kind.as_deref(), limit))
}

/// Reads each value from one end of an index.
pub(super) const DUE: &str = "SELECT
    EXISTS (SELECT 1 FROM events INDEXED BY events_new
        WHERE state = 'pending' AND attempts = 0),
    (SELECT min(due_ms) FROM events INDEXED BY events_again
        WHERE state IN ('pending', 'leased') AND attempts > 0),
    (SELECT max(since_ms) FROM events INDEXED BY events_since
        WHERE state IN ('pending', 'leased') AND attempts > 0)";
pub(super) const DUE_OF_KIND: &str = "SELECT
    EXISTS (SELECT 1 FROM events INDEXED BY events_new_kind
        WHERE state = 'pending' AND attempts = 0 AND kind = ?1),
    (SELECT min(due_ms) FROM events INDEXED BY events_again_kind
        WHERE state IN ('pending', 'leased') AND attempts > 0 AND kind = ?1),
    (SELECT max(since_ms) FROM events INDEXED BY events_since_kind
        WHERE state IN ('pending', 'leased') AND attempts > 0 AND kind = ?1)";

pub(super) fn due(connection: &Connection, kinds: &Kinds, now_ms: i64) -> rusqlite::Result<Due> {
    let of_row = |row: &Row<'_>| {
        let since_ms: Option<i64> = row.get(2)?;
        // The lease or delay began while the clock was ahead. The event is due now.
        let from_the_future =
            since_ms.is_some_and(|since_ms| since_ms > now_ms.saturating_add(STEP_MS));
        let again_ms = if from_the_future { Some(0) } else { row.get(1)? };
        Ok(Due { new: row.get(0)?, again_ms })
    };
    match kinds {
        Kinds::All => connection.prepare_cached(DUE)?.query_row([], of_row),
        Kinds::Only(kinds) => {
            let mut statement = connection.prepare_cached(DUE_OF_KIND)?;
            let mut all = Due::default();
            for kind in kinds {
                let due = statement.query_row([kind], of_row)?;
                all.new |= due.new;
                all.again_ms = all.again_ms.into_iter().chain(due.again_ms).min();
            }
            Ok(all)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sqlite::schema;

    /// Returns the number of SQLite steps of the queries for the summary and for the next due
    /// events, in a store with this many events of each sort.
    fn steps(events: i64) -> i32 {
        let connection = schema::in_memory();
        let fill = "\
            WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < ?1)
            INSERT INTO events (idempotency_key, message_id, kind, json, received_at_ms)
            SELECT ?2 || ?3 || n, 'm', 'k', '{}', n FROM number";
        let change = "UPDATE events SET state = ?1, attempts = ?2, due_ms = 7, dead_at_ms = 8
            WHERE idempotency_key GLOB ?1 || ?2 || '*'";
        let states = [
            ("done", 1),
            ("dead", 1),
            ("leased", 2),
            ("pending", 0),
            ("quarantined", 0),
            ("pending", 1),
        ];
        for (state, attempts) in states {
            connection.execute(fill, (events, state, attempts)).unwrap();
            connection.execute(change, (state, attempts)).unwrap();
        }
        let found = summary(&connection).unwrap();
        let each = events.unsigned_abs();
        let counts =
            Counts { pending: 2 * each, leased: each, done: each, quarantined: each, dead: each };
        assert_eq!(found, Summary { counts, oldest_open_ms: Some(1) });
        connection.execute("DELETE FROM events WHERE state = 'dead'", []).unwrap();
        let none = Counts { dead: 0, ..counts };
        assert_eq!(summary(&connection).unwrap().counts, none);
        let cost = |sql| {
            let mut statement = connection.prepare(sql).unwrap();
            let kinds = vec!["k"; statement.parameter_count()];
            statement.query_row(rusqlite::params_from_iter(kinds), |_| Ok(())).unwrap();
            statement.get_status(rusqlite::StatementStatus::VmStep)
        };
        [SUMMARY, DUE, DUE_OF_KIND].map(cost).into_iter().sum()
    }

    #[test]
    fn summary_and_due_cost_same_with_many_events() {
        let (few, many) = (steps(20), steps(20_000));
        assert!(many <= few + few / 10, "{few} and {many}");
    }
}
