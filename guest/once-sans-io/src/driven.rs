//! A call under way: its machine between two steps, and the time as the driver tells it.

use alloc::boxed::Box;
use core::cell::Cell;

use messaging_once_core::Now;

use crate::machine::{Machine, other};
use crate::wit;

/// A call that a driver drives.
pub struct Driven(Cell<State>);

enum State {
    Running(Box<Running>),
    /// It was refused before it began; the first step says so.
    Refused(Box<wit::CallError>),
    Over,
}

struct Running {
    machine: Machine,
    /// The latest time that the driver told, since the call began.
    elapsed_ms: u32,
}

impl Driven {
    /// A call of `operation`.
    pub fn of(operation: wit::Operation) -> Self {
        Self(Cell::new(match Machine::new(operation) {
            Ok(machine) => State::Running(Box::new(Running { machine, elapsed_ms: 0 })),
            Err(error) => State::Refused(Box::new(error)),
        }))
    }

    /// Takes what became of the last step, and returns the next one.
    pub fn step(&self, input: Option<wit::Input>, now: wit::Now) -> wit::Step {
        match self.0.replace(State::Over) {
            State::Running(mut running) => {
                // A clock that goes back would prolong the time in which a request may leave.
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
                wit::Step::Done(Err(other("call-is-over", "the call was driven on after its end")))
            }
        }
    }
}
