//! `soak`: many mixed calls in one process, some of a hostile component.

use clap::Args;
use messaging_verify::soak::{self, Options, Report};
use serde_json::json;

use crate::cli::exit::Exit;
use crate::cli::show::{self, DIM, RESET};
use crate::cli::{Common, Failure, calls};

use super::progress::Progress;

/// Make many mixed calls in one process, some of them of a hostile component
///
/// Every call has to end as it should, the simulated service has to have created each
/// message once, no instance may be left over, and memory has to stay what it was.
#[derive(Args)]
pub struct Soak {
    /// Number of calls
    #[arg(long, default_value_t = 1_000_000, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    calls: u64,
    /// Calls of the hostile component, in every thousand
    #[arg(long, default_value_t = 10, value_name = "N", value_parser = clap::value_parser!(u32).range(..=1000))]
    hostile: u32,
    /// Calls in flight at a time
    #[arg(long, default_value_t = 32, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1000))]
    concurrency: u16,
    /// Seed of the random number generator
    #[arg(long, default_value_t = 1, value_name = "N")]
    seed: u64,
}

impl Soak {
    pub async fn run(self, common: &Common) -> Result<(), Failure> {
        let (progress, all) = (Progress::new("calls"), self.calls);
        let options = Options {
            calls: self.calls,
            hostile_per_mille: self.hostile,
            concurrency: self.concurrency.into(),
            seed: self.seed,
        };
        let report = soak::run(options, move |calls| progress.show(calls, all)).await;
        let report = report.map_err(Failure::failed)?;
        if common.json {
            calls::print_json(&json!({ "clean": report.is_clean(), "report": report }));
        } else {
            print(&report);
        }
        if report.is_clean() { Ok(()) } else { Err(Failure::Reported(Exit::Failed)) }
    }
}

fn print(report: &Report) {
    let mark = show::mark(report.is_clean());
    let hostile: u64 = report.hostile.values().sum();
    say!("{mark} {} calls in {:.0} s", report.calls, report.seconds);
    say!(
        "    {} messages sent, {} created; {} listings, {} events",
        report.sent,
        report.created,
        report.listed,
        report.understood
    );
    say!("    {hostile} calls of a component that tried to");
    for (what, count) in &report.hostile {
        say!("      {count:>6} {what}");
    }
    say!("    {} outcomes were wrong", report.wrong);
    for example in &report.examples {
        say!("      {}", show::printable(example));
    }
    let resident: Vec<_> =
        report.resident.iter().map(|bytes| (bytes / (1024 * 1024)).to_string()).collect();
    say!("    resident at each tenth, in MiB: {}", resident.join(" "));
    match report.left {
        Some(left) => say!("    {left} instances left over"),
        None => say!("    {DIM}no pool: leftover instances were not counted{RESET}"),
    }
}
