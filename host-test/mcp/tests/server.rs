//! Tests of the server in this process, over HTTP and over standard input: invalid messages and
//! clients without permission. `examples/mcp` tests the server with the official clients of the
//! protocol.
#![allow(clippy::unwrap_used, missing_docs, reason = "tests")]

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use bytes::Bytes;
use http::Request;
use http_body_util::BodyExt;
use messaging_host::{CallError, CallResult, Messaging, Once, wit};
use messaging_journal::Journal;
use messaging_mcp::{Http, MAX_REQUEST_BYTES, Tools, stdio};
use messaging_server::serve::{Options, Peer, RejectReason, Server, Service, Tokens};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream};
use tokio::sync::Semaphore;
use tokio::task::JoinHandle;

const TOKEN: &str = "a-token-of-this-test";

/// A provider that creates a message for each send. Each call waits for a permit of the gate.
#[derive(Clone)]
struct Provider {
    gate: Arc<Semaphore>,
    asked: Arc<AtomicUsize>,
}

impl Messaging for Provider {
    async fn send_message(&self, _: &wit::MessageRequest) -> CallResult<wit::CreatedMessage> {
        let asked = self.asked.fetch_add(1, Ordering::SeqCst);
        self.gate.acquire().await.unwrap().forget();
        Ok(Ok(wit::CreatedMessage { id: format!("msg-{asked}"), json: "{}".into() }))
    }

    async fn list_templates(&self, _: &wit::TemplateQuery) -> CallResult<wit::TemplatePage> {
        self.asked.fetch_add(1, Ordering::SeqCst);
        self.gate.acquire().await.unwrap().forget();
        Err(CallError::NotSetUp("a list that no test reads".into()))
    }
}

struct World {
    tools: Tools<Provider>,
    provider: Provider,
    journal: Arc<Journal>,
    _folder: TempDir,
}

impl World {
    fn new(may_send: usize) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let journal = Journal::open(folder.path().join("journal.sqlite"), Default::default());
        let journal = Arc::new(journal.unwrap());
        let provider = Provider { gate: Arc::new(Semaphore::new(may_send)), asked: Arc::default() };
        let once = Once::new(provider.clone(), Arc::clone(&journal) as _, Duration::from_secs(30));
        Self { tools: Tools::new(once), provider, journal, _folder: folder }
    }

    /// Sends these lines to the server over standard input. Returns all responses, ordered by ID.
    async fn lines(&self, lines: &[String]) -> Vec<Value> {
        let input = lines.concat();
        let (output, mut read) = tokio::io::duplex(64 * 1024);
        let mut text = String::new();
        let served = stdio(&self.tools, input.as_bytes(), output);
        let (served, read) = tokio::join!(served, read.read_to_string(&mut text));
        served.unwrap();
        read.unwrap();
        let mut answers: Vec<Value> =
            text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        answers.sort_by_key(|answer| answer["id"].as_i64());
        answers
    }

    fn http(&self) -> Http<Provider> {
        Http::new(
            self.tools.clone(),
            Some(Tokens::parse(TOKEN).unwrap()),
            vec!["mcp.example".into()],
        )
    }
}

fn line(id: u32, method: &str, params: Value) -> String {
    json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string() + "\n"
}

fn initialize(version: &str) -> Value {
    let client = json!({ "name": "test", "version": "1" });
    json!({ "protocolVersion": version, "capabilities": {}, "clientInfo": client })
}

fn send(id: u32, key: &str) -> String {
    let arguments = json!({ "idempotency_key": key, "phone": "+34600111222", "message": "m" });
    line(id, "tools/call", json!({ "name": "send_message", "arguments": arguments }))
}

#[tokio::test]
async fn invalid_line_harms_no_other_line() {
    let world = World::new(9);
    let long = format!("{{\"x\":\"{}\"}}\n", "x".repeat(3 * MAX_REQUEST_BYTES));
    let notification = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    let answers = world
        .lines(&[
            line(1, "initialize", initialize("2025-06-18")),
            format!("{notification}\n"),
            "\n".into(),
            "no json\n".into(),
            "[]\n".into(),
            long,
            line(2, "ping", json!({})),
            line(3, "initialize", initialize("1999-01-01")),
            line(4, "resources/list", json!({})),
            line(5, "tools/call", json!({ "name": "resolve", "arguments": {} })),
            line(6, "tools/call", json!({ "name": "send_message" })),
            send(7, "order-17"),
            json!({ "jsonrpc": "2.0", "id": 8, "method": "ping" }).to_string(),
        ])
        .await;
    let (unreadable, answers) = answers.split_at(3);
    let codes: Vec<_> = unreadable.iter().map(|answer| answer["error"]["code"].clone()).collect();
    assert_eq!(codes, [-32700, -32600, -32600]);
    assert_eq!(answers.len(), 7, "an incomplete last line is not a message: {answers:?}");
    assert_eq!(answers[0]["result"]["protocolVersion"], "2025-06-18");
    assert_eq!(answers[1]["result"], json!({}));
    assert_eq!(answers[2]["result"]["protocolVersion"], "2025-11-25");
    assert_eq!(answers[3]["error"]["code"], -32601);
    assert_eq!(answers[4]["error"]["code"], -32602);
    assert_eq!(answers[5]["result"]["isError"], true);
    assert_eq!(answers[6]["result"]["structuredContent"]["outcome"], "created");
    assert_eq!(world.provider.asked.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn ambiguous_message_is_rejected_by_identifier() {
    let world = World::new(9);
    let call = |id: u32, members: &str| {
        let arguments = format!(r#"{{"idempotency_key":"k","message":"m",{members}}}"#);
        let params = format!(r#"{{"name":"send_message","arguments":{arguments}}}"#);
        format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{params}}}"#) + "\n"
    };
    let phone = r#""phone":"+34600111222""#;
    let answers = world
        .lines(&[
            call(1, r#""phone":"+34600111222","phone":"+34600999888""#),
            call(2, &format!(r#"{phone},"fields":{{"a":{{"x":1,"x":2}}}}"#)),
            call(3, &format!(r#"{phone},"fields":{{"a":0.1000000000000000055511151231257827}}"#)),
            line(4, "ping", json!({})).replace("{}", r#"{},"method":"tools/call""#),
            call(5, &format!(r#"{phone},"fields":{{"a":1.50,"b":1e2}}"#)),
        ])
        .await;
    let words: Vec<_> =
        answers.iter().filter_map(|answer| answer["error"]["message"].as_str()).collect();
    assert_eq!(words.len(), 4, "{answers:?}");
    for (words, named) in words.iter().zip(["\"phone\"", "\"x\"", "0.1000", "\"method\""]) {
        assert!(words.contains(named), "{words}");
    }
    let ids: Vec<_> = answers.iter().map(|answer| answer["id"].clone()).collect();
    assert_eq!(ids, [1, 2, 3, 4, 5]);
    assert_eq!(world.provider.asked.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn single_request_names_its_revision() {
    let world = World::new(0);
    let meta = |version: &str| {
        json!({ "_meta": {
            "io.modelcontextprotocol/protocolVersion": version,
            "io.modelcontextprotocol/clientCapabilities": {},
        } })
    };
    let without = json!({ "_meta": { "io.modelcontextprotocol/protocolVersion": "2026-07-28" } });
    let answers = world
        .lines(&[
            line(1, "server/discover", meta("2026-07-28")),
            line(2, "tools/list", meta("2026-07-28")),
            line(3, "tools/list", meta("2099-01-01")),
            line(4, "tools/list", without),
            line(5, "server/discover", json!({})),
            line(6, "tools/list", json!({})),
        ])
        .await;
    let versions = &answers[0]["result"]["supportedVersions"];
    assert!(versions.as_array().unwrap().contains(&json!("2026-07-28")), "{versions}");
    assert_eq!(answers[1]["result"]["resultType"], "complete");
    assert_eq!(answers[2]["error"]["code"], -32022);
    assert_eq!(answers[2]["error"]["data"]["supported"], *versions);
    for answer in &answers[3..5] {
        assert_eq!(answer["error"]["code"], -32602, "{answer}");
    }
    assert_eq!(answers[5]["result"]["tools"].as_array().unwrap().len(), 3);
    assert_eq!(
        answers[5]["result"]["resultType"],
        Value::Null,
        "older revisions have no result type"
    );
}

/// Starts a call over standard input, and waits until it has reached the provider.
async fn under_way(world: &World, call: &str) -> (DuplexStream, JoinHandle<std::io::Result<()>>) {
    let (mut client, server) = tokio::io::duplex(64 * 1024);
    let (read, write) = tokio::io::split(server);
    let tools = world.tools.clone();
    let serving = tokio::spawn(async move { stdio(&tools, read, write).await });
    client.write_all(call.as_bytes()).await.unwrap();
    while world.provider.asked.load(Ordering::SeqCst) == 0 {
        tokio::task::yield_now().await;
    }
    (client, serving)
}

/// Lets the provider respond, and waits until the journal contains the message.
async fn is_recorded(world: &World) {
    let ended = world.tools.ended();
    world.provider.gate.add_permits(1);
    ended.await;
    let entry = messaging_host::once::look_up(&*world.journal, "order-17").await.unwrap().unwrap();
    assert_eq!(entry.id.as_deref(), Some("msg-0"));
}

/// Stops the server. Returns its response to the active call.
async fn answer_of_stop(
    world: &World,
    mut client: DuplexStream,
    serving: JoinHandle<std::io::Result<()>>,
) -> Value {
    world.tools.stop(Duration::ZERO);
    serving.await.unwrap().unwrap();
    let mut text = String::new();
    client.read_to_string(&mut text).await.unwrap();
    let mut answer: Value = serde_json::from_str(&text).unwrap();
    answer["result"]["structuredContent"].take()
}

/// A server that stops must answer an active call, because the client waits for a response.
#[tokio::test]
async fn stop_answers_call_and_completes_send() {
    let world = World::new(0);
    let (client, serving) = under_way(&world, &send(1, "order-17")).await;
    let said = &answer_of_stop(&world, client, serving).await;
    assert_eq!(
        (&said["outcome"], &said["repeat"]),
        (&json!("execution-failed"), &json!("same-key"))
    );
    is_recorded(&world).await;
}

/// The advice after a list must not mention sends, because a list creates no message.
#[tokio::test]
async fn stop_answers_list_without_advice_for_sends() {
    let world = World::new(0);
    let list = json!({ "name": "list_templates", "arguments": {} });
    let (client, serving) = under_way(&world, &line(1, "tools/call", list)).await;
    let said = &answer_of_stop(&world, client, serving).await;
    assert_eq!(
        (&said["outcome"], &said["repeat"], &said["advice"]),
        (&json!("host"), &json!("same-key"), &json!("Nothing was changed. Retry later."))
    );
}

/// The outcome is recorded, and a later call with the same key returns it.
#[tokio::test]
async fn send_completes_without_reader() {
    let world = World::new(0);
    let (client, serving) = under_way(&world, &send(1, "order-17")).await;
    drop(client);
    serving.abort();
    is_recorded(&world).await;
    let again = &world.lines(&[send(2, "order-17")]).await[0]["result"]["structuredContent"];
    assert_eq!((&again["replayed"], &again["message_id"]), (&json!(true), &json!("msg-0")));
    assert_eq!(world.provider.asked.load(Ordering::SeqCst), 1);
}

/// Sends one request on a separate connection. Returns the complete response.
async fn exchange(address: std::net::SocketAddr, body: &str) -> std::io::Result<String> {
    let mut stream = tokio::net::TcpStream::connect(address).await?;
    let head = format!(
        "POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {TOKEN}\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    stream.write_all((head + body).as_bytes()).await?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await?;
    Ok(answer)
}

#[tokio::test(flavor = "multi_thread")]
async fn call_beyond_limit_is_rejected() {
    let world = World::new(0);
    let options = Options { max_connections: 2, ..Options::new(([127, 0, 0, 1], 0).into()) };
    let server = Server::start(world.http(), options).await.unwrap();
    let address = server.address();
    let calls: Vec<_> = (0..2)
        .map(|id| {
            tokio::spawn(async move { exchange(address, &send(id, &format!("k-{id}"))).await })
        })
        .collect();
    while world.provider.asked.load(Ordering::SeqCst) < 2 {
        tokio::task::yield_now().await;
    }
    // The second body exceeds the socket buffers, and the server rejects the request before it has
    // read the body.
    for body in [line(9, "ping", json!({})), format!("{{\"x\":\"{}\"}}", "x".repeat(900_000))] {
        let answer = exchange(address, &body).await.unwrap();
        assert!(answer.starts_with("HTTP/1.1 503 "), "{answer}");
        assert!(answer.contains("retry-after: ") && answer.contains("too many calls"), "{answer}");
    }
    world.provider.gate.add_permits(2);
    for call in calls {
        assert!(call.await.unwrap().unwrap().contains("created"));
    }
    for id in 0..10 {
        let answer = exchange(address, &line(id, "ping", json!({}))).await.unwrap();
        assert!(answer.starts_with("HTTP/1.1 200 "), "{id}: {answer}");
    }
    server.stop().await;
}

#[tokio::test]
async fn http_request_needs_token_and_host() {
    let world = World::new(0);
    let http = world.http();
    let bearer = format!("Bearer {TOKEN}");
    let right = [
        ("host", "127.0.0.1:80"),
        ("authorization", bearer.as_str()),
        ("content-type", "application/json; charset=utf-8"),
    ];
    let ask = async |method: &str, path: &str, other: &[(&'static str, &str)], body: &str| {
        let mut request = Request::builder().method(method).uri(path);
        let is_other = |name: &str| other.iter().any(|(own, _)| *own == name);
        let kept = right.iter().filter(|(name, _)| !is_other(name));
        for (name, value) in kept.chain(other.iter().filter(|(_, value)| !value.is_empty())) {
            request = request.header(*name, *value);
        }
        let request = request.body(Bytes::from(body.to_string())).unwrap();
        let peer = Peer { address: ([127, 0, 0, 1], 9).into(), is_tls: false };
        let reply = http.answer(request, peer).await;
        let (head, body) = reply.response.into_parts();
        let body = body.collect().await.unwrap().to_bytes();
        let is_unauthorized = head.status == http::StatusCode::UNAUTHORIZED;
        // Requests with a wrong token must appear in the log.
        assert_eq!(matches!(reply.why, Some(RejectReason::Unauthenticated(_))), is_unauthorized);
        (head.status.as_u16(), reply.proved, String::from_utf8(body.into()).unwrap())
    };
    let ping = line(1, "ping", json!({}));
    let (status, proved, body) = ask("POST", "/mcp", &[], &ping).await;
    assert_eq!((status, proved), (200, true), "{body}");
    for (other, status) in [
        (("authorization", ""), 401),
        (("authorization", "Bearer another-unknown-token"), 401),
        (("origin", "http://127.0.0.1"), 403),
        (("origin", "null"), 403),
        (("host", ""), 403),
        (("host", "page.example"), 403),
        (("host", "MCP.example:443"), 200),
        (("host", "[::1]:80"), 200),
        (("host", "[::1].example"), 403),
        (("content-type", "text/plain"), 415),
        (("content-type", ""), 415),
        (("mcp-protocol-version", "1999-01-01"), 400),
        (("mcp-protocol-version", "2025-11-25"), 200),
    ] {
        let (answered, proved, body) = ask("POST", "/mcp", &[other], &ping).await;
        assert_eq!(answered, status, "{other:?}: {body}");
        assert_eq!(proved, matches!(status, 200 | 400), "{other:?}");
    }
    for (method, path, status) in [
        ("GET", "/mcp", 405),
        ("DELETE", "/mcp", 405),
        ("POST", "/", 404),
        ("POST", "/mcp/", 404),
        ("POST", "http://page.example/mcp", 403),
        ("POST", "http://mcp.example/mcp", 200),
    ] {
        assert_eq!(ask(method, path, &[], &ping).await.0, status, "{method} {path}");
    }
    let notification = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled" }).to_string();
    assert_eq!(ask("POST", "/mcp", &[], &notification).await.0, 202);
    assert_eq!(ask("POST", "/mcp", &[], "[").await.0, 400);
}
