//! The receiving process: started, killed, started again on the same port.

use std::net::SocketAddr;
use std::path::Path;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use anyhow::{Context, ensure};
use serde_json::Value;
use tokio::io::{AsyncBufReadExt, BufReader, Lines};
use tokio::process::{Child, ChildStdout, Command};

use super::{Inbox, Options};

/// Time for a process to come up, on a busy machine.
const START_TIMEOUT: Duration = Duration::from_secs(30);

/// A process that runs `serve`.
pub struct Receiver {
    child: Child,
    output: Lines<BufReader<ChildStdout>>,
    address: SocketAddr,
}

impl Receiver {
    /// Starts a process on the store in `folder`, and waits until it listens.
    pub async fn start(
        options: &Options,
        folder: &Path,
        address: Option<SocketAddr>,
        kill_at: Option<u64>,
    ) -> anyhow::Result<Self> {
        std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
        let listen = address.unwrap_or_else(|| SocketAddr::from(([127, 0, 0, 1], 0)));
        let mut command = Command::new(&options.program);
        command.args(["serve", "--json", "--listen", &listen.to_string()]);
        command.arg("--cache").arg(&options.cache);
        match options.inbox {
            Inbox::Sqlite => command.arg("--store").arg(folder.join(STORE)),
            Inbox::Files => command.arg("--files").arg(folder),
            Inbox::Keyvalue => command.arg("--keyvalue").arg("--store").arg(folder.join(STORE)),
        };
        if let Some(kill_at) = kill_at {
            command.args(["--kill-at", &kill_at.to_string()]);
        }
        // The campaign's settings are its own.
        for (name, _) in std::env::vars_os() {
            if name.to_str().is_some_and(|name| name.starts_with("MESSAGING_")) {
                command.env_remove(name);
            }
        }
        command.env("RUST_LOG", "error");
        command.stdin(Stdio::null()).stdout(Stdio::piped()).kill_on_drop(true);
        let mut child = command.spawn().with_context(|| options.program.display().to_string())?;
        let output = child.stdout.take().context("the process has no output")?;
        let mut output = BufReader::new(output).lines();
        let line = tokio::time::timeout(START_TIMEOUT, output.next_line())
            .await
            .ok()
            .context("the receiving process does not come up")??
            .context("the receiving process ended before it listened: its store does not open")?;
        let ready: Value = serde_json::from_str(&line)?;
        let url = ready.get("url").and_then(Value::as_str).unwrap_or_default();
        let address = url.trim_start_matches("http://").trim_end_matches('/').parse();
        let address = address.ok().with_context(|| format!("{line} names no address"))?;
        Ok(Self { child, output, address })
    }

    pub fn address(&self) -> SocketAddr {
        self.address
    }

    pub fn url(&self) -> String {
        format!("http://{}/", self.address)
    }

    /// Kills it with SIGKILL, and waits until it is gone.
    pub async fn kill(&mut self) {
        let _ = self.child.kill().await;
    }

    /// Waits for a process that kills itself.
    pub async fn killed(&mut self) -> anyhow::Result<()> {
        let status = tokio::time::timeout(START_TIMEOUT, self.child.wait())
            .await
            .ok()
            .context("the process was to be killed at a point that it did not reach")??;
        ensure!(was_killed(status), "the process ended with {status}");
        Ok(())
    }

    /// Ends it in good order; the number of boundary points that it passed.
    pub async fn stop(&mut self) -> anyhow::Result<u64> {
        #[cfg(unix)]
        if let Some(id) = self.child.id().and_then(|id| i32::try_from(id).ok())
            && let Some(id) = rustix::process::Pid::from_raw(id)
        {
            let _ = rustix::process::kill_process(id, rustix::process::Signal::TERM);
        }
        let line = tokio::time::timeout(START_TIMEOUT, self.output.next_line())
            .await
            .ok()
            .context("the receiving process does not stop")??
            .context("the receiving process counted nothing")?;
        let counted: Value = serde_json::from_str(&line)?;
        let points = counted.get("boundary-points").and_then(Value::as_u64);
        let _ = self.child.wait().await;
        points.filter(|points| *points > 0).with_context(|| format!("{line} counts no points"))
    }
}

/// The file of a store in a campaign's folder.
pub const STORE: &str = "inbox.sqlite";

fn was_killed(status: ExitStatus) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::process::ExitStatusExt;
        status.signal() == Some(9)
    }
    #[cfg(not(unix))]
    {
        !status.success()
    }
}
