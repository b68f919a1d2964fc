//! `send-once`: runs the conformance suite on each implementation, and tests single journals.
//! `guest/core/tests/once_states.rs` tests the state machine.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::path::Path;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use messaging_components::{PLUGIN, PLUGIN_ONCE_FILES, PLUGIN_ONCE_HTTP, PLUGIN_ONCE_OPEN};
use messaging_conformance::once::{
    CASES, Component, DEADLINE_MS, KEY, OverHttp, Subject, config, run,
};
use messaging_host::journal::wit;
use messaging_host::once::wit::{MessageRequest, OnceError};
use messaging_host::once::{self, OnceConfig, SendOnce};
use messaging_host::{Host, Journal, Limits, LoadError, Once, Plugin};
use messaging_simulator::service::{Options, Service};
use tempfile::TempDir;

use crate::common::{self, Kind, cached};
use crate::process::Serving;

mod driven;
mod folder;

const CUSTOMER: &str = "+34600111222";

fn host() -> &'static Host {
    static HOST: OnceLock<Host> = OnceLock::new();
    HOST.get_or_init(|| cached(Host::new(Limits { instances: 256, ..Limits::default() }).unwrap()))
}

fn sqlite(folder: &TempDir) -> Arc<dyn Journal> {
    let file = folder.path().join("journal.sqlite");
    Arc::new(messaging_journal::Journal::open(file, messaging_journal::Options::default()).unwrap())
}

/// Starts a server with a journal in `folder` for senders. Dropping it kills the server.
pub fn journal_server(folder: &Path) -> (Serving, OverHttp) {
    let [store, journal] = ["inbox.sqlite", "journal.sqlite"].map(|name| folder.join(name));
    let [store, journal] = [&store, &journal].map(|file| file.to_str().unwrap());
    let serving = Serving::start(
        &["--workers", "127.0.0.1:0", "--store", store, "--journal", journal],
        &[("MESSAGING_JOURNAL_TOKENS", OverHttp::TOKEN)],
    );
    let ready: serde_json::Value = serde_json::from_str(&serving.ready).unwrap();
    let url = ready["workers"].as_str().unwrap().to_string();
    (serving, OverHttp { url })
}

/// The state machine in this process, with a plugin and a journal.
struct InProcess(Kind, Arc<dyn Journal>);

impl Subject for InProcess {
    type Once = Once<Plugin>;

    fn with_base_url(&self, base_url: &str) -> anyhow::Result<Self::Once> {
        let plugin = self.0.with_config(config(base_url)?);
        Ok(Once::new(plugin, Arc::clone(&self.1), Duration::from_millis(DEADLINE_MS.into())))
    }
}

async fn assert_passes(subject: &impl Subject<Once: Send>) {
    let verdicts = run(subject, &[], |_, _, _| ()).await.unwrap();
    assert_eq!(verdicts.len(), CASES.len());
    let failed: Vec<_> = verdicts.iter().filter(|verdict| verdict.problem.is_some()).collect();
    assert!(failed.is_empty(), "{failed:#?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn machine_over_sqlite_passes_suite() {
    for kind in Kind::ALL {
        let folder = tempfile::tempdir().unwrap();
        assert_passes(&InProcess(kind, sqlite(&folder))).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn component_with_folder_passes_suite() {
    let folder = tempfile::tempdir().unwrap();
    let subject = Component {
        folder: Some(folder.path().to_path_buf()),
        ..Component::load(host(), PLUGIN_ONCE_FILES).unwrap()
    };
    assert_passes(&subject).await;
}

async fn assert_compares_services(subject: &impl Subject<Once: Send>) {
    let one = Service::start(Options::new(KEY)).await.unwrap();
    let two = Service::start(Options::new(KEY)).await.unwrap();
    let request = MessageRequest::new(CUSTOMER, "one");
    let [first, second] =
        [&one, &two].map(|service| subject.with_base_url(&service.base_url()).unwrap());
    let created = first.send_once("k", &request).await.unwrap().unwrap();
    assert!(!created.replayed);
    let said = second.send_once("k", &request).await.unwrap();
    assert!(matches!(said, Err(OnceError::PermanentKeyReused(_))), "{said:?}");
    assert!(first.send_once("k", &request).await.unwrap().unwrap().replayed);
    assert!(two.ledger().requests.is_empty());
}

#[tokio::test]
async fn key_of_other_service_is_rejected() {
    let folder = tempfile::tempdir().unwrap();
    assert_compares_services(&InProcess(Kind::P2, sqlite(&folder))).await;
    let subject = Component {
        folder: Some(folder.path().to_path_buf()),
        ..Component::load(host(), PLUGIN_ONCE_FILES).unwrap()
    };
    assert_compares_services(&subject).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn component_with_host_journal_passes_suite() {
    let folder = tempfile::tempdir().unwrap();
    let subject = Component {
        journal: Some(sqlite(&folder)),
        ..Component::load(host(), PLUGIN_ONCE_OPEN).unwrap()
    };
    assert_passes(&subject).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn component_over_http_passes_suite() {
    let folder = tempfile::tempdir().unwrap();
    let (_server, journal) = journal_server(folder.path());
    let subject = Component {
        over_http: Some(journal),
        ..Component::load(host(), PLUGIN_ONCE_HTTP).unwrap()
    };
    assert_passes(&subject).await;
}

/// The state machine and the component use one server, each with its own database.
#[cfg(unix)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn machine_and_component_over_postgresql_pass() {
    let Some(server) = crate::postgres::server() else { return };
    let journal = async |name: &str| -> Arc<dyn Journal> {
        server.sql("postgres", &format!("CREATE DATABASE {name}")).unwrap();
        // A long timeout, because a busy machine is not a fault.
        let timeout = Duration::from_secs(30);
        let options = messaging_postgres::Options { timeout, ..Default::default() };
        let target = server.target(name).unwrap();
        let journal = messaging_postgres::journal::open(&target, options).await.unwrap();
        Arc::new(journal) as Arc<dyn Journal>
    };
    assert_passes(&InProcess(Kind::P2, journal("machine").await)).await;
    let component = Component::load(host(), PLUGIN_ONCE_OPEN).unwrap();
    assert_passes(&Component { journal: Some(journal("component").await), ..component }).await;
}

/// A journal whose compare-and-swap lets two writers win, as in some key-value stores.
struct Careless(Arc<dyn Journal>);

#[wasmtime_wasi::async_trait]
impl Journal for Careless {
    async fn get(&self, key: &str) -> Result<Option<String>, wit::JournalError> {
        self.0.get(key).await
    }

    async fn swap(
        &self,
        key: &str,
        expected: Option<String>,
        new: String,
    ) -> Result<wit::SwapOutcome, wit::JournalError> {
        let found = self.0.get(key).await?;
        if found != expected {
            return Ok(wit::SwapOutcome::Stale(found));
        }
        // Another caller may write during this delay, and this call overwrites the value.
        tokio::time::sleep(Duration::from_millis(5)).await;
        let now = self.0.get(key).await?;
        self.0.swap(key, now, new).await.map(|_| wit::SwapOutcome::Swapped)
    }

    async fn list_items(&self, after: Option<String>) -> Result<wit::Page, wit::JournalError> {
        self.0.list_items(after).await
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn journal_with_two_winners_fails_suite() {
    let folder = tempfile::tempdir().unwrap();
    let subject = InProcess(Kind::P2, Arc::new(Careless(sqlite(&folder))));
    let verdicts = run(&subject, &["one_of_sixteen".into()], |_, _, _| ()).await.unwrap();
    let [verdict] = &verdicts[..] else { panic!("{verdicts:?}") };
    let problem = verdict.problem.as_deref().unwrap();
    // Each winner has sent a message.
    assert!(problem.contains("received a new message") || problem.contains("msg-00"), "{problem}");
}

#[test]
fn once_component_exports_no_plain_send() {
    for bytes in [PLUGIN_ONCE_FILES, PLUGIN_ONCE_HTTP, PLUGIN_ONCE_OPEN, messaging_components::ONCE]
    {
        let inspection = messaging_host::inspect::Inspection::of(bytes).unwrap();
        let [only] = &inspection.exports[..] else { panic!("{:?}", inspection.exports) };
        assert_eq!(only.name, once::INTERFACE);
    }
    let error = once::Component::load(host(), PLUGIN, OnceConfig::new(common::config(&[], None)));
    assert!(matches!(error, Err(LoadError::NotOnce { .. })));
}

#[tokio::test]
async fn missing_journal_directory_proves_nothing_sent() {
    use messaging_host::once::SendOnce;
    let folder = tempfile::tempdir().unwrap();
    let config = OnceConfig::new(common::config(&[], None));
    let once = OnceConfig { folder: Some(folder.path().join("missing")), ..config };
    let plugin = once::Component::load(host(), PLUGIN_ONCE_FILES, once).unwrap();
    let request = MessageRequest::new(CUSTOMER, "hi");
    let error = plugin.send_once("order-1", &request).await.unwrap_err();
    assert!(error.is_not_sent(), "{error}");
    let text = error.to_string();
    assert!(text.contains("nothing was sent") && text.contains("missing"), "{text}");
}

/// A journal that records each intent and then fails.
struct Intents(std::sync::Mutex<Vec<String>>);

#[wasmtime_wasi::async_trait]
impl Journal for Intents {
    async fn get(&self, _: &str) -> Result<Option<String>, wit::JournalError> {
        Ok(None)
    }

    async fn swap(
        &self,
        _: &str,
        _: Option<String>,
        new: String,
    ) -> Result<wit::SwapOutcome, wit::JournalError> {
        self.0.lock().unwrap().push(new);
        Err(wit::JournalError::PermanentRejected(wit::Failure { detail: "enough".into() }))
    }

    async fn list_items(&self, _: Option<String>) -> Result<wit::Page, wit::JournalError> {
        Ok(wit::Page { items: vec![], next: None })
    }
}

/// A provider that is never called.
struct UncalledProvider;

impl messaging_host::Messaging for UncalledProvider {
    async fn send_message(
        &self,
        _: &MessageRequest,
    ) -> messaging_host::CallResult<messaging_host::wit::CreatedMessage> {
        panic!("a message was sent")
    }
}

/// Forks the process to simulate a snapshot that is restored twice: the random number generators of
/// both processes have equal states.
#[cfg(target_os = "linux")]
#[test]
fn copies_of_process_name_their_attempts_differently() {
    use std::io::Read;
    use std::os::fd::FromRawFd;
    let intent = || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let journal = Arc::new(Intents(std::sync::Mutex::default()));
        let once = Once::new(UncalledProvider, Arc::clone(&journal) as _, Duration::from_secs(1));
        let request = MessageRequest::new(CUSTOMER, "hi");
        let _ = runtime.block_on(once.send_once("order-1", &request));
        journal.0.lock().unwrap().pop().unwrap()
    };
    // Initializes the random number generator of this thread before the fork.
    intent();
    let mut pipe = [0; 2];
    // SAFETY: the array has room for two descriptors.
    assert_eq!(unsafe { libc::pipe(pipe.as_mut_ptr()) }, 0);
    // SAFETY: the child has its own memory, and exits without running the rest of the program.
    let child = unsafe { libc::fork() };
    if child == 0 {
        let text = intent();
        // SAFETY: the text lives until the call returns, and the process ends here.
        unsafe {
            libc::write(pipe[1], text.as_ptr().cast(), text.len());
            libc::_exit(0);
        }
    }
    let own = intent();
    // SAFETY: only this process owns both ends; each is closed once.
    let mut theirs = unsafe {
        libc::close(pipe[1]);
        std::fs::File::from_raw_fd(pipe[0])
    };
    let mut other = String::new();
    theirs.read_to_string(&mut other).unwrap();
    // SAFETY: the process ID is that of a child of this process.
    unsafe { libc::waitpid(child, std::ptr::null_mut(), 0) };
    let own: serde_json::Value = serde_json::from_str(&own).unwrap();
    let other: serde_json::Value = serde_json::from_str(&other).unwrap();
    for part in ["/entry/attempt/name", "/entry/digest/salt"] {
        let [own, other] = [&own, &other].map(|intent| intent.pointer(part).unwrap());
        assert_ne!(own, other, "{part}");
    }
}
