//! The host's own journal of sends: one text for each key, changed in atomic steps
//! (`wit/journal.wit`). Owns durability; what a text means is others' to say.
//!
//! ```text
//! age      how old a store is, as its processes have measured it
//! backend  what keeps a journal: a file, or another program's database (`messaging-postgres`)
//! file     the file: its table, its errors, the requests to its writer
//! sqlite   opening a file of SQLite, and the one thread that uses it; the inbox has them too
//! error    why there is no answer
//! ```
//!
//! The file is SQLite with a write-ahead log, synced at each commit (with a rollback journal all
//! would be in one file, and a commit takes five times as long: it is synced four times). Any number of processes can
//! use it at once, all on the machine whose local disk it is on. It is another file than the
//! inbox's: other programs write it, a copy of it must not be put back, and each has one writer at a
//! time.

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

/// Keys on one page.
pub const PAGE_KEYS: u32 = 500;
/// Keys and texts on one page, in bytes. Nearly all texts are of some hundred: a page of the longest
/// ones would be 32 MiB, which those who list would hold several times.
pub const PAGE_BYTES: usize = 1024 * 1024;
/// Longest text, as the interface has it.
pub const MAX_TEXT_BYTES: usize = 64 * 1024;

/// Returns a time in milliseconds.
pub type Clock = Arc<dyn Fn() -> i64 + Send + Sync>;

/// Options for opening a journal.
#[derive(Clone)]
pub struct Options {
    /// Makes the file where there is none; its folder has to exist.
    pub create: bool,
    /// Time limit of a request, and of waiting for another process' transaction.
    pub timeout: Duration,
    /// Called at each boundary of a batch. For tests.
    pub on_step: Option<Step>,
}

impl Default for Options {
    fn default() -> Self {
        Self { create: true, timeout: Duration::from_secs(2), on_step: None }
    }
}

/// Outcome of a [`Journal::swap`] that was carried out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Swapped {
    /// The text is the new one, durably.
    Swapped,
    /// It was another one, and nothing has changed: which.
    Stale(Option<String>),
}

/// Some of a journal's keys.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Page {
    /// Keys and their texts, in the order of the keys.
    pub items: Vec<(String, String)>,
    /// Start of the next page; `None` after the last.
    pub next: Option<String>,
}

impl Page {
    /// A page of the keys that a backend found, at most [`PAGE_KEYS`]; of these as many as
    /// [`PAGE_BYTES`] hold, and one.
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

/// An open journal. Clones are cheap and share it; the last one to be dropped closes it.
///
/// The functions need a tokio runtime with a clock. What they return is on the disk. A `swap` that
/// is dropped before it returned may or may not have been carried out.
#[derive(Clone)]
pub struct Journal {
    backend: Arc<dyn Backend>,
    patience: Duration,
    is_new: bool,
}

impl Journal {
    /// Opens the journal at `path`; blocks while it is set up.
    ///
    /// # Errors
    /// [`JournalError::NotSetUp`], [`JournalError::Unavailable`]. A file that is no journal is left
    /// as it was.
    pub fn open(path: impl AsRef<Path>, options: Options) -> Result<Self, JournalError> {
        let timeout = options.timeout;
        let file = File::open(path.as_ref(), options)?;
        let is_new = file.is_new;
        Ok(Self { is_new, ..Self::over(Arc::new(file), timeout) })
    }

    /// Opens the journal at `path` for its operator's commands that only read: it makes and changes
    /// nothing.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub fn open_to_read(path: impl AsRef<Path>, timeout: Duration) -> Result<Self, JournalError> {
        Ok(Self::over(Arc::new(File::open_to_read(path.as_ref(), timeout)?), timeout))
    }

    /// A journal that something else keeps. `timeout` is how long it takes for a request at most;
    /// one that also waits for those before it gets twice as much.
    #[must_use]
    pub fn over(backend: Arc<dyn Backend>, timeout: Duration) -> Self {
        Self { backend, patience: timeout.saturating_mul(2), is_new: false }
    }

    /// Returns true if opening it created the table in its file.
    #[must_use]
    pub fn is_new(&self) -> bool {
        self.is_new
    }

    /// The text of a key, or `None`.
    ///
    /// # Errors
    /// [`JournalError::Unavailable`]: ask again.
    pub async fn get(&self, key: &str) -> Result<Option<String>, JournalError> {
        self.in_time(self.backend.get(key.to_string())).await
    }

    /// Gives a key a new text if its text is `expected`.
    ///
    /// # Errors
    /// [`JournalError::Unavailable`]: it may have been written, and may be yet.
    /// [`JournalError::Refused`]: the text is longer than [`MAX_TEXT_BYTES`], or the journal takes
    /// none such.
    pub async fn swap(
        &self,
        key: &str,
        expected: Option<&str>,
        new: &str,
    ) -> Result<Swapped, JournalError> {
        if new.len() > MAX_TEXT_BYTES {
            let detail = format!("a text of {} bytes", new.len());
            return Err(JournalError::Refused { detail });
        }
        let expected = expected.map(ToString::to_string);
        self.in_time(self.backend.swap(key.to_string(), expected, new.to_string())).await
    }

    /// Keys and their texts, from a page's `next` or from the beginning.
    ///
    /// # Errors
    /// [`JournalError::Unavailable`]: ask again.
    pub async fn list(&self, after: Option<&str>) -> Result<Page, JournalError> {
        self.in_time(self.backend.list(after.unwrap_or_default().to_string())).await
    }

    /// Closes it for all clones, once what they have asked is answered: a process that ends while
    /// one of them is still held somewhere leaves its log beside the file.
    pub async fn close(&self) {
        let backend = Arc::clone(&self.backend);
        let _ = tokio::task::spawn_blocking(move || backend.close()).await;
    }

    async fn in_time<T>(&self, asked: Reply<'_, T>) -> Result<T, JournalError> {
        match tokio::time::timeout(self.patience, asked).await {
            Ok(answer) => answer,
            Err(_) => Err(JournalError::Unavailable {
                journal: self.backend.name(),
                detail: "it did not answer in time".into(),
            }),
        }
    }
}
