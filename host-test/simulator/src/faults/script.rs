//! Script of a [`ScriptedServer`](super::ScriptedServer), as data: one [`Exchange`] for each
//! request, in the order of their arrival.

use serde::Deserialize;
use serde_json::Value;

/// Treatment of one request.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Exchange {
    /// Part of the request that is read first.
    #[serde(default)]
    pub read: Read,
    /// The gate that opens when that has been read.
    #[serde(default)]
    pub open: Option<String>,
    /// The gate that has to be open before anything is written.
    #[serde(default)]
    pub wait: Option<String>,
    /// A well-formed reply.
    #[serde(default)]
    pub reply: Option<Reply>,
    /// Bytes that are written as they are, after `reply`.
    #[serde(default)]
    pub bytes: Option<String>,
    /// Bytes again, each written as the character of its number: U+00FF is 0xFF.
    #[serde(default)]
    pub octets: Option<String>,
    /// The pause before each byte that is written, in milliseconds.
    #[serde(default)]
    pub drip_ms: u64,
    /// Treatment of the connection afterwards.
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
    /// The head alone.
    Head,
    /// Nothing at all.
    Nothing,
    /// Whatever comes, until it holds this text.
    Until(String),
}

/// Treatment of a connection after the reply.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Then {
    /// It carries the next request.
    #[default]
    Keep,
    /// Both directions end in order.
    Close,
    /// Nothing more is written, and what still arrives is read.
    HalfClose,
    /// Over TLS: TCP ends, and TLS does not say so.
    Cut,
    /// It ends with a reset.
    Reset,
    /// It stays open, and nothing happens on it any more.
    Hold,
    /// Bytes that still arrive are read and dropped, until the caller closes it.
    Drain,
    /// The letter `x` is written for as long as the caller reads.
    Flood,
}

/// A well-formed reply. `Content-Length` is added unless a header says how long the
/// body is, or the status has none.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Reply {
    /// HTTP status.
    pub status: u16,
    /// Further headers, as name and value.
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
    /// The bytes to write.
    #[must_use]
    pub fn output(&self) -> Vec<u8> {
        let mut output = self.reply.as_ref().map(Reply::encode).unwrap_or_default();
        output.extend_from_slice(self.bytes.as_deref().unwrap_or_default().as_bytes());
        let octets = self.octets.as_deref().unwrap_or_default().chars();
        output.extend(octets.map(|char| u8::try_from(u32::from(char)).unwrap_or(b'?')));
        output
    }

    /// Returns how many bytes at the end of the output follow a whole reply, its last byte
    /// included; 0 where nothing follows one.
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
