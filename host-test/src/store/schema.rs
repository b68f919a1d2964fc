//! The file: whether it is a store, how it is set up and brought up to date, and how
//! every connection to it is configured. What is in the tables is others' to say.

use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use rusqlite::{Connection, OpenFlags, TransactionBehavior};

use super::error::StoreError;

/// What is being done when a file cannot be opened; tells a missing file from a fault
/// of one that is in use.
pub(super) const OPENING: &str = "opening it";

/// "MSGI", in the header of every store.
const APPLICATION_ID: i64 = 0x4d53_4749;

/// One step for each schema version, the first one making version 1. A step that has
/// been released is never changed.
const MIGRATIONS: [&str; 2] = [
    // 1: what has been received. A conflicting event has a copy number above 0, so that
    // the one index says what is unique, and a new entry costs one insert and no search.
    // AUTOINCREMENT: the number of a pruned event is never given to another.
    "CREATE TABLE events (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        idempotency_key TEXT NOT NULL,
        copy INTEGER NOT NULL DEFAULT 0,
        message_id TEXT NOT NULL,
        kind TEXT NOT NULL,
        json TEXT NOT NULL,
        received_at_ms INTEGER NOT NULL,
        UNIQUE (idempotency_key, copy)
    );",
    // 2: handing on what has been received, and the key-value table. The partial
    // indexes hold what is open, so that done events slow nothing down, and the state, so
    // that counting and looking for what is due reads no event. Values have numbers because wasi:keyvalue 0.2.0-draft pages by number.
    "ALTER TABLE events ADD COLUMN state TEXT NOT NULL DEFAULT 'waiting';
    ALTER TABLE events ADD COLUMN lease TEXT;
    ALTER TABLE events ADD COLUMN due_ms INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE events ADD COLUMN attempts INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE events ADD COLUMN last_error TEXT;
    ALTER TABLE events ADD COLUMN done_at_ms INTEGER;
    UPDATE events SET state = 'quarantined' WHERE copy > 0;
    CREATE INDEX events_open ON events (id, due_ms, state) WHERE state IN ('waiting', 'taken');
    CREATE INDEX events_quarantined ON events (id, state) WHERE state = 'quarantined';
    CREATE INDEX events_done ON events (done_at_ms, state) WHERE state = 'done';
    CREATE TABLE kv (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        bucket TEXT NOT NULL,
        key TEXT NOT NULL,
        value BLOB NOT NULL,
        UNIQUE (bucket, key)
    );
    CREATE INDEX kv_pages ON kv (bucket, id);",
];

/// The newest version known here.
const KNOWN: i64 = MIGRATIONS.len() as i64;

/// Where the file is and how long others are waited for.
#[derive(Clone, Debug)]
pub(super) struct Place {
    /// Absolute, so that no name is read as a URI or as "in memory".
    pub(super) path: PathBuf,
    busy: Duration,
}

impl Place {
    pub(super) fn new(path: &Path, busy: Duration) -> Result<Self, StoreError> {
        let path = std::path::absolute(path).map_err(|error| StoreError::NotSetUp {
            path: path.to_path_buf(),
            detail: format!("{error}; name a file"),
        })?;
        // SQLite counts in 32-bit milliseconds.
        Ok(Self { path, busy: busy.min(Duration::from_secs(1_000_000)) })
    }

    pub(super) fn fault(&self, doing: &'static str) -> impl Fn(rusqlite::Error) -> StoreError {
        let path = self.path.clone();
        move |error| StoreError::of_sqlite(&path, doing, &error)
    }

    fn not_set_up(&self, detail: impl Into<String>) -> StoreError {
        StoreError::NotSetUp { path: self.path.clone(), detail: detail.into() }
    }

    fn not_a_store(&self, detail: impl Into<String>) -> StoreError {
        StoreError::NotAStore { path: self.path.clone(), detail: detail.into() }
    }

    /// A connection that writes, to a store that is up to date.
    pub(super) fn writer(&self, create: bool) -> Result<Connection, StoreError> {
        self.prepare_file(create)?;
        let mut connection = self.connect()?;
        let fault = self.fault("setting it up");
        if connection.is_readonly("main").map_err(&fault)? {
            return Err(self.not_set_up("it is read-only; give the right to write to it"));
        }
        let version = self.version(&connection)?;
        self.use_wal(&connection)?;
        // FULL: a commit has reached the disk when it returns. The fullfsyncs say what
        // that means on macOS, and nothing elsewhere.
        connection
            .execute_batch(
                "PRAGMA synchronous = FULL;
                PRAGMA fullfsync = ON;
                PRAGMA checkpoint_fullfsync = ON;
                PRAGMA wal_autocheckpoint = 4000;
                PRAGMA journal_size_limit = 67108864;
                PRAGMA cache_size = -16384;
                PRAGMA temp_store = MEMORY;",
            )
            .map_err(&fault)?;
        connection.set_prepared_statement_cache_capacity(64);
        if version < KNOWN {
            self.migrate(&mut connection)?;
            sync_folder(&self.path).map_err(|error| StoreError::Unavailable {
                path: self.path.clone(),
                detail: format!("its folder could not be synced: {error}"),
            })?;
        }
        self.settle(&connection)?;
        Ok(connection)
    }

    /// A connection that only reads. The writer has made sure that the file is a store.
    pub(super) fn reader(&self) -> Result<Connection, StoreError> {
        let connection = self.connect()?;
        connection
            .execute_batch("PRAGMA query_only = ON; PRAGMA temp_store = MEMORY;")
            .map_err(self.fault(OPENING))?;
        Ok(connection)
    }

    fn connect(&self) -> Result<Connection, StoreError> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(&self.path, flags)
            .and_then(|connection| connection.busy_timeout(self.busy).map(|()| connection));
        connection.map_err(self.fault(OPENING))
    }

    /// Makes an empty file where there is none and there may be one. What it will hold
    /// is for its owner alone; SQLite gives its other files the same rights.
    fn prepare_file(&self, create: bool) -> Result<(), StoreError> {
        match std::fs::metadata(&self.path) {
            Ok(found) if found.is_file() => return Ok(()),
            Ok(_) => return Err(self.not_a_store("it is not a file")),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => return Err(self.not_set_up(error.to_string())),
        }
        if !create {
            return Err(self.not_set_up("there is no such file"));
        }
        let mut options = std::fs::OpenOptions::new();
        // Not only new: another process may make it at the same time.
        options.append(true).create(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let made = options.open(&self.path);
        made.map(drop).map_err(|error| {
            self.not_set_up(format!("{error}; make its folder, with the right to write to it"))
        })
    }

    /// The schema version of a file that is a store, or empty.
    fn version(&self, connection: &Connection) -> Result<i64, StoreError> {
        let number = |sql| {
            connection.query_row(sql, [], |row| row.get::<_, i64>(0)).map_err(self.fault(OPENING))
        };
        let version = number("PRAGMA user_version")?;
        let application = number("PRAGMA application_id")?;
        let empty = number("SELECT count(*) FROM sqlite_schema")? == 0;
        if application == 0 && version == 0 && empty {
            return Ok(0);
        }
        if application != APPLICATION_ID {
            return Err(self.not_a_store("it is a database of another program"));
        }
        if !(1..=KNOWN).contains(&version) {
            let path = self.path.clone();
            return Err(StoreError::NewerSchema { path, found: version, known: KNOWN });
        }
        Ok(version)
    }

    /// The switch to a write-ahead log needs the file alone and does not wait for it.
    fn use_wal(&self, connection: &Connection) -> Result<(), StoreError> {
        let started = Instant::now();
        loop {
            let mode = connection
                .query_row("PRAGMA journal_mode = WAL", [], |row| row.get::<_, String>(0));
            match mode {
                Ok(mode) if mode == "wal" => return Ok(()),
                Ok(mode) => {
                    return Err(self.not_set_up(format!(
                        "its file system has no write-ahead log, only {mode:?}; use a local disk"
                    )));
                }
                Err(error)
                    if error.sqlite_error_code() == Some(rusqlite::ErrorCode::DatabaseBusy)
                        && started.elapsed() < self.busy =>
                {
                    thread::sleep(Duration::from_millis(5));
                }
                Err(error) => return Err(self.fault("setting it up")(error)),
            }
        }
    }

    fn migrate(&self, connection: &mut Connection) -> Result<(), StoreError> {
        let fault = self.fault("bringing it up to date");
        let transaction =
            connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(&fault)?;
        // Looked at again: another process may have done it meanwhile.
        let version = self.version(&transaction)?;
        for step in MIGRATIONS.iter().skip(usize::try_from(version).unwrap_or(0)) {
            transaction.execute_batch(step).map_err(&fault)?;
        }
        transaction
            .execute_batch(&format!(
                "PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {KNOWN};"
            ))
            .map_err(&fault)?;
        transaction.commit().map_err(&fault)
    }

    /// A process that was killed between writing the log and syncing it leaves a commit
    /// that can be read and is not on the disk. Before anything is said to be kept, the
    /// log is synced and copied into the file.
    fn settle(&self, connection: &Connection) -> Result<(), StoreError> {
        // Its row says "busy" where another process reads: then that one's sync counts.
        connection
            .query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(()))
            .map_err(self.fault("syncing what was left"))
    }
}

/// What tells this file from another one of the same name.
#[cfg(unix)]
pub(super) fn identity(path: &Path) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    std::fs::metadata(path).ok().map(|found| (found.dev(), found.ino()))
}

/// An open file cannot be removed here.
#[cfg(not(unix))]
pub(super) fn identity(_path: &Path) -> Option<(u64, u64)> {
    None
}

/// SQLite syncs the folder with its log, and ignores it where that fails.
fn sync_folder(path: &Path) -> std::io::Result<()> {
    if cfg!(unix) {
        let file = std::fs::canonicalize(path)?;
        if let Some(folder) = file.parent() {
            std::fs::File::open(folder)?.sync_all()?;
        }
    }
    Ok(())
}
