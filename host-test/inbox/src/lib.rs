//! The host's own inbox: keeps events, exactly once under each key, and hands them on. Owns
//! durability and leases; knows nothing of HTTP or of components.
//!
//! ```text
//! lib, work the store that consumers hold: limits, time-outs, counters, warnings
//! backend   what the store asks of whatever keeps the events
//! sqlite    a file of SQLite, which keeps them
//! model     events, and what is asked about them
//! error     errors, by what their caller should do next
//! activity  what this process did, counted
//! outage    log lines about commits that fail
//! export    every event as a line of JSON
//! trace     the trace context that a delivery came with
//! ```
//!
//! [`Store::open`] opens a file. Another crate can bring another [`Backend`]: every promise of
//! [`Store`] is then that one's to keep.

mod activity;
mod backend;
mod error;
mod export;
mod model;
mod outage;
mod sqlite;
mod trace;
mod work;

use std::future::Future;
use std::ops::Deref;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use tokio::sync::watch;

pub use activity::{Activity, Counters, Histogram};
pub use backend::{Backend, Put, Reads, Reply};
pub use error::{NameError, StoreError};
pub use export::Export;
pub use messaging_journal::{Age, Clock, Step};
pub use model::{
    Counts, DeadFilter, Due, Entry, Event, Filter, Kinds, Lane, MAX_CONFLICTS, Old, Pruned, Puts,
    Replays, Requeued, Retry, STEP_MS, State, Stored, Summary, UnknownState, kept_error, millis,
};
pub use outage::Outage;
use sqlite::Sqlite;
pub use trace::TraceContext;

/// Events that are read at once: the largest take a second or two of a database that is busy.
pub(crate) const PAGE: u32 = 200;

/// Options for opening a file.
#[derive(Clone)]
pub struct Options {
    /// Makes the file where there is none; its folder has to exist.
    pub create: bool,
    /// Time limit of a request, and of waiting for another process' transaction.
    pub put_timeout: Duration,
    /// Wall clock for leases and retries: milliseconds since 1970, UTC. It may jump.
    pub clock: Clock,
    /// Monotonic clock: milliseconds since any moment. The retention of keys follows it alone.
    pub monotonic: Clock,
    /// Treatment of an event that comes under another key than before.
    pub replays: Replays,
    /// Called at each boundary of a batch, and with `insert` after each row. For tests.
    pub on_step: Option<Step>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            create: true,
            put_timeout: Duration::from_secs(5),
            clock: Arc::new(|| {
                let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
                millis(since)
            }),
            monotonic: {
                let begun = Instant::now();
                Arc::new(move || millis(begun.elapsed()))
            },
            replays: Replays::default(),
            on_step: None,
        }
    }
}

/// An open store. Clones are cheap and share it; the last one to be dropped closes it.
#[derive(Clone)]
pub struct Store {
    shared: Arc<Shared>,
}

struct Shared {
    backend: Arc<dyn Backend>,
    timeout: Duration,
    replays: Replays,
    reads: ReadStore,
    ended: watch::Receiver<()>,
}

/// The writing functions need a tokio runtime with a clock. What is written is on the
/// disk when they return, and can be read by every later call. Each of them, dropped
/// before it returned, may or may not have been carried out.
impl Store {
    /// Time for which done events are kept by default: senders repeat for days.
    pub const RETENTION: Duration = Duration::from_secs(7 * 24 * 60 * 60);

    /// The largest event and the largest value. SQLite takes more; memory is what ends.
    pub const MAX_BYTES: usize = 64 * 1024 * 1024;

    /// Whether `name` names a file, and means nothing else to SQLite.
    ///
    /// # Errors
    /// Why it does not, and what to do.
    pub fn check_name(name: &str) -> Result<(), NameError> {
        sqlite::check_name(name)
    }

    /// Opens the store at `path`; blocks while it is created.
    ///
    /// # Errors
    /// [`StoreError::NotSetUp`], [`StoreError::NotAStore`], [`StoreError::NewerSchema`],
    /// [`StoreError::Damaged`], [`StoreError::Unavailable`]. A file that is no store is
    /// left as it was.
    pub fn open(path: impl AsRef<Path>, options: Options) -> Result<Self, StoreError> {
        let (timeout, replays) = (options.put_timeout, options.replays);
        let backend = Sqlite::open(path.as_ref(), options)?;
        Ok(Self::over(Arc::new(backend), timeout, replays))
    }

    /// A store whose events `backend` keeps. `timeout` is the time limit of a request, `replays`
    /// the treatment of an event that comes under another key than before.
    #[must_use]
    pub fn over(backend: Arc<dyn Backend>, timeout: Duration, replays: Replays) -> Self {
        let reads = ReadStore { reads: backend.reads() };
        let ended = backend.ended();
        Self { shared: Arc::new(Shared { backend, timeout, replays, reads, ended }) }
    }

    /// Stores an entry under its key. Calls at the same time share a commit.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] after [`Options::put_timeout`] or a fault: call again.
    /// It may be kept nevertheless. [`StoreError::Refused`]: over [`Store::MAX_BYTES`].
    /// [`StoreError::TooManyCopies`]: the 17th different event in conflict with the first
    /// under its key, of those that are kept; it is not.
    pub async fn put(&self, entry: Entry) -> Result<Stored, StoreError> {
        self.put_traced(entry, None).await
    }

    /// As [`put`](Self::put), with the trace that the delivery is a part of: it is kept with the
    /// event where that is new, and is no part of what tells it from another.
    ///
    /// # Errors
    /// As [`put`](Self::put).
    pub async fn put_traced(
        &self,
        entry: Entry,
        trace: Option<TraceContext>,
    ) -> Result<Stored, StoreError> {
        let Entry { idempotency_key, message_id, kind, json } = &entry;
        check_size(&[idempotency_key, message_id, kind, json])?;
        let key = entry.idempotency_key.clone();
        let replays = self.shared.replays;
        let put = Put { entry, trace, replays };
        let stored = self.in_time(self.shared.backend.put(put)).await?;
        self.count(stored);
        match stored {
            Stored::Stored | Stored::Duplicate => {}
            Stored::Conflict => tracing::warn!(
                key,
                "two different events under one key; the second is in quarantine"
            ),
            Stored::Replayed => tracing::warn!(
                key,
                quarantined = replays == Replays::Quarantined,
                "an event that is kept under another key came again under this one: the proof of origin does not bind the key, so somebody may have repeated a delivery"
            ),
        }
        Ok(stored)
    }

    fn count(&self, stored: Stored) {
        self.note(|Activity { puts, .. }| {
            let count = match stored {
                Stored::Stored => &mut puts.stored,
                Stored::Duplicate => &mut puts.duplicates,
                Stored::Conflict => &mut puts.conflicts,
                Stored::Replayed => &mut puts.replays,
            };
            *count = count.wrapping_add(1);
        });
    }

    fn note(&self, note: impl FnOnce(&mut Activity)) {
        self.shared.backend.counters().note(note);
    }

    /// Returns what was done so far, through this store and its clones.
    #[must_use]
    pub fn activity(&self) -> Activity {
        self.shared.backend.counters().now()
    }

    /// Forgets events that have been done for `older_than`, and nothing else; says how
    /// many. Their keys are new again. It works in small transactions.
    ///
    /// That time is measured, not read off a clock that may jump: call it every hour, for
    /// what lies between two calls counts for 2 hours at most, and what passes while no
    /// process has the store open does not count. An event is remembered for up to 3 hours
    /// longer than asked for. With 0, everything that is done is forgotten.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`]: some may be forgotten.
    pub async fn prune(&self, older_than: Duration) -> Result<u64, StoreError> {
        self.prune_old(Old::Measured(older_than)).await
    }

    /// As [`prune`](Self::prune), by the wall clock: where a person has looked at it, and
    /// no process runs for long enough to measure.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`]: some may be forgotten.
    pub async fn prune_by_clock(&self, older_than: Duration) -> Result<u64, StoreError> {
        self.prune_old(Old::ByClock(older_than)).await
    }

    async fn prune_old(&self, old: Old) -> Result<u64, StoreError> {
        let mut forgotten: u64 = 0;
        loop {
            let step = self.in_time(self.shared.backend.prune(old)).await?;
            forgotten = forgotten.saturating_add(step.forgotten);
            if !step.goes_on {
                return Ok(forgotten);
            }
        }
    }

    /// Checks that the store takes writes. In a file this causes one small write in 10 s at most, and none while
    /// events are stored.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`]: an event could not be kept now.
    pub async fn probe(&self) -> Result<(), StoreError> {
        self.in_time(self.shared.backend.probe()).await
    }

    /// The time by which leases and pauses are measured, in milliseconds since 1970.
    #[must_use]
    pub fn now_ms(&self) -> i64 {
        self.shared.backend.now_ms()
    }

    /// Changes whenever this `Store` or a clone made an event available. What another
    /// process did may not be noticed: look every few seconds as well.
    #[must_use]
    pub fn news(&self) -> watch::Receiver<u64> {
        self.shared.backend.news()
    }

    /// Drops this clone, and waits until the last one is gone and the file is closed.
    pub async fn close(self) {
        let mut ended = self.shared.ended.clone();
        drop(self);
        // Nothing is ever sent: an error says that the writer is gone.
        while ended.changed().await.is_ok() {}
    }

    async fn in_time<T>(
        &self,
        asked: impl Future<Output = Result<T, StoreError>>,
    ) -> Result<T, StoreError> {
        let timeout = self.shared.timeout;
        tokio::time::timeout(timeout, asked).await.unwrap_or_else(|_| {
            Err(self.unavailable(&format!("no answer within {} ms", timeout.as_millis())))
        })
    }

    fn unavailable(&self, detail: &str) -> StoreError {
        StoreError::Unavailable { store: self.shared.backend.name(), detail: detail.to_string() }
    }
}

/// Reading is that of a [`ReadStore`], on this store's own connections.
impl Deref for Store {
    type Target = ReadStore;

    fn deref(&self) -> &ReadStore {
        &self.shared.reads
    }
}

/// A store that is only read: nothing about it is changed, and no file is created next to it unless it has a `-wal`.
/// Needs a tokio runtime.
#[derive(Clone)]
pub struct ReadStore {
    reads: Arc<dyn Reads>,
}

impl ReadStore {
    /// Opens the store at `path`. It can be on a full disk, and be somebody else's.
    ///
    /// # Errors
    /// As [`Store::open`]. A log without its index, as nobody leaves them, can only be read
    /// by who may write.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, StoreError> {
        Ok(Self { reads: Arc::new(sqlite::read_only(path.as_ref())?) })
    }

    /// A store whose events are read through `reads`.
    #[must_use]
    pub fn over(reads: Arc<dyn Reads>) -> Self {
        Self { reads }
    }

    /// The events that a filter lets through, by identifier. Many are read page by page, each as it
    /// is then.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`], [`StoreError::Damaged`].
    pub async fn list(&self, mut filter: Filter) -> Result<Vec<Event>, StoreError> {
        let mut left = filter.limit;
        let mut events = Vec::new();
        loop {
            filter.limit = left.min(PAGE);
            let page = self.reads.list(filter.clone()).await?;
            let count = u32::try_from(page.len()).unwrap_or(u32::MAX);
            let is_last = count < filter.limit;
            filter.after_id = page.last().map_or(filter.after_id, |event| event.id);
            events.extend(page);
            left = left.saturating_sub(count);
            if is_last || left == 0 {
                return Ok(events);
            }
        }
    }

    /// One event.
    ///
    /// # Errors
    /// [`StoreError::NotFound`], [`StoreError::Unavailable`], [`StoreError::Damaged`].
    pub async fn get(&self, id: i64) -> Result<Event, StoreError> {
        self.reads.get(id).await?.ok_or(StoreError::NotFound { id })
    }

    /// The number of the first event under a key, if it is kept.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`], [`StoreError::Damaged`].
    pub async fn first_under(&self, key: &str) -> Result<Option<i64>, StoreError> {
        self.reads.first_under(key.to_string()).await
    }

    /// How many events there are in each state.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`], [`StoreError::Damaged`].
    pub async fn counts(&self) -> Result<Counts, StoreError> {
        Ok(self.summary().await?.counts)
    }

    /// How many events there are in each state, and since when the oldest waits: cheap, however
    /// many there are.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`], [`StoreError::Damaged`].
    pub async fn summary(&self) -> Result<Summary, StoreError> {
        self.reads.summary().await
    }

    /// Every event as a line of JSON.
    #[must_use]
    pub fn export(&self) -> Export {
        Export::new(Arc::clone(&self.reads))
    }
}

fn check_size(values: &[impl AsRef<[u8]>]) -> Result<(), StoreError> {
    let bytes: usize = values.iter().map(|value| value.as_ref().len()).sum();
    if bytes <= Store::MAX_BYTES {
        return Ok(());
    }
    let detail = format!("{bytes} bytes, and the most is {}; send less", Store::MAX_BYTES);
    Err(StoreError::Refused { detail })
}
