//! Events on their way to the customer's webhook (section 6).

use std::hash::{BuildHasher, RandomState};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use bytes::Bytes;
use http::Request;
use http_body_util::Full;
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::error::BadRequest;
use super::signing::Signing;

/// Number of attempts of one delivery: a choice of the simulation (section 6.4).
const ATTEMPTS: u32 = 6;
/// The pause after a failed attempt; doubles each time.
const PAUSE: Duration = Duration::from_millis(50);
/// Time limit of an answer.
const TIMEOUT: Duration = Duration::from_secs(10);

/// An event (section 2.3).
#[derive(Clone, Debug)]
pub struct Event {
    /// The value of `X-Idempotency-Key`.
    pub key: String,
    /// Body of the delivery, as JSON.
    pub body: Value,
}

impl Event {
    /// A new inbound message. What it says is a choice of the simulation (section 2.6).
    #[must_use]
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

    /// Reads `{"key": ..., "body": {...}}`, or just the body.
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
    /// Idempotency key of the event.
    pub key: String,
    /// Each attempt.
    pub attempts: Vec<Attempt>,
    /// Whether the webhook answered 200.
    pub acknowledged: bool,
}

/// One attempt.
#[derive(Clone, Debug, Serialize)]
pub struct Attempt {
    /// Status of the webhook's answer; absent without one.
    pub status: Option<u16>,
}

/// Delivers until 200, then `redeliveries` times more.
pub async fn deliver(
    url: &str,
    event: &Event,
    signing: Option<&Signing>,
    redeliveries: u32,
) -> Delivery {
    let client = Client::builder(TokioExecutor::new()).build(HttpConnector::new());
    let mut delivery =
        Delivery { key: event.key.clone(), attempts: Vec::new(), acknowledged: false };
    for _ in 0..=redeliveries {
        let mut pause = PAUSE;
        for _ in 0..ATTEMPTS {
            let status = post(&client, url, event, signing).await;
            delivery.attempts.push(Attempt { status });
            if status == Some(200) {
                delivery.acknowledged = true;
                break;
            }
            tokio::time::sleep(pause).await;
            pause = pause.saturating_mul(2);
        }
    }
    delivery
}

async fn post(
    client: &Client<HttpConnector, Full<Bytes>>,
    url: &str,
    event: &Event,
    signing: Option<&Signing>,
) -> Option<u16> {
    let body = event.body.to_string();
    // Each attempt anew, with the time of that.
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    let signed = signing.map(|signing| signing.headers(&event.key, now, &body));
    let mut request = Request::post(url)
        .header("content-type", "application/json")
        .header("x-idempotency-key", &event.key);
    for (name, value) in signed.unwrap_or_default() {
        request = request.header(name, value);
    }
    let request = request.body(Full::new(Bytes::from(body))).ok()?;
    let response = tokio::time::timeout(TIMEOUT, client.request(request)).await.ok()?.ok()?;
    Some(response.status().as_u16())
}
