//! The inbox of the host. Stores each event exactly once under its key, and leases events to
//! workers. Contains no HTTP and no components.
//!
//! ```text
//! lib, work the store: limits, timeouts, counters, warnings
//! backend   the interface of a database
//! sqlite    a SQLite file
//! model     events, and filters
//! error     errors, one variant for each reaction of the caller
//! activity  counters of this process
//! outage    log lines about failing commits
//! export    events as lines of JSON
//! throttle  rate limit for log lines that a peer can cause
//! trace     the trace context of a delivery
//! ```
//!
//! [`Store::open`] opens a SQLite file. Other crates can provide another [`Backend`], which must
//! keep every guarantee of [`Store`].

mod activity;
mod backend;
mod error;
mod export;
mod model;
mod outage;
mod sqlite;
mod throttle;
mod trace;
mod work;

use std::future::Future;
use std::ops::Deref;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use tokio::sync::watch;

pub use activity::{Activity, Counters, Histogram};
pub use backend::{Backend, Database, PAGE_BYTES, Put, Reads, Reply};
pub use error::{NameError, StoreError};
pub use export::Export;
pub use messaging_journal::{Age, Clock, Step};
pub use model::{
    Counts, DeadFilter, Due, Entry, Event, Filter, Kinds, MAX_CONFLICTS, Old, Pruned, Puts, Queue,
    Replays, Requeued, Retry, STEP_MS, State, Stored, Summary, TIMES_CHARS, UnknownState,
    kept_error, millis, times,
};
pub use outage::Outage;
use sqlite::Sqlite;
pub use throttle::Throttle;
pub use trace::TraceContext;

/// Maximum number of events in one read.
pub(crate) const PAGE: u32 = 1_000;

/// Options for opening a store in a file.
#[derive(Clone)]
pub struct Options {
    /// Creates a missing file. Its directory must exist.
    pub create: bool,
    /// Timeout of a write request, and of the wait for a transaction of another process.
    pub put_timeout: Duration,
    /// Wall clock for leases and retries, in milliseconds since 1970, UTC. It may jump.
    pub clock: Clock,
    /// Monotonic clock, in milliseconds since an arbitrary start. [`Store::prune`] measures
    /// retention with this clock.
    pub monotonic: Clock,
    /// Treatment of replays.
    pub replays: Replays,
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
        }
    }
}

/// An open store. Clones share the store. It closes when the last clone is dropped.
#[derive(Clone)]
pub struct Store {
    shared: Arc<Shared>,
}

struct Shared {
    database: Database,
    reads: ReadStore,
    timeout: Duration,
    replays: Replays,
    lines: Throttle<Stored>,
}

/// Functions that write need a tokio runtime with a timer. After a successful return, the change is
/// durable and visible to later calls. A change whose future was dropped may or may not have been
/// made.
impl Store {
    /// Default retention of done events. Long, because event sources retry for days.
    pub const RETENTION: Duration = Duration::from_secs(7 * 24 * 60 * 60);

    /// Longest lease that the interfaces for workers accept. A worker can extend its lease.
    pub const LONGEST_LEASE: Duration = Duration::from_secs(12 * 60 * 60);

    /// Maximum size of an event with its key, message ID and kind, in bytes. The limit saves
    /// memory. SQLite accepts larger events.
    pub const MAX_BYTES: usize = 64 * 1024 * 1024;

    /// Checks that SQLite would use `name` as the name of a file.
    ///
    /// # Errors
    /// Returns [`NameError`] if `name` is empty, `:memory:`, a URI, or has stray characters.
    pub fn check_name(name: &str) -> Result<(), NameError> {
        sqlite::check_name(name)
    }

    /// Opens the store at `path`. Blocks while it creates the file.
    ///
    /// # Errors
    /// - Returns [`StoreError::NotSetUp`] if the file is missing or not writable.
    /// - Returns [`StoreError::NotAStore`] if the file is not a store. The file stays unchanged.
    /// - Returns [`StoreError::OtherSchema`] if the file has another schema version.
    /// - Returns [`StoreError::Damaged`] if the file is corrupted.
    /// - Returns [`StoreError::Unavailable`] if a later attempt may succeed.
    pub fn open(path: impl AsRef<Path>, options: Options) -> Result<Self, StoreError> {
        Self::open_with_steps(path, options, None)
    }

    /// Opens the store at `path`. Calls `on_step` with the names that [`Step`] lists, and with
    /// `insert` after each inserted row. For tests.
    #[doc(hidden)]
    pub fn open_with_steps(
        path: impl AsRef<Path>,
        options: Options,
        on_step: Option<Step>,
    ) -> Result<Self, StoreError> {
        let (timeout, replays) = (options.put_timeout, options.replays);
        Ok(Self::over(Sqlite::open(path.as_ref(), options, on_step)?, timeout, replays))
    }

    /// Creates a store over `database`. `timeout` limits each request that writes. `replays`
    /// applies to each entry that is stored.
    #[must_use]
    pub fn over(database: Database, timeout: Duration, replays: Replays) -> Self {
        let reads = ReadStore { reads: Arc::clone(&database.reads) };
        Self {
            shared: Arc::new(Shared {
                database,
                reads,
                timeout,
                replays,
                lines: Throttle::default(),
            }),
        }
    }

    /// Stores an entry under its key. Concurrent calls share a commit.
    ///
    /// # Errors
    /// - Returns [`StoreError::Unavailable`] after [`Options::put_timeout`] or a fault. The entry
    ///   may have been stored. The caller must retry.
    /// - Returns [`StoreError::Refused`] if the entry exceeds [`Store::MAX_BYTES`].
    /// - Returns [`StoreError::TooManyCopies`] if the key has 16 quarantined events. The entry is
    ///   not stored.
    pub async fn put(&self, entry: Entry) -> Result<Stored, StoreError> {
        self.put_traced(entry, None).await
    }

    /// Stores an entry with the trace of its delivery. The trace is stored only with a new event.
    /// Entries that differ only in their trace are the same event.
    ///
    /// # Errors
    /// Returns the errors of [`put`](Self::put).
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
        let stored = self.in_time(self.shared.database.backend.put(put)).await?;
        self.count(stored);
        // Rate limited, because an attacker with a captured delivery can repeat it quickly.
        let warns = matches!(stored, Stored::Conflict | Stored::Replayed);
        let admitted = warns.then(|| self.shared.lines.admit(stored)).flatten();
        let Some(more) = admitted else { return Ok(stored) };
        let more = (more > 0).then_some(more);
        match stored {
            Stored::Stored | Stored::Duplicate => {}
            Stored::Conflict => tracing::warn!(
                key,
                more,
                "two different events under one key; the second is in quarantine"
            ),
            Stored::Replayed => tracing::warn!(
                key,
                more,
                quarantined = replays == Replays::Quarantined,
                "an event arrived again under another key; the signature or secret does not cover the key, so this may be a captured delivery"
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
        self.shared.database.counters.note(note);
    }

    /// Returns the counters of this store and its clones.
    pub fn activity(&self) -> Activity {
        self.shared.database.counters.now()
    }

    /// Forgets events that have been done for `older_than`, in small transactions. Returns the
    /// number of forgotten events. A redelivered event that was forgotten is stored as a new event.
    ///
    /// The age of events is measured with the monotonic clock, because the wall clock may jump.
    /// Call this every hour: events then stay at most 3 hours longer than `older_than`. The time
    /// between two calls counts as at most 2 hours. Time without an open store does not count. If
    /// `older_than` is 0, all done events are forgotten, except the first event of a key that has
    /// further events.
    ///
    /// # Errors
    /// Returns [`StoreError::Unavailable`] if the store fails. Some events may be forgotten.
    pub async fn prune(&self, older_than: Duration) -> Result<u64, StoreError> {
        self.prune_old(Old::Measured(older_than)).await
    }

    /// Forgets events that have been done for `older_than` by the wall clock. For commands of an
    /// operator, if no process runs long enough to measure the age. The operator must check the
    /// clock first.
    ///
    /// # Errors
    /// Returns [`StoreError::Unavailable`] if the store fails. Some events may be forgotten.
    pub async fn prune_by_clock(&self, older_than: Duration) -> Result<u64, StoreError> {
        self.prune_old(Old::ByClock(older_than)).await
    }

    async fn prune_old(&self, old: Old) -> Result<u64, StoreError> {
        let mut forgotten: u64 = 0;
        loop {
            let step = self.in_time(self.shared.database.backend.prune(old)).await?;
            forgotten = forgotten.saturating_add(step.forgotten);
            if !step.goes_on {
                return Ok(forgotten);
            }
        }
    }

    /// Checks that the store accepts writes. On SQLite, causes at most one small write in 10 s, and
    /// no write while events are being stored.
    ///
    /// # Errors
    /// Returns [`StoreError::Unavailable`] if an event could not be stored now.
    pub async fn probe(&self) -> Result<(), StoreError> {
        self.in_time(self.shared.database.backend.probe()).await
    }

    /// Returns the time of the clock for leases and delays, in milliseconds since 1970.
    pub fn now_ms(&self) -> i64 {
        (self.shared.database.clock)()
    }

    /// Returns a receiver that changes when this store or a clone makes an event available. It may
    /// miss events of other processes, so workers must also poll every few seconds.
    pub fn news(&self) -> watch::Receiver<u64> {
        self.shared.database.news.clone()
    }

    /// Drops this clone, and waits until all clones are dropped and the store is closed.
    pub async fn close(self) {
        let mut ended = self.shared.database.ended.clone();
        drop(self);
        // The channel carries no values. An error means that the writer has ended.
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
        StoreError::Unavailable {
            store: self.shared.database.name.clone(),
            detail: detail.to_string(),
        }
    }
}

/// Reads use the connections of this store.
impl Deref for Store {
    type Target = ReadStore;

    fn deref(&self) -> &ReadStore {
        &self.shared.reads
    }
}

/// A read-only store. Changes no event. Creates no file except a missing `-shm` next to a `-wal`.
/// Needs a tokio runtime.
#[derive(Clone)]
pub struct ReadStore {
    reads: Arc<dyn Reads>,
}

impl ReadStore {
    /// Opens the store at `path`. Works on a full disk and without write permission.
    ///
    /// # Errors
    /// Returns the errors of [`Store::open`]. A WAL without a WAL index is readable only with write
    /// permission.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, StoreError> {
        Ok(Self { reads: Arc::new(sqlite::read_only(path.as_ref())?) })
    }

    /// Copies the store at `from` to the new file `to`, to make or restore a backup. Other
    /// processes may use `from` during the copy. The copy has every event that was acknowledged
    /// before the call. Blocks until the copy is checked and durable. Returns the number of copied
    /// events by state.
    ///
    /// # Errors
    /// - Returns the errors of [`open`](Self::open).
    /// - Returns [`StoreError::NotSetUp`] if `to` exists or cannot be written. An existing file is
    ///   never replaced.
    pub fn copy(from: impl AsRef<Path>, to: impl AsRef<Path>) -> Result<Counts, StoreError> {
        sqlite::copy(from.as_ref(), to.as_ref())
    }

    /// Creates a read-only store over `reads`.
    #[must_use]
    pub fn over(reads: Arc<dyn Reads>) -> Self {
        Self { reads }
    }

    /// Returns the events that match the filter, in order of identifiers, or in reverse with
    /// [`Filter::newest`]. Reads page by page. Events can change between two pages.
    ///
    /// # Errors
    /// Returns [`StoreError::Unavailable`] or [`StoreError::Damaged`] if the store fails.
    pub async fn list(&self, filter: Filter) -> Result<Vec<Event>, StoreError> {
        self.list_map(filter, |event| event).await
    }

    /// Returns the result of `map` for each event that [`list`](Self::list) would return. Holds one
    /// page of events in memory.
    ///
    /// # Errors
    /// Returns the errors of [`list`](Self::list).
    pub async fn list_map<T>(
        &self,
        mut filter: Filter,
        map: impl Fn(Event) -> T,
    ) -> Result<Vec<T>, StoreError> {
        let mut left = filter.limit;
        let mut listed = Vec::new();
        loop {
            filter.limit = left.min(PAGE);
            let page = self.reads.list(filter.clone()).await?;
            let count = u32::try_from(page.len()).unwrap_or(u32::MAX);
            let bytes: usize = page.iter().map(|event| event.json.len()).sum();
            let is_last = count < filter.limit && bytes < PAGE_BYTES;
            filter.after_id = page.last().map_or(filter.after_id, |event| event.id);
            listed.extend(page.into_iter().map(&map));
            left = left.saturating_sub(count);
            if is_last || left == 0 {
                return Ok(listed);
            }
        }
    }

    /// Returns the event with this identifier.
    ///
    /// # Errors
    /// Returns [`StoreError::NotFound`] if there is no such event, and [`StoreError::Unavailable`]
    /// or [`StoreError::Damaged`] if the store fails.
    pub async fn get(&self, id: i64) -> Result<Event, StoreError> {
        self.reads.get(id).await?.ok_or(StoreError::NotFound { id })
    }

    /// Returns the identifier of the first event under a key; `None` if the key has no event.
    ///
    /// # Errors
    /// Returns [`StoreError::Unavailable`] or [`StoreError::Damaged`] if the store fails.
    pub async fn first_under(&self, key: &str) -> Result<Option<i64>, StoreError> {
        self.reads.first_under(key.to_string()).await
    }

    /// Returns the number of events in each state.
    ///
    /// # Errors
    /// Returns [`StoreError::Unavailable`] or [`StoreError::Damaged`] if the store fails.
    pub async fn counts(&self) -> Result<Counts, StoreError> {
        Ok(self.summary().await?.counts)
    }

    /// Returns the number of events in each state, and the time at which the oldest pending or
    /// leased event was stored. The cost does not depend on the number of events.
    ///
    /// # Errors
    /// Returns [`StoreError::Unavailable`] or [`StoreError::Damaged`] if the store fails.
    pub async fn summary(&self) -> Result<Summary, StoreError> {
        self.reads.summary().await
    }

    /// Exports all events, each as a line of JSON.
    pub fn export(&self) -> Export {
        Export::new(Arc::clone(&self.reads))
    }
}

fn check_size(values: &[impl AsRef<[u8]>]) -> Result<(), StoreError> {
    let bytes: usize = values.iter().map(|value| value.as_ref().len()).sum();
    if bytes <= Store::MAX_BYTES {
        return Ok(());
    }
    let detail = format!("{bytes} bytes exceed the maximum of {}; send less", Store::MAX_BYTES);
    Err(StoreError::Refused { detail })
}
