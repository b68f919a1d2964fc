//! Two listeners on one inbox, and a client that checks each response against `openapi.json`.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use bytes::Bytes;
use http::{Request, Response, header};
use http_body_util::{BodyExt, Full};
use hyper_util::rt::TokioIo;
use messaging_host::journal::wit::{Failure, JournalError, Page, SwapOutcome};
use messaging_host::{CallResult, Host, Limits, Messaging, Once, once, wit};
use messaging_inbox::{Entry, Store};
use messaging_journal::Journal;
use messaging_operate::{MAX_BODY_BYTES, Operator, Senders, Sends, Sources, Tokens, Workers};
use messaging_server::serve::{Counts, Options, Peer, Server, Service};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::watch;

pub const WORKER: &str = "worker-token-0123456789";
pub const OPERATOR: &str = "operator-token-0123456789";
pub const METRICS: &str = "metrics-token-0123456789";
pub const SENDER: &str = "sender-token-0123456789";
/// Keys with an unknown outcome, oldest first.
pub const UNKNOWN: [&str; 2] = ["order-17", "order-18"];

pub struct Listeners {
    pub store: Store,
    workers: Server,
    operator: Server,
    stopping: watch::Sender<bool>,
    journal: Arc<Kept>,
    folder: TempDir,
}

const HEAD_TIMEOUT: Duration = Duration::from_secs(15);

impl Listeners {
    pub async fn start() -> Self {
        Self::with(256, true, HEAD_TIMEOUT).await
    }

    pub async fn without_a_journal() -> Self {
        Self::with(256, false, HEAD_TIMEOUT).await
    }

    pub async fn with_connections(connections: usize) -> Self {
        Self::with(connections, true, HEAD_TIMEOUT).await
    }

    pub async fn with_head_timeout(head_timeout: Duration) -> Self {
        Self::with(256, true, head_timeout).await
    }

    async fn with(connections: usize, shows_sends: bool, head_timeout: Duration) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path().join("inbox.sqlite"), Default::default()).unwrap();
        let journal = folder.path().join("journal.sqlite");
        let journal = Arc::new(Journal::open(journal, Default::default()).unwrap());
        let once = Once::new(Lost, Arc::clone(&journal) as _, Duration::from_secs(1));
        for key in UNKNOWN {
            let request = once::wit::MessageRequest::new("+34600111222", "text");
            let error = once.send_once(key, &request).await.unwrap_err();
            assert_eq!(once::case(&error), "permanent-outcome-unknown");
        }
        let (stopping, stopped) = watch::channel(false);
        let options = |max_body_bytes: usize| {
            let store = store.clone();
            Options {
                max_body_bytes,
                head_timeout,
                half_close: false,
                probe: Some(Arc::new(move || {
                    let store = store.clone();
                    Box::pin(async move { Ok(store.probe().await?) })
                })),
                ..Options::new(([127, 0, 0, 1], 0).into())
            }
        };
        let tokens = |token| Tokens::parse(token).unwrap();
        let kept = Arc::new(Kept { journal: Arc::clone(&journal), is_busy: false.into() });
        let senders = shows_sends.then(|| Senders::new(Arc::clone(&kept) as _, tokens(SENDER)));
        let workers = Workers::new(store.clone(), Some(tokens(WORKER)), stopped)
            .senders(senders)
            .connections(connections);
        let of_workers = options(workers.max_body_bytes());
        let sends = shows_sends.then(|| Sends::start(journal));
        let sources = Sources { sends, ..sources(&store) };
        let operator = Operator::start(sources, tokens(OPERATOR));
        Self {
            store: store.clone(),
            workers: Server::start(workers, of_workers).await.unwrap(),
            operator: Server::start(operator, options(MAX_BODY_BYTES)).await.unwrap(),
            stopping,
            journal: kept,
            folder,
        }
    }

    pub async fn put(&self, key: &str, kind: &str) {
        self.put_json(key, kind, "{}").await;
    }

    pub async fn put_json(&self, key: &str, kind: &str, json: &str) {
        let entry = Entry {
            idempotency_key: key.into(),
            message_id: "msg-1".into(),
            kind: kind.into(),
            json: json.into(),
        };
        self.store.put(entry).await.unwrap();
    }

    pub fn stop_long_polls(&self) {
        self.stopping.send(true).unwrap();
    }

    pub fn lose_the_file(&self) {
        for name in ["inbox.sqlite", "journal.sqlite"] {
            for end in ["", "-wal", "-shm"] {
                let file = self.folder.path().join(format!("{name}{end}"));
                std::fs::remove_file(file).unwrap();
            }
        }
    }

    /// Makes the journal unavailable to senders.
    pub fn journal_is_busy(&self) {
        self.journal.is_busy.store(true, Ordering::Relaxed);
    }

    /// Waits until the operator API reports `count` unknown sends.
    pub async fn unknown_sends(&self, count: u64) {
        let unknown = async || {
            let (_, _, overview) = self.ask("GET", "/v1/overview", Some(OPERATOR), "").await;
            overview["sends"]["counts"]["unknown"].as_u64()
        };
        while unknown().await != Some(count) {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// Waits until `count` requests of workers are active.
    pub async fn under_way(&self, count: usize) {
        while self.workers.counts().under_way() != count {
            tokio::task::yield_now().await;
        }
    }

    /// Returns true if the operator API treats the request as authenticated.
    pub async fn proves(&self, path: &str, token: Option<&str>) -> bool {
        let operator = Operator::start(sources(&self.store), Tokens::parse(OPERATOR).unwrap());
        let mut request = Request::get(path);
        if let Some(token) = token {
            request = request.header(header::AUTHORIZATION, format!("Bearer {token}"));
        }
        let peer = Peer { address: ([127, 0, 0, 1], 9).into(), is_tls: false };
        operator.answer(request.body(Bytes::new()).unwrap(), peer).await.proved
    }

    /// Sends a request with a token that can only read metrics. Returns the status, the content
    /// type and the body.
    pub async fn with_metrics_token(&self, path: &str, accept: &str) -> (u16, String, String) {
        let tokens = |token| Tokens::parse(token).unwrap();
        let operator = Operator::start(sources(&self.store), tokens(OPERATOR))
            .metrics_tokens(Some(tokens(METRICS)));
        let request = Request::get(path)
            .header(header::AUTHORIZATION, format!("Bearer {METRICS}"))
            .header(header::ACCEPT, accept);
        let peer = Peer { address: ([127, 0, 0, 1], 9).into(), is_tls: false };
        let reply = operator.answer(request.body(Bytes::new()).unwrap(), peer).await;
        let kind = reply.response.headers().get(header::CONTENT_TYPE).unwrap();
        let (status, kind) = (reply.response.status().as_u16(), kind.to_str().unwrap().into());
        let body = reply.response.into_body().collect().await.unwrap().to_bytes();
        (status, kind, String::from_utf8(body.into()).unwrap())
    }

    /// Sends bytes to the workers' listener. Returns the complete response.
    pub async fn raw(&self, bytes: &str) -> String {
        let mut stream = TcpStream::connect(self.workers.address()).await.unwrap();
        stream.write_all(bytes.as_bytes()).await.unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.unwrap();
        answer
    }

    pub async fn get(&self, path: &str) -> Response<Bytes> {
        let request = Request::get(path).body(Full::new(Bytes::new())).unwrap();
        send(&self.operator, request).await
    }

    /// Sends a request to the workers' listener if the token starts with `worker` or `sender`, else
    /// to the operators' listener. The exact tokens `worker`, `sender` and `operator` are invalid.
    /// Checks the response, and returns the operation, the status and the body.
    pub async fn ask(
        &self,
        method: &str,
        path: &str,
        token: Option<&str>,
        body: &str,
    ) -> (Option<String>, u16, Value) {
        let server = match token {
            Some(token) if token.starts_with("worker") || token.starts_with("sender") => {
                &self.workers
            }
            _ => &self.operator,
        };
        let mut request = Request::builder().method(method).uri(path);
        if let Some(token) = token {
            request = request.header(header::AUTHORIZATION, format!("Bearer {token}"));
        }
        let sent = Full::new(Bytes::from(body.to_string()));
        let response = send(server, request.body(sent).unwrap()).await;
        let status = response.status().as_u16();
        let kind = response.headers().get(header::CONTENT_TYPE).unwrap().to_str().unwrap();
        let kind = kind.split(';').next().unwrap().to_string();
        let bytes = response.into_body();
        assert!(bytes.is_empty() || method != "HEAD", "{path}");
        let value = match kind.as_str() {
            _ if method == "HEAD" => Value::Null,
            "application/json" | "application/problem+json" => {
                serde_json::from_slice(&bytes).unwrap()
            }
            _ => Value::String(String::from_utf8(bytes.into()).unwrap()),
        };
        let operation = judge(method, path, body, status, &kind, &value);
        (operation, status, value)
    }
}

/// A provider that reports an unknown outcome for each send.
struct Lost;

impl Messaging for Lost {
    async fn send_message(&self, _: &wit::MessageRequest) -> CallResult<wit::CreatedMessage> {
        let refusal = wit::Refusal {
            status: 502,
            code: None,
            message: Some("gateway".into()),
            details: vec![wit::FieldDetail { field: None, message: "upstream".into() }],
            body: "<b>gateway</b>".into(),
        };
        Ok(Err(wit::Error::PermanentOutcomeUnknown(wit::OutcomeUnknown {
            stage: wit::Stage::ReplyUnclear,
            detail: "status 502".into(),
            status: Some(502),
            refusal: Some(refusal),
        })))
    }
}

/// A journal that is unavailable while `is_busy` is true.
struct Kept {
    journal: Arc<Journal>,
    is_busy: AtomicBool,
}

impl Kept {
    fn open(&self) -> Result<&dyn messaging_host::Journal, JournalError> {
        if self.is_busy.load(Ordering::Relaxed) {
            return Err(JournalError::Unavailable(Failure { detail: "it is busy".into() }));
        }
        Ok(&*self.journal)
    }
}

#[wasmtime_wasi::async_trait]
impl messaging_host::Journal for Kept {
    async fn get(&self, key: &str) -> Result<Option<String>, JournalError> {
        self.open()?.get(key).await
    }

    async fn swap(
        &self,
        key: &str,
        expected: Option<String>,
        new: String,
    ) -> Result<SwapOutcome, JournalError> {
        self.open()?.swap(key, expected, new).await
    }

    async fn list_items(&self, after: Option<String>) -> Result<Page, JournalError> {
        self.open()?.list_items(after).await
    }
}

fn sources(store: &Store) -> Sources {
    Sources {
        store: store.clone(),
        deliveries: Arc::<Counts>::default(),
        host: Host::on_demand(Limits::default()).unwrap(),
        forward: None,
        sends: None,
    }
}

async fn send(server: &Server, mut request: Request<Full<Bytes>>) -> Response<Bytes> {
    let stream = TcpStream::connect(server.address()).await.unwrap();
    let host = server.address().to_string().parse().unwrap();
    request.headers_mut().insert(header::HOST, host);
    let (mut sender, connection) =
        hyper::client::conn::http1::handshake(TokioIo::new(stream)).await.unwrap();
    let mut connection = std::pin::pin!(connection);
    let mut response = std::pin::pin!(async {
        let (head, body) = sender.send_request(request).await.unwrap().into_parts();
        Response::from_parts(head, body.collect().await.unwrap().to_bytes())
    });
    // Dropping the future drops the connection, as when a client disconnects.
    tokio::select! {
        biased;
        response = &mut response => response,
        ended = &mut connection => {
            ended.unwrap();
            response.await
        }
    }
}

fn interface() -> Value {
    serde_json::from_str(include_str!("../../openapi.json")).unwrap()
}

/// Returns every operation with each of its documented statuses.
pub fn documented() -> BTreeSet<String> {
    let interface = interface();
    let paths = interface["paths"].as_object().unwrap();
    let operations = paths.values().flat_map(|path| path.as_object().unwrap().values());
    let statuses = |operation: &Value| {
        let id = operation["operationId"].as_str().unwrap().to_string();
        let responses = operation["responses"].as_object().unwrap();
        responses.keys().map(move |status| format!("{id} {status}")).collect::<Vec<_>>()
    };
    operations.flat_map(statuses).collect()
}

/// Checks a request and its response against `openapi.json`. Returns the ID of the operation;
/// `None` if the path or the method is undocumented. The response to a request with an
/// undocumented path, method or body must be a problem.
fn judge(
    method: &str,
    path: &str,
    sent: &str,
    status: u16,
    kind: &str,
    body: &Value,
) -> Option<String> {
    let interface = interface();
    let path = path.split('?').next().unwrap();
    let is_of = |template: &str| {
        let (given, wanted) = (path.split('/'), template.split('/'));
        given.clone().count() == wanted.clone().count()
            && given.zip(wanted).all(|(given, wanted)| given == wanted || wanted == "{id}")
    };
    let paths = interface["paths"].as_object().unwrap();
    let found = paths.iter().find(|(template, _)| is_of(template));
    let operation = found.and_then(|(_, path)| path.get(method.to_lowercase()));
    let Some(operation) = operation else {
        assert!(status >= 400, "{method} {path}");
        if method == "HEAD" {
            return None;
        }
        assert_valid(&interface, &json!({ "$ref": "#/components/schemas/problem" }), body);
        return None;
    };
    let response = &operation["responses"][status.to_string()];
    assert!(response.is_object(), "{method} {path}: undocumented status {status}: {body}");
    let taken = ![400, 401, 413].contains(&status);
    assert!(allows(&interface, &operation["requestBody"], sent) || !taken, "{path}: {sent}");
    if method == "HEAD" {
        return Some(operation["operationId"].as_str().unwrap().to_string());
    }
    let schema = &response["content"][kind]["schema"];
    assert!(schema.is_object(), "{method} {path} {status}: undocumented type {kind}");
    assert_valid(&interface, schema, body);
    Some(operation["operationId"].as_str().unwrap().to_string())
}

/// Returns true if `body`, a `requestBody` of `openapi.json`, accepts the body `sent`.
fn allows(interface: &Value, body: &Value, sent: &str) -> bool {
    if sent.is_empty() {
        return body["required"] != true;
    }
    let schema = &body["content"]["application/json"]["schema"];
    serde_json::from_str(sent).is_ok_and(|sent| errors(interface, schema, &sent).is_empty())
}

fn assert_valid(interface: &Value, schema: &Value, value: &Value) {
    let errors = errors(interface, schema, value);
    assert!(errors.is_empty(), "{errors:?} in {value}");
}

fn errors(interface: &Value, schema: &Value, value: &Value) -> Vec<String> {
    let mut schema = schema.clone();
    schema["components"] = interface["components"].clone();
    let validator = jsonschema::draft202012::new(&schema).unwrap();
    validator.iter_errors(value).map(|error| error.to_string()).collect()
}
