//! Handing events on: leases, and what became of them; and forgetting what is done.

use std::time::Duration;

use rusqlite::{OptionalExtension, Params};

use super::error::StoreError;
use super::model::{Event, State, columns};
use super::writer::Batch;

/// A longer error text is cut: what matters is at its beginning.
const ERROR_CHARS: usize = 2_000;

/// Done events that one transaction forgets, so that nobody waits long for it.
const PRUNED_AT_ONCE: u32 = 500;

// The index by name: without it a planner may walk through everything that is done.
const TAKE: &str = concat!(
    "UPDATE events SET state = 'taken', lease = ?1, due_ms = ?2, attempts = attempts + 1
    WHERE id IN (
        SELECT id FROM events INDEXED BY events_open
        WHERE state IN ('waiting', 'taken') AND due_ms <= ?3 ORDER BY id LIMIT ?4
    ) RETURNING ",
    columns!()
);

/// `duration` in milliseconds, or the longest time there is.
pub(super) fn millis(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)
}

pub(super) fn take(
    batch: &Batch<'_>,
    limit: u32,
    lease: Duration,
) -> Result<Vec<Event>, StoreError> {
    let fault = batch.fault("taking events");
    let token = format!("{:032x}", rand::random::<u128>());
    let until = batch.now_ms.saturating_add(millis(lease));
    let mut take = batch.connection.prepare_cached(TAKE).map_err(&fault)?;
    let rows =
        take.query_map((token, until, batch.now_ms, limit), Event::of_row).map_err(&fault)?;
    let mut events = rows.collect::<rusqlite::Result<Vec<_>>>().map_err(&fault)?;
    // In which order RETURNING returns is not defined.
    events.sort_unstable_by_key(|event| event.id);
    Ok(events)
}

/// Done twice is done: the answer to the first may have been lost.
pub(super) fn done(batch: &Batch<'_>, id: i64, lease: &str) -> Result<(), StoreError> {
    const DONE: &str = "\
        UPDATE events SET state = 'done', done_at_ms = coalesce(done_at_ms, ?3)
        WHERE id = ?1 AND lease = ?2 AND state IN ('taken', 'done')";
    change(batch, id, DONE, (id, lease, batch.now_ms))
}

pub(super) fn extend(
    batch: &Batch<'_>,
    id: i64,
    lease: &str,
    by: Duration,
) -> Result<(), StoreError> {
    const EXTEND: &str =
        "UPDATE events SET due_ms = ?3 WHERE id = ?1 AND lease = ?2 AND state = 'taken'";
    change(batch, id, EXTEND, (id, lease, batch.now_ms.saturating_add(millis(by))))
}

pub(super) fn fail(
    batch: &Batch<'_>,
    id: i64,
    lease: &str,
    error: &str,
    retry_after: Duration,
) -> Result<(), StoreError> {
    const FAIL: &str = "\
        UPDATE events SET state = 'waiting', lease = NULL, due_ms = ?3, last_error = ?4
        WHERE id = ?1 AND lease = ?2 AND state = 'taken'";
    let error: String = error.chars().take(ERROR_CHARS).collect();
    let due = batch.now_ms.saturating_add(millis(retry_after));
    change(batch, id, FAIL, (id, lease, due, error))?;
    batch.more_to_take();
    Ok(())
}

pub(super) fn requeue(batch: &Batch<'_>, id: i64, lease: Option<&str>) -> Result<(), StoreError> {
    const GIVE_BACK: &str = "\
        UPDATE events SET state = 'waiting', lease = NULL, due_ms = 0
        WHERE id = ?1 AND lease = ?2 AND state = 'taken'";
    const START_ANEW: &str = "\
        UPDATE events SET state = 'waiting', lease = NULL, due_ms = 0, attempts = 0,
            last_error = NULL, done_at_ms = NULL
        WHERE id = ?1";
    match lease {
        Some(lease) => change(batch, id, GIVE_BACK, (id, lease))?,
        None => change(batch, id, START_ANEW, [id])?,
    }
    batch.more_to_take();
    Ok(())
}

/// Changes one event, or finds out why it did not.
fn change(
    batch: &Batch<'_>,
    id: i64,
    sql: &'static str,
    values: impl Params,
) -> Result<(), StoreError> {
    let fault = batch.fault("changing an event");
    let mut statement = batch.connection.prepare_cached(sql).map_err(&fault)?;
    if statement.execute(values).map_err(&fault)? == 1 {
        return Ok(());
    }
    let state: Option<String> = batch
        .connection
        .query_row("SELECT state FROM events WHERE id = ?1", [id], |row| row.get(0))
        .optional()
        .map_err(&fault)?;
    let Some(state) = state else { return Err(StoreError::NotFound { id }) };
    let state: State = state.parse().map_err(|problem| StoreError::Damaged {
        path: batch.path().to_path_buf(),
        detail: format!("the state of event {id} {problem}"),
    })?;
    Err(StoreError::LeaseLost { id, state })
}

/// Forgets some of what was done before `before_ms`. The first event under a key stays
/// while another one under it stays: it is what tells that one from a new event.
pub(super) fn prune(batch: &Batch<'_>, before_ms: i64) -> Result<usize, StoreError> {
    const PRUNE: &str = "\
        DELETE FROM events WHERE id IN (
            SELECT id FROM events AS old INDEXED BY events_done
            WHERE state = 'done' AND done_at_ms < ?1 AND (copy > 0 OR NOT EXISTS (
                SELECT 1 FROM events AS other
                WHERE other.idempotency_key = old.idempotency_key AND other.copy > 0
            ))
            LIMIT ?2
        )";
    let fault = batch.fault("pruning");
    let mut prune = batch.connection.prepare_cached(PRUNE).map_err(&fault)?;
    prune.execute((before_ms, PRUNED_AT_ONCE)).map_err(&fault)
}
