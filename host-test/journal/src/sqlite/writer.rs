//! The writer thread. It commits all waiting requests in one transaction, and replies when that
//! transaction is durable. The requests contain the statements.
//!
//! The thread reports success only if the paths still lead to the files that it opened ([`files`]).
//! If a file is removed or replaced, each request fails until the file is put back.

use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::Instant;

use rusqlite::Connection;
use tokio::sync::{mpsc, oneshot};

use super::files::{self, OpenFiles};
use super::location::{FileError, Kind, Location, Opened};

/// Maximum number of queued requests. Further callers wait.
const QUEUE: usize = 1024;

/// Maximum number of requests in one transaction. A larger batch gains little and delays every
/// reply.
const BATCH: usize = 1024;

/// A function that the writer thread calls with the name of each step: `begin` before a
/// transaction, `before-commit` and `after-commit` around its commit, and `answered` after the
/// replies.
pub type Step = Arc<dyn Fn(&'static str) + Send + Sync>;

/// The context of a request in its transaction.
pub struct Batch<'a, K: Kind> {
    /// Connection with the open transaction.
    pub connection: &'a Connection,
    /// Location of the file.
    pub location: &'a Location<K>,
    /// The writer's state.
    pub state: &'a K::State,
    /// Called with the name of each step inside a request, for example `insert`.
    pub on_step: Option<&'a Step>,
}

/// The effect of a request on its transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// The request only reads.
    Read,
    /// The request writes.
    Write,
    /// The request writes, but must be rolled back if its result is not received.
    WriteIfHeard,
}

/// A request in the queue.
#[expect(missing_debug_implementations, reason = "a function")]
pub struct Job<K: Kind> {
    run: Run<K>,
    caller: Caller<K>,
}

/// The queue of the writer.
pub type Jobs<K> = mpsc::Sender<Job<K>>;

/// The work of a request. Stores its result for the caller. After an error, the batch is not
/// committed.
type Run<K> = Box<dyn FnOnce(&Batch<'_, K>) -> Result<(), <K as Kind>::Error> + Send>;

/// The caller of a request. It learns whether the batch was committed.
struct Caller<K: Kind> {
    mode: Mode,
    reply: oneshot::Sender<Result<(), K::Error>>,
}

/// Runs `work` in the writer's next transaction. Returns its result after the commit is durable;
/// `None` if the writer has ended.
pub async fn ask<K: Kind, T: Send + 'static>(
    jobs: &Jobs<K>,
    mode: Mode,
    work: impl FnOnce(&Batch<'_, K>) -> Result<T, K::Error> + Send + 'static,
) -> Option<Result<T, K::Error>> {
    let (worked, result) = oneshot::channel();
    let run: Run<K> = Box::new(move |batch| match work(batch) {
        Err(error) if K::fails_batch(&error) => Err(error),
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

/// A committed batch.
struct Committed {
    /// True if the batch changed the file.
    wrote: bool,
    /// True if the requests of [`Mode::WriteIfHeard`] were rolled back, because one of their
    /// callers has gone.
    unheard: bool,
}

/// The state of the writer thread.
#[expect(missing_debug_implementations, reason = "a function")]
pub struct Writer<K: Kind> {
    location: Location<K>,
    state: K::State,
    /// Open file; `None` after a fault that a connection cannot recover from.
    opened: Option<Opened>,
    /// Files that the writer opened first. After a fault, another database file at this path is
    /// rejected, because it lacks acknowledged changes.
    first: OpenFiles,
    open: Open<K>,
    on_step: Option<Step>,
}

/// A function that opens a file.
pub type Open<K> = fn(&Location<K>) -> Result<Opened, <K as Kind>::Error>;

impl<K: Kind> Writer<K> {
    /// Creates the writer of an open file. `open` opens the file again after a fault.
    pub fn new(
        location: Location<K>,
        state: K::State,
        opened: Opened,
        open: Open<K>,
        on_step: Option<Step>,
    ) -> Self {
        Self { location, state, first: opened.files.clone(), opened: Some(opened), open, on_step }
    }

    /// Starts the thread. It ends, and closes its connection, when all senders are dropped and the
    /// queue is empty.
    ///
    /// # Errors
    /// Returns an error if the system cannot start a thread.
    pub fn start(mut self, name: &str) -> Result<(Jobs<K>, JoinHandle<()>), K::Error> {
        let (jobs, mut queue) = mpsc::channel(QUEUE);
        let location = self.location.clone();
        let run = move || {
            let mut batch = Vec::new();
            while queue.blocking_recv_many(&mut batch, BATCH) > 0 {
                self.serve(&mut batch);
            }
            self.close();
        };
        match thread::Builder::new().name(name.into()).spawn(run) {
            Ok(thread) => Ok((jobs, thread)),
            Err(error) => Err(location.unavailable(format!("cannot start its thread: {error}"))),
        }
    }

    fn serve(&mut self, batch: &mut Vec<Job<K>>) {
        batch.retain(|job| !job.caller.reply.is_closed());
        if batch.is_empty() {
            return;
        }
        let began = Instant::now();
        // Puts the requests of `Mode::WriteIfHeard` last, because they are rolled back together.
        batch.sort_by_key(|job| job.caller.mode == Mode::WriteIfHeard);
        let (runs, callers): (Vec<_>, Vec<_>) =
            batch.drain(..).map(|job| (job.run, job.caller)).unzip();
        let committed = self.commit(runs, &callers);
        let wrote = committed.as_ref().map(|committed| committed.wrote);
        K::done(&mut self.state, callers.len(), began.elapsed(), wrote);
        if committed.is_err() {
            self.recover();
        }
        for caller in callers {
            let _ = caller.reply.send(match &committed {
                Ok(Committed { unheard: true, .. }) if caller.mode == Mode::WriteIfHeard => {
                    Err(self.location.unavailable(
                        "this request was rolled back, because another request in the same transaction was abandoned",
                    ))
                }
                committed => committed.as_ref().map(drop).map_err(K::Error::clone),
            });
        }
        self.step("answered");
        if let Some(opened) = &self.opened {
            K::answered(&mut self.state, &opened.connection);
        }
    }

    /// Runs a batch in one transaction. After any error, no request is acknowledged.
    fn commit(&mut self, runs: Vec<Run<K>>, callers: &[Caller<K>]) -> Result<Committed, K::Error> {
        self.reopen()?;
        let Some(Opened { connection, files, .. }) = &self.opened else {
            return Err(self.location.unavailable("it is not open"));
        };
        self.step("begin");
        match callers.iter().any(|caller| caller.mode != Mode::Read) {
            true => files::begin(connection, self.location.busy),
            false => connection.execute_batch("BEGIN"),
        }
        .map_err(self.location.fault("beginning a transaction"))?;
        // Calls `begin` after the wait for other writers, because `begin` reads the clock.
        K::begin(&mut self.state);
        let Self { location, state, .. } = &*self;
        let mut unchanged = connection.total_changes();
        let batch = Batch { connection, location, state, on_step: self.on_step.as_ref() };
        let conditional =
            callers.iter().take_while(|caller| caller.mode != Mode::WriteIfHeard).count();
        let savepoint =
            |sql| connection.execute_batch(sql).map_err(location.fault("setting a savepoint"));
        let mut wrote = false;
        // For each request of `Mode::WriteIfHeard`: true if the request changed the file.
        let mut changed = Vec::new();
        for (number, run) in runs.into_iter().enumerate() {
            if number == conditional {
                savepoint("SAVEPOINT conditional")?;
                wrote = connection.total_changes() != unchanged;
                unchanged = connection.total_changes();
            }
            let before = connection.total_changes();
            run(&batch)?;
            if number >= conditional {
                changed.push(connection.total_changes() != before);
            }
        }
        self.step("before-commit");
        let mut may_be_unheard = callers.iter().skip(conditional).zip(changed);
        let unheard = may_be_unheard.any(|(caller, changed)| changed && caller.reply.is_closed());
        if unheard {
            savepoint("ROLLBACK TO conditional")?;
        } else {
            wrote |= connection.total_changes() != unchanged;
        }
        connection
            .prepare_cached("COMMIT")
            .and_then(|mut commit| commit.execute([]))
            .map_err(location.fault("committing"))?;
        self.step("after-commit");
        // SQLite also commits to removed files, and reads from them.
        files.check().map_err(|detail| location.error(FileError::Replaced(detail)))?;
        Ok(Committed { wrote, unheard })
    }

    /// Opens the file again after a fault, and checks the files before anything is written.
    fn reopen(&mut self) -> Result<(), K::Error> {
        let replaced = |detail| self.location.not_set_up(detail);
        let opened = match self.opened.take() {
            Some(opened) => opened,
            None => {
                // Checked before the open, because the open would fill an empty file.
                self.first.check_database().map_err(replaced)?;
                let opened = (self.open)(&self.location)?;
                self.first.check_database().map_err(replaced)?;
                opened
            }
        };
        self.opened.insert(opened).files.check().map_err(replaced)
    }

    /// Rolls back a failed batch. Closes the connection if the rollback fails.
    fn recover(&mut self) {
        let Some(Opened { connection, .. }) = &self.opened else { return };
        if !connection.is_autocommit() {
            // Ignores errors, because SQLite has already rolled back after some errors.
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
