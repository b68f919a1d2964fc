//! The host's own inbox: what is kept, how often, and who gets it. Real files; time is
//! a number that the tests turn on.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use messaging_host::webhook::wit as inbox;
use messaging_inbox::{Entry, Filter, Options, State, Store, StoreError, Stored};
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
    store.kv_set("bucket", "key", "value").await.unwrap();
    let lease = store.lease(1, MINUTE).await.unwrap()[0].lease.clone().unwrap();
    store.close().await;
    let left: Vec<_> = std::fs::read_dir(fixture.folder.path()).unwrap().collect();
    assert_eq!(left.len(), 1, "closed, it is one file: {left:?}");
    let store = fixture.open();
    assert_eq!(store.put(entry("a", "1")).await, Ok(Stored::Duplicate));
    assert_eq!(store.kv_get("bucket", "key").await, Ok(Some(b"value".to_vec())));
    store.ack(1, lease).await.unwrap();
}

/// The first schema, as it was released.
const VERSION_1: &str = "
    CREATE TABLE events (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        idempotency_key TEXT NOT NULL,
        copy INTEGER NOT NULL DEFAULT 0,
        message_id TEXT NOT NULL,
        kind TEXT NOT NULL,
        json TEXT NOT NULL,
        received_at_ms INTEGER NOT NULL,
        UNIQUE (idempotency_key, copy)
    );
    INSERT INTO events VALUES (7, 'a', 0, 'm', 'k', '{\"text\": \"1\"}', 5);
    INSERT INTO events VALUES (8, 'a', 1, 'm', 'k', '{\"text\": \"2\"}', 6);
    PRAGMA application_id = 0x4d534749;
    PRAGMA user_version = 1;";

#[tokio::test]
async fn a_store_of_the_first_version_keeps_its_events() {
    let fixture = Fixture::new();
    Connection::open(fixture.path()).unwrap().execute_batch(VERSION_1).unwrap();
    let store = fixture.open();
    assert_eq!(store.put(entry("a", "1")).await, Ok(Stored::Duplicate));
    assert_eq!(store.put(entry("a", "2")).await, Ok(Stored::Conflict));
    let events = all(&store).await;
    assert_eq!((events[0].id, events[0].state, events[0].received_at_ms), (7, State::Pending, 5));
    assert_eq!((events[1].id, events[1].state), (8, State::Quarantined));
    assert_eq!(events.len(), 2);
    assert_eq!(store.lease(10, MINUTE).await.unwrap().len(), 1);
    store.kv_set("b", "k", "v").await.unwrap();
    drop(store);
    assert_eq!(all(&fixture.open()).await.len(), 2);
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
async fn a_newer_schema_is_refused() {
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

#[cfg(unix)]
#[test]
fn the_store_is_readable_by_its_owner_alone() {
    use std::os::unix::fs::PermissionsExt;
    let fixture = Fixture::new();
    let _store = fixture.open();
    for file in std::fs::read_dir(fixture.folder.path()).unwrap() {
        let file = file.unwrap();
        assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o600, "{file:?}");
    }
}

#[cfg(unix)]
#[tokio::test]
async fn nothing_is_kept_in_a_file_that_is_gone() {
    let fixture = Fixture::new();
    let store = fixture.open();
    store.put(entry("a", "1")).await.unwrap();
    let aside = fixture.folder.path().join("aside");
    std::fs::rename(fixture.path(), &aside).unwrap();
    for _ in 0..2 {
        let error = store.put(entry("b", "1")).await.unwrap_err();
        assert!(matches!(error, StoreError::NotSetUp { .. }), "{error:?}");
    }
    std::fs::rename(&aside, fixture.path()).unwrap();
    store.put(entry("b", "1")).await.unwrap();
    assert_eq!(all(&store).await.len(), 2);
}

#[tokio::test]
async fn as_an_inbox_it_rejects_for_good_only_what_is_too_long() {
    let fixture = Fixture::new();
    let store = fixture.open();
    let put = async |json: String| {
        let entry = inbox::Entry {
            idempotency_key: "k".into(),
            message_id: "m".into(),
            kind: "message:in:new".into(),
            json,
        };
        messaging_host::webhook::Inbox::put(&store, entry).await
    };
    let rejected = put("x".repeat(Store::MAX_BYTES)).await;
    let Err(inbox::InboxError::PermanentRejected(failure)) = &rejected else {
        panic!("{rejected:?}")
    };
    assert!(failure.detail.contains("send less"), "{}", failure.detail);
    // Too many others under its key: room can be made, so the sender goes on.
    for number in 0..=16 {
        assert!(put(number.to_string()).await.is_ok(), "{number}");
    }
    let full = put("17".into()).await;
    let Err(inbox::InboxError::Unavailable(failure)) = &full else { panic!("{full:?}") };
    assert!(failure.detail.contains("16 different events in quarantine"), "{}", failure.detail);
}

async fn ids(store: &Store) -> Vec<i64> {
    store.lease(100, MINUTE).await.unwrap().into_iter().map(|event| event.id).collect()
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
async fn nothing_is_acknowledged_while_a_file_of_the_store_is_gone_and_nothing_is_lost() {
    for end in FILES {
        for replaced in [false, true] {
            let fixture = Fixture::new();
            let store = fixture.open();
            store.put(entry("before", "1")).await.unwrap();
            let aside = fixture.folder.path().join("aside");
            std::fs::rename(fixture.file(end), &aside).unwrap();
            if replaced {
                std::fs::copy(&aside, fixture.file(end)).unwrap();
            }
            let answer = store.put(entry("meanwhile", "1")).await;
            let case = format!("{end:?}, replaced: {replaced}: {answer:?}");
            assert!(matches!(answer, Err(StoreError::NotSetUp { .. })), "{case}");
            std::fs::rename(&aside, fixture.file(end)).unwrap();
            let mut answer = store.put(entry("after", "1")).await;
            for _ in 0..3 {
                if answer.is_err() {
                    answer = store.put(entry("after", "1")).await;
                }
            }
            assert!(answer.is_ok(), "{case}: not mended: {answer:?}");
            // As a process that was killed leaves it.
            let copy = tempfile::tempdir().unwrap();
            for end in FILES {
                let name = format!("inbox.sqlite{end}");
                let _ = std::fs::copy(fixture.file(end), copy.path().join(name));
            }
            let left = Store::open(copy.path().join("inbox.sqlite"), Options::default()).unwrap();
            for key in ["before", "after"] {
                assert_eq!(left.put(entry(key, "1")).await, Ok(Stored::Duplicate), "{case}");
            }
        }
    }
}

#[cfg(unix)]
#[tokio::test]
async fn an_event_acknowledged_before_its_log_was_removed_is_not_lost() {
    let fixture = Fixture::new();
    let store = fixture.open();
    store.put(entry("before", "1")).await.unwrap();
    std::fs::remove_file(fixture.file("-wal")).unwrap();
    let answer = store.put(entry("meanwhile", "1")).await;
    assert!(matches!(answer, Err(StoreError::NotSetUp { .. })), "{answer:?}");
    let copy = fixture.folder.path().join("copy.sqlite");
    std::fs::copy(fixture.path(), &copy).unwrap();
    let left = Store::open(copy, Options::default()).unwrap();
    assert_eq!(left.put(entry("before", "1")).await, Ok(Stored::Duplicate));
    // It goes on by itself.
    store.put(entry("meanwhile", "1")).await.unwrap();
}

#[cfg(unix)]
#[tokio::test]
async fn nothing_is_acknowledged_after_a_file_of_the_store_was_cut_short() {
    for (end, left) in [("", 0), ("", 8192), ("-wal", 0), ("-wal", 32), ("-wal", 5_000)] {
        let fixture = Fixture::new();
        let store = fixture.open();
        for number in 0..20 {
            store.put(entry(&format!("{number}"), "1")).await.unwrap();
        }
        let file = std::fs::File::options().write(true).open(fixture.file(end)).unwrap();
        assert!(file.metadata().unwrap().len() > left, "{end}");
        file.set_len(left).unwrap();
        if end.is_empty() {
            // Its locks in this process would go with it.
            std::mem::forget(file);
        }
        for key in ["new", "newer"] {
            let answer = store.put(entry(key, "1")).await;
            assert!(answer.is_err(), "{end:?} cut to {left}: {answer:?}");
        }
    }
}

/// It is mapped: who reads a page of it that is not there is killed.
#[cfg(unix)]
#[tokio::test]
async fn an_index_that_was_cut_short_is_made_again() {
    for left in [0, 100, 16_384] {
        let fixture = Fixture::new();
        let store = fixture.open();
        store.put(entry("before", "1")).await.unwrap();
        let index = std::fs::File::options().write(true).open(fixture.file("-shm")).unwrap();
        index.set_len(left).unwrap();
        // Its locks in this process would go with it.
        std::mem::forget(index);
        let answer = store.put(entry("meanwhile", "1")).await;
        assert!(matches!(answer, Err(StoreError::NotSetUp { .. })), "{left}: {answer:?}");
        store.put(entry("meanwhile", "1")).await.unwrap();
        assert_eq!(store.put(entry("before", "1")).await, Ok(Stored::Duplicate), "{left}");
    }
}

/// Overwrites 8 KiB in the middle, as a broken disk does.
fn damage(path: &Path) {
    use std::io::{Seek, SeekFrom, Write};
    let mut file = std::fs::File::options().write(true).open(path).unwrap();
    let middle = file.metadata().unwrap().len() / 2 / 4096 * 4096;
    file.seek(SeekFrom::Start(middle)).unwrap();
    file.write_all(&[0xa5; 8192]).unwrap();
    file.sync_all().unwrap();
    // Its locks in this process would go with it.
    std::mem::forget(file);
}

/// A store with enough in it that its middle holds events; closed.
async fn filled(fixture: &Fixture) {
    let store = fixture.open();
    for number in 0..400 {
        let store = store.clone();
        tokio::spawn(async move {
            store.put(entry(&format!("{number}"), &"x".repeat(400))).await.unwrap()
        });
    }
    while store.counts().await.unwrap().pending < 400 {
        tokio::task::yield_now().await;
    }
    store.close().await;
}

#[tokio::test]
async fn a_damaged_store_is_not_opened() {
    let fixture = Fixture::new();
    filled(&fixture).await;
    damage(&fixture.path());
    let Err(error) = Store::open(fixture.path(), fixture.options()) else { panic!("opened") };
    assert!(matches!(error, StoreError::Damaged { .. }), "{error:?}");
}

#[tokio::test]
async fn once_a_reader_has_found_damage_nothing_more_is_acknowledged() {
    let fixture = Fixture::new();
    filled(&fixture).await;
    let store = fixture.open();
    damage(&fixture.path());
    let filter = Filter { limit: 10_000, ..Filter::default() };
    let read = store.list(filter).await;
    assert!(matches!(read, Err(StoreError::Damaged { .. })), "{read:?}");
    for key in ["a", "b"] {
        let answer = store.put(entry(key, "1")).await;
        assert!(matches!(answer, Err(StoreError::Damaged { .. })), "{answer:?}");
    }
}

#[tokio::test]
async fn damage_is_found_while_nobody_reads() {
    let fixture = Fixture::new();
    filled(&fixture).await;
    let options = Options { check_every: Duration::from_millis(10), ..fixture.options() };
    let store = Store::open(fixture.path(), options).unwrap();
    store.put(entry("before", "1")).await.unwrap();
    damage(&fixture.path());
    let refused = async {
        let mut number = 0;
        // Each under a key of its own, so that none is known.
        while let Ok(Stored::Stored) = store.put(entry(&format!("more {number}"), "1")).await {
            number += 1;
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        store.put(entry("after", "1")).await
    };
    let refused = tokio::time::timeout(MINUTE, refused).await.unwrap();
    assert!(matches!(refused, Err(StoreError::Damaged { .. })), "{refused:?}");
}

#[tokio::test]
async fn a_lease_of_an_older_version_that_a_wrong_clock_made_runs_out() {
    let fixture = Fixture::new();
    let store = fixture.open();
    store.put(entry("a", "1")).await.unwrap();
    store.close().await;
    let connection = Connection::open(fixture.path()).unwrap();
    // As version 2 left it, taken in 2036.
    connection
        .execute_batch(
            "DROP INDEX events_new; DROP INDEX events_again; DROP INDEX events_since;
            DROP INDEX events_done; DROP TABLE age; DROP TABLE trace;
            DROP TRIGGER events_move; DROP TRIGGER events_go; DROP VIEW counts;
            DROP INDEX events_dead; DROP INDEX events_tried; DROP INDEX events_new_kind;
            DROP INDEX events_again_kind; DROP INDEX events_since_kind; DROP TABLE tally;
            ALTER TABLE events DROP COLUMN failures; ALTER TABLE events DROP COLUMN dead_at_ms;
            ALTER TABLE events DROP COLUMN traceparent; ALTER TABLE events DROP COLUMN tracestate;
            ALTER TABLE events DROP COLUMN since_ms; ALTER TABLE events DROP COLUMN copy_token;
            DROP INDEX events_digest; ALTER TABLE events DROP COLUMN digest;
            ALTER TABLE events DROP COLUMN replay_of;
            ALTER TABLE events DROP COLUMN done_age_ms;
            CREATE INDEX events_open ON events (id, due_ms, state)
                WHERE state IN ('waiting', 'taken');
            CREATE INDEX events_done ON events (done_at_ms, state) WHERE state = 'done';
            UPDATE events SET state = 'taken', lease = 'x', attempts = 1, due_ms = 2090000000000;
            PRAGMA user_version = 2;",
        )
        .unwrap();
    drop(connection);
    assert_eq!(ids(&fixture.open()).await, [1]);
}

/// The files as a process that was killed leaves them.
fn killed(fixture: &Fixture) -> Fixture {
    let copy = Fixture::new();
    for end in FILES {
        std::fs::copy(fixture.file(end), copy.file(end)).unwrap();
    }
    copy
}

fn overwrite(path: &Path, at: u64, bytes: &[u8]) {
    use std::io::{Seek, SeekFrom, Write};
    let mut file = std::fs::File::options().write(true).open(path).unwrap();
    file.seek(SeekFrom::Start(at)).unwrap();
    file.write_all(bytes).unwrap();
}

/// The bytes of the log's header, and of a frame.
const HEAD: u64 = 32;
const FRAME: u64 = 24 + 4096;

#[tokio::test]
async fn a_store_whose_log_was_overwritten_is_not_opened_and_the_log_is_left_as_it_is() {
    let fixture = Fixture::new();
    let store = fixture.open();
    for number in 0..20 {
        store.put(entry(&format!("{number}"), "1")).await.unwrap();
    }
    let bytes = std::fs::metadata(fixture.file("-wal")).unwrap().len();
    let frames = (bytes - HEAD) / FRAME;
    // Place, length, and whether it is found without the log's index too.
    let cases: [(u64, usize, bool); 6] = [
        (HEAD + 3 * FRAME + 2_000, 8, true),
        (HEAD + bytes / 2 / FRAME * FRAME, 8_192, true),
        (24, 8, true),
        (0, 8, true),
        (16, 8, true),
        (HEAD + (frames - 1) * FRAME + 500, 8, false),
    ];
    for (at, length, without) in cases {
        for index in [true, false].into_iter().take(1 + usize::from(without)) {
            let left = killed(&fixture);
            overwrite(&left.file("-wal"), at, &vec![0xa5; length]);
            if !index {
                std::fs::remove_file(left.file("-shm")).unwrap();
            }
            let log = std::fs::read(left.file("-wal")).unwrap();
            let case = format!("{length} bytes at {at} of {bytes}, index: {index}");
            for _ in 0..2 {
                let Err(error) = Store::open(left.path(), left.options()) else {
                    panic!("{case}: opened")
                };
                assert!(matches!(error, StoreError::Damaged { .. }), "{case}: {error:?}");
                let read = messaging_inbox::ReadStore::open(left.path()).err();
                assert!(matches!(read, Some(StoreError::Damaged { .. })), "{case}: {read:?}");
            }
            assert_eq!(std::fs::read(left.file("-wal")).unwrap(), log, "{case}");
            assert_eq!(std::fs::read(left.file("-wal.damaged")).unwrap(), log, "{case}");
        }
    }
}

#[tokio::test]
async fn an_end_of_the_log_that_nobody_was_told_of_is_dropped() {
    let fixture = Fixture::new();
    let store = fixture.open();
    for number in 0..20 {
        store.put(entry(&format!("{number}"), "1")).await.unwrap();
    }
    // As a machine that lost its power leaves it: without the index, the last commit torn.
    let torn = killed(&fixture);
    std::fs::remove_file(torn.file("-shm")).unwrap();
    let log = std::fs::File::options().write(true).open(torn.file("-wal")).unwrap();
    log.set_len(log.metadata().unwrap().len() - 100).unwrap();
    assert_eq!(all(&torn.open()).await.len(), 19);
    // As a process that was killed while it wrote: some of a frame more.
    let more = killed(&fixture);
    let end = std::fs::metadata(more.file("-wal")).unwrap().len();
    overwrite(&more.file("-wal"), end, &[1; 6_000]);
    assert_eq!(all(&more.open()).await.len(), 20);
}

#[cfg(unix)]
#[tokio::test]
async fn a_log_that_is_overwritten_is_found_while_nobody_reads() {
    for at in [0, 24, HEAD + 3 * FRAME + 2_000] {
        let fixture = Fixture::new();
        let options = Options { check_every: Duration::from_millis(10), ..fixture.options() };
        let store = Store::open(fixture.path(), options).unwrap();
        for number in 0..20 {
            store.put(entry(&format!("{number}"), "1")).await.unwrap();
        }
        overwrite(&fixture.file("-wal"), at, &[0xa5; 8]);
        let refused = async {
            let mut number = 100;
            while let Ok(Stored::Stored) = store.put(entry(&format!("{number}"), "1")).await {
                number += 1;
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        };
        tokio::time::timeout(MINUTE, refused).await.unwrap();
        assert!(store.put(entry("after", "1")).await.is_err(), "{at}");
        store.close().await;
        assert!(Store::open(fixture.path(), fixture.options()).is_err(), "{at}: opened");
    }
}

/// A store with a backup of before its log began anew, and events that only the log has.
async fn backed_up(fixture: &Fixture, store: &Store) -> PathBuf {
    for number in 0..30 {
        store.put(entry(&format!("old {number}"), &"o".repeat(500))).await.unwrap();
    }
    let backup = fixture.folder.path().join("backup.sqlite");
    let other = Connection::open(fixture.path()).unwrap();
    other.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).unwrap();
    // By another process: to open the file itself would end SQLite's locks on it.
    let copied = std::process::Command::new("cp").arg(fixture.path()).arg(&backup).status();
    assert!(copied.unwrap().success());
    for number in 0..100 {
        store.put(entry(&format!("mid {number}"), "1")).await.unwrap();
    }
    other.query_row("PRAGMA wal_checkpoint(RESTART)", [], |_| Ok(())).unwrap();
    drop(other);
    for number in 0..5 {
        store.put(entry(&format!("late {number}"), "1")).await.unwrap();
    }
    backup
}

#[tokio::test]
async fn a_log_of_another_file_is_never_replayed() {
    let fixture = Fixture::new();
    let store = fixture.open();
    let backup = backed_up(&fixture, &store).await;
    // A store whose process was killed goes on as it was.
    assert_eq!(all(&killed(&fixture).open()).await.len(), 135);
    for index in [true, false] {
        let left = killed(&fixture);
        std::fs::copy(&backup, left.path()).unwrap();
        if !index {
            std::fs::remove_file(left.file("-shm")).unwrap();
        }
        let log = std::fs::read(left.file("-wal")).unwrap();
        let error = refused(&left.path(), true);
        assert!(matches!(error, StoreError::NotSetUp { .. }), "{error:?}");
        assert!(error.to_string().contains("-wal"), "{error}");
        let read = messaging_inbox::ReadStore::open(left.path()).err();
        assert!(matches!(read, Some(StoreError::NotSetUp { .. })), "{read:?}");
        assert_eq!(std::fs::read(left.file("-wal")).unwrap(), log);
        for end in ["-wal", "-shm"] {
            std::fs::remove_file(left.file(end)).unwrap();
        }
        assert_eq!(all(&left.open()).await.len(), 30);
    }
}

#[cfg(unix)]
#[tokio::test]
async fn an_event_acknowledged_after_the_store_was_replaced_is_in_the_new_file() {
    let fixture = Fixture::new();
    let store = fixture.open();
    let backup = backed_up(&fixture, &store).await;
    all(&store).await;
    std::fs::rename(backup, fixture.path()).unwrap();
    let mut acknowledged = 0;
    for number in 0..35 {
        let stored = store.put(entry(&format!("after {number}"), "1")).await;
        acknowledged += usize::from(stored.is_ok());
    }
    store.close().await;
    let found = match Store::open(fixture.path(), fixture.options()) {
        Ok(found) => found,
        Err(error) => {
            assert_eq!(acknowledged, 0, "{error}");
            return;
        }
    };
    let kept = all(&found).await;
    let kept = kept.iter().filter(|event| event.idempotency_key.starts_with("after")).count();
    assert_eq!(kept, acknowledged);
}

#[tokio::test]
async fn a_log_without_its_file_is_never_removed() {
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

#[cfg(unix)]
#[tokio::test]
async fn a_file_with_two_names_is_no_store() {
    let fixture = Fixture::new();
    let store = fixture.open();
    store.put(entry("a", "1")).await.unwrap();
    let second = fixture.folder.path().join("second.sqlite");
    std::fs::hard_link(fixture.path(), &second).unwrap();
    let error = refused(&second, true);
    assert!(matches!(error, StoreError::NotSetUp { .. }), "{error:?}");
    let answer = store.put(entry("b", "1")).await;
    assert!(matches!(answer, Err(StoreError::NotSetUp { .. })), "{answer:?}");
    std::fs::remove_file(second).unwrap();
    store.put(entry("b", "1")).await.unwrap();
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
