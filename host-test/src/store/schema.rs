//! The file: whether it is a store, how it is set up and brought up to date, and how
//! every connection to it is configured. What is in the tables is others' to say.

use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags, TransactionBehavior};

use super::error::StoreError;

/// What is being done when a file is opened.
const OPENING: &str = "opening it";

/// "MSGI", in the header of every store.
const APPLICATION_ID: i64 = 0x4d53_4749;

/// One step for each schema version, the first one making version 1. A step that has
/// been released is never changed.
const MIGRATIONS: [&str; 3] = [
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
    // 3: one index for each lane of what is open (lease.rs), so that taking costs the
    // same whatever waits; since when a lease or a pause counts (lease.rs); what tells the
    // copies under one key apart for who processes them; and how old the store is, as it
    // has measured it (age.rs). A lease of before counts as one of a day at most.
    "ALTER TABLE events ADD COLUMN since_ms INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE events ADD COLUMN copy_token TEXT;
    ALTER TABLE events ADD COLUMN done_age_ms INTEGER;
    UPDATE events SET since_ms = due_ms - 86400000
        WHERE state IN ('waiting', 'taken') AND attempts > 0;
    UPDATE events SET copy_token = lower(hex(randomblob(16))) WHERE copy > 0;
    DROP INDEX events_open;
    DROP INDEX events_done;
    CREATE INDEX events_new ON events (id, state, attempts)
        WHERE state = 'waiting' AND attempts = 0;
    CREATE INDEX events_again ON events (due_ms, id, state, attempts)
        WHERE state IN ('waiting', 'taken') AND attempts > 0;
    CREATE INDEX events_since ON events (since_ms, id, state, attempts)
        WHERE state IN ('waiting', 'taken') AND attempts > 0;
    CREATE INDEX events_done ON events (done_age_ms, id, state) WHERE state = 'done';
    CREATE TABLE age (one INTEGER PRIMARY KEY CHECK (one = 1), age_ms INTEGER NOT NULL);
    INSERT INTO age VALUES (1, 0);",
];

/// What an older version lacks, for who only reads it: a view that takes the table's place
/// on one connection, and changes nothing in the file.
const SEEN_AS_CURRENT: [&str; 2] = [
    "CREATE TEMP VIEW events AS SELECT *,
        CASE WHEN copy > 0 THEN 'quarantined' ELSE 'waiting' END AS state, NULL AS lease,
        0 AS due_ms, 0 AS attempts, NULL AS last_error, NULL AS done_at_ms, NULL AS copy_token
        FROM main.events;
    CREATE TEMP VIEW kv AS SELECT NULL AS id, NULL AS bucket, NULL AS key WHERE false;",
    "CREATE TEMP VIEW events AS SELECT *, NULL AS copy_token FROM main.events;",
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
        if let Some(problem) = path.to_str().and_then(not_a_file_name) {
            let detail = problem.to_string();
            return Err(StoreError::NotSetUp { path: path.to_path_buf(), detail });
        }
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

    /// The file of that name beside the store's: `-wal`, `-shm`.
    pub(super) fn beside(&self, suffix: &str) -> PathBuf {
        let mut name = self.path.clone().into_os_string();
        name.push(suffix);
        name.into()
    }

    pub(super) fn not_set_up(&self, detail: impl Into<String>) -> StoreError {
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
                "PRAGMA cell_size_check = ON;
                PRAGMA synchronous = FULL;
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
            .execute_batch(
                "PRAGMA query_only = ON; PRAGMA temp_store = MEMORY; PRAGMA cell_size_check = ON;",
            )
            .map_err(self.fault(OPENING))?;
        keep_log(&connection).map_err(self.fault(OPENING))?;
        Ok(connection)
    }

    /// A connection for who may or wants to read alone: it changes no file, of whatever
    /// version that is. Where there is no log, nobody writes: then it makes none either,
    /// and `Some` tells how the file was, to be compared after reading.
    pub(super) fn read_only(&self) -> Result<(Connection, Option<Still>), StoreError> {
        match std::fs::metadata(&self.path) {
            Ok(found) if !found.is_file() => return Err(self.not_a_store("it is not a file")),
            Ok(found) if found.len() == 0 => return Err(self.not_a_store("it is empty")),
            Ok(_) => {}
            Err(error) => return Err(self.not_set_up(error.to_string())),
        }
        let still = self.still();
        let mut flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = if still.is_some() {
            flags |= OpenFlags::SQLITE_OPEN_URI;
            Connection::open_with_flags(immutable(&self.path), flags)
        } else {
            Connection::open_with_flags(&self.path, flags)
        };
        let connection = connection
            .and_then(|connection| connection.busy_timeout(self.busy).map(|()| connection))
            .map_err(|error| self.cannot_open(error))?;
        let version = self.version(&connection)?;
        let fault = self.fault(OPENING);
        connection.execute_batch("PRAGMA temp_store = MEMORY").map_err(&fault)?;
        if version == 0 {
            return Err(self.not_a_store("it is empty"));
        }
        let older = usize::try_from(version).ok().and_then(|version| version.checked_sub(1));
        if let Some(view) = older.and_then(|older| SEEN_AS_CURRENT.get(older)) {
            connection.execute_batch(view).map_err(&fault)?;
        }
        connection
            .execute_batch("PRAGMA query_only = ON; PRAGMA cell_size_check = ON;")
            .map_err(&fault)?;
        Ok((connection, still))
    }

    /// How the file is while it has no log.
    pub(super) fn still(&self) -> Option<Still> {
        if self.beside("-wal").exists() {
            return None;
        }
        let found = std::fs::metadata(&self.path).ok()?;
        Some(Still { bytes: found.len(), changed: found.modified().ok()? })
    }

    fn connect(&self) -> Result<Connection, StoreError> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(&self.path, flags)
            .and_then(|connection| connection.busy_timeout(self.busy).map(|()| connection));
        connection.map_err(|error| self.cannot_open(error))
    }

    /// A file that cannot be opened is not there for us, however often we try.
    fn cannot_open(&self, error: rusqlite::Error) -> StoreError {
        match error.sqlite_error_code() {
            Some(rusqlite::ErrorCode::CannotOpen) => {
                self.not_set_up(format!("{error}; check the path and its rights"))
            }
            _ => self.fault(OPENING)(error),
        }
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
        let made = options.open(&self.path).and_then(|made| {
            // Whatever the umask takes away. What another process made just now is its own.
            #[cfg(unix)]
            made.set_permissions(std::os::unix::fs::PermissionsExt::from_mode(0o600))?;
            drop(made);
            Ok(())
        });
        made.map_err(|error| {
            self.not_set_up(format!("{error}; make its folder, with the right to write to it"))
        })
    }

    /// Looks whether the file is whole: every page, and what each holds. `Err` with
    /// [`StoreError::Damaged`] where it is not.
    pub(super) fn check(&self, connection: &Connection) -> Result<(), StoreError> {
        let fault = self.fault("checking it");
        let found: String =
            connection.query_row("PRAGMA quick_check(1)", [], |row| row.get(0)).map_err(&fault)?;
        // SQLite's own word for a file in which it found nothing wrong.
        if found == "ok" {
            return Ok(());
        }
        Err(StoreError::Damaged { path: self.path.clone(), detail: found })
    }

    /// How much a check has to read, in bytes.
    pub(super) fn size(&self) -> u64 {
        let bytes = |path: &Path| std::fs::metadata(path).map_or(0, |found| found.len());
        bytes(&self.path).saturating_add(bytes(&self.beside("-wal")))
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

/// How a file was that nobody wrote to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Still {
    bytes: u64,
    changed: SystemTime,
}

/// Closed last, this connection leaves the log as it is: what it holds is the writer's to
/// copy into the file, after a look at it.
pub(super) fn keep_log(connection: &Connection) -> rusqlite::Result<()> {
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true).map(drop)
}

/// Why `path` would mean something else to SQLite than the file of that name.
pub(super) fn not_a_file_name(path: &str) -> Option<&'static str> {
    if path.is_empty() {
        Some("is empty; name a file")
    } else if path == ":memory:" {
        Some("would be memory, and lost with the process; name a file")
    } else if path.starts_with("file:") {
        Some("is a URI; name a file, with ./ before it if it is called so")
    } else {
        None
    }
}

/// The name by which SQLite opens a file that nobody writes to, without a lock or a log.
fn immutable(path: &Path) -> String {
    const KEPT: percent_encoding::AsciiSet =
        percent_encoding::NON_ALPHANUMERIC.remove(b'/').remove(b'-').remove(b'_').remove(b'.');
    let bytes = path.as_os_str().as_encoded_bytes();
    format!("file:{}?immutable=1", percent_encoding::percent_encode(bytes, &KEPT))
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

/// A store of the newest version, for the tests of queries.
#[cfg(test)]
pub(super) fn in_memory() -> Connection {
    let connection = Connection::open_in_memory().unwrap();
    MIGRATIONS.iter().for_each(|step| connection.execute_batch(step).unwrap());
    connection
}
