//! Salted digest of a request. A journal stores the digest instead of the request.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::names::hex;
use crate::phone::Phone;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// Length of a salt in bytes.
pub const SALT_BYTES: usize = 16;

/// The content of a request to send a message, in a canonical form: equal requests have equal
/// content. `Debug` never shows the content.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Request {
    content: Vec<u8>,
    service: Option<String>,
}

impl fmt::Debug for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Request")
    }
}

impl Request {
    /// Creates a request from the members of a `message-request`; `fields` are the names and values
    /// of further members. All spellings of a phone number give equal requests, because the
    /// interface `messaging` defines their normalization. An invalid number is used unchanged.
    #[must_use]
    pub fn new<'a>(
        phone: &str,
        message: &str,
        device: Option<&str>,
        fields: impl Iterator<Item = (&'a str, &'a str)>,
    ) -> Self {
        let mut content = Vec::new();
        let normalized = Phone::parse(phone);
        put(&mut content, normalized.as_ref().map_or(phone, Phone::as_str));
        put(&mut content, message);
        content.push(u8::from(device.is_some()));
        put(&mut content, device.unwrap_or_default());
        for (name, json) in fields {
            put(&mut content, name);
            put(&mut content, json);
        }
        Self { content, service: None }
    }

    /// Adds the base URL of the service that receives the request.
    #[must_use]
    pub fn with_service(self, base_url: &str) -> Self {
        Self { service: Some(origin(base_url)), ..self }
    }

    /// Returns the digest of the request with this salt.
    #[must_use]
    pub fn digest(&self, salt: [u8; SALT_BYTES]) -> RequestDigest {
        let sum = |bytes: &[u8]| {
            hex::encode(&Sha256::new().chain_update(salt).chain_update(bytes).finalize())
        };
        RequestDigest {
            salt: hex::encode(&salt),
            sha256: sum(&self.content),
            service: self.service.as_ref().map(|service| sum(service.as_bytes())),
        }
    }
}

/// Appends the length of a string, then the string. Without lengths, different lists of strings
/// could have equal bytes.
fn put(content: &mut Vec<u8>, text: &str) {
    let length = u64::try_from(text.len()).unwrap_or(u64::MAX);
    content.extend_from_slice(&length.to_be_bytes());
    content.extend_from_slice(text.as_bytes());
}

/// Normalizes a base URL. Removes differences that do not change the request: letter case of scheme
/// and host, a default port, and a trailing slash.
fn origin(base_url: &str) -> String {
    let (scheme, rest) = base_url.split_once("://").unwrap_or(("", base_url));
    let scheme = scheme.to_ascii_lowercase();
    let rest = rest.strip_suffix('/').unwrap_or(rest);
    let slash = rest.find('/').and_then(|slash| rest.split_at_checked(slash));
    let (authority, path) = slash.unwrap_or((rest, ""));
    let port = if scheme == "http" { ":80" } else { ":443" };
    let authority = authority.strip_suffix(port).unwrap_or(authority).to_ascii_lowercase();
    [&*scheme, "://", &authority, path].concat()
}

/// The salt and the digests of a request. Each key has its own salt. Equal requests under different
/// keys therefore have different digests, and precomputed tables do not help to guess a request.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RequestDigest {
    /// 16 bytes as hexadecimal digits.
    pub salt: String,
    /// SHA-256 of salt and request as hexadecimal digits.
    pub sha256: String,
    /// SHA-256 of salt and base URL as hexadecimal digits; `None` if the sender did not know the
    /// service.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub service: Option<String>,
}

impl RequestDigest {
    /// Returns true if this is a digest of the content of `request`. Ignores the base URL of the
    /// service.
    #[must_use]
    pub fn is_of_content(&self, request: &Request) -> bool {
        let salt = hex::decode(self.salt.as_bytes());
        salt.is_some_and(|salt| self.sha256 == request.digest(salt).sha256)
    }

    /// Returns true if this is the digest of `request`. A malformed digest matches no request.
    /// The base URLs of the services are compared only if both are known.
    #[must_use]
    pub fn is_of(&self, request: &Request) -> bool {
        let Some(salt) = hex::decode(self.salt.as_bytes()) else { return false };
        let other = request.digest(salt);
        let services = self.service.as_ref().zip(other.service.as_ref());
        self.sha256 == other.sha256 && services.is_none_or(|(one, other)| one == other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::string::ToString;

    fn request(
        phone: &str,
        message: &str,
        device: Option<&str>,
        fields: &[(&str, &str)],
    ) -> Request {
        Request::new(phone, message, device, fields.iter().copied())
    }

    #[test]
    fn different_requests_have_different_digests() {
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
    fn salt_changes_digest() {
        let one = request("1", "2", None, &[]);
        assert_ne!(one.digest([0; 16]).sha256, one.digest([1; 16]).sha256);
        assert!(one.digest([0; 16]).is_of(&one) && one.digest([1; 16]).is_of(&one));
        let broken = RequestDigest { salt: "zz".into(), ..one.digest([0; 16]) };
        assert!(!broken.is_of(&one));
        assert_eq!(std::format!("{one:?}"), "Request");
    }

    #[test]
    fn spellings_of_number_have_one_digest() {
        let one = request("+34600111222", "text", None, &[]).digest([7; 16]);
        for (phone, equal) in [
            ("+34 600 111 222", true),
            ("\u{202a}+34-600-111-222\u{202c}", true),
            ("+34600111223", false),
            ("34600111222", false),
            ("+34600111222.0", false),
        ] {
            assert_eq!(one.is_of(&request(phone, "text", None, &[])), equal, "{phone}");
        }
        let invalid = request("600 111", "text", None, &[]).digest([7; 16]);
        assert!(!invalid.is_of(&request("600111", "text", None, &[])));
    }

    #[test]
    fn other_service_is_other_request() {
        let of = |base_url: &str| request("1", "2", None, &[]).with_service(base_url);
        let digest = of("https://api.example/v").digest([7; 16]);
        for (base_url, equal) in [
            ("https://api.example/v", true),
            ("HTTPS://API.example:443/v/", true),
            ("https://api.example", false),
            ("https://api.example/V", false),
            ("https://api.example:8443/v", false),
            ("http://api.example/v", false),
            ("https://api2.example/v", false),
        ] {
            assert_eq!(digest.is_of(&of(base_url)), equal, "{base_url}");
        }
        // A digest or request without a service matches every service.
        assert!(digest.is_of(&request("1", "2", None, &[])));
        assert!(request("1", "2", None, &[]).digest([7; 16]).is_of(&of("https://api.example")));
    }

    #[test]
    fn base_url_is_normalized_as_in_requests() {
        use crate::origin::Origin;
        let all = [
            "https://a",
            "https://A/",
            "http://a",
            "https://a/p/",
            "https://a/p",
            "https://[::1]:1",
        ];
        for one in all {
            for other in all {
                let same = Origin::parse(one).unwrap().to_string()
                    == Origin::parse(other).unwrap().to_string();
                assert_eq!(origin(one) == origin(other), same, "{one} {other}");
            }
        }
    }
}
