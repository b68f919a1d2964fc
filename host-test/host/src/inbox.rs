//! The host's store as what components import: an inbox, and key-value buckets.

use crate::keyvalue::{Error, KeyValue, Page};
use crate::webhook::{Inbox, wit};
use messaging_inbox::{Entry, Store, StoreError, Stored, TraceContext};

/// Number of keys on one page of a bucket.
const PAGE_KEYS: u32 = 1_000;

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

/// The buckets of a store, or none.
#[derive(Clone, Default)]
pub struct Buckets(pub Option<Store>);

impl Buckets {
    fn store(&self) -> Result<&Store, Error> {
        self.0.as_ref().ok_or(Error::NoSuchStore)
    }
}

fn other(error: StoreError) -> Error {
    Error::Other(error.to_string())
}

impl KeyValue for Buckets {
    async fn open(&self, _: &str) -> Result<(), Error> {
        self.store().map(drop)
    }

    async fn get(&self, bucket: &str, key: &str) -> Result<Option<Vec<u8>>, Error> {
        self.store()?.kv_get(bucket, key).await.map_err(other)
    }

    async fn set(&self, bucket: &str, key: &str, value: Vec<u8>) -> Result<(), Error> {
        self.store()?.kv_set(bucket, key, value).await.map_err(other)
    }

    async fn delete(&self, bucket: &str, key: &str) -> Result<(), Error> {
        self.store()?.kv_delete(bucket, key).await.map_err(other)
    }

    async fn exists(&self, bucket: &str, key: &str) -> Result<bool, Error> {
        self.store()?.kv_exists(bucket, key).await.map_err(other)
    }

    async fn list_keys(&self, bucket: &str, cursor: Option<u64>) -> Result<Page, Error> {
        let page = self.store()?.kv_list(bucket, cursor, PAGE_KEYS).await.map_err(other)?;
        Ok(Page { keys: page.keys, cursor: page.cursor })
    }
}
