//! Attackers without a secret: floods of invalid requests and connections that are held open. The
//! server accepts none of their requests, limits their cost, and still serves other clients.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

mod process;

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use messaging_components::WEBHOOK_OPEN;
use messaging_conformance::delivery::Connection;
use messaging_host::webhook::WebhookConfig;
use messaging_host::{Host, Limits, Webhook};
use messaging_inbox::{self, Store};
use messaging_server::serve::{Deliveries, Options, Server};
use process::{SECRET, Serving, body, exchange, kept_alive, read_reply, request, with_secret};
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::task::JoinSet;

fn messaging() -> &'static str {
    env!("CARGO_BIN_EXE_messaging")
}

const REQUESTS: usize = 100_000;
const SENDERS: usize = 16;

struct Setup {
    _folder: TempDir,
    store: Store,
    server: Server,
}

impl Setup {
    /// Starts a server with a store and a webhook that requires a header secret.
    async fn with(change: impl FnOnce(&mut Options)) -> Self {
        static COMPILED: OnceLock<Webhook> = OnceLock::new();
        let compiled = COMPILED.get_or_init(|| {
            let host = Host::new(Limits { instances: 96, parts: 3, ..Limits::default() }).unwrap();
            Webhook::load(&host, WEBHOOK_OPEN, WebhookConfig::default()).unwrap()
        });
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("inbox.sqlite");
        let store = Store::open(file, messaging_inbox::Options::default()).unwrap();
        let webhook = compiled.with_config(WebhookConfig {
            // The value that `serve` uses.
            requests_per_instance: 1_000,
            environment: vec![("MESSAGING_WEBHOOK_HEADER_SECRET".into(), SECRET.into())],
            inbox: Some(Arc::new(store.clone())),
            ..WebhookConfig::default()
        });
        let mut options = Options::new(SocketAddr::from(([127, 0, 0, 1], 0)));
        change(&mut options);
        let server = Server::start(Deliveries::new(webhook), options).await.unwrap();
        Self { _folder: folder, store, server }
    }

    fn address(&self) -> SocketAddr {
        self.server.address()
    }

    async fn kept(&self) -> u64 {
        let counts = self.store.counts().await.unwrap();
        [counts.pending, counts.leased, counts.done, counts.quarantined].iter().sum()
    }

    /// Asserts that a delivery with the secret is accepted and stored once.
    async fn still_serves(&self) {
        assert_eq!(right(self.address()).await, 200);
        assert_eq!(self.kept().await, 1);
    }
}

async fn right(address: SocketAddr) -> u16 {
    exchange(address, request("/", &with_secret(), "right", &body("m-1")).as_bytes()).await.status
}

/// Invalid requests, each with the expected status.
fn wrong() -> Vec<(Vec<u8>, u16)> {
    let body = body("m-1");
    let almost = format!("X-Webhook-Secret: {}x\r\n", &SECRET[..SECRET.len() - 1]);
    let twice = with_secret().repeat(2);
    let plain = |path: &str, headers: &str| kept_alive(path, headers, "wrong", &body);
    let whole = format!("Content-Length: {}", body.len());
    let modes = [
        (plain("/", &almost), 401),
        (plain("/", ""), 401),
        (plain("/", &twice), 401),
        (plain(&format!("/{SECRET}"), ""), 401),
        (kept_alive("/", "", "wrong", "{"), 401),
        (kept_alive("/", "", "wrong", &"x".repeat(20_000)), 401),
        (plain("/", &with_secret()).replace("POST", "GET"), 405),
        (plain("/", &with_secret()).replace("application/json", "text/plain"), 415),
        (kept_alive("/", &with_secret(), "wrong", "{"), 400),
        // The server answers without calling the webhook, because the declared size is too large or
        // the bytes are not a valid request.
        (plain("/", &almost).replace(&whole, "Content-Length: 262145"), 413),
        (plain("/", "").replace("HTTP/1.1", "HTTP/9"), 400),
        (plain("/", &format!("X-Long: {}\r\n", "x".repeat(20_000))), 431),
    ];
    modes.into_iter().map(|(request, status)| (request.into_bytes(), status)).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hundred_thousand_wrong_requests_store_nothing() {
    let setup = Setup::with(|_| {}).await;
    let modes = Arc::new(wrong());
    let started = Instant::now();
    let mut senders = JoinSet::new();
    for number in 0..SENDERS {
        let (modes, address) = (Arc::clone(&modes), setup.address());
        senders.spawn(async move {
            let mut connection = Connection::to(address).await.unwrap();
            let mut answers = BTreeMap::<u16, usize>::new();
            for turn in (number..REQUESTS).step_by(SENDERS) {
                let (request, expected) = &modes[(turn / SENDERS + number) % modes.len()];
                let (status, closes) = connection.send(request).await.unwrap();
                assert_eq!(status, *expected, "turn {turn}");
                if closes {
                    connection = Connection::to(address).await.unwrap();
                }
                *answers.entry(status).or_default() += 1;
            }
            answers
        });
    }
    let mut answers = BTreeMap::new();
    for (status, count) in senders.join_all().await.into_iter().flatten() {
        *answers.entry(status).or_insert(0) += count;
    }
    let took = started.elapsed();
    println!("{answers:?} in {took:?}: {:?} each", took / u32::try_from(REQUESTS).unwrap());
    assert_eq!(answers.values().sum::<usize>(), REQUESTS);
    assert_eq!(answers.keys().copied().collect::<Vec<_>>(), [400, 401, 405, 413, 415, 431]);
    assert_eq!(setup.kept().await, 0);
    setup.still_serves().await;
}

/// Returns the peak resident memory of a process in KiB.
#[cfg(target_os = "linux")]
fn high_water_mark(serving: &Serving) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", serving.id())).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().strip_suffix(" kB").unwrap().parse().unwrap()
}

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn endless_bodies_use_bounded_memory() {
    const STALLED: u64 = 256;
    const OVERSIZED: u64 = 32;
    /// Overhead per connection according to the server's documentation.
    const OVERHEAD_KIB: u64 = 64;
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("inbox.sqlite");
    let store_file = store.to_str().unwrap();
    let arguments = ["--store", store_file, "--max-connections", "288"];
    let serving = Serving::start(&arguments, &[("MESSAGING_WEBHOOK_DEADLINE_MS", "4000")]);
    let address = serving.address;
    assert_eq!(process::deliver(address, "before").await.status, 200);
    let before = high_water_mark(&serving);

    let mut senders = JoinSet::new();
    for _ in 0..STALLED {
        senders.spawn(async move {
            let mut stream = TcpStream::connect(address).await.unwrap();
            // A head of almost 16 KiB and a body without its last KiB.
            let headers = format!("X-Long: {}\r\n", "x".repeat(15 * 1024));
            let whole = kept_alive("/", &headers, "stalled", &"x".repeat(256 * 1024));
            stream.write_all(&whole.as_bytes()[..whole.len() - 1024]).await.unwrap();
            read_reply(&mut stream).await.status
        });
    }
    for _ in 0..OVERSIZED {
        senders.spawn(async move {
            let mut stream = TcpStream::connect(address).await.unwrap();
            let head = "POST / HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\nX-Idempotency-Key: k\r\nTransfer-Encoding: chunked\r\n\r\n";
            stream.write_all(head.as_bytes()).await.unwrap();
            let chunk = format!("10000\r\n{}\r\n", "x".repeat(0x10000));
            // Writes until the server closes the connection.
            while stream.write_all(chunk.as_bytes()).await.is_ok() {}
            read_reply(&mut stream).await.status
        });
    }
    let mut answers = BTreeMap::<u16, u64>::new();
    for status in senders.join_all().await {
        *answers.entry(status).or_default() += 1;
    }
    assert_eq!(answers.get(&408), Some(&STALLED), "{answers:?}");
    let grown = high_water_mark(&serving) - before;
    println!("{before} KiB before, {grown} KiB more; {answers:?}");
    assert!(grown > STALLED * 200, "not all bodies were in memory at once: {grown} KiB");
    let bound = (STALLED + OVERSIZED) * (16 + 256 + OVERHEAD_KIB);
    assert!(grown <= bound, "{grown} KiB; the bound is {bound} KiB");
    assert_eq!(process::deliver(address, "after").await.status, 200);
    assert_eq!(process::keys(&store), ["before", "after"]);
}

/// A timeout that is long enough for a busy machine and short enough for a test.
const SHORT: Duration = Duration::from_millis(300);

#[tokio::test]
async fn heads_that_never_end_are_cut_off() {
    let setup = Setup::with(|options| options.head_timeout = SHORT).await;
    let started = Instant::now();
    let mut stream = TcpStream::connect(setup.address()).await.unwrap();
    let (mut reading, mut writing) = stream.split();
    // Single bytes do not extend the timeout.
    let drip = async {
        let head = format!("POST / HTTP/1.1\r\nX-Slow: {}", "x".repeat(1_000));
        for byte in head.bytes() {
            if writing.write_all(&[byte]).await.is_err() {
                return;
            }
            tokio::time::sleep(SHORT / 20).await;
        }
        panic!("the server accepted the whole head");
    };
    let mut reply = Vec::new();
    tokio::select! {
        () = drip => {}
        end = reading.read_to_end(&mut reply) => drop(end),
    }
    assert!(started.elapsed() >= SHORT, "{:?}", started.elapsed());
    let reply = String::from_utf8_lossy(&reply);
    assert!(reply.starts_with("HTTP/1.1 408 ") && reply.contains("in time"), "{reply}");
    setup.still_serves().await;
}

#[tokio::test]
async fn slow_head_after_requests_is_answered() {
    let setup = Setup::with(|options| options.head_timeout = SHORT).await;
    let mut stream = TcpStream::connect(setup.address()).await.unwrap();
    // Two pipelined requests and half of a third.
    let right = kept_alive("/", &with_secret(), "right", &body("m-1"));
    let bytes = format!("{right}{right}POST / HTT");
    stream.write_all(bytes.as_bytes()).await.unwrap();
    let mut reply = String::new();
    stream.read_to_string(&mut reply).await.unwrap();
    let statuses: Vec<_> = reply.split("HTTP/1.1 ").skip(1).map(|answer| &answer[..3]).collect();
    assert_eq!(statuses, ["200", "200", "408"], "{reply}");
    assert_eq!(setup.kept().await, 1);
}

/// All connections of a proxy come from one address.
#[tokio::test]
async fn one_address_keeps_all_its_connections() {
    let setup = Setup::with(|_| {}).await;
    let mut kept = Vec::new();
    for _ in 0..200 {
        kept.push(TcpStream::connect(setup.address()).await.unwrap());
    }
    for stream in &mut kept {
        stream.write_all(b"GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n").await.unwrap();
        let mut status = [0; 12];
        stream.read_exact(&mut status).await.unwrap();
        assert_eq!(&status, b"HTTP/1.1 200");
    }
}

#[tokio::test]
async fn connection_without_request_is_closed_silently() {
    let setup = Setup::with(|options| options.head_timeout = SHORT).await;
    let mut stream = TcpStream::connect(setup.address()).await.unwrap();
    let mut reply = Vec::new();
    stream.read_to_end(&mut reply).await.unwrap();
    assert!(reply.is_empty());
}

#[tokio::test]
async fn request_needs_exactly_one_host() {
    let setup = Setup::with(|_| {}).await;
    for (version, hosts, status) in [
        ("1.0", "", 200),
        ("1.0", "Host: h\r\n", 200),
        ("1.0", "Host: h\r\nHost: h\r\n", 400),
        ("1.1", "", 400),
        ("1.1", "Host: h\r\n", 200),
        ("1.1", "Host: h\r\nHost: h\r\n", 400),
        ("1.1", "Host: h\r\nhost: i\r\n", 400),
        ("1.1", "Host: \u{e9}\r\n", 400),
    ] {
        let whole = request("/", &with_secret(), "right", &body("m-1"));
        let whole = whole.replace("HTTP/1.1", &format!("HTTP/{version}"));
        let whole = whole.replace("Host: localhost\r\n", hosts);
        let reply = exchange(setup.address(), whole.as_bytes()).await;
        assert_eq!(reply.status, status, "{version} {hosts:?}: {}", reply.body);
    }
    assert_eq!(setup.kept().await, 1);
}

#[tokio::test]
async fn connections_that_idle_make_room_for_others() {
    let change = |options: &mut Options| {
        options.head_timeout = SHORT;
        options.max_connections = 8;
    };
    let setup = Setup::with(change).await;
    let mut idle = Vec::new();
    // Half of the connections are silent; the other half made one request.
    for number in 0..8 {
        let mut stream = TcpStream::connect(setup.address()).await.unwrap();
        if number % 2 == 0 {
            let request = kept_alive("/", "", "wrong", &body("m-1"));
            stream.write_all(request.as_bytes()).await.unwrap();
            let mut answer = [0; 1024];
            assert!(stream.read(&mut answer).await.unwrap() > 0);
        }
        idle.push(stream);
    }
    setup.still_serves().await;
    for mut stream in idle {
        let mut rest = Vec::new();
        stream.read_to_end(&mut rest).await.unwrap();
    }
}

#[tokio::test]
async fn unread_answers_end_connection() {
    let change = |options: &mut Options| {
        options.write_timeout = SHORT;
        options.max_connections = 1;
    };
    let setup = Setup::with(change).await;
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(1024).unwrap();
    let mut stream = socket.connect(setup.address()).await.unwrap();
    let request = kept_alive("/", "", "wrong", "{}").into_bytes();
    let flood = tokio::spawn(async move {
        // Ends when the server closes the connection.
        while stream.write_all(&request).await.is_ok() {}
    });
    tokio::time::timeout(Duration::from_secs(60), flood).await.unwrap().unwrap();
    assert_eq!(right(setup.address()).await, 200);
}
