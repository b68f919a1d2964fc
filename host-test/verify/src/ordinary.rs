//! Campaign for ordinary use: servers, shell loops, pull workers, senders and maintenance on one
//! store. The campaign checks these promises:
//!
//! ```text
//! delivery    answered 200, or cut off by a server that is being stopped
//! command     succeeds without a warning, or reports a lease that has expired
//! server      starts; exits with 0 on SIGTERM
//! event       stored or handled if acknowledged; handled once; handled at the end
//! send        at most one message per key; an answer is never taken back
//! unknown     only if a sender of the key was killed, or the database failed
//! ```
//!
//! SIGKILL ends some of the processes at random. A campaign of kills (`Options::kills`) ends most
//! of them. On PostgreSQL, such a campaign also terminates the connections and crashes the server.
//!
//! In a campaign of kills, a temporary refusal is counted, but is not a violation, because each
//! request is retried until it succeeds. If the database fails, warnings, errors and unknown
//! outcomes are excused until shortly after its recovery. SIGKILL ends a process, not the machine,
//! so a power failure is not tested.

mod maintenance;
mod record;
mod sends;
mod servers;
mod workers;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use serde::Serialize;
use tokio::task::JoinSet;

pub use record::Report;
use record::{INBOX_KILLS, JOURNAL_KILLS, Record};
use servers::{Deliveries, Servers};
use workers::{Loop, PullWorker, ShellWorker};

use crate::process;
use maintenance::Database;

/// Number of shell loops that lease and acknowledge events.
const SHELL_WORKERS: usize = 8;
/// Number of inbox servers.
const SERVERS: usize = 2;
/// Interval between disturbances: a rolling restart, or SIGKILL for some processes.
const DISTURBED_EVERY: Duration = Duration::from_secs(7);
/// Interval between disturbances in a campaign of kills.
const KILLED_EVERY: Duration = Duration::from_millis(800);
/// Maximum time without progress while the workers handle the remaining events.
const STUCK: Duration = Duration::from_secs(90);

/// Kind of the shared store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum StoreKind {
    /// Files of SQLite, one for the inbox and one for the journal.
    Sqlite,
    /// A private server of PostgreSQL, reached directly and through PgBouncer if it is installed.
    Postgres,
}

/// Options of the campaign.
#[derive(Clone, Debug)]
pub struct Options {
    /// The program under test.
    pub program: PathBuf,
    /// Directory for all files of the campaign.
    pub directory: PathBuf,
    /// Directory of compiled components.
    pub cache: PathBuf,
    /// Kind of the store.
    pub store: StoreKind,
    /// Programs that lease events over HTTP. Each receives the URL as its last argument and the
    /// token in `MESSAGING_WORKER_TOKEN`. For each handled event, it prints a line that begins with
    /// the event's key.
    pub pull_workers: Vec<Vec<String>>,
    /// Programs that send with a journal in SQLite and speak the protocol of `conform --worker`.
    pub senders: Vec<Vec<String>>,
    /// Minimum duration of the load, without the time to handle the remaining events.
    pub duration: Duration,
    /// Minimum number of killed inbox processes, and of killed senders. A value above 0 selects a
    /// campaign of kills.
    pub kills: u64,
    /// Seed of the random choices.
    pub seed: u64,
}

impl Options {
    /// Returns the duration of a lease. It is short in a campaign of kills, because the events of a
    /// killed worker wait for the end of their lease.
    fn lease(&self) -> Duration {
        Duration::from_secs(if self.kills > 0 { 10 } else { 30 })
    }

    /// Returns the current and the required number of kills, or of seconds.
    fn progress(&self, started: Instant, record: &Record) -> (u64, u64) {
        let time = (started.elapsed().as_secs(), self.duration.as_secs());
        let kills = [INBOX_KILLS, JOURNAL_KILLS].map(|name| record.counted(name).min(self.kills));
        match self.kills {
            0 => time,
            all => (kills.iter().sum(), all.saturating_mul(2)),
        }
    }

    fn is_over(&self, started: Instant, record: &Record) -> bool {
        let (done, all) = self.progress(started, record);
        started.elapsed() >= self.duration && done >= all
    }
}

/// Runs the campaign. Calls `progress` with the current and the required number of seconds or
/// kills.
///
/// # Errors
/// Returns an error if the campaign itself cannot run. The report contains violations, such as a
/// process that does not start.
pub async fn run(options: &Options, progress: impl Fn(u64, u64)) -> anyhow::Result<Report> {
    let started = Instant::now();
    let record = if options.kills > 0 { Record::of_kills() } else { Record::default() };
    let record = Arc::new(record);
    let database = Arc::new(Database::start(options)?);
    let done = load(options, &database, &record, progress).await;
    let stored = match done {
        Ok(()) => Some(workers::export(options, &database).await?),
        Err(error) => {
            record.violation(format!("the campaign stopped: {error:#}"));
            None
        }
    };
    Ok(record.judge(stored.as_deref(), started.elapsed()))
}

/// Starts all processes, disturbs them for the duration, and lets them end.
async fn load(
    options: &Options,
    database: &Arc<Database>,
    record: &Arc<Record>,
    progress: impl Fn(u64, u64),
) -> anyhow::Result<()> {
    let started = Instant::now();
    let mut random = StdRng::seed_from_u64(options.seed);
    let mut servers = Servers::start(options, database, record).await?;
    database.add_trigger()?;

    let deliveries = Deliveries::start(&servers, record, random.random());
    let mut loops = JoinSet::new();
    for (interval, arguments) in Loop::all() {
        let store = database.url(random.random());
        loops.spawn(Loop::run(options.clone(), store, interval, arguments, Arc::clone(record)));
    }
    let sends = sends::Senders::start(options, database, record).await?;
    let fails = options.kills > 0 && options.store == StoreKind::Postgres;
    let maintenance = maintenance::start(Arc::clone(database), Arc::clone(record), fails);
    let failures =
        fails.then(|| maintenance::start_failures(Arc::clone(database), Arc::clone(record)));
    let mut shells = Vec::new();
    for number in 0..SHELL_WORKERS {
        let store = database.url(number.is_multiple_of(2));
        shells.push(ShellWorker::start(options, store, record)?);
    }
    let mut pulling = Vec::new();
    for command in &options.pull_workers {
        pulling.push(PullWorker::start(command, &servers, record)?);
    }

    while !options.is_over(started, record) {
        let every = if options.kills > 0 { KILLED_EVERY } else { DISTURBED_EVERY };
        tokio::time::sleep(every.mul_f64(random.random_range(0.5..1.5))).await;
        let (done, all) = options.progress(started, record);
        progress(done, all);
        let (rolls, most) = if options.kills > 0 { (20, u64::MAX) } else { (2, 3) };
        if random.random_ratio(1, rolls) {
            servers.roll(record).await?;
        } else {
            let processes = SHELL_WORKERS.saturating_add(SERVERS);
            let mut chosen = process::salvo(&mut random, processes, most);
            // In ordinary use, the first server is never killed, so a kill excuses none of its
            // refusals.
            chosen.retain(|number| options.kills > 0 || *number != SHELL_WORKERS);
            kill(options, &chosen, database, &mut servers, &mut shells, record).await?;
        }
        for worker in &mut pulling {
            worker.check(record);
        }
    }

    if let Some(failures) = failures {
        failures.stop().await;
    }
    maintenance.stop().await;
    sends.stop(record).await?;
    deliveries.stop(record).await;
    workers::wait_until_handled(options, database, record, STUCK).await?;
    loops.shutdown().await;
    for worker in pulling {
        worker.stop(record).await?;
    }
    for shell in shells {
        shell.stop().await?;
    }
    servers.stop(record).await?;
    Ok(())
}

/// Kills the chosen shell workers and servers at the same time, and starts them again.
async fn kill(
    options: &Options,
    chosen: &[usize],
    database: &Database,
    servers: &mut Servers,
    shells: &mut [ShellWorker],
    record: &Arc<Record>,
) -> anyhow::Result<()> {
    let mut killed = Vec::new();
    for (number, shell) in shells.iter_mut().enumerate() {
        if chosen.contains(&number) {
            shell.kill(record);
            killed.push(shell);
        }
    }
    let is_chosen = |server| chosen.contains(&SHELL_WORKERS.saturating_add(server));
    let restarted = servers.kill([0, 1].map(is_chosen), record);
    let replaced = async {
        for shell in killed {
            shell.ended(record).await?;
            *shell = ShellWorker::start(options, database.url(rand::random()), record)?;
        }
        anyhow::Ok(())
    };
    let (restarted, replaced) = tokio::join!(restarted, replaced);
    restarted.and(replaced)
}
