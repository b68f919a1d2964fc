//! Replies from a driver, and parsers of their documented shapes.

use alloc::borrow::Cow;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::json::{Field, Json, Unreadable};
use super::request::Method;
use crate::error::UnreadableReply;
use crate::message::CreatedMessage;
use crate::outcome::Cause;
use crate::phone::is_invisible;
use crate::secret::ApiKey;
use crate::template::{Envelope, Template};

/// A reply of a server: the status, the relevant headers, and the received part of the body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// The HTTP status. The host may pass any number.
    pub status: u16,
    /// The values of all `Retry-After` headers.
    pub retry_after: Vec<Vec<u8>>,
    /// The `Date` header, the reference for a date in `Retry-After`.
    pub date: Option<Vec<u8>>,
    /// The values of all `Content-Encoding` headers.
    pub content_encoding: Vec<Vec<u8>>,
    /// The received part of the body.
    pub body: Body,
}

/// Returns true if the body of a reply with this status must be read. Such a body has the result,
/// an error message, or information about a message that may exist. Other bodies are not read,
/// because the wait for their end could take until the deadline.
pub fn is_body_read(method: Method, status: u16) -> bool {
    match method {
        Method::Get => matches!(status, 200 | 400..=499),
        Method::Post => status >= 200,
    }
}

/// A body, or its beginning.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Body {
    /// The bytes read, at most `MESSAGING_MAX_REPLY_BYTES`.
    pub bytes: Vec<u8>,
    /// Reason why the body is incomplete; `None` if it is complete.
    pub cut_short: Option<Cause>,
}

impl Reply {
    /// Returns true if the body has a content encoding other than `identity`. Encoded bodies are
    /// never decoded, because the decoded size has no limit.
    pub fn is_encoded(&self) -> bool {
        self.content_encoding.iter().any(|value| {
            let value = value.trim_ascii();
            !value.is_empty() && !value.eq_ignore_ascii_case(b"identity")
        })
    }
}

/// Reads the body of a 201: an object with `id` (section 2.2), or an array with one such object.
///
/// # Errors
/// Returns `Unreadable` if the body has another shape, or if `id` is empty, invisible or contains
/// the API key.
pub fn read_created(body: &[u8], key: &ApiKey) -> Result<CreatedMessage, Unreadable> {
    let read = || {
        let mut json = Json::read(body)?;
        if let Ok(mut elements) = json.elements() {
            json = match (elements.next(), elements.next()) {
                (Some(only), None) => only,
                _ => return Err(Unreadable("is not an array with one element")),
            };
        }
        let [id] = json.fields(["id"])?;
        let id = id.non_empty_text().ok().filter(|id| id.chars().any(is_visible));
        let id = id.ok_or(Unreadable("has no id that is a readable string"))?;
        Ok((id.into_owned(), json.as_str()))
    };
    let (id, text) = read()?;
    if key.occurs_in(&id) {
        return Err(Unreadable("repeats the API key as its id"));
    }
    Ok(CreatedMessage { id, json: key.redact(text.to_string()) })
}

/// Returns true if the character is visible to a person.
fn is_visible(char: char) -> bool {
    !char.is_whitespace() && !char.is_control() && !is_invisible(char)
}

/// Reads a template list (section 2.5).
///
/// # Errors
/// Returns `UnreadableReply` with the JSON path of the first value that has another shape.
pub fn read_envelope(body: &[u8], key: &ApiKey) -> Result<Envelope, UnreadableReply> {
    let at = |path: &'static str| move |cause| UnreadableReply { path: Cow::Borrowed(path), cause };
    let whole = at("$");
    let json = Json::read(body).map_err(whole)?;
    let [data, total, page, size] =
        json.fields(["data", "total", "page", "size"]).map_err(whole)?;
    let mut templates = Vec::new();
    for json in data.value().and_then(Json::elements).map_err(at("$.data"))? {
        templates.push(read_template(json, key).map_err(|(field, cause)| {
            let index = templates.len().to_string();
            let path = Cow::Owned(["$.data[", &index, "]", field].concat());
            UnreadableReply { path, cause }
        })?);
    }
    Ok(Envelope {
        data: templates,
        total: total.count().map_err(at("$.total"))?,
        page: page.count().map_err(at("$.page"))?,
        size: size.count().map_err(at("$.size"))?,
    })
}

fn read_template(json: Json<'_>, key: &ApiKey) -> Result<Template, (&'static str, Unreadable)> {
    let [name, status, language] =
        json.fields(["name", "status", "language"]).map_err(|reason| ("", reason))?;
    let read = |field: Field<'_>, path| -> Result<String, (&'static str, Unreadable)> {
        Ok(key.redact(field.string().map_err(|reason| (path, reason))?))
    };
    Ok(Template {
        name: read(name, ".name")?,
        status: read(status, ".status")?,
        language: read(language, ".language")?,
        json: key.redact(json.as_str().to_string()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    fn key() -> ApiKey {
        ApiKey::new("canary-key".into()).unwrap()
    }

    #[test]
    fn body_is_read_if_status_needs_it() {
        let read = |method| (0..=u16::MAX).filter(move |status| is_body_read(method, *status));
        let expected = [200].into_iter().chain(400..=499);
        assert!(read(Method::Get).eq(expected), "other replies to a read need no body");
        assert!(read(Method::Post).eq(200..=u16::MAX), "a message may have been created");
    }

    #[test]
    fn only_identity_encoding_is_accepted() {
        for (values, encoded) in [
            (vec![], false),
            (vec![""], false),
            (vec![" Identity\t", "identity"], false),
            (vec!["gzip"], true),
            (vec!["identity", "br"], true),
            (vec!["identity, gzip"], true),
        ] {
            let reply = Reply {
                status: 200,
                retry_after: vec![],
                date: None,
                content_encoding: values.iter().map(|value| value.as_bytes().to_vec()).collect(),
                body: Body::default(),
            };
            assert_eq!(reply.is_encoded(), encoded, "{values:?}");
        }
    }

    #[test]
    fn object_or_single_array_is_created_message() {
        for (body, json) in [
            (r#"{"id":"m1","x":[1, 2]}"#, r#"{"id":"m1","x":[1, 2]}"#),
            ("\u{feff}[ {\"id\":\"m1\"} ]\n", "{\"id\":\"m1\"}"),
        ] {
            let created = read_created(body.as_bytes(), &key()).unwrap();
            assert_eq!((created.id.as_str(), created.json.as_str()), ("m1", json));
        }
    }

    #[test]
    fn other_body_has_no_identifier() {
        for body in [
            "",
            "[]",
            "[{}]",
            "[[{\"id\":\"m1\"}]]",
            "[{\"id\":\"m1\"},{\"id\":\"m2\"}]",
            "{\"id\":1}",
            "ok",
            "[{\"id\":\"m1\"}] x",
            "[{\"id\":\"m1\"}",
        ] {
            assert!(read_created(body.as_bytes(), &key()).is_err(), "{body}");
        }
    }

    #[test]
    fn echoed_key_is_no_identifier() {
        assert!(read_created(br#"{"id":"canary-key"}"#, &key()).is_err());
        let invisible = "{\"id\":\" \u{200b}\u{feff}\\u2060\"}";
        assert!(read_created(invisible.as_bytes(), &key()).is_err());
        let created = read_created(br#"{"id":"m1","token":"c\u0061nary-key"}"#, &key()).unwrap();
        assert_eq!(created.json, r#"{"id":"m1","token":"[redacted]"}"#);
    }

    #[test]
    fn envelope_keeps_unknown_members() {
        let body = br#"{"data":[{"name":"a","status":"APPROVED","language":"en_US","components":[{}]}],"total":3,"page":0,"size":1,"next":"x"}"#;
        let envelope = read_envelope(body, &key()).unwrap();
        assert_eq!((envelope.total, envelope.page, envelope.size), (3, 0, 1));
        assert_eq!(
            envelope.data[0].json,
            r#"{"name":"a","status":"APPROVED","language":"en_US","components":[{}]}"#
        );
    }

    #[test]
    fn malformed_envelope_names_json_path() {
        for (body, path) in [
            ("", "$"),
            ("[]", "$"),
            ("<html>", "$"),
            ("{}", "$.data"),
            (r#"{"data":null,"total":0,"page":0,"size":0}"#, "$.data"),
            (r#"{"data":{},"total":0,"page":0,"size":0}"#, "$.data"),
            (r#"{"data":[null],"total":0,"page":0,"size":0}"#, "$.data[0]"),
            (
                r#"{"data":[{"name":"a","status":"b"}],"total":0,"page":0,"size":0}"#,
                "$.data[0].language",
            ),
            (r#"{"data":[{"name":1}],"total":0,"page":0,"size":0}"#, "$.data[0].name"),
            (r#"{"data":[],"total":"0","page":0,"size":0}"#, "$.total"),
            (r#"{"data":[],"total":-1,"page":0,"size":0}"#, "$.total"),
            (r#"{"data":[],"total":18446744073709551616,"page":0,"size":0}"#, "$.total"),
            (r#"{"data":[],"total":0,"page":null,"size":0}"#, "$.page"),
            (r#"{"data":[],"total":0,"page":0}"#, "$.size"),
            (r#"{"data":[],"data":[1],"total":0,"page":0,"size":0}"#, "$.data"),
        ] {
            assert_eq!(read_envelope(body.as_bytes(), &key()).unwrap_err().path, path, "{body}");
        }
    }
}
