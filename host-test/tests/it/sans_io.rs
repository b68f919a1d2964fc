//! The plugin without input and output: the file, what it makes of whatever a driver tells it,
//! and the driver of this host. (The whole suite and the faults: `tests/faults.rs`.)

use std::time::Duration;

use messaging_components::{PLUGIN, PLUGIN_SANS_IO};
use messaging_host::inspect::Inspection;
use messaging_host::plugin::TYPES;
use messaging_host::sans_io::{INTERFACE, Plugin};
use messaging_host::wit::{Error, Stage};
use messaging_host::{CallError, Host, Limit, Limits, LoadError};
use messaging_simulator::service::{Options, Service};

use crate::common::{self, KEY, cached, message, query};

mod driven;

const CUSTOMER: &str = "+34600111222";
/// A test number: the message is created, and no answer ever comes.
const SILENT: &str = "+99900002002";

fn load(limits: Limits, service: &Service) -> Plugin {
    let base = service.base_url();
    let settings = [("MESSAGING_BASE_URL", &*base), ("MESSAGING_DEADLINE_MS", "3000")];
    let host = cached(Host::new(Limits { instances: 8, ..limits }).unwrap());
    Plugin::load(&host, PLUGIN_SANS_IO, common::config(&settings, Some(KEY))).unwrap()
}

#[test]
fn the_component_imports_nothing_and_is_at_most_125_kilobytes() {
    let inspection = Inspection::of(PLUGIN_SANS_IO).unwrap();
    assert!(inspection.imports.is_empty(), "{:?}", inspection.imports);
    let [types, interface] = &inspection.exports[..] else { panic!("{:?}", inspection.exports) };
    assert_eq!((&*types.name, types.functions.len()), (TYPES, 0));
    assert_eq!(interface.name, INTERFACE);
    assert_eq!(
        interface.functions,
        [
            "[constructor]send-call",
            "[method]send-call.next",
            "[constructor]list-call",
            "[method]list-call.next",
            "handle-event"
        ]
    );
    let holds = |text: &str| PLUGIN_SANS_IO.windows(text.len()).any(|part| part == text.as_bytes());
    for path in ["/root/", "/home/", "/Users/", ".cargo", "registry", env!("CARGO_MANIFEST_DIR")] {
        assert!(!holds(path), "{path}");
    }
    assert!(PLUGIN_SANS_IO.len() <= 125_000, "{} bytes", PLUGIN_SANS_IO.len());
}

#[test]
fn each_host_names_what_it_was_given_instead() {
    let host = cached(Host::on_demand(Limits::default()).unwrap());
    let config = || common::config(&[], None);
    let error = messaging_host::Plugin::load(&host, PLUGIN_SANS_IO, config()).err().unwrap();
    assert!(matches!(error, LoadError::SansIo), "{error}");
    let error = Plugin::load(&host, PLUGIN, config()).err().unwrap();
    assert!(matches!(error, LoadError::NotSansIo { .. }), "{error}");
    assert!(error.to_string().contains("messaging:integration/messaging@0.2.0"), "{error}");
    let of = |import: &str| {
        let text =
            format!("(component {import} (instance $i) (export \"{INTERFACE}\" (instance $i)))");
        Plugin::load(&host, &wat::parse_str(text).unwrap(), config()).err().unwrap()
    };
    // Not even a clock.
    let error = of("(import \"wasi:clocks/monotonic-clock@0.2.0\" (instance))");
    assert!(matches!(error, LoadError::Imports { .. }), "{error}");
    assert!(error.to_string().contains("wasi:clocks"), "{error}");
    let error = of("");
    assert!(matches!(error, LoadError::MissingImport(_)), "{error}");
}

#[tokio::test]
async fn calls_of_every_kind_end_well_in_fresh_instances_and_in_kept_ones() {
    let service = Service::start(Options::new(KEY)).await.unwrap();
    let fresh = load(Limits::default(), &service);
    let kept = fresh.clone().keeping_instances();
    let delivery = messaging_host::wit::WebhookDelivery {
        headers: [("X-Idempotency-Key", "evt-1"), ("Content-Type", "application/json")]
            .map(|(name, value)| messaging_host::wit::Header {
                name: name.into(),
                value: value.into(),
            })
            .into(),
        body: r#"{"id":"msg-1","object":"message","event":"message:in:new"}"#.into(),
    };
    let mut ids = Vec::new();
    for _ in 0..20 {
        for plugin in [&fresh, &kept] {
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
    assert_eq!((ledger.posts(), ledger.messages.len()), (40, 40));
    // The component had a placeholder.
    assert!(ledger.requests.iter().all(|request| request.authorized));
    let created: Vec<_> = ledger.messages.into_iter().map(|kept| kept.id).collect();
    assert_eq!(created, ids);
}

#[tokio::test]
async fn what_a_call_held_is_free_for_the_next_one_in_its_instance() {
    let service = Service::start(Options::new(KEY)).await.unwrap();
    let mut instance = load(Limits::default(), &service).instance().await.unwrap();
    let long =
        messaging_host::wit::MessageRequest { message: "x".repeat(20_000), ..message(CUSTOMER) };
    let mut held = 0;
    for call in 0..200 {
        instance.send_message(&long).await.unwrap().unwrap();
        instance.list_templates(&query()).await.unwrap().unwrap();
        if call == 2 {
            held = instance.memory_held();
        }
    }
    assert_eq!(instance.memory_held(), held);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_call_ends_with_its_deadline_and_one_that_is_given_up_leaves_the_others_alone() {
    let service = Service::start(Options::new(KEY)).await.unwrap();
    let plugin = load(Limits::default(), &service).keeping_instances();
    let base = service.base_url();
    let settings = [("MESSAGING_BASE_URL", &*base), ("MESSAGING_DEADLINE_MS", "600")];
    let short = plugin.with_config(common::config(&settings, Some(KEY)));
    let late = short.send_message(&message(SILENT)).await.unwrap();
    let Err(Error::PermanentOutcomeUnknown(unknown)) = late else { panic!("{late:?}") };
    assert_eq!((unknown.stage, unknown.status), (Stage::AwaitingReply, None));
    assert_eq!(unknown.detail, "the deadline passed while waiting for the reply");

    plugin.send_message(&message(CUSTOMER)).await.unwrap().unwrap();
    let given_up = tokio::spawn({
        let plugin = plugin.clone();
        async move { plugin.send_message(&message(SILENT)).await }
    });
    while service.ledger().posts() < 3 {
        tokio::task::yield_now().await;
    }
    given_up.abort();
    assert!(given_up.await.unwrap_err().is_cancelled());
    plugin.send_message(&message(CUSTOMER)).await.unwrap().unwrap();
    assert_eq!(service.ledger().posts(), 4);
}

#[tokio::test]
async fn more_calls_than_there_are_instances_for_are_turned_away() {
    let service = Service::start(Options::new(KEY)).await.unwrap();
    let base = service.base_url();
    let settings = [("MESSAGING_BASE_URL", &*base), ("MESSAGING_DEADLINE_MS", "300")];
    let host = cached(Host::new(Limits { instances: 1, ..Limits::default() }).unwrap());
    let config = common::config(&settings, Some(KEY));
    let plugin = Plugin::load(&host, PLUGIN_SANS_IO, config).unwrap().keeping_instances();
    let (silent, next) = (message(SILENT), message(CUSTOMER));
    let (waiting, busy) = tokio::join!(plugin.send_message(&silent), plugin.send_message(&next));
    assert!(matches!(busy, Err(CallError::Busy(_))), "{busy:?}");
    assert!(matches!(waiting, Ok(Err(Error::PermanentOutcomeUnknown(_)))), "{waiting:?}");
    plugin.send_message(&next).await.unwrap().unwrap();
    assert_eq!(service.ledger().posts(), 2);
}

#[tokio::test]
async fn a_call_that_uses_more_than_it_may_is_ended_and_its_instance_with_it() {
    let service = Service::start(Options::new(KEY)).await.unwrap();
    let limits = Limits { memory_bytes: 2 * 1024 * 1024, ..Limits::default() };
    let plugin = load(limits, &service).keeping_instances();
    plugin.send_message(&message(CUSTOMER)).await.unwrap().unwrap();
    let large =
        messaging_host::wit::MessageRequest { message: "x".repeat(4_000_000), ..message(CUSTOMER) };
    let ended = plugin.send_message(&large).await;
    assert!(matches!(ended, Err(CallError::Limit(Limit::Memory))), "{ended:?}");
    plugin.send_message(&message(CUSTOMER)).await.unwrap().unwrap();
    let limits = Limits { wall: Duration::from_millis(300), ..Limits::default() };
    let ended = load(limits, &service).send_message(&message(SILENT)).await;
    assert!(matches!(ended, Err(CallError::Limit(Limit::Wall))), "{ended:?}");
    let limits = Limits { transfer_bytes: 100, ..Limits::default() };
    let ended = load(limits, &service).list_templates(&query()).await;
    assert!(matches!(ended, Err(CallError::Limit(Limit::Transfer))), "{ended:?}");
    assert_eq!(service.ledger().posts(), 3);
    // Its second attempt would be one request too many.
    let limits = Limits { requests: 1, ..Limits::default() };
    let nobody = load(limits, &service)
        .with_config(common::config(&[("MESSAGING_BASE_URL", "http://127.0.0.1:1")], Some(KEY)));
    let ended = nobody.send_message(&message(CUSTOMER)).await;
    assert!(matches!(ended, Err(CallError::Limit(Limit::Requests))), "{ended:?}");
}

#[tokio::test]
async fn what_one_call_left_unknown_is_nothing_to_the_next_one_in_its_instance() {
    let service = Service::start(Options::new(KEY)).await.unwrap();
    let mut instance = load(Limits::default(), &service).instance().await.unwrap();
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
    assert_eq!(service.ledger().messages.len(), 2);
}

/// A component whose calls say at once that the message `m-1` was created, and do this at their
/// end.
fn created_and(end: &str) -> Vec<u8> {
    let sans_io = INTERFACE;
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
async fn a_created_message_stays_created_whatever_the_end_of_its_call_does_to_the_instance() {
    for end in ["unreachable", "(loop $again (br $again))"] {
        let limits = Limits { cpu: Duration::from_millis(100), ..Limits::default() };
        let host = cached(Host::new(Limits { instances: 2, ..limits }).unwrap());
        let config = common::config(&[], None);
        let plugin = Plugin::load(&host, &created_and(end), config).unwrap().keeping_instances();
        for _ in 0..4 {
            let created = plugin.send_message(&message(CUSTOMER)).await;
            assert_eq!(created.unwrap().unwrap().id, "m-1", "{end}");
        }
    }
}
