//! The plugin for WASI 0.3: the complete fault suite, and many concurrent calls in one instance.
//! `it/instances.rs` tests the properties that all kinds of plugins share.
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
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use common::{KEY, Kind, message};
use futures_util::StreamExt;
use http_body_util::{BodyExt, Full};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use messaging_conformance::Case;
use messaging_conformance::run::{self, Subject};
use messaging_core::origin::Origin;
use messaging_core::secret::ApiKey;
use messaging_host::outbound::{Answer, Transport, Trust};
use messaging_host::wit::Error;
use messaging_host::{AllowList, CallError, Limit, Limits, Outbound, PluginConfig};
use messaging_simulator::faults::Chunking;
use messaging_simulator::service::{self, Options, Service};
use tokio::sync::{Barrier, Semaphore};
use tokio::task::JoinSet;
use wasmtime_wasi_http::WasiBody;

const CUSTOMER: &str = "+34600111222";
/// A test number: the service creates the message and never answers.
const SILENT: &str = "+99900002002";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn cases_and_faults_hold_for_p3() {
    let outbound = Outbound::new(AllowList::deny_all(), Trust::Public).unwrap();
    let plugin = Kind::P3.load(Limits::default(), PluginConfig::open(vec![], outbound.clone()));
    let cases = Case::faults().unwrap();
    assert!(cases.len() > Case::all().unwrap().len());
    let paced = cases.iter().flat_map(|case| [(case, Chunking::Whole), (case, Chunking::Bytes)]);
    let subject = Subject::Component(&plugin, &[]);
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

/// The runtime has only one thread, so a sleep of this thread simulates a suspended process.
#[tokio::test]
async fn refusal_outlives_long_stop() {
    let service = Service::start(Options::new(KEY)).await.unwrap();
    let limits = Limits { wall: Duration::from_millis(1_600), ..Limits::default() };
    let base = service.base_url();
    let settings = [("MESSAGING_BASE_URL", &*base), ("MESSAGING_DEADLINE_MS", "1500")];
    let config = common::config(&settings, Some(KEY));
    for _ in 0..2 {
        let plugin = Kind::P3.load(limits, config.clone());
        service.script(service::Answer::reply(true, 429, &[("retry-after", "1")], "{}"));
        let before = service.ledger().requests.len();
        let request = message(CUSTOMER);
        let call = plugin.send_message(&request);
        let stopped = async {
            while service.ledger().requests.len() == before {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
            // By now the plugin has read the reply and waits before its retry.
            tokio::time::sleep(Duration::from_millis(300)).await;
            std::thread::sleep(Duration::from_millis(1_800));
        };
        let (said, ()) = tokio::join!(call, stopped);
        assert!(matches!(said, Ok(Err(Error::RateLimited(_)))), "{said:?}");
    }
}

/// A network that holds requests until as many are in flight as `gate` requires.
struct Gated {
    gate: Barrier,
    permits: Semaphore,
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
            // Limits the number of connections, because the limit of open files is not under test.
            let _permit = network.permits.acquire().await.unwrap();
            let request = http::Request::from_parts(head, Full::new(body));
            let (head, body) = network.client.request(request).await.unwrap().into_parts();
            let body = body.collect().await.unwrap().to_bytes();
            let body = Full::new(body).map_err(|never| match never {}).boxed_unsync();
            Ok(http::Response::from_parts(head, body))
        })
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn thousand_concurrent_calls_create_thousand_messages() {
    const CALLS: usize = 1_000;
    let service = Service::start(Options::new(KEY)).await.unwrap();
    let base = service.base_url();
    let network = Network(Arc::new(Gated {
        gate: Barrier::new(CALLS),
        permits: Semaphore::new(32),
        client: Client::builder(TokioExecutor::new()).build_http(),
    }));
    let allow = AllowList::of_origin(&Origin::parse(&base).unwrap());
    let outbound = Outbound::over(allow, Arc::new(network));
    let key = ApiKey::new(KEY.into()).unwrap();
    let settings = vec![("MESSAGING_BASE_URL".into(), base)];
    let config = PluginConfig::new(settings, Some(key), outbound).unwrap();
    let plugin = Kind::P3.load(Limits::default(), config);

    let mut calls = JoinSet::new();
    for number in 0..CALLS {
        let (plugin, phone) = (plugin.clone(), format!("+34600{number:06}"));
        calls.spawn(async move {
            let created = plugin.send_message(&message(&phone)).await.unwrap().unwrap();
            (phone, created.id)
        });
    }
    let created: BTreeMap<_, _> = calls.join_all().await.into_iter().collect();
    assert_eq!(created.len(), CALLS);
    let ledger = service.ledger();
    assert_eq!((ledger.posts(), ledger.messages.len()), (CALLS, CALLS));
    assert!(ledger.requests.iter().all(|request| request.authorized));
    // Each message was created once, and each caller received the reply to its own request.
    let kept = ledger.messages.into_iter().map(|kept| (kept.message.phone, kept.id));
    assert_eq!(kept.collect::<BTreeMap<_, _>>(), created);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn instance_end_ends_its_calls() {
    let service = Service::start(Options::new(KEY)).await.unwrap();
    let limits = Limits { memory_bytes: 2 * 1024 * 1024, ..Limits::default() };
    let base = service.base_url();
    let plugin = Kind::P3.load(limits, common::config(&[("MESSAGING_BASE_URL", &base)], Some(KEY)));
    let waiting = tokio::spawn({
        let plugin = plugin.clone();
        async move { plugin.send_message(&message(SILENT)).await }
    });
    while service.ledger().posts() == 0 {
        tokio::task::yield_now().await;
    }
    let large =
        messaging_host::wit::MessageRequest { message: "x".repeat(4_000_000), ..message(CUSTOMER) };
    let ended = plugin.send_message(&large).await;
    assert!(matches!(ended, Err(CallError::Limit(Limit::Memory))), "{ended:?}");
    // The call ends long before its deadline of 30 s.
    let ended = waiting.await.unwrap();
    assert!(matches!(ended, Err(CallError::Limit(Limit::Memory))), "{ended:?}");
    plugin.send_message(&message(CUSTOMER)).await.unwrap().unwrap();
    // An instance that the caller owns is not replaced.
    let mut own = plugin.instance().await.unwrap();
    for request in [&large, &message(CUSTOMER)] {
        let ended = own.send_message(request).await;
        assert!(matches!(ended, Err(CallError::Limit(Limit::Memory))), "{ended:?}");
    }
    assert_eq!(service.ledger().posts(), 2);
}
