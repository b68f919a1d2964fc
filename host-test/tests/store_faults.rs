//! The store on a failing disk: from a chosen step on, system calls of the writer thread return an
//! error. No acknowledged event may be lost or stored twice.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use messaging_inbox::{Entry, Filter, Options, Step, Store, StoreError, Stored};
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule,
};

const BEFORE: usize = 10;

fn entry(key: impl ToString) -> Entry {
    Entry {
        idempotency_key: key.to_string(),
        message_id: "m".into(),
        kind: "message:in:new".into(),
        // Larger than several pages, so that a commit needs more than one write.
        json: format!(r#"{{"text": "{}"}}"#, "x".repeat(20_000)),
    }
}

/// Returns a filter that makes these system calls of the current thread fail with `error`.
fn failing(calls: &[i64], error: i32) -> BpfProgram {
    let rule = |call: &i64| {
        let rules = if *call == libc::SYS_write {
            // The async runtime wakes threads with writes of 8 bytes. SQLite never writes 8 bytes.
            let others = SeccompCondition::new(2, SeccompCmpArgLen::Qword, SeccompCmpOp::Ne, 8);
            vec![SeccompRule::new(vec![others.unwrap()]).unwrap()]
        } else {
            Vec::new()
        };
        (*call, rules)
    };
    SeccompFilter::new(
        calls.iter().map(rule).collect(),
        SeccompAction::Allow,
        SeccompAction::Errno(u32::try_from(error).unwrap()),
        std::env::consts::ARCH.try_into().unwrap(),
    )
    .unwrap()
    .try_into()
    .unwrap()
}

/// Applies the filter to the thread that reaches step `at` first after `armed` is set.
fn trap(at: &'static str, filter: BpfProgram, armed: &Arc<AtomicBool>) -> Step {
    let armed = Arc::clone(armed);
    Arc::new(move |step| {
        if step == at && armed.swap(false, Ordering::SeqCst) {
            seccompiler::apply_filter(&filter).unwrap();
        }
    })
}

async fn keys(store: &Store) -> Vec<String> {
    let events = store.list(Filter { limit: 1_000, ..Filter::default() }).await.unwrap();
    events.into_iter().map(|event| event.idempotency_key).collect()
}

/// Reopens the file. Asserts that retried and previously acknowledged events are stored exactly
/// once.
async fn repeated(path: &Path) {
    let store = Store::open(path, Options::default()).unwrap();
    for number in 0..BEFORE {
        assert_eq!(store.put(entry(number)).await, Ok(Stored::Duplicate), "an event was lost");
    }
    for number in 100..132 {
        // An unconfirmed commit may have reached the disk.
        let stored = store.put(entry(number)).await.unwrap();
        assert!(matches!(stored, Stored::Stored | Stored::Duplicate), "{stored:?}");
    }
    let mut keys = keys(&store).await;
    assert_eq!(keys.len(), BEFORE + 32);
    keys.sort_unstable();
    keys.dedup();
    assert_eq!(keys.len(), BEFORE + 32, "an event is stored twice");
}

/// Asserts that puts before the fault are stored and that all puts during the fault fail.
async fn survives(at: &'static str, calls: &[i64], error: i32) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("inbox.sqlite");
    let armed = Arc::new(AtomicBool::new(false));
    let on_step = trap(at, failing(calls, error), &armed);
    let store = Store::open_with_steps(&path, Options::default(), Some(on_step)).unwrap();
    for number in 0..BEFORE {
        assert_eq!(store.put(entry(number)).await, Ok(Stored::Stored));
    }
    armed.store(true, Ordering::SeqCst);
    let mut tasks = tokio::task::JoinSet::new();
    for number in 100..132 {
        let store = store.clone();
        tasks.spawn(async move { store.put(entry(number)).await });
    }
    for answer in tasks.join_all().await {
        assert!(matches!(answer, Err(StoreError::Unavailable { .. })), "{answer:?}");
    }
    assert!(!armed.load(Ordering::SeqCst), "the fault did not happen");
    // Later puts fail too, and reads still work.
    let again = store.put(entry(100)).await;
    assert!(matches!(again, Err(StoreError::Unavailable { .. })), "{again:?}");
    assert_eq!(keys(&store).await.len(), BEFORE, "an event of a rejected call is stored");
    store.close().await;
    repeated(&path).await;
}

const WRITES: [i64; 4] =
    [libc::SYS_pwrite64, libc::SYS_write, libc::SYS_ftruncate, libc::SYS_fallocate];
const SYNCS: [i64; 2] = [libc::SYS_fsync, libc::SYS_fdatasync];

#[tokio::test(flavor = "multi_thread")]
async fn full_disk_loses_nothing() {
    for at in ["begin", "insert", "before-commit"] {
        survives(at, &WRITES, libc::ENOSPC).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn disk_that_became_read_only_loses_nothing() {
    for at in ["begin", "before-commit"] {
        survives(at, &WRITES, libc::EROFS).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn sync_that_fails_is_never_acknowledged() {
    for at in ["begin", "before-commit"] {
        survives(at, &SYNCS, libc::EIO).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn locked_store_answers_in_time() {
    for begin in ["BEGIN IMMEDIATE", "BEGIN EXCLUSIVE"] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("inbox.sqlite");
        let options = Options { put_timeout: Duration::from_millis(100), ..Options::default() };
        let store = Store::open(&path, options).unwrap();
        assert_eq!(store.put(entry(0)).await, Ok(Stored::Stored));
        let other = rusqlite::Connection::open(&path).unwrap();
        other.execute_batch(begin).unwrap();
        let refused = store.put(entry(1)).await;
        assert!(matches!(refused, Err(StoreError::Unavailable { .. })), "{refused:?}");
        other.execute_batch("ROLLBACK").unwrap();
        let mut stored = store.put(entry(1)).await;
        // On a slow machine, the writer may still wait for the lock.
        while matches!(stored, Err(StoreError::Unavailable { .. })) {
            stored = store.put(entry(1)).await;
        }
        assert!(matches!(stored, Ok(Stored::Stored | Stored::Duplicate)), "{stored:?}");
        assert_eq!(keys(&store).await, ["0", "1"]);
    }
}

/// The WAL contains all data, so the checkpoint can be postponed.
#[tokio::test(flavor = "multi_thread")]
async fn store_opens_on_full_disk() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("inbox.sqlite");
    let store = Store::open(&path, Options::default()).unwrap();
    for number in 0..BEFORE {
        assert_eq!(store.put(entry(number)).await, Ok(Stored::Stored));
    }
    let filter = failing(&WRITES, libc::ENOSPC);
    let opened = std::thread::spawn(move || {
        seccompiler::apply_filter(&filter).unwrap();
        Store::open(&path, Options::default()).map(drop)
    });
    assert_eq!(opened.join().unwrap(), Ok(()));
}
