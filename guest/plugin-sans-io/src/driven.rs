//! The state of a call between two steps, and the time that the driver reports.

use alloc::boxed::Box;
use core::cell::Cell;

use messaging_core::error::Error;
use messaging_core::wire::Method;
use messaging_core::{Call, Input, Machine, Step};

use crate::http;
use crate::{types, wit};

/// A call that a driver runs step by step.
pub struct Driven<M>(Cell<State<M>>);

enum State<M> {
    Running(Box<Running<M>>),
    /// The settings or arguments were invalid. The first step returns the error.
    Refused(Box<Error>),
    Over,
}

/// The next step of a call.
pub enum Next<T> {
    /// Send this request.
    Request(wit::HttpRequest),
    /// Wait for this many milliseconds.
    Wait(u32),
    /// Return this result.
    Done(Result<T, wit::Error>),
}

struct Running<M> {
    call: Call<M>,
    /// The latest time from the driver, in milliseconds since the start of the call.
    elapsed_ms: u32,
    /// The method of the last request.
    method: Method,
}

impl<T, M: Machine<Output = Result<T, Error>>> Driven<M> {
    pub fn of(call: Result<Call<M>, Error>) -> Self {
        let running = |call| Running { call, elapsed_ms: 0, method: Method::Post };
        Self(Cell::new(match call {
            Ok(call) => State::Running(Box::new(running(call))),
            Err(error) => State::Refused(Box::new(error)),
        }))
    }

    pub fn step(&self, elapsed_ms: u32, input: Option<wit::Input>) -> Next<T> {
        match self.0.replace(State::Over) {
            State::Running(mut running) => {
                let next = running.step(elapsed_ms, input);
                if !matches!(next, Next::Done(_)) {
                    self.0.set(State::Running(running));
                }
                next
            }
            State::Refused(error) => Next::Done(Err((*error).into())),
            State::Over => Next::Done(Err(over())),
        }
    }
}

impl<T, M: Machine<Output = Result<T, Error>>> Running<M> {
    fn step(&mut self, elapsed_ms: u32, input: Option<wit::Input>) -> Next<T> {
        let settings = &self.call.settings;
        // Ignores a clock that goes back, because it would move the deadline.
        self.elapsed_ms = self.elapsed_ms.max(elapsed_ms);
        let input = match input {
            None => Input::Start,
            Some(wit::Input::Waited) => Input::Woke,
            Some(wit::Input::Replied(reply)) => {
                Input::Replied(http::reply(reply, self.method, settings.max_reply_bytes))
            }
            Some(wit::Input::Failed(failed)) => Input::Failed(http::failure(failed, &settings.key)),
        };
        match self.call.machine.next(input, self.elapsed_ms.into()) {
            Step::Send(request) => {
                self.method = request.method();
                let left_ms = settings.deadline_ms.saturating_sub(self.elapsed_ms);
                Next::Request(http::request(request, left_ms, settings.max_reply_bytes))
            }
            Step::Sleep(pause_ms) => Next::Wait(pause_ms),
            Step::Done(result) => Next::Done(result.map_err(Into::into)),
        }
    }
}

/// Returns the error for a driver that continues after `done`.
fn over() -> wit::Error {
    wit::Error::PermanentOther(types::Other {
        code: "call-is-over".into(),
        detail: "the call has already ended".into(),
        status: None,
    })
}
