//! Whether a delivery comes from where it should. The service's specification does
//! not show how a receiver finds out (section 5), so there are three ways, and each
//! that is set has to hold.
//!
//! Every comparison takes the same time whatever is wrong, and the sender is never told
//! which way failed; [`Proofs::refusal`] tells who runs the webhook.
//!
//! # What a proof does not prove
//!
//! A secret in the path or in a header says who sent the request, and binds nothing of
//! it. A signature binds what it is made over, which [`Signed`] says: with
//! [`Signed::Body`] and [`Signed::TimestampBody`] it does not bind the idempotency key, so
//! whoever has seen one signed delivery can repeat its body under another key, and each
//! key is another event. With [`Signed::KeyTimestampBody`] a repetition has the same key,
//! and changes nothing. The timestamp is bound and not judged: without a clock of days no
//! delivery is too old.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

use crate::hex;

/// A secret that only the sender and this receiver know. Has no `Display`, and its `Debug`
/// shows nothing of it.
#[derive(Clone)]
pub struct Secret(Vec<u8>);

impl Secret {
    /// Fewest bytes: what is shorter can be guessed.
    pub const MIN_BYTES: usize = 16;
    /// Most bytes.
    pub const MAX_BYTES: usize = 4096;

    /// A secret of these bytes, if their number is within the bounds.
    #[must_use]
    pub fn new(bytes: Vec<u8>) -> Option<Self> {
        (Self::MIN_BYTES..=Self::MAX_BYTES).contains(&bytes.len()).then_some(Self(bytes))
    }

    /// Compares digests: neither the time taken nor its length says where a guess differs.
    fn is(&self, given: &[u8]) -> bool {
        Sha256::digest(&self.0).ct_eq(&Sha256::digest(given)).into()
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret([redacted])")
    }
}

/// The ways in which a delivery proves its origin.
#[derive(Clone, Debug, Default)]
pub struct Proofs {
    /// The last segment of the request's path.
    pub path: Option<Secret>,
    /// A header, and its value.
    pub header: Option<(String, Secret)>,
    /// A header with an HMAC-SHA256 (RFC 2104, FIPS 180-4).
    pub signature: Option<Signature>,
}

/// Header of a signature, and how it is made.
#[derive(Clone, Debug)]
pub struct Signature {
    /// The header's name.
    pub header: String,
    /// Text before the digits.
    pub prefix: String,
    /// Key of the HMAC.
    pub secret: Secret,
    /// The signed bytes.
    pub signed: Signed,
}

/// The bytes that a signature covers.
///
/// Parts are joined by `.`. A timestamp is 1 to 20 digits and a body is a JSON object, so
/// no two deliveries are signed by the same bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Signed {
    /// The raw body. The idempotency key is not bound: see the [module](self).
    Body,
    /// The timestamp and the raw body. The idempotency key is not bound.
    TimestampBody {
        /// The header with the timestamp: the seconds since 1970.
        timestamp: String,
    },
    /// The idempotency key, the timestamp and the raw body.
    KeyTimestampBody {
        /// The header with the timestamp: the seconds since 1970.
        timestamp: String,
    },
}

/// Reason why a delivery does not prove its origin, for whoever runs the webhook. Contains no
/// value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal<'a> {
    /// The last segment of the path is not the secret.
    Path,
    /// The header of this name is not what it has to be.
    Header(&'a str, Fault),
}

/// The problem with a header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It is not there.
    Missing,
    /// It is there more than once.
    Repeated,
    /// It is not of the form that it has to have.
    Malformed,
    /// It is not the secret, or not the signature of this delivery.
    Wrong,
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
            Fault::Wrong => "contains another secret, or the signature of something else",
        };
        write!(f, "the header {name} {fault}")
    }
}

impl Proofs {
    /// Whether any way is set.
    #[must_use]
    pub fn are_set(&self) -> bool {
        self.path.is_some() || self.header.is_some() || self.signature.is_some()
    }

    /// Whether the request's path and headers hold what they have to. `header`
    /// gives all values of the header of a name.
    pub fn hold_for_head<F>(&self, path_with_query: &str, header: F) -> bool
    where
        F: Fn(&str) -> Vec<Vec<u8>>,
    {
        // Both are looked at, whatever the first one says.
        self.path_holds(path_with_query) & self.header_refusal(&header).is_none()
    }

    /// Whether the delivery is signed, where it has to be.
    pub fn hold_for_body<F>(&self, body: &[u8], header: F) -> bool
    where
        F: Fn(&str) -> Vec<Vec<u8>>,
    {
        self.signature_refusal(body, &header).is_none()
    }

    /// The first way that does not hold, and what is wrong with it; none where all hold.
    pub fn refusal<F>(&self, path_with_query: &str, header: F, body: &[u8]) -> Option<Refusal<'_>>
    where
        F: Fn(&str) -> Vec<Vec<u8>>,
    {
        if !self.path_holds(path_with_query) {
            return Some(Refusal::Path);
        }
        self.header_refusal(&header).or_else(|| self.signature_refusal(body, &header))
    }

    fn path_holds(&self, path_with_query: &str) -> bool {
        let path = path_with_query.split(['?', '#']).next().unwrap_or_default();
        let segment = path.rsplit('/').next().unwrap_or_default();
        self.path.as_ref().is_none_or(|secret| secret.is(segment.as_bytes()))
    }

    fn header_refusal<F>(&self, header: &F) -> Option<Refusal<'_>>
    where
        F: Fn(&str) -> Vec<Vec<u8>>,
    {
        let (name, secret) = self.header.as_ref()?;
        let fault = match single(&header(name)) {
            Ok(value) if secret.is(value) => return None,
            Ok(_) => Fault::Wrong,
            Err(fault) => fault,
        };
        Some(Refusal::Header(name, fault))
    }

    fn signature_refusal<F>(&self, body: &[u8], header: &F) -> Option<Refusal<'_>>
    where
        F: Fn(&str) -> Vec<Vec<u8>>,
    {
        let signature = self.signature.as_ref()?;
        let refused = signature.judge(body, header).err();
        refused.map(|(name, fault)| Refusal::Header(name, fault))
    }
}

impl Signature {
    /// Whether it is that of the delivery; if not, which header is wrong.
    fn judge<F>(&self, body: &[u8], header: &F) -> Result<(), (&str, Fault)>
    where
        F: Fn(&str) -> Vec<Vec<u8>>,
    {
        let values = header(&self.header);
        let value = single(&values).map_err(|fault| (&*self.header, fault))?;
        let digits = value.strip_prefix(self.prefix.as_bytes()).and_then(hex::decode::<32>);
        let given = digits.ok_or((&*self.header, Fault::Malformed))?;
        // An HMAC takes a key of any length.
        let mac = Hmac::<Sha256>::new_from_slice(&self.secret.0);
        let mut mac = mac.map_err(|_| (&*self.header, Fault::Wrong))?;
        let timestamp = match &self.signed {
            Signed::Body => None,
            Signed::TimestampBody { timestamp } => Some(timestamp),
            Signed::KeyTimestampBody { timestamp } => {
                let values = header(KEY_HEADER);
                let key = single(&values).map_err(|fault| (KEY_HEADER, fault))?;
                mac.update(key);
                mac.update(b".");
                Some(timestamp)
            }
        };
        if let Some(name) = timestamp {
            let values = header(name);
            let name = name.as_str();
            let value = single(&values).map_err(|fault| (name, fault))?;
            let digits = (1..=20).contains(&value.len()) && value.iter().all(u8::is_ascii_digit);
            if !digits {
                return Err((name, Fault::Malformed));
            }
            mac.update(value);
            mac.update(b".");
        }
        mac.update(body);
        mac.verify(&given.into()).map_err(|_| (&*self.header, Fault::Wrong))
    }
}

/// The header with the idempotency key (section 6.1 of the specification).
const KEY_HEADER: &str = "x-idempotency-key";

/// The one value of a header. Of several one could be somebody else's: none counts.
fn single(values: &[Vec<u8>]) -> Result<&[u8], Fault> {
    match values {
        [] => Err(Fault::Missing),
        [value] => Ok(value),
        _ => Err(Fault::Repeated),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::format;
    use std::string::ToString;
    use std::vec;

    fn secret(text: &str) -> Secret {
        Secret::new(text.into()).unwrap()
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
    fn the_last_segment_of_the_path_is_a_proof() {
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
    fn one_header_with_the_secret_is_a_proof_and_two_are_none() {
        let proofs = Proofs { header: Some(("x-s".into(), secret(LONG))), ..Proofs::default() };
        let holds = |all: &[(&str, &str)]| proofs.hold_for_head("/", headers(all));
        assert!(holds(&[("x-s", LONG)]));
        assert!(!holds(&[]));
        assert!(!holds(&[("x-s", "")]));
        assert!(!holds(&[("x-s", "0123456789abcdef-secreT")]));
        assert!(!holds(&[("x-s", LONG), ("x-s", LONG)]));
        assert!(!holds(&[("x-s", "x"), ("x-s", LONG)]));
    }

    /// RFC 4231, test case 6 (a key longer than a block).
    #[test]
    fn a_signature_is_the_hmac_of_the_raw_body() {
        let key = Secret::new(vec![0xaa; 131]).unwrap();
        let body = b"Test Using Larger Than Block-Size Key - Hash Key First";
        let digits = "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54";
        let signature = Signature {
            header: "x-sig".into(),
            prefix: "sha256=".into(),
            secret: key,
            signed: Signed::Body,
        };
        let proofs = Proofs { signature: Some(signature), ..Proofs::default() };
        let holds =
            |body: &[u8], value: &str| proofs.hold_for_body(body, headers(&[("x-sig", value)]));
        assert!(holds(body, &format!("sha256={digits}")));
        assert!(holds(body, &format!("sha256={}", digits.to_uppercase())));
        assert!(!holds(b"test", &format!("sha256={digits}")));
        for wrong in
            [digits, "", "sha256=", &format!("sha256={digits}0"), &format!("sha1={digits}")]
        {
            assert!(!holds(body, wrong), "{wrong}");
        }
        assert!(!proofs.hold_for_body(body, headers(&[])));
        let twice = format!("sha256={digits}");
        assert!(!proofs.hold_for_body(body, headers(&[("x-sig", &twice), ("x-sig", &twice)])));
    }

    fn signed(signed: Signed) -> Proofs {
        let header = "x-sig".into();
        let signature = Signature { header, prefix: String::new(), secret: secret(LONG), signed };
        Proofs { signature: Some(signature), ..Proofs::default() }
    }

    /// The signature of these bytes, by the primitive itself.
    fn sign(bytes: &str) -> String {
        let mac = Hmac::<Sha256>::new_from_slice(LONG.as_bytes()).unwrap();
        hex::encode(&mac.chain_update(bytes).finalize().into_bytes())
    }

    const BODY: &str = "{\"id\":\"m-1\"}";

    #[test]
    fn a_signature_over_the_key_lets_no_body_in_under_another_key() {
        let timestamp = || "x-at".to_string();
        let of_body = signed(Signed::Body);
        let of_time = signed(Signed::TimestampBody { timestamp: timestamp() });
        let of_key = signed(Signed::KeyTimestampBody { timestamp: timestamp() });
        for (proofs, bytes, other_key, other_time, other_body) in [
            // Guarantees that a signature of the body alone does not give.
            (&of_body, BODY.to_string(), true, true, false),
            (&of_time, format!("17.{BODY}"), true, false, false),
            (&of_key, format!("evt-1.17.{BODY}"), false, false, false),
        ] {
            let signature = sign(&bytes);
            let holds = |key: &str, at: &str, body: &str| {
                let all = [("x-sig", &*signature), (KEY_HEADER, key), ("x-at", at)];
                proofs.hold_for_body(body.as_bytes(), headers(&all))
            };
            assert!(holds("evt-1", "17", BODY), "{bytes}");
            assert_eq!(holds("evt-2", "17", BODY), other_key, "{bytes}");
            assert_eq!(holds("evt-1", "18", BODY), other_time, "{bytes}");
            assert_eq!(holds("evt-1", "17", "{}"), other_body, "{bytes}");
        }
    }

    #[test]
    fn no_two_deliveries_are_signed_by_the_same_bytes() {
        let proofs = signed(Signed::KeyTimestampBody { timestamp: "x-at".into() });
        let signature = sign(&format!("a.1.2.{BODY}"));
        let holds = |key: &str, at: &str, body: &str| {
            let all = [("x-sig", &*signature), (KEY_HEADER, key), ("x-at", at)];
            proofs.hold_for_body(body.as_bytes(), headers(&all))
        };
        assert!(holds("a.1", "2", BODY));
        // No timestamp, and no JSON object, which the parser refuses.
        assert!(!holds("a", "1.2", BODY));
        assert!(holds("a", "1", &format!("2.{BODY}")));
        for at in ["", "-2", "2 ", "2e0", "000000000000000000002"] {
            assert!(!holds("a.1", at, BODY), "{at:?}");
        }
        let all = [("x-sig", &*signature), (KEY_HEADER, "a.1"), (KEY_HEADER, "b"), ("x-at", "2")];
        assert!(!proofs.hold_for_body(BODY.as_bytes(), headers(&all)));
        assert!(!proofs.hold_for_body(BODY.as_bytes(), headers(&[("x-sig", &*signature)])));
    }

    #[test]
    fn a_refusal_names_the_proof_and_shows_no_value() {
        let proofs = Proofs {
            path: Some(secret(LONG)),
            header: Some(("x-s".into(), secret(LONG))),
            ..signed(Signed::KeyTimestampBody { timestamp: "x-at".into() })
        };
        let path = format!("/{LONG}");
        let signature = sign(&format!("k.1.{BODY}"));
        let right = [("x-s", LONG), ("x-sig", &*signature), (KEY_HEADER, "k"), ("x-at", "1")];
        let said = |path: &str, all: &[(&str, &str)]| {
            let refusal = proofs.refusal(path, headers(all), BODY.as_bytes());
            refusal.map(|refusal| refusal.to_string())
        };
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
    fn any_one_way_is_a_way() {
        let secret = || secret(LONG);
        let signature = Signature {
            header: "x-sig".into(),
            prefix: String::new(),
            secret: secret(),
            signed: Signed::Body,
        };
        for proofs in [
            Proofs { path: Some(secret()), ..Proofs::default() },
            Proofs { header: Some(("x-s".into(), secret())), ..Proofs::default() },
            Proofs { signature: Some(signature), ..Proofs::default() },
        ] {
            assert!(proofs.are_set(), "{proofs:?}");
        }
        assert!(!Proofs::default().are_set());
    }

    #[test]
    fn a_secret_is_neither_short_nor_seen() {
        assert!(Secret::new(vec![1; 15]).is_none());
        assert!(Secret::new(vec![1; 4097]).is_none());
        assert!(Secret::new(vec![1; 16]).is_some() && Secret::new(vec![1; 4096]).is_some());
        assert_eq!(format!("{:?}", secret(LONG)), "Secret([redacted])");
    }
}
