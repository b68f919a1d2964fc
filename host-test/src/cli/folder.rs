//! A folder for the time of a command.

use std::path::{Path, PathBuf};

/// A folder that only this user can enter, gone when it is dropped.
pub struct Folder(PathBuf);

impl Folder {
    /// Makes one.
    pub fn new() -> std::io::Result<Self> {
        let path = std::env::temp_dir().join(format!("host-test-{:016x}", rand::random::<u64>()));
        let mut builder = std::fs::DirBuilder::new();
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(&path)?;
        Ok(Self(path))
    }

    /// Path of the folder.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Leaves it there.
    pub fn keep(self) -> PathBuf {
        let path = self.0.clone();
        std::mem::forget(self);
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
