//! `attack`: what hostile components try on the hosts, and how it ends.

use clap::{Args, ValueEnum};
use messaging_verify::attack::{self, Beside, Ground, MORE_BYTES, Outcome, SLACK, Target};
use messaging_verify::bench;
use serde_json::json;

use crate::cli::show::{self, DIM, GREEN, RED, RESET};
use crate::cli::{Common, Failure, calls};

/// Attack the hosts with hostile components, and show how each attack ended.
///
/// Every attack has to end with a typed error within its limit and a quarter of a second,
/// and the same host has to answer the next call. With `--good`, the attacks are repeated
/// beside that many good calls: none of them may fail, and the process may take at most
/// 64 MiB more than without the attacks.
#[derive(Args)]
pub struct Attack {
    /// Attack only this host
    #[arg(long, value_enum)]
    host: Option<HostName>,
    /// Run only the attacks whose name contains this
    #[arg(long, value_name = "TEXT")]
    name: Option<String>,
    /// Repeat them this many times, and show the memory of the process after each
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    times: u32,
    /// Make this many good calls, alone and then beside the attacks
    #[arg(long, default_value_t = 0, value_name = "N")]
    good: u64,
    /// Attacks at a time, beside good calls
    #[arg(long, default_value_t = 4, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=64))]
    concurrency: u8,
}

#[derive(Clone, Copy, ValueEnum)]
enum HostName {
    /// For plugins of WASI 0.2
    Plugin,
    /// For plugins of WASI 0.3
    PluginP3,
    /// For webhooks
    Webhook,
}

impl From<HostName> for Target {
    fn from(name: HostName) -> Self {
        match name {
            HostName::Plugin => Self::Plugin,
            HostName::PluginP3 => Self::PluginP3,
            HostName::Webhook => Self::Webhook,
        }
    }
}

impl Attack {
    pub async fn run(self, common: &Common) -> Result<(), Failure> {
        let targets = self.host.map_or(Target::ALL.to_vec(), |host| vec![host.into()]);
        let mut attacks = attack::attacks(&targets);
        if let Some(text) = &self.name {
            attacks.retain(|attack| attack.name.contains(text));
        }
        if attacks.is_empty() {
            return Err(Failure::Usage(
                "no attack has this name; run without --name to see all names".into(),
            ));
        }
        let ground = Ground::new(Ground::limits()).await.map_err(Failure::failed)?;
        // First: what good calls take alone is measured before anything is attacked.
        let beside = match self.good {
            0 => None,
            good => {
                let concurrency = self.concurrency.into();
                let beside = attack::beside(&ground, &attacks, concurrency, SLACK, good).await;
                Some(beside.map_err(Failure::failed)?)
            }
        };
        let shows = !common.json;
        let mut outcomes = Vec::new();
        for _ in 0..self.times {
            let round = attack::run(&ground, &attacks, 1, SLACK, |outcome| {
                if shows {
                    print(outcome);
                }
            });
            outcomes.extend(round.await);
            if shows && self.times > 1 {
                let resident = bench::resident_bytes().unwrap_or(0);
                say!("{DIM}{} KiB resident{RESET}", resident / 1024);
            }
        }
        let broke = outcomes.iter().filter(|outcome| !outcome.held).count();
        let held = broke == 0 && beside.as_ref().is_none_or(Beside::held);
        if common.json {
            calls::print_json(&json!({ "held": held, "attacks": outcomes, "beside": beside }));
        } else {
            say!("{} {} attacks, {broke} not held", mark(broke == 0), outcomes.len());
            if let Some(beside) = &beside {
                print_beside(beside);
            }
        }
        if held { Ok(()) } else { Err(Failure::Reported) }
    }
}

fn mark(held: bool) -> String {
    if held { format!("{GREEN}✓{RESET}") } else { format!("{RED}✗{RESET}") }
}

fn print(outcome: &Outcome) {
    say!(
        "{} {:<10} {:<10} {}, {} {DIM}{:.2} s{RESET}  {}",
        mark(outcome.held),
        outcome.family,
        outcome.target.name(),
        outcome.name,
        outcome.tries,
        outcome.elapsed.as_secs_f64(),
        show::printable(&outcome.how),
    );
}

fn print_beside(beside: &Beside) {
    let mib = |bytes: u64| bytes / (1024 * 1024);
    say!(
        "{} {} good calls beside {} attacks: {} went wrong, {} messages created, {} attacks not held",
        mark(beside.held()),
        beside.good,
        beside.attacks,
        beside.wrong.len(),
        beside.created,
        beside.broke.len(),
    );
    say!(
        "    resident at most: {} MiB alone, {} MiB beside ({} MiB more allowed)",
        mib(beside.resident_alone),
        mib(beside.resident_beside),
        mib(MORE_BYTES),
    );
    for wrong in &beside.wrong {
        say!("    {}", show::printable(wrong));
    }
    for outcome in &beside.broke {
        print(outcome);
    }
}
