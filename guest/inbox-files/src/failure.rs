//! Errors of storing an entry.

use alloc::format;
use alloc::string::String;

use messaging_runtime::files;

use crate::bindings::exports::messaging::integration::inbox::{Failure, InboxError};

/// A failure of the inbox's files.
pub fn failed(failure: files::Failure) -> InboxError {
    match failure {
        files::Failure::NotSetUp(detail) => {
            InboxError::PermanentNotSetUp(Failure { detail: format!("inbox: {detail}") })
        }
        // The sender repeats its delivery until the folder is mended.
        files::Failure::Damaged(detail) | files::Failure::Unavailable(detail) => {
            unavailable(format!("inbox: {detail}"))
        }
    }
}

/// The store could not take the entry, and might later.
pub fn unavailable(text: impl Into<String>) -> InboxError {
    InboxError::Unavailable(Failure { detail: text.into() })
}
