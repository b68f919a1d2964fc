//! The thread that uses the file: it carries everything that waits out in one transaction, and
//! answers once that has reached the disk.

use std::thread;

use rusqlite::{Connection, OptionalExtension};
use tokio::sync::{mpsc, oneshot};

use crate::error::JournalError;
use crate::file::{Opened, Place};
use crate::{Page, Step, Swapped};

/// The most requests in one transaction: more of them gain little, and all wait for it.
const BATCH: usize = 256;

type Reply<T> = oneshot::Sender<Result<T, JournalError>>;

/// A request in the queue.
pub struct Request(pub Job);

/// The work, and where its answer goes.
pub enum Job {
    Get { key: String, reply: Reply<Option<String>> },
    Swap { key: String, expected: Option<String>, new: String, reply: Reply<Swapped> },
    List { after: String, most: u32, reply: Reply<Page> },
}

/// An answer that waits for the commit.
type Answer = Box<dyn FnOnce(Result<(), JournalError>) + Send>;

/// The thread's own.
pub struct Writer {
    place: Place,
    /// `None` after a fault that a connection cannot recover from.
    opened: Option<Opened>,
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
        Self { place, opened: Some(opened), open, on_step }
    }

    /// Starts the thread. It ends when the last sender is dropped.
    pub fn start(mut self, mut queue: mpsc::Receiver<Request>) -> Result<(), JournalError> {
        let path = self.place.path.clone();
        let run = move || {
            let mut batch = Vec::new();
            while let Some(Request(first)) = queue.blocking_recv() {
                batch.push(first);
                while batch.len() < BATCH {
                    let Ok(Request(next)) = queue.try_recv() else { break };
                    batch.push(next);
                }
                self.serve(std::mem::take(&mut batch));
            }
        };
        thread::Builder::new().name("journal".into()).spawn(run).map(drop).map_err(|error| {
            JournalError::Unavailable { path, detail: format!("no thread for it: {error}") }
        })
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
        let begin = if writes { "BEGIN IMMEDIATE" } else { "BEGIN" };
        let mut done = connection.execute_batch(begin).map_err(&fault);
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
        // A commit to a file that nobody will find again is not kept.
        match &self.opened {
            Some(opened) if opened.is_there(&self.place) => Ok(()),
            _ => Err(JournalError::Unavailable {
                path: self.place.path.clone(),
                detail: "another file, or none, is in its place; put it back".into(),
            }),
        }
    }

    fn reopen(&mut self) -> Result<(), JournalError> {
        if self.opened.as_ref().is_none_or(|opened| !opened.is_there(&self.place)) {
            self.opened = None;
            self.opened = Some((self.open)(&self.place)?);
        }
        Ok(())
    }

    /// After a failed transaction: back to none, or to no connection.
    fn recover(&mut self) {
        let Some(Opened { connection, .. }) = &self.opened else { return };
        if !connection.is_autocommit() {
            // SQLite has rolled back by itself where it had to.
            let _ = connection.execute_batch("ROLLBACK");
        }
        if !connection.is_autocommit() {
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
        Job::List { after, most, reply } => finish(list(connection, &after, most), reply, answers),
    }
}

fn finish<T: Send + 'static>(
    result: rusqlite::Result<T>,
    reply: Reply<T>,
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

fn refused<T: Send + 'static>(reply: Reply<T>) -> Answer {
    Box::new(move |done| {
        if let Err(error) = done {
            let _ = reply.send(Err(error));
        }
    })
}

fn get(connection: &Connection, key: &str) -> rusqlite::Result<Option<String>> {
    let mut statement = connection.prepare_cached("SELECT text FROM journal WHERE key = ?1")?;
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
        INSERT INTO journal (key, text) VALUES (?1, ?2)
        ON CONFLICT (key) DO UPDATE SET text = excluded.text";
    connection.prepare_cached(sql)?.execute((key, new))?;
    Ok(Swapped::Swapped)
}

fn list(connection: &Connection, after: &str, most: u32) -> rusqlite::Result<Page> {
    let sql = "SELECT key, text FROM journal WHERE key > ?1 ORDER BY key LIMIT ?2";
    let mut statement = connection.prepare_cached(sql)?;
    let rows = statement.query_map((after, most), |row| Ok((row.get(0)?, row.get(1)?)))?;
    let items: Vec<(String, String)> = rows.collect::<Result<_, _>>()?;
    let full = items.len() >= usize::try_from(most).unwrap_or(usize::MAX);
    let next = items.last().filter(|_| full).map(|(key, _)| key.clone());
    Ok(Page { items, next })
}
