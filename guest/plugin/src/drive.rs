//! The driver: performs the steps of the core's state machines.

use messaging_core::{Call, Input, Machine, Step};

use messaging_runtime::clock::{Clock, Instant};
use messaging_runtime::http;

/// Performs a call that started at `start`, and returns its result.
pub fn run<M: Machine>(call: Call<M>, start: Instant) -> M::Output {
    let Call { mut machine, settings } = call;
    let clock = &Clock::new(start, settings.deadline_ms);
    let mut input = Input::Start;
    let mut elapsed_ms = 0;
    loop {
        input = match machine.next(input, elapsed_ms) {
            Step::Send(request) => http::exchange(request, clock, settings.max_reply_bytes),
            Step::Sleep(pause_ms) => {
                clock.sleep(pause_ms);
                Input::Woke
            }
            Step::Done(output) => return output,
        };
        elapsed_ms = clock.elapsed_ms();
    }
}
