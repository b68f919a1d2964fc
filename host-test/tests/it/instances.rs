//! Instances of each kind of component: ownership, memory and termination.

use std::sync::Arc;
use std::time::{Duration, Instant};

use messaging_host::plugin::SANS_IO_INTERFACE;
use messaging_host::wit::{self, Error, Stage};
use messaging_host::{CallError, Host, Journal, Limit, Limits, Plugin, once};
use messaging_simulator::service::{Answer, Options, Service};

use crate::common::{KEY, Kind, Setup, cached, config, message, query};
use crate::for_each_kind;

const CUSTOMER: &str = "+34600111222";
/// A test number: the service creates the message and never answers.
const SILENT: &str = "+99900002002";

for_each_kind!(
    functions_end_well_in_fresh_and_kept_instances,
    memory_of_ended_call_is_reused,
    deadline_ends_one_call_and_no_other,
    call_without_free_slot_is_busy,
    call_over_a_limit_ends_its_instance,
    unknown_outcome_does_not_affect_next_call,
    key_as_identifier_is_unknown_outcome,
    a_key_creates_one_message,
);

/// Loads the plugin in a host with these limits.
fn load(kind: Kind, limits: Limits, service: &Service) -> Plugin {
    let base = service.base_url();
    let settings = [("MESSAGING_BASE_URL", &*base), ("MESSAGING_DEADLINE_MS", "3000")];
    kind.load(Limits { instances: 8, ..limits }, config(&settings, Some(KEY)))
}

async fn functions_end_well_in_fresh_and_kept_instances(kind: Kind) {
    let Setup { service, plugin: fresh } = kind.setup().await;
    let kept = fresh.with_config(fresh.config().clone()).keeping_instances();
    // The host for WASI 0.3 runs all kinds of components.
    let host = cached(Host::concurrent(Limits::default()).unwrap());
    let elsewhere = Plugin::load(&host, kind.component(), fresh.config().clone()).unwrap();
    let header = |name: &str, value: &str| wit::Header { name: name.into(), value: value.into() };
    let delivery = wit::WebhookDelivery {
        headers: vec![
            header("X-Idempotency-Key", "evt-1"),
            header("Content-Type", "application/json"),
        ],
        body: r#"{"id":"msg-1","object":"message","event":"message:in:new"}"#.into(),
    };
    let mut ids = Vec::new();
    for _ in 0..20 {
        for plugin in [&fresh, &kept, &elsewhere] {
            ids.push(plugin.send_message(&message(CUSTOMER)).await.unwrap().unwrap().id);
            let page = plugin.list_templates(&query()).await.unwrap().unwrap();
            assert!(!page.templates.is_empty());
            let event = plugin.handle_event(&delivery).await.unwrap().unwrap();
            assert_eq!(event.message_id, "msg-1");
            let refused = plugin.send_message(&message("600111222")).await.unwrap();
            assert!(matches!(refused, Err(Error::PermanentInvalidInput(_))), "{refused:?}");
        }
    }
    let ledger = service.ledger();
    assert_eq!((ledger.posts(), ledger.messages.len()), (60, 60));
    // The host replaced the placeholder with the API key.
    assert!(ledger.requests.iter().all(|request| request.authorized));
    let created: Vec<_> = ledger.messages.into_iter().map(|kept| kept.id).collect();
    assert_eq!(created, ids);
    let counts = host.calls().counts();
    let counts: Vec<_> = counts.iter().map(|one| (one.function, one.end, one.calls)).collect();
    assert_eq!(
        counts,
        [
            ("handle-event", "done", 20),
            ("list-templates", "done", 20),
            ("send-message", "done", 20),
            ("send-message", "permanent-invalid-input", 20),
        ]
    );
}

async fn memory_of_ended_call_is_reused(kind: Kind) {
    let setup = kind.setup().await;
    let mut instance = setup.plugin.instance().await.unwrap();
    let long = wit::MessageRequest { message: "x".repeat(20_000), ..message(CUSTOMER) };
    let mut held = None;
    for call in 0..200 {
        instance.send_message(&long).await.unwrap().unwrap();
        instance.list_templates(&query()).await.unwrap().unwrap();
        if call == 2 {
            held = instance.memory_held();
        }
    }
    assert_eq!(held.is_some(), kind != Kind::P3);
    assert_eq!(instance.memory_held(), held);
}

async fn deadline_ends_one_call_and_no_other(kind: Kind) {
    const DEADLINE: Duration = Duration::from_millis(600);
    let settings = [("MESSAGING_DEADLINE_MS", "600")];
    let Setup { service, plugin } = kind.setup_with(Options::new(KEY), &settings).await;
    let plugin = plugin.keeping_instances();
    let silent = || {
        let (plugin, started) = (plugin.clone(), Instant::now());
        tokio::spawn(
            async move { (plugin.send_message(&message(SILENT)).await, started.elapsed()) },
        )
    };
    let late = silent();
    let mut sent = 0;
    while !late.is_finished() {
        plugin.send_message(&message(CUSTOMER)).await.unwrap().unwrap();
        sent += 1;
    }
    let (result, elapsed) = late.await.unwrap();
    let Error::PermanentOutcomeUnknown(unknown) = result.unwrap().unwrap_err() else { panic!() };
    assert_eq!((unknown.stage, unknown.status), (Stage::AwaitingReply, None));
    assert_eq!(unknown.detail, "the deadline passed while waiting for the reply");
    assert!(elapsed >= DEADLINE && elapsed < DEADLINE * 3, "{elapsed:?}");
    assert!(sent > 1);
    // A canceled call does not affect other calls.
    let given_up = silent();
    while service.ledger().posts() < sent + 2 {
        tokio::task::yield_now().await;
    }
    given_up.abort();
    assert!(given_up.await.unwrap_err().is_cancelled());
    plugin.send_message(&message(CUSTOMER)).await.unwrap().unwrap();
    let messages = service.ledger().messages;
    let to = |phone| messages.iter().filter(|kept| kept.message.phone == phone).count();
    assert_eq!((to(SILENT), to(CUSTOMER)), (2, sent + 1));
}

async fn call_without_free_slot_is_busy(kind: Kind) {
    let service = Service::start(Options::new(KEY)).await.unwrap();
    let base = service.base_url();
    let host = kind.host(Limits { instances: 1, ..Limits::default() });
    if kind != Kind::P3 && !host.is_pooling() {
        return;
    }
    let settings = [("MESSAGING_BASE_URL", &*base), ("MESSAGING_DEADLINE_MS", "300")];
    let plugin = Plugin::load(&host, kind.component(), config(&settings, Some(KEY))).unwrap();
    let plugin = plugin.keeping_instances();
    let (silent, next) = (message(SILENT), message(CUSTOMER));
    let (waiting, busy) = tokio::join!(plugin.send_message(&silent), plugin.send_message(&next));
    assert!(matches!(busy, Err(CallError::Busy(_))), "{busy:?}");
    assert!(matches!(waiting, Ok(Err(Error::PermanentOutcomeUnknown(_)))), "{waiting:?}");
    plugin.send_message(&next).await.unwrap().unwrap();
    assert_eq!(service.ledger().posts(), 2);
    if kind != Kind::P3 {
        let held = plugin.instance().await.unwrap();
        assert!(matches!(plugin.instance().await, Err(CallError::Busy(_))));
        drop(held);
        assert!(plugin.instance().await.is_ok());
    }
}

async fn call_over_a_limit_ends_its_instance(kind: Kind) {
    let service = Service::start(Options::new(KEY)).await.unwrap();
    let limits = Limits { memory_bytes: 2 * 1024 * 1024, ..Limits::default() };
    let plugin = load(kind, limits, &service).keeping_instances();
    plugin.send_message(&message(CUSTOMER)).await.unwrap().unwrap();
    let large = wit::MessageRequest { message: "x".repeat(4_000_000), ..message(CUSTOMER) };
    let ended = plugin.send_message(&large).await;
    assert!(matches!(ended, Err(CallError::Limit(Limit::Memory))), "{ended:?}");
    plugin.send_message(&message(CUSTOMER)).await.unwrap().unwrap();
    let limits = Limits { wall: Duration::from_millis(300), ..Limits::default() };
    let plugin = load(kind, limits, &service);
    let ended = plugin.send_message(&message(SILENT)).await;
    assert!(matches!(ended, Err(CallError::Limit(Limit::Wall))), "{ended:?}");
    plugin.send_message(&message(CUSTOMER)).await.unwrap().unwrap();
    let limits = Limits { transfer_bytes: 100, ..Limits::default() };
    let ended = load(kind, limits, &service).list_templates(&query()).await;
    assert!(matches!(ended, Err(CallError::Limit(Limit::Transfer))), "{ended:?}");
    assert_eq!(service.ledger().posts(), 4);
    // The second attempt exceeds the limit of one request.
    let limits = Limits { requests: 1, ..Limits::default() };
    let unreachable = load(kind, limits, &service)
        .with_config(config(&[("MESSAGING_BASE_URL", "http://127.0.0.1:1")], Some(KEY)));
    let ended = unreachable.send_message(&message(CUSTOMER)).await;
    assert!(matches!(ended, Err(CallError::Limit(Limit::Requests))), "{ended:?}");
}

async fn unknown_outcome_does_not_affect_next_call(kind: Kind) {
    let setup = kind.setup().await;
    let mut instance = setup.plugin.instance().await.unwrap();
    for _ in 0..2 {
        let unclear = instance.send_message(&message("+99900001503")).await.unwrap();
        assert!(matches!(unclear, Err(Error::PermanentOutcomeUnknown(_))), "{unclear:?}");
        let limited = instance.send_message(&message("+99900000429")).await.unwrap();
        assert!(matches!(limited, Err(Error::RateLimited(_))), "{limited:?}");
        let refused = instance.send_message(&message("+99900000400")).await.unwrap();
        assert!(matches!(refused, Err(Error::PermanentRefused(_))), "{refused:?}");
        let invalid = instance.send_message(&message("")).await.unwrap();
        assert!(matches!(invalid, Err(Error::PermanentInvalidInput(_))), "{invalid:?}");
    }
    assert_eq!(setup.ledger().messages.len(), 2);
}

/// The host masks the API key in replies, so the plugin cannot detect an identifier that is the API
/// key. The host reports an unknown outcome instead.
async fn key_as_identifier_is_unknown_outcome(kind: Kind) {
    let setup = kind.setup().await;
    for id in [KEY.to_string(), KEY.replace('c', "\\u0063")] {
        setup.service.script(Answer::reply(true, 201, &[], &format!("{{\"id\":\"{id}\"}}")));
        let error = setup.send(CUSTOMER).await.unwrap_err();
        let Error::PermanentOutcomeUnknown(unknown) = error else { panic!("{error:?}") };
        assert!(unknown.status == Some(201) && unknown.detail.contains("its id"), "{unknown:?}");
    }
}

async fn a_key_creates_one_message(kind: Kind) {
    let setup = kind.setup().await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("journal.sqlite");
    let journal = messaging_journal::Journal::open(file, messaging_journal::Options::default());
    let journal: Arc<dyn Journal> = Arc::new(journal.unwrap());
    let request = once::wit::MessageRequest::new(CUSTOMER, "one");
    for replayed in [false, true] {
        let sent = setup.plugin.send_once(&journal, "order-17", &request).await.unwrap();
        assert_eq!((&*sent.id, sent.replayed, sent.recorded), ("msg-0001", replayed, true));
    }
    let unclear = once::wit::MessageRequest::new("+99900001503", "two");
    for _ in 0..2 {
        let said = setup.plugin.send_once(&journal, "order-18", &unclear).await;
        let is_unknown = matches!(said, Err(once::wit::OnceError::PermanentOutcomeUnknown(_)));
        assert!(is_unknown, "{said:?}");
    }
    assert_eq!((setup.ledger().posts(), setup.ledger().messages.len()), (2, 2));
}

/// Returns a component whose calls report immediately that the message `m-1` was created. `end` is
/// the code of the destructor that runs at the end of each call.
fn created_and(end: &str) -> Vec<u8> {
    let sans_io = SANS_IO_INTERFACE;
    let module = format!(
        r#"(module
            (import "[export]{sans_io}" "[resource-new]send-call"
                (func $new-send (param i32) (result i32)))
            (import "[export]{sans_io}" "[resource-new]list-call"
                (func $new-list (param i32) (result i32)))
            (memory (export "memory") 2)
            (global $free (mut i32) (i32.const 4096))
            (data (i32.const 100) "m-1") (data (i32.const 110) "{{}}")
            (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32)
                (global.set $free (i32.and (i32.const -8)
                    (i32.add (i32.add (global.get $free) (local.get 3)) (i32.const 15))))
                (i32.sub (global.get $free) (i32.and (i32.const -8)
                    (i32.add (local.get 3) (i32.const 7)))))
            (func (export "{sans_io}#[constructor]send-call")
                (param i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32) (result i32)
                (call $new-send (i32.const 1)))
            (func (export "{sans_io}#[constructor]list-call")
                (param i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32) (result i32)
                (call $new-list (i32.const 1)))
            (func (export "{sans_io}#[method]send-call.next")
                (param i32 i32 i32 i32 i32 i32 i32 i32 i32 i32) (result i32)
                ;; done(ok(created)): two cases, and the texts.
                (i32.store8 (i32.const 16) (i32.const 2)) (i32.store8 (i32.const 20) (i32.const 0))
                (i32.store (i32.const 24) (i32.const 100)) (i32.store (i32.const 28) (i32.const 3))
                (i32.store (i32.const 32) (i32.const 110)) (i32.store (i32.const 36) (i32.const 2))
                (i32.const 16))
            (func (export "{sans_io}#[method]list-call.next")
                (param i32 i32 i32 i32 i32 i32 i32 i32 i32 i32) (result i32) unreachable)
            (func (export "{sans_io}#handle-event") (param i32 i32 i32 i32) (result i32)
                unreachable)
            (func (export "{sans_io}#[dtor]send-call") (param i32) {end})
            (func (export "{sans_io}#[dtor]list-call") (param i32)))"#
    );
    let mut module = wat::parse_str(module).unwrap();
    let mut resolve = wit_parser::Resolve::default();
    let wit = concat!(env!("CARGO_MANIFEST_DIR"), "/../wit");
    let (package, _) = resolve.push_path(wit).unwrap();
    let world = resolve.select_world(&[package], Some("plugin-sans-io")).unwrap();
    let encoding = wit_component::StringEncoding::UTF8;
    wit_component::embed_component_metadata(&mut module, &resolve, world, encoding).unwrap();
    let mut encoder = wit_component::ComponentEncoder::default().module(&module).unwrap();
    encoder.encode().unwrap()
}

#[tokio::test]
async fn created_message_survives_failing_destructor() {
    for end in ["unreachable", "(loop $again (br $again))"] {
        let limits = Limits { cpu: Duration::from_millis(100), ..Limits::default() };
        let host = cached(Host::new(Limits { instances: 2, ..limits }).unwrap());
        let config = config(&[], None);
        let plugin = Plugin::load(&host, &created_and(end), config).unwrap().keeping_instances();
        for _ in 0..4 {
            let created = plugin.send_message(&message(CUSTOMER)).await;
            assert_eq!(created.unwrap().unwrap().id, "m-1", "{end}");
        }
    }
}
