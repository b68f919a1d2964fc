//! The host's own inbox: what is kept, how often, and who gets it. Real files; time is
//! a number that the tests turn on.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use host_test::store::{Counts, Entry, Filter, Options, State, Store, StoreError, Stored};
use rusqlite::Connection;
use serde_json::Value;
use tempfile::TempDir;

const MINUTE: Duration = Duration::from_secs(60);
const DAY_MS: i64 = 24 * 60 * 60 * 1000;

/// A store in a folder of its own, and its clock.
struct Fixture {
    folder: TempDir,
    now_ms: Arc<AtomicI64>,
}

impl Fixture {
    fn new() -> Self {
        let now_ms = Arc::new(AtomicI64::new(1_700_000_000_000));
        Self { folder: tempfile::tempdir().unwrap(), now_ms }
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("inbox.sqlite")
    }

    fn options(&self) -> Options {
        let now_ms = Arc::clone(&self.now_ms);
        Options { clock: Arc::new(move || now_ms.load(Ordering::SeqCst)), ..Options::default() }
    }

    fn open(&self) -> Store {
        Store::open(self.path(), self.options()).unwrap()
    }

    fn pass(&self, ms: i64) {
        self.now_ms.fetch_add(ms, Ordering::SeqCst);
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

async fn all(store: &Store) -> Vec<host_test::store::Event> {
    store.list(Filter { limit: 10_000, ..Filter::default() }).await.unwrap()
}

#[tokio::test]
async fn an_event_is_stored_once_and_its_repetition_is_a_duplicate() {
    let fixture = Fixture::new();
    let store = fixture.open();
    assert_eq!(store.put(entry("a", "1")).await, Ok(Stored::Stored));
    assert_eq!(store.put(entry("a", "1")).await, Ok(Stored::Duplicate));
    assert_eq!(store.put(entry("b", "1")).await, Ok(Stored::Stored));
    let events = all(&store).await;
    assert_eq!(events.len(), 2);
    assert_eq!(events[0].idempotency_key, "a");
    assert_eq!(events[0].message_id, "message of a");
    assert_eq!(events[0].kind, "message:in:new");
    assert_eq!(events[0].json, r#"{"text": "1"}"#);
    assert_eq!(events[0].received_at_ms, 1_700_000_000_000);
    assert_eq!(events[0].state, State::Waiting);
}

#[tokio::test]
async fn another_event_under_the_same_key_is_kept_in_quarantine_once() {
    let fixture = Fixture::new();
    let store = fixture.open();
    for (text, stored) in [
        ("1", Stored::Stored),
        ("2", Stored::Conflict),
        ("2", Stored::Conflict),
        ("3", Stored::Conflict),
        ("1", Stored::Duplicate),
        // The same to a reader of JSON, and not the same bytes.
        ("1\\u0020", Stored::Conflict),
    ] {
        assert_eq!(store.put(entry("a", text)).await, Ok(stored), "{text}");
    }
    let states: Vec<_> = all(&store).await.into_iter().map(|one| (one.copy, one.state)).collect();
    let quarantined = State::Quarantined;
    assert_eq!(states, [(0, State::Waiting), (1, quarantined), (2, quarantined), (3, quarantined)]);
    // Only the first is handed on, until a person decides.
    assert_eq!(store.take(10, MINUTE).await.unwrap().len(), 1);
    store.requeue(2, None).await.unwrap();
    let taken = store.take(10, MINUTE).await.unwrap();
    assert_eq!(taken.len(), 1);
    assert_eq!(taken[0].json, r#"{"text": "2"}"#);
    store.done(2, taken[0].lease.clone().unwrap()).await.unwrap();
    // Released and done, it is still known.
    assert_eq!(store.put(entry("a", "2")).await, Ok(Stored::Conflict));
    assert_eq!(all(&store).await.len(), 4);
}

#[tokio::test]
async fn a_done_event_is_still_a_duplicate() {
    let fixture = Fixture::new();
    let store = fixture.open();
    store.put(entry("a", "1")).await.unwrap();
    let taken = store.take(1, MINUTE).await.unwrap();
    store.done(1, taken[0].lease.clone().unwrap()).await.unwrap();
    assert_eq!(store.put(entry("a", "1")).await, Ok(Stored::Duplicate));
    assert!(store.take(1, MINUTE).await.unwrap().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn of_64_calls_at_once_with_one_key_one_is_answered_stored() {
    let fixture = Fixture::new();
    let store = fixture.open();
    let mut tasks = tokio::task::JoinSet::new();
    for _ in 0..64 {
        let store = store.clone();
        tasks.spawn(async move { store.put(entry("a", "1")).await.unwrap() });
    }
    let answers = tasks.join_all().await;
    assert_eq!(answers.iter().filter(|one| **one == Stored::Stored).count(), 1);
    assert_eq!(answers.iter().filter(|one| **one == Stored::Duplicate).count(), 63);
    assert_eq!(all(&store).await.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn two_openings_of_one_file_keep_an_event_once_between_them() {
    let fixture = Fixture::new();
    let stores = [fixture.open(), fixture.open()];
    let mut tasks = tokio::task::JoinSet::new();
    for number in 0..200 {
        let store = stores[number % 2].clone();
        tasks
            .spawn(async move { store.put(entry(&format!("{}", number / 4), "1")).await.unwrap() });
    }
    let answers = tasks.join_all().await;
    assert_eq!(answers.iter().filter(|one| **one == Stored::Stored).count(), 50);
    assert_eq!(all(&stores[0]).await.len(), 50);
    assert_eq!(all(&stores[1]).await, all(&stores[0]).await);
    // What one took, the other cannot take.
    assert_eq!(stores[0].take(30, MINUTE).await.unwrap().len(), 30);
    assert_eq!(stores[1].take(30, MINUTE).await.unwrap().len(), 20);
}

#[tokio::test]
async fn a_call_that_was_dropped_harms_nobody() {
    let fixture = Fixture::new();
    let store = fixture.open();
    for number in 0..100 {
        let put = store.put(entry(&format!("{number}"), "1"));
        // Polled once, so that it is on its way, and dropped.
        let dropped = tokio::time::timeout(Duration::ZERO, put).await;
        assert!(dropped.is_err() || dropped == Ok(Ok(Stored::Stored)));
    }
    for number in 0..100 {
        let stored = store.put(entry(&format!("{number}"), "1")).await.unwrap();
        assert!(matches!(stored, Stored::Stored | Stored::Duplicate));
    }
    assert_eq!(all(&store).await.len(), 100);
}

#[tokio::test]
async fn events_are_taken_in_order_and_come_back_when_their_lease_runs_out() {
    let fixture = Fixture::new();
    let store = fixture.open();
    for key in ["a", "b", "c"] {
        store.put(entry(key, "1")).await.unwrap();
    }
    let first = store.take(2, MINUTE).await.unwrap();
    assert_eq!(first.iter().map(|one| one.id).collect::<Vec<_>>(), [1, 2]);
    assert_eq!(first[0].state, State::Taken);
    assert_eq!(first[0].attempts, 1);
    assert_eq!(first[0].lease.as_deref().map(str::len), Some(32));
    assert_eq!(store.take(2, MINUTE).await.unwrap().len(), 1);
    assert!(store.take(2, MINUTE).await.unwrap().is_empty());
    assert_eq!(store.next_due_ms().await, Ok(Some(1_700_000_060_000)));

    fixture.pass(59_999);
    assert!(store.take(2, MINUTE).await.unwrap().is_empty());
    fixture.pass(1);
    let second = store.take(1, MINUTE).await.unwrap();
    assert_eq!((second[0].id, second[0].attempts), (1, 2));
    assert_ne!(second[0].lease, first[0].lease);

    // The first holder is too late for the one, and just in time for the other.
    let lease = first[0].lease.clone().unwrap();
    let lost = Err(StoreError::LeaseLost { id: 1, state: State::Taken });
    assert_eq!(store.done(1, lease.as_str()).await, lost);
    assert_eq!(store.extend(1, lease.as_str(), MINUTE).await, lost);
    assert_eq!(store.fail(1, lease.as_str(), "late", MINUTE).await, lost);
    assert_eq!(store.requeue(1, Some(lease.clone())).await, lost);
    assert_eq!(store.done(2, lease.as_str()).await, Ok(()));
    assert_eq!(store.done(2, lease.as_str()).await, Ok(()), "a repeated answer");
    assert_eq!(
        store.done(2, "other").await,
        Err(StoreError::LeaseLost { id: 2, state: State::Done })
    );
    assert_eq!(store.done(99, "other").await, Err(StoreError::NotFound { id: 99 }));
    let counts = Counts { waiting: 0, taken: 2, done: 1, quarantined: 0 };
    assert_eq!(store.counts().await, Ok(counts));
}

#[tokio::test]
async fn a_failed_event_pauses_and_one_that_is_given_back_does_not() {
    let fixture = Fixture::new();
    let store = fixture.open();
    store.put(entry("a", "1")).await.unwrap();
    let lease = store.take(1, MINUTE).await.unwrap()[0].lease.clone().unwrap();
    store.fail(1, lease.as_str(), "x".repeat(5_000), Duration::from_secs(10)).await.unwrap();
    let event = store.get(1).await.unwrap();
    assert_eq!((event.state, event.due_ms), (State::Waiting, 1_700_000_010_000));
    assert_eq!(event.last_error.as_deref().map(str::len), Some(2_000));
    assert!(event.is_stuck());
    assert!(store.take(1, MINUTE).await.unwrap().is_empty());
    fixture.pass(10_000);
    let lease = store.take(1, MINUTE).await.unwrap()[0].lease.clone().unwrap();
    store.extend(1, lease.as_str(), 3 * MINUTE).await.unwrap();
    fixture.pass(179_999);
    assert!(store.take(1, MINUTE).await.unwrap().is_empty());
    store.requeue(1, Some(lease)).await.unwrap();
    let event = &store.take(1, MINUTE).await.unwrap()[0];
    assert_eq!(event.attempts, 3);
    let stuck = Filter { stuck: true, ..Filter::default() };
    assert_eq!(store.list(stuck.clone()).await.unwrap().len(), 1);
    // A person's decision starts anew, and takes it from who held it.
    store.requeue(1, None).await.unwrap();
    let event = store.get(1).await.unwrap();
    assert_eq!((event.attempts, event.last_error, event.lease), (0, None, None));
    assert!(store.list(stuck).await.unwrap().is_empty());
}

#[tokio::test]
async fn an_event_that_was_taken_five_times_is_stuck() {
    let fixture = Fixture::new();
    let store = fixture.open();
    store.put(entry("a", "1")).await.unwrap();
    store.put(entry("b", "1")).await.unwrap();
    let stuck = Filter { stuck: true, ..Filter::default() };
    for _ in 0..5 {
        assert!(store.list(stuck.clone()).await.unwrap().is_empty());
        store.take(1, MINUTE).await.unwrap();
        fixture.pass(60_000);
    }
    assert_eq!(store.list(stuck).await.unwrap()[0].id, 1);
}

#[tokio::test]
async fn a_list_is_filtered_and_paged() {
    let fixture = Fixture::new();
    let store = fixture.open();
    for (key, text) in [("a", "1"), ("a", "2"), ("b", "1"), ("c", "1")] {
        store.put(entry(key, text)).await.unwrap();
    }
    let lease = store.take(2, MINUTE).await.unwrap()[0].lease.clone().unwrap();
    store.done(1, lease).await.unwrap();
    for (state, ids) in [
        (None, &[1, 2, 3, 4][..]),
        (Some(State::Waiting), &[4]),
        (Some(State::Taken), &[3]),
        (Some(State::Done), &[1]),
        (Some(State::Quarantined), &[2]),
    ] {
        let found = store.list(Filter { state, ..Filter::default() }).await.unwrap();
        assert_eq!(found.iter().map(|one| one.id).collect::<Vec<_>>(), ids, "{state:?}");
    }
    let page = store.list(Filter { after_id: 1, limit: 2, ..Filter::default() }).await.unwrap();
    assert_eq!(page.iter().map(|one| one.id).collect::<Vec<_>>(), [2, 3]);
    assert_eq!(store.get(99).await, Err(StoreError::NotFound { id: 99 }));
}

#[tokio::test]
async fn only_what_has_been_done_for_long_is_pruned() {
    let fixture = Fixture::new();
    let store = fixture.open();
    for key in ["old", "new", "failed", "taken", "waiting"] {
        store.put(entry(key, "1")).await.unwrap();
    }
    store.put(entry("waiting", "2")).await.unwrap();
    let taken = store.take(4, MINUTE).await.unwrap();
    let lease = taken[0].lease.clone().unwrap();
    store.done(1, lease.as_str()).await.unwrap();
    store.fail(3, lease.as_str(), "no", MINUTE).await.unwrap();
    fixture.pass(8 * DAY_MS);
    store.done(2, lease.as_str()).await.unwrap();
    assert_eq!(store.prune(Store::RETENTION).await, Ok(1));
    let keys: Vec<_> = all(&store).await.into_iter().map(|one| one.idempotency_key).collect();
    assert_eq!(keys, ["new", "failed", "taken", "waiting", "waiting"]);
    // A pruned key is new again, and its number is not.
    assert_eq!(store.put(entry("old", "1")).await, Ok(Stored::Stored));
    assert!(all(&store).await.last().unwrap().id > 6);
}

#[tokio::test]
async fn the_first_event_of_a_key_is_kept_while_a_conflicting_one_is() {
    let fixture = Fixture::new();
    let store = fixture.open();
    for text in ["1", "2"] {
        store.put(entry("a", text)).await.unwrap();
    }
    let lease = store.take(1, MINUTE).await.unwrap()[0].lease.clone().unwrap();
    store.done(1, lease).await.unwrap();
    fixture.pass(8 * DAY_MS);
    assert_eq!(store.prune(Store::RETENTION).await, Ok(0));
    assert_eq!(store.put(entry("a", "2")).await, Ok(Stored::Conflict));
    store.requeue(2, None).await.unwrap();
    let lease = store.take(1, MINUTE).await.unwrap()[0].lease.clone().unwrap();
    store.done(2, lease).await.unwrap();
    fixture.pass(8 * DAY_MS);
    assert_eq!(store.prune(Store::RETENTION).await, Ok(2));
}

#[tokio::test]
async fn a_thousand_done_events_are_pruned_at_once() {
    let fixture = Fixture::new();
    let store = fixture.open();
    let puts = (0..1_200).map(|number| {
        let store = store.clone();
        async move { store.put(entry(&format!("{number}"), "1")).await.unwrap() }
    });
    let mut tasks = tokio::task::JoinSet::new();
    puts.for_each(|put| drop(tasks.spawn(put)));
    tasks.join_all().await;
    for event in store.take(2_000, MINUTE).await.unwrap() {
        let store = store.clone();
        tokio::spawn(async move { store.done(event.id, event.lease.unwrap()).await.unwrap() });
    }
    while store.counts().await.unwrap().done < 1_200 {
        tokio::task::yield_now().await;
    }
    fixture.pass(1);
    assert_eq!(store.prune(Duration::ZERO).await, Ok(1_200));
}

#[tokio::test]
async fn everything_is_there_after_reopening() {
    let fixture = Fixture::new();
    let store = fixture.open();
    store.put(entry("a", "1")).await.unwrap();
    store.kv_set("bucket", "key", "value").await.unwrap();
    let lease = store.take(1, MINUTE).await.unwrap()[0].lease.clone().unwrap();
    store.close().await;
    let left: Vec<_> = std::fs::read_dir(fixture.folder.path()).unwrap().collect();
    assert_eq!(left.len(), 1, "closed, it is one file: {left:?}");
    let store = fixture.open();
    assert_eq!(store.put(entry("a", "1")).await, Ok(Stored::Duplicate));
    assert_eq!(store.kv_get("bucket", "key").await, Ok(Some(b"value".to_vec())));
    store.done(1, lease).await.unwrap();
}

#[tokio::test]
async fn who_waits_for_news_hears_of_what_can_be_taken() {
    let fixture = Fixture::new();
    let store = fixture.open();
    let mut news = store.news();
    assert_eq!(store.next_due_ms().await, Ok(None));
    store.put(entry("a", "1")).await.unwrap();
    tokio::time::timeout(MINUTE, news.changed()).await.unwrap().unwrap();
    assert!(store.next_due_ms().await.unwrap().unwrap() <= 1_700_000_000_000);
    store.put(entry("a", "1")).await.unwrap();
    store.put(entry("a", "2")).await.unwrap();
    store.take(1, MINUTE).await.unwrap();
    assert!(!news.has_changed().unwrap(), "neither is anything to take");
    store.requeue(2, None).await.unwrap();
    tokio::time::timeout(MINUTE, news.changed()).await.unwrap().unwrap();
}

#[tokio::test]
async fn values_are_kept_under_their_keys() {
    let fixture = Fixture::new();
    let store = fixture.open();
    assert_eq!(store.kv_get("b", "k").await, Ok(None));
    store.kv_set("b", "k", [0, 255]).await.unwrap();
    store.kv_set("other", "k", "other").await.unwrap();
    assert_eq!(store.kv_get("b", "k").await, Ok(Some(vec![0, 255])));
    store.kv_set("b", "k", "").await.unwrap();
    assert_eq!(store.kv_get("b", "k").await, Ok(Some(Vec::new())));
    assert_eq!(store.kv_exists("b", "k").await, Ok(true));
    store.kv_delete("b", "k").await.unwrap();
    store.kv_delete("b", "k").await.unwrap();
    assert_eq!(store.kv_exists("b", "k").await, Ok(false));
    assert_eq!(store.kv_get("other", "k").await, Ok(Some(b"other".to_vec())));
}

#[tokio::test]
async fn keys_are_listed_page_by_page() {
    let fixture = Fixture::new();
    let store = fixture.open();
    for key in ["c", "a", "d", "b"] {
        store.kv_set("b", key, "1").await.unwrap();
        store.kv_set("other", key, "1").await.unwrap();
    }
    let first = store.kv_list("b", None, 2).await.unwrap();
    assert_eq!(first.keys, ["c", "a"]);
    // Neither a deleted key nor a changed one moves the others.
    store.kv_delete("b", "a").await.unwrap();
    store.kv_set("b", "c", "2").await.unwrap();
    let second = store.kv_list("b", first.cursor, 2).await.unwrap();
    assert_eq!((&second.keys[..], second.cursor), (&["d".into(), "b".into()][..], None));
    assert_eq!(store.kv_list("nobody's", None, 2).await.unwrap().keys, [""; 0]);
}

#[tokio::test]
async fn an_export_is_every_event_byte_for_byte() {
    let fixture = Fixture::new();
    let store = fixture.open();
    let mut odd = entry("a", "1");
    odd.json = "{\n  \"number\": 1.50, \"number\": 123456789012345678901234567890\u{0}}".into();
    store.put(odd.clone()).await.unwrap();
    for number in 0..450 {
        let store = store.clone();
        tokio::spawn(async move { store.put(entry(&format!("{number}"), "1")).await.unwrap() });
    }
    while store.counts().await.unwrap().waiting < 451 {
        tokio::task::yield_now().await;
    }
    let lines: Vec<String> = store.export().collect::<Result<_, _>>().unwrap();
    assert_eq!(lines.len(), 451);
    assert!(lines.iter().all(|line| !line.contains('\n')));
    let first: Value = serde_json::from_str(&lines[0]).unwrap();
    assert_eq!(first["json"], odd.json);
    assert_eq!(first["state"], "waiting");
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
    assert_eq!((events[0].id, events[0].state, events[0].received_at_ms), (7, State::Waiting, 5));
    assert_eq!((events[1].id, events[1].state), (8, State::Quarantined));
    assert_eq!(events.len(), 2);
    assert_eq!(store.take(10, MINUTE).await.unwrap().len(), 1);
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

#[test]
fn a_newer_schema_is_refused() {
    let fixture = Fixture::new();
    drop(fixture.open());
    let connection = Connection::open(fixture.path()).unwrap();
    connection.execute_batch("PRAGMA user_version = 3; PRAGMA wal_checkpoint(TRUNCATE)").unwrap();
    let error = refused(&fixture.path(), true);
    assert!(matches!(error, StoreError::NewerSchema { found: 3, known: 2, .. }), "{error:?}");
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
fn what_is_kept_is_for_its_owner_alone() {
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
async fn an_event_that_is_too_long_is_refused_alone() {
    let fixture = Fixture::new();
    let store = fixture.open();
    let mut long = entry("long", "");
    long.json = "x".repeat(Store::MAX_BYTES);
    let (long, short) = tokio::join!(store.put(long), store.put(entry("short", "1")));
    assert!(matches!(long, Err(StoreError::Refused { .. })), "{long:?}");
    assert_eq!(short, Ok(Stored::Stored));
    assert_eq!(all(&store).await.len(), 1);
}
