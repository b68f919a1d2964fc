//! The state of a call between two steps, and the time that the driver reports.

use alloc::boxed::Box;
use core::cell::Cell;

use messaging_core::once::Now;

use crate::machine::{Machine, other};
use crate::wit;

/// A call that a driver runs step by step.
pub struct Driven(Cell<State>);

enum State {
    Running(Box<Running>),
    /// The arguments were invalid. The first step returns this error.
    Refused(Box<wit::CallError>),
    Over,
}

struct Running {
    machine: Machine,
    /// Latest time that the driver has reported, in milliseconds since the start of the call.
    elapsed_ms: u32,
}

impl Driven {
    /// Creates a call of `operation`.
    pub fn of(operation: wit::Operation) -> Self {
        Self(Cell::new(match Machine::new(operation) {
            Ok(machine) => State::Running(Box::new(Running { machine, elapsed_ms: 0 })),
            Err(error) => State::Refused(Box::new(error)),
        }))
    }

    /// Advances the call with the result of the last step, and returns the next step.
    pub fn step(&self, input: Option<wit::Input>, now: wit::Now) -> wit::Step {
        match self.0.replace(State::Over) {
            State::Running(mut running) => {
                // Ignores a clock that goes back, because it would extend the time in which a
                // request may start.
                running.elapsed_ms = running.elapsed_ms.max(now.elapsed_ms);
                let wall_ms = u64::from(now.seconds).saturating_mul(1_000);
                let step = running.machine.next(
                    input,
                    Now {
                        wall_ms: wall_ms.saturating_add(now.milliseconds.into()),
                        elapsed_ms: running.elapsed_ms.into(),
                    },
                );
                if !matches!(step, wit::Step::Done(_)) {
                    self.0.set(State::Running(running));
                }
                step
            }
            State::Refused(error) => wit::Step::Done(Err(*error)),
            State::Over => {
                wit::Step::Done(Err(other("call-is-over", "the call has already ended")))
            }
        }
    }
}
