//! Lists and counts of events.

use std::sync::Arc;

use messaging_inbox::{Counts, Event, Filter, PAGE_BYTES, Reads, Reply, State, Summary};
use tokio_postgres::Row;
use tokio_postgres::types::Type;

use super::event::{columns, event, events};
use crate::client::pool::Pool;
use crate::client::row::value;
use crate::client::session::Parameter;

/// Condition for pending and leased events with attempts. Equals the condition of their indexes.
const AGAIN: &str = "state IN ('pending', 'leased') AND attempts > 0";
/// Condition for pending events without attempts. Equals the condition of their indexes.
const NEW: &str = "state = 'pending' AND attempts = 0";

/// Reads the counts and the time of the oldest pending or leased event in one statement, because
/// both must belong to one moment.
const SUMMARY: &str = "SELECT coalesce(sum(pending), 0)::bigint, coalesce(sum(leased), 0)::bigint,
        coalesce(sum(done), 0)::bigint, coalesce(sum(quarantined), 0)::bigint,
        coalesce(sum(dead), 0)::bigint,
        least((SELECT received_at_ms FROM messaging_inbox.events
                WHERE state = 'pending' AND attempts = 0 ORDER BY id LIMIT 1),
            (SELECT received_at_ms FROM messaging_inbox.events
                WHERE state IN ('pending', 'leased') AND attempts > 0 ORDER BY id LIMIT 1))
    FROM messaging_inbox.tally";

/// Read access to the inbox, through a separate pool.
pub(crate) struct Readers {
    pub(crate) pool: Arc<Pool>,
}

/// Returns the statement of a list. Parameters: `$1` the last ID of the previous page, `$2` the
/// limit, `$3` the kind, `$4` the minimum number of attempts of a stuck event, `$5` the key.
fn list(filter: &Filter) -> String {
    let of_kind = match &filter.kind {
        Some(_) => "sha256(kind) = sha256($3) AND kind = $3",
        None => "$3::bytea IS NULL",
    };
    let stuck = match filter.stuck {
        true => "state <> 'done' AND (failures > 0 OR (last_error IS NULL AND attempts >= $4))",
        false => "$4 >= 0",
    };
    let of_key = match &filter.key {
        Some(_) => "sha256(idempotency_key) = sha256($5) AND idempotency_key = $5",
        None => "$5::bytea IS NULL",
    };
    let (after, order) = if filter.newest { ("<", "DESC") } else { (">", "ASC") };
    // Each part reads from one end of an index. The outer statement restores the order.
    let part = |of: &str| {
        format!(
            "(SELECT id, octet_length(json) AS size FROM messaging_inbox.events
            WHERE {of} AND {stuck} AND {of_kind} AND {of_key} AND id {after} $1
            ORDER BY id {order} LIMIT $2)"
        )
    };
    let parts = match (filter.state, filter.stuck) {
        (None, false) => part("true"),
        (None, true) => part(AGAIN),
        (Some(State::Pending), stuck) => {
            let again = part(&format!("{AGAIN} AND state = 'pending'"));
            if stuck { again } else { format!("{} UNION ALL {again}", part(NEW)) }
        }
        (Some(State::Leased), _) => part(&format!("{AGAIN} AND state = 'leased'")),
        (Some(state), _) => part(&format!("state = '{}'", state.as_str())),
    };
    format!(
        "SELECT {} FROM messaging_inbox.events AS e
        WHERE e.id = ANY(ARRAY(
            SELECT id FROM (
                SELECT id, sum(size) OVER (ORDER BY id {order}) - size AS before
                FROM (SELECT id, size FROM ({parts}) AS parts ORDER BY id {order} LIMIT $2) AS page
            ) AS sized
            WHERE before < {PAGE_BYTES}))
        ORDER BY e.id {order}",
        columns!()
    )
}

impl Reads for Readers {
    fn list(&self, filter: Filter) -> Reply<'_, Vec<Event>> {
        Box::pin(async move {
            let [kind, key] =
                [&filter.kind, &filter.key].map(|text| text.as_deref().map(str::as_bytes));
            let (bound, limit) = (filter.bound(), i64::from(filter.limit));
            let page: [Parameter<'_>; 5] = [
                (&bound, Type::INT8),
                (&limit, Type::INT8),
                (&kind, Type::BYTEA),
                (&Event::STUCK_ATTEMPTS, Type::INT8),
                (&key, Type::BYTEA),
            ];
            let of = |rows: &[Row]| events(rows, self.pool.connector().name());
            self.pool.read("listing events", &list(&filter), &page, of).await
        })
    }

    fn get(&self, id: i64) -> Reply<'_, Option<Event>> {
        const GET: &str =
            concat!("SELECT ", columns!(), " FROM messaging_inbox.events AS e WHERE id = $1");
        Box::pin(async move {
            let of = |rows: &[Row]| rows.first().map(event).transpose();
            self.pool.read("reading an event", GET, &[(&id, Type::INT8)], of).await
        })
    }

    fn first_under(&self, key: String) -> Reply<'_, Option<i64>> {
        const FIRST: &str = "SELECT id FROM messaging_inbox.events
            WHERE sha256(idempotency_key) = sha256($1) AND idempotency_key = $1 AND copy = 0";
        Box::pin(async move {
            let of = |rows: &[Row]| rows.first().map(|row| value(row, 0)).transpose();
            let key = [(&key.as_bytes() as _, Type::BYTEA)];
            self.pool.read("looking for an event", FIRST, &key, of).await
        })
    }

    fn summary(&self) -> Reply<'_, Summary> {
        let of = |rows: &[Row]| {
            let Some(row) = rows.first() else { return Ok(Summary::default()) };
            let counts = Counts::read(|at| value(row, at))?;
            Ok(Summary { counts, oldest_open_ms: value(row, 5)? })
        };
        Box::pin(self.pool.read("counting", SUMMARY, &[], of))
    }

    fn check(&self) -> Reply<'_, ()> {
        // No check is possible here. The database reports damage when it reads a row.
        Box::pin(async { Ok(()) })
    }
}
