//! The plugin for WASI 0.3: the same promises as the plugin for 0.2, and many calls at
//! once in one instance.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

#[path = "it/common/mod.rs"]
mod common;
#[path = "p3/keyvalue.rs"]
mod keyvalue;
#[path = "p3/once.rs"]
mod once;
#[path = "p3/wasmcloud.rs"]
mod wasmcloud;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::Bytes;
use common::{KEY, cached, message, query};
use futures_util::StreamExt;
use http_body_util::{BodyExt, Full};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use messaging_components::{PLUGIN, PLUGIN_P3};
use messaging_core::origin::Origin;
use messaging_core::secret::ApiKey;
use messaging_host::inspect::Inspection;
use messaging_host::outbound::{Answer, Transport, Trust};
use messaging_host::wit::{Error, Stage};
use messaging_host::{
    AllowList, CallError, Host, Limit, Limits, LoadError, Outbound, Plugin, PluginConfig, p3,
};
use messaging_simulator::faults::Chunking;
use messaging_simulator::service::{self, Options, Service};
use messaging_verify::conformance::Case;
use messaging_verify::conformance::run::{self, Subject};
use tokio::sync::{Barrier, Semaphore};
use tokio::task::JoinSet;
use wasmtime_wasi_http::WasiBody;

const CUSTOMER: &str = "+34600111222";
/// A test number: the message is created, and no answer ever comes.
const SILENT: &str = "+99900002002";

fn load(limits: Limits, config: PluginConfig) -> p3::Plugin {
    p3::Plugin::load(&cached(Host::concurrent(limits).unwrap()), PLUGIN_P3, config).unwrap()
}

/// An instance set up for a service, with the key outside.
async fn instance(service: &Service, limits: Limits, deadline_ms: &str) -> p3::Instance {
    let base = service.base_url();
    let settings = [("MESSAGING_BASE_URL", &*base), ("MESSAGING_DEADLINE_MS", deadline_ms)];
    load(limits, common::config(&settings, Some(KEY))).instance().await.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_case_and_every_fault_holds_whole_and_byte_by_byte() {
    let outbound = Outbound::new(AllowList::deny_all(), Trust::Public).unwrap();
    let plugin = load(Limits::default(), PluginConfig::open(vec![], outbound.clone()));
    let cases = Case::faults().unwrap();
    assert!(cases.len() > Case::all().unwrap().len());
    let paced = cases.iter().flat_map(|case| [(case, Chunking::Whole), (case, Chunking::Bytes)]);
    let subject = Subject::Concurrent(&plugin, &[]);
    let run = async |(case, chunking)| {
        (chunking, run::run(case, subject, &outbound, chunking).await.unwrap())
    };
    let unkept: Vec<_> = futures_util::stream::iter(paced)
        .map(run)
        .buffer_unordered(32)
        .filter(|(_, verdict)| std::future::ready(!verdict.passed()))
        .collect()
        .await;
    assert!(unkept.is_empty(), "{unkept:#?}");
}

/// The mask stands before the plugin, which would refuse such an identifier.
#[tokio::test]
async fn an_identifier_that_is_the_key_is_no_identifier() {
    let service = Service::start(Options::new(KEY)).await.unwrap();
    let instance = instance(&service, Limits::default(), "5000").await;
    for id in [KEY.to_string(), KEY.replace('c', "\\u0063")] {
        service.script(service::Answer::reply(true, 201, &[], &format!("{{\"id\":\"{id}\"}}")));
        let error = instance.send_message(&message(CUSTOMER)).await.unwrap().unwrap_err();
        let Error::PermanentOutcomeUnknown(unknown) = error else { panic!("{error:?}") };
        assert!(unknown.status == Some(201) && unknown.detail.contains("its id"), "{unknown:?}");
    }
}

/// A runtime of one thread that sleeps is a process that is stopped.
#[tokio::test]
async fn a_refusal_in_hand_outlives_a_stop_past_every_deadline() {
    let service = Service::start(Options::new(KEY)).await.unwrap();
    let limits = Limits { wall: Duration::from_millis(1_600), ..Limits::default() };
    for _ in 0..2 {
        let instance = instance(&service, limits, "1500").await;
        service.script(service::Answer::reply(true, 429, &[("retry-after", "1")], "{}"));
        let before = service.ledger().requests.len();
        let request = message(CUSTOMER);
        let call = instance.send_message(&request);
        let stopped = async {
            while service.ledger().requests.len() == before {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
            // The reply is read, and the plugin waits before it asks again.
            tokio::time::sleep(Duration::from_millis(300)).await;
            std::thread::sleep(Duration::from_millis(1_800));
        };
        let (said, ()) = tokio::join!(call, stopped);
        assert!(matches!(said, Ok(Err(Error::RateLimited(_)))), "{said:?}");
    }
}

/// A network that lets nothing through until `gate` requests are under way at once.
struct Gated {
    gate: Barrier,
    places: Semaphore,
    client: Client<HttpConnector, Full<Bytes>>,
}

struct Network(Arc<Gated>);

impl Transport for Network {
    fn send(&self, request: http::Request<WasiBody>) -> Answer {
        let network = Arc::clone(&self.0);
        Box::pin(async move {
            let (head, body) = request.into_parts();
            let body = body.collect().await?.to_bytes();
            network.gate.wait().await;
            // Few connections: this machine's limit of open files is not what is tested.
            let _place = network.places.acquire().await.unwrap();
            let request = http::Request::from_parts(head, Full::new(body));
            let (head, body) = network.client.request(request).await.unwrap().into_parts();
            let body = body.collect().await.unwrap().to_bytes();
            let body = Full::new(body).map_err(|never| match never {}).boxed_unsync();
            Ok(http::Response::from_parts(head, body))
        })
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thousand_calls_in_flight_in_one_instance_make_a_thousand_messages() {
    const CALLS: usize = 1_000;
    let service = Service::start(Options::new(KEY)).await.unwrap();
    let base = service.base_url();
    let network = Network(Arc::new(Gated {
        gate: Barrier::new(CALLS),
        places: Semaphore::new(32),
        client: Client::builder(TokioExecutor::new()).build_http(),
    }));
    let allow = AllowList::of_origin(&Origin::parse(&base).unwrap());
    let outbound = Outbound::over(allow, Arc::new(network));
    let key = ApiKey::new(KEY.into()).unwrap();
    let settings = vec![("MESSAGING_BASE_URL".into(), base)];
    let config = PluginConfig::new(settings, Some(key), outbound).unwrap();
    let plugin = load(Limits::default(), config);
    let instance = plugin.instance().await.unwrap();

    let mut calls = JoinSet::new();
    for number in 0..CALLS {
        let (instance, phone) = (instance.clone(), format!("+34600{number:06}"));
        calls.spawn(async move {
            let created = instance.send_message(&message(&phone)).await.unwrap().unwrap();
            (phone, created.id)
        });
    }
    let created: BTreeMap<_, _> = calls.join_all().await.into_iter().collect();
    assert_eq!(created.len(), CALLS);
    let ledger = service.ledger();
    assert_eq!((ledger.posts(), ledger.messages.len()), (CALLS, CALLS));
    assert!(ledger.requests.iter().all(|request| request.authorized));
    // Each once, and each caller got the answer to its own.
    let kept = ledger.messages.into_iter().map(|kept| (kept.message.phone, kept.id));
    assert_eq!(kept.collect::<BTreeMap<_, _>>(), created);
    assert_eq!(instance.in_flight(), 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_call_ends_with_its_deadline_while_others_go_on() {
    const DEADLINE: Duration = Duration::from_millis(600);
    let service = Service::start(Options::new(KEY)).await.unwrap();
    let instance = instance(&service, Limits::default(), "600").await;
    let started = Instant::now();
    let late = tokio::spawn({
        let instance = instance.clone();
        async move { (instance.send_message(&message(SILENT)).await, started.elapsed()) }
    });
    let mut sent = 0;
    while !late.is_finished() {
        instance.send_message(&message(CUSTOMER)).await.unwrap().unwrap();
        sent += 1;
    }
    let (result, elapsed) = late.await.unwrap();
    let Error::PermanentOutcomeUnknown(unknown) = result.unwrap().unwrap_err() else { panic!() };
    assert_eq!((unknown.stage, unknown.status), (Stage::AwaitingReply, None));
    assert!(elapsed >= DEADLINE && elapsed < DEADLINE * 3, "{elapsed:?}");
    assert!(sent > 1);
    let page = instance.list_templates(&query()).await.unwrap().unwrap();
    assert!(!page.templates.is_empty());
    let messages = service.ledger().messages;
    let to = |phone| messages.iter().filter(|kept| kept.message.phone == phone).count();
    assert_eq!((to(SILENT), to(CUSTOMER)), (1, sent));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_end_of_an_instance_ends_each_call_in_it_and_the_next_instance_works() {
    let service = Service::start(Options::new(KEY)).await.unwrap();
    let limits = Limits { memory_bytes: 2 * 1024 * 1024, ..Limits::default() };
    let base = service.base_url();
    let plugin = load(limits, common::config(&[("MESSAGING_BASE_URL", &base)], Some(KEY)));
    let instance = plugin.instance().await.unwrap();
    let waiting = tokio::spawn({
        let instance = instance.clone();
        async move { instance.send_message(&message(SILENT)).await }
    });
    while service.ledger().posts() == 0 {
        tokio::task::yield_now().await;
    }
    let large =
        messaging_host::wit::MessageRequest { message: "x".repeat(4_000_000), ..message(CUSTOMER) };
    let ended = instance.send_message(&large).await;
    assert!(matches!(ended, Err(CallError::Limit(Limit::Memory))), "{ended:?}");
    // Long before its deadline of 30 s.
    let ended = waiting.await.unwrap();
    assert!(matches!(ended, Err(CallError::Limit(Limit::Memory))), "{ended:?}");
    let spent = instance.send_message(&message(CUSTOMER)).await;
    assert!(matches!(spent, Err(CallError::Limit(Limit::Memory))), "{spent:?}");
    let next = plugin.instance().await.unwrap();
    next.send_message(&message(CUSTOMER)).await.unwrap().unwrap();
    assert_eq!(service.ledger().posts(), 2);
}

#[tokio::test]
async fn more_calls_than_there_are_places_for_are_turned_away() {
    let service = Service::start(Options::new(KEY)).await.unwrap();
    let limits = Limits { instances: 1, ..Limits::default() };
    let instance = instance(&service, limits, "300").await;
    let (silent, next) = (message(SILENT), message(CUSTOMER));
    let (waiting, busy) =
        tokio::join!(instance.send_message(&silent), instance.send_message(&next));
    assert!(matches!(busy, Err(CallError::Busy(_))), "{busy:?}");
    assert!(matches!(waiting, Ok(Err(Error::PermanentOutcomeUnknown(_)))), "{waiting:?}");
    instance.send_message(&message(CUSTOMER)).await.unwrap().unwrap();
}

#[test]
fn the_imports_are_these_and_no_others() {
    let inspection = Inspection::of(PLUGIN_P3).unwrap();
    let mut imports: Vec<_> = inspection.imports.iter().map(|one| one.name.as_str()).collect();
    imports.sort_unstable();
    assert_eq!(
        imports,
        [
            "wasi:cli/environment@0.3.0",
            "wasi:clocks/monotonic-clock@0.3.0",
            // A type alone.
            "wasi:clocks/types@0.3.0",
            "wasi:http/client@0.3.0",
            "wasi:http/types@0.3.0",
        ]
    );
    let [types, messaging] = &inspection.exports[..] else { panic!("{:?}", inspection.exports) };
    assert_eq!((&*types.name, types.functions.len()), (messaging_host::plugin::TYPES, 0));
    assert_eq!(messaging.name, messaging_host::plugin::CONCURRENT_INTERFACE);
    assert_eq!(messaging.functions, ["send-message", "list-templates", "handle-event"]);
    let holds = |text: &str| PLUGIN_P3.windows(text.len()).any(|part| part == text.as_bytes());
    for path in ["/root/", "/home/", "/Users/", ".cargo", "registry", env!("CARGO_MANIFEST_DIR")] {
        assert!(!holds(path), "{path}");
    }
    assert!(PLUGIN_P3.len() <= 175_000, "{} bytes", PLUGIN_P3.len());
}

#[test]
fn each_host_names_what_it_was_given_instead() {
    let config = common::config(&[], None);
    let host = cached(Host::concurrent(Limits::default()).unwrap());
    let error = p3::Plugin::load(&host, PLUGIN, config.clone()).err().unwrap();
    assert!(matches!(error, LoadError::NotConcurrent { .. }), "{error}");
    assert!(error.to_string().contains("messaging:integration/messaging@0.2.0"), "{error}");
    let host = cached(Host::on_demand(Limits::default()).unwrap());
    let error = Plugin::load(&host, PLUGIN_P3, config).err().unwrap();
    assert!(error.to_string().contains("WASI 0.3"), "{error}");
}

#[test]
fn the_interfaces_for_both_differ_in_one_word_of_each_function_that_waits() {
    for (name, now, concurrent, waiting) in [
        (
            "messaging",
            include_str!("../../wit/messaging.wit"),
            include_str!("../../wit/p3/messaging.wit"),
            2,
        ),
        ("once", include_str!("../../wit/once.wit"), include_str!("../../wit/p3/once.wit"), 5),
    ] {
        let begin = format!("\ninterface {name} {{");
        let interface = |text: &'static str| text.split_once(&begin).unwrap().1;
        let (now, concurrent) = (interface(now), interface(concurrent));
        assert_eq!(concurrent.matches(": async func(").count(), waiting);
        let concurrent = concurrent.replace(": async func(", ": func(");
        let types = [("use messaging:integration/", "use "), ("types@0.2.0.{", "types.{")];
        let concurrent = types.iter().fold(concurrent, |text, (from, to)| text.replace(from, to));
        assert_eq!(concurrent, now);
    }
}

#[test]
fn the_vendored_wit_is_what_the_host_carries() {
    let carried = common::source_of("wasmtime-wasi-http", "48.").join("src/p3/wit/deps");
    let vendored = Path::new(env!("CARGO_MANIFEST_DIR")).join("../wit/p3/deps");
    let (carried, mut vendored) = (common::files(&carried), common::files(&vendored));
    // Of no crate: that it is what wasmCloud links, examples/wasmcloud/cluster/run shows.
    vendored.retain(|(name, _)| name != Path::new("wasmcloud-keyvalue.wit"));
    assert!(vendored.len() >= 3);
    assert!(vendored == carried, "a vendored file was edited");
}
