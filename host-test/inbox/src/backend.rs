//! The interface between the store and its database: a SQLite file or a database server.
//! [`Store`](super::Store) handles limits, timeouts, counters and warnings.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;

use super::Clock;
use super::activity::Counters;
use super::error::StoreError;
use super::model::{
    DeadFilter, Due, Entry, Event, Filter, Kinds, Old, Pruned, Queue, Replays, Requeued, Retry,
    State, Stored, Summary,
};
use super::trace::TraceContext;

/// A pending result. If it is dropped, the request may or may not be performed.
pub type Reply<'a, T> = Pin<Box<dyn Future<Output = Result<T, StoreError>> + Send + 'a>>;

/// Bytes of JSON after which a page or a lease call ends. The last event may exceed this size.
pub const PAGE_BYTES: usize = 8 * 1024 * 1024;

/// An entry to store.
#[derive(Clone, Debug)]
pub struct Put {
    /// The entry.
    pub entry: Entry,
    /// Trace of the delivery.
    pub trace: Option<TraceContext>,
    /// Treatment of replays.
    pub replays: Replays,
}

/// A database that is open for writing.
pub struct Database {
    /// Name of the store for operators, without a password.
    pub name: String,
    /// Clock for leases and delays, in milliseconds since 1970.
    pub clock: Clock,
    /// Write access.
    pub backend: Arc<dyn Backend>,
    /// Read access.
    pub reads: Arc<dyn Reads>,
    /// Changes when an event becomes available, as far as this process knows.
    pub news: watch::Receiver<u64>,
    /// Counters of this process for the store.
    pub counters: Counters,
    /// Closes after the backend was dropped and has released its resources.
    pub ended: watch::Receiver<()>,
}

/// Write access to a database. A result is returned after the change is durable.
///
/// Functions return only the errors that the calling function of [`Store`](super::Store) documents.
pub trait Backend: Send + Sync {
    /// Stores an entry under its key. Concurrent entries share a transaction.
    fn put(&self, put: Put) -> Reply<'_, Stored>;

    /// Leases up to `limit` events, but stops when they fill [`PAGE_BYTES`]. If the caller does not
    /// receive the result, SQLite leases no event. PostgreSQL may then keep the events leased until
    /// their leases expire.
    fn lease(
        &self,
        queue: Queue,
        kinds: Kinds,
        limit: u32,
        lease: Duration,
    ) -> Reply<'_, Vec<Event>>;

    /// Marks a leased event as done. Returns false if the event was already done.
    fn ack(&self, id: i64, lease: String) -> Reply<'_, bool>;

    /// Sets the end of a lease to `by` after now.
    fn extend(&self, id: i64, lease: String, by: Duration) -> Reply<'_, ()>;

    /// Ends a lease after a failed attempt. Returns the new state of the event.
    fn nack(&self, id: i64, lease: String, error: String, retry: Retry) -> Reply<'_, State>;

    /// Releases a leased event. Without `lease`, makes any event pending and untried.
    fn release(&self, id: i64, lease: Option<String>) -> Reply<'_, ()>;

    /// Makes a dead event pending. Returns false if the event was not dead.
    fn requeue(&self, id: i64) -> Reply<'_, bool>;

    /// Makes one batch of dead events pending, in order of identifiers. The batch starts after the
    /// identifier `after_id`.
    fn requeue_dead(&self, filter: DeadFilter, after_id: i64) -> Reply<'_, Requeued>;

    /// Forgets one batch of old done events.
    fn prune(&self, old: Old) -> Reply<'_, Pruned>;

    /// Checks that the store accepts writes.
    fn probe(&self) -> Reply<'_, ()>;

    /// Returns the times at which events of these kinds become leasable, by queue.
    fn due(&self, kinds: Kinds) -> Reply<'_, Due>;
}

/// Read access to a database. Sees the changes of all earlier calls.
pub trait Reads: Send + Sync {
    /// Returns a page of the events that match the filter, in order of identifiers, or in reverse
    /// with [`Filter::newest`]. The page ends at the limit of the filter, or with the event that
    /// fills [`PAGE_BYTES`].
    fn list(&self, filter: Filter) -> Reply<'_, Vec<Event>>;

    /// Returns the event with this identifier.
    fn get(&self, id: i64) -> Reply<'_, Option<Event>>;

    /// Returns the identifier of the first event under a key.
    fn first_under(&self, key: String) -> Reply<'_, Option<i64>>;

    /// Returns counts, and the time at which the oldest pending or leased event was stored. The
    /// cost does not depend on the number of events.
    fn summary(&self) -> Reply<'_, Summary>;

    /// Checks that all data is readable. An error means that an export may be incomplete.
    fn check(&self) -> Reply<'_, ()>;
}
