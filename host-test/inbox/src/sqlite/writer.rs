//! State of the inbox writer outside the file: clocks, counters, and the health of the disk.

use std::cell::{Cell, RefCell};
use std::time::{Duration, Instant};

use messaging_journal::sqlite::{self, FileError, Kind};
use rusqlite::Connection;
use tokio::sync::watch;

use super::activity::Counters;
use super::error::StoreError;
use super::{Age, Clock, fault};
use crate::outage::Outage;

/// Number of WAL frames (66 MB) after which a checkpoint copies them to the database file. Large,
/// because a checkpoint syncs the disk and requests wait for it.
const CHECKPOINT_FRAMES: i64 = 16_000;

/// Duration for which a commit proves that the disk accepts writes.
const PROVEN: Duration = Duration::from_secs(10);

/// The context of a request in its transaction.
pub(super) type Batch<'a> = sqlite::Batch<'a, Tables>;

/// The state of the inbox writer.
pub(super) struct Inbox {
    pub(super) clock: Clock,
    pub(super) age: RefCell<Age>,
    pub(super) news: watch::Sender<u64>,
    /// Name of the store, for the log.
    pub(super) name: String,
    /// Closes the connections that read.
    pub(super) close_readers: Box<dyn Fn() + Send>,
    pub(super) counters: Counters,
    pub(super) outage: Outage,
    /// The drop of this sender reports that the file is closed.
    pub(super) _ended: watch::Sender<()>,
    /// Start of the batch, in milliseconds since 1970.
    pub(super) now_ms: i64,
    /// Time of the last commit that wrote; `None` after a fault.
    pub(super) proven: Option<Instant>,
    /// True if a batch has failed since the last successful probe.
    pub(super) is_doubted: bool,
    /// True if this batch contains a probe that wrote.
    pub(super) has_probed: Cell<bool>,
    /// True if this batch makes events leasable.
    pub(super) takeable: Cell<bool>,
}

impl Inbox {
    /// Returns true if a recent commit proves that the disk accepts writes.
    pub(super) fn is_proven(&self) -> bool {
        !self.is_doubted && self.proven.is_some_and(|at| at.elapsed() < PROVEN)
    }
}

/// Raises the store's age in the file and in this process to the larger of the two. Returns the
/// raised age, and the highest `done_age_ms` of events that have been done for `older_than`. A
/// rollback is harmless, because the process keeps the raised age.
pub(super) fn age(batch: &Batch<'_>, older_than: Duration) -> rusqlite::Result<(i64, i64)> {
    const STEP: &str = "UPDATE age SET age_ms = max(age_ms, ?1) RETURNING age_ms";
    let mut age = batch.state.age.borrow_mut();
    let mut step = batch.connection.prepare_cached(STEP)?;
    let age_ms = step.query_row([age.measure()], |row| row.get(0))?;
    age.learn(age_ms);
    Ok((age_ms, age.before(older_than)))
}

/// Runs a checkpoint. `PASSIVE` copies as much of the WAL to the database file as open readers
/// permit. `NOOP` copies nothing. Returns the number of frames that exist only in the WAL.
fn checkpoint(connection: &Connection, mode: &str) -> rusqlite::Result<i64> {
    let mut checkpoint = connection.prepare_cached(&format!("PRAGMA wal_checkpoint({mode})"))?;
    let (frames, copied): (i64, i64) =
        checkpoint.query_row([], |row| Ok((row.get(1)?, row.get(2)?)))?;
    Ok(frames.saturating_sub(copied))
}

/// The kind of file that holds an inbox.
#[derive(Clone, Debug)]
pub(super) struct Tables;

impl Kind for Tables {
    type Error = StoreError;
    type State = Inbox;

    /// The characters `MSGI`.
    const APPLICATION_ID: i64 = 0x4d53_4749;
    const VERSION: i64 = 2;
    const SCHEMA: &'static str = include_str!("schema.sql");
    /// Disables automatic checkpoints, because the writer checkpoints after it has replied.
    const SETTINGS: &'static str = "PRAGMA cache_size = -16384; PRAGMA wal_autocheckpoint = 0;";
    const FILLS_EMPTY: bool = true;

    fn error(store: String, error: FileError) -> StoreError {
        fault::error(store, error, Self::VERSION)
    }

    fn is_temporary(error: &StoreError) -> bool {
        matches!(error, StoreError::Unavailable { .. })
    }

    fn fails_batch(error: &StoreError) -> bool {
        error.fails_batch()
    }

    fn begin(inbox: &mut Inbox) {
        inbox.now_ms = (inbox.clock)();
        inbox.has_probed.set(false);
        inbox.takeable.set(false);
    }

    fn done(inbox: &mut Inbox, requests: usize, took: Duration, done: Result<bool, &StoreError>) {
        match done {
            Ok(wrote) => {
                if wrote {
                    inbox.proven = Some(Instant::now());
                }
                inbox.is_doubted &= !inbox.has_probed.get();
                inbox.outage.ended();
                inbox.counters.committed(requests, took);
            }
            Err(error) => {
                inbox.proven = None;
                inbox.is_doubted = true;
                inbox.takeable.set(false);
                inbox.outage.failed(requests, error);
            }
        }
    }

    fn answered(inbox: &mut Inbox, connection: &Connection) {
        let is_long = checkpoint(connection, "NOOP").is_ok_and(|left| left >= CHECKPOINT_FRAMES);
        if is_long && let Err(error) = checkpoint(connection, "PASSIVE") {
            tracing::warn!(%error, "checkpoint failed; the next commits retry it");
        }
        if inbox.takeable.take() {
            inbox.news.send_modify(|count| *count = count.wrapping_add(1));
        }
    }

    /// Closes the readers first, because SQLite copies the WAL to the database file when the last
    /// connection closes.
    fn closing(inbox: &mut Inbox, files: Result<(), String>) {
        (inbox.close_readers)();
        if let Err(why) = files {
            tracing::error!(
                why,
                path = inbox.name,
                "store closed after a file was removed or replaced"
            );
        }
    }
}
