//! Errors of the store, one variant for each reaction of the caller.

use super::model::State;

/// An error of the store. Each variant needs a different reaction of the caller.
///
/// An identical retry helps only after [`Unavailable`](Self::Unavailable).
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// The store is missing or unusable. An operator must set it up.
    #[error("the store {store} cannot be used: {detail}")]
    NotSetUp {
        /// Name of the store for operators: its file or its database. Contains no password.
        store: String,
        /// Problem and remedy.
        detail: String,
    },
    /// The file or database is not a store, and stays unchanged. An operator must name another file
    /// or database.
    #[error("{store} is not an inbox: {detail}; name another file or database")]
    NotAStore {
        /// Name of the supposed store.
        store: String,
        /// Evidence that the file or database is not a store.
        detail: String,
    },
    /// Another version of this program created the store. The store stays unchanged.
    #[error(
        "the store {store} has schema version {found}, but this program supports version {known}; use the program version that created the store"
    )]
    OtherSchema {
        /// Name of the store for operators: its file or its database. Contains no password.
        store: String,
        /// Schema version of the store.
        found: i64,
        /// Schema version of this program.
        known: i64,
    },
    /// Temporary failure: no space, no response of the disk, or a lock of another process. The
    /// change may have been made. The caller must retry. A retry never stores an entry twice.
    #[error("the store {store} is unavailable: {detail}; try again")]
    Unavailable {
        /// Name of the store for operators: its file or its database. Contains no password.
        store: String,
        /// Failed operation and its error.
        detail: String,
    },
    /// The store is damaged. An operator must restore it. `inbox export` prints the events before
    /// the damage.
    #[error(
        "the store {store} is damaged: {detail}; stop all processes that use it, keep copies of all its files, and restore a backup; `inbox export` prints the events before the damage, and `inbox list --after ID` prints events after the damage"
    )]
    Damaged {
        /// Name of the store for operators: its file or its database. Contains no password.
        store: String,
        /// Failed operation and its error.
        detail: String,
    },
    /// The store never accepts this value. The caller must correct it.
    #[error("the store rejects this value: {detail}")]
    Refused {
        /// Reason for the rejection.
        detail: String,
    },
    /// The key has the maximum number of quarantined events. This event was not stored. An operator
    /// must check the quarantined events.
    #[error(
        "the key {key} already has {limit} quarantined events, so this event was not stored: the event source uses one key for different events; list them with `inbox list --key`, and release each quarantined event that must be processed with `inbox release`; the key then accepts another event"
    )]
    TooManyCopies {
        /// Idempotency key from the event source.
        key: String,
        /// Maximum number of quarantined events.
        limit: usize,
    },
    /// The event does not exist. It may have been pruned.
    #[error("there is no event {id}")]
    NotFound {
        /// Identifier in the request.
        id: i64,
    },
    /// The event is not leased under this token: another worker has it, it was released, or it is
    /// done. The worker must drop its result.
    #[error("event {id} is not leased under this token; it is {state}")]
    LeaseLost {
        /// Identifier of the event.
        id: i64,
        /// Current state of the event.
        state: State,
    },
}

/// The reason why SQLite would not use the intended file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NameError {
    /// The name is empty. SQLite would create a temporary file.
    #[error("is empty; name a file")]
    Empty,
    /// The name is `:memory:`.
    #[error("names the memory of the process, not a file; name a file")]
    Memory,
    /// The name begins with `file:`.
    #[error("is a URI; name a file, and write ./NAME if the name of the file begins with `file:`")]
    Uri,
    /// The name has a character that a shell script or an environment file adds by mistake. SQLite
    /// would use another file with a similar name.
    #[error(
        "contains a control character, or begins or ends with a space or quotation mark; remove it"
    )]
    Stray,
}

impl StoreError {
    /// Returns true if the batch must not be committed, because the error concerns the store and
    /// not one request.
    pub(crate) fn fails_batch(&self) -> bool {
        match self {
            Self::Refused { .. }
            | Self::TooManyCopies { .. }
            | Self::NotFound { .. }
            | Self::LeaseLost { .. } => false,
            Self::NotSetUp { .. }
            | Self::NotAStore { .. }
            | Self::OtherSchema { .. }
            | Self::Unavailable { .. }
            | Self::Damaged { .. } => true,
        }
    }
}
