//! Reading, beside the writer: its connections, lists, counts, and the export.

use std::sync::{Arc, Mutex, PoisonError};

use rusqlite::{Connection, OptionalExtension};
use serde_json::json;

use super::error::StoreError;
use super::model::{Counts, Event, Filter, State, columns};
use super::schema::Place;

/// Connections that are kept open while nobody reads.
const IDLE: usize = 4;

/// Events that an export reads at once.
const EXPORTED_AT_ONCE: u32 = 200;

/// Connections that only read. Clones share them.
#[derive(Clone)]
pub(super) struct Readers {
    place: Place,
    idle: Arc<Mutex<Vec<Connection>>>,
}

impl Readers {
    pub(super) fn new(place: Place) -> Self {
        Self { place, idle: Arc::default() }
    }

    /// Reads on this thread. A connection that failed is not used again.
    pub(super) fn read<T>(
        &self,
        doing: &'static str,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<T, StoreError> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let connection = match idle {
            Some(connection) => connection,
            None => self.place.reader()?,
        };
        let result = work(&connection).map_err(self.place.fault(doing))?;
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        if idle.len() < IDLE {
            idle.push(connection);
        }
        Ok(result)
    }

    /// Closes what is idle: the file is another one now.
    pub(super) fn forget(&self) {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }
}

pub(super) fn list(connection: &Connection, filter: &Filter) -> rusqlite::Result<Vec<Event>> {
    // Written out, so that the planner sees which index holds them.
    let state = match filter.state {
        None => "true",
        Some(State::Waiting) => "state IN ('waiting', 'taken') AND state = 'waiting'",
        Some(State::Taken) => "state IN ('waiting', 'taken') AND state = 'taken'",
        Some(State::Done) => "state = 'done'",
        Some(State::Quarantined) => "state = 'quarantined'",
    };
    let (stuck, least) = if filter.stuck {
        ("state <> 'done' AND (last_error IS NOT NULL OR attempts >= ?3)", Event::STUCK_ATTEMPTS)
    } else {
        ("?3 = ?3", 0)
    };
    let sql = format!(
        "SELECT {} FROM events WHERE id > ?1 AND {state} AND {stuck} ORDER BY id LIMIT ?2",
        columns!()
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let rows = statement.query_map((filter.after_id, filter.limit, least), Event::of_row)?;
    rows.collect()
}

pub(super) fn get(connection: &Connection, id: i64) -> rusqlite::Result<Option<Event>> {
    let sql = concat!("SELECT ", columns!(), " FROM events WHERE id = ?1");
    connection.prepare_cached(sql)?.query_row([id], Event::of_row).optional()
}

/// In one statement, so that the numbers are of one moment.
pub(super) fn counts(connection: &Connection) -> rusqlite::Result<Counts> {
    let sql = "SELECT
        (SELECT count(*) FROM events WHERE state IN ('waiting', 'taken') AND state = 'waiting'),
        (SELECT count(*) FROM events WHERE state IN ('waiting', 'taken') AND state = 'taken'),
        (SELECT count(*) FROM events WHERE state = 'done'),
        (SELECT count(*) FROM events WHERE state = 'quarantined')";
    connection.prepare_cached(sql)?.query_row([], |row| {
        // A count is never negative.
        let count = |column| row.get::<_, i64>(column).map(i64::unsigned_abs);
        Ok(Counts { waiting: count(0)?, taken: count(1)?, done: count(2)?, quarantined: count(3)? })
    })
}

pub(super) fn next_due_ms(connection: &Connection) -> rusqlite::Result<Option<i64>> {
    let sql = "SELECT min(due_ms) FROM events INDEXED BY events_open
        WHERE state IN ('waiting', 'taken')";
    connection.prepare_cached(sql)?.query_row([], |row| row.get(0))
}

/// Every event as one line of JSON, without its line break; blocks while it reads.
///
/// It reads page by page, so that an export of any length never holds up the writer;
/// a line shows its event as it was when its page was read. Events that arrive
/// meanwhile may be among them. The event itself is in `json` as a string, byte for
/// byte, because these bytes are what tells it from another one under its key.
pub struct Export {
    readers: Readers,
    page: std::vec::IntoIter<Event>,
    after_id: i64,
    ended: bool,
}

impl Export {
    pub(super) fn new(readers: Readers) -> Self {
        Self { readers, page: Vec::new().into_iter(), after_id: 0, ended: false }
    }
}

impl Iterator for Export {
    type Item = Result<String, StoreError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(event) = self.page.next() {
                self.after_id = event.id;
                return Some(Ok(line(&event)));
            }
            if self.ended {
                return None;
            }
            let filter =
                Filter { after_id: self.after_id, limit: EXPORTED_AT_ONCE, ..Filter::default() };
            match self.readers.read("exporting", |connection| list(connection, &filter)) {
                Ok(page) => {
                    self.ended = page.is_empty();
                    self.page = page.into_iter();
                }
                Err(error) => {
                    self.ended = true;
                    return Some(Err(error));
                }
            }
        }
    }
}

fn line(event: &Event) -> String {
    json!({
        "id": event.id,
        "idempotency-key": event.idempotency_key,
        "copy": event.copy,
        "message-id": event.message_id,
        "kind": event.kind,
        "received-at-ms": event.received_at_ms,
        "state": event.state.as_str(),
        "lease": event.lease,
        "due-ms": event.due_ms,
        "attempts": event.attempts,
        "last-error": event.last_error,
        "done-at-ms": event.done_at_ms,
        "json": event.json,
    })
    .to_string()
}
