//! The thread that uses the file: it carries everything that waits out in one transaction, and
//! answers once that has reached the disk.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};

use rusqlite::{Connection, OptionalExtension};
use tokio::sync::{mpsc, oneshot};

use crate::backend::{Backend, Reply};
use crate::error::JournalError;
use crate::file::{Opened, Place};
use crate::sqlite_files::{self as files, OpenFiles};
use crate::{PAGE_KEYS, Page, Step, Swapped};

/// Requests that wait for the writer; beyond it, callers wait to be let in.
const QUEUE: usize = 1024;

/// The most requests in one transaction: more of them gain little, and all wait for it.
const BATCH: usize = 256;

/// A request.
struct Job {
    /// Whether it may write.
    writes: bool,
    run: Run,
}

/// Works in the transaction, unless there is none; returns its answer, which waits for the commit.
type Run = Box<dyn FnOnce(Option<&Connection>) -> (rusqlite::Result<()>, Answer) + Send>;

/// An answer that waits for the commit.
type Answer = Box<dyn FnOnce(Result<(), JournalError>) + Send>;

/// The way to the thread. Closed or dropped, it waits until the thread has closed the file: what a
/// process leaves behind when it ends is a file, and no log that has to be kept beside it.
pub struct Queue {
    jobs: Mutex<Option<mpsc::Sender<Job>>>,
    thread: Mutex<Option<JoinHandle<()>>>,
    name: String,
}

impl Drop for Queue {
    fn drop(&mut self) {
        self.end();
    }
}

impl Queue {
    fn ask<T: Send + 'static>(
        &self,
        writes: bool,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Reply<'_, T> {
        let (reply, answer) = oneshot::channel();
        let run: Run = Box::new(move |connection| {
            let (worked, value) = match connection.map(work).transpose() {
                Ok(value) => (Ok(()), value),
                Err(error) => (Err(error), None),
            };
            // Without a value, the transaction has failed.
            let tell = move |done: Result<(), JournalError>| {
                if let Some(answer) = done.map(|()| value).transpose() {
                    let _ = reply.send(answer);
                }
            };
            (worked, Box::new(tell))
        });
        Box::pin(async move {
            let jobs = lock(&self.jobs).clone().ok_or_else(|| self.gone("it is closed"))?;
            let ended = || self.gone("its thread has ended");
            jobs.send(Job { writes, run }).await.map_err(|_| ended())?;
            drop(jobs);
            answer.await.map_err(|_| self.gone("its thread gave no answer"))?
        })
    }

    /// Takes no more, and waits for the end of the thread.
    fn end(&self) {
        *lock(&self.jobs) = None;
        // Held, so that whoever else ends it waits as well.
        if let Some(thread) = lock(&self.thread).take() {
            // One that panicked has closed it as well.
            let _ = thread.join();
        }
    }

    fn gone(&self, detail: &str) -> JournalError {
        JournalError::Unavailable { journal: self.name.clone(), detail: detail.into() }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Backend for Queue {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn get(&self, key: String) -> Reply<'_, Option<String>> {
        self.ask(false, move |connection| get(connection, &key))
    }

    fn swap(&self, key: String, expected: Option<String>, new: String) -> Reply<'_, Swapped> {
        self.ask(true, move |connection| swap(connection, &key, expected, &new))
    }

    fn list(&self, after: String) -> Reply<'_, Page> {
        self.ask(false, move |connection| list(connection, &after))
    }

    fn close(&self) {
        self.end();
    }
}

/// The thread's own.
pub struct Writer {
    place: Place,
    /// `None` after a fault that a connection cannot recover from.
    opened: Option<Opened>,
    /// The files that were opened first. Another database file may lack what this process has recorded.
    first: OpenFiles,
    /// How it is opened anew.
    open: fn(&Place) -> Result<Opened, JournalError>,
    on_step: Option<Step>,
}

impl Writer {
    pub fn new(
        place: Place,
        opened: Opened,
        open: fn(&Place) -> Result<Opened, JournalError>,
        on_step: Option<Step>,
    ) -> Self {
        Self { place, first: opened.files.clone(), opened: Some(opened), open, on_step }
    }

    /// Starts the thread.
    pub fn start(mut self) -> Result<Queue, JournalError> {
        let (jobs, mut queue) = mpsc::channel(QUEUE);
        let name = self.place.name();
        let run = move || {
            let mut batch = Vec::new();
            while let Some(first) = queue.blocking_recv() {
                batch.push(first);
                while batch.len() < BATCH {
                    let Ok(next) = queue.try_recv() else { break };
                    batch.push(next);
                }
                self.serve(std::mem::take(&mut batch));
            }
        };
        let thread = thread::Builder::new().name("journal".into()).spawn(run);
        let thread = thread.map_err(|error| {
            let detail = format!("no thread for it: {error}");
            JournalError::Unavailable { journal: name.clone(), detail }
        })?;
        Ok(Queue { jobs: Mutex::new(Some(jobs)), thread: Mutex::new(Some(thread)), name })
    }

    fn serve(&mut self, batch: Vec<Job>) {
        let mut answers = Vec::new();
        let done = self.commit(batch, &mut answers);
        if let Err(error) = &done {
            tracing::warn!(%error, requests = answers.len(), "the journal did not take a commit");
            self.recover();
        }
        for answer in answers {
            answer(done.clone());
        }
    }

    fn commit(&mut self, batch: Vec<Job>, answers: &mut Vec<Answer>) -> Result<(), JournalError> {
        if let Err(error) = self.reopen() {
            answers.extend(batch.into_iter().map(|job| (job.run)(None).1));
            return Err(error);
        }
        let Some(Opened { connection, .. }) = &self.opened else { return Ok(()) };
        let fault = self.place.fault("a transaction");
        self.step("begin");
        let mut done = match batch.iter().any(|job| job.writes) {
            true => files::begin(connection, self.place.busy),
            false => connection.execute_batch("BEGIN"),
        };
        for job in batch {
            let (worked, answer) = (job.run)(done.is_ok().then_some(connection));
            done = done.and(worked);
            answers.push(answer);
        }
        done.map_err(&fault)?;
        self.step("before-commit");
        connection.execute_batch("COMMIT").map_err(&fault)?;
        self.step("after-commit");
        // SQLite commits to, and reads from, files that were removed.
        let Some(opened) = &self.opened else { return Ok(()) };
        opened.files.check().map_err(|detail| self.place.unavailable(detail))
    }

    /// Opens the file again after a fault, and checks the files before anything is written.
    fn reopen(&mut self) -> Result<(), JournalError> {
        if self.opened.is_none() {
            // Before it is opened: an empty file would become a journal.
            self.first.check_database().map_err(|detail| self.place.not_set_up(detail))?;
            self.opened = Some((self.open)(&self.place)?);
            self.first.check_database().map_err(|detail| self.place.not_set_up(detail))?;
        }
        let Some(opened) = &self.opened else { return Ok(()) };
        opened.files.check().map_err(|detail| self.place.not_set_up(detail))
    }

    /// After a failed transaction: rolls it back, or closes the connection.
    fn recover(&mut self) {
        let Some(opened) = &self.opened else { return };
        if !opened.connection.is_autocommit() {
            // SQLite rolls back by itself after some errors.
            let _ = opened.connection.execute_batch("ROLLBACK");
        }
        if !opened.connection.is_autocommit() {
            self.opened = None;
        }
    }

    fn step(&self, name: &'static str) {
        if let Some(on_step) = &self.on_step {
            on_step(name);
        }
    }
}

fn get(connection: &Connection, key: &str) -> rusqlite::Result<Option<String>> {
    let mut statement = connection.prepare_cached("SELECT value FROM journal WHERE key = ?1")?;
    statement.query_row([key], |row| row.get(0)).optional()
}

fn swap(
    connection: &Connection,
    key: &str,
    expected: Option<String>,
    new: &str,
) -> rusqlite::Result<Swapped> {
    let found = get(connection, key)?;
    if found != expected {
        return Ok(Swapped::Stale(found));
    }
    let sql = "\
        INSERT INTO journal (key, value) VALUES (?1, ?2)
        ON CONFLICT (key) DO UPDATE SET value = excluded.value";
    connection.prepare_cached(sql)?.execute((key, new))?;
    Ok(Swapped::Swapped)
}

fn list(connection: &Connection, after: &str) -> rusqlite::Result<Page> {
    let sql = "SELECT key, value FROM journal WHERE key > ?1 ORDER BY key LIMIT ?2";
    let mut statement = connection.prepare_cached(sql)?;
    let rows = statement.query_map((after, PAGE_KEYS), |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(Page::of(rows.collect::<Result<_, _>>()?))
}
