//! Hands events on under leases, settles them (ack, nack, release, requeue), and prunes done
//! ones.
//!
//! # Whose turn it is
//!
//! Every open event is in one of two lanes, each an index of its own, and another one that begins
//! with the kind, for workers of certain kinds: events that were
//! never tried, by number, which can be leased at any time; and events that were, by when
//! they are due. A lease walks along the beginning of a lane, so that it costs the same
//! whatever waits behind. Between the lanes the one that has been due for longer goes
//! first: an event that fails goes behind all that were due by then, so that nothing ever
//! keeps anything else waiting for good.
//!
//! # A clock that jumps
//!
//! Beside the time at which a lease or a pause ends stands when it was given. An event is
//! due when the end has come, and also when the beginning is still to come, by more than
//! [`STEP_MS`]: then the clock has been set back since, and what it said is worth nothing.
//! So a lease keeps an event for no longer than its length, that step and the time between two
//! looks, whatever was and is done to the clock while it runs: who looks before the clock has
//! caught up takes the event. A clock set ahead ends leases early, as if their
//! holders had died: their events are handed out again, and the token tells who is late.

use std::sync::LazyLock;
use std::time::Duration;

use rusqlite::{Connection, OptionalExtension, Params};

use super::error::StoreError;
use super::model::{
    DeadFilter, Event, Kinds, Lane, Old, Pruned, Retry, STEP_MS, State, UnknownState, kept_error,
    millis,
};
use super::row::{columns, event};
use super::writer::{Batch, age};

/// Done events that one transaction forgets, so that nobody waits long for it.
const PRUNE_BATCH: u32 = 500;

/// The choices of each lane: `(id, rank)`, those first that are leased first. `?1` is the time, `?2` how many, `?3`
/// the kind.
struct Choices {
    any: String,
    again: String,
    oldest: String,
    newest: String,
}

static OF_ANY_KIND: LazyLock<Choices> = LazyLock::new(|| Choices::new("", ""));
static OF_A_KIND: LazyLock<Choices> = LazyLock::new(|| Choices::new("_kind", " AND kind = ?3"));

impl Choices {
    /// The indexes by name: without, a planner may walk through everything that is done.
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

    fn of(&self, lane: Lane) -> &str {
        match lane {
            Lane::Any => &self.any,
            Lane::Oldest => &self.oldest,
            Lane::Newest => &self.newest,
            Lane::Again => &self.again,
        }
    }
}

const LEASE: &str = concat!(
    "UPDATE events SET state = 'leased', lease = ?2, since_ms = ?3, due_ms = ?4,
        attempts = attempts + 1
    WHERE id = ?1 RETURNING ",
    columns!()
);

pub(super) fn lease(
    batch: &Batch<'_>,
    lane: Lane,
    kinds: &Kinds,
    limit: u32,
    lease: Duration,
) -> Result<Vec<Event>, StoreError> {
    let fault = batch.place.fault("leasing events");
    let token = format!("{:032x}", rand::random::<u128>());
    let until = batch.state.now_ms.saturating_add(millis(lease));
    let ids = choose(batch.connection, lane, kinds, batch.state.now_ms, limit).map_err(&fault)?;
    let mut statement = batch.connection.prepare_cached(LEASE).map_err(&fault)?;
    ids.into_iter()
        .map(|id| {
            statement.query_row((id, &token, batch.state.now_ms, until), event).map_err(&fault)
        })
        .collect()
}

fn choose(
    connection: &Connection,
    lane: Lane,
    kinds: &Kinds,
    now_ms: i64,
    limit: u32,
) -> rusqlite::Result<Vec<i64>> {
    let kinds = match kinds {
        Kinds::All => {
            let mut choice = connection.prepare_cached(OF_ANY_KIND.of(lane))?;
            return choice.query_map((now_ms, limit), |row| row.get(0))?.collect();
        }
        Kinds::Only(kinds) => kinds,
    };
    let mut choice = connection.prepare_cached(OF_A_KIND.of(lane))?;
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

/// A repeated ack succeeds: the answer to the first may have been lost.
/// Says whether it was not done before.
pub(super) fn ack(batch: &Batch<'_>, id: i64, lease: &str) -> Result<bool, StoreError> {
    const ACK: &str = "\
        UPDATE events SET state = 'done', done_at_ms = ?3
        WHERE id = ?1 AND lease = ?2 AND state = 'leased'";
    const IS_DONE: &str = "SELECT id FROM events WHERE id = ?1 AND lease = ?2 AND state = 'done'";
    let done =
        batch.connection.prepare_cached(IS_DONE).and_then(|mut done| done.exists((id, lease)));
    if done.map_err(batch.place.fault("marking an event as done"))? {
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
    const BURY: &str = "\
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
            let fault = batch.place.fault("changing an event");
            let mut statement = batch.connection.prepare_cached(FAILURES).map_err(&fault)?;
            let before = statement.query_row([id], |row| row.get(0)).optional().map_err(&fault)?;
            let is_last = before.unwrap_or(0_i64).saturating_add(1) >= i64::from(failures.get());
            ((!is_last).then_some(pause), 1)
        }
    };
    let Some(pause) = pause else {
        let buried = change(batch, id, BURY, (id, lease, batch.state.now_ms, error));
        return buried.map(|()| State::Dead).or_else(|error| nacked(batch, id, lease, error));
    };
    let due = batch.state.now_ms.saturating_add(millis(pause));
    match change(batch, id, NACK, (id, lease, batch.state.now_ms, due, error, counted)) {
        Ok(()) => batch.state.takeable.set(true),
        Err(error) => return nacked(batch, id, lease, error),
    }
    Ok(State::Pending)
}

/// Returns the state of an event that was nacked under this token before, and `error` of any other: a
/// repeated nack succeeds, for the answer to the first may have been lost. The token stays until
/// somebody else leases the event.
fn nacked(batch: &Batch<'_>, id: i64, lease: &str, error: StoreError) -> Result<State, StoreError> {
    const SAME: &str = "SELECT 1 FROM events WHERE id = ?1 AND lease = ?2";
    let StoreError::LeaseLost { state: state @ (State::Pending | State::Dead), .. } = error else {
        return Err(error);
    };
    let fault = batch.place.fault("changing an event");
    let mut same = batch.connection.prepare_cached(SAME).map_err(&fault)?;
    if same.exists((id, lease)).map_err(&fault)? { Ok(state) } else { Err(error) }
}

/// Makes a dead event pending, as if it had never been tried, where it became dead in time; says
/// whether it did.
pub(super) fn requeue(batch: &Batch<'_>, id: i64, filter: &DeadFilter) -> Result<bool, StoreError> {
    const REQUEUE: &str = "\
        UPDATE events SET state = 'pending', lease = NULL, since_ms = 0, due_ms = 0,
            attempts = 0, failures = 0, last_error = NULL, dead_at_ms = NULL
        WHERE id = ?1 AND state = 'dead' AND dead_at_ms BETWEEN ?2 AND ?3";
    let fault = batch.place.fault("requeuing an event");
    let mut statement = batch.connection.prepare_cached(REQUEUE).map_err(&fault)?;
    let (since, until) = filter.times();
    let requeued = statement.execute((id, since, until)).map_err(&fault)? == 1;
    if requeued {
        batch.state.takeable.set(true);
    }
    Ok(requeued)
}

pub(super) fn release(batch: &Batch<'_>, id: i64, lease: Option<&str>) -> Result<(), StoreError> {
    const GIVE_BACK: &str = "\
        UPDATE events SET state = 'pending', lease = NULL, since_ms = ?3, due_ms = ?3
        WHERE id = ?1 AND lease = ?2 AND state = 'leased'";
    const START_ANEW: &str = "\
        UPDATE events SET state = 'pending', lease = NULL, since_ms = 0, due_ms = 0,
            attempts = 0, failures = 0, last_error = NULL, dead_at_ms = NULL,
            done_at_ms = NULL, done_age_ms = NULL
        WHERE id = ?1";
    match lease {
        Some(lease) => change(batch, id, GIVE_BACK, (id, lease, batch.state.now_ms))?,
        None => change(batch, id, START_ANEW, [id])?,
    }
    batch.state.takeable.set(true);
    Ok(())
}

/// Changes one event, or finds out why it did not.
fn change(
    batch: &Batch<'_>,
    id: i64,
    sql: &'static str,
    values: impl Params,
) -> Result<(), StoreError> {
    let fault = batch.place.fault("changing an event");
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
        store: batch.place.name(),
        detail: format!("the state of event {id} {error}"),
    })?;
    Err(StoreError::LeaseLost { id, state })
}

/// Forgets some of what has been done for long. The first event under a key stays while
/// another one under it stays: it is what tells that one from a new event.
pub(super) fn prune(batch: &Batch<'_>, old: Old) -> Result<Pruned, StoreError> {
    const MARK: &str = "\
        UPDATE events SET done_age_ms = ?1 WHERE id IN (
            SELECT id FROM events INDEXED BY events_done
            WHERE state = 'done' AND done_age_ms IS NULL LIMIT ?2
        )";
    macro_rules! prune {
        ($old:literal) => {
            concat!(
                "DELETE FROM events WHERE id IN (
                    SELECT id FROM events AS old INDEXED BY events_done
                    WHERE state = 'done' AND ",
                $old,
                " AND (copy > 0 OR NOT EXISTS (
                        SELECT 1 FROM events AS other
                        WHERE other.idempotency_key = old.idempotency_key AND other.copy > 0
                    ))
                    LIMIT ?2
                )"
            )
        };
    }
    let fault = batch.place.fault("pruning");
    let run = |sql, before_ms: i64| {
        let mut statement = batch.connection.prepare_cached(sql)?;
        statement.execute((before_ms, PRUNE_BATCH))
    };
    let (marked, forgotten) = match old {
        Old::Measured(older_than) => {
            let (age_ms, before) = age(batch, older_than).map_err(&fault)?;
            let marked = run(MARK, age_ms).map_err(&fault)?;
            (marked, run(prune!("done_age_ms <= ?1"), before).map_err(&fault)?)
        }
        Old::ByClock(older_than) => {
            let before = batch.state.now_ms.saturating_sub(millis(older_than));
            (0, run(prune!("done_at_ms <= ?1"), before).map_err(&fault)?)
        }
    };
    // Of a pair under one key, the first goes after the second: to the end.
    Ok(Pruned { forgotten: forgotten as u64, goes_on: marked > 0 || forgotten > 0 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sqlite::schema;

    const LANES: [Lane; 4] = [Lane::Any, Lane::Oldest, Lane::Newest, Lane::Again];

    /// Measures a choice in steps of SQLite, with so many events of another kind that were never
    /// tried, that wait for their retry, that are due again, and that a clock ahead has leased;
    /// and with 20, or as many, of the kind asked for.
    fn steps(lane: Lane, kinds: &Kinds, events: i64) -> i32 {
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
        assert_eq!(choose(&connection, lane, kinds, 1_000_000, 8).unwrap().len(), 8);
        // The statement that `choose` has prepared, and run once.
        connection
            .prepare_cached(choices.of(lane))
            .unwrap()
            .get_status(rusqlite::StatementStatus::VmStep)
    }

    #[test]
    fn a_lease_costs_the_same_however_many_events_are_pending() {
        for kinds in [Kinds::All, Kinds::Only(["own".to_string()].into())] {
            for lane in LANES {
                let (few, many) = (steps(lane, &kinds, 20), steps(lane, &kinds, 30_000));
                assert!(few > 0 && many <= few + few / 10, "{lane:?}: {few} and {many}");
            }
        }
    }
}
