//! Compares components with the native core.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use crate::cached;
use messaging_components::BROKEN;
use messaging_components::HOSTILE;
use std::path::{Path, PathBuf};

use messaging_components::PLUGIN;
use messaging_host::outbound::Trust;
use messaging_host::{AllowList, Host, Limits, Outbound, Plugin, PluginConfig};
use messaging_verify::differential::{self, Plan, Report, Source};

async fn compare(component: &[u8], source: Source, cases: u64, workers: usize) -> Report {
    let limits = Limits { instances: 256, parts: 2, ..Limits::default() };
    let outbound = Outbound::new(AllowList::deny_all(), Trust::Public).unwrap();
    let config = PluginConfig::open(vec![], outbound);
    let plugin = Plugin::load(&cached(Host::new(limits).unwrap()), component, config).unwrap();
    let plan = Plan { source, cases, seed: 1, workers };
    differential::run(&plan, &plugin, |_| {}).await.unwrap()
}

fn corpora() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/corpus")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn component_and_core_are_same() {
    let report = compare(PLUGIN, Source::Generated, 3_000, 32).await;
    assert!(report.is_clean(), "{:#?}", report.differences);
    // At least 15 kinds of outcomes occur 10 times or more.
    let common = report.outcomes.values().filter(|count| **count >= 10).count();
    assert!(common >= 15, "{:?}", report.outcomes);
}

#[tokio::test]
async fn arbitrary_input_leaves_no_state() {
    for source in [Source::Replies(corpora()), Source::Deliveries(corpora())] {
        let report = compare(PLUGIN, source, 1_000, 1).await;
        assert!(report.is_clean(), "{:#?}", report.differences);
        assert!(report.outcomes.len() >= 2, "{:?}", report.outcomes);
        let [early, half, all] = report.instance;
        assert!(early > 0 && early == half && half == all, "{:?}", report.instance);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn differing_component_is_detected() {
    let report = compare(HOSTILE, Source::Generated, 50, 8).await;
    assert!(report.different > 10, "{report:?}");
    // A wrapper around the plugin that changes nothing must not cause a difference.
    let report = compare(BROKEN, Source::Generated, 300, 8).await;
    assert!(report.is_clean(), "{:#?}", report.differences);
}
