//! Calls to components that keep a store. A call can stop at any point. The next call uses a fresh
//! instance, as after the end of the host process. `cargo verify ordinary --kills` tests the hosts'
//! own stores.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use bytes::Bytes;
use futures_util::{StreamExt, stream};
use http::Request;
use http_body_util::Full;
use messaging_components::{PLUGIN_ONCE_FILES, PLUGIN_ONCE_HTTP, WEBHOOK_FILES, WEBHOOK_KEYVALUE};
use messaging_conformance::once::{KEY, OverHttp};
use messaging_host::once::wit::{MessageRequest, OnceError};
use messaging_host::once::{self, OnceConfig, SendOnce};
use messaging_host::outbound::Trust;
use messaging_host::webhook::{Webhook, WebhookConfig};
use messaging_host::{AllowList, ApiKey, Host, Limits, Origin, Outbound, PluginConfig};
use messaging_simulator::service::{Options, Service};
use serde_json::Value;
use wasmtime_wasi_http::p2::bindings::http::types::Scheme;

use crate::common::cached;
use crate::memory::Memory;

/// Number of concurrent sends. Most of them wait until the intent of a stopped call expires.
const AT_ONCE: usize = 200;
/// Delay before a call is repeated.
const PAUSE: Duration = Duration::from_millis(500);

fn host() -> &'static Host {
    static HOST: OnceLock<Host> = OnceLock::new();
    HOST.get_or_init(|| {
        cached(Host::new(Limits { instances: 512, parts: 3, ..Limits::default() }).unwrap())
    })
}

/// Counts the points at which the guest calls the host or the host returns, and stops the guest at
/// a chosen point.
#[derive(Clone, Default)]
struct Points {
    passed: Arc<AtomicUsize>,
    /// Number of the point at which to stop; 0 never stops.
    stop: usize,
}

impl Points {
    fn stopping_at(stop: usize) -> Self {
        Self { stop, ..Self::default() }
    }

    fn hook(&self) -> Arc<dyn Fn() + Send + Sync> {
        let points = self.clone();
        Arc::new(move || {
            if points.passed.fetch_add(1, Ordering::SeqCst) + 1 == points.stop {
                // Ends the task without a panic message. The guest never continues.
                std::panic::resume_unwind(Box::new("stopped"));
            }
        })
    }

    fn passed(&self) -> usize {
        self.passed.load(Ordering::SeqCst)
    }
}

/// Delivers an event, its redelivery, and another event under the same key. Returns the number of
/// 200 answers before the first delivery that stopped.
async fn deliver_all(webhook: &Webhook) -> usize {
    for (answered, id) in ["m-1", "m-1", "m-2"].into_iter().enumerate() {
        let body = format!(r#"{{"id":"{id}","object":"message","event":"message:in:new"}}"#);
        let request = Request::post("http://localhost/")
            .header("content-type", "application/json")
            .header("x-idempotency-key", "evt-1")
            .body(Full::new(Bytes::from(body)))
            .unwrap();
        let webhook = webhook.clone();
        let called = tokio::spawn(async move { webhook.handle(Scheme::Http, request).await }).await;
        match called {
            Ok(answer) => assert_eq!(answer.unwrap().status(), 200),
            Err(stopped) => {
                assert!(stopped.is_panic(), "{stopped}");
                return answered;
            }
        }
    }
    3
}

/// An inbox that a component keeps in a directory or a key-value store.
#[derive(Clone, Copy)]
struct Inbox {
    component: &'static [u8],
    config: fn(&Path, &Memory) -> WebhookConfig,
    /// Returns the message IDs of all stored events, including conflicting events.
    kept: fn(&Path, &Memory) -> Vec<String>,
}

fn id_of(value: &[u8]) -> String {
    let event: Value = serde_json::from_slice(value).unwrap();
    event["message-id"].as_str().unwrap().to_string()
}

fn in_files(folder: &Path) -> Vec<String> {
    let files = ["events", "conflict"].map(|part| std::fs::read_dir(folder.join(part)));
    let files = files.into_iter().flatten().flatten();
    files.map(|file| id_of(&std::fs::read(file.unwrap().path()).unwrap())).collect()
}

fn in_memory(store: &Memory) -> Vec<String> {
    let events = store.keys().into_iter().filter(|key| key.starts_with("event."));
    events.map(|key| id_of(&store.value(&key).unwrap())).collect()
}

fn environment() -> Vec<(String, String)> {
    vec![("MESSAGING_WEBHOOK_ALLOW_UNVERIFIED".into(), "true".into())]
}

const IN_FILES: Inbox = Inbox {
    component: WEBHOOK_FILES,
    config: |folder, _| WebhookConfig {
        environment: environment(),
        folder: Some(folder.into()),
        ..WebhookConfig::default()
    },
    kept: |folder, _| in_files(folder),
};

const IN_BUCKETS: Inbox = Inbox {
    component: WEBHOOK_KEYVALUE,
    config: |_, store| WebhookConfig {
        environment: environment(),
        keyvalue: Some(Arc::new(store.clone())),
        ..WebhookConfig::default()
    },
    kept: |_, store| in_memory(store),
};

fn sorted(mut ids: Vec<String>) -> Vec<String> {
    ids.sort();
    ids
}

async fn assert_stores_once(inbox: Inbox) {
    let compiled = Webhook::load(host(), inbox.component, WebhookConfig::default()).unwrap();
    let on = |folder: &Path, store: &Memory, points: &Points| {
        let config = (inbox.config)(folder, store);
        compiled.with_config(config).with_hook(points.hook())
    };
    let (folder, store) = (tempfile::tempdir().unwrap(), Memory::default());
    let all = Points::default();
    assert_eq!(deliver_all(&on(folder.path(), &store, &all)).await, 3);
    assert!(all.passed() > 100, "{} points", all.passed());
    for point in 1..=all.passed() {
        let (folder, store) = (tempfile::tempdir().unwrap(), Memory::default());
        let points = Points::stopping_at(point);
        let answered = deliver_all(&on(folder.path(), &store, &points)).await;
        let kept = sorted((inbox.kept)(folder.path(), &store));
        let expected = [&["m-1", "m-2"][..], &["m-1"], &[]];
        // The first two deliveries are one event. The last delivery is another event.
        let possible = match answered {
            0 => &expected[1..],
            _ => &expected[..2],
        };
        assert!(possible.iter().any(|ids| kept == *ids), "{point}: {answered}, {kept:?}");
        // The event source redelivers the events that were not acknowledged.
        assert_eq!(deliver_all(&on(folder.path(), &store, &Points::default())).await, 3, "{point}");
        assert_eq!(sorted((inbox.kept)(folder.path(), &store)), ["m-1", "m-2"], "{point}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn stopped_files_inbox_stores_event_once() {
    assert_stores_once(IN_FILES).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn stopped_keyvalue_inbox_stores_event_once() {
    assert_stores_once(IN_BUCKETS).await;
}

/// Senders that share one journal.
struct Senders {
    plugin: once::Component,
    folder: tempfile::TempDir,
    over_http: Option<OverHttp>,
    service: Service,
}

impl Senders {
    async fn new(component: &[u8], folder: tempfile::TempDir, over_http: Option<OverHttp>) -> Self {
        let closed = Outbound::new(AllowList::deny_all(), Trust::Public).unwrap();
        let config = OnceConfig::new(PluginConfig::open(Vec::new(), closed));
        let plugin = once::Component::load(host(), component, config).unwrap();
        let service = Service::start(Options::new(KEY)).await.unwrap();
        Self { plugin, folder, over_http, service }
    }

    /// Sends under a key. Returns `None` if the call stopped.
    async fn send(&self, key: &str, points: &Points) -> Option<Result<String, OnceError>> {
        let base = self.service.base_url();
        let urls = [Some(&base), self.over_http.as_ref().map(|journal| &journal.url)];
        let allowed: Vec<_> =
            urls.into_iter().flatten().map(|url| Origin::parse(url).unwrap()).collect();
        let mut settings = vec![
            ("MESSAGING_BASE_URL".to_string(), base),
            ("MESSAGING_DEADLINE_MS".to_string(), "1000".to_string()),
        ];
        settings.extend(self.over_http.iter().flat_map(OverHttp::settings));
        let outbound = Outbound::new(AllowList::of_origins(&allowed), Trust::Public).unwrap();
        let key_of_account = ApiKey::new(KEY.to_string()).unwrap();
        let config = PluginConfig::new(settings, Some(key_of_account), outbound).unwrap();
        let plugin = self.plugin.with_config(OnceConfig {
            folder: Some(self.folder.path().into()),
            ..OnceConfig::new(config)
        });
        let plugin = plugin.with_hook(points.hook());
        let (key, request) = (key.to_string(), MessageRequest::new("+34600111222", key));
        let called = tokio::spawn(async move { plugin.send_once(&key, &request).await }).await;
        match called {
            Ok(answer) => Some(answer.unwrap().map(|created| created.id)),
            Err(stopped) => {
                assert!(stopped.is_panic(), "{stopped}");
                None
            }
        }
    }

    /// Stops a call at this point, then repeats the call until it has been answered three times.
    /// Returns true if the outcome is unknown.
    async fn assert_sends_once(&self, point: usize) -> bool {
        let key = format!("k-{point}");
        let mut points = Points::stopping_at(point);
        let mut answers = Vec::new();
        while answers.len() < 3 {
            match self.send(&key, &points).await {
                None => {}
                Some(Ok(id)) => answers.push(Some(id)),
                Some(Err(OnceError::PermanentOutcomeUnknown(_))) => answers.push(None),
                // Another call still holds the key, or the connection to the journal ended with the
                // stopped call.
                Some(Err(_)) => tokio::time::sleep(PAUSE).await,
            }
            points = Points::default();
        }
        let ledger = self.service.ledger();
        let ids =
            ledger.messages.iter().filter(|one| one.message.message == key).map(|one| &one.id);
        let ids: Vec<_> = ids.collect();
        assert!(ids.len() <= 1, "{point}: {ids:?}");
        let is_unknown = answers.iter().all(Option::is_none);
        let is_created =
            answers.iter().all(|id| id.is_some() && id.as_ref() == ids.first().copied());
        assert!(is_unknown || is_created, "{point}: {answers:?}, and {ids:?}");
        is_unknown
    }

    async fn assert_all_send_once(&self) {
        let all = Points::default();
        self.send("dry-run", &all).await.unwrap().unwrap();
        assert!(all.passed() > 100, "{} points", all.passed());
        let calls = stream::iter(1..=all.passed()).map(|point| self.assert_sends_once(point));
        let unknown: Vec<_> = calls.buffer_unordered(AT_ONCE).collect().await;
        let count = unknown.iter().filter(|is_unknown| **is_unknown).count();
        assert!(count > 0 && count < unknown.len(), "{count} of {} unknown", unknown.len());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn stopped_sender_with_files_sends_once() {
    let folder = tempfile::tempdir().unwrap();
    Senders::new(PLUGIN_ONCE_FILES, folder, None).await.assert_all_send_once().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn stopped_sender_over_http_sends_once() {
    let folder = tempfile::tempdir().unwrap();
    let (_server, journal) = crate::once::journal_server(folder.path());
    Senders::new(PLUGIN_ONCE_HTTP, folder, Some(journal)).await.assert_all_send_once().await;
}
