//! The sender of a campaign, and its ledger of what was sent and acknowledged.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use http::{Request, header};
use http_body_util::Full;
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use tokio::task::JoinSet;

use crate::process::awaited;

/// Deliveries at once.
const AT_ONCE: usize = 8;
/// Deliveries that wait: enough to shuffle.
const QUEUE: usize = 64;
/// Largest number of deliveries of the same event.
const MOST_COPIES: u32 = 20;
/// Time after which the sender gives up on an answer.
const TIMEOUT: Duration = Duration::from_secs(10);
/// The pause after a delivery that failed: the process is being started.
const PAUSE: Duration = Duration::from_millis(2);

/// One event on its way.
#[derive(Clone, Debug)]
pub struct Delivery {
    key: String,
    body: String,
}

impl Delivery {
    pub fn new(key: &str, text: &str) -> Self {
        let body = format!(
            r#"{{"id":"m-{key}","object":"message","event":"message:in:new","text":"{text}"}}"#
        );
        Self { key: key.into(), body }
    }
}

/// The sender's own record.
#[derive(Clone, Debug, Default)]
pub struct Ledger {
    /// Every body that was sent, by its key.
    pub sent: BTreeMap<String, BTreeSet<String>>,
    /// The keys of which a delivery was answered 200.
    pub acknowledged: BTreeSet<String>,
    /// Deliveries that were tried.
    pub deliveries: u64,
    /// Deliveries that were answered 200.
    pub acknowledgements: u64,
    /// Deliveries without an answer.
    pub cut_off: u64,
}

/// Delivers to one address and keeps the ledger.
#[derive(Clone)]
pub struct Sender {
    client: Client<HttpConnector, Full<Bytes>>,
    urls: Arc<[String]>,
    next: Arc<AtomicUsize>,
    ledger: Arc<Mutex<Ledger>>,
}

impl Sender {
    pub fn new(url: String) -> Self {
        Self::to_all(&[url])
    }

    /// Delivers to each of several addresses in turn.
    pub fn to_all(urls: &[String]) -> Self {
        let client = Client::builder(TokioExecutor::new()).build(HttpConnector::new());
        Self { client, urls: urls.into(), next: Arc::default(), ledger: Arc::default() }
    }

    pub fn ledger(&self) -> MutexGuard<'_, Ledger> {
        lock(&self.ledger)
    }

    /// Tries one delivery. True: it was answered 200.
    pub async fn deliver(&self, delivery: &Delivery) -> bool {
        {
            let mut ledger = self.ledger();
            let bodies = ledger.sent.entry(delivery.key.clone()).or_default();
            bodies.insert(delivery.body.clone());
            ledger.deliveries = ledger.deliveries.saturating_add(1);
        }
        let status = self.post(delivery).await;
        let mut ledger = self.ledger();
        match status {
            Some(200) => {
                ledger.acknowledged.insert(delivery.key.clone());
                ledger.acknowledgements = ledger.acknowledgements.saturating_add(1);
            }
            Some(_) => {}
            None => ledger.cut_off = ledger.cut_off.saturating_add(1),
        }
        status == Some(200)
    }

    async fn post(&self, delivery: &Delivery) -> Option<u16> {
        let next = self.next.fetch_add(1, Ordering::Relaxed);
        let url = self.urls.get(next.checked_rem(self.urls.len())?)?;
        let request = Request::post(url)
            .header(header::CONTENT_TYPE, "application/json")
            .header("x-idempotency-key", &delivery.key)
            .body(Full::new(Bytes::from(delivery.body.clone())))
            .ok()?;
        let answer =
            tokio::time::timeout(TIMEOUT, self.client.request(request)).await.ok()?.ok()?;
        Some(answer.status().as_u16())
    }
}

/// Deliveries without end: new events, each several times, shuffled.
pub struct Load {
    sender: Sender,
    queue: Arc<Mutex<Queue>>,
    workers: JoinSet<()>,
}

struct Queue {
    waiting: Vec<Delivery>,
    random: StdRng,
    next: u32,
    ends: bool,
}

impl Queue {
    /// Any of the waiting deliveries; new ones are made while it does not end.
    fn take(&mut self) -> Option<Delivery> {
        while !self.ends && self.waiting.len() < QUEUE {
            self.next = self.next.saturating_add(1);
            let delivery = Delivery::new(&format!("evt-{}", self.next), "a question");
            let copies = self.random.random_range(1..=MOST_COPIES);
            self.waiting.extend((0..copies).map(|_| delivery.clone()));
        }
        let count = self.waiting.len();
        (count > 0).then(|| self.waiting.swap_remove(self.random.random_range(0..count)))
    }
}

impl Load {
    pub fn start(url: String, seed: u64) -> Self {
        Self::to_all(&[url], seed)
    }

    /// Delivers to each of several addresses in turn.
    pub fn to_all(urls: &[String], seed: u64) -> Self {
        let sender = Sender::to_all(urls);
        let queue = Queue {
            waiting: Vec::new(),
            random: StdRng::seed_from_u64(seed),
            next: 0,
            ends: false,
        };
        let queue = Arc::new(Mutex::new(queue));
        let mut workers = JoinSet::new();
        for _ in 0..AT_ONCE {
            let (sender, queue) = (sender.clone(), Arc::clone(&queue));
            workers.spawn(async move {
                loop {
                    let next = lock(&queue).take();
                    let Some(delivery) = next else { return };
                    while !sender.deliver(&delivery).await {
                        tokio::time::sleep(PAUSE).await;
                    }
                }
            });
        }
        Self { sender, queue, workers }
    }

    pub fn ledger(&self) -> Ledger {
        self.sender.ledger().clone()
    }

    /// Waits until so many more deliveries are acknowledged.
    #[cfg(unix)]
    pub async fn acknowledges(&self, more: u64) {
        let acknowledged = || self.sender.ledger().acknowledgements;
        let enough = acknowledged().saturating_add(more);
        while acknowledged() < enough {
            tokio::time::sleep(PAUSE).await;
        }
    }

    /// The keys that are acknowledged by now.
    #[cfg(unix)]
    pub fn acknowledged(&self) -> BTreeSet<String> {
        self.sender.ledger().acknowledged.clone()
    }

    /// Delivers what is left, until all of it is acknowledged.
    pub async fn finish(mut self) -> anyhow::Result<Ledger> {
        lock(&self.queue).ends = true;
        let all = async { while self.workers.join_next().await.is_some() {} };
        let ledger = self.sender.ledger;
        let open = || {
            let ledger = lock(&ledger);
            let (sent, acknowledged) = (ledger.sent.len(), ledger.acknowledged.len());
            format!("of {sent} events only {acknowledged} are acknowledged after the last kill")
        };
        awaited(open, all).await?;
        let ledger = lock(&ledger).clone();
        Ok(ledger)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
