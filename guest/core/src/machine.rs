//! The border between deciding and acting: what a machine asks for ([`Step`]) and
//! what it is told ([`Input`]).
//!
//! ```text
//! shell                          machine
//!   next(Start) ------------------>
//!   <------------------ Send(request)
//!   next(Replied | Failed) ------->
//!   <---------------------- Sleep(ms)      (only where another attempt is allowed)
//!   next(Woke) ------------------->
//!   <------------------ Send(request)
//!   ...
//!   <-------------------- Done(result)
//! ```

use crate::outcome::Failure;
use crate::wire::{Reply, Request};

/// The shell's next action.
#[derive(Debug)]
pub enum Step<'m, T> {
    /// Make this request and report how it went.
    Send(&'m Request),
    /// Wait this many milliseconds, then report [`Input::Woke`].
    Sleep(u32),
    /// The call is over.
    Done(T),
}

/// An event that the shell reports.
#[derive(Debug)]
pub enum Input {
    /// The call begins.
    Start,
    /// A status line and headers came, and as much of the body as could be read.
    Replied(Reply),
    /// No status line came.
    Failed(Failure),
    /// The pause is over, perhaps long since: a process can be stopped in it.
    Woke,
}

/// A call as a state machine without input or output of its own.
pub trait Machine {
    /// Result of the call.
    type Output;

    /// Takes what happened and says what to do next. `elapsed_ms` is the time
    /// since the call began, on a clock that only goes forward.
    fn next(&mut self, input: Input, elapsed_ms: u64) -> Step<'_, Self::Output>;
}
