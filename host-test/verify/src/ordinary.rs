//! Campaign for ordinary use: servers, shell loops, pull workers, senders and maintenance on one store.
//!
//! ```text
//! delivery    answered 200, or cut off by a server that is being stopped
//! command     succeeds without a warning, or reports a lease that has expired
//! server      starts; exits with 0 on SIGTERM
//! event       acknowledged ⊆ handled ∪ stored; handled once; handled at the end
//! send        at most one message per key
//! ```
//!
//! SIGKILL ends some of the processes at random. The database itself is never killed: `crash` does that.

mod maintenance;
mod record;
mod sends;
mod servers;
mod workers;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Context;
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use serde::Serialize;
use tokio::task::JoinSet;

use record::Record;
pub use record::Report;
use servers::{Deliveries, Servers};
use workers::{Loop, PullWorker, ShellWorker};

use maintenance::Database;

/// Shell loops that lease and acknowledge events.
const SHELL_WORKERS: usize = 8;
/// Interval between disturbances: a rolling restart, or SIGKILL for some processes.
const DISTURBED_EVERY: Duration = Duration::from_secs(7);
/// Maximum time for the workers to handle the events that are left, without progress.
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
    /// Programs that lease events over HTTP: each gets the URL as its last argument, the token in
    /// `MESSAGING_WORKER_TOKEN`, and prints the key of each event that it handles as the first word of a line.
    pub pull_workers: Vec<Vec<String>>,
    /// Duration of the load, without the time to handle the events that are left.
    pub duration: Duration,
    /// Seed of the random choices.
    pub seed: u64,
}

/// Runs the campaign. `progress` gets the elapsed seconds.
///
/// # Errors
/// The campaign itself cannot run. Violations are part of the report, and so is a process that does
/// not start.
pub async fn run(options: &Options, progress: impl Fn(u64)) -> anyhow::Result<Report> {
    let started = Instant::now();
    let record = Arc::new(Record::default());
    let database = Arc::new(Database::start(options)?);
    let done = load(options, &database, &record, progress).await;
    let stored = match done {
        Ok(()) => Some(workers::export(options, &database).await?),
        Err(error) => {
            record.violation(format!("the campaign stopped: {error:#}"));
            None
        }
    };
    Ok(record.judge(stored.as_ref(), started.elapsed()))
}

/// Starts all processes, disturbs them for the duration, and lets them end.
async fn load(
    options: &Options,
    database: &Arc<Database>,
    record: &Arc<Record>,
    progress: impl Fn(u64),
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
    let maintenance = maintenance::start(Arc::clone(database), Arc::clone(record));
    let mut shells = Vec::new();
    for number in 0..SHELL_WORKERS {
        let store = database.url(number.is_multiple_of(2));
        shells.push(ShellWorker::start(options, store, record)?);
    }
    let mut pulling = Vec::new();
    for command in &options.pull_workers {
        pulling.push(PullWorker::start(command, &servers, record)?);
    }

    while started.elapsed() < options.duration {
        let pause = DISTURBED_EVERY.mul_f64(random.random_range(0.5..1.5));
        tokio::time::sleep(pause.min(options.duration.saturating_sub(started.elapsed()))).await;
        progress(started.elapsed().as_secs());
        match random.random_range(0..10) {
            0..4 => servers.roll(record).await?,
            4..6 => servers.kill(record).await?,
            _ => {
                let count = random.random_range(1..=3);
                for _ in 0..count {
                    let chosen = random.random_range(0..SHELL_WORKERS);
                    let shell = shells.get_mut(chosen).context("no such worker")?;
                    shell.kill(record).await?;
                    *shell = ShellWorker::start(options, database.url(random.random()), record)?;
                }
            }
        }
        for worker in &mut pulling {
            worker.check(record);
        }
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
