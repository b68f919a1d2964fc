//! Text that is safe to print: hidden characters are escaped, words are quoted, JSON is readable by
//! common readers.

use std::borrow::Cow;
use std::fmt::Write;

use serde::{Serialize, Serializer};
use serde_json::Value;
use serde_json::value::RawValue;

/// Returns true if a character controls a terminal, reorders a line, or is invisible. Returns false
/// for joiners, because some writing systems and emoji need them.
fn is_hidden(char: char) -> bool {
    char.is_control()
        || matches!(char, '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{180e}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{feff}' | '\u{ffa0}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// Escapes hidden characters in the strings of a JSON text. Keeps ASCII white space, which can also
/// occur outside strings.
pub fn escaped_json(text: &str) -> Cow<'_, str> {
    // Saves time for most documents, for example in a large export.
    if text.is_ascii() && !text.contains('\u{7f}') {
        return text.into();
    }
    let mut clean = String::with_capacity(text.len());
    for char in text.chars() {
        if is_hidden(char) && (!char.is_ascii() || char == '\u{7f}') {
            for unit in char.encode_utf16(&mut [0; 2]) {
                let _ = write!(clean, "\\u{unit:04x}");
            }
        } else {
            clean.push(char);
        }
    }
    clean.into()
}

/// Escapes characters that control a terminal, reorder a line, or are invisible.
pub fn printable(text: &str) -> String {
    let mut clean = String::with_capacity(text.len());
    for char in text.chars() {
        if is_hidden(char) {
            let _ = write!(clean, "{}", char.escape_default());
        } else {
            clean.push(char);
        }
    }
    clean
}

/// Quotes `text` as one word of a shell command, for commands that people copy. Keys and
/// identifiers are untrusted.
pub fn word(text: &str) -> String {
    let text = printable(text);
    let is_plain = |char: char| char.is_ascii_alphanumeric() || "-_./:@%+=,".contains(char);
    if !text.is_empty() && text.chars().all(is_plain) {
        return text;
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// Maximum nesting depth of readable JSON. `jq` 1.6 accepts 256 levels; our output adds a few
/// levels.
const MAX_DEPTH: usize = 200;

/// Maximum number of digits of a readable number: the default limit of Python.
const MAX_DIGITS: usize = 4_300;

/// Returns true if common readers accept this JSON text. `jq` and Python's `json` reject deep
/// nesting. `jq` rejects half of a surrogate pair, for example from a truncated emoji. Python
/// rejects very long integers. One such event would make a whole list unreadable.
pub fn is_readable(json: &str) -> bool {
    let (mut depth, mut in_string, mut is_half) = (0_usize, false, false);
    let mut digits = 0_usize;
    let mut chars = json.chars();
    while let Some(char) = chars.next() {
        let escape = if in_string && char == '\\' { chars.next() } else { None };
        let code = match escape {
            Some('u') => u16::from_str_radix(&chars.by_ref().take(4).collect::<String>(), 16).ok(),
            _ => None,
        };
        match (is_half, code) {
            (false, Some(0xd800..=0xdbff)) => is_half = true,
            (true, Some(0xdc00..=0xdfff)) => is_half = false,
            (true, _) | (false, Some(0xdc00..=0xdfff)) => return false,
            (false, _) => {}
        }
        match char {
            '"' => in_string = !in_string,
            '[' | '{' if !in_string => depth = depth.saturating_add(1),
            ']' | '}' if !in_string => depth = depth.saturating_sub(1),
            _ => {}
        }
        let is_digit = !in_string && char.is_ascii_digit();
        digits = if is_digit { digits.saturating_add(1) } else { 0 };
        if depth > MAX_DEPTH || digits > MAX_DIGITS {
            return false;
        }
    }
    true
}

/// A result in which each string member `json` is shown as the JSON in the string, byte for byte.
/// Numbers of any length and duplicate keys are unchanged. Invalid JSON becomes `null`.
pub struct Opened<'a>(pub &'a Value);

impl Serialize for Opened<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Value::Object(fields) => serializer.collect_map(fields.iter().map(|(name, value)| {
                let text = value.as_str().filter(|_| name == "json");
                (name, text.map_or(FieldView::Value(Opened(value)), FieldView::Json))
            })),
            Value::Array(elements) => serializer.collect_seq(elements.iter().map(Opened)),
            other => other.serialize(serializer),
        }
    }
}

enum FieldView<'a> {
    Value(Opened<'a>),
    Json(&'a str),
}

impl Serialize for FieldView<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Value(value) => value.serialize(serializer),
            // A component can return invalid JSON.
            Self::Json(text) => serde_json::from_str::<&RawValue>(text).ok().serialize(serializer),
        }
    }
}
#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn word_is_one_argument_of_shell() {
        assert_eq!(word("order-17/a.b:c@d"), "order-17/a.b:c@d");
        assert_eq!(word("a;touch b"), "'a;touch b'");
        assert_eq!(word("it's $(id)"), r"'it'\''s $(id)'");
        assert_eq!(word(""), "''");
    }

    #[test]
    fn hidden_characters_are_escaped_in_each_output() {
        let hidden = "a\u{200b}\u{ad}\u{feff}\u{202e}\u{9b}\u{7f}\u{e0041}";
        let text = printable(hidden);
        assert_eq!(text, r"a\u{200b}\u{ad}\u{feff}\u{202e}\u{9b}\u{7f}\u{e0041}");
        let json =
            serde_json::to_string_pretty(&json!({ "text": hidden, "b": "\u{1b}\n" })).unwrap();
        let shown = escaped_json(&json);
        assert!(shown.contains(r"a\u200b\u00ad\ufeff\u202e\u009b\u007f\udb40\udc41"), "{shown}");
        let value = |text: &str| serde_json::from_str::<Value>(text).unwrap();
        assert_eq!(value(&shown), value(&json));
        let kept = "ñ 👩\u{200d}🚀 می\u{200c}خواهم\n";
        assert_eq!(escaped_json(kept), kept);
        assert_eq!(printable("👩\u{200d}🚀"), "👩\u{200d}🚀");
    }

    #[test]
    fn json_that_readers_refuse_is_found() {
        let deep = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
        for json in [
            r#"{"a":"\ud83d\ude00","b":"[[\\","c":"\"[\u00e9"}"#,
            "1e400",
            &deep(MAX_DEPTH),
            &"7".repeat(MAX_DIGITS),
            &format!(r#"["{}{}"]"#, "[".repeat(1_000), "7".repeat(5_000)),
        ] {
            assert!(is_readable(json), "{json}");
        }
        for json in [
            r#""cut \ud83d""#,
            r#""\ud83d\n\ude00""#,
            r#""\ude00""#,
            r#""\ud83d\ud83d""#,
            &deep(MAX_DEPTH + 1),
            &format!("[{}]", "7".repeat(MAX_DIGITS + 1)),
        ] {
            assert!(!is_readable(json), "{json}");
        }
    }
}
