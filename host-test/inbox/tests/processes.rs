//! Several processes on one store: serve-like writers, workers that open the store for each call, pruning, reading,
//! and SQLite's own tools.
#![allow(clippy::unwrap_used, clippy::panic, missing_docs, reason = "tests")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use messaging_inbox::{Entry, Filter, Options, ReadStore, State, Store, Stored};
use rusqlite::Connection;

/// Events of each receiving process.
const EVENTS: usize = 600;
const RECEIVERS: usize = 2;
/// Deliveries at once in each receiving process.
const AT_ONCE: usize = 8;
const LEASE: Duration = Duration::from_secs(300);
/// Generous, because the machine may be busy.
const PATIENCE: Duration = Duration::from_secs(240);

fn entry(key: &str) -> Entry {
    Entry {
        idempotency_key: key.into(),
        message_id: "m".into(),
        kind: "message:in:new".into(),
        json: format!(r#"{{"text": "{}"}}"#, "x".repeat(500)),
    }
}

fn options() -> Options {
    Options { put_timeout: Duration::from_secs(30), ..Options::default() }
}

fn open(path: &Path) -> Store {
    Store::open(path, options()).unwrap()
}

/// Stores events, several at once, over one open store.
async fn receive(path: &Path, number: usize) {
    let store = open(path);
    let mut tasks = tokio::task::JoinSet::new();
    for task in 0..AT_ONCE {
        let store = store.clone();
        tasks.spawn(async move {
            for event in (task..EVENTS).step_by(AT_ONCE) {
                let key = format!("{number}-{event}");
                assert_eq!(store.put(entry(&key)).await, Ok(Stored::Stored), "{key}");
            }
        });
    }
    tasks.join_all().await;
    store.close().await;
}

/// Leases and acknowledges events, and gives some back; opens the store for each lot, as a command does.
async fn work(path: &Path, stop: &Path) {
    // After the name of the test, which stands at the beginning of a line.
    println!();
    let mut lot = 0;
    while !stop.exists() {
        lot += 1;
        let store = open(path);
        let events = store.lease(7, LEASE).await.unwrap();
        for (index, event) in events.into_iter().enumerate() {
            let lease = event.lease.unwrap();
            if lot % 5 == 0 && index == 0 {
                store.nack(event.id, lease, "later", Duration::ZERO).await.unwrap();
            } else {
                store.ack(event.id, lease).await.unwrap();
                println!("{}", event.idempotency_key);
            }
        }
        store.close().await;
    }
}

/// Stores events until it is killed, and prints each acknowledged key.
async fn receive_endlessly(path: &Path, role: &str) {
    println!();
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

async fn prune(path: &Path, stop: &Path) {
    while !stop.exists() {
        let store = open(path);
        store.prune(Duration::ZERO).await.unwrap();
        store.probe().await.unwrap();
        store.close().await;
    }
}

async fn read(path: &Path, stop: &Path) {
    while !stop.exists() {
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
    let stop = path.with_extension("stop");
    match std::env::var("ROLE").unwrap().as_str() {
        "work" => work(&path, &stop).await,
        "prune" => prune(&path, &stop).await,
        "read" => read(&path, &stop).await,
        role if role.starts_with("endless") => receive_endlessly(&path, role).await,
        number => receive(&path, number.parse().unwrap()).await,
    }
}

fn command(path: &Path, role: &str) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "child", "--ignored", "--nocapture", "--test-threads", "1"]);
    command.env("INBOX", path).env("ROLE", role);
    command
}

fn start(path: &Path, role: &str) -> Child {
    command(path, role).stdout(Stdio::piped()).spawn().unwrap()
}

/// Waits for a process, and returns its lines about events.
fn ended(child: Child, role: &str) -> Vec<String> {
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{role}: {text}");
    text.lines()
        .filter(|line| {
            line.split_once('-').is_some_and(|(number, _)| number.parse::<u32>().is_ok())
        })
        .map(str::to_string)
        .collect()
}

#[tokio::test]
async fn processes_share_store_without_error_or_loss() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("inbox.sqlite");
    open(&path).close().await;
    let receivers: Vec<_> =
        (0..RECEIVERS).map(|number| start(&path, &number.to_string())).collect();
    let others = ["work", "work", "prune", "read"];
    let children = others.map(|role| (start(&path, role), role));
    for receiver in receivers {
        ended(receiver, "receiver");
    }
    let begun = Instant::now();
    loop {
        let store = open(&path);
        let counts = store.counts().await.unwrap();
        store.close().await;
        if counts.pending + counts.leased == 0 {
            break;
        }
        assert!(begun.elapsed() < PATIENCE, "{counts:?}");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    std::fs::write(path.with_extension("stop"), "").unwrap();
    let mut handled = BTreeMap::new();
    for (child, role) in children {
        for key in ended(child, role) {
            *handled.entry(key).or_insert(0) += 1;
        }
    }
    assert_eq!(handled.len(), RECEIVERS * EVENTS, "events are lost");
    assert!(handled.values().all(|times| *times == 1), "events are handled twice");
    let store = open(&path);
    store.prune(Duration::ZERO).await.unwrap();
    assert_eq!(store.counts().await.unwrap(), messaging_inbox::Counts::default());
}

/// Lines that a process has ended, of a file.
fn lines(output: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(output).unwrap();
    let lines = text.split_inclusive('\n').filter_map(|line| line.strip_suffix('\n'));
    lines.filter(|line| !line.is_empty() && !line.contains(' ')).map(str::to_string).collect()
}

#[tokio::test]
async fn killed_processes_lose_no_acknowledged_event() {
    const KILLS: usize = 24;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("inbox.sqlite");
    let (mut received, mut worked) = (Vec::new(), Vec::new());
    let mut start = |number: usize| {
        let is_worker = number % 3 == 2;
        let output = folder.path().join(format!("output-{number}"));
        let role = if is_worker { "work".into() } else { format!("endless{number}") };
        let mut command = command(&path, &role);
        let child = command.stdout(std::fs::File::create(&output).unwrap()).spawn().unwrap();
        if is_worker {
            worked.push(output)
        } else {
            received.push(output)
        }
        child
    };
    let mut children: Vec<Child> = (0..3).map(&mut start).collect();
    for kill in 0..KILLS {
        tokio::time::sleep(Duration::from_millis(40 + 35 * (kill as u64 % 5))).await;
        let child = &mut children[kill % 3];
        child.kill().unwrap();
        // No signal: it failed by itself.
        assert_eq!(child.wait().unwrap().code(), None, "kill {kill}");
        children[kill % 3] = start(3 + kill);
    }
    for mut child in children {
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let store = open(&path);
    let all = store.list(Filter { limit: 1_000_000, ..Filter::default() }).await.unwrap();
    let states: BTreeMap<_, _> =
        all.iter().map(|event| (event.idempotency_key.clone(), event.state)).collect();
    assert_eq!(states.len(), all.len(), "events are stored twice");
    let received: Vec<_> = received.iter().flat_map(|output| lines(output)).collect();
    for key in &received {
        assert!(states.contains_key(key), "{key} was acknowledged and is lost");
    }
    let worked: Vec<_> = worked.iter().flat_map(|output| lines(output)).collect();
    for key in &worked {
        assert_eq!(states.get(key), Some(&State::Done), "{key}");
    }
    let mut distinct = worked.clone();
    distinct.sort_unstable();
    distinct.dedup();
    assert_eq!(distinct.len(), worked.len(), "events are handled twice");
    assert!(!received.is_empty(), "no event was acknowledged");
}

/// A second store on the file stands for another process.
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
            let other = Connection::open(&path).unwrap();
            other.busy_timeout(PATIENCE).unwrap();
            other.execute_batch("PRAGMA wal_checkpoint").unwrap();
            other.execute_batch(&format!("{sql}; ANALYZE")).unwrap();
            drop(other);
            // As `inbox list`, and a second `serve` that starts, and stops.
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
