//! A journal in a key-value store that has two atomic writes: one where a key does not exist, and one
//! where it still has a version.
//!
//! | key | value |
//! |---|---|
//! | `sent.NAME` | key and text, as [`keyed`] has them |
//!
//! NAME stands for the key. Keys consist of `a-z`, `0-9`, `-`, `_`, `=` and `.`, which every store
//! takes, and are at most 115 bytes long.
//!
//! ```text
//! read --another text--> stale
//!   |--none, as expected--> create --made--> swapped
//!   +--the expected one---> swap from its version --made--> swapped
//!                              | not made: read --another text--> stale
//!                                               +--the same-----> no answer, try again
//! ```
//!
//! A key is read before it is created, so a store that cannot compare says so before there is an
//! intent. Reads may be late: a write from what is no longer there is not made, so of any number of
//! callers one still changes a text, whatever they have read.

use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec::Vec;

use messaging_keyvalue::{Failure, explain};
pub use messaging_keyvalue::{Operation, StoreError};
use messaging_names::{keyed, name};

use crate::entry::MAX_VALUE_BYTES;
use crate::key::Key;
use crate::send::{Input, JournalFailure};
use crate::settings;

/// Beginning of every key. A bucket may have others.
pub const PREFIX: &str = "sent.";
/// Keys on one page.
const PAGE_KEYS: usize = 100;
/// Number of times that the store's keys are listed until their order holds still.
const MAX_LISTINGS: u32 = 8;

/// A value, and the store's token for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Current {
    /// The value.
    pub value: Vec<u8>,
    /// Another after each write of the key.
    pub version: String,
}

/// Some of a bucket's keys.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listed {
    /// In the store's order.
    pub keys: Vec<String>,
    /// Where the next ones begin; none after the last.
    pub cursor: Option<String>,
}

/// A bucket of a store.
#[allow(async_fn_in_trait, reason = "a component has one thread")]
pub trait Bucket {
    /// Reads a key. It may be older than the last write.
    async fn current(&self, key: &str) -> Result<Option<Current>, StoreError>;

    /// Writes a value where the key does not exist, in one atomic step; false where it does.
    async fn create(&self, key: &str, value: &[u8]) -> Result<bool, StoreError>;

    /// Writes a value where the key has this version, in one atomic step; false where it has not.
    async fn swap(&self, key: &str, version: &str, value: &[u8]) -> Result<bool, StoreError>;

    /// Lists keys that begin with [`PREFIX`], from the beginning or from a cursor.
    async fn list(&self, cursor: Option<String>) -> Result<Listed, StoreError>;
}

/// A key and its text (WIT `journal.item`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// The key.
    pub key: String,
    /// Its text.
    pub text: String,
}

/// Some of a journal's keys (WIT `journal.page`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// In the order of their names.
    pub items: Vec<Item>,
    /// Where the next page begins; none after the last one.
    pub next: Option<String>,
}

/// A journal in a bucket.
#[derive(Clone, Debug)]
pub struct Journal<B> {
    bucket: B,
    name: String,
}

/// Why a bucket did not do something.
#[must_use]
pub fn failure(bucket: &str, operation: Operation, error: StoreError) -> JournalFailure {
    match explain("send-once", (settings::BUCKET, bucket), operation, error) {
        Failure::NotSetUp(detail) => JournalFailure::new(true, &detail),
        Failure::Unavailable(detail) => JournalFailure::new(false, &detail),
    }
}

/// A text as it was found.
struct Found {
    item: Item,
    version: String,
}

impl<B: Bucket> Journal<B> {
    /// The journal in an open bucket of this name.
    pub fn new(bucket: B, name: String) -> Self {
        Self { bucket, name }
    }

    /// Reads the text of a key.
    ///
    /// # Errors
    /// The store failed, or has something else under the key's name.
    pub async fn get(&self, key: &Key) -> Result<Option<String>, JournalFailure> {
        let found = self.find(&stored(&name(key.as_str())), Some(key)).await?;
        Ok(found.map(|found| found.item.text))
    }

    /// Gives a key a new text if its text is the expected one, byte for byte: what a machine is told
    /// of it.
    pub async fn swap<E>(&self, key: &Key, expected: Option<&str>, new: &str) -> Input<E> {
        match self.exchange(key, expected, new).await {
            Ok(Ok(())) => Input::Swapped,
            Ok(Err(found)) => Input::Stale(found),
            Err(failure) => Input::Failed(failure),
        }
    }

    /// Returns, inside, the text that was there in place of the expected one.
    async fn exchange(
        &self,
        key: &Key,
        expected: Option<&str>,
        new: &str,
    ) -> Result<Result<(), Option<String>>, JournalFailure> {
        if new.len() > MAX_VALUE_BYTES {
            return Err(JournalFailure::new(true, "the text is longer than 64 KiB"));
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
            let said = [&stored, " has another value, which is not to be seen yet"].concat();
            return Err(self.failed(Operation::Read, StoreError::Other(said)));
        }
        Ok(Err(found))
    }

    /// Lists keys and their texts, from the beginning or from a page's `next`. Each page lists all
    /// of the store's keys: its cursors are no places that stay.
    ///
    /// # Errors
    /// As [`Journal::get`]; or keys were written so often that the store listed none of
    /// 8 times each of them once.
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
            page.next = Some(name).filter(|_| more);
        }
        Ok(page)
    }

    /// The names of all keys. A store that has its keys in the order of their last writes, as NATS
    /// has, moves a key to the end when it is written; where that is between two cursors, another
    /// is skipped. The one that moved is then seen twice, so a listing without a key that is
    /// seen twice has skipped none.
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
        let said = "keys are written while they are listed".into();
        Err(self.failed(Operation::Read, StoreError::Other(said)))
    }

    /// Reads what is stored; `key` is the one that it has to be of.
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
                let said = [stored, " is not what was written there. Put back what was"].concat();
                Err(self.failed(Operation::Read, StoreError::Other(said)))
            }
        }
    }

    fn failed(&self, operation: Operation, error: StoreError) -> JournalFailure {
        failure(&self.name, operation, error)
    }
}

/// The store's key for a name.
fn stored(name: &str) -> String {
    [PREFIX, name].concat()
}
