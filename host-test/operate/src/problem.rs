//! Errors as RFC 9457 has them, with a code that stays the same.

use bytes::Bytes;
use http::{HeaderValue, Response, StatusCode, header};
use http_body_util::Full;
use messaging_host::serve::{Answer, Reply, Tokens, Why};
use messaging_inbox::StoreError;
use serde_json::json;

/// Seconds after which a client tries again where the inbox cannot be used.
const RETRY_AFTER: &str = "1";

/// Reason why a request was not carried out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// A member or parameter is not what the interface says.
    Malformed {
        /// The member or parameter; empty for the whole.
        field: String,
        /// The rule that it breaks.
        detail: String,
    },
    /// No token, or another one.
    Unauthorized,
    /// There is no such path, on this listener.
    NoSuchPath,
    /// The path takes other methods.
    Method {
        /// Those.
        allow: &'static str,
    },
    /// There is no such event.
    NoSuchEvent(i64),
    /// The lease is no longer the event's.
    LeaseLost(i64),
    /// This listener has no journal of sends.
    NoJournal {
        /// The options and settings that give it one.
        start: &'static str,
    },
    /// The journal that this server had is none any more.
    JournalGone(String),
    /// The journal will never take this text.
    Rejected(String),
    /// There is no such key in the journal.
    NoSuchSend,
    /// The decision is not about what the journal has.
    NotResolved {
        /// The reason, as `wit/once.wit` names it.
        code: String,
        /// The same for a person.
        detail: String,
    },
    /// As many polls wait as may.
    TooManyPolls,
    /// The inbox, or the journal, cannot be used now.
    Unavailable(String),
    /// The server did not read the request to its end.
    Refused {
        /// Status of the answer.
        status: u16,
        /// The problem.
        detail: String,
    },
}

impl Problem {
    pub fn malformed(field: &str, detail: impl Into<String>) -> Self {
        Self::Malformed { field: field.to_string(), detail: detail.into() }
    }

    /// The body is larger than `most` bytes.
    pub fn too_large(most: usize) -> Self {
        let detail = format!("the body is larger than {most} bytes");
        Self::Refused { status: Answer::TooLarge.status(), detail }
    }

    /// The server's own answer to a request; of bodies it reads `most` bytes.
    pub fn refused(answer: &Answer, most: usize) -> Self {
        let detail = match answer {
            Answer::TooLarge => return Self::too_large(most),
            Answer::TooSlow => "the request did not come in time".to_string(),
            Answer::Malformed { field, detail } => format!("{field} {detail}"),
            _ => "the request was refused".to_string(),
        };
        Self::Refused { status: answer.status(), detail }
    }
}

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::NotFound { id } => Self::NoSuchEvent(id),
            StoreError::LeaseLost { id, .. } => Self::LeaseLost(id),
            error => Self::Unavailable(error.to_string()),
        }
    }
}

impl From<Problem> for Reply {
    fn from(problem: Problem) -> Self {
        let (status, code, detail) = match &problem {
            Problem::Malformed { detail, .. } => (400, "malformed", detail.clone()),
            Problem::Unauthorized => (
                401,
                "unauthorized",
                "send one Authorization: Bearer header with this listener's token".to_string(),
            ),
            Problem::NoSuchPath => (404, "not-found", "there is no such path here".to_string()),
            Problem::Method { allow } => (405, "method-not-allowed", format!("use {allow}")),
            Problem::NoSuchEvent(id) => {
                (404, "not-found", format!("there is no event {id} in this inbox"))
            }
            Problem::LeaseLost(id) => (
                409,
                "lease-lost",
                format!(
                    "this is not the token of a lease that event {id} is under: it has ended, and somebody else has the event or has settled it, or the token is wrong; stop working on it"
                ),
            ),
            Problem::NoJournal { start } => (
                404,
                "no-journal",
                format!("this server has no journal of sends: start it with {start}"),
            ),
            // The reason is the operator's, and stands in the log.
            Problem::JournalGone(_) => {
                (404, "no-journal", "the journal of sends is not set up".to_string())
            }
            Problem::Rejected(_) => (422, "rejected", "the journal takes no such text".to_string()),
            Problem::NoSuchSend => (404, "not-found", "the key was never used".to_string()),
            Problem::NotResolved { code, detail } => (409, code.as_str(), detail.clone()),
            Problem::TooManyPolls => (
                503,
                "too-many-polls",
                "as many polls of your address wait as may: keep fewer under way".to_string(),
            ),
            // The path of the file is the operator's, and stands in the log.
            Problem::Unavailable(_) => {
                (503, "unavailable", "what it needs cannot be used now: try again".to_string())
            }
            Problem::Refused { status: 413, detail } => (413, "too-large", detail.clone()),
            Problem::Refused { status: 408, detail } => (408, "too-slow", detail.clone()),
            Problem::Refused { status, detail } => (*status, "malformed", detail.clone()),
        };
        let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let mut body = json!({
            "type": "about:blank",
            "title": status.canonical_reason().unwrap_or_default(),
            "status": status.as_u16(),
            "code": code,
            "detail": detail,
        });
        if let (Problem::Malformed { field, .. }, Some(body)) = (&problem, body.as_object_mut())
            && !field.is_empty()
        {
            body.insert("field".to_string(), field.as_str().into());
        }
        let mut response = Response::new(Full::new(Bytes::from(body.to_string())));
        *response.status_mut() = status;
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        let special = match &problem {
            Problem::Unauthorized => Some((header::WWW_AUTHENTICATE, "Bearer")),
            Problem::Method { allow } => Some((header::ALLOW, *allow)),
            Problem::Unavailable(_) | Problem::TooManyPolls => {
                Some((header::RETRY_AFTER, RETRY_AFTER))
            }
            _ => None,
        };
        if let Some((name, value)) = special {
            headers.insert(name, HeaderValue::from_static(value));
        }
        let why = match problem {
            // No name of the interface is as long as a token, which somebody may have put there.
            Problem::Malformed { field, detail } if field.len() < Tokens::MIN_BYTES => {
                Why::ForAll(format!("{field} {detail}"))
            }
            Problem::Malformed { detail, .. } => Why::ForAll(detail),
            Problem::Unavailable(detail)
            | Problem::JournalGone(detail)
            | Problem::Rejected(detail) => Why::ForAll(detail),
            Problem::LeaseLost(_)
            | Problem::NotResolved { .. }
            | Problem::TooManyPolls
            | Problem::Refused { .. } => Why::ForAll(detail),
            // Somebody may be guessing.
            Problem::Unauthorized => Why::OfStranger(detail),
            // Anybody can cause these.
            Problem::NoSuchPath
            | Problem::Method { .. }
            | Problem::NoJournal { .. }
            | Problem::NoSuchSend
            | Problem::NoSuchEvent(_) => Why::ForDebugging(detail),
        };
        Self { response, why: Some(why), proved: false }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_in_the_place_of_a_name_is_not_logged() {
        let logged = |field: &str| match Reply::from(Problem::malformed(field, "is wrong")).why {
            Some(Why::ForAll(text)) => text,
            _ => String::new(),
        };
        assert_eq!(logged("limit"), "limit is wrong");
        assert_eq!(logged("0123456789abcdef"), "is wrong");
    }
}
