//! Results of the WIT's `inbox.put`.

use alloc::string::String;

/// The result for a stored event (WIT `inbox.stored`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stored {
    /// The event is new.
    Stored,
    /// The same event was stored before.
    Duplicate,
    /// Another event was stored first under the key. Both events are stored.
    Conflict,
}

/// Reason why an inbox did not confirm that an event is stored (WIT `inbox.inbox-error`). The
/// strings are for logs and operators.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PutError {
    /// `execution-failed`: an engine could not run the inbox.
    Failed,
    /// `permanent-not-set-up`: the store is not set up.
    NotSetUp(String),
    /// `permanent-rejected`: the store will never accept the event.
    Rejected(String),
    /// `unavailable`: the store may accept the event later.
    Unavailable(String),
}
