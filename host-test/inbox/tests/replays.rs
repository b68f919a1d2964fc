//! The same event under another key, in a file: what is not stored is not known; older files.
#![allow(clippy::unwrap_used, missing_docs, reason = "tests")]

use std::path::Path;

use messaging_inbox::{Entry, Event, Filter, Options, Puts, Replays, Store, Stored};
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
