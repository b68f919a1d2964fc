//! Responses to the event source, as in the table of the world `webhook`.

use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use serde_json::Value;

/// `Retry-After` of a 503, in seconds. Short, because a redelivery is cheap and an event should not
/// wait.
const RETRY_AFTER_SECONDS: &str = "5";

/// The response to a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The event is stored, by this delivery or by an earlier delivery.
    Kept,
    /// The delivery is not an event (section 6.1).
    Malformed {
        /// The name of the invalid header, or the JSON path of the invalid value in the body.
        field: String,
        /// Description of the problem.
        detail: String,
    },
    /// The delivery does not prove its origin. The response is the same for every reason.
    Unverified,
    /// The method is not POST.
    NotPost,
    /// The body did not arrive before the deadline.
    TooSlow,
    /// The body is larger than the limit.
    TooLarge,
    /// The body has a content encoding other than `identity`. Holds the name of the encoding.
    Encoded(String),
    /// The content type is not JSON.
    NotJson,
    /// The inbox will never store the event. The event source can stop redelivering it.
    Rejected,
    /// The event was not acknowledged: the inbox, the provider or the webhook failed, a setting is
    /// invalid, or the server is overloaded or closing. The event source redelivers the event.
    Unavailable,
}

impl Answer {
    /// Returns the status code.
    pub fn status(&self) -> u16 {
        match self {
            // Exactly 200, because the event source redelivers after any other status (section
            // 6.1).
            Self::Kept => 200,
            Self::Malformed { .. } => 400,
            Self::Unverified => 401,
            Self::NotPost => 405,
            Self::TooSlow => 408,
            Self::TooLarge => 413,
            Self::Encoded(_) | Self::NotJson => 415,
            Self::Rejected => 422,
            Self::Unavailable => 503,
        }
    }

    /// Returns the header that the status requires (RFC 9110 sections 10.2.1, 10.2.3, 11.6.1,
    /// 12.5.3), if any.
    pub fn header(&self) -> Option<(&'static str, &'static str)> {
        match self {
            Self::NotPost => Some(("allow", "POST")),
            Self::Encoded(_) => Some(("accept-encoding", "identity")),
            Self::Unverified => Some(("www-authenticate", "Webhook")),
            Self::Unavailable => Some(("retry-after", RETRY_AFTER_SECONDS)),
            _ => None,
        }
    }

    /// Returns the headers of the response with this body.
    pub fn headers(&self, body: &str) -> Vec<(String, Vec<u8>)> {
        let field = |name: &str, value: &str| (name.to_string(), value.as_bytes().to_vec());
        let mut fields = vec![
            field("content-type", "application/json"),
            field("content-length", &body.len().to_string()),
        ];
        fields.extend(self.header().map(|(name, value)| field(name, value)));
        fields
    }

    /// Returns the body, as JSON.
    pub fn body(&self) -> String {
        let error = match self {
            Self::Kept => return "{\"received\":true}".into(),
            Self::Malformed { field, detail } => return in_part("malformed", field, detail),
            Self::Encoded(encoding) => {
                return in_part("unsupported content encoding", "content-encoding", encoding);
            }
            Self::Unverified => "unverified",
            Self::NotPost => "events are delivered by POST",
            Self::TooSlow => "the request did not arrive in time",
            Self::TooLarge => "the body is too large",
            Self::NotJson => "the content type is not application/json",
            Self::Rejected => "this inbox will never store the event",
            Self::Unavailable => "not acknowledged; deliver again",
        };
        alloc::format!("{{\"error\":\"{error}\"}}")
    }
}

/// Returns the body of a response about one part of a delivery.
fn in_part(error: &str, field: &str, detail: &str) -> String {
    let (field, detail) = (Value::from(field), Value::from(detail));
    alloc::format!("{{\"error\":\"{error}\",\"field\":{field},\"detail\":{detail}}}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answer_is_status_headers_and_json() {
        let malformed = Answer::Malformed { field: "$.\"x".into(), detail: "a\\b\n".into() };
        for (answer, status, header, error) in [
            (Answer::Kept, 200, None, None),
            (malformed, 400, None, Some("malformed")),
            (Answer::Unverified, 401, Some(("www-authenticate", "Webhook")), Some("unverified")),
            (Answer::NotPost, 405, Some(("allow", "POST")), Some("events are delivered by POST")),
            (Answer::TooSlow, 408, None, Some("the request did not arrive in time")),
            (Answer::TooLarge, 413, None, Some("the body is too large")),
            (
                Answer::Encoded("gz\"".into()),
                415,
                Some(("accept-encoding", "identity")),
                Some("unsupported content encoding"),
            ),
            (Answer::NotJson, 415, None, Some("the content type is not application/json")),
            (Answer::Rejected, 422, None, Some("this inbox will never store the event")),
            (
                Answer::Unavailable,
                503,
                Some(("retry-after", "5")),
                Some("not acknowledged; deliver again"),
            ),
        ] {
            assert_eq!((answer.status(), answer.header()), (status, header));
            let body = answer.body();
            let length = body.len().to_string();
            let usual = [("content-type", "application/json"), ("content-length", &*length)];
            let field = |(name, value): (&str, &str)| (name.to_string(), value.as_bytes().to_vec());
            let headers: Vec<_> = usual.into_iter().chain(header).map(field).collect();
            assert_eq!(answer.headers(&body), headers);
            let body: Value = serde_json::from_str(&body).unwrap();
            assert_eq!(body.get("error").and_then(Value::as_str), error);
            if status == 415 && error == Some("unsupported content encoding") {
                assert_eq!(body["detail"], "gz\"");
            }
            if status == 400 {
                assert_eq!((&body["field"], &body["detail"]), (&"$.\"x".into(), &"a\\b\n".into()));
            }
        }
    }
}
