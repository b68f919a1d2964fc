//! Sending one message, as a state machine.
//!
//! ```text
//!           +--------- Sleep <- proof that nothing was created, budget left
//!           v                              ^
//! Idle -> Send -> InFlight -- Replied/Failed --> Finished (Done)
//! ```
//!
//! A second POST is made only on proof that the first created nothing: it never
//! reached the service, or the service answered 429 and said when to come back.

use alloc::borrow::Cow;
use alloc::string::ToString;

use crate::error::{Error, OutcomeUnknown, RateLimit};
use crate::machine::{Input, Machine, Step};
use crate::message::{CreatedMessage, Outgoing};
use crate::outcome::{CreateStatus, Failure, Proof, Stage, judge_create_status};
use crate::retry::Budget;
use crate::secret::ApiKey;
use crate::settings::Settings;
use crate::wire::refusal::read_refusal;
use crate::wire::reply::read_created;
use crate::wire::retry_after::retry_after_ms;
use crate::wire::{Reply, Request};

/// One call of `send-message`.
#[derive(Debug)]
pub struct SendMessage {
    request: Request,
    key: ApiKey,
    budget: Budget,
    state: State,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Idle,
    InFlight,
    Finished,
}

impl SendMessage {
    /// A call that will send `message`. The seed spreads its pauses.
    ///
    /// # Errors
    /// As [`Request::create_message`].
    pub fn new(settings: &Settings, message: &Outgoing, seed: u64) -> Result<Self, Error> {
        Ok(Self {
            request: Request::create_message(settings, message)?,
            key: settings.key.clone(),
            budget: Budget::new(settings.max_attempts, settings.deadline_ms, seed),
            state: State::Idle,
        })
    }

    /// The request, for showing it without sending it.
    #[must_use]
    pub fn request(&self) -> &Request {
        &self.request
    }

    fn replied(&mut self, reply: &Reply, elapsed_ms: u64) -> Step<'_, <Self as Machine>::Output> {
        let error = match judge_create_status(reply.status) {
            CreateStatus::Created => return self.finish(self.created(reply)),
            CreateStatus::Unauthorized => Error::Unauthorized(read_refusal(reply, &self.key)),
            CreateStatus::Refused => Error::Refused(read_refusal(reply, &self.key)),
            CreateStatus::RateLimited => {
                let hint = retry_after_ms(&reply.retry_after, reply.date.as_deref());
                // Without a hint the caller knows better than a guess how long to wait.
                let pause = hint.and_then(|hint| self.budget.retry(elapsed_ms, Some(hint)));
                if let Some(pause) = pause {
                    self.state = State::Idle;
                    return Step::Sleep(pause);
                }
                let refusal = read_refusal(reply, &self.key);
                Error::RateLimited(RateLimit { retry_after_ms: hint, refusal })
            }
            CreateStatus::Unclear => {
                let status = reply.status.to_string();
                let detail =
                    ["status ", &status, " does not say whether the message was created"].concat();
                unknown(Stage::ReplyUnclear, detail, Some(reply.status))
            }
        };
        self.finish(Err(error))
    }

    /// A 201: the message exists, whatever its body is.
    fn created(&self, reply: &Reply) -> Result<CreatedMessage, Error> {
        if let Some(cause) = reply.body.cut_short {
            let cause = cause.detail(Stage::ReadingReply);
            let detail = ["the message was created, but ", &cause].concat();
            return Err(unknown(Stage::ReadingReply, detail, Some(reply.status)));
        }
        let read = if reply.is_encoded() {
            Err("has a content encoding that was not asked for")
        } else {
            read_created(&reply.body.bytes, &self.key)
        };
        read.map_err(|reason| {
            let detail = ["the message was created, but the reply ", reason].concat();
            unknown(Stage::ReplyUnclear, detail, Some(reply.status))
        })
    }

    fn failed(
        &mut self,
        failure: &Failure,
        elapsed_ms: u64,
    ) -> Step<'_, <Self as Machine>::Output> {
        let error = match failure.proof() {
            Proof::Denied => Error::Denied(failure.detail().into_owned()),
            Proof::Nothing => unknown(failure.stage, failure.detail(), None),
            Proof::NotSent => match self.budget.retry(elapsed_ms, None) {
                Some(pause) => {
                    self.state = State::Idle;
                    return Step::Sleep(pause);
                }
                None => Error::NotSent(failure.detail().into_owned()),
            },
        };
        self.finish(Err(error))
    }

    fn finish<T>(&mut self, result: T) -> Step<'_, T> {
        self.state = State::Finished;
        Step::Done(result)
    }
}

impl Machine for SendMessage {
    type Output = Result<CreatedMessage, Error>;

    fn next(&mut self, input: Input, elapsed_ms: u64) -> Step<'_, Self::Output> {
        match (self.state, input) {
            (State::Idle, Input::Start | Input::Woke) => {
                self.state = State::InFlight;
                Step::Send(&self.request)
            }
            (State::InFlight, Input::Replied(reply)) => self.replied(&reply, elapsed_ms),
            (State::InFlight, Input::Failed(failure)) => self.failed(&failure, elapsed_ms),
            // The shell lost count. One request may be under way, so none is added.
            _ => {
                let detail = "the call was driven out of order";
                self.finish(Err(unknown(Stage::SendingRequest, detail, None)))
            }
        }
    }
}

fn unknown(stage: Stage, detail: impl Into<Cow<'static, str>>, status: Option<u16>) -> Error {
    Error::OutcomeUnknown(OutcomeUnknown { stage, detail: detail.into(), status })
}
