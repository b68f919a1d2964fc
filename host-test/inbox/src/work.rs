//! Calls of workers, and of people who decide about their events: lease, settle, requeue.

use std::time::Duration;

use super::Store;
use super::error::StoreError;
use super::model::{DeadFilter, Due, Event, Kinds, Lane, Retry, State};

/// Leases, and their ends. A token that is no longer the event's changes nothing.
impl Store {
    /// Leases up to `limit` events, those that have been due for longest first, under a
    /// lease of this length. Others get them once it has run out.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`]: some may be leased; they come back with their lease.
    pub async fn lease(&self, limit: u32, lease: Duration) -> Result<Vec<Event>, StoreError> {
        self.lease_from(Lane::Any, Kinds::All, limit, lease).await
    }

    /// As [`lease`](Self::lease), of one lane and of certain kinds alone.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`]: some may be leased; they come back with their lease.
    pub async fn lease_from(
        &self,
        lane: Lane,
        kinds: Kinds,
        limit: u32,
        lease: Duration,
    ) -> Result<Vec<Event>, StoreError> {
        self.in_time(self.shared.backend.lease(lane, kinds, limit, lease)).await
    }

    /// Marks a leased event as done; again with the same lease changes nothing. A
    /// lease that has run out still counts while nobody else has leased the event.
    ///
    /// # Errors
    /// [`StoreError::NotFound`], [`StoreError::LeaseLost`], [`StoreError::Unavailable`].
    pub async fn ack(&self, id: i64, lease: impl Into<String>) -> Result<(), StoreError> {
        let is_new = self.in_time(self.shared.backend.ack(id, lease.into())).await?;
        self.note(|activity| activity.done = activity.done.wrapping_add(is_new.into()));
        Ok(())
    }

    /// Gives a leased event back: it can be leased at once, and this attempt counts.
    ///
    /// Without a lease it is a person's decision, and works in every state: what was
    /// done, dead, in quarantine, or leased by somebody can be leased anew, as if never tried.
    ///
    /// # Errors
    /// [`StoreError::NotFound`], [`StoreError::LeaseLost`], [`StoreError::Unavailable`].
    pub async fn release(&self, id: i64, lease: Option<String>) -> Result<(), StoreError> {
        self.in_time(self.shared.backend.release(id, lease)).await
    }

    /// Gives a leased event back because of `error`; `retry` (or a pause alone) says whether and
    /// when it can be leased again. Returns its state then: pending or dead.
    ///
    /// # Errors
    /// [`StoreError::NotFound`], [`StoreError::LeaseLost`], [`StoreError::Unavailable`].
    pub async fn nack(
        &self,
        id: i64,
        lease: impl Into<String>,
        error: impl Into<String>,
        retry: impl Into<Retry>,
    ) -> Result<State, StoreError> {
        let retry = retry.into();
        let nacked = self.shared.backend.nack(id, lease.into(), error.into(), retry);
        let state = self.in_time(nacked).await?;
        let is_failure = !matches!(retry, Retry::Uncounted(_)) && state != State::Dead;
        self.note(|activity| {
            activity.failed = activity.failed.wrapping_add(is_failure.into());
            activity.dead = activity.dead.wrapping_add((state == State::Dead).into());
        });
        Ok(state)
    }

    /// Lets the lease on an event end this long after now.
    ///
    /// # Errors
    /// [`StoreError::NotFound`], [`StoreError::LeaseLost`], [`StoreError::Unavailable`].
    pub async fn extend(
        &self,
        id: i64,
        lease: impl Into<String>,
        by: Duration,
    ) -> Result<(), StoreError> {
        self.in_time(self.shared.backend.extend(id, lease.into(), by)).await
    }

    /// Makes a dead event pending, as if it had never been tried, and says that it did; an event
    /// in another state stays as it is.
    ///
    /// # Errors
    /// [`StoreError::NotFound`], [`StoreError::Unavailable`].
    pub async fn requeue(&self, id: i64) -> Result<bool, StoreError> {
        self.get(id).await?;
        self.in_time(self.shared.backend.requeue(id)).await
    }

    /// Makes all dead events that a filter lets through pending, as if they had never been
    /// tried, in the order of their numbers; says how many. It works in small transactions,
    /// between which others write.
    ///
    /// Ended early, by an error or with its process, it is simply called again: what is pending
    /// already is not touched. [`DeadFilter::until_ms`] also leaves alone what has died again
    /// since.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`], [`StoreError::Damaged`]: some may be pending; call again.
    pub async fn requeue_dead(&self, filter: DeadFilter) -> Result<u64, StoreError> {
        let mut requeued: u64 = 0;
        let mut after_id = 0;
        loop {
            let step = self.in_time(self.shared.backend.requeue_dead(filter.clone(), after_id));
            let step = step.await?;
            requeued = requeued.saturating_add(step.requeued);
            let Some(last_id) = step.last_id else { return Ok(requeued) };
            after_id = last_id;
        }
    }

    /// Returns which lanes have events of these kinds that can be leased, and when.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`], [`StoreError::Damaged`].
    pub async fn due(&self, kinds: Kinds) -> Result<Due, StoreError> {
        self.shared.backend.due(kinds).await
    }
}
