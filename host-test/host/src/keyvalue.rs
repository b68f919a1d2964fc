//! `wasi:keyvalue/store` for components, over any store that can get and set.
//!
//! A host implements [`KeyValue`] and calls [`add_to_linker`]; handles, errors and
//! types of the interface are dealt with here.

use wasmtime::component::{HasData, Linker, Resource, ResourceTable, ResourceTableError};

#[allow(missing_docs, clippy::all, clippy::pedantic, reason = "generated from the WIT")]
mod bindings {
    wasmtime::component::bindgen!({
        path: "../../wit",
        // Of the package the store alone: nothing here uses its other interfaces.
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
/// A later call sees every value that an earlier one wrote, whichever component makes it:
/// inboxes recognise repeated events by it.
#[wasmtime_wasi::async_trait]
pub trait KeyValue: Send + Sync + 'static {
    /// Whether a component may use a bucket. The calls below are made for buckets that
    /// were opened.
    async fn open(&self, bucket: &str) -> Result<(), Error>;

    /// The value under a key.
    async fn get(&self, bucket: &str, key: &str) -> Result<Option<Vec<u8>>, Error>;

    /// Sets the value under a key, in one step. Returns when it would survive a crash.
    async fn set(&self, bucket: &str, key: &str, value: Vec<u8>) -> Result<(), Error>;

    /// Removes a key; not an error where there is none.
    async fn delete(&self, bucket: &str, key: &str) -> Result<(), Error>;

    /// Whether there is a value under a key.
    async fn exists(&self, bucket: &str, key: &str) -> Result<bool, Error>;

    /// Keys, from a cursor that an earlier page returned or from the beginning.
    async fn list_keys(&self, bucket: &str, cursor: Option<u64>) -> Result<Page, Error>;
}

impl From<ResourceTableError> for Error {
    fn from(error: ResourceTableError) -> Self {
        Self::Other(error.to_string())
    }
}

/// A component's handle on a bucket.
#[derive(Debug)]
pub struct Bucket {
    name: String,
}

/// Access to the store and to the handles on its buckets, within a store's data.
pub struct KeyValueView<'a> {
    /// The store; without one no bucket can be opened.
    pub store: Option<&'a dyn KeyValue>,
    /// Handles on its buckets.
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
/// The linker has it already.
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
