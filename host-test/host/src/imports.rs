//! The interfaces `journal` and `inbox` that components import.

use std::sync::Arc;

#[cfg(feature = "webhook")]
use crate::inbox::wit as inbox;
use crate::journal::{Journal, wit as journal};
use crate::state::State;

impl State {
    fn journal_for(&self, bytes: usize) -> Result<Arc<dyn Journal>, journal::JournalError> {
        if !self.meter().transfer(bytes) {
            let detail = "the call exceeds `Limits::transfer_bytes`".into();
            return Err(journal::JournalError::Unavailable(journal::Failure { detail }));
        }
        self.journal.clone().ok_or_else(|| {
            let detail = "the host has no journal".into();
            journal::JournalError::PermanentNotSetUp(journal::Failure { detail })
        })
    }
}

impl journal::Host for State {
    async fn get(&mut self, key: String) -> Result<Option<String>, journal::JournalError> {
        self.journal_for(key.len())?.get(&key).await
    }

    async fn swap(
        &mut self,
        key: String,
        expected: Option<String>,
        new: String,
    ) -> Result<journal::SwapOutcome, journal::JournalError> {
        let bytes = key.len().saturating_add(new.len());
        self.journal_for(bytes)?.swap(&key, expected, new).await
    }

    async fn list_items(
        &mut self,
        after: Option<String>,
    ) -> Result<journal::Page, journal::JournalError> {
        self.journal_for(0)?.list_items(after).await
    }
}

#[cfg(feature = "webhook")]
impl inbox::Host for State {
    async fn put(&mut self, entry: inbox::Entry) -> Result<inbox::Stored, inbox::InboxError> {
        let texts = [&entry.idempotency_key, &entry.message_id, &entry.kind, &entry.json];
        if !self.meter().transfer(texts.map(String::len).iter().sum()) {
            let detail = "the call exceeds `Limits::transfer_bytes`".into();
            return Err(inbox::InboxError::Unavailable(inbox::Failure { detail }));
        }
        let stored = match &self.webhook.inbox {
            Some(inbox) => {
                let trace = self.webhook.trace.clone();
                Arc::clone(inbox).put_traced(entry, trace).await
            }
            None => {
                let detail = "the host has no inbox".into();
                Err(inbox::InboxError::PermanentNotSetUp(inbox::Failure { detail }))
            }
        };
        let failed = matches!(
            stored,
            Err(inbox::InboxError::Unavailable(_) | inbox::InboxError::PermanentNotSetUp(_))
        );
        let failures = self.webhook.failures.as_ref();
        if failed && failures.is_some_and(|failures| failures.admit(()).is_none()) {
            self.meter().quiet();
        }
        stored
    }
}
