//! Journals of sends: where it is remembered what became of each key. The interface as a trait, the
//! journal of `messaging-journal` behind it, and what components import.

use std::sync::Arc;

pub use messaging_journal::{Journal as SqliteJournal, Options};
use messaging_journal::{JournalError, Swapped};

use crate::state::State;

#[allow(missing_docs, clippy::all, clippy::pedantic, reason = "generated from the WIT")]
mod bindings {
    wasmtime::component::bindgen!({
        path: "../../wit",
        inline: "package host:test; world journal-host { import messaging:integration/journal@0.2.0; }",
        world: "host:test/journal-host",
        imports: { default: async },
        additional_derives: [PartialEq],
    });
}

/// The types of the interface `journal`, generated from `wit/journal.wit`.
pub use bindings::messaging::integration::journal as wit;

/// A journal of sends: what `wit/journal.wit` promises, it has to keep. Above all, `swap` is
/// atomic for everyone who shares it, and durable when it has returned.
#[wasmtime_wasi::async_trait]
pub trait Journal: Send + Sync {
    /// The text of a key.
    ///
    /// # Errors
    /// There is no answer.
    async fn get(&self, key: &str) -> Result<Option<String>, wit::JournalError>;

    /// Gives a key a new text if its text is the expected one.
    ///
    /// # Errors
    /// It was not written, or, after `Unavailable`, may have been.
    async fn swap(
        &self,
        key: &str,
        expected: Option<String>,
        new: String,
    ) -> Result<wit::SwapOutcome, wit::JournalError>;

    /// A page of keys and their texts.
    ///
    /// # Errors
    /// There is no answer.
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

/// State that only who sends once has.
pub(crate) struct Given {
    /// The journal, if this host brings one.
    pub journal: Option<Arc<dyn Journal>>,
}

impl State<Given> {
    fn journal(&self, bytes: usize) -> Result<Arc<dyn Journal>, wit::JournalError> {
        if !self.meter().transfer(bytes) {
            let detail = "one call writes too much".into();
            return Err(wit::JournalError::Unavailable(wit::Failure { detail }));
        }
        self.own.journal.clone().ok_or_else(|| {
            let detail = "the host was given none".into();
            wit::JournalError::PermanentNotSetUp(wit::Failure { detail })
        })
    }
}

impl wit::Host for State<Given> {
    async fn get(&mut self, key: String) -> Result<Option<String>, wit::JournalError> {
        self.journal(key.len())?.get(&key).await
    }

    async fn swap(
        &mut self,
        key: String,
        expected: Option<String>,
        new: String,
    ) -> Result<wit::SwapOutcome, wit::JournalError> {
        let bytes = key.len().saturating_add(new.len());
        self.journal(bytes)?.swap(&key, expected, new).await
    }

    async fn list_items(&mut self, after: Option<String>) -> Result<wit::Page, wit::JournalError> {
        self.journal(0)?.list_items(after).await
    }
}
