//! Delivery of events to the customer's webhook (`wit/service.md`, section 6).

use std::hash::{BuildHasher, RandomState};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::error::BadRequest;
use super::webhook::Webhook;

/// Number of attempts of one delivery: a choice of the simulation (`wit/service.md`, section 6.4).
const ATTEMPTS: u32 = 6;
/// Delay after the first failed attempt; doubles with each further failure.
const PAUSE: Duration = Duration::from_millis(50);

/// An event (`wit/service.md`, section 2.3).
#[derive(Clone, Debug)]
pub struct Event {
    /// The value of `X-Idempotency-Key`.
    pub key: String,
    /// Body of the delivery, as JSON.
    pub body: Value,
}

impl Event {
    /// Returns a new inbound message. Its content is a choice of the simulation (`wit/service.md`,
    /// section 2.6).
    pub fn new_message() -> Self {
        let number = RandomState::new().hash_one(()) >> 32;
        let body = json!({
            "id": format!("msg-in-{number:08x}"),
            "object": "message",
            "event": "message:in:new",
            "from": "+34600111222",
            "message": "When can I pick it up?",
        });
        Self { key: format!("evt-{number:08x}"), body }
    }

    /// Reads `{"key": ..., "body": {...}}`, or only the body.
    pub(super) fn read(text: &[u8]) -> Result<Self, BadRequest> {
        let value: Map<String, Value> =
            serde_json::from_slice(text).map_err(|_| BadRequest::NotAnEvent)?;
        let fresh = Self::new_message().key;
        match (value.get("key").and_then(Value::as_str), value.get("body")) {
            (key, Some(body)) => {
                Ok(Self { key: key.map_or(fresh, ToString::to_string), body: body.clone() })
            }
            _ => Ok(Self { key: fresh, body: Value::Object(value) }),
        }
    }
}

/// Outcome of an event's delivery.
#[derive(Clone, Debug, Serialize)]
pub struct Delivery {
    /// Delivery key of the event.
    pub key: String,
    /// All attempts, in order.
    pub attempts: Vec<Attempt>,
    /// True if the webhook answered 200.
    pub acknowledged: bool,
}

/// An attempt to deliver an event.
#[derive(Clone, Debug, Serialize)]
pub struct Attempt {
    /// Status of the webhook's response; `None` without a response.
    pub status: Option<u16>,
    /// Reason why the attempt failed; `None` if the webhook answered 200.
    pub failure: Option<String>,
}

/// Delivers an event until the webhook answers 200, then `redeliveries` more times.
pub(super) async fn deliver(webhook: &Webhook, event: &Event, redeliveries: u32) -> Delivery {
    let mut delivery =
        Delivery { key: event.key.clone(), attempts: Vec::new(), acknowledged: false };
    let body = event.body.to_string();
    for _ in 0..=redeliveries {
        let mut pause = PAUSE;
        for _ in 0..ATTEMPTS {
            // Each attempt gets its own timestamp and signature.
            let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
            let attempt = match webhook.post(&event.key, now, &body).await {
                Ok((200, _)) => Attempt { status: Some(200), failure: None },
                Ok((status, text)) => {
                    let failure = format!("status {status}: {text}");
                    Attempt { status: Some(status), failure: Some(failure) }
                }
                Err(failure) => Attempt { status: None, failure: Some(failure) },
            };
            let is_acknowledged = attempt.failure.is_none();
            delivery.attempts.push(attempt);
            if is_acknowledged {
                delivery.acknowledged = true;
                break;
            }
            tokio::time::sleep(pause).await;
            pause = pause.saturating_mul(2);
        }
    }
    delivery
}
