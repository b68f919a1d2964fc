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
//! signature covers the bytes that its [`Scheme`](crate::signature::Scheme) defines.
//!
//! If the signature does not [bind the key](Proofs::bind_key), an attacker can replay a captured
//! delivery under another key, and each key is another event. If the signature binds the key, a
//! captured delivery is only a duplicate.
//!
//! A tolerance limits the time in which a captured delivery is valid. Without a tolerance, the
//! signature covers the timestamp, but the timestamp is not compared with the clock.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::secret::{Secrets, Shown};
use crate::signature::{Fault, KEY_HEADER, Signature, one};

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
        // Evaluates both, because the duration must not depend on the first result.
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
    use crate::secret::Secret;
    use crate::signature::{Encoding, Scheme, Signed, Timestamp};
    use hmac::{Hmac, KeyInit, Mac};
    use sha2::Sha256;
    use std::format;
    use std::string::ToString;

    fn secret<F: From<Secret>>(text: &str) -> Secrets<F> {
        Secret::new(text.into()).unwrap().into()
    }

    fn headers(all: &[(&str, &str)]) -> impl Fn(&str) -> Vec<Vec<u8>> {
        let all: Vec<(String, Vec<u8>)> =
            all.iter().map(|(name, value)| (name.to_string(), value.as_bytes().to_vec())).collect();
        move |wanted| {
            let same = all.iter().filter(|(name, _)| name == wanted);
            same.map(|(_, value)| value.clone()).collect()
        }
    }

    const LONG: &str = "0123456789abcdef-secret";

    #[test]
    fn path_secret_is_a_proof() {
        let proofs = Proofs { path: Some(secret(LONG)), ..Proofs::default() };
        let holds = |path: &str| proofs.hold_for_head(path, headers(&[]));
        assert!(holds(&format!("/{LONG}")));
        assert!(holds(&format!("/events/{LONG}?a=b/c")));
        for wrong in
            ["", "/", "/events", LONG.get(1..).unwrap(), &format!("/{LONG}/"), &format!("/{LONG}x")]
        {
            assert!(!holds(wrong), "{wrong}");
        }
        assert!(!holds(&format!("/x?{LONG}")) && !holds(&format!("/x?/{LONG}")));
    }

    #[test]
    fn repeated_secret_header_is_rejected() {
        let proofs = Proofs { header: Some(("x-s".into(), secret(LONG))), ..Proofs::default() };
        let holds = |all: &[(&str, &str)]| proofs.hold_for_head("/", headers(all));
        assert!(holds(&[("x-s", LONG)]));
        assert!(!holds(&[]));
        assert!(!holds(&[("x-s", "")]));
        assert!(!holds(&[("x-s", "0123456789abcdef-secreT")]));
        assert!(!holds(&[("x-s", LONG), ("x-s", LONG)]));
        assert!(!holds(&[("x-s", "x"), ("x-s", LONG)]));
    }

    /// Returns proofs with a signature of the key, and a tolerance of 10 seconds.
    fn signed() -> Proofs {
        let timestamp = Timestamp { header: "x-at".into(), tolerance: Some(10) };
        let scheme = Scheme::Header {
            header: "x-sig".into(),
            prefix: String::new(),
            encoding: Encoding::Hex,
            signed: Signed::KeyTimestampBody(timestamp),
        };
        let signature = Signature { secrets: secret(LONG), scheme };
        Proofs { signature: Some(signature), ..Proofs::default() }
    }

    /// Returns the signature of `bytes`, computed with the HMAC primitive.
    fn sign(bytes: &str) -> String {
        let mac = Hmac::<Sha256>::new_from_slice(LONG.as_bytes()).unwrap();
        messaging_names::hex::encode(&mac.chain_update(bytes).finalize().into_bytes())
    }

    const BODY: &str = "{\"id\":\"m-1\"}";

    #[test]
    fn refusal_names_proof_without_value() {
        let proofs = Proofs {
            path: Some(secret(LONG)),
            header: Some(("x-s".into(), secret(LONG))),
            ..signed()
        };
        let path = format!("/{LONG}");
        let signature = sign(&format!("k.1.{BODY}"));
        let right = [("x-s", LONG), ("x-sig", &*signature), (KEY_HEADER, "k"), ("x-at", "1")];
        let at = |now: u64, path: &str, all: &[(&str, &str)]| {
            let refusal = proofs.refusal(path, headers(all), BODY.as_bytes(), || now);
            refusal.map(|refusal| refusal.to_string())
        };
        let said = |path: &str, all: &[(&str, &str)]| at(11, path, all);
        assert_eq!(said(&path, &right), None);
        assert_eq!(said("/canary", &right).unwrap(), "the path's last segment is not the secret");
        for (name, value, expected) in [
            ("x-s", None, "the header x-s is missing"),
            ("x-s", Some("canary"), "the header x-s contains another secret"),
            ("x-sig", Some("canary"), "the header x-sig is malformed"),
            ("x-at", Some("canary"), "the header x-at is malformed"),
            ("x-at", Some("2"), "the header x-sig contains another secret, or the signature"),
            (KEY_HEADER, None, "the header x-idempotency-key is missing"),
        ] {
            let mut all: Vec<_> = right.into_iter().filter(|(other, _)| *other != name).collect();
            all.extend(value.map(|value| (name, value)));
            let said = said(&path, &all).unwrap();
            assert!(said.starts_with(expected) && !said.contains("canary"), "{said}");
        }
        let twice = [right.as_slice(), &[("x-s", LONG)]].concat();
        assert_eq!(said(&path, &twice).unwrap(), "the header x-s is given more than once");
        let late = at(12, &path, &right).unwrap();
        assert!(late.starts_with("the header x-at has a timestamp further from"), "{late}");
    }

    #[test]
    fn every_way_that_is_set_has_to_hold() {
        let proofs = Proofs {
            path: Some(secret(LONG)),
            header: Some(("x-s".into(), secret(LONG))),
            signature: None,
        };
        let path = format!("/{LONG}");
        assert!(proofs.hold_for_head(&path, headers(&[("x-s", LONG)])));
        assert!(!proofs.hold_for_head("/", headers(&[("x-s", LONG)])));
        assert!(!proofs.hold_for_head(&path, headers(&[])));
        assert!(!proofs.hold_for_head("/", headers(&[])));
    }

    #[test]
    fn signature_decides_if_key_is_bound() {
        let of = |scheme| {
            let signature = Signature { secrets: secret(LONG), scheme };
            Proofs { signature: Some(signature), ..Proofs::default() }
        };
        let standard = of(Scheme::StandardWebhooks { tolerance: None });
        let (header, encoding) = ("x-sig".into(), Encoding::Hex);
        let timestamped = of(Scheme::Timestamped { header, encoding, tolerance: None });
        let header = Proofs { header: Some(("x-s".into(), secret(LONG))), ..Proofs::default() };
        let found = [&Proofs::default(), &header, &timestamped, &signed(), &standard]
            .map(|proofs| (proofs.bind_key(), proofs.key_header()));
        let key = "x-idempotency-key";
        let expected =
            [(false, key), (false, key), (false, key), (true, key), (true, "webhook-id")];
        assert_eq!(found, expected);
    }

    #[test]
    fn any_one_way_is_a_way() {
        for proofs in [
            Proofs { path: Some(secret(LONG)), ..Proofs::default() },
            Proofs { header: Some(("x-s".into(), secret(LONG))), ..Proofs::default() },
            signed(),
        ] {
            assert!(proofs.are_set(), "{proofs:?}");
        }
        assert!(!Proofs::default().are_set());
    }
}
