//! Performs what a machine of the core asks for. The one place with effects.

use messaging_core::{Input, Machine, Step};

use crate::http;
use messaging_shell::clock::Clock;

/// Runs a call to its end.
pub fn run<M: Machine>(machine: &mut M, clock: &Clock, max_reply_bytes: usize) -> M::Output {
    let mut input = Input::Start;
    loop {
        input = match machine.next(input, clock.elapsed_ms()) {
            Step::Send(request) => http::exchange(request, clock, max_reply_bytes),
            Step::Sleep(pause_ms) => {
                clock.sleep(pause_ms);
                Input::Woke
            }
            Step::Done(output) => return output,
        };
    }
}
