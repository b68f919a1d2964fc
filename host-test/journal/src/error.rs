//! Errors of a journal, by what helps.

use rusqlite::ErrorCode;

/// Why there is no answer.
#[derive(Clone, Debug, thiserror::Error)]
pub enum JournalError {
    /// Somebody has to set it up, or to mend it. Nothing was written.
    #[error("the journal {journal}: {detail}")]
    NotSetUp {
        /// The journal: its file, or its database without a password.
        journal: String,
        /// The problem, and the remedy.
        detail: String,
    },
    /// It could not answer, and might later. What was to be written may have been.
    #[error("the journal {journal}: {detail}")]
    Unavailable {
        /// The journal: its file, or its database without a password.
        journal: String,
        /// Text for a person.
        detail: String,
    },
    /// The journal will never take this key or text. Nothing was written.
    #[error("the journal does not take this: {detail}")]
    Refused {
        /// The problem.
        detail: String,
    },
}

impl JournalError {
    /// `error`, met while `doing` something with a file.
    pub(super) fn of_sqlite(journal: String, doing: &str, error: &rusqlite::Error) -> Self {
        let detail = format!("{doing}: {error}");
        match error.sqlite_error_code() {
            Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => Self::NotSetUp {
                journal,
                detail: format!("{detail}; give the right to write to it"),
            },
            Some(ErrorCode::CannotOpen) => Self::NotSetUp {
                journal,
                detail: format!("{detail}; check the path and its rights"),
            },
            Some(ErrorCode::DiskFull | ErrorCode::SystemIoFailure) => {
                Self::Unavailable { journal, detail: format!("{detail}; check the free space") }
            }
            Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt) => Self::NotSetUp {
                journal,
                detail: format!(
                    "{detail}; mend it, or put a copy in its place that is not older than its last send"
                ),
            },
            _ => Self::Unavailable { journal, detail },
        }
    }
}
