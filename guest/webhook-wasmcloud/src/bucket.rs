//! The key-value bucket of the inbox, on `wasmcloud:keyvalue`.

use alloc::vec::Vec;

use messaging_core::webhook::exact;
use messaging_core::webhook::inbox::{PutError, Stored};
use messaging_core::webhook::keyvalue::{self, Failed, Operation, StoreError};
use messaging_core::webhook::record::Record;

use crate::bindings::wasi::cli::environment::get_environment;
use crate::bindings::wasmcloud::keyvalue::store;
use crate::bindings::wasmcloud::keyvalue::types;

messaging_core::wasmcloud!(crate::bindings::wasmcloud::keyvalue::types);

/// Stores a record in the configured bucket.
pub async fn keep(record: &Record) -> Result<Stored, PutError> {
    let name = keyvalue::bucket(get_environment());
    let kept = match store::open(name.clone()).await {
        Ok(bucket) => exact::keep(&Bucket(bucket), record).await,
        Err(error) => Err(Failed::Store(Operation::Open, store_error(error))),
    };
    kept.map_err(|failed| failed.explain(record, &name))
}

struct Bucket(types::Bucket);

impl exact::Bucket for Bucket {
    async fn get(&self, key: &str) -> Result<Option<Vec<u8>>, StoreError> {
        self.0.get(key.into()).await.map_err(store_error)
    }

    async fn set(&self, key: &str, value: &[u8]) -> Result<(), StoreError> {
        self.0.set(key.into(), value.into(), None).await.map_err(store_error)
    }

    async fn create(&self, key: &str, value: &[u8]) -> Result<bool, StoreError> {
        create(&self.0, key, value).await
    }
}
