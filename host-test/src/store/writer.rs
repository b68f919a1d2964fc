//! The thread that writes: it commits everything that waits in one transaction, and
//! answers once that has reached the disk. What a request writes is the request's.

use std::cell::Cell;
use std::path::Path;
use std::thread;

use rusqlite::Connection;
use tokio::sync::{mpsc, oneshot, watch};

use super::error::StoreError;
use super::read::Readers;
use super::schema::{self, Place};
use super::{Clock, Step};

/// The most requests in one transaction: more of them gain little, and all wait for it.
const BATCH: usize = 1024;

/// What a request writes through.
pub(super) struct Batch<'a> {
    pub(super) connection: &'a Connection,
    pub(super) now_ms: i64,
    place: &'a Place,
    on_step: Option<&'a Step>,
    takeable: Cell<bool>,
}

impl Batch<'_> {
    pub(super) fn fault(&self, doing: &'static str) -> impl Fn(rusqlite::Error) -> StoreError {
        self.place.fault(doing)
    }

    pub(super) fn path(&self) -> &Path {
        &self.place.path
    }

    pub(super) fn step(&self, name: &'static str) {
        if let Some(on_step) = self.on_step {
            on_step(name);
        }
    }

    /// Once committed, there is something more to take.
    pub(super) fn more_to_take(&self) {
        self.takeable.set(true);
    }
}

/// A request in the queue.
pub(super) trait Job: Send {
    /// Nobody waits for it any more: it need not be done.
    fn is_abandoned(&self) -> bool;
    /// Writes, and keeps the result. An error is one that spoils the batch.
    fn run(&mut self, batch: &Batch<'_>) -> Result<(), StoreError>;
    /// Tells the result, now that the batch is on the disk or is not.
    fn answer(self: Box<Self>, committed: &Result<(), StoreError>);
}

struct Request<T, F> {
    work: Option<F>,
    result: Option<Result<T, StoreError>>,
    reply: oneshot::Sender<Result<T, StoreError>>,
}

/// A request that does `work`, and where its result will come.
pub(super) fn request<T, F>(work: F) -> (Box<dyn Job>, oneshot::Receiver<Result<T, StoreError>>)
where
    T: Send + 'static,
    F: FnOnce(&Batch<'_>) -> Result<T, StoreError> + Send + 'static,
{
    let (reply, answer) = oneshot::channel();
    (Box::new(Request { work: Some(work), result: None, reply }), answer)
}

impl<T, F> Job for Request<T, F>
where
    T: Send,
    F: FnOnce(&Batch<'_>) -> Result<T, StoreError> + Send,
{
    fn is_abandoned(&self) -> bool {
        self.reply.is_closed()
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

/// The thread's own.
pub(super) struct Writer {
    pub(super) place: Place,
    /// `None` after a fault that a connection cannot recover from.
    pub(super) connection: Option<Connection>,
    pub(super) identity: Option<(u64, u64)>,
    pub(super) clock: Clock,
    pub(super) on_step: Option<Step>,
    pub(super) news: watch::Sender<u64>,
    pub(super) readers: Readers,
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
            drop(self);
            drop(ended);
        };
        thread::Builder::new().name("inbox-writer".into()).spawn(run).map(drop)
    }

    fn serve(&mut self, batch: &mut Vec<Box<dyn Job>>) {
        batch.retain(|job| !job.is_abandoned());
        if batch.is_empty() {
            return;
        }
        let committed = self.commit(batch);
        if let Err(error) = &committed {
            tracing::warn!(%error, requests = batch.len(), "nothing of a batch was committed");
            self.recover();
        }
        for job in batch.drain(..) {
            job.answer(&committed.as_ref().map(|_| ()).map_err(Clone::clone));
        }
        if let Some(on_step) = &self.on_step {
            on_step("answered");
        }
        if committed == Ok(true) {
            self.news.send_modify(|count| *count = count.wrapping_add(1));
        }
    }

    /// Runs a batch in one transaction; says whether there is more to take. Whatever
    /// fails in here, nobody is told that something was kept.
    fn commit(&mut self, jobs: &mut [Box<dyn Job>]) -> Result<bool, StoreError> {
        self.reopen()?;
        let place = &self.place;
        let connection = self.connection.as_ref().ok_or_else(|| StoreError::Unavailable {
            path: place.path.clone(),
            detail: "it is not open".into(),
        })?;
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
        };
        batch.step("begin");
        execute("BEGIN IMMEDIATE", "beginning a transaction")?;
        for job in jobs {
            job.run(&batch)?;
        }
        batch.step("before-commit");
        execute("COMMIT", "committing")?;
        batch.step("after-commit");
        // What was committed to a file that nobody will find again is not kept.
        if schema::identity(&place.path) != self.identity {
            return Err(StoreError::NotSetUp {
                path: place.path.clone(),
                detail: "the file was moved or removed while it was in use; put it back".into(),
            });
        }
        Ok(batch.takeable.get())
    }

    fn reopen(&mut self) -> Result<(), StoreError> {
        if self.connection.is_none() {
            self.connection = Some(self.place.writer(false)?);
            self.identity = schema::identity(&self.place.path);
        }
        Ok(())
    }

    /// After a failed batch: back to no transaction, or to no connection.
    fn recover(&mut self) {
        let Some(connection) = &self.connection else { return };
        if !connection.is_autocommit() {
            // SQLite has rolled back by itself where it had to.
            let _ = connection.execute_batch("ROLLBACK");
        }
        let moved = schema::identity(&self.place.path) != self.identity;
        if !connection.is_autocommit() || moved {
            self.connection = None;
            self.readers.forget();
        }
    }
}
