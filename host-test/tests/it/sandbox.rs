//! The host with hostile components: typed errors, enforced limits, and a protected API key. The
//! call after a hostile call works.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use bytes::Bytes;
use cpu_time::ThreadTime;
use http::Request;
use http_body_util::{BodyExt, Empty};
use wasmtime_wasi_http::p2::bindings::http::types::Scheme;

use crate::common::log::Captured;
use crate::common::{KEY, Kind, cached, message};
use messaging_components::{HOSTILE, HOSTILE_P3};
use messaging_core::secret::ApiKey;
use messaging_host::outbound::Trust;
use messaging_host::webhook::WebhookConfig;
use messaging_host::{
    AllowList, CallError, Host, Limit, Limits, Outbound, Plugin, PluginConfig, Webhook, wit,
};
use messaging_simulator::service::{Answer, Options, Service};

fn limits() -> Limits {
    Limits {
        cpu: Duration::from_millis(200),
        wall: Duration::from_secs(10),
        instances: 16,
        ..Limits::default()
    }
}

fn host() -> Host {
    cached(Host::new(limits()).unwrap())
}

/// Starts a service and a hostile component. The host has the API key of the service.
async fn setup() -> (Service, Plugin) {
    let service = Service::start(Options::new(KEY)).await.unwrap();
    let base = service.base_url();
    let config = crate::common::config(&[("MESSAGING_BASE_URL", &base)], Some(KEY));
    let plugin = Plugin::load(&host(), HOSTILE, config).unwrap();
    (service, plugin)
}

/// Loads a hostile component in the host for each version of WASI.
fn in_each_host(limits: Limits, config: &PluginConfig) -> [Plugin; 2] {
    [(Kind::P2, HOSTILE), (Kind::P3, HOSTILE_P3)]
        .map(|(kind, bytes)| Plugin::load(&kind.host(limits), bytes, config.clone()).unwrap())
}

async fn run(plugin: &Plugin, command: &str) -> Result<String, CallError> {
    let request = wit::MessageRequest { message: command.into(), ..message("+34600111222") };
    Ok(plugin.send_message(&request).await?.unwrap().json)
}

#[tokio::test]
async fn spinning_component_delays_no_other_call() {
    let (_service, hostile) = setup().await;
    let spinning: Vec<_> = (0..4)
        .map(|_| {
            let hostile = hostile.clone();
            tokio::spawn(async move { run(&hostile, "spin").await })
        })
        .collect();
    // All tasks share one thread. If a call did not yield, no other task could run.
    assert_eq!(run(&hostile, "log still here").await.unwrap(), "");
    for call in spinning {
        assert!(matches!(call.await.unwrap(), Err(CallError::Limit(Limit::Cpu))));
    }
}

#[tokio::test]
async fn on_demand_instances_equal_pooled_ones() {
    let host = cached(Host::on_demand(Limits::default()).unwrap());
    assert!(!host.is_pooling());
    let plugin = Plugin::load(&host, HOSTILE, crate::common::config(&[], None)).unwrap();
    assert!(matches!(run(&plugin, "allocate").await, Err(CallError::Limit(Limit::Memory))));
    assert_eq!(run(&plugin, "log hello").await.unwrap(), "");
}

#[test]
fn api_key_in_settings_is_rejected() {
    for key in [None, Some(ApiKey::new(KEY.into()).unwrap())] {
        let outbound = Outbound::new(AllowList::deny_all(), Trust::Public).unwrap();
        let settings = vec![("MESSAGING_API_KEY".to_string(), KEY.to_string())];
        let error = PluginConfig::new(settings, key, outbound).err().unwrap();
        assert_eq!(error, messaging_host::KeyInSettings);
        assert!(!error.to_string().contains(KEY));
    }
}

#[tokio::test]
async fn key_goes_only_to_its_origin() {
    let foreign = Service::start(Options::new(KEY)).await.unwrap();
    let service = Service::start(Options::new(KEY)).await.unwrap();
    let (base, other) = (service.base_url(), foreign.base_url());
    let allow = AllowList::parse([base.as_str(), other.as_str()]).unwrap();
    let outbound = Outbound::new(allow, Trust::Public).unwrap();
    let settings = vec![("MESSAGING_BASE_URL".to_string(), base.clone())];
    let key = ApiKey::new(KEY.into()).unwrap();
    let config = PluginConfig::new(settings, Some(key), outbound).unwrap();
    let denied = "HttpRequestDenied";
    for (number, plugin) in in_each_host(limits(), &config).iter().enumerate() {
        let get = async |command: &str| run(plugin, command).await.unwrap();
        assert!(get(&format!("all {other}/v1/waba/templates")).await.contains(denied));
        assert!(
            get(&format!("get-with-key-in-cookie {base}/v1/waba/templates")).await.contains(denied)
        );
        get(&format!("get-with-key-in-query {base}/v1/waba/templates")).await;
        assert!(foreign.ledger().requests.is_empty(), "the other origin got a request");
        let requests = service.ledger().requests;
        assert_eq!(requests.len(), number + 1);
        let query = requests[number].query.as_deref().unwrap();
        assert!(requests[number].authorized, "{query}");
        assert!(query.starts_with("key=placeholder-") && !query.contains(KEY), "{query}");
    }
}

#[tokio::test]
async fn other_destinations_are_denied_in_any_spelling() {
    let (service, plugin) = setup().await;
    let port = service.address().port();
    let foreign = Service::start(Options::new(KEY)).await.unwrap();
    for url in [
        foreign.base_url(),
        format!("http://localhost:{port}"),
        format!("http://127.0.0.2:{port}"),
        format!("http://[::1]:{port}"),
        format!("http://0.0.0.0:{port}"),
        format!("http://2130706433:{port}"),
        format!("https://127.0.0.1:{port}"),
        format!("http://user@127.0.0.1:{port}"),
        "http://127.0.0.1".to_string(),
        "http://169.254.169.254".to_string(),
        "file:///etc/passwd".to_string(),
    ] {
        let said = run(&plugin, &format!("get {url}/v1/waba/templates")).await.unwrap();
        assert!(!said.starts_with("status"), "{url}: {said}");
    }
    assert!(service.ledger().requests.is_empty() && foreign.ledger().requests.is_empty());
}

/// Delivers a command to a hostile webhook.
async fn deliver(webhook: &Webhook, command: &str) -> Result<String, CallError> {
    let request = Request::post("http://localhost/").header("x-command", command);
    let request = request.body(Empty::<Bytes>::new()).unwrap();
    let answer = webhook.handle(Scheme::Http, request).await?;
    let body = answer.into_body().collect().await.unwrap().to_bytes();
    Ok(String::from_utf8(body.to_vec()).unwrap())
}

#[tokio::test]
async fn excess_log_output_is_dropped() {
    let (_service, plugin) = setup().await;
    let webhook = Webhook::load(&host(), HOSTILE, WebhookConfig::default()).unwrap();
    for command in ["log-on", "log-letters"] {
        for by_plugin in [true, false] {
            let captured = Captured::start();
            let ended = match by_plugin {
                true => run(&plugin, command).await,
                false => deliver(&webhook, command).await,
            };
            let log = captured.text();
            assert!(matches!(ended, Err(CallError::Limit(Limit::Cpu))), "{command}: {ended:?}");
            assert_eq!(log.matches("exceeds the log limit of a call").count(), 1, "{command}");
            // The limit includes the log prefix of each line and the line that reports the limit.
            let most = limits().log_bytes + 256;
            assert!(log.len() as u64 <= most, "{command}: {} bytes", log.len());
            assert!(log.len() as u64 > most / 3, "{command}: {} bytes", log.len());
        }
    }
}

#[tokio::test]
async fn webhook_answer_is_limited_to_64_kib() {
    let webhook = Webhook::load(&host(), HOSTILE, WebhookConfig::default()).unwrap();
    let largest = deliver(&webhook, "say 65536").await.unwrap();
    assert_eq!(largest.len(), 65_536);
    let larger = deliver(&webhook, "say 65537").await;
    assert!(
        matches!(&larger, Err(CallError::Trap(why)) if why.contains("no answer")),
        "{larger:?}"
    );
    assert_eq!(deliver(&webhook, "say 3").await.unwrap(), "xxx");
}

/// Each delivery uses more than half of the limits of a call.
#[tokio::test]
async fn each_delivery_has_full_budget() {
    let limits = Limits { memory_bytes: 8 * 1024 * 1024, ..limits() };
    let config = WebhookConfig { requests_per_instance: 1_000, ..WebhookConfig::default() };
    let webhook = Webhook::load(&cached(Host::new(limits).unwrap()), HOSTILE, config).unwrap();
    for _ in 0..20 {
        assert_eq!(deliver(&webhook, "draw 40000").await.unwrap(), "40000");
    }
    let over = deliver(&webhook, "draw 70000").await;
    assert!(matches!(over, Err(CallError::Limit(Limit::Random))), "{over:?}");
    // A new instance replaces the failed instance.
    assert_eq!(deliver(&webhook, "draw 40000").await.unwrap(), "40000");
    let mut kept = 0;
    let over = loop {
        match deliver(&webhook, "keep 1000000").await {
            Ok(_) => kept += 1,
            Err(error) => break error,
        }
        assert!(kept < 100, "the memory has no limit");
    };
    assert!(matches!(over, CallError::Limit(Limit::Memory)), "{over:?}");
    assert!(kept >= 5, "{kept}");
    assert_eq!(deliver(&webhook, "keep 1000000").await.unwrap(), "1000000");
}

/// A single thread does all the work, so the CPU time of the thread is the CPU time of the call.
#[tokio::test]
async fn processor_time_is_limited_everywhere() {
    const LIMIT: Duration = Duration::from_millis(200);
    let (_service, plugin) = setup().await;
    let config = PluginConfig::open(vec![], plugin.config().outbound().clone());
    let plugin_p3 = Plugin::load(&Kind::P3.host(limits()), HOSTILE_P3, config).unwrap();
    let webhook = Webhook::load(&host(), HOSTILE, WebhookConfig::default()).unwrap();
    let bounded = |name: &str, ended: Result<String, CallError>, before: ThreadTime| {
        let spent = before.elapsed();
        assert!(matches!(ended, Err(CallError::Limit(Limit::Cpu))), "{name}: {ended:?}");
        assert!(spent > LIMIT / 2 && spent < LIMIT * 5 / 2, "{name}: {spent:?}");
    };
    for command in ["spin", "poll", "clocks-over", "headers-over", "log-on", "log-letters"] {
        let before = ThreadTime::now();
        bounded(command, run(&plugin, command).await, before);
        let before = ThreadTime::now();
        bounded(command, deliver(&webhook, command).await, before);
    }
    for command in ["spin", "headers-over"] {
        let before = ThreadTime::now();
        bounded(command, run(&plugin_p3, command).await, before);
    }
}

#[tokio::test]
async fn connections_of_call_are_limited() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    let accepted = Arc::new(AtomicUsize::new(0));
    let counting = Arc::clone(&accepted);
    let accepting = tokio::spawn(async move {
        let mut held = Vec::new();
        while let Ok((connection, _)) = listener.accept().await {
            held.push(connection);
            counting.fetch_add(1, Ordering::Relaxed);
        }
    });
    let wall = Duration::from_millis(500);
    let limits = Limits { wall, resources: 2_000, ..Limits::default() };
    let config = crate::common::config(&[("MESSAGING_BASE_URL", &base)], None);
    let plugin = Plugin::load(&cached(Host::new(limits).unwrap()), HOSTILE, config).unwrap();
    // The component starts 300 concurrent requests, then waits for one of them.
    let ended = run(&plugin, &format!("requests-at-once {base}/")).await;
    assert!(matches!(ended, Err(CallError::Limit(Limit::Wall))), "{ended:?}");
    accepting.abort();
    let most = usize::try_from(limits.concurrent_requests).unwrap();
    assert_eq!(accepted.load(Ordering::Relaxed), most);
}

#[tokio::test]
async fn waiting_component_start_is_stopped() {
    let limits = Limits { wall: Duration::from_millis(500), ..Limits::default() };
    let environment = vec![("HOSTILE_START".to_string(), "wait".to_string())];
    let outbound = Outbound::new(AllowList::deny_all(), Trust::Public).unwrap();
    let config = PluginConfig::open(environment, outbound);
    let plugin = Plugin::load(&cached(Host::new(limits).unwrap()), HOSTILE, config).unwrap();
    // The component would wait for 90 s while it starts, before any call.
    let started = Instant::now();
    let ended = plugin.instance().await.err().unwrap();
    assert!(matches!(ended, CallError::Limit(Limit::Wall)), "{ended:?}");
    assert!(started.elapsed() < Duration::from_secs(30), "{:?}", started.elapsed());
}

#[tokio::test]
async fn component_output_is_logged_printable() {
    let captured = Captured::start();
    let (_service, hostile) = setup().await;
    run(&hostile, "log a line\u{1b}[31m from the component").await.unwrap();
    let log = captured.text();
    assert!(log.contains("a line\\u{1b}[31m from the component"), "{log}");
}

/// A component that has sent a message may claim that nothing was sent. A caller that believed this
/// claim would send the message again.
#[tokio::test]
async fn false_claim_of_no_send_is_corrected() {
    let (service, plugin) = setup().await;
    let url = format!("{}/v1/messages", service.base_url());
    let claim = async |plugin: &Plugin, command: &str, claim: &str| {
        let device = Some(claim.to_string());
        let request =
            wit::MessageRequest { message: command.into(), device, ..message("+34600111222") };
        plugin.send_message(&request).await.unwrap().unwrap_err()
    };
    let post = format!("post {url}");
    for (number, said) in
        ["not-sent", "invalid-input", "denied", "unavailable", "refused"].into_iter().enumerate()
    {
        let error = claim(&plugin, &post, said).await;
        let wit::Error::PermanentOutcomeUnknown(unknown) = &error else { panic!("{error:?}") };
        assert!(unknown.detail.contains(said), "{unknown:?}");
        assert_eq!(service.ledger().messages.len(), number + 1);
    }
    // The claim is accepted if the service rejected the message, or if the request was a read.
    service.script(Answer::reply(false, 400, &[], "{}"));
    assert!(matches!(claim(&plugin, &post, "not-sent").await, wit::Error::NotSent(_)));
    let get = format!("get {}/v1/waba/templates", service.base_url());
    assert!(matches!(claim(&plugin, &get, "not-sent").await, wit::Error::NotSent(_)));
    // With `without_call_checks`, the host returns the component's claim unchanged.
    let judged = plugin.with_config(plugin.config().clone().without_call_checks());
    assert!(matches!(claim(&judged, &post, "not-sent").await, wit::Error::NotSent(_)));
    // A request at the start of an instance counts for its first call, but not for later calls.
    let base = service.base_url();
    let start = [("MESSAGING_BASE_URL", base.as_str()), ("HOSTILE_START", post.as_str())];
    let starting = plugin.with_config(crate::common::config(&start, Some(KEY)));
    let mut instance = starting.instance().await.unwrap();
    let request = wit::MessageRequest { device: Some("denied".into()), ..message("x") };
    for unknown in [true, false] {
        let error = instance.send_message(&request).await.unwrap().unwrap_err();
        let is_unknown = matches!(error, wit::Error::PermanentOutcomeUnknown(_));
        assert_eq!(is_unknown, unknown, "{error:?}");
    }
}
