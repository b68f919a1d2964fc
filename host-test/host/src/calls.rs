//! Counts of calls of the interface, by function and outcome.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use crate::error::CallError;
use crate::messaging::CallResult;
use crate::outcome;

/// Number of calls since the host was created, by function and outcome.
#[derive(Debug, Default)]
pub struct Calls(Mutex<BTreeMap<(&'static str, &'static str), u64>>);

/// Number of calls of one function with one outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CallCount {
    /// Name of the function, as the WIT spells it.
    pub function: &'static str,
    /// `done`, the name of an `error` case, or `limit`, `busy`, `not-set-up`, `trap`.
    pub end: &'static str,
    /// Number of calls.
    pub calls: u64,
}

impl Calls {
    /// Counts a call by its result, and returns the result.
    pub(crate) fn count<T>(&self, function: &'static str, result: CallResult<T>) -> CallResult<T> {
        let end = match &result {
            Ok(Ok(_)) => "done",
            Ok(Err(error)) => outcome::case(error),
            Err(CallError::Limit(_)) => "limit",
            Err(CallError::Busy(_)) => "busy",
            Err(CallError::NotSetUp(_)) => "not-set-up",
            Err(CallError::Trap(_)) => "trap",
        };
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let count = counts.entry((function, end)).or_default();
        *count = count.saturating_add(1);
        result
    }

    /// Returns the counts of all outcomes that have occurred.
    #[must_use]
    pub fn counts(&self) -> Vec<CallCount> {
        let counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let count = |(&(function, end), &calls): (&(_, _), &_)| CallCount { function, end, calls };
        counts.iter().map(count).collect()
    }
}
