//! The store on a disk that fails, as the kernel reports it: the calls of the writer's
//! thread answer with the error, from one batch on. Nothing may be acknowledged that is
//! not kept, and nothing acknowledged may be lost.
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
        // Over several pages, so that more than one write is needed.
        json: format!(r#"{{"text": "{}"}}"#, "x".repeat(20_000)),
    }
}

/// A filter for this thread: these system calls fail with `error`.
fn failing(calls: &[i64], error: i32) -> BpfProgram {
    let rule = |call: &i64| {
        let rules = if *call == libc::SYS_write {
            // The runtime wakes its threads by writing 8 bytes; SQLite never writes 8.
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

/// Applies the filter to the thread that comes to the boundary `at`, once `armed`.
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

/// Opens the file anew: the repeated entries are there once each, and so is what was
/// acknowledged before.
async fn repeated(path: &Path) {
    let store = Store::open(path, Options::default()).unwrap();
    for number in 0..BEFORE {
        assert_eq!(store.put(entry(number)).await, Ok(Stored::Duplicate), "it was lost");
    }
    for number in 100..132 {
        // A commit that was not confirmed may have reached the disk after all.
        let stored = store.put(entry(number)).await.unwrap();
        assert!(matches!(stored, Stored::Stored | Stored::Duplicate), "{stored:?}");
    }
    let mut keys = keys(&store).await;
    assert_eq!(keys.len(), BEFORE + 32);
    keys.sort_unstable();
    keys.dedup();
    assert_eq!(keys.len(), BEFORE + 32, "something is there twice");
}

/// Puts before the fault are kept; puts during it are refused, every one of them.
async fn survives(at: &'static str, calls: &[i64], error: i32) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("inbox.sqlite");
    let armed = Arc::new(AtomicBool::new(false));
    let on_step = Some(trap(at, failing(calls, error), &armed));
    let store = Store::open(&path, Options { on_step, ..Options::default() }).unwrap();
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
    // It goes on refusing, and reading goes on.
    let again = store.put(entry(100)).await;
    assert!(matches!(again, Err(StoreError::Unavailable { .. })), "{again:?}");
    assert_eq!(keys(&store).await.len(), BEFORE, "what was refused can be seen");
    store.close().await;
    repeated(&path).await;
}

const WRITES: [i64; 4] =
    [libc::SYS_pwrite64, libc::SYS_write, libc::SYS_ftruncate, libc::SYS_fallocate];
const SYNCS: [i64; 2] = [libc::SYS_fsync, libc::SYS_fdatasync];

#[tokio::test(flavor = "multi_thread")]
async fn a_full_disk_loses_nothing() {
    for at in ["begin", "insert", "before-commit"] {
        survives(at, &WRITES, libc::ENOSPC).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_disk_that_became_read_only_loses_nothing() {
    for at in ["begin", "before-commit"] {
        survives(at, &WRITES, libc::EROFS).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sync_that_fails_is_never_acknowledged() {
    for at in ["begin", "before-commit"] {
        survives(at, &SYNCS, libc::EIO).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_store_that_another_process_holds_answers_in_time() {
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
        // A slow machine may still be in the writer's own wait.
        while matches!(stored, Err(StoreError::Unavailable { .. })) {
            stored = store.put(entry(1)).await;
        }
        assert!(matches!(stored, Ok(Stored::Stored | Stored::Duplicate)), "{stored:?}");
        assert_eq!(keys(&store).await, ["0", "1"]);
    }
}

/// The log is on the disk, and copying it into the file can wait.
#[tokio::test(flavor = "multi_thread")]
async fn a_store_on_a_full_disk_can_be_opened() {
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
