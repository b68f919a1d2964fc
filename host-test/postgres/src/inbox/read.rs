//! Reading: lists, counts, values.

use std::future::Future;
use std::sync::Arc;

use messaging_inbox::{
    Bucket, Counts, Event, Filter, KeyPage, Reads, Reply, State, StoreError, Summary,
};
use tokio_postgres::types::Type;

use super::event::{columns, event, events};
use super::work;
use crate::fault::Fault;
use crate::pool::{Pool, on};
use crate::row::{text, value};

/// Tried before, and not settled.
const AGAIN: &str = "state IN ('pending', 'leased') AND attempts > 0";
const NEW: &str = "state = 'pending' AND attempts = 0";

/// Counts, and the oldest open event: in one statement, so that they are of one moment.
const SUMMARY: &str = "SELECT coalesce(sum(pending), 0)::bigint, coalesce(sum(leased), 0)::bigint,
        coalesce(sum(done), 0)::bigint, coalesce(sum(quarantined), 0)::bigint,
        coalesce(sum(dead), 0)::bigint,
        least((SELECT received_at_ms FROM messaging_inbox.events
                WHERE state = 'pending' AND attempts = 0 ORDER BY id LIMIT 1),
            (SELECT received_at_ms FROM messaging_inbox.events
                WHERE state IN ('pending', 'leased') AND attempts > 0 ORDER BY id LIMIT 1))
    FROM messaging_inbox.tally";

/// Reads through connections of its own; and values, where what is found has to be on the standby
/// as well, through one that can wait for that.
pub(crate) struct Readers {
    pub(crate) pool: Arc<Pool>,
    pub(crate) confirming: Option<Arc<Pool>>,
}

impl Readers {
    fn of<'a, T>(
        &'a self,
        read: impl Future<Output = Result<Result<T, Fault>, StoreError>> + Send + 'a,
    ) -> Reply<'a, T> {
        Box::pin(async move { read.await?.map_err(|fault| fault.of(&self.pool.connector().name)) })
    }
}

/// The statement of a list, with `$1` the number before, `$2` how many, `$3` the kind, `$4` the
/// attempts of what is stuck.
fn list(filter: &Filter) -> String {
    let of_kind = match &filter.kind {
        Some(_) => "sha256(kind) = sha256($3) AND kind = $3",
        None => "$3::bytea IS NULL",
    };
    let stuck = match filter.stuck {
        true => "state <> 'done' AND (last_error IS NOT NULL OR attempts >= $4)",
        false => "$4 >= 0",
    };
    // Each part at the beginning of an index; both together are in order again.
    let part = |of: &str| {
        format!(
            "(SELECT id FROM messaging_inbox.events WHERE {of} AND {stuck} AND {of_kind} AND id > $1
            ORDER BY id LIMIT $2)"
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
        WHERE e.id = ANY(ARRAY(SELECT id FROM ({parts}) AS parts ORDER BY id LIMIT $2))
        ORDER BY e.id",
        columns!()
    )
}

impl Reads for Readers {
    fn list(&self, filter: Filter) -> Reply<'_, Vec<Event>> {
        self.of(async move {
            let kind = filter.kind.as_deref().map(str::as_bytes);
            let limit = i64::from(filter.limit);
            let rows = self
                .pool
                .read(
                    "listing events",
                    &list(&filter),
                    &[
                        (&filter.after_id, Type::INT8),
                        (&limit, Type::INT8),
                        (&kind, Type::BYTEA),
                        (&Event::STUCK_ATTEMPTS, Type::INT8),
                    ],
                )
                .await?;
            Ok(events(&rows, &self.pool.connector().name))
        })
    }

    fn get(&self, id: i64) -> Reply<'_, Option<Event>> {
        const GET: &str =
            concat!("SELECT ", columns!(), " FROM messaging_inbox.events AS e WHERE id = $1");
        self.of(async move {
            let rows = self.pool.read("reading an event", GET, &[(&id, Type::INT8)]).await?;
            Ok(rows.first().map(event).transpose())
        })
    }

    fn first_under(&self, key: String) -> Reply<'_, Option<i64>> {
        const FIRST: &str = "SELECT id FROM messaging_inbox.events
            WHERE sha256(idempotency_key) = sha256($1) AND idempotency_key = $1 AND copy = 0";
        self.of(async move {
            let key = (&key.as_bytes(), Type::BYTEA);
            let rows = self.pool.read("looking for an event", FIRST, &[(key.0, key.1)]).await?;
            Ok(rows.first().map(|row| value(row, 0)).transpose())
        })
    }

    fn summary(&self) -> Reply<'_, Summary> {
        self.of(async move {
            let rows = self.pool.read("counting", SUMMARY, &[]).await?;
            let Some(row) = rows.first() else { return Ok(Ok(Summary::default())) };
            let summary = || {
                let counts = Counts::read(|at| value(row, at))?;
                Ok(Summary { counts, oldest_open_ms: value(row, 5)? })
            };
            Ok(summary())
        })
    }

    fn buckets(&self) -> Reply<'_, Vec<Bucket>> {
        const BUCKETS: &str =
            "SELECT bucket, count(*) FROM messaging_inbox.kv GROUP BY bucket ORDER BY bucket";
        self.of(async move {
            let rows = self.pool.read("counting values", BUCKETS, &[]).await?;
            let bucket = |row| {
                Ok(Bucket { name: text(row, 0)?, values: value::<i64>(row, 1)?.unsigned_abs() })
            };
            Ok(rows.iter().map(bucket).collect())
        })
    }

    fn kv_get(&self, bucket: String, key: String) -> Reply<'_, Option<Vec<u8>>> {
        const GET: &str = "SELECT value FROM messaging_inbox.kv
            WHERE sha256(bucket) = sha256($1) AND sha256(key) = sha256($2)";
        if let Some(pool) = &self.confirming {
            return Box::pin(
                async move { on!(pool, session => work::get(session, &bucket, &key)) },
            );
        }
        self.of(async move {
            let (bucket, key) = (bucket.as_bytes(), key.as_bytes());
            let place = [(&bucket as _, Type::BYTEA), (&key as _, Type::BYTEA)];
            let rows = self.pool.read("reading a value", GET, &place).await?;
            Ok(rows.first().map(|row| value(row, 0)).transpose())
        })
    }

    /// Pages by the keys' numbers, so that a key that comes or goes meanwhile makes no
    /// other one appear twice or not at all.
    fn kv_list(&self, bucket: String, cursor: Option<u64>, page_size: u32) -> Reply<'_, KeyPage> {
        const PAGE: &str = "SELECT id, key FROM messaging_inbox.kv
            WHERE sha256(bucket) = sha256($1) AND id > $2 ORDER BY id LIMIT $3";
        self.of(async move {
            let bucket = bucket.as_bytes();
            let after = cursor.map_or(0, |cursor| i64::try_from(cursor).unwrap_or(i64::MAX));
            let page_size = i64::from(page_size.max(1));
            // One more than asked for tells whether there is a next page.
            let most = page_size.saturating_add(1);
            let page =
                [(&bucket as _, Type::BYTEA), (&after as _, Type::INT8), (&most as _, Type::INT8)];
            let rows = self.pool.read("listing keys", PAGE, &page).await?;
            let more = i64::try_from(rows.len()).is_ok_and(|count| count == most);
            let shown = rows.len().saturating_sub(more.into());
            let page = || {
                let mut page = KeyPage::default();
                for row in rows.iter().take(shown) {
                    page.cursor = u64::try_from(value::<i64>(row, 0)?).ok().filter(|_| more);
                    page.keys.push(text(row, 1)?);
                }
                Ok(page)
            };
            Ok(page())
        })
    }

    fn check(&self) -> Reply<'_, ()> {
        // That the database itself reads it without an error is all that can be said here.
        Box::pin(async { Ok(()) })
    }
}
