//! An event in the form that an inbox stores: bytes, name and digest. Does not depend on the store.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::names::{hex, name};
use serde_json::Value;
use sha2::{Digest, Sha256};

/// Maximum number of conflicting events under a key. Without a limit, an event source that changes
/// the body with every redelivery would fill the disk. Accidental reuse of a key stays far below
/// the limit.
pub const MAX_CONFLICTS: usize = 16;

/// An event in the form that an inbox stores.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// Name for the idempotency key in stores with limited names: lower-case letters, digits, `-`,
    /// `_` and `=`, at most 110 bytes. Different keys have different names, even if a file system
    /// ignores case.
    pub name: String,
    /// SHA-256 of the event's JSON, as 64 hexadecimal digits. Events with the same key and the same
    /// digest are the same event.
    pub digest: String,
    /// The stored bytes: a JSON object with `idempotency-key`, `message-id`, `kind`, and the
    /// received event in `json`, followed by a newline.
    pub bytes: Vec<u8>,
    /// SHA-256 of `bytes`, as 64 hexadecimal digits.
    pub fingerprint: String,
}

impl Record {
    /// Creates a record from the four fields of the WIT's `inbox.entry`. `json` must be a JSON
    /// object.
    pub fn new(idempotency_key: &str, message_id: &str, kind: &str, json: &str) -> Self {
        let text = |text: &str| Value::from(text).to_string();
        let bytes = format!(
            "{{\"idempotency-key\":{},\"message-id\":{},\"kind\":{},\"json\":{json}}}\n",
            text(idempotency_key),
            text(message_id),
            text(kind),
        );
        Self {
            name: name(idempotency_key),
            digest: hex::encode(&Sha256::digest(json)),
            fingerprint: hex::encode(&Sha256::digest(&bytes)),
            bytes: bytes.into(),
        }
    }

    /// Returns true if `kept` is a record with the JSON of this record, byte for byte. Bytes
    /// that are not a record never match.
    #[must_use]
    pub fn is_kept_in(&self, kept: &[u8]) -> bool {
        json_of(kept).is_some_and(|json| json_of(&self.bytes) == Some(json))
    }
}

/// Returns the JSON of the event in a record, as received.
fn json_of(record: &[u8]) -> Option<&[u8]> {
    let rest = after_string(record.strip_prefix(b"{\"idempotency-key\":\"")?)?;
    let rest = after_string(rest.strip_prefix(b",\"message-id\":\"")?)?;
    let rest = after_string(rest.strip_prefix(b",\"kind\":\"")?)?;
    rest.strip_prefix(b",\"json\":")?.strip_suffix(b"}\n")
}

/// Returns the text after a JSON string. `text` starts after the opening quotation mark.
fn after_string(mut text: &[u8]) -> Option<&[u8]> {
    loop {
        text = match text {
            [b'"', rest @ ..] => return Some(rest),
            [b'\\', _, rest @ ..] | [_, rest @ ..] => rest,
            [] => return None,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const JSON: &str = "{\"id\":\"m\",\n \"object\":\"message\",\"event\":\"message:in:new\"}";

    #[test]
    fn record_keeps_event_bytes() {
        let record = Record::new("e\"1", "m\\", "k\u{7}é", JSON);
        let value: Value = serde_json::from_slice(&record.bytes).unwrap();
        assert_eq!(value["idempotency-key"], "e\"1");
        assert_eq!(value["message-id"], "m\\");
        assert_eq!(value["kind"], "k\u{7}é");
        assert_eq!(value["json"]["event"], "message:in:new");
        let text = String::from_utf8(record.bytes).unwrap();
        assert!(text.ends_with(&format!("{JSON}}}\n")));
    }

    #[test]
    fn digest_covers_only_json() {
        let digest = Record::new("a", "m", "k", "{}").digest;
        // echo -n '{}' | sha256sum
        assert_eq!(digest, "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a");
        assert_eq!(Record::new("b", "m", "k", "{}").digest, digest);
        assert_ne!(Record::new("a", "m", "k", "{ }").digest, digest);
    }

    #[test]
    fn same_event_is_found_in_record() {
        let record = Record::new("k", "m", "kind", JSON);
        assert!(record.is_kept_in(&record.bytes));
        let renamed = Record::new("k", "m\"\\", "other \",\"json\":{}}\n", JSON);
        assert!(record.is_kept_in(&renamed.bytes));
        assert_eq!(record.digest, renamed.digest);
        assert_ne!(record.fingerprint, renamed.fingerprint);
        // The JSON of an event may end like a record.
        let inner = Record::new("k", "m", "kind", "{}");
        let outer = Record::new("k", "m", "kind", "{\"json\":{}}");
        assert!(!inner.is_kept_in(&outer.bytes));
        assert!(!outer.is_kept_in(&inner.bytes));
        let bytes = &record.bytes;
        let cut = bytes.len() - 1;
        let spaced = [b" ", &bytes[..]].concat();
        for other in [&b""[..], b"{}", JSON.as_bytes(), &bytes[..cut], &bytes[..20], &spaced] {
            assert!(!record.is_kept_in(other));
        }
    }
}
