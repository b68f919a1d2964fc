//! An inbox on a key-value store, as a component of the world
//! `messaging:integration/inbox-keyvalue`.
//!
//! | key | value |
//! |---|---|
//! | `event.NAME.DIGEST` | the record: a JSON object with the entry, and a newline |
//! | `first.NAME` | the digest of the event that came first under the key |
//! | `conflicts.NAME` | the digests of the others, each with a newline; there are 16 at most |
//!
//! NAME stands for the idempotency key (see `messaging-webhook-core`), DIGEST is the
//! SHA-256 of the event's JSON. Keys consist of `a-z`, `0-9`, `-`, `_`, `=` and `.`,
//! which every store takes, and are at most 181 bytes long.
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
        with: {
            "wasi:cli/environment@0.2.0": ::wasi::cli::environment,
            "wasi:keyvalue/store@0.2.0-draft": generate,
        },
    });
}

use alloc::format;
use alloc::string::String;

use messaging_webhook_core::label::{self, Stored};
use messaging_webhook_core::record::{MAX_CONFLICTS, Record};

use crate::bindings::exports::messaging::integration::inbox as wit;
use crate::bindings::wasi::keyvalue::store;

/// The setting that names the bucket.
const BUCKET_SETTING: &str = "MESSAGING_WEBHOOK_BUCKET";
/// The bucket where none is named.
const DEFAULT_BUCKET: &str = "default";

struct Inbox;

bindings::export!(Inbox with_types_in bindings);

impl wit::Guest for Inbox {
    fn put(entry: wit::Entry) -> Result<wit::Stored, wit::InboxError> {
        let record =
            Record::new(&entry.idempotency_key, &entry.message_id, &entry.kind, &entry.json);
        let bucket = bucket_name();
        keep(&bucket, &record).map_err(|failed| match failed {
            Failed::Store(operation, error) => failure(operation, &bucket, error),
            Failed::TooMany(name) => unavailable(format!(
                "{MAX_CONFLICTS} different events are kept under event.{name}.* beside the first, and this is another. Its sender uses one key for different events: look at them; one that is removed here and from conflicts.{name} makes room"
            )),
        })
    }
}

/// Reason why an entry was not stored.
enum Failed {
    /// The operation that failed, and the store's error.
    Store(&'static str, store::Error),
    /// As many events as are kept are in conflict under the key of this name.
    TooMany(String),
}

/// Keeps a record.
fn keep(bucket: &str, record: &Record) -> Result<wit::Stored, Failed> {
    let bucket = store::open(bucket).map_err(|error| Failed::Store("open", error))?;
    let get = |key: &str| bucket.get(key).map_err(|error| Failed::Store("read", error));
    let set = |key: &str, value: &[u8]| {
        bucket.set(key, value).map_err(|error| Failed::Store("write", error))
    };
    let event = format!("event.{}.{}", record.name, record.digest);
    let first = format!("first.{}", record.name);
    let conflicts = format!("conflicts.{}", record.name);

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
            return Err(Failed::TooMany(record.name.clone()));
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
    Ok(match verdict.kept {
        Stored::Stored => wit::Stored::Stored,
        Stored::Duplicate => wit::Stored::Duplicate,
        Stored::Conflict => wit::Stored::Conflict,
    })
}

fn lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(|byte| *byte == b'\n').filter(|line| !line.is_empty())
}

fn has_line(text: &[u8], wanted: &[u8]) -> bool {
    lines(text).any(|line| line == wanted)
}

/// An empty name is a name: some hosts have a bucket that is called so.
fn bucket_name() -> String {
    ::wasi::cli::environment::get_environment()
        .into_iter()
        .find(|(name, _)| name == BUCKET_SETTING)
        .map_or_else(|| DEFAULT_BUCKET.into(), |(_, value)| value)
}

fn failure(operation: &str, bucket: &str, error: store::Error) -> wit::InboxError {
    let text = format!("the inbox cannot {operation} the bucket \"{bucket}\"");
    let not_set_up = |detail| wit::InboxError::PermanentNotSetUp(wit::Failure { detail });
    match error {
        store::Error::NoSuchStore => not_set_up(format!(
            "{text}: the host has none of that name. Make it, or name another in {BUCKET_SETTING}"
        )),
        store::Error::AccessDenied => not_set_up(format!(
            "{text}: the host denies access. Grant it, or name another in {BUCKET_SETTING}"
        )),
        store::Error::Other(said) => unavailable(format!("{text}: {said}")),
    }
}

fn unavailable(detail: String) -> wit::InboxError {
    wit::InboxError::Unavailable(wit::Failure { detail })
}
