//! Rows of the table `events`.

use messaging_inbox::{Event, State, StoreError, TraceContext, times};
use tokio_postgres::Row;

use crate::client::fault::Fault;
use crate::client::row::{some_text, text, value};

/// The columns that [`event`] reads, in order.
macro_rules! columns {
    () => {
        "e.id, e.idempotency_key, e.copy, e.message_id, e.kind, e.json, e.received_at_ms, e.state, \
         e.lease, e.due_ms, e.attempts, e.last_error, e.done_at_ms, e.copy_token, e.failures, \
         e.dead_at_ms, e.traceparent, e.tracestate, e.replay_of, e.attempted_at_ms"
    };
}
pub(crate) use columns;

/// Parses the state in a column.
pub(crate) fn state(row: &Row, at: usize) -> Result<State, Fault> {
    let state: &str = value(row, at)?;
    state.parse().map_err(|problem| Fault::Unsure {
        doing: "reading a row",
        detail: format!("the state {state:?} {problem}"),
    })
}

/// Converts a row with the columns of [`columns`].
pub(crate) fn event(row: &Row) -> Result<Event, Fault> {
    Ok(Event {
        id: value(row, 0)?,
        idempotency_key: text(row, 1)?,
        copy: value(row, 2)?,
        message_id: text(row, 3)?,
        kind: text(row, 4)?,
        json: text(row, 5)?,
        received_at_ms: value(row, 6)?,
        state: state(row, 7)?,
        lease: some_text(row, 8)?,
        due_ms: value(row, 9)?,
        attempts: value(row, 10)?,
        last_error: some_text(row, 11)?,
        done_at_ms: value(row, 12)?,
        copy_token: some_text(row, 13)?,
        failures: value(row, 14)?,
        dead_at_ms: value(row, 15)?,
        trace: {
            let (parent, state) = (some_text(row, 16)?, some_text(row, 17)?);
            parent.and_then(|parent| TraceContext::parse(&parent, state.as_deref()))
        },
        replay_of: value(row, 18)?,
        attempted_at_ms: times(value(row, 19)?),
    })
}

/// Converts rows to events.
///
/// # Errors
/// Returns [`StoreError::Damaged`] for the first unreadable row.
pub(crate) fn events(rows: &[Row], store: &str) -> Result<Vec<Event>, Fault> {
    let each = rows.iter().map(|row| {
        event(row).map_err(|fault| {
            let (id, store) = (value::<i64>(row, 0).unwrap_or_default(), store.to_string());
            StoreError::Damaged { store, detail: format!("event {id}: {fault:?}") }.into()
        })
    });
    each.collect()
}
