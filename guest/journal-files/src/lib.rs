//! A journal in a directory, as a component of the world `messaging:integration/journal-files`.
//!
//! ```text
//! entries/NAME/00000001.json    the first value of a key, emptied after the second is written
//! entries/NAME/00000002.json    the second value, and so on; the highest number is current
//! tmp/NAME.NUMBER.DIGEST        a draft
//! ```
//!
//! NAME is derived from the key (see `messaging_core::names`). A file is
//! `{"key":"order-17","text":{…}}` and a newline.
//!
//! # Why files have numbers
//!
//! `rename` replaces an existing file, so two processes that have read the same value could both
//! replace it. A lock file remains if its owner crashes. A hard link fails if the name exists. If
//! several processes replace value 1, only one can create file 2.
//!
//! Files of earlier values are emptied, but never removed. Otherwise a suspended process could
//! later create a file with the number of a removed file.
// Other targets have no WASI, so the crate is empty there.
#![cfg(target_family = "wasm")]
#![no_std]
#![deny(clippy::indexing_slicing, clippy::arithmetic_side_effects, clippy::string_slice)]

extern crate alloc;

mod folder;

#[allow(missing_docs, reason = "documented in the WIT")]
mod bindings {
    wit_bindgen::generate!({
        path: "../../wit",
        world: "journal-files",
        generate_all,
    });
}

use alloc::string::String;

use messaging_runtime::files;

use crate::bindings::exports::messaging::integration::journal as wit;
use crate::folder::Journal;

struct Component;

bindings::export!(Component with_types_in bindings);

impl wit::Guest for Component {
    fn get(key: String) -> Result<Option<String>, wit::JournalError> {
        Ok(Journal::open()?.current(&key)?.map(|current| current.text))
    }

    fn swap(
        key: String,
        expected: Option<String>,
        new: String,
    ) -> Result<wit::SwapOutcome, wit::JournalError> {
        if new.len() > folder::MAX_TEXT_BYTES {
            let detail = "the value is longer than 64 KiB".into();
            return Err(wit::JournalError::PermanentRejected(wit::Failure { detail }));
        }
        Journal::open()?.swap(&key, expected, &new)
    }

    fn list_items(after: Option<String>) -> Result<wit::Page, wit::JournalError> {
        Ok(Journal::open()?.list(after.as_deref())?)
    }
}

impl From<files::Failure> for wit::JournalError {
    fn from(failure: files::Failure) -> Self {
        match failure {
            files::Failure::NotSetUp(detail) | files::Failure::Damaged(detail) => {
                Self::PermanentNotSetUp(wit::Failure { detail })
            }
            files::Failure::Unavailable(detail) => Self::Unavailable(wit::Failure { detail }),
        }
    }
}
