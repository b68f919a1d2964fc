//! The requests of this process. One that has begun goes on to its end, whoever waits for it: the
//! SDK drops a handler whose connection to Restate is lost, and with it whatever it awaits.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use futures_util::FutureExt;
use futures_util::future::{BoxFuture, Shared, join_all};
use messaging_host::Messaging;

use crate::attempt::{Attempt, NewMessage};

/// Time for which a finished request is kept for an attempt that comes after it.
const KEPT: Duration = Duration::from_secs(600);

/// A request's result, for any number of attempts.
pub type Pending = Shared<BoxFuture<'static, Attempt>>;

/// The requests of this process, by invocation and attempt. Clones share them.
#[derive(Clone)]
pub struct Requests {
    send: Arc<dyn Fn(NewMessage) -> BoxFuture<'static, Attempt> + Send + Sync>,
    underway: Arc<Mutex<Underway>>,
}

#[derive(Default)]
struct Underway {
    is_closed: bool,
    by_key: HashMap<String, Pending>,
    /// Times of the intents that have no request yet.
    intents: HashMap<String, Instant>,
}

impl Requests {
    /// Requests that `provider` makes.
    #[must_use]
    pub fn new<M: Messaging + Send + 'static>(provider: M) -> Self {
        let provider = Arc::new(provider);
        let send = move |message: NewMessage| {
            let provider = Arc::clone(&provider);
            async move { Attempt::from(provider.send_message(&message.into()).await) }.boxed()
        };
        Self { send: Arc::new(send), underway: Arc::default() }
    }

    /// Notes the time of an intent that this process has written. Needs a tokio runtime.
    pub fn intend(&self, key: String, at: Instant) {
        self.underway().intents.insert(key.clone(), at);
        let requests = self.clone();
        tokio::spawn(async move {
            tokio::time::sleep(KEPT).await;
            requests.underway().intents.remove(&key);
        });
    }

    /// Returns the time of an intent, if this process has written it and has not made its request.
    #[must_use]
    pub fn intent(&self, key: &str) -> Option<Instant> {
        self.underway().intents.get(key).copied()
    }

    /// Begins a request, unless this process ends. Needs a tokio runtime.
    pub fn begin(&self, key: String, message: NewMessage) -> Pending {
        let mut underway = self.underway();
        underway.intents.remove(&key);
        if underway.is_closed {
            let stopping = Attempt::not_sent("the worker stops");
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

    /// Returns the request of an earlier attempt, if this process makes or made it.
    #[must_use]
    pub fn find(&self, key: &str) -> Option<Pending> {
        self.underway().by_key.get(key).cloned()
    }

    /// Whether no further request begins.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.underway().is_closed
    }

    /// Lets no further request begin, and waits for those under way.
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
