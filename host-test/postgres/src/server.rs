//! A private PostgreSQL server for tests and campaigns, in a temporary directory and on a Unix
//! socket. When the process that started the server ends, the server stops and its directory is
//! removed.

use std::io::Write;
use std::os::unix::fs::{PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::Target;
pub use crate::pooler::Pooler;

/// Environment variable. If set to any value, tests that need PostgreSQL fail when it is not
/// installed.
pub const REQUIRED: &str = "REQUIRE_POSTGRES";

/// The role that owns all databases.
const ROLE: &str = "inbox";
/// Maximum time for a start or a stop on a busy machine.
const TIMEOUT: Duration = Duration::from_secs(180);
/// Interval between two checks of the server.
const LOOK_AGAIN: Duration = Duration::from_millis(10);
/// Delay before a restart if the server ended during its start.
const AFTER_FAILURE: Duration = Duration::from_millis(100);

/// A failure to find or run a server.
#[derive(Debug, thiserror::Error)]
pub enum ServerError {
    /// PostgreSQL is not installed, or this process is root and the machine has no account
    /// to run it.
    #[error("no PostgreSQL ({0})")]
    Missing(String),
    /// A program of PostgreSQL failed.
    #[error("{0}")]
    Failed(String),
}

pub(crate) fn failed(what: &str, error: impl std::fmt::Display) -> ServerError {
    ServerError::Failed(format!("{what}: {error}"))
}

/// The installed programs of PostgreSQL and the account that runs them.
#[derive(Clone, Debug)]
struct Installed {
    programs: PathBuf,
    /// User and group IDs for the server if this process is root, because the server refuses to run
    /// as root.
    owner: Option<(u32, u32)>,
}

impl Installed {
    fn find() -> Result<Self, ServerError> {
        let missing = |what: &str| ServerError::Missing(what.to_string());
        let mut versions: Vec<PathBuf> = std::fs::read_dir("/usr/lib/postgresql")
            .map(|folders| folders.flatten().map(|folder| folder.path().join("bin")).collect())
            .unwrap_or_default();
        versions.sort();
        let in_path = std::env::var_os("PATH").unwrap_or_default();
        versions.extend(std::env::split_paths(&in_path));
        let has = |folder: &&PathBuf| {
            ["initdb", "postgres", "psql"].iter().all(|name| folder.join(name).is_file())
        };
        let programs = versions.iter().rfind(has).ok_or_else(|| missing("initdb was not found"))?;
        let owner =
            match rustix::process::geteuid().is_root() {
                false => None,
                true => Some(["postgres", "nobody"].iter().find_map(|name| ids(name)).ok_or_else(
                    || missing("root cannot run the server, and no account for it exists"),
                )?),
            };
        Ok(Self { programs: programs.clone(), owner })
    }

    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(self.programs.join(program));
        self.as_owner(&mut command);
        command
    }

    fn as_owner(&self, command: &mut Command) {
        if let Some((user, group)) = self.owner {
            command.uid(user).gid(group);
        }
        command.current_dir("/").env("LC_ALL", "C").stdin(Stdio::null());
        for (name, _) in std::env::vars_os() {
            if name.to_str().is_some_and(|name| name.starts_with("PG")) {
                command.env_remove(name);
            }
        }
    }
}

fn ids(name: &str) -> Option<(u32, u32)> {
    let users = std::fs::read_to_string("/etc/passwd").ok()?;
    let line = users.lines().find(|line| line.split(':').next() == Some(name))?;
    let mut fields = line.split(':').skip(2).map(str::parse);
    Some((fields.next()?.ok()?, fields.next()?.ok()?))
}

pub(crate) fn run(mut command: Command) -> Result<String, ServerError> {
    let program = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|error| failed(&program, error))?;
    if !output.status.success() {
        return Err(failed(&program, String::from_utf8_lossy(&output.stderr)));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// A server, running or stopped.
pub struct Server {
    installed: Installed,
    folder: PathBuf,
    settings: Vec<String>,
    running: Mutex<Option<Running>>,
}

/// Processes of a running server.
struct Running {
    server: Child,
    /// A child process that ends the server after this process has ended.
    keeper: Child,
}

impl Running {
    fn has_ended(&mut self) -> bool {
        matches!(self.server.try_wait(), Ok(Some(_)))
    }

    /// Ends the keeper of a server that has ended.
    fn let_go(mut self) {
        if let Some(mut input) = self.keeper.stdin.take() {
            let _ = input.write_all(b"\n");
        }
        let _ = self.keeper.wait();
    }
}

/// A way to stop a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Disconnects the clients and shuts down cleanly (SIGINT).
    Fast,
    /// Stops without a checkpoint (SIGQUIT). The next start recovers the database.
    Immediate,
    /// Kills the server (SIGKILL).
    Killed,
}

impl Server {
    /// Creates a server in the temporary directory and starts it. Settings have the form
    /// `NAME=VALUE`.
    ///
    /// # Errors
    /// Returns `Missing` if PostgreSQL is not installed, and `Failed` if the server does
    /// not start.
    pub fn start(settings: &[&str]) -> Result<Self, ServerError> {
        Self::start_in(&std::env::temp_dir(), settings)
    }

    /// Creates a server and starts it. If PostgreSQL is not installed, returns `None` and writes a
    /// line that names the thread of the test.
    ///
    /// # Errors
    /// Returns the errors of [`start`](Self::start), but `Missing` only if [`REQUIRED`] is set.
    pub fn if_installed(settings: &[&str]) -> Result<Option<Self>, ServerError> {
        match Self::start(settings) {
            Err(ServerError::Missing(why)) if std::env::var_os(REQUIRED).is_none() => {
                let thread = std::thread::current();
                let name = thread.name().unwrap_or_default();
                let _ = writeln!(std::io::stderr(), "NOT RUN: {name}: no PostgreSQL ({why})");
                Ok(None)
            }
            started => started.map(Some),
        }
    }

    /// Creates a server in a new directory below `parent` and starts it. `parent` may be on another
    /// disk than temporary files.
    ///
    /// # Errors
    /// Returns `Missing` if PostgreSQL is not installed, and `Failed` if the server does
    /// not start.
    pub fn start_in(parent: &Path, settings: &[&str]) -> Result<Self, ServerError> {
        let server = Self::new(parent, settings)?;
        let mut make = server.installed.command("initdb");
        make.arg("-D").arg(server.data()).args(["-U", ROLE, "-A", "trust", "-E", "UTF8"]);
        run({
            make.args(["--no-locale", "--no-sync"]);
            make
        })?;
        server.go()?;
        Ok(server)
    }

    /// Creates a standby of `primary` and starts it. PostgreSQL's default settings permit a
    /// standby.
    ///
    /// # Errors
    /// Returns `Failed` if the base backup fails or the standby does not start.
    pub fn standby_of(primary: &Self, name: &str) -> Result<Self, ServerError> {
        // A standby requires the limits of its primary, but must not wait for another standby.
        let settings = primary.settings.iter().map(String::as_str);
        let settings: Vec<_> =
            settings.filter(|one| !one.starts_with("synchronous_standby_names")).collect();
        let standby = Self::new(&std::env::temp_dir(), &settings)?;
        let mut copy = standby.installed.command("pg_basebackup");
        copy.arg("-D").arg(standby.data()).args(["-R", "-X", "stream", "-c", "fast", "--no-sync"]);
        copy.arg("-d")
            .arg(format!("host={} user={ROLE} application_name={name}", primary.folder.display()));
        run(copy)?;
        standby.go()?;
        Ok(standby)
    }

    fn new(parent: &Path, settings: &[&str]) -> Result<Self, ServerError> {
        let installed = Installed::find()?;
        let folder = tempfile::Builder::new()
            .prefix("pg")
            .permissions(std::fs::Permissions::from_mode(0o755))
            .tempdir_in(parent)
            .map_err(|error| failed("directory", error))?
            .keep();
        if let Some((user, group)) = installed.owner {
            chown(&folder, Some(user), Some(group)).map_err(|error| failed("directory", error))?;
        }
        let settings = settings.iter().map(ToString::to_string).collect();
        Ok(Self { installed, folder, settings, running: Mutex::default() })
    }

    /// Returns the port, which is also part of the socket's name.
    fn port(&self) -> &str {
        let mut ports = self.settings.iter().filter_map(|one| one.strip_prefix("port="));
        ports.next_back().unwrap_or("5432")
    }

    fn data(&self) -> PathBuf {
        self.folder.join("data")
    }

    /// Returns the directory of the socket.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns the directory of the PostgreSQL programs.
    pub fn programs(&self) -> &Path {
        &self.installed.programs
    }

    /// Returns a command that runs as the account of the server, with an empty standard input.
    pub fn as_owner(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        self.installed.as_owner(&mut command);
        command
    }

    /// Returns the URL of a database on this server.
    pub fn url(&self, database: &str) -> String {
        let (folder, port) = (self.folder.display(), self.port());
        format!("postgres:///{database}?host={folder}&user={ROLE}&port={port}")
    }

    /// Returns a database on this server.
    ///
    /// # Errors
    /// Returns `Failed` if `database` is not a valid name.
    pub fn target(&self, database: &str) -> Result<Target, ServerError> {
        self.url(database).parse().map_err(|error| failed("its URL", error))
    }

    /// Starts the server after a stop or a crash.
    ///
    /// # Errors
    /// Returns `Failed` if the server does not accept connections.
    pub fn go(&self) -> Result<(), ServerError> {
        let begun = Instant::now();
        let mut running = self.spawn()?;
        while self.sql("postgres", "SELECT 1").is_err() {
            if begun.elapsed() > TIMEOUT {
                *self.running() = Some(running);
                return Err(self.failed("PostgreSQL does not start"));
            }
            if running.has_ended() {
                // After SIGKILL, remaining processes can prevent a start for a moment.
                running.let_go();
                std::thread::sleep(AFTER_FAILURE);
                running = self.spawn()?;
            }
            std::thread::sleep(LOOK_AGAIN);
        }
        *self.running() = Some(running);
        Ok(())
    }

    fn spawn(&self) -> Result<Running, ServerError> {
        // The keeper stops the server when its own standard input ends, which also happens if this
        // process is killed. It then waits up to 30 s for the end of the server, because an
        // orphaned server may be reaped late.
        const KEEP: &str = "read -r end && exit; kill -QUIT $0; \
            for _ in $(seq 300); do kill -0 $0 || break; sleep 0.1; done; rm -rf \"$1\"";
        let log = std::fs::File::options()
            .create(true)
            .append(true)
            .open(self.folder.join("log"))
            .map_err(|error| failed("its log", error))?;
        let mut command = self.installed.command("postgres");
        command.arg("-D").arg(self.data()).arg("-k").arg(&self.folder);
        command.args(["-c", "listen_addresses="]);
        for setting in &self.settings {
            command.args(["-c", setting]);
        }
        let errors = log.try_clone().map_err(|error| failed("its log", error))?;
        // A signal of the terminal must reach only the tests.
        command.stdout(log).stderr(errors).process_group(0);
        let mut server = command.spawn().map_err(|error| failed("postgres", error))?;
        let mut keep = self.as_owner("sh");
        keep.args(["-c", KEEP, &server.id().to_string()]).arg(&self.folder).process_group(0);
        keep.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        match keep.spawn() {
            Ok(keeper) => Ok(Running { server, keeper }),
            Err(error) => {
                let _ = server.kill();
                let _ = server.wait();
                Err(failed("sh", error))
            }
        }
    }

    fn running(&self) -> MutexGuard<'_, Option<Running>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn failed(&self, problem: &str) -> ServerError {
        failed(problem, std::fs::read_to_string(self.folder.join("log")).unwrap_or_default())
    }

    /// Stops the server. [`go`](Self::go) starts it again.
    ///
    /// # Errors
    /// Returns `Failed` if the server does not end.
    pub fn stop(&self, end: End) -> Result<(), ServerError> {
        let signal = match end {
            End::Fast => Signal::INT,
            End::Immediate => Signal::QUIT,
            End::Killed => Signal::KILL,
        };
        let Some(mut running) = self.running().take() else { return Ok(()) };
        if let Some(pid) = i32::try_from(running.server.id()).ok().and_then(Pid::from_raw)
            && !running.has_ended()
        {
            let _ = kill_process(pid, signal);
        }
        let begun = Instant::now();
        while !running.has_ended() {
            if begun.elapsed() > TIMEOUT {
                *self.running() = Some(running);
                return Err(self.failed("PostgreSQL does not stop"));
            }
            std::thread::sleep(LOOK_AGAIN);
        }
        running.let_go();
        Ok(())
    }

    /// Runs SQL as the owner with `psql`. Returns the rows, with `|` between columns.
    ///
    /// # Errors
    /// Returns `Failed` if `psql` fails.
    pub fn sql(&self, database: &str, sql: &str) -> Result<String, ServerError> {
        let mut command = self.installed.command("psql");
        command.args(["-XAtq", "-v", "ON_ERROR_STOP=1", "-U", ROLE, "-d", database, "-p"]);
        command.arg(self.port()).arg("-h").arg(&self.folder).args(["-c", sql]);
        Ok(run(command)?.trim_end().to_string())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if let Some(mut running) = self.running().take() {
            drop(running.keeper.stdin.take());
            // Reaps the server first, because the keeper waits until the server is reaped.
            let _ = running.server.wait();
            let _ = running.keeper.wait();
        } else {
            let _ = std::fs::remove_dir_all(&self.folder);
        }
    }
}
