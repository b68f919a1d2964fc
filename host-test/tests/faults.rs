//! The catalogue of faults: every row holds, in every way it is run, and the document
//! says what the rows say.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::time::Duration;

use futures_util::StreamExt;
use host_test::conformance::{Case, catalogue};
use host_test::outbound::Trust;
use host_test::{AllowList, Host, Limits, Outbound, PLUGIN, Plugin, Sandbox};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_row_of_the_catalogue_holds_whole_and_byte_by_byte_with_and_without_a_component() {
    let limits = Limits { instances: 64, wall: Duration::from_secs(30), ..Limits::default() };
    let outbound = Outbound::new(AllowList::deny_all(), Trust::Public).unwrap();
    let sandbox = Sandbox::open(vec![], outbound.clone());
    let plugin = Plugin::load(&Host::new(limits).unwrap(), PLUGIN, sandbox).unwrap();
    let rows = Case::catalogue().unwrap();
    assert!(rows.len() >= 120);
    let unkept: Vec<_> = catalogue::run(rows, &plugin, &outbound)
        .map(Result::unwrap)
        .filter(|row| std::future::ready(!row.passed()))
        .map(|row| row.verdicts)
        .collect()
        .await;
    assert!(unkept.is_empty(), "{unkept:#?}");
}

#[test]
fn the_document_says_what_the_rows_say() {
    let document = include_str!("../faults/README.md");
    let rows = catalogue::document(Case::catalogue().unwrap());
    assert!(
        document == rows,
        "make it again: cargo run -- faults --document > host-test/faults/README.md"
    );
}
