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

use host_test::serve::{self, Server};
use host_test::store::{Entry, Options, Store, Stored};
use host_test::webhook::Surroundings;
use host_test::{Host, Limits, WEBHOOK_OPEN, Webhook};
use messaging_webhook_core::settings::ALLOW_UNVERIFIED;
use rusqlite::Connection;
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::runtime::Runtime;

const ROUNDS: usize = 7;
const AT_ONCE: usize = 64;

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

/// Rows per second through [`Store::put`], by `at_once` callers.
fn group_commits(runtime: &Runtime, folder: &Path, rows: usize, at_once: usize) -> f64 {
    let store = Store::open(folder.join("group.sqlite"), Options::default()).unwrap();
    let started = Instant::now();
    runtime.block_on(async {
        let next = Arc::new(AtomicUsize::new(0));
        let mut tasks = tokio::task::JoinSet::new();
        for _ in 0..at_once {
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
    assert_eq!(counts.waiting, rows as u64);
    rate
}

/// Events per second through the whole webhook, over `at_once` connections that are
/// kept, and how long each took.
fn deliveries(
    runtime: &Runtime,
    webhook: &Webhook,
    folder: &Path,
    rows: usize,
    at_once: usize,
    requests_per_instance: u32,
    latencies: &mut Vec<Duration>,
) -> f64 {
    runtime.block_on(async {
        let store = Store::open(folder.join("webhook.sqlite"), Options::default()).unwrap();
        let webhook = webhook.with_surroundings(Surroundings {
            environment: vec![(ALLOW_UNVERIFIED.into(), "true".into())],
            inbox: Some(Arc::new(store.clone())),
            requests_per_instance,
            ..Surroundings::default()
        });
        let options = serve::Options::new(([127, 0, 0, 1], 0).into());
        let server = Server::start(webhook, options).await.unwrap();
        let address = server.address();
        let next = Arc::new(AtomicUsize::new(0));
        let mut tasks = tokio::task::JoinSet::new();
        let started = Instant::now();
        for _ in 0..at_once {
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
        assert_eq!(store.counts().await.unwrap().waiting, rows as u64);
        server.stop().await;
        rate
    })
}

/// In milliseconds.
fn percentile(sorted: &[Duration], percent: usize) -> f64 {
    let index = sorted.len().saturating_sub(1) * percent / 100;
    sorted.get(index).map_or(0.0, |taken| taken.as_secs_f64() * 1e3)
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// A name, and what stores rows in a folder and says how many per second.
type Way<'a> = (String, Box<dyn FnMut(&Path) -> f64 + 'a>);

/// The median of each way of storing, each round of each on a new file.
fn compare(mut ways: Vec<Way<'_>>) -> Vec<(String, f64)> {
    let base = std::env::var_os("BENCH_FOLDER").map_or_else(std::env::temp_dir, PathBuf::from);
    // As other benchmarks take it: a part of the names to run.
    if let Some(part) = std::env::args().skip(1).find(|argument| !argument.starts_with('-')) {
        ways.retain(|(name, _)| name.contains(&part));
    }
    let mut samples = vec![Vec::new(); ways.len()];
    for _ in 0..ROUNDS {
        for ((_, way), samples) in ways.iter_mut().zip(&mut samples) {
            let folder = tempfile::tempdir_in(&base).unwrap();
            samples.push(way(folder.path()));
        }
    }
    ways.into_iter().zip(samples).map(|((name, _), values)| (name, median(values))).collect()
}

fn main() {
    let json = std::env::args().any(|argument| argument == "--json");
    let runtime = Runtime::new().unwrap();
    let runtime = &runtime;
    let host = Host::new(Limits { instances: 96, parts: 3, ..Limits::default() }).unwrap();
    let webhook = Webhook::load(&host, WEBHOOK_OPEN, Surroundings::default()).unwrap();
    let group_name = format!("group commits, {AT_ONCE} at once");
    let webhook_name = format!("webhook, {AT_ONCE} connections");
    let mut latencies = Vec::new();
    let results = compare(vec![
        ("plain SQLite, one commit a row".into(), Box::new(|folder| one_by_one(folder, 2_000))),
        (
            "group commits, 1 at once".into(),
            Box::new(|folder| group_commits(runtime, folder, 2_000, 1)),
        ),
        (group_name.clone(), Box::new(|folder| group_commits(runtime, folder, 40_000, AT_ONCE))),
        (
            "group commits, 512 at once".into(),
            Box::new(|folder| group_commits(runtime, folder, 40_000, 512)),
        ),
        (
            webhook_name.clone(),
            Box::new(|folder| {
                deliveries(runtime, &webhook, folder, 20_000, AT_ONCE, 1_000, &mut latencies)
            }),
        ),
        (
            "webhook, a fresh instance each".into(),
            Box::new(|folder| {
                deliveries(runtime, &webhook, folder, 20_000, AT_ONCE, 1, &mut Vec::new())
            }),
        ),
    ]);
    latencies.sort_unstable();
    let (p50, p99) = (percentile(&latencies, 50), percentile(&latencies, 99));
    let rate = |name: &str| results.iter().find(|(own, _)| own == name).map(|(_, rate)| *rate);
    let of_group_commits =
        rate(&webhook_name).zip(rate(&group_name)).map(|(ours, base)| ours / base);
    let base = results.first().map_or(1.0, |(_, rate)| *rate);
    let mut report = Vec::new();
    if !json {
        println!("\nstoring events durably ({ROUNDS} rounds, medians)");
        println!("{:<34}{:>12}{:>12}", "", "rows/s", "x plain");
    }
    for (name, rate) in results {
        let ratio = rate / base;
        if !json {
            println!("{name:<34}{rate:>12.0}{ratio:>12.2}");
        }
        report.push(json!({ "way": name, "rows-per-second": rate, "ratio": ratio }));
    }
    if json {
        let webhook = json!({ "p50-ms": p50, "p99-ms": p99, "of-group-commits": of_group_commits });
        println!("{:#}", json!({ "ways": report, "webhook": webhook }));
    } else if let Some(of_group_commits) = of_group_commits {
        println!(
            "webhook: {of_group_commits:.2} of the group commits of {AT_ONCE} at once; p50 {p50:.2} ms, p99 {p99:.2} ms"
        );
    }
}
