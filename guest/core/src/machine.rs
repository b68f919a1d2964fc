//! Interface between a state machine and its driver.
//!
//! The driver performs each [`Step`] and reports the result as an [`Input`]:
//!
//! ```text
//! driver                         machine
//!   next(Start) ------------------>
//!   <------------------ Send(request)
//!   next(Replied | Failed) ------->
//!   <---------------------- Sleep(ms)      (only if another attempt is allowed)
//!   next(Woke) ------------------->
//!   <------------------ Send(request)
//!   ...
//!   <-------------------- Done(result)
//! ```

use crate::outcome::Failure;
use crate::wire::{Reply, Request};

/// The next action for the driver.
#[derive(Debug)]
pub enum Step<'m, T> {
    /// Send this request. Report [`Input::Replied`] or [`Input::Failed`].
    Send(&'m Request),
    /// Wait for this many milliseconds. Report [`Input::Woke`].
    Sleep(u32),
    /// Return this result to the caller.
    Done(T),
}

/// The result of a [`Step`], reported by the driver.
#[derive(Debug)]
pub enum Input {
    /// Starts the call.
    Start,
    /// A reply: status, headers, and the received part of the body.
    Replied(Reply),
    /// The request failed before a status line arrived.
    Failed(Failure),
    /// The delay is over. It may have ended long ago, because the process can be suspended.
    Woke,
}

/// A call as a state machine without I/O.
pub trait Machine {
    /// The result of the call.
    type Output;

    /// Advances the call and returns the next step. `elapsed_ms` is the time since the start of the
    /// call, from a monotonic clock.
    fn next(&mut self, input: Input, elapsed_ms: u64) -> Step<'_, Self::Output>;
}
