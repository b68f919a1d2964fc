//! The interface between a journal and its database: a SQLite file or a database server.
//! [`Journal`](crate::Journal) handles limits and timeouts.

use std::future::Future;
use std::pin::Pin;

use crate::error::JournalError;
use crate::{Page, Swapped};

/// A pending result. If it is dropped, the request may or may not be performed.
pub type Reply<'a, T> = Pin<Box<dyn Future<Output = Result<T, JournalError>> + Send + 'a>>;

/// A database that stores one value for each key, byte for byte. A result is returned after the
/// change is durable.
///
/// Functions return only the errors that the calling function of [`Journal`](crate::Journal)
/// documents.
pub trait Backend: Send + Sync {
    /// Returns the name of the journal for operators, without a password.
    fn name(&self) -> String;

    /// Returns the value of a key. The value is never older than a value that a caller has
    /// received.
    fn get(&self, key: String) -> Reply<'_, Option<String>>;

    /// Replaces the value of a key if the value equals `expected`. Atomic for all processes that
    /// share the journal.
    fn swap(&self, key: String, expected: Option<String>, new: String) -> Reply<'_, Swapped>;

    /// Returns the entries after `after`, at most [`PAGE_KEYS`](crate::PAGE_KEYS), in the byte
    /// order of their keys.
    fn list(&self, after: String) -> Reply<'_, Page>;

    /// Finishes pending requests, then closes. Later requests fail. Blocks until closed.
    fn close(&self) {}
}
