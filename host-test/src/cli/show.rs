//! Output for people and scripts. Untrusted text is made printable first.

use std::fmt::Write;

use anstyle::{AnsiColor, Reset, Style};
use messaging_host::wit::{self, Error};
use serde_json::{Value, json};

use super::setup::KEY;
use super::text::printable;
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
