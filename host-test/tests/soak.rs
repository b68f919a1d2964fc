//! The soak in small: what `messaging soak` does a million times.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use messaging_verify::soak::{self, Options};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn calls_end_as_they_should_beside_a_component_that_misbehaves() {
    let options = Options { calls: 2_000, hostile_per_mille: 30, concurrency: 16, seed: 7 };
    let report = soak::run(options, |_| {}).await.unwrap();
    assert!(report.is_clean(), "{report:#?}");
    assert!(report.sent > 0 && report.listed > 0 && report.understood > 0, "{report:#?}");
    assert!(report.hostile.len() >= 10, "{report:#?}");
    assert_eq!(report.resident.len(), 10);
}

#[test]
fn a_soak_that_went_wrong_is_not_clean() {
    let good =
        soak::Report { sent: 2, created: 2, resident: vec![50 << 20; 10], ..Default::default() };
    assert!(good.is_clean());
    assert!(!soak::Report { created: 3, ..good.clone() }.is_clean());
    assert!(!soak::Report { wrong: 1, ..good.clone() }.is_clean());
    assert!(!soak::Report { left: Some(1), ..good.clone() }.is_clean());
    let mut grown = good.clone();
    *grown.resident.last_mut().unwrap() = 90 << 20;
    assert!(!grown.is_clean());
}
