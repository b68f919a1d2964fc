//! Calls of workers and operators: lease, ack, nack, release, requeue.

use std::time::Duration;

use super::Store;
use super::error::StoreError;
use super::model::{DeadFilter, Due, Event, Kinds, Queue, Retry, State};

/// Calls of workers and operators. A call with an outdated token changes nothing.
impl Store {
    /// Leases up to `limit` events for this duration, longest due first. Stops early at about 8 MiB
    /// of JSON. Events with an expired lease can be leased again.
    ///
    /// # Errors
    /// Returns [`StoreError::Unavailable`] if the store fails. Events that were not returned may
    /// then stay leased until their leases expire.
    pub async fn lease(&self, limit: u32, lease: Duration) -> Result<Vec<Event>, StoreError> {
        self.lease_from(Queue::Any, Kinds::All, limit, lease).await
    }

    /// Leases up to `limit` events of one queue and of these kinds.
    ///
    /// # Errors
    /// Returns [`StoreError::Unavailable`] if the store fails. Events that were not returned may
    /// then stay leased until their leases expire.
    pub async fn lease_from(
        &self,
        queue: Queue,
        kinds: Kinds,
        limit: u32,
        lease: Duration,
    ) -> Result<Vec<Event>, StoreError> {
        self.in_time(self.shared.database.backend.lease(queue, kinds, limit, lease)).await
    }

    /// Marks a leased event as done. A repeated call with the same lease changes nothing. An
    /// expired lease is accepted until another worker leases the event.
    ///
    /// # Errors
    /// - Returns [`StoreError::NotFound`] if the event does not exist.
    /// - Returns [`StoreError::LeaseLost`] if the event is not leased under this token.
    /// - Returns [`StoreError::Unavailable`] if the store fails.
    pub async fn ack(&self, id: i64, lease: impl Into<String>) -> Result<(), StoreError> {
        let is_new = self.in_time(self.shared.database.backend.ack(id, lease.into())).await?;
        self.note(|activity| activity.done = activity.done.wrapping_add(is_new.into()));
        Ok(())
    }

    /// Releases a leased event. It is leasable at once, and the attempt counts.
    ///
    /// A call without `lease` is the decision of an operator, and works in every state. The event
    /// becomes pending and untried, even if it is done, dead, quarantined or leased.
    ///
    /// # Errors
    /// - Returns [`StoreError::NotFound`] if the event does not exist.
    /// - Returns [`StoreError::LeaseLost`] if the event is not leased under this token.
    /// - Returns [`StoreError::Unavailable`] if the store fails.
    pub async fn release(&self, id: i64, lease: Option<String>) -> Result<(), StoreError> {
        self.in_time(self.shared.database.backend.release(id, lease)).await
    }

    /// Ends a lease because the attempt failed with `error`. `retry` decides about the next
    /// attempt. A `Duration` means [`Retry::After`]. Returns the new state of the event: pending or
    /// dead.
    ///
    /// # Errors
    /// - Returns [`StoreError::NotFound`] if the event does not exist.
    /// - Returns [`StoreError::LeaseLost`] if the event is not leased under this token.
    /// - Returns [`StoreError::Unavailable`] if the store fails.
    pub async fn nack(
        &self,
        id: i64,
        lease: impl Into<String>,
        error: impl Into<String>,
        retry: impl Into<Retry>,
    ) -> Result<State, StoreError> {
        let retry = retry.into();
        let nacked = self.shared.database.backend.nack(id, lease.into(), error.into(), retry);
        let state = self.in_time(nacked).await?;
        let is_failure = !matches!(retry, Retry::Uncounted(_)) && state != State::Dead;
        self.note(|activity| {
            activity.failed = activity.failed.wrapping_add(is_failure.into());
            activity.dead = activity.dead.wrapping_add((state == State::Dead).into());
        });
        Ok(state)
    }

    /// Sets the end of an event's lease to `by` after now.
    ///
    /// # Errors
    /// - Returns [`StoreError::NotFound`] if the event does not exist.
    /// - Returns [`StoreError::LeaseLost`] if the event is not leased under this token.
    /// - Returns [`StoreError::Unavailable`] if the store fails.
    pub async fn extend(
        &self,
        id: i64,
        lease: impl Into<String>,
        by: Duration,
    ) -> Result<(), StoreError> {
        self.in_time(self.shared.database.backend.extend(id, lease.into(), by)).await
    }

    /// Makes a dead event pending and untried. Returns false, and changes nothing, if the event is
    /// not dead.
    ///
    /// # Errors
    /// Returns [`StoreError::NotFound`] if the event does not exist, and
    /// [`StoreError::Unavailable`] if the store fails.
    pub async fn requeue(&self, id: i64) -> Result<bool, StoreError> {
        self.get(id).await?;
        self.in_time(self.shared.database.backend.requeue(id)).await
    }

    /// Sets all dead events that match the filter to pending, and resets their attempts, failures
    /// and last error. Works in the order of identifiers, and in small transactions, because other
    /// writers wait for each transaction. Returns the number of requeued events.
    ///
    /// After an error or a crash, a repeated call continues, because it ignores pending events. If
    /// [`DeadFilter::until_ms`] is not later than the first call, the repeated call also ignores
    /// events that became dead again after the first call.
    ///
    /// # Errors
    /// Returns [`StoreError::Unavailable`] or [`StoreError::Damaged`] if the store fails. Some
    /// events may be requeued. The caller must retry.
    pub async fn requeue_dead(&self, filter: DeadFilter) -> Result<u64, StoreError> {
        let mut requeued: u64 = 0;
        let mut after_id = 0;
        loop {
            let step =
                self.in_time(self.shared.database.backend.requeue_dead(filter.clone(), after_id));
            let step = step.await?;
            requeued = requeued.saturating_add(step.requeued);
            let Some(last_id) = step.last_id else { return Ok(requeued) };
            after_id = last_id;
        }
    }

    /// Returns the times at which the queues have leasable events of these kinds.
    ///
    /// # Errors
    /// Returns [`StoreError::Unavailable`] or [`StoreError::Damaged`] if the store fails.
    pub async fn due(&self, kinds: Kinds) -> Result<Due, StoreError> {
        self.shared.database.backend.due(kinds).await
    }
}
