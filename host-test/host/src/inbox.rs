//! Inboxes of events: the interface `inbox` as a trait, and its implementation by
//! `messaging-inbox`.

use messaging_inbox::{Entry, Store, StoreError, Stored, TraceContext};

#[allow(missing_docs, clippy::all, clippy::pedantic, reason = "generated from the WIT")]
mod bindings {
    wasmtime::component::bindgen!({
        path: "wit",
        inline: "package host:test; world inbox-host { import messaging:integration/inbox@0.2.0; }",
        world: "host:test/inbox-host",
        imports: { default: async },
        additional_derives: [PartialEq],
    });
}

/// The types of the interface `inbox`, generated from `wit/inbox.wit`.
pub use bindings::messaging::integration::inbox as wit;

/// An inbox of the host. An implementation must keep the promises in `wit/inbox.wit`.
#[wasmtime_wasi::async_trait]
pub trait Inbox: Send + Sync {
    /// Stores an entry. Returns only when the entry is durable, and so survives a crash.
    ///
    /// # Errors
    /// Returns `InboxError` if it is not certain that the entry is stored. The event source
    /// delivers the event again unless the error is `PermanentRejected`.
    async fn put(&self, entry: wit::Entry) -> Result<wit::Stored, wit::InboxError>;

    /// Stores an entry with the trace context from the headers of the delivery. The default
    /// implementation drops the trace context. The proof of origin does not cover the trace
    /// context, so the trace context must not influence decisions.
    ///
    /// # Errors
    /// Returns the errors of [`put`](Self::put).
    async fn put_traced(
        &self,
        entry: wit::Entry,
        trace: Option<TraceContext>,
    ) -> Result<wit::Stored, wit::InboxError> {
        drop(trace);
        self.put(entry).await
    }
}

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
