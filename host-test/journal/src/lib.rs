//! The journal of the host: one value for each key, changed in atomic steps (`wit/journal.wit`).
//! Does not interpret values.
//!
//! ```text
//! age      the age of a store, as measured by its processes
//! backend  the interface of a database: a file, or a server (`messaging-postgres`)
//! file     a journal in a SQLite file
//! sqlite   opening a SQLite file, and its writer thread; shared with the inbox
//! error    errors of a journal, one variant for each remedy
//! ```
//!
//! The file is a SQLite database with a WAL that is synced at each commit. A rollback journal would
//! leave a single file, but each commit would sync four times. Any number of processes on one
//! machine can use the file. It must be on a local disk.
//!
//! The journal and the inbox are separate files for three reasons: other programs write to the
//! journal, an old backup of the journal must never replace an intact journal, and each file has
//! only one writer at a time.

mod age;
mod backend;
mod error;
mod file;
pub mod sqlite;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

pub use age::Age;
pub use backend::{Backend, Reply};
pub use error::JournalError;
use file::File;
pub use sqlite::Step;

/// Maximum number of entries on a page.
pub const PAGE_KEYS: u32 = 500;
/// Maximum size of the keys and values on a page, in bytes. Most values have a few hundred bytes.
/// 500 values of the maximum length would need 32 MiB, and callers keep several copies of a page in
/// memory.
pub const PAGE_BYTES: usize = 1024 * 1024;
/// Maximum length of a value in bytes, as defined in `wit/journal.wit`.
pub const MAX_TEXT_BYTES: usize = 64 * 1024;

/// A clock that returns milliseconds.
pub type Clock = Arc<dyn Fn() -> i64 + Send + Sync>;

/// Options for opening a journal.
#[derive(Clone)]
pub struct Options {
    /// Creates a missing file. Its directory must exist.
    pub create: bool,
    /// Timeout of a request, and of the wait for a transaction of another process.
    pub timeout: Duration,
}

impl Default for Options {
    fn default() -> Self {
        Self { create: true, timeout: Duration::from_secs(5) }
    }
}

/// The outcome of a successful [`Journal::swap`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Swapped {
    /// The new value is durable.
    Swapped,
    /// The value differs from the expected one, and is unchanged. Holds the current value; `None`
    /// if the key does not exist.
    Stale(Option<String>),
}

/// A page of a journal's entries.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Page {
    /// Keys and their values, in the order of the keys.
    pub items: Vec<(String, String)>,
    /// Argument of [`Journal::list`] for the next page; `None` on the last page.
    pub next: Option<String>,
}

impl Page {
    /// Creates a page from entries of a backend, at most [`PAGE_KEYS`]. Cuts the page to
    /// [`PAGE_BYTES`], but keeps at least one entry.
    #[must_use]
    pub fn of(mut items: Vec<(String, String)>) -> Self {
        let full = u32::try_from(items.len()).is_ok_and(|count| count >= PAGE_KEYS);
        let mut bytes = 0_usize;
        let fits = |(key, text): &&(String, String)| {
            bytes = bytes.saturating_add(key.len()).saturating_add(text.len());
            bytes <= PAGE_BYTES
        };
        let count = items.iter().take_while(fits).count().max(1);
        let cut = count < items.len();
        items.truncate(count);
        let next = items.last().filter(|_| full || cut).map(|(key, _)| key.clone());
        Self { items, next }
    }
}

/// An open journal. Clones share the journal. It closes when the last clone is dropped.
///
/// Functions need a tokio runtime with a timer. Returned results are durable. A `swap` whose future
/// was dropped may or may not be performed.
#[derive(Clone)]
pub struct Journal {
    backend: Arc<dyn Backend>,
    timeout: Duration,
    is_new: bool,
}

impl Journal {
    /// Opens the journal at `path`. Blocks while it creates the table.
    ///
    /// # Errors
    /// - Returns [`JournalError::NotSetUp`] if the file is missing, unusable or not a journal. The
    ///   file stays unchanged.
    /// - Returns [`JournalError::Unavailable`] if a later attempt may succeed.
    pub fn open(path: impl AsRef<Path>, options: Options) -> Result<Self, JournalError> {
        Self::open_with_steps(path, options, None)
    }

    /// Opens the journal at `path`. Calls `on_step` with the names that [`Step`] lists. For tests.
    #[doc(hidden)]
    pub fn open_with_steps(
        path: impl AsRef<Path>,
        options: Options,
        on_step: Option<Step>,
    ) -> Result<Self, JournalError> {
        let timeout = options.timeout;
        let file = File::open(path.as_ref(), options, on_step)?;
        let is_new = file.is_new;
        Ok(Self { is_new, ..Self::over(Arc::new(file), timeout) })
    }

    /// Opens the journal at `path` for commands that only read. Changes no entry, and creates no
    /// journal. SQLite may create a `-wal` and a `-shm` next to the file.
    ///
    /// # Errors
    /// Returns the errors of [`open`](Self::open).
    pub fn open_to_read(path: impl AsRef<Path>, timeout: Duration) -> Result<Self, JournalError> {
        Ok(Self::over(Arc::new(File::open_to_read(path.as_ref(), timeout)?), timeout))
    }

    /// Creates a journal over `backend`. `timeout` is the maximum duration of a request in the
    /// backend. A call may take twice as long, because it waits for earlier requests.
    #[must_use]
    pub fn over(backend: Arc<dyn Backend>, timeout: Duration) -> Self {
        Self { backend, timeout: timeout.saturating_mul(2), is_new: false }
    }

    /// Returns true if opening this journal created the table in its file.
    pub fn is_new(&self) -> bool {
        self.is_new
    }

    /// Returns the value of a key; `None` if the key does not exist.
    ///
    /// # Errors
    /// - Returns [`JournalError::Unavailable`] if the journal fails. A retry may succeed.
    /// - Returns [`JournalError::NotSetUp`] if an operator must repair the journal.
    pub async fn get(&self, key: &str) -> Result<Option<String>, JournalError> {
        self.in_time(self.backend.get(key.to_string())).await
    }

    /// Replaces the value of a key if the value equals `expected`.
    ///
    /// # Errors
    /// - Returns [`JournalError::Unavailable`] if the journal fails. The value may have been
    ///   written, or may be written later.
    /// - Returns [`JournalError::NotSetUp`] if an operator must repair the journal, or if the
    ///   journal is open only for reading. Nothing was written.
    /// - Returns [`JournalError::Refused`] if the value exceeds [`MAX_TEXT_BYTES`], or if the
    ///   backend cannot store the value.
    pub async fn swap(
        &self,
        key: &str,
        expected: Option<&str>,
        new: &str,
    ) -> Result<Swapped, JournalError> {
        if new.len() > MAX_TEXT_BYTES {
            let detail = format!("{} bytes exceed the maximum of {MAX_TEXT_BYTES}", new.len());
            return Err(JournalError::Refused { detail });
        }
        let expected = expected.map(ToString::to_string);
        self.in_time(self.backend.swap(key.to_string(), expected, new.to_string())).await
    }

    /// Returns a page of entries. `after` is the [`Page::next`] of the previous page; `None` for
    /// the first page.
    ///
    /// # Errors
    /// - Returns [`JournalError::Unavailable`] if the journal fails. A retry may succeed.
    /// - Returns [`JournalError::NotSetUp`] if an operator must repair the journal.
    pub async fn list(&self, after: Option<&str>) -> Result<Page, JournalError> {
        self.in_time(self.backend.list(after.unwrap_or_default().to_string())).await
    }

    /// Closes the journal for all clones after pending requests. Without this call, a process that
    /// ends while it holds a clone leaves a WAL next to the file.
    pub async fn close(&self) {
        let backend = Arc::clone(&self.backend);
        let _ = tokio::task::spawn_blocking(move || backend.close()).await;
    }

    async fn in_time<T>(&self, asked: Reply<'_, T>) -> Result<T, JournalError> {
        match tokio::time::timeout(self.timeout, asked).await {
            Ok(answer) => answer,
            Err(_) => Err(JournalError::Unavailable {
                journal: self.backend.name(),
                detail: "it did not answer in time".into(),
            }),
        }
    }
}
