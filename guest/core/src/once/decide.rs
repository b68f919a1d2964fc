//! The transitions between values of a key. Every function is pure. The driver replaces the given
//! value with the returned value in one atomic step.

use alloc::string::String;

use crate::error::{Case, OutcomeUnknown};
use crate::once::digest::{Request, SALT_BYTES};
use crate::once::entry::{
    Attempt, End, Entry, Found, Kept, MAX_REPLY_BYTES, MadeResolution, Outcome,
};
use crate::once::error::Error;
use crate::once::time::Now;

/// Maximum number of resolutions in an entry. A further resolution replaces the oldest.
pub const MAX_RESOLUTIONS: usize = 8;
/// Maximum length of the message ID and of the reason in a resolution, in bytes each.
pub const MAX_REASON_BYTES: usize = 1_024;
/// Maximum length of the operator's name in a resolution, in bytes.
pub const MAX_NAME_BYTES: usize = 256;

/// The situation of a caller that wants to send.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Begin {
    /// The key is free. The entry claims it.
    Claim(Entry),
    /// The caller's own attempt has claimed the key, and the reply of the journal was lost.
    Claimed(Entry),
    /// The message exists.
    Created {
        /// Identifier of the message.
        id: String,
        /// Reply of the service; `None` if the journal has no reply.
        json: Option<String>,
    },
    /// The message may exist.
    Unknown(OutcomeUnknown),
    /// Another sender holds the key, for at most this many milliseconds.
    Live(u64),
    /// The key belongs to another request. Holds a message for an operator.
    Reused(&'static str),
    /// The key was used, and its outcome is forgotten.
    Forgotten {
        /// Time of `forget`, in milliseconds since 1970.
        at_ms: u64,
    },
    /// The value is unreadable. Holds the reason.
    Unreadable(String),
}

/// Returns the situation of a caller with `request` if the key has the value `current`. `attempt`
/// is the attempt of this caller.
#[must_use]
pub fn begin(
    current: Option<&str>,
    request: &Request,
    salt: [u8; SALT_BYTES],
    attempt: &Attempt,
    now: Now,
) -> Begin {
    let Some(value) = current else {
        return Begin::Claim(Entry {
            digest: request.digest(salt),
            attempts: 1,
            attempt: attempt.clone(),
            end: None,
            resolutions: Default::default(),
            also: Default::default(),
        });
    };
    let entry = match Kept::read(value) {
        Ok(Kept::Entry(entry)) => *entry,
        Ok(Kept::Forgotten { at_ms }) => return Begin::Forgotten { at_ms },
        Err(unreadable) => return Begin::Unreadable(unreadable.0),
    };
    let next = |digest, entry: Entry| {
        Begin::Claim(Entry {
            digest,
            attempts: entry.attempts.saturating_add(1),
            attempt: attempt.clone(),
            end: None,
            ..entry
        })
    };
    if !entry.digest.is_of(request) {
        return match is_unused(&entry) || is_free_for(&entry, request) {
            true => next(request.digest(salt), entry),
            false => Begin::Reused(other_request(&entry, request)),
        };
    }
    match entry.end {
        // Compares times too, because a copied process can create an attempt with the same ID.
        None if entry.attempt == *attempt => Begin::Claimed(entry),
        None => match entry.attempt.left_ms(now) {
            Some(left) => Begin::Live(left),
            None => Begin::Unknown(entry.attempt.abandoned()),
        },
        Some(End { outcome: Outcome::Created { id, json }, .. }) => Begin::Created { id, json },
        Some(End { outcome: Outcome::Unknown(unknown), .. }) => Begin::Unknown(unknown),
        Some(End { outcome: Outcome::NotCreated { .. }, .. }) => next(entry.digest.clone(), entry),
    }
}

/// Describes why `request` does not match the entry.
fn other_request(entry: &Entry, request: &Request) -> &'static str {
    match &entry.end {
        _ if entry.digest.is_of_content(request) => {
            "the key was used with another base URL; each service needs its own keys"
        }
        Some(End { outcome: Outcome::NotCreated { .. }, .. }) => {
            "the key was used for another request, which created no message; a changed request needs its own key"
        }
        _ => "the key was used for another request; each request needs its own key",
    }
}

/// Returns true if the provider rejected the last attempt before any HTTP request, and no operator
/// has resolved the key. A different message may use such a key.
fn is_unused(entry: &Entry) -> bool {
    let Some(End { outcome: Outcome::NotCreated { error: Some(error) }, .. }) = &entry.end else {
        return false;
    };
    let before_request = [Case::InvalidInput, Case::InvalidSettings];
    before_request.iter().any(|case| case.name() == error)
        && entry.resolutions.is_empty()
        && entry.also.is_empty()
}

/// Returns true if no message was created, and only the base URL of `request` differs. A wrong base
/// URL can then be corrected.
fn is_free_for(entry: &Entry, request: &Request) -> bool {
    matches!(entry.end, Some(End { outcome: Outcome::NotCreated { .. }, .. }))
        && entry.digest.is_of_content(request)
}

/// How a sender records its outcome.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Settle {
    /// Replace the value with this string.
    Write(String),
    /// Nothing to do: the outcome is already recorded, or a later outcome has replaced it.
    Noted,
    /// The outcome cannot be recorded. Holds the reason.
    Lost(String),
}

/// Decides how the sender of the attempt in `mine` records the outcome `end` if the key has the
/// value `current`.
pub fn settle(current: Option<&str>, mine: &Entry, end: &End) -> Settle {
    let with = |entry: Entry| Settle::Write(Entry { end: Some(end.clone()), ..entry }.text());
    let Some(text) = current else {
        // The journal has lost the intent, and only the sender knows the outcome.
        return with(mine.clone());
    };
    let mut entry = match Kept::read(text) {
        Ok(Kept::Entry(entry)) => *entry,
        Ok(Kept::Forgotten { .. }) => {
            return Settle::Lost("the key was forgotten during the send".into());
        }
        Err(unreadable) => return Settle::Lost(unreadable.0),
    };
    let Outcome::Created { id, .. } = &end.outcome else {
        // An outcome without a message must not replace a recorded outcome or a later attempt.
        let open = entry.attempt == mine.attempt && entry.end.is_none();
        return if open { with(entry) } else { Settle::Noted };
    };
    if entry.attempt != mine.attempt {
        // The key was claimed again after an operator resolved this attempt as not created.
        if entry.also.contains(id) {
            return Settle::Noted;
        }
        entry.also.push(id.clone());
        return Settle::Write(entry.text());
    }
    match &entry.end {
        Some(End { outcome: Outcome::Created { id: noted, .. }, .. }) if noted == id => {
            Settle::Noted
        }
        _ => with(entry),
    }
}

/// Returns the outcome of a created message. Drops a reply above [`MAX_REPLY_BYTES`].
pub fn created(id: &str, json: &str) -> Outcome {
    let json = (json.len() <= MAX_REPLY_BYTES).then(|| json.into());
    Outcome::Created { id: id.into(), json }
}

/// A valid resolution by an operator.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Resolution {
    attempt: u32,
    found: Found,
    by: String,
    reason: String,
}

impl Resolution {
    /// Creates a resolution. `attempt` is the number of the attempt that the operator checked; the
    /// first attempt has number 1. [`change`] rejects the resolution if a later attempt has begun.
    ///
    /// # Errors
    /// Returns `InvalidInput` if a string is empty, too long, or contains control characters.
    pub fn new<E>(
        attempt: u32,
        found: Found,
        by: String,
        reason: String,
    ) -> Result<Self, Error<E>> {
        let check = |field, text: &str, max| {
            let detail = if text.trim().is_empty() {
                "is empty"
            } else if text.len() > max {
                "is too long"
            } else if text.chars().any(char::is_control) {
                "has control characters"
            } else {
                return Ok(());
            };
            Err(Error::InvalidInput { field, detail })
        };
        if let Found::Created(id) = &found {
            check("resolution.found", id, MAX_REASON_BYTES)?;
        }
        check("resolution.by", &by, MAX_NAME_BYTES)?;
        check("resolution.reason", &reason, MAX_REASON_BYTES)?;
        Ok(Self { attempt, found, by, reason })
    }

    fn is(&self, made: &MadeResolution) -> bool {
        let Self { attempt, found, by, reason } = self;
        (attempt, found, by, reason) == (&made.attempt, &made.found, &made.by, &made.reason)
    }

    fn outcome(&self) -> Outcome {
        match &self.found {
            Found::Created(id) => Outcome::Created { id: id.clone(), json: None },
            Found::NotCreated => Outcome::NotCreated { error: None },
        }
    }
}

/// A change of an entry by an operator.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Change {
    /// Resolve an unknown outcome.
    Resolve(Resolution),
    /// Forget the outcome of a key.
    Forget,
}

/// Decides about an operator's change. Returns the new value; `None` if the change was already
/// made.
///
/// # Errors
/// - Returns `NoEntry` if the key was never used.
/// - Returns `Journal` if the value is unreadable.
/// - Returns `Busy` if the sender can still be at work.
/// - Returns `Unknown` if the change is `Forget` and the outcome is unknown.
/// - Returns `KeyForgotten` if a resolution is about a forgotten key.
/// - Returns `OtherAttempt` if a resolution is not about the last attempt.
/// - Returns `NotUnknown` if a resolution is about a known outcome.
pub fn change<E>(
    current: Option<&str>,
    change: &Change,
    now: Now,
) -> Result<Option<String>, Error<E>> {
    let mut entry = match current.map(Kept::read) {
        None => return Err(Error::NoEntry),
        Some(Err(unreadable)) => return Err(Error::Journal(unreadable.0)),
        Some(Ok(Kept::Entry(entry))) => *entry,
        Some(Ok(Kept::Forgotten { at_ms })) => {
            return match change {
                Change::Forget => Ok(None),
                Change::Resolve(_) => Err(Error::KeyForgotten { at_ms }),
            };
        }
    };
    if let Change::Resolve(resolution) = change {
        // A repeated call succeeds even if the entry has changed since.
        if entry.resolutions.iter().any(|made| resolution.is(made)) {
            return Ok(None);
        }
        if entry.attempts != resolution.attempt {
            return Err(Error::OtherAttempt { last: entry.attempts });
        }
    }
    let left = match &entry.end {
        None => entry.attempt.left_ms(now),
        Some(_) => None,
    };
    if let Some(retry_after_ms) = left {
        return Err(Error::Busy { detail: "the sender can still be active", retry_after_ms });
    }
    match change {
        Change::Forget => match entry.end {
            None => Err(Error::Unknown(entry.attempt.abandoned())),
            Some(End { outcome: Outcome::Unknown(unknown), .. }) => Err(Error::Unknown(unknown)),
            Some(_) => Ok(Some(Kept::forgotten_text(now.wall_ms))),
        },
        Change::Resolve(resolution) => {
            match &entry.end {
                None | Some(End { outcome: Outcome::Unknown(_), .. }) => {}
                Some(End { outcome: Outcome::Created { .. }, .. }) => {
                    return Err(Error::NotUnknown("the message was created"));
                }
                Some(End { outcome: Outcome::NotCreated { .. }, .. }) => {
                    return Err(Error::NotUnknown("no message was created, and the key is free"));
                }
            }
            // Drops the oldest resolution, because values have a maximum length. If a full list
            // rejected the new resolution, the key would stay unknown.
            if entry.resolutions.len() >= MAX_RESOLUTIONS {
                entry.resolutions.remove(0);
            }
            entry.resolutions.push(MadeResolution {
                attempt: resolution.attempt,
                found: resolution.found.clone(),
                by: resolution.by.clone(),
                reason: resolution.reason.clone(),
                at_ms: now.wall_ms,
            });
            entry.end = Some(End { at_ms: now.wall_ms, outcome: resolution.outcome() });
            Ok(Some(entry.text()))
        }
    }
}
