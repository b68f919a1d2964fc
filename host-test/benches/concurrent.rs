//! Concurrent calls to a service that takes 50 ms. Compares seven callers: reqwest, and two
//! variants each of the plugins for WASI 0.2, for WASI 0.3 and without I/O.
//!
//! Each caller runs in a separate process, so that its memory can be measured. The callers take
//! turns in each round. Reports medians.
//!
//! Profile of WASI 0.3 with 10,000 calls in two instances (perf, 2026-11-30): 5.9 times the CPU time
//! of reqwest, spread over many functions. Polls of host tasks have the largest part, 9 %. Instances
//! that yielded at each tick took 31 times, because wasmtime defers and sorts all ready calls while
//! a call yields.
//!
//! Memory of a call in flight without I/O beyond reqwest, with 2,000 calls (`/proc/PID/smaps`,
//! 2026-11-30): 13 KB in the heap of the host, 12 KB of linear memory, 8 KB of unchanged data of the
//! component, whose pages all instances share, and one page each for stack and tables. A kept
//! instance also keeps the stack of its last step.
//!
//! Tried with 2,000 calls, 66.6 KB each (reqwest: 29.1): with one arena of glibc's allocator 64.2 KB;
//! calls without a fiber 66.8 KB, because the instantiation keeps its stack. With 1,000 calls, the
//! heap has 51 KB per call, and 40 KB with reqwest. In both, a connection takes 25 KB.
//!
//! ```text
//! cargo bench -p messaging-verify --bench concurrent            a table
//! cargo bench -p messaging-verify --bench concurrent -- --json  JSON for a script
//! ```
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a benchmark panics when it fails")]

mod service;

use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Barrier};
use std::time::{Duration, Instant};

use cpu_time::ProcessTime;
use messaging_components::{PLUGIN, PLUGIN_P3, PLUGIN_SANS_IO};
use messaging_host::{Host, Limits, Plugin, wit};
use messaging_verify::bench::{self, Group, Measure};
use serde_json::{Value, json};
use service::{KEY, Service, config};
use tokio::task::JoinSet;

const LATENCY_MS: u32 = 50;
/// Concurrent calls, total calls, rounds, and indexes of the measured callers in [`CALLERS`].
const SETTINGS: [(usize, usize, usize, &[usize]); 3] = [
    (256, 4_000, 5, &[0, 1, 2, 3, 4, 5, 6]),
    (1_000, 5_000, 5, &[0, 1, 2, 3, 4, 5, 6]),
    (10_000, 20_000, 3, &[0, 1, 2, 3, 6]),
];
const BODY: &str = r#"{"phone":"+34600111222","message":"Your order is ready for pickup."}"#;
const WAITING: usize = 1_000;
const THREAD: &str = "an operating system thread";
const CALLERS: [&str; 7] = [
    "reqwest, no component",
    "without I/O, kept instances",
    "without I/O, a fresh instance for each call",
    "0.2, a fresh instance for each call",
    "0.2, a warm instance for each caller",
    "0.3, one instance",
    "0.3, an instance for each core",
];
/// Measures, in the order of the table columns.
const MEASURES: [Measure; 5] = [
    Measure::CpuMicrosPerCall,
    Measure::CallsPerSecond,
    Measure::MedianMillis,
    Measure::P99Millis,
    Measure::KilobytesPerCallInFlight,
];

#[derive(Clone)]
enum Caller {
    Native(reqwest::Client, String),
    Fresh(Plugin),
    Warm(Plugin),
    Concurrent(Vec<Plugin>),
}

impl Caller {
    fn new(name: &str, base: &str, concurrency: usize) -> Self {
        let instances = u32::try_from(concurrency).unwrap() + 100;
        let limits = Limits { instances, ..Limits::default() };
        // Each copy of the plugin has its own instance.
        let concurrent = |count: usize| {
            let host = Host::concurrent(limits).unwrap();
            let plugin = Plugin::load(&host, PLUGIN_P3, config(base)).unwrap();
            Self::Concurrent((0..count).map(|_| plugin.with_config(config(base))).collect())
        };
        let plugin = || plugin(base, limits);
        match CALLERS.iter().position(|known| *known == name).unwrap() {
            0 => Self::Native(reqwest::Client::new(), format!("{base}/v1/messages")),
            1 => Self::Fresh(sans_io(base, limits).keeping_instances()),
            2 => Self::Fresh(sans_io(base, limits)),
            3 => Self::Fresh(plugin()),
            4 => Self::Warm(plugin()),
            5 => concurrent(1),
            _ => concurrent(std::thread::available_parallelism().unwrap().get()),
        }
    }

    /// Sends messages until `left`, the number of remaining calls, is 0. Returns the duration of
    /// each call.
    async fn work(self, number: usize, left: Arc<AtomicUsize>) -> Vec<Duration> {
        let request = wit::MessageRequest::new("+34600111222", "Your order is ready for pickup.");
        let mut warm = match &self {
            Self::Warm(plugin) => Some(plugin.instance().await.unwrap()),
            _ => None,
        };
        let next = |left: usize| left.checked_sub(1);
        let mut took = Vec::new();
        while left.try_update(Ordering::Relaxed, Ordering::Relaxed, next).is_ok() {
            let started = Instant::now();
            match (&self, &mut warm) {
                (Self::Native(client, url), _) => {
                    let request = client.post(url).header("token", KEY);
                    let request = request.header("content-type", "application/json").body(BODY);
                    let response = request.send().await.unwrap();
                    assert_eq!(response.status(), 201);
                    let body = response.bytes().await.unwrap();
                    let body: Value = serde_json::from_slice(&body).unwrap();
                    assert!(body["id"].is_string());
                }
                (Self::Fresh(plugin), _) => {
                    plugin.send_message(&request).await.unwrap().unwrap();
                }
                (_, Some(instance)) => {
                    instance.send_message(&request).await.unwrap().unwrap();
                }
                (Self::Concurrent(plugins), _) => {
                    let plugin = &plugins[number % plugins.len()];
                    plugin.send_message(&request).await.unwrap().unwrap();
                }
                (Self::Warm(_), None) => {}
            }
            took.push(started.elapsed());
        }
        took
    }

    async fn calls(&self, calls: usize, concurrency: usize) -> Vec<Duration> {
        let left = Arc::new(AtomicUsize::new(calls));
        let mut tasks = JoinSet::new();
        for number in 0..concurrency {
            tasks.spawn(self.clone().work(number, Arc::clone(&left)));
        }
        tasks.join_all().await.into_iter().flatten().collect()
    }
}

fn plugin(base: &str, limits: Limits) -> Plugin {
    Plugin::load(&Host::new(limits).unwrap(), PLUGIN, config(base)).unwrap()
}

fn sans_io(base: &str, limits: Limits) -> Plugin {
    let host = Host::new(limits).unwrap();
    Plugin::load(&host, PLUGIN_SANS_IO, config(base)).unwrap()
}

/// Returns the resident memory of this process in bytes.
fn resident_bytes() -> f64 {
    bench::resident_bytes().map_or(f64::NAN, |bytes| bytes as f64)
}

/// Measures one caller in this process. Returns one value per entry of [`MEASURES`].
async fn measure(
    name: &str,
    base: &str,
    calls: usize,
    concurrency: usize,
) -> [f64; MEASURES.len()] {
    let caller = Caller::new(name, base, concurrency);
    caller.calls(1, 1).await;
    let idle = resident_bytes();
    // The first calls open the connections. All of them are in flight at the same time.
    let first = caller.calls(concurrency, concurrency);
    let mut first = std::pin::pin!(first);
    let mut in_flight = idle;
    let first = loop {
        tokio::select! {
            first = &mut first => break first,
            () = tokio::time::sleep(Duration::from_millis(4)) => {
                in_flight = in_flight.max(resident_bytes());
            }
        }
    };
    assert_eq!(first.len(), concurrency);
    let (cpu, wall) = (ProcessTime::now(), Instant::now());
    let mut took = caller.calls(calls, concurrency).await;
    let (cpu, wall) = (cpu.elapsed().as_secs_f64(), wall.elapsed().as_secs_f64());
    took.sort_unstable();
    let part = |part: usize| took[(took.len() - 1) * part / 100].as_secs_f64() * 1e3;
    let count = calls as f64;
    let kilobytes = (in_flight - idle) / 1024.0 / concurrency as f64;
    [cpu * 1e6 / count, count / wall, part(50), part(99), kilobytes]
}

/// Measures the memory of one waiting thread or instance in kilobytes, averaged over `count`.
async fn waiting(name: &str, base: &str, count: usize) -> f64 {
    let growth = |before: f64| (resident_bytes() - before) / 1024.0 / count as f64;
    match name {
        THREAD => {
            let before = resident_bytes();
            let gate = Arc::new(Barrier::new(count + 1));
            let threads: Vec<_> = (0..count)
                .map(|_| {
                    let gate = Arc::clone(&gate);
                    std::thread::spawn(move || {
                        gate.wait();
                        gate.wait();
                    })
                })
                .collect();
            gate.wait();
            let each = growth(before);
            gate.wait();
            threads.into_iter().for_each(|thread| thread.join().unwrap());
            each
        }
        _ => {
            let instances = u32::try_from(count).unwrap();
            let plugin = plugin(base, Limits { instances, ..Limits::default() });
            drop(plugin.instance().await.unwrap());
            let before = resident_bytes();
            let mut instances = Vec::with_capacity(count);
            for _ in 0..count {
                instances.push(plugin.instance().await.unwrap());
            }
            growth(before)
        }
    }
}

/// Measures one caller in a separate process.
fn apart(name: &str, base: &str, calls: usize, concurrency: usize) -> Vec<f64> {
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--caller", name, base, &calls.to_string(), &concurrency.to_string()])
        .output()
        .expect("this program starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Raises the limit of open files, because the default of some systems is too low for 1,000
/// connections.
fn allow_files() {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, getrlimit, setrlimit};
        let mut limit = getrlimit(Resource::Nofile);
        limit.current = limit.maximum;
        let _ = setrlimit(Resource::Nofile, limit);
    }
}

/// Returns true if this process may open this many connections and 200 other files.
fn files_suffice(connections: usize) -> bool {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, getrlimit};
        let limit = getrlimit(Resource::Nofile).current;
        limit.is_none_or(|limit| limit >= connections as u64 + 200)
    }
    #[cfg(not(unix))]
    true
}

fn main() {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    if let [flag, name, base, calls, concurrency] = &arguments[..]
        && flag == "--caller"
    {
        let (calls, concurrency) = (calls.parse().unwrap(), concurrency.parse().unwrap());
        let runtime = tokio::runtime::Runtime::new().unwrap();
        let measured = match calls {
            // 0 calls selects the measurement of waiting callers.
            0 => vec![runtime.block_on(waiting(name, base, concurrency))],
            _ => runtime.block_on(measure(name, base, calls, concurrency)).to_vec(),
        };
        println!("{}", json!(measured));
        runtime.shutdown_timeout(Duration::from_secs(1));
        return;
    }
    allow_files();
    let mut figures = Vec::new();
    for (concurrency, calls, rounds, callers) in SETTINGS {
        if !files_suffice(concurrency) {
            eprintln!(
                "NOT RUN: {concurrency} calls at once need more open files than this process may have"
            );
            continue;
        }
        let title = format!("a service that takes {LATENCY_MS} ms, {concurrency} at once");
        let mut groups = MEASURES.map(|measure| Group::new(&title, measure, CALLERS[0]));
        for _ in 0..bench::rounds(rounds) {
            for name in callers.iter().map(|caller| CALLERS[*caller]) {
                // Each caller gets a new service, because a closed connection keeps its port for a
                // minute. One service would run out of ports after a few rounds of 10,000
                // connections.
                let service = Service::start(LATENCY_MS);
                let measured = apart(name, &service.base, calls, concurrency);
                for (group, value) in groups.iter_mut().zip(measured) {
                    group.sample(name, value);
                }
            }
        }
        figures.extend(groups.iter().flat_map(Group::figures));
    }
    let service = Service::start(LATENCY_MS);
    let mut held =
        Group::new(&format!("{WAITING} idle threads or instances"), Measure::KilobytesEach, THREAD);
    for _ in 0..bench::rounds(3) {
        for name in [THREAD, "0.2, an instance"] {
            held.sample(name, apart(name, &service.base, 0, WAITING)[0]);
        }
    }
    figures.extend(held.figures());
    bench::report(&figures);
}
