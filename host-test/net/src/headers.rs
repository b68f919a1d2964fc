//! Configurable headers of the requests to the receiver: headers with the operator's secrets, and
//! additional headers for the event's key. Errors contain a name or a line number, but never a
//! value.

use std::cmp::Reverse;
use std::fmt;

use http::{HeaderName, HeaderValue};

/// Maximum number of headers, and maximum size of a value in bytes. Receivers have similar limits.
const MOST_LINES: usize = 32;
const MOST_BYTES: usize = 8 * 1024;

/// Replacement for a secret in texts for logs and operators.
const REDACTED: &str = "[redacted]";

/// Headers that carry the event's key in every request.
pub const KEY_HEADERS: [HeaderName; 2] =
    [HeaderName::from_static("x-idempotency-key"), HeaderName::from_static("idempotency-key")];

/// Reserved header names: names with a meaning for HTTP, and names that the forwarder sets.
const TAKEN: [&str; 17] = [
    "connection",
    "content-encoding",
    "content-length",
    "content-type",
    "expect",
    "host",
    "keep-alive",
    "proxy-connection",
    "te",
    "traceparent",
    "tracestate",
    "trailer",
    "transfer-encoding",
    "upgrade",
    "webhook-id",
    "webhook-signature",
    "webhook-timestamp",
];

/// An invalid header. The error contains no header value.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HeaderError {
    /// A line is not `Name: value`. The error omits the line, because the line may contain a
    /// secret.
    #[error("needs NAME: VALUE in line {line}")]
    NotAHeader {
        /// Line number, starting at 1.
        line: usize,
    },
    /// The value is empty, too long, or contains characters that are not printable ASCII.
    #[error("has a value of {name} that is empty, longer than 8 KiB, or not in printable ASCII")]
    BadValue {
        /// Name of the header.
        name: HeaderName,
    },
    /// The header is reserved for the forwarder or the connection.
    #[error("contains {name}, which is reserved; remove it")]
    Taken {
        /// Name of the header.
        name: HeaderName,
    },
    /// The header occurs twice.
    #[error("contains {name} twice")]
    Twice {
        /// Name of the header.
        name: HeaderName,
    },
    /// There are more than 32 headers.
    #[error("has more than 32 headers")]
    TooMany,
    /// The string is not a header name.
    #[error("is not the name of a header")]
    NotAName,
}

/// Headers of the operator, such as `Authorization`. The values are secrets: `Debug` shows only
/// names, and there is no `Display`.
#[derive(Clone, Default)]
pub struct SecretHeaders(Vec<(HeaderName, HeaderValue)>);

impl SecretHeaders {
    /// Parses lines of `Name: value`. Ignores empty lines.
    ///
    /// # Errors
    /// Returns `HeaderError` if a line or a header is invalid.
    pub fn parse(text: &str) -> Result<Self, HeaderError> {
        let mut headers = Self::default();
        for (line, text) in (1..).zip(text.lines()) {
            if text.trim().is_empty() {
                continue;
            }
            let (name, value) = text.split_once(':').ok_or(HeaderError::NotAHeader { line })?;
            headers.add(name, value).map_err(|error| match error {
                HeaderError::NotAName => HeaderError::NotAHeader { line },
                error => error,
            })?;
        }
        Ok(headers)
    }

    /// Adds a header.
    ///
    /// # Errors
    /// Returns `HeaderError` if the header is invalid, reserved or already present, or if there are
    /// already 32 headers.
    pub fn add(&mut self, name: &str, value: &str) -> Result<(), HeaderError> {
        let name = free(name.trim().parse().map_err(|_| HeaderError::NotAName)?)?;
        if self.has(&name) {
            return Err(HeaderError::Twice { name });
        }
        if self.0.len() >= MOST_LINES {
            return Err(HeaderError::TooMany);
        }
        let value = value.trim();
        let is_plain = value.bytes().all(|byte| matches!(byte, b' '..=b'~' | b'\t'));
        if value.is_empty() || value.len() > MOST_BYTES || !is_plain {
            return Err(HeaderError::BadValue { name });
        }
        let Ok(mut value) = HeaderValue::from_str(value) else {
            return Err(HeaderError::BadValue { name });
        };
        value.set_sensitive(true);
        self.0.push((name, value));
        Ok(())
    }

    /// Returns true if there is a header with this name.
    pub fn has(&self, name: &HeaderName) -> bool {
        self.0.iter().any(|(known, _)| known == name)
    }

    /// Returns the names and values of all headers.
    pub fn iter(&self) -> impl Iterator<Item = (&HeaderName, &HeaderValue)> {
        self.0.iter().map(|(name, value)| (name, value))
    }

    /// Replaces secrets in a text. A secret is a word of at least 8 characters in a value. Shorter
    /// words stay, for example `Bearer`.
    pub fn redact(&self, text: &str) -> String {
        let values = self.iter().filter_map(|(_, value)| value.to_str().ok());
        let secrets = values.flat_map(str::split_ascii_whitespace).filter(|word| word.len() >= 8);
        // A secret can begin with another one.
        let mut secrets: Vec<_> = secrets.collect();
        secrets.sort_by_key(|secret| Reverse(secret.len()));
        secrets.iter().fold(text.to_string(), |text, secret| text.replace(secret, REDACTED))
    }
}

impl fmt::Debug for SecretHeaders {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.0.iter().map(|(name, _)| name.as_str())).finish()
    }
}

/// Name of an additional header for the event's key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyHeader(HeaderName);

impl KeyHeader {
    /// Parses the name of a header that is not reserved.
    ///
    /// # Errors
    /// Returns `NotAName` if the string is not a header name, and `Taken` if the header is
    /// reserved.
    pub fn parse(name: &str) -> Result<Self, HeaderError> {
        let name = name.parse().map_err(|_| HeaderError::NotAName)?;
        free(name).map(Self)
    }

    /// Returns the name of the header that carries the event's key.
    pub fn name(&self) -> &HeaderName {
        &self.0
    }
}

fn free(name: HeaderName) -> Result<HeaderName, HeaderError> {
    if TAKEN.contains(&name.as_str()) || KEY_HEADERS.contains(&name) {
        return Err(HeaderError::Taken { name });
    }
    Ok(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn header_values_are_never_shown() {
        let text = "Authorization: Bearer canary:1\r\n\n  X-Tenant:canary two \n";
        let headers = SecretHeaders::parse(text).unwrap();
        let seen: Vec<_> =
            headers.iter().map(|(name, value)| (name.as_str(), value.to_str().unwrap())).collect();
        assert_eq!(seen, [("authorization", "Bearer canary:1"), ("x-tenant", "canary two")]);
        assert!(headers.iter().all(|(_, value)| value.is_sensitive()));
        assert_eq!(format!("{headers:?}"), "[\"authorization\", \"x-tenant\"]");
        assert_eq!(headers.redact("Bearer canary:1, canary"), "Bearer [redacted], canary");
        assert!(SecretHeaders::parse("\n \n").unwrap().0.is_empty());
        let headers = SecretHeaders::parse("a: tenant-1\nb: tenant-1-canary").unwrap();
        assert_eq!(headers.redact("tenant-1-canary"), "[redacted]");
    }

    #[test]
    fn bad_header_is_named_without_value() {
        let long = format!("X-Long: {}", "canary".repeat(2_000));
        let many: String = (0..33).map(|number| format!("X-{number}: canary\n")).collect();
        for (text, why) in [
            ("canary", "NAME: VALUE in line 1"),
            ("X-A: canary\ncanary canary: canary", "NAME: VALUE in line 2"),
            (": canary", "NAME: VALUE in line 1"),
            ("X-A:", "of x-a that is empty"),
            ("X-A: can\u{e9}ary", "of x-a that is empty"),
            ("X-A: can\0ary", "of x-a that is empty"),
            (&long, "of x-long that is empty"),
            ("X-A: canary\nx-a: canary", "contains x-a twice"),
            ("Content-Length: 17 canary", "content-length, which is reserved"),
            ("Idempotency-Key: canary", "idempotency-key, which is reserved"),
            ("Webhook-Signature: canary", "webhook-signature, which is reserved"),
            (&many, "more than 32 headers"),
        ] {
            let error = SecretHeaders::parse(text).unwrap_err();
            let shown = format!("{error} {error:?}");
            assert!(error.to_string().contains(why) && !shown.contains("canary"), "{shown}");
        }
        assert_eq!(KeyHeader::parse("X-Event-Id").unwrap().name(), "x-event-id");
        assert_eq!(KeyHeader::parse("two words"), Err(HeaderError::NotAName));
        assert!(matches!(KeyHeader::parse("Host"), Err(HeaderError::Taken { .. })));
    }
}
