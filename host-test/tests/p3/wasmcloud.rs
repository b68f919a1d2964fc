//! The webhook for wasmCloud, with a key-value store whose operations are released one by one. A
//! delivery is suspended or fails at each operation. `guest/core/tests/webhook_exact.rs` tests the
//! other orders of operations, and canceled calls.

use std::pin::pin;
use std::sync::LazyLock;
use std::time::Duration;

use bytes::Bytes;
use futures_util::future::{self, Either};
use futures_util::stream;
use http_body::Frame;
use http_body_util::{BodyExt, Full, StreamBody};
use messaging_components::WEBHOOK_WASMCLOUD;
use messaging_host::inspect::Inspection;
use messaging_host::{Host, Limits};
use tokio::task::JoinHandle;
use wasmtime::component::Component;
use wasmtime_wasi::WasiCtxBuilder;
use wasmtime_wasi::p2::pipe::MemoryOutputPipe;
use wasmtime_wasi_http::WasiBody;
use wasmtime_wasi_http::p3::Request;
use wasmtime_wasi_http::p3::bindings::ServicePre;
use wasmtime_wasi_http::p3::bindings::http::types::ErrorCode;

use super::common::cached;
use super::keyvalue::{Client, Error, Fault, State, Values, linker};

const SECRET: &str = "what-only-the-sender-knows";
/// Two events to which the event source gave one key by mistake.
const EVENTS: [&str; 2] = [
    r#"{"id":"m-1","object":"message","event":"message:in:new"}"#,
    r#"{"id":"m-2","object":"message","event":"message:in:new"}"#,
];

static HOST: LazyLock<Host> =
    LazyLock::new(|| cached(Host::concurrent(Limits::default()).unwrap()));

static WEBHOOK: LazyLock<ServicePre<State>> = LazyLock::new(|| {
    let component = Component::new(HOST.engine(), WEBHOOK_WASMCLOUD).unwrap();
    ServicePre::new(linker(&HOST).instantiate_pre(&component).unwrap()).unwrap()
});

/// The response to the event source, and the log.
#[derive(Debug)]
struct Reply {
    status: u16,
    headers: http::HeaderMap,
    body: String,
    log: String,
}

impl Reply {
    /// Returns true if the log reports a conflicting event.
    fn is_quarantined(&self) -> bool {
        self.log.contains("quarantined: another event was received under the key evt-1")
    }
}

fn request(body: &str) -> http::Request<WasiBody> {
    let body = Full::new(Bytes::copy_from_slice(body.as_bytes()));
    with_body(body.map_err(|never| match never {}).boxed_unsync())
}

fn with_body(body: WasiBody) -> http::Request<WasiBody> {
    http::Request::post("http://localhost/")
        .header("content-type", "application/json")
        .header("x-idempotency-key", "evt-1")
        .header("x-webhook-secret", SECRET)
        .body(body)
        .unwrap()
}

/// Sends concurrent requests to one fresh instance.
async fn exchange(
    client: Client,
    settings: &[(&str, &str)],
    requests: Vec<http::Request<WasiBody>>,
) -> Vec<Reply> {
    let log = MemoryOutputPipe::new(64 * 1024);
    let mut wasi = WasiCtxBuilder::new();
    wasi.stderr(log.clone()).envs(settings);
    let mut store = State::store(HOST.engine(), &mut wasi, client);
    store.set_epoch_deadline(u64::MAX / 2);
    let service = WEBHOOK.instantiate_async(&mut store).await.unwrap();
    let answers = store.run_concurrent(async |accessor| {
        let exchanges = requests.into_iter().map(|request| {
            let hooks = wasmtime_wasi_http::default_hooks();
            let (request, sent) = Request::from_http(hooks, request);
            let service = &service;
            async move {
                let answer = pin!(async {
                    let response = service.handle(accessor, request).await.unwrap().unwrap();
                    let sent = async { Ok(()) };
                    let response = accessor.with(|store| response.into_http(store, sent)).unwrap();
                    let (head, body) = response.into_parts();
                    (head, body.collect().await.unwrap().to_bytes())
                });
                // The result of sending the request body is ignored.
                let sent = pin!(async {
                    let _ = sent.await;
                    future::pending::<()>().await;
                });
                match future::select(answer, sent).await {
                    Either::Left((answer, _)) => answer,
                    Either::Right(_) => panic!("this future never completes"),
                }
            }
        });
        future::join_all(exchanges).await
    });
    let answers: Vec<(http::response::Parts, Bytes)> = answers.await.unwrap();
    drop(store);
    let log = String::from_utf8(log.contents().to_vec()).unwrap();
    let reply = |(head, body): (http::response::Parts, Bytes)| Reply {
        status: head.status.as_u16(),
        headers: head.headers,
        body: String::from_utf8(body.to_vec()).unwrap(),
        log: log.clone(),
    };
    answers.into_iter().map(reply).collect()
}

const SETTINGS: [(&str, &str); 2] =
    [("MESSAGING_WEBHOOK_HEADER_SECRET", SECRET), ("MESSAGING_WEBHOOK_BUCKET", "events")];

async fn send(client: Client, request: http::Request<WasiBody>) -> Reply {
    exchange(client, &SETTINGS, vec![request]).await.remove(0)
}

/// Delivers one event without suspending the delivery.
async fn deliver(values: &Values, body: &str) -> Reply {
    let client = Client::of(values, 1_000);
    send(client, request(body)).await
}

/// A delivery that is suspended.
struct Held {
    client: Client,
    reply: JoinHandle<Reply>,
}

impl Held {
    /// Starts a delivery and suspends it after `operations` operations. Returns the reply as `Err`
    /// if the delivery ended earlier.
    async fn after(operations: usize, values: &Values, body: &str) -> Result<Self, Reply> {
        let client = Client::of(values, operations);
        let mut begun = client.begun.subscribe();
        let mut reply = tokio::spawn(send(client.clone(), request(body)));
        tokio::select! {
            ended = &mut reply => Err(ended.unwrap()),
            _ = begun.wait_for(|begun| *begun > operations) => Ok(Self { client, reply }),
        }
    }

    async fn release(self) -> Reply {
        self.client.open();
        self.reply.await.unwrap()
    }
}

/// Returns three lists of indexes into [`EVENTS`]: all stored events, the first event, and the
/// quarantined events. Panics if a listed event is not stored.
fn kept(values: &Values) -> (Vec<usize>, Vec<usize>, Vec<usize>) {
    let values = values.lock().unwrap();
    let number = |json: &[u8]| {
        let holds = |event: &&str| json.windows(event.len()).any(|part| part == event.as_bytes());
        EVENTS.iter().position(holds).unwrap()
    };
    let under = |prefix: &str| -> Vec<_> {
        values.iter().filter(|(key, _)| key.starts_with(prefix)).map(|(_, value)| value).collect()
    };
    let event = |digest: &Vec<u8>| {
        number(&values[&format!("event.evt-1.{}", str::from_utf8(digest).unwrap())])
    };
    let mut events: Vec<_> = under("event.evt-1.").into_iter().map(|json| number(json)).collect();
    events.sort_unstable();
    let listed = |prefix| under(prefix).into_iter().map(event).collect();
    (events, listed("first.evt-1"), listed("conflicts.evt-1."))
}

/// Delivers every event again. Asserts that each is acknowledged and that the store does not
/// change.
async fn again(values: &Values) {
    let before = values.lock().unwrap().clone();
    for event in EVENTS {
        assert_eq!(deliver(values, event).await.status, 200);
    }
    assert_eq!(*values.lock().unwrap(), before);
}

#[tokio::test]
async fn one_of_two_racing_events_is_new() {
    let mut winners = [0, 0];
    for operations in 0.. {
        let values = Values::default();
        let held = match Held::after(operations, &values, EVENTS[0]).await {
            Ok(held) => held,
            Err(reply) => {
                assert_eq!((reply.status, operations), (200, 4));
                break;
            }
        };
        let other = deliver(&values, EVENTS[1]).await;
        let held = held.release().await;
        assert_eq!((held.status, other.status), (200, 200));
        let (events, first, conflicts) = kept(&values);
        assert_eq!(events, [0, 1]);
        let [winner] = first[..] else { panic!("{first:?}") };
        assert_eq!(conflicts, [1 - winner]);
        // Only the delivery of the conflicting event logs the conflict.
        assert_eq!([held.is_quarantined(), other.is_quarantined()], [winner == 1, winner == 0]);
        winners[winner] += 1;
        again(&values).await;
    }
    // A delivery that is suspended before one of its operations always loses to the other delivery.
    assert_eq!(winners, [0, 4]);
}

#[tokio::test]
async fn failing_store_is_answered_503() {
    let errors = [
        (Error::NoSuchStore, "the host has no bucket with this name"),
        (Error::AccessDenied, "denies access"),
        (Error::Timeout, "timeout"),
        (Error::StoreUnavailable, "store-unavailable"),
        (Error::QuotaExceeded, "quota-exceeded"),
        (Error::InvalidArgument, "invalid-argument"),
        (Error::Other("no majority".into()), "no majority"),
    ];
    for before in [&EVENTS[..0], &EVENTS[1..]] {
        // The operations are open, read (twice if another event is stored), write, create.
        let creation = 3 + before.len();
        for at in 0..=creation {
            for (error, detail) in &errors {
                for is_done in [false, true] {
                    let values = Values::default();
                    for event in before {
                        assert_eq!(deliver(&values, event).await.status, 200);
                    }
                    let fault = Fault { at, is_done, error: error.clone() };
                    let client = Client { fault: Some(fault), ..Client::of(&values, 1_000) };
                    let reply = send(client, request(EVENTS[0])).await;
                    // If the create took effect despite the error, the webhook finds the event.
                    if at == creation && is_done {
                        assert_eq!(reply.status, 200, "{reply:?}");
                    } else {
                        assert_eq!(reply.status, 503, "{at}: {reply:?}");
                        assert_eq!(reply.headers["retry-after"], "5");
                        let detail = [*detail, "the bucket \"events\""];
                        assert!(
                            detail.iter().all(|detail| reply.log.contains(detail)),
                            "{reply:?}"
                        );
                    }
                    assert_eq!(deliver(&values, EVENTS[0]).await.status, 200);
                    let (events, first, conflicts) = kept(&values);
                    assert_eq!((events.len(), first.len()), (1 + before.len(), 1));
                    assert_eq!(conflicts.len(), before.len());
                }
            }
        }
    }
}

#[tokio::test]
async fn concurrent_deliveries_count_each_once() {
    let values = Values::default();
    let requests = (0..32).map(|number| request(EVENTS[number % 2])).collect();
    let replies = exchange(Client::of(&values, 1_000), &SETTINGS, requests).await;
    assert_eq!(replies.len(), 32);
    assert!(replies.iter().all(|reply| reply.status == 200 && reply.body == "{\"received\":true}"));
    let (events, first, conflicts) = kept(&values);
    assert_eq!((events, first.len(), conflicts.len()), (vec![0, 1], 1, 1));
    // Every delivery of the conflicting event is logged.
    assert_eq!(replies[0].log.matches("quarantined").count(), 16);
}

#[tokio::test]
async fn invalid_delivery_is_named_and_dropped() {
    let values = Values::default();
    let changed = |change: fn(&mut http::Request<WasiBody>)| {
        let mut request = request(EVENTS[0]);
        change(&mut request);
        request
    };
    let large = format!("{{\"text\":\"{}\"}}", "x".repeat(300_000));
    let without = |name: &str| {
        let mut request = request(EVENTS[0]);
        request.headers_mut().remove(name);
        request
    };
    for (request, status, detail) in [
        (changed(|one| *one.method_mut() = http::Method::GET), 405, "POST"),
        (changed(|one| *one.method_mut() = http::Method::PUT), 405, "POST"),
        (without("x-webhook-secret"), 401, "unverified"),
        (without("content-type"), 415, "application/json"),
        (without("x-idempotency-key"), 400, "x-idempotency-key"),
        (request("{\"id\":\"\"}"), 400, "$.id"),
        (request("[]"), 400, "\"$\""),
        (request(&large), 413, "too large"),
        (
            changed(|one| {
                one.headers_mut().insert("content-length", http::HeaderValue::from(300_000));
            }),
            413,
            "too large",
        ),
        (changed(|one| *one = with_body(not_text())), 400, "UTF-8"),
        (changed(|one| *one = with_body(broken_off())), 400, "is incomplete"),
    ] {
        let reply = send(Client::of(&values, 1_000), request).await;
        assert_eq!(reply.status, status, "{reply:?}");
        assert!(reply.body.contains(detail), "{reply:?}");
        assert_eq!(reply.headers["content-type"], "application/json");
        assert_eq!(reply.headers.contains_key("allow"), status == 405);
        assert_eq!(reply.headers.contains_key("www-authenticate"), status == 401);
        assert!(reply.log.is_empty(), "{reply:?}");
    }
    assert!(values.lock().unwrap().is_empty());
}

fn not_text() -> WasiBody {
    Full::new(Bytes::from_static(&[b'{', 0xff])).map_err(|never| match never {}).boxed_unsync()
}

/// A body that breaks off within an event.
fn broken_off() -> WasiBody {
    let part = Ok(Frame::data(Bytes::from_static(&EVENTS[0].as_bytes()[..10])));
    let end = Err(ErrorCode::ConnectionTerminated.into());
    BodyExt::boxed_unsync(StreamBody::new(stream::iter([part, end])))
}

#[tokio::test]
async fn missing_body_ends_at_deadline() {
    let values = Values::default();
    let part = stream::iter([Ok(Frame::data(Bytes::from_static(b"{")))]);
    let silent = futures_util::StreamExt::chain(part, stream::pending());
    let body = BodyExt::boxed_unsync(StreamBody::new(silent));
    let settings = [SETTINGS[0], SETTINGS[1], ("MESSAGING_WEBHOOK_DEADLINE_MS", "100")];
    let replies = exchange(Client::of(&values, 0), &settings, vec![with_body(body)]);
    let replies = tokio::time::timeout(Duration::from_secs(20), replies).await.unwrap();
    assert_eq!(replies[0].status, 408, "{replies:?}");
}

#[tokio::test]
async fn wrong_setting_is_named_in_log() {
    let values = Values::default();
    for (settings, status, detail) in [
        (vec![], 401, ""),
        (vec![SETTINGS[0]], 503, "the bucket \"default\": the host has no bucket with this name"),
        (
            vec![SETTINGS[0], ("MESSAGING_WEBHOOK_DEADLINE_MS", SECRET)],
            503,
            "MESSAGING_WEBHOOK_DEADLINE_MS",
        ),
    ] {
        let requests = vec![request(EVENTS[0])];
        let reply = exchange(Client::of(&values, 1_000), &settings, requests).await.remove(0);
        assert_eq!(reply.status, status, "{reply:?}");
        assert!(reply.log.contains(detail) && !reply.body.contains("MESSAGING"), "{reply:?}");
        assert!(!reply.log.contains(SECRET), "{reply:?}");
    }
    assert!(values.lock().unwrap().is_empty());
}

#[test]
fn component_has_exactly_these_imports() {
    let inspection = Inspection::of(WEBHOOK_WASMCLOUD).unwrap();
    let mut imports: Vec<_> = inspection.imports.iter().map(|one| one.name.as_str()).collect();
    imports.sort_unstable();
    assert_eq!(
        imports,
        [
            "wasi:cli/environment@0.3.0",
            "wasi:cli/stderr@0.3.0",
            // This interface contains only types.
            "wasi:cli/types@0.3.0",
            "wasi:clocks/monotonic-clock@0.3.0",
            "wasi:clocks/system-clock@0.3.0",
            "wasi:http/types@0.3.0",
            "wasmcloud:keyvalue/store@0.2.0",
            "wasmcloud:keyvalue/types@0.2.0",
        ]
    );
    let [handler] = &inspection.exports[..] else { panic!("{:?}", inspection.exports) };
    assert_eq!(handler.name, "wasi:http/handler@0.3.0");
    let holds =
        |text: &str| WEBHOOK_WASMCLOUD.windows(text.len()).any(|part| part == text.as_bytes());
    for path in ["/root/", "/home/", "/Users/", ".cargo", "registry", env!("CARGO_MANIFEST_DIR")] {
        assert!(!holds(path), "{path}");
    }
    assert!(WEBHOOK_WASMCLOUD.len() <= 170_000, "{} bytes", WEBHOOK_WASMCLOUD.len());
}
