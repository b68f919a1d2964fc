//! The functions that open a database, in a program without the client of PostgreSQL.

use crate::{Options, Target};

const DETAIL: &str = "this program was built without PostgreSQL (feature `postgres`); use a file";

/// The inbox.
pub mod inbox {
    use messaging_inbox::{ReadStore, Store, StoreError};

    use super::{DETAIL, Options, Target};

    /// Returns an error.
    ///
    /// # Errors
    /// Always returns [`StoreError::NotSetUp`].
    pub async fn open(target: &Target, _options: Options) -> Result<Store, StoreError> {
        Err(absent(target))
    }

    /// Returns an error.
    ///
    /// # Errors
    /// Always returns [`StoreError::NotSetUp`].
    pub async fn open_to_read(
        target: &Target,
        _options: &Options,
    ) -> Result<ReadStore, StoreError> {
        Err(absent(target))
    }

    fn absent(target: &Target) -> StoreError {
        StoreError::NotSetUp { store: target.to_string(), detail: DETAIL.into() }
    }
}

/// The journal.
pub mod journal {
    use messaging_journal::{Journal, JournalError};

    use super::{DETAIL, Options, Target};

    /// Returns an error.
    ///
    /// # Errors
    /// Always returns [`JournalError::NotSetUp`].
    pub async fn open(target: &Target, _options: Options) -> Result<Journal, JournalError> {
        Err(absent(target))
    }

    /// Returns an error.
    ///
    /// # Errors
    /// Always returns [`JournalError::NotSetUp`].
    pub async fn open_to_read(
        target: &Target,
        _options: &Options,
    ) -> Result<Journal, JournalError> {
        Err(absent(target))
    }

    fn absent(target: &Target) -> JournalError {
        JournalError::NotSetUp { journal: target.to_string(), detail: DETAIL.into() }
    }
}
