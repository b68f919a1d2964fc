//! Parts of a fuzzer input, and the API key that no output may contain.

use messaging_core::Settings;
use messaging_core::error::Stage;
use messaging_core::outcome::{Cause, Failure};
use messaging_core::secret::ApiKey;
use messaging_core::wire::{Body, Reply};

/// An API key that no error message of the product contains by chance.
pub const KEY: &str = "canary-key-4d1f";

pub fn key() -> ApiKey {
    ApiKey::new(KEY.into()).unwrap()
}

pub fn settings(attempts: u32, deadline_ms: u32) -> Settings {
    let variables = [
        ("MESSAGING_BASE_URL", "https://api.example/prefix"),
        ("MESSAGING_API_KEY", KEY),
        ("MESSAGING_MAX_ATTEMPTS", &attempts.to_string()),
        ("MESSAGING_DEADLINE_MS", &deadline_ms.to_string()),
    ];
    Settings::from_variables(variables.map(|(name, value)| (name.into(), value.into()))).unwrap()
}

/// The unread part of an input.
pub struct Input<'a>(pub &'a [u8]);

impl<'a> Input<'a> {
    /// Takes the next byte; 0 at the end.
    pub fn byte(&mut self) -> u8 {
        let Some((first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        *first
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Takes the bytes up to the next line feed.
    pub fn line(&mut self) -> &'a [u8] {
        let end = self.0.iter().position(|byte| *byte == b'\n');
        let (line, rest) = match end {
            Some(end) => (&self.0[..end], &self.0[end + 1..]),
            None => (self.0, &[][..]),
        };
        self.0 = rest;
        line
    }

    /// Takes header lines up to an empty line.
    pub fn headers(&mut self) -> Vec<(String, Vec<u8>)> {
        let mut headers = Vec::new();
        while !self.is_empty() {
            let line = self.line();
            if line.is_empty() {
                break;
            }
            let colon = line.iter().position(|byte| *byte == b':').unwrap_or(line.len());
            let value = line.get(colon + 1..).unwrap_or_default();
            let value = value.strip_prefix(b" ").unwrap_or(value);
            headers.push((text(&line[..colon]), value.to_vec()));
        }
        headers
    }

    /// Takes a reply: a line with the status, header lines, and the rest as the body.
    pub fn reply(&mut self) -> Reply {
        let status = text(self.line()).trim().parse().unwrap_or(0);
        let headers = self.headers();
        let all = |wanted: &str| -> Vec<Vec<u8>> {
            let named = headers.iter().filter(|(name, _)| name.eq_ignore_ascii_case(wanted));
            named.map(|(_, value)| value.clone()).collect()
        };
        let cut_short = match all("cut").first().map(Vec::as_slice) {
            Some(b"deadline") => Some(Cause::Deadline),
            Some(b"large") => Some(Cause::TooLarge),
            Some(b"code") => Some(Cause::Code("connection-terminated")),
            Some(_) => Some(Cause::Stream),
            None => None,
        };
        Reply {
            status,
            retry_after: all("retry-after"),
            date: all("date").into_iter().next(),
            content_encoding: all("content-encoding"),
            body: Body { bytes: self.0.to_vec(), cut_short },
        }
    }

    /// Takes a failure with any stage and cause.
    pub fn failure(&mut self) -> Failure {
        let stage = match self.byte() % 4 {
            0 => Stage::SendingRequest,
            1 => Stage::AwaitingReply,
            2 => Stage::ReadingReply,
            _ => Stage::ReplyUnclear,
        };
        let cause = match self.byte() {
            0 => Cause::Deadline,
            1 => Cause::Stream,
            2 => Cause::TooLarge,
            3 => Cause::Unbuildable("path"),
            other => Cause::Code(CODES[usize::from(other) % CODES.len()]),
        };
        Failure { stage, cause }
    }
}

/// Error codes. The first 12 prove that nothing was sent: the first 10 mean `not-sent`, and the
/// next 2 mean `permanent-denied`.
pub const CODES: [&str; 21] = [
    "DNS-timeout",
    "DNS-error",
    "destination-not-found",
    "destination-unavailable",
    "destination-IP-unroutable",
    "connection-refused",
    "connection-timeout",
    "connection-limit-reached",
    "TLS-protocol-error",
    "TLS-certificate-error",
    "HTTP-request-denied",
    "destination-IP-prohibited",
    "connection-terminated",
    "connection-read-timeout",
    "connection-write-timeout",
    "TLS-alert-received",
    "HTTP-response-incomplete",
    "HTTP-response-timeout",
    "HTTP-protocol-error",
    "internal-error",
    "a-code-of-the-future",
];

/// Returns true if the failure proves `not-sent`, as defined in the WIT.
pub fn proves_not_sent(failure: &Failure) -> bool {
    matches!(failure.stage, Stage::SendingRequest | Stage::AwaitingReply)
        && match failure.cause {
            Cause::Code(code) => CODES[..10].contains(&code),
            _ => false,
        }
}

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Asserts that a text does not contain the API key, neither plain nor with JSON escapes.
pub fn keeps_the_key(text: &str) {
    assert!(!text.contains(KEY), "the text contains the API key: {text:?}");
    if text.contains('\\') {
        let plain = unescaped(text);
        assert!(!plain.contains(KEY), "the text contains the escaped API key: {text:?}");
    }
}

/// Decodes `\uXXXX`, `\"`, `\\` and `\/` from left to right. Keeps all other text.
fn unescaped(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        plain.push_str(&rest[..at]);
        let escape = &rest[at..];
        let unit = escape.get(2..6).filter(|_| escape.as_bytes().get(1) == Some(&b'u'));
        let unit = unit.and_then(|digits| u32::from_str_radix(digits, 16).ok());
        let width = match unit.and_then(char::from_u32) {
            Some(char) => {
                plain.push(char);
                6
            }
            None if escape[1..].starts_with(['"', '\\', '/']) => {
                plain.push_str(&escape[1..2]);
                2
            }
            None => {
                plain.push('\\');
                1
            }
        };
        rest = &escape[width..];
    }
    plain + rest
}
