//! HMAC-SHA256 signatures of deliveries (RFC 2104, FIPS 180-4): headers, encodings and signed
//! bytes.
//!
//! | scheme | headers | signed bytes |
//! |---|---|---|
//! | [`Scheme::Header`] | the signature; the timestamp, if it is signed | see [`Signed`] |
//! | [`Scheme::Timestamped`] | one: `t=1700000000,v1=…,v1=…` | `timestamp.body` |
//! | [`Scheme::StandardWebhooks`] | `webhook-id`, `webhook-timestamp`, `webhook-signature` | `id.timestamp.body` |
//!
//! If a delivery has several signatures, one of them must be valid under one of the secrets. Every
//! signature is compared with every secret, because the duration must not depend on the results.

use alloc::string::String;
use alloc::vec::Vec;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hmac::Mac;
use subtle::{Choice, ConstantTimeEq};

use crate::names::hex;
use crate::webhook::secret::{Key, Secrets};

/// The header with the idempotency key (section 6.1 of the specification).
pub(crate) const KEY_HEADER: &str = "x-idempotency-key";

/// The headers of Standard Webhooks. The identifier is the delivery's idempotency key.
pub(crate) const STANDARD_ID: &str = "webhook-id";
pub(crate) const STANDARD_TIMESTAMP: &str = "webhook-timestamp";
pub(crate) const STANDARD_SIGNATURE: &str = "webhook-signature";

/// Maximum number of parts of a header with several signatures. An event source sends two during a
/// rotation of its secret, and each further signature costs a comparison.
pub const MAX_PARTS: usize = 16;

/// The problem with a header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The header is missing.
    Missing,
    /// The header occurs more than once.
    Repeated,
    /// The value does not have the required form.
    Malformed,
    /// The value is not the secret, or not the signature of this delivery.
    Wrong,
    /// The difference between the timestamp and the clock is larger than the tolerance.
    Untimely,
}

/// A configured signature of deliveries.
#[derive(Clone, Debug)]
pub struct Signature {
    /// The keys of the HMAC.
    pub secrets: Secrets<Key>,
    /// The scheme of the signature.
    pub scheme: Scheme,
}

/// The header of a signature, and the bytes that the signature covers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Scheme {
    /// A header with one signature.
    Header {
        /// The header's name.
        header: String,
        /// The text before the signature.
        prefix: String,
        /// The encoding of the signature.
        encoding: Encoding,
        /// The signed bytes.
        signed: Signed,
    },
    /// A header with a timestamp and signatures over `timestamp.body`: `t=1700000000,v1=…,v1=…`.
    /// Names other than `t` and `v1` are ignored. Does not cover the idempotency key.
    Timestamped {
        /// The header's name.
        header: String,
        /// The encoding of the signatures.
        encoding: Encoding,
        /// Tolerance for the timestamp, in seconds; see [`Timestamp::tolerance`].
        tolerance: Option<u32>,
    },
    /// Standard Webhooks: signatures in Base64 over `id.timestamp.body`, in the form `v1,… v1,…`.
    /// The identifier in `webhook-id` is the idempotency key. Versions other than `v1` are ignored.
    StandardWebhooks {
        /// Tolerance for the timestamp, in seconds; see [`Timestamp::tolerance`].
        tolerance: Option<u32>,
    },
}

/// The bytes that a signature covers.
///
/// The parts are joined by `.`. A timestamp is 1 to 20 digits and a body is a JSON object, so
/// deliveries with different parts have different signed bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Signed {
    /// The raw body. The signature does not cover the idempotency key; see
    /// [`origin`](crate::webhook::origin).
    Body,
    /// The timestamp and the raw body. The signature does not cover the idempotency key.
    TimestampBody(Timestamp),
    /// The idempotency key, the timestamp and the raw body.
    KeyTimestampBody(Timestamp),
}

/// The time at which a delivery was signed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Timestamp {
    /// The name of the header with the timestamp, in seconds since 1970.
    pub header: String,
    /// The maximum difference between the timestamp and the receiver's clock in either direction,
    /// in seconds. `None` if the timestamp is signed, but not compared with the clock.
    pub tolerance: Option<u32>,
}

/// The encoding of a signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// Hexadecimal digits, in either case.
    Hex,
    /// Base64 with padding (RFC 4648 section 4).
    Base64,
}

impl Encoding {
    fn decode(self, text: &[u8]) -> Option<[u8; 32]> {
        match self {
            Self::Hex => hex::decode(text),
            Self::Base64 => {
                // The decoder requires space for complete groups of three bytes.
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

/// The parts of a delivery that are required to verify its signature.
struct Presented<'a> {
    /// The signed bytes before the body: each part, followed by a dot.
    prefix: Vec<u8>,
    /// The name of the timestamp's header, the timestamp, and the tolerance.
    timestamp: Option<(&'a str, Vec<u8>, Option<u32>)>,
    /// The name of the header with the signatures.
    header: &'a str,
    /// The well-formed signatures in the header.
    signatures: Vec<[u8; 32]>,
}

impl Signature {
    /// Verifies the signatures and the timestamp of a delivery. An error contains the name of the
    /// invalid header. `now` returns the seconds since 1970.
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
        // Reads the clock even if no signature is valid, because the duration must not depend on
        // the result.
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

/// Returns the seconds between a timestamp and a clock.
fn distance(digits: &[u8], now: u64) -> u64 {
    let read = core::str::from_utf8(digits).ok().and_then(|digits| digits.parse::<u64>().ok());
    // A timestamp above 64 bits is far from any clock.
    read.unwrap_or(u64::MAX).abs_diff(now)
}

impl Scheme {
    /// Returns the value of `MESSAGING_WEBHOOK_SIGNED` that selects this scheme.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Header { signed: Signed::Body, .. } => "body",
            Self::Header { signed: Signed::TimestampBody(_), .. } => "timestamp.body",
            Self::Header { signed: Signed::KeyTimestampBody(_), .. } => "key.timestamp.body",
            Self::Timestamped { .. } => "timestamped",
            Self::StandardWebhooks { .. } => "standard-webhooks",
        }
    }

    /// Returns the name of the header with the signature.
    pub fn header(&self) -> &str {
        match self {
            Self::Header { header, .. } | Self::Timestamped { header, .. } => header,
            Self::StandardWebhooks { .. } => STANDARD_SIGNATURE,
        }
    }

    /// Returns the name of the header with the idempotency key, in lower case.
    pub fn key_header(&self) -> &'static str {
        match self {
            Self::Header { .. } | Self::Timestamped { .. } => KEY_HEADER,
            Self::StandardWebhooks { .. } => STANDARD_ID,
        }
    }

    /// Returns true if a signature covers the idempotency key.
    #[must_use]
    pub fn binds_key(&self) -> bool {
        match self {
            Self::Header { signed: Signed::Body | Signed::TimestampBody(_), .. }
            | Self::Timestamped { .. } => false,
            Self::Header { signed: Signed::KeyTimestampBody(_), .. }
            | Self::StandardWebhooks { .. } => true,
        }
    }

    /// Returns the tolerance for the timestamp in seconds; `None` if no timestamp is compared with
    /// the clock.
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

/// Returns the only value of a header. Rejects several values, because one of them may be forged.
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

/// Returns `value` if it is a timestamp: 1 to 20 digits.
fn digits(value: Vec<u8>) -> Option<Vec<u8>> {
    let right = (1..=20).contains(&value.len()) && value.iter().all(u8::is_ascii_digit);
    right.then_some(value)
}

/// Returns the signatures in a header whose parts are pairs of a name and a value. Returns `None`
/// if the header has no signature, or more than [`MAX_PARTS`] parts.
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

/// Returns the signed bytes before the body.
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
