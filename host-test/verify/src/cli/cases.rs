//! Shared parts of `conform` and `faults`: the selection and the list of cases, and the server for
//! a runner in another host.

use std::io::Write;
use std::net::SocketAddr;

use messaging_cli::program::show::{BOLD, DIM, RESET};
use messaging_cli::program::{Common, Failure, Stop, print};
use messaging_cli::say;
use messaging_conformance::Case;
use messaging_conformance::control::Control;
use serde_json::json;

/// Returns the cases whose name contains an element of `texts`. Without `texts`, returns all cases.
pub fn chosen(all: &'static [Case], texts: &[String]) -> Result<Vec<&'static Case>, Failure> {
    let meant =
        |case: &&Case| texts.is_empty() || texts.iter().any(|text| case.name.contains(text));
    let cases: Vec<_> = all.iter().filter(meant).collect();
    if cases.is_empty() {
        let texts = texts.join(" or ");
        return Err(Failure::Usage(format!("no case has {texts} in its name; see --list")));
    }
    Ok(cases)
}

/// Prints the names and reasons of cases.
pub fn list(common: &Common, cases: &[&Case]) {
    if common.json {
        let case = |case: &&Case| {
            let Case { name, family, neutral, why, .. } = case;
            json!({ "name": name, "family": family, "neutral": neutral, "why": why })
        };
        print::json(&json!(cases.iter().map(case).collect::<Vec<_>>()));
        return;
    }
    for case in cases {
        let neutral = if case.neutral { ", any provider" } else { "" };
        say!("{BOLD}{}{RESET}  {DIM}{}{neutral}{RESET}", case.name, case.family);
        say!("    {}", case.why);
    }
}

/// Serves `cases` to a runner until a signal arrives or the runner ends.
pub async fn serve(listen: SocketAddr, cases: Vec<&'static Case>) -> Result<(), Failure> {
    let control = Control::start(listen, cases)
        .await
        .map_err(|error| Failure::Failed(format!("{listen}: cannot listen: {error}")))?;
    let mut stop = Stop::new();
    let line = json!({ "control": format!("http://{}", control.address()) });
    let mut output = std::io::stdout();
    let _ = writeln!(output, "{line}").and_then(|()| output.flush());
    // The pipe closes when the runner ends.
    let ended = tokio::task::spawn_blocking(|| {
        std::io::copy(&mut std::io::stdin().lock(), &mut std::io::sink())
    });
    tokio::select! {
        _ = stop.wait() => {}
        _ = ended => {}
    }
    Ok(())
}
