//! Stored events: their number and their values.

use std::collections::BTreeSet;
use std::time::Duration;

use messaging_inbox::{Filter, State, Store, StoreError, Stored};
use serde_json::Value;

use super::super::fixture::Fixture;
use super::{MINUTE, all, entry};

#[tokio::test]
async fn repeated_event_is_duplicate() {
    let Some(fixture) = Fixture::new().await else { return };
    let store = fixture.open().await;
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
    assert_eq!(events[0].state, State::Pending);
}

#[tokio::test]
async fn conflicting_event_is_quarantined_once() {
    let Some(fixture) = Fixture::new().await else { return };
    let store = fixture.open().await;
    for (text, stored) in [
        ("1", Stored::Stored),
        ("2", Stored::Conflict),
        ("2", Stored::Conflict),
        ("3", Stored::Conflict),
        ("1", Stored::Duplicate),
        // An equal JSON value with other bytes.
        ("\\u0031", Stored::Conflict),
    ] {
        assert_eq!(store.put(entry("a", text)).await, Ok(stored), "{text}");
    }
    let states: Vec<_> = all(&store).await.into_iter().map(|one| (one.copy, one.state)).collect();
    let quarantined = State::Quarantined;
    assert_eq!(states, [(0, State::Pending), (1, quarantined), (2, quarantined), (3, quarantined)]);
    // Only the first event is leased until an operator releases another.
    assert_eq!(store.lease(10, MINUTE).await.unwrap().len(), 1);
    store.release(all(&store).await[1].id, None).await.unwrap();
    let taken = store.lease(10, MINUTE).await.unwrap();
    assert_eq!(taken.len(), 1);
    assert_eq!(taken[0].json, r#"{"text": "2"}"#);
    store.ack(taken[0].id, taken[0].lease.clone().unwrap()).await.unwrap();
    // A released and done event is still known.
    assert_eq!(store.put(entry("a", "2")).await, Ok(Stored::Conflict));
    assert_eq!(all(&store).await.len(), 4);
}

/// Eight senders deliver keys in different orders, then eight workers lease concurrently.
#[tokio::test(flavor = "multi_thread")]
async fn shared_store_leases_each_event_once() {
    let Some(fixture) = Fixture::new().await else { return };
    let stores = [fixture.open().await, fixture.open().await];
    let mut puts = tokio::task::JoinSet::new();
    for number in 0..1_600 {
        let (store, sender) = (stores[number % 2].clone(), number / 200);
        let key = (number * [1, 3, 7, 9, 11, 13, 17, 19][sender]) % 200;
        puts.spawn(async move { store.put(entry(&key.to_string(), "1")).await.unwrap() });
    }
    let answers = puts.join_all().await;
    assert_eq!(answers.iter().filter(|one| **one == Stored::Stored).count(), 200);
    assert_eq!(all(&stores[0]).await.len(), 200);
    assert_eq!(all(&stores[1]).await, all(&stores[0]).await);
    let mut leases = tokio::task::JoinSet::new();
    for number in 0..8 {
        let store = stores[number % 2].clone();
        leases.spawn(async move {
            let mut leased = Vec::new();
            // A lease may skip rows that another transaction has locked.
            for _ in 0..20 {
                leased.extend(store.lease(7, MINUTE).await.unwrap().into_iter().map(|one| one.id));
            }
            leased
        });
    }
    let leased: Vec<i64> = leases.join_all().await.into_iter().flatten().collect();
    assert_eq!((leased.len(), BTreeSet::from_iter(&leased).len()), (200, 200));
}

#[tokio::test]
async fn dropped_call_affects_no_other_call() {
    let Some(fixture) = Fixture::new().await else { return };
    let store = fixture.open().await;
    for number in 0..100 {
        let put = store.put(entry(&format!("{number}"), "1"));
        // Polls the call once to start the request, then drops the call.
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
async fn changing_sender_does_not_fill_store() {
    let Some(fixture) = Fixture::new().await else { return };
    let store = fixture.open().await;
    assert_eq!(store.put(entry("a", "0")).await, Ok(Stored::Stored));
    let mut kept = Vec::new();
    for number in 1..100 {
        let text = format!("{number}");
        // A rejected event is not lost, because it is not acknowledged and the event source
        // redelivers it.
        if store.put(entry("a", &text)).await.is_ok() {
            kept.push(text);
        }
    }
    assert_eq!(kept.len(), 16);
    for text in kept {
        assert_eq!(store.put(entry("a", &text)).await, Ok(Stored::Conflict), "{text} was stored");
    }
    assert_eq!(store.put(entry("a", "0")).await, Ok(Stored::Duplicate));
    assert_eq!(store.put(entry("b", "0")).await, Ok(Stored::Stored));
    assert_eq!(all(&store).await.len(), 18);
}

#[tokio::test]
async fn only_too_long_event_is_rejected() {
    let Some(fixture) = Fixture::new().await else { return };
    let store = fixture.open().await;
    let mut long = entry("long", "");
    long.json = "x".repeat(Store::MAX_BYTES);
    let (long, short) = tokio::join!(store.put(long), store.put(entry("short", "1")));
    assert!(matches!(long, Err(StoreError::Refused { .. })), "{long:?}");
    assert_eq!(short, Ok(Stored::Stored));
    assert_eq!(all(&store).await.len(), 1);
}

#[tokio::test]
async fn export_is_every_event_byte_for_byte() {
    let Some(fixture) = Fixture::new().await else { return };
    let store = fixture.open().await;
    let mut odd = entry("a", "1");
    odd.json = "{\n  \"number\": 1.50, \"number\": 123456789012345678901234567890\u{0}}".into();
    store.put(odd.clone()).await.unwrap();
    for number in 0..450 {
        let store = store.clone();
        tokio::spawn(async move { store.put(entry(&format!("{number}"), "1")).await.unwrap() });
    }
    while store.counts().await.unwrap().pending < 451 {
        tokio::task::yield_now().await;
    }
    let (mut export, mut lines) = (store.export(), Vec::new());
    while let Some(line) = export.next().await {
        lines.push(line.unwrap());
    }
    assert_eq!(lines.len(), 451);
    assert!(lines.iter().all(|line| !line.contains('\n')));
    let first: Value = serde_json::from_str(&lines[0]).unwrap();
    assert_eq!(first["json"], odd.json);
    assert_eq!(first["state"], "pending");
}

#[tokio::test]
async fn long_list_is_complete_and_ordered() {
    let Some(fixture) = Fixture::new().await else { return };
    let store = fixture.open().await;
    let mut puts = tokio::task::JoinSet::new();
    for number in 0..450 {
        let store = store.clone();
        puts.spawn(async move { store.put(entry(&number.to_string(), "1")).await.unwrap() });
    }
    puts.join_all().await;
    let list = async |after_id, limit| {
        let filter = Filter { after_id, limit, ..Filter::default() };
        let events = store.list(filter).await.unwrap();
        events.into_iter().map(|event| event.id).collect::<Vec<_>>()
    };
    let every = list(0, u32::MAX).await;
    assert_eq!(every.len(), 450);
    assert!(every.is_sorted_by(|one, next| one < next));
    assert_eq!(list(every[99], 300).await, every[100..400]);
    assert_eq!(list(0, 400).await, every[..400]);
    let newest = Filter { newest: true, limit: 300, ..Filter::default() };
    let newest = store.list(newest).await.unwrap();
    assert!(newest.iter().map(|event| &event.id).eq(every.iter().rev().take(300)));
}

#[tokio::test]
async fn list_of_key_has_its_conflicting_events() {
    let Some(fixture) = Fixture::new().await else { return };
    let store = fixture.open().await;
    for (key, text) in [("a", "1"), ("ab", "1"), ("a", "2"), ("b", "1")] {
        store.put(entry(key, text)).await.unwrap();
    }
    let every = all(&store).await;
    let count = async |filter: Filter| store.list(filter).await.unwrap().len();
    let of = |key: &str| Filter { key: Some(key.into()), ..Filter::default() };
    let found = store.list(of("a")).await.unwrap();
    assert_eq!(found, [every[0].clone(), every[2].clone()]);
    for (state, number) in [(State::Pending, 1), (State::Quarantined, 1), (State::Dead, 0)] {
        let filter = Filter { state: Some(state), ..of("a") };
        assert_eq!(count(filter).await, number, "{state}");
    }
    store.lease(1, MINUTE).await.unwrap();
    assert_eq!(count(Filter { state: Some(State::Leased), ..of("a") }).await, 1);
    let kind = Some("message:in:new".to_string());
    assert_eq!(count(Filter { kind, ..of("b") }).await, 1);
    assert_eq!(count(Filter { kind: Some("other".into()), ..of("b") }).await, 0);
    assert_eq!(count(of("missing")).await, 0);
}

#[tokio::test]
async fn list_is_filtered_and_paged() {
    let Some(fixture) = Fixture::new().await else { return };
    let store = fixture.open().await;
    for (key, text) in [("a", "1"), ("a", "2"), ("b", "1"), ("c", "1")] {
        store.put(entry(key, text)).await.unwrap();
    }
    let every = all(&store).await;
    let lease = store.lease(2, MINUTE).await.unwrap()[0].lease.clone().unwrap();
    store.ack(every[0].id, lease).await.unwrap();
    for (state, ids) in [
        (None, &[0, 1, 2, 3][..]),
        (Some(State::Pending), &[3]),
        (Some(State::Leased), &[2]),
        (Some(State::Done), &[0]),
        (Some(State::Quarantined), &[1]),
    ] {
        let found = store.list(Filter { state, ..Filter::default() }).await.unwrap();
        let ids: Vec<_> = ids.iter().map(|at: &usize| every[*at].id).collect();
        assert_eq!(found.iter().map(|one| one.id).collect::<Vec<_>>(), ids, "{state:?}");
    }
    let page = async |filter: Filter| {
        let found = store.list(filter).await.unwrap();
        found.iter().map(|one| one.id).collect::<Vec<_>>()
    };
    let second = Filter { after_id: every[0].id, limit: 2, ..Filter::default() };
    assert_eq!(page(second).await, [every[1].id, every[2].id]);
    let newest = Filter { newest: true, ..Filter::default() };
    assert_eq!(page(Filter { limit: 2, ..newest.clone() }).await, [every[3].id, every[2].id]);
    let second = Filter { after_id: every[2].id, ..newest.clone() };
    assert_eq!(page(second).await, [every[1].id, every[0].id]);
    let pending = Filter { state: Some(State::Pending), ..newest };
    assert_eq!(page(pending).await, [every[3].id]);
    assert_eq!(store.get(99).await, Err(StoreError::NotFound { id: 99 }));
}
