//! Attacks of `cargo verify attack`, and a test that an attack on a host without limits is
//! reported. Slower attack families run only in that command, which CI runs completely.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use messaging_host::Limits;
use messaging_verify::attack::{self, Attack, Fixture, GoodCalls, Options, Target};
use messaging_verify::program;
use tempfile::TempDir;

fn fixture(limits: Limits) -> (TempDir, Arc<Fixture>) {
    let folder = tempfile::tempdir().unwrap();
    let fixture = Fixture::new(Options {
        limits,
        // The slack is long, because the machine may be busy. Large errors are still found.
        slack: Duration::from_secs(10),
        program: program::messaging().unwrap(),
        folder: folder.path().to_path_buf(),
        compiled: Path::new(env!("CARGO_TARGET_TMPDIR")).join("compiled"),
    });
    (folder, fixture)
}

async fn all_hold(fixture: &Arc<Fixture>, attacks: &[Attack], at_once: usize) {
    let outcomes = attack::run(fixture, attacks, at_once, |_| {}).await;
    let broke: Vec<_> = outcomes.into_iter().filter(|outcome| !outcome.held).collect();
    assert!(broke.is_empty(), "{broke:#?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn connections_are_limited_by_requests() {
    let limits = Fixture::limits();
    let (_folder, fixture) = fixture(limits);
    let mut attacks =
        attack::attacks(Some("budget"), &[Target::Plugin, Target::PluginP3, Target::Webhook]);
    attacks.retain(|attack| {
        ["requests at once", "requests", "replies that are never read"]
            .contains(&attack.name.as_str())
    });
    assert_eq!(attacks.len(), 9);
    all_hold(&fixture, &attacks, 2).await;
    // The bound counts two concurrent attacks and the call after each of them, because closed
    // connections are removed with a delay.
    let most = usize::try_from(limits.concurrent_requests).unwrap() * 4;
    assert!(fixture.most_connections() <= most, "{} connections", fixture.most_connections());
}

/// Proves that the check can fail: an attack on a host without the limit is reported.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn attack_without_limit_succeeds() {
    let limits = Limits {
        random_bytes: u64::MAX,
        requests: u32::MAX,
        transfer_bytes: u64::MAX,
        wall: Duration::from_millis(1500),
        cpu: Duration::from_secs(60),
        ..Fixture::limits()
    };
    let (_folder, fixture) = fixture(limits);
    let mut attacks = attack::attacks(Some("budget"), &[Target::Plugin]);
    attacks.retain(|attack| {
        ["compute", "random bytes", "a reply without end"].contains(&attack.name.as_str())
    });
    let outcomes = attack::run(&fixture, &attacks, 2, |_| {}).await;
    assert_eq!(outcomes.len(), 4);
    assert!(outcomes.iter().all(|outcome| !outcome.held), "{outcomes:#?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn echoed_key_is_hidden_in_any_form() {
    let (_folder, fixture) = fixture(Fixture::limits());
    let attacks =
        attack::attacks(Some("masking"), &[Target::Plugin, Target::PluginP3, Target::Process]);
    assert!(attacks.len() >= 50, "{}", attacks.len());
    all_hold(&fixture, &attacks, 2).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn good_calls_during_attacks_succeed() {
    let (_folder, fixture) = fixture(Fixture::limits());
    let mut attacks = attack::attacks(Some("budget"), &[Target::Plugin]);
    attacks.retain(|attack| {
        ["compute", "allocate", "recurse", "host resources"].contains(&attack.name.as_str())
    });
    let good_calls = attack::good_calls(&fixture, &attacks, 2, 2_000).await.unwrap();
    assert!(good_calls.held(), "{good_calls:#?}");
    assert_eq!(good_calls.sent, 2 * 1_200);
    assert_eq!(good_calls.resident_without_attacks.len(), 10);
}

#[test]
fn good_calls_that_were_disturbed_do_not_hold() {
    let resident_without_attacks = vec![50 << 20; 10];
    let held = GoodCalls {
        attacks: 1,
        sent: 2,
        created: 2,
        resident_without_attacks,
        ..Default::default()
    };
    assert!(held.held());
    assert!(!GoodCalls { created: 3, ..held.clone() }.held());
    assert!(!GoodCalls { wrong: vec!["call 1".into()], ..held.clone() }.held());
    assert!(!GoodCalls { left: Some(1), ..held.clone() }.held());
    assert!(!GoodCalls { attacks: 0, ..held.clone() }.held());
    assert!(!GoodCalls { resident_during: 115 << 20, ..held.clone() }.held());
    let mut grown = held;
    *grown.resident_without_attacks.last_mut().unwrap() = 67 << 20;
    assert!(!grown.held());
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn files_are_private_under_any_umask() {
    let (_folder, fixture) = fixture(Fixture::limits());
    all_hold(&fixture, &attack::attacks(Some("files"), &[Target::Process]), 1).await;
}
