//! Storing an entry: new, there already, in conflict, or the same as one under another key. The
//! one path that has to be fast.
//!
//! Whether an event came under another key before is found by a digest of it, in an index, and by
//! its bytes. Both are written with the event, in one transaction: what was not stored is not
//! known, and can come again under whichever key.

use rusqlite::OptionalExtension;
use siphasher::sip::SipHasher24;

use super::error::StoreError;
use super::model::{Entry, MAX_CONFLICTS, Replays, Stored};
use super::trace::TraceContext;
use super::writer::Batch;

// Not ON CONFLICT DO NOTHING: that would use up a number, and so make every duplicate
// write and wait for the disk.
const INSERT: &str = "\
    INSERT INTO events
        (idempotency_key, message_id, kind, json, received_at_ms, traceparent, tracestate, digest)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";

const FIND: &str =
    "SELECT copy FROM events WHERE idempotency_key = ?1 AND json = ?2 ORDER BY copy LIMIT 1";

// Adds nothing where the key has as many copies as are kept.
const QUARANTINE: &str = "\
    INSERT INTO events
        (idempotency_key, message_id, kind, json, received_at_ms, traceparent, tracestate, state,
        digest, copy, copy_token)
    SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, 'quarantined', ?8, max(copy) + 1,
        lower(hex(randomblob(16)))
    FROM events WHERE idempotency_key = ?1 HAVING count(*) <= ?9";

/// The first event of these bytes before this one. The index by name: without, a planner may take
/// another. It has the events of a digest in the order of their numbers; to ask for that order makes
/// SQLite open a sorter each time, which costs more than the search.
const SAME: &str = "SELECT id FROM events INDEXED BY events_digest
    WHERE digest = ?1 AND id < ?3 AND json = ?2 LIMIT 1";

const REPLAYED: &str =
    "UPDATE events SET replay_of = ?2, state = CASE WHEN ?3 THEN 'quarantined' ELSE state END
    WHERE id = ?1";

/// It never was waiting, as the tally takes it (schema.rs).
const TALLY_QUARANTINED: &str = "\
    UPDATE tally SET events = events + CASE state WHEN 'waiting' THEN -1 ELSE 1 END
    WHERE state IN ('waiting', 'quarantined')";

/// Comparison of an event with those under other keys.
#[derive(Clone, Copy)]
pub(super) struct Compared {
    /// Its SipHash-2-4, under a key of zeros: it finds what the bytes then decide.
    digest: i64,
    quarantines: bool,
}

impl Compared {
    /// None where it is not to be compared.
    pub(super) fn of(json: &str, replays: Replays) -> Option<Self> {
        let quarantines = match replays {
            Replays::Allowed => return None,
            Replays::Noticed => false,
            Replays::Quarantined => true,
        };
        let digest = SipHasher24::new().hash(json.as_bytes()).cast_signed();
        Some(Self { digest, quarantines })
    }
}

pub(super) fn put(
    batch: &Batch<'_>,
    entry: &Entry,
    trace: Option<&TraceContext>,
    compared: Option<Compared>,
) -> Result<Stored, StoreError> {
    let fault = batch.fault("storing an event");
    let Entry { idempotency_key, message_id, kind, json } = entry;
    let (parent, state) = (trace.map(TraceContext::parent), trace.and_then(TraceContext::state));
    let digest = compared.map(|compared| compared.digest);
    let row = (idempotency_key, message_id, kind, json, batch.now_ms, parent, state, digest);
    let mut insert = batch.connection.prepare_cached(INSERT).map_err(&fault)?;
    let known = match insert.execute(row) {
        Ok(_) => false,
        Err(error) if is_known(&error) => true,
        Err(error) => return Err(fault(error)),
    };
    let stored = if known {
        let mut find = batch.connection.prepare_cached(FIND).map_err(&fault)?;
        let copy: Option<i64> =
            find.query_row((idempotency_key, json), |row| row.get(0)).optional().map_err(&fault)?;
        match copy {
            Some(0) => return Ok(Stored::Duplicate),
            // It is kept, and its conflict with the first event still holds.
            Some(_) => return Ok(Stored::Conflict),
            None => {
                let most = i64::try_from(MAX_CONFLICTS).unwrap_or(i64::MAX);
                let mut insert = batch.connection.prepare_cached(QUARANTINE).map_err(&fault)?;
                let (key, now_ms) = (idempotency_key, batch.now_ms);
                let copy = (key, message_id, kind, json, now_ms, parent, state, digest, most);
                if insert.execute(copy).map_err(&fault)? == 0 {
                    let key = idempotency_key.clone();
                    return Err(StoreError::TooManyCopies { key, limit: MAX_CONFLICTS });
                }
                let mut tally =
                    batch.connection.prepare_cached(TALLY_QUARANTINED).map_err(&fault)?;
                tally.execute([]).map_err(&fault)?;
                Stored::Conflict
            }
        }
    } else {
        let id = batch.connection.last_insert_rowid();
        let same = |compared| same(batch, id, json, compared).map_err(&fault);
        let first = compared.map(same).transpose()?.flatten();
        let waits = first.is_none() || !compared.is_some_and(|compared| compared.quarantines);
        if waits {
            batch.more_to_lease();
        }
        if first.is_some() { Stored::Replayed } else { Stored::Stored }
    };
    batch.step("insert");
    Ok(stored)
}

/// Looks for an event that is the same as this one, and notes which it is.
fn same(
    batch: &Batch<'_>,
    id: i64,
    json: &str,
    compared: Compared,
) -> rusqlite::Result<Option<i64>> {
    let mut same = batch.connection.prepare_cached(SAME)?;
    let first = same.query_row((compared.digest, json, id), |row| row.get(0)).optional()?;
    if let Some(first) = first {
        let mut replayed = batch.connection.prepare_cached(REPLAYED)?;
        replayed.execute((id, first, compared.quarantines))?;
    }
    Ok(first)
}

fn is_known(error: &rusqlite::Error) -> bool {
    error
        .sqlite_error()
        .is_some_and(|error| error.extended_code == rusqlite::ffi::SQLITE_CONSTRAINT_UNIQUE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sqlite::schema;

    #[test]
    fn the_same_event_is_found_by_its_digest() {
        let connection = schema::in_memory();
        let mut plan = connection.prepare(&format!("EXPLAIN QUERY PLAN {SAME}")).unwrap();
        let rows = plan.query_map((1, "{}", 1), |row| row.get::<_, String>(3)).unwrap();
        let plan: Vec<_> = rows.map(Result::unwrap).collect();
        let [search] = plan.as_slice() else { panic!("more than a search: {plan:?}") };
        assert!(search.contains("INDEX events_digest (digest=? AND rowid<?"), "{search}");
        let compared = Compared::of("{}", Replays::Noticed).unwrap();
        // A file outlives the version that wrote it: this is what other versions look for.
        assert_eq!(compared.digest.to_be_bytes(), [58, 214, 206, 161, 214, 164, 34, 44]);
    }
    #[test]
    fn events_that_share_a_digest_are_told_apart_by_their_bytes() {
        let connection = schema::in_memory();
        let insert =
            "INSERT INTO events (idempotency_key, message_id, kind, json, received_at_ms, digest)
            VALUES (?1, 'm', 'k', ?2, 5, 7)";
        for (key, json) in [("a", "{}"), ("b", "{ }"), ("c", "{ }")] {
            connection.execute(insert, (key, json)).unwrap();
        }
        let first = |json: &str, id: i64| -> Option<i64> {
            connection.query_row(SAME, (7, json, id), |row| row.get(0)).optional().unwrap()
        };
        assert_eq!([first("{}", 4), first("{ }", 4), first("{ }", 2)], [Some(1), Some(2), None]);
    }
}
