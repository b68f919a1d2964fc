//! Forwarding of events to a workflow engine. Each event is delivered until the engine accepts it,
//! across failures and crashes.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

mod engine;
mod receiver;
mod telemetry;

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, Instant};

use crate::process::{Serving, TestStore, deliver, key_of, run};
use messaging_inbox::{self, State, Store};
use messaging_server::forward::{Forwarder, Options};
use serde_json::Value;

use engine::{Answer, Engine, Fixture, TAKEN};

const PAUSE: Duration = Duration::from_millis(20);

#[tokio::test]
async fn forwarded_event_keeps_key_and_bytes() {
    let fixture = Fixture::new();
    let mut engine = Engine::start([]).await;
    let bodies = [
        "{}".to_string(),
        "{\n  \"text\": \"caf\u{e9} \u{1f600}\",\t\"amount\": 12345678901234567890.10 }\n".into(),
        format!("{{\"text\":\"{}\"}}", "x".repeat(250_000)),
    ];
    fixture.put("before", &bodies[0]).await;
    let forwarder = fixture.forwarder(&engine);
    // One event is stored before the forwarder starts, the others while it runs.
    let first = engine.next().await;
    assert_eq!((first.key.as_str(), first.body.as_slice()), ("before", bodies[0].as_bytes()));
    for (number, body) in bodies.iter().enumerate().skip(1) {
        fixture.put(&format!("key {number}"), body).await;
        let received = engine.next().await;
        assert_eq!((received.key, received.body), (format!("key {number}"), body.clone().into()));
        let head = received.head.to_lowercase();
        assert!(head.starts_with("post /trigger?token=canary-token http/1.1\r\n"), "{head}");
        assert!(head.contains("content-type: application/json\r\n"), "{head}");
    }
    forwarder.stop().await;
    assert_eq!(fixture.store.counts().await.unwrap().done, 3);
    assert!(!engine.has_received_more());
}

#[tokio::test]
async fn rejected_event_is_retried_with_backoff() {
    let fixture = Fixture::new();
    let elsewhere = Engine::start([]).await;
    let refusals = [
        Answer::Status(500, "canary-body"),
        Answer::Status(404, "canary-body"),
        Answer::Reset,
        Answer::Never,
        Answer::RedirectTo(elsewhere.url.clone()),
    ];
    let mut engine = Engine::start(refusals.clone()).await;
    fixture.put("a", "{}").await;
    let forwarder = fixture.forwarder(&engine);
    let mut last = engine.next().await;
    for number in 0..u32::try_from(refusals.len()).unwrap() {
        // No answer so far acknowledges the event.
        assert_ne!(fixture.event(1).await.state, State::Done);
        let next = engine.next().await;
        assert_eq!((next.key.as_str(), next.body.as_slice()), ("a", &b"{}"[..]));
        let pause = next.at - last.at;
        assert!(pause >= PAUSE * 2_u32.pow(number), "{pause:?} after {number}");
        last = next;
    }
    forwarder.stop().await;
    let event = fixture.event(1).await;
    assert_eq!((event.state, event.attempts), (State::Done, 6));
    let error = event.last_error.unwrap();
    assert!(error.ends_with(": redirects are not followed; forward to the final URL"), "{error}");
    assert!(!engine.has_received_more());
    let mut elsewhere = elsewhere;
    assert!(!elsewhere.has_received_more(), "a redirect was followed");
}

#[tokio::test]
async fn interrupted_delivery_repeats_after_lease() {
    let fixture = Fixture::standing();
    let mut engine = Engine::start([Answer::Never]).await;
    fixture.put("a", "{}").await;
    let options = Options::new(engine.url.parse().unwrap());
    let forwarder = Forwarder::start(fixture.store.clone(), options.clone()).unwrap();
    assert_eq!(engine.next().await.key, "a");
    drop(forwarder);
    // The engine may have accepted the event. The event cannot be leased while the forwarder may
    // still deliver it.
    let lease = options.timeout + Duration::from_secs(30);
    let lease_ms = i64::try_from(lease.as_millis()).unwrap();
    fixture.clock.fetch_add(lease_ms - 1, Ordering::SeqCst);
    assert_eq!(fixture.store.lease(1, lease).await.unwrap(), []);
    assert_eq!(fixture.event(1).await.state, State::Leased);
    fixture.clock.fetch_add(1, Ordering::SeqCst);
    let forwarder = Forwarder::start(fixture.store.clone(), options).unwrap();
    let again = engine.next().await;
    assert_eq!((again.key.as_str(), again.body.as_slice()), ("a", &b"{}"[..]));
    forwarder.stop().await;
    assert_eq!(fixture.event(1).await.state, State::Done);
}

/// An attempt without a response frees its concurrency slot after 250 ms, so only a limit in bytes
/// keeps large events from filling the memory.
#[tokio::test]
async fn open_deliveries_of_large_events_are_few() {
    let fixture = Fixture::new();
    let mut engine = Engine::start(vec![Answer::Never; 6]).await;
    let body = format!("{{\"text\":\"{}\"}}", "x".repeat(16_000_000));
    for number in 0..6 {
        fixture.put(&format!("key {number}"), &body).await;
    }
    let options = Options::new(engine.url.parse().unwrap());
    let forwarder = Forwarder::start(fixture.store.clone(), options).unwrap();
    let mut open = 0;
    while tokio::time::timeout(Duration::from_secs(2), engine.received.recv()).await.is_ok() {
        open += 1;
    }
    // The forwarder leases up to two of these events at a time, and stops when the open events
    // exceed 32 MiB.
    assert!((1..=4).contains(&open), "{open}");
    drop(forwarder);
}

/// Starts `serve` with forwarding to the engine.
fn serve(store: &TestStore, engine: &Engine, more: &[&str], settings: &[(&str, &str)]) -> Serving {
    store.serve(&[&["--forward", &engine.url], more].concat(), settings)
}

fn events(store: &TestStore, arguments: &[&str]) -> Vec<Value> {
    let list = store.inbox(&[&["list"], arguments].concat());
    list.as_array().unwrap().clone()
}

/// Lists events until `count` are found, because `serve` records results in another process.
fn wait_for(store: &TestStore, arguments: &[&str], count: usize) -> Vec<Value> {
    let started = Instant::now();
    loop {
        let events = events(store, arguments);
        if events.len() == count {
            return events;
        }
        assert!(started.elapsed() < Duration::from_secs(30), "{events:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn next_process_delivers_events_of_killed() {
    let store = TestStore::new();
    let mut engine = Engine::start([]).await;
    let mut serving = serve(&store, &engine, &[], &[("RUST_LOG", "trace")]);
    assert_eq!(deliver(serving.address, "done").await.status, 200);
    assert_eq!(engine.next().await.key, "done");
    wait_for(&store, &["--state", "done"], 1);
    engine.does(Answer::Status(503, "canary-body"));
    for key in ["a", "b"] {
        assert_eq!(deliver(serving.address, key).await.status, 200);
    }
    let stuck = wait_for(&store, &["--stuck", "--state", "pending"], 2);
    serving.kill();
    assert!(stuck.iter().all(|event| event["last-error"] == "status 503"), "{stuck:?}");

    while engine.received.try_recv().is_ok() {}
    engine.does(TAKEN);
    let mut serving = serve(&store, &engine, &[], &[("RUST_LOG", "trace")]);
    let mut keys = [engine.next().await.key, engine.next().await.key];
    keys.sort();
    assert_eq!(keys, ["a", "b"]);
    #[cfg(unix)]
    serving.terminate();
    let (status, _) = serving.wait();
    // The delivery that was in flight at the signal is recorded.
    assert_eq!(status.code(), Some(0));
    assert_eq!(events(&store, &["--state", "done"]).len(), 3);
    assert!(!engine.has_received_more());
}

#[tokio::test(flavor = "multi_thread")]
async fn undeliverable_event_is_listed_with_reason() {
    let store = TestStore::new();
    let mut engine = Engine::start([]).await;
    engine.does(Answer::Status(500, "canary-body"));
    let mut serving = serve(&store, &engine, &[], &[("RUST_LOG", "trace")]);
    assert_eq!(deliver(serving.address, "refused").await.status, 200);
    engine.next().await;
    let stuck = wait_for(&store, &["--stuck"], 1);
    assert_eq!(
        (key_of(&stuck[0]).as_str(), &stuck[0]["last-error"]),
        ("refused", &"status 500".into())
    );
    let arguments = ["inbox", "--store", store.path.to_str().unwrap(), "list", "--stuck"];
    let output = run(&arguments, &[]);
    let shown = String::from_utf8(output.stdout).unwrap();
    assert!(shown.contains("refused") && shown.contains("status 500"), "{shown}");
    engine.does(Answer::Reset);
    serving.kill();
    let (_, rest) = serving.wait();
    let log = serving.log();
    assert!(log.contains("not forwarded") && log.contains("status 500"), "{log}");
    for text in [shown, format!("{stuck:?}"), log, format!("{}{rest}", serving.ready)] {
        assert!(!text.contains("canary"), "{text}");
    }
    // No process listens at this address, so the error names a refused connection.
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let url = format!("http://{closed}/canary-path");
    let serving = store.serve(&["--forward", &url], &[]);
    assert_eq!(deliver(serving.address, "unreachable").await.status, 200);
    let waiting = || wait_for(&store, &["--after", "1"], 1).remove(0);
    while waiting()["last-error"].is_null() {}
    let reason = waiting()["last-error"].to_string();
    assert!(reason.to_lowercase().contains("refused"), "{reason}");
    // An event is not stuck if its receiver is not reachable.
    assert_eq!(events(&store, &["--stuck", "--after", "1"]).len(), 0);
    assert!(!serving.log().contains("canary"), "{}", serving.log());
}

#[tokio::test(flavor = "multi_thread")]
async fn failing_store_is_asked_with_pauses() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("inbox.sqlite");
    let asked = Arc::new(AtomicI64::new(0));
    let counter = Arc::clone(&asked);
    let options = messaging_inbox::Options {
        // Long enough for a commit on a busy machine.
        put_timeout: Duration::from_millis(400),
        ..messaging_inbox::Options::default()
    };
    let count: messaging_inbox::Step = Arc::new(move |step| {
        counter.fetch_add(i64::from(step == "begin"), Ordering::SeqCst);
    });
    let store = Store::open_with_steps(&path, options, Some(count)).unwrap();
    let mut engine = Engine::start([]).await;
    // The store is readable but locked for writing, so the forwarder sees a pending event.
    let other = rusqlite::Connection::open(&path).unwrap();
    other
        .execute_batch(
            "INSERT INTO events (idempotency_key, message_id, kind, json, received_at_ms)
                VALUES ('a', 'm', 'k', '{}', 1);
            BEGIN IMMEDIATE;",
        )
        .unwrap();
    let options = Options::new(engine.url.parse().unwrap());
    let forwarder = Forwarder::start(store, options).unwrap();
    // A fixed wait, because the test counts the attempts during this time.
    tokio::time::sleep(Duration::from_millis(1_700)).await;
    let asked = asked.load(Ordering::SeqCst);
    // One attempt per 1.4 s. The sleep can take longer on a busy machine.
    assert!((1..=3).contains(&asked), "{asked} attempts");
    other.execute_batch("ROLLBACK").unwrap();
    assert_eq!(engine.next().await.key, "a");
    forwarder.stop().await;
}

/// Timeout of deliveries that hang.
const HANGS: Duration = Duration::from_secs(30);

/// More events hang than the forwarder delivers at once, so the forwarder must cancel some of them.
#[tokio::test(flavor = "multi_thread")]
async fn failed_event_is_retried_during_hanging_events() {
    let fixture = Fixture::new();
    let mut engine = Engine::start([]).await;
    engine.does(Answer::Never);
    for number in 0..200 {
        fixture.put(&format!("hangs {number}"), "{}").await;
    }
    fixture.put("once", "{}").await;
    // All events have failed before and are due. `once` is last in the queue.
    for event in fixture.store.lease(201, Duration::from_secs(60)).await.unwrap() {
        let lease = event.lease.clone().unwrap();
        fixture.store.nack(event.id, lease, "503", Duration::ZERO).await.unwrap();
    }
    let options = Options { timeout: HANGS, ..Options::new(engine.url.parse().unwrap()) };
    let forwarder = Forwarder::start(fixture.store.clone(), options).unwrap();
    let started = Instant::now();
    while engine.next().await.key != "once" {}
    // 201 events at 32 per second; the rest is a margin for a busy machine.
    assert!(started.elapsed() < HANGS * 2 / 3, "{:?}", started.elapsed());
    drop(forwarder);
}

#[tokio::test]
async fn released_event_has_its_own_key() {
    let fixture = Fixture::new();
    let mut engine = Engine::start([]).await;
    fixture.put("a", "{}").await;
    fixture.put("a", "{\"other\":1}").await;
    let forwarder = fixture.forwarder(&engine);
    assert_eq!(engine.next().await.key, "a");
    fixture.store.release(2, None).await.unwrap();
    let second = engine.next().await;
    assert_eq!(second.body, b"{\"other\":1}");
    assert!(second.key.starts_with("a~1~") && second.key.len() == 36, "{}", second.key);
    forwarder.stop().await;
}

#[tokio::test]
async fn clock_jump_delivers_nothing_twice() {
    let fixture = Fixture::standing();
    let mut engine = Engine::start([Answer::Never]).await;
    fixture.put("slow", "{}").await;
    let timeout = Duration::from_secs(3);
    let options = Options { timeout, ..Options::new(engine.url.parse().unwrap()) };
    let forwarder = Forwarder::start(fixture.store.clone(), options).unwrap();
    assert_eq!(engine.next().await.key, "slow");
    let ten_years_ms = 315_360_000_000;
    fixture.clock.fetch_add(ten_years_ms, Ordering::SeqCst);
    // The lease expires during the delivery, and the event is leased again.
    fixture.put("other", "{}").await;
    assert_eq!(engine.next().await.key, "other");
    while fixture.event(1).await.attempts < 2 {
        tokio::task::yield_now().await;
    }
    assert!(!engine.has_received_more());
    // The failure of the delivery is recorded, and the event is listed as stuck.
    let stuck = messaging_inbox::Filter { stuck: true, ..messaging_inbox::Filter::default() };
    while fixture.store.list(stuck.clone()).await.unwrap().is_empty() {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    assert_eq!(fixture.event(1).await.state, State::Pending);
    forwarder.stop().await;
}

#[tokio::test]
async fn clock_set_back_delays_no_retry() {
    let fixture = Fixture::standing();
    let mut engine = Engine::start([Answer::Status(503, "")]).await;
    fixture.put("failed", "{}").await;
    let options = Options::new(engine.url.parse().unwrap());
    let forwarder = Forwarder::start(fixture.store.clone(), options).unwrap();
    assert_eq!(engine.next().await.key, "failed");
    while fixture.event(1).await.state == State::Leased {
        tokio::task::yield_now().await;
    }
    // The clock stands still, so the delay of the retry would never end. After the clock is set
    // back, the delay starts in the future, so the event is due.
    fixture.clock.fetch_sub(500_000, Ordering::SeqCst);
    assert_eq!(engine.next().await.key, "failed");
    while fixture.event(1).await.state != State::Done {
        tokio::task::yield_now().await;
    }
    forwarder.stop().await;
}
