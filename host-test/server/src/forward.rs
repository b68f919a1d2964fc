//! Delivery of stored events to the HTTP trigger of a workflow engine. Each event is delivered at
//! least once, until the receiver accepts it or the event is dead. Each attempt carries the event's
//! [delivery key](Event::delivery_key).
//!
//! ```text
//! pending -> leased -> POST -> 2xx: done
//!    ^                    |-> 410, or maximum number of failures: dead
//!    ^                    \-> any other result: pending again, after a delay
//! ```
//!
//! All state is in the store. After a crash or a forced stop during a POST, the forwarder
//! delivers the event again when its lease ends. A running forwarder never has two open deliveries
//! of one event, even if a clock jump ends a lease early.
//!
//! An event hangs if the receiver does not respond to it. A new event is first tried within 2 s
//! under two conditions: at most about 14 new events per second hang, and the events of open
//! deliveries have less than 32 MiB in total. Older events that hang, fail or wait do not delay a
//! new event. A failed event is retried after its delay and after all events that were due earlier.
//! About 32 events per second are retried, even if all of them hang. `slots` decides when a
//! delivery may begin. Events may arrive out of order.

mod attempt;
mod options;
mod sign;
mod slots;
mod tally;

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use messaging_inbox::{Due, Event, Queue, Retry, State, Store, StoreError};
use messaging_net::TrustError;
use messaging_net::connect::Connector;
use messaging_net::names::Names;
use tokio::sync::{oneshot, watch};
use tokio::task::{JoinHandle, JoinSet};

use attempt::{Sender, Undelivered};
pub use options::Options;
pub use sign::{SecretError, SigningSecrets};
use slots::{Free, Kind, Slots};
use tally::End;
pub use tally::{ForwardTally, Outcomes};

/// Maximum total size of the events of open deliveries, in bytes. A check of the store can exceed
/// this size by three pages of events.
const MOST_OPEN_BYTES: usize = 32 * 1024 * 1024;

/// A running forwarder.
pub struct Forwarder {
    worker: Arc<Worker>,
    stop: watch::Sender<bool>,
    task: JoinHandle<()>,
}

impl Forwarder {
    /// Starts to deliver the events in the store.
    ///
    /// # Errors
    /// Returns `TrustError` if the trust configuration is invalid.
    pub fn start(store: Store, options: Options) -> Result<Self, TrustError> {
        let sender = Sender::new(Connector::new(options.trust.clone(), Names::Any)?);
        let (stop, stopped) = watch::channel(false);
        let worker = Arc::new(Worker { store, options, sender, tally: ForwardTally::new() });
        let slots = Slots::new(worker.options.concurrency);
        let own = Arc::clone(&worker);
        let (tasks, begun) = (JoinSet::new(), Instant::now());
        let run = Run { worker: own, slots, tasks, open_bytes: 0, begun, missed: 0 };
        Ok(Self { worker, stop, task: tokio::spawn(run.until_stopped(stopped)) })
    }

    /// Returns the number of deliveries since the start, by outcome.
    pub fn outcomes(&self) -> Outcomes {
        self.worker.tally.outcomes()
    }

    /// Returns the counters, which stay valid after the forwarder is dropped.
    pub fn tally(&self) -> ForwardTally {
        self.worker.tally.clone()
    }

    /// Waits for active deliveries to finish, then stops. Returns the number of deliveries since
    /// the start, by outcome.
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

/// Handle of an active delivery.
struct Handle {
    /// The latest lease of the event.
    lease: Arc<Mutex<String>>,
    /// Dropping this sender cuts off the delivery.
    cut: Option<oneshot::Sender<()>>,
}

/// State of the forwarder's task.
struct Run {
    worker: Arc<Worker>,
    slots: Slots<Handle>,
    /// Deliveries; each returns the ID and the size of its event.
    tasks: JoinSet<(i64, usize)>,
    /// Size of the events of open deliveries in bytes.
    open_bytes: usize,
    begun: Instant,
    /// Number of consecutive checks that found due events but leased no event.
    missed: u32,
}

/// Result of checking the store.
enum Looked {
    /// Deliveries have started, or a delivery was cut off. More work may be due.
    Busy,
    /// No delivery can begin before `pause` is over.
    Idle {
        pause: Duration,
        /// True if a notification of the store ends the wait.
        listens: bool,
    },
}

impl Run {
    async fn until_stopped(mut self, mut stopped: watch::Receiver<bool>) {
        let mut news = self.worker.store.news();
        loop {
            // Marks earlier notifications as seen before the check, because a notification during
            // the check must end the next wait.
            news.borrow_and_update();
            let looked = self.look().await.unwrap_or_else(|error| {
                tracing::warn!(%error, "could not lease events to forward; retrying");
                // Without the delay, a failing store would be queried, and its error logged, in a
                // tight loop.
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
            self.free_slots();
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
        let free = match self.open_bytes < MOST_OPEN_BYTES {
            true => self.slots.free(now),
            false => Free { oldest: 0, newest: 0, again: 0 },
        };
        let due_again = again_in.is_some_and(|left| left.is_zero());
        let first_waits = due.new && free.oldest.saturating_add(free.newest) == 0;
        let again_waits = due_again && free.again == 0;
        for (kind, waits) in [(Kind::First, first_waits), (Kind::Again, again_waits)] {
            if waits && let Some(handle) = self.slots.cut(kind) {
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
                pause = pause.min(self.slots.until_free(kind, now).unwrap_or(pause));
            }
        }
        if let Some(left) = again_in
            && !due_again
        {
            pause = pause.min(left);
        }
        Ok(Looked::Idle { pause: pause.max(SHORTEST), listens: !due.new })
    }

    /// Leases an event for each free slot, in one commit, and starts the deliveries.
    async fn begin(&mut self, free: Free, due: Due, due_again: bool) -> Result<Looked, StoreError> {
        let lease = |queue, limit: usize, due: bool| {
            let worker = Arc::clone(&self.worker);
            async move {
                if limit == 0 || !due {
                    return Ok(Vec::new());
                }
                worker.lease(queue, limit).await
            }
        };
        let (oldest, newest, again) = tokio::join!(
            lease(Queue::Oldest, free.oldest, due.new),
            lease(Queue::Newest, free.newest, due.new),
            lease(Queue::Again, free.again, due_again),
        );
        // An event can be due again before the slot of its last attempt is free.
        self.free_slots();
        // Delivers all leased events, even if another lease failed.
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
            // Another process leased the events first, or still holds them. The time until they
            // can be leased is unknown.
            None => {
                let pause = SHORTEST.saturating_mul(2_u32.saturating_pow(self.missed));
                self.missed = self.missed.saturating_add(1);
                Ok(Looked::Idle { pause: pause.min(LOOK_AGAIN), listens: true })
            }
        }
    }

    fn deliver(&mut self, event: Event, first: bool) {
        let lease = event.lease.clone().unwrap_or_default();
        if let Some(handle) = self.slots.about(event.id) {
            // A clock jump has ended the lease. The delivery continues under the new lease.
            *handle.lease.lock().unwrap_or_else(PoisonError::into_inner) = lease;
            return;
        }
        let lease = Arc::new(Mutex::new(lease));
        let (cut, cut_off) = oneshot::channel();
        let handle = Handle { lease: Arc::clone(&lease), cut: Some(cut) };
        self.slots.begin(event.id, first, self.begun.elapsed(), handle);
        let bytes = event.json.len();
        self.open_bytes = self.open_bytes.saturating_add(bytes);
        let worker = Arc::clone(&self.worker);
        self.tasks.spawn(async move {
            worker.deliver(&event, &lease, cut_off).await;
            (event.id, bytes)
        });
    }

    fn free_slots(&mut self) {
        while let Some(ended) = self.tasks.try_join_next() {
            self.ended(ended);
        }
    }

    fn ended(&mut self, ended: Result<(i64, usize), tokio::task::JoinError>) {
        if let Ok((id, bytes)) = ended {
            self.slots.end(id);
            self.open_bytes = self.open_bytes.saturating_sub(bytes);
        }
    }
}

impl Worker {
    async fn lease(&self, queue: Queue, limit: usize) -> Result<Vec<Event>, StoreError> {
        let limit = u32::try_from(limit).unwrap_or(u32::MAX);
        self.store.lease_from(queue, self.options.kinds.clone(), limit, self.lease_time()).await
    }

    /// Returns the duration of a lease, which is longer than a delivery can take.
    fn lease_time(&self) -> Duration {
        self.options.timeout.saturating_add(self.options.grace)
    }

    /// Delivers an event and stores the outcome. Retries an unavailable store until the
    /// lease ends, because an event without a stored outcome is delivered again.
    async fn deliver(&self, event: &Event, lease: &Mutex<String>, cut_off: oneshot::Receiver<()>) {
        let begun = Instant::now();
        let posted = tokio::select! {
            posted = attempt::post(&self.sender, &self.options, event, self.store.now_ms()) => posted,
            _ = cut_off => Err(Undelivered::CutOff),
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
                // An earlier try was stored, but its confirmation was lost. A repeated ack
                // succeeds, so only a nack gets here.
                Err(StoreError::LeaseLost { .. }) if is_repeated && posted.is_err() => return,
                Err(StoreError::Unavailable { .. }) if begun.elapsed() < self.lease_time() => {
                    is_repeated = true;
                    tokio::time::sleep(STORE_AGAIN).await;
                }
                Err(error) => break error,
            }
        };
        // The event is delivered again after the lease ends.
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
                    tracing::error!(%key, id, reason, attempts, more, "not forwarded: the event is dead; see `inbox list --dead`");
                }
            }
            (_, retry) => {
                let end = match retry {
                    Retry::Uncounted(_) => End::NotReached,
                    _ => End::Failed,
                };
                tracing::debug!(%key, id, reason, attempts, ?retry, "not forwarded");
                if let Some(more) = self.tally.note(end) {
                    tracing::warn!(%key, id, reason, attempts, more, "not forwarded; retrying after a delay");
                }
            }
        }
        Ok(())
    }
}

/// Maximum interval between two checks of the store. Another process may requeue an event without a
/// notification.
const LOOK_AGAIN: Duration = Duration::from_secs(1);
/// Delay before a retry to store an outcome.
const STORE_AGAIN: Duration = Duration::from_millis(500);
const AFTER_FAILURE: Duration = Duration::from_secs(2);
const SHORTEST: Duration = Duration::from_millis(1);
