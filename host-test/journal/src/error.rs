//! Errors of a journal, one variant for each remedy.

use rusqlite::ErrorCode;

use crate::sqlite::is_corruption;

/// An error of a journal.
#[derive(Clone, Debug, thiserror::Error)]
pub enum JournalError {
    /// An operator must set up or repair the journal. Nothing was written.
    #[error("the journal {journal}: {detail}")]
    NotSetUp {
        /// Name of the journal for operators: its file or its database. Contains no password.
        journal: String,
        /// Problem and remedy.
        detail: String,
    },
    /// A temporary failure. A value may have been written.
    #[error("the journal {journal}: {detail}")]
    Unavailable {
        /// Name of the journal for operators: its file or its database. Contains no password.
        journal: String,
        /// A message for an operator.
        detail: String,
    },
    /// The journal never accepts this key or value. Nothing was written.
    #[error("the journal rejects this key or value: {detail}")]
    Refused {
        /// Reason for the rejection.
        detail: String,
    },
}

impl JournalError {
    /// Converts an error of SQLite that occurred during the operation `doing`.
    pub(super) fn of_sqlite(journal: String, doing: &str, error: &rusqlite::Error) -> Self {
        let detail = format!("{doing}: {error}");
        let repair = "repair it, or restore a backup made after the last send";
        if is_corruption(error) {
            return Self::NotSetUp { journal, detail: format!("{detail}; {repair}") };
        }
        match error.sqlite_error_code() {
            Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => Self::NotSetUp {
                journal,
                detail: format!("{detail}; allow this user to write to it and to its directory"),
            },
            Some(ErrorCode::CannotOpen) => Self::NotSetUp {
                journal,
                detail: format!("{detail}; check the path and its permissions"),
            },
            Some(ErrorCode::DiskFull | ErrorCode::SystemIoFailure) => {
                Self::Unavailable { journal, detail: format!("{detail}; check the free space") }
            }
            Some(ErrorCode::NotADatabase) => {
                Self::NotSetUp { journal, detail: format!("{detail}; {repair}") }
            }
            _ => Self::Unavailable { journal, detail },
        }
    }
}
