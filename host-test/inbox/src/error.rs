//! Errors of the store, by what its caller should do next.

use super::model::State;

/// Error of the store, by what its caller should do next.
///
/// Only [`Unavailable`](Self::Unavailable) is worth repeating as it is.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// There is no store there that could be written. Somebody has to set it up.
    #[error("the store {store} cannot be used: {detail}")]
    NotSetUp {
        /// The store: its file, or its database without a password.
        store: String,
        /// The problem, and how to solve it.
        detail: String,
    },
    /// It is something else, and was left as it was. Somebody has to name another.
    #[error("{store} is not an inbox: {detail}; name another")]
    NotAStore {
        /// The store that was named.
        store: String,
        /// Evidence for that.
        detail: String,
    },
    /// Another version of this program created it. It was left as it was.
    #[error(
        "the store {store} has schema {found}, and this program knows {known}; use the program that created it"
    )]
    NewerSchema {
        /// The store: its file, or its database without a password.
        store: String,
        /// Its version.
        found: i64,
        /// The newest version known here.
        known: i64,
    },
    /// It could not be done now: no space, no answer from the disk, another process at
    /// work. It may have been done and not been confirmed. Repeat it: an entry that is
    /// there already is found to be a duplicate.
    #[error("the store {store} is unavailable: {detail}; try again")]
    Unavailable {
        /// The store: its file, or its database without a password.
        store: String,
        /// The operation, and how it failed.
        detail: String,
    },
    /// It is damaged. Somebody has to restore it; what can be read, `export` reads.
    #[error(
        "the store {store} is damaged: {detail}; stop all processes that use it, keep copies of all its files, and save its events with `inbox export` before you restore a backup"
    )]
    Damaged {
        /// The store: its file, or its database without a password.
        store: String,
        /// The operation, and how it failed.
        detail: String,
    },
    /// The store will never take this value. Correct it.
    #[error("the store refuses this value: {detail}")]
    Refused {
        /// The problem.
        detail: String,
    },
    /// Under this key there are as many different events in quarantine as the store
    /// keeps of one. It did not keep this one: somebody has to look at those first.
    #[error(
        "under the key {key} there are {limit} different events in quarantine, and this is another: its sender uses one key for different events; look at them with `inbox list --quarantine`, and `inbox release` those to be processed: that makes room once it is done, and forgotten by `serve --keep`"
    )]
    TooManyCopies {
        /// The sender's key.
        key: String,
        /// Number of events that are kept.
        limit: usize,
    },
    /// There is no such event. It may have been pruned.
    #[error("there is no event {id}")]
    NotFound {
        /// The identifier asked for.
        id: i64,
    },
    /// The event is no longer leased under this token. Its holder has to drop it: it
    /// belongs to somebody else, or is done.
    #[error("event {id} is not leased under this token; it is {state}")]
    LeaseLost {
        /// The event's identifier.
        id: i64,
        /// The event's present state.
        state: State,
    },
}

/// Why a name would mean something else to SQLite than the file of that name, and what to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NameError {
    /// There is none: SQLite would take a file of its own, and delete it.
    #[error("is empty; name a file")]
    Empty,
    /// It is `:memory:`.
    #[error("would be memory, and lost with the process; name a file")]
    Memory,
    /// It begins with `file:`.
    #[error("is a URI; name a file, with ./ before it if it is called so")]
    Uri,
}

impl StoreError {
    /// Whether nothing of the batch may be committed: the error is the store's, not one
    /// request's.
    pub(crate) fn spoils_the_batch(&self) -> bool {
        match self {
            Self::Refused { .. }
            | Self::TooManyCopies { .. }
            | Self::NotFound { .. }
            | Self::LeaseLost { .. } => false,
            Self::NotSetUp { .. }
            | Self::NotAStore { .. }
            | Self::NewerSchema { .. }
            | Self::Unavailable { .. }
            | Self::Damaged { .. } => true,
        }
    }
}
