//! `send-message` compared with native clients. All callers send identical requests to a simulated
//! service in a separate process. CPU time counts only this process. Reports medians of several
//! rounds and ratios to reqwest.
//!
//! Profile of 32 calls at once, samples of caller and service together (perf, 2026-12-01):
//!
//! ```text
//!                               kernel   host   component   libc   service
//! reqwest                         40 %   33 %               10 %      16 %
//! sans-I/O, kept instances        31 %   38 %         9 %    8 %      12 %
//! wasi:http, warm instances       20 %   50 %         9 %   11 %       9 %
//! ```
//!
//! Outside the kernel, no function except `memmove` (3 %) has 2 %.
//!
//! ```text
//! cargo bench -p messaging-verify --bench calls            a table
//! cargo bench -p messaging-verify --bench calls -- --json  JSON for a script
//! ```
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a benchmark panics when it fails")]

mod service;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use bytes::Bytes;
use cpu_time::ProcessTime;
use http_body_util::{BodyExt, Full};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use messaging_components::{PLUGIN, PLUGIN_SANS_IO};
use messaging_host::{Host, Limits, Plugin, wit};
use messaging_verify::bench::{self, Figure, Group, Measure};
use serde_json::Value;
use service::{KEY, Service, config};
use tokio::runtime::Runtime;

const ROUNDS: usize = 7;
const REFERENCE: &str = "reqwest";
const BODY: &str = r#"{"phone":"+34600111222","message":"Your order is ready for pickup."}"#;

#[derive(Clone)]
enum Caller {
    Hyper(Client<HttpConnector, Full<Bytes>>, String),
    Reqwest(reqwest::Client, String),
    Fresh(Plugin),
    Warm(Plugin),
}

impl Caller {
    /// Sends messages until `left`, the number of remaining calls, is 0. Returns the duration of
    /// each call.
    async fn work(self, left: Arc<AtomicUsize>) -> Vec<Duration> {
        let next = || {
            left.try_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1))
                .is_ok()
        };
        let request = wit::MessageRequest::new("+34600111222", "Your order is ready for pickup.");
        let mut took = Vec::new();
        let mut started = Instant::now();
        let mut done = || {
            took.push(started.elapsed());
            started = Instant::now();
        };
        match self {
            Self::Hyper(client, url) => {
                while next() {
                    let request = http::Request::post(&url)
                        .header("token", KEY)
                        .header("content-type", "application/json")
                        .body(Full::new(Bytes::from_static(BODY.as_bytes())))
                        .unwrap();
                    let response = client.request(request).await.unwrap();
                    assert_eq!(response.status(), 201);
                    check(&response.into_body().collect().await.unwrap().to_bytes());
                    done();
                }
            }
            Self::Reqwest(client, url) => {
                while next() {
                    let request = client
                        .post(&url)
                        .header("token", KEY)
                        .header("content-type", "application/json")
                        .body(BODY);
                    let response = request.send().await.unwrap();
                    assert_eq!(response.status(), 201);
                    check(&response.bytes().await.unwrap());
                    done();
                }
            }
            Self::Fresh(plugin) => {
                while next() {
                    plugin.send_message(&request).await.unwrap().unwrap();
                    done();
                }
            }
            Self::Warm(plugin) => {
                let mut instance = plugin.instance().await.unwrap();
                while next() {
                    instance.send_message(&request).await.unwrap().unwrap();
                    done();
                }
            }
        }
        took
    }
}

/// Parses a reply of a native client and checks the `id`, because the plugin also checks it.
fn check(body: &[u8]) {
    let body: Value = serde_json::from_slice(body).unwrap();
    assert!(body["id"].is_string());
}

/// Returns CPU time per call in microseconds, calls per second, and the 99th percentile of the call
/// duration in milliseconds.
fn measure(runtime: &Runtime, caller: &Caller, calls: usize, concurrency: usize) -> [f64; 3] {
    let left = Arc::new(AtomicUsize::new(calls));
    let (cpu, wall) = (ProcessTime::now(), Instant::now());
    let mut took = runtime.block_on(async {
        let mut tasks = tokio::task::JoinSet::new();
        for _ in 0..concurrency {
            tasks.spawn(caller.clone().work(Arc::clone(&left)));
        }
        tasks.join_all().await.concat()
    });
    let (cpu, wall) = (cpu.elapsed().as_secs_f64(), wall.elapsed().as_secs_f64());
    took.sort_unstable();
    let slow = took.get(took.len() * 99 / 100).map_or(0.0, |slow| slow.as_secs_f64() * 1e3);
    [cpu * 1e6 / calls as f64, calls as f64 / wall, slow]
}

/// Measures each caller. The callers take turns in each round.
fn compare(
    runtime: &Runtime,
    title: &str,
    latency_ms: u32,
    calls: usize,
    concurrency: usize,
) -> Vec<Figure> {
    let service = Service::start(latency_ms);
    let url = format!("{}/v1/messages", service.base);
    let host = Host::new(Limits { instances: 600, ..Limits::default() }).unwrap();
    let plugin = Plugin::load(&host, PLUGIN, config(&service.base)).unwrap();
    let sans_io = Plugin::load(&host, PLUGIN_SANS_IO, config(&service.base)).unwrap();
    let hyper = {
        let _guard = runtime.enter();
        Client::builder(TokioExecutor::new()).build(HttpConnector::new())
    };
    let callers = [
        ("hyper, pooled", Caller::Hyper(hyper, url.clone())),
        (REFERENCE, Caller::Reqwest(reqwest::Client::new(), url)),
        ("without I/O, kept instances", Caller::Fresh(sans_io.clone().keeping_instances())),
        ("without I/O, a fresh instance for each call", Caller::Fresh(sans_io)),
        ("wasi:http, a warm instance for each caller", Caller::Warm(plugin.clone())),
        ("wasi:http, a fresh instance for each call", Caller::Fresh(plugin)),
    ];
    let measures = [Measure::CpuMicrosPerCall, Measure::CallsPerSecond, Measure::P99Millis];
    let mut groups = measures.map(|measure| Group::new(title, measure, REFERENCE));
    for round in 0..=bench::rounds(ROUNDS) {
        for (name, caller) in &callers {
            let measured = measure(runtime, caller, calls, concurrency);
            // The first round opens connections and fills caches, and is not counted.
            if round > 0 {
                for (group, value) in groups.iter_mut().zip(measured) {
                    group.sample(name, value);
                }
            }
        }
    }
    groups.iter().flat_map(Group::figures).collect()
}

fn main() {
    let runtime = Runtime::new().unwrap();
    let mut figures = compare(&runtime, "loopback, 32 at once", 0, 4_000, 32);
    figures.extend(compare(&runtime, "a service that takes 20 ms, 256 at once", 20, 8_000, 256));
    bench::report(&figures);
    runtime.shutdown_timeout(Duration::from_secs(1));
}
