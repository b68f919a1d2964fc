//! Values that are read from files, and read again when the files change: certificates, keys,
//! authorities. After an invalid change, the last valid value stays in use.

use std::fmt;
use std::fs::Metadata;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime};

/// Minimum time between two checks of the files.
const CHECK_EVERY: Duration = Duration::from_secs(1);

type Read<T, E> = Box<dyn Fn() -> Result<T, E> + Send + Sync>;

/// A value that is read from files, and read again when the files change.
pub struct Reloading<T, E> {
    /// Name of the value in the log.
    what: &'static str,
    files: Vec<PathBuf>,
    read: Read<T, E>,
    state: Mutex<State<T>>,
}

struct State<T> {
    value: T,
    /// Versions of the files at the last attempt to read them.
    versions: Vec<Option<Version>>,
    checked: Instant,
}

/// A value that changes with every replacement, write or change of permissions of a file: length,
/// modification time, device, inode, and time of the last change (`ctime`).
type Version = (u64, Option<SystemTime>, [u64; 2], [i64; 2]);

impl<T, E> Reloading<T, E>
where
    T: Clone + Send + 'static,
    E: fmt::Display + 'static,
{
    /// Reads the files for the first time.
    ///
    /// # Errors
    /// Returns the error of `read` if the files are missing or invalid.
    pub fn new(
        what: &'static str,
        files: Vec<PathBuf>,
        read: impl Fn() -> Result<T, E> + Send + Sync + 'static,
    ) -> Result<Arc<Self>, E> {
        // Recorded before the files are read, so the next check finds a later change.
        let versions = versions(&files);
        let state = State { value: read()?, versions, checked: Instant::now() };
        Ok(Arc::new(Self { what, files, read: Box::new(read), state: Mutex::new(state) }))
    }

    /// Returns the current value. Checks the files at most once per second, on a blocking thread.
    pub async fn current(self: &Arc<Self>) -> T {
        {
            let mut state = self.state();
            if state.checked.elapsed() < CHECK_EVERY {
                return state.value.clone();
            }
            state.checked = Instant::now();
        }
        let this = Arc::clone(self);
        let _ = tokio::task::spawn_blocking(move || this.check()).await;
        self.state().value.clone()
    }

    /// Reads the files if they have changed.
    fn check(&self) {
        let versions = versions(&self.files);
        if self.state().versions != versions {
            self.replace(versions);
        }
    }

    /// Reads the files now. If the new value is invalid, logs a warning and keeps the previous
    /// value.
    pub fn reload(&self) {
        self.replace(versions(&self.files));
    }

    fn replace(&self, versions: Vec<Option<Version>>) {
        let what = self.what;
        // Reads only regular files, because opening a named pipe would wait for its writer.
        if let Some((file, _)) = self.files.iter().zip(&versions).find(|(_, found)| found.is_none())
        {
            tracing::warn!(what, ?file, "missing or not a file; the previous value stays in use");
            self.state().versions = versions;
            return;
        }
        let read = (self.read)();
        let mut state = self.state();
        // Set even after a failure, so each invalid version is logged once.
        state.versions = versions;
        match read {
            Ok(value) => {
                state.value = value;
                tracing::info!(what, "reloaded");
            }
            Err(error) => {
                tracing::warn!(what, %error, "not reloaded; the previous value stays in use");
            }
        }
    }

    fn state(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns the version of each file; `None` if it is missing or not a regular file.
fn versions(files: &[PathBuf]) -> Vec<Option<Version>> {
    let found = |file| std::fs::metadata(file).ok().filter(Metadata::is_file);
    files.iter().map(|file| found(file).as_ref().map(version)).collect()
}

fn version(file: &Metadata) -> Version {
    #[cfg(unix)]
    let (inode, changed) = {
        use std::os::unix::fs::MetadataExt;
        ([file.dev(), file.ino()], [file.ctime(), file.ctime_nsec()])
    };
    #[cfg(not(unix))]
    let (inode, changed) = ([0; 2], [0; 2]);
    (file.len(), file.modified().ok(), inode, changed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn invalid_change_keeps_earlier_value() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("number");
        fs::write(&file, "1").unwrap();
        let path = file.clone();
        let read = move || {
            let text = fs::read_to_string(&path).map_err(|error| error.to_string())?;
            text.parse::<u32>().map_err(|error| error.to_string())
        };
        let value = Reloading::new("a number", vec![file.clone()], read).unwrap();
        let now = || {
            value.check();
            value.state().value
        };
        assert_eq!(now(), 1);
        fs::write(&file, "22").unwrap();
        assert_eq!(now(), 22);
        for invalid in ["", "2x"] {
            fs::write(&file, invalid).unwrap();
            assert_eq!(now(), 22, "{invalid:?}");
        }
        fs::remove_file(&file).unwrap();
        assert_eq!(now(), 22);
        // Replaces the file with a file of equal length.
        let other = folder.path().join("other");
        fs::write(&other, "33").unwrap();
        fs::rename(&other, &file).unwrap();
        assert_eq!(now(), 33);
        #[cfg(unix)]
        {
            fs::remove_file(&file).unwrap();
            let made = std::process::Command::new("mkfifo").arg(&file).status();
            assert!(made.unwrap().success());
            assert_eq!(now(), 33);
        }
    }
}
