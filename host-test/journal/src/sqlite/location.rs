//! Opening a SQLite file: identification, creation, and settings of connections.

use std::fs::Metadata;
use std::marker::PhantomData;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, OpenFlags, TransactionBehavior};

use super::files::{self, Header, OpenFiles};

/// A kind of database: its tables, its errors, and the state of its writer.
pub trait Kind: Clone + 'static {
    /// Error type of the store.
    type Error: Clone + Send;
    /// State of the writer, shared by its requests.
    type State: Send;

    /// Application ID in the file header.
    const APPLICATION_ID: i64;
    /// Version of the tables.
    const VERSION: i64;
    /// Statements that create the tables and mark the file.
    const SCHEMA: &'static str;
    /// Settings of writing connections, in addition to [`files::SETTINGS`].
    const SETTINGS: &'static str;
    /// True if `Location::open` creates the tables in an existing empty file even if its argument
    /// `create` is false.
    const FILLS_EMPTY: bool;

    /// Converts an error about the file `name`.
    fn error(name: String, error: FileError) -> Self::Error;

    /// Returns true if a later attempt to open the file can succeed.
    fn is_temporary(error: &Self::Error) -> bool;

    /// Checks an opened file of this kind.
    ///
    /// # Errors
    /// Returns the reason not to use the file.
    fn check(_: &Location<Self>, _: &Connection) -> Result<(), Self::Error> {
        Ok(())
    }

    /// Returns true if an error concerns the file, and false if the error concerns only one
    /// request. If true, the batch is not committed.
    fn fails_batch(error: &Self::Error) -> bool;

    /// Called before a transaction.
    fn begin(_: &mut Self::State) {}

    /// Called before the replies of a batch. `done` is `Ok(true)` if the transaction wrote data,
    /// `Ok(false)` if it wrote none, and the error if it failed.
    fn done(
        state: &mut Self::State,
        requests: usize,
        took: Duration,
        done: Result<bool, &Self::Error>,
    );

    /// Called after the replies of a batch.
    fn answered(_: &mut Self::State, _: &Connection) {}

    /// Called before the connection is closed, with the result of the check of its files.
    fn closing(_: &mut Self::State, _: Result<(), String>) {}
}

/// The reason why a file is unusable.
#[derive(Debug)]
pub enum FileError {
    /// An operator must change something. Holds reason and remedy.
    NotSetUp(String),
    /// The file is not a database.
    NotADatabase(String),
    /// The file is a database of another program.
    OtherProgram,
    /// The tables have another version. Holds their version.
    OtherVersion(i64),
    /// The file system supports only this journal mode.
    NoWal(String),
    /// The file is temporarily unusable.
    Unavailable(String),
    /// A file was removed or replaced while it was open. The last commit may exist only in the old
    /// file.
    Replaced(String),
    /// SQLite cannot open the file.
    Open(rusqlite::Error),
    /// SQLite failed during this operation.
    Sqlite(&'static str, rusqlite::Error),
}

/// Returns true if the file is corrupted, or if a row holds a value that its table never has, such
/// as invalid UTF-8.
pub fn is_corruption(error: &rusqlite::Error) -> bool {
    use rusqlite::Error::{
        FromSqlConversionFailure, IntegralValueOutOfRange, InvalidColumnType, Utf8Error,
    };
    match error {
        FromSqlConversionFailure(..)
        | IntegralValueOutOfRange(..)
        | InvalidColumnType(..)
        | Utf8Error(..) => true,
        other => other.sqlite_error_code() == Some(ErrorCode::DatabaseCorrupt),
    }
}

/// Time after the last change of an empty file within which another process may still create the
/// tables.
const CREATION: Duration = Duration::from_secs(60);

/// The path of a file, and the timeout for locks.
#[derive(Clone, Debug)]
pub struct Location<K> {
    /// Absolute path without symbolic links. SQLite therefore never treats it as a URI or as
    /// `:memory:`.
    pub path: PathBuf,
    /// Absolute path as given, perhaps with symbolic links.
    pub given: PathBuf,
    /// Maximum wait for a lock.
    pub busy: Duration,
    kind: PhantomData<fn() -> K>,
}

/// An open file.
#[derive(Debug)]
pub struct Opened {
    /// The connection.
    pub connection: Connection,
    /// Files that the connection uses.
    pub files: OpenFiles,
    /// True if this process created the tables.
    pub is_new: bool,
}

impl Drop for Opened {
    fn drop(&mut self) {
        self.files.before_close(&self.connection);
    }
}

impl<K: Kind> Location<K> {
    /// Creates the location of a file. Resolves its path.
    pub fn new(path: &Path, busy: Duration) -> Result<Self, K::Error> {
        let absolute = std::path::absolute(path).map_err(|error| {
            let detail = format!("{error}; name a file");
            K::error(path.display().to_string(), FileError::NotSetUp(detail))
        })?;
        // SQLite counts in 32-bit milliseconds.
        let busy = busy.min(Duration::from_secs(1_000_000));
        let path = files::resolve(absolute.clone());
        Ok(Self { path, given: absolute, busy, kind: PhantomData })
    }

    /// Returns the path as text, for error messages.
    pub fn name(&self) -> String {
        self.path.display().to_string()
    }

    /// Converts an error about this file.
    pub fn error(&self, error: FileError) -> K::Error {
        K::error(self.name(), error)
    }

    /// Returns a permanent error. An operator must remove its cause.
    pub fn not_set_up(&self, detail: impl Into<String>) -> K::Error {
        self.error(FileError::NotSetUp(detail.into()))
    }

    /// Returns a temporary error.
    pub fn unavailable(&self, detail: impl Into<String>) -> K::Error {
        self.error(FileError::Unavailable(detail.into()))
    }

    /// Returns the error for a file without tables. It is temporary if the file is new, because
    /// another process may be creating the tables.
    pub fn empty(&self) -> K::Error {
        let changed = std::fs::metadata(&self.path).and_then(|found| found.modified());
        match changed.map(|at| at.elapsed()) {
            Ok(Ok(age)) if age < CREATION => self.unavailable(
                "it is empty, but was changed less than a minute ago: another process may be creating it",
            ),
            _ => self.error(FileError::NotADatabase("it is empty".into())),
        }
    }

    /// Returns a function that converts an SQLite error. `doing` names the operation.
    pub fn fault(&self, doing: &'static str) -> impl Fn(rusqlite::Error) -> K::Error + use<'_, K> {
        move |error| self.error(FileError::Sqlite(doing, error))
    }

    /// Retries `work` after temporary errors, for at most `busy`.
    ///
    /// # Errors
    /// Returns the last error of `work`.
    pub fn retrying<T>(&self, work: impl FnMut() -> Result<T, K::Error>) -> Result<T, K::Error> {
        files::retrying(self.busy, K::is_temporary, work)
    }

    /// Opens the file for reading and writing. Creates it if it is missing and `create` is set.
    ///
    /// # Errors
    /// Returns the reason not to use the file.
    pub fn open(&self, create: bool) -> Result<Opened, K::Error> {
        self.retrying(|| self.try_to_open(create))
    }

    fn try_to_open(&self, create: bool) -> Result<Opened, K::Error> {
        self.prepare(create)?;
        let mut connection = self.connect(&self.path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        let fault = self.fault("setting it up");
        if connection.is_readonly("main").map_err(&fault)? {
            return Err(self.not_set_up("it is read-only; allow this user to write to it"));
        }
        let is_known = self.is_known(&connection)?;
        if !is_known && !create && !K::FILLS_EMPTY {
            return Err(self.empty());
        }
        let mode: String = connection
            .query_row("PRAGMA journal_mode = WAL", [], |row| row.get(0))
            .map_err(&fault)?;
        if mode != "wal" {
            return Err(self.error(FileError::NoWal(mode)));
        }
        connection
            .execute_batch(files::SETTINGS)
            .and_then(|()| connection.execute_batch(K::SETTINGS))
            .map_err(&fault)?;
        connection.set_prepared_statement_cache_capacity(64);
        let is_new = !is_known && self.create_tables(&mut connection)?;
        if !is_known {
            files::sync_directory(&self.path).map_err(|error| {
                self.unavailable(format!("its directory could not be synced: {error}"))
            })?;
        }
        let files = OpenFiles::of(&self.path, &self.given);
        let files = files.ok_or_else(|| self.unavailable("a file was removed during the open"))?;
        Ok(Opened { connection, files, is_new })
    }

    /// Opens a connection to the file or URI `name`.
    ///
    /// # Errors
    /// Returns the error of SQLite.
    pub fn connect(&self, name: &Path, flags: OpenFlags) -> Result<Connection, K::Error> {
        Connection::open_with_flags(name, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX)
            .and_then(|connection| connection.busy_timeout(self.busy).map(|()| connection))
            .map_err(|error| match error {
                // Drops the message, because it repeats the name, which can be a URI.
                rusqlite::Error::SqliteFailure(code, _) => {
                    rusqlite::Error::SqliteFailure(code, None)
                }
                error => error,
            })
            .map_err(|error| self.error(FileError::Open(error)))
    }

    /// Returns the metadata of the file.
    ///
    /// # Errors
    /// Returns the reason not to open the file, for example that it is missing.
    pub fn existing(&self) -> Result<Metadata, K::Error> {
        self.find()?.ok_or_else(|| self.not_set_up("there is no such file"))
    }

    fn find(&self) -> Result<Option<Metadata>, K::Error> {
        match files::find(&self.path).map_err(|detail| self.not_set_up(detail))? {
            Some(found) if !found.is_file() => {
                Err(self.error(FileError::NotADatabase("it is not a file".into())))
            }
            found => Ok(found),
        }
    }

    /// Checks the file before SQLite opens it. Creates an empty file if it is missing and `create`
    /// is set.
    fn prepare(&self, create: bool) -> Result<(), K::Error> {
        if create && self.find()?.is_none() {
            let needs = "; its directory must exist, with write permission for this user";
            files::create(&self.path).map_err(|e| self.not_set_up(format!("{e}{needs}")))?;
        }
        let found = self.existing()?;
        files::check_rights(&self.path, &found).map_err(|detail| self.not_set_up(detail))
    }

    /// Returns true if the file is of this kind, and false if it is empty.
    ///
    /// # Errors
    /// Returns the reason not to use the file.
    pub fn is_known(&self, connection: &Connection) -> Result<bool, K::Error> {
        let Header { application_id, version, .. } =
            match Header::read(connection).map_err(self.fault("opening it"))? {
                Header::EMPTY => return Ok(false),
                header => header,
            };
        if application_id != K::APPLICATION_ID {
            return Err(self.error(FileError::OtherProgram));
        }
        if version != K::VERSION {
            return Err(self.error(FileError::OtherVersion(version)));
        }
        K::check(self, connection).map(|()| true)
    }

    /// Creates the tables. Returns false if another process has already created them.
    fn create_tables(&self, connection: &mut Connection) -> Result<bool, K::Error> {
        let fault = self.fault("creating its tables");
        let transaction =
            connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(&fault)?;
        let tables = "SELECT count(*) FROM sqlite_schema";
        let is_new =
            transaction.query_row(tables, [], |row| row.get::<_, i64>(0)).map_err(&fault)? == 0;
        if is_new {
            transaction.execute_batch(K::SCHEMA).map_err(&fault)?;
        }
        transaction.commit().map_err(&fault)?;
        Ok(is_new)
    }
}
