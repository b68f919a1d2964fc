//! Operations of workers and operators: lease, ack, nack, extend, release, requeue.
//!
//! The order of events and the protection against clock jumps are as in the SQLite store. A lease
//! call reads each queue (untried or tried events) from one end of an index. The call records the
//! start and the end of the lease, and skips rows that another transaction has locked. All servers
//! use the clock of the database. A failover can cause a clock jump, because the clock of the new
//! primary can differ.

use std::sync::LazyLock;
use std::time::Duration;

use messaging_inbox::{
    DeadFilter, Due, Event, Kinds, PAGE_BYTES, Queue, Requeued, Retry, STEP_MS, State, StoreError,
    TIMES_CHARS, kept_error, millis,
};
use tokio_postgres::Row;
use tokio_postgres::types::Type;

use super::event::{columns, events, state};
use crate::client::fault::Fault;
use crate::client::group::{Answers, Done, Request};
use crate::client::row::value;
use crate::client::session::{Parameter, Session};

/// Maximum number of events that one transaction prunes or requeues, because the transaction must
/// end in time.
pub(super) const BATCH: i64 = 500;

/// A time in milliseconds that is never reached. Small additions do not overflow.
pub(super) const NEVER_MS: i64 = i64::MAX / 4;

/// The statements of the queues. Parameters: `$1` the lease token, `$2` the duration of the lease,
/// `$3` the limit, `$4` the kinds.
struct LeaseStatements {
    any: String,
    oldest: String,
    newest: String,
    again: String,
}

static OF_ANY_KIND: LazyLock<LeaseStatements> = LazyLock::new(|| LeaseStatements::new(false));
static OF_KINDS: LazyLock<LeaseStatements> = LazyLock::new(|| LeaseStatements::new(true));

impl LeaseStatements {
    fn new(of_kinds: bool) -> Self {
        // The statement locks the selected rows until the commit, even rows beyond `PAGE_BYTES`,
        // which it does not lease. It skips rows that another transaction has locked.
        let part = |rank: &str, of: &str, order: &str| {
            let choice = |kind: &str| {
                format!(
                    "SELECT id, {rank} AS rank, octet_length(json) AS size
                    FROM messaging_inbox.events WHERE {of}{kind} ORDER BY {order} LIMIT $3 FOR UPDATE SKIP LOCKED"
                )
            };
            match of_kinds {
                false => format!("SELECT id, rank, size FROM ({}) AS part", choice("")),
                true => format!(
                    "SELECT part.id, part.rank, part.size FROM unnest($4::bytea[]) AS one (kind)
                    CROSS JOIN LATERAL ({}) AS part",
                    choice(
                        " AND sha256(events.kind) = sha256(one.kind) AND events.kind = one.kind"
                    )
                ),
            }
        };
        let now = "(SELECT ms FROM now)";
        let new = "state = 'pending' AND attempts = 0";
        let tried = "state IN ('pending', 'leased') AND attempts > 0";
        let oldest = part("id", new, "id");
        let newest = part("-id", new, "id DESC");
        let since = format!("CASE WHEN received_at_ms > {now} THEN 0 ELSE received_at_ms END");
        let first = part(&since, new, "id");
        let due = part("due_ms", &format!("{tried} AND due_ms <= {now}"), "due_ms, id");
        let of_a_clock_ahead = format!("{tried} AND since_ms > {now} + {STEP_MS}");
        let future = part("0", &of_a_clock_ahead, "since_ms");
        let statement = |parts: &[&str]| {
            format!(
                "WITH now AS MATERIALIZED (SELECT messaging_inbox.now_ms() AS ms),
                ranked AS (SELECT id, min(rank) AS rank, min(size) AS size FROM ({}) AS parts
                    GROUP BY id ORDER BY min(rank), id LIMIT $3),
                chosen AS MATERIALIZED (SELECT id, rank FROM
                    (SELECT id, rank, sum(size) OVER (ORDER BY rank, id) - size AS before
                        FROM ranked) AS sized
                    WHERE before < {PAGE_BYTES}),
                e AS (UPDATE messaging_inbox.events SET state = 'leased', lease = $1,
                    since_ms = {now}, due_ms = {now} + $2, attempts = attempts + 1,
                    attempted_at_ms =
                        right(attempted_at_ms || lpad({now}::text, 13, '0') || ' ', {TIMES_CHARS})
                    WHERE id = ANY(ARRAY(SELECT id FROM chosen)) RETURNING *)
                SELECT {}, {now} FROM e JOIN chosen USING (id) ORDER BY chosen.rank, e.id",
                parts.join(" UNION ALL "),
                columns!()
            )
        };
        Self {
            any: statement(&[&first, &due, &future]),
            oldest: statement(&[&oldest]),
            newest: statement(&[&newest]),
            again: statement(&[&due, &future]),
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

/// Leases events. Also returns the time of the lease in milliseconds since 1970; `None` if no event
/// was leased.
pub(crate) async fn lease(
    session: &mut Session,
    queue: Queue,
    kinds: &Kinds,
    limit: u32,
    lease: Duration,
) -> Result<(Vec<Event>, Option<i64>), Fault> {
    let token = format!("{:032x}", rand::random::<u128>());
    let token = token.as_bytes();
    let (length, limit) = (millis(lease).min(NEVER_MS), i64::from(limit));
    let mut parameters: Vec<Parameter<'_>> =
        vec![(&token, Type::BYTEA), (&length, Type::INT8), (&limit, Type::INT8)];
    let names: Vec<&[u8]>;
    let sql = match kinds {
        Kinds::All => OF_ANY_KIND.of(queue),
        Kinds::Only(kinds) => {
            names = kinds.iter().map(|kind| kind.as_bytes()).collect();
            parameters.push((&names, Type::BYTEA_ARRAY));
            OF_KINDS.of(queue)
        }
    };
    let rows = session.once("leasing events", sql, &parameters).await?;
    let now_ms = rows.first().map(|row| value(row, 20)).transpose()?;
    // The events are already leased. An unreadable event must not block the other events.
    let each = rows.iter().filter_map(|row| {
        let read = events(std::slice::from_ref(row), &session.link.name);
        let failed = |fault: &Fault| {
            tracing::error!(
                ?fault,
                "an unreadable event is not returned to the worker; repair or remove its row"
            );
        };
        read.inspect_err(failed).ok()
    });
    Ok((each.flatten().collect(), now_ms))
}

/// An ack of an event.
pub(crate) struct Ack {
    pub(crate) id: i64,
    pub(crate) lease: String,
}

/// A repeated ack succeeds, because the response to the first ack may have been lost.
impl Request for Ack {
    /// True if the event was not done before.
    type Answer = bool;

    const FAILED: &'static str = "events may be leased again, because their outcome was not stored";

    fn bytes(&self) -> usize {
        self.lease.len()
    }

    async fn run(session: &mut Session, requests: &[&Self]) -> Result<Answers<Self>, Fault> {
        // If two requests of a batch name the same event, the first request wins.
        const ACK: &str = "UPDATE messaging_inbox.events AS e
            SET state = 'done', done_at_ms = messaging_inbox.now_ms(),
                done_age_ms = (SELECT age_ms FROM messaging_inbox.age)
            FROM unnest($1::bigint[], $2::bytea[]) AS acked (id, lease)
            WHERE e.id = acked.id AND e.id = ANY($1) AND e.lease = acked.lease
                AND e.state = 'leased' RETURNING e.id";
        // A repeated ack can follow an ack that the synchronous standby has not confirmed, so the
        // commit of this statement waits for the standby.
        const STATES: &str = "SELECT id, state, lease,
                CASE WHEN state = 'done' AND current_setting('synchronous_standby_names') <> ''
                THEN pg_logical_emit_message(true, 'messaging_inbox', '') END
            FROM messaging_inbox.events WHERE id = ANY($1)";
        const DOING: &str = "marking events as done";
        let ids: Vec<i64> = requests.iter().map(|ack| ack.id).collect();
        let leases: Vec<&[u8]> = requests.iter().map(|ack| ack.lease.as_bytes()).collect();
        let acks = [(&ids as _, Type::INT8_ARRAY), (&leases as _, Type::BYTEA_ARRAY)];
        let rows = session.once(DOING, ACK, &acks).await?;
        let mut done: Vec<i64> = rows.iter().map(|row| value(row, 0)).collect::<Result<_, _>>()?;
        let mut states = Vec::new();
        if done.len() < requests.len() {
            let rows = session.once(DOING, STATES, &[(&ids, Type::INT8_ARRAY)]).await?;
            for row in &rows {
                let lease: Option<Vec<u8>> = value(row, 2)?;
                states.push((value::<i64>(row, 0)?, state(row, 1)?, lease));
            }
        }
        let each = requests.iter().map(|ack| {
            let found = states.iter().find(|(id, _, _)| *id == ack.id);
            let is_its_lease =
                found.is_none_or(|(_, _, lease)| lease.as_deref() == Some(ack.lease.as_bytes()));
            let is_new = done.iter().position(|id| *id == ack.id).filter(|_| is_its_lease);
            match (is_new, found) {
                (Some(at), _) => {
                    done.swap_remove(at);
                    Done::Answered(Ok(true))
                }
                (None, Some((_, State::Done, _))) if is_its_lease => Done::Answered(Ok(false)),
                (None, Some((_, State::Leased, _))) if is_its_lease => Done::dropped(session),
                (None, Some((id, state, _))) => {
                    Done::Answered(Err(StoreError::LeaseLost { id: *id, state: *state }))
                }
                (None, None) => Done::Answered(Err(StoreError::NotFound { id: ack.id })),
            }
        });
        Ok(Answers { each: each.collect(), news: false })
    }
}

/// Changes one event. If no row matches, returns an error with the reason.
async fn change(
    session: &mut Session,
    id: i64,
    sql: &str,
    parameters: &[Parameter<'_>],
) -> Result<Row, Fault> {
    const STATE: &str = "SELECT state FROM messaging_inbox.events WHERE id = $1";
    const DOING: &str = "changing an event";
    let (open, rows) = session.begin(DOING, sql, parameters).await?;
    if let Some(row) = rows.into_iter().next() {
        return open.finish(Ok(row)).await;
    }
    let why = match open.query(STATE, &[(&id, Type::INT8)]).await {
        Ok(rows) => match rows.first().map(|row| state(row, 0)).transpose() {
            Ok(Some(state)) => StoreError::LeaseLost { id, state }.into(),
            Ok(None) => StoreError::NotFound { id }.into(),
            Err(fault) => fault,
        },
        Err(fault) => fault,
    };
    open.finish(Err(why)).await
}

pub(crate) async fn extend(
    session: &mut Session,
    id: i64,
    lease: &str,
    by: Duration,
) -> Result<(), Fault> {
    const EXTEND: &str = "\
        WITH now AS MATERIALIZED (SELECT messaging_inbox.now_ms() AS ms)
        UPDATE messaging_inbox.events SET since_ms = now.ms, due_ms = now.ms + $3 FROM now
        WHERE id = $1 AND lease = $2 AND state = 'leased' RETURNING id";
    let (lease, by) = (lease.as_bytes(), millis(by).min(NEVER_MS));
    let parameters = [(&id as _, Type::INT8), (&lease as _, Type::BYTEA), (&by as _, Type::INT8)];
    change(session, id, EXTEND, &parameters).await.map(drop)
}

pub(crate) async fn nack(
    session: &mut Session,
    id: i64,
    lease: &str,
    error: &str,
    retry: Retry,
) -> Result<State, Fault> {
    // `$5` is the number of failures to add. `$6` is the number of failures at which the event
    // becomes dead.
    const NACK: &str = "\
        WITH now AS MATERIALIZED (SELECT messaging_inbox.now_ms() AS ms)
        UPDATE messaging_inbox.events SET
            state = CASE WHEN failures + $5 >= $6 THEN 'dead' ELSE 'pending' END,
            since_ms = CASE WHEN failures + $5 >= $6 THEN 0 ELSE now.ms END,
            due_ms = CASE WHEN failures + $5 >= $6 THEN 0 ELSE now.ms + $4 END,
            dead_at_ms = CASE WHEN failures + $5 >= $6 THEN now.ms END,
            last_error = $3, failures = failures + $5
        FROM now WHERE id = $1 AND lease = $2 AND state = 'leased' RETURNING state";
    let error = kept_error(error);
    let (lease, error) = (lease.as_bytes(), error.as_bytes());
    let (pause, counted, most): (_, i64, i64) = match retry {
        Retry::After(pause) => (pause, 1, i64::MAX),
        Retry::Uncounted(pause) => (pause, 0, i64::MAX),
        Retry::Never => (Duration::ZERO, 1, 0),
        Retry::UpTo { failures, pause } => (pause, 1, i64::from(failures.get())),
    };
    let pause = millis(pause).min(NEVER_MS);
    let parameters = [
        (&id as _, Type::INT8),
        (&lease as _, Type::BYTEA),
        (&error as _, Type::BYTEA),
        (&pause as _, Type::INT8),
        (&counted as _, Type::INT8),
        (&most as _, Type::INT8),
    ];
    // A repeated nack succeeds, because the response to the first nack may have been lost. The
    // token remains until another worker leases the event.
    const SAME: &str = "SELECT state FROM messaging_inbox.events
        WHERE id = $1 AND lease = $2 AND state IN ('pending', 'dead')";
    match change(session, id, NACK, &parameters).await {
        Err(Fault::Store(lost @ StoreError::LeaseLost { .. })) => {
            let same = session.once("changing an event", SAME, &parameters[..2]).await?;
            same.first().map_or(Err(lost.into()), |row| state(row, 0))
        }
        changed => state(&changed?, 0),
    }
}

pub(crate) async fn release(
    session: &mut Session,
    id: i64,
    lease: Option<&str>,
) -> Result<(), Fault> {
    const RELEASE: &str = "\
        WITH now AS MATERIALIZED (SELECT messaging_inbox.now_ms() AS ms)
        UPDATE messaging_inbox.events
        SET state = 'pending', lease = NULL, since_ms = now.ms, due_ms = now.ms FROM now
        WHERE id = $1 AND lease = $2 AND state = 'leased' RETURNING id";
    const RESET: &str = "\
        UPDATE messaging_inbox.events SET state = 'pending', lease = NULL, since_ms = 0,
            due_ms = 0, attempts = 0, failures = 0, last_error = NULL, dead_at_ms = NULL,
            done_at_ms = NULL, done_age_ms = NULL
        WHERE id = $1 RETURNING id";
    match lease.map(str::as_bytes) {
        Some(lease) => {
            let parameters = [(&id as _, Type::INT8), (&lease as _, Type::BYTEA)];
            change(session, id, RELEASE, &parameters).await?;
        }
        None => {
            change(session, id, RESET, &[(&id, Type::INT8)]).await?;
        }
    }
    Ok(())
}

/// A statement that makes dead events pending and resets their attempts.
macro_rules! requeue {
    ($of:literal) => {
        concat!(
            "UPDATE messaging_inbox.events SET state = 'pending', lease = NULL, since_ms = 0,
                due_ms = 0, attempts = 0, failures = 0, last_error = NULL, dead_at_ms = NULL
            WHERE state = 'dead' AND ",
            $of,
            " RETURNING id"
        )
    };
}

pub(crate) async fn requeue(session: &mut Session, id: i64) -> Result<bool, Fault> {
    const REQUEUE: &str = requeue!("id = $1");
    let rows = session.once("requeuing an event", REQUEUE, &[(&id, Type::INT8)]).await?;
    Ok(!rows.is_empty())
}

pub(crate) async fn requeue_dead(
    session: &mut Session,
    filter: &DeadFilter,
    after_id: i64,
) -> Result<Requeued, Fault> {
    const REQUEUE: &str = requeue!(
        "id = ANY(ARRAY(SELECT id FROM messaging_inbox.events
            WHERE state = 'dead' AND id > $1 AND dead_at_ms BETWEEN $2 AND $3
                AND ($4::bytea IS NULL OR kind = $4)
            ORDER BY id LIMIT $5 FOR UPDATE))"
    );
    let (since, until) = filter.times();
    let kind = filter.kind.as_deref().map(str::as_bytes);
    let parameters = [
        (&after_id as _, Type::INT8),
        (&since as _, Type::INT8),
        (&until as _, Type::INT8),
        (&kind as _, Type::BYTEA),
        (&BATCH as _, Type::INT8),
    ];
    let rows = session.once("requeuing dead events", REQUEUE, &parameters).await?;
    let ids: Vec<i64> = rows.iter().map(|row| value(row, 0)).collect::<Result<_, _>>()?;
    Ok(Requeued { requeued: ids.len() as u64, last_id: ids.iter().max().copied() })
}

/// Returns the times at which events can be leased, and the time of the database's clock.
pub(crate) async fn due(session: &mut Session, kinds: &Kinds) -> Result<(Due, i64), Fault> {
    macro_rules! due {
        ($of_kind:literal) => {
            concat!(
                "SELECT now.ms,
                    EXISTS (SELECT FROM messaging_inbox.events AS e
                        WHERE state = 'pending' AND attempts = 0",
                $of_kind,
                "),
                    (SELECT due_ms FROM messaging_inbox.events AS e
                        WHERE state IN ('pending', 'leased') AND attempts > 0",
                $of_kind,
                " ORDER BY due_ms LIMIT 1),
                    EXISTS (SELECT FROM messaging_inbox.events AS e
                        WHERE state IN ('pending', 'leased') AND attempts > 0
                            AND since_ms > now.ms + 60000",
                $of_kind,
                ")
                FROM (SELECT messaging_inbox.now_ms() AS ms OFFSET 0) AS now"
            )
        };
    }
    const DUE: &str = due!("");
    const OF_KINDS: &str = concat!(
        due!(" AND sha256(e.kind) = sha256(one.kind) AND e.kind = one.kind"),
        " CROSS JOIN unnest($1::bytea[]) AS one (kind)"
    );
    const DOING: &str = "looking for the next event";
    let rows = match kinds {
        Kinds::All => session.once(DOING, DUE, &[]).await?,
        Kinds::Only(kinds) => {
            let kinds: Vec<&[u8]> = kinds.iter().map(|kind| kind.as_bytes()).collect();
            session.once(DOING, OF_KINDS, &[(&kinds, Type::BYTEA_ARRAY)]).await?
        }
    };
    let (mut all, mut now_ms) = (Due::default(), 0);
    for row in &rows {
        now_ms = value(row, 0)?;
        all.new |= value::<bool>(row, 1)?;
        // The lease or delay began while the clock was ahead. The event is due now.
        let again_ms = if value(row, 3)? { Some(0) } else { value(row, 2)? };
        all.again_ms = all.again_ms.into_iter().chain(again_ms).min();
    }
    Ok((all, now_ms))
}
