//! Performs what the machines ask for: the journal's calls, the provider's one, pauses.

use alloc::string::{String, ToString};

use ::wasi::clocks::monotonic_clock::{self, Instant};
use ::wasi::clocks::wall_clock;
use messaging_once_core::change::{self, Changing};
use messaging_once_core::send::{self, Created, JournalFailure, SendOnce};
use messaging_once_core::{Error, Key, Now};

use crate::bindings::messaging::integration::{journal, messaging};

const NANOS_PER_MS: u64 = 1_000_000;

/// A call under a key.
pub struct Drive {
    key: Key,
    start: Instant,
}

type SendResult = Result<Created, Error<messaging::Error>>;

impl Drive {
    /// A call that begins now.
    pub fn new(key: Key) -> Self {
        Self { key, start: monotonic_clock::now() }
    }

    /// The time on both clocks.
    pub fn now(&self) -> Now {
        now(self.start)
    }

    /// Brings a send to its end.
    pub fn send(
        &self,
        mut machine: SendOnce<messaging::Error>,
        request: messaging::MessageRequest,
    ) -> SendResult {
        let mut input = send::Input::Start;
        loop {
            input = match machine.next(input, self.now()) {
                send::Step::Get => match journal::get(self.key.as_str()) {
                    Ok(found) => send::Input::Got(found),
                    Err(error) => send::Input::Failed(failure(error)),
                },
                send::Step::Swap { expected, new } => match self.swap(expected, &new) {
                    Ok(journal::SwapOutcome::Swapped) => send::Input::Swapped,
                    Ok(journal::SwapOutcome::Stale(found)) => send::Input::Stale(found),
                    Err(error) => send::Input::Failed(failure(error)),
                },
                send::Step::Send => {
                    send::Input::Sent(crate::answered(messaging::send_message(&request)))
                }
                send::Step::Sleep(ms) => {
                    sleep(ms);
                    send::Input::Woke
                }
                send::Step::Done(result) => return result,
            };
        }
    }

    /// Brings a change to its end.
    pub fn change(&self, mut machine: Changing) -> Result<(), Error<messaging::Error>> {
        let mut input = change::Input::Start;
        loop {
            input = match machine.next(input, self.now()) {
                change::Step::Get => match journal::get(self.key.as_str()) {
                    Ok(found) => change::Input::Got(found),
                    Err(error) => change::Input::Failed(failure(error)),
                },
                change::Step::Swap { expected, new } => match self.swap(expected, &new) {
                    Ok(journal::SwapOutcome::Swapped) => change::Input::Swapped,
                    Ok(journal::SwapOutcome::Stale(found)) => change::Input::Stale(found),
                    Err(error) => change::Input::Failed(failure(error)),
                },
                change::Step::Sleep(ms) => {
                    sleep(ms);
                    change::Input::Woke
                }
                change::Step::Done(result) => return result,
            };
        }
    }

    fn swap(
        &self,
        expected: Option<String>,
        new: &str,
    ) -> Result<journal::SwapOutcome, journal::JournalError> {
        journal::swap(self.key.as_str(), expected.as_deref(), new)
    }
}

/// The time on both clocks, of a call that began at `start`.
pub fn now(start: Instant) -> Now {
    let wall = wall_clock::now();
    // Division by constants that are not zero.
    let wall_ms = wall.seconds.saturating_mul(1_000);
    Now {
        wall_ms: wall_ms.saturating_add(u64::from(wall.nanoseconds / 1_000_000)),
        elapsed_ms: monotonic_clock::now().saturating_sub(start) / NANOS_PER_MS,
    }
}

/// A journal's error as the machines know it.
pub fn failure(error: journal::JournalError) -> JournalFailure {
    let (refused, detail) = match error {
        journal::JournalError::ExecutionFailed => {
            (false, "the engine could not run the journal".to_string())
        }
        journal::JournalError::PermanentNotSetUp(said) => (true, said.detail),
        journal::JournalError::PermanentRejected(said) => (true, said.detail),
        journal::JournalError::Unavailable(said) => (false, said.detail),
    };
    JournalFailure { refused, detail: ["journal: ", &detail].concat() }
}

fn sleep(ms: u32) {
    monotonic_clock::subscribe_duration(u64::from(ms).saturating_mul(NANOS_PER_MS)).block();
}
