//! A soak: a great many calls in one process, some of them a hostile component's. Every
//! call ends as it should, nothing disturbs the others, and at the end the process holds
//! what it held near the beginning.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::bail;
use messaging_core::origin::Origin;
use messaging_core::secret::ApiKey;
use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use serde::Serialize;
use tokio::task::JoinSet;

use crate::bench;
use messaging_components::{HOSTILE, PLUGIN};
use messaging_host::error::CallError;
use messaging_host::outbound::Trust;
use messaging_host::{
    AllowList, CallResult, Host, Limit, Limits, Outbound, Plugin, PluginConfig, wit,
};
use messaging_simulator::service::{self, Service};

const KEY: &str = "soak-canary-key-77ab";

/// Number of wrong outcomes that are kept word for word.
const KEPT: usize = 20;

/// Bytes that the process may grow by after the first three tenths of the calls: allocators and
/// the pool of instances still settle.
const GROWTH_BYTES: u64 = 16 * 1024 * 1024;

/// Options of a soak.
#[derive(Clone, Debug)]
pub struct Options {
    /// Calls in all.
    pub calls: u64,
    /// Of a thousand calls, those of the hostile component.
    pub hostile_per_mille: u32,
    /// Calls at once.
    pub concurrency: usize,
    /// Seed of the random number generator.
    pub seed: u64,
}

/// Results of a soak.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Report {
    /// Calls in all.
    pub calls: u64,
    /// Messages that were sent.
    pub sent: u64,
    /// Messages that the service created.
    pub created: u64,
    /// Listings.
    pub listed: u64,
    /// Events that were understood.
    pub understood: u64,
    /// Commands to the hostile component, and how often it got each.
    pub hostile: BTreeMap<&'static str, u64>,
    /// Outcomes that were not what they had to be.
    pub wrong: u64,
    /// The first of them.
    pub examples: Vec<String>,
    /// Resident memory in bytes at each tenth of the calls.
    pub resident: Vec<u64>,
    /// Instances, memories and stacks that were still taken at the end. None: the
    /// instances came from no pool.
    pub left: Option<u64>,
    /// Duration in seconds.
    pub seconds: f64,
}

impl Report {
    /// Whether everything ended as it should.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.wrong == 0
            && self.sent == self.created
            && self.left.unwrap_or(0) == 0
            && self.is_flat()
    }

    /// Whether memory stayed what it was within the first three tenths of the calls.
    #[must_use]
    pub fn is_flat(&self) -> bool {
        let early = self.resident.iter().take(3).max();
        match (early, self.resident.last()) {
            (Some(early), Some(last)) => *last <= early.saturating_add(GROWTH_BYTES),
            _ => true,
        }
    }
}

/// Commands to the hostile component, and the expected outcome of each.
const COMMANDS: [(&str, &str, Expectation); 12] = [
    (
        "compute without end",
        "spin",
        Expectation::Fails(|error| matches!(error, CallError::Limit(Limit::Cpu))),
    ),
    (
        "allocate without end",
        "allocate",
        Expectation::Fails(|error| matches!(error, CallError::Limit(Limit::Memory))),
    ),
    ("recurse without end", "recurse", TRAPS),
    ("trap", "trap", TRAPS),
    ("exit", "exit", TRAPS),
    (
        "keep headers without end",
        "fields",
        Expectation::Fails(|error| {
            matches!(error, CallError::Limit(Limit::Memory | Limit::Resources))
        }),
    ),
    (
        "draw random bytes without end",
        "random-over",
        Expectation::Fails(|error| matches!(error, CallError::Limit(Limit::Random))),
    ),
    ("reach another port", "get http://127.0.0.1:1/", Expectation::Says("HttpRequestDenied")),
    ("reach another host", "get https://other.example/", Expectation::Says("HttpRequestDenied")),
    (
        "reach the cloud's metadata",
        "get http://169.254.169.254/latest/",
        Expectation::Says("HttpRequestDenied"),
    ),
    ("look for the key", "environment", Expectation::Says("placeholder-")),
    (
        "send the key elsewhere",
        "get-with-key-in-cookie {base}/v1/waba/templates",
        Expectation::Says("HttpRequestDenied"),
    ),
];

const TRAPS: Expectation = Expectation::Fails(|error| matches!(error, CallError::Trap(_)));

enum Expectation {
    Fails(fn(&CallError) -> bool),
    Says(&'static str),
}

struct Soak {
    plugin: Plugin,
    hostile: Plugin,
    base: String,
    options: Options,
    next: AtomicU64,
    report: Mutex<Report>,
}

/// Runs a soak. `progress` is told how many calls have begun, at each hundredth.
///
/// # Errors
/// The engine or the simulated service cannot be started.
pub async fn run(
    options: Options,
    progress: impl Fn(u64) + Send + Sync + 'static,
) -> anyhow::Result<Report> {
    let service = service::Options { keeps_ledger: false, ..service::Options::new(KEY) };
    let service = Service::start(service).await?;
    let limits = Limits {
        memory_bytes: 8 * 1024 * 1024,
        // So that what a few of them hold at the moment of a measurement is no growth.
        resources: 64,
        cpu: Duration::from_millis(200),
        wall: Duration::from_secs(30),
        instances: u32::try_from(options.concurrency).unwrap_or(u32::MAX),
        ..Limits::default()
    };
    let host = Host::new(limits)?;
    let base = service.base_url();
    let config = || {
        let allow = Origin::parse(&base).map(|origin| AllowList::of_origin(&origin))?;
        let outbound = Outbound::new(allow, Trust::Public)?;
        let settings = vec![("MESSAGING_BASE_URL".to_string(), base.clone())];
        anyhow::Ok(PluginConfig::new(settings, Some(ApiKey::new(KEY.into())?), outbound)?)
    };
    let load = |bytes| anyhow::Ok(Plugin::load(&host, bytes, config()?)?);
    let (concurrency, seconds) = (options.concurrency, Instant::now());
    let soak = Arc::new(Soak {
        plugin: load(PLUGIN)?,
        hostile: load(HOSTILE)?,
        base: base.clone(),
        options,
        next: AtomicU64::new(0),
        report: Mutex::default(),
    });
    let progress = Arc::new(progress);
    let mut callers = JoinSet::new();
    for _ in 0..concurrency {
        let (soak, progress) = (Arc::clone(&soak), Arc::clone(&progress));
        callers.spawn(async move { soak.call_on(&*progress).await });
    }
    while let Some(ended) = callers.join_next().await {
        ended?;
    }
    let mut report = soak.report().clone();
    report.calls = soak.options.calls;
    report.created = service.ledger().created;
    report.left = host.engine().pooling_allocator_metrics().map(|pool| {
        let taken = [pool.memories(), pool.tables(), pool.stacks()].into_iter().max();
        pool.core_instances().max(taken.and_then(|taken| taken.try_into().ok()).unwrap_or(0))
    });
    report.seconds = seconds.elapsed().as_secs_f64();
    Ok(report)
}

impl Soak {
    fn report(&self) -> std::sync::MutexGuard<'_, Report> {
        self.report.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// One of the callers, until all calls are made.
    async fn call_on(&self, progress: &(impl Fn(u64) + Sync)) {
        let calls = self.options.calls;
        loop {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            if number >= calls {
                return;
            }
            if number.is_multiple_of((calls / 100).max(1)) {
                progress(number);
            }
            if number.saturating_add(1).is_multiple_of((calls / 10).max(1)) {
                self.report().resident.push(bench::resident_bytes().unwrap_or(0));
            }
            if let Err(wrong) = self.call(number).await {
                let mut report = self.report();
                report.wrong = report.wrong.saturating_add(1);
                if report.examples.len() < KEPT {
                    report.examples.push(format!("call {number}: {wrong:#}"));
                }
            }
        }
    }

    async fn call(&self, number: u64) -> anyhow::Result<()> {
        let mut random = SmallRng::seed_from_u64(self.options.seed.wrapping_add(number));
        if random.random_range(0..1000) < self.options.hostile_per_mille {
            return self.misbehave(&mut random).await;
        }
        let counted = |count: fn(&mut Report) -> &mut u64| {
            let mut report = self.report();
            let count = count(&mut report);
            *count = count.saturating_add(1);
        };
        match random.random_range(0..10) {
            0..6 => {
                let request = wit::MessageRequest::new(
                    "+34600111222",
                    &format!(
                        "Order {number} is ready. {}",
                        "x".repeat(random.random_range(0..2000))
                    ),
                );
                let sent = good(self.plugin.send_message(&request).await)?;
                if !sent.id.starts_with("msg-") {
                    bail!("another identifier than the service's: {}", sent.id);
                }
                counted(|report| &mut report.sent);
            }
            6..8 => {
                let query =
                    wit::TemplateQuery { status: None, parameters: vec![], every_page: None };
                let page = good(self.plugin.list_templates(&query).await)?;
                if page.templates.is_empty() {
                    bail!("a listing without templates");
                }
                counted(|report| &mut report.listed);
            }
            _ => {
                let key = format!("evt-{number}");
                let header = |name: &str, value: &str| wit::Header {
                    name: name.into(),
                    value: value.into(),
                };
                let delivery = wit::WebhookDelivery {
                    headers: vec![
                        header("X-Idempotency-Key", &key),
                        header("Content-Type", "application/json"),
                    ],
                    body: format!(
                        r#"{{"id":"m-{number}","object":"message","event":"message:in:new"}}"#
                    ),
                };
                let event = good(self.plugin.handle_event(&delivery).await)?;
                if event.idempotency_key != key {
                    bail!("another call's event: {}", event.idempotency_key);
                }
                counted(|report| &mut report.understood);
            }
        }
        Ok(())
    }

    async fn misbehave(&self, random: &mut SmallRng) -> anyhow::Result<()> {
        let Some((what, command, ending)) = COMMANDS.choose(random) else { return Ok(()) };
        let request = wit::MessageRequest::new("", &command.replace("{base}", &self.base));
        let result = self.hostile.send_message(&request).await;
        let as_it_should = match (ending, &result) {
            (Expectation::Fails(kind), Err(error)) => kind(error),
            (Expectation::Says(text), Ok(Ok(said))) => {
                said.json.contains(text) && !said.json.contains(KEY)
            }
            _ => false,
        };
        if !as_it_should {
            bail!("{what}: {result:?}");
        }
        let mut report = self.report();
        let count = report.hostile.entry(what).or_default();
        *count = count.saturating_add(1);
        Ok(())
    }
}

fn good<T>(result: CallResult<T>) -> anyhow::Result<T> {
    match result {
        Ok(Ok(value)) => Ok(value),
        Ok(Err(error)) => bail!("{error:?}"),
        Err(error) => Err(error.into()),
    }
}
