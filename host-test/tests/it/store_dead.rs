//! Dead letters: how an event becomes one, how it is requeued, and what an operator sees of the
//! store meanwhile; workers of certain kinds; traces; files of older versions.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::num::NonZeroU32;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use messaging_inbox::{
    Counts, DeadFilter, Entry, Event, Filter, Kinds, Lane, Options, ReadStore, Retry, State, Store,
    StoreError, Summary, TraceContext,
};
use proptest::prelude::*;
use rusqlite::Connection;
use tempfile::TempDir;

const MINUTE: Duration = Duration::from_secs(60);

/// A store, and its clock.
struct Fixture {
    folder: TempDir,
    now_ms: Arc<AtomicI64>,
    store: Store,
}

impl Fixture {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let now_ms = Arc::new(AtomicI64::new(1_000));
        let store = open(&folder, &now_ms);
        Self { folder, now_ms, store }
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

    async fn leased_keys(&self, kinds: &[&str]) -> Vec<String> {
        let kinds = Kinds::Only(kinds.iter().map(ToString::to_string).collect());
        let events = self.store.lease_from(Lane::Any, kinds, 100, MINUTE).await.unwrap();
        events.into_iter().map(|event| event.idempotency_key).collect()
    }

    fn at(&self, ms: i64) {
        self.now_ms.store(ms, Ordering::SeqCst);
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

#[tokio::test]
async fn an_event_is_dead_with_its_last_failure_and_nobody_gets_it_any_more() {
    let fixture = Fixture::new();
    fixture.put("a", "k").await;
    let three = Retry::UpTo { failures: NonZeroU32::new(3).unwrap(), pause: MINUTE };
    let mut now_ms = 1_000;
    // Leases that ran out, and failures of the worker's own, are no failures of the event.
    for (number, retry) in [three, Retry::Uncounted(MINUTE), three].into_iter().enumerate() {
        fixture.store.lease(1, MINUTE).await.unwrap();
        fixture.at(now_ms + 60_000);
        let lease = fixture.store.lease(1, MINUTE).await.unwrap()[0].lease.clone().unwrap();
        let state = fixture.store.nack(1, lease, format!("no {number}"), retry).await;
        assert_eq!(state, Ok(State::Pending));
        now_ms += 120_000;
        fixture.at(now_ms);
    }
    let event = fixture.store.get(1).await.unwrap();
    assert_eq!((event.attempts, event.failures, event.dead_at_ms), (6, 2, None));
    let lease = fixture.store.lease(1, MINUTE).await.unwrap()[0].lease.clone().unwrap();
    let state = fixture.store.nack(1, lease.as_str(), "status 500", three).await;
    assert_eq!(state, Ok(State::Dead));
    let event = fixture.store.get(1).await.unwrap();
    assert_eq!((event.state, event.failures), (State::Dead, 3));
    assert_eq!((event.dead_at_ms, event.last_error.as_deref()), (Some(now_ms), Some("status 500")));
    fixture.at(now_ms + 10_000_000_000);
    assert_eq!(fixture.store.lease(10, MINUTE).await.unwrap(), []);
    assert_eq!(fixture.store.next_due_ms().await.unwrap(), None);
    let lost = Err(StoreError::LeaseLost { id: 1, state: State::Dead });
    assert_eq!(fixture.store.ack(1, lease).await, lost);
    // Its sender's repetition is still a duplicate of it.
    fixture.put("a", "k").await;
    let counts = Counts { dead: 1, ..Counts::default() };
    assert_eq!(fixture.store.summary().await.unwrap(), Summary { counts, oldest_open_ms: None });
}

#[tokio::test]
async fn a_requeued_event_counts_as_never_tried_and_a_second_time_changes_nothing() {
    let fixture = Fixture::new();
    fixture.put("a", "k").await;
    fixture.bury_all("no").await;
    assert_eq!(fixture.store.requeue(1).await, Ok(true));
    let event = fixture.store.get(1).await.unwrap();
    assert_eq!((event.state, event.attempts, event.failures), (State::Pending, 0, 0));
    assert_eq!((event.last_error, event.dead_at_ms), (None, None));
    let leased = fixture.store.lease(1, MINUTE).await.unwrap();
    assert_eq!(fixture.store.requeue(1).await, Ok(false));
    assert_eq!(fixture.store.get(1).await.unwrap(), leased[0]);
    assert_eq!(fixture.store.requeue(2).await, Err(StoreError::NotFound { id: 2 }));
}

#[tokio::test]
async fn dead_events_are_requeued_by_kind_and_time() {
    let fixture = Fixture::new();
    for (at, kind) in [(1_000, "in"), (2_000, "out"), (3_000, "in"), (4_000, "in")] {
        fixture.at(at);
        fixture.put(&format!("{at}"), kind).await;
        fixture.bury_all("no").await;
    }
    assert_eq!(dead_ids(&fixture.store).await, [1, 2, 3, 4]);
    let of_kind = Filter { kind: Some("out".into()), ..Filter::default() };
    assert_eq!(list(&fixture.store, of_kind).await.len(), 1);
    let kind = Some("in".to_string());
    let filter = DeadFilter { kind, since_ms: Some(3_000), until_ms: Some(3_999) };
    assert_eq!(fixture.store.requeue_dead(filter.clone()).await, Ok(1));
    assert_eq!(dead_ids(&fixture.store).await, [1, 2, 4]);
    // It dies again, and a repetition of the same leaves it alone.
    fixture.at(5_000);
    assert_eq!(fixture.bury_all("no").await, 1);
    assert_eq!(fixture.store.requeue_dead(filter).await, Ok(0));
    assert_eq!(fixture.store.requeue_dead(DeadFilter::default()).await, Ok(4));
    assert_eq!(fixture.store.counts().await.unwrap().pending, 4);
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

#[tokio::test]
async fn a_worker_of_certain_kinds_leaves_the_others_waiting() {
    let fixture = Fixture::new();
    for (key, kind) in [("a", "in"), ("b", "out"), ("c", "status"), ("d", "in")] {
        fixture.put(key, kind).await;
    }
    assert_eq!(fixture.leased_keys(&["in", "status"]).await, ["a", "c", "d"]);
    assert_eq!(fixture.leased_keys(&["in", "none"]).await, [""; 0]);
    assert_eq!(fixture.leased_keys(&[]).await, [""; 0]);
    let due = |kind: &str| fixture.store.due(Kinds::Only([kind.to_string()].into()));
    assert!(due("out").await.unwrap().new);
    let tried = due("in").await.unwrap();
    assert!(!tried.new && tried.again_ms == Some(61_000), "{tried:?}");
    // Their leases run out: those of its kinds come again, and the clock that was ahead too.
    fixture.at(61_000);
    assert_eq!(fixture.leased_keys(&["status"]).await, ["c"]);
    fixture.at(100_000_000);
    assert_eq!(fixture.leased_keys(&["in"]).await, ["a", "d"]);
    fixture.at(62_000);
    assert_eq!(due("in").await.unwrap().again_ms, Some(0));
    assert_eq!(fixture.leased_keys(&["in"]).await, ["a", "d"]);
    let all = fixture.store.lease(10, MINUTE).await.unwrap();
    assert_eq!(all.iter().map(|event| &*event.kind).collect::<Vec<_>>(), ["out"]);
}

#[tokio::test]
async fn the_oldest_open_event_is_known_whether_it_was_tried_or_not() {
    let fixture = Fixture::new();
    for at in [1_000, 2_000, 3_000] {
        fixture.at(at);
        fixture.put(&format!("{at}"), "k").await;
    }
    let oldest = async || fixture.store.summary().await.unwrap().oldest_open_ms;
    assert_eq!(oldest().await, Some(1_000));
    let leased = fixture.store.lease(2, MINUTE).await.unwrap();
    assert_eq!(oldest().await, Some(1_000));
    fixture.store.ack(1, leased[0].lease.clone().unwrap()).await.unwrap();
    assert_eq!(oldest().await, Some(2_000));
    fixture.store.nack(2, leased[1].lease.clone().unwrap(), "no", Retry::Never).await.unwrap();
    assert_eq!(oldest().await, Some(3_000));
}

#[tokio::test]
async fn the_trace_of_a_delivery_is_kept_with_its_event() {
    let fixture = Fixture::new();
    let parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    let trace = TraceContext::parse(parent, Some("rojo=1,congo=2"));
    assert!(trace.is_some());
    fixture.store.put_traced(entry("a", "k"), trace.clone()).await.unwrap();
    // A repetition under another trace is the same event.
    let other = TraceContext::parse(&parent.replace("b7ad", "b7ae"), None);
    let stored = fixture.store.put_traced(entry("a", "k"), other).await.unwrap();
    assert_eq!(stored, messaging_inbox::Stored::Duplicate);
    let mut conflict = entry("a", "k");
    conflict.json = "{ }".into();
    fixture.store.put_traced(conflict, trace.clone()).await.unwrap();
    fixture.put("b", "k").await;
    let traces: Vec<_> =
        list(&fixture.store, Filter::default()).await.into_iter().map(|one| one.trace).collect();
    assert_eq!(traces, [trace.clone(), trace, None]);
    let (mut export, mut lines) = (fixture.store.export(), Vec::new());
    while let Some(line) = export.next().await {
        lines.push(line.unwrap());
    }
    assert!(lines[0].contains(parent) && lines[0].contains("rojo=1,congo=2"), "{lines:?}");
}

/// Things that are done to a store.
#[derive(Clone, Copy, Debug)]
enum Op {
    /// Under one of a few keys, one of a few bodies: new, a duplicate or in conflict.
    Put(u8, u8),
    Lease,
    Ack(u8),
    Nack(u8, Retry),
    Release(u8),
    Requeue,
    Prune,
    Reopen,
}

fn op() -> impl Strategy<Value = Op> {
    let retry = prop_oneof![
        Just(Retry::Never),
        Just(Retry::After(Duration::ZERO)),
        Just(Retry::UpTo { failures: NonZeroU32::MIN.saturating_add(1), pause: Duration::ZERO }),
    ];
    prop_oneof![
        4 => (0..12_u8, 0..3_u8).prop_map(|(key, body)| Op::Put(key, body)),
        3 => Just(Op::Lease),
        2 => any::<u8>().prop_map(Op::Ack),
        3 => (any::<u8>(), retry).prop_map(|(at, retry)| Op::Nack(at, retry)),
        1 => any::<u8>().prop_map(Op::Release),
        1 => Just(Op::Requeue),
        1 => Just(Op::Prune),
        1 => Just(Op::Reopen),
    ]
}

async fn apply(store: &Store, op: Op) {
    let leased = Filter { state: Some(State::Leased), ..Filter::default() };
    let pick = async |at: u8, filter: Filter| {
        let events = list(store, filter).await;
        (!events.is_empty()).then(|| events[usize::from(at) % events.len()].clone())
    };
    match op {
        Op::Put(key, body) => {
            let mut entry = entry(&key.to_string(), "k");
            entry.json = format!("{{\"n\":{body}}}");
            store.put(entry).await.unwrap();
        }
        Op::Lease => drop(store.lease(2, MINUTE).await.unwrap()),
        Op::Ack(at) => {
            let Some(event) = pick(at, leased).await else { return };
            store.ack(event.id, event.lease.unwrap()).await.unwrap();
        }
        Op::Nack(at, retry) => {
            let Some(event) = pick(at, leased).await else { return };
            store.nack(event.id, event.lease.unwrap(), "no", retry).await.unwrap();
        }
        Op::Release(at) => {
            let Some(event) = pick(at, Filter::default()).await else { return };
            store.release(event.id, None).await.unwrap();
        }
        Op::Requeue => drop(store.requeue_dead(DeadFilter::default()).await.unwrap()),
        Op::Prune => drop(store.prune(Duration::ZERO).await.unwrap()),
        Op::Reopen => {}
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_summary_is_that_of_a_list_whatever_was_done(
        ops in proptest::collection::vec(op(), 1..60),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        runtime.block_on(async {
            let mut fixture = Fixture::new();
            for op in ops {
                if let Op::Reopen = op {
                    fixture.store = open(&fixture.folder, &fixture.now_ms);
                }
                fixture.now_ms.fetch_add(1, Ordering::SeqCst);
                apply(&fixture.store, op).await;
            }
            let events = list(&fixture.store, Filter { limit: 10_000, ..Filter::default() }).await;
            let count = |state| {
                u64::try_from(events.iter().filter(|event| event.state == state).count()).unwrap()
            };
            let counts = Counts {
                pending: count(State::Pending),
                leased: count(State::Leased),
                done: count(State::Done),
                quarantined: count(State::Quarantined),
                dead: count(State::Dead),
            };
            let is_open = |event: &&Event| matches!(event.state, State::Pending | State::Leased);
            let oldest_open_ms = events.iter().find(is_open).map(|event| event.received_at_ms);
            let summary = fixture.store.summary().await.unwrap();
            assert_eq!(summary, Summary { counts, oldest_open_ms });
        });
    }
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
