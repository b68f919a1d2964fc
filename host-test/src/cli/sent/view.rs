//! Output of journal entries and errors for people.

use std::fmt::Write;

use messaging_host::once::wit::{EntryState, JournalEntry, OnceError, Resolved};
use messaging_host::once::{self, Own, json};
use messaging_host::wit::Error;

use crate::cli::exit::Exit;
use crate::cli::show::{self, BOLD, DIM, GREEN, RED, RESET};
use crate::cli::{Common, Failure, text};

/// Formats an entry as one line.
pub fn line(entry: &JournalEntry) -> String {
    let color = match entry.state {
        EntryState::Created => GREEN,
        EntryState::Unknown => RED,
        EntryState::Sending | EntryState::NotCreated => BOLD,
        EntryState::Forgotten => DIM,
    };
    let (state, key) = (json::state(entry.state), text::printable(&entry.key));
    let mut line = format!("{color}{state:<11}{RESET}  {}  {key}", entry.began);
    if let Some(id) = &entry.id {
        let _ = write!(line, "  {}", text::printable(id));
    }
    if let Some(error) = &entry.error {
        let _ = write!(line, "  {DIM}{}{RESET}", text::printable(error));
    }
    if let Some(outcome) = &entry.outcome {
        let _ = write!(line, "  {RED}{}{RESET}", show::unknown_text(outcome));
    }
    if !entry.also_created.is_empty() {
        let also = entry.also_created.join(", ");
        let _ = write!(line, "  {RED}also created: {}{RESET}", text::printable(&also));
    }
    line
}

pub fn show_entry(entry: &JournalEntry, journal: &str) {
    say!("{}", line(entry));
    let field = |name: &str, value: &str| say!("  {name:<12} {}", text::printable(value));
    field("attempts", &entry.attempts.to_string());
    field("deadline", &entry.gives_up);
    if let Some(ended) = &entry.ended {
        field("ended", ended);
    }
    if let Some(json) = &entry.json {
        field("json", json);
    }
    for made in &entry.resolutions {
        let found = match &made.resolution.found {
            Resolved::Created(id) => format!("created {id}"),
            Resolved::NotCreated => "not created".into(),
        };
        let (by, reason) = (&made.resolution.by, &made.resolution.reason);
        let attempt = made.resolution.attempt;
        field("resolved", &format!("{} attempt {attempt}: {found}, by {by}: {reason}", made.at));
    }
    if entry.state == EntryState::Unknown {
        let (key, attempt) = (text::word(&entry.key), entry.attempts);
        say!(
            "{DIM}Look for the message in the messaging service, then: messaging sent resolve {key}{journal} --attempt {attempt} --by NAME --reason TEXT, with --created ID or --not-created{RESET}"
        );
    }
}

/// Prints an error with advice, and returns the matching exit code.
pub fn failed(common: &Common, error: &OnceError, advice: &str) -> Failure {
    show::show_error(common, &json::error(error), &text(error), advice);
    Failure::Reported(Exit::of_case(once::case(error)))
}

/// Describes an error, in one line.
fn text(error: &OnceError) -> String {
    let text = match once::split(error) {
        Ok(shared) => return show::error_text(&shared),
        Err(Own::KeyReused(failure) | Own::KeyForgotten(failure) | Own::Journal(failure)) => {
            failure.detail.clone()
        }
        Err(Own::NotRecorded(said)) => format!("{}: {}", said.error, said.detail),
        Err(Own::Busy(busy)) => match busy.retry_after_ms {
            Some(0) | None => busy.detail.clone(),
            Some(ms) => format!("{}; retry after {ms} ms", busy.detail),
        },
    };
    text::printable(&text)
}

/// Returns advice for the caller.
pub fn advice(error: &OnceError) -> &'static str {
    match once::split(error) {
        Ok(Error::ExecutionFailed) => "read the engine's log, and repeat the command",
        Ok(Error::PermanentRefused(_)) => {
            "read the service's reason; nothing was created. A changed message needs a new key"
        }
        Ok(Error::PermanentOutcomeUnknown(_)) => {
            "the message may exist: look for it in the messaging service, then run `sent resolve`; this key sends nothing until then"
        }
        Ok(Error::PermanentOther(_)) => "nothing was sent; `sent show` shows the key",
        Ok(shared) => show::advice(&shared),
        Err(Own::KeyReused(_)) => {
            "nothing was sent now; `sent show` has the state of this key. Use another key only for another message"
        }
        Err(Own::KeyForgotten(_)) => {
            "nothing was sent now; the message may exist. Use another key only to send it again"
        }
        Err(Own::NotRecorded(_)) => {
            "nothing was created; when the journal responds again, run `sent resolve --not-created`"
        }
        Err(Own::Journal(_)) => "repair the journal; nothing was sent",
        Err(Own::Busy(_)) => "repeat the command: it sends no second message",
    }
}

/// Returns advice for an operator of the journal.
pub fn advice_on_journal(error: &OnceError) -> &'static str {
    match error {
        OnceError::PermanentInvalidInput(_) => "correct the value",
        OnceError::PermanentOutcomeUnknown(_) => {
            "look for the message in the messaging service, then run `sent resolve`; an unknown outcome cannot be forgotten"
        }
        OnceError::PermanentKeyForgotten(_) => {
            "nothing is left to resolve: this key never sends again"
        }
        OnceError::PermanentJournal(_) => "repair the journal, then repeat the command",
        OnceError::Busy(_) => "repeat the command after the deadline of the sender",
        OnceError::Unavailable(_) => "repeat the command",
        OnceError::PermanentOther(other) => match other.code.as_str() {
            "no-entry" => "`sent list` shows the keys that were used",
            "other-attempt" => {
                "`sent show` shows the last attempt; if its outcome is unknown, look for its message, then set --attempt"
            }
            _ => "`sent show` shows the key",
        },
        _ => advice(error),
    }
}
