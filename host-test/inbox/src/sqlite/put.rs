//! Classifies an entry as new, duplicate, conflict or replay, and stores it unless it is a
//! duplicate. This path must be fast.
//!
//! A digest in an index finds replays, and a comparison of the bytes confirms them. Event and
//! digest are written in one transaction. An event that was not stored therefore leaves no digest,
//! and is new under any key.

use rusqlite::OptionalExtension;
use siphasher::sip::SipHasher24;

use super::error::StoreError;
use super::model::{Entry, MAX_CONFLICTS, Replays, Stored};
use super::trace::TraceContext;
use super::writer::Batch;

// Does not use ON CONFLICT DO NOTHING, because a duplicate would then use up an identifier, and
// therefore write and wait for the disk.
const INSERT: &str = "\
    INSERT INTO events
        (idempotency_key, message_id, kind, json, received_at_ms, traceparent, tracestate, digest)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";

/// Finds the copy number of an event with equal bytes under a key. The second column is true if the
/// event is not a replay and only replays precede it.
const FIND: &str = "\
    SELECT copy, replay_of IS NULL AND NOT EXISTS (
        SELECT 1 FROM events AS earlier WHERE earlier.idempotency_key = ?1
            AND earlier.copy < events.copy AND earlier.replay_of IS NULL
    )
    FROM events WHERE idempotency_key = ?1 AND json = ?2 ORDER BY copy LIMIT 1";

/// Returns true if the key has an event that is not a replay.
const HAS_ITS_OWN: &str = "\
    SELECT EXISTS (SELECT 1 FROM events WHERE idempotency_key = ?1 AND replay_of IS NULL)";

// Inserts nothing if the key has the maximum number of quarantined events. Replays do not count.
// Otherwise a client with captured deliveries could exhaust the limit before the genuine event
// arrives. Released events do not count, so an operator can make room for the genuine event.
const COPY: &str = "\
    INSERT INTO events
        (idempotency_key, message_id, kind, json, received_at_ms, traceparent, tracestate, digest,
        state, replay_of, copy, copy_token)
    SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, max(copy) + 1, lower(hex(randomblob(16)))
    FROM events WHERE idempotency_key = ?1
    HAVING ?10 IS NOT NULL
        OR count(*) FILTER (WHERE replay_of IS NULL AND state = 'quarantined') < ?11";

/// Finds the first earlier event with equal bytes. Names the index, because the planner may choose
/// another index. The index orders equal digests by identifier. An ORDER BY would add a sorter that
/// costs more than the search.
const SAME: &str = "SELECT id FROM events INDEXED BY events_digest
    WHERE digest = ?1 AND id < ?3 AND json = ?2 LIMIT 1";

const REPLAYED: &str =
    "UPDATE events SET replay_of = ?2, state = CASE WHEN ?3 THEN 'quarantined' ELSE state END
    WHERE id = ?1";

/// Moves one event of the tally from pending to quarantined. The tally counts each inserted event
/// as pending (schema.sql).
const TALLY_QUARANTINED: &str = "\
    UPDATE tally SET events = events + CASE state WHEN 'pending' THEN -1 ELSE 1 END
    WHERE state IN ('pending', 'quarantined')";

/// A comparison of an event with events under other keys.
#[derive(Clone, Copy)]
pub(super) struct Compared {
    /// SipHash-2-4 of the event, with a key of zeros. Finds candidates for the comparison of bytes.
    digest: i64,
    quarantines: bool,
}

impl Compared {
    /// Creates a comparison; `None` if replays are allowed.
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

/// A row to insert.
type Row<'a> =
    (&'a str, &'a str, &'a str, &'a str, i64, Option<&'a str>, Option<&'a str>, Option<i64>);

pub(super) fn put(
    batch: &Batch<'_>,
    entry: &Entry,
    trace: Option<&TraceContext>,
    compared: Option<Compared>,
) -> Result<Stored, StoreError> {
    let fault = batch.location.fault("storing an event");
    let Entry { idempotency_key, message_id, kind, json } = entry;
    let (parent, state) = (trace.map(TraceContext::parent), trace.and_then(TraceContext::state));
    let digest = compared.map(|compared| compared.digest);
    let row: Row<'_> =
        (idempotency_key, message_id, kind, json, batch.state.now_ms, parent, state, digest);
    let mut insert = batch.connection.prepare_cached(INSERT).map_err(&fault)?;
    let stored = match insert.execute(row) {
        Ok(_) => put_first(batch, json, compared).map_err(&fault)?,
        Err(error) if is_known(&error) => match find(batch, idempotency_key, json) {
            Ok(Some(stored)) => return Ok(stored),
            Ok(None) => {
                let copied = put_copy(batch, row, compared).map_err(&fault)?;
                copied.ok_or_else(|| StoreError::TooManyCopies {
                    key: idempotency_key.clone(),
                    limit: MAX_CONFLICTS,
                })?
            }
            Err(error) => return Err(fault(error)),
        },
        Err(error) => return Err(fault(error)),
    };
    if let Some(on_step) = batch.on_step {
        on_step("insert");
    }
    Ok(stored)
}

/// Compares the event that was just inserted, the first under its key, with events under other
/// keys.
fn put_first(
    batch: &Batch<'_>,
    json: &str,
    compared: Option<Compared>,
) -> rusqlite::Result<Stored> {
    let id = batch.connection.last_insert_rowid();
    let first = compared.map(|compared| same(batch, id, json, compared)).transpose()?.flatten();
    let quarantines = compared.is_some_and(|compared| compared.quarantines);
    if let Some(first) = first {
        let mut replayed = batch.connection.prepare_cached(REPLAYED)?;
        replayed.execute((id, first, quarantines))?;
    }
    if first.is_none() || !quarantines {
        batch.state.takeable.set(true);
    }
    Ok(if first.is_some() { Stored::Replayed } else { Stored::Stored })
}

/// If an equal event is stored under the key, returns the outcome of storing it again.
fn find(batch: &Batch<'_>, key: &str, json: &str) -> rusqlite::Result<Option<Stored>> {
    let mut find = batch.connection.prepare_cached(FIND)?;
    let found = find.query_row((key, json), |row| row.try_into()).optional()?;
    Ok(found.map(|(copy, is_own): (i64, bool)| match (copy, is_own) {
        (0, _) | (_, true) => Stored::Duplicate,
        // The event was stored earlier as a conflict with the first event.
        _ => Stored::Conflict,
    }))
}

/// Inserts another event under an existing key. Workers can lease the event if all events of the
/// key before it are replays, and it is not a replay. Otherwise the event is quarantined. Returns
/// `None` if the key has the maximum number of quarantined events.
fn put_copy(
    batch: &Batch<'_>,
    row: Row<'_>,
    compared: Option<Compared>,
) -> rusqlite::Result<Option<Stored>> {
    let (key, message_id, kind, json, now_ms, parent, trace, digest) = row;
    let same = |compared| same(batch, i64::MAX, json, compared);
    let replay_of = compared.map(same).transpose()?.flatten();
    let has_its_own: bool =
        batch.connection.prepare_cached(HAS_ITS_OWN)?.query_row([key], |row| row.get(0))?;
    let is_own = replay_of.is_none() && !has_its_own;
    let state = if is_own { "pending" } else { "quarantined" };
    let most = i64::try_from(MAX_CONFLICTS).unwrap_or(i64::MAX);
    let mut insert = batch.connection.prepare_cached(COPY)?;
    let row = rusqlite::params![
        key, message_id, kind, json, now_ms, parent, trace, digest, state, replay_of, most
    ];
    if insert.execute(row)? == 0 {
        return Ok(None);
    }
    if is_own {
        batch.state.takeable.set(true);
        return Ok(Some(Stored::Stored));
    }
    batch.connection.prepare_cached(TALLY_QUARANTINED)?.execute([])?;
    Ok(Some(Stored::Conflict))
}

/// Returns the identifier of the first event with equal bytes and an identifier below `before`.
fn same(
    batch: &Batch<'_>,
    before: i64,
    json: &str,
    compared: Compared,
) -> rusqlite::Result<Option<i64>> {
    let mut same = batch.connection.prepare_cached(SAME)?;
    same.query_row((compared.digest, json, before), |row| row.get(0)).optional()
}

fn is_known(error: &rusqlite::Error) -> bool {
    error
        .sqlite_error()
        .is_some_and(|error| error.extended_code == rusqlite::ffi::SQLITE_CONSTRAINT_UNIQUE)
}

/// Number of bytes that a probe writes after a failed batch: the largest usual event with its row.
const LARGE_EVENT_BYTES: u32 = 272 * 1024;

/// Writes a few bytes, unless a recent commit proves that the disk accepts writes. Any number of
/// requests causes at most one small write in 10 s.
///
/// After a failed batch, writes the pages of a large event and rolls them back. A disk without room
/// for an event can have room for a few bytes.
pub(super) fn probe(batch: &Batch<'_>) -> Result<(), StoreError> {
    const LARGE: &str = "\
        INSERT INTO events (idempotency_key, message_id, kind, json, received_at_ms)
        VALUES ('', '', '', zeroblob(?1), 0)";
    if batch.state.is_proven() {
        return Ok(());
    }
    let connection = batch.connection;
    let write = || {
        if batch.state.is_doubted {
            connection.execute_batch("SAVEPOINT probe")?;
            connection.execute(LARGE, [LARGE_EVENT_BYTES])?;
            connection.cache_flush()?;
            connection.execute_batch("ROLLBACK TO probe; RELEASE probe")?;
        }
        connection.execute("UPDATE age SET age_ms = age_ms", [])
    };
    write().map_err(batch.location.fault("trying a write"))?;
    batch.state.has_probed.set(true);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sqlite::schema;

    #[test]
    fn same_event_is_found_by_its_digest() {
        let connection = schema::in_memory();
        let mut plan = connection.prepare(&format!("EXPLAIN QUERY PLAN {SAME}")).unwrap();
        let rows = plan.query_map((1, "{}", 1), |row| row.get::<_, String>(3)).unwrap();
        let plan: Vec<_> = rows.map(Result::unwrap).collect();
        let [search] = plan.as_slice() else { panic!("more than a search: {plan:?}") };
        assert!(search.contains("INDEX events_digest (digest=? AND rowid<?"), "{search}");
        let compared = Compared::of("{}", Replays::Noticed).unwrap();
        // The digest must never change, because other versions search the file for it.
        assert_eq!(compared.digest.to_be_bytes(), [58, 214, 206, 161, 214, 164, 34, 44]);
    }
    #[test]
    fn equal_digests_are_compared_by_bytes() {
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
