//! `conform`: runs the conformance suite on a component, in this program or in another host.

use std::ffi::OsString;
use std::fs;
use std::io::IsTerminal;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use messaging_cli::program::show::{self, BOLD, DIM, GREEN, RED, RESET};
use messaging_cli::program::{Common, Exit, Failure, component, host, plugin, print, temporary};
use messaging_cli::say;
use messaging_conformance::report::{self, Outcome};
use messaging_conformance::{Case, Report, Verdict, once, run};
use messaging_host::outbound::Trust;
use messaging_host::{AllowList, LoadError, Outbound, PluginConfig};
use messaging_journal::Journal;
use messaging_simulator::faults::Chunking;
use messaging_verify::server::Server;
use messaging_verify::worker::Worker;
use serde_json::json;

use super::{UnderTest, cases};

/// Additional time for a component after its deadline.
const GRACE: Duration = Duration::from_secs(2);
/// Timeout of a call of a component that sends once: the suite's deadline, plus overhead.
const ONCE: Duration = Duration::from_secs(20);

/// Run the conformance suite against a component
///
/// Each case is a call, a scripted response of the service, the outcome that the interface
/// promises, and the requests that the service must and must not receive. The component gets an
/// API key that it must give to no other server.
///
/// A component with `send-once` has a separate suite, which reads the ledger of a simulated service
/// and provides a journal. The separate suite uses only --case, --json, --program and --journal.
/// It also tests programs: --worker starts a program, and uses its standard input and output.
///
/// Runners in other hosts get the cases from --serve, and send back the outcomes;
/// --table puts their reports side by side.
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub struct Conform {
    /// File of the component; default: the embedded plugin
    #[arg(value_name = "COMPONENT")]
    file: Option<PathBuf>,
    /// Run only cases whose name contains this text; repeatable
    #[arg(long, value_name = "TEXT")]
    case: Vec<String>,
    /// Run only cases that hold for any provider; most providers need --env
    #[arg(long)]
    neutral: bool,
    /// List the cases and their reasons, without running them
    #[arg(long)]
    list: bool,
    /// Set a further variable for the component; repeatable
    ///
    /// A value {SETTING}, such as {MESSAGING_BASE_URL}, becomes the case's value of that setting.
    #[arg(long = "env", value_name = "NAME=VALUE", value_parser = variable)]
    variables: Vec<(String, String)>,
    /// Write the results as JUnit XML
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    /// Write the report that --table reads
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// Serve the cases to a runner in another host, until stopped
    #[arg(long, conflicts_with_all = ["file", "list", "junit", "report", "table"])]
    serve: bool,
    /// Address and port for --serve to listen on
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:0")]
    listen: SocketAddr,
    /// Test a program that implements `send-once`; its arguments follow
    ///
    /// The program gets a temporary journal file, or the value of --journal.
    #[arg(
        long,
        value_name = "COMMAND",
        num_args = 1..,
        allow_hyphen_values = true,
        conflicts_with_all = ["file", "list", "junit", "report", "table", "serve", "neutral", "variables"]
    )]
    worker: Vec<OsString>,
    /// Journal for the program of --worker; the suite adds keys to it
    #[arg(long, requires = "worker", value_name = "JOURNAL")]
    journal: Option<OsString>,
    #[command(flatten)]
    under_test: UnderTest,
    /// Print a table of these reports in Markdown
    #[arg(long, value_name = "REPORT", num_args = 1.., conflicts_with_all = ["file", "list"])]
    table: Vec<PathBuf>,
}

fn variable(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("write it as NAME=VALUE")?;
    Ok((name.to_string(), value.to_string()))
}

impl Conform {
    pub async fn run(self, common: &Common) -> Result<(), Failure> {
        if !self.worker.is_empty() {
            return self.worker(common).await;
        }
        if self.once(common).await? {
            return Ok(());
        }
        let all = Case::all().map_err(Failure::failed)?;
        if !self.table.is_empty() {
            let reports = self.table.iter().map(read).collect::<Result<Vec<_>, _>>()?;
            print::plain(report::table(all, &reports).trim_end());
            return Ok(());
        }
        let mut cases = cases::chosen(all, &self.case)?;
        cases.retain(|case| case.neutral || !self.neutral);
        if cases.is_empty() {
            return Err(Failure::Usage("no case with this name is neutral; see --list".into()));
        }
        if self.serve {
            return cases::serve(self.listen, cases).await;
        }
        if self.list {
            cases::list(common, &cases);
            return Ok(());
        }
        let report = self.judge(common, &cases).await?;
        if let Some(file) = &self.junit {
            let mut xml = Vec::new();
            let written = report.junit(&mut xml).and_then(|()| fs::write(file, xml));
            written.map_err(|error| unwritable(file, &error))?;
        }
        if let Some(file) = &self.report {
            let text = format!("{:#}\n", json!(report));
            fs::write(file, text).map_err(|error| unwritable(file, &error))?;
        }
        if common.json {
            print::json(&json!(report));
        } else {
            summary(&report);
        }
        if report.count(Outcome::Failed) > 0 {
            Err(Failure::Reported(Exit::Failed))
        } else {
            Ok(())
        }
    }

    /// Tests a component that sends once. Returns false for other components.
    async fn once(&self, common: &Common) -> Result<bool, Failure> {
        let Some(file) = self.file.as_deref().or(common.component.as_deref()) else {
            return Ok(false);
        };
        let (bytes, name) = component(Some(file))?;
        match once::Component::load(&host(common, ONCE)?, &bytes) {
            Err(LoadError::NotOnce { .. } | LoadError::NotAComponent(_)) => Ok(false),
            Err(error) => Err(Failure::Usage(format!("{name}: {error}"))),
            Ok(subject) => self.judge_once(common, subject, &bytes, &name).await.map(|()| true),
        }
    }

    async fn judge_once(
        &self,
        common: &Common,
        subject: once::Component,
        bytes: &[u8],
        name: &str,
    ) -> Result<(), Failure> {
        let folder = temporary().map_err(Failure::failed)?;
        let files = folder.path().join("journal");
        fs::create_dir(&files).map_err(Failure::failed)?;
        let file = folder.path().join("journal.sqlite");
        let journal = Journal::open(file, messaging_journal::Options::default());
        let journal = journal.map_err(Failure::failed)?;
        let journal: Arc<dyn messaging_host::Journal> = Arc::new(journal);
        let server = if once::Component::asks_a_server(bytes) {
            let program = self.under_test.file()?;
            let started = Server::start(&program, folder.path(), common.cache.as_deref());
            Some(started.await.map_err(Failure::failed)?)
        } else {
            None
        };
        let over_http = server.as_ref().map(|server| server.journal().clone());
        let (journal, folder) = (Some(journal), Some(files));
        let subject = once::Component { journal, folder, over_http, ..subject };
        self.show_once(common, &subject, name).await
    }

    /// Tests a program that implements `send-once`.
    async fn worker(&self, common: &Common) -> Result<(), Failure> {
        let folder = temporary().map_err(Failure::failed)?;
        let own = || folder.path().join("journal.sqlite").into();
        let journal = self.journal.clone().unwrap_or_else(own);
        let worker = Worker { command: self.worker.clone(), journal };
        let name = self.worker.join(" ".as_ref());
        self.show_once(common, &worker, &name.to_string_lossy()).await
    }

    async fn show_once<S>(&self, common: &Common, subject: &S, name: &str) -> Result<(), Failure>
    where
        S: once::Subject<Once: Send>,
    {
        let verdicts = once::run(subject, &self.case, progress).await;
        clear_progress();
        let verdicts = verdicts.map_err(Failure::failed)?;
        let failed = verdicts.iter().filter(|verdict| verdict.problem.is_some()).count();
        if common.json {
            print::json(&json!({ "cases": verdicts, "failed": failed }));
        } else {
            say!("{BOLD}{}{RESET} against {} cases", show::printable(name), verdicts.len());
            for verdict in &verdicts {
                let case = verdict.name.replace('_', " ");
                match &verdict.problem {
                    None => say!("{GREEN}✓{RESET} {case}"),
                    Some(problem) => {
                        say!("{RED}✗ {case}{RESET}");
                        say!("    {}", show::printable(problem));
                        say!("    {DIM}{}{RESET}", verdict.why);
                    }
                }
            }
        }
        match (verdicts.len(), failed) {
            (0, _) => Err(Failure::Usage("no case for `send-once` has this name".into())),
            (_, 0) => Ok(()),
            _ => Err(Failure::Reported(Exit::Failed)),
        }
    }

    async fn judge(&self, common: &Common, cases: &[&Case]) -> Result<Report, Failure> {
        let file = self.file.as_deref().or(common.component.as_deref());
        let outbound =
            Outbound::new(AllowList::deny_all(), Trust::Public).map_err(Failure::failed)?;
        let config = PluginConfig::open(Vec::new(), outbound.clone());
        let host = host(common, Duration::from_secs(20) + GRACE)?;
        let plugin = plugin(common, file, host, config)?;
        let subject = run::Subject::Component(&plugin, &self.variables);
        if !common.json {
            let name = file.map_or("the embedded plugin".into(), |file| file.to_string_lossy());
            say!("{BOLD}{}{RESET} against {} cases", show::printable(&name), cases.len());
        }
        let mut report = Report { host: "this host, wasmtime 48".into(), cases: Vec::new() };
        for (index, case) in cases.iter().enumerate() {
            progress(index, cases.len(), &case.name);
            let verdict = run::run(case, subject, &outbound, Chunking::Whole).await;
            let verdict = verdict.map_err(Failure::failed)?;
            clear_progress();
            if !common.json {
                show(case, &verdict);
            }
            report.cases.push(verdict);
        }
        Ok(report)
    }
}

fn read(file: &PathBuf) -> Result<Report, Failure> {
    let text = fs::read_to_string(file)
        .map_err(|error| Failure::Usage(format!("{}: cannot be read: {error}", file.display())))?;
    serde_json::from_str(&text)
        .map_err(|error| Failure::Usage(format!("{}: is not a report: {error}", file.display())))
}

fn unwritable(file: &std::path::Path, error: &std::io::Error) -> Failure {
    Failure::Failed(format!("{}: cannot be written: {error}", file.display()))
}

fn show(case: &Case, verdict: &Verdict) {
    let name = case.name.replace('_', " ").replace('.', ": ");
    match verdict.result {
        Outcome::Passed => say!("{GREEN}✓{RESET} {name}"),
        Outcome::Weaker => say!("{GREEN}✓{RESET} {name} {DIM}(weaker){RESET}"),
        Outcome::Failed => {
            say!("{RED}✗ {name}{RESET}");
            for problem in &verdict.problems {
                say!("    {}", show::printable(problem));
            }
            say!("    {DIM}{}{RESET}", case.why);
        }
    }
}

fn summary(report: &Report) {
    let failed = report.count(Outcome::Failed);
    let kept = report.cases.len() - failed;
    match failed {
        0 => say!("\n{GREEN}all {kept} cases passed{RESET}"),
        1 => say!("\n{RED}1 case failed{RESET}, {kept} passed"),
        _ => say!("\n{RED}{failed} cases failed{RESET}, {kept} passed"),
    }
}

/// Overwrites the progress line if standard error is a terminal.
fn progress(done: usize, all: usize, name: &str) {
    if std::io::stderr().is_terminal() {
        anstream::eprint!("\r\x1b[2K{done}/{all} {name}");
    }
}

fn clear_progress() {
    if std::io::stderr().is_terminal() {
        anstream::eprint!("\r\x1b[2K");
    }
}
