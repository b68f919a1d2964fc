//! `wasi:keyvalue/store` for components, over any key-value store.
//!
//! A host implements [`KeyValue`] and calls [`add_to_linker`]. This module implements the handles,
//! errors and types of the interface.

use wasmtime::component::{HasData, Linker, Resource, ResourceTable, ResourceTableError};

#[allow(missing_docs, clippy::all, clippy::pedantic, reason = "generated from the WIT")]
mod bindings {
    wasmtime::component::bindgen!({
        path: "wit",
        // The world imports only the interface `store` of the package.
        inline: "package host:test; world keyvalue-host { import wasi:keyvalue/store@0.2.0-draft; }",
        world: "host:test/keyvalue-host",
        imports: { default: async },
        with: { "wasi:keyvalue/store.bucket": crate::keyvalue::Bucket },
        additional_derives: [PartialEq],
    });
}

use bindings::wasi::keyvalue::store;
pub use bindings::wasi::keyvalue::store::{Error, KeyResponse as Page};

/// A store of buckets, each with values under keys.
///
/// A call must see every value that an earlier call of any component wrote, because inboxes detect
/// duplicate events by their keys.
#[wasmtime_wasi::async_trait]
pub trait KeyValue: Send + Sync + 'static {
    /// Checks that a component may use a bucket. The other methods are called only for opened
    /// buckets.
    async fn open(&self, bucket: &str) -> Result<(), Error>;

    /// Returns the value of a key, or `None` if the key does not exist.
    async fn get(&self, bucket: &str, key: &str) -> Result<Option<Vec<u8>>, Error>;

    /// Sets the value of a key atomically. Must return only when the value is durable, and so
    /// survives a crash.
    async fn set(&self, bucket: &str, key: &str, value: Vec<u8>) -> Result<(), Error>;

    /// Removes a key. Also succeeds if the key does not exist.
    async fn delete(&self, bucket: &str, key: &str) -> Result<(), Error>;

    /// Returns true if a key has a value.
    async fn exists(&self, bucket: &str, key: &str) -> Result<bool, Error>;

    /// Lists keys from the beginning or from the cursor of an earlier page.
    async fn list_keys(&self, bucket: &str, cursor: Option<u64>) -> Result<Page, Error>;
}

impl From<ResourceTableError> for Error {
    fn from(error: ResourceTableError) -> Self {
        Self::Other(error.to_string())
    }
}

/// A component's handle to a bucket.
#[derive(Debug)]
pub struct Bucket {
    name: String,
}

/// A view of the data in a wasmtime store: the key-value store and the bucket handles.
pub struct KeyValueView<'a> {
    /// The key-value store; `None` if the host has no such store.
    pub store: Option<&'a dyn KeyValue>,
    /// The table with the bucket handles.
    pub table: &'a mut ResourceTable,
}

impl KeyValueView<'_> {
    fn store(&self) -> Result<&dyn KeyValue, Error> {
        self.store.ok_or(Error::NoSuchStore)
    }
}

/// Links `wasi:keyvalue/store`.
///
/// # Errors
/// Returns an error if the linker has the interface already.
pub fn add_to_linker<T: Send + 'static>(
    linker: &mut Linker<T>,
    view: fn(&mut T) -> KeyValueView<'_>,
) -> wasmtime::Result<()> {
    store::add_to_linker::<T, HasKeyValue>(linker, view)
}

struct HasKeyValue;

impl HasData for HasKeyValue {
    type Data<'a> = KeyValueView<'a>;
}

impl store::Host for KeyValueView<'_> {
    async fn open(&mut self, identifier: String) -> Result<Resource<Bucket>, Error> {
        self.store()?.open(&identifier).await?;
        Ok(self.table.push(Bucket { name: identifier })?)
    }
}

impl store::HostBucket for KeyValueView<'_> {
    async fn get(
        &mut self,
        bucket: Resource<Bucket>,
        key: String,
    ) -> Result<Option<Vec<u8>>, Error> {
        self.store()?.get(&self.table.get(&bucket)?.name, &key).await
    }

    async fn set(
        &mut self,
        bucket: Resource<Bucket>,
        key: String,
        value: Vec<u8>,
    ) -> Result<(), Error> {
        self.store()?.set(&self.table.get(&bucket)?.name, &key, value).await
    }

    async fn delete(&mut self, bucket: Resource<Bucket>, key: String) -> Result<(), Error> {
        self.store()?.delete(&self.table.get(&bucket)?.name, &key).await
    }

    async fn exists(&mut self, bucket: Resource<Bucket>, key: String) -> Result<bool, Error> {
        self.store()?.exists(&self.table.get(&bucket)?.name, &key).await
    }

    async fn list_keys(
        &mut self,
        bucket: Resource<Bucket>,
        cursor: Option<u64>,
    ) -> Result<Page, Error> {
        self.store()?.list_keys(&self.table.get(&bucket)?.name, cursor).await
    }

    async fn drop(&mut self, bucket: Resource<Bucket>) -> wasmtime::Result<()> {
        self.table.delete(bucket)?;
        Ok(())
    }
}
