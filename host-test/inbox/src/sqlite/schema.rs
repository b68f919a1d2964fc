//! The file of the store: identification, creation, and settings of connections.

use std::path::Path;
use std::time::{Duration, SystemTime};

use messaging_journal::sqlite::Opened;
use messaging_journal::sqlite::files;
use rusqlite::{Connection, ErrorCode, OpenFlags};

use super::error::{NameError, StoreError};
use super::writer::Tables;

/// Name of the operation, for errors.
const OPENING: &str = "opening it";

/// Minimum time between the last change of a file without `-wal` and a read of the file. A further
/// change within this time may leave the timestamp unchanged, because systems count in ticks of up
/// to 10 ms.
const TICK: Duration = Duration::from_millis(20);

pub(super) type Location = messaging_journal::sqlite::Location<Tables>;

/// Returns the location of a store.
pub(super) fn location(path: &Path, busy: Duration) -> Result<Location, StoreError> {
    if let Some(Err(problem)) = path.to_str().map(check_name) {
        let detail = problem.to_string();
        return Err(StoreError::NotSetUp { store: path.display().to_string(), detail });
    }
    Location::new(path, busy)
}

/// Opens a store for writing. Creates it if it is missing and `create` is set.
pub(super) fn open(location: &Location, create: bool) -> Result<Opened, StoreError> {
    let opened = location.open(create)?;
    if opened.is_new {
        tracing::info!(path = location.name(), "created the inbox");
    }
    sync_leftover(location, &opened.connection)?;
    Ok(opened)
}

/// Opens a connection that reads, in a process that also has a writer.
pub(super) fn reader(location: &Location) -> Result<Connection, StoreError> {
    let connection = location.connect(&location.path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    connection
        .execute_batch("PRAGMA temp_store = MEMORY; PRAGMA cell_size_check = ON;")
        .map_err(location.fault(OPENING))?;
    Ok(connection)
}

/// Opens a connection for a process that only reads, perhaps without write permission. Changes no
/// event. Creates a file only if the store has a `-wal`: SQLite then creates a missing `-shm`.
/// A writer that is open has a `-wal`. Without a `-wal`, the function therefore takes no lock, and
/// returns the state of the file. After reading, the caller compares this state with the current
/// state, because a writer may have begun.
pub(super) fn read_only(
    location: &Location,
) -> Result<(Connection, Option<FileState>), StoreError> {
    if location.existing()?.len() == 0 {
        return Err(location.empty());
    }
    let file_state = file_state(location);
    let connection = match file_state {
        Some(FileState { changed, .. }) if changed.elapsed().is_ok_and(|age| age < TICK) => {
            return Err(location.unavailable("it was just written to"));
        }
        Some(_) => location.connect(
            immutable(&location.path).as_ref(),
            OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI,
        ),
        None => location.connect(&location.path, OpenFlags::SQLITE_OPEN_READ_ONLY),
    }?;
    let is_store = location.is_known(&connection).map_err(|error| {
        match files::unreadable(&location.path) {
            Some(file) => location.not_set_up(format!(
                "this user has no permission to read {}; change its mode or its owner",
                file.display()
            )),
            None => error,
        }
    })?;
    if !is_store {
        return Err(location.empty());
    }
    connection
        .execute_batch(
            "PRAGMA temp_store = MEMORY; PRAGMA query_only = ON; PRAGMA cell_size_check = ON;",
        )
        .map_err(location.fault(OPENING))?;
    Ok((connection, file_state))
}

/// Returns the state of the file; `None` if it has a `-wal`.
pub(super) fn file_state(location: &Location) -> Option<FileState> {
    if files::sidecar(&location.path, "-wal").exists() {
        return None;
    }
    let found = std::fs::metadata(&location.path).ok()?;
    Some(FileState { bytes: found.len(), changed: found.modified().ok()? })
}

/// Syncs the commits of a killed process. Such a commit is readable before it is durable. Without
/// the sync, a redelivery of its event would be acknowledged as a duplicate before the event is
/// durable.
fn sync_leftover(location: &Location, connection: &Connection) -> Result<(), StoreError> {
    // A row that reports "busy" is not an error, because another process then does the sync.
    match connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(())) {
        // On a full disk, syncs the WAL instead, which then keeps the commits.
        Err(error) if error.sqlite_error_code() == Some(ErrorCode::DiskFull) => {
            let wal = std::fs::File::open(files::sidecar(&location.path, "-wal"));
            wal.and_then(|wal| wal.sync_all()).map_err(|_| error)
        }
        synced => synced,
    }
    .map_err(location.fault("syncing earlier commits"))
}

/// Returns the first problem of the file; `None` if it is sound.
pub(super) fn damage(connection: &Connection) -> rusqlite::Result<Option<String>> {
    let found: String = connection.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
    Ok((found != "ok").then_some(found))
}

/// The state of a file that no process writes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FileState {
    bytes: u64,
    changed: SystemTime,
}

/// Checks that SQLite would use `path` as the name of a file.
pub(crate) fn check_name(path: &str) -> Result<(), NameError> {
    match path {
        "" => Err(NameError::Empty),
        ":memory:" => Err(NameError::Memory),
        uri if uri.starts_with("file:") => Err(NameError::Uri),
        _ if path.contains(char::is_control) || path.trim_matches([' ', '"', '\'']) != path => {
            Err(NameError::Stray)
        }
        _ => Ok(()),
    }
}

/// Returns a URI with which SQLite opens an unchanging file without a lock or a WAL.
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
    connection.execute_batch(<Tables as messaging_journal::sqlite::Kind>::SCHEMA).unwrap();
    connection
}
