//! The attacks in small: what `messaging attack` does.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::time::Duration;

use messaging_host::Limits;
use messaging_verify::attack::{self, Ground, Target};

/// A machine that is busy with other tests is slow.
const SLACK: Duration = Duration::from_secs(10);

async fn every_attack_holds_on(target: Target) {
    let limits = Ground::limits();
    let ground = Ground::new(limits).await.unwrap();
    let attacks = attack::attacks(&[target]);
    assert!(attacks.len() >= 20);
    let outcomes = attack::run(&ground, &attacks, 2, SLACK, |_| {}).await;
    let broke: Vec<_> = outcomes.into_iter().filter(|outcome| !outcome.held).collect();
    assert!(broke.is_empty(), "{broke:#?}");
    // Two attacks at once, and the call after each. Those whose connection has not been
    // taken down are a few more.
    let most = usize::try_from(limits.concurrent_requests).unwrap() * 4;
    assert!(ground.most_connections() <= most, "{} connections", ground.most_connections());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_component_stays_within_its_budget_in_the_host_of_plugins() {
    every_attack_holds_on(Target::Plugin).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_component_stays_within_its_budget_in_the_host_of_plugins_for_wasi_03() {
    every_attack_holds_on(Target::PluginP3).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_component_stays_within_its_budget_in_the_host_of_webhooks() {
    every_attack_holds_on(Target::Webhook).await;
}

/// That each of these is found where a limit is missing: the check can fail.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_attack_on_a_host_without_the_limit_does_not_hold() {
    let limits = Limits {
        random_bytes: u64::MAX,
        requests: u32::MAX,
        transfer_bytes: u64::MAX,
        wall: Duration::from_millis(1500),
        cpu: Duration::from_secs(60),
        ..Ground::limits()
    };
    let ground = Ground::new(limits).await.unwrap();
    let mut attacks = attack::attacks(&[Target::Plugin]);
    attacks.retain(|attack| {
        ["compute", "random bytes", "a reply without end"].contains(&attack.name.as_str())
    });
    let outcomes = attack::run(&ground, &attacks, 2, SLACK, |_| {}).await;
    assert_eq!(outcomes.len(), 4);
    assert!(outcomes.iter().all(|outcome| !outcome.held), "{outcomes:#?}");
}
