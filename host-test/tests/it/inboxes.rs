//! The inboxes on files and on a key-value store: stored events, results, and the state after a
//! crash at any point.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use crate::common::cached;
use crate::common::cut_off::cut_off;
use crate::common::wasi_state::WasiState;
use bindings::exports::messaging::integration::inbox::{Entry, Failure, InboxError, Stored};
use bindings::{InboxHost, InboxHostPre};
use messaging_components::{INBOX_FILES, INBOX_KEYVALUE};
use messaging_host::keyvalue::{self, Error, KeyValueView};
use messaging_host::{Host, Limits};
use messaging_webhook_core::record::Record;
use tempfile::TempDir;
use tokio::task::JoinHandle;
use wasmtime::StoreContextMut;
use wasmtime::component::{Component, Linker, Resource};
use wasmtime_wasi::filesystem::{Descriptor, WasiFilesystemView};
use wasmtime_wasi::p2::bindings::filesystem::types::{ErrorCode, HostDescriptor, PathFlags};
use wasmtime_wasi::{FsPerms, WasiCtxBuilder};

use crate::memory::Memory;

mod bindings {
    wasmtime::component::bindgen!({
        path: "../wit",
        inline: "package host:test; world inbox-host { export messaging:integration/inbox@0.2.0; }",
        world: "host:test/inbox-host",
        exports: { default: async },
        additional_derives: [PartialEq],
    });
}

type Answer = Result<Stored, InboxError>;

type State = WasiState<Memory>;

fn host() -> &'static Host {
    static HOST: OnceLock<Host> = OnceLock::new();
    HOST.get_or_init(|| cached(Host::on_demand(Limits::default()).unwrap()))
}

fn linker() -> Linker<State> {
    let mut linker = Linker::new(host().engine());
    wasmtime_wasi::p2::add_to_linker_async(&mut linker).unwrap();
    keyvalue::add_to_linker(&mut linker, |state: &mut State| KeyValueView {
        store: Some(&state.own),
        table: &mut state.table,
    })
    .unwrap();
    linker
}

fn compiled(bytes: &[u8], linker: &Linker<State>) -> InboxHostPre<State> {
    let component = Component::new(host().engine(), bytes).unwrap();
    InboxHostPre::new(linker.instantiate_pre(&component).unwrap()).unwrap()
}

fn files_inbox() -> &'static InboxHostPre<State> {
    static INBOX: OnceLock<InboxHostPre<State>> = OnceLock::new();
    INBOX.get_or_init(|| compiled(INBOX_FILES, &linker()))
}

fn keyvalue_inbox() -> &'static InboxHostPre<State> {
    static INBOX: OnceLock<InboxHostPre<State>> = OnceLock::new();
    INBOX.get_or_init(|| compiled(INBOX_KEYVALUE, &linker()))
}

/// Calls `put` in a fresh instance.
async fn put(
    inbox: &InboxHostPre<State>,
    mut wasi: WasiCtxBuilder,
    store: Memory,
    entry: &Entry,
) -> Answer {
    let mut store = State::store(host().engine(), &mut wasi, store);
    store.set_epoch_deadline(u64::MAX / 2);
    let instance: InboxHost = inbox.instantiate_async(&mut store).await.unwrap();
    instance.messaging_integration_inbox().call_put(&mut store, entry).await.unwrap()
}

fn folders(open: &[(&Path, &str, FsPerms)]) -> WasiCtxBuilder {
    let mut wasi = WasiCtxBuilder::new();
    for (path, guest_path, perms) in open {
        wasi.preopened_dir(path, guest_path, *perms).unwrap();
    }
    wasi
}

async fn put_file(folder: &Path, entry: &Entry) -> Answer {
    let wasi = folders(&[(folder, "/inbox", FsPerms::ReadWrite)]);
    put(files_inbox(), wasi, Memory::default(), entry).await
}

fn entry(key: &str, json: &str) -> Entry {
    Entry {
        idempotency_key: key.into(),
        message_id: "m-1".into(),
        kind: "message:in:new".into(),
        json: json.into(),
    }
}

fn record(entry: &Entry) -> Record {
    Record::new(&entry.idempotency_key, &entry.message_id, &entry.kind, &entry.json)
}

/// Returns the results of concurrent calls.
async fn ended(calls: impl Iterator<Item = JoinHandle<Stored>>) -> Vec<Stored> {
    let calls = futures_util::future::join_all(calls.collect::<Vec<_>>()).await;
    calls.into_iter().map(Result::unwrap).collect()
}

/// Returns the reason of an unavailable inbox.
fn unavailable(answer: Answer) -> String {
    match answer {
        Err(InboxError::Unavailable(Failure { detail })) => detail,
        other => panic!("{other:?}"),
    }
}

/// Returns the reason of an inbox that is not set up.
fn not_set_up(answer: Answer) -> String {
    match answer {
        Err(InboxError::PermanentNotSetUp(Failure { detail })) => detail,
        other => panic!("{other:?}"),
    }
}

/// Returns the sorted file names in a directory.
fn names(folder: &Path) -> Vec<String> {
    let found = fs::read_dir(folder).unwrap();
    let mut names: Vec<_> =
        found.map(|one| one.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[tokio::test]
async fn second_file_is_a_duplicate() {
    let folder = TempDir::new().unwrap();
    let event = entry("evt-1", "{\"id\":\"m-1\",\n \"n\":1.0}");
    assert_eq!(put_file(folder.path(), &event).await, Ok(Stored::Stored));
    assert_eq!(put_file(folder.path(), &event).await, Ok(Stored::Duplicate));
    assert_eq!(names(folder.path()), ["conflict", "events", "tmp"]);
    assert_eq!(names(&folder.path().join("events")), ["evt-1.json"]);
    assert!(names(&folder.path().join("tmp")).is_empty());
    assert!(names(&folder.path().join("conflict")).is_empty());
    let text = fs::read_to_string(folder.path().join("events/evt-1.json")).unwrap();
    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(value["idempotency-key"], "evt-1");
    assert_eq!(value["message-id"], "m-1");
    assert_eq!(value["kind"], "message:in:new");
    assert_eq!(value["json"]["id"], "m-1");
    assert!(text.contains(&event.json), "{text}");
}

#[tokio::test]
async fn only_json_decides_equality_of_events() {
    let folder = TempDir::new().unwrap();
    let event = entry("evt-1", "{}");
    assert_eq!(put_file(folder.path(), &event).await, Ok(Stored::Stored));
    let renamed = Entry { kind: "another".into(), message_id: "m-2".into(), ..event };
    assert_eq!(put_file(folder.path(), &renamed).await, Ok(Stored::Duplicate));
    assert!(names(&folder.path().join("conflict")).is_empty());
}

#[tokio::test]
async fn conflict_is_stored_once_with_first_event() {
    let folder = TempDir::new().unwrap();
    let long = format!("{{\"long\":\"{}\"}}", "x".repeat(300_000));
    let events = [entry("evt-1", "{\"n\":1}"), entry("evt-1", "{\"n\":2}"), entry("evt-1", &long)];
    assert_eq!(put_file(folder.path(), &events[0]).await, Ok(Stored::Stored));
    for _ in 0..2 {
        for other in &events[1..] {
            assert_eq!(put_file(folder.path(), other).await, Ok(Stored::Conflict));
        }
    }
    assert_eq!(put_file(folder.path(), &events[0]).await, Ok(Stored::Duplicate));
    let kept = fs::read(folder.path().join("events/evt-1.json")).unwrap();
    assert_eq!(kept, record(&events[0]).bytes);
    let quarantine = folder.path().join("conflict");
    assert_eq!(names(&quarantine).len(), 2);
    for other in &events[1..] {
        let record = record(other);
        let kept = fs::read(quarantine.join(format!("evt-1.{}.json", record.digest))).unwrap();
        assert_eq!(kept, record.bytes);
    }
    assert!(names(&folder.path().join("tmp")).is_empty());

    // The reverse order: the stored event is the long one.
    let folder = TempDir::new().unwrap();
    assert_eq!(put_file(folder.path(), &events[2]).await, Ok(Stored::Stored));
    assert_eq!(put_file(folder.path(), &events[0]).await, Ok(Stored::Conflict));
    assert_eq!(put_file(folder.path(), &events[2]).await, Ok(Stored::Duplicate));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn one_of_many_concurrent_writers_stores() {
    let folder = TempDir::new().unwrap();
    // In the first round, the writers also race to create the directories.
    for round in 0..25 {
        let event = entry(&format!("evt-{round}"), "{\"n\":1}");
        let calls = (0..8).map(|_| {
            let (folder, event) = (folder.path().to_path_buf(), event.clone());
            tokio::spawn(async move { put_file(&folder, &event).await.unwrap() })
        });
        let answers = ended(calls).await;
        let stored = answers.iter().filter(|one| **one == Stored::Stored).count();
        assert_eq!(stored, 1, "{answers:?}");
        assert!(!answers.contains(&Stored::Conflict), "{answers:?}");
        let kept = fs::read(folder.path().join(format!("events/evt-{round}.json"))).unwrap();
        assert_eq!(kept, record(&event).bytes);
    }
    // If one writer removes another's draft, the other writes a second draft. It removes that draft
    // when it finds the final name taken.
    assert!(names(&folder.path().join("tmp")).is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn one_of_conflicting_events_is_stored() {
    let folder = TempDir::new().unwrap();
    for round in 0..10 {
        let key = format!("evt-{round}");
        let calls = (0..6).map(|n| {
            let folder = folder.path().to_path_buf();
            let event = entry(&key, &format!("{{\"n\":{}}}", n % 3));
            tokio::spawn(async move { put_file(&folder, &event).await.unwrap() })
        });
        let answers = ended(calls).await;
        let count = |kind| answers.iter().filter(|one| **one == kind).count();
        assert_eq!((count(Stored::Stored), count(Stored::Duplicate)), (1, 1), "{answers:?}");
        assert_eq!(count(Stored::Conflict), 4, "{answers:?}");
    }
    assert_eq!(names(&folder.path().join("conflict")).len(), 20);
}

#[tokio::test]
async fn interrupted_write_is_completed() {
    let event = entry("evt-1", "{\"n\":1}");
    let record = record(&event);
    let draft = format!("evt-1.{}", record.fingerprint);
    let half = &record.bytes[..record.bytes.len() / 2];
    let zeros = vec![0; record.bytes.len()];
    for left in [&b""[..], half, &zeros, &record.bytes] {
        let folder = TempDir::new().unwrap();
        fs::create_dir(folder.path().join("tmp")).unwrap();
        fs::write(folder.path().join("tmp").join(&draft), left).unwrap();
        assert_eq!(put_file(folder.path(), &event).await, Ok(Stored::Stored));
        let kept = fs::read(folder.path().join("events/evt-1.json")).unwrap();
        assert_eq!(kept, record.bytes);
        assert!(names(&folder.path().join("tmp")).is_empty());
    }
    // A crash between linking the final name and removing the draft.
    let folder = TempDir::new().unwrap();
    assert_eq!(put_file(folder.path(), &event).await, Ok(Stored::Stored));
    let tmp = folder.path().join("tmp");
    fs::hard_link(folder.path().join("events/evt-1.json"), tmp.join(&draft)).unwrap();
    assert_eq!(put_file(folder.path(), &event).await, Ok(Stored::Duplicate));
    assert!(names(&tmp).is_empty());
    // A foreign file with the name of the draft, which no crash can leave.
    let folder = TempDir::new().unwrap();
    fs::create_dir(folder.path().join("tmp")).unwrap();
    fs::write(folder.path().join("tmp").join(&draft), [0; 10_000]).unwrap();
    let answer = put_file(folder.path(), &event).await;
    assert!(unavailable(answer).contains(&draft));
    assert!(names(&folder.path().join("events")).is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn aborted_write_is_whole_or_absent() {
    let first = entry("evt-1", "{\"n\":1}");
    let second = entry("evt-1", "{\"n\":2}");
    // The inbox makes about 20 operations. Each one is pending once, or not at all if it completes
    // immediately.
    for waits in 0..40 {
        let folder = TempDir::new().unwrap();
        let events = folder.path().join("events");
        let whole = || match fs::read(events.join("evt-1.json")) {
            Ok(kept) => assert_eq!(kept, record(&first).bytes, "cut off after {waits} waits"),
            Err(_) => assert!(!events.exists() || names(&events).is_empty()),
        };
        let done = cut_off(put_file(folder.path(), &first), waits).await.is_some();
        whole();
        // A write that was in flight when the call was dropped may still complete during this call.
        let again = put_file(folder.path(), &first).await.unwrap();
        assert!(again == Stored::Duplicate || (!done && again == Stored::Stored), "{again:?}");
        whole();
        // The same check for a conflicting event.
        let conflict = cut_off(put_file(folder.path(), &second), waits).await;
        assert_eq!(put_file(folder.path(), &second).await, Ok(Stored::Conflict));
        assert_eq!(put_file(folder.path(), &first).await, Ok(Stored::Duplicate));
        let quarantine = folder.path().join("conflict");
        let kept = fs::read(quarantine.join(&names(&quarantine)[0])).unwrap();
        assert_eq!((names(&quarantine).len(), kept), (1, record(&second).bytes));
        whole();
        assert!(waits < 39 || (done && conflict.is_some()), "more operations than are cut off");
    }
}

#[tokio::test]
async fn which_folder_is_the_inbox() {
    let (one, two) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let event = entry("evt-1", "{}");
    let rw = FsPerms::ReadWrite;
    let call = async |open: &[(&Path, &str, FsPerms)]| {
        put(files_inbox(), folders(open), Memory::default(), &event).await
    };
    let answer = call(&[]).await;
    assert!(not_set_up(answer).contains("/inbox"));
    let answer = call(&[(one.path(), "/a", rw), (two.path(), "/b", rw)]).await;
    assert!(not_set_up(answer).contains("/inbox"));
    assert!(names(one.path()).is_empty() && names(two.path()).is_empty());
    assert_eq!(call(&[(one.path(), ".", rw)]).await, Ok(Stored::Stored));
    for order in [[("/a", &one), ("/inbox", &two)], [("/inbox", &two), ("/a", &one)]] {
        let open = order.map(|(name, folder)| (folder.path(), name, rw));
        assert!(call(&open).await.is_ok());
    }
    assert_eq!(names(&two.path().join("events")), ["evt-1.json"]);
}

#[tokio::test]
async fn unwritable_folder_is_not_set_up() {
    let folder = TempDir::new().unwrap();
    let call = async |event: &Entry| {
        let wasi = folders(&[(folder.path(), "/inbox", FsPerms::ReadOnly)]);
        put(files_inbox(), wasi, Memory::default(), event).await
    };
    let event = entry("evt-1", "{}");
    let answer = call(&event).await;
    let text = not_set_up(answer);
    assert!(text.contains("events") && text.contains("not-permitted"), "{text}");
    assert!(names(folder.path()).is_empty());
    // The directories exist and are now read-only, as after a restart with other permissions.
    assert_eq!(put_file(folder.path(), &event).await, Ok(Stored::Stored));
    let answer = call(&entry("evt-2", "{}")).await;
    let text = not_set_up(answer);
    assert!(text.contains("tmp/evt-2.") && text.contains("not-permitted"), "{text}");
    assert_eq!(names(&folder.path().join("events")), ["evt-1.json"]);
}

#[tokio::test]
async fn keys_stay_in_directory_and_apart() {
    let outer = TempDir::new().unwrap();
    let folder = outer.path().join("inbox");
    fs::create_dir(&folder).unwrap();
    let long = "k".repeat(256);
    let keys = [
        "../x",
        "../../x",
        "/x",
        "x",
        "X",
        "evt",
        "EVT",
        "Evt",
        "CON",
        "con",
        ".",
        "..",
        "a/b",
        "a\\b",
        "a:b",
        "a*b",
        "%2e%2e",
        "~",
        &long,
        &long[1..],
        "tmp",
        "events",
        "x.json",
    ];
    for key in keys {
        assert_eq!(put_file(&folder, &entry(key, "{}")).await, Ok(Stored::Stored), "{key}");
    }
    for key in keys {
        assert_eq!(put_file(&folder, &entry(key, "{}")).await, Ok(Stored::Duplicate), "{key}");
    }
    assert_eq!(names(outer.path()), ["inbox"]);
    assert_eq!(names(&folder), ["conflict", "events", "tmp"]);
    let files = names(&folder.join("events"));
    // The names differ even on a file system that ignores case.
    let distinct: BTreeSet<_> = files.iter().map(|name| name.to_lowercase()).collect();
    assert_eq!(distinct.len(), keys.len());
    let mut kept = BTreeSet::new();
    for name in files {
        let text = fs::read_to_string(folder.join("events").join(name)).unwrap();
        let value: serde_json::Value = serde_json::from_str(&text).unwrap();
        kept.insert(value["idempotency-key"].as_str().unwrap().to_string());
    }
    assert_eq!(kept, keys.iter().map(ToString::to_string).collect());
}

#[cfg(unix)]
#[tokio::test]
async fn a_symbolic_link_is_not_followed() {
    use std::os::unix::fs::symlink;
    let event = entry("evt-1", "{}");
    let draft = format!("tmp/evt-1.{}", record(&event).fingerprint);
    for inside in [false, true] {
        for planted in ["events", "tmp", "conflict", "events/evt-1.json", &draft] {
            let (folder, outside) = (TempDir::new().unwrap(), TempDir::new().unwrap());
            // Includes links to targets inside the directory, which the host does not block.
            let aim = if inside { &folder } else { &outside }.path().join("aim");
            let link = folder.path().join(planted);
            let is_file = planted.contains('/');
            if is_file {
                fs::create_dir(link.parent().unwrap()).unwrap();
                fs::write(&aim, "").unwrap();
            } else {
                fs::create_dir(&aim).unwrap();
            }
            // Links inside the directory are relative, because hosts reject every absolute link.
            match (inside, is_file) {
                (false, _) => symlink(&aim, &link).unwrap(),
                (true, false) => symlink("aim", &link).unwrap(),
                (true, true) => symlink("../aim", &link).unwrap(),
            }
            let answer = put_file(folder.path(), &event).await;
            let text = unavailable(answer);
            assert!(text.contains(planted), "{text}");
            let touched = if is_file { fs::read(&aim).unwrap().len() } else { names(&aim).len() };
            assert_eq!(touched, 0, "{planted}");
        }
    }
}

#[tokio::test]
async fn other_files_in_the_folder_stay_unchanged() {
    let folder = TempDir::new().unwrap();
    let theirs = ["report.pdf", "events/notes.txt", "tmp/draft", "conflict/a.json", "mine/too.txt"];
    for name in theirs {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, name).unwrap();
    }
    for (key, json) in [("a", "{}"), ("a", "[]"), ("b", "{}")] {
        put_file(folder.path(), &entry(key, json)).await.unwrap();
    }
    for name in theirs {
        assert_eq!(fs::read_to_string(folder.path().join(name)).unwrap(), name);
    }
    let counts = ["events", "conflict", "tmp"].map(|part| names(&folder.path().join(part)).len());
    assert_eq!(counts, [3, 2, 1]);
}

#[cfg(unix)]
#[tokio::test]
async fn path_other_than_file_is_named() {
    for planted in ["directory", "pipe"] {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("events/evt-1.json");
        fs::create_dir(folder.path().join("events")).unwrap();
        if planted == "pipe" {
            let made = std::process::Command::new("mkfifo").arg(&path).status().unwrap();
            assert!(made.success());
        } else {
            fs::create_dir(&path).unwrap();
        }
        let answer = put_file(folder.path(), &entry("evt-1", "{}")).await;
        let text = unavailable(answer);
        assert!(text.contains("events/evt-1.json is not a regular file"), "{text}");
    }
}

/// Returns the inbox on a host whose `operation` fails with `code`.
fn faulty(operation: &str, code: ErrorCode) -> InboxHostPre<State> {
    let mut linker = linker();
    linker.allow_shadowing(true);
    let mut types = linker.instance(FILESYSTEM).unwrap();
    match operation {
        "link-at" => types
            .func_wrap(
                "[method]descriptor.link-at",
                move |_,
                      _: (
                    Resource<Descriptor>,
                    PathFlags,
                    String,
                    Resource<Descriptor>,
                    String,
                )| { Ok((Err::<(), _>(code),)) },
            )
            .unwrap(),
        "sync" => types
            .func_wrap("[method]descriptor.sync", move |_, _: (Resource<Descriptor>,)| {
                Ok((Err::<(), _>(code),))
            })
            .unwrap(),
        "write" => types
            .func_wrap(
                "[method]descriptor.write",
                move |_, _: (Resource<Descriptor>, Vec<u8>, u64)| Ok((Err::<u64, _>(code),)),
            )
            .unwrap(),
        _ => panic!("{operation}"),
    }
    compiled(INBOX_FILES, &linker)
}

/// Name of the interface that wasmtime-wasi links.
const FILESYSTEM: &str = "wasi:filesystem/types@0.2.12";

#[tokio::test]
async fn file_system_error_stores_nothing() {
    for (operation, code, expected) in [
        ("link-at", ErrorCode::Unsupported, "no hard links"),
        ("link-at", ErrorCode::NotPermitted, "no hard links"),
        ("link-at", ErrorCode::TooManyLinks, "link events/evt-1.json: too-many-links"),
        ("link-at", ErrorCode::NoEntry, "events/evt-1.json is created and removed repeatedly"),
        ("link-at", ErrorCode::Exist, "events/evt-1.json is created and removed repeatedly"),
        ("sync", ErrorCode::Io, "sync tmp/evt-1."),
        ("write", ErrorCode::InsufficientSpace, "Free space on its disk"),
    ] {
        let folder = TempDir::new().unwrap();
        let wasi = folders(&[(folder.path(), "/inbox", FsPerms::ReadWrite)]);
        let inbox = faulty(operation, code);
        let answer = put(&inbox, wasi, Memory::default(), &entry("evt-1", "{}")).await;
        let text = unavailable(answer);
        assert!(text.contains(expected), "{text}");
        assert!(names(&folder.path().join("events")).is_empty());
    }
    // A duplicate is not acknowledged while the directory cannot be synced. The exception is a host
    // that does not support syncing directories.
    let folder = TempDir::new().unwrap();
    let event = entry("evt-1", "{}");
    assert_eq!(put_file(folder.path(), &event).await, Ok(Stored::Stored));
    for (code, expected) in [(ErrorCode::Io, false), (ErrorCode::Unsupported, true)] {
        let wasi = folders(&[(folder.path(), "/inbox", FsPerms::ReadWrite)]);
        let answer = put(&faulty("sync", code), wasi, Memory::default(), &event).await;
        assert_eq!(answer.is_ok(), expected, "{answer:?}");
    }
}

/// Returns the inbox on a host that fails only the sync with this number, counted from 0.
fn failing_sync(number: usize) -> InboxHostPre<State> {
    let mut linker = linker();
    linker.allow_shadowing(true);
    let syncs = Arc::new(AtomicUsize::new(0));
    let mut types = linker.instance(FILESYSTEM).unwrap();
    types
        .func_wrap_async(
            "[method]descriptor.sync",
            move |mut store: StoreContextMut<'_, State>, (file,): (Resource<Descriptor>,)| {
                let fails = syncs.fetch_add(1, Ordering::Relaxed) == number;
                Box::new(async move {
                    let answer = match fails {
                        true => Err(ErrorCode::Io),
                        false => {
                            let mut files = store.data_mut().filesystem();
                            HostDescriptor::sync(&mut files, file).await.map_err(|_| ErrorCode::Io)
                        }
                    };
                    Ok((answer,))
                })
            },
        )
        .unwrap();
    compiled(INBOX_FILES, &linker)
}

/// After a power failure, only synced data remains: the content of the file, its name in `events`,
/// and the directory `events`, which may be new.
#[tokio::test]
async fn acknowledged_event_is_synced() {
    let event = entry("evt-1", "{}");
    let folder = TempDir::new().unwrap();
    let synced = ["tmp/evt-1.", "sync the directory events", "sync the directory .: io"];
    for (number, named) in synced.into_iter().enumerate() {
        let folder = TempDir::new().unwrap();
        let wasi = folders(&[(folder.path(), "/inbox", FsPerms::ReadWrite)]);
        let answer = put(&failing_sync(number), wasi, Memory::default(), &event).await;
        let detail = unavailable(answer);
        assert!(detail.contains(named), "{number}: {detail}");
    }
    // The writer may have crashed before its syncs, so a duplicate is synced too.
    assert_eq!(put_file(folder.path(), &event).await, Ok(Stored::Stored));
    for (number, named) in synced.into_iter().skip(1).enumerate() {
        let wasi = folders(&[(folder.path(), "/inbox", FsPerms::ReadWrite)]);
        let answer = put(&failing_sync(number), wasi, Memory::default(), &event).await;
        let detail = unavailable(answer);
        assert!(detail.contains(named), "{number}: {detail}");
    }
}

async fn put_key(store: &Memory, entry: &Entry) -> Answer {
    put(keyvalue_inbox(), WasiCtxBuilder::new(), store.clone(), entry).await
}

#[tokio::test]
async fn each_event_has_its_own_entry() {
    let store = Memory::default();
    let (first, second) = (entry("EVT 1", "{\"n\":1}"), entry("EVT 1", "{\"n\":2}"));
    assert_eq!(put_key(&store, &first).await, Ok(Stored::Stored));
    assert_eq!(put_key(&store, &first).await, Ok(Stored::Duplicate));
    assert_eq!(put_key(&store, &second).await, Ok(Stored::Conflict));
    assert_eq!(put_key(&store, &second).await, Ok(Stored::Conflict));
    assert_eq!(put_key(&store, &first).await, Ok(Stored::Duplicate));
    let (one, two) = (record(&first), record(&second));
    let key = |record: &Record| format!("event.{}.{}", record.name, record.digest);
    let label = format!("first.{}", one.name);
    let conflicts = format!("conflicts.{}", one.name);
    let keys: BTreeSet<_> = [key(&one), key(&two), label.clone(), conflicts.clone()].into();
    assert_eq!(store.keys().into_iter().collect::<BTreeSet<_>>(), keys);
    assert_eq!(store.value(&key(&one)).unwrap(), one.bytes);
    assert_eq!(store.value(&key(&two)).unwrap(), two.bytes);
    assert_eq!(store.value(&label).unwrap(), one.digest.as_bytes());
    assert_eq!(store.value(&conflicts).unwrap(), format!("{}\n", two.digest).as_bytes());
    let safe =
        |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-_=.".contains(&byte);
    assert!(keys.iter().all(|key| key.bytes().all(safe) && key.len() <= 181));
}

#[tokio::test]
async fn aborted_write_leaves_no_lone_label() {
    let (first, second) = (entry("evt-1", "{\"n\":1}"), entry("evt-1", "{\"n\":2}"));
    for waits in 0.. {
        let store = Memory::default();
        let consistent = || {
            let label = store.value("first.evt-1");
            let event =
                label.map(|digest| format!("event.evt-1.{}", String::from_utf8(digest).unwrap()));
            assert!(event.is_none_or(|event| store.value(&event).is_some()), "after {waits} waits");
        };
        let done = cut_off(put_key(&store, &first), waits).await.is_some();
        consistent();
        let again = put_key(&store, &first).await.unwrap();
        assert!(again == Stored::Duplicate || (!done && again == Stored::Stored), "{again:?}");
        let conflict = cut_off(put_key(&store, &second), waits).await.is_some();
        consistent();
        assert_eq!(put_key(&store, &second).await, Ok(Stored::Conflict));
        assert_eq!(put_key(&store, &first).await, Ok(Stored::Duplicate));
        let listed = format!("{}\n", record(&second).digest);
        assert_eq!(store.value("conflicts.evt-1").unwrap(), listed.as_bytes());
        assert_eq!(store.keys().len(), 4);
        if done && conflict {
            assert!(waits >= 8, "{waits}");
            return;
        }
    }
}

#[tokio::test]
async fn at_most_16_conflicts_are_stored() {
    let event = |number: u32| entry("evt-1", &format!("{{\"n\":{number}}}"));
    let (folder, store) = (TempDir::new().unwrap(), Memory::default());
    for number in 0..40 {
        let answers = [
            ("files", put_file(folder.path(), &event(number)).await),
            ("key-value", put_key(&store, &event(number)).await),
        ];
        for (kind, answer) in answers {
            match number {
                0 => assert_eq!(answer, Ok(Stored::Stored), "{kind}"),
                1..=16 => assert_eq!(answer, Ok(Stored::Conflict), "{kind} {number}"),
                _ => {
                    let text = unavailable(answer);
                    assert!(text.contains("16 different events"), "{text}");
                }
            }
        }
    }
    // Stored events are recognized as duplicates. Other keys are not affected by the limit of this
    // key.
    for (number, stored) in [(0, Stored::Duplicate), (16, Stored::Conflict)] {
        assert_eq!(put_file(folder.path(), &event(number)).await, Ok(stored));
        assert_eq!(put_key(&store, &event(number)).await, Ok(stored));
    }
    for (json, stored) in [("{}", Stored::Stored), ("[]", Stored::Conflict)] {
        assert_eq!(put_file(folder.path(), &entry("evt", json)).await, Ok(stored));
        assert_eq!(put_key(&store, &entry("evt", json)).await, Ok(stored));
    }
    let of_one = |name: &&String| name.starts_with("evt-1.");
    assert_eq!(names(&folder.path().join("conflict")).iter().filter(of_one).count(), 16);
    assert!(names(&folder.path().join("tmp")).is_empty());
    let events = store.keys();
    assert_eq!(events.iter().filter(|key| key.starts_with("event.evt-1.")).count(), 17);
}

#[tokio::test]
async fn concurrent_writes_lose_nothing() {
    for round in 0..20 {
        let store = Memory::default();
        let calls = (0..8).map(|n| {
            let (store, event) = (store.clone(), entry("evt-1", &format!("{{\"n\":{}}}", n % 2)));
            tokio::spawn(async move {
                for _ in 0..n * round {
                    tokio::task::yield_now().await;
                }
                put_key(&store, &event).await.unwrap()
            })
        });
        let answers = ended(calls).await;
        assert!(answers.contains(&Stored::Stored), "{answers:?}");
        let keys = store.keys();
        let events = keys.iter().filter(|key| key.starts_with("event."));
        assert_eq!(events.count(), 2, "{answers:?}");
        assert!(keys.contains(&"first.evt-1".into()), "{keys:?}");
    }
}

#[tokio::test]
async fn bucket_errors_are_reported() {
    let event = entry("evt-1", "{}");
    let call = async |bucket: &str, store: &Memory| {
        let mut wasi = WasiCtxBuilder::new();
        wasi.env("MESSAGING_WEBHOOK_BUCKET", bucket);
        put(keyvalue_inbox(), wasi, store.clone(), &event).await
    };
    assert_eq!(call("mine", &Memory::default()).await, Ok(Stored::Stored));
    assert_eq!(call("", &Memory::default()).await, Ok(Stored::Stored));
    let answer = call("nobody's", &Memory::default()).await;
    let text = not_set_up(answer);
    assert!(text.contains("nobody's") && text.contains("MESSAGING_WEBHOOK_BUCKET"), "{text}");
    let answer = call("mine", &Memory::failing(Error::AccessDenied)).await;
    assert!(matches!(answer, Err(InboxError::PermanentNotSetUp(_))), "{answer:?}");
    let answer = call("mine", &Memory::failing(Error::Other("no connection".into()))).await;
    let text = unavailable(answer);
    assert!(text.contains("no connection"), "{text}");
}
