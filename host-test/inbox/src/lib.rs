//! The host's own inbox: a file that keeps events, exactly once under each key, and
//! hands them on. Owns durability and leases; knows nothing of HTTP or of components.
//!
//! ```text
//! schema  the file: whether it is a store, its versions, every connection's settings
//! log     whether the log on the disk is whole
//! files   whether the files are still those that were opened, and whole
//! health  whether damage is known, and the thread that looks for it
//! writer  the one thread that writes: group commit, what is answered and when
//! put     storing an entry
//! work    workers' calls: lease, ack, nack, extend, release; requeuing what is dead
//! lease   whose turn it is, and what each of those changes; prune; clocks that jump
//! activity  what this process did, counted
//! age     how long a key has truly been remembered
//! kv      values under keys, for wasi:keyvalue
//! read    lists, counts, export
//! trace   the trace context that a delivery came with
//! ```
//!
//! The file is SQLite with a write-ahead log. Any number of processes can use it at
//! once, all on the machine whose local disk it is on.

mod activity;
mod age;
mod error;
mod files;
mod health;
mod kv;
mod lease;
mod log;
mod model;
mod put;
mod read;
mod schema;
mod trace;
mod work;
mod writer;

use std::future::Future;
use std::ops::Deref;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use rusqlite::Connection;
use tokio::sync::{mpsc, watch};

pub use activity::{Activity, Histogram};
pub use error::{NameError, StoreError};
use health::{Checker, Health};
use lease::Old;
pub use model::{
    Bucket, Counts, DeadFilter, Due, Entry, Event, Filter, KeyPage, Kinds, Lane, Puts, Replays,
    Retry, State, Stored, Summary, UnknownState,
};
use put::Compared;
pub use put::MAX_CONFLICTS;
pub use read::Export;
use read::Readers;
use schema::{CHECKED_FIRST, Place};
pub use trace::TraceContext;
use writer::{Batch, Job, Opened, Writer};

/// Requests that wait for the writer; beyond it, callers wait to be let in.
const QUEUE: usize = 1024;

/// Returns a time in milliseconds.
pub type Clock = Arc<dyn Fn() -> i64 + Send + Sync>;

/// Called on the writer's thread with the name of the boundary it is at.
pub type Step = Arc<dyn Fn(&'static str) + Send + Sync>;

/// Options for opening a store.
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
    /// Shortest interval of looking through the whole file for damage: a large one is less
    /// often, so that looking takes one part in 200 of the time.
    pub check_every: Duration,
    /// Treatment of an event that comes under another key than before.
    pub replays: Replays,
    /// Called on the writer's thread at each boundary of a batch: `begin` before its
    /// transaction, `insert` after each row, `before-commit`, `after-commit` before
    /// anybody is answered, `answered`. For tests that end the process there.
    pub on_step: Option<Step>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            create: true,
            put_timeout: Duration::from_secs(2),
            clock: Arc::new(|| {
                let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
                lease::millis(since)
            }),
            monotonic: {
                let begun = Instant::now();
                Arc::new(move || lease::millis(begun.elapsed()))
            },
            check_every: Duration::from_secs(60),
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
    place: Place,
    clock: Clock,
    queue: mpsc::Sender<Box<dyn Job>>,
    timeout: Duration,
    replays: Replays,
    activity: Arc<Mutex<Activity>>,
    reads: ReadStore,
    news: watch::Receiver<u64>,
    ended: watch::Receiver<()>,
    _checker: Checker,
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
        schema::check_name(name)
    }

    /// Opens the store at `path`; blocks while it is set up or brought up to date.
    ///
    /// # Errors
    /// [`StoreError::NotSetUp`], [`StoreError::NotAStore`], [`StoreError::NewerSchema`],
    /// [`StoreError::Damaged`], [`StoreError::Unavailable`]. A file that is no store is
    /// left as it was.
    pub fn open(path: impl AsRef<Path>, options: Options) -> Result<Self, StoreError> {
        let place = Place::new(path.as_ref(), options.put_timeout)?;
        let connection = place.writer(options.create)?;
        let first =
            if place.size() <= CHECKED_FIRST { options.check_every } else { Duration::ZERO };
        let opened = Opened::new(&place, connection, &options.monotonic)?;
        let health = Health::default();
        let readers = Readers::new(place.clone(), health.clone());
        let (queue, jobs) = mpsc::channel(QUEUE);
        let (news_sender, news) = watch::channel(0);
        let (ended_sender, ended) = watch::channel(());
        let no_thread = |error: std::io::Error| StoreError::Unavailable {
            path: place.path.clone(),
            detail: format!("no thread for it: {error}"),
        };
        let times = (first, options.check_every);
        let checker = Checker::start(place.clone(), health.clone(), times, ended_sender.clone())
            .map_err(no_thread)?;
        let clock = Arc::clone(&options.clock);
        let activity = Arc::<Mutex<Activity>>::default();
        let writer = Writer {
            activity: Arc::clone(&activity),
            place: place.clone(),
            opened: Some(opened),
            clock: options.clock,
            monotonic: options.monotonic,
            on_step: options.on_step,
            news: news_sender,
            readers: readers.clone(),
            health,
        };
        writer.start(jobs, ended_sender).map_err(no_thread)?;
        let timeout = options.put_timeout;
        let _checker = checker;
        Ok(Self {
            shared: Arc::new(Shared {
                place,
                clock,
                queue,
                timeout,
                replays: options.replays,
                activity,
                reads: ReadStore { readers },
                news,
                ended,
                _checker,
            }),
        })
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
        let compared = Compared::of(&entry.json, replays);
        let work = move |batch: &Batch<'_>| put::put(batch, &entry, trace.as_ref(), compared);
        let stored = self.write(work).await?;
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
        note(&mut self.shared.activity.lock().unwrap_or_else(PoisonError::into_inner));
    }

    /// Returns what was done so far, through this store and its clones.
    #[must_use]
    pub fn activity(&self) -> Activity {
        self.shared.activity.lock().unwrap_or_else(PoisonError::into_inner).clone()
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
            let step = self.write(move |batch| lease::prune(batch, old)).await?;
            forgotten = forgotten.saturating_add(step.forgotten as u64);
            if !step.goes_on {
                return Ok(forgotten);
            }
        }
    }

    /// Tries a write that changes nothing, as far as the disk.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`]: an event could not be kept now.
    pub async fn probe(&self) -> Result<(), StoreError> {
        let again = |batch: &Batch<'_>| {
            let written = batch.connection.execute("UPDATE age SET age_ms = age_ms", []);
            written.map(drop).map_err(batch.fault("trying a write"))
        };
        self.write(again).await
    }

    /// The time by which leases and pauses are measured, in milliseconds since 1970.
    #[must_use]
    pub fn now_ms(&self) -> i64 {
        (self.shared.clock)()
    }

    /// Changes whenever this `Store` or a clone made an event available. What another
    /// process did is not noticed: look every few seconds as well.
    #[must_use]
    pub fn news(&self) -> watch::Receiver<u64> {
        self.shared.news.clone()
    }

    /// Drops this clone, and waits until the last one is gone and the file is closed.
    pub async fn close(self) {
        let mut ended = self.shared.ended.clone();
        drop(self);
        // Nothing is ever sent: an error says that the writer is gone.
        while ended.changed().await.is_ok() {}
    }

    async fn write<T, F>(&self, work: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: FnOnce(&Batch<'_>) -> Result<T, StoreError> + Send + 'static,
    {
        self.ask(false, work).await
    }

    async fn ask<T, F>(&self, must_be_heard: bool, work: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: FnOnce(&Batch<'_>) -> Result<T, StoreError> + Send + 'static,
    {
        let (job, answer) = writer::request(must_be_heard, work);
        let gone = || self.unavailable("its writer has stopped; start this process again");
        let asked = async {
            self.shared.queue.send(job).await.map_err(|_| gone())?;
            answer.await.map_err(|_| gone())?
        };
        self.in_time(asked).await
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
        let path = self.shared.place.path.clone();
        StoreError::Unavailable { path, detail: detail.to_string() }
    }
}

/// Reading is that of a [`ReadStore`], on this store's own connections.
impl Deref for Store {
    type Target = ReadStore;

    fn deref(&self) -> &ReadStore {
        &self.shared.reads
    }
}

/// A store that is only read: nothing about it is changed, whatever version wrote it, and
/// nothing made beside it unless a log is there. Needs a tokio runtime.
#[derive(Clone)]
pub struct ReadStore {
    readers: Readers,
}

impl ReadStore {
    /// Opens the store at `path`. It can be on a full disk, and be somebody else's.
    ///
    /// # Errors
    /// As [`Store::open`]. A log without its index, as nobody leaves them, can only be read
    /// by who may write.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, StoreError> {
        let place = Place::new(path.as_ref(), Options::default().put_timeout)?;
        let readers = Readers::alone(place);
        readers.try_open()?;
        Ok(Self { readers })
    }

    /// The events that a filter lets through, by identifier.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`], [`StoreError::Damaged`].
    pub async fn list(&self, filter: Filter) -> Result<Vec<Event>, StoreError> {
        self.read("listing events", move |connection| read::list(connection, &filter)).await
    }

    /// One event.
    ///
    /// # Errors
    /// [`StoreError::NotFound`], [`StoreError::Unavailable`], [`StoreError::Damaged`].
    pub async fn get(&self, id: i64) -> Result<Event, StoreError> {
        let found = self.read("reading an event", move |connection| read::get(connection, id));
        found.await?.ok_or(StoreError::NotFound { id })
    }

    /// The number of the first event under a key, if it is kept.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`], [`StoreError::Damaged`].
    pub async fn first_under(&self, key: &str) -> Result<Option<i64>, StoreError> {
        let key = key.to_string();
        self.read("looking for an event", move |connection| read::first(connection, &key)).await
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
        self.read("counting", read::summary).await
    }

    /// The buckets that hold values: another kind of inbox than the events.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`], [`StoreError::Damaged`].
    pub async fn buckets(&self) -> Result<Vec<Bucket>, StoreError> {
        self.read("counting values", read::buckets).await
    }

    /// Every event as a line of JSON. It blocks while it reads.
    #[must_use]
    pub fn export(&self) -> Export {
        Export::new(self.readers.clone())
    }

    /// Reads on another thread, without a time-out: a long list takes its time, and a lock is
    /// not waited for any longer than the writer waits for one.
    async fn read<T, F>(&self, doing: &'static str, work: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
    {
        let readers = self.readers.clone();
        let path = readers.path().to_path_buf();
        let reading = tokio::task::spawn_blocking(move || readers.read(doing, work));
        let gone = |error: tokio::task::JoinError| StoreError::Unavailable {
            path,
            detail: error.to_string(),
        };
        reading.await.map_err(gone)?
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
