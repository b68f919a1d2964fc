//! The receiving process: started, killed, started again on the same port.

use std::path::Path;

use anyhow::{Context, ensure};

use super::{Inbox, Options};
use crate::process::{self, Address, Serving, was_killed};

/// A process that runs `serve`, or `webhook-worker` for a component that keeps events itself.
pub struct Receiver(Serving);

impl Receiver {
    /// Starts a process on the store in `folder`, and waits until it listens.
    pub async fn start(
        options: &Options,
        folder: &Path,
        address: &Address,
        kill_at: Option<u64>,
    ) -> anyhow::Result<Self> {
        std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
        let mut command = process::command(&options.kills.program);
        let keeps_events = matches!(options.inbox, Inbox::Files | Inbox::Keyvalue);
        command.arg(if keeps_events { "webhook-worker" } else { "serve" });
        command.args(["--json", "--listen", &address.get().to_string()]);
        command.arg("--cache").arg(&options.kills.cache);
        match options.inbox {
            Inbox::Sqlite => command.arg("--store").arg(folder.join(STORE)),
            Inbox::Files => command.arg("--files").arg(folder),
            Inbox::Keyvalue => command.arg("--keyvalue").arg("--store").arg(folder.join(STORE)),
            #[cfg(unix)]
            Inbox::Postgres => command.arg("--store").arg(options.kills.disk()?.url(folder)?),
        };
        if let Some(kill_at) = kill_at {
            command.args(["--kill-at", &kill_at.to_string()]);
        }
        Ok(Self(Serving::start(command).await?))
    }

    pub fn url(&self) -> String {
        format!("http://{}/", self.0.address())
    }

    /// Kills it with SIGKILL, and waits until it is gone.
    pub async fn kill(&mut self) {
        self.0.kill().await;
    }

    /// Waits for a process that kills itself.
    pub async fn killed(&mut self) -> anyhow::Result<()> {
        let status = self.0.ended().await;
        let status =
            status.context("the process was to be killed at a point that it did not reach")?;
        ensure!(was_killed(status), "the process ended with {status}");
        Ok(())
    }

    /// Ends it in good order; the number of boundary points that it passed.
    pub async fn stop(&mut self) -> anyhow::Result<u64> {
        let points = self.0.counted().await?;
        ensure!(points > 0, "the receiving process counted no points");
        Ok(points)
    }
}

/// The file of a store in a campaign's folder.
pub const STORE: &str = "inbox.sqlite";
