//! In-memory key-value store for tests.
#![allow(dead_code, unreachable_pub, reason = "each test file uses a part of it")]

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use messaging_host::keyvalue::{Error, KeyValue, Page};

/// An in-memory store. Each operation on a value yields before and after it runs, so that calls
/// interleave and can be canceled at these points.
#[derive(Clone, Default)]
pub struct Memory {
    values: Arc<Mutex<BTreeMap<String, Vec<u8>>>>,
    fault: Option<Error>,
}

impl Memory {
    /// Creates a store that cannot be opened.
    pub fn failing(fault: Error) -> Self {
        Self { fault: Some(fault), ..Self::default() }
    }

    /// Returns all keys.
    pub fn keys(&self) -> Vec<String> {
        self.values.lock().unwrap().keys().cloned().collect()
    }

    /// Returns the value of a key.
    pub fn value(&self, key: &str) -> Option<Vec<u8>> {
        self.values.lock().unwrap().get(key).cloned()
    }

    async fn with<T>(&self, run: impl FnOnce(&mut BTreeMap<String, Vec<u8>>) -> T) -> T {
        tokio::task::yield_now().await;
        let value = run(&mut self.values.lock().unwrap());
        tokio::task::yield_now().await;
        value
    }
}

#[wasmtime_wasi::async_trait]
impl KeyValue for Memory {
    async fn open(&self, bucket: &str) -> Result<(), Error> {
        match &self.fault {
            Some(fault) => Err(fault.clone()),
            None if bucket == "default" || bucket == "mine" || bucket.is_empty() => Ok(()),
            None => Err(Error::NoSuchStore),
        }
    }

    async fn get(&self, _: &str, key: &str) -> Result<Option<Vec<u8>>, Error> {
        Ok(self.with(|values| values.get(key).cloned()).await)
    }

    async fn set(&self, _: &str, key: &str, value: Vec<u8>) -> Result<(), Error> {
        self.with(|values| values.insert(key.into(), value)).await;
        Ok(())
    }

    async fn delete(&self, _: &str, key: &str) -> Result<(), Error> {
        self.with(|values| values.remove(key)).await;
        Ok(())
    }

    async fn exists(&self, _: &str, key: &str) -> Result<bool, Error> {
        Ok(self.with(|values| values.contains_key(key)).await)
    }

    async fn list_keys(&self, _: &str, _: Option<u64>) -> Result<Page, Error> {
        Ok(Page { keys: self.keys(), cursor: None })
    }
}
