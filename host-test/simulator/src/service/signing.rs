//! Signatures of deliveries. The service's specification (`wit/service.md`, section 5) defines no
//! signature, so each scheme is a choice of the simulation.

use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use ring::hmac::{self, HMAC_SHA256};

/// The format of an HMAC-SHA256 signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum Scheme {
    /// Signature of the body, in X-Signature
    Body,
    /// Signature of timestamp and body, in X-Signature and X-Timestamp
    #[cfg_attr(feature = "cli", value(name = "timestamp.body"))]
    TimestampBody,
    /// Signature of X-Idempotency-Key, timestamp and body, in X-Signature and X-Timestamp
    #[cfg_attr(feature = "cli", value(name = "key.timestamp.body"))]
    KeyTimestampBody,
    /// Signature of timestamp and body, in X-Signature: t=…,v1=…
    Timestamped,
    /// Standard Webhooks: webhook-id, webhook-timestamp, webhook-signature
    StandardWebhooks,
}

/// Encoding of a signature. Standard Webhooks always uses Base64.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum Encoding {
    /// Hexadecimal digits
    Hex,
    /// Base64
    Base64,
}

/// A signature scheme, its secrets, and its header names if the scheme does not fix them.
#[derive(Clone)]
pub struct Signing {
    scheme: Scheme,
    encoding: Encoding,
    secrets: Vec<Vec<u8>>,
    /// Name of the header with the signature.
    pub header: String,
    /// Text before the signature.
    pub prefix: String,
    /// Name of the header with the timestamp.
    pub timestamp_header: String,
}

/// The secret does not have the format that its scheme requires.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the secret of standard-webhooks must be whsec_ followed by Base64")]
pub struct BadSecret;

impl Signing {
    /// Creates a signer. If the scheme can carry several signatures, it also signs with `second`.
    ///
    /// # Errors
    /// Returns [`BadSecret`] if a secret does not have the form that its scheme requires.
    pub fn new(
        scheme: Scheme,
        encoding: Encoding,
        secret: &str,
        second: Option<&str>,
    ) -> Result<Self, BadSecret> {
        let several = matches!(scheme, Scheme::Timestamped | Scheme::StandardWebhooks);
        let read = |secret: &str| match scheme {
            Scheme::StandardWebhooks => {
                let text = secret.strip_prefix("whsec_").ok_or(BadSecret)?;
                STANDARD.decode(text).map_err(|_| BadSecret)
            }
            _ => Ok(secret.as_bytes().to_vec()),
        };
        let secrets = [secret].into_iter().chain(second.filter(|_| several));
        Ok(Self {
            scheme,
            encoding,
            secrets: secrets.map(read).collect::<Result<_, _>>()?,
            header: "x-signature".into(),
            prefix: String::new(),
            timestamp_header: "x-timestamp".into(),
        })
    }

    /// Returns the headers that sign a delivery. `at` is the time of the signature in seconds since
    /// 1970.
    pub(super) fn headers(&self, key: &str, at: u64, body: &str) -> Vec<(&str, String)> {
        let at = at.to_string();
        let signed = match self.scheme {
            Scheme::Body => body.to_string(),
            Scheme::TimestampBody | Scheme::Timestamped => format!("{at}.{body}"),
            Scheme::KeyTimestampBody | Scheme::StandardWebhooks => format!("{key}.{at}.{body}"),
        };
        let signatures: Vec<_> =
            self.secrets.iter().map(|secret| self.sign(secret, &signed)).collect();
        let each = |before: &str| -> Vec<_> {
            signatures.iter().map(|signature| format!("{before}{signature}")).collect()
        };
        let first = || each(&self.prefix).into_iter().next().unwrap_or_default();
        match self.scheme {
            Scheme::Body => vec![(&self.header, first())],
            Scheme::TimestampBody | Scheme::KeyTimestampBody => {
                vec![(&self.header, first()), (&self.timestamp_header, at)]
            }
            Scheme::Timestamped => {
                vec![(&self.header, format!("t={at},{}", each("v1=").join(",")))]
            }
            Scheme::StandardWebhooks => vec![
                ("webhook-id", key.to_string()),
                ("webhook-timestamp", at),
                ("webhook-signature", each("v1,").join(" ")),
            ],
        }
    }

    fn sign(&self, secret: &[u8], signed: &str) -> String {
        let mac = hmac::sign(&hmac::Key::new(HMAC_SHA256, secret), signed.as_bytes());
        let mac = mac.as_ref();
        match (self.scheme, self.encoding) {
            (Scheme::StandardWebhooks, _) | (_, Encoding::Base64) => STANDARD.encode(mac),
            (_, Encoding::Hex) => mac.iter().map(|byte| format!("{byte:02x}")).collect(),
        }
    }
}

impl fmt::Debug for Signing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Signing({:?}, {:?}, [redacted])", self.scheme, self.encoding)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Test vector of the reference implementation of Standard Webhooks.
    #[test]
    fn standard_webhooks_are_signed_as_specified() {
        let secret = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";
        let signing =
            Signing::new(Scheme::StandardWebhooks, Encoding::Hex, secret, Some(secret)).unwrap();
        let body = r#"{"email":"test@example.com","username":"test_user"}"#;
        let headers = signing.headers("msg_27UH4WbU6Z5A5EzD8u03UvzRbpk", 1_649_367_553, body);
        let one = "v1,tZ1I4/hDygAJgO5TYxiSd6Sd0kDW6hPenDe+bTa3Kkw=";
        assert_eq!(headers[2], ("webhook-signature", format!("{one} {one}")));
        assert!(!format!("{signing:?}").contains("C2FV"));
        let bad = Signing::new(Scheme::StandardWebhooks, Encoding::Hex, "C2FV", None);
        assert_eq!(bad.unwrap_err(), BadSecret);
    }

    /// The expected signature is the output of
    /// `printf '%s' 17.{} | openssl dgst -sha256 -hmac a-secret-of-enough-bytes`.
    #[test]
    fn timestamped_signature_is_one_header() {
        let signing =
            Signing::new(Scheme::Timestamped, Encoding::Hex, "a-secret-of-enough-bytes", None)
                .unwrap();
        let headers = signing.headers("evt-1", 17, "{}");
        assert_eq!(
            headers,
            [(
                "x-signature",
                "t=17,v1=2a56b6ee6d9bb1e9b6361ce9c7a90c3b9b6fe0faea3b8daaa7da00fdc6f24c06"
                    .to_string()
            )]
        );
    }
}
