//! Copies of a store on SQLite, for backups and their restore.
#![allow(clippy::unwrap_used, clippy::panic, missing_docs, reason = "tests")]

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use messaging_inbox::{Entry, Options, ReadStore, Store, StoreError, Stored};
use tempfile::TempDir;

fn entry(key: &str) -> Entry {
    let [idempotency_key, message_id, kind] = [key, "m", "k"].map(String::from);
    Entry { idempotency_key, message_id, kind, json: "{}".into() }
}

fn open(path: &Path) -> Store {
    Store::open(path, Options::default()).unwrap()
}

fn location() -> (TempDir, PathBuf, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let (store, copy) = (folder.path().join("inbox.sqlite"), folder.path().join("copy.sqlite"));
    (folder, store, copy)
}

fn names(folder: &TempDir) -> Vec<String> {
    let name = |entry: std::io::Result<std::fs::DirEntry>| entry.unwrap().file_name();
    let names = std::fs::read_dir(folder.path()).unwrap().map(name);
    let mut names: Vec<_> = names.map(|name| name.into_string().unwrap()).collect();
    names.sort();
    names
}

#[tokio::test(flavor = "multi_thread")]
async fn copy_of_busy_store_has_each_acknowledged_event() {
    let (folder, path, _) = location();
    let store = open(&path);
    let ended = Arc::new(AtomicBool::new(false));
    let writing = tokio::spawn({
        let (store, ended) = (store.clone(), Arc::clone(&ended));
        async move {
            let mut number = 0;
            while !ended.load(Ordering::SeqCst) {
                number += 1;
                store.put(entry(&number.to_string())).await.unwrap();
            }
        }
    });
    while store.counts().await.unwrap().pending == 0 {
        tokio::task::yield_now().await;
    }
    for round in 0..5 {
        let before = store.counts().await.unwrap().pending;
        let copy = folder.path().join(format!("copy-{round}"));
        let (from, to) = (path.clone(), copy.clone());
        let copied = tokio::task::spawn_blocking(move || ReadStore::copy(from, to));
        let copied = copied.await.unwrap().unwrap().pending;
        assert!(copied >= before && copied > 0, "{copied} of {before}");
        // New identifiers follow the copied identifiers, and known keys stay known.
        let copy = open(&copy);
        assert_eq!(copy.put(entry(&copied.to_string())).await, Ok(Stored::Duplicate));
        assert_eq!(copy.put(entry("next")).await, Ok(Stored::Stored));
        let next = copy.first_under("next").await.unwrap().unwrap();
        assert!(next > i64::try_from(copied).unwrap(), "{next}");
        copy.close().await;
    }
    ended.store(true, Ordering::SeqCst);
    writing.await.unwrap();
}

#[tokio::test]
async fn existing_file_is_never_replaced_by_copy() {
    let (folder, path, copy) = location();
    let store = open(&path);
    store.put(entry("a")).await.unwrap();
    for end in ["", "-wal", "-shm", "-journal"] {
        let taken = folder.path().join(format!("copy.sqlite{end}"));
        std::fs::write(&taken, "other").unwrap();
        let error = ReadStore::copy(&path, &copy).unwrap_err();
        assert!(matches!(error, StoreError::NotSetUp { .. }), "{error:?}");
        assert!(error.to_string().contains(taken.to_str().unwrap()), "{error}");
        assert_eq!(std::fs::read(&taken).unwrap(), b"other");
        std::fs::remove_file(taken).unwrap();
    }
    // SQLite would treat files with these names as parts of the store, and delete or apply them.
    for end in ["-wal", "-shm", "-journal"] {
        let error = ReadStore::copy(&path, folder.path().join(format!("inbox.sqlite{end}")));
        assert!(matches!(error, Err(StoreError::NotSetUp { .. })), "{error:?}");
    }
    ReadStore::copy(&path, folder.path().join("my-journal")).unwrap();
    std::fs::remove_file(folder.path().join("my-journal")).unwrap();
    // A copy does not replace a store in use: neither its own source nor another store.
    ReadStore::copy(&path, &copy).unwrap();
    assert!(ReadStore::copy(&copy, &path).is_err());
    assert!(ReadStore::copy(&path, &path).is_err());
    assert_eq!(store.put(entry("b")).await, Ok(Stored::Stored));
    store.close().await;
    assert!(ReadStore::copy(&copy, &path).is_err());
    assert_eq!(names(&folder), ["copy.sqlite", "inbox.sqlite"]);
    assert_eq!(open(&path).counts().await.unwrap().pending, 2);
}

#[tokio::test]
async fn only_sound_store_is_copied() {
    let (folder, path, copy) = location();
    assert!(matches!(ReadStore::copy(&path, &copy), Err(StoreError::NotSetUp { .. })));
    // Old, because another process may be creating a new file.
    let empty = std::fs::File::create(&path).unwrap();
    empty.set_modified(std::time::UNIX_EPOCH).unwrap();
    drop(empty);
    assert!(matches!(ReadStore::copy(&path, &copy), Err(StoreError::NotAStore { .. })));
    std::fs::write(&path, "not a store, and longer than a header. ".repeat(9)).unwrap();
    assert!(matches!(ReadStore::copy(&path, &copy), Err(StoreError::NotAStore { .. })));
    std::fs::remove_file(&path).unwrap();
    let store = open(&path);
    for number in 0..300 {
        store.put(entry(&number.to_string())).await.unwrap();
    }
    store.close().await;
    let missing = folder.path().join("missing/copy.sqlite");
    assert!(matches!(ReadStore::copy(&path, missing), Err(StoreError::NotSetUp { .. })));
    let mut bytes = std::fs::read(&path).unwrap();
    let at = bytes.len() / 2;
    bytes[at..at + 8_192].fill(0xff);
    std::fs::write(&path, bytes).unwrap();
    let error = ReadStore::copy(&path, &copy).unwrap_err();
    assert!(matches!(error, StoreError::Damaged { .. }), "{error:?}");
    assert_eq!(names(&folder), ["inbox.sqlite"]);
}

/// SQLite reports the damage of a large event as a full disk.
#[tokio::test]
async fn damaged_large_event_is_reported_as_damage() {
    let (_folder, path, copy) = location();
    let store = open(&path);
    let json = format!(r#"{{"text":"{}"}}"#, "x".repeat(10_000_000));
    store.put(Entry { json, ..entry("a") }).await.unwrap();
    store.close().await;
    let mut bytes = std::fs::read(&path).unwrap();
    bytes[4_096 * 100..4_096 * 101].fill(0xff);
    std::fs::write(&path, bytes).unwrap();
    let error = ReadStore::copy(&path, &copy).unwrap_err();
    assert!(matches!(error, StoreError::Damaged { .. }), "{error:?}");
}

#[cfg(unix)]
#[tokio::test]
async fn copy_is_only_for_its_owner() {
    use std::os::unix::fs::PermissionsExt;
    let (folder, path, copy) = location();
    open(&path).close().await;
    std::fs::set_permissions(&path, PermissionsExt::from_mode(0o644)).unwrap();
    ReadStore::copy(&path, &copy).unwrap();
    assert_eq!(std::fs::metadata(copy).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(names(&folder), ["copy.sqlite", "inbox.sqlite"]);
}
