//! Runs the complete fault suite. The host holds a canary as the API key. The key must not appear
//! in results, logs at level trace, URLs, requests to other hosts, or the memory of the component.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use futures_util::StreamExt;
use futures_util::future::join_all;
use memchr::memmem;
use messaging_components::{PLUGIN, PLUGIN_P3, PLUGIN_SANS_IO};
use messaging_conformance::case::KEY;
use messaging_conformance::run::{self, Subject};
use messaging_conformance::{Case, Verdict};
use messaging_host::outbound::Trust;
use messaging_host::{AllowList, Host, Limits, Outbound, Plugin, PluginConfig};
use messaging_simulator::faults::Chunking;
use wasmtime::{Config, LinearMemory, MemoryCreator, MemoryType};

/// Numbers of keys and placeholders found, and of bytes searched.
#[derive(Default)]
struct Found {
    looked_at: AtomicUsize,
    keys: AtomicUsize,
    placeholders: AtomicUsize,
}

impl Found {
    fn look_at(&self, bytes: &[u8]) {
        self.looked_at.fetch_add(bytes.len(), Ordering::Relaxed);
        let count = |text: &str| usize::from(memmem::find(bytes, text.as_bytes()).is_some());
        self.keys.fetch_add(count(KEY), Ordering::Relaxed);
        self.placeholders.fetch_add(count("placeholder-"), Ordering::Relaxed);
    }
}

/// Creates memories that are searched for the API key when their instances end. Freed data is still
/// present at that time.
struct Watching(Arc<Found>);

struct Watched {
    bytes: Vec<u8>,
    found: Arc<Found>,
}

// SAFETY: each memory is a separate vector. The engine is configured to rely on no guard pages and
// no reservation, and to allow memories to move.
unsafe impl MemoryCreator for Watching {
    fn new_memory(
        &self,
        _: MemoryType,
        minimum: usize,
        _: Option<usize>,
        reserved: Option<usize>,
        guard: usize,
    ) -> Result<Box<dyn LinearMemory>, String> {
        if reserved.unwrap_or(0) > 0 || guard > 0 {
            return Err("memory reservations and guard pages are not supported".into());
        }
        Ok(Box::new(Watched { bytes: vec![0; minimum], found: Arc::clone(&self.0) }))
    }
}

// SAFETY: the pointer refers to `byte_size` initialized bytes and is valid until the next growth.
unsafe impl LinearMemory for Watched {
    fn byte_size(&self) -> usize {
        self.bytes.len()
    }

    fn byte_capacity(&self) -> usize {
        self.bytes.len()
    }

    fn grow_to(&mut self, size: usize) -> wasmtime::Result<()> {
        self.bytes.resize(size, 0);
        Ok(())
    }

    fn as_ptr(&self) -> *mut u8 {
        self.bytes.as_ptr().cast_mut()
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        self.found.look_at(&self.bytes);
    }
}

/// A log writer that searches each line for the API key, and discards the line.
#[derive(Clone)]
struct Log(Arc<Found>);

impl Write for Log {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        self.0.look_at(line);
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Creates a host that searches the memories of its instances for the API key. If `concurrent` is
/// true, the host is for WASI 0.3.
fn watching(kept: &Arc<Found>, concurrent: bool) -> Host {
    let limits = Limits { wall: Duration::from_secs(30), ..Limits::default() };
    let change = |config: &mut Config| {
        config.with_host_memory(Arc::new(Watching(Arc::clone(kept)))).memory_init_cow(false);
        config.memory_reservation(0).memory_reservation_for_growth(0);
        config.memory_guard_size(0).memory_may_move(true);
    };
    let host = match concurrent {
        true => Host::concurrent_with(limits, change),
        false => Host::on_demand_with(limits, change),
    };
    host.unwrap()
}

fn outbound() -> Outbound {
    Outbound::new(AllowList::deny_all(), Trust::Public).unwrap()
}

fn load(kept: &Arc<Found>, bytes: &[u8]) -> Plugin {
    let config = PluginConfig::open(vec![], outbound());
    Plugin::load(&watching(kept, bytes == PLUGIN_P3), bytes, config).unwrap()
}

/// Waits until every memory was searched. The task of a WASI 0.3 instance ends some time after its
/// last call.
async fn looked_through(kept: &Arc<Found>) {
    while Arc::strong_count(kept) > 1 {
        tokio::task::yield_now().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn held_key_appears_nowhere() {
    let logged = Arc::new(Found::default());
    let log = Log(Arc::clone(&logged));
    tracing_subscriber::fmt()
        .with_max_level(tracing::Level::TRACE)
        .with_writer(move || log.clone())
        .init();
    let outbound = outbound();
    // In two cases the embedder puts the API key into the base URL, which is not secret.
    let given_away = |name: &str| {
        ["invalid_base_url_is_rejected.user", "invalid_base_url_is_rejected.query"].contains(&name)
    };
    let cases: Vec<_> =
        Case::faults().unwrap().iter().filter(|case| !given_away(&case.name)).collect();
    let count = |counter: &AtomicUsize| counter.load(Ordering::Relaxed);
    let components = [PLUGIN, PLUGIN_P3, PLUGIN_SANS_IO].map(async |component| {
        let kept = Arc::new(Found::default());
        let plugin = load(&kept, component);
        let unkept: Vec<Verdict> = futures_util::stream::iter(&cases)
            .map(async |case| {
                run::run(case, Subject::Held(&plugin), &outbound, Chunking::Whole).await.unwrap()
            })
            .buffer_unordered(10)
            .filter(|verdict| std::future::ready(!verdict.passed()))
            .collect()
            .await;
        assert!(unkept.is_empty(), "{unkept:#?}");
        drop(plugin);
        looked_through(&kept).await;
        // The placeholder proves that the search covered the place where a key would be.
        assert!(count(&kept.placeholders) > 500, "{}", count(&kept.placeholders));
        assert_eq!(count(&kept.keys), 0, "the key is in a component's memory");
    });
    join_all(components).await;
    assert!(count(&logged.looked_at) > 1_000_000, "{}", count(&logged.looked_at));
    assert_eq!(count(&logged.keys), 0, "the key is in the log");
}

/// Gives the API key to the component and asserts that the search finds it.
#[tokio::test]
async fn key_in_memory_would_be_found() {
    let case = Case::all().unwrap().iter().find(|case| case.expect.name() == "ok").unwrap();
    for component in [PLUGIN, PLUGIN_P3, PLUGIN_SANS_IO] {
        let kept = Arc::new(Found::default());
        let plugin = load(&kept, component);
        let subject = Subject::Component(&plugin, &[]);
        let verdict = run::run(case, subject, &outbound(), Chunking::Whole).await;
        assert!(verdict.unwrap().passed());
        drop(plugin);
        looked_through(&kept).await;
        assert_eq!(kept.keys.load(Ordering::Relaxed), 1);
    }
}
