//! Whether a delivery comes from where it should. The service's specification does
//! not show how a receiver finds out (section 5), so there are three ways, and each
//! that is set has to hold.
//!
//! Every comparison takes the same time whatever is wrong, and nothing here says
//! which way failed.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

use crate::hex;

/// What only the sender and this receiver know. Has no `Display`, and its `Debug`
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
    /// A header with the HMAC-SHA256 of the raw body, what stands before the
    /// hexadecimal digits, and the key (RFC 2104, FIPS 180-4).
    pub signature: Option<Signature>,
}

/// Where a signature stands and what it is made with.
#[derive(Clone, Debug)]
pub struct Signature {
    /// The header's name.
    pub header: String,
    /// What stands before the digits.
    pub prefix: String,
    /// The key.
    pub secret: Secret,
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
        let path = path_with_query.split(['?', '#']).next().unwrap_or_default();
        let segment = path.rsplit('/').next().unwrap_or_default();
        let by_path = self.path.as_ref().is_none_or(|secret| secret.is(segment.as_bytes()));
        let by_header = self.header.as_ref().is_none_or(|(name, secret)| {
            // Of several values one could be somebody else's: none counts.
            matches!(header(name).as_slice(), [value] if secret.is(value))
        });
        by_path & by_header
    }

    /// Whether the body is signed, where it has to be.
    pub fn hold_for_body<F>(&self, body: &[u8], header: F) -> bool
    where
        F: Fn(&str) -> Vec<Vec<u8>>,
    {
        self.signature.as_ref().is_none_or(|signature| {
            let values = header(&signature.header);
            let [value] = values.as_slice() else { return false };
            let Some(digits) = value.strip_prefix(signature.prefix.as_bytes()) else {
                return false;
            };
            let Some(given) = hex::decode::<32>(digits) else { return false };
            // An HMAC takes a key of any length.
            Hmac::<Sha256>::new_from_slice(&signature.secret.0)
                .is_ok_and(|mac| mac.chain_update(body).verify(&given.into()).is_ok())
        })
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
        let signature = Signature { header: "x-sig".into(), prefix: "sha256=".into(), secret: key };
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
        let signature =
            Signature { header: "x-sig".into(), prefix: String::new(), secret: secret() };
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
