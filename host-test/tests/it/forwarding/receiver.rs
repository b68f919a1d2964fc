//! Forwarding from the point of view of a receiver: headers and signatures, requested delays, and
//! events that the receiver rejects.

use std::num::NonZeroU32;
use std::sync::atomic::Ordering;
use std::time::Duration;

use messaging_inbox::{Entry, Kinds, State, TraceContext};
use messaging_net::headers::{KeyHeader, SecretHeaders};
use messaging_server::forward::{Forwarder, Options, Outcomes, SigningSecrets};
use rusqlite::Connection;
use serde_json::json;
use standardwebhooks::Webhook;

use super::engine::{Answer, Engine, Fixture, TAKEN};
use super::{PAUSE, serve, wait_for};
use crate::process::{TestStore, body, deliver, exchange, request};

/// A secret of 24 bytes. [`NEW`] has 32 bytes, and [`OTHER`] is an unrelated secret.
const OLD: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const NEW: &str = "whsec_Y2FuYXJ5Y2FuYXJ5Y2FuYXJ5Y2FuYXJ5Y2FuYXJ5MTI=";
const OTHER: &str = "whsec_b3RoZXJvdGhlcm90aGVyb3RoZXJvdGhlcm90aGVyMTI=";

pub const PARENT: &str = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

fn options(engine: &Engine) -> Options {
    Options {
        first_pause: PAUSE,
        timeout: Duration::from_millis(500),
        ..Options::new(engine.url.parse().unwrap())
    }
}

#[tokio::test]
async fn receiver_verifies_each_request_with_either_secret() {
    let fixture = Fixture::new();
    let mut engine = Engine::start([]).await;
    let options = Options {
        secrets: Some(SigningSecrets::parse(&format!("{OLD} {NEW}")).unwrap()),
        headers: SecretHeaders::parse("Authorization: Bearer one\nX-Tenant: two").unwrap(),
        key_headers: vec![KeyHeader::parse("X-Event-Key").unwrap()],
        ..options(&engine)
    };
    let forwarder = Forwarder::start(fixture.store.clone(), options).unwrap();
    let entry = Entry {
        idempotency_key: "key.1".into(),
        message_id: "m".into(),
        kind: "k".into(),
        json: "{\"text\":\"caf\u{e9} \u{1f600}\"}".into(),
    };
    let trace = TraceContext::parse(PARENT, Some("rojo=1,congo=2"));
    fixture.store.put_traced(entry.clone(), trace).await.unwrap();
    let received = engine.next().await;
    for header in ["x-idempotency-key", "idempotency-key", "x-event-key", "webhook-id"] {
        assert_eq!(received.all(header), ["key.1"], "{header}: {}", received.head);
    }
    assert_eq!(received.all("authorization"), ["Bearer one"]);
    assert_eq!(received.all("x-tenant"), ["two"]);
    assert_eq!(
        (received.all("traceparent"), received.all("tracestate")),
        (vec![PARENT], vec!["rojo=1,congo=2"])
    );
    assert_eq!(received.body, entry.json.as_bytes());
    let headers = received.headers();
    for secret in [OLD, NEW] {
        Webhook::new(secret).unwrap().verify(&received.body, &headers).unwrap();
    }
    Webhook::new(OTHER).unwrap().verify(&received.body, &headers).unwrap_err();
    Webhook::new(OLD).unwrap().verify(b"{}", &headers).unwrap_err();
    // A released conflicting event is signed under its own delivery key.
    fixture.store.put(Entry { json: "{}".into(), ..entry }).await.unwrap();
    fixture.store.release(2, None).await.unwrap();
    let received = engine.next().await;
    assert!(received.key.starts_with("key.1~1~"), "{}", received.key);
    assert_eq!(received.all("webhook-id"), [received.key.as_str()]);
    Webhook::new(NEW).unwrap().verify(&received.body, &received.headers()).unwrap();
    forwarder.stop().await;
}

#[tokio::test]
async fn without_secrets_and_headers_nothing_is_made_up() {
    let fixture = Fixture::new();
    let mut engine = Engine::start([]).await;
    fixture.put("a", "{}").await;
    let forwarder = fixture.forwarder(&engine);
    let received = engine.next().await;
    let headers =
        ["content-length", "content-type", "host", "idempotency-key", "x-idempotency-key"];
    let mut names: Vec<_> = received.headers().keys().map(ToString::to_string).collect();
    names.sort();
    assert_eq!(names, headers, "{}", received.head);
    forwarder.stop().await;
}

#[tokio::test]
async fn forwarder_keeps_requested_pause() {
    let hour_ms = 3_600_000;
    for (lines, least_ms) in [
        ("Retry-After: 3600\r\n", hour_ms),
        (
            "Retry-After: Sat, 21 Nov 2026 11:00:00 GMT\r\nDate: Sat, 21 Nov 2026 10:00:00 GMT\r\n",
            hour_ms,
        ),
        // The date is relative to the store's clock, which stands at 1,000 s after the start of
        // 1970.
        ("Retry-After: Thu, 01 Jan 1970 01:16:40 GMT\r\n", hour_ms),
        ("Retry-After: 999999999\r\n", 24 * hour_ms),
    ] {
        let fixture = Fixture::standing();
        let mut engine = Engine::start([Answer::With(503, lines.into())]).await;
        fixture.put("a", "{}").await;
        let forwarder = Forwarder::start(fixture.store.clone(), options(&engine)).unwrap();
        engine.next().await;
        let event = fixture.until(1, State::Pending).await;
        let pause_ms = event.due_ms - 1_000_000;
        assert!((least_ms..=least_ms + least_ms / 4).contains(&pause_ms), "{lines}: {pause_ms}");
        assert_eq!((event.failures, event.last_error.as_deref()), (1, Some("status 503")));
        forwarder.stop().await;
    }
}

#[tokio::test]
async fn gone_event_is_dead_until_requeued() {
    let fixture = Fixture::new();
    let mut engine = Engine::start([Answer::Status(410, ""), TAKEN, TAKEN]).await;
    fixture.put("gone", "{}").await;
    let forwarder = fixture.forwarder(&engine);
    assert_eq!(engine.next().await.key, "gone");
    let event = fixture.until(1, State::Dead).await;
    assert_eq!((event.failures, event.last_error.as_deref()), (1, Some("status 410")));
    // Other events are still delivered. The dead event is not.
    fixture.put("other", "{}").await;
    assert_eq!(engine.next().await.key, "other");
    fixture.until(2, State::Done).await;
    assert!(!engine.has_received_more());
    assert_eq!(fixture.store.requeue(1).await, Ok(true));
    assert_eq!(engine.next().await.key, "gone");
    fixture.until(1, State::Done).await;
    let outcomes = Outcomes { delivered: 2, dead: 1, ..Outcomes::default() };
    assert_eq!(forwarder.stop().await, outcomes);
}

#[tokio::test]
async fn event_is_dead_after_allowed_failures() {
    let fixture = Fixture::new();
    // The first attempt may use a connection of an earlier request, so its reset does not count as
    // a failure. Later attempts use new connections.
    let status = Answer::Status(500, "");
    let answers = [Answer::Reset, status.clone(), Answer::Reset, status, TAKEN];
    let mut engine = Engine::start(answers).await;
    let attempts = NonZeroU32::new(3);
    fixture.put("a", "{}").await;
    let options = Options { attempts, ..options(&engine) };
    let forwarder = Forwarder::start(fixture.store.clone(), options).unwrap();
    for _ in 0..4 {
        assert_eq!(engine.next().await.key, "a");
    }
    let event = fixture.until(1, State::Dead).await;
    assert_eq!((event.failures, event.last_error.as_deref()), (3, Some("status 500")));
    let outcomes = Outcomes { not_reached: 1, failed: 2, dead: 1, ..Outcomes::default() };
    assert_eq!(forwarder.stop().await, outcomes);
    assert!(!engine.has_received_more());
}

#[tokio::test]
async fn outage_kills_no_event() {
    let fixture = Fixture::standing();
    let mut engine = Engine::start([Answer::Never, Answer::Never, TAKEN]).await;
    // A free port without a listener.
    let held = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let closed = held.local_addr().unwrap();
    drop(held);
    fixture.put("a", "{}").await;
    let one = NonZeroU32::new(1);
    let down = Options {
        attempts: one,
        url: format!("http://{closed}/").parse().unwrap(),
        ..options(&engine)
    };
    let forwarder = Forwarder::start(fixture.store.clone(), down).unwrap();
    while forwarder.outcomes().not_reached == 0 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let reason = fixture.until(1, State::Pending).await.last_error.unwrap();
    assert!(reason.contains("refused the connection"), "{reason}");
    forwarder.stop().await;

    // An unknown host name (RFC 6761).
    fixture.clock.fetch_add(10_000_000, Ordering::SeqCst);
    let unknown = Options {
        attempts: one,
        url: "http://nowhere.invalid/".parse().unwrap(),
        ..options(&engine)
    };
    let forwarder = Forwarder::start(fixture.store.clone(), unknown).unwrap();
    while forwarder.outcomes().not_reached == 0 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    forwarder.stop().await;
    assert_eq!(fixture.event(1).await.failures, 0);

    // The forwarder is dropped during a delivery.
    fixture.clock.fetch_add(10_000_000, Ordering::SeqCst);
    let patient = Options { attempts: one, timeout: Duration::from_secs(30), ..options(&engine) };
    let forwarder = Forwarder::start(fixture.store.clone(), patient).unwrap();
    assert_eq!(engine.next().await.key, "a");
    drop(forwarder);
    fixture.clock.fetch_add(10_000_000, Ordering::SeqCst);
    let event = fixture.event(1).await;
    assert_eq!((event.state, event.failures), (State::Leased, 0));

    // A failure that cannot be stored does not count. The event is delivered again after its lease
    // expires.
    let other = Connection::open(fixture.path()).unwrap();
    let fails = "CREATE TRIGGER fails BEFORE UPDATE OF failures ON events
        BEGIN SELECT RAISE(ABORT, 'no'); END";
    other.execute_batch(fails).unwrap();
    let options = Options { attempts: one, ..options(&engine) };
    let forwarder = Forwarder::start(fixture.store.clone(), options).unwrap();
    assert_eq!(engine.next().await.key, "a");
    while forwarder.outcomes().unstored == 0 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    other.execute_batch("DROP TRIGGER fails").unwrap();
    let event = fixture.event(1).await;
    assert_eq!((event.state, event.failures), (State::Leased, 0));
    fixture.clock.fetch_add(10_000_000, Ordering::SeqCst);
    assert_eq!(engine.next().await.key, "a");
    assert_eq!(fixture.until(1, State::Done).await.failures, 0);
    forwarder.stop().await;
}

/// Forwards an event to the engine, while the store rejects each acknowledgment. Returns after the
/// event has arrived.
async fn forward_unstored(fixture: &Fixture, engine: &mut Engine) -> (Forwarder, Connection) {
    let other = Connection::open(fixture.path()).unwrap();
    let fails = "CREATE TRIGGER fails BEFORE UPDATE ON events WHEN NEW.state = 'done'
        BEGIN SELECT RAISE(ABORT, 'no'); END";
    other.execute_batch(fails).unwrap();
    fixture.put("a", "{}").await;
    let options = Options { timeout: Duration::from_secs(20), ..options(engine) };
    let forwarder = Forwarder::start(fixture.store.clone(), options).unwrap();
    assert_eq!(engine.next().await.key, "a");
    (forwarder, other)
}

#[tokio::test]
async fn lease_lost_in_store_outage_is_counted() {
    let fixture = Fixture::new();
    let mut engine = Engine::start([TAKEN]).await;
    let (forwarder, other) = forward_unstored(&fixture, &mut engine).await;
    other.execute_batch("UPDATE events SET lease = 'of another'; DROP TRIGGER fails").unwrap();
    while forwarder.outcomes().unstored == 0 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    assert_eq!(fixture.event(1).await.state, State::Leased);
}

#[tokio::test]
async fn delivery_during_store_outage_is_not_repeated() {
    let fixture = Fixture::new();
    let mut engine = Engine::start([TAKEN]).await;
    let (forwarder, other) = forward_unstored(&fixture, &mut engine).await;
    assert_eq!(fixture.until(1, State::Leased).await.attempts, 1);
    other.execute_batch("DROP TRIGGER fails").unwrap();
    assert_eq!(fixture.until(1, State::Done).await.attempts, 1);
    assert_eq!(forwarder.stop().await.unstored, 0);
    assert!(!engine.has_received_more());
}

#[tokio::test]
async fn events_of_other_kinds_wait_for_other_workers() {
    let fixture = Fixture::new();
    let mut engine = Engine::start([Answer::Status(503, "")]).await;
    for (key, kind) in [("a", "out"), ("b", "in"), ("c", "status"), ("d", "out")] {
        fixture.put_of_kind(key, kind, "{}").await;
    }
    let kinds = Kinds::Only(["in".to_string(), "status".to_string()].into());
    let options = Options { kinds, ..options(&engine) };
    let forwarder = Forwarder::start(fixture.store.clone(), options).unwrap();
    for id in [2, 3] {
        fixture.until(id, State::Done).await;
    }
    fixture.put_of_kind("e", "in", "{}").await;
    fixture.until(5, State::Done).await;
    forwarder.stop().await;
    let mut keys = Vec::new();
    while let Ok(received) = engine.received.try_recv() {
        keys.push(received.key);
    }
    keys.sort();
    keys.dedup();
    assert_eq!(keys, ["b", "c", "e"]);
    for id in [1, 4] {
        let event = fixture.event(id).await;
        assert_eq!((event.state, event.attempts), (State::Pending, 0));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn serve_forwards_traces_and_headers() {
    let store = TestStore::new();
    let mut engine = Engine::start([Answer::Status(500, "")]).await;
    let options =
        ["--forward-attempts", "1", "--only", "message:in:new", "--forward-key-header", "X-Event"];
    let settings = [
        ("RUST_LOG", "trace"),
        ("MESSAGING_FORWARD_HEADERS", "Authorization: Bearer canary-token\nX-Tenant: canary-two"),
        ("MESSAGING_FORWARD_SECRET", NEW),
    ];
    let mut serving = serve(&store, &engine, &options, &settings);
    let deliver = async |key: &str, headers: &str, body: &str| {
        let request = request("/", headers, key, body);
        assert_eq!(exchange(serving.address, request.as_bytes()).await.status, 200);
    };
    let other = r#"{"id":"m","object":"message","event":"message:out:sent"}"#;
    deliver("other", "", other).await;
    let traced = format!("Traceparent: {PARENT}\r\nTracestate: rojo=1\r\nTracestate: congo=2\r\n");
    deliver("dies", &traced, &body("dies")).await;
    let received = engine.next().await;
    assert_eq!((received.key.as_str(), received.all("x-event")), ("dies", vec!["dies"]));
    assert_eq!(received.all("traceparent"), [PARENT]);
    assert_eq!(received.all("tracestate"), ["rojo=1,congo=2"]);
    assert_eq!(received.all("authorization"), ["Bearer canary-token"]);
    Webhook::new(NEW).unwrap().verify(&received.body, &received.headers()).unwrap();
    let dead = wait_for(&store, &["--dead"], 1);
    assert_eq!((&dead[0]["traceparent"], &dead[0]["failures"]), (&json!(PARENT), &json!(1)));
    // An invalid trace header does not affect the event.
    deliver("untraced", "Traceparent: 00-canary\r\nTraceparent: x\r\n", &body("untraced")).await;
    let received = engine.next().await;
    assert_eq!((received.key.as_str(), received.all("traceparent")), ("untraced", vec![]));
    let requeued = store.inbox(&["requeue", "--dead", "--kind", "message:in:new"]);
    assert_eq!(requeued["ok"]["requeued"], 1);
    assert_eq!(engine.next().await.key, "dies");
    wait_for(&store, &["--state", "done"], 2);
    assert_eq!(wait_for(&store, &["--state", "pending"], 1)[0]["attempts"], 0);
    #[cfg(unix)]
    serving.terminate();
    let (_, rest) = serving.wait();
    let listed = store.inbox(&["list"]).to_string();
    let log = serving.log();
    assert!(log.contains("the event is dead"), "{log}");
    for text in [log, listed, rest, serving.ready.clone()] {
        assert!(!text.contains("canary-") && !text.contains(&NEW[6..]), "{text}");
    }
    assert!(!engine.has_received_more());
}

/// Uses a single thread, so that a sleeping thread simulates a suspended process.
#[tokio::test]
async fn suspended_process_kills_no_event() {
    let fixture = Fixture::new();
    let mut engine = Engine::start([Answer::Never, TAKEN]).await;
    fixture.put("a", "{}").await;
    let options = Options { attempts: NonZeroU32::new(1), ..options(&engine) };
    let forwarder = Forwarder::start(fixture.store.clone(), options).unwrap();
    engine.next().await;
    std::thread::sleep(Duration::from_millis(1_800));
    assert_eq!(engine.next().await.key, "a");
    let event = fixture.until(1, State::Done).await;
    assert_eq!((event.failures, event.attempts), (0, 2));
    assert_eq!(
        event.last_error.as_deref(),
        Some("no answer in time, because this process was suspended")
    );
    forwarder.stop().await;
}

/// The receiver accepts each event and closes connections at any time.
#[tokio::test]
async fn closed_connection_kills_no_event() {
    let fixture = Fixture::new();
    // Every second request is answered with a reset of its connection.
    let answers = (0..20).map(|number| if number % 2 == 0 { TAKEN } else { Answer::Reset });
    let mut engine = Engine::start(answers).await;
    let options = Options { attempts: NonZeroU32::new(1), ..options(&engine) };
    let forwarder = Forwarder::start(fixture.store.clone(), options).unwrap();
    for number in 0..5 {
        fixture.put(&format!("{number}"), "{}").await;
        fixture.until(number + 1, State::Done).await;
    }
    let outcomes = forwarder.stop().await;
    assert_eq!((outcomes.delivered, outcomes.failed, outcomes.dead), (5, 0, 0));
    assert!(outcomes.not_reached > 0, "{outcomes:?}");
    while engine.has_received_more() {}
}

/// One inbox forwards to another. The receiving webhook verifies the signatures and stores each
/// event once.
#[tokio::test(flavor = "multi_thread")]
async fn webhook_accepts_signature_of_forwarder() {
    let (near, far) = (TestStore::new(), TestStore::new());
    let proof = [
        ("MESSAGING_WEBHOOK_SIGNED", "standard-webhooks"),
        ("MESSAGING_WEBHOOK_SIGNATURE_SECRET", NEW),
        ("MESSAGING_WEBHOOK_TIMESTAMP_TOLERANCE_SECONDS", "300"),
    ];
    let receiving = far.serve(&[], &proof);
    let forward = ["--forward", &*receiving.url];
    let mut forwarding = near.serve(&forward, &[("MESSAGING_FORWARD_SECRET", OTHER)]);
    assert_eq!(deliver(forwarding.address, "a").await.status, 200);
    let refused = wait_for(&near, &["--stuck"], 1);
    assert_eq!(refused[0]["last-error"], "status 401");
    assert_eq!(far.inbox(&["list"]), json!([]));
    forwarding.kill();
    near.inbox(&["release", "1"]);
    let two = format!("{OTHER} {NEW}");
    let forwarding = near.serve(&forward, &[("MESSAGING_FORWARD_SECRET", &two)]);
    assert_eq!(deliver(forwarding.address, "b").await.status, 200);
    wait_for(&near, &["--state", "done"], 2);
    let mut keys = far.keys();
    keys.sort();
    assert_eq!(keys, ["a", "b"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn rejecting_receiver_does_not_fill_log() {
    let store = TestStore::new();
    let mut engine = Engine::start([]).await;
    engine.does(Answer::Status(410, ""));
    let mut serving = serve(&store, &engine, &[], &[]);
    for number in 0..30 {
        let reply = deliver(serving.address, &format!("{number}")).await;
        assert_eq!(reply.status, 200);
        engine.next().await;
    }
    wait_for(&store, &["--dead"], 30);
    serving.kill();
    let lines = serving.log().lines().filter(|line| line.contains("the event is dead")).count();
    // The log has one line per 10 s. The range allows for a busy machine.
    assert!((1..=4).contains(&lines), "{}", serving.log());
}
