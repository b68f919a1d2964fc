//! Rows of the table of events, and the names of its columns.

use rusqlite::Row;

use super::model::{Event, UnknownState, times};
use super::trace::TraceContext;

/// Reads an event from a row with the columns of [`columns`].
pub(super) fn event(row: &Row<'_>) -> rusqlite::Result<Event> {
    let state: String = row.get(7)?;
    Ok(Event {
        id: row.get(0)?,
        idempotency_key: row.get(1)?,
        copy: row.get(2)?,
        message_id: row.get(3)?,
        kind: row.get(4)?,
        json: row.get(5)?,
        received_at_ms: row.get(6)?,
        state: state.parse().map_err(|error: UnknownState| {
            let problem = format!("the state {state:?} {error}").into();
            rusqlite::Error::FromSqlConversionFailure(7, rusqlite::types::Type::Text, problem)
        })?,
        lease: row.get(8)?,
        due_ms: row.get(9)?,
        attempts: row.get(10)?,
        last_error: row.get(11)?,
        done_at_ms: row.get(12)?,
        copy_token: row.get(13)?,
        failures: row.get(14)?,
        dead_at_ms: row.get(15)?,
        trace: {
            let parent: Option<String> = row.get(16)?;
            let state: Option<String> = row.get(17)?;
            parent.and_then(|parent| TraceContext::parse(&parent, state.as_deref()))
        },
        replay_of: row.get(18)?,
        attempted_at_ms: times(&row.get::<_, String>(19)?),
    })
}

/// The columns that [`event`] reads, in order.
macro_rules! columns {
    () => {
        "id, idempotency_key, copy, message_id, kind, json, received_at_ms, state, lease, due_ms, \
         attempts, last_error, done_at_ms, copy_token, failures, dead_at_ms, traceparent, tracestate, \
         replay_of, attempted_at_ms"
    };
}
pub(super) use columns;
