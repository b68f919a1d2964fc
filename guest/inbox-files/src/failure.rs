//! Errors of the inbox.

use alloc::format;
use alloc::string::String;

use messaging_runtime::files;

use crate::bindings::exports::messaging::integration::inbox::{Failure, InboxError};

/// Converts a file error to an inbox error.
pub fn failed(failure: files::Failure) -> InboxError {
    match failure {
        files::Failure::NotSetUp(detail) => {
            InboxError::PermanentNotSetUp(Failure { detail: format!("inbox: {detail}") })
        }
        // Damage is reported as temporary. The event source then redelivers until an operator
        // repairs the directory.
        files::Failure::Damaged(detail) | files::Failure::Unavailable(detail) => {
            unavailable(format!("inbox: {detail}"))
        }
    }
}

/// Returns a temporary error.
pub fn unavailable(text: impl Into<String>) -> InboxError {
    InboxError::Unavailable(Failure { detail: text.into() })
}
