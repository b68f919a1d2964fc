//! A failing store as seen by event sources. They receive 503, and nothing is acknowledged. After
//! the fault, every event is stored exactly once.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::path::Path;
use std::process::Command;

use crate::process::{Reply, Serving, TestStore, body, deliver, exchange, request, set};

/// Starts `serve` with a file size limit of 2 MiB, which simulates a full disk. The WAL reaches the
/// limit first. The system also sends SIGXFSZ.
fn limited(store: &TestStore) -> Serving {
    store.serve_after("ulimit -f 4096")
}

async fn large(address: SocketAddr, key: &str, bytes: usize) -> Reply {
    let body = body(key).replace("hé", &"x".repeat(bytes));
    exchange(address, request("/", "", key, &body).as_bytes()).await
}

async fn get(serving: &Serving, path: &str) -> u16 {
    let whole = format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    exchange(serving.address, whole.as_bytes()).await.status
}

#[tokio::test]
async fn full_disk_loses_no_acknowledged_event() {
    const EVENTS: usize = 60;
    let size = |number: usize| 3_000 * (number + 1);
    let sent: Vec<_> = (0..EVENTS).map(|number| format!("evt-{number:03}")).collect();
    let store = TestStore::new();
    let mut serving = limited(&store);
    let (mut acknowledged, mut put_off) = (BTreeSet::new(), Vec::new());
    for (number, key) in sent.iter().enumerate() {
        let reply = large(serving.address, key, size(number)).await;
        if reply.status == 200 {
            acknowledged.insert(key.clone());
        } else {
            let is_put_off = reply.status == 503 && reply.head.contains("retry-after: 5");
            assert!(is_put_off, "{reply:?}");
            put_off.push(number);
        }
    }
    assert!(!acknowledged.is_empty() && put_off.len() > 5, "{} answered 503", put_off.len());
    assert_eq!(put_off.last(), Some(&(EVENTS - 1)), "the last event was stored");
    assert_eq!(get(&serving, "/livez").await, 200);
    serving.kill();
    let before: BTreeSet<_> = store.keys().into_iter().collect();
    assert!(acknowledged.is_subset(&before), "lost: {:?}", acknowledged.difference(&before));

    let serving = store.serve(&[], &[]);
    for (number, key) in sent.iter().enumerate() {
        assert_eq!(large(serving.address, key, size(number)).await.status, 200, "{key}");
    }
    let mut all = store.keys();
    all.sort();
    assert_eq!(all, sent);
}

/// A load balancer only reads `/readyz`, so `/readyz` must report a full disk even if a small write
/// would fit.
#[tokio::test]
async fn full_disk_is_not_ready() {
    let store = TestStore::new();
    let serving = limited(&store);
    let mut number = 0;
    while large(serving.address, &format!("evt-{number}"), 100_000).await.status == 200 {
        number += 1;
    }
    assert!(number > 3, "{number}");
    assert_eq!(get(&serving, "/readyz").await, 503);
    drop(serving);
    let serving = store.serve(&[], &[]);
    assert_eq!(get(&serving, "/readyz").await, 200);
    // The readiness check leaves no event behind.
    assert_eq!(store.keys().len(), number);
}

/// Returns a command that runs `serve` in a mount namespace in which the directory is read-only,
/// even for root. `None` if this machine does not allow mount namespaces.
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
        crate::common::not_run(format_args!("no mount namespace is allowed: {tried:?}"));
        return None;
    }
    let mut command = mount("exec \"$@\"");
    command.arg(env!("CARGO_BIN_EXE_messaging"));
    command.args(["serve", "--json", "--listen", "127.0.0.1:0"]).args(arguments);
    set(&mut command, &[]);
    Some(command)
}

#[tokio::test]
async fn read_only_folder_is_rejected_at_start() {
    let store = TestStore::new();
    let path = store.path.to_str().unwrap();
    let mut serving = store.serve(&[], &[]);
    assert_eq!(deliver(serving.address, "before").await.status, 200);
    serving.kill();
    let Some(command) = read_only(store.folder(), &["--store", path]) else { return };
    let text = crate::process::refused_by(command, 2);
    assert!(text.contains(path) && text.contains("read-only"), "{text}");
    assert_eq!(store.keys(), ["before"]);
}
