//! `attack`: attacks of hostile components, services and event sources, with their results.

use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use clap::builder::PossibleValuesParser;
use messaging_cli::program::show::{self, DIM, RESET};
use messaging_cli::program::{Common, Exit, Failure, print, temporary};
use messaging_cli::say;
use messaging_verify::attack::{
    self, FAMILIES, Fixture, GoodCalls, MORE_BYTES, Options, Outcome, Target,
};
use serde_json::json;

use super::UnderTest;

/// Attack the component hosts and the program `messaging`, and show each result
///
/// Families of attacks:
///   budget           components that exceed their limits
///   masking          services that return the API key in any form
///   unauthenticated  peers without a proof of origin, next to an event source with a proof
///   fairness         a thousand events that hang, fail or are slow, next to new events
///   files            modes of the files of a store, under any umask
///   clock            a receiver suspended past its deadline (tests of the store cover clock jumps)
///
/// Every attack on a host must end with a typed error within its limit plus 250 ms, and the host
/// must answer the next call. With --good N, the attacks on hosts also run during N good calls. No
/// good call may fail, no instance may remain in use, and the process may use at most 64 MiB more
/// memory than without attacks.
///
/// Every attack on a process starts the program `messaging` with a separate store. Limits:
/// - with 1,200 unauthenticated peers, a valid delivery is answered within 1 s
/// - with 1,000 failing events, a new event is first tried within 2 s
///
/// Each time limit has a tolerance of 250 ms. Run this command on a machine without other load.
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub struct Attack {
    /// Run only the attacks of this family
    #[arg(long, value_name = "NAME", value_parser = PossibleValuesParser::new(FAMILIES.iter().map(|family| family.name)))]
    family: Option<String>,
    /// Attack only this target
    #[arg(long, value_name = "NAME", value_parser = PossibleValuesParser::new(Target::ALL.map(Target::name)))]
    host: Option<String>,
    /// Run only the attacks whose name contains this text
    #[arg(long, value_name = "TEXT")]
    name: Option<String>,
    /// List the attacks without running them
    #[arg(long)]
    list: bool,
    /// Make N good calls: first without attacks, then during attacks
    #[arg(long, default_value_t = 0, value_name = "N")]
    good: u64,
    #[command(flatten)]
    under_test: UnderTest,
    /// Number of concurrent attacks during the calls of --good
    #[arg(long, default_value_t = 4, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=64))]
    concurrency: u8,
}

impl Attack {
    pub async fn run(self, common: &Common) -> Result<(), Failure> {
        let is_asked =
            |target: &Target| self.host.as_ref().is_none_or(|name| target.name() == name);
        let targets: Vec<_> = Target::ALL.into_iter().filter(is_asked).collect();
        let mut attacks = attack::attacks(self.family.as_deref(), &targets);
        if let Some(text) = &self.name {
            attacks.retain(|attack| attack.name.contains(text));
        }
        if attacks.is_empty() {
            return Err(Failure::Usage(
                "no attack matches --family, --host and --name; --list shows all attacks".into(),
            ));
        }
        if self.list {
            list(common, &attacks);
            return Ok(());
        }
        let folder = temporary().map_err(Failure::failed)?;
        let fixture = Fixture::new(Options {
            limits: Fixture::limits(),
            slack: Duration::from_millis(250),
            program: self.under_test.file()?,
            folder: folder.path().to_path_buf(),
            compiled: folder.path().join("compiled"),
        });
        // The good calls run first, because their memory is measured before any attack.
        let good_calls = match self.good {
            0 => None,
            good => Some(self.good_calls(&fixture, &attacks, good).await?),
        };
        let show = |outcome: &Outcome| {
            if !common.json {
                print(outcome);
            }
        };
        let outcomes = attack::run(&fixture, &attacks, 1, show).await;
        let broke = outcomes.iter().filter(|outcome| !outcome.held).count();
        let held = broke == 0 && good_calls.as_ref().is_none_or(GoodCalls::held);
        if common.json {
            print::json(&json!({ "held": held, "attacks": outcomes, "good-calls": good_calls }));
        } else {
            say!(
                "{} {} attacks, {broke} with a broken limit",
                show::mark(broke == 0),
                outcomes.len()
            );
            if let Some(good_calls) = &good_calls {
                print_good_calls(good_calls);
            }
        }
        if held { Ok(()) } else { Err(Failure::Reported(Exit::Failed)) }
    }

    /// Runs the attacks on hosts during good calls. Excludes attacks on processes, whose time
    /// limits the good calls would affect.
    async fn good_calls(
        &self,
        fixture: &Arc<Fixture>,
        attacks: &[attack::Attack],
        good: u64,
    ) -> Result<GoodCalls, Failure> {
        let attacks: Vec<_> =
            attacks.iter().filter(|attack| attack.target != Target::Process).cloned().collect();
        if attacks.is_empty() {
            return Err(Failure::Usage(
                "--good needs an attack on a component host; change --host, --family or --name"
                    .into(),
            ));
        }
        let good_calls = attack::good_calls(fixture, &attacks, self.concurrency.into(), good).await;
        good_calls.map_err(Failure::failed)
    }
}

fn list(common: &Common, attacks: &[attack::Attack]) {
    if common.json {
        let list = attacks.iter().map(|attack| {
            let (family, name, host) = (attack.family, &attack.name, attack.target.name());
            json!({ "family": family, "name": name, "host": host, "tries": attack.tries })
        });
        print::json(&json!({ "attacks": list.collect::<Vec<_>>() }));
        return;
    }
    for attack in attacks {
        let (family, host) = (attack.family, attack.target.name());
        say!("{family:<10} {host:<10} {}, {}", attack.name, attack.tries);
    }
}

fn print(outcome: &Outcome) {
    say!(
        "{} {:<10} {:<10} {}, {} {DIM}{:.2} s{RESET}  {}",
        show::mark(outcome.held),
        outcome.family,
        outcome.target.name(),
        outcome.name,
        outcome.tries,
        outcome.elapsed.as_secs_f64(),
        show::printable(&outcome.how),
    );
}

fn print_good_calls(good_calls: &GoodCalls) {
    let mib = |bytes: u64| bytes / (1024 * 1024);
    say!(
        "{} {} good calls during {} attacks: {} failed, {} messages sent and {} created, {} attacks with a broken limit",
        show::mark(good_calls.held()),
        good_calls.good,
        good_calls.attacks,
        good_calls.wrong.len(),
        good_calls.sent,
        good_calls.created,
        good_calls.broke.len(),
    );
    let without_attacks: Vec<_> =
        good_calls.resident_without_attacks.iter().map(|bytes| mib(*bytes).to_string()).collect();
    say!("    maximum memory in each tenth without attacks: {} MiB", without_attacks.join(" "));
    say!(
        "    maximum memory: {} MiB without attacks, {} MiB during attacks ({} MiB more allowed)",
        mib(good_calls.max_without_attacks()),
        mib(good_calls.resident_during),
        mib(MORE_BYTES),
    );
    match good_calls.left {
        Some(left) => say!("    {left} instances still in use"),
        None => say!("    {DIM}no pool: instances in use were not counted{RESET}"),
    }
    for wrong in &good_calls.wrong {
        say!("    {}", show::printable(wrong));
    }
    for outcome in &good_calls.broke {
        print(outcome);
    }
}
