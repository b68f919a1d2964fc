//! The thread that writes: it commits everything that waits in one transaction, and answers when that transaction is
//! on the disk. What a request writes is the request's.
//!
//! It answers only if the files are still those that were opened ([`files`]). While one is removed or replaced, each
//! request fails; the file can be put back.

use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::Instant;

use rusqlite::Connection;
use tokio::sync::{mpsc, oneshot};

use super::files::{self, OpenFiles};
use super::place::{FileError, Kind, Opened, Place};

/// Requests that wait for the writer; beyond it, callers wait to be let in.
const QUEUE: usize = 1024;

/// The most requests in one transaction: more of them gain little, and all wait for it.
const BATCH: usize = 1024;

/// Called on the writer's thread with the name of the boundary that it is at: `begin` before a transaction,
/// `before-commit`, `after-commit` before any request is answered, `answered`.
pub type Step = Arc<dyn Fn(&'static str) + Send + Sync>;

/// The transaction that a request works in.
pub struct Batch<'a, K: Kind> {
    /// The connection.
    pub connection: &'a Connection,
    /// The file.
    pub place: &'a Place<K>,
    /// The writer's state.
    pub state: &'a K::State,
    /// Called at boundaries within the batch.
    pub on_step: Option<&'a Step>,
}

/// Effect of a request on its transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// It only reads.
    Read,
    /// It writes.
    Write,
    /// It writes, and its work is worthless, and keeps others from it, unless its result is received.
    WriteIfHeard,
}

/// A request in the queue.
#[expect(missing_debug_implementations, reason = "a function")]
pub struct Job<K: Kind> {
    run: Run<K>,
    caller: Caller<K>,
}

/// The way to the writer.
pub type Jobs<K> = mpsc::Sender<Job<K>>;

/// Runs a request and keeps its result. After an error, nothing of its batch is committed.
type Run<K> = Box<dyn FnOnce(&Batch<'_, K>) -> Result<(), <K as Kind>::Error> + Send>;

/// The caller of a request, who is told whether its batch was committed.
struct Caller<K: Kind> {
    mode: Mode,
    reply: oneshot::Sender<Result<(), K::Error>>,
}

/// Does `work` in the writer's next transaction. Returns its result once that is on the disk, or `None` if the
/// writer has ended.
pub async fn ask<K: Kind, T: Send + 'static>(
    jobs: &Jobs<K>,
    mode: Mode,
    work: impl FnOnce(&Batch<'_, K>) -> Result<T, K::Error> + Send + 'static,
) -> Option<Result<T, K::Error>> {
    let (worked, result) = oneshot::channel();
    let run: Run<K> = Box::new(move |batch| match work(batch) {
        Err(error) if K::spoils_batch(&error) => Err(error),
        result => {
            let _ = worked.send(result);
            Ok(())
        }
    });
    let (reply, committed) = oneshot::channel();
    jobs.send(Job { run, caller: Caller { mode, reply } }).await.ok()?;
    match committed.await.ok()? {
        Ok(()) => result.await.ok(),
        Err(error) => Some(Err(error)),
    }
}

/// State of the thread that writes to a file.
#[expect(missing_debug_implementations, reason = "a function")]
pub struct Writer<K: Kind> {
    place: Place<K>,
    state: K::State,
    /// `None` after a fault that a connection cannot recover from.
    opened: Option<Opened>,
    /// The files that were opened first. Another database file lacks what this process acknowledged.
    first: OpenFiles,
    open: Open<K>,
    on_step: Option<Step>,
}

/// Opens a file.
pub type Open<K> = fn(&Place<K>) -> Result<Opened, <K as Kind>::Error>;

impl<K: Kind> Writer<K> {
    /// Returns the writer of an open file; `open` opens it again after a fault.
    pub fn new(
        place: Place<K>,
        state: K::State,
        opened: Opened,
        open: Open<K>,
        on_step: Option<Step>,
    ) -> Self {
        Self { place, state, first: opened.files.clone(), opened: Some(opened), open, on_step }
    }

    /// Starts the thread. It ends, and closes its connection, when the last sender is dropped and the queue is empty.
    ///
    /// # Errors
    /// Returns the error of the system.
    pub fn start(mut self, name: &str) -> Result<(Jobs<K>, JoinHandle<()>), K::Error> {
        let (jobs, mut queue) = mpsc::channel(QUEUE);
        let place = self.place.clone();
        let run = move || {
            let mut batch = Vec::new();
            while queue.blocking_recv_many(&mut batch, BATCH) > 0 {
                self.serve(&mut batch);
            }
            self.close();
        };
        match thread::Builder::new().name(name.into()).spawn(run) {
            Ok(thread) => Ok((jobs, thread)),
            Err(error) => Err(place.unavailable(format!("no thread for it: {error}"))),
        }
    }

    fn serve(&mut self, batch: &mut Vec<Job<K>>) {
        batch.retain(|job| !job.caller.reply.is_closed());
        if batch.is_empty() {
            return;
        }
        let began = Instant::now();
        let (runs, callers): (Vec<_>, Vec<_>) =
            batch.drain(..).map(|job| (job.run, job.caller)).unzip();
        let committed = self.commit(runs, &callers);
        K::done(&mut self.state, callers.len(), began.elapsed(), committed.as_ref().copied());
        if committed.is_err() {
            self.recover();
        }
        let committed = committed.map(drop);
        for caller in callers {
            let _ = caller.reply.send(committed.clone());
        }
        self.step("answered");
        if let Some(opened) = &self.opened {
            K::answered(&mut self.state, &opened.connection);
        }
    }

    /// Runs a batch in one transaction. Returns true if it wrote. After any error, no request is acknowledged.
    fn commit(&mut self, runs: Vec<Run<K>>, callers: &[Caller<K>]) -> Result<bool, K::Error> {
        self.reopen()?;
        K::begin(&mut self.state);
        let Self { place, state, .. } = &*self;
        let Some(Opened { connection, files, .. }) = &self.opened else {
            return Err(place.unavailable("it is not open"));
        };
        self.step("begin");
        match callers.iter().any(|caller| caller.mode != Mode::Read) {
            true => files::begin(connection, place.busy),
            false => connection.execute_batch("BEGIN"),
        }
        .map_err(place.fault("beginning a transaction"))?;
        let unchanged = connection.total_changes();
        let batch = Batch { connection, place, state, on_step: self.on_step.as_ref() };
        runs.into_iter().try_for_each(|run| run(&batch))?;
        self.step("before-commit");
        let is_unheard =
            |caller: &Caller<K>| caller.mode == Mode::WriteIfHeard && caller.reply.is_closed();
        if callers.iter().any(is_unheard) {
            return Err(place.unavailable("who asked did not wait"));
        }
        connection
            .prepare_cached("COMMIT")
            .and_then(|mut commit| commit.execute([]))
            .map_err(place.fault("committing"))?;
        self.step("after-commit");
        // SQLite commits to, and reads from, files that were removed.
        files.check().map_err(|detail| place.error(FileError::Replaced(detail)))?;
        Ok(connection.total_changes() != unchanged)
    }

    /// Opens the file again after a fault, and checks the files before anything is written.
    fn reopen(&mut self) -> Result<(), K::Error> {
        let replaced = |detail| self.place.not_set_up(detail);
        let opened = match self.opened.take() {
            Some(opened) => opened,
            None => {
                // Before it is opened: an empty file would be filled.
                self.first.check_database().map_err(replaced)?;
                let opened = (self.open)(&self.place)?;
                self.first.check_database().map_err(replaced)?;
                opened
            }
        };
        self.opened.insert(opened).files.check().map_err(replaced)
    }

    /// After a failed batch: rolls it back, or closes the connection.
    fn recover(&mut self) {
        let Some(Opened { connection, .. }) = &self.opened else { return };
        if !connection.is_autocommit() {
            // SQLite rolls back by itself after some errors.
            let _ = connection.execute_batch("ROLLBACK");
        }
        if !connection.is_autocommit() {
            self.close();
        }
    }

    fn close(&mut self) {
        let files = self.opened.as_ref().map_or(Ok(()), |opened| opened.files.check());
        K::closing(&mut self.state, files);
        self.opened = None;
    }

    fn step(&self, name: &'static str) {
        if let Some(on_step) = &self.on_step {
            on_step(name);
        }
    }
}
