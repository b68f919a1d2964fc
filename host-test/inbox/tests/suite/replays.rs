//! Replays: reported, counted, and quarantined if configured.

use messaging_inbox::{Puts, Replays, State, Store, StoreError, Stored};

use super::super::fixture::Fixture;
use super::{MINUTE, all, event};

/// Returns the state of each event, and the position of the event that it replays.
async fn originals(store: &Store) -> Vec<(Option<usize>, State)> {
    let events = all(store).await;
    let location = |id| events.iter().position(|event| event.id == id).unwrap();
    events.iter().map(|event| (event.replay_of.map(location), event.state)).collect()
}

#[tokio::test]
async fn replay_is_noticed_and_leased() {
    let Some(fixture) = Fixture::new().await else { return };
    let store = fixture.open_with(Replays::Noticed).await;
    for (key, json, stored) in [
        ("a", "{}", Stored::Stored),
        ("b", "{}", Stored::Replayed),
        // Redeliveries of both events are duplicates.
        ("b", "{}", Stored::Duplicate),
        ("a", "{}", Stored::Duplicate),
        ("c", "{}", Stored::Replayed),
        ("a", "{ }", Stored::Conflict),
        // Quarantined events are compared too.
        ("d", "{ }", Stored::Replayed),
        ("e", "{  }", Stored::Stored),
    ] {
        assert_eq!(store.put(event(key, "k", json)).await, Ok(stored), "{key} {json}");
    }
    let expected = [
        (None, State::Pending),
        (Some(0), State::Pending),
        (Some(0), State::Pending),
        (None, State::Quarantined),
        (Some(3), State::Pending),
        (None, State::Pending),
    ];
    assert_eq!(originals(&store).await, expected);
    assert_eq!(store.activity().puts, Puts { stored: 2, duplicates: 2, conflicts: 1, replays: 3 });
    assert_eq!(store.counts().await.unwrap().pending, 5);
}

#[tokio::test]
async fn quarantined_replay_waits_for_release() {
    let Some(fixture) = Fixture::new().await else { return };
    let store = fixture.open_with(Replays::Quarantined).await;
    assert_eq!(store.put(event("a", "k", "{}")).await, Ok(Stored::Stored));
    assert_eq!(store.put(event("b", "k", "{}")).await, Ok(Stored::Replayed));
    assert_eq!(store.put(event("b", "k", "{}")).await, Ok(Stored::Duplicate));
    let leased = store.lease(10, MINUTE).await.unwrap();
    let ids: Vec<_> = all(&store).await.iter().map(|event| event.id).collect();
    assert_eq!(leased.iter().map(|event| event.id).collect::<Vec<_>>(), ids[..1]);
    let counts = store.counts().await.unwrap();
    assert_eq!((counts.leased, counts.pending, counts.quarantined), (1, 0, 1));
    store.release(ids[1], None).await.unwrap();
    let leased = store.lease(10, MINUTE).await.unwrap();
    assert_eq!((leased[0].id, &*leased[0].delivery_key()), (ids[1], "b"));
    // The first event becomes done and is forgotten. The replay still has the identifier of the
    // first event.
    store.ack(ids[0], all(&store).await[0].lease.clone().unwrap()).await.unwrap();
    assert_eq!(store.prune(std::time::Duration::ZERO).await, Ok(1));
    assert_eq!(all(&store).await[0].replay_of, Some(ids[0]));
}

#[tokio::test]
async fn replay_under_future_key_keeps_key_free() {
    for replays in [Replays::Noticed, Replays::Quarantined] {
        let Some(fixture) = Fixture::new().await else { return };
        let store = fixture.open_with(replays).await;
        let seen: Vec<String> = (0..40).map(|number| format!("{{\"n\":{number}}}")).collect();
        for (number, json) in seen.iter().enumerate() {
            assert_eq!(
                store.put(event(&format!("k{number}"), "k", json)).await,
                Ok(Stored::Stored)
            );
        }
        // The first replay takes copy number 0. The other replays conflict with it, and do not
        // count toward the limit.
        for (number, json) in seen.iter().enumerate() {
            let stored = if number == 0 { Stored::Replayed } else { Stored::Conflict };
            assert_eq!(store.put(event("next", "k", json)).await, Ok(stored));
        }
        let before = store.counts().await.unwrap();
        for (json, stored) in [
            ("{}", Stored::Stored),
            ("{}", Stored::Duplicate),
            (seen[0].as_str(), Stored::Duplicate),
            (seen[1].as_str(), Stored::Conflict),
            ("{ }", Stored::Conflict),
            ("{ }", Stored::Conflict),
            ("{}", Stored::Duplicate),
        ] {
            assert_eq!(store.put(event("next", "k", json)).await, Ok(stored), "{replays:?} {json}");
        }
        let after = store.counts().await.unwrap();
        assert_eq!(after.pending, before.pending + 1, "{replays:?}");
        assert_eq!(after.quarantined, before.quarantined + 1, "{replays:?}");
        for number in 0..15 {
            let other = event("next", "k", &format!("[{number}]"));
            assert_eq!(store.put(other).await, Ok(Stored::Conflict));
        }
        let one_too_many = store.put(event("next", "k", "[15]")).await;
        assert!(matches!(one_too_many, Err(StoreError::TooManyCopies { .. })), "{one_too_many:?}");
        // An operator makes room.
        let conflict = all(&store).await.into_iter().find(|event| event.json == "[7]").unwrap();
        store.release(conflict.id, None).await.unwrap();
        assert_eq!(store.put(event("next", "k", "[15]")).await, Ok(Stored::Conflict));
        let one_too_many = store.put(event("next", "k", "[16]")).await;
        assert!(matches!(one_too_many, Err(StoreError::TooManyCopies { .. })), "{one_too_many:?}");
        let leased = store.lease(1_000, MINUTE).await.unwrap();
        let own = leased.iter().filter(|event| event.json == "{}");
        assert_eq!(own.count(), 1, "{replays:?}");
    }
}

#[tokio::test]
async fn event_is_compared_with_concurrent_events() {
    let Some(fixture) = Fixture::new().await else { return };
    for (replays, key, stored) in [
        (Replays::Allowed, "a", Stored::Stored),
        (Replays::Allowed, "b", Stored::Stored),
        (Replays::Noticed, "c", Stored::Stored),
        (Replays::Quarantined, "d", Stored::Replayed),
        (Replays::Allowed, "e", Stored::Stored),
    ] {
        let store = fixture.open_with(replays).await;
        assert_eq!(store.put(event(key, "k", "{}")).await, Ok(stored), "{key}");
        store.close().await;
    }
    let store = fixture.open_with(Replays::Allowed).await;
    let found = originals(&store).await.into_iter().map(|(original, _)| original);
    assert_eq!(found.collect::<Vec<_>>(), [None, None, None, Some(2), None]);
}

#[tokio::test]
async fn replay_is_known_while_content_is_kept() {
    let Some(fixture) = Fixture::new().await else { return };
    let store = fixture.open_with(Replays::Noticed).await;
    for key in ["a", "b"] {
        store.put(event(key, "k", "{}")).await.unwrap();
    }
    let first = store.lease(1, MINUTE).await.unwrap().remove(0);
    store.ack(first.id, first.lease.unwrap()).await.unwrap();
    assert_eq!(store.prune(std::time::Duration::ZERO).await, Ok(1));
    let second = all(&store).await[0].id;
    assert_eq!(store.put(event("c", "k", "{}")).await, Ok(Stored::Replayed));
    assert_eq!(all(&store).await[1].replay_of, Some(second));
    assert_eq!(store.put(event("d", "k", "{ }")).await, Ok(Stored::Stored));
}

#[tokio::test(flavor = "multi_thread")]
async fn one_of_64_equal_events_is_original() {
    let Some(fixture) = Fixture::new().await else { return };
    let stores = [
        fixture.open_with(Replays::Quarantined).await,
        fixture.open_with(Replays::Quarantined).await,
    ];
    let mut tasks = tokio::task::JoinSet::new();
    for number in 0..64 {
        let store = stores[number % 2].clone();
        tasks.spawn(async move { store.put(event(&number.to_string(), "k", "{}")).await.unwrap() });
    }
    let answers = tasks.join_all().await;
    assert_eq!(answers.iter().filter(|one| **one == Stored::Stored).count(), 1, "{answers:?}");
    assert_eq!(stores[0].lease(100, MINUTE).await.unwrap().len(), 1);
}
