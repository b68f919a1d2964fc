//! `send-message` beside native clients, in one run: the same requests to the same
//! simulated service, which runs in a process of its own. CPU time is this process's
//! alone. Medians over several rounds, and ratios to reqwest.
//!
//! ```text
//! cargo bench --bench calls            a table
//! cargo bench --bench calls -- --json  the same for a script
//! ```
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a benchmark stops where it fails")]

mod service;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use bytes::Bytes;
use cpu_time::ProcessTime;
use host_test::outbound::Trust;
use host_test::{AllowList, Host, Limits, Outbound, PLUGIN, Plugin, Sandbox, wit};
use http_body_util::{BodyExt, Full};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use messaging_core::origin::Origin;
use messaging_core::secret::ApiKey;
use serde_json::{Value, json};
use service::{KEY, Service};

const ROUNDS: usize = 7;
const BODY: &str = r#"{"phone":"+34600111222","message":"Your order is ready for pickup."}"#;

#[derive(Clone)]
enum Caller {
    Hyper(Client<HttpConnector, Full<Bytes>>, String),
    Reqwest(reqwest::Client, String),
    Fresh(Plugin),
    Warm(Plugin),
}

impl Caller {
    /// One of the callers at work, until `left` is used up.
    async fn work(self, left: Arc<AtomicUsize>) {
        let next = || {
            left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1))
                .is_ok()
        };
        let request = wit::MessageRequest {
            phone: "+34600111222".into(),
            message: "Your order is ready for pickup.".into(),
            device: None,
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
                }
            }
            Self::Fresh(plugin) => {
                while next() {
                    plugin.send_message(&request).await.unwrap().unwrap();
                }
            }
            Self::Warm(plugin) => {
                let mut instance = plugin.instance().await.unwrap();
                while next() {
                    instance.send_message(&request).await.unwrap().unwrap();
                }
            }
        }
    }
}

/// What a caller does with the reply at least.
fn check(body: &[u8]) {
    let body: Value = serde_json::from_slice(body).unwrap();
    assert!(body["id"].is_string());
}

/// CPU microseconds for each call, and calls per second.
fn measure(
    runtime: &tokio::runtime::Runtime,
    caller: &Caller,
    calls: usize,
    at_once: usize,
) -> (f64, f64) {
    let left = Arc::new(AtomicUsize::new(calls));
    let (cpu, wall) = (ProcessTime::now(), Instant::now());
    runtime.block_on(async {
        let mut tasks = tokio::task::JoinSet::new();
        for _ in 0..at_once {
            tasks.spawn(caller.clone().work(Arc::clone(&left)));
        }
        tasks.join_all().await;
    });
    let calls = calls as f64;
    (cpu.elapsed().as_secs_f64() * 1e6 / calls, calls / wall.elapsed().as_secs_f64())
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Medians for each caller, the callers taking turns within each round.
fn compare(
    runtime: &tokio::runtime::Runtime,
    service: &Service,
    calls: usize,
    at_once: usize,
) -> Vec<(&'static str, f64, f64)> {
    let url = format!("{}/v1/messages", service.base);
    let plugin = plugin(&service.base);
    let hyper = {
        let _guard = runtime.enter();
        Client::builder(TokioExecutor::new()).build(HttpConnector::new())
    };
    let callers = [
        ("hyper, pooled", Caller::Hyper(hyper, url.clone())),
        ("reqwest", Caller::Reqwest(reqwest::Client::new(), url)),
        ("component, fresh instance", Caller::Fresh(plugin.clone())),
        ("component, warm instance", Caller::Warm(plugin)),
    ];
    let mut samples = vec![(Vec::new(), Vec::new()); callers.len()];
    for round in 0..=ROUNDS {
        for ((_, caller), (cpu, rate)) in callers.iter().zip(&mut samples) {
            let measured = measure(runtime, caller, calls, at_once);
            // The first round opens connections and fills caches.
            if round > 0 {
                cpu.push(measured.0);
                rate.push(measured.1);
            }
        }
    }
    let medians = samples.into_iter().map(|(cpu, rate)| (median(cpu), median(rate)));
    callers.iter().zip(medians).map(|((name, _), (cpu, rate))| (*name, cpu, rate)).collect()
}

fn plugin(base: &str) -> Plugin {
    let origin = Origin::parse(base).unwrap();
    let outbound = Outbound::new(AllowList::of_origin(&origin), Trust::Public).unwrap();
    let settings = vec![("MESSAGING_BASE_URL".to_string(), base.to_string())];
    let sandbox = Sandbox::new(settings, Some(ApiKey::new(KEY.into()).unwrap()), outbound);
    let host = Host::new(Limits { instances: 128, ..Limits::default() }).unwrap();
    Plugin::load(&host, PLUGIN, sandbox).unwrap()
}

fn main() {
    let json = std::env::args().any(|argument| argument == "--json");
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let mut report = Vec::new();
    for (title, latency_ms, calls, at_once) in [
        ("loopback, 32 at once", 0, 4_000, 32),
        ("a service that takes 20 ms, 64 at once", 20, 2_000, 64),
    ] {
        let service = Service::start(latency_ms);
        let rows = compare(&runtime, &service, calls, at_once);
        let (_, base_cpu, base_rate) = rows[1];
        if !json {
            println!("\n{title} ({ROUNDS} rounds of {calls} calls, medians)");
            println!(
                "{:<28}{:>12}{:>12}{:>12}{:>12}",
                "", "CPU us/call", "x reqwest", "calls/s", "x reqwest"
            );
        }
        for (name, cpu, rate) in rows {
            let (cpu_ratio, rate_ratio) = (cpu / base_cpu, rate / base_rate);
            if !json {
                println!("{name:<28}{cpu:>12.1}{cpu_ratio:>12.2}{rate:>12.0}{rate_ratio:>12.2}");
            }
            report.push(json!({
                "setting": title, "caller": name, "cpu-us-per-call": cpu,
                "cpu-ratio": cpu_ratio, "calls-per-second": rate, "rate-ratio": rate_ratio,
            }));
        }
    }
    if json {
        println!("{:#}", Value::from(report));
    }
    runtime.shutdown_timeout(Duration::from_secs(1));
}
