//! Keeps events in a key-value store that has an atomic write: one that fails where the key
//! exists. Each call is answered exactly, however many are made at once.
//!
//! | key | value |
//! |---|---|
//! | `event.NAME.DIGEST` | the record |
//! | `first.NAME` | the digest of the event that came first: what is new |
//! | `conflicts.NAME.N` | the digest of another event; N is 0 to 15 |
//!
//! ```text
//! first? --none--> write the event, create first --made--> stored
//!   |                        | exists: first?
//!   |<-----------------------+
//!   |--the same--> duplicate
//!   +--another---> conflicts.NAME.0, .1, ... likewise --made, or the same--> conflict
//! ```
//!
//! An event is written under its digest, which repeats without changing anything, before the key
//! that makes it count is created. A created key is never written again: a read that is late can
//! only find none, and what is found is true, also after a creation that failed.

use alloc::format;
use alloc::vec::Vec;

use crate::inbox::Stored;
use crate::keyvalue::{Failed, Keys, Operation, StoreError};
use crate::record::{MAX_CONFLICTS, Record};

/// A bucket of a store.
#[allow(async_fn_in_trait, reason = "a component has one thread")]
pub trait Bucket {
    /// Reads the value of a key. It may be older than the last write.
    async fn get(&self, key: &str) -> Result<Option<Vec<u8>>, StoreError>;

    /// Writes a value, whether or not the key exists.
    async fn set(&self, key: &str, value: &[u8]) -> Result<(), StoreError>;

    /// Writes a value where the key does not exist, in one atomic step; false where it does.
    async fn create(&self, key: &str, value: &[u8]) -> Result<bool, StoreError>;
}

/// Keeps a record, and says whether it is new under its idempotency key.
///
/// # Errors
/// The store failed, or [`MAX_CONFLICTS`] other events are kept under the key. Whatever was done
/// until then, the call can be made again.
pub async fn keep<B: Bucket>(bucket: &B, record: &Record) -> Result<Stored, Failed> {
    let keys = Keys::of(record);
    let place = Place { bucket, record, event: &keys.event };
    match place.take(&keys.first).await? {
        Taken::Now => return Ok(Stored::Stored),
        Taken::Before => return Ok(Stored::Duplicate),
        Taken::ByAnother => {}
    }
    for number in 0..MAX_CONFLICTS {
        match place.take(&format!("{}.{number}", keys.conflicts)).await? {
            Taken::Now | Taken::Before => return Ok(Stored::Conflict),
            Taken::ByAnother => {}
        }
    }
    Err(Failed::TooMany)
}

/// Who has a key.
enum Taken {
    /// This call made it.
    Now,
    /// The same event had it.
    Before,
    ByAnother,
}

struct Place<'a, B> {
    bucket: &'a B,
    record: &'a Record,
    event: &'a str,
}

impl<B: Bucket> Place<'_, B> {
    /// Takes a key for the record, once its event is written.
    async fn take(&self, key: &str) -> Result<Taken, Failed> {
        if let Some(taken) = self.look(key).await? {
            return Ok(taken);
        }
        let written = |error| Failed::Store(Operation::Write, error);
        self.bucket.set(self.event, &self.record.bytes).await.map_err(written)?;
        let failed = match self.bucket.create(key, self.record.digest.as_bytes()).await {
            Ok(true) => return Ok(Taken::Now),
            Ok(false) => {
                let detail = format!("{key} exists and is not found");
                Failed::Store(Operation::Read, StoreError::Other(detail))
            }
            // It may have been made all the same. And NATS has two ways of saying that it exists,
            // one of which wash 2.10 takes for a failure.
            Err(error) => written(error),
        };
        self.look(key).await?.ok_or(failed)
    }

    async fn look(&self, key: &str) -> Result<Option<Taken>, Failed> {
        let found = self.bucket.get(key).await;
        let found = found.map_err(|error| Failed::Store(Operation::Read, error))?;
        let same = |digest: Vec<u8>| digest == self.record.digest.as_bytes();
        Ok(found.map(|digest| if same(digest) { Taken::Before } else { Taken::ByAnother }))
    }
}
