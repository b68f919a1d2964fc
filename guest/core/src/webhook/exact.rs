//! Inbox on a key-value store with an atomic create operation. The result of each call is exact,
//! for any number of concurrent calls.
//!
//! NAME stands for the idempotency key, DIGEST for the digest of an event.
//!
//! | key | value |
//! |---|---|
//! | `event.NAME.DIGEST` | the record |
//! | `first.NAME` | the digest of the first event |
//! | `conflicts.NAME.N` | the digest of a conflicting event; N is 0 to 15 |
//!
//! ```text
//! read first.NAME:  absent           write the event, create first.NAME:
//!                                      created        stored
//!                                      exists         read first.NAME again
//!                   equal digest     duplicate
//!                   another digest   create conflicts.NAME.0, .1, ...:
//!                                      created, or has an equal digest   conflict
//! ```
//!
//! A call writes the event under its digest, then creates its `first` or `conflicts` key. Repeated
//! writes under a digest change nothing. A created key is never written again. A stale read can
//! therefore miss a key, even after a failed create, but it never returns an old value.

use alloc::format;
use alloc::vec::Vec;

use crate::webhook::inbox::Stored;
use crate::webhook::keyvalue::{Failed, Keys, Operation, StoreError};
use crate::webhook::record::{MAX_CONFLICTS, Record};

/// A bucket of a store.
#[allow(async_fn_in_trait, reason = "a component has one thread")]
pub trait Bucket {
    /// Reads the value of a key. The value may be older than the last write.
    async fn get(&self, key: &str) -> Result<Option<Vec<u8>>, StoreError>;

    /// Writes a value, whether or not the key exists.
    async fn set(&self, key: &str, value: &[u8]) -> Result<(), StoreError>;

    /// Creates a key in one atomic step. Returns false if the key exists.
    async fn create(&self, key: &str, value: &[u8]) -> Result<bool, StoreError>;
}

/// Stores a record, and returns whether the record is new under its idempotency key.
///
/// # Errors
/// Returns [`Failed::Store`] if the store fails. Returns [`Failed::TooMany`] if [`MAX_CONFLICTS`]
/// conflicting events are stored under the key. The call can be retried after either error.
pub async fn keep<B: Bucket>(bucket: &B, record: &Record) -> Result<Stored, Failed> {
    let keys = Keys::of(record);
    let claim = Claim { bucket, record, event: &keys.event };
    match claim.take(&keys.first).await? {
        Taken::Now => return Ok(Stored::Stored),
        Taken::Before => return Ok(Stored::Duplicate),
        Taken::ByAnother => {}
    }
    for number in 0..MAX_CONFLICTS {
        match claim.take(&format!("{}.{number}", keys.conflicts)).await? {
            Taken::Now | Taken::Before => return Ok(Stored::Conflict),
            Taken::ByAnother => {}
        }
    }
    Err(Failed::TooMany)
}

/// The call or event that has created a key.
enum Taken {
    /// This call created the key.
    Now,
    /// The key already belongs to this event.
    Before,
    ByAnother,
}

struct Claim<'a, B> {
    bucket: &'a B,
    record: &'a Record,
    event: &'a str,
}

impl<B: Bucket> Claim<'_, B> {
    /// Creates a key for the record, unless the key exists. Writes the event before the key.
    async fn take(&self, key: &str) -> Result<Taken, Failed> {
        if let Some(taken) = self.look(key).await? {
            return Ok(taken);
        }
        let written = |error| Failed::Store(Operation::Write, error);
        self.bucket.set(self.event, &self.record.bytes).await.map_err(written)?;
        let failed = match self.bucket.create(key, self.record.digest.as_bytes()).await {
            Ok(true) => return Ok(Taken::Now),
            Ok(false) => {
                let detail = format!("{key} exists but cannot be read");
                Failed::Store(Operation::Read, StoreError::Other(detail))
            }
            // The create may have succeeded, or the error may report an existing key. wash 2.10 treats
            // one of the two NATS errors for an existing key as a failure.
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
