//! `differential`: compares a component with the native core, case by case.

use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::{Args, ValueEnum};
use messaging_cli::program::show::{self, BOLD, DIM, RED, RESET};
use messaging_cli::program::{Common, Exit, Failure, component, print};
use messaging_cli::say;
use messaging_host::outbound::Trust;
use messaging_host::{AllowList, Host, Limits, Outbound, Plugin, PluginConfig};
use messaging_verify::differential::{self, Plan, Report, Source};
use serde_json::json;

use super::progress::Progress;

/// Compare the component with the core on the same cases
///
/// The service runs in this process. A seed determines settings, arguments and the service's
/// behavior. Replies and deliveries can also be arbitrary bytes. Outcomes and received requests
/// must be identical.
#[derive(Args)]
pub struct Differential {
    /// Number of cases
    #[arg(long, default_value_t = 10_000, value_name = "N")]
    cases: u64,
    /// Seed of the first case; each further case adds 1
    #[arg(long, default_value_t = 1, value_name = "N")]
    seed: u64,
    /// Source of the cases
    #[arg(long, value_enum, default_value_t = From::Seeds, value_name = "SOURCE")]
    from: From,
    /// Directory of the fuzz corpora, for replies and deliveries
    #[arg(long, default_value = "host-test/fuzz/corpus", value_name = "DIRECTORY")]
    corpus: PathBuf,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum From {
    /// Typical, unusual and corrupted cases, generated from a seed
    Seeds,
    /// Arbitrary bytes as the service's replies
    Replies,
    /// Arbitrary bytes as deliveries of events
    Deliveries,
}

impl From {
    fn source(self, corpus: &Path) -> Source {
        match self {
            Self::Seeds => Source::Generated,
            Self::Replies => Source::Replies(corpus.into()),
            Self::Deliveries => Source::Deliveries(corpus.into()),
        }
    }

    /// Returns the number of concurrent cases: high for generated cases, because some of them wait.
    /// Cases of the other sources run one by one, because they share an instance.
    fn workers(self) -> usize {
        if self == Self::Seeds { 32 } else { 1 }
    }
}

impl Differential {
    pub async fn run(self, common: &Common) -> Result<(), Failure> {
        let (bytes, name) = component(common.component.as_deref())?;
        let limits = Limits { instances: 256, ..Limits::default() };
        let host = Host::new(limits).map_err(|error| Failure::Failed(error.to_string()))?;
        let outbound =
            Outbound::new(AllowList::deny_all(), Trust::Public).map_err(Failure::failed)?;
        let plugin = Plugin::load(&host, &bytes, PluginConfig::open(Vec::new(), outbound))
            .map_err(|error| Failure::Usage(format!("{name}: {error}")))?;
        let plan = Plan {
            source: self.from.source(&self.corpus),
            cases: self.cases,
            seed: self.seed,
            workers: self.from.workers(),
        };
        let progress = Progress::new("cases");
        let start = Instant::now();
        let shown = |cases| progress.show(cases, plan.cases);
        let report = differential::run(&plan, &plugin, shown).await;
        drop(progress);
        let report = report.map_err(Failure::failed)?;
        let seconds = start.elapsed().as_secs_f64();
        match common.json {
            true => print::json(&as_json(&report, seconds)),
            false => show(&report, seconds),
        }
        if report.is_clean() { Ok(()) } else { Err(Failure::Reported(Exit::Failed)) }
    }
}

fn as_json(report: &Report, seconds: f64) -> serde_json::Value {
    let difference = |one: &differential::Difference| json!({ "seed": one.seed, "what": one.what });
    json!({
        "cases": report.cases,
        "requests": report.requests,
        "different": report.different,
        "differences": report.differences.iter().map(difference).collect::<Vec<_>>(),
        "traps": report.traps,
        "outcomes": report.outcomes,
        "resident-bytes": report.resident,
        "instance-bytes": report.instance,
        "seconds": seconds,
    })
}

fn show(report: &Report, seconds: f64) {
    for one in &report.differences {
        say!("{RED}✗{RESET} {BOLD}seed {}{RESET}", one.seed);
        for line in one.what.lines() {
            say!("    {}", show::printable(line));
        }
    }
    for (outcome, count) in &report.outcomes {
        say!("{count:>9} {outcome}");
    }
    let resident = report.resident.map(|bytes| match bytes {
        Some(bytes) => format!("{:.1}", megabytes(bytes)),
        None => "?".into(),
    });
    let instance = report
        .instance
        .map(|bytes| format!("{:.2}", megabytes(u64::try_from(bytes).unwrap_or(u64::MAX))));
    say!(
        "{DIM}resident memory {} MB, largest reused instance {} MB (after 10, 50 and 100 %){RESET}",
        resident.join(", "),
        instance.join(", ")
    );
    let mark = show::mark(report.is_clean());
    say!(
        "{mark} {} cases, {} requests: {} differences, {} traps, in {seconds:.1} s",
        report.cases,
        report.requests,
        report.different,
        report.traps
    );
}

fn megabytes(bytes: u64) -> f64 {
    // Printed for people, with few digits.
    #[allow(clippy::cast_precision_loss, reason = "shown with two digits")]
    let bytes = bytes as f64;
    bytes / 1_048_576.0
}
