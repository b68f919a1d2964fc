//! An inbox in a key-value store, as a component of the world
//! `messaging:integration/inbox-keyvalue`.
//!
//! The module `messaging_core::webhook::keyvalue` defines keys and values. NAME stands for the
//! idempotency key.
//!
//! - `first.NAME` is the label of an idempotency key: it holds the digest of the key's first event.
//! - `conflicts.NAME` holds the digests of conflicting events, one per line. Sequential calls store
//!   at most 16.
//!
//! Concurrent calls can leave other values in `first.NAME` and `conflicts.NAME`; see Guarantees.
//!
//! # Guarantees
//!
//! The store can get and set a key, but cannot make a write fail if the key exists. Consequences:
//!
//! - An event and its idempotency key are stored in one write. A repeated write changes nothing.
//!   The label is written after the event, so each label belongs to a stored event.
//! - No event overwrites another, because the store's key of an event contains the digest of the
//!   event.
//! - Sequential calls get exact results: `stored` once, then `duplicate`. A different event under
//!   the same idempotency key gets `conflict`. The 17th conflicting event gets `unavailable`.
//! - Concurrent calls may all get `stored`. Equal events are stored once. Different events are all
//!   stored. No event is lost. The label then holds the digest of the last writer's event.
//!   `conflicts.NAME` may lack a digest or have more than 16.
//! - A worker that needs each event exactly once compares idempotency keys, or uses an inbox with
//!   an atomic write.
// Other targets have no WASI, so the crate is empty there.
#![cfg(target_family = "wasm")]
#![no_std]
#![deny(clippy::indexing_slicing, clippy::arithmetic_side_effects, clippy::string_slice)]

extern crate alloc;

use messaging_runtime as _;

#[allow(missing_docs, reason = "documented in the WIT")]
mod bindings {
    wit_bindgen::generate!({
        path: "../../wit",
        world: "inbox-keyvalue",
        generate_all,
    });
}

use messaging_core::webhook::inbox::{PutError, Stored};
use messaging_core::webhook::keyvalue::{self, Failed, Keys, Operation, StoreError};
use messaging_core::webhook::label;
use messaging_core::webhook::record::{MAX_CONFLICTS, Record};

use crate::bindings::exports::messaging::integration::inbox as wit;
use crate::bindings::wasi::keyvalue::store;

struct Inbox;

bindings::export!(Inbox with_types_in bindings);

impl wit::Guest for Inbox {
    fn put(entry: wit::Entry) -> Result<wit::Stored, wit::InboxError> {
        let record =
            Record::new(&entry.idempotency_key, &entry.message_id, &entry.kind, &entry.json);
        let bucket = keyvalue::bucket(::wasi::cli::environment::get_environment());
        match keep(&bucket, &record) {
            Ok(Stored::Stored) => Ok(wit::Stored::Stored),
            Ok(Stored::Duplicate) => Ok(wit::Stored::Duplicate),
            Ok(Stored::Conflict) => Ok(wit::Stored::Conflict),
            Err(failed) => Err(error(failed.explain(&record, &bucket))),
        }
    }
}

/// Stores a record, and writes its digest to the label or the list of conflicts.
fn keep(bucket: &str, record: &Record) -> Result<Stored, Failed> {
    let bucket = store::open(bucket).map_err(failed(Operation::Open))?;
    let get = |key: &str| bucket.get(key).map_err(failed(Operation::Read));
    let set = |key: &str, value: &[u8]| bucket.set(key, value).map_err(failed(Operation::Write));
    let Keys { event, first, conflicts } = Keys::of(record);

    let was_kept = get(&event)?.is_some();
    let verdict = label::judge(was_kept, get(&first)?.as_deref(), &record.digest);
    let listed = match verdict.kept {
        Stored::Conflict => Some(get(&conflicts)?.unwrap_or_default()),
        Stored::Stored | Stored::Duplicate => None,
    };
    // The list may lack the digest of a stored event, because an earlier call may have ended
    // between the write of the event and the write of the list.
    let listed = listed.filter(|listed| !has_line(listed, record.digest.as_bytes()));
    if !was_kept {
        if listed.as_ref().is_some_and(|listed| lines(listed).count() >= MAX_CONFLICTS) {
            return Err(Failed::TooMany);
        }
        set(&event, &record.bytes)?;
    }
    if let Some(mut listed) = listed {
        listed.extend_from_slice(record.digest.as_bytes());
        listed.push(b'\n');
        set(&conflicts, &listed)?;
    }
    if verdict.set_label {
        set(&first, record.digest.as_bytes())?;
    }
    Ok(verdict.kept)
}

fn lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(|byte| *byte == b'\n').filter(|line| !line.is_empty())
}

fn has_line(text: &[u8], wanted: &[u8]) -> bool {
    lines(text).any(|line| line == wanted)
}

fn failed(operation: Operation) -> impl Fn(store::Error) -> Failed {
    move |error| {
        let error = match error {
            store::Error::NoSuchStore => StoreError::NoSuchStore,
            store::Error::AccessDenied => StoreError::AccessDenied,
            store::Error::Other(said) => StoreError::Other(said),
        };
        Failed::Store(operation, error)
    }
}

fn error(error: PutError) -> wit::InboxError {
    let failure = |detail| wit::Failure { detail };
    match error {
        PutError::Failed => wit::InboxError::ExecutionFailed,
        PutError::NotSetUp(detail) => wit::InboxError::PermanentNotSetUp(failure(detail)),
        PutError::Rejected(detail) => wit::InboxError::PermanentRejected(failure(detail)),
        PutError::Unavailable(detail) => wit::InboxError::Unavailable(failure(detail)),
    }
}
