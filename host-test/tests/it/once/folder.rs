//! The journal on files. If several instances share the directory, exactly one of them wins each
//! swap. A call may be canceled at any point.

use std::fs;
use std::path::Path;
use std::sync::OnceLock;

use bindings::exports::messaging::integration::journal::{JournalError, Page, SwapOutcome};
use bindings::{JournalHost, JournalHostPre};
use messaging_components::JOURNAL_FILES;
use messaging_host::{Host, Limits};
use wasmtime::Store;
use wasmtime::component::{Component, Linker};
use wasmtime_wasi::WasiCtxBuilder;
use wasmtime_wasi::filesystem::FsPerms;

use crate::common::cut_off::cut_off;
use crate::common::wasi_state::WasiState;
use crate::common::{self, cached};
use crate::memory::Memory;

mod bindings {
    wasmtime::component::bindgen!({
        path: "../wit",
        inline: "package host:test; world journal-host { export messaging:integration/journal@0.2.0; }",
        world: "host:test/journal-host",
        exports: { default: async },
        additional_derives: [PartialEq],
    });
}

type State = WasiState<Memory>;

fn host() -> &'static Host {
    static HOST: OnceLock<Host> = OnceLock::new();
    HOST.get_or_init(|| cached(Host::on_demand(Limits::default()).unwrap()))
}

fn journal() -> &'static JournalHostPre<State> {
    static JOURNAL: OnceLock<JournalHostPre<State>> = OnceLock::new();
    JOURNAL.get_or_init(|| {
        let mut linker = Linker::new(host().engine());
        wasmtime_wasi::p2::add_to_linker_async(&mut linker).unwrap();
        let component = Component::new(host().engine(), JOURNAL_FILES).unwrap();
        JournalHostPre::new(linker.instantiate_pre(&component).unwrap()).unwrap()
    })
}

/// Creates an instance for a directory.
async fn instance(folder: &Path, perms: FsPerms) -> (Store<State>, JournalHost) {
    let mut wasi = WasiCtxBuilder::new();
    wasi.preopened_dir(folder, "/journal", perms).unwrap();
    let mut store = State::store(host().engine(), &mut wasi, Memory::default());
    store.set_epoch_deadline(u64::MAX / 2);
    let instance = journal().instantiate_async(&mut store).await.unwrap();
    (store, instance)
}

async fn swap(folder: &Path, key: &str, expected: Option<&str>, new: &str) -> Swapped {
    let (mut store, instance) = instance(folder, FsPerms::ReadWrite).await;
    let journal = instance.messaging_integration_journal();
    journal.call_swap(&mut store, key, expected, new).await.unwrap()
}

async fn get(folder: &Path, key: &str) -> Result<Option<String>, JournalError> {
    let (mut store, instance) = instance(folder, FsPerms::ReadWrite).await;
    instance.messaging_integration_journal().call_get(&mut store, key).await.unwrap()
}

async fn list(folder: &Path, after: Option<&str>) -> Result<Page, JournalError> {
    let (mut store, instance) = instance(folder, FsPerms::ReadWrite).await;
    instance.messaging_integration_journal().call_list_items(&mut store, after).await.unwrap()
}

type Swapped = Result<SwapOutcome, JournalError>;

fn stale(text: &str) -> Swapped {
    Ok(SwapOutcome::Stale(Some(text.into())))
}

#[tokio::test]
async fn swap_needs_expected_text() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    assert_eq!(get(folder, "order/17").await, Ok(None));
    assert_eq!(swap(folder, "order/17", None, "{\"v\":1}").await, Ok(SwapOutcome::Swapped));
    assert_eq!(swap(folder, "order/17", None, "{}").await, stale("{\"v\":1}"));
    assert_eq!(swap(folder, "order/17", Some("{}"), "{\"v\":2}").await, stale("{\"v\":1}"));
    let second = swap(folder, "order/17", Some("{\"v\":1}"), "{\"v\":2}").await;
    assert_eq!(second, Ok(SwapOutcome::Swapped));
    assert_eq!(swap(folder, "other", Some("{}"), "{}").await, Ok(SwapOutcome::Stale(None)));
    assert_eq!(get(folder, "order/17").await, Ok(Some("{\"v\":2}".into())));
    let files = common::files(&folder.join("entries"));
    let texts: Vec<_> = files.iter().map(|(_, text)| text.as_str()).collect();
    // The first file is truncated, and its number stays reserved.
    assert_eq!(texts, ["", "{\"key\":\"order/17\",\"text\":{\"v\":2}}\n"]);
    assert!(common::files(&folder.join("tmp")).is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_of_many_instances_wins_each_step() {
    let folder = tempfile::tempdir().unwrap();
    let mut expected: Option<String> = None;
    for step in 0..10 {
        let new = |writer: usize| format!("{{\"step\":{step},\"by\":{writer}}}");
        let mut tasks = Vec::new();
        for writer in 0..12 {
            let (path, expected, new) =
                (folder.path().to_path_buf(), expected.clone(), new(writer));
            tasks.push(tokio::spawn(async move {
                (swap(&path, "k", expected.as_deref(), &new).await.unwrap(), new)
            }));
        }
        let (mut won, mut found) = (Vec::new(), Vec::new());
        for task in tasks {
            match task.await.unwrap() {
                (SwapOutcome::Swapped, new) => won.push(new),
                (SwapOutcome::Stale(text), _) => found.push(text),
            }
        }
        let [winner] = &won[..] else { panic!("{won:?}") };
        assert!(found.iter().all(|text| text.as_ref() == Some(winner)), "{found:?}");
        expected = Some(winner.clone());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn aborted_swap_is_old_or_new() {
    let (mut unended, mut ended_well) = (0, 0);
    // A call waits at fewer than 150 points. Their number depends on the load of the machine.
    for waits in 0..150 {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path();
        assert_eq!(swap(path, "k", None, "{\"v\":1}").await, Ok(SwapOutcome::Swapped));
        let ended = cut_off(swap(path, "k", Some("{\"v\":1}"), "{\"v\":2}"), waits).await;
        unended += usize::from(ended.is_none());
        ended_well += usize::from(ended.is_some());
        let found = get(path, "k").await.unwrap().unwrap();
        let new = found == "{\"v\":2}";
        assert!(new || found == "{\"v\":1}", "{found}");
        assert!(new || ended.is_none(), "the swap ended with {ended:?}; the journal has {found}");
        // Repeats the swap, like a caller that did not receive the result.
        let again = swap(path, "k", Some("{\"v\":1}"), "{\"v\":2}").await;
        // Work that the host had started may complete after the cancellation.
        let done = again == stale("{\"v\":2}");
        assert!(done || !new && again == Ok(SwapOutcome::Swapped), "{again:?}");
        assert_eq!(get(path, "k").await, Ok(Some("{\"v\":2}".into())));
        if ended_well == 5 {
            break;
        }
    }
    assert!(unended > 5 && ended_well > 0, "{unended} cut off, {ended_well} ended");
}

#[tokio::test]
async fn folder_lists_every_key_once() {
    let folder = tempfile::tempdir().unwrap();
    for number in 0..205 {
        let made = swap(folder.path(), &format!("K{number}"), None, "{}").await;
        assert_eq!(made, Ok(SwapOutcome::Swapped));
    }
    let (mut found, mut after, mut pages) = (Vec::new(), None::<String>, 0);
    loop {
        let page = list(folder.path(), after.as_deref()).await.unwrap();
        found.extend(page.items.into_iter().map(|item| item.key));
        pages += 1;
        after = page.next;
        if after.is_none() {
            break;
        }
    }
    found.sort();
    let mut all: Vec<_> = (0..205).map(|number| format!("K{number}")).collect();
    all.sort();
    assert_eq!((found, pages), (all, 3));
}

#[tokio::test]
async fn key_with_10000_values_is_full() {
    let folder = tempfile::tempdir().unwrap();
    swap(folder.path(), "k", None, "{\"v\":1}").await.unwrap();
    let values = folder.path().join("entries/k");
    // The name of a file is the number of its value.
    fs::rename(values.join("00000001.json"), values.join("00009999.json")).unwrap();
    let last = swap(folder.path(), "k", Some("{\"v\":1}"), "{\"v\":2}").await;
    assert_eq!(last, Ok(SwapOutcome::Swapped));
    let answer = swap(folder.path(), "k", Some("{\"v\":2}"), "{\"v\":3}").await;
    assert!(matches!(answer, Err(JournalError::PermanentRejected(_))), "{answer:?}");
    assert_eq!(get(folder.path(), "k").await, Ok(Some("{\"v\":2}".into())));
}

#[tokio::test]
async fn damaged_file_prevents_sending() {
    let folder = tempfile::tempdir().unwrap();
    swap(folder.path(), "k", None, "{}").await.unwrap();
    let file = folder.path().join("entries/k/00000001.json");
    let whole = fs::read(&file).unwrap();
    for bytes in [&b""[..], b"{}", &whole[..whole.len() - 1], b"{\"key\":\"other\",\"text\":{}}\n"]
    {
        fs::write(&file, bytes).unwrap();
        for answer in [
            get(folder.path(), "k").await.map(drop),
            swap(folder.path(), "k", None, "{}").await.map(drop),
            swap(folder.path(), "k", Some("{}"), "{}").await.map(drop),
        ] {
            // The error is permanent, because a retry cannot succeed.
            let Err(JournalError::PermanentNotSetUp(failure)) = answer else {
                panic!("{answer:?}")
            };
            assert!(failure.detail.contains("entries/k/00000001.json"), "{}", failure.detail);
        }
    }
}

#[tokio::test]
async fn damaged_entry_is_listed_as_unreadable() {
    let folder = tempfile::tempdir().unwrap();
    for key in ["a", "b", "z"] {
        swap(folder.path(), key, None, "{}").await.unwrap();
    }
    fs::write(folder.path().join("entries/b/00000001.json"), "{").unwrap();
    fs::write(folder.path().join("entries/notes.txt"), "foreign").unwrap();
    let page = list(folder.path(), None).await.unwrap();
    let listed: Vec<_> =
        page.items.iter().map(|item| (item.key.as_str(), item.text.as_str())).collect();
    assert_eq!(listed, [("a", "{}"), ("entries/b", ""), ("entries/notes.txt", ""), ("z", "{}")]);
}

#[tokio::test]
async fn unwritable_journal_folder_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let (mut store, instance) = instance(folder.path(), FsPerms::ReadOnly).await;
    let journal = instance.messaging_integration_journal();
    let answer = journal.call_swap(&mut store, "k", None, "{}").await.unwrap();
    assert!(matches!(answer, Err(JournalError::PermanentNotSetUp(_))), "{answer:?}");
    let long = "x".repeat(64 * 1024 + 1);
    let answer = swap(folder.path(), "k", None, &long).await;
    assert!(matches!(answer, Err(JournalError::PermanentRejected(_))), "{answer:?}");
}
