//! Proofs of a delivery's origin.
//!
//! The service's specification does not define how a receiver verifies the origin (section 5). This
//! module supports three proofs, and every configured proof must hold.
//!
//! The duration of a comparison does not depend on its result. The response does not name the
//! failed proof; [`Proofs::refusal`] names it for the operator.
//!
//! # Limits of a proof
//!
//! A secret in the path or in a header identifies the client, but covers no part of the request. A
//! signature covers the bytes that its [`Scheme`](crate::webhook::signature::Scheme) defines.
//!
//! If the signature does not [cover the idempotency key](Proofs::bind_key), an attacker can replay
//! a captured delivery under another key, as another event. If the signature covers the key, a
//! replayed delivery is only a duplicate.
//!
//! A tolerance limits the time in which a captured delivery is valid. Without a tolerance, the
//! signed timestamp is not compared with the clock.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::webhook::secret::{Secrets, Shown};
use crate::webhook::signature::{Fault, KEY_HEADER, Signature, one};

/// The configured proofs of origin.
#[derive(Clone, Debug, Default)]
pub struct Proofs {
    /// Secrets for the last segment of the request's path.
    pub path: Option<Secrets<Shown>>,
    /// The name of a header, and the secrets for its value.
    pub header: Option<(String, Secrets<Shown>)>,
    /// The signature of the delivery.
    pub signature: Option<Signature>,
}

/// Reason why a delivery does not prove its origin, for the operator. Contains no value of the
/// delivery.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal<'a> {
    /// The last segment of the path is not the secret.
    Path,
    /// The header with this name is invalid.
    Header(&'a str, Fault),
}

impl fmt::Display for Refusal<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, fault) = match self {
            Self::Path => return f.write_str("the path's last segment is not the secret"),
            Self::Header(name, fault) => (name, fault),
        };
        let fault = match fault {
            Fault::Missing => "is missing",
            Fault::Repeated => "is given more than once",
            Fault::Malformed => "is malformed",
            Fault::Wrong => "contains another secret, or a signature of other data",
            Fault::Untimely => "has a timestamp outside the tolerance around this machine's clock",
        };
        write!(f, "the header {name} {fault}")
    }
}

impl Proofs {
    /// Returns true if at least one proof is configured.
    pub fn are_set(&self) -> bool {
        self.path.is_some() || self.header.is_some() || self.signature.is_some()
    }

    /// Returns true if the signature covers the idempotency key. A captured delivery then cannot be
    /// replayed as another event.
    #[must_use]
    pub fn bind_key(&self) -> bool {
        self.signature.as_ref().is_some_and(|signature| signature.scheme.binds_key())
    }

    /// Returns the name of the header with the idempotency key, in lower case.
    pub fn key_header(&self) -> &'static str {
        self.signature.as_ref().map_or(KEY_HEADER, |signature| signature.scheme.key_header())
    }

    /// Returns true if the path and the headers have the required secrets. `header` returns all
    /// values of a header.
    pub fn hold_for_head<H>(&self, path_with_query: &str, header: H) -> bool
    where
        H: Fn(&str) -> Vec<Vec<u8>>,
    {
        // Evaluates both conditions, because the duration must not depend on the first result.
        self.path_holds(path_with_query) & self.header_refusal(&header).is_none()
    }

    /// Returns true if the delivery has the required signature. `now` returns the seconds since
    /// 1970, and is called only if a tolerance for timestamps is set.
    pub fn hold_for_body<H, C>(&self, body: &[u8], header: H, now: C) -> bool
    where
        H: Fn(&str) -> Vec<Vec<u8>>,
        C: Fn() -> u64,
    {
        self.signature_refusal(body, &header, now).is_none()
    }

    /// Returns the first proof that fails, with the reason; `None` if all proofs hold.
    pub fn refusal<H, C>(
        &self,
        path_with_query: &str,
        header: H,
        body: &[u8],
        now: C,
    ) -> Option<Refusal<'_>>
    where
        H: Fn(&str) -> Vec<Vec<u8>>,
        C: Fn() -> u64,
    {
        if !self.path_holds(path_with_query) {
            return Some(Refusal::Path);
        }
        self.header_refusal(&header).or_else(|| self.signature_refusal(body, &header, now))
    }

    fn path_holds(&self, path_with_query: &str) -> bool {
        let path = path_with_query.split(['?', '#']).next().unwrap_or_default();
        let segment = path.rsplit('/').next().unwrap_or_default();
        self.path.as_ref().is_none_or(|secrets| secrets.hold(segment.as_bytes()))
    }

    fn header_refusal<H>(&self, header: &H) -> Option<Refusal<'_>>
    where
        H: Fn(&str) -> Vec<Vec<u8>>,
    {
        let (name, secrets) = self.header.as_ref()?;
        let fault = match one(header, name) {
            Ok(value) if secrets.hold(&value) => return None,
            Ok(_) => Fault::Wrong,
            Err((_, fault)) => fault,
        };
        Some(Refusal::Header(name, fault))
    }

    fn signature_refusal<H, C>(&self, body: &[u8], header: &H, now: C) -> Option<Refusal<'_>>
    where
        H: Fn(&str) -> Vec<Vec<u8>>,
        C: Fn() -> u64,
    {
        let refused = self.signature.as_ref()?.judge(body, header, now).err();
        refused.map(|(name, fault)| Refusal::Header(name, fault))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::webhook::secret::Secret;
    use crate::webhook::signature::{Encoding, Scheme, Signed, Timestamp};

    fn secret<F: From<Secret>>() -> Secrets<F> {
        Secret::new("0123456789abcdef".into()).unwrap().into()
    }

    #[test]
    fn signature_decides_if_key_is_bound() {
        let of = |scheme| {
            let signature = Signature { secrets: secret(), scheme };
            Proofs { signature: Some(signature), ..Proofs::default() }
        };
        let (header, encoding) = ("x-sig".into(), Encoding::Hex);
        let timestamped = of(Scheme::Timestamped { header, encoding, tolerance: None });
        let timestamp = Timestamp { header: "x-at".into(), tolerance: None };
        let signed = Signed::KeyTimestampBody(timestamp);
        let (header, prefix) = ("x-sig".into(), String::new());
        let keyed = of(Scheme::Header { header, prefix, encoding: Encoding::Hex, signed });
        let standard = of(Scheme::StandardWebhooks { tolerance: None });
        let header = Proofs { header: Some(("x-s".into(), secret())), ..Proofs::default() };
        let path = Proofs { path: Some(secret()), ..Proofs::default() };
        let found = [&Proofs::default(), &path, &header, &timestamped, &keyed, &standard]
            .map(|proofs| (proofs.are_set(), proofs.bind_key(), proofs.key_header()));
        let key = "x-idempotency-key";
        let expected = [
            (false, false, key),
            (true, false, key),
            (true, false, key),
            (true, false, key),
            (true, true, key),
            (true, true, "webhook-id"),
        ];
        assert_eq!(found, expected);
    }
}
