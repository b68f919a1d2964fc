//! Tests of the behavior of every store. Each crate with a backend includes these tests, and
//! provides a module `fixture`. The tests set the clocks.
#![allow(clippy::unwrap_used, clippy::panic, missing_docs, reason = "tests")]

mod clock;
mod dead;
mod keeping;
mod leasing;
mod replays;

use std::time::Duration;

use messaging_inbox::{Entry, Event, Filter, Store};

pub const MINUTE: Duration = Duration::from_secs(60);

pub fn event(key: &str, kind: &str, json: &str) -> Entry {
    Entry {
        idempotency_key: key.into(),
        message_id: format!("message of {key}"),
        kind: kind.into(),
        json: json.into(),
    }
}

pub fn entry(key: &str, text: &str) -> Entry {
    event(key, "message:in:new", &format!(r#"{{"text": "{text}"}}"#))
}

pub async fn all(store: &Store) -> Vec<Event> {
    store.list(Filter { limit: 10_000, ..Filter::default() }).await.unwrap()
}
