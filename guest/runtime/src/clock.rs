//! The time of one call: when it began and when it has to end.

use ::wasi::clocks::monotonic_clock;
pub use ::wasi::clocks::monotonic_clock::{Instant, now};
use ::wasi::io::poll::{self, Pollable};

const NANOS_PER_MS: u64 = 1_000_000;

/// A call's clock, on the monotonic clock.
pub struct Clock {
    start: Instant,
    deadline_ms: u32,
    deadline: Pollable,
}

impl Clock {
    /// The clock of a call that began at `start` and ends within `deadline_ms`.
    pub fn new(start: Instant, deadline_ms: u32) -> Self {
        let deadline = start.saturating_add(nanos(deadline_ms));
        Self { start, deadline_ms, deadline: monotonic_clock::subscribe_instant(deadline) }
    }

    /// Milliseconds since the call began.
    pub fn elapsed_ms(&self) -> u64 {
        // Division by a constant that is not zero.
        now().saturating_sub(self.start) / NANOS_PER_MS
    }

    /// Milliseconds until the deadline.
    pub fn left_ms(&self) -> u32 {
        let elapsed = u32::try_from(self.elapsed_ms()).unwrap_or(u32::MAX);
        self.deadline_ms.saturating_sub(elapsed)
    }

    /// Waits until one of `events` is ready. False: the deadline came first.
    pub fn wait(&self, events: &[&Pollable]) -> bool {
        let mut all = alloc::vec::Vec::with_capacity(events.len().saturating_add(1));
        all.extend_from_slice(events);
        all.push(&self.deadline);
        let last = u32::try_from(events.len()).unwrap_or(u32::MAX);
        // An event counts even when the deadline is ready as well: it is the answer.
        poll::poll(&all).into_iter().any(|index| index < last)
    }

    /// Pauses, for at least as long: a process that is stopped meanwhile wakes later. So
    /// callers make sure that the deadline is further away, and ask again afterwards.
    pub fn sleep(&self, pause_ms: u32) {
        monotonic_clock::subscribe_duration(nanos(pause_ms)).block();
    }
}

/// Milliseconds as the clock counts them.
fn nanos(ms: u32) -> u64 {
    u64::from(ms).saturating_mul(NANOS_PER_MS)
}
