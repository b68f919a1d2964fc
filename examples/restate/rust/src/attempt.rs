//! Results of a request and states of a message, as Restate stores them: JSON with a member
//! `state`.

use messaging_host::{CallResult, outcome, wit};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// A message to create.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NewMessage {
    /// Phone number of the recipient in international format.
    pub phone: String,
    /// Text of the message.
    pub message: String,
    /// Selects the sender's number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub device: Option<String>,
    /// Additional members of the request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fields: Option<Fields>,
}

/// Additional members of a request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Fields {
    /// Names and JSON values. Each value is sent unchanged.
    Written(Vec<Field>),
    /// Names and values as a JSON object.
    Members(Map<String, Value>),
}

/// An additional member of a request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Field {
    /// Name of the member.
    pub name: String,
    /// Value of the member, as JSON.
    pub json: String,
}

impl NewMessage {
    /// Creates a message without device and additional members.
    pub fn new(phone: &str, message: &str) -> Self {
        Self { phone: phone.into(), message: message.into(), device: None, fields: None }
    }
}

impl From<NewMessage> for wit::MessageRequest {
    fn from(given: NewMessage) -> Self {
        let fields = match given.fields {
            None => Vec::new(),
            Some(Fields::Written(fields)) => {
                let field = |field: Field| wit::Field { name: field.name, json: field.json };
                fields.into_iter().map(field).collect()
            }
            Some(Fields::Members(members)) => {
                let field =
                    |(name, value): (_, Value)| wit::Field { name, json: value.to_string() };
                members.into_iter().map(field).collect()
            }
        };
        Self { phone: given.phone, message: given.message, device: given.device, fields }
    }
}

/// Result of one request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "kebab-case", rename_all_fields = "camelCase")]
pub enum Attempt {
    /// The service created the message.
    Created {
        /// Identifier of the message.
        id: String,
    },
    /// The message may exist.
    Unknown {
        /// Reason why the result is unknown.
        #[serde(flatten)]
        error: Doubt,
        /// Time for which a lost request may still be in flight, in milliseconds.
        #[serde(default)]
        open_ms: u64,
    },
    /// No message was created, and the request can be retried.
    Waiting {
        /// Reason for the retry.
        #[serde(flatten)]
        error: Failure,
        /// Delay that the service asks for, in milliseconds.
        #[serde(default)]
        retry_after_ms: u32,
    },
    /// No message was created, and a retry would not create one.
    Refused(Failure),
}

/// An error that proves that nothing was created.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Failure {
    /// Name of the error case in the WIT.
    pub case: String,
    /// A message for logs and operators.
    pub detail: String,
}

/// An error after which the message may exist.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Doubt {
    /// Name of the error case in the WIT; `None` if the plugin returned no error.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub case: Option<String>,
    /// A message for logs and operators.
    pub detail: String,
}

impl Attempt {
    /// Returns the result of a request that was not sent.
    #[must_use]
    pub fn not_sent(detail: &str) -> Self {
        let error = Failure { case: "not-sent".into(), detail: detail.into() };
        Self::Waiting { error, retry_after_ms: 0 }
    }

    /// Returns the result of a lost request. The request may be in flight for another `open_ms`
    /// milliseconds.
    #[must_use]
    pub fn lost(detail: &str, open_ms: u64) -> Self {
        Self::Unknown { error: Doubt { case: None, detail: detail.into() }, open_ms }
    }
}

/// Converts the result of `send-message`. The error case determines whether a retry is safe.
impl From<CallResult<wit::CreatedMessage>> for Attempt {
    fn from(result: CallResult<wit::CreatedMessage>) -> Self {
        use wit::Error;
        let error = match result {
            Ok(Ok(created)) => return Self::Created { id: created.id },
            Ok(Err(error)) => error,
            Err(error) if error.is_not_sent() => {
                Error::NotSent(wit::NotSent { detail: error.to_string() })
            }
            Err(error) => return Self::lost(&error.to_string(), 0),
        };
        let case = outcome::case(&error).to_string();
        let waiting = |case, detail, retry_after_ms: Option<u32>| Self::Waiting {
            error: Failure { case, detail },
            retry_after_ms: retry_after_ms.unwrap_or(0),
        };
        let refused = |case, detail| Self::Refused(Failure { case, detail });
        let unknown =
            |case, detail| Self::Unknown { error: Doubt { case: Some(case), detail }, open_ms: 0 };
        let said = |said: &wit::Refusal| format!("status {}: {}", said.status, said.body);
        match error {
            Error::RateLimited(limit) => waiting(case, said(&limit.refusal), limit.retry_after_ms),
            Error::Unavailable(found) => waiting(case, found.detail, found.retry_after_ms),
            Error::NotSent(found) => waiting(case, found.detail, None),
            Error::PermanentInvalidInput(found) => {
                refused(case, format!("{}: {}", found.field, found.detail))
            }
            Error::PermanentInvalidSettings(found) => {
                refused(case, format!("{}: {}", found.setting, found.detail))
            }
            Error::PermanentUnauthorized(refusal) | Error::PermanentRefused(refusal) => {
                refused(case, said(&refusal))
            }
            Error::PermanentDenied(denied) => refused(case, denied.detail),
            Error::PermanentOutcomeUnknown(found) => unknown(case, found.detail),
            Error::PermanentUnexpectedReply(found) => unknown(case, found.detail),
            Error::PermanentOther(found) => unknown(case, found.detail),
            Error::ExecutionFailed => unknown(case, "the engine could not run the call".into()),
        }
    }
}

/// State of a key: its message and the state of the message.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// State of the message.
    #[serde(flatten)]
    pub state: State,
    /// The message of the key.
    pub message: NewMessage,
}

/// State of a message. A message in state `created` or `unknown` is never sent again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "kebab-case", rename_all_fields = "camelCase")]
pub enum State {
    /// A request may be in flight.
    Sending,
    /// No message was created yet; another request follows.
    Waiting(Failure),
    /// The service created the message. It may not be delivered yet.
    Created {
        /// Identifier of the message.
        id: String,
        /// The operator who confirmed it; `None` if the service did.
        #[serde(flatten)]
        decided: Option<Decided>,
    },
    /// The message may exist. An operator must resolve it.
    Unknown(Unknown),
    /// An operator confirmed that the message does not exist.
    NotCreated(Decided),
    /// No message was created, and a retry would not create one.
    Refused(Failure),
    /// No message was created, and the worker stopped retrying.
    NotSent(Failure),
}

impl State {
    /// Returns the name of the state.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Sending => "sending",
            Self::Waiting(_) => "waiting",
            Self::Created { .. } => "created",
            Self::Unknown(_) => "unknown",
            Self::NotCreated(_) => "not-created",
            Self::Refused(_) => "refused",
            Self::NotSent(_) => "not-sent",
        }
    }
}

/// A decision of an operator.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Decided {
    /// Name of the operator.
    pub by: String,
    /// Time of the decision (RFC 3339).
    pub at: String,
}

/// An outcome that an operator must resolve.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Unknown {
    /// Reason why the outcome is unknown.
    #[serde(flatten)]
    pub error: Doubt,
    /// Time since which the outcome is unknown (RFC 3339).
    pub since: String,
    /// Time after which no request can be in flight (RFC 3339). From then on, an operator may state
    /// that the message does not exist.
    pub open_until: String,
    /// Restate's ID of the pending decision.
    pub decision: String,
}

#[cfg(test)]
mod tests {
    use messaging_host::CallError;
    use serde_json::json;

    use super::*;

    #[test]
    fn state_equals_json_of_javascript_worker() {
        let failed = || json!({ "case": "not-sent", "detail": "…" });
        let with = |state: &str, mut members: Value| {
            members["state"] = state.into();
            members["message"] = json!({ "phone": "+34600111222", "message": "Ready." });
            members
        };
        for entry in [
            with("sending", json!({})),
            with("waiting", failed()),
            with("refused", failed()),
            with("not-sent", failed()),
            with("created", json!({ "id": "msg-1" })),
            with(
                "created",
                json!({ "id": "msg-1", "by": "Ana", "at": "2026-11-23T12:00:00.000Z" }),
            ),
            with("not-created", json!({ "by": "Ana", "at": "2026-11-23T12:00:00.000Z" })),
            with(
                "unknown",
                json!({ "detail": "…", "since": "2026-11-23T12:00:00.000Z",
                    "openUntil": "2026-11-23T12:01:00.000Z", "decision": "prom_1" }),
            ),
            with(
                "unknown",
                json!({ "case": "permanent-outcome-unknown", "detail": "…",
                    "since": "2026-11-23T12:00:00.000Z",
                    "openUntil": "2026-11-23T12:00:00.000Z", "decision": "prom_1" }),
            ),
        ] {
            let read: Entry = serde_json::from_value(entry.clone()).unwrap();
            assert_eq!(read.state.name(), entry["state"]);
            assert_eq!(serde_json::to_value(read).unwrap(), entry);
        }
    }

    #[test]
    fn only_proof_of_no_effect_is_retried() {
        let refusal = || wit::Refusal {
            status: 429,
            code: None,
            message: None,
            details: Vec::new(),
            body: "slow down".into(),
        };
        let detail = || "…".to_string();
        let state = |error: wit::Error| {
            let attempt = serde_json::to_value(Attempt::from(Ok(Err(error)))).unwrap();
            (attempt["state"].clone(), attempt["retryAfterMs"].clone())
        };
        let limit = wit::RateLimit { retry_after_ms: Some(7), refusal: refusal() };
        assert_eq!(state(wit::Error::RateLimited(limit)), (json!("waiting"), json!(7)));
        let not_sent = wit::NotSent { detail: detail() };
        assert_eq!(state(wit::Error::NotSent(not_sent)), (json!("waiting"), json!(0)));
        assert_eq!(state(wit::Error::PermanentRefused(refusal())).0, "refused");
        assert_eq!(state(wit::Error::PermanentUnauthorized(refusal())).0, "refused");
        let other = wit::Other { code: "other".into(), detail: detail(), status: None };
        assert_eq!(state(wit::Error::PermanentOther(other)).0, "unknown");
        assert_eq!(state(wit::Error::ExecutionFailed).0, "unknown");

        let busy = Attempt::from(Err(CallError::Busy(detail())));
        assert!(matches!(busy, Attempt::Waiting { .. }));
        let trapped = Attempt::from(Err(CallError::Trap(detail())));
        assert!(matches!(trapped, Attempt::Unknown { open_ms: 0, .. }));
    }

    #[test]
    fn further_members_are_a_list_or_an_object() {
        let fields = |given: Value| {
            let given = json!({ "phone": "+34600111222", "message": "Ready.", "fields": given });
            let message: NewMessage = serde_json::from_value(given).unwrap();
            let request = wit::MessageRequest::from(message);
            request.fields.into_iter().map(|field| (field.name, field.json)).collect::<Vec<_>>()
        };
        let expected = [("device".to_string(), "12".to_string())];
        assert_eq!(fields(json!({ "device": 12 })), expected);
        assert_eq!(fields(json!([{ "name": "device", "json": "12" }])), expected);
    }
}
