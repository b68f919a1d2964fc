//! Performs what a machine of the core asks for. The one place with effects.

use messaging_core::{Call, Input, Machine, Step};

use crate::http;
use messaging_runtime::clock::Clock;

/// Runs a call to its end.
pub fn run<M: Machine>(call: Call<M>) -> M::Output {
    let Call { mut machine, settings } = call;
    let clock = &Clock::start(settings.deadline_ms);
    let mut input = Input::Start;
    loop {
        input = match machine.next(input, clock.elapsed_ms()) {
            Step::Send(request) => http::exchange(request, clock, settings.max_reply_bytes),
            Step::Sleep(pause_ms) => {
                clock.sleep(pause_ms);
                Input::Woke
            }
            Step::Done(output) => return output,
        };
    }
}
