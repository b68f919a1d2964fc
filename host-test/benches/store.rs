//! The webhook and its store beside plain SQLite, in one run: the same rows, the same
//! file format and settings, each row durable when its call returns. Medians over
//! several rounds that take turns. The sender of the webhook's row runs in this process
//! as well, on the same cores.
//!
//! ```text
//! cargo bench --bench store            a table
//! cargo bench --bench store -- --json  the same for a script
//! ```
//!
//! `BENCH_FOLDER` names the folder (and so the disk); the system's temporary one if
//! not set. What a disk's sync costs decides these numbers: name a real one.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a benchmark stops where it fails")]

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use messaging_components::WEBHOOK_OPEN;
use messaging_host::serve::{self, Deliveries, Server};
use messaging_host::webhook::WebhookConfig;
use messaging_host::{Host, Limits, Webhook};
use messaging_inbox::{Entry, Options, Store, Stored};
use messaging_verify::bench::{self, Group, Measure};
use messaging_webhook_core::settings::ALLOW_UNVERIFIED;
use rusqlite::Connection;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::runtime::Runtime;
use tokio::task::JoinHandle;

const ROUNDS: usize = 7;
const AT_ONCE: usize = 64;
const GROUP: &str = "group commits, 64 at once";
const HALF: &str = "half of them";

/// Row `number`, of the size of a usual event. Keys come in no order, as a sender's do.
fn entry(number: usize) -> Entry {
    let key = (number as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    Entry {
        idempotency_key: format!("{key:016x}-{number:08x}"),
        message_id: format!("msg-{number:08}"),
        kind: "message:in:new".into(),
        json: format!(
            r#"{{"id":"msg-{number:08}","object":"message","event":"message:in:new","from":"+34600111222","text":"{}"}}"#,
            "Is my order ready for pickup? ".repeat(14)
        ),
    }
}

/// Rows per second that plain SQLite commits one after the other.
fn one_by_one(folder: &Path, rows: usize) -> f64 {
    let path = folder.join("plain.sqlite");
    // The store's own tables, indexes and settings of the file.
    drop(Store::open(&path, Options::default()).unwrap());
    let connection = Connection::open(&path).unwrap();
    connection.busy_timeout(Duration::from_secs(5)).unwrap();
    connection
        .execute_batch(
            "PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 4000;
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

/// Rows per second through [`Store::put`], by `concurrency` callers.
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

/// Events that are pending while deliveries come: never tried, and as many again that failed.
const BACKLOG: usize = 500_000;
const NO_BACKLOG: &str = "nothing waits";

/// A store with so many events of each kind waiting, and a worker that takes events and gives them
/// back.
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

    /// The median time of a [`Store::put`], in milliseconds.
    async fn end(mut self) -> f64 {
        self.worker.abort();
        let _ = self.worker.await;
        self.store.close().await;
        self.took.sort_unstable();
        percentile(&self.took, 50)
    }
}

/// Stores events in turns beside no backlog and beside one: the disk is as busy for both.
fn beside_backlog(runtime: &Runtime, folder: &Path) -> [f64; 2] {
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

/// Events per second through the whole webhook, over `concurrency` connections that are
/// kept, and how long each took.
fn deliveries(
    runtime: &Runtime,
    webhook: &Webhook,
    folder: &Path,
    rows: usize,
    concurrency: usize,
    requests_per_instance: u32,
    latencies: &mut Vec<Duration>,
) -> f64 {
    runtime.block_on(async {
        let store = Store::open(folder.join("webhook.sqlite"), Options::default()).unwrap();
        let webhook = webhook.with_config(WebhookConfig {
            environment: vec![(ALLOW_UNVERIFIED.into(), "true".into())],
            inbox: Some(Arc::new(store.clone())),
            requests_per_instance,
            ..WebhookConfig::default()
        });
        let options = serve::Options::new(([127, 0, 0, 1], 0).into());
        let server = Server::start(Deliveries::new(webhook), options).await.unwrap();
        let address = server.address();
        let next = Arc::new(AtomicUsize::new(0));
        let mut tasks = tokio::task::JoinSet::new();
        let started = Instant::now();
        for _ in 0..concurrency {
            let next = Arc::clone(&next);
            // As little of a client as can be: it works on the same cores.
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
                    let Entry { idempotency_key, json, .. } = entry(number);
                    let request = format!(
                        "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nX-Idempotency-Key: {idempotency_key}\r\nContent-Length: {}\r\n\r\n{json}",
                        json.len()
                    );
                    let begun = Instant::now();
                    stream.write_all(request.as_bytes()).await.unwrap();
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
        server.stop().await;
        rate
    })
}

/// In milliseconds.
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
    let mut waits = Group::new("storing an event beside a backlog", Measure::Millis, NO_BACKLOG);
    for _ in 0..bench::rounds(ROUNDS) {
        // Each on a new file.
        let on =
            |way: &mut dyn FnMut(&Path) -> f64| way(tempfile::tempdir_in(&base).unwrap().path());
        rates.sample("plain SQLite, one commit a row", on(&mut |folder| one_by_one(folder, 2_000)));
        let group =
            |concurrency, rows| on(&mut |folder| group_commits(runtime, folder, rows, concurrency));
        rates.sample("group commits, 1 at once", group(1, 2_000));
        rates.sample(GROUP, group(AT_ONCE, 40_000));
        rates.sample("group commits, 512 at once", group(512, 40_000));
        let mut took = Vec::new();
        let delivered = |each, took: &mut Vec<Duration>| {
            on(&mut |folder| deliveries(runtime, &webhook, folder, 20_000, AT_ONCE, each, took))
        };
        rates.sample("the webhook, 64 connections", delivered(1_000, &mut took));
        rates.sample("the same, a fresh instance each", delivered(1, &mut Vec::new()));
        let folder = tempfile::tempdir_in(&base).unwrap();
        let [without, with] = beside_backlog(runtime, folder.path());
        waits.sample(NO_BACKLOG, without);
        waits.sample("a million wait", with);
        took.sort_unstable();
        times.sample(HALF, percentile(&took, 50));
        times.sample("99 in 100", percentile(&took, 99));
    }
    bench::report(&[rates.figures(), times.figures(), waits.figures()].concat());
}
