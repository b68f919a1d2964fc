//! A journal in a SQLite file: its table, its errors, and the requests to its writer.

use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use rusqlite::{Connection, OpenFlags, OptionalExtension};

use crate::backend::{Backend, Reply};
use crate::error::JournalError;
use crate::sqlite::files::OpenFiles;
use crate::sqlite::{
    Batch, FileError, Jobs, Kind, Location, Mode, Open, Opened, Step, Writer, ask,
};
use crate::{Options, PAGE_KEYS, Page, Swapped};

/// Maximum size in bytes of a file that is checked for damage when it is opened. The check of a
/// larger file takes too long.
const MAX_CHECKED_BYTES: u64 = 64 * 1024 * 1024;

/// The kind of file that holds a journal.
#[derive(Clone, Debug)]
pub struct Table;

impl Kind for Table {
    type Error = JournalError;
    type State = ();

    /// The characters `MSGJ`.
    const APPLICATION_ID: i64 = 0x4d53_474a;
    const VERSION: i64 = 1;
    /// The packages for Node and Python create the same table.
    const SCHEMA: &'static str = "\
        CREATE TABLE journal (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
        PRAGMA application_id = 1297303370;
        PRAGMA user_version = 1;";
    const SETTINGS: &'static str = "";
    const FILLS_EMPTY: bool = false;

    fn error(journal: String, error: FileError) -> JournalError {
        let detail = match error {
            FileError::Unavailable(detail) | FileError::Replaced(detail) => {
                return JournalError::Unavailable { journal, detail };
            }
            FileError::Open(error) => {
                return JournalError::of_sqlite(journal, "opening it", &error);
            }
            FileError::Sqlite(doing, error) => {
                return JournalError::of_sqlite(journal, doing, &error);
            }
            FileError::NotSetUp(detail) | FileError::NotADatabase(detail) => detail,
            FileError::OtherProgram => {
                "it is a database, but not a journal; name another file".into()
            }
            FileError::OtherVersion(version) => format!(
                "it has version {version}, but this program supports version {}; use the program version that created it",
                Self::VERSION
            ),
            FileError::NoWal(_) => {
                "its file system cannot share memory between processes; put it on a local disk"
                    .into()
            }
        };
        JournalError::NotSetUp { journal, detail }
    }

    fn is_temporary(error: &JournalError) -> bool {
        matches!(error, JournalError::Unavailable { .. })
    }

    fn check(location: &Location<Self>, connection: &Connection) -> Result<(), JournalError> {
        if std::fs::metadata(&location.path).is_ok_and(|found| found.len() > MAX_CHECKED_BYTES) {
            return Ok(());
        }
        let found: String = connection
            .query_row("PRAGMA quick_check(1)", [], |row| row.get(0))
            .map_err(location.fault("opening it"))?;
        if found == "ok" {
            return Ok(());
        }
        Err(location.not_set_up(format!(
            "it is damaged: {}; restore a backup made after the last send",
            found.split_whitespace().collect::<Vec<_>>().join(" ")
        )))
    }

    fn fails_batch(_: &JournalError) -> bool {
        true
    }

    fn done((): &mut (), requests: usize, _: Duration, done: Result<bool, &JournalError>) {
        if let Err(error) = done {
            tracing::warn!(%error, requests, "a commit of the journal failed");
        }
    }
}

fn open_to_read(location: &Location<Table>) -> Result<Opened, JournalError> {
    location.retrying(|| {
        location.existing()?;
        let connection = location.connect(&location.path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        if !location.is_known(&connection)? {
            return Err(location.empty());
        }
        let files = OpenFiles::read_only(&location.path, &location.given);
        let files =
            files.ok_or_else(|| location.unavailable("a file was removed during the open"))?;
        Ok(Opened { connection, files, is_new: false })
    })
}

/// An open journal file. `close` and drop wait until the writer has closed the file. A process that
/// ends afterwards leaves a single file, without a WAL that must be kept.
pub struct File {
    jobs: Mutex<Option<Jobs<Table>>>,
    thread: Mutex<Option<JoinHandle<()>>>,
    name: String,
    pub is_new: bool,
}

impl Drop for File {
    fn drop(&mut self) {
        self.close();
    }
}

impl File {
    pub fn open(
        path: &Path,
        options: Options,
        on_step: Option<Step>,
    ) -> Result<Self, JournalError> {
        let location = Self::location(path, options.timeout)?;
        let opened = location.open(options.create)?;
        Self::start(location, opened, |location| location.open(false), on_step)
    }

    pub fn open_to_read(path: &Path, timeout: Duration) -> Result<Self, JournalError> {
        let location = Self::location(path, timeout)?;
        let opened = open_to_read(&location)?;
        Self::start(location, opened, open_to_read, None)
    }

    fn location(path: &Path, timeout: Duration) -> Result<Location<Table>, JournalError> {
        if path.as_os_str().is_empty() {
            let detail = "its name is empty; name a file".into();
            return Err(JournalError::NotSetUp { journal: String::new(), detail });
        }
        Location::new(path, timeout.min(Duration::from_secs(60)))
    }

    fn start(
        location: Location<Table>,
        opened: Opened,
        open: Open<Table>,
        on_step: Option<Step>,
    ) -> Result<Self, JournalError> {
        let (name, is_new) = (location.name(), opened.is_new);
        let writer = Writer::new(location, (), opened, open, on_step);
        let (jobs, thread) = writer.start("journal")?;
        Ok(Self { jobs: Mutex::new(Some(jobs)), thread: Mutex::new(Some(thread)), name, is_new })
    }

    fn ask<T: Send + 'static>(
        &self,
        mode: Mode,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Reply<'_, T> {
        let work = move |batch: &Batch<'_, Table>| {
            work(batch.connection).map_err(batch.location.fault("running a transaction"))
        };
        Box::pin(async move {
            let gone = |detail: &str| JournalError::Unavailable {
                journal: self.name.clone(),
                detail: detail.into(),
            };
            let jobs = lock(&self.jobs).clone().ok_or_else(|| gone("it is closed"))?;
            ask(&jobs, mode, work)
                .await
                .ok_or_else(|| gone("its writer has stopped; start this process again"))?
        })
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Backend for File {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn get(&self, key: String) -> Reply<'_, Option<String>> {
        self.ask(Mode::Read, move |connection| get(connection, &key))
    }

    fn swap(&self, key: String, expected: Option<String>, new: String) -> Reply<'_, Swapped> {
        self.ask(Mode::Write, move |connection| swap(connection, &key, expected, &new))
    }

    fn list(&self, after: String) -> Reply<'_, Page> {
        self.ask(Mode::Read, move |connection| list(connection, &after))
    }

    /// Rejects new requests, and waits for the end of the thread.
    fn close(&self) {
        *lock(&self.jobs) = None;
        // Holds the lock, because a concurrent close must wait too.
        if let Some(thread) = lock(&self.thread).take() {
            // A thread that panicked has closed the file too.
            let _ = thread.join();
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
