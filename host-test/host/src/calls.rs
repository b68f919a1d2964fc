//! Calls of the interface, counted by function and end, for whoever shows them.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use crate::error::CallError;
use crate::messaging::CallResult;
use crate::outcome;

/// Numbers of calls since the host was made, by function and end.
#[derive(Debug, Default)]
pub struct Calls(Mutex<BTreeMap<(&'static str, &'static str), u64>>);

/// Calls of one function that had one end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CallCount {
    /// Name of the function, as the WIT spells it.
    pub function: &'static str,
    /// `done`, the name of an `error` case, or `limit`, `busy`, `not-set-up`, `trap`.
    pub end: &'static str,
    /// Number of them.
    pub calls: u64,
}

impl Calls {
    /// Counts a call by its result, which it gives back.
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

    /// Returns the numbers of calls, of the ends that there were.
    #[must_use]
    pub fn counts(&self) -> Vec<CallCount> {
        let counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let count = |(&(function, end), &calls): (&(_, _), &_)| CallCount { function, end, calls };
        counts.iter().map(count).collect()
    }
}
