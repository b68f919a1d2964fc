//! A store in a file: what is kept, and whether its files are. Time is a number that the tests turn on.
#![allow(clippy::unwrap_used, clippy::panic, missing_docs, reason = "tests")]

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use messaging_inbox::{
    DeadFilter, Entry, Filter, Options, Puts, Replays, Retry, Store, StoreError, Stored,
};
use rusqlite::Connection;
use tempfile::TempDir;

const MINUTE: Duration = Duration::from_secs(60);

/// A store in a folder of its own, and its clock.
struct Fixture {
    folder: TempDir,
    now_ms: Arc<AtomicI64>,
    measured_ms: Arc<AtomicI64>,
}

impl Fixture {
    fn new() -> Self {
        let now_ms = Arc::new(AtomicI64::new(1_700_000_000_000));
        let measured_ms = Arc::new(AtomicI64::new(0));
        Self { folder: tempfile::tempdir().unwrap(), now_ms, measured_ms }
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("inbox.sqlite")
    }

    fn options(&self) -> Options {
        let time = |ms: &Arc<AtomicI64>| {
            let ms = Arc::clone(ms);
            Arc::new(move || ms.load(Ordering::SeqCst))
        };
        Options {
            clock: time(&self.now_ms),
            monotonic: time(&self.measured_ms),
            ..Options::default()
        }
    }

    fn open(&self) -> Store {
        Store::open(self.path(), self.options()).unwrap()
    }
}

fn entry(key: &str, text: &str) -> Entry {
    Entry {
        idempotency_key: key.into(),
        message_id: format!("message of {key}"),
        kind: "message:in:new".into(),
        json: format!(r#"{{"text": "{text}"}}"#),
    }
}

async fn all(store: &Store) -> Vec<messaging_inbox::Event> {
    store.list(Filter { limit: 10_000, ..Filter::default() }).await.unwrap()
}

#[tokio::test]
async fn everything_is_there_after_reopening() {
    let fixture = Fixture::new();
    let store = fixture.open();
    store.put(entry("a", "1")).await.unwrap();
    let lease = store.lease(1, MINUTE).await.unwrap()[0].lease.clone().unwrap();
    store.close().await;
    let left: Vec<_> = std::fs::read_dir(fixture.folder.path()).unwrap().collect();
    assert_eq!(left.len(), 1, "closed, it is one file: {left:?}");
    let store = fixture.open();
    assert_eq!(store.put(entry("a", "1")).await, Ok(Stored::Duplicate));
    store.ack(1, lease).await.unwrap();
}

fn refused(path: &Path, create: bool) -> StoreError {
    let before = std::fs::read(path).ok();
    let options = Options { create, ..Options::default() };
    let Err(error) = Store::open(path, options) else { panic!("{} was opened", path.display()) };
    assert_eq!(std::fs::read(path).ok(), before, "it was changed");
    assert!(error.to_string().contains(&path.display().to_string()), "{error}");
    error
}

#[tokio::test]
async fn unknown_schema_is_rejected() {
    let fixture = Fixture::new();
    fixture.open().close().await;
    let connection = Connection::open(fixture.path()).unwrap();
    connection.execute_batch("PRAGMA user_version = 99; PRAGMA wal_checkpoint(TRUNCATE)").unwrap();
    let error = refused(&fixture.path(), true);
    assert!(matches!(error, StoreError::NewerSchema { found: 99, .. }), "{error:?}");
}

#[test]
fn a_file_of_another_program_is_refused() {
    let fixture = Fixture::new();
    let path = fixture.path();
    Connection::open(&path).unwrap().execute_batch("CREATE TABLE events (id)").unwrap();
    assert!(matches!(refused(&path, true), StoreError::NotAStore { .. }));
    std::fs::write(&path, "a text that is longer than the header of a database ".repeat(9))
        .unwrap();
    assert!(matches!(refused(&path, true), StoreError::NotAStore { .. }));
    assert!(matches!(refused(fixture.folder.path(), true), StoreError::NotAStore { .. }));
}

#[test]
fn a_file_is_made_only_on_demand_and_only_in_a_folder() {
    let fixture = Fixture::new();
    let error = refused(&fixture.path(), false);
    assert!(matches!(error, StoreError::NotSetUp { .. }), "{error:?}");
    let error = refused(&fixture.folder.path().join("no folder").join("inbox"), true);
    assert!(matches!(error, StoreError::NotSetUp { .. }), "{error:?}");
    let options = Options { create: false, ..Options::default() };
    drop(fixture.open());
    Store::open(fixture.path(), options).unwrap();
}

#[test]
fn names_that_mean_no_file_are_refused() {
    let fixture = Fixture::new();
    for name in [":memory:", "file:inbox.sqlite", "file::memory:?cache=shared", ""] {
        let Err(error) = Store::open(name, fixture.options()) else {
            panic!("{name:?} was opened")
        };
        assert!(matches!(error, StoreError::NotSetUp { .. }), "{error:?}");
        assert!(error.to_string().contains("name a file"), "{error}");
        let _ = std::fs::remove_file(name);
    }
}

/// The files of an open store, by their ends.
const FILES: [&str; 3] = ["", "-wal", "-shm"];

impl Fixture {
    fn file(&self, end: &str) -> PathBuf {
        self.folder.path().join(format!("inbox.sqlite{end}"))
    }
}

#[cfg(unix)]
#[tokio::test]
async fn removed_or_replaced_file_stops_acknowledgements() {
    for end in ["", "-wal", "-shm"] {
        for replaced in [false, true] {
            let fixture = Fixture::new();
            let store = fixture.open();
            store.put(entry("before", "1")).await.unwrap();
            let aside = fixture.folder.path().join("aside");
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
            // As a killed process leaves the files.
            let left = killed(&fixture);
            let opened = left.open();
            for key in ["before", "after"] {
                assert_eq!(opened.put(entry(key, "1")).await, Ok(Stored::Duplicate), "{case}");
            }
        }
    }
}

/// A process that opens a database itself ends SQLite's locks on it when it closes it.
fn copy_by_other_process(from: &Path, to: &Path) {
    let copied = std::process::Command::new("cp").arg(from).arg(to).status();
    assert!(copied.unwrap().success());
}

#[cfg(unix)]
#[tokio::test]
async fn close_saves_removed_wal() {
    let fixture = Fixture::new();
    let store = fixture.open();
    store.put(entry("before", "1")).await.unwrap();
    std::fs::remove_file(fixture.file("-wal")).unwrap();
    let answer = store.put(entry("during", "1")).await;
    assert!(matches!(answer, Err(StoreError::NotSetUp { .. })), "{answer:?}");
    store.close().await;
    assert_eq!(fixture.open().put(entry("before", "1")).await, Ok(Stored::Duplicate));
}

/// SQLite decides what a torn end of the WAL is.
#[tokio::test]
async fn torn_end_of_wal_is_dropped() {
    let fixture = Fixture::new();
    let store = fixture.open();
    for number in 0..20 {
        store.put(entry(&format!("{number}"), "1")).await.unwrap();
    }
    let torn = killed(&fixture);
    std::fs::remove_file(torn.file("-shm")).unwrap();
    let wal = std::fs::File::options().write(true).open(torn.file("-wal")).unwrap();
    wal.set_len(wal.metadata().unwrap().len() - 100).unwrap();
    assert_eq!(all(&torn.open()).await.len(), 19);
}

/// The files as a process that was killed leaves them.
fn killed(fixture: &Fixture) -> Fixture {
    let copy = Fixture::new();
    for end in FILES {
        std::fs::copy(fixture.file(end), copy.file(end)).unwrap();
    }
    copy
}

#[tokio::test]
async fn wal_without_its_database_is_rejected_and_stays() {
    let fixture = Fixture::new();
    let store = fixture.open();
    store.put(entry("a", "1")).await.unwrap();
    for empty in [false, true] {
        let left = killed(&fixture);
        std::fs::remove_file(left.path()).unwrap();
        if empty {
            std::fs::write(left.path(), "").unwrap();
        }
        let log = std::fs::read(left.file("-wal")).unwrap();
        let error = refused(&left.path(), true);
        assert!(matches!(error, StoreError::NotSetUp { .. }), "{error:?}");
        assert_eq!(std::fs::read(left.file("-wal")).unwrap(), log);
        std::fs::copy(fixture.path(), left.path()).unwrap();
        assert_eq!(all(&left.open()).await.len(), 1);
    }
}

#[cfg(unix)]
#[tokio::test]
async fn a_store_is_the_same_one_through_a_symbolic_link() {
    let fixture = Fixture::new();
    let store = fixture.open();
    store.put(entry("a", "1")).await.unwrap();
    let elsewhere = tempfile::tempdir().unwrap();
    let link = elsewhere.path().join("link");
    std::os::unix::fs::symlink(fixture.path(), &link).unwrap();
    let read = messaging_inbox::ReadStore::open(&link).unwrap();
    assert_eq!(read.list(Filter { limit: 10, ..Filter::default() }).await.unwrap().len(), 1);
    let second = Store::open(&link, fixture.options()).unwrap();
    assert_eq!(second.put(entry("a", "1")).await, Ok(Stored::Duplicate));
    // And one to a file that is still to be made.
    let early = elsewhere.path().join("early");
    std::os::unix::fs::symlink("made.sqlite", &early).unwrap();
    let made = Store::open(&early, fixture.options()).unwrap();
    made.put(entry("b", "1")).await.unwrap();
    assert!(elsewhere.path().join("made.sqlite-wal").exists());
}

/// As a snapshot by hard links leaves it.
#[cfg(unix)]
#[tokio::test]
async fn hard_link_has_no_effect() {
    let fixture = Fixture::new();
    let store = fixture.open();
    store.put(entry("a", "1")).await.unwrap();
    std::fs::hard_link(fixture.path(), fixture.folder.path().join("second.sqlite")).unwrap();
    store.put(entry("b", "1")).await.unwrap();
    store.close().await;
    assert_eq!(all(&fixture.open()).await.len(), 2);
}

#[cfg(unix)]
#[test]
fn store_that_others_can_write_is_rejected() {
    use std::os::unix::fs::PermissionsExt;
    let fixture = Fixture::new();
    drop(fixture.open());
    for (mode, is_rejected) in [(0o666, true), (0o660, false)] {
        std::fs::set_permissions(fixture.path(), std::fs::Permissions::from_mode(mode)).unwrap();
        let opened = Store::open(fixture.path(), fixture.options());
        assert_eq!(opened.is_err(), is_rejected, "{mode:o}");
        messaging_inbox::ReadStore::open(fixture.path()).unwrap();
    }
}

/// In a directory where every user creates files, such as `/tmp`: SQLite would undo the store with a `-journal`.
#[cfg(unix)]
#[tokio::test]
async fn file_of_another_user_next_to_store_is_rejected() {
    let fixture = Fixture::new();
    // A dropped store closes later, and would take the planted files away.
    fixture.open().close().await;
    for end in ["-journal", "-wal", "-shm"] {
        let planted = fixture.file(end);
        std::fs::write(&planted, "").unwrap();
        if let Err(error) = std::os::unix::fs::chown(&planted, Some(12_345), None) {
            eprintln!("NOT RUN: only root changes owners: {error}");
            return;
        }
        let error = refused(&fixture.path(), true);
        assert!(error.to_string().contains("another user (uid 12345)"), "{end}: {error}");
        std::fs::remove_file(planted).unwrap();
    }
    drop(fixture.open());
}

/// Returns the number of pages in the WAL.
fn frames(fixture: &Fixture) -> i64 {
    let other = Connection::open(fixture.path()).unwrap();
    other.query_row("PRAGMA wal_checkpoint(NOOP)", [], |row| row.get(1)).unwrap()
}

#[tokio::test]
async fn probes_share_one_small_write() {
    let fixture = Fixture::new();
    let store = fixture.open();
    let before = frames(&fixture);
    for _ in 0..50 {
        store.probe().await.unwrap();
    }
    assert!(frames(&fixture) <= before + 1, "{}", frames(&fixture));
    // An event that was stored is a proof.
    let store = Store::open(fixture.path(), fixture.options()).unwrap();
    store.put(entry("a", "1")).await.unwrap();
    let before = frames(&fixture);
    store.probe().await.unwrap();
    assert_eq!(frames(&fixture), before);
}

#[tokio::test(flavor = "multi_thread")]
async fn events_are_not_taken_for_somebody_who_has_given_up() {
    let fixture = Fixture::new();
    let (release, gate) = std::sync::mpsc::channel::<()>();
    let (gate, held) = (std::sync::Mutex::new(gate), Arc::new(AtomicI64::new(0)));
    let holds = Arc::clone(&held);
    let on_step: messaging_inbox::Step = Arc::new(move |step| {
        if step == "before-commit" && holds.swap(0, Ordering::SeqCst) == 1 {
            gate.lock().unwrap().recv().unwrap();
        }
    });
    let options = Options {
        on_step: Some(on_step),
        put_timeout: Duration::from_millis(500),
        ..fixture.options()
    };
    let store = Store::open(fixture.path(), options).unwrap();
    for key in ["a", "b"] {
        store.put(entry(key, "1")).await.unwrap();
    }
    held.store(1, Ordering::SeqCst);
    let nobody = store.lease(10, MINUTE).await;
    assert!(matches!(nobody, Err(StoreError::Unavailable { .. })), "{nobody:?}");
    release.send(()).unwrap();
    let mut taken = store.lease(10, MINUTE).await;
    for _ in 0..20 {
        if taken.is_err() {
            taken = store.lease(10, MINUTE).await;
        }
    }
    assert_eq!(taken.unwrap().len(), 2);
}

/// A thousand dead events, requeued by a process that ends after each of its first commits.
#[tokio::test(flavor = "multi_thread")]
async fn a_requeue_that_is_cut_off_goes_on_where_it_stopped() {
    let fixture = Fixture::new();
    let others = fixture.open();
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
            // From the second commit on it hangs, as seen from who waits.
            if step == "before-commit" && commits.fetch_add(1, Ordering::SeqCst) > 0 {
                std::thread::sleep(Duration::from_millis(600));
            }
        });
        let options = Options {
            put_timeout: Duration::from_millis(300),
            on_step: Some(on_step),
            ..fixture.options()
        };
        let store = Store::open(fixture.path(), options).unwrap();
        let requeued = store.requeue_dead(DeadFilter::default()).await;
        store.close().await;
        let now = others.counts().await.unwrap();
        // Small transactions: none of them holds the writer for all.
        assert!(left - now.dead <= 400, "{left} and {now:?}");
        assert!(now.dead < left, "{requeued:?}");
        assert_eq!(now.pending, 1_000 - now.dead);
        left = now.dead;
        rounds += 1;
        // Others work meanwhile: what they did stays done.
        let leased = others.lease(1, MINUTE).await.unwrap().remove(0);
        others.ack(leased.id, leased.lease.unwrap()).await.unwrap();
        others.release(leased.id, None).await.unwrap();
    }
    assert!(rounds > 2, "{rounds}");
}

#[tokio::test]
async fn event_of_failed_commit_is_no_replay() {
    let fixture = Fixture::new();
    let options = Options { replays: Replays::Quarantined, ..fixture.options() };
    let store = Store::open(fixture.path(), options).unwrap();
    // Fails after the event and its digest are written.
    let beside = Connection::open(fixture.path()).unwrap();
    let fail = "CREATE TRIGGER fail AFTER INSERT ON events BEGIN SELECT RAISE(ABORT, 'no'); END";
    beside.execute_batch(fail).unwrap();
    assert!(store.put(entry("a", "1")).await.is_err());
    beside.execute_batch("DROP TRIGGER fail").unwrap();
    assert_eq!(store.activity().puts, Puts::default());
    assert_eq!(store.put(entry("b", "1")).await, Ok(Stored::Stored));
    assert_eq!(store.put(entry("a", "1")).await, Ok(Stored::Replayed));
}
