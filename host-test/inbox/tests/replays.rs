//! The same event under another key: noticed, counted, in quarantine where so set; and what is not
//! stored is not known.
#![allow(clippy::unwrap_used, missing_docs, reason = "tests")]

use std::path::Path;
use std::time::Duration;

use messaging_inbox::{
    Entry, Event, Filter, Options, Puts, Replays, State, Store, StoreError, Stored,
};
use rusqlite::Connection;

fn open(folder: &Path, replays: Replays) -> Store {
    let options = Options { replays, ..Options::default() };
    Store::open(folder.join("inbox.sqlite"), options).unwrap()
}

fn entry(key: &str, json: &str) -> Entry {
    let (key, message_id) = (key.into(), "m-1".into());
    Entry { idempotency_key: key, message_id, kind: "message:in:new".into(), json: json.into() }
}

async fn all(store: &Store) -> Vec<Event> {
    store.list(Filter::default()).await.unwrap()
}

#[tokio::test]
async fn the_same_event_under_another_key_is_noticed_and_leased_like_any_other() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path(), Replays::Noticed);
    for (key, json, stored) in [
        ("a", "{}", Stored::Stored),
        ("b", "{}", Stored::Replayed),
        // The sender's repetitions of either are that.
        ("b", "{}", Stored::Duplicate),
        ("a", "{}", Stored::Duplicate),
        ("c", "{}", Stored::Replayed),
        ("a", "{ }", Stored::Conflict),
        // Also what is in quarantine is known.
        ("d", "{ }", Stored::Replayed),
        ("e", "{  }", Stored::Stored),
    ] {
        assert_eq!(store.put(entry(key, json)).await, Ok(stored), "{key} {json}");
    }
    let found: Vec<_> =
        all(&store).await.into_iter().map(|event| (event.replay_of, event.state)).collect();
    let expected = [
        (None, State::Pending),
        (Some(1), State::Pending),
        (Some(1), State::Pending),
        (None, State::Quarantined),
        (Some(4), State::Pending),
        (None, State::Pending),
    ];
    assert_eq!(found, expected);
    assert_eq!(store.activity().puts, Puts { stored: 2, duplicates: 2, conflicts: 1, replays: 3 });
    assert_eq!(store.counts().await.unwrap().pending, 5);
}

#[tokio::test]
async fn a_replay_in_quarantine_is_leased_by_nobody_until_a_person_releases_it() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path(), Replays::Quarantined);
    let minute = Duration::from_secs(60);
    assert_eq!(store.put(entry("a", "{}")).await, Ok(Stored::Stored));
    assert_eq!(store.put(entry("b", "{}")).await, Ok(Stored::Replayed));
    assert_eq!(store.put(entry("b", "{}")).await, Ok(Stored::Duplicate));
    let leased = store.lease(10, minute).await.unwrap();
    assert_eq!(leased.iter().map(|event| event.id).collect::<Vec<_>>(), [1]);
    let counts = store.counts().await.unwrap();
    assert_eq!((counts.leased, counts.pending, counts.quarantined), (1, 0, 1));
    store.release(2, None).await.unwrap();
    let leased = store.lease(10, minute).await.unwrap();
    assert_eq!((leased[0].id, &*leased[0].delivery_key()), (2, "b"));
    // The first is done and forgotten: the other still says what it was.
    store.ack(1, all(&store).await[0].lease.clone().unwrap()).await.unwrap();
    assert_eq!(store.prune(Duration::ZERO).await, Ok(1));
    assert_eq!(all(&store).await[0].replay_of, Some(1));
}

#[tokio::test]
async fn replays_under_a_key_that_its_sender_is_yet_to_use_do_not_take_its_place() {
    for replays in [Replays::Noticed, Replays::Quarantined] {
        let folder = tempfile::tempdir().unwrap();
        let store = open(folder.path(), replays);
        let seen: Vec<String> = (0..40).map(|number| format!("{{\"n\":{number}}}")).collect();
        for (number, json) in seen.iter().enumerate() {
            assert_eq!(store.put(entry(&format!("k{number}"), json)).await, Ok(Stored::Stored));
        }
        // The first takes the place, the others are in conflict with it, and none counts.
        for (number, json) in seen.iter().enumerate() {
            let stored = if number == 0 { Stored::Replayed } else { Stored::Conflict };
            assert_eq!(store.put(entry("next", json)).await, Ok(stored));
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
            assert_eq!(store.put(entry("next", json)).await, Ok(stored), "{replays:?} {json}");
        }
        let after = store.counts().await.unwrap();
        assert_eq!(after.pending, before.pending + 1, "{replays:?}");
        assert_eq!(after.quarantined, before.quarantined + 1, "{replays:?}");
        for number in 0..15 {
            let other = entry("next", &format!("[{number}]"));
            assert_eq!(store.put(other).await, Ok(Stored::Conflict));
        }
        let one_too_many = store.put(entry("next", "[15]")).await;
        assert!(matches!(one_too_many, Err(StoreError::TooManyCopies { .. })), "{one_too_many:?}");
        let leased = store.lease(1_000, Duration::from_secs(60)).await.unwrap();
        let own = leased.iter().filter(|event| event.json == "{}");
        assert_eq!(own.count(), 1, "{replays:?}");
    }
}

#[tokio::test]
async fn an_event_that_was_not_stored_can_come_under_whichever_key() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path(), Replays::Quarantined);
    // Fails after the event and its digest are written, before they are committed.
    let beside = Connection::open(folder.path().join("inbox.sqlite")).unwrap();
    let fail = "CREATE TRIGGER fail AFTER UPDATE ON trace BEGIN SELECT RAISE(ABORT, 'no'); END";
    beside.execute_batch(fail).unwrap();
    assert!(store.put(entry("a", "{}")).await.is_err());
    beside.execute_batch("DROP TRIGGER fail").unwrap();
    assert_eq!(store.activity().puts, Puts::default());
    assert_eq!(store.put(entry("b", "{}")).await, Ok(Stored::Stored));
    assert_eq!(store.put(entry("a", "{}")).await, Ok(Stored::Replayed));
}

#[tokio::test]
async fn events_are_compared_with_those_that_were_stored_while_it_was_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    for (replays, key, stored) in [
        (Replays::Allowed, "a", Stored::Stored),
        (Replays::Allowed, "b", Stored::Stored),
        (Replays::Noticed, "c", Stored::Stored),
        (Replays::Quarantined, "d", Stored::Replayed),
        (Replays::Allowed, "e", Stored::Stored),
    ] {
        let store = open(folder.path(), replays);
        assert_eq!(store.put(entry(key, "{}")).await, Ok(stored), "{key}");
        store.close().await;
    }
    let store = open(folder.path(), Replays::Allowed);
    let states: Vec<_> = all(&store).await.iter().map(|event| event.replay_of).collect();
    assert_eq!(states, [None, None, None, Some(3), None]);
}

/// Leaves a file as version 5 left it.
const BACK_TO_5: &str = "DROP INDEX events_digest; ALTER TABLE events DROP COLUMN digest;
    ALTER TABLE events DROP COLUMN replay_of; PRAGMA user_version = 5;";

#[tokio::test]
async fn a_store_of_the_fifth_version_is_read_as_it_is_and_brought_up_to_date_by_a_writer() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("inbox.sqlite");
    let store = open(folder.path(), Replays::Allowed);
    store.put(entry("a", "{}")).await.unwrap();
    store.close().await;
    Connection::open(&path).unwrap().execute_batch(BACK_TO_5).unwrap();
    let reads = messaging_inbox::ReadStore::open(&path).unwrap();
    let read = reads.list(Filter::default()).await.unwrap();
    assert_eq!((read.len(), read[0].replay_of), (1, None));
    drop(reads);
    let store = open(folder.path(), Replays::Noticed);
    assert_eq!(all(&store).await, read);
    assert_eq!(store.put(entry("a", "{}")).await, Ok(Stored::Duplicate));
    assert_eq!(store.put(entry("b", "{}")).await, Ok(Stored::Stored));
    assert_eq!(store.put(entry("c", "{}")).await, Ok(Stored::Replayed));
}
