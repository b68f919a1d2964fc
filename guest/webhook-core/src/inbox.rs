//! Results of an inbox for an event: those of the WIT's `inbox.put`.

use alloc::string::String;

/// Fate of an event that is kept, as in the WIT's `inbox.stored`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stored {
    /// The event is new.
    Stored,
    /// The same event was kept before.
    Duplicate,
    /// Another event came first under the key; both are kept.
    Conflict,
}

/// Why an event is not kept, as in the WIT's `inbox.inbox-error`; the texts are for a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotKept {
    /// `execution-failed`.
    Failed,
    /// `permanent-not-set-up`.
    NotSetUp(String),
    /// `permanent-rejected`.
    Rejected(String),
    /// `unavailable`.
    Unavailable(String),
}
