//! Throughput of `serve`: one server on SQLite, one on PostgreSQL, and three on one PostgreSQL
//! database. Uses real processes and connections on one machine; the variants take turns in each
//! round.
//!
//! Reports events per second, CPU load, the memory of a server, and the CPU time per event of three
//! parts: event source, servers, database. Then reports how long a killed server takes to restart.
//! Fails if three servers store less than 0.9 times as many events as one server.
//!
//! ```text
//! cargo bench -p messaging-verify --profile dev --bench servers
//! cargo bench -p messaging-verify --profile dev --bench servers -- --seconds 30      for a profiler
//! ```
#![allow(clippy::unwrap_used, clippy::panic, reason = "a benchmark panics when it fails")]

#[cfg(target_os = "linux")]
mod cpu;
#[cfg(target_os = "linux")]
#[path = "../tests/process/mod.rs"]
mod process;

#[cfg(target_os = "linux")]
fn messaging() -> std::path::PathBuf {
    messaging_verify::program::messaging().unwrap()
}

#[cfg(target_os = "linux")]
mod linux {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::{Duration, Instant};

    use messaging_postgres::server::Server;
    use messaging_verify::bench::rounds;
    use tokio::task::JoinSet;

    use super::cpu::{of_family, own_and_ended, postmaster};
    use super::process::Serving;

    const AT_ONCE: [usize; 2] = [64, 512];
    const ROUNDS: usize = 5;
    const SECONDS: u64 = 4;
    /// Number of times that one server is killed.
    const KILLS: usize = 10;
    const PATH_SECRET: &str = "a-secret-of-the-benchmark";
    /// Minimum event rate of three servers, as a ratio to the rate of one server.
    const BOUND: f64 = 0.9;
    const KINDS: [Kind; 3] = [
        Kind { name: "one on SQLite", servers: 1, is_on_postgres: false },
        Kind { name: "one on PostgreSQL", servers: 1, is_on_postgres: true },
        Kind { name: "three on PostgreSQL", servers: 3, is_on_postgres: true },
    ];

    struct Kind {
        name: &'static str,
        servers: usize,
        is_on_postgres: bool,
    }

    fn serve(store: &str) -> Serving {
        let connections = ["--max-connections", "1024"];
        let settings = [("MESSAGING_WEBHOOK_PATH_SECRET", PATH_SECRET), ("RUST_LOG", "error")];
        Serving::start(&[&["--store", store], &connections[..]].concat(), &settings)
    }

    /// Returns the URL that ends with the path secret.
    fn url(serving: &Serving) -> String {
        format!("{}{PATH_SECRET}", serving.url)
    }

    fn resident_mebibytes(serving: &Serving) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", serving.id())).unwrap();
        let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
        line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() / 1024
    }

    /// CPU time in hundredths of a second, of processes or of all CPUs of the machine.
    #[derive(Clone, Copy, Default)]
    struct Times {
        sender: u64,
        servers: u64,
        database: u64,
        all: u64,
        busy: u64,
        waits_for_disk: u64,
    }

    impl Times {
        fn now(servers: &[Serving], postmaster: Option<u32>) -> Self {
            let machine = std::fs::read_to_string("/proc/stat").unwrap();
            let machine: Vec<u64> = machine
                .lines()
                .next()
                .unwrap()
                .split_whitespace()
                .skip(1)
                .take(8)
                .map(|field| field.parse().unwrap())
                .collect();
            let all: u64 = machine.iter().sum();
            Self {
                sender: own_and_ended(std::process::id()).0,
                servers: servers.iter().map(|one| own_and_ended(one.id()).0).sum(),
                database: postmaster.map_or(0, of_family),
                all,
                busy: all - machine[3] - machine[4],
                waits_for_disk: machine[4],
            }
        }

        fn since(self, before: Self) -> Self {
            Self {
                sender: self.sender - before.sender,
                servers: self.servers - before.servers,
                database: self.database.saturating_sub(before.database),
                all: self.all - before.all,
                busy: self.busy - before.busy,
                waits_for_disk: self.waits_for_disk - before.waits_for_disk,
            }
        }
    }

    /// Result of one variant in one round.
    #[derive(Clone, Copy)]
    struct Sample {
        a_second: f64,
        /// CPU time of the event source per event, in milliseconds.
        sender: f64,
        /// CPU time of all servers per event, in milliseconds.
        servers: f64,
        /// CPU time of the database per event, in milliseconds.
        database: f64,
        /// Share of the time of all CPUs in which a CPU is busy, in percent.
        busy: f64,
        /// Share of the time of all CPUs in which a CPU waits for the disk, in percent.
        waits_for_disk: f64,
        mebibytes: f64,
    }

    struct Load {
        client: reqwest::Client,
        number: AtomicUsize,
    }

    impl Load {
        /// Delivers an event and requires that it is stored.
        async fn deliver_one(&self, url: &str) {
            let number = self.number.fetch_add(1, Ordering::Relaxed);
            let body = format!(
                r#"{{"id":"msg-{number:08}","object":"message","event":"message:in:new","text":"{}"}}"#,
                "Is it ready? ".repeat(30)
            );
            let request = self.client.post(url).body(body);
            let request = request.header("content-type", "application/json");
            let request = request.header("x-idempotency-key", format!("evt-{number:08}"));
            let response = request.send().await.unwrap();
            assert_eq!(response.status(), 200);
        }

        /// Delivers events for `length`, spread evenly over the servers. Returns the number of
        /// stored events.
        async fn deliver(
            self: &Arc<Self>,
            servers: &[Serving],
            at_once: usize,
            length: Duration,
        ) -> usize {
            let end = Instant::now() + length;
            let mut tasks = JoinSet::new();
            for sender in 0..at_once {
                let (load, url) = (Arc::clone(self), url(&servers[sender % servers.len()]));
                tasks.spawn(async move {
                    let mut kept = 0;
                    while Instant::now() < end {
                        load.deliver_one(&url).await;
                        kept += 1;
                    }
                    kept
                });
            }
            tasks.join_all().await.into_iter().sum()
        }

        /// Returns the times from SIGKILL until a new process has stored an event, sorted.
        async fn recover(self: &Arc<Self>, store: &str) -> Vec<Duration> {
            let mut server = serve(store);
            let mut times = Vec::new();
            for _ in 0..rounds(KILLS) {
                self.deliver(std::slice::from_ref(&server), 8, Duration::from_millis(200)).await;
                let began = Instant::now();
                drop(server);
                server = serve(store);
                self.deliver_one(&url(&server)).await;
                times.push(began.elapsed());
            }
            times.sort();
            times
        }

        async fn sample(
            self: &Arc<Self>,
            kind: &Kind,
            database: &Server,
            at_once: usize,
            seconds: u64,
        ) -> Sample {
            let folder = tempfile::tempdir().unwrap();
            let store = if kind.is_on_postgres {
                database.url("postgres")
            } else {
                folder.path().join("inbox.sqlite").to_str().unwrap().to_string()
            };
            let servers: Vec<_> = (0..kind.servers).map(|_| serve(&store)).collect();
            let postmaster = kind.is_on_postgres.then(|| postmaster(database));
            // Opens connections and fills caches before the measurement.
            self.deliver(&servers, at_once, Duration::from_millis(500)).await;
            let (before, began) = (Times::now(&servers, postmaster), Instant::now());
            let kept = self.deliver(&servers, at_once, Duration::from_secs(seconds)).await as f64;
            let (took, times) = (began.elapsed(), Times::now(&servers, postmaster).since(before));
            let each = |hundredths: u64| hundredths as f64 * 10.0 / kept;
            let percent = |hundredths: u64| hundredths as f64 * 100.0 / times.all as f64;
            Sample {
                a_second: kept / took.as_secs_f64(),
                sender: each(times.sender),
                servers: each(times.servers),
                database: each(times.database),
                busy: percent(times.busy),
                waits_for_disk: percent(times.waits_for_disk),
                mebibytes: servers.iter().map(resident_mebibytes).max().unwrap() as f64,
            }
        }
    }

    fn median(samples: &[Sample], of: impl Fn(&Sample) -> f64) -> f64 {
        let mut values: Vec<_> = samples.iter().map(of).collect();
        values.sort_by(f64::total_cmp);
        values[values.len() / 2]
    }

    pub async fn run(seconds: Option<u64>) -> Result<(), String> {
        let Some(database) = Server::if_installed(&["max_wal_size=2GB"]).unwrap() else {
            return Ok(());
        };
        let load = Arc::new(Load { client: reqwest::Client::new(), number: AtomicUsize::new(0) });
        let mut problems = Vec::new();
        println!(
            "| concurrent deliveries | servers | events per second | ratio to one on PostgreSQL | CPU ms per event: event source, servers, database | CPUs: busy, waiting for the disk | MiB of a server |"
        );
        println!("|---|---|---|---|---|---|---|");
        for at_once in AT_ONCE {
            let mut samples = KINDS.each_ref().map(|_| Vec::new());
            for _ in 0..rounds(ROUNDS) {
                for (kind, samples) in KINDS.iter().zip(&mut samples) {
                    let seconds = seconds.unwrap_or(SECONDS);
                    samples.push(load.sample(kind, &database, at_once, seconds).await);
                }
            }
            for (kind, taken) in KINDS.iter().zip(&samples) {
                let pairs = taken.iter().zip(&samples[1]);
                let mut ratios: Vec<_> =
                    pairs.map(|(one, to)| one.a_second / to.a_second).collect();
                ratios.sort_by(f64::total_cmp);
                let ratio = ratios[ratios.len() / 2];
                println!(
                    "| {at_once} | {} | {:.0} | {ratio:.2} ({:.2} to {:.2}) | {:.3}, {:.3}, {:.3} | {:.0} %, {:.0} % | {:.0} |",
                    kind.name,
                    median(taken, |one| one.a_second),
                    ratios[0],
                    ratios[ratios.len() - 1],
                    median(taken, |one| one.sender),
                    median(taken, |one| one.servers),
                    median(taken, |one| one.database),
                    median(taken, |one| one.busy),
                    median(taken, |one| one.waits_for_disk),
                    median(taken, |one| one.mebibytes),
                );
                if kind.servers > 1 && ratio < BOUND {
                    problems.push(format!(
                        "{at_once} concurrent deliveries: {} store {ratio:.2} times the events of one server",
                        kind.name
                    ));
                }
            }
        }
        let bytes = "SELECT pg_total_relation_size('messaging_inbox.events') / count(*)
            FROM messaging_inbox.events";
        let bytes = database.sql("postgres", bytes).map_err(|error| error.to_string())?;
        println!("{bytes} bytes for an event in PostgreSQL");
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("inbox.sqlite").to_str().unwrap().to_string();
        for (kind, store) in KINDS.iter().zip([file, database.url("postgres")]) {
            let times = load.recover(&store).await;
            println!(
                "{}: stores events again {:.2} s after a kill ({:.2} to {:.2}, {} kills)",
                kind.name,
                times[times.len() / 2].as_secs_f64(),
                times[0].as_secs_f64(),
                times[times.len() - 1].as_secs_f64(),
                times.len(),
            );
        }
        if problems.is_empty() { Ok(()) } else { Err(problems.join("; ")) }
    }
}

#[cfg(target_os = "linux")]
#[tokio::main]
async fn main() {
    let arguments: Vec<_> = std::env::args().collect();
    let seconds = arguments.iter().position(|one| one == "--seconds");
    let seconds = seconds.map(|at| arguments[at + 1].parse().unwrap());
    if let Err(problem) = linux::run(seconds).await {
        eprintln!("{problem}");
        std::process::exit(1);
    }
}

#[cfg(not(target_os = "linux"))]
fn main() {
    eprintln!("NOT RUN: this system has no /proc, which shows the CPU time");
}
