//! The webhook over real HTTP: every documented response, and the server in front of the webhook.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::net::SocketAddr;
use std::path::Path;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use crate::common::cached;
use crate::common::log::Captured;
use crate::process::{Reply, exchange, read_reply};
use messaging_components::{PLUGIN, WEBHOOK_FILES, WEBHOOK_OPEN};
use messaging_host::webhook::{Inbox, WebhookConfig, wit as inbox};
use messaging_host::{Host, Limits, LoadError, Webhook};
use messaging_server::serve::{Deliveries, Options, Server};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

const BODY: &str = r#"{"id":"m-1","object":"message","event":"message:in:new","text":"hé"}"#;
const OPEN: (&str, &str) = ("MESSAGING_WEBHOOK_ALLOW_UNVERIFIED", "true");

struct Setup {
    folder: tempfile::TempDir,
    server: Server,
}

impl Setup {
    /// Starts a server with the composed webhook and an inbox in a directory.
    async fn with(settings: &[(&str, &str)], change: impl FnOnce(&mut Options)) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut options = Options::new(SocketAddr::from(([127, 0, 0, 1], 0)));
        change(&mut options);
        let webhook = webhook(settings, folder.path());
        let server = Server::start(Deliveries::new(webhook), options).await.unwrap();
        Self { folder, server }
    }

    async fn new(settings: &[(&str, &str)]) -> Self {
        Self::with(settings, |_| {}).await
    }

    async fn deliver(&self, key: &str, body: &str) -> Reply {
        self.send(&request("POST", "/", &event_headers(key), body)).await
    }

    async fn send(&self, request: &str) -> Reply {
        exchange(self.server.address(), request.as_bytes()).await
    }

    fn kept(&self, part: &str) -> Vec<serde_json::Value> {
        kept(self.folder.path(), part)
    }
}

fn webhook(settings: &[(&str, &str)], folder: &Path) -> Webhook {
    let environment = settings.iter().map(|(name, value)| ((*name).into(), (*value).into()));
    let config = WebhookConfig {
        environment: environment.collect(),
        folder: Some(folder.into()),
        ..WebhookConfig::default()
    };
    static ONCE: OnceLock<Webhook> = OnceLock::new();
    let compiled = ONCE.get_or_init(|| {
        let host =
            cached(Host::new(Limits { instances: 64, parts: 3, ..Limits::default() }).unwrap());
        Webhook::load(&host, WEBHOOK_FILES, WebhookConfig::default()).unwrap()
    });
    compiled.with_config(config)
}

fn kept(folder: &Path, part: &str) -> Vec<serde_json::Value> {
    let Ok(files) = std::fs::read_dir(folder.join(part)) else { return Vec::new() };
    let mut files: Vec<_> = files.map(|file| file.unwrap().path()).collect();
    files.sort();
    let read = |path| serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    files.into_iter().map(read).collect()
}

fn event_headers(key: &str) -> String {
    format!("Content-Type: application/json\r\nX-Idempotency-Key: {key}\r\n")
}

fn request(method: &str, path: &str, headers: &str, body: &str) -> String {
    format!(
        "{method} {path} HTTP/1.1\r\nHost: webhook.example\r\n{headers}Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    )
}

#[tokio::test]
async fn invalid_delivery_is_named_and_not_stored() {
    let setup = Setup::new(&[OPEN]).await;
    let headers = event_headers("evt-1");
    let no_key = "Content-Type: application/json\r\n";
    let two_keys = format!("{headers}X-Idempotency-Key: evt-2\r\n");
    let text = headers.replace("application/json", "text/plain");
    for (method, headers, body, status, names) in [
        ("GET", headers.as_str(), "", 405, "POST"),
        ("PUT", &headers, BODY, 405, "POST"),
        ("POST", &text, BODY, 415, "application/json"),
        ("POST", "X-Idempotency-Key: evt-1\r\n", BODY, 415, "application/json"),
        ("POST", no_key, BODY, 400, "x-idempotency-key"),
        ("POST", &two_keys, BODY, 400, "x-idempotency-key"),
        ("POST", &headers, "", 400, "$"),
        ("POST", &headers, "{\"id\":\"\"}", 400, "$.id"),
        ("POST", &headers, "[]", 400, "$"),
        ("POST", &headers, &BODY.replace("\"message\"", "\"template\""), 400, "$.object"),
    ] {
        let reply = setup.send(&request(method, "/", headers, body)).await;
        assert_eq!(reply.status, status, "{method} {headers}{body}: {}", reply.body);
        assert!(reply.body.contains(names), "{}", reply.body);
        assert!(serde_json::from_str::<serde_json::Value>(&reply.body).is_ok(), "{}", reply.body);
        assert_eq!(reply.head.contains("allow: post"), status == 405, "{}", reply.head);
    }
    assert!(setup.kept("events").is_empty());
}

#[tokio::test]
async fn body_above_cap_is_rejected() {
    let cap = 2_000;
    let settings = [OPEN, ("MESSAGING_WEBHOOK_MAX_BODY_BYTES", "2000")];
    for by_host in [true, false] {
        // If the server allows larger bodies, the component enforces the limit.
        let change = |options: &mut Options| {
            options.max_body_bytes = if by_host { cap } else { 256 * 1024 };
        };
        let setup = Setup::with(&settings, change).await;
        let padded = |length: usize| format!("{BODY}{}", " ".repeat(length - BODY.len()));
        for (length, status) in [(cap - 1, 200), (cap, 200), (cap + 1, 413), (100_000, 413)] {
            let key = format!("evt-{length}");
            assert_eq!(setup.deliver(&key, &padded(length)).await.status, status, "{length}");
            // Without `Content-Length`, the body is counted while it is read.
            let chunked = format!(
                "POST / HTTP/1.1\r\nHost: h\r\n{}Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n{length:x}\r\n{}\r\n0\r\n\r\n",
                event_headers(&key),
                padded(length)
            );
            assert_eq!(setup.send(&chunked).await.status, status, "{length}, chunked");
        }
        assert_eq!(setup.kept("events").len(), 2);
    }
}

#[tokio::test]
async fn malformed_setting_rejects_every_delivery() {
    for setting in
        [("MESSAGING_WEBHOOK_PATH_SECRET", "short"), ("MESSAGING_WEBHOOK_MAX_BODY_BYTES", "x")]
    {
        let setup = Setup::new(&[OPEN, setting]).await;
        let reply = setup.deliver("evt-1", BODY).await;
        assert_eq!(reply.status, 503);
        assert!(reply.head.contains("retry-after: 5"), "{}", reply.head);
        assert!(setup.kept("events").is_empty());
    }
}

#[tokio::test]
async fn unstorable_event_is_not_acknowledged() {
    let setup = Setup::new(&[OPEN]).await;
    // A file has the name of the directory `events`.
    std::fs::write(setup.folder.path().join("events"), "").unwrap();
    let reply = setup.deliver("evt-1", BODY).await;
    assert_eq!(reply.status, 503);
    assert!(reply.head.contains("retry-after: 5") && reply.body.contains("deliver again"));
    std::fs::remove_file(setup.folder.path().join("events")).unwrap();
    assert_eq!(setup.deliver("evt-1", BODY).await.status, 200);
    assert_eq!(setup.kept("events").len(), 1);
}

/// Starts a server with a webhook that uses this inbox.
async fn serving(limits: Limits, inbox: Option<Arc<dyn Inbox>>) -> Server {
    let host = cached(Host::new(Limits { instances: 4, ..limits }).unwrap());
    let config = WebhookConfig {
        environment: vec![(OPEN.0.to_string(), OPEN.1.to_string())],
        inbox,
        requests_per_instance: 1_000,
        ..WebhookConfig::default()
    };
    let webhook = Webhook::load(&host, WEBHOOK_OPEN, config).unwrap();
    let options = Options::new(SocketAddr::from(([127, 0, 0, 1], 0)));
    Server::start(Deliveries::new(webhook), options).await.unwrap()
}

/// An inbox that rejects the event `m-1` permanently, and every other event temporarily.
struct Strict;

#[wasmtime_wasi::async_trait]
impl Inbox for Strict {
    async fn put(&self, entry: inbox::Entry) -> Result<inbox::Stored, inbox::InboxError> {
        let detail = match entry.message_id.as_str() {
            "m-1" => "longer than it can hold".into(),
            _ => {
                return Err(inbox::InboxError::Unavailable(inbox::Failure {
                    detail: "full".into(),
                }));
            }
        };
        Err(inbox::InboxError::PermanentRejected(inbox::Failure { detail }))
    }
}

#[tokio::test]
async fn rejected_event_is_answered_422() {
    let captured = Captured::start();
    let server = serving(Limits::default(), Some(Arc::new(Strict))).await;
    let deliver = async |body: &str| {
        let request = request("POST", "/", &event_headers("evt-1"), body);
        exchange(server.address(), request.as_bytes()).await
    };
    let reply = deliver(BODY).await;
    assert_eq!(
        (reply.status, reply.body.as_str()),
        (422, r#"{"error":"this inbox will never store the event"}"#)
    );
    assert!(!reply.head.contains("retry-after"), "a retry was requested: {}", reply.head);
    let reply = deliver(&BODY.replace("m-1", "m-2")).await;
    assert_eq!(reply.status, 503);
    assert!(reply.head.contains("retry-after"), "{}", reply.head);
    let log = captured.text();
    let said = "the inbox will never store evt-1: longer than it can hold";
    assert_eq!(log.matches(said).count(), 1, "{log}");
    assert!(!log.contains("hé"), "no body is logged");
}

/// An inbox that records the size of each event in bytes of JSON.
#[derive(Clone, Default)]
struct Counting(Arc<std::sync::Mutex<Vec<usize>>>);

#[wasmtime_wasi::async_trait]
impl Inbox for Counting {
    async fn put(&self, entry: inbox::Entry) -> Result<inbox::Stored, inbox::InboxError> {
        self.0.lock().unwrap().push(entry.json.len());
        // Waits once, as an inbox on a disk does.
        tokio::task::yield_now().await;
        Ok(inbox::Stored::Stored)
    }
}

#[tokio::test]
async fn oversized_event_spares_next() {
    let limits = Limits { transfer_bytes: 2_000, ..Limits::default() };
    let kept = Counting::default();
    let server = serving(limits, Some(Arc::new(kept.clone()))).await;
    let deliver = async |bytes: usize| {
        let body = BODY.replace("hé", &"x".repeat(bytes));
        let request = request("POST", "/", &event_headers("evt-1"), &body);
        exchange(server.address(), request.as_bytes()).await.status
    };
    // Each delivery uses more than half of the limit, which applies to each delivery separately.
    for bytes in [1_500, 1_500, 3_000, 1_500] {
        let expected = if bytes > 2_000 { 503 } else { 200 };
        assert_eq!(deliver(bytes).await, expected, "{bytes}");
    }
    let kept = kept.0.lock().unwrap();
    assert_eq!(kept.len(), 3);
    assert!(kept.iter().all(|bytes| *bytes < 2_000), "{kept:?}");
}

#[tokio::test]
async fn without_inbox_nothing_is_acknowledged() {
    let server = serving(Limits::default(), None).await;
    let request = request("POST", "/", &event_headers("evt-1"), BODY);
    assert_eq!(exchange(server.address(), request.as_bytes()).await.status, 503);
}

#[tokio::test]
async fn slow_body_is_cut_off() {
    let settings = [OPEN, ("MESSAGING_WEBHOOK_DEADLINE_MS", "100")];
    for by_host in [true, false] {
        let setup = Setup::with(&settings, |options| {
            options.body_timeout = Duration::from_millis(if by_host { 100 } else { 60_000 });
        })
        .await;
        if !by_host {
            // The server reads bodies itself, so this case calls the component directly.
            let (status, dripped) = drip_into_component(setup.folder.path(), &settings).await;
            assert_eq!(status, 408);
            assert!(dripped < 10_000, "it took {dripped} bytes");
            continue;
        }
        let mut stream = TcpStream::connect(setup.server.address()).await.unwrap();
        let head = format!(
            "POST / HTTP/1.1\r\nHost: h\r\n{}Content-Length: 100\r\n\r\n{{",
            event_headers("evt-1")
        );
        stream.write_all(head.as_bytes()).await.unwrap();
        let reply = read_reply(&mut stream).await;
        assert_eq!((reply.status, reply.body.contains("in time")), (408, true));
        assert!(setup.kept("events").is_empty());
    }
}

/// Calls the component with a body that arrives byte by byte. Returns the status, and the number of
/// bytes of the body that were sent.
async fn drip_into_component(folder: &Path, settings: &[(&str, &str)]) -> (u16, usize) {
    use http_body_util::StreamBody;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use wasmtime_wasi_http::p2::bindings::http::types::Scheme;
    let dripped = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&dripped);
    let body = async_stream::stream! {
        loop {
            counter.fetch_add(1, Ordering::Relaxed);
            yield Ok::<_, wasmtime_wasi_http::Error>(http_body::Frame::data(bytes::Bytes::from_static(b" ")));
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    let request = http::Request::post("/")
        .header("host", "h")
        .header("content-type", "application/json")
        .header("x-idempotency-key", "evt-1")
        .body(StreamBody::new(body))
        .unwrap();
    let reply = webhook(settings, folder).handle(Scheme::Http, request).await.unwrap();
    (reply.status().as_u16(), dripped.load(Ordering::Relaxed))
}

/// A trap that a peer can cause is a vulnerability. The webhook must answer every request that a
/// host passes on.
#[tokio::test]
async fn no_request_traps_webhook() {
    use bytes::Bytes;
    use http::{Method, Request, Uri};
    use http_body_util::Full;
    use wasmtime_wasi_http::p2::bindings::http::types::Scheme;
    let folder = tempfile::tempdir().unwrap();
    let webhook = webhook(&[OPEN], folder.path());
    let no_header: &[(&str, &[u8])] = &[];
    let event: &[(&str, &[u8])] =
        &[("content-type", b"application/json"), ("x-idempotency-key", b"k")];
    let with = |name, value| [event, &[(name, value)]].concat();
    let two_hosts = [event, &[("host", b"a".as_slice()), ("host", b"b")]].concat();
    let many = (0..1_000).map(|_| ("x-idempotency-key", b"k".as_slice())).collect::<Vec<_>>();
    for (method, uri, headers, status) in [
        // No authority, as in HTTP/1.0.
        ("POST", "/", event, 200),
        ("POST", "/", no_header, 400),
        ("POST", "*", event, 200),
        // No path and no scheme, as in CONNECT.
        ("POST", "h:80", event, 200),
        ("CONNECT", "h:80", event, 405),
        ("POST", "http://h", event, 200),
        ("POST", "ftp://h/x?y", event, 200),
        ("\u{21}", "/", event, 405),
        ("POST", "/", &with("host", b"\xff"), 200),
        ("POST", "/", &with("host", b""), 200),
        ("POST", "/", &with("host", b"a b@/"), 200),
        ("POST", "/", &two_hosts, 200),
        ("POST", "/", &with("content-length", b"\xff"), 200),
        ("POST", "/", &with("content-length", b"99999999999999999999"), 200),
        ("POST", "/", &with("x-idempotency-key", b"\xff"), 400),
        ("POST", "/", &many, 400),
    ] {
        for scheme in [Scheme::Http, Scheme::Https, Scheme::Other("\u{e9}".into())] {
            let mut request = Request::new(Full::<Bytes>::new(BODY.into()));
            *request.method_mut() = Method::from_bytes(method.as_bytes()).unwrap();
            *request.uri_mut() = uri.parse::<Uri>().unwrap();
            for (name, value) in headers {
                let value = http::HeaderValue::from_bytes(value).unwrap();
                request.headers_mut().append(*name, value);
            }
            let answer = webhook.handle(scheme, request).await;
            let answer =
                answer.unwrap_or_else(|error| panic!("{method} {uri} {headers:?}: {error}"));
            assert_eq!(answer.status(), status, "{method} {uri} {headers:?}");
        }
    }
}

#[test]
fn component_without_handler_is_rejected() {
    let host = cached(Host::on_demand(Limits::default()).unwrap());
    let error = Webhook::load(&host, PLUGIN, WebhookConfig::default()).err().unwrap();
    assert!(matches!(error, LoadError::NotAWebhook { .. }), "{error}");
    assert!(error.to_string().contains("messaging:integration/messaging@0.2.0"), "{error}");
    let error = Webhook::load(&host, b"not wasm", WebhookConfig::default()).err().unwrap();
    assert!(matches!(error, LoadError::NotAComponent(_)), "{error}");
}
