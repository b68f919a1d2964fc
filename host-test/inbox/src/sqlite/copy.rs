//! Copies of a store, for backups and their restore.

use std::fs::OpenOptions;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use messaging_journal::sqlite::files;
use rusqlite::{ErrorCode, ffi};

use super::error::StoreError;
use super::model::Counts;
use super::read::{self, Readers};
use super::schema::{self, Location};
use crate::Options;

/// Suffixes of the names of a database's files.
const ENDS: [&str; 4] = ["", "-wal", "-shm", "-journal"];

/// Copies the store at `from`, which may be in use, to the new file `to`. The copy gets the name
/// `to` only after it was checked and synced.
pub(crate) fn copy(from: &Path, to: &Path) -> Result<Counts, StoreError> {
    let timeout = Options::default().put_timeout;
    let source = Readers::without_writer(schema::location(from, timeout)?);
    source.try_open()?;
    let target = schema::location(to, timeout)?;
    if let Some(other) = database_of(&target.path).filter(|other| other.exists()) {
        return Err(target.not_set_up(format!(
            "SQLite would use this file as a part of {}; choose another name",
            other.display()
        )));
    }
    // SQLite would apply an existing `-wal` or `-journal` to the copy.
    let files = ENDS.map(|end| files::sidecar(&target.path, end));
    if let Some(taken) = files.into_iter().find(|file| file.symlink_metadata().is_ok()) {
        return Err(exists(&target, &taken));
    }
    let partial = files::sidecar(&target.path, &format!(".{:016x}.partial", rand::random::<u64>()));
    let copied = write(&source, &target, &partial);
    if copied.is_err() {
        for end in ENDS {
            let _ = std::fs::remove_file(files::sidecar(&partial, end));
        }
    }
    copied
}

/// Returns the database whose `-wal`, `-shm` or `-journal` would have this path.
fn database_of(path: &Path) -> Option<PathBuf> {
    let name = path.file_name()?.to_str()?;
    let mut ends = ENDS.into_iter().filter(|end| !end.is_empty());
    ends.find_map(|end| name.strip_suffix(end)).map(|database| path.with_file_name(database))
}

fn exists(target: &Location, file: &Path) -> StoreError {
    target.not_set_up(format!(
        "{} exists, and is never replaced; name another file, or move the files of the store away after you have stopped its processes",
        file.display()
    ))
}

fn write(source: &Readers, target: &Location, partial: &Path) -> Result<Counts, StoreError> {
    let failed = |error: io::Error| {
        target.not_set_up(format!(
            "{error}; its directory must exist, with space and write permission for this user"
        ))
    };
    let name = partial.to_str().ok_or_else(|| target.not_set_up("its name is not UTF-8"))?;
    files::create(partial).map_err(failed)?;
    // Copies in one read transaction, which other processes do not delay.
    let copied = source.read("copying it", |connection| {
        // The file must be empty, but an earlier attempt may have written to it.
        let _ = OpenOptions::new().write(true).truncate(true).open(partial);
        connection.execute_batch("PRAGMA query_only = OFF")?;
        match connection.execute("VACUUM INTO ?1", [name]) {
            Err(error) if is_of_target(&error) => Ok(Err(error)),
            copied => copied.map(|_| Ok(())),
        }
    })?;
    if let Err(error) = copied {
        // SQLite reports a full disk also if the stored length of a value is damaged.
        let damage = source.read("checking it", schema::damage)?;
        return Err(match damage {
            Some(detail) => StoreError::Damaged { store: source.location().name(), detail },
            None => target.unavailable(format!("{error}; free space for the copy")),
        });
    }
    let written = OpenOptions::new().read(true).write(true).open(partial);
    written.and_then(|written| written.sync_all()).map_err(failed)?;
    let copy = Readers::without_writer(schema::location(partial, target.busy)?);
    let (damage, summary) = copy.read("checking the copy", |connection| {
        Ok((schema::damage(connection)?, read::summary(connection)?))
    })?;
    if let Some(detail) = damage {
        return Err(StoreError::Damaged { store: source.location().name(), detail });
    }
    name_it(partial, &target.path).map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => exists(target, &target.path),
        _ => failed(error),
    })?;
    files::sync_directory(&target.path).map_err(failed)?;
    Ok(summary.counts)
}

/// Returns true if the copy could not be written, for example to a full disk. A failed write never
/// concerns the source, which is only read.
fn is_of_target(error: &rusqlite::Error) -> bool {
    let code = error.sqlite_error().map(|error| error.extended_code);
    error.sqlite_error_code() == Some(ErrorCode::DiskFull) || code == Some(ffi::SQLITE_IOERR_WRITE)
}

/// Renames the file without replacing another file.
fn name_it(partial: &Path, to: &Path) -> io::Result<()> {
    match std::fs::hard_link(partial, to) {
        Ok(()) => std::fs::remove_file(partial),
        // Renames the file if the file system has no hard links.
        Err(error) if error.kind() != ErrorKind::AlreadyExists && !to.exists() => {
            std::fs::rename(partial, to)
        }
        Err(error) => Err(error),
    }
}
