//! The host's store as the `inbox` import of components.

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
            // A replay has its own key, so the event is new for the component.
            Ok(Stored::Stored | Stored::Replayed) => Ok(wit::Stored::Stored),
            Ok(Stored::Duplicate) => Ok(wit::Stored::Duplicate),
            Ok(Stored::Conflict) => Ok(wit::Stored::Conflict),
            Err(error) => Err(failed(&error)),
        }
    }
}

/// Converts an error of the store. Only an error of the entry itself becomes `PermanentRejected`,
/// because the event source may drop a rejected event.
fn failed(error: &StoreError) -> wit::InboxError {
    let failure = wit::Failure { detail: error.to_string() };
    match error {
        StoreError::NotSetUp { .. } => wit::InboxError::PermanentNotSetUp(failure),
        StoreError::Refused { .. } => wit::InboxError::PermanentRejected(failure),
        _ => wit::InboxError::Unavailable(failure),
    }
}
