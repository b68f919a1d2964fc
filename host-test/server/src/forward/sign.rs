//! Signatures that prove the origin of a request to the receiver. They follow Standard Webhooks 1.0
//! (<https://www.standardwebhooks.com>): an HMAC-SHA256 over `ID.TIMESTAMP.BODY`.

use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit, Mac};
use http::HeaderValue;
use sha2::Sha256;

/// Size of a secret in bytes, as required by the specification.
const SECRET_BYTES: std::ops::RangeInclusive<usize> = 24..=64;

/// Invalid signing secrets. Contains no part of a secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SecretError {
    /// There is no secret, or there are more than two.
    #[error("must be one secret, or two secrets with a space between them")]
    Number,
    /// A secret is not `whsec_` followed by base64.
    #[error("must be whsec_ followed by base64 with its padding")]
    Form,
    /// A secret is shorter than 24 bytes or longer than 64 bytes.
    #[error(
        "is not a secret of 24 to 64 bytes; make one with: echo whsec_$(openssl rand -base64 32)"
    )]
    Length,
}

/// One or two signing secrets. With two, each request carries two signatures, so the receiver can
/// change its secret at any time. Has no `Display`, and `Debug` shows no secret.
#[derive(Clone)]
pub struct SigningSecrets(Vec<Hmac<Sha256>>);

impl SigningSecrets {
    /// Parses `whsec_BASE64`, or two secrets with a space between them.
    ///
    /// # Errors
    /// Returns `SecretError` if the number, the form or the length of the secrets is invalid.
    pub fn parse(text: &str) -> Result<Self, SecretError> {
        let mut secrets = Vec::new();
        for secret in text.split_ascii_whitespace() {
            let digits = secret.strip_prefix("whsec_").ok_or(SecretError::Form)?;
            let bytes = STANDARD.decode(digits).map_err(|_| SecretError::Form)?;
            if !SECRET_BYTES.contains(&bytes.len()) {
                return Err(SecretError::Length);
            }
            secrets.push(Hmac::new_from_slice(&bytes).map_err(|_| SecretError::Length)?);
        }
        match secrets.len() {
            1 | 2 => Ok(Self(secrets)),
            _ => Err(SecretError::Number),
        }
    }

    /// Returns the value of the header `webhook-signature`, with a signature for each secret.
    pub(super) fn sign(
        &self,
        id: &str,
        timestamp: i64,
        body: &[u8],
    ) -> Result<HeaderValue, http::Error> {
        let signature = |key: &Hmac<Sha256>| {
            let mac = key.clone().chain_update(id).chain_update(format!(".{timestamp}."));
            let mac = mac.chain_update(body).finalize().into_bytes();
            format!("v1,{}", STANDARD.encode(mac))
        };
        let signatures: Vec<_> = self.0.iter().map(signature).collect();
        Ok(HeaderValue::from_str(&signatures.join(" "))?)
    }
}

impl fmt::Debug for SigningSecrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SigningSecrets([redacted])")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The secret of the specification's example.
    const SECRET: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

    #[test]
    fn specifications_example_has_its_signature() {
        let secrets = SigningSecrets::parse(SECRET).unwrap();
        let signed =
            secrets.sign("msg_p5jXN8AQM9LWM0D4loKWxJek", 1_614_265_330, br#"{"test": 2432232314}"#);
        assert_eq!(signed.unwrap(), "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    }

    #[test]
    fn only_one_or_two_secrets_are_accepted() {
        for good in [SECRET.to_string(), format!(" {SECRET}  {SECRET}\n")] {
            let secrets = SigningSecrets::parse(&good).unwrap();
            assert_eq!(format!("{secrets:?}"), "SigningSecrets([redacted])");
        }
        let short = format!("whsec_{}", STANDARD.encode([7; 23]));
        let long = format!("whsec_{}", STANDARD.encode([7; 65]));
        for (bad, why) in [
            (String::new(), SecretError::Number),
            (format!("{SECRET} {SECRET} {SECRET}"), SecretError::Number),
            (SECRET.replace("whsec_", ""), SecretError::Form),
            (SECRET.replace("Sw", "S"), SecretError::Form),
            (SECRET.replace('Q', "-"), SecretError::Form),
            (format!("{SECRET} {short}"), SecretError::Length),
            (long, SecretError::Length),
        ] {
            assert_eq!(SigningSecrets::parse(&bad).unwrap_err(), why, "{bad}");
        }
    }
}
