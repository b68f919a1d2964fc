//! Storing an entry: new, there already, or in conflict. The one path that has to be
//! fast.

use rusqlite::OptionalExtension;

use super::error::StoreError;
use super::model::{Entry, Stored};
use super::trace::TraceContext;
use super::writer::Batch;

// Not ON CONFLICT DO NOTHING: that would use up a number, and so make every duplicate
// write and wait for the disk.
const INSERT: &str = "\
    INSERT INTO events
        (idempotency_key, message_id, kind, json, received_at_ms, traceparent, tracestate)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";

const FIND: &str =
    "SELECT copy FROM events WHERE idempotency_key = ?1 AND json = ?2 ORDER BY copy LIMIT 1";

// Adds nothing where the key has as many copies as are kept.
const QUARANTINE: &str = "\
    INSERT INTO events
        (idempotency_key, message_id, kind, json, received_at_ms, traceparent, tracestate, state,
        copy, copy_token)
    SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, 'quarantined', max(copy) + 1, lower(hex(randomblob(16)))
    FROM events WHERE idempotency_key = ?1 HAVING count(*) <= ?8";

/// It never was waiting, as the tally takes it (schema.rs).
const TALLY_QUARANTINED: &str = "\
    UPDATE tally SET events = events + CASE state WHEN 'waiting' THEN -1 ELSE 1 END
    WHERE state IN ('waiting', 'quarantined')";

/// Number of other events that are kept under a key, in quarantine: as in every inbox of the
/// WIT package, so that a caller sees no difference between them.
pub const MAX_CONFLICTS: usize = 16;

pub(super) fn put(
    batch: &Batch<'_>,
    entry: &Entry,
    trace: Option<&TraceContext>,
) -> Result<Stored, StoreError> {
    let fault = batch.fault("storing an event");
    let Entry { idempotency_key, message_id, kind, json } = entry;
    let (parent, state) = (trace.map(TraceContext::parent), trace.and_then(TraceContext::state));
    let row = (idempotency_key, message_id, kind, json, batch.now_ms, parent, state);
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
                let copy = (key, message_id, kind, json, now_ms, parent, state, most);
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
        batch.more_to_lease();
        Stored::Stored
    };
    batch.step("insert");
    Ok(stored)
}

fn is_known(error: &rusqlite::Error) -> bool {
    error
        .sqlite_error()
        .is_some_and(|error| error.extended_code == rusqlite::ffi::SQLITE_CONSTRAINT_UNIQUE)
}
