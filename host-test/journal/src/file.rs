//! The file: whether it is a journal, how it is created, and how each connection is configured.

use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};

use crate::error::JournalError;
use crate::sqlite_files::{self as files, Header, OpenFiles};

/// "MSGJ", in the header of every journal.
const APPLICATION_ID: i64 = 0x4d53_474a;
/// The version of the table.
const VERSION: i64 = 1;
/// Largest file, in bytes, that is checked for damage when it is opened: a larger one takes too long.
const MAX_CHECKED_BYTES: u64 = 64 * 1024 * 1024;

/// The packages for Node and Python create the same table.
const SCHEMA: &str = "\
    BEGIN IMMEDIATE;
    CREATE TABLE journal (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
    PRAGMA application_id = 1297303370;
    PRAGMA user_version = 1;
    COMMIT;";

/// Path of the file, and the time to wait for others.
#[derive(Clone, Debug)]
pub struct Place {
    /// Absolute, so that no name is a URI or `:memory:` to SQLite, and without symbolic links.
    pub path: PathBuf,
    pub busy: Duration,
}

/// An open file.
pub struct Opened {
    pub connection: Connection,
    pub files: OpenFiles,
    /// This process created its table.
    pub is_new: bool,
}

impl Drop for Opened {
    fn drop(&mut self) {
        self.files.before_close(&self.connection);
    }
}

impl Place {
    pub fn new(path: &Path, busy: Duration) -> Result<Self, JournalError> {
        let journal = path.display().to_string();
        let not_set_up =
            |detail: String| JournalError::NotSetUp { journal: journal.clone(), detail };
        if path.as_os_str().is_empty() {
            return Err(not_set_up("its name is empty; name a file".into()));
        }
        let absolute = std::path::absolute(path).map_err(|error| not_set_up(error.to_string()))?;
        Ok(Self { path: files::resolve(absolute), busy: busy.min(Duration::from_secs(60)) })
    }

    /// Returns the name, for people.
    pub fn name(&self) -> String {
        self.path.display().to_string()
    }

    pub fn not_set_up(&self, detail: impl Into<String>) -> JournalError {
        JournalError::NotSetUp { journal: self.name(), detail: detail.into() }
    }

    pub fn unavailable(&self, detail: impl Into<String>) -> JournalError {
        JournalError::Unavailable { journal: self.name(), detail: detail.into() }
    }

    pub fn fault(&self, doing: &'static str) -> impl Fn(rusqlite::Error) -> JournalError {
        let name = self.name();
        move |error| JournalError::of_sqlite(name.clone(), doing, &error)
    }

    /// Opens the file to read and write; creates it if it is missing and `create` is set.
    pub fn open(&self, create: bool) -> Result<Opened, JournalError> {
        self.patiently(|| self.try_to_open(create))
    }

    /// Opens the file to read.
    pub fn open_to_read(&self) -> Result<Opened, JournalError> {
        self.patiently(|| {
            self.prepare(false, false)?;
            let connection = self.connect(OpenFlags::SQLITE_OPEN_READ_ONLY)?;
            if !self.check(&connection)? {
                return Err(self.not_set_up("it is empty"));
            }
            self.opened(connection, OpenFiles::read_only(&self.path))
        })
    }

    fn patiently(
        &self,
        open: impl FnMut() -> Result<Opened, JournalError>,
    ) -> Result<Opened, JournalError> {
        let is_temporary = |error: &JournalError| matches!(error, JournalError::Unavailable { .. });
        files::patiently(self.busy, is_temporary, open)
    }

    fn try_to_open(&self, create: bool) -> Result<Opened, JournalError> {
        self.prepare(create, true)?;
        let connection = self.connect(OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        let fault = self.fault("setting it up");
        if connection.is_readonly("main").map_err(&fault)? {
            return Err(self.not_set_up("it is read-only; give the right to write to it"));
        }
        let is_known = self.check(&connection)?;
        if !is_known && !create {
            return Err(self.not_set_up("it is empty"));
        }
        let mode: String = connection
            .query_row("PRAGMA journal_mode = WAL", [], |row| row.get(0))
            .map_err(&fault)?;
        if !mode.eq_ignore_ascii_case("wal") {
            return Err(self.not_set_up(
                "its file system cannot share memory between processes; put it on a local disk",
            ));
        }
        connection.execute_batch(files::SETTINGS).map_err(&fault)?;
        let mut is_new = !is_known;
        if !is_known {
            // Another process may have been faster.
            if let Err(error) = connection.execute_batch(SCHEMA) {
                let _ = connection.execute_batch("ROLLBACK");
                if !self.check(&connection)? {
                    return Err(fault(error));
                }
                is_new = false;
            }
            let synced = files::sync_directory(&self.path);
            synced.map_err(|error| {
                self.unavailable(format!("its directory could not be synced: {error}"))
            })?;
        }
        let mut opened = self.opened(connection, OpenFiles::of(&self.path))?;
        opened.is_new = is_new;
        Ok(opened)
    }

    fn opened(
        &self,
        connection: Connection,
        files: Option<OpenFiles>,
    ) -> Result<Opened, JournalError> {
        let files = files.ok_or_else(|| self.unavailable("a file was removed during the open"))?;
        Ok(Opened { connection, files, is_new: false })
    }

    fn connect(&self, access: OpenFlags) -> Result<Connection, JournalError> {
        let connection =
            Connection::open_with_flags(&self.path, access | OpenFlags::SQLITE_OPEN_NO_MUTEX)
                .and_then(|connection| connection.busy_timeout(self.busy).map(|()| connection))
                .map_err(self.fault("opening it"))?;
        connection.set_prepared_statement_cache_capacity(16);
        Ok(connection)
    }

    /// Returns true if the file is a journal, and false if it is empty.
    fn check(&self, connection: &Connection) -> Result<bool, JournalError> {
        let fault = self.fault("opening it");
        match Header::read(connection).map_err(&fault)? {
            Header::EMPTY => return Ok(false),
            Header { application_id: APPLICATION_ID, version: VERSION, .. } => {}
            Header { application_id: APPLICATION_ID, version, .. } => {
                return Err(self.not_set_up(format!(
                    "it is of version {version}, and this program knows version {VERSION}"
                )));
            }
            _ => return Err(self.not_set_up("it is a database, and no journal; name another file")),
        }
        if std::fs::metadata(&self.path).is_ok_and(|found| found.len() <= MAX_CHECKED_BYTES) {
            let found: String = connection
                .query_row("PRAGMA quick_check(1)", [], |row| row.get(0))
                .map_err(&fault)?;
            if found != "ok" {
                return Err(self.not_set_up(format!(
                    "it is damaged: {}; restore a backup that is not older than its last send",
                    found.split_whitespace().collect::<Vec<_>>().join(" ")
                )));
            }
        }
        Ok(true)
    }

    /// Checks the file before SQLite opens it; creates an empty one if it is missing and `create` is set.
    fn prepare(&self, create: bool, writes: bool) -> Result<(), JournalError> {
        let found = files::find(&self.path).map_err(|detail| self.not_set_up(detail))?;
        match found {
            Some(found) if !found.is_file() => Err(self.not_set_up("it is not a file")),
            Some(found) if writes => {
                files::check_rights(&self.path, &found).map_err(|detail| self.not_set_up(detail))
            }
            Some(_) => Ok(()),
            None if !create => Err(self.not_set_up("there is no such file")),
            None => files::create(&self.path).map_err(|error| {
                self.not_set_up(format!(
                    "{error}; make its directory, with the right to write to it"
                ))
            }),
        }
    }
}
