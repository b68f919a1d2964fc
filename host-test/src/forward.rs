//! Delivers stored events to a workflow engine's HTTP trigger, each until it is
//! taken: at least once, under the sender's own idempotency key.
//!
//! ```text
//! waiting -> taken -> POST -> 2xx: done
//!    ^                    \-> anything else: waiting again, after a pause
//! ```
//!
//! The store is the forwarder's only memory: after a restart, and after a crash in
//! the middle of a POST, it goes on where its leases say.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::{Request, Uri, header};
use http_body_util::Full;
use hyper_util::client::legacy::Client;
use hyper_util::rt::{TokioExecutor, TokioTimer};
use tokio::sync::watch;
use tokio::task::{JoinHandle, JoinSet};

use crate::outbound::Trust;
use crate::outbound::connect::Connector;
use crate::outbound::names::Names;
use crate::store::{Event, Store, StoreError};

/// How a forwarder works.
#[derive(Clone, Debug)]
pub struct Options {
    /// Where events are delivered by POST.
    pub url: Uri,
    /// Whose certificates are accepted.
    pub trust: Trust,
    /// Deliveries at once.
    pub at_once: usize,
    /// How long one delivery may take, its answer included.
    pub timeout: Duration,
    /// The pause after a first failure; doubles with each further one.
    pub first_pause: Duration,
    /// The longest pause.
    pub longest_pause: Duration,
}

impl Options {
    /// 8 deliveries at once, 30 s for each, pauses from 1 s to 5 min.
    #[must_use]
    pub fn new(url: Uri) -> Self {
        Self {
            url,
            trust: Trust::Public,
            at_once: 8,
            timeout: Duration::from_secs(30),
            first_pause: Duration::from_secs(1),
            longest_pause: Duration::from_secs(300),
        }
    }

    /// The pause after so many attempts.
    fn pause(&self, attempts: i64) -> Duration {
        let doublings = u32::try_from(attempts.saturating_sub(1).clamp(0, 16)).unwrap_or(0);
        self.first_pause.saturating_mul(2_u32.saturating_pow(doublings)).min(self.longest_pause)
    }
}

/// A running forwarder.
pub struct Forwarder {
    stop: watch::Sender<bool>,
    task: JoinHandle<()>,
}

impl Forwarder {
    /// Starts to deliver whatever waits in the store.
    ///
    /// # Errors
    /// The trust cannot be set up.
    pub fn start(store: Store, options: Options) -> Result<Self, String> {
        let mut client = Client::builder(TokioExecutor::new());
        client.pool_idle_timeout(Duration::from_secs(4)).pool_timer(TokioTimer::new());
        let client = client.build(Connector::new(options.trust.clone(), Names::Any)?);
        let (stop, stopped) = watch::channel(false);
        let worker = Arc::new(Worker { store, options, client });
        Ok(Self { stop, task: tokio::spawn(worker.run(stopped)) })
    }

    /// Stops when the deliveries under way have their answers.
    pub async fn stop(mut self) {
        let _ = self.stop.send(true);
        let _ = (&mut self.task).await;
    }
}

impl Drop for Forwarder {
    fn drop(&mut self) {
        self.task.abort();
    }
}

struct Worker {
    store: Store,
    options: Options,
    client: Client<Connector, Full<Bytes>>,
}

impl Worker {
    async fn run(self: Arc<Self>, mut stopped: watch::Receiver<bool>) {
        let mut under_way = JoinSet::new();
        let mut news = self.store.news();
        loop {
            // From here on: what comes while the store is looked at is news as well.
            news.borrow_and_update();
            let free = self.options.at_once.saturating_sub(under_way.len());
            let taken = if free == 0 { Ok(Vec::new()) } else { self.take(free).await };
            // A store that fails at once would be asked, and its error logged, without
            // end.
            let failed = taken.is_err();
            let taken = taken.unwrap_or_default();
            if taken.is_empty() {
                let pause = if failed { LOOK_AGAIN } else { self.until_next().await };
                tokio::select! {
                    Ok(()) = news.changed(), if free > 0 && !failed => {}
                    () = tokio::time::sleep(pause), if free > 0 => {}
                    Some(_) = under_way.join_next() => {}
                    _ = stopped.wait_for(|stop| *stop) => break,
                }
            }
            for event in taken {
                let worker = Arc::clone(&self);
                under_way.spawn(async move { worker.deliver(event).await });
            }
            while under_way.try_join_next().is_some() {}
            if *stopped.borrow() {
                break;
            }
        }
        while under_way.join_next().await.is_some() {}
    }

    /// How long nothing will be due, unless there is news.
    async fn until_next(&self) -> Duration {
        let due_ms = self.store.next_due_ms().await.ok().flatten();
        // What came due since the store was asked is due now.
        let left_ms = due_ms.map(|due_ms| due_ms.saturating_sub(self.store.now_ms()));
        let left_ms = left_ms.map(|left_ms| u64::try_from(left_ms).unwrap_or(0));
        left_ms.map_or(LOOK_AGAIN, Duration::from_millis).clamp(SHORTEST, LOOK_AGAIN)
    }

    async fn take(&self, limit: usize) -> Result<Vec<Event>, StoreError> {
        // Longer than a delivery can take: a lease that runs out means a crash.
        let lease = self.options.timeout.saturating_add(Duration::from_secs(30));
        let taken = self.store.take(u32::try_from(limit).unwrap_or(u32::MAX), lease).await;
        taken.inspect_err(|error| tracing::error!(%error, "the store gives no events to forward"))
    }

    async fn deliver(&self, event: Event) {
        let key = &event.idempotency_key;
        let lease = event.lease.clone().unwrap_or_default();
        let result = match self.post(&event).await {
            Ok(()) => {
                tracing::debug!(key, "forwarded");
                self.store.done(event.id, lease).await
            }
            Err(reason) => {
                let pause = self.options.pause(event.attempts);
                tracing::warn!(key, reason, attempts = event.attempts, ?pause, "not forwarded");
                self.store.fail(event.id, lease, reason, pause).await
            }
        };
        if let Err(error) = result {
            // The lease runs out, and the event is delivered again: at least once.
            tracing::error!(key, %error, "the outcome of a delivery could not be noted");
        }
    }

    async fn post(&self, event: &Event) -> Result<(), String> {
        let request = Request::post(self.options.url.clone())
            .header(header::CONTENT_TYPE, "application/json")
            .header("x-idempotency-key", &event.idempotency_key)
            .body(Full::new(Bytes::from(event.json.clone())))
            .map_err(|error| error.to_string())?;
        let answer = tokio::time::timeout(self.options.timeout, self.client.request(request));
        match answer.await {
            Ok(Ok(response)) if response.status().is_success() => Ok(()),
            Ok(Ok(response)) => Err(format!("status {}", response.status().as_u16())),
            Ok(Err(error)) => Err(match crate::outbound::connect::classify(&error) {
                (_, Some(failure)) => failure.to_string(),
                (code, None) => code.to_string(),
            }),
            Err(_) => Err("no answer in time".into()),
        }
    }
}

/// How often the store is looked at where nothing announces itself: another process
/// may have put something back.
const LOOK_AGAIN: Duration = Duration::from_secs(2);
const SHORTEST: Duration = Duration::from_millis(1);
