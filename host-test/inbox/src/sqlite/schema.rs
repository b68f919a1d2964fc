//! The file: whether it is a store, how it is set up and brought up to date, and how
//! every connection to it is configured. What is in the tables is others' to say.

mod migrations;

use std::fs::File;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use messaging_wal as wal;
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags, OptionalExtension, TransactionBehavior};

use super::error::{NameError, StoreError};
use super::fault;
use migrations::{MIGRATIONS, SEEN_AS_CURRENT};

/// Number of looks at a file that others may write to before it counts as another.
const LOOKS: usize = 3;
/// A look at a page that is being written is torn; by the next one it is there.
const BETWEEN_LOOKS: Duration = Duration::from_millis(20);

/// Name of the operation, for errors.
const OPENING: &str = "opening it";

/// "MSGI", in the header of every store.
const APPLICATION_ID: i64 = 0x4d53_4749;

/// Marks every transaction with a `latest` of its own. The first one of a log also notes which
/// one the file had then, `base`, and gives the log a name, `round`.
pub(super) const LEAVE_TRACE: &str = "UPDATE trace SET
    round = CASE WHEN ?1 AND latest = ?2 THEN random() ELSE round END,
    base = CASE WHEN ?1 AND latest = ?2 THEN latest ELSE base END,
    latest = random()";

/// The trace of the last transaction.
pub(super) const LATEST: &str = "SELECT latest FROM trace";

/// The newest version known here.
const KNOWN: i64 = MIGRATIONS.len() as i64;

/// A file of up to so many bytes is looked through before it is used; a larger one at
/// once afterwards, while it is in use, so that a start does not wait for the disk.
pub(super) const CHECKED_FIRST: u64 = 64 * 1024 * 1024;

/// After so many frames, 66 MB, the log is copied into the file. Commits wait for that, however much
/// it is, for the disk's sync; a copy beside them, or of less at a time, keeps more of them waiting.
/// So it is done seldom: 64 at once, about one delivery in a hundred meets it, and two where events
/// are compared with those under other keys, which writes more pages.
pub(super) const COPIED_EVERY: u32 = 16_000;

/// Path of the file, and the time to wait for others.
#[derive(Clone, Debug)]
pub(super) struct Place {
    /// Absolute, so that no name is read as a URI or as "in memory".
    pub(super) path: PathBuf,
    busy: Duration,
}

impl Place {
    pub(super) fn new(path: &Path, busy: Duration) -> Result<Self, StoreError> {
        if let Some(Err(problem)) = path.to_str().map(check_name) {
            let detail = problem.to_string();
            return Err(StoreError::NotSetUp { store: path.display().to_string(), detail });
        }
        let path =
            std::path::absolute(path).map(wal::followed).map_err(|error| StoreError::NotSetUp {
                store: path.display().to_string(),
                detail: format!("{error}; name a file"),
            })?;
        // SQLite counts in 32-bit milliseconds.
        Ok(Self { path, busy: busy.min(Duration::from_secs(1_000_000)) })
    }

    /// Its name, for errors.
    pub(super) fn name(&self) -> String {
        self.path.display().to_string()
    }

    /// The store's error for one of SQLite's, met while `doing` something.
    pub(super) fn fault(
        &self,
        doing: &'static str,
    ) -> impl Fn(rusqlite::Error) -> StoreError + use<'_> {
        move |error| fault(self, doing, &error)
    }

    /// The file of that name beside the store's: `-wal`, `-shm`.
    pub(super) fn beside(&self, suffix: &str) -> PathBuf {
        wal::beside(&self.path, suffix)
    }

    pub(super) fn not_set_up(&self, detail: impl Into<String>) -> StoreError {
        StoreError::NotSetUp { store: self.name(), detail: detail.into() }
    }

    fn not_a_store(&self, detail: impl Into<String>) -> StoreError {
        StoreError::NotAStore { store: self.name(), detail: detail.into() }
    }

    /// A connection that writes, to a store that is up to date. A store of up to
    /// [`CHECKED_FIRST`] is looked through before anything of its log is copied into it.
    pub(super) fn writer(&self, create: bool) -> Result<Connection, StoreError> {
        self.prepare_file(create)?;
        self.check_log_and_keep()?;
        let mut connection = self.connect()?;
        let fault = self.fault("setting it up");
        // The log is the writer's to copy into the file, after a look at it.
        wal::keep_log(&connection).map_err(&fault)?;
        if connection.is_readonly("main").map_err(&fault)? {
            return Err(self.not_set_up("it is read-only; give the right to write to it"));
        }
        let version = self.version(&connection)?;
        if version > 0 {
            self.log_belongs(&connection)?;
            if self.size() <= CHECKED_FIRST {
                self.check(&connection)?;
            }
        }
        connection
            .set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, false)
            .map_err(&fault)?;
        self.use_wal(&connection)?;
        // FULL: a commit has reached the disk when it returns. The fullfsyncs say what
        // that means on macOS, and nothing elsewhere.
        connection
            .execute_batch(
                "PRAGMA cell_size_check = ON;
                PRAGMA synchronous = FULL;
                PRAGMA fullfsync = ON;
                PRAGMA checkpoint_fullfsync = ON;
                PRAGMA journal_size_limit = 67108864;
                PRAGMA cache_size = -16384;
                PRAGMA temp_store = MEMORY;",
            )
            .map_err(&fault)?;
        // The writer copies the log, after a look at it (writer.rs).
        let by_itself = if cfg!(unix) { 0 } else { COPIED_EVERY };
        connection.pragma_update(None, "wal_autocheckpoint", by_itself).map_err(&fault)?;
        connection.set_prepared_statement_cache_capacity(64);
        if version < KNOWN {
            self.migrate(&mut connection)?;
            sync_folder(&self.path).map_err(|error| StoreError::Unavailable {
                store: self.name(),
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
        wal::keep_log(&connection).map_err(self.fault(OPENING))?;
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
        self.check_log()?;
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
        if still.is_none() {
            self.log_belongs(&connection)?;
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

    /// Returns the state of the file while it has no log.
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
        let found = std::fs::metadata(&self.path);
        if wal::is_all_there_is(&self.path) {
            return Err(self.not_set_up(
                "its file is gone or empty, and its log, the file -wal, holds events; put the file back, or move the log away",
            ));
        }
        match found {
            Ok(found) if found.is_file() => {
                return match wal::other_name(&self.path) {
                    Some(named) => Err(self.not_set_up(named)),
                    None => Ok(()),
                };
            }
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
        match damage(connection).map_err(self.fault("checking it"))? {
            None => Ok(()),
            Some(detail) => Err(StoreError::Damaged { store: self.name(), detail }),
        }
    }

    /// Looks whether the log on the disk is whole: `Err` with [`StoreError::Damaged`] where
    /// SQLite would drop something of it that was acknowledged.
    pub(super) fn check_log(&self) -> Result<(), StoreError> {
        let found = wal::damage(&self.path).map_err(|error| StoreError::Unavailable {
            store: self.name(),
            detail: format!("its log cannot be read: {error}"),
        })?;
        match found {
            None => Ok(()),
            Some(detail) => Err(StoreError::Damaged { store: self.name(), detail }),
        }
    }

    /// The same, and a copy is kept of a log that is damaged.
    pub(super) fn check_log_and_keep(&self) -> Result<(), StoreError> {
        self.check_log().inspect_err(|error| {
            if matches!(error, StoreError::Damaged { .. }) {
                self.keep_damaged_log();
            }
        })
    }

    /// Keeps a copy of a damaged log, for who opens the store with another program, which drops
    /// what it had. One that is there already stays.
    pub(super) fn keep_damaged_log(&self) {
        let (log, copy) = (self.beside("-wal"), self.beside("-wal.damaged"));
        let draft = self.beside("-wal.damaged.part");
        // Whole, or not at all: a full disk is a likely cause.
        let copied = || {
            std::fs::copy(&log, &draft)?;
            File::open(&draft)?.sync_all()?;
            std::fs::rename(&draft, &copy)
        };
        if copy.exists() || copied().is_err() {
            let _ = std::fs::remove_file(&draft);
        }
    }

    /// Looks whether the log is one of this file, and not of one that was here before:
    /// `Err` where it is not.
    ///
    /// The log was begun when the file had `base`. Since then the file is as it was, or has
    /// some of the log's pages, and `round` with them: they stand on one page. What the file has
    /// of it is in the log, unless the log was cut, or is an older copy. And it has what the log's
    /// index counts as copied: SQLite copies that only once, so a file that is older would lack it.
    pub(super) fn log_belongs(&self, connection: &Connection) -> Result<(), StoreError> {
        let fault = self.fault(OPENING);
        let mut ahead = false;
        for look in 0..LOOKS {
            if look > 0 {
                thread::sleep(BETWEEN_LOOKS);
            }
            // Before the file, which only gets more.
            let index = wal::Index::beside(&self.path);
            // Without the log; before it, for both may change meanwhile.
            let alone = self.alone().and_then(|alone| trace(&alone));
            let (of_log, base, newest) = trace(connection).map_err(&fault)?;
            let Ok((round, _, latest)) = alone else {
                // No copy that somebody restored. The log has the rest, or it is damaged.
                return self.check(connection);
            };
            let mut is_begun = latest == base || latest == newest;
            if is_begun && !index.is_some_and(wal::Index::is_begun) {
                return Ok(());
            }
            let logged = self.logged(connection, index)?;
            // Where somebody reads for long, `base` is set anew while the log goes on.
            is_begun |= logged.first().is_some_and(|(_, trace)| trace.base == latest);
            let copied = logged.iter().rposition(|(copied, _)| *copied);
            let has_since =
                |from| logged.iter().skip(from).any(|(_, trace)| trace.latest == latest);
            if has_since(copied.unwrap_or(0)) || copied.is_none() && is_begun {
                return Ok(());
            }
            ahead = round == of_log && !has_since(0);
        }
        if ahead {
            return Err(self.not_set_up(
                "its file has more than its log, the file -wal: that was cut, or is an older copy; keep copies of the file, -wal and -shm first; then put the right log back, or move -wal and -shm away",
            ));
        }
        Err(self.not_set_up(
            "its log, the file -wal, is of another file than the one that is here now; keep copies of the file, -wal and -shm first; then, where the file is a copy that you restored, move -wal and -shm away, else put the right file back",
        ))
    }

    /// Marks that the log's transactions left, from the first on, and whether each was copied into
    /// the file.
    fn logged(
        &self,
        connection: &Connection,
        index: Option<wal::Index>,
    ) -> Result<Vec<(bool, Trace)>, StoreError> {
        let page = "SELECT rootpage FROM sqlite_schema WHERE name = 'trace'";
        let page = connection.query_row(page, [], |row| row.get(0)).optional();
        let Some(page) = page.map_err(self.fault(OPENING))? else { return Ok(Vec::new()) };
        wal::versions(&self.beside("-wal"), index, page, trace_on).map_err(|error| {
            StoreError::Unavailable {
                store: self.name(),
                detail: format!("its log cannot be read: {error}"),
            }
        })
    }

    /// The file without its log, as far as the log has been copied into it. A file that was left
    /// in the middle of that is shorter than its first page says until the rest is copied, which
    /// SQLite minds unless its schema is writable.
    fn alone(&self) -> rusqlite::Result<Connection> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY
            | OpenFlags::SQLITE_OPEN_NO_MUTEX
            | OpenFlags::SQLITE_OPEN_URI;
        let alone = Connection::open_with_flags(immutable(&self.path), flags)?;
        alone.pragma_update(None, "writable_schema", true)?;
        Ok(alone)
    }

    /// Returns the bytes that a check has to read.
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
            return Err(StoreError::NewerSchema {
                store: self.name(),
                found: version,
                known: KNOWN,
            });
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
    /// log is synced and copied into the file. Where there is no space for the copy, the
    /// log will do.
    fn settle(&self, connection: &Connection) -> Result<(), StoreError> {
        // Its row says "busy" where another process reads: then that one's sync counts.
        let copied = connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(()));
        copied.or_else(|error| {
            let full = error.sqlite_error_code() == Some(rusqlite::ErrorCode::DiskFull);
            let synced = || File::open(self.beside("-wal")).and_then(|log| log.sync_all());
            if full && synced().is_ok() {
                return Ok(());
            }
            Err(self.fault("syncing what was left")(error))
        })
    }
}

/// The first thing that is wrong in the file, or in what its log has of it.
pub(super) fn damage(connection: &Connection) -> rusqlite::Result<Option<String>> {
    let found: String = connection.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
    // SQLite's own word for a file in which it found nothing wrong.
    Ok((found != "ok").then_some(found))
}

/// `(round, base, latest)`; of a store from before they were kept, 0.
fn trace(connection: &Connection) -> rusqlite::Result<(i64, i64, i64)> {
    let kept: bool = connection.query_row(
        "SELECT count(*) FROM sqlite_schema WHERE name = 'trace'",
        [],
        |row| row.get(0),
    )?;
    if !kept {
        return Ok((0, 0, 0));
    }
    connection.query_row("SELECT round, base, latest FROM trace", [], |row| row.try_into())
}

/// Two marks of a transaction, as it left them.
#[derive(Debug, PartialEq, Eq)]
struct Trace {
    base: i64,
    latest: i64,
}

/// Parses the page of the table of traces: a leaf with one row, as SQLite's format of files has
/// them.
fn trace_on(page: &[u8]) -> Option<Trace> {
    /// Kind of a page: a leaf of a table.
    const LEAF: u8 = 13;
    let [LEAF, _, _, 0, 1, _, _, _, high, low, ..] = page else { return None };
    let row = page.get(usize::from(u16::from_be_bytes([*high, *low]))..)?;
    // The lengths of row and header, and the row's number, are of a byte each; the column `one`
    // is that number, and NULL here.
    let [_, _, 5, 0, round, base, latest, values @ ..] = row else { return None };
    let (_, values) = integer(*round, values)?;
    let (base, values) = integer(*base, values)?;
    let (latest, _) = integer(*latest, values)?;
    Some(Trace { base, latest })
}

/// Reads an integer of this type in SQLite's format; returns what comes behind it.
fn integer(kind: u8, values: &[u8]) -> Option<(i64, &[u8])> {
    let bytes = match kind {
        1..=4 => usize::from(kind),
        5 => 6,
        6 => 8,
        8 => return Some((0, values)),
        9 => return Some((1, values)),
        _ => return None,
    };
    let (value, rest) = values.split_at_checked(bytes)?;
    let sign = if *value.first()? < 0x80 { 0 } else { -1 };
    Some((value.iter().fold(sign, |number, byte| (number << 8) | i64::from(*byte)), rest))
}

/// State of a file that nobody wrote to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Still {
    bytes: u64,
    changed: SystemTime,
}

/// Whether `path` means the file of that name to SQLite.
pub(crate) fn check_name(path: &str) -> Result<(), NameError> {
    match path {
        "" => Err(NameError::Empty),
        ":memory:" => Err(NameError::Memory),
        uri if uri.starts_with("file:") => Err(NameError::Uri),
        _ => Ok(()),
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
            File::open(folder)?.sync_all()?;
        }
    }
    Ok(())
}

/// Returns SQLite's query plan, line by line.
#[cfg(test)]
pub(super) fn plan(sql: &str) -> Vec<String> {
    let connection = in_memory();
    let mut plan = connection.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
    let values = vec![1_i64; plan.parameter_count()];
    let rows =
        plan.query_map(rusqlite::params_from_iter(values), |row| row.get::<_, String>(3)).unwrap();
    rows.map(Result::unwrap).collect()
}

/// A store of the newest version, for the tests of queries.
#[cfg(test)]
pub(super) fn in_memory() -> Connection {
    let connection = Connection::open_in_memory().unwrap();
    MIGRATIONS.iter().for_each(|step| connection.execute_batch(step).unwrap());
    connection
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of every length that an integer is kept in.
    #[test]
    fn the_marks_on_a_page_are_those_that_sqlite_reads() {
        let folder = tempfile::tempdir().unwrap();
        let place = Place::new(&folder.path().join("inbox.sqlite"), Duration::ZERO).unwrap();
        let connection = place.writer(true).unwrap();
        let page = "SELECT rootpage FROM sqlite_schema WHERE name = 'trace'";
        let page: u32 = connection.query_row(page, [], |row| row.get(0)).unwrap();
        let limits = [7, 15, 23, 31, 47, 63].map(|bits| i64::MAX >> (63 - bits));
        let around = |limit: i64| [limit, -limit, -1 - limit, limit / 3, limit.wrapping_add(1)];
        let mut base = 7;
        for latest in [0, 1, 2, -1].into_iter().chain(limits.into_iter().flat_map(around)) {
            let update = "UPDATE trace SET round = ?1 / 7, base = ?1, latest = ?2";
            connection.execute(update, [base, latest]).unwrap();
            connection.query_row("PRAGMA wal_checkpoint(FULL)", [], |_| Ok(())).unwrap();
            let file = std::fs::read(&place.path).unwrap();
            let page = file.chunks(4096).nth(page as usize - 1).unwrap();
            assert_eq!(trace_on(page), Some(Trace { base, latest }));
            assert_eq!(trace_on(file.chunks(4096).next().unwrap()), None);
            base = latest;
        }
    }
}
