//! The start and the deadline of a call, on the monotonic clock.

use alloc::boxed::Box;
use core::future::poll_fn;
use core::pin::{Pin, pin};
use core::task::Poll;

use super::bindings::wasi::clocks::monotonic_clock;
pub use super::bindings::wasi::clocks::monotonic_clock::now;

/// A time on the monotonic clock, in nanoseconds.
pub type Instant = u64;

const NANOS_PER_MS: u64 = 1_000_000;

/// The start and the deadline of a call, on the monotonic clock.
pub struct Clock {
    start: Instant,
    /// Future that completes at the deadline; `None` after the deadline.
    alarm: Option<Pin<Box<dyn Future<Output = ()>>>>,
}

impl Clock {
    /// Creates the clock of a call that began at `start` and ends within `deadline_ms`.
    pub fn new(start: Instant, deadline_ms: u32) -> Self {
        let deadline = start.saturating_add(nanos(deadline_ms));
        // The host creates the timer only when the call first waits.
        Self { start, alarm: Some(Box::pin(monotonic_clock::wait_until(deadline))) }
    }

    /// Returns the milliseconds since the call began.
    pub fn elapsed_ms(&self) -> u64 {
        now().saturating_sub(self.start) / NANOS_PER_MS
    }

    /// Waits for `event`. Returns `None` if the deadline passed first.
    pub async fn wait<T>(&mut self, event: impl Future<Output = T>) -> Option<T> {
        let mut event = pin!(event);
        poll_fn(|context| {
            // Polls the event first: if the event and the deadline occur together, the result of
            // the event counts.
            if let Poll::Ready(result) = event.as_mut().poll(context) {
                return Poll::Ready(Some(result));
            }
            if let Some(alarm) = &mut self.alarm
                && alarm.as_mut().poll(context).is_pending()
            {
                return Poll::Pending;
            }
            self.alarm = None;
            Poll::Ready(None)
        })
        .await
    }

    /// Sleeps for at least `pause_ms`, and ignores the deadline. Callers must check the deadline
    /// before and after the sleep, because a suspended process wakes later.
    pub async fn sleep(&self, pause_ms: u32) {
        monotonic_clock::wait_for(nanos(pause_ms)).await;
    }
}

/// Converts milliseconds to nanoseconds.
fn nanos(ms: u32) -> u64 {
    u64::from(ms).saturating_mul(NANOS_PER_MS)
}
