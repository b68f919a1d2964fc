//! Results of the interface `once` as JSON. The format follows [`crate::outcome`].

use serde_json::{Value, json};

use super::wit::{EntryState, JournalEntry, MadeResolution, OnceCreated, OnceError, Resolved};
use crate::outcome::{outcome_unknown, refusal};

/// Converts a `once-created` to JSON.
pub fn created(created: &OnceCreated) -> Value {
    json!({
        "id": created.id,
        "json": created.json,
        "replayed": created.replayed,
        "recorded": created.recorded,
    })
}

/// Converts a `once-error` to an object with `case` and `payload`.
pub fn error(error: &OnceError) -> Value {
    let payload = match error {
        OnceError::ExecutionFailed => Value::Null,
        OnceError::PermanentInvalidInput(invalid) => {
            json!({ "field": invalid.field, "detail": invalid.detail })
        }
        OnceError::PermanentInvalidSettings(invalid) => {
            json!({ "setting": invalid.setting, "detail": invalid.detail })
        }
        OnceError::PermanentUnauthorized(said) | OnceError::PermanentRefused(said) => refusal(said),
        OnceError::PermanentOutcomeUnknown(unknown) => outcome_unknown(unknown),
        OnceError::PermanentDenied(denied) => json!({ "detail": denied.detail }),
        OnceError::PermanentKeyReused(failure)
        | OnceError::PermanentKeyForgotten(failure)
        | OnceError::PermanentJournal(failure) => json!({ "detail": failure.detail }),
        OnceError::PermanentNotRecorded(said) => {
            json!({ "error": said.error, "detail": said.detail })
        }
        OnceError::RateLimited(limit) => json!({
            "retry-after-ms": limit.retry_after_ms,
            "refusal": refusal(&limit.refusal),
        }),
        OnceError::NotSent(not_sent) => json!({ "detail": not_sent.detail }),
        OnceError::Unavailable(said) => json!({
            "detail": said.detail,
            "status": said.status,
            "retry-after-ms": said.retry_after_ms,
        }),
        OnceError::Busy(busy) => {
            json!({ "detail": busy.detail, "retry-after-ms": busy.retry_after_ms })
        }
        OnceError::PermanentOther(other) => {
            json!({ "code": other.code, "detail": other.detail, "status": other.status })
        }
    };
    json!({ "case": super::case(error), "payload": payload })
}

/// Converts a `journal-entry` to JSON.
pub fn entry(entry: &JournalEntry) -> Value {
    json!({
        "key": entry.key,
        "state": state(entry.state),
        "began": entry.began,
        "gives-up": entry.gives_up,
        "ended": entry.ended,
        "attempts": entry.attempts,
        "id": entry.id,
        "json": entry.json,
        "outcome": entry.outcome.as_ref().map(outcome_unknown),
        "error": entry.error,
        "resolutions": entry.resolutions.iter().map(resolution).collect::<Vec<_>>(),
        "also-created": entry.also_created,
    })
}

/// Returns the name of an `entry-state`.
pub fn state(state: EntryState) -> &'static str {
    match state {
        EntryState::Sending => "sending",
        EntryState::Unknown => "unknown",
        EntryState::Created => "created",
        EntryState::NotCreated => "not-created",
        EntryState::Forgotten => "forgotten",
    }
}

fn resolution(made: &MadeResolution) -> Value {
    let found = match &made.resolution.found {
        Resolved::Created(id) => json!({ "created": id }),
        Resolved::NotCreated => json!("not-created"),
    };
    let (by, reason) = (&made.resolution.by, &made.resolution.reason);
    let attempt = made.resolution.attempt;
    json!({ "attempt": attempt, "found": found, "by": by, "reason": reason, "at": made.at })
}
