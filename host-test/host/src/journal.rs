//! Journals of sends: the interface `journal` as a trait, and its implementation by
//! `messaging-journal`.

pub use messaging_journal::{Journal as SqliteJournal, Options};
use messaging_journal::{JournalError, Swapped};

/// The types of the interface `journal`, generated from `wit/journal.wit`.
pub use crate::types::journal_wit as wit;

/// A journal of sends. An implementation must keep the promises in `wit/journal.wit`. In
/// particular, `swap` must be atomic for all callers that share the journal, and durable when it
/// returns.
#[wasmtime_wasi::async_trait]
pub trait Journal: Send + Sync {
    /// Returns the value of a key, or `None` if the key does not exist.
    ///
    /// # Errors
    /// Returns `JournalError` if the journal cannot be read.
    async fn get(&self, key: &str) -> Result<Option<String>, wit::JournalError>;

    /// Replaces the value of a key if the current value equals `expected`.
    ///
    /// # Errors
    /// Returns `PermanentNotSetUp` or `PermanentRejected` if the value was not written. After any
    /// other error, the value may have been written.
    async fn swap(
        &self,
        key: &str,
        expected: Option<String>,
        new: String,
    ) -> Result<wit::SwapOutcome, wit::JournalError>;

    /// Returns a page of keys and their values.
    ///
    /// # Errors
    /// Returns `JournalError` if the journal cannot be read.
    async fn list_items(&self, after: Option<String>) -> Result<wit::Page, wit::JournalError>;
}

#[wasmtime_wasi::async_trait]
impl Journal for messaging_journal::Journal {
    async fn get(&self, key: &str) -> Result<Option<String>, wit::JournalError> {
        Self::get(self, key).await.map_err(|error| failed(&error))
    }

    async fn swap(
        &self,
        key: &str,
        expected: Option<String>,
        new: String,
    ) -> Result<wit::SwapOutcome, wit::JournalError> {
        match Self::swap(self, key, expected.as_deref(), &new).await {
            Ok(Swapped::Swapped) => Ok(wit::SwapOutcome::Swapped),
            Ok(Swapped::Stale(found)) => Ok(wit::SwapOutcome::Stale(found)),
            Err(error) => Err(failed(&error)),
        }
    }

    async fn list_items(&self, after: Option<String>) -> Result<wit::Page, wit::JournalError> {
        let page = self.list(after.as_deref()).await.map_err(|error| failed(&error))?;
        let item = |(key, text)| wit::Item { key, text };
        Ok(wit::Page { items: page.items.into_iter().map(item).collect(), next: page.next })
    }
}

fn failed(error: &JournalError) -> wit::JournalError {
    let failure = wit::Failure { detail: error.to_string() };
    match error {
        JournalError::NotSetUp { .. } => wit::JournalError::PermanentNotSetUp(failure),
        JournalError::Refused { .. } => wit::JournalError::PermanentRejected(failure),
        JournalError::Unavailable { .. } => wit::JournalError::Unavailable(failure),
    }
}
