//! A private server of PostgreSQL in a folder of its own, on a socket: for tests and campaigns. It
//! ends with the process that started it, and its folder with it.

use std::io::Write;
use std::os::unix::fs::{PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::Target;

/// Set to anything, a test that needs PostgreSQL fails where there is none.
pub const REQUIRED: &str = "REQUIRE_POSTGRES";

/// The role that owns everything.
const ROLE: &str = "inbox";
/// Time for a server to come up or to end, on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// Why there is no server.
#[derive(Debug, thiserror::Error)]
pub enum ServerError {
    /// The machine has none, or nobody that it can run as.
    #[error("no PostgreSQL ({0})")]
    Missing(String),
    /// A program failed.
    #[error("{0}")]
    Failed(String),
}

fn failed(what: &str, error: impl std::fmt::Display) -> ServerError {
    ServerError::Failed(format!("{what}: {error}"))
}

/// Its programs, and who may run them.
#[derive(Clone, Debug)]
struct Installed {
    programs: PathBuf,
    /// User and group that take root's place, which the server refuses.
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
        let programs = versions.iter().rfind(has).ok_or_else(|| missing("initdb is not there"))?;
        let owner = match rustix::process::geteuid().is_root() {
            false => None,
            true => Some(
                ["postgres", "nobody"]
                    .iter()
                    .find_map(|name| ids(name))
                    .ok_or_else(|| missing("it does not run as root, and there is nobody else"))?,
            ),
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

fn run(mut command: Command) -> Result<String, ServerError> {
    let program = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|error| failed(&program, error))?;
    if !output.status.success() {
        return Err(failed(&program, String::from_utf8_lossy(&output.stderr)));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// A running server, or one that was stopped and can be started again.
pub struct Server {
    installed: Installed,
    folder: PathBuf,
    settings: Vec<String>,
    /// Ends the server when this process has gone.
    keeper: Mutex<Option<Child>>,
}

/// How a server ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// After what is under way is cut off, in good order.
    Fast,
    /// As a crash: it recovers at its next start.
    Immediate,
    /// By SIGKILL.
    Killed,
}

impl Server {
    /// Makes a server and starts it, with settings as `NAME=VALUE`.
    ///
    /// # Errors
    /// The machine has none, or it does not start.
    pub fn start(settings: &[&str]) -> Result<Self, ServerError> {
        Self::start_in(&std::env::temp_dir(), settings)
    }

    /// The same, with its folder in `place`, which may be another disk.
    ///
    /// # Errors
    /// The machine has none, or it does not start.
    pub fn start_in(place: &Path, settings: &[&str]) -> Result<Self, ServerError> {
        let server = Self::new(place, settings)?;
        let mut make = server.installed.command("initdb");
        make.arg("-D").arg(server.data()).args(["-U", ROLE, "-A", "trust", "-E", "UTF8"]);
        run({
            make.args(["--no-locale", "--no-sync"]);
            make
        })?;
        server.go()?;
        Ok(server)
    }

    /// Makes a standby of a primary and starts it. The primary has the settings that it needs
    /// from its first version on.
    ///
    /// # Errors
    /// The copy fails, or it does not start.
    pub fn standby_of(primary: &Self, name: &str) -> Result<Self, ServerError> {
        // A standby needs room for what its primary has, and waits for no standby of its own.
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

    fn new(place: &Path, settings: &[&str]) -> Result<Self, ServerError> {
        let installed = Installed::find()?;
        let folder = tempfile::Builder::new()
            .prefix("pg")
            .permissions(std::fs::Permissions::from_mode(0o755))
            .tempdir_in(place)
            .map_err(|error| failed("its folder", error))?
            .keep();
        if let Some((user, group)) = installed.owner {
            chown(&folder, Some(user), Some(group)).map_err(|error| failed("its folder", error))?;
        }
        let settings = settings.iter().map(ToString::to_string).collect();
        Ok(Self { installed, folder, settings, keeper: Mutex::default() })
    }

    /// The port, which is in the name of its socket too.
    fn port(&self) -> &str {
        let mut ports = self.settings.iter().filter_map(|one| one.strip_prefix("port="));
        ports.next_back().unwrap_or("5432")
    }

    fn data(&self) -> PathBuf {
        self.folder.join("data")
    }

    /// The folder of its socket.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The folder of its programs.
    #[must_use]
    pub fn programs(&self) -> &Path {
        &self.installed.programs
    }

    /// A program that runs as the server's owner, with an empty standard input.
    #[must_use]
    pub fn as_owner(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        self.installed.as_owner(&mut command);
        command
    }

    /// The URL of one of its databases.
    #[must_use]
    pub fn url(&self, database: &str) -> String {
        let (folder, port) = (self.folder.display(), self.port());
        format!("postgres:///{database}?host={folder}&user={ROLE}&port={port}")
    }

    /// One of its databases.
    ///
    /// # Errors
    /// The name is none.
    pub fn target(&self, database: &str) -> Result<Target, ServerError> {
        self.url(database).parse().map_err(|error| failed("its URL", error))
    }

    /// Starts it again after its end.
    ///
    /// # Errors
    /// It does not come up.
    pub fn go(&self) -> Result<(), ServerError> {
        // A shell that waits for the end of its input ends the server with this process, however
        // that ends.
        const KEEP: &str = "\"$@\" & server=$!; read -r end && { wait $server; exit; }; \
            kill -QUIT $server 2> /dev/null; wait $server; rm -rf \"$FOLDER\"";
        let log = std::fs::File::options()
            .create(true)
            .append(true)
            .open(self.folder.join("log"))
            .map_err(|error| failed("its log", error))?;
        let mut command = self.as_owner("sh");
        command.args(["-c", KEEP, "sh"]).arg(self.installed.programs.join("postgres"));
        command.arg("-D").arg(self.data()).arg("-k").arg(&self.folder);
        command.args(["-c", "listen_addresses="]);
        for setting in &self.settings {
            command.args(["-c", setting]);
        }
        command.env("FOLDER", &self.folder);
        let errors = log.try_clone().map_err(|error| failed("its log", error))?;
        command.stdin(Stdio::piped()).stdout(log).stderr(errors);
        // So that a signal of the terminal reaches the tests alone.
        command.process_group(0);
        let keeper = command.spawn().map_err(|error| failed("sh", error))?;
        *self.keeper() = Some(keeper);
        let ready = || self.sql("postgres", "SELECT 1").is_ok();
        // After SIGKILL its processes may be there for a moment, and keep the next from starting.
        let begun = Instant::now();
        while !ready() && begun.elapsed() < PATIENCE {
            let gone =
                self.pid().is_none_or(|pid| rustix::process::test_kill_process(pid).is_err());
            if gone && begun.elapsed() > Duration::from_millis(300) {
                self.let_go();
                return self.go();
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        self.wait(ready, "it does not come up")
    }

    /// Has the shell wait for a server that ends by itself.
    fn let_go(&self) {
        if let Some(mut keeper) = self.keeper().take() {
            if let Some(mut input) = keeper.stdin.take() {
                let _ = input.write_all(b"\n");
            }
            let _ = keeper.wait();
        }
    }

    fn keeper(&self) -> std::sync::MutexGuard<'_, Option<Child>> {
        self.keeper.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait(&self, until: impl Fn() -> bool, problem: &str) -> Result<(), ServerError> {
        let begun = Instant::now();
        while !until() {
            if begun.elapsed() > PATIENCE {
                let log = std::fs::read_to_string(self.folder.join("log")).unwrap_or_default();
                return Err(failed(problem, log));
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        Ok(())
    }

    fn pid(&self) -> Option<Pid> {
        let text = std::fs::read_to_string(self.data().join("postmaster.pid")).ok()?;
        Pid::from_raw(text.lines().next()?.trim().parse().ok()?)
    }

    /// Ends it; [`go`](Self::go) starts it again.
    ///
    /// # Errors
    /// It does not end.
    pub fn stop(&self, end: End) -> Result<(), ServerError> {
        let signal = match end {
            End::Fast => Signal::INT,
            End::Immediate => Signal::QUIT,
            End::Killed => Signal::KILL,
        };
        let Some(pid) = self.pid() else { return Ok(()) };
        let _ = kill_process(pid, signal);
        self.let_go();
        self.wait(|| rustix::process::test_kill_process(pid).is_err(), "it does not end")
    }

    /// Runs SQL as the owner, with `psql`; returns its rows, with `|` between columns.
    ///
    /// # Errors
    /// The database's.
    pub fn sql(&self, database: &str, sql: &str) -> Result<String, ServerError> {
        let mut command = self.installed.command("psql");
        command.args(["-XAtq", "-v", "ON_ERROR_STOP=1", "-U", ROLE, "-d", database, "-p"]);
        command.arg(self.port()).arg("-h").arg(&self.folder).args(["-c", sql]);
        Ok(run(command)?.trim_end().to_string())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if let Some(mut keeper) = self.keeper().take() {
            drop(keeper.stdin.take());
            let _ = keeper.wait();
        } else {
            let _ = std::fs::remove_dir_all(&self.folder);
        }
    }
}
