//! Calls of the interface, counted by function and end, for whoever shows them.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::error::CallError;
use crate::messaging::CallResult;
use crate::outcome;

/// Functions of the interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Function {
    SendMessage,
    ListTemplates,
    HandleEvent,
}

const FUNCTIONS: [&str; 3] = ["send-message", "list-templates", "handle-event"];

/// Ends of a call: done, the interface's errors, and the ends that a host brings about.
const ENDS: [&str; 17] = [
    "done",
    "execution-failed",
    "permanent-invalid-input",
    "permanent-invalid-settings",
    "permanent-unauthorized",
    "permanent-refused",
    "permanent-outcome-unknown",
    "permanent-unexpected-reply",
    "permanent-denied",
    "rate-limited",
    "not-sent",
    "unavailable",
    "permanent-other",
    "limit",
    "busy",
    "not-set-up",
    "trap",
];

/// Numbers of calls, since the host was made.
#[derive(Debug, Default)]
pub struct Calls([[AtomicU64; ENDS.len()]; FUNCTIONS.len()]);

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
    pub(crate) fn count<T>(&self, function: Function, result: CallResult<T>) -> CallResult<T> {
        let end = match &result {
            Ok(Ok(_)) => "done",
            Ok(Err(error)) => outcome::case(error),
            Err(CallError::Limit(_)) => "limit",
            Err(CallError::Busy(_)) => "busy",
            Err(CallError::NotSetUp(_)) => "not-set-up",
            Err(CallError::Trap(_)) => "trap",
        };
        let ends = self.0.get(function as usize);
        let place = ENDS.iter().position(|known| *known == end);
        if let Some(count) = ends.zip(place).and_then(|(ends, place)| ends.get(place)) {
            count.fetch_add(1, Ordering::Relaxed);
        }
        result
    }

    /// Numbers of calls, of the ends that there were.
    #[must_use]
    pub fn counts(&self) -> Vec<CallCount> {
        let functions = FUNCTIONS.into_iter().zip(&self.0);
        let all = functions.flat_map(|(function, ends)| {
            ENDS.into_iter().zip(ends).map(move |(end, count)| CallCount {
                function,
                end,
                calls: count.load(Ordering::Relaxed),
            })
        });
        all.filter(|count| count.calls > 0).collect()
    }
}
