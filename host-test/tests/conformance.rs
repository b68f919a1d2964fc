//! The conformance suite: the plugin passes it, and a component that is broken in one
//! way fails just there.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use messaging_components::BROKEN;
use std::collections::BTreeSet;
use std::time::Duration;

use futures_util::StreamExt;
use messaging_components::PLUGIN;
use messaging_host::outbound::Trust;
use messaging_host::{AllowList, Host, Limits, Outbound, Plugin, Sandbox};
use messaging_simulator::faults::Pace;
use messaging_verify::conformance::report::{Outcome, base};
use messaging_verify::conformance::{Case, Verdict, run};

/// A compiled component, and connections for it.
fn load(component: &[u8]) -> (Plugin, Outbound) {
    let limits =
        Limits { instances: 64, parts: 2, wall: Duration::from_secs(30), ..Limits::default() };
    let outbound = Outbound::new(AllowList::deny_all(), Trust::Public).unwrap();
    let sandbox = Sandbox::open(vec![], outbound.clone());
    (Plugin::load(&Host::new(limits).unwrap(), component, sandbox).unwrap(), outbound)
}

/// Runs the suite, several cases at once.
async fn verdicts((plugin, outbound): &(Plugin, Outbound), broken: Option<&str>) -> Vec<Verdict> {
    let variables: Vec<_> = broken.map(|how| ("BROKEN".into(), how.into())).into_iter().collect();
    let cases = futures_util::stream::iter(Case::all().unwrap());
    let run = |case| {
        let subject = run::Subject::Component(plugin, &variables);
        async move { run::run(case, subject, outbound, Pace::Whole).await.unwrap() }
    };
    cases.map(run).buffered(8).collect().await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_plugin_keeps_every_promise_in_this_host() {
    let verdicts = verdicts(&load(PLUGIN), None).await;
    let unkept: Vec<_> = verdicts.iter().filter(|case| case.result != Outcome::Passed).collect();
    assert!(unkept.is_empty(), "{unkept:#?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_component_that_is_broken_in_one_way_fails_just_there() {
    let lost = "a_connection_that_ends_without_a_reply_is_no_proof";
    let rows: [(&str, &[&str]); 6] = [
        ("", &[]),
        (
            "retries-a-lost-reply",
            &[
                lost,
                "a_connection_that_ends_within_the_request_is_no_proof",
                "what_is_no_reply_is_no_proof",
            ],
        ),
        (
            "leaks-the-key",
            &["a_key_that_is_not_accepted_is_unauthorized", "a_refusal_never_repeats_the_key"],
        ),
        ("follows-a-redirect", &["a_redirect_is_never_followed"]),
        ("drops-unknown-fields", &["no_field_of_the_reply_is_lost"]),
        ("says-delivered", &["created_is_all_that_is_said"]),
    ];
    let broken = load(BROKEN);
    let runs = rows.map(|(how, _)| verdicts(&broken, Some(how)));
    let runs = futures_util::future::join_all(runs).await;
    for ((how, expected), verdicts) in rows.into_iter().zip(runs) {
        let failed = verdicts.iter().filter(|case| case.result == Outcome::Failed);
        let failed: BTreeSet<_> = failed.map(|case| base(&case.name)).collect();
        assert_eq!(failed, expected.iter().copied().collect(), "{how}");
    }
}
