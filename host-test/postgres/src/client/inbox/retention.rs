//! Retention of done events.

use messaging_inbox::{Old, PAGE_BYTES, Pruned, millis};
use tokio_postgres::types::Type;

use super::work::{BATCH, NEVER_MS};
use crate::client::fault::Fault;
use crate::client::row::value;
use crate::client::session::Session;

/// Raises the age of the store to `measured_ms` if the age is lower. Returns the age of the store.
pub(crate) async fn age(session: &mut Session, measured_ms: i64) -> Result<i64, Fault> {
    const STEP: &str =
        "UPDATE messaging_inbox.age SET age_ms = greatest(age_ms, $1) RETURNING age_ms";
    let rows = session.once("measuring its age", STEP, &[(&measured_ms, Type::INT8)]).await?;
    Ok(rows.first().map(|row| value(row, 0)).transpose()?.unwrap_or(measured_ms))
}

/// A condition that keeps the first event under a key while another event under the key remains.
/// Without the first event, a redelivery of the other event would count as new.
macro_rules! is_only_event {
    () => {
        " AND (old.copy > 0 OR (SELECT true FROM messaging_inbox.events AS other
            WHERE sha256(other.idempotency_key) = sha256(old.idempotency_key)
                AND other.idempotency_key = old.idempotency_key AND other.copy > 0 LIMIT 1) IS NULL)"
    };
}

/// Prunes a batch of old done events. [`Old::Measured`] selects events with a `done_age_ms` of at
/// most `age_ms`. [`Old::ByClock`] selects events that are old by the database's clock.
pub(crate) async fn prune(session: &mut Session, old: Old, age_ms: i64) -> Result<Pruned, Fault> {
    macro_rules! choose {
        ($old:literal) => {
            concat!(
                "SELECT old.id, octet_length(old.json) FROM messaging_inbox.events AS old
                    WHERE old.state = 'done' AND ",
                $old,
                is_only_event!(),
                " ORDER BY old.done_age_ms, old.id LIMIT $2 FOR UPDATE OF old SKIP LOCKED"
            )
        };
    }
    // Checks the condition again. The rows are now locked, so no transaction can add an event under
    // these keys.
    const FORGET: &str = concat!(
        "DELETE FROM messaging_inbox.events AS old WHERE old.id = ANY($1)",
        is_only_event!(),
        " RETURNING old.digest"
    );
    const MOVE_DIGEST: &str = "UPDATE messaging_inbox.events SET digest = digest_after,
            digest_after = NULL
        WHERE id IN (SELECT (SELECT id FROM messaging_inbox.events
            WHERE digest_after = gone.digest ORDER BY id LIMIT 1)
            FROM unnest($1::bytea[]) AS gone (digest))";
    const DOING: &str = "pruning";
    let (choose, before) = match old {
        Old::Measured(_) => (choose!("old.done_age_ms <= $1"), age_ms),
        Old::ByClock(older_than) => (
            choose!("old.done_at_ms <= (SELECT messaging_inbox.now_ms()) - $1"),
            millis(older_than).min(NEVER_MS),
        ),
    };
    let (open, rows) =
        session.begin(DOING, choose, &[(&before, Type::INT8), (&BATCH, Type::INT8)]).await?;
    let forget = async {
        // One statement deletes a limited number of bytes, because it must end in time.
        let (mut ids, mut bytes) = (Vec::<i64>::new(), 0_usize);
        for row in &rows {
            if bytes >= PAGE_BYTES {
                break;
            }
            ids.push(value(row, 0)?);
            let length: i32 = value(row, 1)?;
            bytes = bytes.saturating_add(usize::try_from(length).unwrap_or(0));
        }
        if ids.is_empty() {
            return Ok(Pruned { forgotten: 0, goes_on: false });
        }
        let rows = open.query(FORGET, &[(&ids, Type::INT8_ARRAY)]).await?;
        let digests: Vec<Option<Vec<u8>>> =
            rows.iter().map(|row| value(row, 0)).collect::<Result<_, _>>()?;
        let digests: Vec<_> = digests.into_iter().flatten().collect();
        if !digests.is_empty() {
            open.query(MOVE_DIGEST, &[(&digests, Type::BYTEA_ARRAY)]).await?;
        }
        Ok(Pruned { forgotten: rows.len() as u64, goes_on: !rows.is_empty() })
    };
    let done = forget.await;
    open.finish(done).await
}
