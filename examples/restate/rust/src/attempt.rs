//! Outcomes of one request and of a message, as Restate keeps them: in JSON, with a member
//! `state`.

use messaging_host::{CallResult, outcome, wit};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// A message to create.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NewMessage {
    /// The recipient's number, in international format.
    pub phone: String,
    /// The text.
    pub message: String,
    /// Selects the sender's number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub device: Option<String>,
    /// Further members of the request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fields: Option<Fields>,
}

/// Further members of a request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Fields {
    /// Names, and values as JSON that is sent as it is.
    Written(Vec<Field>),
    /// Names and values.
    Members(Map<String, Value>),
}

/// A further member of a request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// Its value, as JSON.
    pub json: String,
}

impl NewMessage {
    /// A text for a number, and nothing further.
    #[must_use]
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

/// Outcome of one request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "kebab-case", rename_all_fields = "camelCase")]
pub enum Attempt {
    /// The service created the message.
    Created {
        /// The message's identifier.
        id: String,
    },
    /// The message may exist.
    Unknown {
        /// The error.
        #[serde(flatten)]
        error: Doubt,
        /// Milliseconds for which a request that nobody knows of may still be under way.
        #[serde(default)]
        open_ms: u64,
    },
    /// Nothing was created, and the same request can be made again.
    Waiting {
        /// The error.
        #[serde(flatten)]
        error: Failure,
        /// The service's hint, in milliseconds.
        #[serde(default)]
        retry_after_ms: u32,
    },
    /// Nothing was created, and nothing would be.
    Refused(Failure),
}

/// An error that proves that nothing was created.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Failure {
    /// The name of its case in the WIT.
    pub case: String,
    /// Text for a person.
    pub detail: String,
}

/// An error after which the message may exist.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Doubt {
    /// The name of its case in the WIT, where the plugin returned one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub case: Option<String>,
    /// Text for a person.
    pub detail: String,
}

impl Attempt {
    /// A request that was not made.
    #[must_use]
    pub fn not_sent(detail: &str) -> Self {
        let error = Failure { case: "not-sent".into(), detail: detail.into() };
        Self::Waiting { error, retry_after_ms: 0 }
    }

    /// A request of which no result is known. For `open_ms` it may still be under way.
    #[must_use]
    pub fn lost(detail: &str, open_ms: u64) -> Self {
        Self::Unknown { error: Doubt { case: None, detail: detail.into() }, open_ms }
    }
}

/// Judges the end of `send-message`: the names of the WIT's cases carry what may be repeated.
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
            Error::ExecutionFailed => unknown(case, "the engine could not run it".into()),
        }
    }
}

/// The state of a key: its message, and what is known of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// Knowledge of it.
    #[serde(flatten)]
    pub state: State,
    /// The message.
    pub message: NewMessage,
}

/// Knowledge of a message. `created` and `unknown` never lead to a request again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "kebab-case", rename_all_fields = "camelCase")]
pub enum State {
    /// A request may be under way.
    Sending,
    /// Nothing was created so far; another request follows.
    Waiting(Failure),
    /// It was created, which is not delivered.
    Created {
        /// Its identifier.
        id: String,
        /// Who said so, where the service did not.
        #[serde(flatten)]
        decided: Option<Decided>,
    },
    /// It may exist. A person decides.
    Unknown(Unknown),
    /// A person says that it does not exist.
    NotCreated(Decided),
    /// Nothing was created, and nothing would be.
    Refused(Failure),
    /// Nothing was created, and it was given up.
    NotSent(Failure),
}

impl State {
    /// Returns its name.
    #[must_use]
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

/// A decision of a person.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Decided {
    /// The person.
    pub by: String,
    /// The time, as RFC 3339 writes it.
    pub at: String,
}

/// An outcome that a person has to decide.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Unknown {
    /// The error.
    #[serde(flatten)]
    pub error: Doubt,
    /// The time since when it is unknown.
    pub since: String,
    /// The time from which on nobody's request can be under way, and it can be said not to exist.
    pub open_until: String,
    /// Restate's name of the decision that is waited for.
    pub decision: String,
}

#[cfg(test)]
mod tests {
    use messaging_host::CallError;
    use serde_json::json;

    use super::*;

    #[test]
    fn a_state_is_the_json_that_the_worker_in_javascript_keeps() {
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
    fn only_what_proves_that_nothing_was_created_is_sent_again() {
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
