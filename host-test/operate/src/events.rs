//! Events as JSON, and the read-only requests of workers and operators.

use http::Uri;
use messaging_inbox::{Counts, Event, Filter, State, Store};
use serde_json::{Map, Value, json};

use crate::problem::Problem;
use crate::request::Fields;

/// Maximum length of a kind in a filter, in characters. A filter cannot name a longer kind.
pub const KIND_CHARS: usize = 1024;

/// Maximum length in characters of the text that a list shows for an event: one line on a wide
/// page.
const TEXT_CHARS: usize = 200;
/// Maximum size, in bytes, of a payload that is searched for its text. Limits the work for a list.
const SEARCHED_BYTES: usize = 16 * 1024;
/// Names of members that usually contain the text of an event. The service does not specify the
/// schema of events.
const TEXT_NAMES: [&str; 4] = ["text", "message", "body", "content"];

/// Returns the number of events in each state.
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
        stuck: fields.boolean("stuck")?,
        kind: fields.string("kind", KIND_CHARS)?,
        after_id: fields.integer("after", 0..=i64::MAX)?.unwrap_or(0),
        limit: u32::try_from(fields.integer("limit", 1..=1_000)?.unwrap_or(100)).unwrap_or(100),
        ..Filter::default()
    };
    fields.end()?;
    let listed = |event: Event| {
        let mut view = view(&event);
        view.insert("text".into(), text(&event.json).into());
        view
    };
    Ok(json!({ "events": store.list_map(filter, listed).await? }))
}

/// Returns the start of the text in a payload, or the start of the payload if it has no text.
fn text(payload: &str) -> String {
    let searched = Some(payload).filter(|payload| payload.len() <= SEARCHED_BYTES);
    let value = searched.and_then(|payload| serde_json::from_str::<Value>(payload).ok());
    let text = value.as_ref().and_then(member).unwrap_or(payload);
    text.chars().take(TEXT_CHARS).collect()
}

/// Returns the value of the first name in [`TEXT_NAMES`] whose member is a string and not empty.
/// Without such a member, searches nested objects. The JSON parser limits the depth.
fn member(value: &Value) -> Option<&str> {
    let members = value.as_object()?;
    let own = TEXT_NAMES
        .into_iter()
        .find_map(|name| members.get(name)?.as_str().filter(|text| !text.is_empty()));
    own.or_else(|| members.values().find_map(member))
}

/// Returns an event with its payload.
pub async fn show(store: &Store, id: i64) -> Result<Value, Problem> {
    let event = store.get(id).await?;
    let first = match event.copy {
        0 => None,
        _ => store.first_under(&event.idempotency_key).await?,
    };
    let mut view = view(&event);
    view.insert("attempted_at_ms".into(), event.attempted_at_ms.into());
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_of_payload_is_found_and_short() {
        let long = "é".repeat(300);
        let large = format!("{{\"media\":\"{}\",\"text\":\"hi\"}}", "x".repeat(SEARCHED_BYTES));
        let deep = format!("{}{{\"text\":\"hi\"}}{}", "{\"a\":".repeat(200), "}".repeat(200));
        for (payload, found) in [
            (r#"{"object":"message","text":"a \"b\"\n"}"#, "a \"b\"\n"),
            (r#"{"text":"","data":{"n":1,"message":{"body":"nested"}}}"#, "nested"),
            (r#"{"text":7,"body":"second"}"#, "second"),
            (r#"{"text":"","body":"second","data":{"text":"nested"}}"#, "second"),
            (r#"{"id":"msg-1"}"#, r#"{"id":"msg-1"}"#),
            (&format!("{{\"text\":\"{long}\"}}"), &"é".repeat(TEXT_CHARS)),
            (&large, &large[..TEXT_CHARS]),
            (&deep, &deep[..TEXT_CHARS]),
        ] {
            assert_eq!(text(payload), found, "{payload:.80}");
        }
    }
}
