//! Servers on one store, the deliveries to them, and the receiver that events are forwarded to.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use anyhow::Context;
use bytes::Bytes;
use http::{Request, Response, StatusCode, header};
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::{TokioExecutor, TokioIo};
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use tokio::net::TcpListener;
use tokio::task::{JoinHandle, JoinSet};

use super::Options;
use super::maintenance::Database;
use super::record::{INBOX_KILLS, Record};
use crate::process::{self, Address, Serving};

/// Token of the pull workers.
pub const TOKEN: &str = "token-of-the-pull-workers";
/// Number of concurrent deliveries at the highest rate.
const AT_ONCE: usize = 16;
/// Maximum time for a response. A server responds earlier, with 200 or with 503 and the reason.
const ANSWERED_WITHIN: Duration = Duration::from_secs(40);
/// Rates of new events, used one after another and then repeated: the interval between two events
/// of one task, and how long this rate lasts.
const RATES: [(Duration, Duration); 4] = [
    (Duration::from_secs(16), Duration::from_secs(8)),
    (Duration::from_millis(320), Duration::from_secs(12)),
    (Duration::ZERO, Duration::from_secs(4)),
    (Duration::from_millis(1_600), Duration::from_secs(6)),
];

/// A server that receives deliveries.
#[derive(Debug)]
struct Target {
    name: String,
    url: String,
    is_stopping: AtomicBool,
}

type Targets = Arc<Mutex<Vec<Arc<Target>>>>;

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Maximum time for a server to start.
const STARTED_WITHIN: Duration = Duration::from_secs(20);
/// Name of the server for pull workers.
pub const STEADY: &str = "steady";

/// Two servers on one store. The first serves pull workers, and only SIGKILL ends it. The second
/// forwards events, and is restarted.
pub struct Servers {
    options: Options,
    store: [String; 2],
    /// Address for pull workers. It stays the same when the server is replaced.
    workers: Address,
    steady: Serving,
    restarted: Serving,
    targets: Targets,
    receiver: SocketAddr,
    receiving: JoinHandle<()>,
    generation: u64,
}

impl Servers {
    pub async fn start(
        options: &Options,
        database: &Database,
        record: &Arc<Record>,
    ) -> anyhow::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let receiver = listener.local_addr()?;
        let receiving = tokio::spawn(receive(listener, Arc::clone(record)));
        let store = [database.url(false), database.url(true)];
        let [direct, pooled] = &store;
        let workers = Address::reserve()?;
        let role = Role::Steady(workers.get());
        let steady = start(options, direct, role).await.context("the first server")?;
        let restarted = start(options, pooled, Role::Forwards(receiver, 1)).await?;
        let targets = [(STEADY.to_string(), &steady), (forwarder(1), &restarted)];
        let targets = targets.map(|(name, serving)| target(name, serving));
        Ok(Self {
            options: options.clone(),
            store,
            workers,
            steady,
            restarted,
            targets: Arc::new(Mutex::new(targets.into())),
            receiver,
            receiving,
            generation: 1,
        })
    }

    /// Returns the URL for pull workers.
    pub fn workers(&self) -> anyhow::Result<&str> {
        self.steady.url("workers").context("no listener for workers")
    }

    /// Starts a new forwarding server, then ends the old one with SIGTERM, as in a rolling update.
    pub async fn roll(&mut self, record: &Record) -> anyhow::Result<()> {
        let name = forwarder(self.generation);
        let new = self.succeed(record).await?;
        let mut old = std::mem::replace(&mut self.restarted, new);
        retire(&self.targets, &name);
        old.signal(rustix::process::Signal::TERM);
        let begun = Instant::now();
        let status = old.ended().await?;
        if !status.success() {
            record.interrupted(begun, format!("a server ended with {status} on SIGTERM"));
        }
        record.count("rolling restarts");
        Ok(())
    }

    /// Ends the chosen servers with SIGKILL at the same time, and starts them again.
    pub async fn kill(
        &mut self,
        [steady, restarted]: [bool; 2],
        record: &Record,
    ) -> anyhow::Result<()> {
        let mut children = Vec::new();
        if steady {
            retire(&self.targets, STEADY);
            record.killed(STEADY);
            children.push(self.steady.child());
        }
        if restarted {
            let name = forwarder(self.generation);
            retire(&self.targets, &name);
            record.killed(&name);
            children.push(self.restarted.child());
        }
        for _ in 0..process::kill_all(children).await {
            record.count(INBOX_KILLS);
            record.count("servers killed");
        }
        if restarted {
            self.restarted = self.succeed(record).await?;
        }
        if steady {
            let [direct, _] = &self.store;
            let role = Role::Steady(self.workers.get());
            self.steady = started(&self.options, direct, role, record).await?;
            lock(&self.targets).push(target(STEADY.to_string(), &self.steady));
        }
        Ok(())
    }

    /// Starts the next generation of the restarted server.
    async fn succeed(&mut self, record: &Record) -> anyhow::Result<Serving> {
        self.generation = self.generation.saturating_add(1);
        let [_, pooled] = &self.store;
        let role = Role::Forwards(self.receiver, self.generation);
        let new = started(&self.options, pooled, role, record).await?;
        lock(&self.targets).push(target(forwarder(self.generation), &new));
        Ok(new)
    }

    /// Ends both servers with SIGTERM.
    pub async fn stop(mut self, record: &Record) -> anyhow::Result<()> {
        for serving in [&mut self.restarted, &mut self.steady] {
            serving.signal(rustix::process::Signal::TERM);
            let status = serving.ended().await?;
            if !status.success() {
                record.violation(format!("a server ended with {status} on SIGTERM"));
            }
        }
        self.receiving.abort();
        Ok(())
    }
}

fn forwarder(generation: u64) -> String {
    format!("forwarder {generation}")
}

fn target(name: String, serving: &Serving) -> Arc<Target> {
    let url = format!("http://{}/", serving.address());
    Arc::new(Target { name, url, is_stopping: AtomicBool::new(false) })
}

/// Removes a server from the list of targets. After that, a delivery to this server may be cut off.
fn retire(targets: &Targets, name: &str) {
    lock(targets).retain(|target| {
        let is_retired = target.name == name;
        target.is_stopping.fetch_or(is_retired, Ordering::SeqCst);
        !is_retired
    });
}

/// The task of a server in addition to receiving deliveries.
#[derive(Clone, Copy)]
enum Role {
    /// Serves pull workers at this address.
    Steady(SocketAddr),
    /// Forwards events to this address, as the server of this generation.
    Forwards(SocketAddr, u64),
}

/// Maximum time for a crashed database to recover.
const RECOVERED_WITHIN: Duration = Duration::from_secs(180);

/// Starts a server, with retries. A failed start is a violation unless the database failed.
async fn started(
    options: &Options,
    store: &str,
    role: Role,
    record: &Record,
) -> anyhow::Result<Serving> {
    let all = Instant::now();
    loop {
        let begun = Instant::now();
        let started = start(options, store, role).await;
        if begun.elapsed() > STARTED_WITHIN {
            record.interrupted(begun, format!("a server took {:.0?} to start", begun.elapsed()));
        }
        match started {
            Ok(new) => return Ok(new),
            Err(error) if all.elapsed() > RECOVERED_WITHIN => return Err(error),
            Err(error) => record.interrupted(begun, format!("a server did not start: {error:#}")),
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

async fn start(options: &Options, store: &str, role: Role) -> anyhow::Result<Serving> {
    let mut command = process::command(&options.program);
    command.args(["serve", "--json", "--listen", "127.0.0.1:0", "--store", store]);
    command.arg("--cache").arg(&options.cache);
    match role {
        Role::Forwards(receiver, generation) => {
            command.args(["--forward", &format!("http://{receiver}/{generation}")]);
            // In other campaigns, the lease has its default duration, which is longer than a lock
            // of the database.
            if options.kills > 0 {
                command.args(["--forward-lease", &format!("{}s", options.lease().as_secs())]);
            }
        }
        Role::Steady(workers) => {
            command.args(["--workers", &workers.to_string()]);
            command.env("MESSAGING_WORKER_TOKENS", TOKEN);
        }
    }
    Serving::start(command).await
}

/// Accepts forwarded events. Refuses one of 50 with 503, like a busy receiver.
async fn receive(listener: TcpListener, record: Arc<Record>) {
    let count = Arc::new(AtomicU64::new(0));
    while let Ok((stream, _)) = listener.accept().await {
        let (record, count) = (Arc::clone(&record), Arc::clone(&count));
        tokio::spawn(async move {
            let answer = service_fn(|request: Request<Incoming>| {
                let (record, count) = (Arc::clone(&record), Arc::clone(&count));
                async move {
                    let generation = request.uri().path().trim_start_matches('/').to_string();
                    let key = request.headers().get("x-idempotency-key");
                    let key = key.and_then(|key| key.to_str().ok()).map(ToString::to_string);
                    let _ = request.into_body().collect().await;
                    let mut response = Response::new(Full::<Bytes>::default());
                    if count.fetch_add(1, Ordering::SeqCst) % 50 == 49 {
                        *response.status_mut() = StatusCode::SERVICE_UNAVAILABLE;
                    } else if let Some(key) = key {
                        record.count("events forwarded");
                        record.handled(&key, &format!("forwarder {generation}"));
                    } else {
                        record.violation("a forwarded event has no key");
                    }
                    Ok::<_, Infallible>(response)
                }
            });
            let io = TokioIo::new(stream);
            let _ = hyper::server::conn::http1::Builder::new().serve_connection(io, answer).await;
        });
    }
}

/// Tasks that deliver events.
pub struct Deliveries {
    ends: Arc<AtomicBool>,
    tasks: JoinSet<()>,
}

impl Deliveries {
    pub fn start(servers: &Servers, record: &Arc<Record>, seed: u64) -> Self {
        let client = Client::builder(TokioExecutor::new())
            .pool_idle_timeout(Duration::from_secs(5))
            .build(HttpConnector::new());
        let (ends, next) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU64::new(0)));
        let mut tasks = JoinSet::new();
        for task in 0..AT_ONCE {
            let sender = Sender {
                client: client.clone(),
                targets: Arc::clone(&servers.targets),
                record: Arc::clone(record),
                random: StdRng::seed_from_u64(seed.wrapping_add(u64::try_from(task).unwrap_or(0))),
            };
            tasks.spawn(sender.run(Arc::clone(&ends), Arc::clone(&next)));
        }
        Self { ends, tasks }
    }

    /// Starts no more deliveries, and waits for the current deliveries.
    pub async fn stop(mut self, record: &Record) {
        self.ends.store(true, Ordering::SeqCst);
        let all = async { while self.tasks.join_next().await.is_some() {} };
        if tokio::time::timeout(Duration::from_secs(120), all).await.is_err() {
            record.violation("a delivery is not answered within 120 s after the load");
        }
    }
}

struct Sender {
    client: Client<HttpConnector, Full<Bytes>>,
    targets: Targets,
    record: Arc<Record>,
    random: StdRng,
}

impl Sender {
    /// Delivers each new event one to three times, until `ends` is set.
    async fn run(mut self, ends: Arc<AtomicBool>, next: Arc<AtomicU64>) {
        let begun = Instant::now();
        let mut again: VecDeque<String> = VecDeque::new();
        while !ends.load(Ordering::SeqCst) {
            let key = format!("evt-{}", next.fetch_add(1, Ordering::SeqCst));
            for _ in 0..self.random.random_range(1..=3) {
                again.push_back(key.clone());
            }
            while let Some(key) = again.pop_front() {
                self.deliver(&key).await;
            }
            let pause = interval(begun.elapsed()).mul_f64(self.random.random_range(0.5..1.5));
            tokio::time::sleep(pause.min(Duration::from_secs(8))).await;
        }
    }

    /// Repeats one delivery until its response is 200.
    async fn deliver(&mut self, key: &str) {
        loop {
            let Some(target) = self.choose() else {
                // No server is running, because all were killed.
                tokio::time::sleep(Duration::from_millis(20)).await;
                continue;
            };
            self.record.count("deliveries");
            self.record.delivered(key);
            let begun = Instant::now();
            let answer = self.post(&target.url, key).await;
            let is_excused = target.is_stopping.load(Ordering::SeqCst);
            match answer {
                Ok((StatusCode::OK, _)) => {
                    self.record.acknowledged(key);
                    return;
                }
                Ok((StatusCode::SERVICE_UNAVAILABLE, _)) | Err(_) if is_excused => {
                    self.record.count("deliveries cut off by a stop");
                }
                Ok((status @ StatusCode::SERVICE_UNAVAILABLE, body)) => {
                    self.record
                        .refused(begun, format!("{key} to {}: {status}: {body}", target.name));
                }
                Ok((status, body)) => {
                    self.record.violation(format!("{key} to {}: {status}: {body}", target.name));
                }
                Err(error) => {
                    self.record.interrupted(begun, format!("{key} to {}: {error:#}", target.name));
                }
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    fn choose(&mut self) -> Option<Arc<Target>> {
        let targets = lock(&self.targets);
        let chosen = self.random.random_range(0..targets.len().max(1));
        targets.get(chosen).cloned()
    }

    async fn post(&self, url: &str, key: &str) -> anyhow::Result<(StatusCode, String)> {
        let body = format!(
            r#"{{"id":"m-{key}","object":"message","event":"message:in:new","text":"a question"}}"#
        );
        let request = Request::post(url)
            .header(header::CONTENT_TYPE, "application/json")
            .header("x-idempotency-key", key)
            .body(Full::new(Bytes::from(body)))?;
        let answered = async {
            let answer = self.client.request(request).await?;
            let status = answer.status();
            let body = answer.into_body().collect().await?.to_bytes();
            Ok((status, String::from_utf8_lossy(&body).into_owned()))
        };
        tokio::time::timeout(ANSWERED_WITHIN, answered).await.context("no answer")?
    }
}

/// Returns the interval between two events of one task at this time of the campaign.
fn interval(elapsed: Duration) -> Duration {
    let all: Duration = RATES.iter().map(|(_, duration)| *duration).sum();
    let mut within = Duration::from_millis(
        u64::try_from(elapsed.as_millis().checked_rem(all.as_millis()).unwrap_or(0)).unwrap_or(0),
    );
    for (interval, duration) in RATES {
        if within < duration {
            return interval;
        }
        within = within.saturating_sub(duration);
    }
    Duration::ZERO
}
