//! Workers of the campaign: shell loops, programs that lease over HTTP, and loops of single
//! commands.

use std::path::PathBuf;
use std::process::{Output, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use rand::Rng;
use serde_json::Value;
use tokio::process::Command;

use super::Options;
use super::maintenance::Database;
use super::record::{INBOX_KILLS, Record};
use super::servers::{STEADY, Servers, TOKEN};
use crate::process::{self, LineProcess, was_killed};

/// The shell loop: leases events, acknowledges nine of ten, and reports each step as a line.
const SCRIPT: &str = include_str!("worker.sh");

static NUMBER: AtomicU64 = AtomicU64::new(0);

/// A shell that runs `inbox lease`, `ack` and `nack` in a loop.
pub struct ShellWorker {
    name: String,
    process: LineProcess,
    stop: PathBuf,
}

impl ShellWorker {
    pub fn start(options: &Options, store: String, record: &Arc<Record>) -> anyhow::Result<Self> {
        let name = format!("worker {}", NUMBER.fetch_add(1, Ordering::SeqCst));
        let directory = options.directory.join(name.replace(' ', "-"));
        std::fs::create_dir_all(&directory)?;
        let (stop, lease) = (directory.join("stop"), options.lease().as_secs());
        let mut command = process::command("bash".as_ref());
        command.args(["-c", SCRIPT]).current_dir(&directory).process_group(0);
        command.env("PROGRAM", &options.program).env("MESSAGING_WEBHOOK_STORE", store);
        command.env("LEASE", lease.to_string());
        command.env_remove("RUST_LOG").stderr(Stdio::inherit());
        let child = command.spawn().context("bash does not start")?;
        let (record, worker) = (Arc::clone(record), name.clone());
        let process =
            LineProcess::of_lines(child, move |line| step(&record, &worker, line, lease))?;
        Ok(Self { name, process, stop })
    }

    /// Sends SIGKILL to the shell and to the command that it runs.
    pub fn kill(&self, record: &Record) {
        record.killed(&self.name);
        let id = self.process.id().and_then(|id| i32::try_from(id).ok());
        if let Some(id) = id.and_then(rustix::process::Pid::from_raw) {
            let _ = rustix::process::kill_process_group(id, rustix::process::Signal::KILL);
        }
    }

    /// Waits for the end of a killed shell.
    pub async fn ended(&mut self, record: &Record) -> anyhow::Result<()> {
        let status = self.process.ended().await?;
        ensure!(was_killed(status), "{} ended unexpectedly with {status}", self.name);
        record.count("shell workers killed");
        record.count(INBOX_KILLS);
        Ok(())
    }

    /// Asks the shell to end after its current events, and waits for its end.
    pub async fn stop(mut self) -> anyhow::Result<()> {
        std::fs::write(&self.stop, "")?;
        let status =
            process::awaited(|| format!("{} does not end", self.name), self.process.ended());
        ensure!(status.await??.success(), "the shell of {} failed", self.name);
        Ok(())
    }
}

/// Returns the earliest start of a request that failed just now. A request may have waited 10 s for
/// a lock.
fn before_lock_wait() -> Instant {
    let now = Instant::now();
    now.checked_sub(Duration::from_secs(10)).unwrap_or(now)
}

/// Records one line of the shell loop.
fn step(record: &Record, worker: &str, line: &str, lease: u64) {
    let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
    // Seconds since the command or the lease began.
    let seconds = rest.split(' ').next().and_then(|text| text.parse::<u64>().ok());
    let began = Duration::from_secs(seconds.unwrap_or_default().saturating_add(1));
    let began = Instant::now().checked_sub(began).unwrap_or_else(Instant::now);
    match word {
        "did" => record.count(&format!("inbox {rest}")),
        "acking" => record.acknowledging(rest),
        "acked" => {
            record.count("inbox ack");
            record.done(rest, worker);
        }
        "nacked" => record.count("inbox nack"),
        "expired" => {
            if seconds.is_none_or(|seconds| seconds.saturating_add(1) < lease) {
                record.interrupted(began, format!("{worker}: lease lost early: {rest}"));
            }
            record.count("leases expired");
        }
        "failed" if rest.contains(" 75 ") => record.refused(began, format!("{worker}: {line}")),
        "warned" => record.interrupted(began, format!("{worker}: {line}")),
        _ => record.violation(format!("{worker}: {line}")),
    }
}

/// A program that leases events over HTTP.
pub struct PullWorker {
    name: String,
    process: LineProcess,
    has_ended: bool,
}

impl PullWorker {
    pub fn start(
        command: &[String],
        servers: &Servers,
        record: &Arc<Record>,
    ) -> anyhow::Result<Self> {
        let name = command.join(" ");
        let (program, arguments) = command.split_first().context("no program")?;
        let mut process = process::command(program.as_ref());
        process.args(arguments).arg(servers.workers()?).env("MESSAGING_WORKER_TOKEN", TOKEN);
        process.stderr(Stdio::piped());
        let mut child = process.spawn().with_context(|| name.clone())?;
        if let Some(errors) = child.stderr.take() {
            let (record, name) = (Arc::clone(record), name.clone());
            tokio::spawn(async move {
                use tokio::io::AsyncBufReadExt;
                let mut lines = tokio::io::BufReader::new(errors).lines();
                while let Ok(Some(line)) = lines.next_line().await {
                    if record.was_just_killed(STEADY) {
                        record.count("errors of pull workers while their server was killed");
                    } else if line.contains(": unavailable: ") {
                        record.refused(before_lock_wait(), format!("{name}: {line}"));
                    } else {
                        record.interrupted(before_lock_wait(), format!("{name}: {line}"));
                    }
                }
            });
        }
        let record = Arc::clone(record);
        let process = LineProcess::of_lines(child, move |line| {
            record.count("events pulled");
            // The event is attributed to the server, because a kill of the server can lose the
            // acknowledgment.
            record.handled(line.split(' ').next().unwrap_or(line), STEADY);
        })?;
        Ok(Self { name, process, has_ended: false })
    }

    /// Records a violation if the program has ended.
    pub fn check(&mut self, record: &Record) {
        if !self.has_ended && self.process.has_ended() {
            self.has_ended = true;
            record.violation(format!("{} ended", self.name));
        }
    }

    /// Ends the program with SIGTERM.
    pub async fn stop(mut self, record: &Record) -> anyhow::Result<()> {
        process::signal_to(self.process.child(), rustix::process::Signal::TERM);
        let status =
            process::awaited(|| format!("{} does not end", self.name), self.process.ended());
        let status = status.await??;
        if !status.success() && !self.has_ended {
            record.violation(format!("{} ended with {status} on SIGTERM", self.name));
        }
        Ok(())
    }
}

/// A command that runs at intervals.
pub struct Loop;

impl Loop {
    /// Returns the interval and the arguments of each loop.
    pub fn all() -> [(Duration, &'static [&'static str]); 4] {
        [
            (Duration::from_secs(3), &["inbox", "prune", "--older-than", "1m", "--by-clock"]),
            (Duration::from_secs(2), &["inbox", "list", "--newest", "--json", "--limit", "100000"]),
            (Duration::from_secs(4), &["inbox", "list", "--dead", "--limit", "100000"]),
            (Duration::from_secs(5), &["inbox", "export"]),
        ]
    }

    /// Runs one command repeatedly. Kills one of 20 runs, or four of five in a campaign of kills.
    pub async fn run(
        options: Options,
        store: String,
        interval: Duration,
        arguments: &'static [&'static str],
        record: Arc<Record>,
    ) {
        let name = arguments.iter().take(2).copied().collect::<Vec<_>>().join(" ");
        loop {
            let (is_killed, moment) = {
                let mut random = rand::rng();
                let ratio = if options.kills > 0 { (4, 5) } else { (1, 20) };
                let moment = Duration::from_millis(random.random_range(1..100));
                (random.random_ratio(ratio.0, ratio.1), moment)
            };
            let mut command = command(&options, &store);
            command.args(arguments);
            // Discards the output, because the duration would otherwise depend on how fast this
            // busy process reads.
            command.stdout(Stdio::null());
            let output = async { command.spawn()?.wait_with_output().await };
            match is_killed {
                true => {
                    if tokio::time::timeout(moment, output).await.is_err() {
                        record.count("commands killed");
                        record.count(INBOX_KILLS);
                    }
                }
                false => {
                    let begun = Instant::now();
                    let done = output.await;
                    record.count(&name);
                    check(&record, &name, begun, done);
                }
            }
            let interval = if options.kills > 0 { interval / 8 } else { interval };
            let pause = interval.mul_f64(rand::rng().random_range(0.5..1.5));
            tokio::time::sleep(pause).await;
        }
    }
}

/// Returns a command on one store, with the default log level. Dropping the process kills it.
pub fn command(options: &Options, store: &str) -> Command {
    let mut command = process::command(&options.program);
    command.env("MESSAGING_WEBHOOK_STORE", store).env_remove("RUST_LOG").stderr(Stdio::piped());
    command
}

/// Records a violation if a command failed, warned, or took too long.
fn check(record: &Record, name: &str, begun: Instant, done: std::io::Result<Output>) {
    let elapsed = begun.elapsed();
    let output = match done {
        Ok(output) => output,
        Err(error) => return record.violation(format!("{name}: {error}")),
    };
    let said = String::from_utf8_lossy(&output.stderr);
    let text = format!("{name}: {}: {}", output.status, said.trim());
    match output.status.code() {
        Some(75) => record.refused(begun, text),
        Some(0) if !said.is_empty() => record.interrupted(begun, text),
        Some(0) if elapsed > Duration::from_secs(30) => {
            record.interrupted(begun, format!("{name}: took {elapsed:.0?}"));
        }
        Some(0) => {}
        _ => record.violation(text),
    }
}

/// Waits until no event is pending or leased. Records a violation after `stuck` without progress.
pub async fn wait_until_handled(
    options: &Options,
    database: &Database,
    record: &Record,
    stuck: Duration,
) -> anyhow::Result<()> {
    let (mut before, mut since) = (usize::MAX, Instant::now());
    while since.elapsed() < stuck {
        let mut left = 0_usize;
        for state in ["pending", "leased"] {
            left = left.saturating_add(listed(options, database, state).await?);
        }
        if left == 0 {
            let dead = listed(options, database, "dead").await?;
            if dead > 0 {
                record.violation(format!("{dead} events are dead"));
            }
            return Ok(());
        }
        if left < before {
            (before, since) = (left, Instant::now());
        }
        tokio::time::sleep(Duration::from_millis(300)).await;
    }
    record.violation(format!("{before} events are stuck"));
    Ok(())
}

/// Returns the number of events in a state.
async fn listed(options: &Options, database: &Database, state: &str) -> anyhow::Result<usize> {
    let mut command = command(options, &database.url(false));
    command.args(["inbox", "list", "--json", "--limit", "100000", "--state", state]);
    let listed = command.output().await?;
    ensure!(listed.status.success(), "the events cannot be listed");
    let listed: Value = serde_json::from_slice(&listed.stdout)?;
    Ok(listed.as_array().map_or(0, Vec::len))
}

/// Returns the keys of all stored events.
pub async fn export(options: &Options, database: &Database) -> anyhow::Result<Vec<String>> {
    let mut command = command(options, &database.url(false));
    let exported = command.args(["inbox", "export"]).output().await?;
    ensure!(exported.status.success(), "the events cannot be exported");
    let lines = String::from_utf8(exported.stdout)?;
    lines
        .lines()
        .map(|line| {
            let event: Value = serde_json::from_str(line)?;
            let key = event.get("idempotency-key").and_then(Value::as_str);
            Ok(key.context("an exported event has no key")?.to_string())
        })
        .collect()
}
