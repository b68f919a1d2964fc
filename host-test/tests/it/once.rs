//! A send that may be repeated: the suite against each implementation, and what is the journal's
//! alone. (The machine's own tests: `guest/once-core/tests`.)
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use messaging_components::{PLUGIN, PLUGIN_ONCE_FILES, PLUGIN_ONCE_OPEN};
use messaging_host::once::{self, OnceConfig};
use messaging_host::{Host, Journal, Limits, LoadError, Once, Plugin};
use messaging_verify::once::{CASES, Component, DEADLINE_MS, Subject, config, run};
use tempfile::TempDir;

use crate::common::{self, cached};

mod folder;

fn host() -> &'static Host {
    static HOST: OnceLock<Host> = OnceLock::new();
    HOST.get_or_init(|| cached(Host::new(Limits { instances: 64, ..Limits::default() }).unwrap()))
}

fn sqlite(folder: &TempDir) -> Arc<dyn Journal> {
    let file = folder.path().join("journal.sqlite");
    Arc::new(messaging_journal::Journal::open(file, messaging_journal::Options::default()).unwrap())
}

/// The machine in this process, over the plugin and a journal.
struct InProcess(Plugin, Arc<dyn Journal>);

impl Subject for InProcess {
    type Once = Once<Plugin>;

    fn with_base_url(&self, base_url: &str) -> anyhow::Result<Self::Once> {
        let plugin = self.0.with_config(config(base_url)?);
        Ok(Once::new(plugin, Arc::clone(&self.1), Duration::from_millis(DEADLINE_MS.into())))
    }
}

async fn assert_passes(subject: &impl Subject<Once: Send>) {
    let verdicts = run(subject, &[]).await.unwrap();
    assert_eq!(verdicts.len(), CASES.len());
    let failed: Vec<_> = verdicts.iter().filter(|verdict| verdict.problem.is_some()).collect();
    assert!(failed.is_empty(), "{failed:#?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_machine_in_this_process_over_sqlite_passes_the_suite() {
    let folder = tempfile::tempdir().unwrap();
    let plugin = Plugin::load(host(), PLUGIN, common::config(&[], None)).unwrap();
    assert_passes(&InProcess(plugin, sqlite(&folder))).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_component_with_a_journal_in_a_folder_passes_the_suite() {
    let folder = tempfile::tempdir().unwrap();
    let subject = Component {
        folder: Some(folder.path().to_path_buf()),
        ..Component::load(host(), PLUGIN_ONCE_FILES).unwrap()
    };
    assert_passes(&subject).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_component_with_the_hosts_journal_passes_the_suite() {
    let folder = tempfile::tempdir().unwrap();
    let subject = Component {
        journal: Some(sqlite(&folder)),
        ..Component::load(host(), PLUGIN_ONCE_OPEN).unwrap()
    };
    assert_passes(&subject).await;
}

#[test]
fn what_sends_with_a_key_exports_nothing_that_sends_without() {
    for bytes in [PLUGIN_ONCE_FILES, PLUGIN_ONCE_OPEN, messaging_components::ONCE] {
        let inspection = messaging_host::inspect::Inspection::of(bytes).unwrap();
        let [only] = &inspection.exports[..] else { panic!("{:?}", inspection.exports) };
        assert_eq!(only.name, once::INTERFACE);
    }
    let error = once::Plugin::load(host(), PLUGIN, OnceConfig::new(common::config(&[], None)));
    assert!(matches!(error, Err(LoadError::NotOnce { .. })));
}
