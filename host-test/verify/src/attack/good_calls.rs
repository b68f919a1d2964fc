//! Many good calls, first without attacks and then during attacks. Each call must end correctly,
//! and the memory of the process must stay within limits.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use anyhow::{bail, ensure};
use futures_util::{FutureExt, StreamExt};
use messaging_core::origin::Origin;
use messaging_core::secret::ApiKey;
use serde::Serialize;

use super::{Attack, Fixture, Outcome};
use crate::bench;
use messaging_components::PLUGIN;
use messaging_host::limits::Limits;
use messaging_host::outbound::{AllowList, Outbound, Trust};
use messaging_host::{CallResult, Host, Plugin, PluginConfig, wit};
use messaging_simulator::service::{self, Service};

const KEY: &str = "attack-canary-key-5d1e";

/// Maximum additional memory of the process during attacks, in bytes.
pub const MORE_BYTES: u64 = 64 * 1024 * 1024;

/// Maximum growth of the resident memory in the run without attacks, in bytes. The growth is the
/// maximum in the last tenth of the calls, minus the maximum in the first three tenths. The limit
/// is above zero, because allocators and the pool of instances still settle.
const GROWTH_BYTES: u64 = 16 * 1024 * 1024;

/// Number of concurrent good calls.
const CALLERS: usize = 16;

/// Maximum number of reported wrong outcomes.
const KEPT: usize = 20;

/// The outcome of good calls without attacks and during attacks.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct GoodCalls {
    /// Number of good calls in each of the two runs. Of ten calls, six send, two list templates,
    /// and two handle an event.
    pub good: u64,
    /// Number of messages that the good calls sent successfully, in both runs.
    pub sent: u64,
    /// Number of messages that the service created.
    pub created: u64,
    /// Good calls that ended incorrectly.
    pub wrong: Vec<String>,
    /// Number of attacks.
    pub attacks: u64,
    /// Attacks that broke a limit.
    pub broke: Vec<Outcome>,
    /// Maximum resident memory in each tenth of the calls without attacks, in bytes.
    #[serde(rename = "resident-alone")]
    pub resident_without_attacks: Vec<u64>,
    /// Maximum resident memory during the attacks, in bytes.
    pub resident_during: u64,
    /// Highest number among the instances, memories, tables and stacks that are still in use.
    /// `None` without a pool.
    pub left: Option<u64>,
}

impl GoodCalls {
    /// Returns true if all calls and attacks ended as expected, within the limits of memory.
    pub fn held(&self) -> bool {
        self.wrong.is_empty()
            && self.broke.is_empty()
            && self.attacks > 0
            && self.created == self.sent
            && self.left.unwrap_or(0) == 0
            && self.is_flat()
            && self.resident_during <= self.max_without_attacks().saturating_add(MORE_BYTES)
    }

    /// Returns the maximum resident memory without attacks, in bytes.
    pub fn max_without_attacks(&self) -> u64 {
        self.resident_without_attacks.iter().copied().max().unwrap_or(0)
    }

    fn is_flat(&self) -> bool {
        let early = self.resident_without_attacks.iter().take(3).max();
        early
            .zip(self.resident_without_attacks.last())
            .is_none_or(|(early, last)| *last <= early.saturating_add(GROWTH_BYTES))
    }
}

/// Makes `good` calls without attacks, then as many calls during `attacks`. Runs the attacks at
/// least once, and repeats them until the calls end, `concurrency` attacks at a time. The memory
/// without attacks is valid only if this process has run no attack before.
///
/// # Errors
/// Returns an error if the engine or the simulated service cannot start.
pub async fn good_calls(
    fixture: &Arc<Fixture>,
    attacks: &[Attack],
    concurrency: usize,
    good: u64,
) -> anyhow::Result<GoodCalls> {
    let options = service::Options { keeps_ledger: false, ..service::Options::new(KEY) };
    let service = Service::start(options).await?;
    let base = service.base_url();
    let allow = AllowList::of_origin(&Origin::parse(&base)?);
    let outbound = Outbound::new(allow, Trust::Public)?;
    let settings = vec![("MESSAGING_BASE_URL".to_string(), base)];
    let config = PluginConfig::new(settings, Some(ApiKey::new(KEY.into())?), outbound)?;
    let limits = Limits { instances: 64, ..Limits::default() };
    let host = Host::new(limits)?;
    let plugin = Plugin::load(&host, PLUGIN, config)?;

    let sent = AtomicU64::new(0);
    let (mut wrong, mut resident_without_attacks) = (Vec::new(), Vec::new());
    for tenth in 0..10 {
        let numbers = good.saturating_mul(tenth) / 10..good.saturating_mul(tenth + 1) / 10;
        let (more, resident) = watched(calls(&plugin, numbers, &sent)).await;
        wrong.extend(more);
        resident_without_attacks.push(resident);
    }
    let done = AtomicBool::new(false);
    let calls = calls(&plugin, 0..good, &sent).map(|wrong| {
        done.store(true, Ordering::Relaxed);
        wrong
    });
    let count = AtomicU64::new(0);
    let attacking = async {
        let mut broke = Vec::new();
        loop {
            let outcomes = super::run(fixture, attacks, concurrency, |_| {
                count.fetch_add(1, Ordering::Relaxed);
            });
            broke.extend(outcomes.await.into_iter().filter(|one| !one.held));
            if done.load(Ordering::Relaxed) || broke.len() >= KEPT {
                return broke;
            }
        }
    };
    let ((more, broke), resident_during) = watched(async { tokio::join!(calls, attacking) }).await;
    wrong.extend(more);
    let left = host.engine().pooling_allocator_metrics().map(|pool| {
        let taken = [pool.memories(), pool.tables(), pool.stacks()].into_iter().max();
        pool.core_instances().max(taken.and_then(|taken| taken.try_into().ok()).unwrap_or(0))
    });
    Ok(GoodCalls {
        good,
        sent: sent.into_inner(),
        created: service.ledger().created,
        wrong,
        attacks: count.into_inner(),
        broke,
        resident_without_attacks,
        resident_during,
        left,
    })
}

/// Makes the calls with these numbers. Returns the errors of the calls.
async fn calls(plugin: &Plugin, numbers: Range<u64>, sent: &AtomicU64) -> Vec<String> {
    let call = async |number: u64| {
        let error = call(plugin, number, sent).await.err()?;
        Some(format!("call {number}: {error:#}"))
    };
    let calls = futures_util::stream::iter(numbers).map(call).buffer_unordered(CALLERS);
    calls.filter_map(std::future::ready).take(KEPT).collect().await
}

async fn call(plugin: &Plugin, number: u64, sent: &AtomicU64) -> anyhow::Result<()> {
    match number % 10 {
        0..6 => {
            let filler = "x".repeat(usize::try_from(number % 2003)?);
            let text = format!("Order {number} is ready. {filler}");
            let request = wit::MessageRequest::new("+34600111222", &text);
            let id = good(plugin.send_message(&request).await)?.id;
            ensure!(id.starts_with("msg-"), "an identifier that the service did not create: {id}");
            sent.fetch_add(1, Ordering::Relaxed);
        }
        6..8 => {
            let query = wit::TemplateQuery { status: None, parameters: vec![], every_page: None };
            let page = good(plugin.list_templates(&query).await)?;
            ensure!(!page.templates.is_empty(), "a listing without templates");
        }
        _ => {
            let key = format!("evt-{number}");
            let header =
                |name: &str, value: &str| wit::Header { name: name.into(), value: value.into() };
            let delivery = wit::WebhookDelivery {
                headers: vec![
                    header("X-Idempotency-Key", &key),
                    header("Content-Type", "application/json"),
                ],
                body: format!(
                    r#"{{"id":"m-{number}","object":"message","event":"message:in:new"}}"#
                ),
            };
            let event = good(plugin.handle_event(&delivery).await)?;
            ensure!(
                event.idempotency_key == key,
                "the event of another call: {}",
                event.idempotency_key
            );
        }
    }
    Ok(())
}

fn good<T>(result: CallResult<T>) -> anyhow::Result<T> {
    match result? {
        Ok(value) => Ok(value),
        Err(error) => bail!("{error:?}"),
    }
}

/// Returns the result of a future, and the maximum memory of the process while the future ran.
async fn watched<T>(future: impl Future<Output = T>) -> (T, u64) {
    const EVERY: Duration = Duration::from_millis(5);
    let stop = Arc::new(AtomicBool::new(false));
    let stopped = Arc::clone(&stop);
    // Samples the memory on a separate thread, because the runtime may be busy.
    let watching = std::thread::spawn(move || {
        let mut most = 0;
        while !stopped.load(Ordering::Relaxed) {
            most = most.max(bench::resident_bytes().unwrap_or(0));
            std::thread::sleep(EVERY);
        }
        most
    });
    let result = future.await;
    stop.store(true, Ordering::Relaxed);
    (result, watching.join().unwrap_or(u64::MAX))
}
