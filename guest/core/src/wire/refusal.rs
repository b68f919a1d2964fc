//! Parser for error bodies.
//!
//! The specification does not define their shape (section 7). The parser reads usual shapes, for
//! example RFC 9457 (`application/problem+json`), and keeps the text of the body. Every string of
//! the result is bounded and does not contain the API key.

use alloc::borrow::Cow;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use super::Reply;
use super::json::{Field, Json};
use crate::error::{FieldDetail, Refusal};
use crate::limits::{
    MAX_REFUSAL_BYTES, MAX_REFUSAL_DETAILS, MAX_REFUSAL_FIELD_BYTES, MAX_REFUSAL_TEXT_BYTES,
};
use crate::secret::ApiKey;

const MESSAGES: [&str; 7] =
    ["message", "detail", "error_description", "description", "msg", "reason", "title"];
const CODES: [&str; 5] = ["code", "error_code", "errorCode", "error", "type"];
const FIELDS: [&str; 8] =
    ["field", "param", "parameter", "path", "property", "name", "pointer", "loc"];
const LISTS: [&str; 5] = ["errors", "details", "invalid-params", "invalid_params", "detail"];

/// Reads the error in a reply.
pub fn read_refusal(reply: &Reply, key: &ApiKey) -> Refusal {
    let mut refusal = Refusal { status: reply.status, ..Refusal::default() };
    if reply.is_encoded() {
        return refusal;
    }
    let bytes = match (reply.body.bytes.get(..MAX_REFUSAL_BYTES), &reply.body.cut_short) {
        (None, None) => key.before_end(&reply.body.bytes),
        // Removes a partial key at the end, because the redaction finds only complete keys.
        (bytes, _) => key.before_cut(bytes.unwrap_or(&reply.body.bytes)),
    };
    let text = &*String::from_utf8_lossy(bytes);
    let plain = text.trim_ascii();
    let json = Json::parse(text).ok();
    match json {
        Some(json) if json.as_str().starts_with('{') => read_object(json, &mut refusal),
        Some(json) if json.as_str().starts_with('[') => refusal.details = details(json),
        Some(json) => refusal.message = json.string().ok(),
        None if plain.is_empty() || plain.starts_with(['<', '{', '[']) => {}
        None => refusal.message = Some(plain.to_string()),
    }
    let clean = |text: String| key.redact_within(text, MAX_REFUSAL_FIELD_BYTES);
    refusal.message = refusal.message.map(clean);
    refusal.code = refusal.code.map(clean);
    for detail in &mut refusal.details {
        detail.message = clean(core::mem::take(&mut detail.message));
        detail.field = detail.field.take().map(clean);
    }
    refusal.body = key.redact_within(text.to_string(), MAX_REFUSAL_TEXT_BYTES);
    refusal
}

fn read_object(body: Json<'_>, refusal: &mut Refusal) {
    let Ok([error]) = body.fields(["error"]) else { return };
    // In `{"error": {...}}`, the inner object can have any of the usual shapes.
    for level in object(error).into_iter().chain([body]) {
        refusal.message = refusal.message.take().or_else(|| first(level, &MESSAGES));
        refusal.code = refusal.code.take().or_else(|| first(level, &CODES));
        if refusal.details.is_empty() {
            refusal.details = lists(level);
        }
    }
    if refusal.message.is_none() && error.non_empty_text().is_ok() {
        // In `{"error": "text"}`, the text is the message and not a code.
        refusal.message = refusal.code.take();
    }
}

/// Returns the value of the first member, in the order of `names`, that is a string or a number.
fn first(object: Json<'_>, names: &[&str]) -> Option<String> {
    let mut fields = vec![Field::Missing; names.len()];
    object.fill(names, &mut fields).ok()?;
    fields.into_iter().find_map(|field| match field.value().ok()?.number() {
        Some(number) => Some(number.to_string()),
        None => field.non_empty_text().ok().map(Cow::into_owned),
    })
}

/// Returns the last string of a path in array form: `phone` for `["body", "phone", 0]`.
fn last_name(path: Field<'_>) -> Option<String> {
    let steps = path.value().ok()?.elements().ok()?;
    steps.filter_map(|step| step.string().ok()).last()
}

fn object(field: Field<'_>) -> Option<Json<'_>> {
    field.value().ok().filter(|value| value.as_str().starts_with('{'))
}

/// Reads the error details from the first member in `LISTS` that contains details. The member is an
/// array of entries, or an object with one member per field.
fn lists(object: Json<'_>) -> Vec<FieldDetail> {
    for list in object.fields(LISTS).into_iter().flatten() {
        let found = match list.value() {
            Ok(array) if array.as_str().starts_with('[') => details(array),
            Ok(object) => details_by_field(object),
            Err(_) => continue,
        };
        if !found.is_empty() {
            return found;
        }
    }
    Vec::new()
}

/// Reads details from an object such as `{"phone": "no"}` or `{"phone": ["no", "never"]}`.
fn details_by_field(object: Json<'_>) -> Vec<FieldDetail> {
    let mut details = Vec::new();
    let Ok(entries) = object.entries() else { return details };
    for (field, value) in entries {
        let mut add = |text: Json<'_>| {
            if details.len() < MAX_REFUSAL_DETAILS
                && let Ok(message) = text.string()
            {
                details.push(FieldDetail { field: field.string().ok(), message });
            }
        };
        match value.elements() {
            Ok(several) => several.for_each(add),
            Err(_) => add(value),
        }
    }
    details
}

/// Reads details from an array such as `["no"]` or `[{"field": "phone", "message": "no"}]`.
fn details(array: Json<'_>) -> Vec<FieldDetail> {
    let mut details = Vec::new();
    let Ok(entries) = array.elements() else { return details };
    for entry in entries {
        if details.len() < MAX_REFUSAL_DETAILS
            && let Some(detail) = detail(entry)
        {
            details.push(detail);
        }
    }
    details
}

fn detail(entry: Json<'_>) -> Option<FieldDetail> {
    if let Ok(message) = entry.string() {
        return Some(FieldDetail { field: None, message });
    }
    let [source, loc] = entry.fields(["source", "loc"]).ok()?;
    Some(FieldDetail {
        field: first(entry, &FIELDS)
            .or_else(|| last_name(loc))
            .or_else(|| first(object(source)?, &FIELDS)),
        message: first(entry, &MESSAGES).or_else(|| first(entry, &CODES))?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::MIN_REDACTED_KEY_BYTES;
    use crate::outcome::Cause;
    use crate::wire::Body;
    use alloc::format;
    use alloc::vec;

    fn reply(body: &str) -> Reply {
        Reply {
            status: 422,
            retry_after: vec![],
            date: None,
            content_encoding: vec![],
            body: Body { bytes: body.as_bytes().to_vec(), cut_short: None },
        }
    }

    fn read_reply(reply: &Reply) -> Refusal {
        read_refusal(reply, &ApiKey::new("canary-key".into()).unwrap())
    }

    fn read(body: &str) -> Refusal {
        read_reply(&reply(body))
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

    /// The body has no declared length, so a closed connection looks like the end of the body.
    #[test]
    fn refusal_cut_within_key_is_clean() {
        for length in MIN_REDACTED_KEY_BYTES..10 {
            let text = format!("bad key {}", &"canary-key"[..length]);
            let refusal = read(&text);
            assert_eq!(refusal.message.as_deref(), Some("bad key"), "{text}");
            assert_eq!(refusal.body, "bad key ", "{text}");
        }
        assert_eq!(read("no such c").message.as_deref(), Some("no such c"));
    }

    #[test]
    fn usual_shapes_are_read() {
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
                "||phone=no,phone=never,device=bad",
            ),
            (r#"{"error":{"message":"m","details":[{"path":"x","msg":"no"}]}}"#, "|m|x=no"),
            (r#"[{"field":"phone","message":"no"}]"#, "||phone=no"),
            (r#"{"detail":[{"loc":["body","phone"],"msg":"no","type":"t"}]}"#, "||phone=no"),
            (r#"{"detail":[{"loc":["body","list",0],"msg":"no"}]}"#, "||list=no"),
            (r#"{"detail":[{"loc":[],"msg":"no"},{"loc":"body","msg":"a"}]}"#, "||=no,body=a"),
            (r#"{"detail":{"phone":["no"]}}"#, "||phone=no"),
            (r#"{"message":"m","detail":[{"loc":["body"],"msg":"no"}]}"#, "|m|body=no"),
            (r#""no""#, "|no|"),
            ("\u{feff}{\"message\":\"no\"}", "|no|"),
            ("no such thing\n", "|no such thing|"),
            ("<html><body>Login</body></html>", "||"),
            ("{\"message\":\"cut", "||"),
            ("", "||"),
            ("null", "||"),
            (r#"{"message":null,"errors":null}"#, "||"),
        ] {
            assert_eq!(summary(body), expected, "{body}");
        }
    }

    #[test]
    fn encoded_body_is_not_text() {
        let mut encoded = reply(r#"{"message":"no"}"#);
        encoded.content_encoding = vec![b"gzip".to_vec()];
        let status_only = Refusal { status: 422, ..Refusal::default() };
        assert_eq!(read_reply(&encoded), status_only);
    }

    #[test]
    fn texts_of_refusal_never_contain_key() {
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
    fn broken_body_within_key_is_clean() {
        let mut reply = reply("the key canary-ke");
        // Includes `None`, because a closed connection can look like the end of a body.
        for cause in [None, Some(Cause::Stream), Some(Cause::TooLarge), Some(Cause::Deadline)] {
            reply.body.cut_short = cause;
            let refusal = read_reply(&reply);
            assert_eq!(refusal.body, "the key ");
            assert_eq!(refusal.message.as_deref(), Some("the key"));
        }
    }

    #[test]
    fn key_at_search_limit_is_removed() {
        let key = "canary-key/".repeat(15);
        let escaped: String = key.encode_utf16().map(|unit| format!("\\u{unit:04x}")).collect();
        for repeated in [&key, &escaped] {
            for before in MAX_REFUSAL_BYTES - repeated.len()..MAX_REFUSAL_BYTES {
                let mut body = " ".repeat(before);
                body.push_str(repeated);
                body.push_str(" and more");
                let refusal = read_refusal(&reply(&body), &ApiKey::new(key.clone()).unwrap());
                let message = refusal.message.unwrap_or_default();
                assert!(["", "[redacted]"].contains(&message.as_str()), "{before}: {message}");
            }
        }
    }

    #[test]
    fn refusal_has_bounded_size() {
        let long = "ñ".repeat(30_000);
        let refusal = read(&long);
        assert_eq!((refusal.body.len(), refusal.message.unwrap().len()), (4_096, 1_024));
        let many = "\"x\",".repeat(1_000);
        for list in [format!("[{many}\"x\"]"), format!("{{\"phone\":[{many}\"x\"]}}")] {
            assert_eq!(read(&format!("{{\"errors\":{list}}}")).details.len(), 32);
        }
        // The body is not valid JSON without its last byte.
        let padded = |bytes: usize| {
            let (start, end) = (r#"{"message":"no""#, "}");
            let padding = " ".repeat(bytes - start.len() - end.len());
            read(&format!("{start}{padding}{end}")).message
        };
        assert_eq!((padded(65_536).as_deref(), padded(65_537)), (Some("no"), None));
        let deep = format!("{}{}", "[".repeat(30_000), "]".repeat(30_000));
        assert_eq!(read(&deep).details.len(), 0);
    }
}
