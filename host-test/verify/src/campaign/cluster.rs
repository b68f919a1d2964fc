//! Several servers on one database, killed: three that receive, of which two forward, and two
//! workers, processes all of them. At random moments one, some or all are killed at once, and
//! started again at once; so are the database's connections and the database; its disk is filled;
//! a standby takes the place of the primary.
//!
//! ```text
//! acknowledged ⊆ stored      nothing that was answered 200 is lost, by whichever server
//! each stored key once       nothing is there twice, whichever servers it came to
//! open events end            nothing is stuck, once nobody is killed any more
//! the counts are right       what an operator sees is what a list shows
//! ```

use std::convert::Infallible;
use std::fmt;
use std::net::SocketAddr;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use bytes::Bytes;
use futures_util::future::{try_join, try_join_all};
use http::{Request, Response, StatusCode};
use http_body_util::{BodyExt, Empty};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use messaging_inbox::Store;
use messaging_postgres::server::{End, Server};
use messaging_postgres::{Target, inbox as postgres};
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use serde::Serialize;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

use super::kept::StoredEvents;
use super::sender::{Ledger, Load};
use super::worker::LEASE;
use super::{Balance, Options};
use crate::database::Faults;
use crate::process::{self, PATIENCE, Serving, Talking, awaited};

/// Servers that receive; all but the first forward as well.
const SERVERS: usize = 3;
const WORKERS: usize = 2;
/// A database is begun anew after so many kills, so that it can be looked through.
const KILLS_PER_DATABASE: u64 = 500;
/// The longest time between two salvos.
const LONGEST_LIFE: Duration = Duration::from_millis(60);
/// Deliveries that have to be acknowledged between two salvos, so that they meet servers at work.
const AT_WORK: u64 = 16;
/// Of so many salvos one meets a fault of the database.
const SALVOS_TO_A_FAULT: u32 = 4;
/// Pause of who starts a server again that has ended, because its database is away.
const SUPERVISED: Duration = Duration::from_millis(200);
/// Time in which at least one event has to be worked off, after the last kill: many times a lease.
const STUCK: Duration = Duration::from_secs(300);
/// Times that a standby takes the place of its primary.
const PROMOTIONS: u32 = 3;

/// Results of several servers on one database.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct ClusterReport {
    /// Servers that were killed.
    pub servers_killed: u64,
    /// Workers that were stopped in the middle of whatever they did.
    pub workers_killed: u64,
    /// Faults of the database.
    #[serde(flatten)]
    pub faults: Faults,
    /// Primaries that were killed, and whose synchronous standby was promoted.
    pub promotions: u64,
    /// Events that were sent, and those that are kept.
    #[serde(flatten)]
    pub balance: Balance,
    /// Requests of forwarders, of which one in 50 was refused.
    pub forwarded: u64,
    /// Events that workers acknowledged.
    pub worked: u64,
    /// Events that nobody worked off in the end.
    pub stuck: u64,
    /// Counts that differ from the list.
    pub miscounted: u64,
    /// Duration in seconds.
    pub seconds: f64,
}

impl ClusterReport {
    /// All kills.
    #[must_use]
    pub fn kills(&self) -> u64 {
        [self.servers_killed, self.workers_killed, self.faults.count(), self.promotions]
            .iter()
            .sum()
    }

    /// Whether every promise was kept.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.balance.is_clean() && [self.stuck, self.miscounted] == [0; 2]
    }

    /// Compares the sender's ledger with what is kept; all of it is sent and acknowledged.
    async fn judge(&mut self, at: &str, ledger: &Ledger, store: &Store) -> anyhow::Result<()> {
        let mut kept = StoredEvents::default();
        let counts = kept.read_events(store).await?;
        self.balance.judge(at, ledger, &kept);
        self.balance.add(ledger);
        let stuck = counts.pending.saturating_add(counts.leased);
        if stuck > 0 {
            self.stuck = self.stuck.saturating_add(stuck);
            self.balance.example(format!("{at}: {stuck} events are not worked off"));
        }
        let counted = store.counts().await?;
        if counted != counts {
            count(&mut self.miscounted);
            self.balance.example(format!("{at}: {counted:?} is counted, {counts:?} is listed"));
        }
        Ok(())
    }

    /// Stops a cluster, and compares what it has done.
    async fn end(
        &mut self,
        at: &str,
        ledger: &Ledger,
        cluster: Cluster,
        store: &Store,
    ) -> anyhow::Result<()> {
        works_off(store).await?;
        self.forwarded = self.forwarded.saturating_add(cluster.taken.load(Ordering::SeqCst));
        self.worked = self.worked.saturating_add(cluster.worked.load(Ordering::SeqCst));
        cluster.stop().await?;
        self.judge(at, ledger, store).await
    }
}

impl fmt::Display for ClusterReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let balance = &self.balance;
        write!(
            f,
            "{SERVERS} servers on one database, {} kills: {} servers, {} workers, {}, {} \
             promotions; \
             {} events in {} deliveries, {} acknowledged, {} cut off, {} forwarded, {} worked off; \
             {} lost, {} twice, {} foreign, {} stuck, {} miscounted, in {:.0} s",
            self.kills(),
            self.servers_killed,
            self.workers_killed,
            self.faults,
            self.promotions,
            balance.events,
            balance.deliveries,
            balance.acknowledged,
            balance.cut_off,
            self.forwarded,
            self.worked,
            balance.lost,
            balance.twice,
            balance.foreign,
            self.stuck,
            self.miscounted,
            self.seconds
        )
    }
}

/// Runs the campaign. `progress` is told the number of kills so far.
pub(super) async fn run(
    options: &Options,
    mut progress: impl FnMut(u64),
) -> anyhow::Result<ClusterReport> {
    let started = Instant::now();
    let mut report = ClusterReport::default();
    let mut random = StdRng::seed_from_u64(options.kills.seed);
    let all = u64::from(options.kills.random);
    for number in 1.. {
        let left = all.saturating_sub(report.kills());
        if left == 0 {
            break;
        }
        let at = format!("round {number}");
        let done = round(
            options,
            &at,
            left.min(KILLS_PER_DATABASE),
            &mut random,
            &mut report,
            &mut progress,
        );
        done.await.context(at)?;
    }
    if options.kills.random > 0 {
        for number in 1..=PROMOTIONS {
            let at = format!("promotion {number}");
            promotion(options, &at, &mut random, &mut report).await.context(at)?;
            progress(report.kills());
        }
    }
    report.seconds = started.elapsed().as_secs_f64();
    Ok(report)
}

/// Kills on one database.
async fn round(
    options: &Options,
    at: &str,
    kills: u64,
    random: &mut StdRng,
    report: &mut ClusterReport,
    progress: &mut impl FnMut(u64),
) -> anyhow::Result<()> {
    let disk = options.kills.disk()?;
    let folder = options.kills.folder.join(at.replace(' ', "-"));
    let mut cluster = Cluster::start(options, disk.url(&folder)?).await?;
    let load = Load::to_all(&cluster.urls(), random.random());
    let until = report.kills().saturating_add(kills);
    loop {
        let left = until.saturating_sub(report.kills());
        if left == 0 {
            break;
        }
        let none = || format!("after {} kills no deliveries are acknowledged", report.kills());
        awaited(none, load.acknowledges(AT_WORK)).await?;
        tokio::time::sleep(LONGEST_LIFE.mul_f64(random.random())).await;
        let chosen = process::salvo(random, SERVERS.saturating_add(WORKERS), left);
        cluster.kill(&chosen, report).await?;
        if report.kills() < until && random.random_ratio(1, SALVOS_TO_A_FAULT) {
            let acknowledged = load.acknowledged();
            let fault = report.faults.make(disk, random);
            try_join(fault, cluster.restart(options, &chosen)).await?;
            let kept = disk.keys(&folder).await?;
            let at = format!("{at}, kill {}", report.kills());
            report.balance.judge_acknowledged(&at, &acknowledged, |key| kept.contains(key));
        } else {
            cluster.restart(options, &chosen).await?;
        }
        progress(report.kills());
    }
    let ledger = load.finish().await?;
    let store = disk.open_inbox(&folder).await?.context("no tables")?;
    report.end(at, &ledger, cluster, &store).await?;
    store.close().await;
    disk.remove(&folder)
}

fn count(what: &mut u64) {
    *what = what.saturating_add(1);
}

/// A primary is killed under load, and its synchronous standby takes its place.
async fn promotion(
    options: &Options,
    at: &str,
    random: &mut StdRng,
    report: &mut ClusterReport,
) -> anyhow::Result<()> {
    let primary = Server::start(&["synchronous_standby_names=standby", "max_connections=200"])?;
    let standby = Server::standby_of(&primary, "standby")?;
    let host = |server: &Server| server.folder().display().to_string().replace('/', "%2F");
    let url = format!("postgres://inbox@{},{}/postgres", host(&primary), host(&standby));
    let mut cluster = Cluster::start(options, url.clone()).await?;
    let load = Load::to_all(&cluster.urls(), random.random());
    tokio::time::sleep(Duration::from_millis(random.random_range(500..2_500))).await;
    let chosen = process::salvo(random, SERVERS, u64::MAX);
    cluster.kill(&chosen, report).await?;
    cluster.restart(options, &chosen).await?;
    primary.stop(End::Killed)?;
    standby.sql("postgres", "SELECT pg_promote()")?;
    tokio::time::sleep(Duration::from_millis(random.random_range(500..2_500))).await;
    let ledger = load.finish().await?;
    let target: Target = url.parse()?;
    let store = postgres::open(&target, postgres::Options::default()).await?;
    report.end(at, &ledger, cluster, &store).await?;
    store.close().await;
    count(&mut report.promotions);
    Ok(())
}

/// Waits until nothing is pending or leased, or until nobody can hope for it any more.
async fn works_off(store: &Store) -> anyhow::Result<()> {
    let (mut open, mut since) = (u64::MAX, Instant::now());
    while open > 0 && since.elapsed() < STUCK {
        // It may be recovering yet.
        if let Ok(counts) = store.counts().await {
            let now = counts.pending.saturating_add(counts.leased);
            if now < open {
                (open, since) = (now, Instant::now());
                continue;
            }
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    Ok(())
}

/// The servers, the workers, and the program that events are forwarded to.
struct Cluster {
    url: String,
    servers: Vec<Serving>,
    workers: Vec<Talking>,
    worked: Arc<AtomicU64>,
    target: SocketAddr,
    taken: Arc<AtomicU64>,
    taking: JoinHandle<()>,
}

impl Cluster {
    async fn start(options: &Options, url: String) -> anyhow::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let target = listener.local_addr()?;
        let taken = Arc::<AtomicU64>::default();
        let taking = tokio::spawn(take(listener, Arc::clone(&taken)));
        let worked = Arc::<AtomicU64>::default();
        let (servers, workers) = (Vec::new(), Vec::new());
        let mut cluster = Self { url, servers, workers, worked, target, taken, taking };
        let any = SocketAddr::from(([127, 0, 0, 1], 0));
        let starting = (0..SERVERS).map(|which| cluster.serve(options, which, any));
        cluster.servers = try_join_all(starting).await?;
        for _ in 0..WORKERS {
            cluster.workers.push(cluster.worker(&options.kills.program)?);
        }
        Ok(cluster)
    }

    fn urls(&self) -> Vec<String> {
        self.servers.iter().map(|serving| format!("http://{}/", serving.address())).collect()
    }

    /// Starts a server. It finds its database away where that has just been killed, and ends; so
    /// whoever supervises it starts it again.
    async fn serve(
        &self,
        options: &Options,
        which: usize,
        address: SocketAddr,
    ) -> anyhow::Result<Serving> {
        let begun = Instant::now();
        loop {
            let mut command = process::command(&options.kills.program);
            command.args(["serve", "--json", "--listen", &address.to_string()]);
            command.arg("--cache").arg(&options.kills.cache).arg("--store").arg(&self.url);
            command.stderr(std::process::Stdio::null());
            if which > 0 {
                command.args(["--forward", &format!("http://{}/", self.target)]);
                command.args(["--forward-lease", &format!("{}s", LEASE.as_secs())]);
            }
            match Serving::start(command).await {
                Ok(serving) => return Ok(serving),
                Err(error) if begun.elapsed() > PATIENCE => return Err(error),
                Err(_) => tokio::time::sleep(SUPERVISED).await,
            }
        }
    }

    fn worker(&self, program: &Path) -> anyhow::Result<Talking> {
        let mut command = process::command(program);
        command.args(["lease-worker", "--postgres", &self.url]);
        command.stderr(std::process::Stdio::null());
        let child = command.spawn().context("the worker does not start")?;
        let worked = Arc::clone(&self.worked);
        Talking::of_lines(child, move |line| {
            let count = line.strip_suffix(" .").and_then(|count| count.parse().ok());
            worked.fetch_add(count.unwrap_or_default(), Ordering::SeqCst);
        })
    }

    /// Kills servers and workers with SIGKILL, all at once. The workers' numbers follow the servers'.
    async fn kill(&mut self, chosen: &[usize], report: &mut ClusterReport) -> anyhow::Result<()> {
        let servers = self.servers.iter_mut().map(Serving::child);
        let children = servers.chain(self.workers.iter_mut().map(Talking::child)).enumerate();
        let children = children.filter(|(which, _)| chosen.contains(which));
        let killed = process::kill_all(children.map(|(_, child)| child).collect()).await;
        ensure!(
            usize::try_from(killed) == Ok(chosen.len()),
            "of {} servers and workers only {killed} lived until they were killed",
            chosen.len()
        );
        for which in chosen {
            count(match *which < SERVERS {
                true => &mut report.servers_killed,
                false => &mut report.workers_killed,
            });
        }
        Ok(())
    }

    /// Starts them again in their places, all at once.
    async fn restart(&mut self, options: &Options, chosen: &[usize]) -> anyhow::Result<()> {
        for which in chosen {
            if let Some(place) = which.checked_sub(SERVERS) {
                let again = self.worker(&options.kills.program)?;
                *self.workers.get_mut(place).context("no such worker")? = again;
            }
        }
        let killed = self.servers.iter().enumerate().filter(|(which, _)| chosen.contains(which));
        let starting = killed.map(|(which, killed)| {
            let again = self.serve(options, which, killed.address());
            async move { anyhow::Ok((which, again.await?)) }
        });
        let started = try_join_all(starting).await?;
        for (which, again) in started {
            *self.servers.get_mut(which).context("no such server")? = again;
        }
        Ok(())
    }

    async fn stop(mut self) -> anyhow::Result<()> {
        let all: Vec<_> = (0..SERVERS.saturating_add(WORKERS)).collect();
        let stopped = self.kill(&all, &mut ClusterReport::default()).await;
        self.taking.abort();
        stopped
    }
}

/// Takes events that are forwarded, and refuses one of 50, as a receiver that is busy.
async fn take(listener: TcpListener, taken: Arc<AtomicU64>) {
    while let Ok((stream, _)) = listener.accept().await {
        let taken = Arc::clone(&taken);
        tokio::spawn(async move {
            let answer = service_fn(|request: Request<Incoming>| {
                let taken = Arc::clone(&taken);
                async move {
                    let _ = request.into_body().collect().await;
                    let count = taken.fetch_add(1, Ordering::SeqCst);
                    let mut response = Response::new(Empty::<Bytes>::new());
                    *response.status_mut() = match count % 50 {
                        49 => StatusCode::SERVICE_UNAVAILABLE,
                        _ => StatusCode::NO_CONTENT,
                    };
                    Ok::<_, Infallible>(response)
                }
            });
            let io = TokioIo::new(stream);
            let _ = hyper::server::conn::http1::Builder::new().serve_connection(io, answer).await;
        });
    }
}
