//! `send-worker`: a process of the crash campaign for sends, which is killed.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use messaging_host::{Host, Limits};
use messaging_verify::once::OverHttp;
use messaging_verify::sends::{Located, WorkerOptions, work};

use crate::cli::{Common, Failure};

/// Send under each key of standard input until it is answered; for `crash`
#[derive(Args)]
pub struct SendWorker {
    /// Address of the service
    #[arg(long)]
    base_url: String,
    /// The account's key; that of a simulated service
    #[arg(long)]
    api_key: String,
    /// The journal's file
    #[arg(long, value_name = "FILE", group = "journal")]
    sqlite: Option<PathBuf>,
    /// The journal's folder
    #[arg(long, value_name = "FOLDER", group = "journal")]
    files: Option<PathBuf>,
    /// Base address of the journal's server
    #[arg(long, value_name = "URL", group = "journal")]
    http: Option<String>,
    /// The journal's database
    #[cfg(unix)]
    #[arg(long, value_name = "URL", group = "journal")]
    postgres: Option<messaging_postgres::Target>,
    /// The boundary point at which it kills itself; 0 counts them
    #[arg(long, value_name = "N")]
    kill_at: Option<u64>,
}

impl SendWorker {
    pub async fn run(self, common: &Common) -> Result<(), Failure> {
        let journal = self.sqlite.map(Located::Sqlite).or(self.files.map(Located::Files));
        let journal = journal.or(self.http.map(|url| Located::Http(OverHttp { url })));
        #[cfg(unix)]
        let journal = journal.or(self.postgres.map(Located::Postgres));
        let journal = journal.ok_or_else(|| Failure::Usage("it names no journal".into()))?;
        let Self { base_url, api_key, kill_at, .. } = self;
        let options = WorkerOptions { base_url, api_key, journal, kill_at };
        work(options, common.cached(host()?)).await.map_err(Failure::failed)
    }
}

/// An engine for a process that lives for a moment.
pub fn host() -> Result<Host, Failure> {
    let limits = Limits { wall: Duration::from_secs(20), ..Limits::default() };
    Host::on_demand(limits).map_err(|error| Failure::Failed(error.to_string()))
}
