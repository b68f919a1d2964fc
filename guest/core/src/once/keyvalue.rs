//! A journal in a key-value store with two atomic writes: create a key that does not exist, and
//! replace a value that still has a given version.
//!
//! | key | value |
//! |---|---|
//! | `sent.NAME` | key and value as JSON, in the format of [`keyed`] |
//!
//! NAME is derived from the key. The store's keys have at most 115 bytes of `a-z`, `0-9`, `-`, `_`,
//! `=` and `.`, which every store accepts.
//!
//! A swap has three steps:
//!
//! 1. Read the key and its version. If the value is not the expected value, the result is stale.
//! 2. Create the key, or replace the value of this version. On success, the result is swapped.
//! 3. Otherwise, read the key again. If the value is still the expected value, the journal is
//!    unavailable; any other value is stale.
//!
//! On a store without compare-and-swap, step 1 fails, and no intent is written. Stale reads are
//! harmless, because the store rejects a write over an outdated version. If several callers change
//! a value concurrently, one succeeds.

use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec::Vec;

use crate::keyvalue::{Failure, explain};
pub use crate::keyvalue::{Operation, StoreError};
use crate::names::{keyed, name};

use crate::once::entry::MAX_VALUE_BYTES;
use crate::once::key::Key;
use crate::once::send::{Input, JournalFailure};
use crate::once::settings;

/// Prefix of every key in the store. A bucket may contain other keys.
pub const PREFIX: &str = "sent.";
/// Maximum number of entries on a page.
const PAGE_KEYS: usize = 100;
/// Maximum number of listings for one page. A write during a listing can require another listing.
const MAX_LISTINGS: u32 = 8;

/// A value and its version in the store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Current {
    /// Stored bytes.
    pub value: Vec<u8>,
    /// The store's version of the value, which changes with each write of the key.
    pub version: String,
}

/// A part of a bucket's keys.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listed {
    /// Keys in the order of the store.
    pub keys: Vec<String>,
    /// Start of the next part; `None` after the last.
    pub cursor: Option<String>,
}

/// A bucket of a store.
#[allow(async_fn_in_trait, reason = "a component has one thread")]
pub trait Bucket {
    /// Reads a key. The value may be older than the last write.
    async fn current(&self, key: &str) -> Result<Option<Current>, StoreError>;

    /// Creates a key in one atomic step. Returns false if the key exists.
    async fn create(&self, key: &str, value: &[u8]) -> Result<bool, StoreError>;

    /// Replaces a value in one atomic step. Returns false if the key does not have this version.
    async fn swap(&self, key: &str, version: &str, value: &[u8]) -> Result<bool, StoreError>;

    /// Lists keys with the prefix [`PREFIX`], from the beginning or from a cursor.
    async fn list(&self, cursor: Option<String>) -> Result<Listed, StoreError>;
}

/// A key and its value (WIT `journal.item`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// The key of the entry.
    pub key: String,
    /// Value of the key.
    pub text: String,
}

/// A page of a journal's entries (WIT `journal.page`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// Entries in the order of their names in the store.
    pub items: Vec<Item>,
    /// Start of the next page; `None` on the last page.
    pub next: Option<String>,
}

/// A journal in a bucket.
#[derive(Clone, Debug)]
pub struct Journal<B> {
    bucket: B,
    name: String,
}

/// Converts an error of the store to a failure of the journal.
pub fn failure(bucket: &str, operation: Operation, error: StoreError) -> JournalFailure {
    match explain("send-once", (settings::BUCKET, bucket), operation, error) {
        Failure::NotSetUp(detail) => JournalFailure::new(true, &detail),
        Failure::Unavailable(detail) => JournalFailure::new(false, &detail),
    }
}

/// An item and its version in the store.
struct Found {
    item: Item,
    version: String,
}

impl<B: Bucket> Journal<B> {
    /// Creates a journal in an open bucket. `name` is the bucket's name in messages.
    pub fn new(bucket: B, name: String) -> Self {
        Self { bucket, name }
    }

    /// Reads the value of a key.
    ///
    /// # Errors
    /// Returns a failure if the store fails, or if the entry is malformed or belongs to another
    /// key.
    pub async fn get(&self, key: &Key) -> Result<Option<String>, JournalFailure> {
        let found = self.find(&stored(&name(key.as_str())), Some(key)).await?;
        Ok(found.map(|found| found.item.text))
    }

    /// Replaces the value of a key if the value equals `expected` byte for byte. Returns the input
    /// for the state machine.
    pub async fn swap<E>(&self, key: &Key, expected: Option<&str>, new: &str) -> Input<E> {
        match self.exchange(key, expected, new).await {
            Ok(Ok(())) => Input::Swapped,
            Ok(Err(found)) => Input::Stale(found),
            Err(failure) => Input::Failed(failure),
        }
    }

    /// Replaces a value. The inner `Err` holds the value that differs from `expected`.
    async fn exchange(
        &self,
        key: &Key,
        expected: Option<&str>,
        new: &str,
    ) -> Result<Result<(), Option<String>>, JournalFailure> {
        if new.len() > MAX_VALUE_BYTES {
            return Err(JournalFailure::new(true, "the value is longer than 64 KiB"));
        }
        let stored = stored(&name(key.as_str()));
        let text = |found: Option<Found>| found.map(|found| found.item.text);
        let found = self.find(&stored, Some(key)).await?;
        if found.as_ref().map(|found| found.item.text.as_str()) != expected {
            return Ok(Err(text(found)));
        }
        let value = keyed::print(key.as_str(), new);
        let written = match &found {
            None => self.bucket.create(&stored, value.as_bytes()).await,
            Some(found) => self.bucket.swap(&stored, &found.version, value.as_bytes()).await,
        };
        if written.map_err(|error| self.failed(Operation::Write, error))? {
            return Ok(Ok(()));
        }
        let found = text(self.find(&stored, Some(key)).await?);
        if found.as_deref() == expected {
            let said = [&stored, " has another value, which is not readable yet"].concat();
            return Err(self.failed(Operation::Read, StoreError::Other(said)));
        }
        Ok(Err(found))
    }

    /// Lists keys and their values, from the beginning or from a page's `next`. Each call lists all
    /// keys of the store, because the store's cursors are not stable.
    ///
    /// # Errors
    /// Returns a failure if the store fails, if an entry is malformed, or if writes disturbed each
    /// of 8 listings.
    pub async fn list(&self, after: Option<&str>) -> Result<Page, JournalFailure> {
        let mut names = self.names().await?;
        if let Some(after) = after {
            names = names.split_off(after);
            names.remove(after);
        }
        let more = names.len() > PAGE_KEYS;
        let mut page = Page { items: Vec::new(), next: None };
        for name in names.into_iter().take(PAGE_KEYS) {
            if let Some(found) = self.find(&stored(&name), None).await? {
                page.items.push(found.item);
            }
            page.next = more.then_some(name);
        }
        Ok(page)
    }

    /// Returns the names of all keys. A store that orders keys by their last write, such as NATS,
    /// moves a written key to the end. Such a move during a listing can hide another key. The moved
    /// key then appears twice. A listing without repeated keys is therefore complete.
    async fn names(&self) -> Result<BTreeSet<String>, JournalFailure> {
        'listing: for _ in 0..MAX_LISTINGS {
            let mut names = BTreeSet::new();
            let mut cursor = None;
            loop {
                let listed = self.bucket.list(cursor).await;
                let listed = listed.map_err(|error| self.failed(Operation::Read, error))?;
                for key in listed.keys {
                    let Some(name) = key.strip_prefix(PREFIX) else { continue };
                    if !names.insert(name.into()) {
                        continue 'listing;
                    }
                }
                cursor = listed.cursor;
                if cursor.is_none() {
                    return Ok(names);
                }
            }
        }
        let said = "keys change faster than they can be listed".into();
        Err(self.failed(Operation::Read, StoreError::Other(said)))
    }

    /// Reads an entry of the store. If `key` is set, the entry must belong to it.
    async fn find(&self, stored: &str, key: Option<&Key>) -> Result<Option<Found>, JournalFailure> {
        let current = self.bucket.current(stored).await;
        let current = current.map_err(|error| self.failed(Operation::Read, error))?;
        let Some(Current { value, version }) = current else { return Ok(None) };
        let read = core::str::from_utf8(&value).ok().and_then(keyed::read);
        match read {
            Some((found, text)) if key.is_none_or(|key| key.as_str() == found) => {
                let item = Item { key: found, text: text.into() };
                Ok(Some(Found { item, version }))
            }
            _ => {
                let said = [stored, " is damaged. Restore it from a backup"].concat();
                Err(self.failed(Operation::Read, StoreError::Other(said)))
            }
        }
    }

    fn failed(&self, operation: Operation, error: StoreError) -> JournalFailure {
        failure(&self.name, operation, error)
    }
}

/// Returns the store's key for a name.
fn stored(name: &str) -> String {
    [PREFIX, name].concat()
}
