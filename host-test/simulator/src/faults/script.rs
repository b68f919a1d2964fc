//! Script of a [`ScriptedServer`](super::ScriptedServer), as data: one [`Exchange`] for each
//! request, in order of arrival.

use serde::Deserialize;
use serde_json::Value;

/// Handling of one request.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Exchange {
    /// Part of the request that is read first.
    #[serde(default)]
    pub read: Read,
    /// The gate that opens after the part in `read` was read.
    #[serde(default)]
    pub open: Option<String>,
    /// The gate that must be open before the reply is written.
    #[serde(default)]
    pub wait: Option<String>,
    /// A well-formed reply.
    #[serde(default)]
    pub reply: Option<Reply>,
    /// Bytes that are written unchanged after `reply`.
    #[serde(default)]
    pub bytes: Option<String>,
    /// Further bytes, written after `bytes`. Each character stands for one byte: U+00FF is 0xFF.
    #[serde(default)]
    pub octets: Option<String>,
    /// Delay before each written byte, in milliseconds.
    #[serde(default)]
    pub drip_ms: u64,
    /// Handling of the connection after the reply.
    #[serde(default)]
    pub then: Then,
}

/// Part of a request to read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Read {
    /// Head and body.
    #[default]
    Request,
    /// The head only.
    Head,
    /// Nothing.
    Nothing,
    /// All bytes until they contain this text.
    Until(String),
}

/// Handling of a connection after the reply.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Then {
    /// The connection accepts the next request.
    #[default]
    Keep,
    /// The server shuts the connection down cleanly.
    Close,
    /// The server closes its write half, then reads and discards further bytes.
    HalfClose,
    /// The server closes TCP. Over TLS, it sends no `close_notify`.
    Cut,
    /// The server resets the connection.
    Reset,
    /// The connection stays open and idle.
    Hold,
    /// The server reads and discards further bytes until the caller disconnects.
    Drain,
    /// The server writes the letter `x` for as long as the caller reads.
    Flood,
}

/// A well-formed reply. `Content-Length` is added unless a header already sets the length of the
/// body or the status forbids a body.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Reply {
    /// HTTP status.
    pub status: u16,
    /// Additional headers, as name and value.
    #[serde(default)]
    pub headers: Vec<(String, String)>,
    /// The body as JSON.
    #[serde(default)]
    pub json: Option<Value>,
    /// The body as text.
    #[serde(default)]
    pub text: Option<String>,
}

impl Exchange {
    /// Returns the bytes of the reply.
    pub fn output(&self) -> Vec<u8> {
        let mut output = self.reply.as_ref().map(Reply::encode).unwrap_or_default();
        output.extend_from_slice(self.bytes.as_deref().unwrap_or_default().as_bytes());
        let octets = self.octets.as_deref().unwrap_or_default().chars();
        output.extend(octets.map(|char| u8::try_from(u32::from(char)).unwrap_or(b'?')));
        output
    }

    /// Returns how many bytes at the end of the output are written at once: the last byte of
    /// `reply`, and all of `bytes`. Returns 0 if `reply` or `bytes` is missing.
    pub(super) fn stray(&self) -> usize {
        match (&self.reply, &self.bytes) {
            (Some(_), Some(bytes)) => bytes.len().saturating_add(1),
            _ => 0,
        }
    }
}

impl Reply {
    fn encode(&self) -> Vec<u8> {
        let json = self.json.as_ref().map(Value::to_string);
        let body = json.or_else(|| self.text.clone()).unwrap_or_default();
        let mut head = format!("HTTP/1.1 {:03} Scripted\r\n", self.status);
        if json_is_meant(self) {
            head.push_str("Content-Type: application/json\r\n");
        }
        for (name, value) in &self.headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        let framed = self.headers.iter().any(|(name, _)| {
            ["content-length", "transfer-encoding"].contains(&name.to_ascii_lowercase().as_str())
        });
        let has_body = !(100..200).contains(&self.status) && ![204, 304].contains(&self.status);
        if has_body && !framed {
            head.push_str(&format!("Content-Length: {}\r\n", body.len()));
        }
        let mut bytes = head.into_bytes();
        bytes.extend_from_slice(b"\r\n");
        bytes.extend_from_slice(body.as_bytes());
        bytes
    }
}

fn json_is_meant(reply: &Reply) -> bool {
    let named = reply.headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("content-type"));
    reply.json.is_some() && !named
}
