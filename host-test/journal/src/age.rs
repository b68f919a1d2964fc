//! Measures the age of a store (an inbox or a journal), independent of any wall clock.
//!
//! A key may be forgotten only when the time for which it is to be remembered has truly
//! passed. A wall clock cannot say so: it is set by hand, by a wrong time server, by a
//! battery that ran out, to any time and back. So pruning never asks it. Instead the
//! store has an age, a number in it, and a done event is marked with that age when
//! pruning first meets it; `older_than` later it is forgotten. The rule:
//!
//! ```text
//! age := the larger of  the age in the store,
//!                       the age that this process last knew
//!                         + what its monotonic clock has measured since, 2 hours at most
//! ```
//!
//! Both are no more than the time that has truly passed, for a monotonic clock never runs
//! ahead. So no jump of the wall clock makes a key forgotten too early, and neither does a
//! restart or a machine that slept: while no process has the store open, and while the
//! machine sleeps, the store does not age, and keys are kept for longer. It ages in steps,
//! one for each pruning: a process that prunes every hour loses nothing.
//!
//! Measurements of several processes are not added up: the larger one counts. A process that
//! did not prune for long may know an age that the store does not know yet; the 2 hours bound by
//! how much, and [`SLACK_MS`] is added to every time that is not 0.

use std::time::Duration;

use crate::Clock;

/// The most that one step adds.
const LONGEST_STEP_MS: i64 = 2 * 60 * 60 * 1000;

/// By how much a mark can be younger than what another process measured.
const SLACK_MS: i64 = LONGEST_STEP_MS;

/// A process's knowledge of the store's age.
pub struct Age {
    known_ms: i64,
    at_ms: i64,
    monotonic: Clock,
}

impl Age {
    /// As the store says now; `monotonic` never runs ahead.
    #[must_use]
    pub fn new(age_ms: i64, monotonic: Clock) -> Self {
        Self { known_ms: age_ms, at_ms: monotonic(), monotonic }
    }

    /// Returns the age in milliseconds, as far as this process can know it: for the store to
    /// take where it knows a smaller one.
    pub fn measure(&mut self) -> i64 {
        let now_ms = (self.monotonic)();
        let measured_ms = now_ms.saturating_sub(self.at_ms).clamp(0, LONGEST_STEP_MS);
        self.known_ms = self.known_ms.saturating_add(measured_ms);
        self.at_ms = now_ms;
        self.known_ms
    }

    /// Takes the age that the store has after that.
    pub fn learn(&mut self, age_ms: i64) {
        self.known_ms = self.known_ms.max(age_ms);
    }

    /// Returns the age at which an event was marked as done, at the latest, that has been so
    /// for `older_than`.
    #[must_use]
    pub fn before(&self, older_than: Duration) -> i64 {
        let slack_ms = if older_than.is_zero() { 0 } else { SLACK_MS };
        self.known_ms.saturating_sub(millis(older_than)).saturating_sub(slack_ms)
    }
}

/// Returns `duration` in milliseconds, or the longest time.
fn millis(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)
}
