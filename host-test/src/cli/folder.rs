//! Temporary directories of commands.

use std::io;

use tempfile::TempDir;

/// Creates a directory that only this user can access. Dropping the result removes the directory.
///
/// # Errors
/// Returns an error if the directory cannot be created.
pub fn temporary() -> io::Result<TempDir> {
    let mut builder = tempfile::Builder::new();
    builder.prefix("messaging-");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700));
    builder.tempdir()
}
