//! The host's store as the inbox that components import.

use crate::webhook::{Inbox, wit};
use messaging_inbox::{Entry, Store, StoreError, Stored, TraceContext};

#[wasmtime_wasi::async_trait]
impl Inbox for Store {
    async fn put(&self, entry: wit::Entry) -> Result<wit::Stored, wit::InboxError> {
        Inbox::put_traced(self, entry, None).await
    }

    async fn put_traced(
        &self,
        entry: wit::Entry,
        trace: Option<TraceContext>,
    ) -> Result<wit::Stored, wit::InboxError> {
        let entry = Entry {
            idempotency_key: entry.idempotency_key,
            message_id: entry.message_id,
            kind: entry.kind,
            json: entry.json,
        };
        match Store::put_traced(self, entry, trace).await {
            // New under its own key, whatever came under another one before.
            Ok(Stored::Stored | Stored::Replayed) => Ok(wit::Stored::Stored),
            Ok(Stored::Duplicate) => Ok(wit::Stored::Duplicate),
            Ok(Stored::Conflict) => Ok(wit::Stored::Conflict),
            Err(error) => Err(failed(&error)),
        }
    }
}

/// The store's error as an inbox's. Rejected is only what this entry's own bytes are the
/// reason for: the sender may give it up.
fn failed(error: &StoreError) -> wit::InboxError {
    let failure = wit::Failure { detail: error.to_string() };
    match error {
        StoreError::NotSetUp { .. } => wit::InboxError::PermanentNotSetUp(failure),
        StoreError::Refused { .. } => wit::InboxError::PermanentRejected(failure),
        _ => wit::InboxError::Unavailable(failure),
    }
}
