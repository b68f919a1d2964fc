//! Errors in the format of RFC 9457, with stable codes.

use http::{HeaderName, HeaderValue, StatusCode, header};
use messaging_inbox::StoreError;
use messaging_server::serve::{Answer, RejectReason, Reply, Tokens};
use serde_json::json;

use crate::json;

/// Value of `Retry-After` in seconds while the inbox or the journal is unavailable.
const RETRY_AFTER: &str = "1";

/// The reason why a request failed, with its response.
#[derive(Debug, PartialEq, Eq)]
pub struct Problem {
    status: StatusCode,
    /// Name of the reason. `wit/types.wit` defines some of the names.
    code: String,
    detail: String,
    /// Name of the invalid member or parameter; empty for all other problems.
    pub field: String,
    header: Option<(HeaderName, &'static str)>,
    why: RejectReason,
}

impl Problem {
    /// A problem that is always logged.
    fn new(status: StatusCode, code: &str, detail: impl Into<String>) -> Self {
        let (code, detail, field) = (code.to_string(), detail.into(), String::new());
        let why = RejectReason::Client(detail.clone());
        Self { status, code, detail, field, header: None, why }
    }

    /// A problem that any client can cause. Logged at level `debug` only.
    fn common(status: StatusCode, code: &str, detail: impl Into<String>) -> Self {
        let problem = Self::new(status, code, detail);
        Self { why: RejectReason::Debug(problem.detail.clone()), ..problem }
    }

    fn header(self, name: HeaderName, value: &'static str) -> Self {
        Self { header: Some((name, value)), ..self }
    }

    /// Sets a log text that differs from the response, for example because the log text contains a
    /// path.
    fn logs(self, why: String) -> Self {
        Self { why: RejectReason::Client(why), ..self }
    }

    /// A member or parameter that violates the API.
    pub fn malformed(field: &str, detail: impl Into<String>) -> Self {
        let problem = Self::new(StatusCode::BAD_REQUEST, "malformed", detail);
        let problem = Self { field: field.to_string(), ..problem };
        // A name that is long enough for a token is not logged, because a client may have sent a
        // token in the place of a name.
        if field.len() >= Tokens::MIN_BYTES {
            return problem;
        }
        let why = format!("{field} {}", problem.detail);
        problem.logs(why)
    }

    /// No token, or an invalid token.
    pub fn unauthorized() -> Self {
        let detail = "the token is missing or wrong: send one Authorization: Bearer header with this listener's token";
        let problem = Self::new(StatusCode::UNAUTHORIZED, "unauthorized", detail);
        // Rate-limited in the log, because a peer may be guessing tokens.
        let problem = Self { why: RejectReason::Unauthenticated(detail.into()), ..problem };
        problem.header(header::WWW_AUTHENTICATE, "Bearer")
    }

    /// An unknown path.
    pub fn no_such_path() -> Self {
        Self::common(StatusCode::NOT_FOUND, "not-found", "there is no such path here")
    }

    /// An unsupported method. `allow` lists the supported methods.
    pub fn method(allow: &'static str) -> Self {
        let detail = format!("use {allow}");
        Self::common(StatusCode::METHOD_NOT_ALLOWED, "method-not-allowed", detail)
            .header(header::ALLOW, allow)
    }

    /// A listener without a journal. `start` names the options and settings that enable a journal.
    pub fn no_journal(start: &str) -> Self {
        let detail = format!("this server has no journal of sends: start it with {start}");
        Self::common(StatusCode::NOT_FOUND, "no-journal", detail)
    }

    /// A journal that was removed. The reason is only logged.
    pub fn journal_gone(why: String) -> Self {
        let detail = "the journal of sends is not set up";
        Self::new(StatusCode::NOT_FOUND, "no-journal", detail).logs(why)
    }

    /// A value that the journal will never accept. The reason is only logged.
    pub fn rejected(why: String) -> Self {
        let detail = "the journal rejects this key or value";
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, "rejected", detail).logs(why)
    }

    /// A key without an entry in the journal.
    pub fn no_such_send() -> Self {
        Self::common(StatusCode::NOT_FOUND, "not-found", "the key was never used")
    }

    /// A resolution that does not fit the state of its key.
    pub fn not_resolved(code: &str, detail: String) -> Self {
        Self::new(StatusCode::CONFLICT, code, detail)
    }

    /// A poll above the limit.
    pub fn too_many_polls() -> Self {
        let detail = "too many concurrent polls; wait for one to finish";
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "too-many-polls", detail)
            .header(header::RETRY_AFTER, RETRY_AFTER)
    }

    /// An inbox or a journal that is temporarily unavailable. The reason is only logged.
    pub fn unavailable(why: String) -> Self {
        let detail = "a required resource is unavailable: try again";
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "unavailable", detail)
            .logs(why)
            .header(header::RETRY_AFTER, RETRY_AFTER)
    }

    /// A body larger than `most` bytes.
    pub fn too_large(most: usize) -> Self {
        let detail = format!("the body is larger than {most} bytes");
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, "too-large", detail)
    }

    /// A request that the server rejected before it reached the API. `most` is the maximum body
    /// size in bytes.
    pub fn refused(answer: &Answer, most: usize) -> Self {
        let (code, detail) = match answer {
            Answer::TooLarge => return Self::too_large(most),
            Answer::Unavailable => return Self::unavailable("no connection is free".into()),
            Answer::TooSlow => ("too-slow", "the request did not arrive in time".to_string()),
            Answer::Malformed { field, detail } => ("malformed", format!("{field} {detail}")),
            _ => ("malformed", "the request was refused".to_string()),
        };
        let status = StatusCode::from_u16(answer.status());
        Self::new(status.unwrap_or(StatusCode::INTERNAL_SERVER_ERROR), code, detail)
    }
}

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::NotFound { id } => {
                let detail = format!("there is no event {id} in this inbox");
                Self::common(StatusCode::NOT_FOUND, "not-found", detail)
            }
            StoreError::LeaseLost { id, .. } => {
                let detail = format!(
                    "event {id} has no lease with this token: the lease has ended, or the token is wrong; stop working on the event"
                );
                Self::new(StatusCode::CONFLICT, "lease-lost", detail)
            }
            error => Self::unavailable(error.to_string()),
        }
    }
}

impl From<Problem> for Reply {
    fn from(problem: Problem) -> Self {
        let Problem { status, code, detail, field, header, why } = problem;
        let mut body = json!({
            "type": "about:blank",
            "title": status.canonical_reason().unwrap_or_default(),
            "status": status.as_u16(),
            "code": code,
            "detail": detail,
        });
        if !field.is_empty() {
            body["field"] = field.into();
        }
        let mut response = json(&body);
        *response.status_mut() = status;
        let kind = (header::CONTENT_TYPE, "application/problem+json");
        for (name, value) in [kind].into_iter().chain(header) {
            response.headers_mut().insert(name, HeaderValue::from_static(value));
        }
        Self { response, why: Some(why), proved: false }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rejected_connection_asks_for_retry() {
        let reply = Reply::from(Problem::refused(&Answer::Unavailable, 10));
        assert_eq!(reply.response.status(), 503);
        assert!(reply.response.headers().contains_key("retry-after"));
    }

    #[test]
    fn token_in_place_of_name_is_not_logged() {
        let logged = |field: &str| match Reply::from(Problem::malformed(field, "is wrong")).why {
            Some(RejectReason::Client(text)) => text,
            _ => String::new(),
        };
        assert_eq!(logged("limit"), "limit is wrong");
        assert_eq!(logged("0123456789abcdef"), "is wrong");
    }
}
