//! `faults`: the catalogue of faults, run and explained.

use std::collections::BTreeMap;
use std::io::Write;
use std::net::SocketAddr;
use std::time::Duration;

use clap::Args;
use futures_util::StreamExt;
use messaging_host::outbound::Trust;
use messaging_host::{AllowList, Host, Limits, Outbound, Plugin, PluginConfig};
use messaging_verify::conformance::Case;
use messaging_verify::conformance::catalogue::{self, MODES, Row};
use serde_json::json;

use super::cases;
use crate::cli::show::{self, BOLD, DIM, GREEN, RED, RESET};
use crate::cli::{Common, Failure, calls, setup};

/// Run the catalogue of faults: what a service, a proxy or a network can do to a caller.
///
/// Each row is run in four ways: against the component and against the core without one,
/// by a service that writes as it likes and by one that writes one byte after the other.
#[derive(Args)]
pub struct Faults {
    /// Only rows whose name holds this text, each explained; can be given several times
    #[arg(long, value_name = "TEXT")]
    row: Vec<String>,
    /// Print the catalogue as a document in Markdown, and run nothing
    #[arg(long)]
    document: bool,
    /// Serve those rows to a runner in another host that `conform` does not have and that
    /// hold in any host, until stopped
    #[arg(long, conflicts_with = "document")]
    serve: bool,
    /// Address and port for --serve to listen on
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:0")]
    listen: SocketAddr,
}

impl Faults {
    pub async fn run(self, common: &Common) -> Result<(), Failure> {
        let all = Case::catalogue().map_err(Failure::failed)?;
        if self.document {
            let _ = std::io::stdout().write_all(catalogue::document(all).as_bytes());
            return Ok(());
        }
        let cases = cases::chosen(all, &self.row, "--document")?;
        if self.serve {
            let cases = cases.into_iter().filter(|case| case.portable && !case.in_suite).collect();
            return cases::serve(self.listen, cases).await;
        }
        let (bytes, name) = setup::component(common.component.as_deref())?;
        let limits = Limits { wall: Duration::from_secs(30), instances: 64, ..Limits::default() };
        let host = Host::new(limits).map_err(|error| Failure::Failed(error.to_string()))?;
        let host = common.cached(host);
        let outbound =
            Outbound::new(AllowList::deny_all(), Trust::Public).map_err(Failure::failed)?;
        let config = PluginConfig::open(Vec::new(), outbound.clone());
        let plugin = Plugin::load(&host, &bytes, config)
            .map_err(|error| Failure::Usage(format!("{name}: {error}")))?;
        let explain = !self.row.is_empty() && !common.json;
        let mut rows = std::pin::pin!(catalogue::run(cases, &plugin, &outbound));
        let mut done = Vec::new();
        while let Some(row) = rows.next().await {
            let row = row.map_err(Failure::failed)?;
            if explain {
                explained(&row);
            } else if !row.passed() && !common.json {
                failed(&row);
            }
            done.push(row);
        }
        let unkept = done.iter().filter(|row| !row.passed()).count();
        if common.json {
            let row = |row: &Row| json!({ "name": row.case.name, "ways": row.verdicts });
            calls::print_json(&json!(done.iter().map(row).collect::<Vec<_>>()));
        } else {
            summary(&done, unkept);
        }
        if unkept > 0 { Err(Failure::Reported) } else { Ok(()) }
    }
}

fn explained(row: &Row) {
    let mark = if row.passed() { format!("{GREEN}✓{RESET}") } else { format!("{RED}✗{RESET}") };
    say!("{mark} {BOLD}{}{RESET}  {DIM}{}{RESET}", row.case.name, row.case.family);
    say!("    {}", row.case.why);
    say!("    {DIM}expected: {}{RESET}", row.case.expect.name());
    problems(row);
}

fn failed(row: &Row) {
    say!("{RED}✗ {}{RESET}", row.case.name);
    problems(row);
}

fn problems(row: &Row) {
    for (mode, verdict) in MODES.iter().zip(&row.verdicts) {
        for problem in &verdict.problems {
            say!("    {mode}: {}", show::printable(problem));
        }
    }
}

fn summary(rows: &[Row], unkept: usize) {
    let mut families: BTreeMap<&str, usize> = BTreeMap::new();
    for row in rows {
        *families.entry(&row.case.family).or_default() += 1;
    }
    for (family, count) in families {
        say!("{count:>5} {family}");
    }
    let all = rows.len();
    match unkept {
        0 => say!("{GREEN}all {all} rows hold{RESET}, in {} ways each", MODES.len()),
        _ => say!("{RED}{unkept} of {all} rows do not hold{RESET}"),
    }
}
