//! The host's own journal of sends: a file that holds one text for each key, and changes it in
//! atomic steps (`wit/journal.wit`). Owns durability; what a text means is others' to say.
//!
//! ```text
//! file    the file: whether it is a journal, how it is set up, how each connection is configured
//! writer  the one thread that uses it: one transaction for everything that waits, answers after it
//! error   why there is no answer
//! ```
//!
//! The file is SQLite with a write-ahead log, synced at each commit. Any number of processes can
//! use it at once, all on the machine whose local disk it is on.

mod error;
mod file;
mod writer;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{mpsc, oneshot};

pub use error::JournalError;
use file::Place;
use writer::{Job, Request, Writer};

/// Requests that wait for the writer; beyond it, callers wait to be let in.
const QUEUE: usize = 1024;
/// Keys on one page.
const PAGE_KEYS: u32 = 500;
/// Longest text, as the interface has it.
pub const MAX_TEXT_BYTES: usize = 64 * 1024;

/// Called on the writer's thread with the name of the boundary that it is at.
pub type Step = Arc<dyn Fn(&'static str) + Send + Sync>;

/// Options for opening a journal.
#[derive(Clone)]
pub struct Options {
    /// Makes the file where there is none; its folder has to exist.
    pub create: bool,
    /// Time limit of a request, and of waiting for another process' transaction.
    pub timeout: Duration,
    /// Called at each boundary of a transaction: `begin`, `before-commit`, `after-commit` before
    /// anybody is answered. For tests that end the process there.
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

/// An open journal. Clones are cheap and share it; the last one to be dropped closes it.
///
/// The functions need a tokio runtime with a clock. What they return is on the disk. A `swap` that
/// is dropped before it returned may or may not have been carried out.
#[derive(Clone)]
pub struct Journal {
    queue: mpsc::Sender<Request>,
    timeout: Duration,
    path: Arc<Path>,
}

impl Journal {
    /// Opens the journal at `path`; blocks while it is set up.
    ///
    /// # Errors
    /// [`JournalError::NotSetUp`], [`JournalError::Unavailable`]. A file that is no journal is left
    /// as it was.
    pub fn open(path: impl AsRef<Path>, options: Options) -> Result<Self, JournalError> {
        let place = Place::new(path.as_ref(), options.timeout)?;
        let opened = place.open(options.create)?;
        let (queue, requests) = mpsc::channel(QUEUE);
        let path = Arc::from(place.path.as_path());
        let writer = Writer::new(place, opened, |place| place.open(false), options.on_step);
        writer.start(requests)?;
        Ok(Self { queue, timeout: options.timeout, path })
    }

    /// Opens the journal at `path` for its operator's commands that only read: it makes and changes
    /// nothing.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub fn open_to_read(path: impl AsRef<Path>, timeout: Duration) -> Result<Self, JournalError> {
        let place = Place::new(path.as_ref(), timeout)?;
        let opened = place.open_to_read()?;
        let (queue, requests) = mpsc::channel(QUEUE);
        let path = Arc::from(place.path.as_path());
        Writer::new(place, opened, Place::open_to_read, None).start(requests)?;
        Ok(Self { queue, timeout, path })
    }

    /// The text of a key, or `None`.
    ///
    /// # Errors
    /// [`JournalError::Unavailable`]: ask again.
    pub async fn get(&self, key: &str) -> Result<Option<String>, JournalError> {
        let key = key.to_string();
        self.ask(|reply| Job::Get { key, reply }).await
    }

    /// Gives a key a new text if its text is `expected`.
    ///
    /// # Errors
    /// [`JournalError::Unavailable`]: it may have been written, and may be yet.
    /// [`JournalError::Refused`]: the text is longer than [`MAX_TEXT_BYTES`].
    pub async fn swap(
        &self,
        key: &str,
        expected: Option<&str>,
        new: &str,
    ) -> Result<Swapped, JournalError> {
        if new.len() > MAX_TEXT_BYTES {
            return Err(JournalError::Refused { bytes: new.len() });
        }
        let (key, expected) = (key.to_string(), expected.map(ToString::to_string));
        let new = new.to_string();
        self.ask(|reply| Job::Swap { key, expected, new, reply }).await
    }

    /// Keys and their texts, from a page's `next` or from the beginning.
    ///
    /// # Errors
    /// [`JournalError::Unavailable`]: ask again.
    pub async fn list(&self, after: Option<&str>) -> Result<Page, JournalError> {
        let after = after.unwrap_or_default().to_string();
        self.ask(|reply| Job::List { after, most: PAGE_KEYS, reply }).await
    }

    async fn ask<T>(
        &self,
        job: impl FnOnce(oneshot::Sender<Result<T, JournalError>>) -> Job,
    ) -> Result<T, JournalError> {
        let late = |detail: &str| JournalError::Unavailable {
            path: self.path.to_path_buf(),
            detail: detail.into(),
        };
        let (reply, answer) = oneshot::channel();
        let asked = async {
            self.queue.send(Request(job(reply))).await.map_err(|_| late("its thread has ended"))?;
            answer.await.map_err(|_| late("its thread gave no answer"))?
        };
        match tokio::time::timeout(self.timeout.saturating_mul(2), asked).await {
            Ok(answer) => answer,
            Err(_) => Err(late("it did not answer in time")),
        }
    }
}
