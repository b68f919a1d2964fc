//! Attacks beside a load of good calls: nobody notices.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use futures_util::{FutureExt, StreamExt};
use messaging_core::origin::Origin;
use messaging_core::secret::ApiKey;
use serde::Serialize;

use super::{Attack, Ground, Outcome};
use crate::bench;
use messaging_components::PLUGIN;
use messaging_host::limits::Limits;
use messaging_host::outbound::{AllowList, Outbound, Trust};
use messaging_host::{Host, Plugin, PluginConfig, wit};
use messaging_simulator::service::{self, Service};

/// Bytes that the process may take with attacks beyond those without.
pub const MORE_BYTES: u64 = 64 * 1024 * 1024;

/// Good calls at once.
const CALLERS: usize = 16;

/// Number of wrong outcomes that are kept word for word.
const KEPT: usize = 20;

/// Outcome of good calls beside attacks.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Beside {
    /// Good calls, made twice: alone, and beside attacks.
    pub good: u64,
    /// Messages that the service created for them.
    pub created: u64,
    /// Good calls that did not end as they should.
    pub wrong: Vec<String>,
    /// Attacks that were carried out meanwhile.
    pub attacks: u64,
    /// Those that did not hold.
    pub broke: Vec<Outcome>,
    /// Resident memory at most, in bytes: the good calls alone.
    pub resident_alone: u64,
    /// The same beside the attacks.
    pub resident_beside: u64,
}

impl Beside {
    /// Whether nothing was disturbed.
    #[must_use]
    pub fn held(&self) -> bool {
        self.wrong.is_empty()
            && self.broke.is_empty()
            && self.attacks > 0
            && self.created == self.good.saturating_mul(2)
            && self.resident_beside <= self.resident_alone.saturating_add(MORE_BYTES)
    }
}

/// Makes `good` calls alone, and then beside all `attacks`, `concurrency` of them at a time and
/// over and over for as long as the calls take, once at least. What the calls take alone is
/// known only where nothing has been attacked in this process before.
///
/// # Errors
/// The engine or the simulated service cannot be started.
pub async fn beside(
    ground: &Arc<Ground>,
    attacks: &[Attack],
    concurrency: usize,
    good: u64,
) -> anyhow::Result<Beside> {
    const KEY: &str = "attack-canary-key-5d1e";
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

    let (mut wrong, resident_alone) = watched(calls(&plugin, good)).await;
    let done = AtomicBool::new(false);
    let calls = calls(&plugin, good).map(|wrong| {
        done.store(true, Ordering::Relaxed);
        wrong
    });
    let count = AtomicU64::new(0);
    let attacking = async {
        let mut broke = Vec::new();
        loop {
            let outcomes = super::run(ground, attacks, concurrency, |_| {
                count.fetch_add(1, Ordering::Relaxed);
            });
            broke.extend(outcomes.await.into_iter().filter(|one| !one.held));
            if done.load(Ordering::Relaxed) || broke.len() >= KEPT {
                return broke;
            }
        }
    };
    let ((more, broke), resident_beside) = watched(async { tokio::join!(calls, attacking) }).await;
    wrong.extend(more);
    Ok(Beside {
        good,
        created: service.ledger().created,
        wrong,
        attacks: count.into_inner(),
        broke,
        resident_alone,
        resident_beside,
    })
}

/// Sends so many messages; what went wrong.
async fn calls(plugin: &Plugin, good: u64) -> Vec<String> {
    let send = async |number: u64| {
        let request = wit::MessageRequest::new("+34600111222", &format!("Order {number} is ready"));
        match plugin.send_message(&request).await {
            Ok(Ok(_)) => None,
            other => Some(format!("call {number}: {other:?}")),
        }
    };
    let calls = futures_util::stream::iter(0..good).map(send).buffer_unordered(CALLERS);
    calls.filter_map(std::future::ready).take(KEPT).collect().await
}

/// The result of a future, and the most memory that the process took meanwhile.
async fn watched<T>(future: impl Future<Output = T>) -> (T, u64) {
    const EVERY: Duration = Duration::from_millis(5);
    let stop = Arc::new(AtomicBool::new(false));
    let stopped = Arc::clone(&stop);
    // A thread: the runtime's may be busy.
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
