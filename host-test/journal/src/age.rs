//! Age of a store (an inbox or a journal), measured without a wall clock.
//!
//! A key may be forgotten only after its full retention. A wall clock cannot guarantee this:
//! operators, wrong time servers and empty batteries set it to any time. Therefore the store holds
//! its age as a number. Pruning marks a done event with this age when it first finds the event, and
//! forgets the event when the age has grown by the retention. Each process computes the age as
//! follows:
//!
//! ```text
//! age := the larger of  the age in the store,
//!                       the age that this process last knew
//!                         + the time on its monotonic clock since then, at most 2 hours
//! ```
//!
//! Neither value exceeds the true age, because a monotonic clock never runs ahead. Therefore no
//! jump of the wall clock makes pruning forget a key early. The store does not age while no process
//! has it open, or while the machine sleeps. Keys then stay longer. Each pruning adds one
//! measurement to the age. A process that prunes every hour loses no time.
//!
//! Measurements of several processes are not added. The largest measurement counts. A process that
//! has not pruned for long may measure an age that is up to 2 hours above the age in the store. An
//! event that was marked with the lower age would be forgotten too early. Therefore [`SLACK_MS`] is
//! added to every retention that is not 0.

use std::time::Duration;

use crate::Clock;

/// Maximum time in milliseconds that one measurement adds to the age.
const LONGEST_STEP_MS: i64 = 2 * 60 * 60 * 1000;

/// Milliseconds that are added to a retention. The age that is recorded with an event may be this
/// much lower than the age that another process has measured.
const SLACK_MS: i64 = LONGEST_STEP_MS;

/// The age of a store as this process knows it.
pub struct Age {
    known_ms: i64,
    at_ms: i64,
    monotonic: Clock,
}

impl Age {
    /// Creates the value from `age_ms`, the age in the store. `monotonic` must never run ahead of
    /// the true time.
    pub fn new(age_ms: i64, monotonic: Clock) -> Self {
        Self { known_ms: age_ms, at_ms: monotonic(), monotonic }
    }

    /// Measures and returns the age in milliseconds. The caller stores it if the age in the store
    /// is smaller.
    pub fn measure(&mut self) -> i64 {
        let now_ms = (self.monotonic)();
        let measured_ms = now_ms.saturating_sub(self.at_ms).clamp(0, LONGEST_STEP_MS);
        self.known_ms = self.known_ms.saturating_add(measured_ms);
        self.at_ms = now_ms;
        self.known_ms
    }

    /// Raises the age to `age_ms`, the age in the store, if `age_ms` is higher.
    pub fn learn(&mut self, age_ms: i64) {
        self.known_ms = self.known_ms.max(age_ms);
    }

    /// Returns the highest age mark of events that have been done for at least `older_than`.
    pub fn before(&self, older_than: Duration) -> i64 {
        let slack_ms = if older_than.is_zero() { 0 } else { SLACK_MS };
        self.known_ms.saturating_sub(millis(older_than)).saturating_sub(slack_ms)
    }
}

/// Converts a duration to milliseconds. Saturates at `i64::MAX`.
fn millis(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)
}
