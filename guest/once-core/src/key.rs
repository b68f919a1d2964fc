//! The caller's key.

use alloc::string::String;

/// Longest key, as that of an event.
const MAX_BYTES: usize = 256;

/// A key that stands for the reason of one message: 1 to 256 characters of visible ASCII.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Key(String);

/// A text that is no key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidKey;

impl InvalidKey {
    /// Says what a key is, for a person.
    #[must_use]
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
    /// Takes a caller's text.
    ///
    /// # Errors
    /// It is no key.
    pub fn new(key: impl Into<String>) -> Result<Self, InvalidKey> {
        let key = key.into();
        let visible = key.bytes().all(|byte| byte.is_ascii_graphic());
        if key.is_empty() || key.len() > MAX_BYTES || !visible {
            Err(InvalidKey)
        } else {
            Ok(Self(key))
        }
    }

    /// Returns it as it was given.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_visible_ascii_of_1_to_256_characters() {
        for good in ["a", "order-17-shipped", "!~", &"k".repeat(256)] {
            assert_eq!(Key::new(good).unwrap().as_str(), good);
        }
        for bad in ["", " ", "a b", "a\n", "é", "a\u{7f}", &"k".repeat(257)] {
            assert_eq!(Key::new(bad), Err(InvalidKey), "{bad}");
        }
    }
}
