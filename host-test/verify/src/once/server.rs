//! A journal over HTTP: a process that runs `serve` and keeps it, for components that have no other
//! place.

use std::path::Path;

use anyhow::Context;

use crate::process::{self, Serving};

/// The token of the senders. Nobody else reaches the process for as long as it lives.
const TOKEN: &str = "once-suite-token-9d02";

/// A journal over HTTP, as who uses it knows it.
#[derive(Clone, Debug)]
pub struct OverHttp {
    /// The base address of its server.
    pub url: String,
}

impl OverHttp {
    /// The settings of a component that uses it.
    #[must_use]
    pub fn settings(&self) -> [(String, String); 2] {
        [("MESSAGING_JOURNAL_URL", &*self.url), ("MESSAGING_JOURNAL_TOKEN", TOKEN)]
            .map(|(name, value)| (name.to_string(), value.to_string()))
    }
}

/// A process that keeps a journal for senders. It is killed when it is dropped.
pub struct Server {
    #[expect(dead_code, reason = "it is there to be dropped")]
    process: Serving,
    journal: OverHttp,
}

impl Server {
    /// Starts `program` on files in `folder`, with what is compiled in `cache`, or among the user's
    /// caches.
    ///
    /// # Errors
    /// It does not come up.
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
        let url = process.url("workers").context("it does not listen for senders")?.to_string();
        Ok(Self { process, journal: OverHttp { url } })
    }

    /// The journal that it keeps.
    #[must_use]
    pub fn journal(&self) -> &OverHttp {
        &self.journal
    }
}
