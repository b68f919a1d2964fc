//! Requests as a journal knows them: a salted digest, and nothing else of them.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use messaging_names::hex;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// Bytes of a salt.
pub const SALT_BYTES: usize = 16;

/// Everything of a request, in a form that no other request has. Never shown.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Request(Vec<u8>);

impl fmt::Debug for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Request")
    }
}

impl Request {
    /// Takes the fields of a `message-request`; `fields` are the names and values of its further
    /// members.
    #[must_use]
    pub fn new<'a>(
        phone: &str,
        message: &str,
        device: Option<&str>,
        fields: impl Iterator<Item = (&'a str, &'a str)>,
    ) -> Self {
        let mut all = Vec::new();
        put(&mut all, phone);
        put(&mut all, message);
        all.push(u8::from(device.is_some()));
        put(&mut all, device.unwrap_or_default());
        for (name, json) in fields {
            put(&mut all, name);
            put(&mut all, json);
        }
        Self(all)
    }

    /// Returns the digest of it with this salt.
    #[must_use]
    pub fn digest(&self, salt: [u8; SALT_BYTES]) -> RequestDigest {
        let sum = Sha256::new().chain_update(salt).chain_update(&self.0).finalize();
        RequestDigest { salt: hex::encode(&salt), sha256: hex::encode(&sum) }
    }
}

/// A text with its length before it, so that no two lists of texts have the same bytes.
fn put(all: &mut Vec<u8>, text: &str) {
    let length = u64::try_from(text.len()).unwrap_or(u64::MAX);
    all.extend_from_slice(&length.to_be_bytes());
    all.extend_from_slice(text.as_bytes());
}

/// Salt and digest of a request. The salt is of this key alone: equal requests under different keys
/// do not show as equal, and no table made before helps to guess one.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RequestDigest {
    /// 16 bytes as hexadecimal digits.
    pub salt: String,
    /// SHA-256 of salt and request, likewise.
    pub sha256: String,
}

impl RequestDigest {
    /// Whether it is of this request. A digest that is none is of no request.
    #[must_use]
    pub fn is_of(&self, request: &Request) -> bool {
        hex::decode(self.salt.as_bytes()).is_some_and(|salt| request.digest(salt) == *self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(
        phone: &str,
        message: &str,
        device: Option<&str>,
        fields: &[(&str, &str)],
    ) -> Request {
        Request::new(phone, message, device, fields.iter().copied())
    }

    #[test]
    fn requests_that_differ_anywhere_have_different_digests() {
        let all = [
            request("1", "23", None, &[]),
            request("12", "3", None, &[]),
            request("1", "23", Some(""), &[]),
            request("1", "23", Some("a"), &[]),
            request("1", "23", None, &[("a", "")]),
            request("1", "23", None, &[("", "a")]),
            request("1", "23", None, &[("a", ""), ("", "")]),
            request("1", "23", None, &[("a", "1"), ("b", "2")]),
            request("1", "23", None, &[("b", "2"), ("a", "1")]),
        ];
        for (index, one) in all.iter().enumerate() {
            for (other, another) in all.iter().enumerate() {
                assert_eq!(one.digest([7; 16]).is_of(another), index == other);
            }
        }
    }

    #[test]
    fn the_same_request_has_another_digest_with_another_salt() {
        let one = request("1", "2", None, &[]);
        assert_ne!(one.digest([0; 16]).sha256, one.digest([1; 16]).sha256);
        assert!(one.digest([0; 16]).is_of(&one) && one.digest([1; 16]).is_of(&one));
        let broken = RequestDigest { salt: "zz".into(), ..one.digest([0; 16]) };
        assert!(!broken.is_of(&one));
        assert_eq!(std::format!("{one:?}"), "Request");
    }
}
