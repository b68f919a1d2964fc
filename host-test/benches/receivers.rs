//! `serve` compared with receivers that users write by hand: `node:http` with SQLite, plain and
//! with batched commits; fastify with pg; axum with sqlx. Each receiver runs as a separate process,
//! checks an HMAC and answers after the commit. Only `serve` also checks the timestamp, and
//! compares the content of events with equal keys. The receivers take turns in each round. Reports
//! medians.
//!
//! Profile of `serve` on SQLite, 64 connections (perf, 2026-11-30): 37 % in wasmtime, WASI and
//! hyper, 30 % in the thread of SQLite, 15 % in the component, 18 % in the allocator and the kernel.
//! On PostgreSQL, one connection (pgbench): the server needs 0.08 ms for an insert into a bare
//! table, 0.09 ms more for the indexes of the queues, 0.13 ms more for the counts by state, and up
//! to 0.2 ms more for the settings of the transaction and the function that stores a group. In
//! groups of 48 events, the server needs 32 us per event, 29 us without the indexes of the queues,
//! 21 us also without the counts and the SHA-256 of the key, and 14 us with a bare table (minima of
//! three runs, during a build).
//!
//! Tried on 2026-11-30, in turns with the unchanged program, on SQLite with 64 connections:
//!
//! ```text
//! mimalloc                          0.97 of the CPU time, 1.03 of the rate, 1.11 of the memory
//! fewer wakes of idle threads       1.04 of the CPU time, 0.95 of the rate
//! one thread of the Tokio runtime   1.08 of the CPU time, 0.85 of the rate (during a build)
//! ```
//!
//! ```text
//! cargo verify bench receivers                          needs npm and PostgreSQL
//! cargo bench -p messaging-verify --bench receivers     a table
//! ```
//!
//! `BENCH_FOLDER` sets the directory of the SQLite files; the default is the system's temporary
//! directory.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a benchmark panics when it fails"
)]

#[cfg(target_os = "linux")]
mod cpu;
#[cfg(target_os = "linux")]
mod event;
#[cfg(target_os = "linux")]
#[path = "../tests/process/mod.rs"]
mod process;

#[cfg(target_os = "linux")]
fn messaging() -> std::path::PathBuf {
    messaging_verify::program::messaging().unwrap()
}

#[cfg(target_os = "linux")]
mod linux {
    use std::net::SocketAddr;
    use std::path::{Path, PathBuf};
    use std::process::Command;
    use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

    use messaging_postgres::server::Server;
    use messaging_verify::bench::{self, Figure, Group, Measure};
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpStream;
    use tokio::task::JoinSet;

    use super::cpu::{of_family, own_and_ended, postmaster};
    use super::event::{self, SECRET};
    use super::process::{self, Serving};

    const ROUNDS: usize = 5;
    const LENGTH: Duration = Duration::from_secs(4);
    const AT_ONCE: usize = 64;
    const TIMEOUT: Duration = Duration::from_secs(30);
    const TARGET: &str = concat!(env!("CARGO_TARGET_TMPDIR"), "/receivers");
    const OURS: &str = "messaging serve";
    const PLAIN: &str = "node:http and node:sqlite";
    const BATCHED: &str = "node:http and node:sqlite, batched commits";
    const FASTIFY: &str = "fastify and pg";
    const AXUM: &str = "axum and sqlx";

    /// Returns the directory of the hand-written receivers.
    fn receivers() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../benches/receivers")
    }

    fn run(command: &mut Command) {
        let status = command.status().unwrap();
        assert!(status.success(), "{command:?}: {status}");
    }

    /// Installs Node.js and the packages of the receivers, and builds the receiver in Rust.
    fn prepare() {
        run(Command::new("npm").args(["ci", "--silent"]).current_dir(receivers()));
        run(Command::new("cargo")
            .args(["build", "--quiet", "--locked", "--release", "--target-dir", TARGET])
            .current_dir(receivers()));
    }

    fn node(script: &str, arguments: &[&str]) -> Serving {
        let mut command = Command::new(receivers().join("node_modules/.bin/node"));
        command.arg("--no-warnings").arg(receivers().join(script)).args(arguments);
        Serving::of(with_secret(command))
    }

    fn axum(url: &str) -> Serving {
        let mut command = Command::new(Path::new(TARGET).join("release/receiver"));
        command.arg(url);
        Serving::of(with_secret(command))
    }

    fn with_secret(mut command: Command) -> Command {
        process::set(&mut command, &[]);
        command.env("SECRET", SECRET);
        command
    }

    fn ours(store: &str) -> Serving {
        let settings = [
            ("MESSAGING_WEBHOOK_SIGNATURE_SECRET", SECRET),
            ("MESSAGING_WEBHOOK_SIGNED", "key.timestamp.body"),
            ("MESSAGING_WEBHOOK_TIMESTAMP_TOLERANCE_SECONDS", "300"),
            ("RUST_LOG", "error"),
        ];
        let connections = ["--max-connections", "1024"];
        Serving::start(&[&["--store", store], &connections[..]].concat(), &settings)
    }

    /// Starts the receiver with this name. `store` is a new file or the URL of an empty database.
    fn start(name: &str, store: &str) -> Serving {
        match name {
            PLAIN => node("sqlite.mjs", &[store]),
            BATCHED => node("sqlite.mjs", &[store, "batched"]),
            FASTIFY => node("postgres.mjs", &[store]),
            AXUM => axum(store),
            _ => ours(store),
        }
    }

    /// Returns the signed request for event `number`.
    fn request(number: u64) -> String {
        let (key, json) = (event::key(number), event::json(number));
        let at = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
        let proof = event::proof(at, &format!("{key}.{at}.{json}"));
        process::kept_alive("/", &proof, &key, &json)
    }

    /// Delivers events on one connection until `end`. Returns the duration of each delivery.
    async fn deliver(address: SocketAddr, first: u64, end: Instant) -> Vec<Duration> {
        let mut stream = TcpStream::connect(address).await.unwrap();
        stream.set_nodelay(true).unwrap();
        let (mut number, mut times, mut reply) = (first, Vec::new(), vec![0; 4096]);
        while Instant::now() < end {
            let request = request(number);
            number += 1;
            let begun = Instant::now();
            stream.write_all(request.as_bytes()).await.unwrap();
            let mut length = 0;
            while !reply[..length].ends_with(b"}") {
                let read = tokio::time::timeout(TIMEOUT, stream.read(&mut reply[length..])).await;
                let read = read.expect("an answer").unwrap();
                length += read;
                let text = String::from_utf8_lossy(&reply[..length]);
                assert!(read > 0 && text.starts_with("HTTP/1.1 200 "), "{text}");
            }
            times.push(begun.elapsed());
        }
        times
    }

    /// Measurements of one receiver in one round.
    struct Sample {
        events_per_second: f64,
        /// CPU time per event of the receiver and its database, in microseconds.
        cpu_micros: f64,
        median_millis: f64,
    }

    async fn sample(receiver: &Serving, database: Option<u32>, connections: usize) -> Sample {
        static NEXT: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(0);
        let cpu = || own_and_ended(receiver.id()).0 + database.map_or(0, of_family);
        let load = async |length| {
            let mut tasks = JoinSet::new();
            for _ in 0..connections {
                let first = NEXT.fetch_add(1 << 24, std::sync::atomic::Ordering::Relaxed);
                tasks.spawn(deliver(receiver.address, first, Instant::now() + length));
            }
            tasks.join_all().await.concat()
        };
        // Fills caches, and lets Node.js compile the receiver.
        load(Duration::from_secs(1)).await;
        let (before, begun) = (cpu(), Instant::now());
        let mut times = load(LENGTH).await;
        let (took, used) = (begun.elapsed(), cpu().saturating_sub(before));
        times.sort_unstable();
        Sample {
            events_per_second: times.len() as f64 / took.as_secs_f64(),
            cpu_micros: used as f64 * 1e4 / times.len() as f64,
            median_millis: times[times.len() / 2].as_secs_f64() * 1e3,
        }
    }

    /// Deletes all events, and creates the empty table of the hand-written receivers.
    fn clear(database: &Server) {
        let table = "DROP SCHEMA IF EXISTS messaging_inbox CASCADE; DROP TABLE IF EXISTS events;
            CREATE TABLE events (id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
                key TEXT NOT NULL UNIQUE, body TEXT NOT NULL, received_at_ms BIGINT NOT NULL)";
        database.sql("postgres", table).unwrap();
    }

    async fn compare(
        store: &str,
        names: &[&'static str],
        reference: &'static str,
        database: Option<&Server>,
    ) -> Vec<Figure> {
        let many = format!("events on {store}, {AT_ONCE} connections");
        let one = format!("events on {store}, 1 connection");
        let mut rates = Group::new(&many, Measure::PerSecond, reference);
        let mut cpu = Group::new(&many, Measure::CpuMicrosPerEvent, reference);
        let mut medians = Group::new(&one, Measure::MedianMillis, reference);
        let base = std::env::var_os("BENCH_FOLDER").map_or_else(std::env::temp_dir, PathBuf::from);
        for round in 0..bench::rounds(ROUNDS) {
            for turn in 0..names.len() {
                let name = names[(round + turn) % names.len()];
                let folder = tempfile::tempdir_in(&base).unwrap();
                let url = if let Some(database) = database {
                    clear(database);
                    database.url("postgres")
                } else {
                    folder.path().join("inbox.sqlite").to_str().unwrap().to_string()
                };
                let receiver = start(name, &url);
                let postmaster = database.map(postmaster);
                medians.sample(name, sample(&receiver, postmaster, 1).await.median_millis);
                let all = sample(&receiver, postmaster, AT_ONCE).await;
                rates.sample(name, all.events_per_second);
                cpu.sample(name, all.cpu_micros);
            }
        }
        [rates.figures(), cpu.figures(), medians.figures()].concat()
    }

    pub async fn figures() -> Vec<Figure> {
        prepare();
        let mut figures = compare("SQLite", &[OURS, PLAIN, BATCHED], BATCHED, None).await;
        if let Some(database) = Server::if_installed(&["max_wal_size=2GB"]).unwrap() {
            let names = [OURS, FASTIFY, AXUM];
            figures.extend(compare("PostgreSQL", &names, AXUM, Some(&database)).await);
        }
        figures
    }
}

#[cfg(target_os = "linux")]
#[tokio::main]
async fn main() {
    messaging_verify::bench::report(&linux::figures().await);
}

#[cfg(not(target_os = "linux"))]
fn main() {
    eprintln!("NOT RUN: this system has no /proc, which shows the CPU time");
}
