//! The host against components that misbehave: typed errors, limits held, the key
//! out of reach, and the next call works.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::io::Write;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use crate::common::{KEY, message};
use messaging_components::HOSTILE;
use messaging_core::secret::ApiKey;
use messaging_host::outbound::Trust;
use messaging_host::{
    AllowList, CallError, Host, Limit, Limits, LoadError, Outbound, Plugin, PluginConfig, wit,
};
use messaging_simulator::service::{Answer, Options, Service};

fn host() -> Host {
    let limits = Limits {
        cpu: Duration::from_millis(200),
        wall: Duration::from_secs(10),
        instances: 16,
        ..Limits::default()
    };
    Host::new(limits).unwrap()
}

/// A hostile component next to a service whose key the host holds.
async fn setup() -> (Service, Plugin) {
    let service = Service::start(Options::new(KEY)).await.unwrap();
    let base = service.base_url();
    let config = crate::common::config(&[("MESSAGING_BASE_URL", &base)], Some(KEY));
    let plugin = Plugin::load(&host(), HOSTILE, config).unwrap();
    (service, plugin)
}

async fn run(plugin: &Plugin, command: &str) -> Result<String, CallError> {
    let request = wit::MessageRequest { message: command.into(), ..message("+34600111222") };
    Ok(plugin.send_message(&request).await?.unwrap().json)
}

#[tokio::test]
async fn a_component_that_does_not_end_is_stopped_and_the_next_call_works() {
    let (_service, plugin) = setup().await;
    for round in 0..3 {
        assert!(matches!(run(&plugin, "spin").await, Err(CallError::Limit(Limit::Cpu))), "{round}");
        assert!(
            matches!(run(&plugin, "allocate").await, Err(CallError::Limit(Limit::Memory))),
            "{round}"
        );
        assert!(matches!(run(&plugin, "recurse").await, Err(CallError::Trap(_))), "{round}");
        assert!(matches!(run(&plugin, "trap").await, Err(CallError::Trap(_))), "{round}");
        assert!(matches!(run(&plugin, "exit").await, Err(CallError::Trap(_))), "{round}");
        assert_eq!(run(&plugin, "log hello").await.unwrap(), "", "{round}");
    }
}

#[tokio::test]
async fn a_spinning_component_holds_up_no_other_call() {
    let (_service, hostile) = setup().await;
    let spinning: Vec<_> = (0..4)
        .map(|_| {
            let hostile = hostile.clone();
            tokio::spawn(async move { run(&hostile, "spin").await })
        })
        .collect();
    // One thread runs all of this: without yielding, nothing else would ever run.
    assert_eq!(run(&hostile, "log still here").await.unwrap(), "");
    for call in spinning {
        assert!(matches!(call.await.unwrap(), Err(CallError::Limit(Limit::Cpu))));
    }
}

#[tokio::test]
async fn more_calls_than_instances_are_told_so() {
    let limits = Limits { instances: 2, ..Limits::default() };
    let host = Host::new(limits).unwrap();
    if !host.is_pooling() {
        return;
    }
    let plugin = Plugin::load(&host, HOSTILE, crate::common::config(&[], None)).unwrap();
    let _first = plugin.instance().await.unwrap();
    let second = plugin.instance().await.unwrap();
    assert!(matches!(plugin.instance().await, Err(CallError::Busy(_))));
    drop(second);
    assert!(plugin.instance().await.is_ok());
}

#[tokio::test]
async fn instances_on_demand_work_as_those_of_the_pool_do() {
    let host = Host::on_demand(Limits::default()).unwrap();
    assert!(!host.is_pooling());
    let plugin = Plugin::load(&host, HOSTILE, crate::common::config(&[], None)).unwrap();
    assert!(matches!(run(&plugin, "allocate").await, Err(CallError::Limit(Limit::Memory))));
    assert_eq!(run(&plugin, "log hello").await.unwrap(), "");
}

/// Of a component that is a plugin by its export: why it is not loaded.
fn refusal(import: &str) -> LoadError {
    let text = format!(
        r#"(component (import "{import}" (instance (export "x" (func))))
            (instance $i) (export "messaging:integration/messaging@0.2.0" (instance $i)))"#
    );
    let bytes = wat::parse_str(text).unwrap();
    Plugin::load(&host(), &bytes, crate::common::config(&[], None)).err().unwrap()
}

#[test]
fn a_component_that_imports_files_or_sockets_is_not_even_loaded() {
    for import in [
        "wasi:filesystem/types@0.2.0",
        "wasi:filesystem/preopens@0.2.0",
        "wasi:sockets/tcp-create-socket@0.2.6",
        "wasi:sockets/ip-name-lookup@0.2.6",
    ] {
        let error = refusal(import);
        assert!(matches!(error, LoadError::MissingImport(_)), "{error}");
        assert!(error.to_string().contains(import), "{error}");
        assert!(error.to_string().contains("no plugin gets files or sockets"), "{error}");
    }
}

#[tokio::test]
async fn the_component_never_sees_the_key() {
    let (service, plugin) = setup().await;
    let environment = run(&plugin, "environment").await.unwrap();
    assert!(environment.contains("placeholder-") && !environment.contains(KEY), "{environment}");
    // The service repeats the key in body and header: the host masks it.
    let echo = format!("{{\"you sent\":\"{KEY}\"}}");
    service.script(Answer::reply(false, 200, &[("x-echo", KEY)], &echo));
    let url = format!("{}/v1/waba/templates", service.base_url());
    let reply = run(&plugin, &format!("get {url}")).await.unwrap();
    assert!(
        reply.contains("you sent") && reply.contains("****") && !reply.contains(KEY),
        "{reply}"
    );
    assert!(service.ledger().requests[0].authorized, "the service got the real key");
}

#[tokio::test]
async fn the_key_goes_to_its_own_origin_in_its_own_header_alone() {
    let foreign = Service::start(Options::new(KEY)).await.unwrap();
    let service = Service::start(Options::new(KEY)).await.unwrap();
    let (base, other) = (service.base_url(), foreign.base_url());
    let allow = AllowList::parse([base.as_str(), other.as_str()]).unwrap();
    let outbound = Outbound::new(allow, Trust::Public).unwrap();
    let settings = vec![("MESSAGING_BASE_URL".to_string(), base.clone())];
    let key = ApiKey::new(KEY.into()).unwrap();
    let config = PluginConfig::new(settings, Some(key), outbound);
    let plugin = Plugin::load(&host(), HOSTILE, config).unwrap();
    let get = async |command: &str| run(&plugin, command).await.unwrap();
    let denied = "HttpRequestDenied";
    assert!(get(&format!("get {other}/v1/waba/templates")).await.contains(denied));
    assert!(
        get(&format!("get-with-key-in-cookie {base}/v1/waba/templates")).await.contains(denied)
    );
    get(&format!("get-with-key-in-query {base}/v1/waba/templates")).await;
    assert!(foreign.ledger().requests.is_empty(), "not even the placeholder left");
    let ledger = format!("{:?}", service.ledger());
    assert!(!ledger.contains(KEY), "a query carries the placeholder at most: {ledger}");
}

#[tokio::test]
async fn other_destinations_are_denied_whatever_they_are_called() {
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

#[derive(Clone, Default)]
struct Captured(Arc<Mutex<Vec<u8>>>);

impl Write for Captured {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn log_output_beyond_the_budget_is_dropped_and_reported_once() {
    let captured = Captured::default();
    let writer = captured.clone();
    let subscriber = tracing_subscriber::fmt().with_writer(move || writer.clone()).finish();
    let guard = tracing::subscriber::set_default(subscriber);
    let (_service, plugin) = setup().await;
    assert!(matches!(run(&plugin, "log-on").await, Err(CallError::Limit(Limit::Cpu))));
    drop(guard);
    let log = String::from_utf8(captured.0.lock().unwrap().clone()).unwrap();
    assert_eq!(log.matches("more than is logged of a call").count(), 1);
    // The prefix of each line is short.
    assert!(log.len() < 128 * 1024, "{} bytes", log.len());
}

#[tokio::test]
async fn a_call_holds_no_more_connections_than_it_may() {
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
    let plugin = Plugin::load(&Host::new(limits).unwrap(), HOSTILE, config).unwrap();
    // Three hundred at once, and then it waits for one of them.
    let ended = run(&plugin, &format!("requests-at-once {base}/")).await;
    assert!(matches!(ended, Err(CallError::Limit(Limit::Wall))), "{ended:?}");
    accepting.abort();
    let most = usize::try_from(limits.concurrent_requests).unwrap();
    assert_eq!(accepted.load(Ordering::Relaxed), most);
}

#[tokio::test]
async fn a_component_that_waits_while_it_starts_is_stopped() {
    let limits = Limits { wall: Duration::from_millis(500), ..Limits::default() };
    let environment = vec![("HOSTILE_START".to_string(), "wait".to_string())];
    let outbound = Outbound::new(AllowList::deny_all(), Trust::Public).unwrap();
    let config = PluginConfig::open(environment, outbound);
    let plugin = Plugin::load(&Host::new(limits).unwrap(), HOSTILE, config).unwrap();
    // It would wait for 90 s.
    let started = Instant::now();
    let ended = run(&plugin, "log hello").await;
    assert!(matches!(ended, Err(CallError::Limit(Limit::Wall))), "{ended:?}");
    assert!(started.elapsed() < Duration::from_secs(30), "{:?}", started.elapsed());
}

/// Everything that this process logs at the finest level, over every kind of call.
#[tokio::test]
async fn the_key_is_in_no_log_and_what_a_component_prints_is() {
    let captured = Captured::default();
    let writer = captured.clone();
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(tracing::Level::TRACE)
        .with_writer(move || writer.clone())
        .finish();
    let guard = tracing::subscriber::set_default(subscriber);
    let (service, hostile) = setup().await;
    run(&hostile, "log a line\u{1b}[31m from the component").await.unwrap();
    let base = service.base_url();
    let plugin = crate::common::plugin(&[("MESSAGING_BASE_URL", &base)], Some(KEY));
    let echo = format!("{{\"message\":\"{KEY}\"}}");
    let mut outcomes = String::new();
    for status in [201, 400, 401, 429, 500] {
        service.script(Answer::reply(false, status, &[("x-echo", KEY), ("location", KEY)], &echo));
        outcomes += &format!("{:?}", plugin.send_message(&message("+34600111222")).await);
        service.script(Answer::reply(false, status, &[("x-echo", KEY)], &echo));
        outcomes += &format!("{:?}", plugin.list_templates(&crate::common::query()).await);
    }
    run(&hostile, &format!("get http://127.0.0.1:1/{}", "x")).await.unwrap();
    drop(guard);
    let log = String::from_utf8(captured.0.lock().unwrap().clone()).unwrap();
    assert!(log.contains("a line\\u{1b}[31m from the component"), "made printable");
    assert!(log.contains("request denied"));
    assert!(!log.contains(KEY), "the key was logged");
    assert!(!outcomes.contains(KEY), "{outcomes}");
    assert!(service.ledger().requests.iter().all(|one| one.authorized));
}

/// Whoever believes it sends again.
#[tokio::test]
async fn a_component_that_sends_and_says_that_it_did_not_is_not_believed() {
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
    // A lie about the service's refusal creates nothing; nor does a read.
    service.script(Answer::reply(false, 400, &[], "{}"));
    assert!(matches!(claim(&plugin, &post, "not-sent").await, wit::Error::NotSent(_)));
    let get = format!("get {}/v1/waba/templates", service.base_url());
    assert!(matches!(claim(&plugin, &get, "not-sent").await, wit::Error::NotSent(_)));
    // Whoever judges the component hears what it says.
    let judged = plugin.with_config(plugin.config().clone().believing());
    assert!(matches!(claim(&judged, &post, "not-sent").await, wit::Error::NotSent(_)));
    // The next call of an instance is another matter, and what is sent at the start is not.
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

/// The mask stands before the plugin, which would refuse such an identifier.
#[tokio::test]
async fn an_identifier_that_is_the_key_is_no_identifier() {
    let service = Service::start(Options::new(KEY)).await.unwrap();
    let base = service.base_url();
    let plugin = crate::common::plugin(&[("MESSAGING_BASE_URL", &base)], Some(KEY));
    for id in [KEY.to_string(), KEY.replace('c', "\\u0063")] {
        service.script(Answer::reply(true, 201, &[], &format!("{{\"id\":\"{id}\"}}")));
        let error = plugin.send_message(&message("+34600111222")).await.unwrap().unwrap_err();
        let wit::Error::PermanentOutcomeUnknown(unknown) = error else { panic!("{error:?}") };
        assert!(unknown.status == Some(201) && unknown.detail.contains("its id"), "{unknown:?}");
    }
}
