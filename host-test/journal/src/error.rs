//! Errors of a journal, by what helps.

use std::path::{Path, PathBuf};

use rusqlite::ErrorCode;

/// Why there is no answer.
#[derive(Clone, Debug, thiserror::Error)]
pub enum JournalError {
    /// Somebody has to set it up, or to mend it. Nothing was written.
    #[error("the journal {path}: {detail}", path = path.display())]
    NotSetUp {
        /// The file.
        path: PathBuf,
        /// The problem, and the remedy.
        detail: String,
    },
    /// It could not answer, and might later. What was to be written may have been.
    #[error("the journal {path}: {detail}", path = path.display())]
    Unavailable {
        /// The file.
        path: PathBuf,
        /// Text for a person.
        detail: String,
    },
    /// A text is longer than a journal takes. Nothing was written.
    #[error("the journal takes no text of {bytes} bytes")]
    Refused {
        /// Its length.
        bytes: usize,
    },
}

impl JournalError {
    /// `error`, met while `doing` something with the journal at `path`.
    pub(super) fn of_sqlite(path: &Path, doing: &str, error: &rusqlite::Error) -> Self {
        let (path, detail) = (path.to_path_buf(), format!("{doing}: {error}"));
        match error.sqlite_error_code() {
            Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => {
                Self::NotSetUp { path, detail: format!("{detail}; give the right to write to it") }
            }
            Some(ErrorCode::CannotOpen) => {
                Self::NotSetUp { path, detail: format!("{detail}; check the path and its rights") }
            }
            Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt) => Self::NotSetUp {
                path,
                detail: format!(
                    "{detail}; mend it, or put a copy in its place that is not older than its last send"
                ),
            },
            _ => Self::Unavailable { path, detail },
        }
    }
}
