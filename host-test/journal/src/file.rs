//! The file: whether it is a journal, how it is set up, and how each connection is configured.

use std::fs::{File, OpenOptions};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use messaging_wal::{self as wal, Checkpoint, Files, Mishap};
use rusqlite::{Connection, OpenFlags};

use crate::error::JournalError;

/// "MSGJ", in the header of every journal.
const APPLICATION_ID: i64 = 0x4d53_474a;
/// The version of the tables.
const VERSION: i64 = 1;
/// A file of up to so many bytes is looked through before it is used.
const CHECKED: u64 = 64 * 1024 * 1024;

/// Pause before a file is opened again that others hold.
const BETWEEN_TRIES: Duration = Duration::from_millis(10);

const SCHEMA: &str = "\
    BEGIN IMMEDIATE;
    CREATE TABLE journal (key TEXT PRIMARY KEY, text TEXT NOT NULL) STRICT, WITHOUT ROWID;
    PRAGMA application_id = 1297303370;
    PRAGMA user_version = 1;
    COMMIT;";

/// Path of the file, and the time to wait for others.
#[derive(Clone, Debug)]
pub struct Place {
    /// Absolute, so that no name is read as a URI or as "in memory"; and no link, for SQLite puts the
    /// log beside the file itself.
    pub path: PathBuf,
    busy: Duration,
}

/// An open file.
pub struct Opened {
    pub connection: Connection,
    file: Option<Identity>,
    /// None where it is only read.
    files: Option<Files>,
}

/// Device and number, which tell a file from another one in its place.
pub type Identity = (u64, u64);

impl Opened {
    /// Returns the file, to be compared with what is there later.
    pub fn file(&self) -> Option<Identity> {
        self.file
    }

    /// Looks whether everything that is committed will be found by whoever opens the file anew: by
    /// this name, and in a log that is where it is looked for. SQLite goes on writing to files that were
    /// removed, and reads from them. No transaction may be open.
    ///
    /// # Errors
    /// Text for a person.
    pub fn check(&mut self, place: &Place) -> Result<(), String> {
        let Some(files) = &mut self.files else { return place.is_still(self.file) };
        files.check(&self.connection).map_err(|mishap| told(&mishap))
    }

    /// Whether it can be closed and opened anew. What is damaged stays as it is, for a person.
    pub fn is_to_be_reopened(&mut self) -> bool {
        let found = self.files.as_mut().map(|files| files.check(&self.connection));
        matches!(found, Some(Err(Mishap::IndexCut)))
    }
}

impl Drop for Opened {
    /// Closed, it must not copy what is damaged, nor delete what another one writes; and the file has
    /// all that is in its log, also where it is not the last to close it: who only reads copies
    /// nothing.
    fn drop(&mut self) {
        let Some(files) = &mut self.files else { return };
        let copied =
            |checkpoint| wal::copy_log(&self.connection, checkpoint).is_ok_and(|is_whole| is_whole);
        if let Err(mishap) = files.can_be_closed(&self.connection) {
            let _ = wal::keep_log(&self.connection);
            let why = told(&mishap);
            tracing::error!(why, "a journal is closed as it is: it may lack what was sent");
        } else if !copied(Checkpoint::Passive) && !copied(Checkpoint::Full) {
            tracing::warn!(
                "the log of a journal could not be copied into its file, while others use it: keep the file -wal beside it"
            );
        }
    }
}

/// Says what has happened, and what is to be done.
fn told(mishap: &Mishap) -> String {
    let then = match mishap {
        Mishap::Moved => "; put it back",
        Mishap::LogMoved(_) => {
            ": what is only there is lost to who opens it anew; put it back, or stop, and restore what was moved"
        }
        Mishap::IndexCut => "; stop all who use the journal, and remove it: it is made anew",
        Mishap::Cut(_) => "; stop, and restore it from a copy that is not older than its last send",
        Mishap::Linked | Mishap::Unknown(_) => "",
    };
    format!("{mishap}{then}")
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
        Ok(Self { path: wal::followed(absolute), busy: busy.min(Duration::from_secs(60)) })
    }

    /// The name, for people.
    pub fn name(&self) -> String {
        self.path.display().to_string()
    }

    /// Looks whether the file is still `before`.
    ///
    /// # Errors
    /// Text for a person.
    pub fn is_still(&self, before: Option<Identity>) -> Result<(), String> {
        if identity(&self.path) != before {
            return Err("another file, or none, is in its place; put back the one that this process has open, or start it anew where the other is right".into());
        }
        Ok(())
    }

    /// Looks whether its log has all that was acknowledged. SQLite takes what is left for the whole.
    fn check_log(&self) -> Result<(), JournalError> {
        if wal::index_is_cut(&self.path) {
            return Err(self.not_set_up(
                "its log's index, the file -shm, was cut short; stop all who use the journal, and remove -shm: it is made anew",
            ));
        }
        match wal::damage(&self.path) {
            Ok(None) => Ok(()),
            Ok(Some(detail)) => Err(self.not_set_up(format!(
                "{detail}: what was lost would be sent again. Keep copies of the file, -wal and -shm; restore the log; or, where nothing is under a key that may be sent again, move -wal and -shm away"
            ))),
            Err(error) => Err(JournalError::Unavailable {
                journal: self.name(),
                detail: format!("its log cannot be read: {error}"),
            }),
        }
    }

    pub fn not_set_up(&self, detail: impl Into<String>) -> JournalError {
        JournalError::NotSetUp { journal: self.name(), detail: detail.into() }
    }

    pub fn fault(&self, doing: &'static str) -> impl Fn(rusqlite::Error) -> JournalError {
        let name = self.name();
        move |error| JournalError::of_sqlite(name.clone(), doing, &error)
    }

    /// Opens it to read and write; makes it where it is missing and may be made. Waits for others
    /// who do so at the same time: SQLite waits for most of their locks, and not for all.
    pub fn open(&self, create: bool) -> Result<Opened, JournalError> {
        self.patiently(|| self.try_to_open(create))
    }

    fn patiently(
        &self,
        open: impl Fn() -> Result<Opened, JournalError>,
    ) -> Result<Opened, JournalError> {
        let begun = Instant::now();
        loop {
            match open() {
                Err(JournalError::Unavailable { .. }) if begun.elapsed() < self.busy => {
                    thread::sleep(BETWEEN_TRIES);
                }
                opened => return opened,
            }
        }
    }

    fn try_to_open(&self, create: bool) -> Result<Opened, JournalError> {
        let made = self.prepare(create)?;
        self.check_log()?;
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let mut opened = self.connect(flags)?;
        let connection = &opened.connection;
        let fault = self.fault("setting it up");
        if connection.is_readonly("main").map_err(&fault)? {
            return Err(self.not_set_up("it is read-only; give the right to write to it"));
        }
        let known = self.check(connection)?;
        let mode: String = connection
            .query_row("PRAGMA journal_mode = WAL", [], |row| row.get(0))
            .map_err(&fault)?;
        if !mode.eq_ignore_ascii_case("wal") {
            return Err(self.not_set_up(
                "its file system cannot share memory between processes; put it on a local disk",
            ));
        }
        // FULL: a commit has reached the disk when it returns. The fullfsyncs say what that means
        // on macOS, and nothing elsewhere.
        let settings = "\
            PRAGMA cell_size_check = ON;
            PRAGMA synchronous = FULL;
            PRAGMA fullfsync = ON;
            PRAGMA checkpoint_fullfsync = ON;
            PRAGMA journal_size_limit = 67108864;
            PRAGMA temp_store = MEMORY;";
        connection.execute_batch(settings).map_err(&fault)?;
        if !known {
            // Another process may have been faster.
            let set_up = connection.execute_batch(SCHEMA);
            if let Err(error) = set_up {
                let _ = connection.execute_batch("ROLLBACK");
                if !self.check(connection)? {
                    return Err(fault(error));
                }
            }
        }
        if made || !known {
            self.sync_folder()?;
        }
        let files = Files::of(&self.path, &opened.connection);
        let files = files.map_err(|mishap| match mishap {
            Mishap::Unknown(detail) => JournalError::Unavailable { journal: self.name(), detail },
            mishap => self.not_set_up(told(&mishap)),
        })?;
        opened.files = Some(files);
        Ok(opened)
    }

    /// Opens it to read alone.
    pub fn open_to_read(&self) -> Result<Opened, JournalError> {
        self.prepare(false)?;
        self.patiently(|| {
            self.check_log()?;
            let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
            let opened = self.connect(flags)?;
            match self.check(&opened.connection)? {
                true => Ok(opened),
                false => Err(self.not_set_up("it is empty")),
            }
        })
    }

    fn connect(&self, flags: OpenFlags) -> Result<Opened, JournalError> {
        let connection = Connection::open_with_flags(&self.path, flags)
            .and_then(|connection| connection.busy_timeout(self.busy).map(|()| connection))
            .map_err(self.fault("opening it"))?;
        connection.set_prepared_statement_cache_capacity(16);
        if let Some(named) = wal::other_name(&self.path) {
            return Err(self.not_set_up(named));
        }
        Ok(Opened { connection, file: identity(&self.path), files: None })
    }

    /// Whether it is a journal; false where it is empty.
    fn check(&self, connection: &Connection) -> Result<bool, JournalError> {
        let fault = self.fault("opening it");
        // At one moment: another process may be setting it up.
        let moment = connection.unchecked_transaction().map_err(&fault)?;
        let number = |pragma| moment.query_row(pragma, [], |row| row.get::<_, i64>(0));
        let tables = number("SELECT count(*) FROM sqlite_schema").map_err(&fault)?;
        let application = number("PRAGMA application_id").map_err(&fault)?;
        let version = number("PRAGMA user_version").map_err(&fault)?;
        drop(moment);
        match (tables, application, version) {
            (0, 0, 0) => return Ok(false),
            (_, APPLICATION_ID, VERSION) => {}
            (_, APPLICATION_ID, newer) => {
                return Err(self.not_set_up(format!(
                    "it is of version {newer}, and this program knows version {VERSION}"
                )));
            }
            _ => return Err(self.not_set_up("it is a database, and no journal; name another file")),
        }
        if std::fs::metadata(&self.path).is_ok_and(|found| found.len() <= CHECKED) {
            let said: String = connection
                .query_row("PRAGMA quick_check(1)", [], |row| row.get(0))
                .map_err(&fault)?;
            if said != "ok" {
                return Err(self.not_set_up(format!(
                    "it is damaged: {}; restore it from a copy that is not older than its last send",
                    said.split_whitespace().collect::<Vec<_>>().join(" ")
                )));
            }
        }
        Ok(true)
    }

    /// Makes an empty file where there is none and there may be one, for its owner alone; SQLite
    /// gives its other files the same rights. Says whether it did.
    fn prepare(&self, create: bool) -> Result<bool, JournalError> {
        // SQLite would take the log for a left one, and delete it: it holds what was sent.
        if wal::is_all_there_is(&self.path) {
            return Err(self.not_set_up(
                "it is gone or empty, and its log, the file -wal, is there; put the file back beside it",
            ));
        }
        match std::fs::metadata(&self.path) {
            Ok(found) if found.is_file() => return Ok(false),
            Ok(_) => return Err(self.not_set_up("it is not a file")),
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(self.not_set_up(error.to_string())),
        }
        if !create {
            return Err(self.not_set_up("there is no such file"));
        }
        let mut options = OpenOptions::new();
        options.append(true).create(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        options.open(&self.path).map(|_| true).map_err(|error| {
            self.not_set_up(format!("{error}; make its folder, with the right to write to it"))
        })
    }

    fn sync_folder(&self) -> Result<(), JournalError> {
        let Some(folder) = self.path.parent() else { return Ok(()) };
        // Windows has no such thing.
        let synced = if cfg!(unix) {
            File::open(folder).and_then(|folder| folder.sync_all())
        } else {
            Ok(())
        };
        synced.map_err(|error| JournalError::Unavailable {
            journal: self.name(),
            detail: format!("its folder could not be synced: {error}"),
        })
    }
}

#[cfg(unix)]
fn identity(path: &Path) -> Option<Identity> {
    use std::os::unix::fs::MetadataExt;
    std::fs::metadata(path).ok().map(|found| (found.dev(), found.ino()))
}

#[cfg(not(unix))]
fn identity(path: &Path) -> Option<Identity> {
    // An open file cannot be replaced there.
    path.exists().then_some((0, 0))
}
