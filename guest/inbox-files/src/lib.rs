//! An inbox in a directory, as a component of the world `messaging:integration/inbox-files`.
//! `messaging_core::webhook` defines the format of a record.
//!
//! ```text
//! put -> record -> keep (look, write, link) -> folder -> wasi:filesystem
//! ```
// Other targets have no WASI, so the crate is empty there.
#![cfg(target_family = "wasm")]
#![no_std]
#![deny(clippy::indexing_slicing, clippy::arithmetic_side_effects, clippy::string_slice)]

extern crate alloc;

mod failure;
mod folder;
mod keep;
use messaging_runtime as _;

#[allow(missing_docs, reason = "documented in the WIT")]
mod bindings {
    wit_bindgen::generate!({
        path: "../../wit",
        world: "inbox-files",
        generate_all,
    });
}

use messaging_core::webhook::record::Record;

use crate::bindings::exports::messaging::integration::inbox as wit;
use crate::folder::Folder;

struct Inbox;

bindings::export!(Inbox with_types_in bindings);

impl wit::Guest for Inbox {
    fn put(entry: wit::Entry) -> Result<wit::Stored, wit::InboxError> {
        let record =
            Record::new(&entry.idempotency_key, &entry.message_id, &entry.kind, &entry.json);
        keep::keep(&Folder::open()?, &record)
    }
}
