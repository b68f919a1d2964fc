//! Error bodies. Their shape is a gap (section 7), so the usual ones are read
//! where they appear, RFC 9457 (`application/problem+json`) among them, and the
//! text is kept. Everything handed on is bounded and free of the key.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde_json::{Map, Value};

use super::Reply;
use crate::error::{FieldDetail, Refusal};
use crate::limits::{
    MAX_REFUSAL_DETAILS, MAX_REFUSAL_FIELD_BYTES, MAX_REFUSAL_JSON_BYTES, MAX_REFUSAL_TEXT_BYTES,
};
use crate::secret::ApiKey;

const MESSAGES: [&str; 7] =
    ["message", "detail", "error_description", "description", "msg", "reason", "title"];
const CODES: [&str; 5] = ["code", "error_code", "errorCode", "error", "type"];
const FIELDS: [&str; 7] = ["field", "param", "parameter", "path", "property", "name", "pointer"];
const LISTS: [&str; 4] = ["errors", "details", "invalid-params", "invalid_params"];

/// Reads what a refusing reply says.
#[must_use]
pub fn read_refusal(reply: &Reply, key: &ApiKey) -> Refusal {
    let mut refusal = Refusal { status: reply.status, ..Refusal::default() };
    if reply.is_encoded() {
        return refusal;
    }
    let bytes = &reply.body.bytes;
    // The whole text is cleaned before it is cut: a key on the cut would survive.
    let text = key.redact(String::from_utf8_lossy(bytes).into_owned());
    let json = (bytes.len() <= MAX_REFUSAL_JSON_BYTES)
        .then(|| {
            serde_json::from_slice::<Value>(bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes))
                .ok()
        })
        .flatten();
    let clean = |text: String| cut(key.redact(text), MAX_REFUSAL_FIELD_BYTES);
    match json {
        Some(Value::Object(body)) => {
            // `{"error": {...}}` wraps the same shapes once more.
            let inner = body.get("error").and_then(Value::as_object);
            let levels: Vec<&Map<String, Value>> = inner.into_iter().chain([&body]).collect();
            refusal.message = levels.iter().find_map(|level| first(level, &MESSAGES));
            refusal.code = levels.iter().find_map(|level| first(level, &CODES));
            if refusal.message.is_none() {
                // `{"error": "text"}`: the text is the message, not a code.
                refusal.message =
                    refusal.code.take_if(|_| body.get("error").is_some_and(Value::is_string));
            }
            refusal.details =
                levels.iter().map(|level| lists(level)).find(|d| !d.is_empty()).unwrap_or_default();
        }
        Some(Value::Array(entries)) => refusal.details = details(&entries),
        Some(Value::String(message)) => refusal.message = Some(message),
        _ if !text.trim_start().starts_with(['<', '{', '[']) && !text.trim().is_empty() => {
            refusal.message = Some(text.trim().to_string());
        }
        _ => {}
    }
    refusal.message = refusal.message.map(clean);
    refusal.code = refusal.code.map(clean);
    for detail in &mut refusal.details {
        detail.message = clean(core::mem::take(&mut detail.message));
        detail.field = detail.field.take().map(clean);
    }
    refusal.body = cut(text, MAX_REFUSAL_TEXT_BYTES);
    refusal
}

/// The first of `names` that holds a text or a number.
fn first(object: &Map<String, Value>, names: &[&str]) -> Option<String> {
    names.iter().find_map(|name| match object.get(*name)? {
        Value::String(text) if !text.is_empty() => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    })
}

/// The first of the usual lists: an array of entries, or an object by field.
fn lists(object: &Map<String, Value>) -> Vec<FieldDetail> {
    let list = LISTS.iter().find_map(|name| match object.get(*name)? {
        Value::Array(entries) => Some(details(entries)),
        Value::Object(by_field) => Some(
            by_field
                .iter()
                .flat_map(|(field, value)| {
                    let texts = match value {
                        Value::Array(texts) => texts.as_slice(),
                        other => core::slice::from_ref(other),
                    };
                    texts.iter().filter_map(Value::as_str).map(|message| FieldDetail {
                        field: Some(field.clone()),
                        message: message.to_string(),
                    })
                })
                .take(MAX_REFUSAL_DETAILS)
                .collect(),
        ),
        _ => None,
    });
    list.unwrap_or_default()
}

fn details(entries: &[Value]) -> Vec<FieldDetail> {
    let detail = |entry: &Value| match entry {
        Value::String(message) => Some(FieldDetail { field: None, message: message.clone() }),
        Value::Object(entry) => {
            let source = entry.get("source").and_then(Value::as_object);
            Some(FieldDetail {
                field: first(entry, &FIELDS).or_else(|| first(source?, &FIELDS)),
                message: first(entry, &MESSAGES).or_else(|| first(entry, &CODES))?,
            })
        }
        _ => None,
    };
    entries.iter().filter_map(detail).take(MAX_REFUSAL_DETAILS).collect()
}

/// The beginning of `text`, at most `max` bytes, cut between characters.
fn cut(mut text: String, max: usize) -> String {
    text.truncate(text.floor_char_boundary(max));
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::Body;
    use alloc::format;
    use alloc::vec;

    fn read(body: &str) -> Refusal {
        let reply = Reply {
            status: 422,
            retry_after: vec![],
            date: None,
            content_encoding: vec![],
            body: Body { bytes: body.as_bytes().to_vec(), cut_short: None },
        };
        read_refusal(&reply, &ApiKey::new("canary-key".into()).unwrap())
    }

    fn summary(body: &str) -> String {
        let refusal = read(body);
        let details: Vec<String> = refusal
            .details
            .iter()
            .map(|d| format!("{}={}", d.field.as_deref().unwrap_or(""), d.message))
            .collect();
        format!(
            "{}|{}|{}",
            refusal.code.as_deref().unwrap_or(""),
            refusal.message.as_deref().unwrap_or(""),
            details.join(",")
        )
    }

    #[test]
    fn the_usual_shapes_are_read() {
        for (body, expected) in [
            (r#"{"message":"no"}"#, "|no|"),
            (r#"{"error":"no"}"#, "|no|"),
            (r#"{"error":"bad_phone","message":"no"}"#, "bad_phone|no|"),
            (r#"{"error":{"code":131,"message":"no"}}"#, "131|no|"),
            (r#"{"code":"E7"}"#, "E7||"),
            (
                r#"{"type":"https://x/p","title":"Bad","detail":"no","status":422}"#,
                "https://x/p|no|",
            ),
            (r#"{"errors":["a","b"]}"#, "||=a,=b"),
            (r#"{"errors":[{"field":"phone","message":"no"}]}"#, "||phone=no"),
            (r#"{"errors":[{"source":{"pointer":"/phone"},"detail":"no"}]}"#, "||/phone=no"),
            (
                r#"{"errors":{"phone":["no","never"],"device":"bad"}}"#,
                "||device=bad,phone=no,phone=never",
            ),
            (r#"{"error":{"message":"m","details":[{"path":"x","msg":"no"}]}}"#, "|m|x=no"),
            (r#"[{"field":"phone","message":"no"}]"#, "||phone=no"),
            (r#""no""#, "|no|"),
            ("\u{feff}{\"message\":\"no\"}", "|no|"),
            ("no such thing\n", "|no such thing|"),
            ("<html><body>Login</body></html>", "||"),
            ("{\"message\":\"cut", "||"),
            ("", "||"),
            ("null", "|null|"),
            (r#"{"message":null,"errors":null}"#, "||"),
        ] {
            assert_eq!(summary(body), expected, "{body}");
        }
    }

    #[test]
    fn nothing_that_is_handed_on_repeats_the_key() {
        for body in [
            r#"{"message":"bad canary-key","code":"canary-key","errors":[{"field":"canary-key","message":"canary-key"}]}"#,
            r#"{"message":"bad c\u0061nary-key"}"#,
            "bad canary-key",
            &format!("{}canary-key", "x".repeat(MAX_REFUSAL_TEXT_BYTES - 5)),
        ] {
            let shown = format!("{:?}", read(body));
            assert!(!shown.contains("canary"), "{shown}");
            assert!(!shown.contains("u0061"), "{shown}");
        }
    }

    #[test]
    fn everything_is_bounded() {
        let long = "ñ".repeat(40_000);
        let refusal = read(&long);
        assert!(refusal.body.len() <= MAX_REFUSAL_TEXT_BYTES);
        assert!(refusal.message.unwrap().len() <= MAX_REFUSAL_FIELD_BYTES);
        let many = format!("{{\"errors\":[{}\"x\"]}}", "\"x\",".repeat(1_000));
        assert_eq!(read(&many).details.len(), MAX_REFUSAL_DETAILS);
        let deep = format!("{}{}", "[".repeat(30_000), "]".repeat(30_000));
        assert_eq!(read(&deep).details.len(), 0);
    }
}
