//! Tests of a journal in a SQLite file: the behavior of every journal, and no silent loss of data.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

mod fixture;
mod suite;

use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use messaging_journal::{Journal, JournalError, Options, Step};
use tempfile::TempDir;

fn folder() -> TempDir {
    tempfile::tempdir().unwrap()
}

fn open(folder: &TempDir) -> Journal {
    Journal::open(folder.path().join("journal.sqlite"), Options::default()).unwrap()
}

/// The last close removes the WAL, and the next open creates it. SQLite does not wait for the locks
/// of these steps.
#[test]
fn journal_opens_during_creation_and_close() {
    for _ in 0..10 {
        let folder = folder();
        let gate = std::sync::Barrier::new(4);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    gate.wait();
                    for _ in 0..25 {
                        let path = folder.path().join("journal.sqlite");
                        let options =
                            Options { timeout: Duration::from_secs(10), ..Options::default() };
                        Journal::open(path, options).unwrap();
                    }
                });
            }
        });
    }
}

#[tokio::test]
async fn foreign_file_is_left_unchanged() {
    let folder = folder();
    let path = folder.path().join("other");
    let text = "not a database, and longer than the 16 bytes at the beginning of a SQLite file";
    fs::write(&path, text).unwrap();
    let error = Journal::open(&path, Options::default()).err().unwrap();
    assert!(matches!(error, JournalError::NotSetUp { .. }), "{error}");
    assert_eq!(fs::read(&path).unwrap(), text.as_bytes());
    let path = folder.path().join("database");
    let other = rusqlite::Connection::open(&path).unwrap();
    other.execute_batch("CREATE TABLE t (a); INSERT INTO t VALUES (1)").unwrap();
    drop(other);
    let before = fs::read(&path).unwrap();
    let error = Journal::open(&path, Options::default()).err().unwrap();
    assert!(error.to_string().contains("not a journal"), "{error}");
    assert_eq!(fs::read(&path).unwrap(), before);
    // Does not create a journal without `create`.
    let options = Options { create: false, ..Options::default() };
    let error = Journal::open(folder.path().join("none"), options).err().unwrap();
    assert!(matches!(error, JournalError::NotSetUp { .. }), "{error}");
    assert!(!folder.path().join("none").exists());
    // An emptied file has lost its keys, like a missing file.
    let path = folder.path().join("emptied");
    fs::write(&path, "").unwrap();
    let options = Options { create: false, timeout: Duration::ZERO };
    let opened = || Journal::open(&path, options.clone()).err().unwrap();
    // Another process may be creating a new file.
    assert!(matches!(opened(), JournalError::Unavailable { .. }));
    let file = fs::File::options().write(true).open(&path).unwrap();
    file.set_modified(std::time::UNIX_EPOCH).unwrap();
    let error = opened();
    assert!(matches!(error, JournalError::NotSetUp { .. }), "{error}");
    assert!(error.to_string().contains("is empty"), "{error}");
    assert_eq!(fs::read(&path).unwrap(), b"");
}

#[tokio::test]
async fn closed_journal_leaves_one_file() {
    let folder = folder();
    let journal = open(&folder);
    journal.swap("k", None, "1").await.unwrap();
    drop(journal);
    let left: Vec<_> = fs::read_dir(folder.path()).unwrap().collect();
    assert_eq!(left.len(), 1, "{left:?}");
}

/// The value exists only in the WAL that this process has open.
#[cfg(unix)]
#[tokio::test]
async fn journal_without_its_wal_answers_nothing() {
    for while_it_writes in [false, true] {
        let folder = folder();
        let (wal, away) = (folder.path().join(FILES[1]), folder.path().join("away"));
        let armed = Arc::new(AtomicBool::new(false));
        let (strikes, from, to) = (Arc::clone(&armed), wal.clone(), away.clone());
        let on_step: Step = Arc::new(move |step| {
            if step == "before-commit" && strikes.swap(false, Ordering::SeqCst) {
                fs::rename(&from, &to).unwrap();
            }
        });
        let path = folder.path().join(FILES[0]);
        let journal = Journal::open_with_steps(path, Options::default(), Some(on_step)).unwrap();
        journal.swap("k", None, "1").await.unwrap();
        if while_it_writes {
            armed.store(true, Ordering::SeqCst);
            let doubt = journal.swap("l", None, "1").await;
            assert!(matches!(doubt, Err(JournalError::Unavailable { .. })), "{doubt:?}");
        } else {
            fs::rename(&wal, &away).unwrap();
        }
        for key in ["l", "m"] {
            let swapped = journal.swap(key, None, "1").await.map(drop);
            for answer in
                [swapped, journal.get(key).await.map(drop), journal.list(None).await.map(drop)]
            {
                let Err(JournalError::NotSetUp { detail, .. }) = answer else {
                    panic!("{answer:?}")
                };
                assert!(detail.contains("-wal"), "{detail}");
            }
        }
        fs::rename(&away, &wal).unwrap();
        assert_eq!(journal.get("k").await.unwrap().as_deref(), Some("1"));
        journal.swap("n", None, "1").await.unwrap();
    }
}

/// The journal must reject a replaced file, because that file lacks earlier sends.
#[cfg(unix)]
#[tokio::test]
async fn replaced_file_becomes_no_journal() {
    for (name, disturb) in [
        ("replaced", (|path| fs::remove_file(path).and_then(|()| fs::write(path, ""))) as Disturb),
        ("an older copy", |path| fs::rename(path.with_extension("copy"), path)),
    ] {
        let folder = folder();
        let path = folder.path().join("journal.sqlite");
        let journal = open(&folder);
        fs::copy(&path, path.with_extension("copy")).unwrap();
        journal.swap("k", None, "1").await.unwrap();
        disturb(&path).unwrap();
        let before = fs::read(&path).unwrap();
        for _ in 0..2 {
            let swapped = journal.swap("k", None, "1").await.map(drop);
            for answer in [swapped, journal.get("k").await.map(drop)] {
                let error = answer.err().unwrap_or_else(|| panic!("{name}: the call succeeded"));
                assert!(matches!(error, JournalError::NotSetUp { .. }), "{name}: {error}");
            }
        }
        assert_eq!(fs::read(&path).unwrap(), before, "{name}: the file was written to");
    }
}

#[cfg(unix)]
type Disturb = fn(&std::path::Path) -> std::io::Result<()>;

/// An operator changes the files that a killed sender has left behind.
#[tokio::test]
async fn wal_without_its_database_is_rejected_and_stays() {
    let killed = folder();
    let journal = open(&killed);
    journal.swap("a", None, "1").await.unwrap();
    for is_missing in [false, true] {
        let folder = folder();
        for file in FILES {
            fs::copy(killed.path().join(file), folder.path().join(file)).unwrap();
        }
        let [path, wal] = [FILES[0], FILES[1]].map(|file| folder.path().join(file));
        match is_missing {
            true => fs::remove_file(&path).unwrap(),
            false => fs::write(&path, "").unwrap(),
        }
        let before = fs::read(&wal).unwrap();
        let opened = Journal::open(&path, Options::default());
        let to_read = Journal::open_to_read(&path, Duration::from_secs(1));
        for opened in [opened, to_read] {
            let error = opened.err().unwrap();
            assert!(matches!(error, JournalError::NotSetUp { .. }), "{error}");
            assert!(error.to_string().contains("put the database file back"), "{error}");
        }
        assert_eq!(fs::read(&wal).unwrap(), before);
        fs::copy(killed.path().join(FILES[0]), &path).unwrap();
        assert_eq!(open(&folder).get("a").await.unwrap().as_deref(), Some("1"));
    }
}

#[cfg(unix)]
#[tokio::test]
async fn file_of_other_user_is_rejected() {
    use std::os::unix::fs::{PermissionsExt, chown};
    let folder = folder();
    let path = folder.path().join(FILES[0]);
    open(&folder).swap("a", None, "1").await.unwrap();
    let is_rejected = || {
        let opened = Journal::open(&path, Options::default());
        opened.err().is_some_and(|error| matches!(error, JournalError::NotSetUp { .. }))
    };
    for (mode, expected) in [(0o666, true), (0o602, true), (0o660, false), (0o600, false)] {
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        assert_eq!(is_rejected(), expected, "{mode:o}");
    }
    // Reading needs only read permission.
    fs::set_permissions(&path, fs::Permissions::from_mode(0o666)).unwrap();
    Journal::open_to_read(&path, Duration::from_secs(1)).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
    if chown(&path, Some(65_534), None).is_ok() {
        // Only root can change the owner, and root opens files of other users.
        assert!(!is_rejected());
    }
}

const FILES: [&str; 3] = ["journal.sqlite", "journal.sqlite-wal", "journal.sqlite-shm"];

#[cfg(unix)]
#[tokio::test]
async fn close_saves_removed_wal_only() {
    for another_writes in [false, true] {
        let folder = folder();
        let journal = open(&folder);
        journal.swap("a", None, "1").await.unwrap();
        for name in &FILES[1..] {
            fs::remove_file(folder.path().join(name)).unwrap();
        }
        if another_writes {
            // The other process holds a lock, so this process cannot checkpoint its WAL.
            another_process("another_process_swaps", &folder);
        }
        drop(journal);
        let journal = open(&folder);
        let kept = [journal.get("a").await.unwrap(), journal.get("b").await.unwrap()];
        let wanted = if another_writes { [None, Some("1")] } else { [Some("1"), None] };
        assert_eq!(kept, wanted.map(|text| text.map(ToString::to_string)), "{another_writes}");
    }
}

/// Runs one of the ignored tests in another process, with this journal.
#[cfg(unix)]
fn another_process(test: &str, folder: &TempDir) {
    let mut another = std::process::Command::new(std::env::current_exe().unwrap());
    another.args(["--exact", test, "--ignored"]).env("JOURNAL", folder.path().join(FILES[0]));
    assert!(another.status().unwrap().success(), "{test}");
}

#[tokio::test]
#[ignore = "run by another test, as another process"]
async fn another_process_swaps() {
    let journal = Journal::open(std::env::var_os("JOURNAL").unwrap(), Options::default()).unwrap();
    journal.swap("b", None, "1").await.unwrap();
    // More pages than the index of the first process knows.
    for number in 0..60 {
        journal.swap(&format!("{number}"), None, &"1".repeat(2_000)).await.unwrap();
    }
}

#[test]
#[ignore = "run by another test, as another process"]
fn another_process_fails_to_open() {
    let options = Options { timeout: Duration::ZERO, ..Options::default() };
    Journal::open(std::env::var_os("JOURNAL").unwrap(), options).err().unwrap();
}

/// Another process continues the same `-wal` with a new `-shm`.
#[cfg(unix)]
#[tokio::test]
async fn close_after_removed_shm_loses_nothing() {
    let folder = folder();
    let journal = open(&folder);
    journal.swap("a", None, "1").await.unwrap();
    fs::remove_file(folder.path().join(FILES[2])).unwrap();
    another_process("another_process_swaps", &folder);
    drop(journal);
    let journal = open(&folder);
    for key in ["a", "b", "0", "59"] {
        assert!(journal.get(key).await.unwrap().is_some(), "{key}");
    }
}

/// The failed command leaves an empty `-wal`.
#[cfg(unix)]
#[tokio::test]
async fn close_saves_removed_wal_after_failed_open() {
    let folder = folder();
    let journal = open(&folder);
    journal.swap("a", None, "1").await.unwrap();
    fs::remove_file(folder.path().join(FILES[1])).unwrap();
    another_process("another_process_fails_to_open", &folder);
    assert_eq!(fs::metadata(folder.path().join(FILES[1])).unwrap().len(), 0);
    drop(journal);
    assert_eq!(open(&folder).get("a").await.unwrap().as_deref(), Some("1"));
}

#[cfg(unix)]
#[tokio::test]
async fn changed_symbolic_link_is_replaced_file() {
    let folder = folder();
    let link = folder.path().join("current");
    for name in ["one", "two"] {
        fs::create_dir(folder.path().join(name)).unwrap();
    }
    std::os::unix::fs::symlink("one", &link).unwrap();
    let journal = Journal::open(link.join(FILES[0]), Options::default()).unwrap();
    journal.swap("a", None, "1").await.unwrap();
    for (target, expected) in [("two", false), ("one", true)] {
        fs::remove_file(&link).unwrap();
        std::os::unix::fs::symlink(target, &link).unwrap();
        assert_eq!(journal.swap(target, None, "1").await.is_ok(), expected, "{target}");
    }
}

/// A process that ends while its tasks still hold the journal must leave one file.
#[tokio::test]
async fn closed_journal_is_one_file() {
    let folder = folder();
    let journal = open(&folder);
    let held = journal.clone();
    journal.swap("k", None, "1").await.unwrap();
    journal.close().await;
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    let error = held.swap("l", None, "1").await.err();
    assert!(matches!(error, Some(JournalError::Unavailable { .. })), "{error:?}");
    assert_eq!(open(&folder).get("k").await.unwrap().as_deref(), Some("1"));
}

#[cfg(unix)]
#[tokio::test]
async fn files_are_accessible_only_to_owner() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder();
    let journal = open(&folder);
    journal.swap("k", None, "1").await.unwrap();
    for entry in fs::read_dir(folder.path()).unwrap() {
        let entry = entry.unwrap();
        let mode = entry.metadata().unwrap().permissions().mode() & 0o777;
        assert_eq!(mode, 0o600, "{:?}", entry.path());
    }
}

/// Only an operator can repair such a value, so a retry would not help.
#[tokio::test]
async fn invalid_value_needs_repair() {
    let folder = folder();
    let journal = open(&folder);
    journal.swap("k", None, "1").await.unwrap();
    let other = rusqlite::Connection::open(folder.path().join("journal.sqlite")).unwrap();
    other.execute("UPDATE journal SET value = cast(x'ff' AS TEXT)", []).unwrap();
    for error in [journal.get("k").await.unwrap_err(), journal.list(None).await.unwrap_err()] {
        assert!(matches!(error, JournalError::NotSetUp { .. }), "{error}");
    }
}

#[tokio::test]
async fn reader_sees_writes_and_writes_nothing() {
    let folder = folder();
    let path = folder.path().join("journal.sqlite");
    let none = Journal::open_to_read(&path, Duration::from_secs(1)).err().unwrap();
    assert!(matches!(none, JournalError::NotSetUp { .. }));
    let journal = open(&folder);
    let reader = Journal::open_to_read(&path, Duration::from_secs(1)).unwrap();
    journal.swap("k", None, "1").await.unwrap();
    assert_eq!(reader.get("k").await.unwrap().as_deref(), Some("1"));
    assert!(reader.swap("k", Some("1"), "2").await.is_err());
    assert_eq!(journal.get("k").await.unwrap().as_deref(), Some("1"));
}

#[tokio::test]
async fn no_caller_is_answered_before_commit() {
    let folder = folder();
    let path = folder.path().join("journal.sqlite");
    let seen = Arc::new(std::sync::Mutex::new(Vec::new()));
    let steps = Arc::clone(&seen);
    let reader_path = path.clone();
    let on_step = move |name: &'static str| {
        let found = rusqlite::Connection::open(&reader_path)
            .and_then(|connection| {
                connection.query_row("SELECT count(*) FROM journal", [], |row| row.get::<_, i64>(0))
            })
            .unwrap();
        steps.lock().unwrap().push((name, found));
    };
    let journal =
        Journal::open_with_steps(&path, Options::default(), Some(Arc::new(on_step))).unwrap();
    journal.swap("k", None, "1").await.unwrap();
    let seen = seen.lock().unwrap()[..3].to_vec();
    assert_eq!(seen, [("begin", 0), ("before-commit", 0), ("after-commit", 1)]);
}
