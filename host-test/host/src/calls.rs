//! Counts of calls of the interface `messaging`, by function and outcome.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// Number of calls since the host was created, by function and outcome.
#[derive(Debug, Default)]
pub struct Calls(Mutex<BTreeMap<(&'static str, &'static str), u64>>);

/// Number of calls of one function with one outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CallCount {
    /// Name of the function in the WIT, for example `send-message`.
    pub function: &'static str,
    /// Outcome of the calls: `done`, the name of an `error` case, or the
    /// [`CallError`](crate::CallError) as `limit`, `busy`, `not-set-up` or `trap`.
    pub end: &'static str,
    /// Number of calls.
    pub calls: u64,
}

impl Calls {
    /// Counts a call of `function` with the outcome `end`.
    pub(crate) fn count(&self, function: &'static str, end: &'static str) {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let count = counts.entry((function, end)).or_default();
        *count = count.saturating_add(1);
    }

    /// Returns the counts of all outcomes that have occurred.
    pub fn counts(&self) -> Vec<CallCount> {
        let counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let count = |(&(function, end), &calls): (&(_, _), &_)| CallCount { function, end, calls };
        counts.iter().map(count).collect()
    }
}
