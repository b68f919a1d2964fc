//! The `inbox` command, used by workers and operators while another process has the store open.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

mod copies;
mod listing;
mod reading;

use std::path::PathBuf;
use std::process::Output;
use std::time::Duration;

use messaging_inbox::{Entry, Options, State, Store, StoreError, Stored};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::process::{self, Serving, assert_fails, stderr, stdout};

const JSON: &str = "{\n  \"text\": \"caf\u{e9}\", \"amount\": 12345678901234567890.10}";

/// A store in a temporary directory, open in this process.
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
        process::json(&self.run(&[arguments, &["--json"]].concat()))
    }
}

fn run(arguments: &[&str]) -> Output {
    let output = process::run(arguments, &[]);
    for text in [stdout(&output), stderr(&output)] {
        assert!(!text.contains('\u{1b}'), "colors outside a terminal: {text}");
    }
    output
}

#[tokio::test]
async fn worker_leases_and_acknowledges_event() {
    let fixture = Fixture::with(&[("a", JSON), ("b", "{}")]).await;
    let output = fixture.run(&["lease", "--lease", "5m", "--json"]);
    assert!(output.status.success(), "{output:?}");
    assert!(stdout(&output).contains("12345678901234567890.10"), "the number was changed");
    let taken: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(taken.as_array().unwrap().len(), 1);
    assert_eq!((&taken[0]["id"], &taken[0]["idempotency-key"]), (&json!(1), &json!("a")));
    assert_eq!(taken[0]["kind"], "message:in:new");
    assert_eq!(taken[0]["json"]["text"], "caf\u{e9}");
    let lease = taken[0]["lease"].as_str().unwrap();

    let output = fixture.run(&["ack", "1", "--lease", "another"]);
    assert_fails(&output, 1, "not leased under this token");
    let done = fixture.json(&["ack", "1", "--lease", lease]);
    assert_eq!(done, json!({ "ok": { "id": 1, "state": "done" } }));
    // The change is visible to this process immediately.
    assert_eq!(fixture.store.get(1).await.unwrap().state, State::Done);

    let output = fixture.run(&["lease"]);
    let text = stdout(&output);
    let fields: Vec<_> = text.trim_end().split('\t').collect();
    assert_eq!((fields[0], fields[2], fields[3], fields[4]), ("2", "b", "message:in:new", "{}"));
    assert_eq!(fields[1].len(), 32);
}

#[tokio::test]
async fn leased_line_has_valid_json() {
    // Ordinary texts may contain direction marks and flag emoji. The output escapes these
    // characters, because a terminal must not interpret them.
    let json = "{\"text\": \"C:\\\\new \\\"q\\\"\\n\u{202a}\u{e0067}\",\r\n\t\"n\": 1}";
    let fixture = Fixture::with(&[("a", json)]).await;
    let text = stdout(&fixture.run(&["lease"]));
    assert!(text.lines().count() == 1 && !text.contains('\u{202a}'), "{text}");
    let payload = text.trim_end().split('\t').nth(4).unwrap();
    let [leased, stored] = [payload, json].map(|text| serde_json::from_str::<Value>(text).unwrap());
    assert_eq!(leased, stored);
}

#[tokio::test]
async fn with_nothing_to_lease_output_is_empty() {
    let fixture = Fixture::with(&[]).await;
    let output = fixture.run(&["lease"]);
    assert!(output.status.success() && output.stdout.is_empty(), "{output:?}");
    assert_eq!(fixture.json(&["lease"]), json!([]));
}

#[tokio::test]
async fn quarantined_event_is_found_and_released() {
    let fixture = Fixture::with(&[("a", "{}"), ("a", r#"{"other":1}"#)]).await;
    for arguments in [&["list", "--quarantine"], &["list", "--state=quarantined"]] {
        let list = fixture.json(arguments);
        assert_eq!(list.as_array().unwrap().len(), 1, "{list}");
        assert_eq!((&list[0]["id"], &list[0]["copy"]), (&json!(2), &json!(1)));
    }
    let output = fixture.run(&["show", "2"]);
    assert!(stdout(&output).contains("this key has an earlier, different event"), "{output:?}");
    assert_eq!(fixture.json(&["release", "2"])["ok"]["state"], "pending");
    assert_eq!(fixture.json(&["lease", "--limit", "9"]).as_array().unwrap().len(), 2);

    let lease = fixture.store.get(1).await.unwrap().lease.unwrap();
    fixture.store.nack(1, lease, "no \u{1b}[31mroute", Duration::from_secs(60)).await.unwrap();
    let output = fixture.run(&["list", "--stuck"]);
    let text = stdout(&output);
    assert!(text.contains("no \\u{1b}[31mroute") && text.contains("1 listed"), "{text}");
    assert_eq!(fixture.json(&["show", "1"])["last-error"], "no \u{1b}[31mroute");
}

#[tokio::test]
async fn dead_event_is_listed_and_requeued() {
    let fixture = Fixture::with(&[("a", "{}"), ("b", "{}"), ("c", "{}")]).await;
    let lease = |id: i64| {
        let leased = fixture.json(&["lease", "--kind", "message:in:new"]);
        assert_eq!(leased[0]["id"], id, "{leased}");
        leased[0]["lease"].as_str().unwrap().to_string()
    };
    assert_eq!(fixture.json(&["lease", "--kind", "another", "--kind", "third"]), json!([]));
    let nack = |id: &str, lease: &str, more: &[&str]| {
        let arguments = [&["nack", id, "--lease", lease, "--error", "no route"], more].concat();
        fixture.json(&arguments)["ok"]["state"].clone()
    };
    assert_eq!(nack("1", &lease(1), &["--failures", "2", "--pause", "0s"]), "pending");
    assert_eq!(nack("2", &lease(2), &["--dead"]), "dead");
    assert_eq!(nack("3", &lease(3), &["--pause", "1h"]), "pending");
    assert_eq!(nack("1", &lease(1), &["--failures", "2"]), "dead");
    let again = fixture.run(&["nack", "1", "--lease", "x"]);
    assert_eq!(again.status.code(), Some(1), "{again:?}");

    let dead = fixture.json(&["list", "--dead", "--kind", "message:in:new"]);
    assert_eq!((&dead[0]["id"], &dead[1]["id"], &dead[2]), (&json!(1), &json!(2), &Value::Null));
    assert_eq!((&dead[0]["last-error"], &dead[0]["failures"]), (&json!("no route"), &json!(2)));
    assert!(dead[0]["dead-at-ms"].as_i64().unwrap() > 1_700_000_000_000, "{dead}");
    assert_eq!(fixture.json(&["list", "--dead", "--kind", "another"]), json!([]));
    let text = stdout(&fixture.run(&["list", "--dead"]));
    assert!(
        text.contains("no route") && text.contains("2 listed") && text.contains("2 dead"),
        "{text}"
    );
    assert!(stdout(&fixture.run(&["show", "1"])).contains("dead since"));

    let requeued =
        |arguments: &[&str]| fixture.json(&[&["requeue"], arguments].concat())["ok"].clone();
    assert_eq!(requeued(&["1", "3"]), json!({ "requeued": 1, "unchanged": [3] }));
    assert_eq!(requeued(&["1"]), json!({ "requeued": 0, "unchanged": [1] }));
    for none in
        [&["--kind", "another"][..], &["--since", "2999-01-01T00:00:00Z"], &["--until", "1h"]]
    {
        assert_eq!(requeued(&[&["--dead"], none].concat())["requeued"], 0, "{none:?}");
    }
    assert_eq!(requeued(&["--dead", "--since", "1h", "--kind", "message:in:new"])["requeued"], 1);
    assert_eq!(requeued(&["--dead"])["requeued"], 0);
    assert_eq!(fixture.store.counts().await.unwrap().pending, 3);

    for wrong in [
        &["requeue"][..],
        &["requeue", "1", "--dead"],
        &["requeue", "1", "--kind", "k"],
        &["requeue", "--dead", "--since", "soon"],
        &["nack", "1", "--lease", "x", "--failures", "0"],
        &["nack", "1", "--lease", "x", "--dead", "--pause", "1s"],
        &["list", "--dead", "--state", "done"],
    ] {
        assert_eq!(fixture.run(wrong).status.code(), Some(2), "{wrong:?}");
    }
    assert_eq!(fixture.json(&["requeue", "9"])["error"]["case"], "not-found");
}

#[tokio::test]
async fn only_old_done_events_are_pruned() {
    let fixture = Fixture::with(&[("a", "{}"), ("b", "{}")]).await;
    let taken = fixture.store.lease(1, Duration::from_secs(60)).await.unwrap();
    fixture.store.ack(1, taken[0].lease.clone().unwrap()).await.unwrap();
    assert_eq!(fixture.json(&["prune"])["ok"]["pruned"], 0);
    let output = fixture.run(&["prune", "--older-than", "soon"]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    // Retries until the clock has advanced, because only older events are removed.
    while fixture.json(&["prune", "--older-than", "0s"])["ok"]["pruned"] == 0 {}
    assert_eq!(fixture.store.get(1).await, Err(StoreError::NotFound { id: 1 }));
    assert_eq!(fixture.store.put(entry("b", "{}")).await, Ok(Stored::Duplicate));
}

#[tokio::test]
async fn export_is_one_line_for_each_event() {
    let fixture = Fixture::with(&[("a", JSON), ("b", "{}")]).await;
    let output = fixture.run(&["export"]);
    assert!(output.status.success(), "{output:?}");
    let lines: Vec<Value> =
        stdout(&output).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 2);
    assert_eq!((&lines[0]["idempotency-key"], &lines[0]["json"]), (&json!("a"), &json!(JSON)));
}

#[tokio::test]
async fn impossible_command_is_error() {
    let fixture = Fixture::with(&[("a", "{}")]).await;
    for arguments in [&["show", "9"][..], &["release", "9"], &["ack", "9", "--lease", "x"]] {
        let output = fixture.run(arguments);
        assert_fails(&output, 1, "there is no event 9");
    }
    assert_eq!(fixture.json(&["show", "9"])["error"]["case"], "not-found");
    let output = fixture.run(&["list", "--state", "lost"]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
}

#[test]
fn missing_store_is_not_created() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("inbox.sqlite");
    let path = path.to_str().unwrap();
    for command in [&["list"][..], &["lease"], &["prune"], &["export"]] {
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

#[tokio::test]
async fn default_store_is_same_in_each_directory() {
    let state = tempfile::tempdir().unwrap();
    let settings = [("XDG_STATE_HOME", state.path().to_str().unwrap())];
    let (one, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let serve = ["serve", "--json", "--listen", "127.0.0.1:0"];
    let mut command = process::program(&serve, &settings);
    command.current_dir(one.path());
    let serving = Serving::of(command);
    assert_eq!(process::deliver(serving.address, "evt-1").await.status, 200);
    let store = state.path().join("messaging").join("inbox.sqlite");
    assert_eq!(process::keys(&store), ["evt-1"]);

    let mut command = process::program(&["inbox", "list", "--json"], &settings);
    let output = command.current_dir(other.path()).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let listed = process::json(&output);
    assert_eq!(listed.as_array().unwrap().len(), 1, "{listed}");
    assert_eq!(process::key_of(&listed[0]), "evt-1");
    for directory in [one, other] {
        assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 0);
    }
}

#[tokio::test]
async fn zero_without_effect_is_rejected() {
    let fixture = Fixture::with(&[("a", "{}")]).await;
    for arguments in [
        &["lease", "--limit", "0"][..],
        &["lease", "--lease", "0s"],
        &["list", "--limit", "0"],
        &["extend", "1", "--lease", "x", "--by", "0s"],
    ] {
        let output = fixture.run(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {output:?}");
    }
    assert_eq!(fixture.store.get(1).await.unwrap().state, State::Pending);
    for keep in ["0", "0s", "6d 23h"] {
        let output = run(&["serve", "--listen", "203.0.113.1:9", "--keep", keep]);
        assert_fails(&output, 2, "--keep");
    }
    let folder = tempfile::tempdir().unwrap();
    for (name, said) in [
        (":memory:", "name a file"),
        ("file:inbox.sqlite", "name a file"),
        ("inbox.sqlite\r", "remove it"),
        ("'inbox.sqlite'", "remove it"),
    ] {
        for command in [&["inbox", "list"][..], &["serve", "--listen", "203.0.113.1:9"]] {
            let mut command = process::program(&[command, &["--store", name]].concat(), &[]);
            let output = command.current_dir(folder.path()).output().unwrap();
            assert_fails(&output, 2, said);
        }
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn unprintable_leased_events_are_released() {
    for json in [&[][..], &["--json"]] {
        let fixture = Fixture::with(&[("a", "{}"), ("b", "{}")]).await;
        let path = fixture.path();
        let take = ["inbox", "--store", path.to_str().unwrap(), "lease", "--limit", "2"];
        let mut command = process::program(&[&take, json].concat(), &[]);
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let output = command.stdout(full).output().unwrap();
        assert_fails(&output, 1, "the leased events are released");
        for id in [1, 2] {
            assert_eq!(fixture.store.get(id).await.unwrap().state, State::Pending, "{json:?}");
        }
    }
}

#[tokio::test]
async fn worker_that_needs_longer_extends_its_lease() {
    let fixture = Fixture::with(&[("a", "{}")]).await;
    let taken = fixture.json(&["lease", "--lease", "1m"]);
    let lease = taken[0]["lease"].as_str().unwrap();
    let extended = fixture.json(&["extend", "1", "--lease", lease, "--by", "2h"]);
    assert_eq!(extended["ok"]["state"], "leased", "{extended}");
    let (before, after) =
        (taken[0]["due-ms"].as_i64().unwrap(), fixture.store.get(1).await.unwrap());
    assert!(after.due_ms - before >= 118 * 60 * 1000, "{after:?}");
    let lost = fixture.json(&["extend", "1", "--lease", "another", "--by", "2h"]);
    assert_eq!(lost["error"]["case"], "lease-lost");
}

#[tokio::test]
async fn released_event_has_distinct_key() {
    let fixture = Fixture::with(&[("a", "{}"), ("a", r#"{"other":1}"#)]).await;
    fixture.store.release(2, None).await.unwrap();
    let taken = fixture.json(&["lease", "--limit", "9"]);
    assert_eq!(
        (&taken[0]["delivery-key"], &taken[0]["idempotency-key"]),
        (&json!("a"), &json!("a"))
    );
    assert_eq!(taken[1]["idempotency-key"], "a");
    let own = taken[1]["delivery-key"].as_str().unwrap();
    assert!(own.starts_with("a~1~") && own.len() == 36, "{own}");
    // The delivery key is stable across leases.
    assert_eq!(fixture.json(&["show", "2"])["delivery-key"], own);
    let listed = |key| fixture.json(&["list", "--key", key]);
    assert!(listed(own).to_string().contains(own));
    assert_eq!(listed(own), listed("a"));
    assert_ne!(listed("a~1~token"), listed("a"));
}
