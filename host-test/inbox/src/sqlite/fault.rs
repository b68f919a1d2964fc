//! Errors about the file of a store.

use messaging_journal::sqlite::{FileError, is_corruption};
use rusqlite::ErrorCode;

use super::error::StoreError;

/// Converts an error about the file of a store. `known` is the schema version of this program.
pub(super) fn error(store: String, error: FileError, known: i64) -> StoreError {
    match error {
        FileError::NotSetUp(detail) | FileError::Replaced(detail) => {
            StoreError::NotSetUp { store, detail }
        }
        FileError::NotADatabase(detail) => StoreError::NotAStore { store, detail },
        FileError::OtherProgram => {
            let detail = "it is a database of another program".into();
            StoreError::NotAStore { store, detail }
        }
        FileError::OtherVersion(found) => StoreError::OtherSchema { store, found, known },
        FileError::NoWal(mode) => {
            let detail = format!(
                "SQLite cannot keep a write-ahead log on its file system (journal mode {mode:?}); use a local disk"
            );
            StoreError::NotSetUp { store, detail }
        }
        FileError::Unavailable(detail) => StoreError::Unavailable { store, detail },
        FileError::Open(error) => match error.sqlite_error_code() {
            Some(ErrorCode::CannotOpen) => StoreError::NotSetUp {
                store,
                detail: format!("{error}; check the path and its permissions"),
            },
            _ => of_sqlite(store, "opening it", &error),
        },
        FileError::Sqlite(doing, error) => of_sqlite(store, doing, &error),
    }
}

/// Converts an error of SQLite in the operation `doing`. Maps all of SQLite's codes except
/// `CannotOpen` of [`FileError::Open`], which [`error`] maps.
fn of_sqlite(store: String, doing: &str, error: &rusqlite::Error) -> StoreError {
    let detail = format!("{doing}: {error}");
    if is_corruption(error) {
        return StoreError::Damaged { store, detail };
    }
    match error.sqlite_error_code() {
        Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => StoreError::NotSetUp {
            store,
            detail: format!("{detail}; allow this user to write to it and to its directory"),
        },
        Some(ErrorCode::NotADatabase) => StoreError::NotAStore { store, detail },
        Some(ErrorCode::TooBig) => StoreError::Refused { detail },
        _ => StoreError::Unavailable { store, detail },
    }
}
