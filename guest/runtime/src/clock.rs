//! The start and the deadline of a call, on the monotonic clock.

use ::wasi::clocks::monotonic_clock;
pub use ::wasi::clocks::monotonic_clock::{Instant, now};
use ::wasi::io::poll::{self, Pollable};

const NANOS_PER_MS: u64 = 1_000_000;

/// The start and the deadline of a call, on the monotonic clock.
pub struct Clock {
    start: Instant,
    deadline_ms: u32,
    deadline: Pollable,
}

impl Clock {
    /// Creates the clock of a call that began at `start` and ends within `deadline_ms`.
    pub fn new(start: Instant, deadline_ms: u32) -> Self {
        let deadline = start.saturating_add(nanos(deadline_ms));
        Self { start, deadline_ms, deadline: monotonic_clock::subscribe_instant(deadline) }
    }

    /// Returns the milliseconds since the call began.
    pub fn elapsed_ms(&self) -> u64 {
        now().saturating_sub(self.start) / NANOS_PER_MS
    }

    /// Returns the milliseconds until the deadline.
    pub fn left_ms(&self) -> u32 {
        let elapsed = u32::try_from(self.elapsed_ms()).unwrap_or(u32::MAX);
        self.deadline_ms.saturating_sub(elapsed)
    }

    /// Waits until one of `events` is ready or the deadline has passed. Returns true if an event is
    /// ready.
    pub fn wait(&self, events: &[&Pollable]) -> bool {
        let mut all = alloc::vec::Vec::with_capacity(events.len().saturating_add(1));
        all.extend_from_slice(events);
        all.push(&self.deadline);
        let last = u32::try_from(events.len()).unwrap_or(u32::MAX);
        // If an event and the deadline occur together, the event counts, because it has the result.
        poll::poll(&all).into_iter().any(|index| index < last)
    }

    /// Sleeps for at least `pause_ms`, and ignores the deadline. Callers must check the deadline
    /// before and after the sleep, because a suspended process wakes later.
    pub fn sleep(&self, pause_ms: u32) {
        monotonic_clock::subscribe_duration(nanos(pause_ms)).block();
    }
}

/// Converts milliseconds to nanoseconds.
fn nanos(ms: u32) -> u64 {
    u64::from(ms).saturating_mul(NANOS_PER_MS)
}
