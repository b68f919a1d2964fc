//! `faults`: runs and explains the fault suite.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::time::Duration;

use clap::Args;
use futures_util::StreamExt;
use messaging_cli::program::show::{self, BOLD, DIM, GREEN, RED, RESET};
use messaging_cli::program::{Common, Exit, Failure, component, print};
use messaging_cli::say;
use messaging_components::{PLUGIN, PLUGIN_SANS_IO};
use messaging_conformance::Case;
use messaging_conformance::faults::{self, CaseRun, Components, MODES};
use messaging_host::inspect::Inspection;
use messaging_host::outbound::Trust;
use messaging_host::{AllowList, Host, Limits, LoadError, Outbound, Plugin, PluginConfig};
use serde_json::json;

use super::cases;

/// Run the fault suite: faults of services, proxies and networks
///
/// Each case runs against the plugin, the plugin without I/O, and the core without a component. For
/// each of these subjects, the service writes the reply once as scripted, and once byte by byte. A
/// case of `send-message` also runs through `send-once`, with a new key, a key that created
/// nothing, and a key resolved as not created. --component FILE replaces the plugin without I/O if
/// FILE has no I/O, otherwise the plugin.
#[derive(Args)]
pub struct Faults {
    /// Run only cases whose name contains this text, and explain each; repeatable
    #[arg(long, value_name = "TEXT")]
    case: Vec<String>,
    /// List the cases and their reasons, without running them
    #[arg(long)]
    list: bool,
    /// Serve the portable cases of this suite to a runner in another host
    #[arg(long, conflicts_with = "list")]
    serve: bool,
    /// Address and port for --serve to listen on
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:0")]
    listen: SocketAddr,
}

impl Faults {
    pub async fn run(self, common: &Common) -> Result<(), Failure> {
        let all = Case::faults().map_err(Failure::failed)?;
        let cases = cases::chosen(all, &self.case)?;
        if self.list {
            cases::list(common, &cases);
            return Ok(());
        }
        if self.serve {
            let cases = cases.into_iter().filter(|case| case.portable && !case.in_suite).collect();
            return cases::serve(self.listen, cases).await;
        }
        let limits = Limits { wall: Duration::from_secs(70), instances: 64, ..Limits::default() };
        let host = Host::new(limits).map_err(|error| Failure::Failed(error.to_string()))?;
        let host = common.cached(host);
        let outbound =
            Outbound::new(AllowList::deny_all(), Trust::Public).map_err(Failure::failed)?;
        let config = PluginConfig::open(Vec::new(), outbound.clone());
        let (bytes, name) = component(common.component.as_deref())?;
        let unusable = |error: LoadError| Failure::Usage(format!("{name}: {error}"));
        let load = |bytes| Plugin::load(&host, bytes, config.clone()).map_err(unusable);
        let (plugin, sans_io) = match Inspection::of(&bytes) {
            Ok(found) if found.is_sans_io => (PLUGIN, &*bytes),
            _ => (&*bytes, PLUGIN_SANS_IO),
        };
        let components = Components { plugin: load(plugin)?, sans_io: load(sans_io)? };
        let explain = !self.case.is_empty() && !common.json;
        let mut runs = std::pin::pin!(faults::run(cases, &components, &outbound));
        let mut done = Vec::new();
        while let Some(run) = runs.next().await {
            let run = run.map_err(Failure::failed)?;
            if explain {
                explained(&run);
            } else if !run.passed() && !common.json {
                failed(&run);
            }
            done.push(run);
        }
        let failures = done.iter().filter(|run| !run.passed()).count();
        if common.json {
            let run = |run: &CaseRun| json!({ "name": run.case.name, "modes": run.verdicts });
            print::json(&json!(done.iter().map(run).collect::<Vec<_>>()));
        } else {
            summary(&done, failures);
        }
        if failures > 0 { Err(Failure::Reported(Exit::Failed)) } else { Ok(()) }
    }
}

fn explained(run: &CaseRun) {
    let mark = show::mark(run.passed());
    say!("{mark} {BOLD}{}{RESET}  {DIM}{}{RESET}", run.case.name, run.case.family);
    say!("    {}", run.case.why);
    say!("    {DIM}expected: {}{RESET}", run.case.expect.name());
    problems(run);
}

fn failed(run: &CaseRun) {
    say!("{RED}✗ {}{RESET}", run.case.name);
    problems(run);
}

fn problems(run: &CaseRun) {
    for (mode, verdict) in MODES.iter().zip(&run.verdicts) {
        for problem in &verdict.problems {
            say!("    {mode}: {}", show::printable(problem));
        }
    }
}

fn summary(runs: &[CaseRun], failures: usize) {
    let mut families: BTreeMap<&str, usize> = BTreeMap::new();
    for run in runs {
        *families.entry(&run.case.family).or_default() += 1;
    }
    for (family, count) in families {
        say!("{count:>5} {family}");
    }
    let all = runs.len();
    match failures {
        0 => {
            let modes: usize = runs.iter().map(|run| run.verdicts.len()).sum();
            say!("{GREEN}all {all} cases passed{RESET}, in {modes} runs");
        }
        _ => say!("{RED}{failures} of {all} cases failed{RESET}"),
    }
}
