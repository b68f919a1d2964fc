//! Tests of the SQLite store: the test suite for every kind of store, and the safety of the SQLite
//! files. The tests set the clocks.
#![allow(clippy::unwrap_used, clippy::panic, missing_docs, reason = "tests")]

mod fixture;
mod suite;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use messaging_inbox::{
    DeadFilter, Filter, Kinds, Options, Puts, Queue, Replays, Retry, Store, StoreError, Stored,
};
use rusqlite::Connection;

use fixture::Fixture;
use suite::{MINUTE, all, entry};

#[tokio::test]
async fn everything_is_there_after_reopening() {
    let fixture = Fixture::in_folder();
    let store = fixture.open_now();
    store.put(entry("a", "1")).await.unwrap();
    let lease = store.lease(1, MINUTE).await.unwrap()[0].lease.clone().unwrap();
    store.close().await;
    let left: Vec<_> = std::fs::read_dir(fixture.folder()).unwrap().collect();
    assert_eq!(left.len(), 1, "a closed store is one file: {left:?}");
    let store = fixture.open_now();
    assert_eq!(store.put(entry("a", "1")).await, Ok(Stored::Duplicate));
    store.ack(1, lease).await.unwrap();
}

fn refused(path: &Path, create: bool) -> StoreError {
    let before = std::fs::read(path).ok();
    let options = Options { create, ..Options::default() };
    let Err(error) = Store::open(path, options) else { panic!("{} was opened", path.display()) };
    assert_eq!(std::fs::read(path).ok(), before, "the file was changed");
    assert!(error.to_string().contains(&path.display().to_string()), "{error}");
    error
}

#[tokio::test]
async fn other_file_is_rejected_as_store() {
    let fixture = Fixture::in_folder();
    fixture.open_now().close().await;
    let connection = Connection::open(fixture.file("")).unwrap();
    connection.execute_batch("PRAGMA user_version = 99; PRAGMA wal_checkpoint(TRUNCATE)").unwrap();
    let error = refused(&fixture.file(""), true);
    assert!(matches!(error, StoreError::OtherSchema { found: 99, .. }), "{error:?}");
    let path = fixture.folder().join("other");
    Connection::open(&path).unwrap().execute_batch("CREATE TABLE events (id)").unwrap();
    assert!(matches!(refused(&path, true), StoreError::NotAStore { .. }));
    std::fs::write(&path, "a text that is longer than the header of a database ".repeat(9))
        .unwrap();
    assert!(matches!(refused(&path, true), StoreError::NotAStore { .. }));
    assert!(matches!(refused(fixture.folder(), true), StoreError::NotAStore { .. }));
    for (path, create) in [("none", false), ("no directory/inbox", true)] {
        let error = refused(&fixture.folder().join(path), create);
        assert!(matches!(error, StoreError::NotSetUp { .. }), "{error:?}");
    }
}

#[test]
fn names_other_than_files_are_rejected() {
    let fixture = Fixture::in_folder();
    for name in [":memory:", "file:inbox.sqlite", "file::memory:?cache=shared", ""] {
        let Err(error) = Store::open(name, fixture.options(Replays::Allowed)) else {
            panic!("{name:?} was opened")
        };
        assert!(matches!(error, StoreError::NotSetUp { .. }), "{error:?}");
        assert!(error.to_string().contains("name a file"), "{error}");
        let _ = std::fs::remove_file(name);
    }
    for name in ["inbox.sqlite\r", "inbox.sqlite ", " inbox.sqlite", "\"inbox.sqlite\""] {
        let error = Store::check_name(name).unwrap_err();
        assert!(error.to_string().contains("quotation mark; remove it"), "{error}");
    }
    assert!(Store::check_name("my inbox's file.sqlite").is_ok());
}

#[cfg(unix)]
#[tokio::test]
async fn removed_or_replaced_file_stops_acknowledgements() {
    for end in ["", "-wal", "-shm"] {
        for replaced in [false, true] {
            let fixture = Fixture::in_folder();
            let store = fixture.open_now();
            store.put(entry("before", "1")).await.unwrap();
            let aside = fixture.folder().join("aside");
            std::fs::rename(fixture.file(end), &aside).unwrap();
            if replaced {
                copy_by_other_process(&aside, &fixture.file(end));
            }
            let case = format!("{end:?}, replaced: {replaced}");
            for _ in 0..2 {
                let answer = store.put(entry("during", "1")).await;
                assert!(matches!(answer, Err(StoreError::NotSetUp { .. })), "{case}: {answer:?}");
            }
            std::fs::rename(&aside, fixture.file(end)).unwrap();
            store.put(entry("after", "1")).await.unwrap();
            // Opens the files as a killed process leaves them.
            let left = killed(&fixture);
            let opened = left.open_now();
            for key in ["before", "after"] {
                assert_eq!(opened.put(entry(key, "1")).await, Ok(Stored::Duplicate), "{case}");
            }
        }
    }
}

/// Copies a file with another process. If this process opened the database file, closing it would
/// release SQLite's locks.
fn copy_by_other_process(from: &Path, to: &Path) {
    let copied = std::process::Command::new("cp").arg(from).arg(to).status();
    assert!(copied.unwrap().success());
}

/// SQLite detects the torn end of the WAL.
#[tokio::test]
async fn torn_end_of_wal_is_dropped() {
    let fixture = Fixture::in_folder();
    let store = fixture.open_now();
    for number in 0..20 {
        store.put(entry(&format!("{number}"), "1")).await.unwrap();
    }
    let torn = killed(&fixture);
    std::fs::remove_file(torn.file("-shm")).unwrap();
    let wal = std::fs::File::options().write(true).open(torn.file("-wal")).unwrap();
    wal.set_len(wal.metadata().unwrap().len() - 100).unwrap();
    assert_eq!(all(&torn.open_now()).await.len(), 19);
}

/// An operator changes the files that a killed process has left behind.
#[tokio::test]
async fn wal_without_its_database_is_rejected_and_stays() {
    let fixture = Fixture::in_folder();
    let store = fixture.open_now();
    store.put(entry("a", "1")).await.unwrap();
    for is_missing in [false, true] {
        let left = killed(&fixture);
        let path = left.file("");
        match is_missing {
            true => std::fs::remove_file(&path).unwrap(),
            false => std::fs::write(&path, "").unwrap(),
        }
        let files = || ["", "-wal", "-shm"].map(|end| std::fs::read(left.file(end)).ok());
        let before = files();
        let to_read = messaging_inbox::ReadStore::open(&path).err().unwrap();
        for error in [refused(&path, false), refused(&path, true), to_read] {
            assert!(matches!(error, StoreError::NotSetUp { .. }), "{error:?}");
            assert!(error.to_string().contains("put the database file back"), "{error}");
        }
        assert!(files() == before, "missing: {is_missing}");
        std::fs::copy(fixture.file(""), &path).unwrap();
        assert_eq!(left.open_now().put(entry("a", "1")).await, Ok(Stored::Duplicate));
    }
}

#[tokio::test]
async fn empty_file_without_wal_becomes_store() {
    for create in [false, true] {
        let fixture = Fixture::in_folder();
        std::fs::write(fixture.file(""), "").unwrap();
        let options = Options { create, ..fixture.options(Replays::Allowed) };
        let store = Store::open(fixture.file(""), options).unwrap();
        assert_eq!(store.put(entry("a", "1")).await, Ok(Stored::Stored));
    }
}

/// Copies the files as a killed process leaves them.
fn killed(fixture: &Fixture) -> Fixture {
    let copy = Fixture::in_folder();
    for end in ["", "-wal", "-shm"] {
        std::fs::copy(fixture.file(end), copy.file(end)).unwrap();
    }
    copy
}

#[cfg(unix)]
#[tokio::test]
async fn store_is_same_through_symbolic_link() {
    let fixture = Fixture::in_folder();
    let store = fixture.open_now();
    store.put(entry("a", "1")).await.unwrap();
    let elsewhere = tempfile::tempdir().unwrap();
    let link = elsewhere.path().join("link");
    std::os::unix::fs::symlink(fixture.file(""), &link).unwrap();
    let read = messaging_inbox::ReadStore::open(&link).unwrap();
    assert_eq!(read.counts().await.unwrap().pending, 1);
    let second = Store::open(&link, fixture.options(Replays::Allowed)).unwrap();
    assert_eq!(second.put(entry("a", "1")).await, Ok(Stored::Duplicate));
    // A link to a file that does not exist yet.
    let early = elsewhere.path().join("early");
    std::os::unix::fs::symlink("made.sqlite", &early).unwrap();
    let made = Store::open(&early, fixture.options(Replays::Allowed)).unwrap();
    made.put(entry("b", "1")).await.unwrap();
    assert!(elsewhere.path().join("made.sqlite-wal").exists());
}

/// Some snapshot tools create hard links to the files.
#[cfg(unix)]
#[tokio::test]
async fn hard_link_has_no_effect() {
    let fixture = Fixture::in_folder();
    let store = fixture.open_now();
    store.put(entry("a", "1")).await.unwrap();
    std::fs::hard_link(fixture.file(""), fixture.folder().join("second.sqlite")).unwrap();
    store.put(entry("b", "1")).await.unwrap();
    store.close().await;
    assert_eq!(all(&fixture.open_now()).await.len(), 2);
}

/// Only an operator can repair such a row, so a retry would not help.
#[tokio::test]
async fn invalid_value_in_row_is_damage() {
    let fixture = Fixture::in_folder();
    let store = fixture.open_now();
    store.put(entry("a", "{}")).await.unwrap();
    let connection = Connection::open(fixture.file("")).unwrap();
    connection.execute("UPDATE events SET json = cast(x'ff' AS TEXT)", []).unwrap();
    let error = store.list(Filter::default()).await.unwrap_err();
    assert!(matches!(error, StoreError::Damaged { .. }), "{error:?}");
}

/// In a directory such as `/tmp`, every user can create files. SQLite would apply a planted
/// `-journal` to the store.
#[cfg(unix)]
#[tokio::test]
async fn foreign_file_next_to_store_is_rejected() {
    let fixture = Fixture::in_folder();
    // Waits for the close. A store that is only dropped closes later, and would delete the planted
    // files.
    fixture.open_now().close().await;
    for end in ["-journal", "-wal", "-shm"] {
        let planted = fixture.file(end);
        std::fs::write(&planted, "").unwrap();
        if let Err(error) = std::os::unix::fs::chown(&planted, Some(12_345), None) {
            eprintln!("NOT RUN: only root changes owners: {error}");
            return;
        }
        let error = refused(&fixture.file(""), true);
        assert!(error.to_string().contains("another user (uid 12345)"), "{end}: {error}");
        std::fs::remove_file(planted).unwrap();
    }
    drop(fixture.open_now());
}

/// Returns the number of pages in the WAL.
fn frames(fixture: &Fixture) -> i64 {
    let other = Connection::open(fixture.file("")).unwrap();
    other.query_row("PRAGMA wal_checkpoint(NOOP)", [], |row| row.get(1)).unwrap()
}

#[tokio::test]
async fn probes_share_one_small_write() {
    let fixture = Fixture::in_folder();
    let store = fixture.open_now();
    let before = frames(&fixture);
    for _ in 0..50 {
        store.probe().await.unwrap();
    }
    assert!(frames(&fixture) <= before + 1, "{}", frames(&fixture));
    // A stored event also proves that the disk accepts writes.
    let store = Store::open(fixture.file(""), fixture.options(Replays::Allowed)).unwrap();
    store.put(entry("a", "1")).await.unwrap();
    let before = frames(&fixture);
    store.probe().await.unwrap();
    assert_eq!(frames(&fixture), before);
}

#[tokio::test(flavor = "multi_thread")]
async fn abandoned_lease_takes_no_events() {
    let fixture = Fixture::in_folder();
    let (release, gate) = std::sync::mpsc::channel::<()>();
    let (gate, held) = (std::sync::Mutex::new(gate), Arc::new(AtomicI64::new(0)));
    let holds = Arc::clone(&held);
    let on_step: messaging_inbox::Step = Arc::new(move |step| {
        if step == "before-commit" && holds.swap(0, Ordering::SeqCst) == 1 {
            gate.lock().unwrap().recv().unwrap();
        }
    });
    let options =
        Options { put_timeout: Duration::from_millis(500), ..fixture.options(Replays::Allowed) };
    let store = Store::open_with_steps(fixture.file(""), options, Some(on_step)).unwrap();
    for key in ["a", "b"] {
        store.put(entry(key, "1")).await.unwrap();
    }
    held.store(1, Ordering::SeqCst);
    let failed = store.lease(10, MINUTE).await;
    assert!(matches!(failed, Err(StoreError::Unavailable { .. })), "{failed:?}");
    release.send(()).unwrap();
    let mut taken = store.lease(10, MINUTE).await;
    for _ in 0..20 {
        if taken.is_err() {
            taken = store.lease(10, MINUTE).await;
        }
    }
    assert_eq!(taken.unwrap().len(), 2);
}

/// A store whose next two commits wait.
struct Gated {
    store: Store,
    /// Receives a value when a commit waits.
    reached: std::sync::mpsc::Receiver<()>,
    /// Lets a commit continue.
    release: std::sync::mpsc::Sender<()>,
}

fn gated(fixture: &Fixture) -> Gated {
    let (release, gate) = std::sync::mpsc::channel::<()>();
    let (reach, reached) = std::sync::mpsc::channel::<()>();
    let (gates, holds) = (std::sync::Mutex::new((reach, gate)), AtomicI64::new(2));
    let on_step: messaging_inbox::Step = Arc::new(move |step| {
        if step == "before-commit" && holds.load(Ordering::SeqCst) > 0 {
            holds.fetch_sub(1, Ordering::SeqCst);
            let gates = gates.lock().unwrap();
            gates.0.send(()).unwrap();
            gates.1.recv().unwrap();
        }
    });
    let options = fixture.options(Replays::Allowed);
    let store = Store::open_with_steps(fixture.file(""), options, Some(on_step)).unwrap();
    Gated { store, reached, release }
}

/// One transaction has two lease calls: a call that leases events, and a call whose caller has
/// gone.
#[tokio::test(flavor = "multi_thread")]
async fn abandoned_lease_without_events_fails_no_other() {
    let fixture = Fixture::in_folder();
    let Gated { store, reached, release } = gated(&fixture);
    let mut first = Box::pin(store.put(entry("a", "1")));
    assert!(tokio::time::timeout(Duration::ZERO, &mut first).await.is_err());
    reached.recv().unwrap();
    let other = Kinds::Only(["other".to_string()].into());
    let mut idle = Box::pin(store.lease_from(Queue::Any, other, 10, MINUTE));
    assert!(tokio::time::timeout(Duration::ZERO, &mut idle).await.is_err());
    let mut lease = Box::pin(store.lease(10, MINUTE));
    assert!(tokio::time::timeout(Duration::ZERO, &mut lease).await.is_err());
    release.send(()).unwrap();
    assert_eq!(first.await, Ok(Stored::Stored));
    reached.recv().unwrap();
    drop(idle);
    release.send(()).unwrap();
    assert_eq!(lease.await.unwrap().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn abandoned_lease_leaves_batch_committed() {
    let fixture = Fixture::in_folder();
    let Gated { store, reached, release } = gated(&fixture);
    // Polls each call once to queue its request. The second transaction has an event and a lease.
    let mut first = Box::pin(store.put(entry("a", "1")));
    assert!(tokio::time::timeout(Duration::ZERO, &mut first).await.is_err());
    reached.recv().unwrap();
    let mut second = Box::pin(store.put(entry("b", "1")));
    assert!(tokio::time::timeout(Duration::ZERO, &mut second).await.is_err());
    let mut lease = Box::pin(store.lease(10, MINUTE));
    assert!(tokio::time::timeout(Duration::ZERO, &mut lease).await.is_err());
    release.send(()).unwrap();
    assert_eq!(first.await, Ok(Stored::Stored));
    reached.recv().unwrap();
    drop(lease);
    release.send(()).unwrap();
    assert_eq!(second.await, Ok(Stored::Stored));
    assert_eq!(store.lease(10, MINUTE).await.unwrap().len(), 2);
}

/// Each attempt to requeue 1,000 dead events times out in its second commit.
#[tokio::test(flavor = "multi_thread")]
async fn interrupted_requeue_continues() {
    let fixture = Fixture::in_folder();
    let others = fixture.open_now();
    for number in 0..1_000 {
        others.put(entry(&format!("{number}"), "1")).await.unwrap();
    }
    for event in others.lease(1_000, MINUTE).await.unwrap() {
        others.nack(event.id, event.lease.unwrap(), "no", Retry::Never).await.unwrap();
    }
    let mut left = 1_000;
    let mut rounds = 0;
    while left > 0 {
        let commits = AtomicI64::new(0);
        let on_step: messaging_inbox::Step = Arc::new(move |step| {
            // From the second commit on, the store appears to hang.
            if step == "before-commit" && commits.fetch_add(1, Ordering::SeqCst) > 0 {
                std::thread::sleep(Duration::from_millis(600));
            }
        });
        let options = Options {
            put_timeout: Duration::from_millis(300),
            ..fixture.options(Replays::Allowed)
        };
        let store = Store::open_with_steps(fixture.file(""), options, Some(on_step)).unwrap();
        let requeued = store.requeue_dead(DeadFilter::default()).await;
        store.close().await;
        let now = others.counts().await.unwrap();
        // Small transactions: no transaction blocks other writers for the whole requeue.
        assert!(left - now.dead <= 400, "{left} and {now:?}");
        assert!(now.dead < left, "{requeued:?}");
        assert_eq!(now.pending, 1_000 - now.dead);
        left = now.dead;
        rounds += 1;
        // Other workers proceed between the transactions, and their results stay.
        let leased = others.lease(1, MINUTE).await.unwrap().remove(0);
        others.ack(leased.id, leased.lease.unwrap()).await.unwrap();
        others.release(leased.id, None).await.unwrap();
    }
    assert!(rounds > 2, "{rounds}");
}

#[tokio::test]
async fn event_of_failed_commit_is_not_replay() {
    let fixture = Fixture::in_folder();
    let options = fixture.options(Replays::Quarantined);
    let store = Store::open(fixture.file(""), options).unwrap();
    // The trigger makes the insert fail after the event and its digest are written.
    let other = Connection::open(fixture.file("")).unwrap();
    let fail = "CREATE TRIGGER fail AFTER INSERT ON events BEGIN SELECT RAISE(ABORT, 'no'); END";
    other.execute_batch(fail).unwrap();
    assert!(store.put(entry("a", "1")).await.is_err());
    other.execute_batch("DROP TRIGGER fail").unwrap();
    assert_eq!(store.activity().puts, Puts::default());
    assert_eq!(store.put(entry("b", "1")).await, Ok(Stored::Stored));
    assert_eq!(store.put(entry("a", "1")).await, Ok(Stored::Replayed));
}
