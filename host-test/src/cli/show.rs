//! Results for people and for scripts. Text from elsewhere is made printable first.

use std::fmt::Write;

use anstyle::{AnsiColor, Reset, Style};
use host_test::wit::{self, Error, EventKind, Stage};
use serde_json::{Value, json};

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

/// JSON that came from elsewhere, as a value where it is one.
fn raw(json: &str) -> Value {
    serde_json::from_str(json).unwrap_or_else(|_| Value::String(json.to_string()))
}

pub fn created_json(created: &wit::CreatedMessage) -> Value {
    json!({ "id": created.id, "json": raw(&created.json) })
}

pub fn page_json(page: &wit::TemplatePage) -> Value {
    let template = |template: &wit::Template| {
        json!({
            "name": template.name,
            "status": template.status,
            "language": template.language,
            "json": raw(&template.json),
        })
    };
    json!({
        "templates": page.templates.iter().map(template).collect::<Vec<_>>(),
        "total": page.total,
        "page": page.page,
        "size": page.size,
        "complete": page.complete,
        "incomplete-reason": page.incomplete_reason.map(incomplete_name),
    })
}

pub fn event_json(event: &wit::Event) -> Value {
    json!({
        "idempotency-key": event.idempotency_key,
        "message-id": event.message_id,
        "kind": match &event.kind {
            EventKind::MessageInNew => json!("message-in-new"),
            EventKind::Other(kind) => json!({ "other": kind }),
        },
        "json": raw(&event.json),
    })
}

pub fn kind_text(kind: &EventKind) -> &str {
    match kind {
        EventKind::MessageInNew => "message-in-new",
        EventKind::Other(kind) => kind,
    }
}

pub fn incomplete_name(reason: wit::IncompleteReason) -> &'static str {
    match reason {
        wit::IncompleteReason::PagesNotFollowed => "pages-not-followed",
        wit::IncompleteReason::PageParameterIgnored => "page-parameter-ignored",
        wit::IncompleteReason::PageRepeated => "page-repeated",
        wit::IncompleteReason::PageEmpty => "page-empty",
        wit::IncompleteReason::TotalChanged => "total-changed",
        wit::IncompleteReason::CapReached => "cap-reached",
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

/// The case's name in the WIT.
pub fn case(error: &Error) -> &'static str {
    match error {
        Error::ExecutionFailed => "execution-failed",
        Error::PermanentInvalidInput(_) => "permanent-invalid-input",
        Error::PermanentInvalidSettings(_) => "permanent-invalid-settings",
        Error::PermanentUnauthorized(_) => "permanent-unauthorized",
        Error::PermanentRefused(_) => "permanent-refused",
        Error::PermanentOutcomeUnknown(_) => "permanent-outcome-unknown",
        Error::PermanentUnexpectedReply(_) => "permanent-unexpected-reply",
        Error::PermanentDenied(_) => "permanent-denied",
        Error::RateLimited(_) => "rate-limited",
        Error::NotSent(_) => "not-sent",
        Error::Unavailable(_) => "unavailable",
    }
}

pub fn error_json(error: &Error) -> Value {
    let payload = match error {
        Error::ExecutionFailed => Value::Null,
        Error::PermanentInvalidInput(invalid) => {
            json!({ "field": invalid.field, "reason": invalid.reason })
        }
        Error::PermanentInvalidSettings(invalid) => {
            json!({ "setting": invalid.setting, "reason": invalid.reason })
        }
        Error::PermanentUnauthorized(refusal) | Error::PermanentRefused(refusal) => {
            refusal_json(refusal)
        }
        Error::PermanentOutcomeUnknown(unknown) => json!({
            "stage": match unknown.stage {
                Stage::SendingRequest => "sending-request",
                Stage::AwaitingReply => "awaiting-reply",
                Stage::ReadingReply => "reading-reply",
                Stage::ReplyUnclear => "reply-unclear",
            },
            "detail": unknown.detail,
            "status": unknown.status,
        }),
        Error::PermanentUnexpectedReply(reply) => {
            json!({ "status": reply.status, "path": reply.path, "reason": reply.reason })
        }
        Error::PermanentDenied(detail) => json!(detail),
        Error::RateLimited(limit) => json!({
            "retry-after-ms": limit.retry_after_ms,
            "refusal": refusal_json(&limit.refusal),
        }),
        Error::NotSent(not_sent) => json!({ "detail": not_sent.detail }),
        Error::Unavailable(unavailable) => {
            json!({ "detail": unavailable.detail, "status": unavailable.status })
        }
    };
    json!({ "case": case(error), "payload": payload })
}

fn refusal_json(refusal: &wit::Refusal) -> Value {
    let detail =
        |detail: &wit::FieldDetail| json!({ "field": detail.field, "message": detail.message });
    json!({
        "status": refusal.status,
        "code": refusal.code,
        "message": refusal.message,
        "details": refusal.details.iter().map(detail).collect::<Vec<_>>(),
        "body": refusal.body,
    })
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
