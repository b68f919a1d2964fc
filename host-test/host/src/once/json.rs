//! Results of the interface `once` as JSON. The format follows [`crate::outcome`].

use serde_json::{Value, json};

use super::wit::{EntryState, JournalEntry, MadeResolution, OnceCreated, OnceError, Resolved};
use super::{Own, split};
use crate::outcome::{self, outcome_unknown};

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
    let own = match split(error) {
        Ok(shared) => return outcome::error(&shared),
        Err(own) => own,
    };
    let payload = match own {
        Own::KeyReused(failure) | Own::KeyForgotten(failure) | Own::Journal(failure) => {
            json!({ "detail": failure.detail })
        }
        Own::NotRecorded(said) => json!({ "error": said.error, "detail": said.detail }),
        Own::Busy(busy) => {
            json!({ "detail": busy.detail, "retry-after-ms": busy.retry_after_ms })
        }
    };
    json!({ "case": own.name(), "payload": payload })
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
