//! Stores as a process leaves them that is killed, or finds no space, while the log is copied
//! into the file.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

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

/// A store, closed, and what its file was before most of its events came.
async fn with_an_older_copy(folder: &TempDir) -> (PathBuf, Vec<u8>) {
    let path = folder.path().join("inbox.sqlite");
    let store = Store::open(&path, Options::default()).unwrap();
    put(&store, 0..FIRST).await;
    store.close().await;
    let copy = fs::read(&path).unwrap();
    let store = Store::open(&path, Options::default()).unwrap();
    put(&store, FIRST..FIRST + SECOND).await;
    store.close().await;
    (path, copy)
}

fn put_over(path: &Path, copy: &[u8]) {
    fs::OpenOptions::new().write(true).open(path).unwrap().write_all(copy).unwrap();
}

#[tokio::test]
async fn an_older_copy_put_over_an_open_store_ends_what_it_acknowledges() {
    let folder = tempfile::tempdir().unwrap();
    let (path, copy) = with_an_older_copy(&folder).await;

    let check_every = Duration::from_millis(50);
    let store = Store::open(&path, Options { check_every, ..Options::default() }).unwrap();
    put(&store, 200..203).await;
    // Looked at several times, beside writes, and fine.
    for number in 203..213 {
        put(&store, number..number + 1).await;
        tokio::time::sleep(check_every).await;
    }
    put_over(&path, &copy);
    let noticed = async {
        let mut number = 300;
        while store.put(entry(number)).await.is_ok() {
            number += 1;
            tokio::time::sleep(check_every).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(20), noticed).await.unwrap();
    let error = store.put(entry(999)).await.unwrap_err();
    assert!(error.to_string().contains("-wal"), "{error}");
}

/// As by `cp copy inbox.sqlite` and a restart: the log of the one is not written into the other.
#[tokio::test]
async fn an_older_copy_put_over_an_open_store_that_is_then_closed_stays_what_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let (path, copy) = with_an_older_copy(&folder).await;
    let store = Store::open(&path, Options::default()).unwrap();
    put(&store, 200..203).await;
    let aside = fs::read(&path).unwrap();
    put_over(&path, &copy);
    store.close().await;
    let error = Store::open(&path, Options::default()).err().unwrap();
    assert!(error.to_string().contains("-wal"), "{error}");
    // The right file back, with its log, has everything.
    fs::write(&path, aside).unwrap();
    let store = Store::open(&path, Options::default()).unwrap();
    let all = Filter { limit: 1_000, ..Filter::default() };
    assert_eq!(store.list(all).await.unwrap().len(), FIRST + SECOND + 3);
}

/// As by `cp copy inbox.sqlite`, where the copy is of before some of its log, or all of it, was copied
/// into the file: that is then in the log alone, and a stop would not copy it again.
#[tokio::test]
async fn a_copy_that_lacks_what_was_copied_from_its_log_costs_no_event() {
    // Events that come while the reader holds back the log's end, and after the copy.
    for (held_back, after) in [(3, 0), (0, 0), (0, 3)] {
        let case = format!("{held_back} held back, {after} after");
        let folder = tempfile::tempdir().unwrap();
        let (store, path) = in_use(&folder).await;
        let copy = fs::read(&path).unwrap();
        // As long as somebody reads, the log does not begin anew.
        let reader = Connection::open(&path).unwrap();
        reader.execute_batch("BEGIN").unwrap();
        reader.query_row("SELECT count(*) FROM events", [], |_| Ok(())).unwrap();
        let held = FIRST + SECOND + held_back;
        put(&store, FIRST + SECOND..held).await;
        let other = Connection::open(&path).unwrap();
        other.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(())).unwrap();
        assert_ne!(fs::read(&path).unwrap(), copy);
        put(&store, held..held + after).await;
        drop((reader, other));
        fs::write(&path, &copy).unwrap();
        let error = ReadStore::open(&path).err();
        assert!(matches!(error, Some(StoreError::NotSetUp { .. })), "{case}: {error:?}");
        store.close().await;
        // From its beginning the log makes of the copy what the file was.
        let store = Store::open(&path, Options::default()).unwrap();
        let all = Filter { limit: 1_000, ..Filter::default() };
        assert_eq!(store.list(all).await.unwrap().len(), held + after, "{case}");
    }
}

#[tokio::test]
async fn a_log_that_is_missing_is_noticed_at_the_start() {
    for emptied in [false, true] {
        let folder = tempfile::tempdir().unwrap();
        let killed = killed(&folder).await;
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

#[tokio::test]
async fn a_log_that_was_removed_before_the_store_is_closed_is_saved_by_that() {
    let folder = tempfile::tempdir().unwrap();
    let (store, path) = in_use(&folder).await;
    fs::remove_file(beside(&path, "-wal")).unwrap();
    store.close().await;
    let store = Store::open(&path, Options::default()).unwrap();
    assert_eq!(store.counts().await.unwrap().pending, u64::try_from(FIRST + SECOND).unwrap());
}

/// A copy of a store in use, as a process that is killed leaves it.
async fn killed(folder: &TempDir) -> PathBuf {
    let (store, path) = in_use(folder).await;
    let killed = folder.path().join("killed.sqlite");
    for end in ["", "-wal", "-shm"] {
        fs::copy(beside(&path, end), beside(&killed, end)).unwrap();
    }
    drop(store);
    killed
}

#[tokio::test]
async fn a_log_of_which_no_frame_can_be_read_is_damage_where_its_index_counts_some() {
    for (case, keeps, filled) in [
        ("zeros", None, 0),
        ("other bytes", None, 0xa5),
        ("1 byte", Some(1), 0),
        ("31", Some(31), 0),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let killed = killed(&folder).await;
        let log = beside(&killed, "-wal");
        let mut bytes = fs::read(&log).unwrap();
        match keeps {
            Some(length) => bytes.truncate(length),
            None => bytes.fill(filled),
        }
        fs::write(&log, &bytes).unwrap();
        let error = ReadStore::open(&killed).err();
        assert!(matches!(error, Some(StoreError::Damaged { .. })), "{case}: {error:?}");
        let copy = beside(&killed, "-wal.damaged");
        assert!(!copy.exists(), "{case}: who reads alone makes no file");
        let error = Store::open(&killed, Options::default()).err();
        assert!(matches!(error, Some(StoreError::Damaged { .. })), "{case}: {error:?}");
        assert_eq!(fs::read(&log).unwrap(), bytes, "{case}");
        assert_eq!(fs::read(&copy).unwrap(), bytes, "{case}");
        // An older copy is of another damage, and not overwritten.
        fs::write(&copy, "of last year").unwrap();
        let error = Store::open(&killed, Options::default()).err().unwrap().to_string();
        assert!(!error.contains("copy of the log"), "{case}: {error}");
        assert_eq!(fs::read(&copy).unwrap(), b"of last year", "{case}");
    }
}

#[tokio::test]
async fn a_file_that_has_more_than_its_log_is_not_set_back() {
    let folder = tempfile::tempdir().unwrap();
    let (store, path) = in_use(&folder).await;
    let older = fs::read(beside(&path, "-wal")).unwrap();
    put(&store, FIRST + SECOND..FIRST + SECOND + 20).await;
    let connection = Connection::open(&path).unwrap();
    connection.query_row("PRAGMA wal_checkpoint(FULL)", [], |_| Ok(())).unwrap();
    let file = fs::read(&path).unwrap();
    drop(connection);
    drop(store);
    let frame = PAGE + 24;
    let cut = older.len() - frame * (older.len() / frame / 2);
    for log in [older.as_slice(), &older[..cut]] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("ahead.sqlite");
        fs::write(&path, &file).unwrap();
        fs::write(beside(&path, "-wal"), log).unwrap();
        for error in [Store::open(&path, Options::default()).err(), ReadStore::open(&path).err()] {
            let Some(StoreError::NotSetUp { detail, .. }) = &error else { panic!("{error:?}") };
            assert!(detail.contains("has more than its log"), "{detail}");
        }
        assert_eq!(fs::read(&path).unwrap(), file, "it is as it was");
        // As the error advises.
        fs::remove_file(beside(&path, "-wal")).unwrap();
        fs::remove_file(beside(&path, "-shm")).unwrap();
        let store = Store::open(&path, Options::default()).unwrap();
        let all = u64::try_from(FIRST + SECOND + 20).unwrap();
        assert_eq!(store.counts().await.unwrap().pending, all);
    }
}

#[tokio::test]
async fn an_export_of_a_damaged_file_says_so_after_what_it_could_read() {
    let folder = tempfile::tempdir().unwrap();
    let (store, path) = in_use(&folder).await;
    store.close().await;
    let mut file = fs::read(&path).unwrap();
    // A leaf of the table of events, in the place of its neighbour.
    let find = |from: usize| {
        let text = "x".repeat(2_000).into_bytes();
        file.chunks(PAGE)
            .enumerate()
            .filter(|(_, page)| page[0] == 13 && page.windows(2_000).any(|part| part == text))
            .map(|(at, _)| at)
            .nth(from)
            .unwrap()
    };
    let (one, next) = (find(3), find(4));
    file.copy_within(one * PAGE..(one + 1) * PAGE, next * PAGE);
    fs::write(&path, &file).unwrap();
    let mut export = ReadStore::open(&path).unwrap().export();
    let mut lines = Vec::new();
    while let Some(line) = export.next().await {
        lines.push(line);
    }
    let (last, lines) = lines.split_last().unwrap();
    assert!(lines.iter().all(Result::is_ok) && lines.len() >= SECOND, "{lines:?}");
    assert!(matches!(last, Err(StoreError::Damaged { .. })), "{last:?}");
}

/// A store that was closed, with so many events.
async fn closed(folder: &TempDir, name: &str, events: usize) -> PathBuf {
    let path = folder.path().join(name);
    let store = Store::open(&path, Options::default()).unwrap();
    put(&store, 0..events).await;
    store.close().await;
    path
}

#[tokio::test]
async fn a_copy_put_beside_the_log_of_another_store_says_which_files_to_move_away() {
    for events in [0, 3, 200] {
        for ends in [&["-wal"][..], &["-wal", "-shm"]] {
            let folder = tempfile::tempdir().unwrap();
            let killed = killed(&folder).await;
            let copy = closed(&folder, "copy.sqlite", events).await;
            for end in ends {
                fs::copy(beside(&killed, end), beside(&copy, end)).unwrap();
            }
            let opened = Store::open(&copy, Options::default()).err();
            for error in [opened, ReadStore::open(&copy).err()] {
                let error = error.unwrap().to_string();
                assert!(error.contains("move -wal and -shm away"), "{events} {ends:?}: {error}");
            }
        }
    }
    // A table that always has a row, and has none.
    let folder = tempfile::tempdir().unwrap();
    let path = closed(&folder, "inbox.sqlite", 3).await;
    Connection::open(&path).unwrap().execute("DELETE FROM age", []).unwrap();
    let error = Store::open(&path, Options::default()).err().unwrap().to_string();
    assert!(error.contains("move -wal and -shm away"), "{error}");
}
