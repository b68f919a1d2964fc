//! Stores as a process leaves them that is killed, or finds no space, while the log is copied
//! into the file.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::fs;
use std::path::{Path, PathBuf};

use messaging_inbox::{Entry, Filter, Options, ReadStore, Store, StoreError};
use rusqlite::Connection;
use tempfile::TempDir;

const PAGE: usize = 4096;
const FIRST: usize = 5;
const SECOND: usize = 60;

fn entry(number: usize) -> Entry {
    Entry {
        idempotency_key: format!("evt-{number}"),
        message_id: format!("message {number}"),
        kind: "message:in:new".into(),
        json: format!(r#"{{"text": "{}"}}"#, "x".repeat(3_000)),
    }
}

async fn put(store: &Store, numbers: std::ops::Range<usize>) {
    for number in numbers {
        store.put(entry(number)).await.unwrap();
    }
}

fn beside(path: &Path, end: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(end);
    name.into()
}

/// A store in use whose log, the second one, makes its file larger: the file, and the log.
async fn in_use(folder: &TempDir) -> (Store, PathBuf) {
    let path = folder.path().join("inbox.sqlite");
    let store = Store::open(&path, Options::default()).unwrap();
    put(&store, 0..FIRST).await;
    store.close().await;
    let store = Store::open(&path, Options::default()).unwrap();
    put(&store, FIRST..FIRST + SECOND).await;
    (store, path)
}

/// The file of a store and of its copy, page by page, where they differ.
fn changed<'a>(before: &[u8], after: &'a [u8]) -> Vec<(usize, &'a [u8])> {
    let pages = after.chunks(PAGE).enumerate();
    let differs = |at: usize, page: &[u8]| before.chunks(PAGE).nth(at) != Some(page);
    pages.filter(|(at, page)| differs(*at, page)).collect()
}

#[tokio::test]
async fn a_store_left_at_any_page_of_a_copied_log_has_every_event() {
    let folder = tempfile::tempdir().unwrap();
    let (store, path) = in_use(&folder).await;
    let before = fs::read(&path).unwrap();
    let log = fs::read(beside(&path, "-wal")).unwrap();
    drop(store);

    let copied = folder.path().join("copied.sqlite");
    fs::write(&copied, &before).unwrap();
    fs::write(beside(&copied, "-wal"), &log).unwrap();
    let connection = Connection::open(&copied).unwrap();
    connection.query_row("PRAGMA wal_checkpoint(FULL)", [], |_| Ok(())).unwrap();
    let after = fs::read(&copied).unwrap();
    // SQLite copies page after page, from the first one on.
    let pages = changed(&before, &after);
    assert!(pages.len() > SECOND / 2 && after.len() > before.len());

    for left in 0..=pages.len() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("inbox.sqlite");
        let mut file = before.clone();
        for (at, page) in &pages[..left] {
            let end = (at + 1) * PAGE;
            file.resize(file.len().max(end), 0);
            file[at * PAGE..end].copy_from_slice(page);
        }
        fs::write(&path, file).unwrap();
        fs::write(beside(&path, "-wal"), &log).unwrap();
        let all = Filter { limit: 1_000, ..Filter::default() };
        let events = ReadStore::open(&path).unwrap().list(all.clone()).await.unwrap();
        assert_eq!(events.len(), FIRST + SECOND, "{left} pages of {}", pages.len());
        let store = Store::open(&path, Options::default()).unwrap();
        assert_eq!(store.list(all).await.unwrap(), events, "{left} pages of {}", pages.len());
    }
}

#[tokio::test]
async fn a_log_that_is_missing_is_noticed_at_the_start() {
    for emptied in [false, true] {
        let folder = tempfile::tempdir().unwrap();
        let (store, path) = in_use(&folder).await;
        let killed = folder.path().join("killed.sqlite");
        for end in ["", "-wal", "-shm"] {
            fs::copy(beside(&path, end), beside(&killed, end)).unwrap();
        }
        drop(store);
        let log = beside(&killed, "-wal");
        let aside = beside(&killed, "-aside");
        fs::copy(&log, &aside).unwrap();
        if emptied {
            fs::write(&log, []).unwrap();
        } else {
            fs::remove_file(&log).unwrap();
        }
        let error = Store::open(&killed, Options::default()).err();
        assert!(matches!(error, Some(StoreError::Damaged { .. })), "{error:?}");
        let error = ReadStore::open(&killed).err();
        assert!(matches!(error, Some(StoreError::Damaged { .. })), "{error:?}");
        fs::rename(aside, log).unwrap();
        let store = Store::open(&killed, Options::default()).unwrap();
        assert_eq!(store.counts().await.unwrap().pending, u64::try_from(FIRST + SECOND).unwrap());
    }
}
