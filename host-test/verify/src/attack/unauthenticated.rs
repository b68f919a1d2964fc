//! Family `unauthenticated`: unauthenticated peers cannot keep out authenticated event sources. The
//! peers are many or slow, close their write half, or send ambiguous requests.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use messaging_conformance::delivery::{
    Connection, PROOF, Reply, body, connect, exchange, kept_alive, read_reply, request, with_secret,
};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::JoinSet;

use super::{Attack, Fixture, keys};

/// Name of the family.
pub(super) const FAMILY: &str = "unauthenticated";

/// Number of connections of the peers, more than `serve` has connection slots.
const PEERS: usize = 1_200;

/// Maximum time for the response to an authenticated delivery.
const IN_TIME: Duration = Duration::from_secs(1);

/// Number of authenticated deliveries during the attack.
const RIGHT: u8 = 10;

/// Interval between authenticated deliveries. It is shorter than the time after which an evicted
/// peer connects again, 1 s.
const EVERY: Duration = Duration::from_millis(250);

/// Returns all attacks of the family.
pub(super) fn attacks() -> Vec<Attack> {
    let whole = kept_alive("/", "", "wrong", &body("m-1"));
    let cut = |length: usize| whole.get(..length).unwrap_or_default().to_string();
    let (head, most) = (cut(20), cut(whole.len().saturating_sub(5)));
    let one = || addresses(1, 1);
    let many = || addresses(1, 250);
    let mut attacks: Vec<_> = [
        ("silent connections", "1,200 from one address", one(), String::new()),
        ("silent connections", "1,200 from 250 addresses", many(), String::new()),
        ("heads that never end", "1,200 from 250 addresses", many(), head),
        ("bodies that never end", "1,200 from 250 addresses", many(), most),
    ]
    .into_iter()
    .map(|(name, tries, from, say)| {
        Attack::on_process(FAMILY, name, tries, move |fixture| {
            deliver_during(fixture, from.clone(), say.clone())
        })
    })
    .collect();
    attacks.extend([
        Attack::on_process(
            FAMILY,
            "a connection with the secret",
            "kept during 1,200 short connections",
            a_connection_is_kept,
        ),
        Attack::on_process(FAMILY, "half-closed senders", "3 ways", half_closed),
        Attack::on_process(FAMILY, "ambiguous requests", "9 ways", ambiguous_requests),
    ]);
    attacks
}

/// Returns addresses of this machine: the first `count` hosts of `127.0.network.0`.
pub fn addresses(network: u8, count: u8) -> Vec<IpAddr> {
    (1..=count).map(|host| Ipv4Addr::new(127, 0, network, host).into()).collect()
}

/// Open connections of unauthenticated peers. A closed connection is opened again.
pub struct UnauthenticatedPeers {
    made: Arc<AtomicUsize>,
    _tasks: JoinSet<()>,
}

impl UnauthenticatedPeers {
    /// Opens connections from these addresses in turn. Each connection sends `say`, and then waits.
    /// Returns after 3 s if some connections cannot be opened.
    ///
    /// # Errors
    /// Returns an error if the limit of open files cannot be raised, or if `from` is empty.
    pub async fn hold(address: SocketAddr, from: &[IpAddr], say: &str) -> anyhow::Result<Self> {
        let limit = getrlimit(Resource::Nofile);
        setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, ..limit })?;
        ensure!(!from.is_empty(), "no address to connect from");
        let made = Arc::new(AtomicUsize::new(0));
        let mut tasks = JoinSet::new();
        for from in from.iter().copied().cycle().take(PEERS) {
            let (made, say) = (Arc::clone(&made), say.to_string());
            tasks.spawn(async move {
                loop {
                    if let Ok(mut stream) = connect(from, address).await {
                        let _ = stream.write_all(say.as_bytes()).await;
                        made.fetch_add(1, Ordering::Relaxed);
                        let _ = stream.read_to_end(&mut Vec::new()).await;
                    }
                    tokio::time::sleep(Duration::from_secs(1)).await;
                }
            });
        }
        let all = async {
            while made.load(Ordering::Relaxed) < PEERS {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        };
        let _ = tokio::time::timeout(Duration::from_secs(3), all).await;
        Ok(Self { made, _tasks: tasks })
    }

    /// Returns the number of connections opened so far.
    pub fn made(&self) -> usize {
        self.made.load(Ordering::Relaxed)
    }
}

async fn deliver_during(
    fixture: Arc<Fixture>,
    from: Vec<IpAddr>,
    say: String,
) -> anyhow::Result<String> {
    let (mut serving, store) = fixture.serve_store(&[], &[PROOF]).await?;
    let peers = UnauthenticatedPeers::hold(serving.address(), &from, &say).await?;
    let slowest = right_deliveries(serving.address(), fixture.options.slack).await?;
    let made = peers.made();
    drop(peers);
    ensure!(made >= PEERS, "only {made} of {PEERS} connections were made");
    serving.kill().await;
    let kept = keys(&store).await?;
    ensure!(kept.len() == usize::from(RIGHT), "in the store: {kept:?}");
    Ok(format!("{RIGHT} valid deliveries answered within {} ms", slowest.as_millis()))
}

/// Makes authenticated deliveries, each from a new address. Returns the longest response time.
async fn right_deliveries(address: SocketAddr, slack: Duration) -> anyhow::Result<Duration> {
    let mut slowest = Duration::ZERO;
    let mut begin = Instant::now();
    for from in addresses(9, RIGHT) {
        tokio::time::sleep_until(begin.into()).await;
        begin += EVERY;
        let started = Instant::now();
        let delivered = async {
            let mut stream = connect(from, address).await?;
            let key = format!("right-{}", from.to_string().replace('.', "-"));
            let whole = request("/", &with_secret(), &key, &body("m-1"));
            stream.write_all(whole.as_bytes()).await?;
            read_reply(&mut stream).await
        };
        let within = IN_TIME.saturating_add(slack);
        let reply = tokio::time::timeout(within, delivered).await;
        let reply = reply.ok().with_context(|| format!("no answer in {within:?}"))??;
        ensure!(reply.status == 200, "answered {} from {from}", reply.status);
        slowest = slowest.max(started.elapsed());
    }
    Ok(slowest)
}

async fn a_connection_is_kept(fixture: Arc<Fixture>) -> anyhow::Result<String> {
    let (mut serving, store) = fixture.serve_store(&[], &[PROOF]).await?;
    let mut connection = Connection::to(serving.address()).await?;
    let within = IN_TIME.saturating_add(fixture.options.slack);
    let mut deliver = async |key| {
        let (secret, event) = (with_secret(), body("m-1"));
        let delivered = connection.deliver(&secret, key, &event);
        let status = tokio::time::timeout(within, delivered).await;
        ensure!(matches!(status, Ok(Ok(200))), "{key}: {status:?}");
        Ok(())
    };
    deliver("before").await?;
    // The peers connect first from other addresses, then from the address of the event source.
    for (key, from) in [("during-others", addresses(1, 250)), ("during-own", addresses(0, 1))] {
        let peers = UnauthenticatedPeers::hold(serving.address(), &from, "").await?;
        deliver(key).await?;
        drop(peers);
    }
    serving.kill().await;
    let kept = keys(&store).await?;
    ensure!(kept == ["before", "during-others", "during-own"], "in the store: {kept:?}");
    Ok("3 deliveries over the connection answered 200".into())
}

async fn half_closed(fixture: Arc<Fixture>) -> anyhow::Result<String> {
    let (mut serving, store) = fixture.serve_store(&[], &[PROOF]).await?;
    for (key, whole, cut, expected) in [
        ("a", request("/", &with_secret(), "a", &body("m-1")), 0, 200),
        ("b", kept_alive("/", &with_secret(), "b", &body("m-1")), 0, 200),
        // The client closes before the end of its body.
        ("cut", kept_alive("/", &with_secret(), "cut", &body("m-1")), 10, 400),
    ] {
        let mut stream = TcpStream::connect(serving.address()).await?;
        let sent = whole.len().saturating_sub(cut);
        stream.write_all(whole.as_bytes().get(..sent).unwrap_or_default()).await?;
        stream.shutdown().await?;
        let Reply { status, .. } = read_reply(&mut stream).await?;
        ensure!(status == expected, "{key}: answered {status} instead of {expected}");
    }
    serving.kill().await;
    let kept = keys(&store).await?;
    ensure!(kept == ["a", "b"], "in the store: {kept:?}");
    Ok("each request was answered; no incomplete event was answered 200".into())
}

/// Sends requests that one server reads as a body and another server as the next request (request
/// smuggling).
async fn ambiguous_requests(fixture: Arc<Fixture>) -> anyhow::Result<String> {
    let (mut serving, store) = fixture.serve_store(&[], &[PROOF]).await?;
    let (event, secret) = (body("m-1"), with_secret());
    let next = kept_alive("/", &secret, "smuggled", &event);
    let length = format!("Content-Length: {}", event.len());
    for headers in [
        format!("{length}\r\nTransfer-Encoding: chunked"),
        format!("Transfer-Encoding: chunked\r\n{length}"),
        "Transfer-Encoding: gzip, chunked".into(),
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked".into(),
        format!("{length}\r\nContent-Length: 0"),
        format!("Content-Length: 0\r\n{length}"),
        "Content-Length: 0, 0".into(),
        format!("{length}\r\nHost: other"),
    ] {
        let first = kept_alive("/", &secret, "first", &event).replace(&length, &headers);
        let reply = exchange(serving.address(), format!("{first}{next}").as_bytes()).await?;
        let refused = reply.status == 400 && reply.head.contains("connection: close");
        ensure!(refused, "{headers}: {reply:?}");
        let is_single = reply.body.contains("\"malformed\"") && !reply.body.contains("HTTP");
        ensure!(is_single, "{headers}: {}", reply.body);
    }
    // Sends the next request directly after a chunked body, because servers may disagree about the
    // end of that body.
    let chunked = kept_alive("/", &secret, "chunked", "");
    let chunked = chunked.replace("Content-Length: 0", "Transfer-Encoding: chunked");
    let whole = format!("{chunked}{:x}\r\n{event}\r\n0\r\n\r\n{next}", event.len());
    let reply = exchange(serving.address(), whole.as_bytes()).await?;
    let is_single = reply.status == 200 && !reply.body.contains("HTTP");
    ensure!(is_single, "after a body in chunks: {reply:?}");
    serving.kill().await;
    let kept = keys(&store).await?;
    ensure!(kept == ["chunked"], "in the store: {kept:?}");
    Ok("8 requests rejected; no later bytes were read".into())
}
