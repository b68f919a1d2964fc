//! Performs what a machine of the core asks for. The one place with effects.

use messaging_core::{Input, Machine, Step};

use crate::clock::Clock;
use crate::http;

/// Runs a call to its end.
pub async fn run<M: Machine>(
    machine: &mut M,
    clock: &mut Clock,
    max_reply_bytes: usize,
) -> M::Output {
    let mut input = Input::Start;
    loop {
        input = match machine.next(input, clock.elapsed_ms()) {
            Step::Send(request) => http::exchange(request, clock, max_reply_bytes).await,
            Step::Sleep(pause_ms) => {
                clock.sleep(pause_ms).await;
                Input::Woke
            }
            Step::Done(output) => return output,
        };
    }
}
