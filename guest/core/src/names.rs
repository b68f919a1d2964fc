//! Three encodings: a key as a name for stores that restrict names, a key and its value as one
//! string, and bytes as hexadecimal digits.

pub mod hex;
pub mod keyed;

use alloc::format;
use alloc::string::{String, ToString};

use sha2::{Digest, Sha256};

/// Maximum length in bytes of a key that is used as a name unchanged.
const MAX_PLAIN_BYTES: usize = 100;
/// Maximum length in bytes of the readable part of a name with a digest.
const SLUG_BYTES: usize = 40;

/// Returns the name of a key for stores that restrict names: lower-case letters, digits, `-`, `_`
/// and `=`, at most 110 bytes. Different keys have different names, even if a file system ignores
/// case.
pub fn name(key: &str) -> String {
    let plain =
        |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-_".contains(&byte);
    if key.len() <= MAX_PLAIN_BYTES && !key.is_empty() && key.bytes().all(plain) {
        return key.to_string();
    }
    // A key whose name equals the key contains no `=`, so the two kinds of names differ.
    let slug = key.bytes().map(|byte| byte.to_ascii_lowercase()).filter(|byte| plain(*byte));
    let slug: String = slug.take(SLUG_BYTES).map(char::from).collect();
    format!("{slug}={}", hex::encode(&Sha256::digest(key)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn keys_have_unique_names() {
        assert_eq!(name("evt-1_a"), "evt-1_a");
        let long = "k".repeat(256);
        let tail = |from: usize| long.get(from..).unwrap();
        let keys = [
            "",
            "evt-1",
            "EVT-1",
            "Evt-1",
            "evt.1",
            "evt/1",
            "../evt-1",
            "con",
            "CON",
            ".",
            "..",
            "=",
            "a=b",
            "~",
            "\\",
            "e:1",
            "e*1",
            &long,
            tail(1),
            tail(156),
            tail(157),
        ];
        let names: BTreeSet<_> = keys.iter().map(|key| name(key)).collect();
        assert_eq!(names.len(), keys.len());
        for name in names {
            assert!((1..=110).contains(&name.len()), "{name}");
            let safe = |byte: u8| {
                byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-_=".contains(&byte)
            };
            assert!(name.bytes().all(safe), "{name}");
        }
    }
}
