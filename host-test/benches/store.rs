//! The webhook and its store compared with plain SQLite: equal rows, file format and settings. Each
//! row is durable when its call returns. The variants take turns in several rounds; reports
//! medians. The event source runs in this process on the same cores.
//!
//! ```text
//! cargo bench -p messaging-verify --bench store            a table
//! cargo bench -p messaging-verify --bench store -- --json  JSON for a script
//! ```
//!
//! `BENCH_FOLDER` sets the directory of the files; the default is the system's temporary directory.
//! The sync time of the disk determines the results, so choose a directory on a physical disk.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a benchmark panics when it fails")]

mod event;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use messaging_components::WEBHOOK_OPEN;
use messaging_conformance::delivery::kept_alive;
use messaging_core::webhook::settings::ALLOW_UNVERIFIED;
use messaging_host::webhook::WebhookConfig;
use messaging_host::{Host, Limits, Webhook};
use messaging_inbox::{Entry, Options, Replays, Store, Stored};
use messaging_operate::{Operator, Sources, Tokens};
use messaging_server::serve::{self, Deliveries, Server};
use messaging_verify::bench::{self, Group, Measure};
use rusqlite::Connection;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::runtime::Runtime;
use tokio::task::JoinHandle;

const ROUNDS: usize = 7;
const AT_ONCE: usize = 64;
const GROUP: &str = "group commits, 64 at once";
const HALF: &str = "median";

/// Returns row `number`, with the usual size of an event.
fn entry(number: usize) -> Entry {
    Entry {
        idempotency_key: event::key(number as u64),
        message_id: format!("msg-{number:08}"),
        kind: "message:in:new".into(),
        json: event::json(number as u64),
    }
}

/// Returns the rows per second that plain SQLite commits one by one.
fn one_by_one(folder: &Path, rows: usize) -> f64 {
    let path = folder.join("plain.sqlite");
    // Creates the tables, indexes and file settings of the store.
    drop(Store::open(&path, Options::default()).unwrap());
    let connection = Connection::open(&path).unwrap();
    connection.busy_timeout(Duration::from_secs(5)).unwrap();
    connection
        .execute_batch(
            "PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 16000;
            PRAGMA cache_size = -16384;",
        )
        .unwrap();
    let started = Instant::now();
    let mut insert = connection
        .prepare(
            "INSERT INTO events (idempotency_key, message_id, kind, json, received_at_ms)
            VALUES (?1, ?2, ?3, ?4, ?5)",
        )
        .unwrap();
    for number in 0..rows {
        let Entry { idempotency_key, message_id, kind, json } = entry(number);
        insert.execute((idempotency_key, message_id, kind, json, number as i64)).unwrap();
    }
    rows as f64 / started.elapsed().as_secs_f64()
}

/// Returns the rows per second through [`Store::put`] from `concurrency` callers.
fn group_commits(runtime: &Runtime, folder: &Path, rows: usize, concurrency: usize) -> f64 {
    let store = Store::open(folder.join("group.sqlite"), Options::default()).unwrap();
    let started = Instant::now();
    runtime.block_on(async {
        let next = Arc::new(AtomicUsize::new(0));
        let mut tasks = tokio::task::JoinSet::new();
        for _ in 0..concurrency {
            let (store, next) = (store.clone(), Arc::clone(&next));
            tasks.spawn(async move {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= rows {
                        break;
                    }
                    assert_eq!(store.put(entry(number)).await, Ok(Stored::Stored));
                }
            });
        }
        tasks.join_all().await;
    });
    let rate = rows as f64 / started.elapsed().as_secs_f64();
    let counts = runtime.block_on(async {
        let counts = store.counts().await.unwrap();
        store.close().await;
        counts
    });
    assert_eq!(counts.pending, rows as u64);
    rate
}

/// Half the number of pending events in the backlog. One half was never leased, the other half was
/// leased once.
const BACKLOG: usize = 500_000;
const NO_BACKLOG: &str = "no backlog";

/// A store with a backlog of pending events, and a worker that leases and nacks events.
struct Backlog {
    store: Store,
    worker: JoinHandle<()>,
    took: Vec<Duration>,
}

impl Backlog {
    fn new(runtime: &Runtime, path: &Path, waiting: usize) -> Self {
        drop(Store::open(path, Options::default()).unwrap());
        let connection = Connection::open(path).unwrap();
        connection
            .execute_batch(&format!(
                "PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF;
                WITH RECURSIVE number (n) AS
                    (SELECT 0 UNION ALL SELECT n + 1 FROM number WHERE n < 2 * {waiting} - 1)
                INSERT INTO events (idempotency_key, message_id, kind, json, received_at_ms, attempts)
                SELECT lower(hex(randomblob(12))), 'm', 'message:in:new', hex(randomblob(200)), n, n % 2
                FROM number WHERE {waiting} > 0;
                PRAGMA wal_checkpoint(TRUNCATE);"
            ))
            .unwrap();
        drop(connection);
        let store = Store::open(path, Options::default()).unwrap();
        let own = store.clone();
        let worker = runtime.spawn(async move {
            loop {
                for event in own.lease(8, Duration::from_secs(60)).await.unwrap() {
                    let lease = event.lease.unwrap();
                    own.nack(event.id, lease, "no", Duration::from_secs(1)).await.unwrap();
                }
            }
        });
        Self { store, worker, took: Vec::new() }
    }

    async fn put(&mut self, number: usize) {
        let begun = Instant::now();
        assert_eq!(self.store.put(entry(number)).await, Ok(Stored::Stored));
        self.took.push(begun.elapsed());
    }

    /// Returns the median duration of a [`Store::put`] in milliseconds.
    async fn end(mut self) -> f64 {
        self.worker.abort();
        let _ = self.worker.await;
        self.store.close().await;
        self.took.sort_unstable();
        percentile(&self.took, 50)
    }
}

/// Returns the median times to store an event without and with a backlog, in milliseconds.
/// Alternates between the two stores, so that disk load affects both equally.
fn latency_by_backlog(runtime: &Runtime, folder: &Path) -> [f64; 2] {
    let mut without = Backlog::new(runtime, &folder.join("empty.sqlite"), 0);
    let mut with = Backlog::new(runtime, &folder.join("backlog.sqlite"), BACKLOG);
    runtime.block_on(async {
        for number in 0..2_000 {
            without.put(number).await;
            with.put(number).await;
        }
        [without.end().await, with.end().await]
    })
}

/// Returns the events per second through the webhook over `concurrency` persistent connections, and
/// adds the duration of each delivery to `latencies`. If deliveries are signed, a client also reads
/// the metrics. If the signature does not cover the key, the store compares each event with events
/// under other keys.
#[expect(clippy::too_many_arguments, reason = "the variants differ in each argument")]
fn deliveries(
    runtime: &Runtime,
    (host, webhook): (&Host, &Webhook),
    folder: &Path,
    rows: usize,
    concurrency: usize,
    requests_per_instance: u32,
    signed: Signed,
    latencies: &mut Vec<Duration>,
) -> f64 {
    // Signs before the measurement, because a real event source signs on another machine.
    let requests: Arc<[String]> = (0..rows).map(|number| request(number, signed)).collect();
    runtime.block_on(async {
        let replays = match signed {
            Signed::TimestampBody => Replays::Noticed,
            Signed::Nothing | Signed::KeyTimestampBody => Replays::Allowed,
        };
        let options = Options { replays, ..Options::default() };
        let store = Store::open(folder.join("webhook.sqlite"), options).unwrap();
        let environment = match signed.name() {
            None => vec![(ALLOW_UNVERIFIED.into(), "true".into())],
            Some(name) => vec![
                ("MESSAGING_WEBHOOK_SIGNATURE_SECRET".into(), event::SECRET.into()),
                ("MESSAGING_WEBHOOK_SIGNED".into(), name.into()),
                ("MESSAGING_WEBHOOK_TIMESTAMP_TOLERANCE_SECONDS".into(), "300".into()),
            ],
        };
        let webhook = webhook.with_config(WebhookConfig {
            environment,
            inbox: Some(Arc::new(store.clone())),
            requests_per_instance,
            ..WebhookConfig::default()
        });
        let options = serve::Options::new(([127, 0, 0, 1], 0).into());
        let server = Server::start(Deliveries::new(webhook), options).await.unwrap();
        let address = server.address();
        let watcher = match signed {
            Signed::Nothing => None,
            _ => Some(watch(&store, &server, host).await),
        };
        let next = Arc::new(AtomicUsize::new(0));
        let mut tasks = tokio::task::JoinSet::new();
        let started = Instant::now();
        for _ in 0..concurrency {
            let (next, requests) = (Arc::clone(&next), Arc::clone(&requests));
            // A minimal client, because it shares the cores with the server.
            let mut stream = TcpStream::connect(address).await.unwrap();
            stream.set_nodelay(true).unwrap();
            tasks.spawn(async move {
                let mut taken = Vec::new();
                let mut reply = vec![0; 1024];
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= rows {
                        return taken;
                    }
                    let begun = Instant::now();
                    stream.write_all(requests[number].as_bytes()).await.unwrap();
                    let length = stream.read(&mut reply).await.unwrap();
                    let reply = &reply[..length];
                    assert!(reply.starts_with(b"HTTP/1.1 200 ") && reply.ends_with(b"true}"));
                    taken.push(begun.elapsed());
                }
            });
        }
        for mut taken in tasks.join_all().await {
            latencies.append(&mut taken);
        }
        let rate = rows as f64 / started.elapsed().as_secs_f64();
        assert_eq!(store.counts().await.unwrap().pending, rows as u64);
        if let Some((operator, asking)) = watcher {
            asking.abort();
            operator.stop().await;
        }
        server.stop().await;
        rate
    })
}

/// The part of a delivery that the signature covers.
#[derive(Clone, Copy)]
enum Signed {
    Nothing,
    TimestampBody,
    KeyTimestampBody,
}

impl Signed {
    /// Returns the value of the `MESSAGING_WEBHOOK_SIGNED` setting.
    fn name(self) -> Option<&'static str> {
        match self {
            Self::Nothing => None,
            Self::TimestampBody => Some("timestamp.body"),
            Self::KeyTimestampBody => Some("key.timestamp.body"),
        }
    }
}

const TOKEN: &str = "bench-token-0123456789";

/// Returns the HTTP request for event `number`.
fn request(number: usize, signed: Signed) -> String {
    let Entry { idempotency_key, json, .. } = entry(number);
    let at = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
    let bytes = match signed {
        Signed::Nothing => None,
        Signed::TimestampBody => Some(format!("{at}.{json}")),
        Signed::KeyTimestampBody => Some(format!("{idempotency_key}.{at}.{json}")),
    };
    let proof = bytes.map_or_else(String::new, |bytes| event::proof(at, &bytes));
    kept_alive("/", &proof, &idempotency_key, &json)
}

/// Starts the operator listener and a client that reads the metrics every second.
async fn watch(store: &Store, server: &Server, host: &Host) -> (Server, JoinHandle<()>) {
    let sources = Sources {
        store: store.clone(),
        deliveries: server.counts(),
        host: host.clone(),
        forward: None,
        sends: None,
    };
    let operator = Operator::start(sources, Tokens::parse(TOKEN).unwrap());
    let options = serve::Options::new(([127, 0, 0, 1], 0).into());
    let operator = Server::start(operator, options).await.unwrap();
    let address = operator.address();
    let asking = tokio::spawn(async move {
        loop {
            let mut stream = TcpStream::connect(address).await.unwrap();
            let request = format!(
                "GET /metrics HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {TOKEN}\r\nConnection: close\r\n\r\n"
            );
            stream.write_all(request.as_bytes()).await.unwrap();
            let mut reply = String::new();
            stream.read_to_string(&mut reply).await.unwrap();
            assert!(reply.starts_with("HTTP/1.1 200 "), "{reply}");
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
    });
    (operator, asking)
}

/// Returns the percentile in milliseconds.
fn percentile(sorted: &[Duration], percent: usize) -> f64 {
    let index = sorted.len().saturating_sub(1) * percent / 100;
    sorted.get(index).map_or(0.0, |taken| taken.as_secs_f64() * 1e3)
}

fn main() {
    let base = std::env::var_os("BENCH_FOLDER").map_or_else(std::env::temp_dir, PathBuf::from);
    let runtime = Runtime::new().unwrap();
    let runtime = &runtime;
    let host = Host::new(Limits { instances: 96, parts: 3, ..Limits::default() }).unwrap();
    let webhook = Webhook::load(&host, WEBHOOK_OPEN, WebhookConfig::default()).unwrap();
    let mut rates = Group::new("events stored durably", Measure::PerSecond, GROUP);
    let mut times = Group::new("a delivery to the webhook", Measure::Millis, HALF);
    let mut waits = Group::new("storing an event with a backlog", Measure::Millis, NO_BACKLOG);
    for _ in 0..bench::rounds(ROUNDS) {
        // Each variant uses a new file.
        let on =
            |way: &mut dyn FnMut(&Path) -> f64| way(tempfile::tempdir_in(&base).unwrap().path());
        rates.sample("plain SQLite, one commit a row", on(&mut |folder| one_by_one(folder, 2_000)));
        let group =
            |concurrency, rows| on(&mut |folder| group_commits(runtime, folder, rows, concurrency));
        rates.sample("group commits, 1 at once", group(1, 2_000));
        rates.sample(GROUP, group(AT_ONCE, 40_000));
        rates.sample("group commits, 512 at once", group(512, 40_000));
        let mut took = Vec::new();
        let delivered = |each, signed, took: &mut Vec<Duration>| {
            let webhook = (&host, &webhook);
            on(&mut |folder| {
                deliveries(runtime, webhook, folder, 20_000, AT_ONCE, each, signed, took)
            })
        };
        let plain = Signed::Nothing;
        rates.sample("the webhook, 64 connections", delivered(1_000, plain, &mut took));
        let bound = delivered(1_000, Signed::KeyTimestampBody, &mut Vec::new());
        rates.sample("the webhook, signature over the key, metrics", bound);
        let compared = delivered(1_000, Signed::TimestampBody, &mut Vec::new());
        rates.sample("the webhook, signature without the key, metrics", compared);
        rates.sample("the webhook, a fresh instance each", delivered(1, plain, &mut Vec::new()));
        let folder = tempfile::tempdir_in(&base).unwrap();
        let [without, with] = latency_by_backlog(runtime, folder.path());
        waits.sample(NO_BACKLOG, without);
        waits.sample("a million pending events", with);
        took.sort_unstable();
        times.sample(HALF, percentile(&took, 50));
        times.sample("99th percentile", percentile(&took, 99));
    }
    bench::report(&[rates.figures(), times.figures(), waits.figures()].concat());
}
