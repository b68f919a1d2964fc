//! The requests of this process. A started request runs to its end, even if no handler awaits it.
//! The SDK drops a handler, and all futures that it awaits, when the connection to Restate is lost.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use futures_util::FutureExt;
use futures_util::future::{BoxFuture, Shared, join_all};
use messaging_host::Messaging;

use crate::attempt::{Attempt, NewMessage};

/// Time for which a finished request is kept, so that a retry finds its result.
const KEPT: Duration = Duration::from_secs(600);

/// Result of a request; can be awaited by several attempts.
pub type Pending = Shared<BoxFuture<'static, Attempt>>;

/// A time on the monotonic clock and on the wall clock.
pub type Moment = (Instant, SystemTime);

/// The requests of this process, by invocation and attempt. Clones share their state.
#[derive(Clone)]
pub struct Requests {
    send: Arc<dyn Fn(NewMessage) -> BoxFuture<'static, Attempt> + Send + Sync>,
    underway: Arc<Mutex<Underway>>,
}

#[derive(Default)]
struct Underway {
    is_closed: bool,
    by_key: HashMap<String, Pending>,
    /// Times of intents that have no request yet.
    intents: HashMap<String, Moment>,
}

impl Requests {
    /// Creates a registry whose requests are sent by `provider`.
    #[must_use]
    pub fn new<M: Messaging + Send + 'static>(provider: M) -> Self {
        let provider = Arc::new(provider);
        let send = move |message: NewMessage| {
            let provider = Arc::clone(&provider);
            async move { Attempt::from(provider.send_message(&message.into()).await) }.boxed()
        };
        Self { send: Arc::new(send), underway: Arc::default() }
    }

    /// Records the time of an intent that this process wrote. Requires a tokio runtime.
    pub fn intend(&self, key: String, at: Moment) {
        self.underway().intents.insert(key.clone(), at);
        let requests = self.clone();
        tokio::spawn(async move {
            tokio::time::sleep(KEPT).await;
            requests.underway().intents.remove(&key);
        });
    }

    /// Returns the time of an intent that this process wrote; `None` after its request was started.
    pub fn intent(&self, key: &str) -> Option<Moment> {
        self.underway().intents.get(key).copied()
    }

    /// Starts a request, unless this process is shutting down. Requires a tokio runtime.
    pub fn begin(&self, key: String, message: NewMessage) -> Pending {
        let mut underway = self.underway();
        underway.intents.remove(&key);
        if underway.is_closed {
            let stopping = Attempt::not_sent("the worker is stopping");
            return async { stopping }.boxed().shared();
        }
        let request = tokio::spawn((self.send)(message));
        let pending = request
            .map(|ended| ended.unwrap_or_else(|error| Attempt::lost(&error.to_string(), 0)))
            .boxed()
            .shared();
        underway.by_key.insert(key.clone(), pending.clone());
        let (requests, ended) = (self.clone(), pending.clone());
        tokio::spawn(async move {
            ended.await;
            tokio::time::sleep(KEPT).await;
            requests.underway().by_key.remove(&key);
        });
        pending
    }

    /// Returns the request with this key, if this process started it.
    pub fn find(&self, key: &str) -> Option<Pending> {
        self.underway().by_key.get(key).cloned()
    }

    /// Returns true if no further request can start.
    pub fn is_closed(&self) -> bool {
        self.underway().is_closed
    }

    /// Prevents further requests and waits for requests in flight.
    pub async fn close(&self) {
        let pending: Vec<Pending> = {
            let mut underway = self.underway();
            underway.is_closed = true;
            underway.by_key.values().cloned().collect()
        };
        join_all(pending).await;
    }

    fn underway(&self) -> MutexGuard<'_, Underway> {
        self.underway.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
