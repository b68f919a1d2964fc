//! The journal's bucket on `wasmcloud:keyvalue`. Only calls the host; makes no decisions.

use alloc::string::String;

use messaging_core::once::keyvalue::{self, Current, Journal, Listed, Operation, StoreError};
use messaging_core::once::send::JournalFailure;

use crate::bindings::wasmcloud::keyvalue::cas::{self, CasOptions, CasResult};
use crate::bindings::wasmcloud::keyvalue::{store, types};

messaging_core::wasmcloud!(crate::bindings::wasmcloud::keyvalue::types);

/// An open bucket of the host.
pub struct Bucket(types::Bucket);

/// Opens the journal in the bucket of this name.
pub async fn open(name: &str) -> Result<Journal<Bucket>, JournalFailure> {
    match store::open(name.into()).await {
        Ok(bucket) => Ok(Journal::new(Bucket(bucket), name.into())),
        Err(error) => Err(keyvalue::failure(name, Operation::Open, store_error(error))),
    }
}

impl keyvalue::Bucket for Bucket {
    async fn current(&self, key: &str) -> Result<Option<Current>, StoreError> {
        let entry = cas::current(&self.0, key.into()).await.map_err(store_error)?;
        Ok(entry.map(|entry| Current { value: entry.value, version: entry.version }))
    }

    async fn create(&self, key: &str, value: &[u8]) -> Result<bool, StoreError> {
        create(&self.0, key, value).await
    }

    async fn swap(&self, key: &str, version: &str, value: &[u8]) -> Result<bool, StoreError> {
        let options = CasOptions { require_version: Some(version.into()), require_value: None };
        match cas::swap(&self.0, key.into(), value.into(), options).await.map_err(store_error)? {
            CasResult::Swapped => Ok(true),
            CasResult::Stale(_) => Ok(false),
        }
    }

    async fn list(&self, cursor: Option<String>) -> Result<Listed, StoreError> {
        let listed =
            self.0.list_keys(Some(keyvalue::PREFIX.into()), cursor).await.map_err(store_error)?;
        Ok(Listed { keys: listed.keys, cursor: listed.cursor })
    }
}
