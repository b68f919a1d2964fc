//! Runs the fault suite. Every case must pass in every mode.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

#[path = "it/common/mod.rs"]
mod common;

use std::time::Duration;

use common::cached;
use futures_util::StreamExt;
use messaging_components::{PLUGIN, PLUGIN_SANS_IO};
use messaging_conformance::Case;
use messaging_conformance::faults::{self, Components};
use messaging_host::outbound::Trust;
use messaging_host::{AllowList, Host, Limits, Outbound, Plugin, PluginConfig, wit};
use messaging_simulator::faults::{Chunking, ConnectionEvent, ScriptedServer};
use serde_json::json;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn fault_cases_hold_in_every_component() {
    let limits = Limits { instances: 64, wall: Duration::from_secs(70), ..Limits::default() };
    let outbound = Outbound::new(AllowList::deny_all(), Trust::Public).unwrap();
    let config = PluginConfig::open(vec![], outbound.clone());
    let host = cached(Host::new(limits).unwrap());
    let plugin = Plugin::load(&host, PLUGIN, config.clone()).unwrap();
    let sans_io = Plugin::load(&host, PLUGIN_SANS_IO, config).unwrap();
    let cases = Case::faults().unwrap();
    assert!(cases.len() >= 120);
    let failures: Vec<_> = faults::run(cases, &Components { plugin, sans_io }, &outbound)
        .map(Result::unwrap)
        .filter(|run| std::future::ready(!run.passed()))
        .map(|run| run.verdicts)
        .collect()
        .await;
    assert!(failures.is_empty(), "{failures:#?}");
}

/// Makes two calls. The service answers the first call after the second request has arrived.
#[tokio::test]
async fn late_reply_is_not_taken_for_next() {
    let script = json!([
        {
            "wait": "second",
            "reply": { "status": 201, "json": { "id": "late" } },
            "then": "drain"
        },
        { "open": "second", "reply": { "status": 201, "json": { "id": "in-time" } } }
    ]);
    let script = serde_json::from_value(script).unwrap();
    let peer = ScriptedServer::start(Some(script), None, Chunking::Whole).await.unwrap();
    let base = format!("http://{}", peer.address());
    let settings = [("MESSAGING_BASE_URL", base.as_str()), ("MESSAGING_DEADLINE_MS", "400")];
    let plugin = common::plugin(&settings, Some(common::KEY));
    let first = plugin.send_message(&common::message("+34600111222")).await.unwrap();
    assert!(matches!(first, Err(wit::Error::PermanentOutcomeUnknown(_))), "{first:?}");
    let second = plugin.send_message(&common::message("+34600111333")).await.unwrap();
    assert_eq!(second.unwrap().id, "in-time");
    peer.until(&ConnectionEvent::Left).await;
    let record = peer.record();
    assert_eq!(record.requests.len(), 2);
    let (read, gate) = (ConnectionEvent::Read, "second".to_string());
    // A caller that gives up closes its connection, so the late reply reaches no call.
    let first = record.on(1);
    assert_eq!(
        first[..3],
        [ConnectionEvent::Accepted, read.clone(), ConnectionEvent::Passed(gate.clone())]
    );
    assert_eq!(record.on(2)[..3], [ConnectionEvent::Accepted, read, ConnectionEvent::Opened(gate)]);
}
