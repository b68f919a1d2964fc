//! The API key: copied verbatim into one header, and shown nowhere.

use alloc::string::String;
use core::fmt;

use crate::limits::{MAX_KEY_BYTES, MIN_REDACTED_KEY_BYTES};
use crate::wire::json::escape;

/// What stands where the key stood.
pub const REDACTED: &str = "[redacted]";

/// An API key (section 5). `Debug` is redacted; there is no `Display` and no
/// serialisation.
///
/// It is never trimmed, checked for a format, or hashed: an engine may hand the
/// plugin a placeholder that only the engine can replace.
#[derive(Clone, PartialEq, Eq)]
pub struct ApiKey(String);

impl ApiKey {
    /// Takes a key that can be a header's value.
    ///
    /// # Errors
    /// Says why it cannot: empty, longer than 4 KiB, or with a control character
    /// (RFC 9110 section 5.5).
    pub fn new(key: String) -> Result<Self, &'static str> {
        if key.is_empty() {
            return Err("is empty");
        }
        if key.len() > MAX_KEY_BYTES {
            return Err("is longer than 4096 bytes");
        }
        if key.bytes().any(|byte| (byte < 0x20 && byte != b'\t') || byte == 0x7f) {
            return Err(
                "holds a control character (a line break, perhaps), which no header can carry",
            );
        }
        Ok(Self(key))
    }

    /// The key itself, for the `Token` header and for nothing else.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// Whether `text` repeats the key, as it is or with JSON escapes.
    #[must_use]
    pub fn occurs_in(&self, text: &str) -> bool {
        self.find(text).is_some()
    }

    /// `text` with every repetition of the key replaced, whether it stands there
    /// as it is or with JSON escapes.
    #[must_use]
    pub fn redact(&self, text: String) -> String {
        let mut rest = text.as_str();
        let mut clean = String::new();
        while let Some((before, after)) = self.find(rest) {
            clean.push_str(before);
            clean.push_str(REDACTED);
            rest = after;
        }
        if clean.is_empty() {
            return text;
        }
        clean.push_str(rest);
        clean
    }

    /// `text` without the key or its beginning at its end: what broke off within the key.
    #[must_use]
    pub fn trim_end<'t>(&self, text: &'t str) -> &'t str {
        if self.0.len() < MIN_REDACTED_KEY_BYTES {
            return text;
        }
        // The longest first.
        let mut beginnings = (1..=self.0.len()).rev().filter_map(|end| self.0.get(..end));
        beginnings.find_map(|beginning| text.strip_suffix(beginning)).unwrap_or(text)
    }

    /// What stands before and after the key's first repetition in `text`. Takes no
    /// memory: the text can be as large as a reply.
    fn find<'t>(&self, text: &'t str) -> Option<(&'t str, &'t str)> {
        if self.0.len() < MIN_REDACTED_KEY_BYTES {
            return None;
        }
        let first = *self.0.as_bytes().first()?;
        let begins = |&(_, byte): &(usize, u8)| byte == first || byte == b'\\';
        text.bytes().enumerate().filter(begins).find_map(|(at, _)| {
            let (before, from) = text.split_at_checked(at)?;
            let after = from.strip_prefix(self.0.as_str()).or_else(|| self.strip_escaped(from))?;
            Some((before, after))
        })
    }

    /// `text` without the key that it begins with, written with JSON escapes.
    fn strip_escaped<'t>(&self, text: &'t str) -> Option<&'t str> {
        self.0.chars().try_fold(text, |rest, expected| {
            if rest.starts_with('\\') {
                let (char, width) = escape(rest)?;
                rest.get(width..).filter(|_| char == expected)
            } else {
                rest.strip_prefix(expected)
            }
        })
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ApiKey([redacted])")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;
    use alloc::string::ToString;

    fn key(text: &str) -> ApiKey {
        ApiKey::new(text.to_string()).unwrap()
    }

    #[test]
    fn the_key_is_replaced_however_json_spells_it() {
        let key = key("can/ary\"1");
        for echo in [
            "can/ary\"1",
            "can/ary\\\"1",
            "can\\/ary\\\"1",
            "c\\u0061n/ary\\\"1",
            "\\u0063\\u0061\\u006e\\u002f\\u0061\\u0072\\u0079\\u0022\\u0031",
        ] {
            let text = format!("{{\"m\":\"bad key {echo}!\"}} {echo}");
            assert_eq!(key.redact(text), "{\"m\":\"bad key [redacted]!\"} [redacted]", "{echo}");
        }
    }

    #[test]
    fn a_key_outside_the_basic_plane_is_found_behind_surrogates() {
        assert_eq!(key("k😀ey").redact("a k\\ud83d\\ude00ey b".into()), "a [redacted] b");
    }

    #[test]
    fn overlapping_repetitions_leave_nothing() {
        let clean = key("abab").redact("xabababx \\n".into());
        assert!(!clean.contains("abab"), "{clean}");
    }

    #[test]
    fn a_key_that_a_text_broke_off_within_is_trimmed() {
        let key = key("kéy-key");
        for (text, trimmed) in [
            ("bad kéy-ke", "bad "),
            ("bad kéy-k", "bad "),
            ("bad k", "bad "),
            ("bad kéy-key", "bad "),
            ("bad", "bad"),
            ("", ""),
        ] {
            assert_eq!(key.trim_end(text), trimmed);
        }
        assert_eq!(ApiKey::new("key".into()).unwrap().trim_end("bad ke"), "bad ke");
        assert_eq!(ApiKey::new("keys".into()).unwrap().trim_end("bad ke"), "bad ");
    }

    #[test]
    fn broken_escapes_are_left_as_they_are() {
        for text in ["\\", "\\u", "\\u12", "\\uZZZZ", "\\ud800", "\\ud800\\u0041", "\\x", "é\\"] {
            assert_eq!(key("canary").redact(text.into()), text);
        }
    }

    #[test]
    fn what_is_too_short_to_be_a_secret_is_left_in_ordinary_text() {
        assert_eq!(key("the").redact("in the end".into()), "in the end");
        assert_eq!(key("then").redact("and then, \\then".into()), "and [redacted], \\[redacted]");
    }

    #[test]
    fn debug_shows_nothing_of_the_key() {
        assert_eq!(format!("{:?}", key("canary")), "ApiKey([redacted])");
    }

    #[test]
    fn only_what_no_header_can_carry_is_refused() {
        for bad in ["", "a\r", "a\nb", "a\0b", "a\x1f", "a\x7f", &"k".repeat(4097)] {
            assert!(ApiKey::new(bad.to_string()).is_err(), "{bad:?}");
        }
        for good in [" spaced ", "schlüssel", "a\tb", "{{secret:x}}", &"k".repeat(4096)] {
            assert_eq!(key(good).reveal(), good);
        }
    }
}
