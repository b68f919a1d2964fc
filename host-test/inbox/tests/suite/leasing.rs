//! The order and the duration of leases, and the retention of events.

use std::time::Duration;

use messaging_inbox::{Counts, Due, Filter, Kinds, Retry, State, StoreError, Stored};

use super::super::fixture::Fixture;
use super::{MINUTE, all, entry};

/// Hours after which a done event is forgotten with hourly pruning: 7 days and up to 3 hours.
const REMEMBERED: i64 = 7 * 24 + 3;

#[tokio::test]
async fn expired_lease_returns_events_in_order() {
    let Some(fixture) = Fixture::new().await else { return };
    let store = fixture.open().await;
    for key in ["a", "b", "c"] {
        store.put(entry(key, "1")).await.unwrap();
    }
    let first = store.lease(2, MINUTE).await.unwrap();
    assert_eq!(first.iter().map(|one| one.id).collect::<Vec<_>>(), [1, 2]);
    assert_eq!(first[0].state, State::Leased);
    assert_eq!(first[0].attempts, 1);
    assert_eq!(first[0].lease.as_deref().map(str::len), Some(32));
    assert_eq!(store.lease(2, MINUTE).await.unwrap().len(), 1);
    assert!(store.lease(2, MINUTE).await.unwrap().is_empty());
    let due = Due { new: false, again_ms: Some(1_700_000_060_000) };
    assert_eq!(store.due(Kinds::All).await, Ok(due));

    fixture.pass(59_999).await;
    assert!(store.lease(2, MINUTE).await.unwrap().is_empty());
    fixture.pass(1).await;
    let second = store.lease(1, MINUTE).await.unwrap();
    assert_eq!((second[0].id, second[0].attempts), (1, 2));
    assert_ne!(second[0].lease, first[0].lease);

    // The first worker is too late for event 1, and in time for event 2.
    let lease = first[0].lease.clone().unwrap();
    let lost = Err(StoreError::LeaseLost { id: 1, state: State::Leased });
    assert_eq!(store.ack(1, lease.as_str()).await, lost);
    assert_eq!(store.extend(1, lease.as_str(), MINUTE).await, lost);
    assert_eq!(store.nack(1, lease.as_str(), "late", MINUTE).await.map(drop), lost);
    assert_eq!(store.release(1, Some(lease.clone())).await, lost);
    assert_eq!(store.ack(2, lease.as_str()).await, Ok(()));
    assert_eq!(store.ack(2, lease.as_str()).await, Ok(()), "a repeated ack");
    assert_eq!(
        store.ack(2, "other").await,
        Err(StoreError::LeaseLost { id: 2, state: State::Done })
    );
    assert_eq!(store.ack(99, "other").await, Err(StoreError::NotFound { id: 99 }));
    let counts = Counts { pending: 0, leased: 2, done: 1, quarantined: 0, dead: 0 };
    assert_eq!(store.counts().await, Ok(counts));
}

#[tokio::test]
async fn repeated_nack_has_same_answer() {
    let Some(fixture) = Fixture::new().await else { return };
    let store = fixture.open().await;
    store.put(entry("a", "1")).await.unwrap();
    let first = store.lease(1, MINUTE).await.unwrap()[0].lease.clone().unwrap();
    for _ in 0..2 {
        let nacked = store.nack(1, first.as_str(), "no", Duration::ZERO).await;
        assert_eq!(nacked, Ok(State::Pending));
    }
    assert_eq!(store.get(1).await.unwrap().failures, 1);
    let lost = |state| Err(StoreError::LeaseLost { id: 1, state });
    assert_eq!(store.nack(1, "other", "no", MINUTE).await, lost(State::Pending));
    assert_eq!(store.ack(1, first.as_str()).await, lost(State::Pending).map(drop));
    assert_eq!(store.extend(1, first.as_str(), MINUTE).await, lost(State::Pending).map(drop));
    let second = store.lease(1, MINUTE).await.unwrap()[0].lease.clone().unwrap();
    assert_eq!(store.nack(1, first.as_str(), "no", MINUTE).await, lost(State::Leased));
    for _ in 0..2 {
        let nacked = store.nack(1, second.as_str(), "no", Retry::Never).await;
        assert_eq!(nacked, Ok(State::Dead));
    }
    assert_eq!(store.get(1).await.unwrap().failures, 2);
    assert_eq!(store.requeue(1).await, Ok(true));
    assert_eq!(store.nack(1, second.as_str(), "no", MINUTE).await, lost(State::Pending));
}

#[tokio::test]
async fn only_failed_event_pauses() {
    let Some(fixture) = Fixture::new().await else { return };
    let store = fixture.open().await;
    store.put(entry("a", "1")).await.unwrap();
    let lease = store.lease(1, MINUTE).await.unwrap()[0].lease.clone().unwrap();
    store.nack(1, lease.as_str(), "x".repeat(5_000), Duration::from_secs(10)).await.unwrap();
    let event = store.get(1).await.unwrap();
    assert_eq!((event.state, event.due_ms), (State::Pending, 1_700_000_010_000));
    assert_eq!(event.last_error.as_deref().map(str::len), Some(2_000));
    assert!(event.is_stuck());
    assert!(store.lease(1, MINUTE).await.unwrap().is_empty());
    fixture.pass(10_000).await;
    let lease = store.lease(1, MINUTE).await.unwrap()[0].lease.clone().unwrap();
    store.extend(1, lease.as_str(), 3 * MINUTE).await.unwrap();
    fixture.pass(179_999).await;
    assert!(store.lease(1, MINUTE).await.unwrap().is_empty());
    store.release(1, Some(lease)).await.unwrap();
    let event = &store.lease(1, MINUTE).await.unwrap()[0];
    assert_eq!(event.attempts, 3);
    assert_eq!(event.attempted_at_ms, [0, 10_000, 189_999].map(|ms| 1_700_000_000_000 + ms));
    let stuck = Filter { stuck: true, ..Filter::default() };
    assert_eq!(store.list(stuck.clone()).await.unwrap().len(), 1);
    // A release by an operator resets the event and ends its lease.
    store.release(1, None).await.unwrap();
    let event = store.get(1).await.unwrap();
    assert_eq!((event.attempts, event.last_error, event.lease), (0, None, None));
    assert!(store.list(stuck).await.unwrap().is_empty());
}

#[tokio::test]
async fn last_twenty_attempts_keep_their_times() {
    let Some(fixture) = Fixture::new().await else { return };
    let store = fixture.open().await;
    store.put(entry("a", "1")).await.unwrap();
    for _ in 0..25 {
        let lease = store.lease(1, MINUTE).await.unwrap()[0].lease.clone();
        store.release(1, lease).await.unwrap();
        fixture.pass(1_000).await;
    }
    let times: Vec<i64> = (5..25).map(|second| 1_700_000_000_000 + second * 1_000).collect();
    assert_eq!(store.get(1).await.unwrap().attempted_at_ms, times);
}

#[tokio::test]
async fn lease_ends_with_event_beyond_8_mib() {
    let Some(fixture) = Fixture::new().await else { return };
    let store = fixture.open().await;
    for key in ["a", "b", "c"] {
        store.put(entry(key, &"x".repeat(5 * 1024 * 1024))).await.unwrap();
    }
    for leased in [2, 1] {
        assert_eq!(store.lease(3, MINUTE).await.unwrap().len(), leased);
    }
}

#[tokio::test]
async fn event_leased_five_times_is_stuck() {
    let Some(fixture) = Fixture::new().await else { return };
    let store = fixture.open().await;
    store.put(entry("a", "1")).await.unwrap();
    store.put(entry("b", "1")).await.unwrap();
    let stuck = Filter { stuck: true, ..Filter::default() };
    for _ in 0..5 {
        assert!(store.list(stuck.clone()).await.unwrap().is_empty());
        store.lease(2, MINUTE).await.unwrap();
        fixture.pass(60_000).await;
    }
    assert_eq!(store.list(stuck).await.unwrap().len(), 2);
}

#[tokio::test]
async fn event_waiting_for_receiver_is_not_stuck() {
    let Some(fixture) = Fixture::new().await else { return };
    let store = fixture.open().await;
    store.put(entry("a", "1")).await.unwrap();
    let stuck = Filter { stuck: true, ..Filter::default() };
    let nack = async |retry: Retry| {
        let lease = store.lease(1, MINUTE).await.unwrap()[0].lease.clone().unwrap();
        store.nack(1, lease, "connection refused", retry).await.unwrap();
        fixture.pass(60_000).await;
    };
    for _ in 0..6 {
        nack(Retry::Uncounted(MINUTE)).await;
    }
    assert!(store.list(stuck.clone()).await.unwrap().is_empty());
    nack(Retry::After(MINUTE)).await;
    assert_eq!(store.list(stuck).await.unwrap().len(), 1);
}

#[tokio::test]
async fn only_old_done_events_are_pruned() {
    let Some(fixture) = Fixture::new().await else { return };
    let store = fixture.open().await;
    for key in ["old", "new", "failed", "taken", "waiting"] {
        store.put(entry(key, "1")).await.unwrap();
    }
    store.put(entry("waiting", "2")).await.unwrap();
    let taken = store.lease(4, MINUTE).await.unwrap();
    let lease = taken[0].lease.clone().unwrap();
    store.ack(1, lease.as_str()).await.unwrap();
    store.nack(3, lease.as_str(), "no", MINUTE).await.unwrap();
    assert_eq!(fixture.live(&store, 7 * 24).await, 0);
    store.ack(2, lease.as_str()).await.unwrap();
    assert_eq!(fixture.live(&store, 3).await, 1);
    let keys: Vec<_> = all(&store).await.into_iter().map(|one| one.idempotency_key).collect();
    assert_eq!(keys, ["new", "failed", "taken", "waiting", "waiting"]);
    // A redelivery of a pruned event is a new event. It gets a new identifier.
    assert_eq!(store.put(entry("old", "1")).await, Ok(Stored::Stored));
    assert!(all(&store).await.last().unwrap().id > 6);
}

#[tokio::test]
async fn first_event_of_conflict_is_kept() {
    let Some(fixture) = Fixture::new().await else { return };
    let store = fixture.open().await;
    for text in ["1", "2"] {
        store.put(entry("a", text)).await.unwrap();
    }
    let lease = store.lease(1, MINUTE).await.unwrap()[0].lease.clone().unwrap();
    store.ack(1, lease).await.unwrap();
    assert_eq!(fixture.live(&store, REMEMBERED + 1).await, 0);
    assert_eq!(store.put(entry("a", "2")).await, Ok(Stored::Conflict));
    let second = all(&store).await[1].id;
    store.release(second, None).await.unwrap();
    let lease = store.lease(1, MINUTE).await.unwrap()[0].lease.clone().unwrap();
    store.ack(second, lease).await.unwrap();
    assert_eq!(fixture.live(&store, REMEMBERED + 1).await, 2);
}

#[tokio::test]
async fn thousand_done_events_are_pruned_at_once() {
    let Some(fixture) = Fixture::new().await else { return };
    let store = fixture.open().await;
    let puts = (0..1_200).map(|number| {
        let store = store.clone();
        async move { store.put(entry(&format!("{number}"), "1")).await.unwrap() }
    });
    let mut tasks = tokio::task::JoinSet::new();
    puts.for_each(|put| drop(tasks.spawn(put)));
    tasks.join_all().await;
    for event in store.lease(2_000, MINUTE).await.unwrap() {
        let store = store.clone();
        tokio::spawn(async move { store.ack(event.id, event.lease.unwrap()).await.unwrap() });
    }
    while store.counts().await.unwrap().done < 1_200 {
        tokio::task::yield_now().await;
    }
    fixture.pass(1).await;
    assert_eq!(store.prune(Duration::ZERO).await, Ok(1_200));
}

#[tokio::test]
async fn waiting_worker_hears_of_events_to_lease() {
    let Some(fixture) = Fixture::new().await else { return };
    let store = fixture.open().await;
    let mut news = store.news();
    assert_eq!(store.due(Kinds::All).await, Ok(Due::default()));
    store.put(entry("a", "1")).await.unwrap();
    tokio::time::timeout(MINUTE, news.changed()).await.unwrap().unwrap();
    assert!(store.due(Kinds::All).await.unwrap().new);
    store.put(entry("a", "1")).await.unwrap();
    store.put(entry("a", "2")).await.unwrap();
    store.lease(1, MINUTE).await.unwrap();
    assert!(!news.has_changed().unwrap(), "no further event is available");
    store.release(all(&store).await[1].id, None).await.unwrap();
    tokio::time::timeout(MINUTE, news.changed()).await.unwrap().unwrap();
}

#[tokio::test]
async fn failed_event_waits_behind_due_events() {
    let Some(fixture) = Fixture::new().await else { return };
    let store = fixture.open().await;
    for key in ["fails", "fails too", "good"] {
        store.put(entry(key, "1")).await.unwrap();
    }
    for id in [1, 2] {
        fixture.pass(1_000).await;
        let event = store.lease(1, MINUTE).await.unwrap().remove(0);
        assert_eq!(event.id, id);
        store.nack(id, event.lease.unwrap(), "no", Duration::ZERO).await.unwrap();
    }
    assert_eq!(store.lease(1, MINUTE).await.unwrap()[0].id, 3);
    assert_eq!(store.lease(1, MINUTE).await.unwrap()[0].id, 1);
}
