//! `send-once` compared with `send-message`: 64 concurrent calls to a service that takes 20 ms. The
//! journals are in SQLite and in PostgreSQL, on the local disk. The variants take turns in each
//! round. Fails if a median ratio to `send-message` is below its bound.
//!
//! `--keys N` measures a large journal instead: lookup time and process memory with 1,000 keys and
//! with N keys. Fails if lookups take more than twice as long, or if memory grows by more than 32
//! MiB.
//!
//! ```text
//! cargo bench -p messaging-verify --profile dev --bench once
//! cargo bench -p messaging-verify --profile dev --bench once -- --keys 1000000
//! ```
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a benchmark panics when it fails"
)]

mod service;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use messaging_components::PLUGIN;
use messaging_host::once::{self, wit::MessageRequest};
use messaging_host::{Host, Limits, Once, Plugin};
use messaging_journal::{Journal, Swapped};
use messaging_verify::bench::{self, Group, Measure};
use service::{Service, config};
use tokio::task::JoinSet;

const LATENCY_MS: u32 = 20;
const AT_ONCE: usize = 64;
const CALLS: usize = 4_000;
const ROUNDS: usize = 5;
/// The default deadline of a component.
const DEADLINE: Duration = Duration::from_secs(30);

const MESSAGE: &str = "send-message";
/// Variants of `send-once`. Each has the minimum ratio of its call rate to that of `send-message`.
const BOUNDS: [(&str, f64); 2] = [("send-once, SQLite", 0.6), ("send-once, PostgreSQL", 0.5)];

/// Number of keys in a small journal.
const FEW: usize = 1_000;
/// Number of lookups per measurement.
const LOOKUPS: usize = 2_000;
/// Maximum growth of this process's memory in bytes. Allows for caches that fill.
const FLAT: f64 = 32.0 * 1024.0 * 1024.0;

/// A journal and its storage.
struct Kept {
    name: &'static str,
    journal: Journal,
    _folder: Option<tempfile::TempDir>,
    #[cfg(unix)]
    _server: Option<messaging_postgres::server::Server>,
}

async fn journals() -> Vec<Kept> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("journal.sqlite");
    let journal = Journal::open(file, messaging_journal::Options::default()).unwrap();
    let mut journals = vec![Kept {
        name: BOUNDS[0].0,
        journal,
        _folder: Some(folder),
        #[cfg(unix)]
        _server: None,
    }];
    #[cfg(unix)]
    journals.extend(postgres().await);
    journals
}

#[cfg(unix)]
async fn postgres() -> Option<Kept> {
    use messaging_postgres::server::Server;
    use messaging_postgres::{Options, journal::open};
    let server = Server::if_installed(&["max_wal_size=2GB"]).unwrap()?;
    let journal = open(&server.target("postgres").unwrap(), Options::default()).await.unwrap();
    Some(Kept { name: BOUNDS[1].0, journal, _folder: None, _server: Some(server) })
}

fn plugin(base: &str) -> Plugin {
    let host = Host::new(Limits { instances: 128, ..Limits::default() }).unwrap();
    Plugin::load(&host, PLUGIN, config(base)).unwrap()
}

/// Runs `calls` calls from `callers` concurrent tasks. Returns calls per second.
async fn rate<F: Future<Output = ()> + Send + 'static>(
    calls: usize,
    callers: usize,
    call: impl Fn(usize) -> F + Clone + Send + 'static,
) -> f64 {
    let next = Arc::<AtomicUsize>::default();
    let begun = Instant::now();
    let mut tasks = JoinSet::new();
    for _ in 0..callers {
        let (next, call) = (Arc::clone(&next), call.clone());
        tasks.spawn(async move {
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= calls {
                    break;
                }
                call(number).await;
            }
        });
    }
    tasks.join_all().await;
    calls as f64 / begun.elapsed().as_secs_f64()
}

async fn compared() -> Result<(), String> {
    let service = Service::start(LATENCY_MS);
    let plugin = plugin(&service.base);
    let title = format!("a service that takes {LATENCY_MS} ms, {AT_ONCE} at once");
    let mut group = Group::new(&title, Measure::CallsPerSecond, MESSAGE);
    let journals = journals().await;
    // The first round opens connections and is not counted.
    for round in 0..=bench::rounds(ROUNDS) {
        let sender = plugin.clone();
        let send = move |number: usize| {
            let sender = sender.clone();
            async move {
                let request = MessageRequest::new("+34600111222", &number.to_string());
                sender.send_message(&request).await.unwrap().unwrap();
            }
        };
        let plain = rate(CALLS, AT_ONCE, send).await;
        if round > 0 {
            group.sample(MESSAGE, plain);
        }
        for Kept { name, journal, .. } in &journals {
            let once = Once::new(plugin.clone(), Arc::new(journal.clone()), DEADLINE);
            let send = move |number: usize| {
                let once = once.clone();
                async move {
                    let key = format!("order-{round}-{number}-shipped");
                    let request = MessageRequest::new("+34600111222", &number.to_string());
                    let created = once.send_once(&key, &request).await.unwrap();
                    assert!(!created.replayed && created.recorded);
                }
            };
            let rate = rate(CALLS, AT_ONCE, send).await;
            if round > 0 {
                group.sample(name, rate);
            }
        }
    }
    let figures = group.figures();
    bench::report(&figures);
    for (name, bound) in BOUNDS {
        let Some(figure) = figures.iter().find(|figure| figure.name == name) else { continue };
        if figure.ratio[0] < bound {
            return Err(format!(
                "{name}: {:.2} times the rate of {MESSAGE}, below {bound}",
                figure.ratio[0]
            ));
        }
    }
    Ok(())
}

fn key(number: usize) -> String {
    // Spreads the keys, as in a journal with many kinds of keys.
    let mixed = (number as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    format!("order-{mixed:016x}-{number}-shipped")
}

/// Returns a journal value of about the usual length, for message `number`.
fn text(number: usize) -> String {
    let digest = format!("{number:032x}");
    format!(
        r#"{{"v":1,"entry":{{"digest":{{"salt":"{digest}","sha256":"{digest}{digest}"}},"attempts":1,"attempt":{{"name":"{digest}","began":1700000000000,"until":1700000040000}},"end":{{"at":1700000000020,"outcome":{{"created":{{"id":"msg-{number:08}","json":"{{\"id\":\"msg-{number:08}\",\"status\":\"queued\",\"phone\":\"+34600111222\"}}"}}}}}}}}}}"#
    )
}

/// Returns the median duration of sequential lookups in microseconds, for the first `keys` keys.
async fn lookup(journal: &Journal, keys: usize) -> f64 {
    let mut took = Vec::new();
    for at in 0..LOOKUPS {
        let number = at.wrapping_mul(7_919) % keys;
        let begun = Instant::now();
        let entry = once::look_up(journal, &key(number)).await.unwrap().unwrap();
        took.push(begun.elapsed().as_secs_f64() * 1e6);
        assert_eq!(entry.id, Some(format!("msg-{number:08}")));
    }
    took.sort_by(f64::total_cmp);
    took[took.len() / 2]
}

fn resident() -> f64 {
    bench::resident_bytes().map_or(f64::NAN, |bytes| bytes as f64)
}

async fn grown(keys: usize) -> Result<(), String> {
    println!("| journal | keys | keys a second | us a lookup | MB of this process |");
    println!("|---|---|---|---|---|");
    let mut problems = Vec::new();
    for Kept { name, journal, .. } in &journals().await {
        let name = name.trim_start_matches("send-once, ");
        let fill = async |first: usize, last: usize| {
            let journal = journal.clone();
            let put = move |number: usize| {
                let (journal, number) = (journal.clone(), first + number);
                async move {
                    let swapped = journal.swap(&key(number), None, &text(number)).await;
                    assert_eq!(swapped.unwrap(), Swapped::Swapped);
                }
            };
            rate(last - first, 256, put).await
        };
        let mut before = None;
        for (first, last) in [(0, FEW), (FEW, keys)] {
            let rate = fill(first, last).await;
            let (took, bytes) = (lookup(journal, last).await, resident());
            println!("| {name} | {last} | {rate:.0} | {took:.0} | {:.1} |", bytes / 1048576.0);
            let Some((took_before, bytes_before)) = before.replace((took, bytes)) else { continue };
            if took > took_before * 2.0 {
                problems.push(format!(
                    "{name}: {took:.0} us a lookup with many keys, {took_before:.0} us with few"
                ));
            }
            if bytes - bytes_before > FLAT {
                problems.push(format!("{name}: memory grew by {:.0} bytes", bytes - bytes_before));
            }
        }
    }
    if problems.is_empty() { Ok(()) } else { Err(problems.join("; ")) }
}

#[tokio::main]
async fn main() {
    let arguments: Vec<_> = std::env::args().collect();
    let keys = arguments.iter().position(|one| one == "--keys").map(|at| &arguments[at + 1]);
    let done = match keys {
        Some(keys) => grown(keys.parse().unwrap()).await,
        None => compared().await,
    };
    if let Err(problem) = done {
        eprintln!("{problem}");
        std::process::exit(1);
    }
}
