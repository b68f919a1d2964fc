//! Runs `serve` as a separate process, and sends deliveries to `serve`. `crate::messaging` returns
//! the path of the program.
#![allow(
    dead_code,
    unreachable_pub,
    unused_imports,
    missing_docs,
    reason = "each test file uses a part of it"
)]

pub mod tls;

use std::io::{BufRead, BufReader, Read};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, ExitStatus, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;
use tokio::io::AsyncRead;

pub use messaging_conformance::delivery::{
    PROOF, Reply, SECRET, body, kept_alive, request, with_secret,
};

/// Sends the bytes and reads until the server closes the connection.
pub async fn exchange(address: SocketAddr, request: &[u8]) -> Reply {
    messaging_conformance::delivery::exchange(address, request).await.unwrap()
}

pub async fn read_reply(stream: &mut (impl AsyncRead + Unpin)) -> Reply {
    messaging_conformance::delivery::read_reply(stream).await.unwrap()
}

pub async fn deliver(address: SocketAddr, key: &str) -> Reply {
    exchange(address, request("/", "", key, &body(key)).as_bytes()).await
}

/// Returns a command that runs the program without the user's settings and state directory.
pub fn program(arguments: &[&str], settings: &[(&str, &str)]) -> Command {
    let mut command = Command::new(crate::messaging());
    command.args(arguments);
    set(&mut command, settings);
    command
}

pub fn set(command: &mut Command, settings: &[(&str, &str)]) {
    #[cfg(unix)]
    handle_signals();
    for (name, _) in std::env::vars_os() {
        let is_setting = |name: &str| {
            let upper = name.to_ascii_uppercase();
            name.starts_with("MESSAGING_") || name == "RUST_LOG" || upper.ends_with("_PROXY")
        };
        if name.to_str().is_some_and(is_setting) {
            command.env_remove(name);
        }
    }
    let state = format!("{}/state-{}", env!("CARGO_TARGET_TMPDIR"), std::process::id());
    command.env("XDG_STATE_HOME", state);
    command.envs(settings.iter().copied());
}

/// Lets started programs receive SIGINT and SIGHUP. A shell ignores SIGINT for the background jobs
/// of a script, and `nohup` ignores SIGHUP. A started program inherits ignored signals, but no
/// handlers.
#[cfg(unix)]
fn handle_signals() {
    use tokio::signal::unix::{SignalKind, signal};
    static HANDLED: std::sync::Once = std::sync::Once::new();
    HANDLED.call_once(|| {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let (handled, ready) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            runtime.block_on(async {
                let mut interrupts = signal(SignalKind::interrupt()).unwrap();
                let _hangups = signal(SignalKind::hangup()).unwrap();
                handled.send(()).unwrap();
                interrupts.recv().await;
            });
            std::process::exit(130);
        });
        ready.recv().unwrap();
    });
}

/// Runs the program until it exits.
pub fn run(arguments: &[&str], settings: &[(&str, &str)]) -> Output {
    program(arguments, settings).output().unwrap()
}

/// Runs the program. Asserts that the program exits with this code and prints only an error.
/// Returns the error.
pub fn refused(arguments: &[&str], settings: &[(&str, &str)], code: i32) -> String {
    refused_by(program(arguments, settings), code)
}

pub fn refused_by(mut command: Command, code: i32) -> String {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let mut ready = String::new();
    output.read_line(&mut ready).unwrap();
    if ready.contains("\"url\"") {
        // The server started, so it would never exit.
        child.kill().unwrap();
    }
    output.read_to_string(&mut ready).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(code), "{ready} {output:?}");
    // With `--json`, only the error is on standard output.
    let Ok(error) = serde_json::from_str::<Value>(&ready) else {
        assert_eq!(ready, "", "{output:?}");
        return stderr(&output);
    };
    let detail = error["error"]["payload"]["detail"].as_str().unwrap();
    format!("error: {detail}\n{}", stderr(&output))
}

/// Asserts that a command exited with this code and reported this reason on standard error.
pub fn assert_fails(output: &Output, code: i32, said: &str) {
    assert_eq!(output.status.code(), Some(code), "{said}: {output:?}");
    assert!(stderr(output).contains(said), "{said}: {output:?}");
}

pub fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

pub fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Parses the only JSON value on standard output.
pub fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"))
}

/// Runs `inbox` on a store and returns its JSON output.
pub fn inbox(store: &Path, arguments: &[&str]) -> Value {
    let all = [&["inbox", "--json", "--store", store.to_str().unwrap()], arguments].concat();
    let output = run(&all, &[]);
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"))
}

/// Returns the keys of all events in a store, in order.
pub fn keys(store: &Path) -> Vec<String> {
    let list = inbox(store, &["list", "--limit", "100000"]);
    list.as_array().unwrap().iter().map(key_of).collect()
}

pub fn key_of(event: &Value) -> String {
    event["idempotency-key"].as_str().unwrap().to_string()
}

/// A store in a temporary directory, for `serve` and `inbox`.
pub struct TestStore {
    folder: TempDir,
    pub path: PathBuf,
}

impl TestStore {
    pub fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("inbox.sqlite");
        Self { folder, path }
    }

    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    fn with_store<'a>(&'a self, arguments: &[&'a str]) -> Vec<&'a str> {
        [&["--store", self.path.to_str().unwrap()], arguments].concat()
    }

    /// Starts `serve` with the store on a free loopback port.
    pub fn serve(&self, arguments: &[&str], settings: &[(&str, &str)]) -> Serving {
        Serving::start(&self.with_store(arguments), settings)
    }

    pub fn serve_on(&self, listen: &str, settings: &[(&str, &str)]) -> Serving {
        Serving::on(listen, &self.with_store(&[]), settings)
    }

    /// Starts `serve` with the store from a shell, after the shell command `first`.
    #[cfg(unix)]
    pub fn serve_after(&self, first: &str) -> Serving {
        let mut command = Command::new("sh");
        command.args(["-c", &format!("{first}; exec \"$0\" \"$@\"")]);
        command.arg(crate::messaging());
        command.args(["serve", "--json", "--listen", "127.0.0.1:0"]).args(self.with_store(&[]));
        set(&mut command, &[]);
        Serving::of(command)
    }

    /// Returns the reason why `serve` does not start. Asserts that no store is created.
    pub fn refused(&self, listen: &str, arguments: &[&str], settings: &[(&str, &str)]) -> String {
        let serve = ["serve", "--json", "--listen", listen];
        let said = refused(&[&serve[..], &self.with_store(arguments)].concat(), settings, 2);
        assert!(!self.path.exists(), "{arguments:?}");
        said
    }

    pub fn inbox(&self, arguments: &[&str]) -> Value {
        inbox(&self.path, arguments)
    }

    pub fn keys(&self) -> Vec<String> {
        keys(&self.path)
    }
}

/// A running `serve`. Killed on drop.
pub struct Serving {
    child: Child,
    stdout: BufReader<ChildStdout>,
    stderr: tempfile::NamedTempFile,
    /// The line that the server prints when it is ready.
    pub ready: String,
    pub url: String,
    pub address: SocketAddr,
}

impl Serving {
    /// Starts `serve` on a free loopback port.
    pub fn start(arguments: &[&str], settings: &[(&str, &str)]) -> Self {
        Self::on("127.0.0.1:0", arguments, settings)
    }

    pub fn on(listen: &str, arguments: &[&str], settings: &[(&str, &str)]) -> Self {
        let all = [&["serve", "--json", "--listen", listen], arguments].concat();
        Self::of(program(&all, settings))
    }

    pub fn of(mut command: Command) -> Self {
        let errors = tempfile::NamedTempFile::new().unwrap();
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(errors.reopen().unwrap());
        let mut child = command.spawn().unwrap();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        let mut ready = String::new();
        stdout.read_line(&mut ready).unwrap();
        let url = serde_json::from_str::<Value>(&ready)
            .ok()
            .and_then(|ready| ready["url"].as_str().map(ToString::to_string))
            .unwrap_or_else(|| {
                panic!("{ready:?} {}", std::fs::read_to_string(errors.path()).unwrap())
            });
        let address = url.split('/').nth(2).unwrap().parse().unwrap();
        Self { child, stdout, stderr: errors, ready, url, address }
    }

    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Returns the log so far.
    pub fn log(&self) -> String {
        std::fs::read_to_string(self.stderr.path()).unwrap()
    }

    /// Sends SIGKILL and waits for the exit.
    pub fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    #[cfg(unix)]
    pub fn terminate(&self) {
        self.signal(rustix::process::Signal::TERM);
    }

    #[cfg(unix)]
    pub fn signal(&self, signal: rustix::process::Signal) {
        use rustix::process::{Pid, kill_process};
        let id = Pid::from_raw(i32::try_from(self.child.id()).unwrap()).unwrap();
        kill_process(id, signal).unwrap();
    }

    /// Waits until the log contains `text`.
    pub async fn logged(&self, text: &str) {
        let logged = async {
            while !self.log().contains(text) {
                tokio::time::sleep(std::time::Duration::from_millis(20)).await;
            }
        };
        let waited = tokio::time::timeout(std::time::Duration::from_secs(60), logged).await;
        waited.unwrap_or_else(|_| panic!("{text:?} is not logged: {}", self.log()));
    }

    /// Waits at most two minutes for the exit. Returns the status and the rest of standard output.
    pub fn wait(&mut self) -> (ExitStatus, String) {
        let deadline = std::time::Instant::now() + std::time::Duration::from_secs(120);
        let status = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status;
            }
            assert!(std::time::Instant::now() < deadline, "still running: {}", self.log());
            std::thread::sleep(std::time::Duration::from_millis(10));
        };
        let mut rest = String::new();
        self.stdout.read_to_string(&mut rest).unwrap();
        (status, rest)
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
