//! Dead events, workers that lease only certain kinds, traces, and the view of an operator.

use std::num::NonZeroU32;
use std::time::Duration;

use messaging_inbox::{
    Counts, DeadFilter, Due, Event, Filter, Kinds, Queue, ReadStore, Retry, State, Store,
    StoreError, Summary, TraceContext,
};
use proptest::prelude::*;

use super::super::fixture::{CASES, Fixture};
use super::{MINUTE, event};

async fn put(store: &Store, key: &str, kind: &str) {
    store.put(event(key, kind, "{}")).await.unwrap();
}

/// Leases all due events and makes them dead.
async fn mark_all_dead(store: &Store, why: &str) -> usize {
    let events = store.lease(1_000, MINUTE).await.unwrap();
    for event in &events {
        let lease = event.lease.clone().unwrap();
        let state = store.nack(event.id, lease, why, Retry::Never).await.unwrap();
        assert_eq!(state, State::Dead);
    }
    events.len()
}

async fn leased_keys(store: &Store, kinds: &[&str]) -> Vec<String> {
    let kinds = Kinds::Only(kinds.iter().map(ToString::to_string).collect());
    let events = store.lease_from(Queue::Any, kinds, 100, MINUTE).await.unwrap();
    events.into_iter().map(|event| event.idempotency_key).collect()
}

async fn list(store: &ReadStore, filter: Filter) -> Vec<Event> {
    store.list(filter).await.unwrap()
}

async fn dead_ids(store: &ReadStore) -> Vec<i64> {
    let filter = Filter { state: Some(State::Dead), limit: 10_000, ..Filter::default() };
    list(store, filter).await.iter().map(|event| event.id).collect()
}

#[tokio::test]
async fn dead_event_keeps_its_last_failure() {
    let Some(fixture) = Fixture::new().await else { return };
    fixture.at(1_000).await;
    let store = fixture.open().await;
    put(&store, "a", "k").await;
    let three = Retry::UpTo { failures: NonZeroU32::new(3).unwrap(), pause: MINUTE };
    let mut now_ms = 1_000;
    // Expired leases and failures of the worker are not failures of the event.
    for (number, retry) in [three, Retry::Uncounted(MINUTE), three].into_iter().enumerate() {
        store.lease(1, MINUTE).await.unwrap();
        fixture.at(now_ms + 60_000).await;
        let lease = store.lease(1, MINUTE).await.unwrap()[0].lease.clone().unwrap();
        let state = store.nack(1, lease, format!("no {number}"), retry).await;
        assert_eq!(state, Ok(State::Pending));
        now_ms += 120_000;
        fixture.at(now_ms).await;
    }
    let event = store.get(1).await.unwrap();
    assert_eq!((event.attempts, event.failures, event.dead_at_ms), (6, 2, None));
    let lease = store.lease(1, MINUTE).await.unwrap()[0].lease.clone().unwrap();
    let state = store.nack(1, lease.as_str(), "status 500", three).await;
    assert_eq!(state, Ok(State::Dead));
    let event = store.get(1).await.unwrap();
    assert_eq!((event.state, event.failures), (State::Dead, 3));
    assert_eq!((event.dead_at_ms, event.last_error.as_deref()), (Some(now_ms), Some("status 500")));
    fixture.at(now_ms + 10_000_000_000).await;
    assert_eq!(store.lease(10, MINUTE).await.unwrap(), []);
    assert_eq!(store.due(Kinds::All).await.unwrap(), Due::default());
    let lost = Err(StoreError::LeaseLost { id: 1, state: State::Dead });
    assert_eq!(store.ack(1, lease).await, lost);
    // A redelivery is still a duplicate.
    put(&store, "a", "k").await;
    let counts = Counts { dead: 1, ..Counts::default() };
    assert_eq!(store.summary().await.unwrap(), Summary { counts, oldest_open_ms: None });
}

#[tokio::test]
async fn requeued_event_counts_as_untried() {
    let Some(fixture) = Fixture::new().await else { return };
    fixture.at(1_000).await;
    let store = fixture.open().await;
    put(&store, "a", "k").await;
    mark_all_dead(&store, "no").await;
    assert_eq!(store.requeue(1).await, Ok(true));
    let event = store.get(1).await.unwrap();
    assert_eq!((event.state, event.attempts, event.failures), (State::Pending, 0, 0));
    assert_eq!((event.last_error, event.dead_at_ms), (None, None));
    let leased = store.lease(1, MINUTE).await.unwrap();
    assert_eq!(store.requeue(1).await, Ok(false));
    assert_eq!(store.get(1).await.unwrap(), leased[0]);
    assert_eq!(store.requeue(2).await, Err(StoreError::NotFound { id: 2 }));
}

#[tokio::test]
async fn dead_events_are_requeued_by_kind_and_time() {
    let Some(fixture) = Fixture::new().await else { return };
    fixture.at(1_000).await;
    let store = fixture.open().await;
    for (at, kind) in [(1_000, "in"), (2_000, "out"), (3_000, "in"), (4_000, "in")] {
        fixture.at(at).await;
        put(&store, &format!("{at}"), kind).await;
        mark_all_dead(&store, "no").await;
    }
    assert_eq!(dead_ids(&store).await, [1, 2, 3, 4]);
    let of_kind = Filter { kind: Some("out".into()), ..Filter::default() };
    assert_eq!(list(&store, of_kind).await.len(), 1);
    let kind = Some("in".to_string());
    let filter = DeadFilter { kind, since_ms: Some(3_000), until_ms: Some(3_999) };
    assert_eq!(store.requeue_dead(filter.clone()).await, Ok(1));
    assert_eq!(dead_ids(&store).await, [1, 2, 4]);
    // The event becomes dead again. A repeated call ignores it.
    fixture.at(5_000).await;
    assert_eq!(mark_all_dead(&store, "no").await, 1);
    assert_eq!(store.requeue_dead(filter).await, Ok(0));
    assert_eq!(store.requeue_dead(DeadFilter::default()).await, Ok(4));
    assert_eq!(store.counts().await.unwrap().pending, 4);
}

#[tokio::test]
async fn worker_of_kinds_leaves_other_kinds() {
    let Some(fixture) = Fixture::new().await else { return };
    fixture.at(1_000).await;
    let store = fixture.open().await;
    for (key, kind) in [("a", "in"), ("b", "out"), ("c", "status"), ("d", "in")] {
        put(&store, key, kind).await;
    }
    assert_eq!(leased_keys(&store, &["in", "status"]).await, ["a", "c", "d"]);
    assert_eq!(leased_keys(&store, &["in", "none"]).await, [""; 0]);
    assert_eq!(leased_keys(&store, &[]).await, [""; 0]);
    let due = |kind: &str| store.due(Kinds::Only([kind.to_string()].into()));
    assert!(due("out").await.unwrap().new);
    let tried = due("in").await.unwrap();
    assert!(!tried.new && tried.again_ms == Some(61_000), "{tried:?}");
    // The leases expire, and the worker leases events of its kinds again. Then the clock jumps
    // ahead, and is set back.
    fixture.at(61_000).await;
    assert_eq!(leased_keys(&store, &["status"]).await, ["c"]);
    fixture.at(100_000_000).await;
    assert_eq!(leased_keys(&store, &["in"]).await, ["a", "d"]);
    fixture.at(62_000).await;
    assert_eq!(due("in").await.unwrap().again_ms, Some(0));
    assert_eq!(leased_keys(&store, &["in"]).await, ["a", "d"]);
    let all = store.lease(10, MINUTE).await.unwrap();
    assert_eq!(all.iter().map(|event| &*event.kind).collect::<Vec<_>>(), ["out"]);
}

#[tokio::test]
async fn trace_is_kept_with_its_event() {
    let Some(fixture) = Fixture::new().await else { return };
    fixture.at(1_000).await;
    let store = fixture.open().await;
    let parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    let trace = TraceContext::parse(parent, Some("rojo=1,congo=2"));
    assert!(trace.is_some());
    store.put_traced(event("a", "k", "{}"), trace.clone()).await.unwrap();
    // A redelivery under another trace is a duplicate.
    let other = TraceContext::parse(&parent.replace("b7ad", "b7ae"), None);
    let stored = store.put_traced(event("a", "k", "{}"), other).await.unwrap();
    assert_eq!(stored, messaging_inbox::Stored::Duplicate);
    store.put_traced(event("a", "k", "{ }"), trace.clone()).await.unwrap();
    put(&store, "b", "k").await;
    let traces: Vec<_> =
        list(&store, Filter::default()).await.into_iter().map(|one| one.trace).collect();
    assert_eq!(traces, [trace.clone(), trace, None]);
    let (mut export, mut lines) = (store.export(), Vec::new());
    while let Some(line) = export.next().await {
        lines.push(line.unwrap());
    }
    assert!(lines[0].contains(parent) && lines[0].contains("rojo=1,congo=2"), "{lines:?}");
}

/// An operation on a store.
#[derive(Clone, Copy, Debug)]
enum Op {
    /// Stores one of a few bodies under one of a few keys: new, duplicate or conflict.
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
            let json = format!("{{\"n\":{body}}}");
            store.put(event(&key.to_string(), "k", &json)).await.unwrap();
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
    #![proptest_config(ProptestConfig { cases: CASES / 3, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn summary_equals_list(
        ops in proptest::collection::vec(op(), 1..60),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let Some(fixture) = Fixture::new().await else { return };
            let mut store = fixture.open().await;
            for op in ops {
                if let Op::Reopen = op {
                    store = fixture.open().await;
                }
                fixture.pass(1).await;
                apply(&store, op).await;
            }
            let events = list(&store, Filter { limit: 10_000, ..Filter::default() }).await;
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
            let summary = store.summary().await.unwrap();
            assert_eq!(summary, Summary { counts, oldest_open_ms });
        });
    }
}
