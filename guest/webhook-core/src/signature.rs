//! A signature over a delivery, an HMAC-SHA256 (RFC 2104, FIPS 180-4): where it stands, how it is
//! written, and which bytes it covers.
//!
//! | scheme | headers | signed bytes |
//! |---|---|---|
//! | [`Scheme::Header`] | one with the signature, one with the timestamp where it is signed | as [`Signed`] says |
//! | [`Scheme::Timestamped`] | one: `t=1700000000,v1=…,v1=…` | `timestamp.body` |
//! | [`Scheme::StandardWebhooks`] | `webhook-id`, `webhook-timestamp`, `webhook-signature: v1,… v1,…` | `id.timestamp.body` |
//!
//! Of several signatures one has to be right, by any of the secrets. All are compared with all,
//! whatever the first ones say.

use alloc::string::String;
use alloc::vec::Vec;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hmac::Mac;
use subtle::{Choice, ConstantTimeEq};

use crate::origin::Fault;
use crate::secret::{Key, Secrets};
use messaging_names::hex;

/// The header with the idempotency key (section 6.1 of the specification).
pub(crate) const KEY_HEADER: &str = "x-idempotency-key";

/// The headers of Standard Webhooks. The identifier is the delivery's idempotency key.
pub(crate) const STANDARD_ID: &str = "webhook-id";
pub(crate) const STANDARD_TIMESTAMP: &str = "webhook-timestamp";
pub(crate) const STANDARD_SIGNATURE: &str = "webhook-signature";

/// Most parts of a header with several signatures. A sender that rotates its secret has two; each
/// more of them costs a comparison.
pub const MAX_PARTS: usize = 16;

/// How a delivery is signed.
#[derive(Clone, Debug)]
pub struct Signature {
    /// Keys of the HMAC.
    pub secrets: Secrets<Key>,
    /// Its form.
    pub scheme: Scheme,
}

/// Where a signature stands, and what it covers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Scheme {
    /// One signature, alone in a header.
    Header {
        /// The header's name.
        header: String,
        /// Text before the signature.
        prefix: String,
        /// How its bytes are written.
        encoding: Encoding,
        /// The signed bytes.
        signed: Signed,
    },
    /// A timestamp and signatures in one header, `t=1700000000,v1=…,v1=…`, over `timestamp.body`.
    /// Other names than `t` and `v1` are passed over. The idempotency key is not bound.
    Timestamped {
        /// The header's name.
        header: String,
        /// How the signatures' bytes are written.
        encoding: Encoding,
        /// As of [`Timestamp::tolerance`].
        tolerance: Option<u32>,
    },
    /// Standard Webhooks: signatures in Base64 over `id.timestamp.body`, where the identifier in
    /// `webhook-id` is the idempotency key. Other versions than `v1` are passed over.
    StandardWebhooks {
        /// As of [`Timestamp::tolerance`].
        tolerance: Option<u32>,
    },
}

/// The bytes that a signature covers.
///
/// Parts are joined by `.`. A timestamp is 1 to 20 digits and a body is a JSON object, so
/// no two deliveries are signed by the same bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Signed {
    /// The raw body. The idempotency key is not bound: see [`origin`](crate::origin).
    Body,
    /// The timestamp and the raw body. The idempotency key is not bound.
    TimestampBody(Timestamp),
    /// The idempotency key, the timestamp and the raw body.
    KeyTimestampBody(Timestamp),
}

/// The time at which a delivery was signed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Timestamp {
    /// The header with it: seconds since 1970.
    pub header: String,
    /// Most seconds between it and the receiver's clock, in either direction. None: it is bound
    /// and not judged.
    pub tolerance: Option<u32>,
}

/// How the bytes of a signature are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// Hexadecimal digits, in either case.
    Hex,
    /// Base64 (RFC 4648 section 4) with its padding.
    Base64,
}

impl Encoding {
    fn decode(self, text: &[u8]) -> Option<[u8; 32]> {
        match self {
            Self::Hex => hex::decode(text),
            Self::Base64 => {
                // A decoder wants room for whole groups of three bytes.
                let mut bytes = [0; 33];
                let length = STANDARD.decode_slice(text, &mut bytes).ok()?;
                bytes.get(..length)?.try_into().ok()
            }
        }
    }
}

/// Decodes a secret of Standard Webhooks: Base64 after `whsec_`.
pub(crate) fn standard_secret(text: &str) -> Option<Vec<u8>> {
    STANDARD.decode(text.strip_prefix("whsec_")?).ok()
}

/// The parts of a delivery that its signature is judged by.
struct Presented<'a> {
    /// The signed bytes before the body, each part followed by its dot.
    prefix: Vec<u8>,
    /// Header of the timestamp, its value, and the tolerance.
    timestamp: Option<(&'a str, Vec<u8>, Option<u32>)>,
    /// Header of the signatures, and those that are well formed.
    header: &'a str,
    signatures: Vec<[u8; 32]>,
}

impl Signature {
    /// Whether one of its signatures is that of the delivery, and its time right; if not, which
    /// header is wrong. `now` gives the seconds since 1970.
    pub(crate) fn judge<H, C>(&self, body: &[u8], header: &H, now: C) -> Result<(), (&str, Fault)>
    where
        H: Fn(&str) -> Vec<Vec<u8>>,
        C: Fn() -> u64,
    {
        let presented = self.scheme.read(header)?;
        let mut right = Choice::from(0);
        for secret in self.secrets.all() {
            let mac = secret.mac().ok_or((presented.header, Fault::Wrong))?;
            let mac = mac.chain_update(&presented.prefix).chain_update(body).finalize();
            let mac = mac.into_bytes();
            for signature in &presented.signatures {
                right |= mac.as_slice().ct_eq(signature.as_slice());
            }
        }
        // The clock is looked at whatever the signature is, so that time tells nothing.
        let late = presented.timestamp.as_ref().and_then(|(name, value, tolerance)| {
            let tolerance = u64::from((*tolerance)?);
            (distance(value, now()) > tolerance).then_some(*name)
        });
        match late {
            _ if !bool::from(right) => Err((presented.header, Fault::Wrong)),
            Some(name) => Err((name, Fault::Untimely)),
            None => Ok(()),
        }
    }
}

/// Seconds between a timestamp and a clock.
fn distance(digits: &[u8], now: u64) -> u64 {
    let read = core::str::from_utf8(digits).ok().and_then(|digits| digits.parse::<u64>().ok());
    // Of so many digits that it is no time of ours.
    read.unwrap_or(u64::MAX).abs_diff(now)
}

impl Scheme {
    /// The value of the setting that chooses it.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Header { signed: Signed::Body, .. } => "body",
            Self::Header { signed: Signed::TimestampBody(_), .. } => "timestamp.body",
            Self::Header { signed: Signed::KeyTimestampBody(_), .. } => "key.timestamp.body",
            Self::Timestamped { .. } => "timestamped",
            Self::StandardWebhooks { .. } => "standard-webhooks",
        }
    }

    /// The header that has the signature.
    #[must_use]
    pub fn header(&self) -> &str {
        match self {
            Self::Header { header, .. } | Self::Timestamped { header, .. } => header,
            Self::StandardWebhooks { .. } => STANDARD_SIGNATURE,
        }
    }

    /// The header that has the delivery's idempotency key, in lower case.
    #[must_use]
    pub fn key_header(&self) -> &'static str {
        match self {
            Self::Header { .. } | Self::Timestamped { .. } => KEY_HEADER,
            Self::StandardWebhooks { .. } => STANDARD_ID,
        }
    }

    /// Whether a signature holds for one idempotency key alone.
    #[must_use]
    pub fn binds_key(&self) -> bool {
        match self {
            Self::Header { signed: Signed::Body | Signed::TimestampBody(_), .. }
            | Self::Timestamped { .. } => false,
            Self::Header { signed: Signed::KeyTimestampBody(_), .. }
            | Self::StandardWebhooks { .. } => true,
        }
    }

    /// The tolerance for the timestamp; none where none is judged.
    #[must_use]
    pub fn tolerance(&self) -> Option<u32> {
        match self {
            Self::Header { signed: Signed::Body, .. } => None,
            Self::Header {
                signed: Signed::TimestampBody(timestamp) | Signed::KeyTimestampBody(timestamp),
                ..
            } => timestamp.tolerance,
            Self::Timestamped { tolerance, .. } | Self::StandardWebhooks { tolerance } => {
                *tolerance
            }
        }
    }

    fn read<H>(&self, header: &H) -> Result<Presented<'_>, (&str, Fault)>
    where
        H: Fn(&str) -> Vec<Vec<u8>>,
    {
        match self {
            Self::Header { header: name, prefix, encoding, signed } => {
                let value = one(header, name)?;
                let text = value.strip_prefix(prefix.as_bytes());
                let signature = text.and_then(|text| encoding.decode(text));
                let signatures = Vec::from([signature.ok_or((&**name, Fault::Malformed))?]);
                let (key, timestamp) = match signed {
                    Signed::Body => (None, None),
                    Signed::TimestampBody(timestamp) => (None, Some(timestamp)),
                    Signed::KeyTimestampBody(timestamp) => (Some(KEY_HEADER), Some(timestamp)),
                };
                let key = key.map(|name| one(header, name)).transpose()?;
                let at = timestamp.map(|timestamp| {
                    let name = timestamp.header.as_str();
                    let value = digits(one(header, name)?).ok_or((name, Fault::Malformed))?;
                    Ok((name, value, timestamp.tolerance))
                });
                let timestamp = at.transpose()?;
                Ok(Presented {
                    prefix: joined(key, &timestamp),
                    timestamp,
                    header: name,
                    signatures,
                })
            }
            Self::Timestamped { header: name, encoding, tolerance } => {
                let value = one(header, name)?;
                let malformed = (&**name, Fault::Malformed);
                let mut timestamps = Vec::new();
                let signatures = parts(&value, b',', b'=', |key, value| match key {
                    b"t" => {
                        timestamps.push(value.to_vec());
                        None
                    }
                    b"v1" => encoding.decode(value),
                    _ => None,
                });
                let signatures = signatures.ok_or(malformed)?;
                let [timestamp] = <[_; 1]>::try_from(timestamps).map_err(|_| malformed)?;
                let timestamp = digits(timestamp).ok_or(malformed)?;
                let timestamp = Some((&**name, timestamp, *tolerance));
                Ok(Presented {
                    prefix: joined(None, &timestamp),
                    timestamp,
                    header: name,
                    signatures,
                })
            }
            Self::StandardWebhooks { tolerance } => {
                let value = one(header, STANDARD_SIGNATURE)?;
                let signatures = parts(&value, b' ', b',', |version, value| {
                    (version == b"v1").then(|| Encoding::Base64.decode(value)).flatten()
                });
                let signatures = signatures.ok_or((STANDARD_SIGNATURE, Fault::Malformed))?;
                let id = one(header, STANDARD_ID)?;
                let timestamp = digits(one(header, STANDARD_TIMESTAMP)?);
                let timestamp = timestamp.ok_or((STANDARD_TIMESTAMP, Fault::Malformed))?;
                let timestamp = Some((STANDARD_TIMESTAMP, timestamp, *tolerance));
                let prefix = joined(Some(id), &timestamp);
                Ok(Presented { prefix, timestamp, header: STANDARD_SIGNATURE, signatures })
            }
        }
    }
}

/// The one value of a header. Of several one could be somebody else's: none counts.
pub(crate) fn one<'a, H>(header: &H, name: &'a str) -> Result<Vec<u8>, (&'a str, Fault)>
where
    H: Fn(&str) -> Vec<Vec<u8>>,
{
    let mut values = header(name).into_iter();
    match (values.next(), values.next()) {
        (None, _) => Err((name, Fault::Missing)),
        (Some(value), None) => Ok(value),
        (Some(_), Some(_)) => Err((name, Fault::Repeated)),
    }
}

/// A timestamp: 1 to 20 digits.
fn digits(value: Vec<u8>) -> Option<Vec<u8>> {
    let right = (1..=20).contains(&value.len()) && value.iter().all(u8::is_ascii_digit);
    right.then_some(value)
}

/// The signatures in the parts of a header, each a name and a value; none where no part is a
/// signature, or where there are too many parts.
fn parts<F>(value: &[u8], between: u8, within: u8, mut read: F) -> Option<Vec<[u8; 32]>>
where
    F: FnMut(&[u8], &[u8]) -> Option<[u8; 32]>,
{
    let mut signatures = Vec::new();
    for (count, part) in value.split(|byte| *byte == between).enumerate() {
        if count == MAX_PARTS {
            return None;
        }
        let mut halves = part.trim_ascii().splitn(2, |byte| *byte == within);
        let (Some(name), Some(value)) = (halves.next(), halves.next()) else { continue };
        signatures.extend(read(name, value));
    }
    (!signatures.is_empty()).then_some(signatures)
}

/// The signed bytes before the body.
fn joined(key: Option<Vec<u8>>, timestamp: &Option<(&str, Vec<u8>, Option<u32>)>) -> Vec<u8> {
    let timestamp = timestamp.as_ref().map(|(_, value, _)| value.as_slice());
    let mut bytes = Vec::new();
    for part in key.as_deref().into_iter().chain(timestamp) {
        bytes.extend_from_slice(part);
        bytes.push(b'.');
    }
    bytes
}

#[cfg(test)]
mod tests;
