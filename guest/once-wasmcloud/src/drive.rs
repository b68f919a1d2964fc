//! Driver of the state machines: journal calls, the provider call, and delays.

use alloc::string::String;

use messaging_core::once::send::{Input, Step};
use messaging_core::once::{Error, Key, Now};
use messaging_runtime::p3::{Clock, Instant};

use crate::bindings::messaging::integration_async::messaging;
use crate::bindings::wasi::clocks::system_clock;
use crate::bucket;

/// The driver of one call.
pub struct Drive {
    key: Key,
    bucket: String,
    clock: Clock,
}

type CallInput = Input<messaging::Error>;
type CallStep<T, S> = Step<messaging::Error, T, S>;

impl Drive {
    /// Creates a driver for a call that began at `start`, with the journal in `bucket`.
    pub fn new(key: Key, bucket: String, start: Instant) -> Self {
        // The longest possible deadline, because the state machine limits the call.
        Self { key, bucket, clock: Clock::new(start, u32::MAX) }
    }

    /// Runs a machine to its result. `send` calls the provider.
    pub async fn run<T, S>(
        &self,
        mut next: impl FnMut(CallInput, Now) -> CallStep<T, S>,
        send: impl AsyncFn(S) -> CallInput,
    ) -> Result<T, Error<messaging::Error>> {
        let mut input = Input::Start;
        loop {
            input = match next(input, now(&self.clock)) {
                Step::Get => self.get().await,
                Step::Swap { expected, new } => self.swap(expected.as_deref(), &new).await,
                Step::Send(given) => send(given).await,
                Step::Sleep(ms) => {
                    self.clock.sleep(ms).await;
                    Input::Woke
                }
                Step::Done(result) => return result,
            };
        }
    }

    async fn get(&self) -> CallInput {
        let found = match bucket::open(&self.bucket).await {
            Ok(journal) => journal.get(&self.key).await,
            Err(failure) => Err(failure),
        };
        found.map_or_else(Input::Failed, Input::Got)
    }

    async fn swap(&self, expected: Option<&str>, new: &str) -> CallInput {
        match bucket::open(&self.bucket).await {
            Ok(journal) => journal.swap(&self.key, expected, new).await,
            Err(failure) => Input::Failed(failure),
        }
    }
}

/// Returns the wall-clock time and the time since the start of the call.
fn now(clock: &Clock) -> Now {
    Now { wall_ms: wall_ms(), elapsed_ms: clock.elapsed_ms() }
}

/// Returns the wall-clock time and an elapsed time of 0, for a read-only call.
pub fn at_once() -> Now {
    Now { wall_ms: wall_ms(), elapsed_ms: 0 }
}

fn wall_ms() -> u64 {
    let wall = system_clock::now();
    let wall_ms = u64::try_from(wall.seconds).unwrap_or_default().saturating_mul(1_000);
    wall_ms.saturating_add(u64::from(wall.nanoseconds / 1_000_000))
}
