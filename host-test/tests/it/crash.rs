//! The crash campaign, short. The long one is `messaging crash`.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::process::Command;

use serde_json::Value;

/// Every nth boundary point is tried: a prime, so that over the three inboxes and over
/// changes of the code no kind of point is left out for good.
const EVERY: &str = "11";
const RANDOM_KILLS: u64 = 10;

fn campaign(inbox: &str) -> Value {
    let mut command = Command::new(env!("CARGO_BIN_EXE_messaging"));
    command.args(["crash", "--json", "--every", EVERY, "--inbox", inbox]);
    let output = command.args(["--kills", &RANDOM_KILLS.to_string()]).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    let report: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(report["clean"], true, "{text}");
    report["campaigns"][0]["report"].clone()
}

fn assert_clean(inbox: &str) {
    let report = campaign(inbox);
    let count = |name: &str| report[name].as_u64().unwrap();
    for wrong in ["lost", "twice", "foreign"] {
        assert_eq!(count(wrong), 0, "{inbox}: {report}");
    }
    // The campaign did what it was to do.
    assert_eq!(count("random-kills"), RANDOM_KILLS);
    assert!(count("boundary-points") > 100, "{inbox}: {report}");
    assert!(count("boundary-kills") >= count("boundary-points") / 11, "{inbox}: {report}");
    assert!(count("acknowledged") > count("random-kills"), "{inbox}: {report}");
    assert!(count("cut-off") > 0, "{inbox}: {report}");
}

#[test]
fn killed_at_any_point_the_store_holds_what_was_acknowledged_exactly_once() {
    assert_clean("sqlite");
}

#[test]
fn killed_at_any_point_the_folder_holds_what_was_acknowledged_exactly_once() {
    assert_clean("files");
}

#[test]
fn killed_at_any_point_the_buckets_hold_what_was_acknowledged_exactly_once() {
    assert_clean("keyvalue");
}

/// Kills of processes that send, three on one journal: 200 in all with those at boundary points.
fn assert_sends_are_clean(journal: &str, kills: u64) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_messaging"));
    command.args(["crash", "--json", "--every", "3", "--journal", journal]);
    let output = command.args(["--kills", &kills.to_string()]).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    let report: Value = serde_json::from_str(&text).unwrap();
    let report = &report["campaigns"][0]["report"];
    let count = |name: &str| report[name].as_u64().unwrap();
    for wrong in ["twice", "made-up", "taken-back"] {
        assert_eq!(count(wrong), 0, "{journal}: {report}");
    }
    // The campaign did what it was to do.
    assert_eq!(count("random-kills"), kills);
    assert!(count("boundary-kills") > 2, "{journal}: {report}");
    let service = |name: &str| report["service"][name].as_u64().unwrap();
    assert_eq!((service("boundary-points"), service("boundary-kills")), (4, 2), "{report}");
    assert!(service("random-kills") > 0, "{journal}: {report}");
    let server = &report["server"]["boundary-kills"];
    assert_eq!(server.as_u64().unwrap() > 0, journal == "http", "{report}");
    assert!(count("created") > kills && count("unknown") > 0, "{journal}: {report}");
    assert_eq!(count("created") + count("unknown"), count("keys"), "{journal}: {report}");
}

#[test]
fn senders_killed_at_any_point_create_no_second_message_and_make_none_up() {
    assert_sends_are_clean("sqlite", 150);
}

#[test]
fn senders_with_a_journal_over_http_killed_at_any_point_with_its_server_create_no_second_message() {
    assert_sends_are_clean("http", 40);
}

#[test]
fn senders_with_a_folder_killed_at_any_point_create_no_second_message() {
    assert_sends_are_clean("files", 40);
}
