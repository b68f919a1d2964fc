//! Output for people and scripts. Untrusted text is made printable first.

use std::borrow::Cow;
use std::fmt::Write;

use anstyle::{AnsiColor, Reset, Style};
use messaging_host::wit::{self, Error};
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::setup::KEY;
use super::{Common, print};

/// The style of failures.
pub const RED: Style = AnsiColor::Red.on_default().bold();
/// The style of success.
pub const GREEN: Style = AnsiColor::Green.on_default().bold();
/// The style of details.
pub const DIM: Style = Style::new().dimmed();
/// The style of titles.
pub const BOLD: Style = Style::new().bold();
/// Ends a style.
pub const RESET: Reset = Reset;

/// Returns a green tick or a red cross.
pub fn mark(is_right: bool) -> String {
    if is_right { format!("{GREEN}✓{RESET}") } else { format!("{RED}✗{RESET}") }
}

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

/// Returns advice for the caller of an incomplete list.
pub fn incomplete_advice(reason: wit::IncompleteReason) -> &'static str {
    match reason {
        wit::IncompleteReason::PagesNotFollowed => {
            "name the service's page parameter with --every-page to read on"
        }
        wit::IncompleteReason::PageParameterIgnored => {
            "the service does not know this page parameter; give another one to --every-page"
        }
        wit::IncompleteReason::TotalChanged => {
            "the service's total changed, or is less than the listed number; list again"
        }
        wit::IncompleteReason::PageRepeated | wit::IncompleteReason::PageEmpty => {
            "the service's pages do not add up to its total; list again, or report this to the service"
        }
        wit::IncompleteReason::CapReached => "narrow the list, for example with --status",
    }
}

/// Describes an unknown outcome, in one line.
pub fn unknown_text(unknown: &wit::OutcomeUnknown) -> String {
    match &unknown.refusal {
        Some(refusal) => {
            printable(&format!("{}; the service said: {}", unknown.detail, refusal_text(refusal)))
        }
        None => printable(&unknown.detail),
    }
}

/// Describes the error, in one line.
pub fn error_text(error: &Error) -> String {
    let text = match error {
        Error::ExecutionFailed => "the engine could not run the plugin".to_string(),
        Error::PermanentInvalidInput(invalid) => format!("{} {}", invalid.field, invalid.detail),
        Error::PermanentInvalidSettings(invalid) => {
            format!("{} {}", invalid.setting, invalid.detail)
        }
        Error::PermanentUnauthorized(refusal) | Error::PermanentRefused(refusal) => {
            refusal_text(refusal)
        }
        Error::PermanentOutcomeUnknown(unknown) => return unknown_text(unknown),
        Error::PermanentUnexpectedReply(reply) => {
            format!("status {}: {} {}", reply.status, reply.path, reply.detail)
        }
        Error::PermanentDenied(denied) => denied.detail.clone(),
        Error::RateLimited(limit) => match limit.retry_after_ms {
            Some(ms) => format!("{}; try again after {ms} ms", refusal_text(&limit.refusal)),
            None => refusal_text(&limit.refusal),
        },
        Error::NotSent(not_sent) => not_sent.detail.clone(),
        Error::Unavailable(unavailable) => match unavailable.retry_after_ms {
            Some(ms) => format!("{}; try again after {ms} ms", unavailable.detail),
            None => unavailable.detail.clone(),
        },
        Error::PermanentOther(other) => format!("{}: {}", other.code, other.detail),
    };
    printable(&text)
}

/// Advice after a call that may have created a message.
pub const MAY_EXIST: &str =
    "the message may exist: look for it in the messaging service before you send it again";
/// Note about a message that was created now.
pub const CREATED: &str =
    "Created does not mean delivered. Only the service knows if the message arrives.";
/// Advice after a request to a destination that this program does not permit.
pub const DENIED: &str = "the host permits only the origin of MESSAGING_BASE_URL; --private-names adds private addresses";

/// Returns advice for an invalid setting.
pub fn advice_on_setting(invalid: &wit::InvalidSettings) -> &'static str {
    if invalid.setting == KEY {
        "correct the key, or name a file with the key in MESSAGING_API_KEY_FILE; nothing was sent"
    } else {
        "correct the setting; nothing was sent"
    }
}

/// Returns advice for the caller.
pub fn advice(error: &Error) -> &'static str {
    match error {
        Error::ExecutionFailed => "read the engine's log; after a send the message may exist",
        Error::PermanentInvalidInput(_) => "correct the value; nothing was sent",
        Error::PermanentInvalidSettings(invalid) => advice_on_setting(invalid),
        Error::PermanentUnauthorized(_) => "check MESSAGING_API_KEY and its permissions",
        Error::PermanentRefused(refusal) => refused_advice(refusal.status),
        Error::PermanentOutcomeUnknown(_) => MAY_EXIST,
        Error::PermanentUnexpectedReply(_) => {
            "check MESSAGING_BASE_URL: the reply is not as documented"
        }
        Error::PermanentDenied(_) => DENIED,
        Error::RateLimited(_) => "wait, then try again: the request was not carried out",
        Error::NotSent(_) => "correct the cause, or try again: no request reached the service",
        Error::Unavailable(_) => "correct the cause, or try again: nothing was created",
        Error::PermanentOther(_) => {
            "read the component's error; after a send the message may exist"
        }
    }
}

/// Returns advice for the status of a rejected request.
fn refused_advice(status: u16) -> &'static str {
    match status {
        402 => "check the account and its balance at the service; the request was not carried out",
        404 | 405 | 410 => {
            "check MESSAGING_BASE_URL: the service does not have this path there; nothing was carried out"
        }
        407 => "a proxy requires credentials, and did not forward the request",
        413 => "shorten the message; the request was not carried out",
        414 | 431 => "shorten the query, the base URL's path or the key; nothing was carried out",
        400 | 415 | 422 => "correct the request; nothing was carried out",
        _ => "read the service's reason; the request was not executed",
    }
}

/// Maximum number of characters shown of a body without a known error message.
const SHOWN_CHARS: usize = 200;

fn refusal_text(refusal: &wit::Refusal) -> String {
    let mut text = format!("status {}", refusal.status);
    if let Some(code) = &refusal.code {
        let _ = write!(text, " ({code})");
    }
    if let Some(message) = &refusal.message {
        let _ = write!(text, ": {message}");
    } else if refusal.details.is_empty() && !refusal.body.trim().is_empty() {
        let words: Vec<_> = refusal.body.split_whitespace().collect();
        let words = words.join(" ");
        let beginning: String = words.chars().take(SHOWN_CHARS).collect();
        let more = if beginning.len() < words.len() { "..." } else { "" };
        let _ = write!(text, ": {beginning}{more}");
    }
    for detail in refusal.details.iter().take(3) {
        let field = detail.field.as_deref().map(|field| format!("{field}: ")).unwrap_or_default();
        let _ = write!(text, "; {field}{}", detail.message);
    }
    text
}

/// Returns an error of this program as JSON, with the members of a plugin error.
pub fn own_error(case: &str, detail: &str) -> Value {
    json!({ "error": { "case": case, "payload": { "detail": detail } } })
}

/// Prints an error of the interface, with advice.
pub fn show_error(common: &Common, error: &Value, text: &str, advice: &str) {
    if common.json {
        print::json(&json!({ "error": error }));
    }
    if !common.json || print::failure().is_some() {
        let case = error["case"].as_str().unwrap_or_default();
        complain!("{RED}{case}{RESET}: {text}");
        complain!("{DIM}{advice}{RESET}");
    }
}

#[cfg(test)]
mod tests {
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
