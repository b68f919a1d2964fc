//! Leases events, ends leases (ack, nack, release, requeue), and prunes done events.
//!
//! # Order
//!
//! Every pending or leased event is in one of two queues. Untried events are leasable at any time,
//! in order of identifiers. Tried events are leasable when they are due, in order of due times.
//! Each queue has indexes, and further indexes by kind for workers that lease only certain kinds.
//!
//! A lease reads only the start of a queue, so its cost does not depend on the number of events.
//! Across both queues, the event that has been due longest goes first. A failed event goes behind
//! all events that are due when its delay ends. Therefore no event blocks another event forever.
//!
//! # Clocks that jump
//!
//! The store records the start and the end of each lease or delay. An event is due after the end.
//! It is also due if the start is more than [`STEP_MS`] in the future, because the clock was then
//! set back.
//!
//! A lease therefore holds an event for at most its duration, plus [`STEP_MS`] and the interval
//! between two polls. This limit holds for any change of the clock. After the clock was set back,
//! the limit requires a poll before the clock has caught up.
//!
//! A clock that is set ahead ends leases early, as if the workers had died. The events are then
//! leased again under new tokens. The old tokens of the late workers are rejected.

use std::sync::LazyLock;
use std::time::Duration;

use rusqlite::{Connection, OptionalExtension, Params};

use super::error::StoreError;
use super::model::{
    DeadFilter, Event, Kinds, Old, Pruned, Queue, Retry, STEP_MS, State, TIMES_CHARS, UnknownState,
    kept_error, millis,
};
use super::row::{columns, event};
use super::writer::{Batch, age};
use crate::backend::PAGE_BYTES;

/// Maximum number of events that one transaction forgets, because other writers wait for it.
const PRUNE_BATCH: u32 = 500;

/// The query of each queue. A query returns `(id, rank)` in the order of leases. `?1` is the time,
/// `?2` the limit, `?3` the kind.
struct Choices {
    any: String,
    again: String,
    oldest: String,
    newest: String,
}

static OF_ANY_KIND: LazyLock<Choices> = LazyLock::new(|| Choices::new("", ""));
static OF_A_KIND: LazyLock<Choices> = LazyLock::new(|| Choices::new("_kind", " AND kind = ?3"));

impl Choices {
    /// Creates the queries. Names the indexes, because the planner may otherwise scan all done
    /// events.
    fn new(index: &str, of_kind: &str) -> Self {
        let new = format!(
            "FROM events INDEXED BY events_new{index}
            WHERE state = 'pending' AND attempts = 0{of_kind} ORDER BY id"
        );
        let tried = |index_of: &str, rank: &str, when: &str, order: &str| {
            format!(
                "SELECT id, {rank} AS due FROM (SELECT id, due_ms
                FROM events INDEXED BY events_{index_of}{index}
                WHERE state IN ('pending', 'leased') AND attempts > 0 AND {when}{of_kind}
                ORDER BY {order} LIMIT ?2)"
            )
        };
        let oldest = format!(
            "SELECT id, CASE WHEN received_at_ms > ?1 THEN 0 ELSE received_at_ms END AS due
            FROM (SELECT id, received_at_ms {new} LIMIT ?2)"
        );
        let due = tried("again", "due_ms", "due_ms <= ?1", "due_ms, id");
        let of_a_clock_ahead = format!("since_ms > ?1 + {STEP_MS}");
        let future = tried("since", "0", &of_a_clock_ahead, "since_ms");
        let first = |parts: &[&str]| {
            format!(
                "SELECT id, min(due) AS rank FROM ({}) GROUP BY id ORDER BY rank, id LIMIT ?2",
                parts.join(" UNION ALL ")
            )
        };
        Self {
            any: first(&[&oldest, &due, &future]),
            again: first(&[&due, &future]),
            oldest: format!("SELECT id, id AS rank, ?1 {new} LIMIT ?2"),
            newest: format!("SELECT id, -id AS rank, ?1 {new} DESC LIMIT ?2"),
        }
    }

    fn of(&self, queue: Queue) -> &str {
        match queue {
            Queue::Any => &self.any,
            Queue::Oldest => &self.oldest,
            Queue::Newest => &self.newest,
            Queue::Again => &self.again,
        }
    }
}

static LEASE: LazyLock<String> = LazyLock::new(|| {
    format!(
        "UPDATE events SET state = 'leased', lease = ?2, since_ms = ?3, due_ms = ?4,
            attempts = attempts + 1,
            attempted_at_ms = substr(attempted_at_ms || printf('%013d ', ?3), -{TIMES_CHARS})
        WHERE id = ?1 RETURNING {}",
        columns!()
    )
});

pub(super) fn lease(
    batch: &Batch<'_>,
    queue: Queue,
    kinds: &Kinds,
    limit: u32,
    lease: Duration,
) -> Result<Vec<Event>, StoreError> {
    let fault = batch.location.fault("leasing events");
    let token = format!("{:032x}", rand::random::<u128>());
    let until = batch.state.now_ms.saturating_add(millis(lease));
    let ids = choose(batch.connection, queue, kinds, batch.state.now_ms, limit).map_err(&fault)?;
    let mut statement = batch.connection.prepare_cached(&LEASE).map_err(&fault)?;
    let (mut events, mut bytes) = (Vec::new(), 0_usize);
    for id in ids {
        if bytes >= PAGE_BYTES {
            break;
        }
        let row = (id, &token, batch.state.now_ms, until);
        let event = statement.query_row(row, event).map_err(&fault)?;
        bytes = bytes.saturating_add(event.json.len());
        events.push(event);
    }
    Ok(events)
}

fn choose(
    connection: &Connection,
    queue: Queue,
    kinds: &Kinds,
    now_ms: i64,
    limit: u32,
) -> rusqlite::Result<Vec<i64>> {
    let kinds = match kinds {
        Kinds::All => {
            let mut choice = connection.prepare_cached(OF_ANY_KIND.of(queue))?;
            return choice.query_map((now_ms, limit), |row| row.get(0))?.collect();
        }
        Kinds::Only(kinds) => kinds,
    };
    let mut choice = connection.prepare_cached(OF_A_KIND.of(queue))?;
    let mut found: Vec<(i64, i64)> = Vec::new();
    for kind in kinds {
        let of_kind =
            choice.query_map((now_ms, limit, kind), |row| Ok((row.get(1)?, row.get(0)?)))?;
        for ranked in of_kind {
            found.push(ranked?);
        }
    }
    found.sort_unstable();
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    Ok(found.into_iter().take(limit).map(|(_, id)| id).collect())
}

/// Marks an event as done. Returns false if the event was already done. A repeated ack succeeds,
/// because the first reply may have been lost.
pub(super) fn ack(batch: &Batch<'_>, id: i64, lease: &str) -> Result<bool, StoreError> {
    const ACK: &str = "\
        UPDATE events SET state = 'done', done_at_ms = ?3
        WHERE id = ?1 AND lease = ?2 AND state = 'leased'";
    const IS_DONE: &str = "SELECT id FROM events WHERE id = ?1 AND lease = ?2 AND state = 'done'";
    let done =
        batch.connection.prepare_cached(IS_DONE).and_then(|mut done| done.exists((id, lease)));
    if done.map_err(batch.location.fault("marking an event as done"))? {
        return Ok(false);
    }
    change(batch, id, ACK, (id, lease, batch.state.now_ms))?;
    Ok(true)
}

pub(super) fn extend(
    batch: &Batch<'_>,
    id: i64,
    lease: &str,
    by: Duration,
) -> Result<(), StoreError> {
    const EXTEND: &str = "\
        UPDATE events SET since_ms = ?3, due_ms = ?4
        WHERE id = ?1 AND lease = ?2 AND state = 'leased'";
    let until = batch.state.now_ms.saturating_add(millis(by));
    change(batch, id, EXTEND, (id, lease, batch.state.now_ms, until))
}

pub(super) fn nack(
    batch: &Batch<'_>,
    id: i64,
    lease: &str,
    error: &str,
    retry: Retry,
) -> Result<State, StoreError> {
    const NACK: &str = "\
        UPDATE events SET state = 'pending', since_ms = ?3, due_ms = ?4,
            last_error = ?5, failures = failures + ?6
        WHERE id = ?1 AND lease = ?2 AND state = 'leased'";
    const MARK_DEAD: &str = "\
        UPDATE events SET state = 'dead', since_ms = 0, due_ms = 0,
            last_error = ?4, failures = failures + 1, dead_at_ms = ?3
        WHERE id = ?1 AND lease = ?2 AND state = 'leased'";
    const FAILURES: &str = "SELECT failures FROM events WHERE id = ?1";
    let error = kept_error(error);
    let (pause, counted) = match retry {
        Retry::After(pause) => (Some(pause), 1),
        Retry::Uncounted(pause) => (Some(pause), 0),
        Retry::Never => (None, 1),
        Retry::UpTo { failures, pause } => {
            let fault = batch.location.fault("changing an event");
            let mut statement = batch.connection.prepare_cached(FAILURES).map_err(&fault)?;
            let before = statement.query_row([id], |row| row.get(0)).optional().map_err(&fault)?;
            let is_last = before.unwrap_or(0_i64).saturating_add(1) >= i64::from(failures.get());
            ((!is_last).then_some(pause), 1)
        }
    };
    let Some(pause) = pause else {
        let marked = change(batch, id, MARK_DEAD, (id, lease, batch.state.now_ms, error));
        return marked.map(|()| State::Dead).or_else(|error| nacked(batch, id, lease, error));
    };
    let due = batch.state.now_ms.saturating_add(millis(pause));
    match change(batch, id, NACK, (id, lease, batch.state.now_ms, due, error, counted)) {
        Ok(()) => batch.state.takeable.set(true),
        Err(error) => return nacked(batch, id, lease, error),
    }
    Ok(State::Pending)
}

/// Returns the state of an event that was already nacked under this token; otherwise `error`. A
/// repeated nack succeeds, because the first reply may have been lost. The token stays until the
/// next lease.
fn nacked(batch: &Batch<'_>, id: i64, lease: &str, error: StoreError) -> Result<State, StoreError> {
    const SAME: &str = "SELECT 1 FROM events WHERE id = ?1 AND lease = ?2";
    let StoreError::LeaseLost { state: state @ (State::Pending | State::Dead), .. } = error else {
        return Err(error);
    };
    let fault = batch.location.fault("changing an event");
    let mut same = batch.connection.prepare_cached(SAME).map_err(&fault)?;
    if same.exists((id, lease)).map_err(&fault)? { Ok(state) } else { Err(error) }
}

/// Makes a dead event pending and untried if it became dead in the selected time. Returns true if
/// the event was requeued.
pub(super) fn requeue(batch: &Batch<'_>, id: i64, filter: &DeadFilter) -> Result<bool, StoreError> {
    const REQUEUE: &str = "\
        UPDATE events SET state = 'pending', lease = NULL, since_ms = 0, due_ms = 0,
            attempts = 0, failures = 0, last_error = NULL, dead_at_ms = NULL
        WHERE id = ?1 AND state = 'dead' AND dead_at_ms BETWEEN ?2 AND ?3";
    let fault = batch.location.fault("requeuing an event");
    let mut statement = batch.connection.prepare_cached(REQUEUE).map_err(&fault)?;
    let (since, until) = filter.times();
    let requeued = statement.execute((id, since, until)).map_err(&fault)? == 1;
    if requeued {
        batch.state.takeable.set(true);
    }
    Ok(requeued)
}

pub(super) fn release(batch: &Batch<'_>, id: i64, lease: Option<&str>) -> Result<(), StoreError> {
    const RELEASE: &str = "\
        UPDATE events SET state = 'pending', lease = NULL, since_ms = ?3, due_ms = ?3
        WHERE id = ?1 AND lease = ?2 AND state = 'leased'";
    const RESET: &str = "\
        UPDATE events SET state = 'pending', lease = NULL, since_ms = 0, due_ms = 0,
            attempts = 0, failures = 0, last_error = NULL, dead_at_ms = NULL,
            done_at_ms = NULL, done_age_ms = NULL
        WHERE id = ?1";
    match lease {
        Some(lease) => change(batch, id, RELEASE, (id, lease, batch.state.now_ms))?,
        None => change(batch, id, RESET, [id])?,
    }
    batch.state.takeable.set(true);
    Ok(())
}

/// Changes one event. If no row matches, returns an error with the reason.
fn change(
    batch: &Batch<'_>,
    id: i64,
    sql: &'static str,
    values: impl Params,
) -> Result<(), StoreError> {
    let fault = batch.location.fault("changing an event");
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
    let state = state.parse().map_err(|error: UnknownState| StoreError::Damaged {
        store: batch.location.name(),
        detail: format!("the state of event {id} {error}"),
    })?;
    Err(StoreError::LeaseLost { id, state })
}

/// Forgets one batch of old done events. The first event under a key stays as long as its
/// conflicting events. Without the first event, a redelivery of a conflicting event would look new.
pub(super) fn prune(batch: &Batch<'_>, old: Old) -> Result<Pruned, StoreError> {
    const UNMARKED: &str = "\
        SELECT id, octet_length(json) FROM events INDEXED BY events_done
        WHERE state = 'done' AND done_age_ms IS NULL LIMIT ?1";
    macro_rules! prunable {
        ($old:literal) => {
            concat!(
                "SELECT id, octet_length(json) FROM events AS old INDEXED BY events_done
                WHERE state = 'done' AND ",
                $old,
                " AND (copy > 0 OR NOT EXISTS (
                    SELECT 1 FROM events AS other
                    WHERE other.idempotency_key = old.idempotency_key AND other.copy > 0
                ))
                LIMIT ?2"
            )
        };
    }
    let fault = batch.location.fault("pruning");
    let mark = |age_ms: i64| -> rusqlite::Result<usize> {
        let ids = up_to_page(batch.connection, UNMARKED, [PRUNE_BATCH])?;
        let mut mark =
            batch.connection.prepare_cached("UPDATE events SET done_age_ms = ?2 WHERE id = ?1")?;
        ids.iter().try_for_each(|id| mark.execute((id, age_ms)).map(drop))?;
        Ok(ids.len())
    };
    let forget = |prunable: &str, before_ms: i64| -> rusqlite::Result<usize> {
        let ids = up_to_page(batch.connection, prunable, (before_ms, PRUNE_BATCH))?;
        let mut forget = batch.connection.prepare_cached("DELETE FROM events WHERE id = ?1")?;
        ids.iter().try_for_each(|id| forget.execute([id]).map(drop))?;
        Ok(ids.len())
    };
    let (marked, forgotten) = match old {
        Old::Measured(older_than) => {
            let (age_ms, before) = age(batch, older_than).map_err(&fault)?;
            let marked = mark(age_ms).map_err(&fault)?;
            (marked, forget(prunable!("done_age_ms <= ?1"), before).map_err(&fault)?)
        }
        Old::ByClock(older_than) => {
            let before = batch.state.now_ms.saturating_sub(millis(older_than));
            (0, forget(prunable!("done_at_ms <= ?1"), before).map_err(&fault)?)
        }
    };
    // Continues until nothing changes, because the first event of a key is deleted only after its
    // conflicting events.
    Ok(Pruned { forgotten: forgotten as u64, goes_on: marked > 0 || forgotten > 0 })
}

/// Returns identifiers from a query of identifiers and lengths, until the sum of the lengths
/// reaches [`PAGE_BYTES`]. The limit exists because other writers wait for the transaction that
/// changes these rows.
pub(super) fn up_to_page(
    connection: &Connection,
    query: &str,
    parameters: impl Params,
) -> rusqlite::Result<Vec<i64>> {
    let mut statement = connection.prepare_cached(query)?;
    let mut rows = statement.query(parameters)?;
    let (mut ids, mut bytes) = (Vec::new(), 0_usize);
    while bytes < PAGE_BYTES
        && let Some(row) = rows.next()?
    {
        ids.push(row.get(0)?);
        let length: i64 = row.get(1)?;
        bytes = bytes.saturating_add(usize::try_from(length).unwrap_or(0));
    }
    Ok(ids)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sqlite::schema;

    #[test]
    fn transaction_changes_page_of_events() {
        let connection = Connection::open_in_memory().unwrap();
        let lengths = "VALUES (1, 5000000), (2, 5000000), (3, 5000000)";
        assert_eq!(up_to_page(&connection, lengths, []).unwrap(), [1, 2]);
        assert_eq!(up_to_page(&connection, "VALUES (1, 99000000)", []).unwrap(), [1]);
    }

    const QUEUES: [Queue; 4] = [Queue::Any, Queue::Oldest, Queue::Newest, Queue::Again];

    /// Returns the number of SQLite steps of [`choose`]. The store has four groups of events: due,
    /// untried, delayed, and delayed by a clock that was ahead. Each group has `events` events of
    /// each kind. If `kinds` names a kind, each group has only 20 events of that kind.
    fn steps(queue: Queue, kinds: &Kinds, events: i64) -> i32 {
        let connection = schema::in_memory();
        let fill = "\
            WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < ?1)
            INSERT INTO events (idempotency_key, message_id, kind, json, received_at_ms, state,
                attempts, due_ms, since_ms)
            SELECT ?2 || ?6 || n, 'm', ?6, '{}', n, 'pending', ?3, ?4, ?5 FROM number";
        let few = if *kinds == Kinds::All { events } else { 20 };
        for (kind, events) in [("other", events), ("own", few)] {
            for (key, attempts, due_ms, since_ms) in [
                ("due", 1, 10, 5),
                ("new", 0, 0, 5),
                ("paused", 1, 2_000_000, 5),
                ("future", 1, 3_000_000, 2_900_000),
            ] {
                connection.execute(fill, (events, key, attempts, due_ms, since_ms, kind)).unwrap();
            }
        }
        let choices = if *kinds == Kinds::All { &OF_ANY_KIND } else { &OF_A_KIND };
        assert_eq!(choose(&connection, queue, kinds, 1_000_000, 8).unwrap().len(), 8);
        // `choose` has prepared this statement and run it once.
        connection
            .prepare_cached(choices.of(queue))
            .unwrap()
            .get_status(rusqlite::StatementStatus::VmStep)
    }

    #[test]
    fn lease_cost_is_constant() {
        for kinds in [Kinds::All, Kinds::Only(["own".to_string()].into())] {
            for queue in QUEUES {
                let (few, many) = (steps(queue, &kinds, 20), steps(queue, &kinds, 30_000));
                assert!(few > 0 && many <= few + few / 10, "{queue:?}: {few} and {many}");
            }
        }
    }
}
