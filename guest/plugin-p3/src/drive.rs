//! The driver: performs the steps of the core's state machines.

use messaging_core::{Call, Input, Machine, Step};
use messaging_runtime::p3::{Clock, Instant};

use crate::http;

/// Performs a call that started at `start`, and returns its result.
pub async fn run<M: Machine>(call: Call<M>, start: Instant) -> M::Output {
    let Call { mut machine, settings } = call;
    let clock = &mut Clock::new(start, settings.deadline_ms);
    let mut input = Input::Start;
    let mut elapsed_ms = 0;
    loop {
        input = match machine.next(input, elapsed_ms) {
            Step::Send(request) => http::exchange(request, clock, settings.max_reply_bytes).await,
            Step::Sleep(pause_ms) => {
                clock.sleep(pause_ms).await;
                Input::Woke
            }
            Step::Done(output) => return output,
        };
        elapsed_ms = clock.elapsed_ms();
    }
}
