//! An inbox on a key-value store, as a component of the world
//! `messaging:integration/inbox-keyvalue`.
//!
//! Keys and values are those of `messaging-webhook-core`'s `keyvalue`; `conflicts.NAME` has the
//! digests of the others, each with a newline; there are 16 at most.
//!
//! # What is guaranteed
//!
//! The store has get and set, and no write that fails where a key exists. So:
//!
//! - An event and its key are one write, and writing it again changes nothing. The
//!   label is written after the event, so no label stands for an event that is not there.
//! - No event overwrites another: different events have different keys.
//! - Calls that do not overlap are answered exactly: `stored` once, then `duplicate`,
//!   and `conflict` for another event under the same idempotency key, `unavailable` for
//!   the 17th of those.
//! - Calls that overlap may each be answered `stored`: two with the same event, which is
//!   kept once, or two with different events, which are both kept. The label then names
//!   the later writer's. Nothing is lost, but who needs each event exactly once looks at
//!   the keys, or takes an inbox with an atomic write.
// Outside wasm there is no WASI to call: natively this crate is empty.
#![cfg(target_family = "wasm")]
#![no_std]
#![deny(clippy::indexing_slicing, clippy::arithmetic_side_effects, clippy::string_slice)]

extern crate alloc;

use messaging_runtime as _;

#[allow(missing_docs, reason = "the WIT documents what is generated from it")]
mod bindings {
    wit_bindgen::generate!({
        path: "../../wit",
        world: "inbox-keyvalue",
        generate_all,
    });
}

use messaging_webhook_core::inbox::{NotKept, Stored};
use messaging_webhook_core::keyvalue::{self, Failed, Keys, Operation, StoreError};
use messaging_webhook_core::label;
use messaging_webhook_core::record::{MAX_CONFLICTS, Record};

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

/// Keeps a record.
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
    // Listed after it is kept, and also where the call that kept it was cut off before that.
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

fn error(not_kept: NotKept) -> wit::InboxError {
    let failure = |detail| wit::Failure { detail };
    match not_kept {
        NotKept::Failed => wit::InboxError::ExecutionFailed,
        NotKept::NotSetUp(detail) => wit::InboxError::PermanentNotSetUp(failure(detail)),
        NotKept::Rejected(detail) => wit::InboxError::PermanentRejected(failure(detail)),
        NotKept::Unavailable(detail) => wit::InboxError::Unavailable(failure(detail)),
    }
}
