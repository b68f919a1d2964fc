//! Family `fairness`: a thousand bad events do not delay the first delivery of a new event. Bad
//! events hang, fail or are slow.

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use bytes::Bytes;
use http::{Request, Response};
use http_body_util::{BodyExt, Empty};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use messaging_conformance::delivery::{Connection, body};
use tokio::net::TcpListener;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::{JoinHandle, JoinSet};

use super::{Attack, Fixture, keys};
use crate::process::Serving;

/// Name of the family.
pub(super) const FAMILY: &str = "fairness";

/// Maximum time between the acknowledgment of a new event and its first delivery.
const FIRST_TRY: Duration = Duration::from_secs(2);
/// Number of bad events before the first new event.
const BAD: u32 = 1_000;
/// Number of new events, delivered one after the other.
const NEW: u32 = 20;
/// Interval between new events. One more bad event comes in each interval.
const EVERY: Duration = Duration::from_millis(250);
/// Time until a slow event is answered.
const SLOW: Duration = Duration::from_secs(1);

/// Number of concurrent connections that deliver bad events.
const AT_ONCE: u32 = 16;

/// Returns all attacks of the family.
pub(super) fn attacks() -> Vec<Attack> {
    let bad = [
        ("events that hang", &["hangs"][..]),
        ("events that fail", &["fails"]),
        ("events that are slow", &["slow"]),
        ("events that hang, fail and are slow", &["hangs", "fails", "slow"]),
    ];
    let attack = |(name, kinds)| {
        let tries = "1,000 bad events, 4 more per second, and 20 new events";
        Attack::on_process(FAMILY, name, tries, move |fixture| new_events(fixture, kinds))
    };
    bad.map(attack).into()
}

/// A receiver of events. The start of the event's key selects the answer: no answer to `hangs`, a
/// rejection of `fails`, and a late acceptance of `slow`.
struct Sink {
    url: String,
    received: UnboundedReceiver<(String, Instant)>,
    accepting: JoinHandle<()>,
}

impl Sink {
    async fn start() -> anyhow::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let url = format!("http://{}/", listener.local_addr()?);
        let (sender, received) = unbounded_channel();
        let accepting = tokio::spawn(async move {
            let mut connections = JoinSet::new();
            while let Ok((stream, _)) = listener.accept().await {
                let sender = sender.clone();
                connections.spawn(async move {
                    let take = service_fn(|request| take(request, sender.clone()));
                    // The forwarder cuts off some connections that hang.
                    let _ =
                        http1::Builder::new().serve_connection(TokioIo::new(stream), take).await;
                });
                while connections.try_join_next().is_some() {}
            }
        });
        Ok(Self { url, received, accepting })
    }
}

impl Drop for Sink {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

async fn take(
    request: Request<Incoming>,
    sender: UnboundedSender<(String, Instant)>,
) -> Result<Response<Empty<Bytes>>, hyper::Error> {
    let key = request.headers().get("x-idempotency-key").and_then(|key| key.to_str().ok());
    let key = key.unwrap_or_default().to_string();
    // The test may have stopped reading.
    let _ = sender.send((key.clone(), Instant::now()));
    request.into_body().collect().await?;
    let mut response = Response::new(Empty::new());
    match key.split('-').next() {
        Some("hangs") => std::future::pending().await,
        Some("fails") => *response.status_mut() = http::StatusCode::SERVICE_UNAVAILABLE,
        Some("slow") => tokio::time::sleep(SLOW).await,
        _ => {}
    }
    Ok(response)
}

async fn new_events(
    fixture: Arc<Fixture>,
    kinds: &'static [&'static str],
) -> anyhow::Result<String> {
    let mut sink = Sink::start().await?;
    let (mut serving, store) = fixture.serve_store(&["--forward", &sink.url], &[]).await?;
    let bad = |number: u32| {
        let kind = kinds.iter().cycle().nth(usize::try_from(number).unwrap_or(0));
        format!("{}-{number}", kind.copied().unwrap_or_default())
    };
    deliver_all(&serving, (0..BAD).map(bad).collect()).await?;
    let mut connection = Connection::to(serving.address()).await?;
    let mut acknowledged = Vec::new();
    let mut begun = Instant::now();
    for number in 0..NEW {
        for key in [bad(BAD.saturating_add(number)), format!("new-{number}")] {
            let status = connection.deliver("", &key, &body("m-1")).await?;
            ensure!(status == 200, "{key}: answered {status}");
            acknowledged.push((key, Instant::now()));
        }
        begun += EVERY;
        tokio::time::sleep_until(begun.into()).await;
    }
    let within = FIRST_TRY.saturating_add(fixture.options.slack);
    let mut received = std::collections::BTreeMap::<_, Vec<_>>::new();
    while acknowledged.iter().any(|(key, _)| !received.contains_key(key)) {
        let next = tokio::time::timeout_at((begun + within).into(), sink.received.recv()).await;
        let Ok(Some((key, at))) = next else { break };
        received.entry(key).or_default().push(at);
    }
    let mut longest = Duration::ZERO;
    for (key, acknowledged) in &acknowledged {
        let tried = received.get(key).map(Vec::as_slice).unwrap_or_default();
        let first = tried.first().with_context(|| format!("{key} was not tried"))?;
        longest = longest.max(first.saturating_duration_since(*acknowledged));
        let once = !key.starts_with("new") || tried.len() == 1;
        ensure!(once, "{key} was delivered {} times", tried.len());
    }
    ensure!(longest <= within, "an event was first tried only after {longest:?}");
    serving.kill().await;
    let kept = keys(&store).await?.len();
    let all = usize::try_from(BAD.saturating_add(NEW).saturating_add(NEW)).unwrap_or(0);
    ensure!(kept == all, "{kept} events in the store instead of {all}");
    Ok(format!("new events first tried within {} ms", longest.as_millis()))
}

/// Delivers an event under each of these keys.
async fn deliver_all(serving: &Serving, keys: Vec<String>) -> anyhow::Result<()> {
    let mut senders = JoinSet::new();
    let share = keys.len().div_ceil(usize::try_from(AT_ONCE)?).max(1);
    for keys in keys.chunks(share).map(<[String]>::to_vec) {
        let mut connection = Connection::to(serving.address()).await?;
        senders.spawn(async move {
            for key in keys {
                let status = connection.deliver("", &key, &body("m-1")).await?;
                ensure!(status == 200, "{key}: answered {status}");
            }
            Ok(())
        });
    }
    senders.join_all().await.into_iter().collect()
}
