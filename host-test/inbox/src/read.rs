//! Reading, beside the writer or without one: its connections, lists, counts, and the
//! export.

use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rusqlite::{Connection, OptionalExtension};
use serde_json::json;

use super::error::StoreError;
use super::health::Health;
use super::lease::STEP_MS;
use super::model::{Bucket, Counts, Due, Event, Filter, State, columns};
use super::schema::{self, Place, Still};

/// Connections that are kept open while nobody reads.
const IDLE: usize = 4;

/// Events that an export reads at once.
const EXPORT_PAGE: u32 = 200;

/// Connections that only read. Clones share them.
#[derive(Clone)]
pub(super) struct Readers {
    place: Place,
    health: Health,
    /// Whether there is no writer in this process: nothing is made or changed.
    alone: bool,
    idle: Arc<Mutex<Idle>>,
}

#[derive(Default)]
struct Idle {
    connections: Vec<Reader>,
    /// Counts how often what was open became another file's.
    round: u64,
}

struct Reader {
    connection: Connection,
    /// State of the file when this connection, which takes it for unchanging, was opened.
    still: Option<Still>,
}

impl Readers {
    pub(super) fn new(place: Place, health: Health) -> Self {
        Self { place, health, alone: false, idle: Arc::default() }
    }

    /// For a file that this process does not write.
    pub(super) fn alone(place: Place) -> Self {
        Self { place, health: Health::default(), alone: true, idle: Arc::default() }
    }

    /// Reads on this thread. A connection that failed is not used again.
    pub(super) fn read<T>(
        &self,
        doing: &'static str,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<T, StoreError> {
        let (idle, round) = {
            let mut idle = self.idle();
            (idle.connections.pop(), idle.round)
        };
        let reader = match idle {
            Some(reader) => reader,
            None => self.open()?,
        };
        let result = work(&reader.connection).map_err(self.place.fault(doing));
        if reader.still.is_some() && reader.still != self.place.still() {
            return Err(StoreError::Unavailable {
                path: self.place.path.clone(),
                detail: "it was written to while it was read".into(),
            });
        }
        let result = result.inspect_err(|error| self.health.note(error))?;
        let mut idle = self.idle();
        if idle.connections.len() < IDLE && idle.round == round {
            idle.connections.push(reader);
        }
        Ok(result)
    }

    /// Opens the file once, so that what is wrong with it is known.
    pub(super) fn try_open(&self) -> Result<(), StoreError> {
        let reader = self.open()?;
        self.idle().connections.push(reader);
        Ok(())
    }

    fn open(&self) -> Result<Reader, StoreError> {
        if self.alone {
            let (connection, still) = self.place.read_only()?;
            return Ok(Reader { connection, still });
        }
        Ok(Reader { connection: self.place.reader()?, still: None })
    }

    pub(super) fn path(&self) -> &Path {
        &self.place.path
    }

    fn idle(&self) -> MutexGuard<'_, Idle> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Closes what is idle, and lets nothing that is in use be used again: the files are
    /// others now.
    pub(super) fn forget(&self) {
        let mut idle = self.idle();
        idle.round = idle.round.wrapping_add(1);
        idle.connections.clear();
    }
}

pub(super) fn list(connection: &Connection, filter: &Filter) -> rusqlite::Result<Vec<Event>> {
    // Written out, so that the planner sees which index holds them. What was never tried
    // and what was are in two.
    const AGAIN: &str = "state IN ('waiting', 'taken') AND attempts > 0";
    let (pending, leased, stuck);
    let state = match (filter.state, filter.stuck) {
        (None, false) => "true",
        (None, true) => AGAIN,
        (Some(State::Pending), false) => {
            pending = format!(
                "id IN (
                    SELECT id FROM (SELECT id FROM events
                        WHERE state = 'waiting' AND attempts = 0 AND id > ?1 ORDER BY id LIMIT ?2)
                    UNION ALL
                    SELECT id FROM events WHERE {AGAIN} AND state = 'waiting'
                )"
            );
            &pending
        }
        (Some(State::Pending), true) => {
            stuck = format!("{AGAIN} AND state = 'waiting'");
            &stuck
        }
        (Some(State::Leased), _) => {
            leased = format!("{AGAIN} AND state = 'taken'");
            &leased
        }
        (Some(State::Done), _) => "state = 'done'",
        (Some(State::Quarantined), _) => "state = 'quarantined'",
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
        (SELECT count(*) FROM events WHERE state = 'waiting' AND attempts = 0),
        (SELECT count(*) FROM events
            WHERE state IN ('waiting', 'taken') AND attempts > 0 AND state = 'waiting'),
        (SELECT count(*) FROM events
            WHERE state IN ('waiting', 'taken') AND attempts > 0 AND state = 'taken'),
        (SELECT count(*) FROM events WHERE state = 'done'),
        (SELECT count(*) FROM events WHERE state = 'quarantined')";
    connection.prepare_cached(sql)?.query_row([], |row| {
        // A count is never negative.
        let count = |column| row.get::<_, i64>(column).map(i64::unsigned_abs);
        Ok(Counts {
            pending: count(0)?.saturating_add(count(1)?),
            leased: count(2)?,
            done: count(3)?,
            quarantined: count(4)?,
        })
    })
}

/// The buckets that hold anything.
pub(super) fn buckets(connection: &Connection) -> rusqlite::Result<Vec<Bucket>> {
    let sql = "SELECT bucket, count(*) FROM kv GROUP BY bucket";
    let mut statement = connection.prepare_cached(sql)?;
    let rows = statement.query_map([], |row| {
        Ok(Bucket { name: row.get(0)?, values: row.get::<_, i64>(1)?.unsigned_abs() })
    })?;
    rows.collect()
}

/// Each number from the beginning of an index.
pub(super) const DUE: &str = "SELECT
    EXISTS (SELECT 1 FROM events INDEXED BY events_new
        WHERE state = 'waiting' AND attempts = 0),
    (SELECT min(due_ms) FROM events INDEXED BY events_again
        WHERE state IN ('waiting', 'taken') AND attempts > 0),
    (SELECT max(since_ms) FROM events INDEXED BY events_since
        WHERE state IN ('waiting', 'taken') AND attempts > 0)";

pub(super) fn due(connection: &Connection, now_ms: i64) -> rusqlite::Result<Due> {
    connection.prepare_cached(DUE)?.query_row([], |row| {
        let since_ms: Option<i64> = row.get(2)?;
        // By a clock that was ahead: due now.
        let from_the_future =
            since_ms.is_some_and(|since_ms| since_ms > now_ms.saturating_add(STEP_MS));
        let again_ms = if from_the_future { Some(0) } else { row.get(1)? };
        Ok(Due { new: row.get(0)?, again_ms })
    })
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

    /// Why what was exported may not be all: a damaged index leads past an event without a
    /// word.
    fn damage(&self) -> Option<StoreError> {
        match self.readers.read("checking it", schema::damage) {
            Ok(None) => None,
            Ok(Some(detail)) => {
                Some(StoreError::Damaged { path: self.readers.path().to_path_buf(), detail })
            }
            Err(error) => Some(error),
        }
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
                Filter { after_id: self.after_id, limit: EXPORT_PAGE, ..Filter::default() };
            match self.readers.read("exporting", |connection| list(connection, &filter)) {
                Ok(page) if page.is_empty() => {
                    self.ended = true;
                    return self.damage().map(Err);
                }
                Ok(page) => self.page = page.into_iter(),
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
        "delivery-key": event.delivery_key(),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema;

    #[test]
    fn the_next_event_is_found_at_an_end_of_an_index() {
        let connection = schema::in_memory();
        let mut plan = connection.prepare(&format!("EXPLAIN QUERY PLAN {DUE}")).unwrap();
        let rows = plan.query_map([], |row| row.get::<_, String>(3)).unwrap();
        let plan: Vec<_> = rows.map(Result::unwrap).collect();
        // SQLite reports min and max as a SEARCH, although nothing is compared.
        let about = |name: &str| plan.iter().find(|line| line.contains(name)).cloned();
        for (index, how) in
            [("events_new", "SCAN"), ("events_again", "SEARCH"), ("events_since", "SEARCH")]
        {
            let line = about(index).unwrap_or_default();
            assert!(line.starts_with(how) && line.contains("COVERING INDEX"), "{index}: {plan:#?}");
        }
    }
}
