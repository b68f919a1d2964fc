//! `serve` as a process of its own: started, signalled, killed.

use std::net::SocketAddr;
use std::path::Path;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use anyhow::Context;
use serde_json::Value;
use tokio::io::{AsyncBufReadExt, BufReader, Lines};
use tokio::process::{Child, ChildStdout, Command};

/// Time for a process to come up or to end, on a busy machine.
pub(crate) const TIMEOUT: Duration = Duration::from_secs(30);

/// The program without any settings of whoever runs it, killed when it is dropped. It logs
/// errors alone.
pub(crate) fn command(program: &Path) -> Command {
    let mut command = Command::new(program);
    only_own_settings(&mut command);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).kill_on_drop(true);
    command
}

/// Takes from a process the settings of whoever starts it.
pub(crate) fn only_own_settings(command: &mut Command) {
    for (name, _) in std::env::vars_os() {
        if name.to_str().is_some_and(|name| name.starts_with("MESSAGING_")) {
            command.env_remove(name);
        }
    }
    command.env("RUST_LOG", "error");
}

/// A process that runs `serve --json`. It is killed when it is dropped.
pub(crate) struct Serving {
    child: Child,
    output: Lines<BufReader<ChildStdout>>,
    address: SocketAddr,
}

impl Serving {
    /// Starts it, and waits until it listens.
    pub(crate) async fn start(mut command: Command) -> anyhow::Result<Self> {
        let mut child = command.spawn().context("the receiving process does not start")?;
        let output = child.stdout.take().context("the process has no output")?;
        let mut output = BufReader::new(output).lines();
        let line = tokio::time::timeout(TIMEOUT, output.next_line())
            .await
            .ok()
            .context("the receiving process does not come up")??
            .context("the receiving process ended before it listened: its store does not open")?;
        let ready: Value = serde_json::from_str(&line)?;
        let url = ready.get("url").and_then(Value::as_str).unwrap_or_default();
        let address = url.split('/').nth(2).and_then(|address| address.parse().ok());
        let address = address.with_context(|| format!("{line} names no address"))?;
        Ok(Self { child, output, address })
    }

    /// Returns where it listens.
    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// Kills it with SIGKILL, and waits until it is gone.
    pub(crate) async fn kill(&mut self) {
        let _ = self.child.kill().await;
    }

    /// Sends it a signal.
    #[cfg(unix)]
    pub(crate) fn signal(&self, signal: rustix::process::Signal) {
        signal_to(&self.child, signal);
    }

    /// Waits for its end.
    pub(crate) async fn ended(&mut self) -> anyhow::Result<ExitStatus> {
        let ended = tokio::time::timeout(TIMEOUT, self.child.wait()).await;
        Ok(ended.ok().context("the receiving process does not end")??)
    }

    /// Returns the next line of its output.
    pub(crate) async fn next_line(&mut self) -> anyhow::Result<Option<String>> {
        let line = tokio::time::timeout(TIMEOUT, self.output.next_line()).await;
        Ok(line.ok().context("the receiving process says nothing")??)
    }
}

/// Sends a signal to a process that has not ended.
#[cfg(unix)]
pub(crate) fn signal_to(child: &Child, signal: rustix::process::Signal) {
    let id = child.id().and_then(|id| i32::try_from(id).ok());
    if let Some(id) = id.and_then(rustix::process::Pid::from_raw) {
        let _ = rustix::process::kill_process(id, signal);
    }
}
