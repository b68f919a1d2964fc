//! The API key, which is sent in one header and redacted everywhere else.

use alloc::string::String;
use core::fmt;
use core::ops::Range;

use crate::error::InvalidKey;
use crate::limits::{MAX_KEY_BYTES, MIN_REDACTED_KEY_BYTES};
use crate::wire::json::{Character, End, character};

/// Replacement for the API key in redacted text.
pub const REDACTED: &str = "[redacted]";

/// Number of spellings of the key that are searched: without JSON escapes (RFC 8259 section 7), and
/// with one, two or three layers of escapes.
const DEPTHS: usize = 4;

/// An API key (section 5). `Debug` is redacted. Implements neither `Display` nor serialization.
///
/// The key is never trimmed, hashed or checked for a format, because it may be a placeholder that
/// an engine replaces.
#[derive(Clone, PartialEq, Eq)]
pub struct ApiKey(String);

/// A match of the key in a byte string.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// The range of a complete match.
    Whole(Range<usize>),
    /// The start of a partial match that reaches the end of the bytes.
    Beginning(usize),
}

/// The result of comparing the start of a byte string with the key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PrefixMatch {
    /// The bytes start with the key. Holds the number of bytes of the match.
    Whole(usize),
    /// The bytes are too short for a decision.
    Maybe,
    /// The bytes do not start with the key.
    Otherwise,
}

/// State of a comparison that continues when more bytes arrive, without comparing the earlier bytes
/// again. Holds, for each number of escape layers, the number of compared bytes and the number of
/// matched bytes of the key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Progress([Option<(usize, usize)>; DEPTHS]);

/// The work that is left for a search. A text that repeats the first bytes of a key, such as `aaaa`
/// for the key `aaab`, would take time in proportion to its length times the length of the key.
#[derive(Debug, Default)]
pub struct Effort(usize);

/// Number of matched bytes for each byte of text, after which a search gives up. Ordinary text stays
/// below 1.
const MATCHED_BYTES: usize = 16;

impl Effort {
    /// Adds the work for `length` further bytes of text.
    pub const fn add(&mut self, length: usize) {
        self.0 = self.0.saturating_add(length.saturating_mul(MATCHED_BYTES));
    }
}

impl Default for Progress {
    fn default() -> Self {
        Self([Some((0, 0)); DEPTHS])
    }
}

impl ApiKey {
    /// Creates a key from a valid header value.
    ///
    /// # Errors
    /// Returns `InvalidKey` if `key` is empty, is longer than 4 KiB, or contains a control
    /// character or a non-ASCII character. Services strip non-ASCII characters or read them in
    /// another charset, and then an echo of the key would not be found.
    ///
    /// Returns `InvalidKey` if `key` starts or ends with white space, because recipients remove
    /// white space there (RFC 9110 section 5.5).
    pub fn new(key: String) -> Result<Self, InvalidKey> {
        if key.is_empty() {
            return Err(InvalidKey("is empty"));
        }
        if key.len() > MAX_KEY_BYTES {
            return Err(InvalidKey("is longer than 4096 bytes"));
        }
        if key.bytes().any(|byte| (byte < 0x20 && byte != b'\t') || byte >= 0x7f) {
            return Err(InvalidKey(
                "contains a control character, such as a line break, or a character outside ASCII",
            ));
        }
        if key.trim_ascii().len() != key.len() {
            return Err(InvalidKey("begins or ends with white space"));
        }
        Ok(Self(key))
    }

    /// Returns the key. Use it only for the header that carries the key.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// Returns true if `text` contains the key, with or without JSON escapes.
    #[must_use]
    pub fn occurs_in(&self, text: &str) -> bool {
        self.find(text.as_bytes(), false, &mut self.effort(text.len())).is_some()
    }

    /// Replaces each occurrence of the key in `text`, with or without JSON escapes.
    #[must_use]
    pub fn redact(&self, text: String) -> String {
        let mut rest = text.as_str();
        let mut clean = String::new();
        let mut effort = self.effort(rest.len());
        while let Some(Found::Whole(range)) = self.find(rest.as_bytes(), false, &mut effort) {
            clean.push_str(rest.get(..range.start).unwrap_or_default());
            clean.push_str(REDACTED);
            rest = rest.get(range.end..).unwrap_or_default();
        }
        if clean.is_empty() {
            return text;
        }
        clean.push_str(rest);
        clean
    }

    /// Replaces each occurrence of the key in `text`, and then cuts the text to at most `max`
    /// bytes, at a character boundary. A cut before the replacement could leave a part of the key
    /// at the end.
    #[must_use]
    pub fn redact_within(&self, text: String, max: usize) -> String {
        let mut text = self.redact(text);
        text.truncate(text.floor_char_boundary(max));
        text
    }

    /// Returns `bytes` without a partial match of the key at the end.
    #[must_use]
    pub fn before_cut<'b>(&self, bytes: &'b [u8]) -> &'b [u8] {
        let mut from = 0;
        let mut effort = self.effort(bytes.len());
        while let Some(rest) = bytes.get(from..) {
            match self.find(rest, true, &mut effort) {
                Some(Found::Whole(range)) if effort.0 > 0 => from = from.saturating_add(range.end),
                Some(Found::Whole(Range { start: at, .. }) | Found::Beginning(at)) => {
                    return bytes.get(..from.saturating_add(at)).unwrap_or_default();
                }
                None => break,
            }
        }
        bytes
    }

    /// Returns `bytes`, an apparently complete body, without a partial match of the key at the end.
    /// If a body has no declared length, a closed connection looks like the end of the body.
    /// Keeps a match that is too short to reveal the key.
    #[must_use]
    pub fn before_end<'b>(&self, bytes: &'b [u8]) -> &'b [u8] {
        let before = self.before_cut(bytes);
        let left = bytes.len().saturating_sub(before.len());
        if left < MIN_REDACTED_KEY_BYTES { bytes } else { before }
    }

    /// Returns the work for a search in `length` bytes.
    #[must_use]
    pub fn effort(&self, length: usize) -> Effort {
        // The key itself can have three layers of escapes.
        let mut effort = Effort(self.0.len().saturating_mul(1 << 10));
        effort.add(length);
        effort
    }

    /// Returns the first match of the key in `bytes`. If `more` is true, more bytes may follow, and
    /// a partial match at the end counts. Returns `None` for a key that is too short to be a
    /// secret.
    ///
    /// If `effort` is used up, the rest of `bytes` counts as a match.
    #[must_use]
    pub fn find(&self, bytes: &[u8], more: bool, effort: &mut Effort) -> Option<Found> {
        if self.0.len() < MIN_REDACTED_KEY_BYTES {
            return None;
        }
        let first = *self.0.as_bytes().first()?;
        let begins = |&(_, byte): &(usize, &u8)| *byte == first || *byte == b'\\';
        bytes.iter().enumerate().filter(begins).find_map(|(at, _)| {
            if effort.0 == 0 {
                return Some(Found::Whole(at..bytes.len()));
            }
            let rest = bytes.get(at..)?;
            let mut found = None;
            for depth in 0..DEPTHS {
                let mut matched = (0, 0);
                let read = self.read(rest, depth, &mut matched);
                effort.0 = effort.0.saturating_sub(matched.0);
                match read {
                    // Prefers the match with the fewest escape layers. It is the shortest match, so
                    // the result does not depend on how the bytes are divided into chunks.
                    Ok(width) => return Some(Found::Whole(at..at.saturating_add(width))),
                    Err(End::Early) if more => found = Some(Found::Beginning(at)),
                    Err(_) => {}
                }
            }
            found
        })
    }

    /// Compares the start of `bytes` with the key. `progress` is new, or is from a comparison of a
    /// shorter prefix of `bytes`.
    #[must_use]
    pub fn begins(&self, bytes: &[u8], progress: &mut Progress) -> PrefixMatch {
        let mut result = PrefixMatch::Otherwise;
        for (depth, reading) in progress.0.iter_mut().enumerate() {
            let Some(from) = reading else { continue };
            match self.read(bytes, depth, from) {
                Ok(width) => return PrefixMatch::Whole(width),
                Err(End::Early) => result = PrefixMatch::Maybe,
                Err(End::Wrong) => *reading = None,
            }
        }
        result
    }

    /// Returns the length of the key at the start of `bytes`, with `depth` layers of JSON escapes.
    /// Skips the part that `from` counts as matched, and updates `from`.
    fn read(&self, bytes: &[u8], depth: usize, from: &mut (usize, usize)) -> Result<usize, End> {
        let mut rest = bytes.get(from.0..).unwrap_or_default().iter();
        while let Some(wanted) = self.0.as_bytes().get(from.1..).filter(|rest| !rest.is_empty()) {
            let mut text = [0; 4];
            let text = match character(&mut rest, depth)? {
                Character::Plain(byte) => {
                    text = [byte; 4];
                    text.get(..1).unwrap_or_default()
                }
                Character::Escaped(char) => char.encode_utf8(&mut text).as_bytes(),
            };
            if !wanted.starts_with(text) {
                return Err(End::Wrong);
            }
            from.0 = bytes.len().saturating_sub(rest.len());
            from.1 = from.1.saturating_add(text.len());
        }
        Ok(from.0)
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
    use alloc::vec::Vec;

    fn key(text: &str) -> ApiKey {
        ApiKey::new(text.to_string()).unwrap()
    }

    #[test]
    fn key_is_replaced_however_json_spells_it() {
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
    fn overlapping_repetitions_leave_nothing() {
        let clean = key("abab").redact("xabababx \\n".into());
        assert!(!clean.contains("abab"), "{clean}");
    }

    #[test]
    fn partial_key_at_cut_is_removed() {
        let before_cut = |key: &ApiKey, text: &str| {
            let bytes = text.as_bytes();
            // Includes cuts within an escape.
            (0..=bytes.len()).map(|cut| key.before_cut(&bytes[..cut]).to_vec()).collect::<Vec<_>>()
        };
        let key = key("key-kex");
        for repeated in ["key-kex", "k\\u0065y-\\u006bex", "\\\\u006b\\u0065y-kex"] {
            let text = ["bad ", repeated].concat();
            let cuts = before_cut(&key, &text);
            let (whole, cut) = cuts.split_last().unwrap();
            assert_eq!(whole, text.as_bytes());
            for (length, left) in cut.iter().enumerate() {
                assert_eq!(left, &text.as_bytes()[..length.min(4)], "{repeated} at {length}");
            }
        }
        assert_eq!(key.before_cut(b"kkey-kexk"), b"kkey-kex");
        assert_eq!(ApiKey::new("key".into()).unwrap().before_cut(b"bad ke"), b"bad ke");
        assert_eq!(ApiKey::new("keys".into()).unwrap().before_cut(b"bad ke"), b"bad ");
    }

    #[test]
    fn search_in_repetitions_masks_the_rest() {
        let ends_in_b = key(&format!("{}b", "a".repeat(4095)));
        let text = format!("{} end", "a".repeat(1 << 16));
        let clean = ends_in_b.redact(text.clone());
        assert!(clean.len() < text.len() && clean.ends_with(REDACTED), "{}", clean.len());
        assert!(ends_in_b.before_cut(text.as_bytes()).len() < text.len());
        let ordinary = key("sk_live_0123456789");
        let text = "sk_live_012345678 sk_live_012345679 ".repeat(1 << 14);
        assert_eq!(ordinary.redact(text.clone()), text);
        let text = "sk_live_0123456789 ".repeat(1 << 14);
        assert_eq!(ordinary.redact(text).matches(REDACTED).count(), 1 << 14);
    }

    #[test]
    fn incremental_search_equals_whole_search() {
        let key = key("ab\\ab\"");
        for text in ["ab\\ab\"", "ab\\\\ab\\\"", "\\u0061b\\\\ab\\u0022", "ab\\abc", "ab\\\\abc"] {
            let mut progress = Progress::default();
            for end in 0..=text.len() {
                let bytes = &text.as_bytes()[..end];
                let read_on = key.begins(bytes, &mut progress);
                assert_eq!(read_on, key.begins(bytes, &mut Progress::default()), "{text} at {end}");
                if read_on != PrefixMatch::Maybe {
                    break;
                }
            }
        }
    }

    #[test]
    fn broken_escapes_are_left_as_they_are() {
        for text in ["\\", "\\u", "\\u12", "\\uZZZZ", "\\ud800", "\\ud800\\u0041", "\\x", "é\\"] {
            assert_eq!(key("canary").redact(text.into()), text);
        }
    }

    #[test]
    fn too_short_key_stays_in_text() {
        assert_eq!(key("the").redact("in the end".into()), "in the end");
        assert_eq!(key("then").redact("and then, \\then".into()), "and [redacted], \\[redacted]");
    }

    #[test]
    fn key_is_replaced_in_json_within_json() {
        let key = key("can/ary\"1e");
        let mut echo = "can/ary\"1e".to_string();
        for depth in 1..=3 {
            echo = serde_json::to_string(&echo).unwrap().trim_matches('"').to_string();
            assert_eq!(key.redact(format!("a {echo} b")), "a [redacted] b", "{depth}");
        }
        let twice = "\\\\u0063\\u0061n/ary\\\\\\\"1\\\\u0065";
        assert_eq!(key.redact(twice.to_string()), "[redacted]");
    }

    #[test]
    fn ambiguous_key_is_rejected() {
        for bad in
            ["key\u{a0}", "\u{3000}key", "key\u{200b}", "\u{feff}key", "kéy", "k\u{85}y", "k😀ey"]
        {
            assert!(ApiKey::new(bad.to_string()).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn key_with_outer_white_space_is_rejected() {
        for bad in [" key", "key ", "key\t", "\tkey", " "] {
            assert!(ApiKey::new(bad.to_string()).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn debug_shows_nothing_of_key() {
        assert_eq!(format!("{:?}", key("canary")), "ApiKey([redacted])");
    }

    #[test]
    fn only_invalid_header_values_are_rejected() {
        for bad in ["", "a\r", "a\nb", "a\0b", "a\x1f", "a\x7f", &"k".repeat(4097)] {
            assert!(ApiKey::new(bad.to_string()).is_err(), "{bad:?}");
        }
        for good in ["in words", "a\tb", "{{secret:x}}", &"k".repeat(4096)] {
            assert_eq!(key(good).reveal(), good);
        }
    }
}
