//! `ordinary`: the campaign for ordinary use of the program `messaging`.

use std::time::Duration;

use clap::{Args, ValueEnum};
use messaging_cli::program::show::{RED, RESET, mark, printable};
use messaging_cli::program::{Common, Exit, Failure, Stop, print, temporary, webhook_host};
use messaging_cli::{complain, say};
use messaging_components::WEBHOOK_OPEN;
use messaging_core::webhook::settings::DEFAULT_BODY_BYTES;
use messaging_host::cache::Cache;
use messaging_verify::ordinary::{self, Options, StoreKind};
use serde_json::json;

use super::UnderTest;
use super::progress::Progress;

/// Run all programs on one store concurrently, and report every failure
///
/// Two servers receive events; one of them also forwards events, and is restarted. Eight shell
/// loops lease and acknowledge events. Other loops prune, list and export. `send --once` runs from
/// several directories with one journal. ANALYZE, VACUUM, backups, long readers and checkpoints run
/// on the database. SIGKILL ends some processes at random.
///
/// With --kills, SIGKILL ends most of the processes: one, several or all of them at a time.
/// PostgreSQL is crashed too. Each send is repeated under its key until it is answered.
#[derive(Args)]
pub struct Ordinary {
    /// Kind of the store; repeatable [default: both]
    #[arg(long, value_enum, value_name = "KIND")]
    store: Vec<Kind>,
    /// Minimum duration of the load on each store in minutes
    #[arg(long, default_value_t = 1.0, value_name = "N")]
    minutes: f64,
    /// Continue until N processes of the inbox and N senders were killed
    #[arg(long, default_value_t = 0, value_name = "N")]
    kills: u64,
    /// Add a program that leases over HTTP, for example "node worker.js"; repeatable
    #[arg(long, value_name = "COMMAND")]
    pull_worker: Vec<String>,
    /// Add a sender with a journal in SQLite, as for `conform --worker`; repeatable
    #[arg(long, value_name = "COMMAND")]
    sender: Vec<String>,
    #[command(flatten)]
    under_test: UnderTest,
    /// Seed of the random choices
    #[arg(long, default_value_t = 1, value_name = "N")]
    seed: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Kind {
    /// Files of SQLite
    Sqlite,
    /// A private server of PostgreSQL, with PgBouncer if it is installed
    Postgres,
}

impl Ordinary {
    pub async fn run(self, common: &Common) -> Result<(), Failure> {
        let duration = Duration::try_from_secs_f64(self.minutes * 60.0)
            .map_err(|error| Failure::Usage(format!("--minutes: {error}")))?;
        let program = self.under_test.file()?;
        let kinds = [Kind::Sqlite, Kind::Postgres];
        let kinds = if self.store.is_empty() { &kinds[..] } else { &self.store };
        let mut reports = Vec::new();
        let mut is_clean = true;
        for kind in kinds {
            let directory = temporary().map_err(Failure::failed)?;
            let cache = directory.path().join("compiled");
            let host = webhook_host(DEFAULT_BODY_BYTES)?;
            let opened = Cache::open(&cache).map_err(Failure::failed)?;
            opened.component(host.engine(), WEBHOOK_OPEN).map_err(Failure::failed)?;
            let words = |command: &String| command.split(' ').map(ToString::to_string).collect();
            let options = Options {
                program: program.clone(),
                directory: directory.path().to_path_buf(),
                cache,
                store: match kind {
                    Kind::Sqlite => StoreKind::Sqlite,
                    Kind::Postgres => StoreKind::Postgres,
                },
                pull_workers: self.pull_worker.iter().map(words).collect(),
                senders: match kind {
                    Kind::Sqlite => self.sender.iter().map(words).collect(),
                    Kind::Postgres => Vec::new(),
                },
                duration,
                kills: self.kills,
                seed: self.seed,
            };
            let progress = Progress::new(if self.kills > 0 { "kills" } else { "seconds" });
            let campaign = ordinary::run(&options, |done, all| progress.show(done, all));
            let mut stop = Stop::new();
            // Dropping the campaign kills its processes.
            let result = tokio::select! {
                result = campaign => result,
                _ = stop.wait() => return Err(Failure::Reported(Exit::Interrupted)),
            };
            let report = match result {
                Ok(report) => report,
                Err(error) => {
                    let left = directory.keep();
                    return Err(Failure::Failed(format!(
                        "{kind:?}: {error:#}; the files are in {}",
                        left.display()
                    )));
                }
            };
            is_clean &= report.is_clean();
            if !common.json {
                say!("{} {kind:?}: {report}", mark(report.is_clean()));
                for example in &report.examples {
                    say!("    {RED}✗{RESET} {}", printable(example));
                }
            }
            if !report.is_clean() {
                let left = directory.keep();
                complain!("the files are in {}", left.display());
            }
            reports.push(json!({ "store": options.store, "report": report }));
        }
        if common.json {
            print::json(&json!({ "clean": is_clean, "campaigns": reports }));
        }
        if is_clean { Ok(()) } else { Err(Failure::Reported(Exit::Failed)) }
    }
}
