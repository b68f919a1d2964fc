//! Driver of the state machines: journal calls, the provider call, and delays.

use alloc::string::ToString;

use ::wasi::clocks::monotonic_clock::{self, Instant};
use ::wasi::clocks::wall_clock;
use messaging_core::once::send::{Input, JournalFailure, Step};
use messaging_core::once::{Error, Key, Now};

use crate::bindings::messaging::integration::{journal, messaging};

const NANOS_PER_MS: u64 = 1_000_000;

/// The driver of one call.
pub struct Drive {
    key: Key,
    start: Instant,
}

type CallInput = Input<messaging::Error>;
type CallStep<T, S> = Step<messaging::Error, T, S>;

impl Drive {
    /// Creates a driver for a call that begins now.
    pub fn new(key: Key) -> Self {
        Self { key, start: monotonic_clock::now() }
    }

    /// Runs a machine to its result. `send` calls the provider.
    pub fn run<T, S>(
        &self,
        mut next: impl FnMut(CallInput, Now) -> CallStep<T, S>,
        send: impl Fn(S) -> CallInput,
    ) -> Result<T, Error<messaging::Error>> {
        let mut input = Input::Start;
        loop {
            input = match next(input, now(self.start)) {
                Step::Get => match journal::get(self.key.as_str()) {
                    Ok(found) => Input::Got(found),
                    Err(error) => Input::Failed(failure(error)),
                },
                Step::Swap { expected, new } => {
                    match journal::swap(self.key.as_str(), expected.as_deref(), &new) {
                        Ok(journal::SwapOutcome::Swapped) => Input::Swapped,
                        Ok(journal::SwapOutcome::Stale(found)) => Input::Stale(found),
                        Err(error) => Input::Failed(failure(error)),
                    }
                }
                Step::Send(given) => send(given),
                Step::Sleep(ms) => {
                    sleep(ms);
                    Input::Woke
                }
                Step::Done(result) => return result,
            };
        }
    }
}

/// Returns the wall-clock time and the time since `start`, the start of the call.
pub fn now(start: Instant) -> Now {
    let wall = wall_clock::now();
    let wall_ms = wall.seconds.saturating_mul(1_000);
    Now {
        wall_ms: wall_ms.saturating_add(u64::from(wall.nanoseconds / 1_000_000)),
        elapsed_ms: monotonic_clock::now().saturating_sub(start) / NANOS_PER_MS,
    }
}

/// Converts an error of the journal.
pub fn failure(error: journal::JournalError) -> JournalFailure {
    let (refused, detail) = match error {
        journal::JournalError::ExecutionFailed => {
            (false, "the engine could not call the journal".to_string())
        }
        journal::JournalError::PermanentNotSetUp(said) => (true, said.detail),
        journal::JournalError::PermanentRejected(said) => (true, said.detail),
        journal::JournalError::Unavailable(said) => (false, said.detail),
    };
    JournalFailure::new(refused, &detail)
}

fn sleep(ms: u32) {
    monotonic_clock::subscribe_duration(u64::from(ms).saturating_mul(NANOS_PER_MS)).block();
}
