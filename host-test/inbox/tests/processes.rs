//! Several processes on one store: writers such as `serve`, workers that open the store for each
//! call, pruning, reading, and SQLite's own tools.
#![allow(clippy::unwrap_used, clippy::panic, missing_docs, reason = "tests")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::time::Duration;

use messaging_inbox::{Entry, Filter, Options, ReadStore, State, Store, Stored};
use rusqlite::Connection;

const LEASE: Duration = Duration::from_secs(300);
/// Lock timeout of SQLite's own tools. Long, because the machine may be busy.
const TIMEOUT: Duration = Duration::from_secs(240);

fn entry(key: &str) -> Entry {
    Entry {
        idempotency_key: key.into(),
        message_id: "m".into(),
        kind: "message:in:new".into(),
        json: format!(r#"{{"text": "{}"}}"#, "x".repeat(500)),
    }
}

fn open(path: &Path) -> Store {
    let options = Options { put_timeout: Duration::from_secs(30), ..Options::default() };
    Store::open(path, options).unwrap()
}

/// Leases and acknowledges events, and nacks some. Opens the store for each batch, as a command
/// does. Prints each key before and after its acknowledgement.
async fn work(path: &Path) {
    for lot in 0..=i32::MAX {
        let store = open(path);
        let events = store.lease(7, LEASE).await.unwrap();
        for (index, event) in events.into_iter().enumerate() {
            let lease = event.lease.unwrap();
            if lot % 5 == 0 && index == 0 {
                store.nack(event.id, lease, "later", Duration::ZERO).await.unwrap();
            } else {
                println!("leased:{}", event.idempotency_key);
                store.ack(event.id, lease).await.unwrap();
                println!("{}", event.idempotency_key);
            }
        }
        store.close().await;
    }
}

/// Stores events, four at once, and prints each acknowledged key.
async fn receive(path: &Path, role: &str) {
    let store = open(path);
    for number in 0.. {
        let keys = [0, 1, 2, 3].map(|task| format!("{role}-{number}-{task}"));
        let [a, b, c, d] = keys.each_ref().map(|key| store.put(entry(key)));
        let (a, b, c, d) = tokio::join!(a, b, c, d);
        for (key, stored) in keys.iter().zip([a, b, c, d]) {
            assert_eq!(stored, Ok(Stored::Stored), "{key}");
            println!("{key}");
        }
    }
}

async fn prune(path: &Path) {
    loop {
        let store = open(path);
        store.prune(Duration::ZERO).await.unwrap();
        store.probe().await.unwrap();
        store.close().await;
    }
}

async fn read(path: &Path) {
    loop {
        let store = ReadStore::open(path).unwrap();
        store.list(Filter { limit: 50, ..Filter::default() }).await.unwrap();
        store.counts().await.unwrap();
        let mut export = store.export();
        while let Some(line) = export.next().await {
            line.unwrap();
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "run by another test, as another process"]
async fn child() {
    let path = PathBuf::from(std::env::var_os("INBOX").unwrap());
    // Ends the line on which the test harness prints the name of the test.
    println!();
    match std::env::var("ROLE").unwrap().as_str() {
        "work" => work(&path).await,
        "prune" => prune(&path).await,
        "read" => read(&path).await,
        "sql" => {
            let connection = Connection::open(&path).unwrap();
            connection.busy_timeout(TIMEOUT).unwrap();
            connection.execute_batch(&std::env::var("SQL").unwrap()).unwrap();
        }
        role => receive(&path, role).await,
    }
}

/// Returns a command that runs [`child`] in another process.
fn process(path: &Path, role: &str) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "child", "--ignored", "--nocapture", "--test-threads", "1"]);
    command.env("INBOX", path).env("ROLE", role);
    command
}

/// Returns the complete lines of an output file.
fn lines(output: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(output).unwrap();
    let lines = text.split_inclusive('\n').filter_map(|line| line.strip_suffix('\n'));
    lines.filter(|line| !line.is_empty() && !line.contains(' ')).map(str::to_string).collect()
}

#[tokio::test]
async fn killed_processes_lose_no_acknowledged_event() {
    const KILLS: usize = 30;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("inbox.sqlite");
    open(&path).close().await;
    let (mut received, mut worked) = (Vec::new(), Vec::new());
    let mut start = |number: usize| {
        let output = folder.path().join(format!("output-{number}"));
        let receiver = format!("receiver{number}");
        let role = ["", "", "work", "work", "prune", "read"][number % 6];
        let role = if role.is_empty() { receiver.as_str() } else { role };
        let output_file = std::fs::File::create(&output).unwrap();
        let child = process(&path, role).stdout(output_file).spawn().unwrap();
        match role {
            "work" => worked.push(output),
            "prune" | "read" => {}
            _ => received.push(output),
        }
        child
    };
    let mut children: Vec<Child> = (0..6).map(&mut start).collect();
    for kill in 0..KILLS {
        tokio::time::sleep(Duration::from_millis(40 + 35 * (kill as u64 % 5))).await;
        let child = &mut children[kill % 6];
        child.kill().unwrap();
        // An exit code would mean that the process failed before the signal.
        assert_eq!(child.wait().unwrap().code(), None, "kill {kill}");
        children[kill % 6] = start(6 + kill);
    }
    for mut child in children {
        child.kill().unwrap();
        assert_eq!(child.wait().unwrap().code(), None);
    }
    let store = open(&path);
    let all = store.list(Filter { limit: 1_000_000, ..Filter::default() }).await.unwrap();
    let states: BTreeMap<_, _> =
        all.iter().map(|event| (event.idempotency_key.clone(), event.state)).collect();
    assert_eq!(states.len(), all.len(), "events are stored twice");
    let worked: Vec<_> = worked.iter().flat_map(|output| lines(output)).collect();
    let (leased, worked): (Vec<_>, Vec<_>) =
        worked.iter().partition(|line| line.starts_with("leased:"));
    let leased: BTreeSet<_> = leased.iter().filter_map(|line| line.split(':').nth(1)).collect();
    let received: Vec<_> = received.iter().flat_map(|output| lines(output)).collect();
    for key in &received {
        // An event may also be missing because it was done and then forgotten.
        let is_kept = states.contains_key(key) || leased.contains(key.as_str());
        assert!(is_kept, "{key} was acknowledged, but is lost");
    }
    for key in &worked {
        assert!(matches!(states.get(*key), None | Some(State::Done)), "{key}");
    }
    assert_eq!(BTreeSet::from_iter(&worked).len(), worked.len(), "events are handled twice");
    assert!(!received.is_empty() && !worked.is_empty(), "nothing was done");
}

#[tokio::test]
async fn checkpoint_by_other_process_has_no_effect() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("inbox.sqlite");
    let store = open(&path);
    let statements = [
        "PRAGMA wal_checkpoint",
        "ANALYZE",
        "PRAGMA wal_checkpoint(FULL)",
        "PRAGMA wal_checkpoint(RESTART)",
        "PRAGMA wal_checkpoint(TRUNCATE)",
        "REINDEX",
        "VACUUM",
        "PRAGMA optimize",
    ];
    let mut number = 0;
    let mut put = async || {
        number += 1;
        assert_eq!(store.put(entry(&number.to_string())).await, Ok(Stored::Stored));
    };
    for _ in 0..3 {
        for sql in statements {
            put().await;
            let sql = format!("PRAGMA wal_checkpoint; {sql}; ANALYZE");
            let other = process(&path, "sql").env("SQL", sql).output().unwrap();
            assert!(other.status.success(), "{other:?}");
            // Reads as `inbox list` does, then opens and closes the store as a second `serve` does.
            let listed = ReadStore::open(&path).unwrap().counts().await.unwrap();
            put().await;
            let second = open(&path);
            assert_eq!(second.counts().await.unwrap().pending, listed.pending + 1);
            second.put(entry(&format!("second of {}", listed.pending))).await.unwrap();
            second.close().await;
        }
    }
    store.close().await;
    let pending = open(&path).counts().await.unwrap().pending;
    assert_eq!(pending, 3 * 8 * 3);
}

/// `serve` creates an empty file, and then the tables.
#[tokio::test]
async fn reader_waits_for_creation() {
    for _ in 0..20 {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("inbox.sqlite");
        std::fs::File::create(&path).unwrap();
        let reader = path.clone();
        let reading = tokio::task::spawn_blocking(move || ReadStore::open(reader));
        let store = open(&path);
        let listed = reading.await.unwrap().unwrap().counts().await.unwrap();
        assert_eq!(listed.pending, 0);
        store.close().await;
    }
}
