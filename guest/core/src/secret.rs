//! The API key: copied verbatim into one header, and shown nowhere.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::limits::{MAX_KEY_BYTES, MIN_REDACTED_KEY_BYTES};

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
        !self.occurrences(text).is_empty()
    }

    /// `text` with every repetition of the key replaced, whether it stands there
    /// as it is or with JSON escapes.
    #[must_use]
    pub fn redact(&self, text: String) -> String {
        let occurrences = self.occurrences(&text);
        if occurrences.is_empty() {
            return text;
        }
        let mut clean = String::with_capacity(text.len());
        let mut rest = 0;
        for (start, end) in occurrences {
            clean.push_str(text.get(rest..start).unwrap_or_default());
            clean.push_str(REDACTED);
            rest = end;
        }
        clean.push_str(text.get(rest..).unwrap_or_default());
        clean
    }

    /// Where the key stands in `text`: byte ranges, in order, not overlapping.
    fn occurrences(&self, text: &str) -> Vec<(usize, usize)> {
        let key = self.0.as_str();
        if key.len() < MIN_REDACTED_KEY_BYTES {
            return Vec::new();
        }
        let mut found: Vec<(usize, usize)> =
            text.match_indices(key).map(|(at, key)| (at, at.saturating_add(key.len()))).collect();
        if text.contains('\\') {
            let (plain, origin) = unescape(text);
            let place = |at: usize| origin.get(at).copied().unwrap_or(text.len());
            found.extend(
                plain
                    .match_indices(key)
                    .map(|(at, key)| (place(at), place(at.saturating_add(key.len())))),
            );
            found.sort_unstable();
            found.dedup_by(|later, earlier| {
                let overlap = later.0 < earlier.1;
                if overlap {
                    earlier.1 = earlier.1.max(later.1);
                }
                overlap
            });
        }
        found
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ApiKey([redacted])")
    }
}

/// Resolves JSON's escapes wherever they stand. Returns the plain text and, for
/// each of its bytes, where in `text` it came from.
fn unescape(text: &str) -> (String, Vec<usize>) {
    let mut plain = String::with_capacity(text.len());
    let mut origin = Vec::with_capacity(text.len());
    let mut rest = text;
    let mut at: usize = 0;
    while let Some(first) = rest.chars().next() {
        let (char, width) = match first {
            '\\' => escape(rest).unwrap_or(('\\', 1)),
            other => (other, other.len_utf8()),
        };
        plain.push(char);
        origin.resize(plain.len(), at);
        at = at.saturating_add(width);
        rest = rest.get(width..).unwrap_or_default();
    }
    (plain, origin)
}

/// Reads the escape that `text` begins with: its character and its width in bytes.
fn escape(text: &str) -> Option<(char, usize)> {
    let char = match text.as_bytes().get(1)? {
        b'u' => {
            let unit = |from: usize, to: usize| u32::from_str_radix(text.get(from..to)?, 16).ok();
            let high = unit(2, 6)?;
            if let Some(char) = char::from_u32(high) {
                return Some((char, 6));
            }
            // A surrogate pair: RFC 8259 section 7.
            let low = text.get(6..8).filter(|next| *next == "\\u").and_then(|_| unit(8, 12))?;
            let pair = [u16::try_from(high).ok()?, u16::try_from(low).ok()?];
            return Some((char::decode_utf16(pair).next()?.ok()?, 12));
        }
        b'n' => '\n',
        b't' => '\t',
        b'r' => '\r',
        b'b' => '\u{8}',
        b'f' => '\u{c}',
        byte @ (b'"' | b'\\' | b'/') => char::from(*byte),
        _ => return None,
    };
    Some((char, 2))
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
    fn broken_escapes_are_left_as_they_are() {
        for text in ["\\", "\\u", "\\u12", "\\uZZZZ", "\\ud800", "\\ud800\\u0041", "\\x", "é\\"] {
            assert_eq!(key("canary").redact(text.into()), text);
        }
    }

    #[test]
    fn debug_shows_nothing_of_the_key() {
        assert_eq!(format!("{:?}", key("canary")), "ApiKey([redacted])");
    }

    #[test]
    fn only_what_no_header_can_carry_is_refused() {
        for bad in ["", "a\r", "a\nb", "a\0b", "a\x7f", &"k".repeat(4097)] {
            assert!(ApiKey::new(bad.to_string()).is_err(), "{bad:?}");
        }
        for good in [" spaced ", "schlüssel", "a\tb", "{{secret:x}}", &"k".repeat(4096)] {
            assert_eq!(key(good).reveal(), good);
        }
    }
}
