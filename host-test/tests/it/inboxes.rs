//! The inboxes on files and on a key-value store: stored events, results, and the state after a
//! crash at any point.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

mod buckets;
mod faults;
mod folder;

use std::fs;
use std::path::Path;
use std::sync::OnceLock;

use crate::common::cached;
use crate::common::cut_off::cut_off;
use crate::common::wasi_state::WasiState;
use bindings::exports::messaging::integration::inbox::{Entry, Failure, InboxError, Stored};
use bindings::{InboxHost, InboxHostPre};
use messaging_components::{INBOX_FILES, INBOX_KEYVALUE};
use messaging_core::webhook::record::Record;
use messaging_host::keyvalue::{self, KeyValueView};
use messaging_host::{Host, Limits};
use tempfile::TempDir;
use tokio::task::JoinHandle;
use wasmtime::component::{Component, Linker};
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
async fn second_file_is_duplicate() {
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

    // In the reverse order, the long event is stored first.
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
    // A writer whose draft was removed by another writer writes a second draft. The writer removes
    // the second draft when it finds that the final name is taken.
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
    // A file that no crash can leave: it has the name of the draft, but foreign content.
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
        // Repeats the check with a conflicting event.
        let conflict = cut_off(put_file(folder.path(), &second), waits).await;
        assert_eq!(put_file(folder.path(), &second).await, Ok(Stored::Conflict));
        assert_eq!(put_file(folder.path(), &first).await, Ok(Stored::Duplicate));
        let quarantine = folder.path().join("conflict");
        let kept = fs::read(quarantine.join(&names(&quarantine)[0])).unwrap();
        assert_eq!((names(&quarantine).len(), kept), (1, record(&second).bytes));
        whole();
        assert!(waits < 39 || (done && conflict.is_some()), "a call has more than 39 waits");
    }
}
