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

type Sender<T> = oneshot::Sender<Result<T, JournalError>>;

/// The work, and where its answer goes.
enum Job {
    Get { key: String, reply: Sender<Option<String>> },
    Swap { key: String, expected: Option<String>, new: String, reply: Sender<Swapped> },
    List { after: String, reply: Sender<Page> },
}

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
    async fn ask<T>(&self, job: impl FnOnce(Sender<T>) -> Job) -> Result<T, JournalError> {
        let (reply, answer) = oneshot::channel();
        let jobs = lock(&self.jobs).clone().ok_or_else(|| self.gone("it is closed"))?;
        let ended = || self.gone("its thread has ended");
        jobs.send(job(reply)).await.map_err(|_| ended())?;
        drop(jobs);
        answer.await.map_err(|_| self.gone("its thread gave no answer"))?
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
        Box::pin(self.ask(|reply| Job::Get { key, reply }))
    }

    fn swap(&self, key: String, expected: Option<String>, new: String) -> Reply<'_, Swapped> {
        Box::pin(self.ask(|reply| Job::Swap { key, expected, new, reply }))
    }

    fn list(&self, after: String) -> Reply<'_, Page> {
        Box::pin(self.ask(|reply| Job::List { after, reply }))
    }

    fn close(&self) {
        self.end();
    }
}

/// An answer that waits for the commit.
type Answer = Box<dyn FnOnce(Result<(), JournalError>) + Send>;

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
        let writes = batch.iter().any(|job| matches!(job, Job::Swap { .. }));
        let mut answers = Vec::new();
        let done = self.commit(batch, writes, &mut answers);
        if let Err(error) = &done {
            tracing::warn!(%error, requests = answers.len(), "the journal did not take a commit");
            self.recover();
        }
        for answer in answers {
            answer(done.clone());
        }
    }

    fn commit(
        &mut self,
        batch: Vec<Job>,
        writes: bool,
        answers: &mut Vec<Answer>,
    ) -> Result<(), JournalError> {
        if let Err(error) = self.reopen() {
            answers.extend(batch.into_iter().map(refuse));
            return Err(error);
        }
        let Some(Opened { connection, .. }) = &self.opened else { return Ok(()) };
        let fault = self.place.fault("a transaction");
        self.step("begin");
        let begun = match writes {
            true => files::begin(connection, self.place.busy),
            false => connection.execute_batch("BEGIN"),
        };
        let mut done = begun.map_err(&fault);
        for job in batch {
            match &done {
                Ok(()) => done = run(connection, job, answers).map_err(&fault),
                Err(_) => answers.push(refuse(job)),
            }
        }
        done?;
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

/// Carries a request out within the transaction. Whatever comes of it, its answer waits.
fn run(connection: &Connection, job: Job, answers: &mut Vec<Answer>) -> rusqlite::Result<()> {
    match job {
        Job::Get { key, reply } => finish(get(connection, &key), reply, answers),
        Job::Swap { key, expected, new, reply } => {
            finish(swap(connection, &key, expected, &new), reply, answers)
        }
        Job::List { after, reply } => finish(list(connection, &after), reply, answers),
    }
}

fn finish<T: Send + 'static>(
    result: rusqlite::Result<T>,
    reply: Sender<T>,
    answers: &mut Vec<Answer>,
) -> rusqlite::Result<()> {
    match result {
        Ok(value) => {
            answers.push(Box::new(move |done| drop(reply.send(done.map(|()| value)))));
            Ok(())
        }
        Err(error) => {
            answers.push(refused(reply));
            Err(error)
        }
    }
}

/// The answer to what was not come to: the error of the transaction.
fn refuse(job: Job) -> Answer {
    match job {
        Job::Get { reply, .. } => refused(reply),
        Job::Swap { reply, .. } => refused(reply),
        Job::List { reply, .. } => refused(reply),
    }
}

fn refused<T: Send + 'static>(reply: Sender<T>) -> Answer {
    Box::new(move |done| {
        if let Err(error) = done {
            let _ = reply.send(Err(error));
        }
    })
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
