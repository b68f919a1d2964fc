//! Results for people and for scripts. Text from elsewhere is made printable first.

use std::fmt::Write;

use anstyle::{AnsiColor, Reset, Style};
use host_test::wit::{self, Error, EventKind};
use serde_json::Value;

pub const RED: Style = AnsiColor::Red.on_default().bold();
pub const GREEN: Style = AnsiColor::Green.on_default().bold();
pub const DIM: Style = Style::new().dimmed();
pub const BOLD: Style = Style::new().bold();
pub const RESET: Reset = Reset;

/// `text` without anything that would act on a terminal or reorder a line.
pub fn printable(text: &str) -> String {
    let mut clean = String::with_capacity(text.len());
    for char in text.chars() {
        let acts = char.is_control()
            || matches!(char, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        if acts {
            let _ = write!(clean, "{}", char.escape_default());
        } else {
            clean.push(char);
        }
    }
    clean
}

/// A result with the JSON that it holds as text shown as JSON, where it is some.
pub fn opened(mut result: Value) -> Value {
    match &mut result {
        Value::Object(fields) => {
            for (name, value) in fields {
                *value = match value.take() {
                    Value::String(text) if name == "json" => {
                        serde_json::from_str(&text).unwrap_or(Value::String(text))
                    }
                    other => opened(other),
                };
            }
        }
        Value::Array(elements) => {
            for element in elements {
                *element = opened(element.take());
            }
        }
        _ => {}
    }
    result
}

pub fn kind_text(kind: &EventKind) -> &str {
    match kind {
        EventKind::MessageInNew => "message-in-new",
        EventKind::Other(kind) => kind,
    }
}

/// What the caller can do about a list that is not whole.
pub fn incomplete_advice(reason: wit::IncompleteReason) -> &'static str {
    match reason {
        wit::IncompleteReason::PagesNotFollowed => {
            "name the service's page parameter with --every-page to read on"
        }
        wit::IncompleteReason::PageParameterIgnored => {
            "the service does not know this page parameter; give another one to --every-page"
        }
        wit::IncompleteReason::TotalChanged => "the templates changed meanwhile; list them again",
        wit::IncompleteReason::PageRepeated | wit::IncompleteReason::PageEmpty => {
            "the service's pages do not add up to its total"
        }
        wit::IncompleteReason::CapReached => "narrow the list, for example with --status",
    }
}

/// What happened, in one line.
pub fn error_text(error: &Error) -> String {
    let text = match error {
        Error::ExecutionFailed => "the engine could not run the plugin".to_string(),
        Error::PermanentInvalidInput(invalid) => format!("{} {}", invalid.field, invalid.reason),
        Error::PermanentInvalidSettings(invalid) => {
            format!("{} {}", invalid.setting, invalid.reason)
        }
        Error::PermanentUnauthorized(refusal) | Error::PermanentRefused(refusal) => {
            refusal_text(refusal)
        }
        Error::PermanentOutcomeUnknown(unknown) => unknown.detail.clone(),
        Error::PermanentUnexpectedReply(reply) => {
            format!("status {}: {} {}", reply.status, reply.path, reply.reason)
        }
        Error::PermanentDenied(detail) => detail.clone(),
        Error::RateLimited(limit) => match limit.retry_after_ms {
            Some(ms) => format!("{}; try again after {ms} ms", refusal_text(&limit.refusal)),
            None => refusal_text(&limit.refusal),
        },
        Error::NotSent(not_sent) => not_sent.detail.clone(),
        Error::Unavailable(unavailable) => unavailable.detail.clone(),
    };
    printable(&text)
}

/// What the caller should do.
pub fn advice(error: &Error) -> &'static str {
    match error {
        Error::ExecutionFailed => "look at the engine's log",
        Error::PermanentInvalidInput(_) => "correct the value; nothing was sent",
        Error::PermanentInvalidSettings(_) => "correct the setting; nothing was sent",
        Error::PermanentUnauthorized(_) => "check MESSAGING_API_KEY and what it may do",
        Error::PermanentRefused(_) => "correct the request; it was not carried out",
        Error::PermanentOutcomeUnknown(_) => {
            "look into the service's inbox before sending again: the message may exist"
        }
        Error::PermanentUnexpectedReply(_) => {
            "check MESSAGING_BASE_URL: this is not the documented reply"
        }
        Error::PermanentDenied(_) => "allow this destination in the host",
        Error::RateLimited(_) => "wait, then try again: it was not carried out",
        Error::NotSent(_) => "try again: no request reached the service",
        Error::Unavailable(_) => "try again: only a read was made",
    }
}

fn refusal_text(refusal: &wit::Refusal) -> String {
    let mut text = format!("status {}", refusal.status);
    if let Some(message) = refusal.message.as_ref().or(refusal.code.as_ref()) {
        let _ = write!(text, ": {message}");
    }
    for detail in refusal.details.iter().take(3) {
        let field = detail.field.as_deref().map(|field| format!("{field}: ")).unwrap_or_default();
        let _ = write!(text, "; {field}{}", detail.message);
    }
    text
}
