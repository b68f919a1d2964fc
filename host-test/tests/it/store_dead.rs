//! Dead letters: how an event becomes one, how it is requeued, and what an operator sees of the
//! store meanwhile; workers of certain kinds; traces; files of older versions.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use messaging_inbox::{
    Counts, DeadFilter, Entry, Event, Filter, Options, ReadStore, Retry, State, Store, Summary,
};
use rusqlite::Connection;
use tempfile::TempDir;

const MINUTE: Duration = Duration::from_secs(60);

/// A store, and its clock.
struct Fixture {
    folder: TempDir,
    store: Store,
}

impl Fixture {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let now_ms = Arc::new(AtomicI64::new(1_000));
        let store = open(&folder, &now_ms);
        Self { folder, store }
    }

    async fn put(&self, key: &str, kind: &str) {
        self.store.put(entry(key, kind)).await.unwrap();
    }

    /// Leases whatever is due, and buries it.
    async fn bury_all(&self, why: &str) -> usize {
        let events = self.store.lease(1_000, MINUTE).await.unwrap();
        for event in &events {
            let lease = event.lease.clone().unwrap();
            let state = self.store.nack(event.id, lease, why, Retry::Never).await.unwrap();
            assert_eq!(state, State::Dead);
        }
        events.len()
    }
}

fn open(folder: &TempDir, now_ms: &Arc<AtomicI64>) -> Store {
    let now_ms = Arc::clone(now_ms);
    let clock = Arc::new(move || now_ms.load(Ordering::SeqCst));
    let options = Options { clock, ..Options::default() };
    Store::open(folder.path().join("inbox.sqlite"), options).unwrap()
}

fn entry(key: &str, kind: &str) -> Entry {
    Entry {
        idempotency_key: key.into(),
        message_id: "m".into(),
        kind: kind.into(),
        json: "{}".into(),
    }
}

async fn list(store: &ReadStore, filter: Filter) -> Vec<Event> {
    store.list(filter).await.unwrap()
}

async fn dead_ids(store: &ReadStore) -> Vec<i64> {
    let filter = Filter { state: Some(State::Dead), limit: 10_000, ..Filter::default() };
    list(store, filter).await.iter().map(|event| event.id).collect()
}

/// A thousand dead events, requeued by a process that ends after each of its first commits.
#[tokio::test(flavor = "multi_thread")]
async fn a_requeue_that_is_cut_off_goes_on_where_it_stopped() {
    let fixture = Fixture::new();
    for number in 0..1_000 {
        fixture.put(&format!("{number}"), "k").await;
    }
    assert_eq!(fixture.bury_all("no").await, 1_000);
    let path = fixture.folder.path().join("inbox.sqlite");
    let mut left = 1_000;
    let mut rounds = 0;
    while left > 0 {
        let commits = Arc::new(AtomicI64::new(0));
        let counter = Arc::clone(&commits);
        let store = Store::open(
            &path,
            Options {
                put_timeout: Duration::from_millis(300),
                on_step: Some(Arc::new(move |step| {
                    // From the second commit on it hangs, as seen from who waits.
                    if step == "before-commit" && counter.fetch_add(1, Ordering::SeqCst) > 0 {
                        std::thread::sleep(Duration::from_millis(600));
                    }
                })),
                ..Options::default()
            },
        )
        .unwrap();
        let requeued = store.requeue_dead(DeadFilter::default()).await;
        store.close().await;
        let now = fixture.store.counts().await.unwrap();
        // Small transactions: none of them holds the writer for all.
        assert!(left - now.dead <= 400, "{left} and {now:?}");
        assert!(now.dead < left, "{requeued:?}");
        assert_eq!(now.pending, 1_000 - now.dead);
        left = now.dead;
        rounds += 1;
        // Others work meanwhile: what they did stays done.
        let leased = fixture.store.lease(1, MINUTE).await.unwrap();
        fixture.store.ack(leased[0].id, leased[0].lease.clone().unwrap()).await.unwrap();
        fixture.store.release(leased[0].id, None).await.unwrap();
    }
    assert!(rounds > 2, "{rounds}");
}

/// The fourth schema, as it was released, with an event in each state.
const VERSION_4: &str = "
    CREATE TABLE events (
        id INTEGER PRIMARY KEY AUTOINCREMENT, idempotency_key TEXT NOT NULL,
        copy INTEGER NOT NULL DEFAULT 0, message_id TEXT NOT NULL, kind TEXT NOT NULL,
        json TEXT NOT NULL, received_at_ms INTEGER NOT NULL, state TEXT NOT NULL DEFAULT 'waiting',
        lease TEXT, due_ms INTEGER NOT NULL DEFAULT 0, attempts INTEGER NOT NULL DEFAULT 0,
        last_error TEXT, done_at_ms INTEGER, since_ms INTEGER NOT NULL DEFAULT 0, copy_token TEXT,
        done_age_ms INTEGER, UNIQUE (idempotency_key, copy)
    );
    CREATE INDEX events_quarantined ON events (id, state) WHERE state = 'quarantined';
    CREATE TABLE kv (
        id INTEGER PRIMARY KEY AUTOINCREMENT, bucket TEXT NOT NULL, key TEXT NOT NULL,
        value BLOB NOT NULL, UNIQUE (bucket, key)
    );
    CREATE INDEX kv_pages ON kv (bucket, id);
    CREATE INDEX events_new ON events (id, state, attempts)
        WHERE state = 'waiting' AND attempts = 0;
    CREATE INDEX events_again ON events (due_ms, id, state, attempts)
        WHERE state IN ('waiting', 'taken') AND attempts > 0;
    CREATE INDEX events_since ON events (since_ms, id, state, attempts)
        WHERE state IN ('waiting', 'taken') AND attempts > 0;
    CREATE INDEX events_done ON events (done_age_ms, id, state) WHERE state = 'done';
    CREATE TABLE age (one INTEGER PRIMARY KEY CHECK (one = 1), age_ms INTEGER NOT NULL);
    INSERT INTO age VALUES (1, 0);
    CREATE TABLE trace (
        one INTEGER PRIMARY KEY CHECK (one = 1),
        round INTEGER NOT NULL, base INTEGER NOT NULL, latest INTEGER NOT NULL
    );
    INSERT INTO trace VALUES (1, 0, 0, 0);
    INSERT INTO events
        (idempotency_key, copy, message_id, kind, json, received_at_ms, state, attempts, lease)
        VALUES ('a', 0, 'm', 'k', '{}', 5, 'done', 1, 'x'), ('b', 0, 'm', 'k', '{}', 6, 'taken', 2, 'y'),
            ('c', 0, 'm', 'k', '{}', 7, 'waiting', 0, NULL), ('d', 0, 'm', 'k', '{}', 8, 'waiting', 0, NULL),
            ('a', 1, 'm', 'k', '{ }', 9, 'quarantined', 0, NULL);
    PRAGMA journal_mode = WAL;
    PRAGMA application_id = 0x4d534749;
    PRAGMA user_version = 4;";

#[tokio::test]
async fn a_store_of_the_fourth_version_is_read_as_it_is_and_brought_up_to_date_by_a_writer() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("inbox.sqlite");
    Connection::open(&path).unwrap().execute_batch(VERSION_4).unwrap();
    let before = std::fs::read(&path).unwrap();
    let counts = Counts { pending: 2, leased: 1, done: 1, quarantined: 1, dead: 0 };
    let summary = Summary { counts, oldest_open_ms: Some(6) };
    let reads = ReadStore::open(&path).unwrap();
    assert_eq!(reads.summary().await, Ok(summary));
    let read = list(&reads, Filter::default()).await;
    assert_eq!(dead_ids(&reads).await, [0; 0]);
    drop(reads);
    assert_eq!(std::fs::read(&path).unwrap(), before);

    let store = open(&folder, &Arc::new(AtomicI64::new(1_000)));
    assert_eq!(list(&store, Filter::default()).await, read);
    assert_eq!(store.summary().await, Ok(summary));
    // The lease of before still holds.
    store.nack(2, "y", "no", Retry::Never).await.unwrap();
    assert_eq!(dead_ids(&store).await, [2]);
    let counts = Counts { leased: 0, dead: 1, ..counts };
    assert_eq!(store.summary().await, Ok(Summary { counts, oldest_open_ms: Some(7) }));
}
