//! The time of one call: when it began and when it has to end.

use alloc::boxed::Box;
use core::future::poll_fn;
use core::pin::{Pin, pin};
use core::task::Poll;

use super::bindings::wasi::clocks::monotonic_clock;
pub use super::bindings::wasi::clocks::monotonic_clock::now;

/// A mark on the monotonic clock, in nanoseconds.
pub type Instant = u64;

const NANOS_PER_MS: u64 = 1_000_000;

/// A call's clock, on the monotonic clock.
pub struct Clock {
    start: Instant,
    /// Ends with the deadline; `None` from then on.
    alarm: Option<Pin<Box<dyn Future<Output = ()>>>>,
}

impl Clock {
    /// The clock of a call that began at `start` and ends within `deadline_ms`.
    pub fn new(start: Instant, deadline_ms: u32) -> Self {
        let deadline = start.saturating_add(nanos(deadline_ms));
        // The host is asked for a timer where the call first waits, and not before.
        Self { start, alarm: Some(Box::pin(monotonic_clock::wait_until(deadline))) }
    }

    /// Milliseconds since the call began.
    pub fn elapsed_ms(&self) -> u64 {
        // Division by a constant that is not zero.
        now().saturating_sub(self.start) / NANOS_PER_MS
    }

    /// Waits for `event`. `None`: the deadline came first.
    pub async fn wait<T>(&mut self, event: impl Future<Output = T>) -> Option<T> {
        let mut event = pin!(event);
        poll_fn(|context| {
            // An event counts even when the deadline is there as well: it is the answer.
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

    /// Pauses, for at least as long: a process that is stopped meanwhile wakes later. So
    /// callers make sure that the deadline is further away, and ask again afterwards.
    pub async fn sleep(&self, pause_ms: u32) {
        monotonic_clock::wait_for(nanos(pause_ms)).await;
    }
}

/// Milliseconds as the clock counts them.
fn nanos(ms: u32) -> u64 {
    u64::from(ms).saturating_mul(NANOS_PER_MS)
}
