//! `resolve` and `forget` as a state machine without I/O. The machine uses the steps of
//! [`crate::once::send`], except `Step::Send`.

use alloc::string::ToString;
use core::convert::Infallible;

use crate::once::decide;
pub use crate::once::decide::{Change, Resolution};
use crate::once::error::Error;
use crate::once::send::{Input, Step, UNEXPECTED_INPUT};
use crate::once::time::Now;

/// Delays between attempts to reach the journal, in milliseconds.
const PAUSES_MS: [u32; 3] = [50, 200, 800];
/// Maximum number of values that one call reads. Every value after the first means that another
/// caller changed the key, or that the journal failed.
const MAX_ROUNDS: u32 = 16;

/// A call of `resolve` or `forget`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Changing {
    change: Change,
    rounds: u32,
    tries: usize,
    last: Last,
}

/// The last step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Last {
    /// No step yet, or `Sleep`.
    Paused,
    Get,
    Swap,
}

impl Changing {
    /// Creates a call that makes this change.
    pub fn new(change: Change) -> Self {
        Self { change, rounds: 0, tries: 0, last: Last::Paused }
    }

    /// Advances the call and returns the next step.
    pub fn next<E>(&mut self, input: Input<E>, now: Now) -> Step<E, (), Infallible> {
        let last = core::mem::replace(&mut self.last, Last::Paused);
        let current = match (last, input) {
            // Reads the value at the start, and again after a delay, because a write without a
            // reply may have succeeded.
            (Last::Paused, Input::Start | Input::Woke) => {
                self.last = Last::Get;
                return Step::Get;
            }
            (Last::Swap, Input::Swapped) => return Step::Done(Ok(())),
            (Last::Get, Input::Got(current)) | (Last::Swap, Input::Stale(current)) => current,
            (Last::Get | Last::Swap, Input::Failed(failure)) => {
                let pause = PAUSES_MS.get(self.tries);
                self.tries = self.tries.saturating_add(1);
                return match pause {
                    Some(pause) if !failure.is_permanent => Step::Sleep(*pause),
                    _ => Step::Done(Err(failure.into())),
                };
            }
            _ => {
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
            Ok(Some(new)) => {
                self.last = Last::Swap;
                Step::Swap { expected: current, new }
            }
            Err(error) => Step::Done(Err(error)),
        }
    }
}
