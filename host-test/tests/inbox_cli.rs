//! `inbox` as a worker and a person use it, beside a process that has the store open.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::path::PathBuf;
use std::process::{Command, Output};
use std::time::Duration;

use host_test::store::{Entry, Options, State, Store, StoreError, Stored};
use serde_json::{Value, json};
use tempfile::TempDir;

const JSON: &str = "{\n  \"text\": \"caf\u{e9}\", \"amount\": 12345678901234567890.10}";

/// A store in a folder, open in this process.
struct Fixture {
    folder: TempDir,
    store: Store,
}

fn entry(key: &str, json: &str) -> Entry {
    Entry {
        idempotency_key: key.into(),
        message_id: "m-1".into(),
        kind: "message:in:new".into(),
        json: json.into(),
    }
}

impl Fixture {
    async fn with(entries: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("inbox.sqlite");
        let store = Store::open(file, Options::default()).unwrap();
        for (key, json) in entries {
            store.put(entry(key, json)).await.unwrap();
        }
        Self { folder, store }
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("inbox.sqlite")
    }

    fn run(&self, arguments: &[&str]) -> Output {
        let path = self.path();
        run(&[&["inbox", "--store", path.to_str().unwrap()], arguments].concat())
    }

    fn json(&self, arguments: &[&str]) -> Value {
        let output = self.run(&[arguments, &["--json"]].concat());
        serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"))
    }
}

fn run(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_host-test"));
    command.args(arguments).env_remove("MESSAGING_WEBHOOK_STORE").env_remove("RUST_LOG");
    let output = command.output().unwrap();
    for text in [stdout(&output), stderr(&output)] {
        assert!(!text.contains('\u{1b}'), "colours outside a terminal: {text}");
    }
    output
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[tokio::test]
async fn a_worker_takes_an_event_and_says_that_it_is_done() {
    let fixture = Fixture::with(&[("a", JSON), ("b", "{}")]).await;
    let output = fixture.run(&["take", "--lease", "5m", "--json"]);
    assert!(output.status.success(), "{output:?}");
    assert!(stdout(&output).contains("12345678901234567890.10"), "as it was written");
    let taken: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(taken.as_array().unwrap().len(), 1);
    assert_eq!((&taken[0]["id"], &taken[0]["idempotency-key"]), (&json!(1), &json!("a")));
    assert_eq!(taken[0]["kind"], "message:in:new");
    assert_eq!(taken[0]["json"]["text"], "caf\u{e9}");
    let lease = taken[0]["lease"].as_str().unwrap();

    let output = fixture.run(&["done", "1", "--lease", "another"]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(stderr(&output).contains("not leased under this token"), "{output:?}");
    let done = fixture.json(&["done", "1", "--lease", lease]);
    assert_eq!(done, json!({ "ok": { "id": 1, "state": "done" } }));
    // This process sees it at once.
    assert_eq!(fixture.store.get(1).await.unwrap().state, State::Done);

    let output = fixture.run(&["take"]);
    let text = stdout(&output);
    let fields: Vec<_> = text.trim_end().split('\t').collect();
    assert_eq!((fields[0], fields[2], fields[3], fields[4]), ("2", "b", "message:in:new", "{}"));
    assert_eq!(fields[1].len(), 32);
}

#[tokio::test]
async fn with_nothing_to_take_the_output_is_empty() {
    let fixture = Fixture::with(&[]).await;
    let output = fixture.run(&["take"]);
    assert!(output.status.success() && output.stdout.is_empty(), "{output:?}");
    assert_eq!(fixture.json(&["take"]), json!([]));
}

#[tokio::test]
async fn what_waits_for_a_person_is_found_and_let_go() {
    let fixture = Fixture::with(&[("a", "{}"), ("a", r#"{"other":1}"#)]).await;
    for arguments in [&["list", "--quarantine"], &["list", "--state=quarantined"]] {
        let list = fixture.json(arguments);
        assert_eq!(list.as_array().unwrap().len(), 1, "{list}");
        assert_eq!((&list[0]["id"], &list[0]["copy"]), (&json!(2), &json!(1)));
    }
    let output = fixture.run(&["show", "2"]);
    assert!(stdout(&output).contains("another event came under this key"), "{output:?}");
    assert_eq!(fixture.json(&["requeue", "2"])["ok"]["state"], "waiting");
    assert_eq!(fixture.json(&["take", "--limit", "9"]).as_array().unwrap().len(), 2);

    let lease = fixture.store.get(1).await.unwrap().lease.unwrap();
    fixture.store.fail(1, lease, "no \u{1b}[31mroute", Duration::from_secs(60)).await.unwrap();
    let output = fixture.run(&["list", "--stuck"]);
    let text = stdout(&output);
    assert!(text.contains("no \\u{1b}[31mroute") && text.contains("1 listed"), "{text}");
    assert_eq!(fixture.json(&["show", "1"])["last-error"], "no \u{1b}[31mroute");
}

#[tokio::test]
async fn only_what_has_long_been_done_is_pruned() {
    let fixture = Fixture::with(&[("a", "{}"), ("b", "{}")]).await;
    let taken = fixture.store.take(1, Duration::from_secs(60)).await.unwrap();
    fixture.store.done(1, taken[0].lease.clone().unwrap()).await.unwrap();
    assert_eq!(fixture.json(&["prune"])["ok"]["pruned"], 0);
    let output = fixture.run(&["prune", "--older-than", "soon"]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    // The clock has to go on for "older" to be true.
    while fixture.json(&["prune", "--older-than", "0s"])["ok"]["pruned"] == 0 {}
    assert_eq!(fixture.store.get(1).await, Err(StoreError::NotFound { id: 1 }));
    assert_eq!(fixture.store.put(entry("b", "{}")).await, Ok(Stored::Duplicate));
}

#[tokio::test]
async fn an_export_is_one_line_for_each_event() {
    let fixture = Fixture::with(&[("a", JSON), ("b", "{}")]).await;
    let output = fixture.run(&["export"]);
    assert!(output.status.success(), "{output:?}");
    let lines: Vec<Value> =
        stdout(&output).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 2);
    assert_eq!((&lines[0]["idempotency-key"], &lines[0]["json"]), (&json!("a"), &json!(JSON)));
}

#[tokio::test]
async fn what_cannot_be_done_is_said() {
    let fixture = Fixture::with(&[("a", "{}")]).await;
    for arguments in [&["show", "9"][..], &["requeue", "9"], &["done", "9", "--lease", "x"]] {
        let output = fixture.run(arguments);
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        assert!(stderr(&output).contains("there is no event 9"), "{output:?}");
    }
    assert_eq!(fixture.json(&["show", "9"])["error"]["case"], "not-found");
    let output = fixture.run(&["list", "--state", "lost"]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
}

#[test]
fn a_store_that_is_not_there_is_not_made() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("inbox.sqlite");
    let path = path.to_str().unwrap();
    for command in [&["list"][..], &["take"], &["prune"], &["export"]] {
        let output = run(&[&["inbox", "--store", path], command].concat());
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        let text = stderr(&output);
        assert!(text.contains(path) && text.contains("MESSAGING_WEBHOOK_STORE"), "{text}");
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    std::fs::write(path, "not a store, and longer than a database's header. ".repeat(5)).unwrap();
    let output = run(&["inbox", "list", "--json", "--store", path]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let error: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(error["error"]["case"], "not-a-store");
}
