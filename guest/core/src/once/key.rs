//! The idempotency key of a send.

use alloc::string::String;

/// Maximum length of a key in bytes, as for the key of an event.
const MAX_BYTES: usize = 256;

/// An idempotency key: 1 to 256 characters of visible ASCII. A key identifies the reason for one
/// message, for example `order-17-shipped`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Key(String);

/// The error for a string that is not a valid key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidKey;

impl InvalidKey {
    /// Returns a message for an operator.
    pub fn reason(self) -> &'static str {
        "is not 1 to 256 characters of visible ASCII"
    }
}

impl core::fmt::Display for InvalidKey {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.reason())
    }
}

impl core::error::Error for InvalidKey {}

impl Key {
    /// Creates a key from a caller's string.
    ///
    /// # Errors
    /// Returns `InvalidKey` if `key` is not 1 to 256 characters of visible ASCII.
    pub fn new(key: impl Into<String>) -> Result<Self, InvalidKey> {
        let key = key.into();
        let visible = key.bytes().all(|byte| byte.is_ascii_graphic());
        if key.is_empty() || key.len() > MAX_BYTES || !visible {
            Err(InvalidKey)
        } else {
            Ok(Self(key))
        }
    }

    /// Returns the key as a string.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn key_is_1_to_256_visible_ascii() {
        for good in ["a", "order-17-shipped", "!~", &"k".repeat(256)] {
            assert_eq!(Key::new(good).unwrap().as_str(), good);
        }
        for bad in ["", " ", "a b", "a\n", "é", "a\u{7f}", &"k".repeat(257)] {
            assert_eq!(Key::new(bad), Err(InvalidKey), "{bad}");
        }
    }
}
