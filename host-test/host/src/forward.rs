//! Delivers stored events to a workflow engine's HTTP trigger, each until it is
//! taken: at least once, under [a key of its own](Event::delivery_key).
//!
//! ```text
//! pending -> leased -> POST -> 2xx: done
//!    ^                    |-> 410, or one failure too many: dead
//!    ^                    \-> anything else: pending again, after a pause
//! ```
//!
//! The store is the forwarder's only memory: after a restart, and after a crash in
//! the middle of a POST, it goes on where its leases say. While it runs it delivers
//! nothing twice at once, even where a clock that jumped ends its leases early.
//!
//! A new event is first tried within 2 s, whatever else hangs, fails or waits, as long as
//! no more than about 14 new events a second hang themselves. One that failed is tried again
//! after its pause and those that were due before it, about 32 a second even where all of
//! them hang; which delivery may begin when is decided in `places`. Events do not arrive in
//! order.

mod attempt;
mod headers;
mod places;
mod sign;
mod tally;

use std::num::NonZeroU32;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use http::Uri;
use tokio::sync::{oneshot, watch};
use tokio::task::{JoinHandle, JoinSet};

use crate::outbound::connect::Connector;
use crate::outbound::names::Names;
use crate::outbound::{Trust, TrustError};
use crate::span::Spans;
use attempt::{Sender, Undelivered, with_jitter};
pub use headers::{HeaderError, KeyHeader, SecretHeaders};
use messaging_inbox::{Due, Event, Kinds, Lane, Retry, State, Store, StoreError};
use places::{Free, Kind, Places};
pub use sign::{SecretError, SigningSecrets};
use tally::End;
pub use tally::{ForwardTally, Outcomes};

/// Options of a forwarder.
#[derive(Clone, Debug)]
pub struct Options {
    /// URL to which events are delivered by POST.
    pub url: Uri,
    /// Whose certificates are accepted.
    pub trust: Trust,
    /// Deliveries at once: so many first attempts, so many later ones, and so many later
    /// ones that may take their time. Of the first two kinds, those that are not answered
    /// within a quarter of a second go on beside the next, up to 120 of each.
    pub concurrency: usize,
    /// Time limit of one delivery, its answer included. One may be cut off before, where there
    /// are 120 and others wait for their turn.
    pub timeout: Duration,
    /// How much longer than `timeout` an event is leased, for what comes after its delivery: nobody
    /// else takes it until then, also after a crash.
    pub grace: Duration,
    /// The pause after a first failure; doubles with each further one. Each pause is longer
    /// by up to a quarter, at random: what failed together is not tried again together.
    pub first_pause: Duration,
    /// The longest pause, that quarter left out. A receiver can ask for a longer one, of up to a
    /// day, with `Retry-After`.
    pub longest_pause: Duration,
    /// Failures with which an event is dead; without it an event is tried until it is taken. A
    /// failure is an attempt that the receiver may have seen: not one without a connection.
    pub attempts: Option<NonZeroU32>,
    /// Kinds of the events that are delivered; others wait for other workers.
    pub kinds: Kinds,
    /// Secrets to sign each request with, as Standard Webhooks has it.
    pub secrets: Option<SigningSecrets>,
    /// Further headers of each request.
    pub headers: SecretHeaders,
    /// Further headers with the event's key, beside `X-Idempotency-Key` and `Idempotency-Key`.
    pub key_headers: Vec<KeyHeader>,
    /// Takes each attempt as a span. Without, the trace of the delivery is passed on as it is.
    pub spans: Option<Spans>,
}

impl Options {
    /// 8 deliveries at once, 30 s for each and as much after it, pauses from 1 s to 5 min.
    #[must_use]
    pub fn new(url: Uri) -> Self {
        Self {
            url,
            trust: Trust::Public,
            concurrency: 8,
            timeout: Duration::from_secs(30),
            grace: Duration::from_secs(30),
            first_pause: Duration::from_secs(1),
            longest_pause: Duration::from_secs(300),
            attempts: None,
            kinds: Kinds::All,
            secrets: None,
            headers: SecretHeaders::default(),
            key_headers: Vec::new(),
            spans: None,
        }
    }

    /// The pause after so many attempts; `random` is from 0 up to 1.
    fn pause(&self, attempts: i64, random: f64) -> Duration {
        let doublings = u32::try_from(attempts.saturating_sub(1).clamp(0, 16)).unwrap_or(0);
        let pause = self.first_pause.saturating_mul(2_u32.saturating_pow(doublings));
        let pause = pause.min(self.longest_pause);
        with_jitter(pause, random)
    }
}

/// A running forwarder.
pub struct Forwarder {
    worker: Arc<Worker>,
    stop: watch::Sender<bool>,
    task: JoinHandle<()>,
}

impl Forwarder {
    /// Starts to deliver whatever waits in the store.
    ///
    /// # Errors
    /// The trust cannot be set up.
    pub fn start(store: Store, options: Options) -> Result<Self, TrustError> {
        let sender = Sender::new(Connector::new(options.trust.clone(), Names::Any)?);
        let (stop, stopped) = watch::channel(false);
        let worker = Arc::new(Worker { store, options, sender, tally: ForwardTally::new() });
        let places = Places::new(worker.options.concurrency);
        let own = Arc::clone(&worker);
        let (tasks, begun) = (JoinSet::new(), Instant::now());
        let run = Run { worker: own, places, tasks, begun, missed: 0 };
        Ok(Self { worker, stop, task: tokio::spawn(run.until_stopped(stopped)) })
    }

    /// Returns the number of deliveries since the start, by their ends.
    #[must_use]
    pub fn outcomes(&self) -> Outcomes {
        self.worker.tally.outcomes()
    }

    /// Returns its counters, which outlive it.
    #[must_use]
    pub fn tally(&self) -> ForwardTally {
        self.worker.tally.clone()
    }

    /// Stops when the deliveries under way have their answers; says how all have ended.
    pub async fn stop(mut self) -> Outcomes {
        let _ = self.stop.send(true);
        let _ = (&mut self.task).await;
        self.outcomes()
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
    sender: Sender,
    tally: ForwardTally,
}

/// Record of a delivery under way.
struct Handle {
    /// The newest lease on its event.
    lease: Arc<Mutex<String>>,
    /// Dropped or sent to, it ends the delivery.
    cut: Option<oneshot::Sender<()>>,
}

/// The forwarder's own.
struct Run {
    worker: Arc<Worker>,
    places: Places<Handle>,
    tasks: JoinSet<i64>,
    begun: Instant,
    /// Looks in a row that found something due and could lease none of it.
    missed: u32,
}

/// Result of a look into the store.
enum Looked {
    /// Deliveries have begun, or one was cut off: there may be more to do.
    Busy,
    /// There is nothing to do for so long.
    Idle {
        pause: Duration,
        /// News would change that.
        listens: bool,
    },
}

impl Run {
    async fn until_stopped(mut self, mut stopped: watch::Receiver<bool>) {
        let mut news = self.worker.store.news();
        loop {
            // From here on: what comes while the store is looked at is news as well.
            news.borrow_and_update();
            let looked = self.look().await.unwrap_or_else(|error| {
                tracing::warn!(%error, "could not lease events to forward; retrying");
                // A store that fails at once would be asked, and its error logged, without
                // end.
                Looked::Idle { pause: AFTER_FAILURE, listens: false }
            });
            if let Looked::Idle { pause, listens } = looked {
                tokio::select! {
                    Ok(()) = news.changed(), if listens => {}
                    () = tokio::time::sleep(pause) => {}
                    Some(ended) = self.tasks.join_next() => self.ended(ended),
                    _ = stopped.wait_for(|stop| *stop) => break,
                }
            }
            while let Some(ended) = self.tasks.try_join_next() {
                self.ended(ended);
            }
            if *stopped.borrow() {
                break;
            }
        }
        while self.tasks.join_next().await.is_some() {}
    }

    async fn look(&mut self) -> Result<Looked, StoreError> {
        let store = &self.worker.store;
        let due = store.due(self.worker.options.kinds.clone()).await?;
        let again_in = due.again_ms.map(|again_ms| {
            let left_ms = again_ms.saturating_sub(store.now_ms());
            Duration::from_millis(u64::try_from(left_ms).unwrap_or(0))
        });
        let now = self.begun.elapsed();
        let free = self.places.free(now);
        let due_again = again_in.is_some_and(|left| left.is_zero());
        let first_waits = due.new && free.oldest.saturating_add(free.newest) == 0;
        let again_waits = due_again && free.again == 0;
        for (kind, waits) in [(Kind::First, first_waits), (Kind::Again, again_waits)] {
            if waits && let Some(handle) = self.places.cut(kind) {
                handle.cut = None;
                return Ok(Looked::Busy);
            }
        }
        if (due.new && !first_waits) || (due_again && !again_waits) {
            return self.begin(free, due, due_again).await;
        }
        let mut pause = LOOK_AGAIN;
        for (kind, waits) in [(Kind::First, first_waits), (Kind::Again, again_waits)] {
            if waits {
                pause = pause.min(self.places.until_free(kind, now).unwrap_or(pause));
            }
        }
        if let Some(left) = again_in
            && !due_again
        {
            pause = pause.min(left);
        }
        Ok(Looked::Idle { pause: pause.max(SHORTEST), listens: !due.new })
    }

    /// Leases as many events as there are places, in one commit, and begins to deliver them.
    async fn begin(&mut self, free: Free, due: Due, due_again: bool) -> Result<Looked, StoreError> {
        let lease = |lane, limit: usize, due: bool| {
            let worker = Arc::clone(&self.worker);
            async move {
                if limit == 0 || !due {
                    return Ok(Vec::new());
                }
                worker.lease(lane, limit).await
            }
        };
        let (oldest, newest, again) = tokio::join!(
            lease(Lane::Oldest, free.oldest, due.new),
            lease(Lane::Newest, free.newest, due.new),
            lease(Lane::Again, free.again, due_again),
        );
        // Leased events are delivered, whatever the other leases came to.
        let mut failed = None;
        let mut any = false;
        for (leased, first) in [(oldest, true), (newest, true), (again, false)] {
            match leased {
                Ok(events) => {
                    any |= !events.is_empty();
                    events.into_iter().for_each(|event| self.deliver(event, first));
                }
                Err(error) => failed = Some(error),
            }
        }
        match failed {
            Some(error) => Err(error),
            None if any => {
                self.missed = 0;
                Ok(Looked::Busy)
            }
            // Another process was faster; or one holds it, for who knows how long.
            None => {
                let pause = SHORTEST.saturating_mul(2_u32.saturating_pow(self.missed));
                self.missed = self.missed.saturating_add(1);
                Ok(Looked::Idle { pause: pause.min(LOOK_AGAIN), listens: true })
            }
        }
    }

    fn deliver(&mut self, event: Event, first: bool) {
        let lease = event.lease.clone().unwrap_or_default();
        if let Some(handle) = self.places.about(event.id) {
            // A clock that jumped has ended its lease; the delivery goes on under the new
            // one.
            *handle.lease.lock().unwrap_or_else(PoisonError::into_inner) = lease;
            return;
        }
        let lease = Arc::new(Mutex::new(lease));
        let (cut, told) = oneshot::channel();
        let handle = Handle { lease: Arc::clone(&lease), cut: Some(cut) };
        self.places.begin(event.id, first, self.begun.elapsed(), handle);
        let worker = Arc::clone(&self.worker);
        self.tasks.spawn(async move {
            worker.deliver(&event, &lease, told).await;
            event.id
        });
    }

    fn ended(&mut self, ended: Result<i64, tokio::task::JoinError>) {
        if let Ok(id) = ended {
            self.places.end(id);
        }
    }
}

impl Worker {
    async fn lease(&self, lane: Lane, limit: usize) -> Result<Vec<Event>, StoreError> {
        let limit = u32::try_from(limit).unwrap_or(u32::MAX);
        self.store.lease_from(lane, self.options.kinds.clone(), limit, self.lease_time()).await
    }

    /// Returns the duration of a lease. It is longer than a delivery can take, so that a lease which runs out
    /// means a crash.
    fn lease_time(&self) -> Duration {
        self.options.timeout.saturating_add(self.options.grace)
    }

    /// Delivers an event, and stores the outcome. While the store is unavailable, that is repeated until the
    /// lease ends: the event would be delivered twice otherwise.
    async fn deliver(&self, event: &Event, lease: &Mutex<String>, told: oneshot::Receiver<()>) {
        let begun = Instant::now();
        let posted = tokio::select! {
            posted = attempt::post(&self.sender, &self.options, event, self.store.now_ms()) => posted,
            _ = told => Err(Undelivered::CutOff),
        };
        if posted.is_ok() {
            tracing::debug!(key = &*event.delivery_key(), "forwarded");
        }
        let mut is_repeated = false;
        let error = loop {
            let lease = lease.lock().unwrap_or_else(PoisonError::into_inner).clone();
            let stored = match &posted {
                Ok(()) => self.store.ack(event.id, lease).await.map(|()| {
                    self.tally.delivered(event.received_at_ms, self.store.now_ms());
                }),
                Err(reason) => self.failed(event, lease, reason).await,
            };
            match stored {
                Ok(()) => return,
                // An earlier attempt was stored, and its confirmation was lost. An acknowledgement can be repeated.
                Err(StoreError::LeaseLost { .. }) if is_repeated && posted.is_err() => return,
                Err(StoreError::Unavailable { .. }) if begun.elapsed() < self.lease_time() => {
                    is_repeated = true;
                    tokio::time::sleep(STORE_AGAIN).await;
                }
                Err(error) => break error,
            }
        };
        // The lease ends, and the event is delivered again: at least once.
        if let Some(more) = self.tally.note(End::Unstored) {
            tracing::error!(key = &*event.delivery_key(), %error, more, "the outcome of a forwarded delivery could not be stored; the event will be forwarded again");
        }
    }

    async fn failed(
        &self,
        event: &Event,
        lease: String,
        reason: &Undelivered,
    ) -> Result<(), StoreError> {
        let retry = reason.retry(&self.options, event.attempts, rand::random());
        let reason = reason.to_string();
        let state = self.store.nack(event.id, lease, reason.as_str(), retry).await?;
        let (id, attempts, key) = (event.id, event.attempts, event.delivery_key());
        match (state, retry) {
            (State::Dead, _) => {
                if let Some(more) = self.tally.note(End::Dead) {
                    tracing::error!(%key, id, reason, attempts, more, "not forwarded, and not tried again: the event is dead; look at it with `inbox list --dead`");
                }
            }
            (_, retry) => {
                let end = match retry {
                    Retry::Uncounted(_) => End::NotReached,
                    _ => End::Failed,
                };
                tracing::debug!(%key, id, reason, attempts, ?retry, "not forwarded");
                if let Some(more) = self.tally.note(end) {
                    tracing::warn!(%key, id, reason, attempts, more, "not forwarded; tried again after a pause");
                }
            }
        }
        Ok(())
    }
}

/// Interval of polling the store where nothing announces itself: another process may have put
/// something back.
const LOOK_AGAIN: Duration = Duration::from_secs(1);
/// Pause before an outcome is stored again.
const STORE_AGAIN: Duration = Duration::from_millis(500);
const AFTER_FAILURE: Duration = Duration::from_secs(2);
const SHORTEST: Duration = Duration::from_millis(1);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pause_doubles_up_to_the_longest_and_is_longer_by_up_to_a_quarter() {
        let options = Options::new(Uri::from_static("http://localhost/"));
        for (attempts, seconds) in [(0, 1), (1, 1), (2, 2), (5, 16), (9, 256), (10, 300), (99, 300)]
        {
            let pause = Duration::from_secs(seconds);
            assert_eq!(options.pause(attempts, 0.0), pause, "{attempts}");
            assert_eq!(options.pause(attempts, 0.5), pause + pause / 8, "{attempts}");
            assert!(options.pause(attempts, 1.0 - f64::EPSILON) <= pause + pause / 4);
        }
        let endless =
            Options { first_pause: Duration::MAX, longest_pause: Duration::MAX, ..options };
        assert_eq!(endless.pause(1, 0.5), Duration::MAX);
    }
}
