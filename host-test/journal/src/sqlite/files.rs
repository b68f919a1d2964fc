//! The files of a SQLite database with a WAL: their names, permissions and identity. Detects the
//! removal and the replacement of open files. Leaves the detection of truncation and overwriting to
//! SQLite.

use std::fs::{File, Metadata, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode};

/// Settings of each connection that writes. With `synchronous=FULL`, a transaction is durable when
/// its commit returns. The `fullfsync` settings are for macOS.
pub const SETTINGS: &str = "\
    PRAGMA cell_size_check = ON;
    PRAGMA synchronous = FULL;
    PRAGMA fullfsync = ON;
    PRAGMA checkpoint_fullfsync = ON;
    PRAGMA journal_size_limit = 67108864;
    PRAGMA temp_store = MEMORY;";

/// Delay between two attempts to take a lock. Short, because SQLite itself waits up to 100 ms
/// between attempts, and a busy process then starves the others.
const PAUSE: Duration = Duration::from_millis(1);

/// Maximum number of symbolic links to follow, as in Linux.
const MAX_LINKS: usize = 40;

/// Resolves symbolic links, because SQLite creates `-wal` next to the target. Returns an
/// unresolvable path unchanged; opening it reports the error.
pub fn resolve(path: PathBuf) -> PathBuf {
    let mut path = path;
    for _ in 0..MAX_LINKS {
        match std::fs::canonicalize(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(_) => return path,
            Ok(found) => return found,
        }
        let (Some(directory), Some(name)) = (path.parent(), path.file_name()) else { break };
        let Ok(directory) = std::fs::canonicalize(directory) else { break };
        let Ok(target) = std::fs::read_link(&path) else { return directory.join(name) };
        path = directory.join(target);
    }
    path
}

/// Returns the path of `database` with `suffix` appended, for example `-wal`.
pub fn sidecar(database: &Path, suffix: &str) -> PathBuf {
    let mut name = database.as_os_str().to_os_string();
    name.push(suffix);
    name.into()
}

/// Finds the database file; `None` if there is no such file.
///
/// # Errors
/// Returns the reason if the file cannot be read. Returns the reason and the remedy if the file is
/// missing or empty next to a `-wal` with contents, because SQLite would delete that `-wal`.
pub fn find(database: &Path) -> Result<Option<Metadata>, String> {
    // Checks the `-wal` first, because the process that creates both files writes the database file
    // first.
    let has_wal = std::fs::metadata(sidecar(database, "-wal")).is_ok_and(|wal| wal.len() > 0);
    let found = match std::fs::metadata(database) {
        Ok(found) => Some(found),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(error.to_string()),
    };
    if has_wal && found.as_ref().is_none_or(|found| found.len() == 0) {
        return Err("the database file is missing or empty, and its `-wal` holds data; stop all processes that use it, keep copies of all files, put the database file back next to its `-wal`, and start again".into());
    }
    Ok(found)
}

/// Checks the permissions of a database file, and the owners of its `-journal`, `-wal` and `-shm`,
/// before the database is opened for writing.
///
/// The owner must be this user or root. Other users must not have write permission. Group write
/// permission is accepted, because it is usual in Kubernetes (`fsGroup`). Root may open files of
/// any owner, because containers often run as root with directories that another user owns.
///
/// # Errors
/// Returns the reason and the remedy. Also rejects a file that is itself a mount point, because its
/// `-wal` would stay in the container.
#[cfg_attr(not(unix), allow(unused_variables, reason = "no owner or mode"))]
pub fn check_rights(database: &Path, found: &Metadata) -> Result<(), String> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let user = rustix::process::geteuid();
        if !user.is_root() && ![0, user.as_raw()].contains(&found.uid()) {
            return Err(format!(
                "another user (uid {}) owns the file; change the owner with `chown`, or name another file",
                found.uid()
            ));
        }
        if found.mode() & 0o002 != 0 {
            return Err("every user can write to the file; run `chmod o-w` on it".into());
        }
    }
    #[cfg(unix)]
    check_sidecars(database, found)?;
    if is_mounted(database) {
        return Err(
            "only the file is mounted, so its `-wal` is not in the volume; mount its directory"
                .into(),
        );
    }
    Ok(())
}

/// Checks the owners of the files next to a database. SQLite applies an existing `-journal`, and
/// writes data to a `-wal`. In a directory such as `/tmp`, every user can create these files.
#[cfg(unix)]
fn check_sidecars(database: &Path, found: &Metadata) -> Result<(), String> {
    use std::os::unix::fs::MetadataExt;
    let trusted = [0, rustix::process::geteuid().as_raw(), found.uid()];
    for suffix in ["-journal", "-wal", "-shm"] {
        let file = sidecar(database, suffix);
        let Ok(other) = std::fs::symlink_metadata(&file) else { continue };
        let is_of_group = found.mode() & 0o020 != 0 && other.gid() == found.gid();
        if !trusted.contains(&other.uid()) && !is_of_group {
            return Err(format!(
                "another user (uid {}) owns {} and could change the database with it; stop all processes that use the database; if the file belongs to the database, `chown` the file to the user of these processes, otherwise move it away; keep the database in a directory that only its users can write to",
                other.uid(),
                file.display()
            ));
        }
    }
    Ok(())
}

/// Returns the first file of a database that this user has no permission to read.
pub fn unreadable(database: &Path) -> Option<PathBuf> {
    let files = ["", "-wal", "-shm"].map(|suffix| sidecar(database, suffix));
    files.into_iter().find(|file| {
        let opened = File::open(file);
        opened.is_err_and(|error| error.kind() == io::ErrorKind::PermissionDenied)
    })
}

/// Returns true if `/proc/self/mountinfo` lists the file as a mount point.
#[cfg(target_os = "linux")]
fn is_mounted(file: &Path) -> bool {
    use std::os::unix::ffi::OsStrExt;

    let mounts = std::fs::read("/proc/self/mountinfo").unwrap_or_default();
    let name: Vec<u8> =
        file.as_os_str().as_bytes().iter().flat_map(|byte| escaped(*byte)).collect();
    mounts
        .split(|byte| *byte == b'\n')
        .any(|line| line.split(|byte| *byte == b' ').nth(4).is_some_and(|point| point == name))
}

/// Escapes a byte as `mountinfo` does.
#[cfg(target_os = "linux")]
fn escaped(byte: u8) -> Vec<u8> {
    match byte {
        b' ' | b'\t' | b'\n' | b'\\' => format!("\\{byte:03o}").into_bytes(),
        _ => vec![byte],
    }
}

#[cfg(not(target_os = "linux"))]
fn is_mounted(_: &Path) -> bool {
    false
}

/// Creates an empty file with mode 0600 under every umask. SQLite gives its other files this mode
/// too.
///
/// # Errors
/// Returns the error of the system. An existing file is not an error.
pub fn create(database: &Path) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let created = options.open(database).and_then(|created| {
        #[cfg(unix)]
        created.set_permissions(std::os::unix::fs::PermissionsExt::from_mode(0o600))?;
        drop(created);
        Ok(())
    });
    match created {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        created => created,
    }
}

/// Syncs the directory of a new database file.
///
/// # Errors
/// Returns the error of the system.
pub fn sync_directory(database: &Path) -> io::Result<()> {
    match database.parent() {
        Some(directory) if cfg!(unix) => File::open(directory)?.sync_all(),
        _ => Ok(()),
    }
}

/// The values that identify a database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// Number of tables, indexes and other objects of the schema.
    pub tables: i64,
    /// Application ID.
    pub application_id: i64,
    /// Version of the tables.
    pub version: i64,
}

impl Header {
    /// The header of a database without tables.
    pub const EMPTY: Self = Self { tables: 0, application_id: 0, version: 0 };

    /// Reads the header in one transaction, because another process may be creating the tables.
    ///
    /// # Errors
    /// Returns the error of SQLite.
    pub fn read(connection: &Connection) -> rusqlite::Result<Self> {
        let transaction = connection.unchecked_transaction()?;
        let number = |sql| transaction.query_row(sql, [], |row| row.get(0));
        Ok(Self {
            tables: number("SELECT count(*) FROM sqlite_schema")?,
            application_id: number("PRAGMA application_id")?,
            version: number("PRAGMA user_version")?,
        })
    }
}

/// Calls `open` until it succeeds, fails permanently, or `timeout` ends. SQLite waits for most
/// locks of other processes, but not for all.
///
/// # Errors
/// Returns the last error of `open`.
pub fn retrying<T, E>(
    timeout: Duration,
    is_temporary: impl Fn(&E) -> bool,
    mut open: impl FnMut() -> Result<T, E>,
) -> Result<T, E> {
    let begun = Instant::now();
    loop {
        match open() {
            Err(error) if is_temporary(&error) && begun.elapsed() < timeout => {
                thread::sleep(PAUSE);
            }
            result => return result,
        }
    }
}

/// Begins a write transaction. Waits for write transactions of other processes.
///
/// # Errors
/// Returns the error of SQLite; `SQLITE_BUSY` after `timeout`.
pub fn begin(connection: &Connection, timeout: Duration) -> rusqlite::Result<()> {
    connection.busy_timeout(Duration::ZERO)?;
    let is_busy =
        |error: &rusqlite::Error| error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy);
    let begun = retrying(timeout, is_busy, || {
        connection.prepare_cached("BEGIN IMMEDIATE").and_then(|mut begin| begin.execute([]))
    });
    connection.busy_timeout(timeout)?;
    begun.map(drop)
}

/// Device and inode, which distinguish files with equal names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Identity(u64, u64);

impl Identity {
    /// Reads the identity of the file with this name; `None` if there is no such file.
    #[cfg(unix)]
    fn of(file: &Path) -> Option<Self> {
        use std::os::unix::fs::MetadataExt;
        std::fs::metadata(file).ok().map(|found| Self(found.dev(), found.ino()))
    }

    /// Returns a constant, because an open file cannot be removed or replaced on this system.
    #[cfg(not(unix))]
    fn of(_: &Path) -> Option<Self> {
        Some(Self(0, 0))
    }
}

/// The files of an open connection. SQLite continues to write to a file that was removed or
/// replaced, and reports success.
///
/// After a connection has read, and while it is open, SQLite in other processes neither deletes nor
/// replaces the `-wal` or the `-shm`. Checkpoints of other processes truncate or restart the
/// existing `-wal`.
#[derive(Clone, Debug)]
pub struct OpenFiles {
    database: (Identity, PathBuf),
    /// The `-wal` and the `-shm`; `None` for a read-only connection.
    sidecars: Option<[(Identity, PathBuf); 2]>,
}

/// Advice about a file that may hold the only copy of a commit. A deleted file exists only until
/// the processes that have opened it stop.
const PUT_BACK: &str = "put the original file back; if it was deleted, first copy it from /proc/PID/fd to another directory, then stop all processes that use it, keep copies of all files, put the copy in its place, and start again";
const RESTART: &str = "restart all processes that use it";

fn check(name: &str, (first, file): &(Identity, PathBuf), advice: &str) -> Result<(), String> {
    match Identity::of(file) == Some(*first) {
        true => Ok(()),
        false => Err(format!("{name} was removed or replaced while it was open; {advice}")),
    }
}

impl OpenFiles {
    /// Returns the files of a database that a connection has opened for writing and has read from;
    /// `None` if a file was just removed.
    ///
    /// `given` is the name as the user wrote it. If one of its symbolic links changes, a later
    /// process opens another file.
    pub fn of(database: &Path, given: &Path) -> Option<Self> {
        let sidecar = |suffix| {
            let file = sidecar(database, suffix);
            Some((Identity::of(&file)?, file))
        };
        Self::with(database, given, Some([sidecar("-wal")?, sidecar("-shm")?]))
    }

    /// Returns the files of a read-only connection, without its `-wal` and `-shm`, which other
    /// processes create and delete; `None` if the database file is missing.
    pub fn read_only(database: &Path, given: &Path) -> Option<Self> {
        Self::with(database, given, None)
    }

    fn with(
        database: &Path,
        given: &Path,
        sidecars: Option<[(Identity, PathBuf); 2]>,
    ) -> Option<Self> {
        Some(Self { database: (Identity::of(database)?, given.to_path_buf()), sidecars })
    }

    /// Checks that all names still refer to the opened files.
    ///
    /// # Errors
    /// Returns the reason and the remedy if a file was removed or replaced.
    pub fn check(&self) -> Result<(), String> {
        self.check_database()?;
        let Some([wal, shm]) = &self.sidecars else { return Ok(()) };
        check("its file `-wal`", wal, PUT_BACK)?;
        check("its file `-shm`", shm, RESTART)
    }

    /// Checks that the name of the database file still refers to the opened file.
    ///
    /// # Errors
    /// Returns the reason and the remedy if the file was removed or replaced.
    pub fn check_database(&self) -> Result<(), String> {
        check("the database file", &self.database, PUT_BACK)
    }

    /// Prepares a connection for its close. The close of the last connection copies its commits to
    /// the database file, and deletes the `-wal` by name. Prevents this if the `-wal` may hold
    /// commits that this connection does not know: if another process has written a new `-wal`, or
    /// has used the same `-wal` with another `-shm`. The next open reads these commits.
    pub fn before_close(&self, connection: &Connection) {
        let Some([(first_wal, wal), (first_shm, shm)]) = &self.sidecars else { return };
        let has_unknown_commits = match Identity::of(wal) {
            None => false,
            Some(found) if found == *first_wal => Identity::of(shm) != Some(*first_shm),
            // A command that failed without the original `-wal` leaves an empty one.
            Some(_) => std::fs::metadata(wal).is_ok_and(|wal| wal.len() > 0),
        };
        if has_unknown_commits {
            let _ = connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true);
        }
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn mount_point_differs_from_file_in_mount() {
        assert!(is_mounted(Path::new("/proc")));
        assert!(!is_mounted(Path::new("/proc/self/status")));
        assert_eq!(escaped(b' '), b"\\040");
    }
}
