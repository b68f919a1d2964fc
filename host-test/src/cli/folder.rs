//! A folder for the time of a command.

use std::io;

use tempfile::TempDir;

/// Makes a folder that only this user can enter, gone when it is dropped.
pub fn temporary() -> io::Result<TempDir> {
    let mut builder = tempfile::Builder::new();
    builder.prefix("host-test-");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700));
    builder.tempdir()
}
