//! Validation of a webhook request (section 6).

use alloc::borrow::Cow;
use alloc::string::{String, ToString};

use crate::error::InvalidInput;
use crate::limits::{MAX_EVENT_BYTES, MAX_IDEMPOTENCY_KEY_BYTES};
use crate::wire::json::{Field, Json, Unreadable};

/// A valid event (sections 2.3 and 6.1).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// `X-Idempotency-Key`: 1 to 256 visible ASCII characters.
    pub idempotency_key: String,
    /// The identifier of the message that the event is about; never empty.
    pub message_id: String,
    /// The kind of event, as the service writes it; never empty. The specification does not list
    /// all kinds (section 6.4).
    pub kind: String,
    /// The body's JSON object, as received.
    pub json: String,
}

impl Event {
    /// Reads an event from a delivery. Ignores the case of header names and the white space around
    /// header values (RFC 9110 section 5.5). Unknown members of the body are kept in `json`.
    ///
    /// # Errors
    /// Returns `InvalidInput` with the name of the invalid header, or the path of the invalid value
    /// in the body.
    pub fn read<'a, H>(headers: H, body: &str) -> Result<Self, InvalidInput>
    where
        H: IntoIterator<Item = (&'a str, &'a str)>,
    {
        let mut key = Header::Missing;
        let mut content_type = Header::Missing;
        for (name, value) in headers {
            if name.eq_ignore_ascii_case("x-idempotency-key") {
                key.take(value);
            } else if name.eq_ignore_ascii_case("content-type") {
                content_type.take(value);
            }
        }
        let key = key.one("x-idempotency-key")?;
        if key.is_empty() {
            return Err(InvalidInput::new("x-idempotency-key", "is empty"));
        }
        if key.len() > MAX_IDEMPOTENCY_KEY_BYTES {
            return Err(InvalidInput::new("x-idempotency-key", "is longer than 256 characters"));
        }
        if !key.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(InvalidInput::new(
                "x-idempotency-key",
                "contains a character that is not visible ASCII",
            ));
        }
        let content_type = content_type.one("content-type")?;
        let media_type = content_type.split(';').next().unwrap_or_default().trim_ascii();
        if !media_type.eq_ignore_ascii_case("application/json") {
            return Err(InvalidInput::new("content-type", "is not application/json"));
        }
        if body.len() > MAX_EVENT_BYTES {
            return Err(InvalidInput::new("body", "is longer than 16 MiB"));
        }
        let json = Json::parse(body).map_err(at("$"))?;
        let [id, object, event] = json.fields(["id", "object", "event"]).map_err(at("$"))?;
        let message_id = read(id, "$.id")?.into_owned();
        if read(object, "$.object")? != "message" {
            return Err(InvalidInput::new("$.object", "is not `message`"));
        }
        let kind = read(event, "$.event")?.into_owned();
        Ok(Self {
            idempotency_key: key.to_string(),
            message_id,
            kind,
            json: json.as_str().to_string(),
        })
    }
}

/// Returns a function that adds `path` to the error of an invalid value.
fn at(path: &'static str) -> impl Fn(Unreadable) -> InvalidInput {
    move |Unreadable(reason)| InvalidInput::new(path, reason)
}

/// Returns the value of a field, which must be a non-empty string.
fn read<'a>(field: Field<'a>, path: &'static str) -> Result<Cow<'a, str>, InvalidInput> {
    field.non_empty_text().map_err(at(path))
}

/// A header that must occur exactly once.
enum Header<'a> {
    Missing,
    Once(&'a str),
    Repeated,
}

impl<'a> Header<'a> {
    fn take(&mut self, value: &'a str) {
        *self = match self {
            Self::Missing => Self::Once(value.trim_ascii()),
            _ => Self::Repeated,
        };
    }

    fn one(self, name: &'static str) -> Result<&'a str, InvalidInput> {
        match self {
            Self::Once(value) => Ok(value),
            Self::Missing => Err(InvalidInput::new(name, "is missing")),
            Self::Repeated => Err(InvalidInput::new(name, "occurs more than once")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec::Vec;

    const BODY: &str = r#"{"id":"m1","object":"message","event":"message:in:new"}"#;

    fn read(headers: &[(&str, &str)], body: &str) -> Result<Event, InvalidInput> {
        Event::read(headers.iter().copied(), body)
    }

    fn with_key(key: &str) -> Result<Event, InvalidInput> {
        read(&[("X-Idempotency-Key", key), ("Content-Type", "application/json")], BODY)
    }

    #[test]
    fn delivery_becomes_event_with_every_field() {
        let body = " {\"id\":\"m1\",\"object\":\"message\",\"event\":\"message:in:new\",\"from\":{\"a\":[1]}}\n";
        let headers = [
            ("host", "x"),
            ("x-IDEMPOTENCY-key", " e-1\t"),
            ("CONTENT-TYPE", "Application/JSON ; charset=utf-8"),
        ];
        let event = read(&headers, body).unwrap();
        assert_eq!(event.idempotency_key, "e-1");
        assert_eq!(event.message_id, "m1");
        assert_eq!(event.kind, "message:in:new");
        assert_eq!(event.json, body.trim());
        assert_eq!(read(&headers, body).unwrap(), event, "equal deliveries have equal events");
    }

    #[test]
    fn unknown_kind_is_no_error() {
        for kind in ["message:out:read", "x", "MESSAGE:IN:NEW", "ñ"] {
            let body = BODY.replace("message:in:new", kind);
            let event =
                read(&[("x-idempotency-key", "e"), ("content-type", "application/json")], &body)
                    .unwrap();
            assert_eq!(event.kind, kind);
        }
    }

    #[test]
    fn event_key_is_one_ascii_header() {
        assert!(with_key(&"k".repeat(256)).is_ok());
        for bad in ["", " ", "a b", "é", "a\u{7f}", "a\nb", &"k".repeat(257)] {
            assert_eq!(with_key(bad).unwrap_err().field, "x-idempotency-key", "{bad:?}");
        }
        let json = ("content-type", "application/json");
        assert_eq!(read(&[json], BODY).unwrap_err().detail, "is missing");
        let twice = [json, ("x-idempotency-key", "e"), ("X-Idempotency-Key", "e")];
        assert_eq!(read(&twice, BODY).unwrap_err().detail, "occurs more than once");
    }

    #[test]
    fn content_type_is_json() {
        for bad in [
            "",
            "text/plain",
            "application/jsonp",
            "application/json, text/plain",
            "application/problem+json",
        ] {
            let error =
                read(&[("x-idempotency-key", "e"), ("content-type", bad)], BODY).unwrap_err();
            assert_eq!(error.field, "content-type", "{bad}");
        }
    }

    #[test]
    fn malformed_body_is_refused_at_its_path() {
        let long = std::format!("{BODY}{}", " ".repeat(MAX_EVENT_BYTES + 1 - BODY.len()));
        let cases: Vec<(&str, &str)> = std::vec![
            ("", "$"),
            ("[]", "$"),
            ("{", "$"),
            ("{\"id\":\"a\"}{}", "$"),
            ("{}", "$.id"),
            (r#"{"id":1,"object":"message","event":"x"}"#, "$.id"),
            (r#"{"id":"","object":"message","event":"x"}"#, "$.id"),
            (r#"{"id":"a","id":"b","object":"message","event":"x"}"#, "$.id"),
            (r#"{"id":"a","event":"x"}"#, "$.object"),
            (r#"{"id":"a","object":"Message","event":"x"}"#, "$.object"),
            (r#"{"id":"a","object":"message","event":null}"#, "$.event"),
            (r#"{"id":"a","object":"message","event":""}"#, "$.event"),
            (&long, "body"),
        ];
        for (body, path) in cases {
            let error =
                read(&[("x-idempotency-key", "e"), ("content-type", "application/json")], body)
                    .unwrap_err();
            assert_eq!(error.field, path, "{body:.80}");
        }
    }

    #[test]
    fn body_of_exactly_cap_is_read() {
        let body = std::format!("{BODY}{}", " ".repeat(MAX_EVENT_BYTES - BODY.len()));
        assert!(
            read(&[("x-idempotency-key", "e"), ("content-type", "application/json")], &body)
                .is_ok()
        );
    }
}
