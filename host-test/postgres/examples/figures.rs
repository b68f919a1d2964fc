//! Figures of the store on PostgreSQL, beside plain batches by `psql` on the same machine in the
//! same run, on a private server: rates in events a second, medians of several rounds that take
//! turns. `cargo run -p messaging-postgres --features server --example figures [BACKLOG]`
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::print_stdout,
    reason = "it stops where it fails"
)]
#![cfg(unix)]

use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use messaging_inbox::{Entry, Replays, Store, Stored};
use messaging_postgres::inbox::Options;
use messaging_postgres::server::Server;

const ROUNDS: usize = 5;
/// Events of one measurement.
const EVENTS: usize = 12_000;
const BACKLOG: usize = 1_000_000;

/// An event of a usual size, as in the benchmarks of the store on SQLite.
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

struct Bench {
    server: Server,
    next: AtomicUsize,
}

impl Bench {
    fn numbers(&self, count: usize) -> std::ops::Range<usize> {
        let first = self.next.fetch_add(count, Ordering::Relaxed);
        first..first + count
    }

    async fn open(&self, replays: Replays) -> Store {
        let target = self.server.target("postgres").unwrap();
        let timeout = Duration::from_secs(30);
        let options = Options { timeout, replays, ..Options::default() };
        messaging_postgres::inbox::open(&target, options).await.unwrap()
    }

    /// Plain statements of so many rows each, into the store's own table.
    fn plain(&self, rows: usize) -> f64 {
        let mut sql = String::new();
        let mut left = self.numbers(EVENTS / rows * rows);
        let count = left.len();
        while !left.is_empty() {
            sql.push_str("INSERT INTO messaging_inbox.events (idempotency_key, message_id, kind, json, received_at_ms) VALUES ");
            for (at, number) in left.by_ref().take(rows).enumerate() {
                let Entry { idempotency_key, message_id, kind, json } = entry(number);
                let comma = if at > 0 { "," } else { "" };
                write!(sql, "{comma}('{idempotency_key}','{message_id}','{kind}','{json}',1)")
                    .unwrap();
            }
            sql.push_str(" ON CONFLICT DO NOTHING;\n");
        }
        let file = self.server.folder().join("plain.sql");
        std::fs::write(&file, sql).unwrap();
        let mut psql = std::process::Command::new(self.server.programs().join("psql"));
        psql.args(["-Xq", "-U", "inbox", "-d", "postgres", "-h"]).arg(self.server.folder());
        let begun = Instant::now();
        assert!(psql.arg("-f").arg(&file).status().unwrap().success());
        count as f64 / begun.elapsed().as_secs_f64()
    }

    /// So many callers at once, spread over so many stores.
    async fn puts(&self, callers: usize, stores: usize, replays: Replays) -> f64 {
        let mut open = Vec::new();
        for _ in 0..stores {
            open.push(self.open(replays).await);
        }
        let numbers = self.numbers(EVENTS);
        let (next, end) = (Arc::new(AtomicUsize::new(numbers.start)), numbers.end);
        let begun = Instant::now();
        let mut tasks = tokio::task::JoinSet::new();
        for (_, store) in (0..callers).zip(open.iter().cycle()) {
            let (store, next) = (store.clone(), Arc::clone(&next));
            tasks.spawn(async move {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= end {
                        break;
                    }
                    assert_eq!(store.put(entry(number)).await, Ok(Stored::Stored));
                }
            });
        }
        tasks.join_all().await;
        let rate = EVENTS as f64 / begun.elapsed().as_secs_f64();
        for store in open {
            store.close().await;
        }
        rate
    }

    /// Leases 100 at a time by so many workers, and acknowledges each event by itself.
    async fn work(&self, workers: usize) -> f64 {
        let store = self.open(Replays::Allowed).await;
        let done = Arc::new(AtomicUsize::new(0));
        let begun = Instant::now();
        let mut tasks = tokio::task::JoinSet::new();
        for _ in 0..workers {
            let (store, done) = (store.clone(), Arc::clone(&done));
            tasks.spawn(async move {
                while done.load(Ordering::Relaxed) < EVENTS {
                    let events = store.lease(100, Duration::from_secs(600)).await.unwrap();
                    let mut acks = tokio::task::JoinSet::new();
                    for event in events {
                        let store = store.clone();
                        acks.spawn(async move {
                            store.ack(event.id, event.lease.unwrap()).await.unwrap()
                        });
                    }
                    done.fetch_add(acks.join_all().await.len(), Ordering::Relaxed);
                }
            });
        }
        tasks.join_all().await;
        let rate = done.load(Ordering::Relaxed) as f64 / begun.elapsed().as_secs_f64();
        store.close().await;
        rate
    }
}

#[derive(Default)]
struct Table(Vec<(String, Vec<f64>)>);

impl Table {
    fn note(&mut self, name: &str, rate: f64) {
        match self.0.iter_mut().find(|(known, _)| known == name) {
            Some((_, rates)) => rates.push(rate),
            None => self.0.push((name.to_string(), vec![rate])),
        }
    }

    fn print(&mut self) {
        println!("| events a second | median | least | most |\n|---|---|---|---|");
        for (name, rates) in &mut self.0 {
            rates.sort_by(f64::total_cmp);
            let (least, most) = (rates[0], rates[rates.len() - 1]);
            println!("| {name} | {:.0} | {least:.0} | {most:.0} |", rates[rates.len() / 2]);
        }
    }
}

#[tokio::main]
async fn main() {
    let backlog = std::env::args().nth(1).map_or(BACKLOG, |text| text.parse().unwrap());
    let server = Server::start(&["shared_buffers=256MB", "max_wal_size=2GB"]).unwrap();
    let bench = Bench { server, next: AtomicUsize::new(0) };
    bench.open(Replays::Allowed).await.close().await;
    let mut table = Table::default();
    for _ in 0..ROUNDS {
        for rows in [64, 512] {
            table.note(&format!("psql, plain statements of {rows} rows"), bench.plain(rows));
            let rate = bench.puts(rows, 1, Replays::Allowed).await;
            table.note(&format!("put, {rows} at once"), rate);
            let rate = bench.puts(rows, 3, Replays::Allowed).await;
            table.note(&format!("put, {rows} at once over three stores"), rate);
            let rate = bench.puts(rows, 1, Replays::Noticed).await;
            table.note(&format!("put, {rows} at once, compared with all others"), rate);
        }
        table.note("lease and ack, 4 workers", bench.work(4).await);
    }
    if backlog > 0 {
        let fill = format!(
            "INSERT INTO messaging_inbox.events (idempotency_key, message_id, kind, json, received_at_ms)
            SELECT convert_to('old-' || n, 'UTF8'), 'm', 'k', convert_to(repeat('x', 400), 'UTF8'), n
            FROM generate_series(1, {backlog}) AS n"
        );
        bench.server.sql("postgres", &fill).unwrap();
        bench.server.sql("postgres", "CHECKPOINT").unwrap();
        for _ in 0..ROUNDS {
            let rate = bench.puts(64, 1, Replays::Allowed).await;
            table.note(&format!("put, 64 at once, {backlog} more are waiting"), rate);
            let rate = bench.work(4).await;
            table.note(&format!("lease and ack, 4 workers, {backlog} more are waiting"), rate);
        }
        let store = bench.open(Replays::Allowed).await;
        for _ in 0..100 {
            let begun = Instant::now();
            store.summary().await.unwrap();
            table.note(
                "summaries a second, one after the other, beside that",
                1.0 / begun.elapsed().as_secs_f64(),
            );
        }
    }
    table.print();
}
