//! A store that fails, as a sender sees it: 503 and nothing acknowledged, and once the
//! fault is over every event is there once.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use crate::process::{Reply, Serving, body, deliver, exchange, keys, request, set};

/// The default of `messaging_inbox::Options::put_timeout`, and what a busy machine adds.
const IN_TIME: Duration = Duration::from_secs(2 + 5);

fn is_put_off(reply: &Reply) -> bool {
    reply.status == 503 && reply.head.contains("retry-after: 5")
}

#[tokio::test]
async fn a_store_that_another_process_holds_puts_senders_off_in_time() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("inbox.sqlite");
    let serving = Serving::start(&["--store", store.to_str().unwrap()], &[]);
    assert_eq!(deliver(serving.address, "before").await.status, 200);

    let other = rusqlite::Connection::open(&store).unwrap();
    other.execute_batch("BEGIN EXCLUSIVE").unwrap();
    let started = Instant::now();
    let address = serving.address;
    let mut senders = tokio::task::JoinSet::new();
    for number in 0..8 {
        senders.spawn(async move { deliver(address, &format!("held-{number}")).await });
    }
    for reply in senders.join_all().await {
        assert!(is_put_off(&reply), "{reply:?}");
    }
    assert!(started.elapsed() < IN_TIME, "{:?}", started.elapsed());
    // Another process sees nothing of it.
    let count: i64 = other.query_row("SELECT count(*) FROM events", [], |row| row.get(0)).unwrap();
    assert_eq!(count, 1);
    other.execute_batch("ROLLBACK").unwrap();

    for number in 0..8 {
        // Once as the sender's repetition, and once more.
        for _ in 0..2 {
            let mut reply = deliver(address, &format!("held-{number}")).await;
            // The writer may still be in its own wait for the lock.
            while is_put_off(&reply) {
                reply = deliver(address, &format!("held-{number}")).await;
            }
            assert_eq!(reply.status, 200, "{reply:?}");
        }
    }
    let mut kept = keys(&store);
    kept.sort();
    let mut sent: Vec<_> = (0..8).map(|number| format!("held-{number}")).collect();
    sent.insert(0, "before".into());
    assert_eq!(kept, sent);
}

/// `serve` that may write no file larger than so many blocks of 512 bytes: beyond, it
/// is told EFBIG, as by a full disk.
fn limited(blocks: u64, arguments: &[&str]) -> Serving {
    let mut command = Command::new("sh");
    // Ignored, the signal that comes with the limit becomes an error of the write.
    command.args(["-c", &format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"")]);
    command.arg(env!("CARGO_BIN_EXE_messaging"));
    command.args(["serve", "--json", "--listen", "127.0.0.1:0"]).args(arguments);
    set(&mut command, &[]);
    Serving::of(command)
}

async fn large(address: SocketAddr, key: &str, bytes: usize) -> Reply {
    let body = body(key).replace("hé", &"x".repeat(bytes));
    exchange(address, request("/", "", key, &body).as_bytes()).await
}

const EVENTS: usize = 60;

/// A disk that fills up for the whole process, with events that grow: what was
/// acknowledged is kept, and what was not is once it is repeated.
async fn fills_up(folder: &Path, blocks: u64, arguments: &[&str], kept: fn(&Path) -> Vec<String>) {
    // Events grow, so that there is a largest one for files as well.
    let size = |number: usize| 3_000 * (number + 1);
    let mut serving = limited(blocks, arguments);
    let mut acknowledged = BTreeSet::new();
    let mut put_off = Vec::new();
    for number in 0..EVENTS {
        let key = format!("evt-{number:03}");
        let reply = large(serving.address, &key, size(number)).await;
        if reply.status == 200 {
            acknowledged.insert(key);
        } else {
            assert!(is_put_off(&reply), "{reply:?}");
            put_off.push((number, key));
        }
    }
    assert!(!acknowledged.is_empty() && put_off.len() > 5, "{} put off", put_off.len());
    assert_eq!(put_off.last().map(|(number, _)| *number), Some(EVENTS - 1), "it got room");
    serving.kill();
    let before: BTreeSet<_> = kept(folder).into_iter().collect();
    assert!(acknowledged.is_subset(&before), "lost: {:?}", acknowledged.difference(&before));

    let serving = Serving::start(arguments, &[]);
    for number in 0..EVENTS {
        let key = format!("evt-{number:03}");
        assert_eq!(large(serving.address, &key, size(number)).await.status, 200, "{key}");
    }
    let mut all = kept(folder);
    all.sort();
    let sent: Vec<_> = (0..EVENTS).map(|number| format!("evt-{number:03}")).collect();
    assert_eq!(all, sent);
}

#[tokio::test]
async fn a_disk_that_is_full_loses_nothing_that_the_store_acknowledged() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("inbox.sqlite");
    let arguments = ["--store", store.to_str().unwrap()];
    // The log of 2 MiB is the file that comes to the limit.
    fills_up(folder.path(), 4096, &arguments, |folder| keys(&folder.join("inbox.sqlite"))).await;
}

/// Whoever balances loads asks with no delivery of its own: there is room for something small.
#[tokio::test]
async fn a_full_disk_is_not_ready_when_it_is_first_asked() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("inbox.sqlite");
    let arguments = ["--store", store.to_str().unwrap()];
    let ready = b"GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    let serving = limited(4096, &arguments);
    let mut number = 0;
    while large(serving.address, &format!("evt-{number}"), 100_000).await.status == 200 {
        number += 1;
    }
    assert!(number > 3, "{number}");
    assert_eq!(exchange(serving.address, ready).await.status, 503);
    drop(serving);
    let serving = Serving::start(&arguments, &[]);
    assert_eq!(exchange(serving.address, ready).await.status, 200);
    // The try leaves nothing.
    assert_eq!(keys(&store).len(), number);
}

/// `serve` where the folder is mounted read-only, in a mount namespace of its own; root's
/// rights do not count there. None where the machine lets nobody make one.
fn read_only(folder: &Path, arguments: &[&str]) -> Option<Command> {
    let mount = |then: &str| {
        let mut command = Command::new("unshare");
        let mount = "mount --bind \"$0\" \"$0\" && mount -o remount,ro,bind \"$0\"";
        command.args(["--user", "--map-root-user", "--mount", "sh", "-c"]);
        command.arg(format!("{mount} && {then}")).arg(folder);
        command
    };
    let tried = mount("! touch \"$0/x\"").output();
    if !tried.as_ref().is_ok_and(|tried| tried.status.success()) {
        crate::common::not_run(format_args!("no mount namespace here: {tried:?}"));
        return None;
    }
    let mut command = mount("exec \"$@\"");
    command.arg(env!("CARGO_BIN_EXE_messaging"));
    command.args(["serve", "--json", "--listen", "127.0.0.1:0"]).args(arguments);
    set(&mut command, &[]);
    Some(command)
}

#[tokio::test]
async fn a_store_in_a_read_only_folder_is_refused_at_the_start() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("inbox.sqlite");
    let arguments = ["--store", store.to_str().unwrap()];
    let mut serving = Serving::start(&arguments, &[]);
    assert_eq!(deliver(serving.address, "before").await.status, 200);
    serving.kill();
    let Some(command) = read_only(folder.path(), &arguments) else { return };
    let text = crate::process::refused_by(command, 2);
    assert!(text.contains(store.to_str().unwrap()) && text.contains("read-only"), "{text}");
    assert_eq!(keys(&store), ["before"]);
}
