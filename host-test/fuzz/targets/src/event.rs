//! Deliveries of events.

use messaging_core::event::Event;
use serde_json::Value;

use super::input::{Input, text};

const FIELDS: [&str; 7] =
    ["x-idempotency-key", "content-type", "body", "$", "$.id", "$.object", "$.event"];

pub fn check(data: &[u8]) {
    let mut input = Input(data);
    let headers: Vec<_> =
        input.headers().into_iter().map(|(name, value)| (name, text(&value))).collect();
    let body = text(input.0);
    let pairs = || headers.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    let read = Event::read(pairs(), &body);
    let shouted: Vec<_> = headers.iter().map(|(name, _)| name.to_ascii_uppercase()).collect();
    let shouted = shouted.iter().zip(&headers).map(|(name, (_, value))| (&**name, &**value));
    assert_eq!(Event::read(shouted, &body), read, "header names are case-insensitive");
    match read {
        Ok(event) => {
            assert_eq!(Event::read(pairs().rev(), &body).as_ref(), Ok(&event));
            // The event's key is the header value, and its JSON is the complete body.
            let mut keys =
                pairs().filter(|(name, _)| name.eq_ignore_ascii_case("x-idempotency-key"));
            assert_eq!(
                keys.next().map(|(_, value)| value.trim_ascii()),
                Some(&*event.idempotency_key)
            );
            assert_eq!(keys.next(), None);
            assert!((1..=256).contains(&event.idempotency_key.len()));
            assert!(event.idempotency_key.bytes().all(|byte| (0x21..=0x7e).contains(&byte)));
            assert!(body.len() <= 16 * 1024 * 1024 && body.contains(&event.json));
            assert_eq!(body.trim_start_matches('\u{feff}').trim_ascii(), event.json);
            assert!(!event.message_id.is_empty());
            let Ok(value) = serde_json::from_str::<Value>(&event.json) else { return };
            assert_eq!(value["id"], event.message_id);
            assert_eq!(value["object"], "message");
            assert!(!event.kind.is_empty());
            assert_eq!(value["event"], event.kind);
        }
        Err(invalid) => assert!(FIELDS.contains(&&*invalid.field), "{invalid:?}"),
    }
}
