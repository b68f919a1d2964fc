//! A process that runs `serve` and keeps a journal, for components that use their journal over
//! HTTP.

use std::path::Path;

use anyhow::Context;

use crate::process::{self, Serving};

/// Token of the senders. A constant suffices, because the process listens only on loopback.
const TOKEN: &str = "once-suite-token-9d02";

/// Access to a journal over HTTP.
#[derive(Clone, Debug)]
pub struct OverHttp {
    /// Base URL of the journal server.
    pub url: String,
}

impl OverHttp {
    /// Returns the settings of a component that uses this journal.
    pub fn settings(&self) -> [(String, String); 2] {
        [("MESSAGING_JOURNAL_URL", &*self.url), ("MESSAGING_JOURNAL_TOKEN", TOKEN)]
            .map(|(name, value)| (name.to_string(), value.to_string()))
    }
}

/// A process that serves a journal to senders. Dropping it kills the process.
pub struct Server {
    #[expect(dead_code, reason = "it lives until it is dropped")]
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
        command.env("MESSAGING_JOURNAL_TOKENS", TOKEN);
        let process = Serving::start(command).await?;
        let url = process.url("workers").context("it has no listener for senders")?.to_string();
        Ok(Self { process, journal: OverHttp { url } })
    }

    /// Returns the access to the journal of this process.
    pub fn journal(&self) -> &OverHttp {
        &self.journal
    }
}
