//! Copies of a store, for backups and their restore.

use std::fs::OpenOptions;
use std::io::{self, ErrorKind};
use std::path::Path;

use messaging_journal::sqlite::files;

use super::error::StoreError;
use super::model::Counts;
use super::read::{self, Readers};
use super::schema::{self, Place};
use crate::Options;

/// Copies the store at `from`, which may be in use, to the new file `to`. The copy gets its name
/// after it was checked and synced.
pub(crate) fn copy(from: &Path, to: &Path) -> Result<Counts, StoreError> {
    let patience = Options::default().put_timeout;
    let source = Readers::alone(schema::place(from, patience)?);
    source.try_open()?;
    let target = schema::place(to, patience)?;
    // SQLite would apply an existing `-wal` or `-journal` to the copy.
    let files = ["", "-wal", "-shm", "-journal"].map(|end| files::sidecar(&target.path, end));
    if let Some(taken) = files.into_iter().find(|file| file.symlink_metadata().is_ok()) {
        return Err(exists(&target, &taken));
    }
    let partial = files::sidecar(&target.path, &format!(".{:016x}.partial", rand::random::<u64>()));
    let copied = write(&source, &target, &partial);
    if copied.is_err() {
        let _ = std::fs::remove_file(&partial);
    }
    copied
}

fn exists(target: &Place, file: &Path) -> StoreError {
    target.not_set_up(format!(
        "{} exists, and is never replaced; name another file, or stop all processes that use it and move it away",
        file.display()
    ))
}

fn write(source: &Readers, target: &Place, partial: &Path) -> Result<Counts, StoreError> {
    let failed = |error: io::Error| {
        target.not_set_up(format!(
            "{error}; its directory must exist, with space and write permission for this user"
        ))
    };
    let name = partial.to_str().ok_or_else(|| target.not_set_up("its name is not UTF-8"))?;
    files::create(partial).map_err(failed)?;
    // One read transaction, which other processes do not delay.
    source.read("copying it", |connection| {
        // An earlier attempt may have written to the file, which must be empty.
        let _ = OpenOptions::new().write(true).truncate(true).open(partial);
        connection.execute_batch("PRAGMA query_only = OFF")?;
        connection.execute("VACUUM INTO ?1", [name]).map(drop)
    })?;
    let written = OpenOptions::new().read(true).write(true).open(partial);
    written.and_then(|written| written.sync_all()).map_err(failed)?;
    let copy = Readers::alone(schema::place(partial, target.busy)?);
    let (damage, summary) = copy.read("checking the copy", |connection| {
        Ok((schema::damage(connection)?, read::summary(connection)?))
    })?;
    if let Some(detail) = damage {
        return Err(StoreError::Damaged { store: source.place().name(), detail });
    }
    name_it(partial, &target.path).map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => exists(target, &target.path),
        _ => failed(error),
    })?;
    files::sync_directory(&target.path).map_err(failed)?;
    Ok(summary.counts)
}

/// Renames the file without replacing another one.
fn name_it(partial: &Path, to: &Path) -> io::Result<()> {
    match std::fs::hard_link(partial, to) {
        Ok(()) => std::fs::remove_file(partial),
        // The file system has no hard links.
        Err(error) if error.kind() != ErrorKind::AlreadyExists && !to.exists() => {
            std::fs::rename(partial, to)
        }
        Err(error) => Err(error),
    }
}
