//! Several servers on one database, killed: three that receive, of which two forward, and two
//! workers. Each is killed at random moments, and so are the database's connections and the
//! database; its disk is filled; a standby takes the place of the primary.
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

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anyhow::Context;
use bytes::Bytes;
use http::{Request, Response, StatusCode};
use http_body_util::{BodyExt, Empty};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use messaging_inbox::{Store, StoreError};
use messaging_postgres::server::{End, Server};
use messaging_postgres::{Target, inbox as postgres};
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use serde::Serialize;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

use super::kept::StoredEvents;
use super::sender::{Ledger, Load};
use super::{Balance, Options};
use crate::database::Faults;
use crate::process::{self, Serving};

/// Servers that receive; all but the first forward as well.
const SERVERS: usize = 3;
const WORKERS: usize = 2;
/// A database is begun anew after so many kills, so that it can be looked through.
const KILLS_PER_DATABASE: u32 = 500;
/// The longest time between two kills.
const LONGEST_LIFE: Duration = Duration::from_millis(60);
/// Time in which a server comes up again, also when it first finds its database away.
const COMES_UP: Duration = Duration::from_secs(60);
/// Time in which all is worked off: a lease of a killed forwarder lasts for a minute.
const ENDS: Duration = Duration::from_secs(150);
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
    async fn judge(&mut self, ledger: &Ledger, store: &Store) -> anyhow::Result<()> {
        let mut kept = StoredEvents::default();
        let counts = kept.read_events(store).await?;
        self.balance.judge(ledger, &kept);
        self.balance.add(ledger);
        self.stuck = self.stuck.saturating_add(counts.pending).saturating_add(counts.leased);
        self.miscounted = self.miscounted.saturating_add((store.counts().await? != counts).into());
        Ok(())
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
    let mut left = options.kills.random;
    while left > 0 {
        let kills = left.min(KILLS_PER_DATABASE);
        round(options, left, kills, &mut random, &mut report, &mut progress).await?;
        left = left.saturating_sub(kills);
    }
    if options.kills.random > 0 {
        for _ in 0..PROMOTIONS {
            promotion(options, &mut random, &mut report).await?;
            progress(report.kills());
        }
    }
    report.seconds = started.elapsed().as_secs_f64();
    Ok(report)
}

/// Kills on one database.
async fn round(
    options: &Options,
    number: u32,
    kills: u32,
    random: &mut StdRng,
    report: &mut ClusterReport,
    progress: &mut impl FnMut(u64),
) -> anyhow::Result<()> {
    let disk = options.kills.disk()?;
    let folder = options.kills.folder.join(format!("cluster-{number}"));
    let url = disk.url(&folder)?;
    let mut cluster = Cluster::start(options, url, true).await?;
    let load = Load::to_all(&cluster.urls(), random.random());
    for _ in 0..kills {
        tokio::time::sleep(LONGEST_LIFE.mul_f64(random.random())).await;
        match random.random_range(0..100) {
            0..70 => {
                let which = random.random_range(0..SERVERS);
                cluster.kill(options, which).await?;
                count(&mut report.servers_killed);
            }
            70..85 => {
                cluster.kill_worker(random.random_range(0..WORKERS))?;
                count(&mut report.workers_killed);
            }
            _ => report.faults.make(disk, random).await?,
        }
        progress(report.kills());
    }
    let ledger = load.finish().await?;
    cluster.works_off().await?;
    report.forwarded = report.forwarded.saturating_add(cluster.forwarded());
    report.worked = report.worked.saturating_add(cluster.worked());
    cluster.stop().await;
    let store = disk.open_inbox(&folder).await?.context("no tables")?;
    report.judge(&ledger, &store).await?;
    store.close().await;
    disk.remove(&folder)
}

fn count(what: &mut u64) {
    *what = what.saturating_add(1);
}

/// A primary is killed under load, and its synchronous standby takes its place.
async fn promotion(
    options: &Options,
    random: &mut StdRng,
    report: &mut ClusterReport,
) -> anyhow::Result<()> {
    let primary = Server::start(&["synchronous_standby_names=standby", "max_connections=200"])?;
    let standby = Server::standby_of(&primary, "standby")?;
    let host = |server: &Server| server.folder().display().to_string().replace('/', "%2F");
    let url = format!("postgres://inbox@{},{}/postgres", host(&primary), host(&standby));
    // Without forwarders, whose leases last for a minute.
    let mut cluster = Cluster::start(options, url.clone(), false).await?;
    let load = Load::to_all(&cluster.urls(), random.random());
    tokio::time::sleep(Duration::from_millis(random.random_range(500..2_500))).await;
    cluster.kill(options, 1).await?;
    primary.stop(End::Killed)?;
    standby.sql("postgres", "SELECT pg_promote()")?;
    tokio::time::sleep(Duration::from_millis(random.random_range(500..2_500))).await;
    let ledger = load.finish().await?;
    cluster.works_off().await?;
    report.forwarded = report.forwarded.saturating_add(cluster.forwarded());
    report.worked = report.worked.saturating_add(cluster.worked());
    cluster.stop().await;
    let target: Target = url.parse()?;
    let store = postgres::open(&target, postgres::Options::default()).await?;
    report.judge(&ledger, &store).await?;
    store.close().await;
    count(&mut report.promotions);
    Ok(())
}

/// The servers, the workers, and the program that events are forwarded to.
struct Cluster {
    url: String,
    forwards: bool,
    servers: Vec<Serving>,
    workers: Vec<JoinHandle<()>>,
    worked: Arc<AtomicU64>,
    target: SocketAddr,
    taken: Arc<AtomicU64>,
    taking: JoinHandle<()>,
}

impl Cluster {
    async fn start(options: &Options, url: String, forwards: bool) -> anyhow::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let target = listener.local_addr()?;
        let taken = Arc::<AtomicU64>::default();
        let taking = tokio::spawn(take(listener, Arc::clone(&taken)));
        let worked = Arc::<AtomicU64>::default();
        let (servers, workers) = (Vec::new(), Vec::new());
        let mut cluster = Self { url, forwards, servers, workers, worked, target, taken, taking };
        for which in 0..SERVERS {
            let any = SocketAddr::from(([127, 0, 0, 1], 0));
            let serving = cluster.serve(options, which, any).await?;
            cluster.servers.push(serving);
        }
        for _ in 0..WORKERS {
            let worker = cluster.worker()?;
            cluster.workers.push(worker);
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
            if self.forwards && which > 0 {
                command.args(["--forward", &format!("http://{}/", self.target)]);
            }
            match Serving::start(command).await {
                Ok(serving) => return Ok(serving),
                Err(error) if begun.elapsed() > COMES_UP => return Err(error),
                Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
            }
        }
    }

    /// Kills a server with SIGKILL, and starts it again in its place.
    async fn kill(&mut self, options: &Options, which: usize) -> anyhow::Result<()> {
        let serving = self.servers.get_mut(which).context("no such server")?;
        serving.kill().await;
        let address = serving.address();
        let again = self.serve(options, which, address).await?;
        if let Some(place) = self.servers.get_mut(which) {
            *place = again;
        }
        Ok(())
    }

    fn worker(&self) -> anyhow::Result<JoinHandle<()>> {
        let target: Target = self.url.parse()?;
        Ok(tokio::spawn(work(target, Arc::clone(&self.worked))))
    }

    /// Stops a worker wherever it is, with its connections, and starts another one.
    fn kill_worker(&mut self, which: usize) -> anyhow::Result<()> {
        let again = self.worker()?;
        let place = self.workers.get_mut(which).context("no such worker")?;
        std::mem::replace(place, again).abort();
        Ok(())
    }

    fn forwarded(&self) -> u64 {
        self.taken.load(Ordering::SeqCst)
    }

    fn worked(&self) -> u64 {
        self.worked.load(Ordering::SeqCst)
    }

    /// Waits until nothing is pending or leased, or until nobody can hope for it any more.
    async fn works_off(&self) -> anyhow::Result<()> {
        let target: Target = self.url.parse()?;
        let own = postgres::Options { timeout: ENDS, ..postgres::Options::default() };
        let store = postgres::open(&target, own).await?;
        let begun = Instant::now();
        while begun.elapsed() < ENDS {
            let counts = store.counts().await?;
            if counts.pending == 0 && counts.leased == 0 {
                break;
            }
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
        store.close().await;
        Ok(())
    }

    async fn stop(mut self) {
        for serving in &mut self.servers {
            serving.kill().await;
        }
        self.workers.iter().for_each(JoinHandle::abort);
        self.taking.abort();
    }
}

/// Leases events and acknowledges them, as a worker that uses the library.
async fn work(target: Target, worked: Arc<AtomicU64>) {
    loop {
        // Its database may be away.
        let Ok(store) = postgres::open(&target, postgres::Options::default()).await else {
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        while work_on(&store, &worked).await.is_ok() {}
    }
}

async fn work_on(store: &Store, worked: &AtomicU64) -> Result<(), StoreError> {
    let events = store.lease(16, Duration::from_secs(5)).await?;
    if events.is_empty() {
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    for event in events {
        match store.ack(event.id, event.lease.unwrap_or_default()).await {
            Ok(()) => {
                worked.fetch_add(1, Ordering::SeqCst);
            }
            // The lease ran out while the database was away.
            Err(StoreError::LeaseLost { .. }) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
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
