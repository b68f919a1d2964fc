//! The file: whether it is a store, how it is created, and how each connection is configured.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use messaging_journal::sqlite_files::{self as files, Header, OpenFiles};
use rusqlite::{Connection, ErrorCode, OpenFlags, TransactionBehavior};

use super::error::{NameError, StoreError};
use super::fault;

/// Name of the operation, for errors.
const OPENING: &str = "opening it";

/// "MSGI", in the header of every store.
const APPLICATION_ID: i64 = 0x4d53_4749;

/// The version of the tables.
const VERSION: i64 = 1;

const SCHEMA: &str = include_str!("schema.sql");

/// Age of a file's last change below which its time does not show another change: systems count in ticks of up to
/// 10 ms.
const TICK: Duration = Duration::from_millis(20);

/// Path of the file, and the time to wait for others.
#[derive(Clone, Debug)]
pub(super) struct Place {
    /// Absolute, so that no name is a URI or `:memory:` to SQLite, and without symbolic links.
    pub(super) path: PathBuf,
    pub(super) busy: Duration,
}

impl Place {
    pub(super) fn new(path: &Path, busy: Duration) -> Result<Self, StoreError> {
        if let Some(Err(problem)) = path.to_str().map(check_name) {
            let detail = problem.to_string();
            return Err(StoreError::NotSetUp { store: path.display().to_string(), detail });
        }
        let path = std::path::absolute(path).map(files::resolve).map_err(|error| {
            StoreError::NotSetUp {
                store: path.display().to_string(),
                detail: format!("{error}; name a file"),
            }
        })?;
        // SQLite counts in 32-bit milliseconds.
        Ok(Self { path, busy: busy.min(Duration::from_secs(1_000_000)) })
    }

    /// Returns the name, for errors.
    pub(super) fn name(&self) -> String {
        self.path.display().to_string()
    }

    /// Returns a function that converts an error of SQLite, met while `doing` something.
    pub(super) fn fault(
        &self,
        doing: &'static str,
    ) -> impl Fn(rusqlite::Error) -> StoreError + use<'_> {
        move |error| fault(self, doing, &error)
    }

    pub(super) fn not_set_up(&self, detail: impl Into<String>) -> StoreError {
        StoreError::NotSetUp { store: self.name(), detail: detail.into() }
    }

    pub(super) fn unavailable(&self, detail: impl Into<String>) -> StoreError {
        StoreError::Unavailable { store: self.name(), detail: detail.into() }
    }

    fn not_a_store(&self, detail: impl Into<String>) -> StoreError {
        StoreError::NotAStore { store: self.name(), detail: detail.into() }
    }

    /// Calls `work` until it succeeds or fails for another reason than other processes.
    pub(super) fn patiently<T>(
        &self,
        work: impl FnMut() -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let is_temporary = |error: &StoreError| matches!(error, StoreError::Unavailable { .. });
        files::patiently(self.busy, is_temporary, work)
    }

    /// Opens a connection that writes; creates the store if it is missing and `create` is set.
    pub(super) fn writer(&self, create: bool) -> Result<(Connection, OpenFiles), StoreError> {
        self.patiently(|| self.try_writer(create))
    }

    fn try_writer(&self, create: bool) -> Result<(Connection, OpenFiles), StoreError> {
        self.prepare(create)?;
        let mut connection = self.connect(OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        let fault = self.fault("setting it up");
        if connection.is_readonly("main").map_err(&fault)? {
            return Err(self.not_set_up("it is read-only; give the right to write to it"));
        }
        let is_known = self.is_store(&connection)?;
        let mode: String = connection
            .query_row("PRAGMA journal_mode = WAL", [], |row| row.get(0))
            .map_err(&fault)?;
        if mode != "wal" {
            return Err(self.not_set_up(format!(
                "its file system has no write-ahead log, only {mode:?}; use a local disk"
            )));
        }
        connection
            .execute_batch(files::SETTINGS)
            // The writer checkpoints after it has answered (writer.rs).
            .and_then(|()| {
                connection
                    .execute_batch("PRAGMA cache_size = -16384; PRAGMA wal_autocheckpoint = 0;")
            })
            .map_err(&fault)?;
        connection.set_prepared_statement_cache_capacity(64);
        if !is_known {
            self.create_tables(&mut connection)?;
            files::sync_directory(&self.path).map_err(|error| {
                self.unavailable(format!("its directory could not be synced: {error}"))
            })?;
        }
        self.sync_leftover(&connection)?;
        let opened = OpenFiles::of(&self.path);
        let opened =
            opened.ok_or_else(|| self.unavailable("a file was removed during the open"))?;
        Ok((connection, opened))
    }

    /// Opens a connection that reads, next to a writer of this process.
    pub(super) fn reader(&self) -> Result<Connection, StoreError> {
        let connection = self.connect(OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        connection
            .execute_batch("PRAGMA temp_store = MEMORY; PRAGMA cell_size_check = ON;")
            .map_err(self.fault(OPENING))?;
        Ok(connection)
    }

    /// Opens a connection for a process that only reads, and maybe has no other right: it creates and changes no
    /// file. Without a `-wal` no process writes: then it takes no lock, and returns the state of the file, to be
    /// compared after reading.
    pub(super) fn read_only(&self) -> Result<(Connection, Option<Still>), StoreError> {
        match self.find()? {
            None => return Err(self.not_set_up("there is no such file")),
            Some(found) if !found.is_file() => return Err(self.not_a_store("it is not a file")),
            Some(found) if found.len() == 0 => return Err(self.not_a_store("it is empty")),
            Some(_) => {}
        }
        let still = self.still();
        let connection = match still {
            Some(Still { changed, .. }) if changed.elapsed().is_ok_and(|age| age < TICK) => {
                return Err(self.unavailable("it was just written to"));
            }
            Some(_) => self.open(
                immutable(&self.path).as_ref(),
                OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI,
            ),
            None => self.open(&self.path, OpenFlags::SQLITE_OPEN_READ_ONLY),
        }?;
        let is_store =
            self.is_store(&connection).map_err(|error| match files::unreadable(&self.path) {
                Some(file) => self.not_set_up(format!(
                    "this user may not read {}; change its mode or its owner",
                    file.display()
                )),
                None => error,
            })?;
        if !is_store {
            return Err(self.not_a_store("it is empty"));
        }
        connection
            .execute_batch(
                "PRAGMA temp_store = MEMORY; PRAGMA query_only = ON; PRAGMA cell_size_check = ON;",
            )
            .map_err(self.fault(OPENING))?;
        Ok((connection, still))
    }

    /// Returns the files of a connection that only reads; `None` if the database was just removed.
    pub(super) fn files(&self) -> Option<OpenFiles> {
        OpenFiles::read_only(&self.path)
    }

    /// Returns the state of the file while it has no `-wal`.
    pub(super) fn still(&self) -> Option<Still> {
        if files::sidecar(&self.path, "-wal").exists() {
            return None;
        }
        let found = std::fs::metadata(&self.path).ok()?;
        Some(Still { bytes: found.len(), changed: found.modified().ok()? })
    }

    fn connect(&self, access: OpenFlags) -> Result<Connection, StoreError> {
        self.open(&self.path, access)
    }

    fn open(&self, name: &Path, flags: OpenFlags) -> Result<Connection, StoreError> {
        Connection::open_with_flags(name, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX)
            .and_then(|connection| connection.busy_timeout(self.busy).map(|()| connection))
            .map_err(|error| match error.sqlite_error_code() {
                Some(ErrorCode::CannotOpen) => {
                    self.not_set_up(format!("{error}; check the path and its rights"))
                }
                _ => self.fault(OPENING)(error),
            })
    }

    fn find(&self) -> Result<Option<std::fs::Metadata>, StoreError> {
        files::find(&self.path).map_err(|detail| self.not_set_up(detail))
    }

    /// Checks the file before SQLite opens it; creates an empty one if it is missing and `create` is set.
    fn prepare(&self, create: bool) -> Result<(), StoreError> {
        match self.find()? {
            Some(found) if !found.is_file() => Err(self.not_a_store("it is not a file")),
            Some(found) => {
                files::check_rights(&self.path, &found).map_err(|detail| self.not_set_up(detail))
            }
            None if !create => Err(self.not_set_up("there is no such file")),
            None => files::create(&self.path).map_err(|error| {
                self.not_set_up(format!(
                    "{error}; make its directory, with the right to write to it"
                ))
            }),
        }
    }

    /// Returns true if the file is a store, and false if it is empty.
    fn is_store(&self, connection: &Connection) -> Result<bool, StoreError> {
        match Header::read(connection).map_err(self.fault(OPENING))? {
            Header::EMPTY => Ok(false),
            Header { application_id: APPLICATION_ID, version: VERSION, .. } => Ok(true),
            Header { application_id: APPLICATION_ID, version: found, .. } => {
                Err(StoreError::NewerSchema { store: self.name(), found, known: VERSION })
            }
            _ => Err(self.not_a_store("it is a database of another program")),
        }
    }

    fn create_tables(&self, connection: &mut Connection) -> Result<(), StoreError> {
        let fault = self.fault("creating its tables");
        let transaction =
            connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(&fault)?;
        let tables = "SELECT count(*) FROM sqlite_schema";
        // Another process may have been faster.
        if transaction.query_row(tables, [], |row| row.get::<_, i64>(0)).map_err(&fault)? == 0 {
            transaction.execute_batch(SCHEMA).map_err(&fault)?;
        }
        transaction.commit().map_err(&fault)
    }

    /// Syncs what a killed process left: a commit that it wrote and did not sync can be read, and must not be
    /// acknowledged as a duplicate before it is on the disk.
    fn sync_leftover(&self, connection: &Connection) -> Result<(), StoreError> {
        // A row that says "busy" is no error: then another process is doing it.
        match connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(())) {
            // On a full disk the WAL is synced and stays.
            Err(error) if error.sqlite_error_code() == Some(ErrorCode::DiskFull) => {
                let wal = std::fs::File::open(files::sidecar(&self.path, "-wal"));
                wal.and_then(|wal| wal.sync_all()).map_err(|_| error)
            }
            synced => synced,
        }
        .map_err(self.fault("syncing what was left"))
    }
}

/// Returns the first problem of the file; `None` if it is sound.
pub(super) fn damage(connection: &Connection) -> rusqlite::Result<Option<String>> {
    let found: String = connection.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
    Ok((found != "ok").then_some(found))
}

/// State of a file that no process writes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Still {
    bytes: u64,
    changed: SystemTime,
}

/// Checks that `path` means the file of that name to SQLite.
pub(crate) fn check_name(path: &str) -> Result<(), NameError> {
    match path {
        "" => Err(NameError::Empty),
        ":memory:" => Err(NameError::Memory),
        uri if uri.starts_with("file:") => Err(NameError::Uri),
        _ => Ok(()),
    }
}

/// Returns the name by which SQLite opens a file that no process writes to, without a lock or a WAL.
fn immutable(path: &Path) -> String {
    const KEPT: percent_encoding::AsciiSet =
        percent_encoding::NON_ALPHANUMERIC.remove(b'/').remove(b'-').remove(b'_').remove(b'.');
    let bytes = path.as_os_str().as_encoded_bytes();
    format!("file:{}?immutable=1", percent_encoding::percent_encode(bytes, &KEPT))
}

/// Returns an empty store in memory, for tests of queries.
#[cfg(test)]
pub(super) fn in_memory() -> Connection {
    let connection = Connection::open_in_memory().unwrap();
    connection.execute_batch(SCHEMA).unwrap();
    connection
}
