//! `crash`: the crash campaigns, against this very program.

use std::ffi::OsString;
use std::fmt::{Debug, Display};
use std::path::PathBuf;
#[cfg(unix)]
use std::sync::Arc;

use clap::{Args, ValueEnum};
use messaging_components::{
    PLUGIN, PLUGIN_ONCE_FILES, PLUGIN_ONCE_HTTP, WEBHOOK_FILES, WEBHOOK_KEYVALUE, WEBHOOK_OPEN,
};
use messaging_host::Host;
use messaging_host::cache::Cache;
use messaging_verify::campaign::{self, Inbox, Options, Report};
#[cfg(unix)]
use messaging_verify::database::Disk;
use messaging_verify::kills::{Killed, Kills};
use messaging_verify::sends::{self, JournalKind};
use serde_json::json;
use tempfile::TempDir;

use crate::cli::exit::Exit;
use crate::cli::show::{BOLD, GREEN, RED, RESET, printable};
use crate::cli::{Common, Failure, calls, folder, serve};

use super::progress::{Progress, per_second};
use super::send_worker;

/// Kill a receiving webhook over and over, and compare its store with the sender's ledger
///
/// First at every boundary point that a dry run counts: before and after each call of
/// the component to its host, and at each step of the store. Then at random moments,
/// while events are delivered 1 to 20 times each, shuffled, 8 at once.
///
/// With --journal the same for processes that send with a key, several at once on one journal, of
/// which one, some or all are killed at once, and for the service: callers repeat every key until they
/// are answered, and the answers are compared with the service's ledger. With --worker the processes are of a program in any language, on the file of
/// an SQLite database.
#[derive(Args)]
pub struct Crash {
    /// Kind of inbox, one or more
    #[arg(long, value_enum, value_name = "INBOX", conflicts_with = "journal")]
    inbox: Vec<Kind>,
    /// Kill processes that send instead, with a journal of this kind, one or more
    #[arg(long, value_enum, value_name = "JOURNAL")]
    journal: Vec<Journal>,
    /// Kill this program, with all the arguments that follow, while it sends: one that `conform
    /// --worker` judges
    #[arg(
        long,
        value_name = "COMMAND",
        num_args = 1..,
        allow_hyphen_values = true,
        conflicts_with_all = ["inbox", "journal"]
    )]
    worker: Vec<OsString>,
    /// Processes that share a journal
    #[arg(long, default_value_t = 3, value_name = "N", conflicts_with = "inbox")]
    processes: usize,
    /// Kills at random moments, for each inbox or journal
    #[arg(long, default_value_t = 100, value_name = "N")]
    kills: u32,
    /// Try only every Nth boundary point; 1 tries all
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    every: u64,
    /// Seed of the random number generator
    #[arg(long, default_value_t = 1, value_name = "N")]
    seed: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Kind {
    /// The host's own, in SQLite
    Sqlite,
    /// A folder of files, kept by the component
    Files,
    /// wasi:keyvalue, on the host's SQLite
    Keyvalue,
    /// The host's own, in PostgreSQL: three servers on one database, two of which forward, and two
    /// workers, killed one by one and all at once, as are the database and its connections. By
    /// name alone
    #[cfg(unix)]
    Postgres,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Journal {
    /// The host's own, in SQLite
    Sqlite,
    /// A folder of files, kept by the component
    Files,
    /// A server that the component asks over HTTP, and that is killed as well
    Http,
    /// The file of an SQLite database, kept by the program of --worker
    #[value(skip)]
    Worker,
    /// The host's own, in PostgreSQL: the database crashes and is killed as well, its connections
    /// are cut, and its disk is filled. By name alone
    #[cfg(unix)]
    Postgres,
}

impl Journal {
    fn kind(self) -> JournalKind {
        match self {
            Self::Sqlite => JournalKind::Sqlite,
            Self::Files => JournalKind::Files,
            Self::Http => JournalKind::Http,
            Self::Worker => JournalKind::Worker,
            #[cfg(unix)]
            Self::Postgres => JournalKind::Postgres,
        }
    }

    fn component(self) -> &'static [u8] {
        match self {
            Self::Sqlite | Self::Worker => PLUGIN,
            #[cfg(unix)]
            Self::Postgres => PLUGIN,
            Self::Files => PLUGIN_ONCE_FILES,
            Self::Http => PLUGIN_ONCE_HTTP,
        }
    }
}

impl Kind {
    fn inbox(self) -> Inbox {
        match self {
            Self::Sqlite => Inbox::Sqlite,
            Self::Files => Inbox::Files,
            Self::Keyvalue => Inbox::Keyvalue,
            #[cfg(unix)]
            Self::Postgres => Inbox::Postgres,
        }
    }

    fn component(self) -> &'static [u8] {
        match self {
            Self::Sqlite => WEBHOOK_OPEN,
            #[cfg(unix)]
            Self::Postgres => WEBHOOK_OPEN,
            Self::Files => WEBHOOK_FILES,
            Self::Keyvalue => WEBHOOK_KEYVALUE,
        }
    }
}

impl Crash {
    pub async fn run(self, common: &Common) -> Result<(), Failure> {
        let mut campaigns = Vec::new();
        let journals = if self.worker.is_empty() { &self.journal[..] } else { &[Journal::Worker] };
        if journals.is_empty() {
            let all = [Kind::Sqlite, Kind::Files, Kind::Keyvalue];
            for kind in if self.inbox.is_empty() { &all[..] } else { &self.inbox } {
                let report = self.inbox(*kind).await?;
                let clean = report.is_clean();
                if !common.json {
                    show(*kind, &report);
                }
                let kills = report.kills();
                let report = json!({
                    "inbox": kind.inbox(),
                    "clean": clean,
                    "kills": kills,
                    "kills-per-second": per_second(kills, report.seconds),
                    "report": report,
                });
                campaigns.push((clean, report));
            }
        }
        for journal in journals {
            let report = self.journal(*journal).await?;
            let clean = report.is_clean();
            if !common.json {
                show_sends(*journal, &report);
            }
            let kills = report.killed.all();
            let report = json!({
                "journal": journal.kind(),
                "clean": clean,
                "kills": kills,
                "kills-per-second": per_second(kills, report.seconds),
                "report": report,
            });
            campaigns.push((clean, report));
        }
        let clean = campaigns.iter().all(|(clean, _)| *clean);
        if common.json {
            let reports: Vec<_> = campaigns.into_iter().map(|(_, report)| report).collect();
            calls::print_json(&json!({ "clean": clean, "campaigns": reports }));
        }
        if clean { Ok(()) } else { Err(Failure::Reported(Exit::Failed)) }
    }

    async fn journal(&self, journal: Journal) -> Result<sends::Report, Failure> {
        let ground = Ground::prepare(&journal, &send_worker::host()?, journal.component())?;
        let kills = self.kills(&ground);
        #[cfg(unix)]
        let kills = match journal {
            Journal::Postgres => Kills { server: Some(disk()?), ..kills },
            _ => kills,
        };
        let options = sends::Options {
            kills,
            worker: self.worker.clone(),
            journal: journal.kind(),
            processes: self.processes,
        };
        let progress = Progress::new("kills");
        let result = sends::run(&options, |kills, all| progress.show(kills, all)).await;
        ground.ended(result)
    }

    async fn inbox(&self, kind: Kind) -> Result<Report, Failure> {
        let ground = Ground::prepare(&kind, &serve::host()?, kind.component())?;
        let kills = self.kills(&ground);
        #[cfg(unix)]
        let kills = match kind {
            Kind::Postgres => Kills { server: Some(disk()?), ..kills },
            _ => kills,
        };
        let options = Options { kills, inbox: kind.inbox() };
        let progress = Progress::new("kills");
        let result = campaign::run(&options, |kills, all| progress.show(kills, all)).await;
        ground.ended(result)
    }

    fn kills(&self, ground: &Ground) -> Kills {
        Kills {
            program: ground.program.clone(),
            folder: ground.folder.path().to_path_buf(),
            cache: ground.cache.clone(),
            every: self.every,
            random: self.kills,
            seed: self.seed,
            #[cfg(unix)]
            server: None,
        }
    }
}

fn failed(error: impl Display) -> Failure {
    Failure::Failed(format!("{error:#}"))
}

/// The program that is killed, a folder for its files, and its component, compiled once, and not by
/// each of the processes.
struct Ground {
    name: String,
    program: PathBuf,
    folder: TempDir,
    cache: PathBuf,
}

impl Ground {
    fn prepare(name: &impl Debug, host: &Host, component: &[u8]) -> Result<Self, Failure> {
        let folder = folder::temporary().map_err(failed)?;
        let cache = folder.path().join("compiled");
        Cache::open(&cache).map_err(failed)?.component(host.engine(), component).map_err(failed)?;
        let program = std::env::current_exe().map_err(failed)?;
        Ok(Self { name: format!("{name:?}"), program, folder, cache })
    }

    /// A failed campaign leaves its files for whoever looks into it.
    fn ended<T>(self, result: Result<T, impl Display>) -> Result<T, Failure> {
        result.map_err(|error| {
            let (name, left) = (self.name, self.folder.keep());
            failed(format_args!("{name}: {error:#}; everything is left in {}", left.display()))
        })
    }
}

#[cfg(unix)]
fn disk() -> Result<Arc<Disk>, Failure> {
    Disk::start().map(Arc::new).map_err(failed)
}

fn show_kills(name: impl Debug, clean: bool, killed: &Killed) {
    let (colour, word) = if clean { (GREEN, "✓") } else { (RED, "✗") };
    say!("{colour}{word}{RESET} {BOLD}{name:?}{RESET}");
    say!(
        "    {} kills: {} at boundary points (of {}), {} at random moments",
        killed.all(),
        killed.boundary_kills,
        killed.boundary_points,
        killed.random_kills
    );
}

fn show_peer(name: &str, killed: &Killed) {
    say!(
        "    {} kills of {name}: {} at boundary points (of {}), {} at random moments",
        killed.all(),
        killed.boundary_kills,
        killed.boundary_points,
        killed.random_kills
    );
}

fn show(kind: Kind, report: &Report) {
    let balance = &report.balance;
    show_kills(kind, report.is_clean(), &report.killed);
    say!(
        "    {} events in {} deliveries, {} acknowledged, {} cut off",
        balance.events,
        balance.deliveries,
        balance.acknowledged,
        balance.cut_off
    );
    #[cfg(unix)]
    if let Some(cluster) = &report.cluster {
        say!("    {cluster}");
        show_examples(&cluster.balance.examples);
    }
    say!(
        "    {} lost, {} twice, {} foreign, in {:.0} s",
        balance.lost,
        balance.twice,
        balance.foreign,
        report.seconds
    );
    show_examples(&balance.examples);
}

fn show_examples(examples: &[String]) {
    for example in examples {
        say!("    {RED}✗{RESET} {}", printable(example));
    }
}

fn show_sends(journal: Journal, report: &sends::Report) {
    show_kills(journal, report.is_clean(), &report.killed);
    show_peer("the service", &report.service);
    if report.server.all() > 0 {
        show_peer("the journal's server", &report.server);
    }
    #[cfg(unix)]
    if report.faults.count() > 0 {
        say!("    {}", report.faults);
    }
    say!(
        "    {} keys, {} answers, {} messages on the ledger, {} keys answered created",
        report.keys,
        report.answers,
        report.messages,
        report.created
    );
    say!("    {} unknown, of which {} exist", report.unknown, report.unknown_that_exist);
    say!(
        "    {} twice, {} made up, {} taken back, in {:.0} s",
        report.twice,
        report.made_up,
        report.taken_back,
        report.seconds
    );
    show_examples(&report.examples);
}
