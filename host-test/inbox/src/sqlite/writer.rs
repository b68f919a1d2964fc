//! The thread that writes: it commits everything that waits in one transaction, and answers when that transaction is
//! on the disk. What a request writes is the request's.
//!
//! It answers only if the files are still those that were opened (`messaging_journal::sqlite_files`). While one is
//! removed or replaced, each request fails; the file can be put back.

use std::cell::{Cell, RefCell};
use std::thread;
use std::time::{Duration, Instant};

use messaging_journal::sqlite_files::{self as files, OpenFiles};
use rusqlite::Connection;
use tokio::sync::{mpsc, oneshot, watch};

use super::activity::Counters;
use super::error::StoreError;
use super::read::Readers;
use super::schema::Place;
use super::{Age, Clock, Step};
use crate::outage::Outage;

/// Frames of the WAL, 66 MB, after which it is copied into the file. Requests wait during the copy because it syncs
/// the disk. At this size about one delivery in a hundred does, with 64 at once.
const CHECKPOINT_FRAMES: i64 = 16_000;

/// Time for which a commit shows that the disk takes writes.
const PROVEN: Duration = Duration::from_secs(10);

/// The most requests in one transaction: more of them gain little, and all wait for it.
const BATCH: usize = 1024;

/// The transaction that a request writes through.
pub(super) struct Batch<'a> {
    pub(super) connection: &'a Connection,
    pub(super) now_ms: i64,
    place: &'a Place,
    on_step: Option<&'a Step>,
    takeable: Cell<bool>,
    age: RefCell<&'a mut Age>,
    /// Whether a commit has just shown that the disk takes writes.
    pub(super) is_proven: bool,
    /// Whether a batch has failed since the last probe that succeeded.
    pub(super) is_doubted: bool,
    /// Whether this batch has a probe that wrote.
    pub(super) has_probed: Cell<bool>,
}

impl Batch<'_> {
    pub(super) fn fault(
        &self,
        doing: &'static str,
    ) -> impl Fn(rusqlite::Error) -> StoreError + use<'_> {
        self.place.fault(doing)
    }

    pub(super) fn name(&self) -> String {
        self.place.name()
    }

    pub(super) fn step(&self, name: &'static str) {
        if let Some(on_step) = self.on_step {
            on_step(name);
        }
    }

    /// Brings the file and this process to one age, and returns it, with the one before which
    /// something was done that has been so for `older_than`. A transaction that is rolled back
    /// has done no harm: the process knew it.
    pub(super) fn age(&self, older_than: Duration) -> rusqlite::Result<(i64, i64)> {
        const STEP: &str = "UPDATE age SET age_ms = max(age_ms, ?1) RETURNING age_ms";
        let mut age = self.age.borrow_mut();
        let mut step = self.connection.prepare_cached(STEP)?;
        let age_ms = step.query_row([age.measure()], |row| row.get(0))?;
        age.learn(age_ms);
        Ok((age_ms, age.before(older_than)))
    }

    /// Once committed, there is something more to lease.
    pub(super) fn more_to_lease(&self) {
        self.takeable.set(true);
    }
}

/// A request in the queue.
pub(super) trait Job: Send {
    /// Nobody waits for it any more: it need not be done.
    fn is_abandoned(&self) -> bool;
    /// Whether its work is worthless, and keeps others from it, unless its result is received.
    fn must_be_heard(&self) -> bool;
    /// Writes, and keeps the result. An error is one that spoils the batch.
    fn run(&mut self, batch: &Batch<'_>) -> Result<(), StoreError>;
    /// Tells the result, now that the batch is on the disk or is not.
    fn answer(self: Box<Self>, committed: &Result<(), StoreError>);
}

struct Request<T, F> {
    work: Option<F>,
    must_be_heard: bool,
    result: Option<Result<T, StoreError>>,
    reply: oneshot::Sender<Result<T, StoreError>>,
}

/// A request that does `work`, and where its result will come.
pub(super) fn request<T, F>(
    must_be_heard: bool,
    work: F,
) -> (Box<dyn Job>, oneshot::Receiver<Result<T, StoreError>>)
where
    T: Send + 'static,
    F: FnOnce(&Batch<'_>) -> Result<T, StoreError> + Send + 'static,
{
    let (reply, answer) = oneshot::channel();
    (Box::new(Request { work: Some(work), must_be_heard, result: None, reply }), answer)
}

impl<T, F> Job for Request<T, F>
where
    T: Send,
    F: FnOnce(&Batch<'_>) -> Result<T, StoreError> + Send,
{
    fn is_abandoned(&self) -> bool {
        self.reply.is_closed()
    }

    fn must_be_heard(&self) -> bool {
        self.must_be_heard
    }

    fn run(&mut self, batch: &Batch<'_>) -> Result<(), StoreError> {
        let Some(work) = self.work.take() else { return Ok(()) };
        match work(batch) {
            Err(error) if error.spoils_the_batch() => Err(error),
            result => {
                self.result = Some(result);
                Ok(())
            }
        }
    }

    fn answer(self: Box<Self>, committed: &Result<(), StoreError>) {
        let result = match (committed, self.result) {
            (Ok(()), Some(result)) => result,
            (Err(error), _) => Err(error.clone()),
            // Not reached: a batch is committed when all of it has run. Dropping the
            // reply is an error to who waits, which is what it has to be.
            (Ok(()), None) => return,
        };
        let _ = self.reply.send(result);
    }
}

/// A store that is open for writing.
pub(super) struct Opened {
    connection: Connection,
    files: OpenFiles,
    age: Age,
}

impl Opened {
    pub(super) fn new(place: &Place, create: bool, monotonic: &Clock) -> Result<Self, StoreError> {
        let (connection, files) = place.writer(create)?;
        let age_ms = connection.query_row("SELECT age_ms FROM age", [], |row| row.get(0));
        let age = Age::new(age_ms.map_err(place.fault("its age"))?, monotonic.clone());
        Ok(Self { connection, files, age })
    }

    pub(super) fn files(&self) -> &OpenFiles {
        &self.files
    }

    /// Copies the WAL into the file, as far as no reader needs it. Returns the frames that stay in the WAL alone.
    fn checkpoint(&self, mode: &str) -> rusqlite::Result<i64> {
        let mut checkpoint =
            self.connection.prepare_cached(&format!("PRAGMA wal_checkpoint({mode})"))?;
        let (frames, copied): (i64, i64) =
            checkpoint.query_row([], |row| Ok((row.get(1)?, row.get(2)?)))?;
        Ok(frames.saturating_sub(copied))
    }
}

impl Drop for Opened {
    fn drop(&mut self) {
        self.files.before_close(&self.connection);
    }
}

/// The thread's own.
pub(super) struct Writer {
    pub(super) place: Place,
    /// `None` after a fault that a connection cannot recover from.
    pub(super) opened: Option<Opened>,
    /// The files that were opened first. Another database file lacks what this process acknowledged.
    pub(super) first: OpenFiles,
    /// Time of the last commit that wrote; `None` after a fault.
    pub(super) proven: Option<Instant>,
    /// Whether a batch has failed since the last probe that succeeded.
    pub(super) is_doubted: bool,
    pub(super) clock: Clock,
    pub(super) monotonic: Clock,
    pub(super) on_step: Option<Step>,
    pub(super) news: watch::Sender<u64>,
    pub(super) readers: Readers,
    pub(super) counters: Counters,
    pub(super) outage: Outage,
}

impl Writer {
    /// Starts the thread. It ends, and closes its connection, when the last sender is
    /// dropped and the queue is empty; then `ended` closes.
    pub(super) fn start(
        mut self,
        mut queue: mpsc::Receiver<Box<dyn Job>>,
        ended: watch::Sender<()>,
    ) -> std::io::Result<()> {
        let run = move || {
            let mut batch = Vec::new();
            while let Some(first) = queue.blocking_recv() {
                batch.push(first);
                while batch.len() < BATCH {
                    let Ok(next) = queue.try_recv() else { break };
                    batch.push(next);
                }
                self.serve(&mut batch);
            }
            self.close();
            drop(ended);
        };
        thread::Builder::new().name("inbox-writer".into()).spawn(run).map(drop)
    }

    /// Closes the readers first: the last connection to be closed copies the WAL into the file.
    fn close(self) {
        self.readers.forget();
        let Some(opened) = &self.opened else { return };
        if let Err(why) = opened.files.check() {
            tracing::error!(why, path = %self.place.path.display(), "store closed without a checkpoint");
        }
    }

    fn serve(&mut self, batch: &mut Vec<Box<dyn Job>>) {
        batch.retain(|job| !job.is_abandoned());
        if batch.is_empty() {
            return;
        }
        let began = Instant::now();
        let committed = self.commit(batch).inspect_err(|_| self.recover());
        match &committed {
            Ok(_) => {
                self.outage.ended();
                self.counters.committed(batch.len(), began.elapsed());
            }
            Err(error) => self.outage.failed(batch.len(), error),
        }
        for job in batch.drain(..) {
            job.answer(&committed.as_ref().map(|_| ()).map_err(Clone::clone));
        }
        if let Some(on_step) = &self.on_step {
            on_step("answered");
        }
        self.checkpoint();
        if committed == Ok(true) {
            self.news.send_modify(|count| *count = count.wrapping_add(1));
        }
    }

    /// Runs a batch in one transaction. Returns true if there is more to lease. After any error, no request is
    /// acknowledged.
    fn commit(&mut self, jobs: &mut [Box<dyn Job>]) -> Result<bool, StoreError> {
        self.reopen()?;
        let place = &self.place;
        let Some(Opened { connection, files, age }) = &mut self.opened else {
            return Err(place.unavailable("it is not open"));
        };
        let batch = Batch {
            connection,
            now_ms: (self.clock)(),
            place,
            on_step: self.on_step.as_ref(),
            takeable: Cell::new(false),
            age: RefCell::new(age),
            is_proven: !self.is_doubted && self.proven.is_some_and(|at| at.elapsed() < PROVEN),
            is_doubted: self.is_doubted,
            has_probed: Cell::new(false),
        };
        batch.step("begin");
        files::begin(connection, place.busy).map_err(place.fault("beginning a transaction"))?;
        let unchanged = connection.total_changes();
        for job in jobs.iter_mut() {
            job.run(&batch)?;
        }
        batch.step("before-commit");
        if jobs.iter().any(|job| job.must_be_heard() && job.is_abandoned()) {
            return Err(place.unavailable("who asked did not wait"));
        }
        connection
            .prepare_cached("COMMIT")
            .and_then(|mut commit| commit.execute([]))
            .map_err(place.fault("committing"))?;
        batch.step("after-commit");
        // SQLite commits to files that were removed, and reports success.
        files.check().map_err(|detail| place.not_set_up(detail))?;
        let more_to_lease = batch.takeable.get();
        let has_probed = batch.has_probed.get();
        if connection.total_changes() != unchanged {
            self.proven = Some(Instant::now());
        }
        self.is_doubted &= !has_probed;
        Ok(more_to_lease)
    }

    /// Copies the WAL into the file when it is long.
    fn checkpoint(&self) {
        let Some(opened) = &self.opened else { return };
        let is_long = opened.checkpoint("NOOP").is_ok_and(|frames| frames >= CHECKPOINT_FRAMES);
        if is_long && let Err(error) = opened.checkpoint("PASSIVE") {
            tracing::warn!(%error, "checkpoint failed; the next commits retry it");
        }
    }

    fn reopen(&mut self) -> Result<(), StoreError> {
        if self.opened.is_none() {
            self.first.check_database().map_err(|detail| self.place.not_set_up(detail))?;
            self.opened = Some(Opened::new(&self.place, false, &self.monotonic)?);
        }
        Ok(())
    }

    /// After a failed batch: rolls it back, or closes the connection.
    fn recover(&mut self) {
        self.proven = None;
        self.is_doubted = true;
        let Some(Opened { connection, .. }) = &self.opened else { return };
        if !connection.is_autocommit() {
            // SQLite rolls back by itself after some errors.
            let _ = connection.execute_batch("ROLLBACK");
        }
        if !connection.is_autocommit() {
            self.readers.forget();
            self.opened = None;
        }
    }
}
