//! Records the requests that the service received and accepted.

use serde::Serialize;
use serde_json::Value;

use super::error::BadRequest;
use super::events::Delivery;

/// The service's own record, in order.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Ledger {
    /// Every request that arrived whole.
    pub requests: Vec<Received>,
    /// Number of messages created.
    pub created: u64,
    /// Every message that was created.
    pub messages: Vec<Accepted>,
    /// Every event that was delivered, or not.
    pub deliveries: Vec<Delivery>,
}

/// A request that arrived whole.
#[derive(Clone, Debug, Serialize)]
pub struct Received {
    /// HTTP method.
    pub method: String,
    /// The path, without its query.
    pub path: String,
    /// The query, as it came.
    pub query: Option<String>,
    /// Whether it carried the account's key, once.
    pub authorized: bool,
    /// The headers, in order; the token's value is left out.
    pub headers: Vec<(String, String)>,
    /// Body, byte for byte.
    pub body: String,
}

/// A message that was created.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Accepted {
    /// Identifier that the service gave it.
    pub id: String,
    /// The message of the request.
    #[serde(flatten)]
    pub message: Message,
}

/// The body of section 2.1.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Message {
    /// Phone number of the recipient.
    pub phone: String,
    /// Text of the message.
    pub message: String,
    /// The sender's device, of whatever type it came.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub device: Option<Value>,
}

impl Message {
    /// Reads a request's body. The simulation requires `phone` and `message`, which
    /// the specification leaves open (section 2.6).
    pub(super) fn read(body: &[u8]) -> Result<Self, BadRequest> {
        let body: Value = serde_json::from_slice(body).map_err(|_| BadRequest::NotJson)?;
        let text = |name: &'static str| {
            let value = body.get(name).and_then(Value::as_str).filter(|text| !text.is_empty());
            value.map(ToString::to_string).ok_or(BadRequest::NotAString(name))
        };
        Ok(Self {
            phone: text("phone")?,
            message: text("message")?,
            device: body.get("device").cloned(),
        })
    }
}

impl Ledger {
    /// Creates a message and returns its identifier.
    pub(super) fn accept(&mut self, message: Message, keep: bool) -> String {
        self.created = self.created.saturating_add(1);
        let id = format!("msg-{:04}", self.created);
        if keep {
            self.messages.push(Accepted { id: id.clone(), message });
        }
        id
    }

    /// Returns the number of requests that tried to create a message.
    #[must_use]
    pub fn posts(&self) -> usize {
        self.requests.iter().filter(|request| request.method == "POST").count()
    }
}
