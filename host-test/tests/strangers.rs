//! Senders without a proof of origin cannot keep out those with one: connections by the
//! thousand that say nothing, or never finish, beside a sender with the secret.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

mod process;

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use process::tls::Tls;
use process::{SECRET, Serving, body, kept_alive, keys, read_reply, request};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::task::JoinSet;

const STRANGERS: usize = 1_200;
/// Deliveries are promised an answer within a second. A test's machine may be busy; without
/// the promise it takes 10 seconds and more.
const IN_TIME: Duration = Duration::from_secs(5);
const HEADER: (&str, &str) = ("MESSAGING_WEBHOOK_HEADER_SECRET", SECRET);

/// Addresses of this machine: one, or as many as a network of strangers has.
fn addresses(network: u8, count: u8) -> Vec<IpAddr> {
    (1..=count).map(|host| Ipv4Addr::new(127, 0, network, host).into()).collect()
}

async fn connect(from: IpAddr, to: SocketAddr) -> std::io::Result<TcpStream> {
    let socket = TcpSocket::new_v4()?;
    socket.bind((from, 0).into())?;
    socket.connect(to).await
}

/// Connections that are held, and made anew when they are dropped.
struct Strangers {
    _tasks: JoinSet<()>,
}

impl Strangers {
    /// Returns when all are there, or those that get there.
    async fn hold(address: SocketAddr, from: &[IpAddr], say: &str) -> Self {
        let limit = getrlimit(Resource::Nofile);
        setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, ..limit }).unwrap();
        let held = Arc::new(AtomicUsize::new(0));
        let mut tasks = JoinSet::new();
        for number in 0..STRANGERS {
            let (from, say) = (from[number % from.len()], say.to_string());
            let held = Arc::clone(&held);
            tasks.spawn(async move {
                loop {
                    if let Ok(mut stream) = connect(from, address).await {
                        let _ = stream.write_all(say.as_bytes()).await;
                        held.fetch_add(1, Ordering::Relaxed);
                        let _ = stream.read_to_end(&mut Vec::new()).await;
                    }
                    tokio::time::sleep(Duration::from_secs(1)).await;
                }
            });
        }
        let all = async {
            while held.load(Ordering::Relaxed) < STRANGERS {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        };
        let _ = tokio::time::timeout(Duration::from_secs(3), all).await;
        Self { _tasks: tasks }
    }
}

fn with_secret() -> String {
    format!("X-Webhook-Secret: {SECRET}\r\n")
}

/// Right deliveries, each from an address that was never seen before.
async fn right_deliveries(address: SocketAddr, say: &str) {
    let mut slowest = Duration::ZERO;
    for from in addresses(9, 10) {
        let started = Instant::now();
        let delivered = async {
            let mut stream = connect(from, address).await?;
            let key = format!("right-{}", from.to_string().replace('.', "-"));
            let whole = request("/", &with_secret(), &key, &body("m-1"));
            stream.write_all(whole.as_bytes()).await?;
            std::io::Result::Ok(read_reply(&mut stream).await.status)
        };
        let status = tokio::time::timeout(IN_TIME, delivered).await;
        let status = status.unwrap_or_else(|_| panic!("no answer in {IN_TIME:?} beside {say:?}"));
        assert_eq!(status.unwrap(), 200, "from {from} beside {say:?}");
        slowest = slowest.max(started.elapsed());
    }
    println!("beside {STRANGERS} who say {} bytes: {slowest:?} at most", say.len());
}

async fn beside(from: &[IpAddr], say: &str) {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("inbox.sqlite");
    let serving = Serving::start(&["--store", store.to_str().unwrap()], &[HEADER]);
    let strangers = Strangers::hold(serving.address, from, say).await;
    right_deliveries(serving.address, say).await;
    drop(strangers);
    assert_eq!(keys(&store).len(), 10, "what was acknowledged is there, and nothing else");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn silent_connections_from_one_address_do_not_keep_out_a_right_delivery() {
    beside(&addresses(1, 1), "").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn silent_connections_from_250_addresses_do_not_keep_out_a_right_delivery() {
    beside(&addresses(1, 250), "").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn heads_and_bodies_that_never_end_do_not_keep_out_a_right_delivery() {
    let whole = kept_alive("/", "", "wrong", &body("m-1"));
    for length in [20, whole.len() - 5] {
        beside(&addresses(1, 250), &whole[..length]).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn handshakes_that_stall_do_not_keep_out_a_right_delivery() {
    let tls = Tls::new();
    let arguments = tls.arguments("cert.pem", "key.pem");
    let arguments: Vec<_> = arguments.iter().map(String::as_str).collect();
    let serving = Serving::start(&arguments, &[HEADER]);
    // Nothing, and the beginning of a ClientHello.
    for say in ["", "\u{16}\u{3}\u{1}\u{2}"] {
        let strangers = Strangers::hold(serving.address, &addresses(1, 250), say).await;
        let started = Instant::now();
        for number in 0..5 {
            let whole = request("/", &with_secret(), &format!("evt-{number}"), &body("m-1"));
            let sent = tls.send(serving.address, &whole);
            let status = tokio::time::timeout(IN_TIME, sent).await;
            assert_eq!(status.unwrap_or_else(|_| panic!("none in {IN_TIME:?}")), 200);
        }
        println!("5 deliveries over TLS in {:?}", started.elapsed());
        drop(strangers);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_sender_with_the_secret_keeps_its_connection_while_strangers_come_and_go() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("inbox.sqlite");
    let serving = Serving::start(&["--store", store.to_str().unwrap()], &[HEADER]);
    let mut stream = TcpStream::connect(serving.address).await.unwrap();
    let deliver = async |stream: &mut TcpStream, key: &str| {
        let whole = kept_alive("/", &with_secret(), key, &body("m-1"));
        stream.write_all(whole.as_bytes()).await.unwrap();
        let mut reply = vec![0; 1024];
        let length = stream.read(&mut reply).await.unwrap();
        assert!(reply[..length].starts_with(b"HTTP/1.1 200"), "{:?}", &reply[..length]);
    };
    deliver(&mut stream, "before").await;
    let strangers = Strangers::hold(serving.address, &addresses(1, 250), "").await;
    deliver(&mut stream, "beside").await;
    // From the sender's own address as well.
    drop(strangers);
    let strangers = Strangers::hold(serving.address, &addresses(0, 1), "").await;
    deliver(&mut stream, "between").await;
    drop(strangers);
    assert_eq!(keys(&store), ["before", "beside", "between"]);
}
