//! Results of the interface `messaging` as JSON. A record is an object with every field of the WIT
//! record. An option is null or its value. A case of an enumeration is its name in the WIT.
//!
//! A field with the name `json` stays a string; its content is not parsed.

use serde_json::{Value, json};

use crate::types::said;
use crate::types::wit::{self, Error, IncompleteReason};

/// Converts a `created-message` to JSON.
pub fn created(created: &wit::CreatedMessage) -> Value {
    json!({ "id": created.id, "json": created.json })
}

/// Converts a `template-page` to JSON.
pub fn page(page: &wit::TemplatePage) -> Value {
    let template = |template: &wit::Template| {
        json!({
            "name": template.name,
            "status": template.status,
            "language": template.language,
            "json": template.json,
        })
    };
    json!({
        "templates": page.templates.iter().map(template).collect::<Vec<_>>(),
        "total": page.total,
        "page": page.page,
        "size": page.size,
        "incomplete": page.incomplete.map(incomplete_reason),
    })
}

/// Converts an `event` to JSON.
pub fn event(event: &wit::Event) -> Value {
    json!({
        "idempotency-key": event.idempotency_key,
        "message-id": event.message_id,
        "kind": event.kind,
        "json": event.json,
    })
}

/// Converts an `error` to an object with `case` and `payload`.
pub fn error(error: &Error) -> Value {
    json!({ "case": case(error), "payload": payload(error) })
}

/// Returns the name of an `error` case.
pub fn case(error: &Error) -> &'static str {
    said(error).0.name()
}

/// Returns the name of an `incomplete-reason`.
pub fn incomplete_reason(reason: IncompleteReason) -> &'static str {
    match reason {
        IncompleteReason::PagesNotFollowed => "pages-not-followed",
        IncompleteReason::PageParameterIgnored => "page-parameter-ignored",
        IncompleteReason::PageRepeated => "page-repeated",
        IncompleteReason::PageEmpty => "page-empty",
        IncompleteReason::TotalChanged => "total-changed",
        IncompleteReason::CapReached => "cap-reached",
    }
}

fn payload(error: &Error) -> Value {
    match error {
        Error::ExecutionFailed => Value::Null,
        Error::PermanentInvalidInput(invalid) => {
            json!({ "field": invalid.field, "detail": invalid.detail })
        }
        Error::PermanentInvalidSettings(invalid) => {
            json!({ "setting": invalid.setting, "detail": invalid.detail })
        }
        Error::PermanentUnauthorized(given) | Error::PermanentRefused(given) => refusal(given),
        Error::PermanentOutcomeUnknown(unknown) => outcome_unknown(unknown),
        Error::PermanentUnexpectedReply(reply) => {
            json!({ "status": reply.status, "path": reply.path, "detail": reply.detail })
        }
        Error::PermanentDenied(denied) => json!({ "detail": denied.detail }),
        Error::RateLimited(limit) => json!({
            "retry-after-ms": limit.retry_after_ms,
            "refusal": refusal(&limit.refusal),
        }),
        Error::NotSent(not_sent) => json!({ "detail": not_sent.detail }),
        Error::Unavailable(unavailable) => {
            json!({
                "detail": unavailable.detail,
                "status": unavailable.status,
                "retry-after-ms": unavailable.retry_after_ms,
            })
        }
        Error::PermanentOther(other) => {
            json!({ "code": other.code, "detail": other.detail, "status": other.status })
        }
    }
}

/// Converts an `outcome-unknown` to JSON.
pub(crate) fn outcome_unknown(unknown: &wit::OutcomeUnknown) -> Value {
    json!({
        "stage": match unknown.stage {
            wit::Stage::SendingRequest => "sending-request",
            wit::Stage::AwaitingReply => "awaiting-reply",
            wit::Stage::ReadingReply => "reading-reply",
            wit::Stage::ReplyUnclear => "reply-unclear",
        },
        "detail": unknown.detail,
        "status": unknown.status,
        "refusal": unknown.refusal.as_ref().map(refusal),
    })
}

/// Converts a `refusal` to JSON.
pub(crate) fn refusal(refusal: &wit::Refusal) -> Value {
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
