//! `resolve` and `forget` as a state machine without I/O. It uses the steps of [`crate::once::send`]
//! without `Send`.

use alloc::string::ToString;
use core::convert::Infallible;

use crate::once::decide;
pub use crate::once::decide::{Change, Resolution};
use crate::once::error::Error;
use crate::once::send::{Input, Step, UNEXPECTED_INPUT};
use crate::once::time::Now;

/// Delays between attempts to reach the journal, in milliseconds.
const PAUSES_MS: [u32; 3] = [50, 200, 800];
/// Maximum number of values that one call reads. Each further one means that another caller made
/// progress.
const MAX_ROUNDS: u32 = 16;

/// A call of `resolve` or `forget`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Changing {
    change: Change,
    rounds: u32,
    tries: usize,
}

impl Changing {
    /// Creates a call that makes this change.
    pub fn new(change: Change) -> Self {
        Self { change, rounds: 0, tries: 0 }
    }

    /// Advances the call and returns the next step.
    pub fn next<E>(&mut self, input: Input<E>, now: Now) -> Step<E, (), Infallible> {
        let current = match input {
            // Reads again after a delay, because a write without a reply may have succeeded.
            Input::Start | Input::Woke => return Step::Get,
            Input::Swapped => return Step::Done(Ok(())),
            Input::Got(current) | Input::Stale(current) => current,
            Input::Failed(failure) => {
                let pause = PAUSES_MS.get(self.tries);
                self.tries = self.tries.saturating_add(1);
                return match pause {
                    Some(pause) if !failure.is_permanent => Step::Sleep(*pause),
                    _ => Step::Done(Err(failure.into())),
                };
            }
            Input::Sent(_) | Input::Lost(_) => {
                return Step::Done(Err(Error::Unavailable(UNEXPECTED_INPUT.to_string())));
            }
        };
        self.rounds = self.rounds.saturating_add(1);
        if self.rounds > MAX_ROUNDS {
            let detail = "the key changes faster than it can be read".to_string();
            return Step::Done(Err(Error::Unavailable(detail)));
        }
        match decide::change(current.as_deref(), &self.change, now) {
            Ok(None) => Step::Done(Ok(())),
            Ok(Some(new)) => Step::Swap { expected: current, new },
            Err(error) => Step::Done(Err(error)),
        }
    }
}
