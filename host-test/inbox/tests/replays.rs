//! The same event under another key, in a file: an event that was not stored is unknown.
#![allow(clippy::unwrap_used, missing_docs, reason = "tests")]

use std::path::Path;

use messaging_inbox::{Entry, Options, Puts, Replays, Store, Stored};
use rusqlite::Connection;

fn open(folder: &Path, replays: Replays) -> Store {
    let options = Options { replays, ..Options::default() };
    Store::open(folder.join("inbox.sqlite"), options).unwrap()
}

fn entry(key: &str, json: &str) -> Entry {
    let (key, message_id) = (key.into(), "m-1".into());
    Entry { idempotency_key: key, message_id, kind: "message:in:new".into(), json: json.into() }
}

#[tokio::test]
async fn event_of_failed_commit_is_no_replay() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path(), Replays::Quarantined);
    // Fails after the event and its digest are written.
    let beside = Connection::open(folder.path().join("inbox.sqlite")).unwrap();
    let fail = "CREATE TRIGGER fail AFTER INSERT ON events BEGIN SELECT RAISE(ABORT, 'no'); END";
    beside.execute_batch(fail).unwrap();
    assert!(store.put(entry("a", "{}")).await.is_err());
    beside.execute_batch("DROP TRIGGER fail").unwrap();
    assert_eq!(store.activity().puts, Puts::default());
    assert_eq!(store.put(entry("b", "{}")).await, Ok(Stored::Stored));
    assert_eq!(store.put(entry("a", "{}")).await, Ok(Stored::Replayed));
}
