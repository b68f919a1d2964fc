//! The thread that writes: it commits everything that waits in one transaction, and
//! answers once that has reached the disk. What a request writes is the request's.
//!
//! Nothing is answered as kept unless the files are what they were (messaging-wal) and no
//! damage is known (health.rs). After a mishap:
//!
//! ```text
//! the file is elsewhere        it is opened anew once it is back
//! the log or index is another  what is open still holds everything: it is copied into the
//!                              file, and the store is opened anew
//! something was cut short      nothing more is written: that is for a person to mend
//! ```

use std::cell::{Cell, RefCell};
use std::thread;
use std::time::{Duration, Instant};

use messaging_wal::{self as wal, Checkpoint, Files, Mishap};
use rusqlite::Connection;
use tokio::sync::{mpsc, oneshot, watch};

use super::activity::Counters;
use super::age::Age;
use super::error::StoreError;
use super::health::Health;
use super::read::Readers;
use super::schema::{self, COPIED_EVERY, Place};
use super::{Clock, Step};
use crate::outage::Outage;

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
    files: Files,
    age: Age,
    /// With so many frames the log is copied into the file.
    copy_at: u64,
}

impl Opened {
    pub(super) fn new(
        place: &Place,
        connection: Connection,
        monotonic: &Clock,
    ) -> Result<Self, StoreError> {
        let files = Files::of(&place.path, &connection).map_err(|mishap| match mishap {
            Mishap::Unknown(_) => {
                StoreError::Unavailable { store: place.name(), detail: mishap.to_string() }
            }
            mishap => place.not_set_up(told(&mishap)),
        })?;
        let age_ms = connection.query_row("SELECT age_ms FROM age", [], |row| row.get(0));
        let age = Age::new(age_ms.map_err(place.fault("its age"))?, monotonic.clone());
        Ok(Self { connection, files, age, copy_at: COPIED_EVERY.into() })
    }
}

/// Reason why a batch was not committed, or not to where it would be found.
enum Failed {
    Error(StoreError),
    Mishap(Mishap),
}

impl From<StoreError> for Failed {
    fn from(error: StoreError) -> Self {
        Self::Error(error)
    }
}

impl From<Mishap> for Failed {
    fn from(mishap: Mishap) -> Self {
        Self::Mishap(mishap)
    }
}

/// The thread's own.
pub(super) struct Writer {
    pub(super) place: Place,
    /// `None` after a fault that a connection cannot recover from.
    pub(super) opened: Option<Opened>,
    pub(super) clock: Clock,
    pub(super) monotonic: Clock,
    pub(super) on_step: Option<Step>,
    pub(super) news: watch::Sender<u64>,
    pub(super) readers: Readers,
    pub(super) health: Health,
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

    /// The connection last: the last one to be closed copies the log into the file.
    fn close(mut self) {
        self.readers.forget();
        let Some(opened) = &mut self.opened else { return };
        // The log that it would copy may not be whole, or the one that it would delete another's.
        let can_be_closed = opened
            .files
            .can_be_closed(&opened.connection)
            .map_err(|mishap| self.place.not_set_up(told(&mishap)));
        let may_copy = self
            .health
            .check()
            .and(can_be_closed)
            .and_then(|()| self.place.log_belongs(&opened.connection));
        if let Err(error) = may_copy {
            let _ = wal::keep_log(&opened.connection);
            tracing::error!(%error, "the log was not copied into the store's file");
            return;
        }
        // Closing does it as well, and does not say where it could not: of frames, those that whoever
        // still reads needs as they are stay in the log alone.
        let why = match wal::copy_log(&opened.connection, Checkpoint::Passive) {
            Ok(true) => return,
            Ok(false) => "another process reads it".to_string(),
            Err(error) => error.to_string(),
        };
        tracing::warn!(why, path = %self.place.path.display(), "the log could not be copied into the store's file: keep the file -wal beside it, it holds events");
    }

    fn serve(&mut self, batch: &mut Vec<Box<dyn Job>>) {
        batch.retain(|job| !job.is_abandoned());
        if batch.is_empty() {
            return;
        }
        let began = Instant::now();
        let committed = self.commit(batch).map_err(|failed| self.recover(failed));
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
        self.copy_log();
        if committed == Ok(true) {
            self.news.send_modify(|count| *count = count.wrapping_add(1));
        }
    }

    /// Runs a batch in one transaction; says whether there is more to lease. Whatever
    /// fails in here, nobody is told that something was kept.
    fn commit(&mut self, jobs: &mut [Box<dyn Job>]) -> Result<bool, Failed> {
        self.health.check()?;
        self.reopen()?;
        let place = &self.place;
        let Some(Opened { connection, files, age, .. }) = &mut self.opened else {
            return Err(self.unavailable("it is not open").into());
        };
        files.can_be_read()?;
        let before: i64 = connection
            .prepare_cached(schema::LATEST)
            .and_then(|mut latest| latest.query_row([], |row| row.get(0)))
            .map_err(place.fault("beginning a transaction"))?;
        files.check(connection)?;
        let execute = |sql, doing| {
            connection
                .prepare_cached(sql)
                .and_then(|mut statement| statement.execute([]))
                .map(drop)
                .map_err(place.fault(doing))
        };
        let batch = Batch {
            connection,
            now_ms: (self.clock)(),
            place,
            on_step: self.on_step.as_ref(),
            takeable: Cell::new(false),
            age: RefCell::new(age),
        };
        batch.step("begin");
        execute("BEGIN IMMEDIATE", "beginning a transaction")?;
        let unchanged = connection.total_changes();
        for job in jobs.iter_mut() {
            job.run(&batch)?;
        }
        if connection.total_changes() != unchanged {
            connection
                .prepare_cached(schema::LEAVE_TRACE)
                .and_then(|mut trace| trace.execute((files.is_copied(), before)))
                .map_err(place.fault("leaving a trace"))?;
        }
        batch.step("before-commit");
        if jobs.iter().any(|job| job.must_be_heard() && job.is_abandoned()) {
            return Err(self.unavailable("who asked did not wait").into());
        }
        execute("COMMIT", "committing")?;
        batch.step("after-commit");
        // A commit to a file that nobody will find again is not kept.
        files.check(connection)?;
        // Nor to one in which damage was found meanwhile.
        self.health.check()?;
        Ok(batch.takeable.get())
    }

    /// Copies the log into the file when it has become long: only when all of it is right,
    /// for what is copied is not looked at again.
    fn copy_log(&mut self) {
        let Some(Opened { connection, files, copy_at, .. }) = &mut self.opened else { return };
        if files.frames() < *copy_at || self.health.check().is_err() {
            *copy_at = (*copy_at).min(files.frames().saturating_add(COPIED_EVERY.into()));
            return;
        }
        if let Err(mishap) = files.is_whole(connection) {
            self.recover(mishap.into());
            return;
        }
        if self.health.check_log_belongs(&self.place, connection).is_err() {
            return;
        }
        // Whoever still reads keeps some of it from being copied: later, then.
        let copied = connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(()));
        if let Err(error) = copied {
            tracing::warn!(%error, "the log could not be copied into the store file; it is tried again");
        }
        *copy_at = files.frames().saturating_add(COPIED_EVERY.into());
    }

    fn reopen(&mut self) -> Result<(), StoreError> {
        if self.opened.is_none() {
            let connection = self.place.writer(false)?;
            self.opened = Some(Opened::new(&self.place, connection, &self.monotonic)?);
        }
        Ok(())
    }

    /// After a failed batch: back to no transaction, or to no connection. Returns what
    /// those who waited are told.
    fn recover(&mut self, failed: Failed) -> StoreError {
        let Some(Opened { connection, files, .. }) = &mut self.opened else {
            return match failed {
                Failed::Error(error) => error,
                Failed::Mishap(mishap) => self.place.not_set_up(told(&mishap)),
            };
        };
        if !connection.is_autocommit() {
            // SQLite has rolled back by itself where it had to.
            let _ = connection.execute_batch("ROLLBACK");
        }
        let stuck = !connection.is_autocommit();
        let (error, closes) = match failed {
            Failed::Error(error) => {
                self.health.note(&error);
                // A file that is no database any more, or is elsewhere.
                let moved = matches!(files.check(connection), Err(Mishap::Moved));
                (error, stuck || moved)
            }
            Failed::Mishap(mishap) => {
                let error = self.place.not_set_up(told(&mishap));
                let closes = match mishap {
                    Mishap::Moved => true,
                    Mishap::LogMoved(_) => files.holds_its_log(connection) && emptied(connection),
                    Mishap::IndexCut => {
                        // The log is whole, and what is closed now must not use the index.
                        let _ = wal::keep_log(connection);
                        true
                    }
                    Mishap::Cut(_) => {
                        self.place.keep_damaged_log();
                        let _ = wal::keep_log(connection);
                        self.health.give_up(&error);
                        false
                    }
                    Mishap::Linked | Mishap::Unknown(_) => false,
                };
                (error, stuck || closes)
            }
        };
        if closes {
            self.readers.forget();
            self.opened = None;
        }
        error
    }

    fn unavailable(&self, detail: &str) -> StoreError {
        StoreError::Unavailable { store: self.place.name(), detail: detail.into() }
    }
}

/// Says what has happened, and what follows here, or is to be done.
fn told(mishap: &Mishap) -> String {
    let then = match mishap {
        Mishap::Moved => "; put it back",
        Mishap::LogMoved(_) => "; what it held is saved as soon as nobody reads",
        Mishap::IndexCut => "; it is made anew",
        Mishap::Cut(_) => {
            ", and may lack what was acknowledged; stop, and restore it from a copy, with its -wal and -shm removed"
        }
        Mishap::Linked | Mishap::Unknown(_) => "",
    };
    format!("{mishap}{then}")
}

/// Copies the whole log into the file and empties it; false where somebody still reads.
fn emptied(connection: &Connection) -> bool {
    let busy =
        connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get::<_, i64>(0));
    busy == Ok(0)
}
