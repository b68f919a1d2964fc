//! PgBouncer in front of a private server, for tests and campaigns.

use std::io::ErrorKind::{NotFound, PermissionDenied, TimedOut};
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use std::{env, fs, io, thread};

use crate::server::{REQUIRED, Server, ServerError, failed, run};

/// PgBouncer in transaction mode on port 6432. Dropping it ends the process.
pub struct Pooler {
    process: Mutex<Child>,
    folder: PathBuf,
}

impl Drop for Pooler {
    fn drop(&mut self) {
        let process = self.process.get_mut().unwrap_or_else(PoisonError::into_inner);
        let _ = process.kill();
        let _ = process.wait();
    }
}

impl Pooler {
    /// Starts PgBouncer with at most `size` sessions of `user` for each database. If PgBouncer is
    /// not installed and [`REQUIRED`] is not set, returns `None` and reports this on standard
    /// error.
    ///
    /// # Errors
    /// Returns `Failed` if PgBouncer does not start.
    pub fn start(server: &Server, user: &str, size: u32) -> Result<Option<Self>, ServerError> {
        let folder = server.folder().join("pooler");
        let mut make = server.as_owner("mkdir");
        make.arg(&folder);
        run(make)?;
        let of = |error| failed("pgbouncer", error);
        let settings = include_str!("pgbouncer.ini")
            .replace("SERVER", &server.folder().display().to_string())
            .replace("FOLDER", &folder.display().to_string())
            .replace("USER", user)
            .replace("SIZE", &size.to_string());
        fs::write(folder.join("ini"), settings).map_err(of)?;
        let process = match spawn(server, &folder) {
            // The error is `PermissionDenied` if the owner of the server has no access to a
            // directory of `PATH`.
            Err(error)
                if matches!(error.kind(), NotFound | PermissionDenied)
                    && env::var_os(REQUIRED).is_none() =>
            {
                eprintln!("NOT RUN: through a pooler: pgbouncer does not start: {error}");
                return Ok(None);
            }
            spawned => Mutex::new(spawned.map_err(of)?),
        };
        let pooler = Self { process, folder };
        for _ in 0..3_000 {
            if pooler.folder.join(".s.PGSQL.6432").exists() {
                return Ok(Some(pooler));
            }
            thread::sleep(Duration::from_millis(10));
        }
        Err(of(TimedOut.into()))
    }

    /// Returns the directory of the socket.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Starts PgBouncer again if it has ended. Version 1.18 can crash after a canceled request.
    /// Returns true if PgBouncer had ended.
    ///
    /// # Errors
    /// Returns `Failed` if PgBouncer does not start.
    pub fn revive(&self, server: &Server) -> Result<bool, ServerError> {
        let mut process = self.process.lock().unwrap_or_else(PoisonError::into_inner);
        let of = |error| failed("pgbouncer", error);
        let has_ended = process.try_wait().map_err(of)?.is_some();
        if has_ended {
            *process = spawn(server, &self.folder).map_err(of)?;
        }
        Ok(has_ended)
    }
}

fn spawn(server: &Server, folder: &Path) -> io::Result<Child> {
    server.as_owner("pgbouncer").arg(folder.join("ini")).stderr(Stdio::null()).spawn()
}
