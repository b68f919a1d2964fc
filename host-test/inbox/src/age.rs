//! Measures the age of the store, independent of any wall clock.
//!
//! A key may be forgotten only when the time for which it is to be remembered has truly
//! passed. A wall clock cannot say so: it is set by hand, by a wrong time server, by a
//! battery that ran out, to any time and back. So pruning never asks it. Instead the
//! store has an age, a number in the file, and a done event is marked with that age when
//! pruning first meets it; `older_than` later it is forgotten. The rule:
//!
//! ```text
//! age := the larger of  the age in the file,
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
//! did not prune for long may know an age that the file does not know yet; the 2 hours bound by
//! how much, and [`SLACK_MS`] is added to every time that is not 0.

use rusqlite::Connection;

use super::Clock;

/// The most that one step adds.
const LONGEST_STEP_MS: i64 = 2 * 60 * 60 * 1000;

/// By how much a mark can be younger than what another process measured.
pub(super) const SLACK_MS: i64 = LONGEST_STEP_MS;

/// A process's knowledge of the store's age.
pub(super) struct Age {
    known_ms: i64,
    at_ms: i64,
    monotonic: Clock,
}

impl Age {
    /// As the file says now.
    pub(super) fn read(connection: &Connection, monotonic: Clock) -> rusqlite::Result<Self> {
        let known_ms = connection.query_row("SELECT age_ms FROM age", [], |row| row.get(0))?;
        Ok(Self { known_ms, at_ms: monotonic(), monotonic })
    }

    /// Brings the file and this process to one age, in the transaction of `connection`. A
    /// transaction that is rolled back has done no harm: the process knew it.
    pub(super) fn step(&mut self, connection: &Connection) -> rusqlite::Result<i64> {
        const STEP: &str = "UPDATE age SET age_ms = max(age_ms, ?1) RETURNING age_ms";
        let now_ms = (self.monotonic)();
        let measured_ms = now_ms.saturating_sub(self.at_ms).clamp(0, LONGEST_STEP_MS);
        let known_ms = self.known_ms.saturating_add(measured_ms);
        self.known_ms = connection.prepare_cached(STEP)?.query_row([known_ms], |row| row.get(0))?;
        self.at_ms = now_ms;
        Ok(self.known_ms)
    }
}
