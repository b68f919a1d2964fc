//! A process that runs `serve` and keeps a journal, for components that use their journal over
//! HTTP.

use std::path::Path;

use anyhow::Context;
use messaging_conformance::once::OverHttp;

use crate::process::{self, Serving};

/// A process that serves a journal to senders. Dropping it kills the process.
pub struct Server {
    #[expect(dead_code, reason = "its drop kills the process")]
    process: Serving,
    journal: OverHttp,
}

impl Server {
    /// Starts `program` with its files in `folder`. Caches compiled components in `cache`, or in
    /// the user's cache directory if `cache` is `None`.
    ///
    /// # Errors
    /// Returns an error if the process does not start, or does not listen for senders.
    pub async fn start(
        program: &Path,
        folder: &Path,
        cache: Option<&Path>,
    ) -> anyhow::Result<Self> {
        let mut command = process::command(program);
        command.args(["serve", "--json", "--listen", "127.0.0.1:0", "--workers", "127.0.0.1:0"]);
        command.arg("--store").arg(folder.join("inbox.sqlite"));
        command.arg("--journal").arg(folder.join("journal.sqlite"));
        if let Some(cache) = cache {
            command.arg("--cache").arg(cache);
        }
        command.env("MESSAGING_JOURNAL_TOKENS", OverHttp::TOKEN);
        let process = Serving::start(command).await?;
        let url = process.url("workers").context("no listener for senders")?.to_string();
        Ok(Self { process, journal: OverHttp { url } })
    }

    /// Returns the access to the journal of this process.
    pub fn journal(&self) -> &OverHttp {
        &self.journal
    }
}
