//! Events as JSON, and the read-only requests of workers and operators.

use http::Uri;
use messaging_inbox::{Counts, Event, Filter, State, Store};
use serde_json::{Map, Value, json};

use crate::problem::Problem;
use crate::request::Fields;

/// Maximum length of a requested kind in characters. The webhook accepts only shorter kinds.
pub const KIND_CHARS: usize = 1024;

/// Returns the states of events with their counts.
pub fn states(counts: Counts) -> [(&'static str, u64); 5] {
    let Counts { pending, leased, done, quarantined, dead } = counts;
    [
        ("pending", pending),
        ("leased", leased),
        ("done", done),
        ("quarantined", quarantined),
        ("dead", dead),
    ]
}

/// Returns a page of events.
pub async fn list(store: &Store, uri: &Uri) -> Result<Value, Problem> {
    let mut fields = Fields::of_query(uri)?;
    let state = fields.string("state", 32)?;
    let state = state.map(|state| state.parse::<State>()).transpose();
    let filter = Filter {
        state: state.map_err(|error| Problem::malformed("state", error.to_string()))?,
        kind: fields.string("kind", KIND_CHARS)?,
        after_id: fields.integer("after", 0..=i64::MAX)?.unwrap_or(0),
        limit: u32::try_from(fields.integer("limit", 1..=1_000)?.unwrap_or(100)).unwrap_or(100),
        ..Filter::default()
    };
    fields.end()?;
    let events = store.list(filter).await?;
    Ok(json!({ "events": events.iter().map(view).collect::<Vec<_>>() }))
}

/// Returns an event with its payload.
pub async fn show(store: &Store, id: i64) -> Result<Value, Problem> {
    let event = store.get(id).await?;
    let first = match event.copy {
        0 => None,
        _ => store.first_under(&event.idempotency_key).await?,
    };
    let mut view = view(&event);
    view.insert("payload".into(), event.json.into());
    view.insert("first_id".into(), first.into());
    Ok(Value::Object(view))
}

/// Returns an event with its payload and lease.
pub fn leased(event: &Event) -> Value {
    let mut view = view(event);
    view.insert("payload".into(), event.json.as_str().into());
    view.insert("lease".into(), event.lease.as_deref().into());
    Value::Object(view)
}

fn view(event: &Event) -> Map<String, Value> {
    let trace = event.trace.as_ref();
    let view = json!({
        "id": event.id,
        "key": event.delivery_key(),
        "message_id": event.message_id,
        "kind": event.kind,
        "received_at_ms": event.received_at_ms,
        "state": event.state.as_str(),
        "due_ms": event.due_ms,
        "attempts": event.attempts,
        "failures": event.failures,
        "last_error": event.last_error,
        "done_at_ms": event.done_at_ms,
        "dead_at_ms": event.dead_at_ms,
        "traceparent": trace.map(|trace| trace.parent()),
        "tracestate": trace.and_then(|trace| trace.state()),
        "replay_of": event.replay_of,
    });
    match view {
        Value::Object(view) => view,
        _ => Map::new(),
    }
}
