//! Errors of storing an entry: the operation, its path, and the host's error code.

use alloc::format;
use alloc::string::String;

use ::wasi::filesystem::types::ErrorCode;

use crate::bindings::exports::messaging::integration::inbox::{Failure, InboxError};

/// An operation on a path, relative to the inbox, that the host refused.
pub fn refused(operation: &str, path: &str, code: ErrorCode) -> InboxError {
    let text = format!("the inbox cannot {operation} {path}: {}", code.name());
    match code {
        // Waiting does not help: somebody has to change what the component may do.
        ErrorCode::Access | ErrorCode::NotPermitted | ErrorCode::ReadOnly => {
            not_set_up(format!("{text}. Open the folder to the component for reading and writing"))
        }
        ErrorCode::InsufficientSpace | ErrorCode::Quota => {
            unavailable(format!("{text}. Make room on its disk"))
        }
        ErrorCode::Loop => unavailable(format!("{text}. Remove the symbolic link there")),
        _ => unavailable(text),
    }
}

/// The store is not set up.
pub fn not_set_up(text: impl Into<String>) -> InboxError {
    InboxError::PermanentNotSetUp(Failure { detail: text.into() })
}

/// The store could not take the entry, and might later.
pub fn unavailable(text: impl Into<String>) -> InboxError {
    InboxError::Unavailable(Failure { detail: text.into() })
}
