//! The keeper of a journal: a file of SQLite, or another program's database. Limits and time-outs
//! are [`Journal`](crate::Journal)'s.

use std::future::Future;
use std::pin::Pin;

use crate::error::JournalError;
use crate::{Page, Swapped};

/// An answer on its way. Dropped before it has come, its question may or may not have been
/// carried out.
pub type Reply<'a, T> = Pin<Box<dyn Future<Output = Result<T, JournalError>> + Send + 'a>>;

/// Keeps one text for each key, byte for byte, and answers when that survives a crash.
///
/// Every error is one of those that [`Journal`](crate::Journal) names at the function that asks.
pub trait Backend: Send + Sync {
    /// Its name, for people: never with a password.
    fn name(&self) -> String;

    /// Returns the text of a key; never an older one than was answered to anybody before.
    fn get(&self, key: String) -> Reply<'_, Option<String>>;

    /// Gives a key a new text if its text is `expected`, in one step for everyone who shares the
    /// journal.
    fn swap(&self, key: String, expected: Option<String>, new: String) -> Reply<'_, Swapped>;

    /// Returns the keys after `after` in the order of their bytes, at most
    /// [`PAGE_KEYS`](crate::PAGE_KEYS).
    fn list(&self, after: String) -> Reply<'_, Page>;

    /// Ends what is asked, and closes; whoever asks later has no answer. Blocks meanwhile.
    fn close(&self) {}
}
