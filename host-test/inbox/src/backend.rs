//! The keeper of the events: a file of SQLite, or another program's database. Here is what the
//! store asks of it; limits, time-outs, counters and warnings are the store's.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;

use super::activity::Counters;
use super::error::StoreError;
use super::model::{
    DeadFilter, Due, Entry, Event, Filter, Kinds, Lane, Old, Pruned, Replays, Requeued, Retry,
    State, Stored, Summary,
};
use super::trace::TraceContext;

/// An answer on its way. Dropped before it has come, its question may or may not have been
/// carried out.
pub type Reply<'a, T> = Pin<Box<dyn Future<Output = Result<T, StoreError>> + Send + 'a>>;

/// An entry to store.
#[derive(Clone, Debug)]
pub struct Put {
    /// The entry.
    pub entry: Entry,
    /// Trace that its delivery is a part of.
    pub trace: Option<TraceContext>,
    /// Treatment of an event that came under another key before.
    pub replays: Replays,
}

/// Writes, and answers when what it wrote survives a crash.
///
/// Every error is one of those that [`Store`](super::Store) names at the function that asks.
pub trait Backend: Send + Sync {
    /// Its name, for people: never with a password.
    fn name(&self) -> String;

    /// The time by which leases and pauses are measured, in milliseconds since 1970.
    fn now_ms(&self) -> i64;

    /// Changes whenever an event became available, as far as this process hears of it.
    fn news(&self) -> watch::Receiver<u64>;

    /// Closes when everything is released, after this was dropped.
    fn ended(&self) -> watch::Receiver<()>;

    /// Counters of commits, and the store's own.
    fn counters(&self) -> &Counters;

    /// Reading, which outlives this.
    fn reads(&self) -> Arc<dyn Reads>;

    /// Stores an entry under its key, with those that come at the same time.
    fn put(&self, put: Put) -> Reply<'_, Stored>;

    /// Leases events. Nothing of it stays where the answer is not received.
    fn lease(&self, lane: Lane, kinds: Kinds, limit: u32, lease: Duration)
    -> Reply<'_, Vec<Event>>;

    /// Marks a leased event as done; says whether it was not before.
    fn ack(&self, id: i64, lease: String) -> Reply<'_, bool>;

    /// Lets a lease end so long after now.
    fn extend(&self, id: i64, lease: String, by: Duration) -> Reply<'_, ()>;

    /// Gives a leased event back that failed; returns its state.
    fn nack(&self, id: i64, lease: String, error: String, retry: Retry) -> Reply<'_, State>;

    /// Gives a leased event back, or, without a lease, makes any event as if never tried.
    fn release(&self, id: i64, lease: Option<String>) -> Reply<'_, ()>;

    /// Makes a dead event pending; says whether it was dead.
    fn requeue(&self, id: i64) -> Reply<'_, bool>;

    /// Makes some dead events pending, of those after a number, in the order of their numbers.
    fn requeue_dead(&self, filter: DeadFilter, after_id: i64) -> Reply<'_, Requeued>;

    /// Forgets some of what has been done for long.
    fn prune(&self, old: Old) -> Reply<'_, Pruned>;

    /// Checks that the store takes writes.
    fn probe(&self) -> Reply<'_, ()>;

    /// When events of these kinds can be leased, lane by lane.
    fn due(&self, kinds: Kinds) -> Reply<'_, Due>;
}

/// Reads what every earlier call has written.
pub trait Reads: Send + Sync {
    /// The events that a filter lets through, by identifier.
    fn list(&self, filter: Filter) -> Reply<'_, Vec<Event>>;

    /// One event.
    fn get(&self, id: i64) -> Reply<'_, Option<Event>>;

    /// The number of the first event under a key.
    fn first_under(&self, key: String) -> Reply<'_, Option<i64>>;

    /// Counts, and the oldest open event: cheap, however many events there are.
    fn summary(&self) -> Reply<'_, Summary>;

    /// Looks whether everything could be read: an error says why what was exported may not be
    /// all.
    fn check(&self) -> Reply<'_, ()>;
}
