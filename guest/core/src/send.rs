//! `send-message` as a state machine.
//!
//! ```text
//!           +--------- Sleep <- proof that nothing was created, budget left
//!           v                              ^
//! Idle -> Send -> InFlight -- Replied/Failed --> Finished (Done)
//! ```
//!
//! The machine sends a second POST only with proof that the first POST created nothing. There are
//! two proofs: the first request never reached the service, or the service returned 429 with
//! `Retry-After`. The proof by a 429 is an assumption; `MESSAGING_RETRY_RATE_LIMITED=false`
//! disables it. No POST starts after the deadline.

use alloc::boxed::Box;
use alloc::string::{String, ToString};

use crate::error::{Error, OutcomeUnknown, RateLimit, Refusal, Stage, Unreadable};
use crate::machine::{Input, Machine, Step};
use crate::message::{CreatedMessage, Outgoing};
use crate::outcome::{CreateStatus, Failure, Proof, judge_create_status};
use crate::retry::Budget;
use crate::secret::ApiKey;
use crate::settings::Settings;
use crate::wire::refusal::read_refusal;
use crate::wire::reply::read_created;
use crate::wire::retry_after::retry_after_ms;
use crate::wire::{Reply, Request};

/// A call of `send-message`.
#[derive(Debug)]
pub struct SendMessage {
    request: Request,
    key: ApiKey,
    budget: Budget,
    retry_rate_limited: bool,
    state: State,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Idle,
    InFlight,
    Pausing,
    Finished,
}

impl SendMessage {
    /// Creates a call that sends `message`. `seed` randomizes the delays between attempts.
    ///
    /// # Errors
    /// Returns `InvalidInput` if the message cannot be written as JSON. No known message causes
    /// this.
    pub fn new(settings: &Settings, message: &Outgoing, seed: u64) -> Result<Self, Error> {
        Ok(Self {
            request: Request::create_message(settings, message)?,
            key: settings.key.clone(),
            budget: Budget::new(settings.max_attempts, settings.deadline_ms, seed),
            retry_rate_limited: settings.retry_rate_limited,
            state: State::Idle,
        })
    }

    /// Returns the request, for example to show it without sending it.
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
                let refusal = read_refusal(reply, &self.key);
                let error = Error::RateLimited(RateLimit { retry_after_ms: hint, refusal });
                // Without `Retry-After`, the caller can choose a better delay than this machine.
                return match hint.filter(|_| self.retry_rate_limited) {
                    Some(hint) => self.again(elapsed_ms, Some(hint), error),
                    None => self.finish(Err(error)),
                };
            }
            CreateStatus::Unclear => {
                let status = reply.status.to_string();
                let detail =
                    ["status ", &status, " does not say whether the message was created"].concat();
                self.unclear(Stage::ReplyUnclear, detail, reply)
            }
        };
        self.finish(Err(error))
    }

    /// Converts a reply with status 201, which means that the message exists.
    fn created(&self, reply: &Reply) -> Result<CreatedMessage, Error> {
        // The code below rejects every encoded body, so this check skips encoded bodies. A host may
        // withhold an encoded body, which makes the body incomplete.
        if let Some(cause) = reply.body.cut_short.as_ref().filter(|_| !reply.is_encoded()) {
            let cause = cause.detail(Stage::ReadingReply);
            let detail = ["the message was created, but ", &cause].concat();
            return Err(self.unclear(Stage::ReadingReply, detail, reply));
        }
        let read = if reply.is_encoded() {
            Err(Unreadable("has a content encoding, which was not requested"))
        } else {
            read_created(&reply.body.bytes, &self.key)
        };
        read.map_err(|Unreadable(reason)| {
            let detail = ["the message was created, but the reply ", reason].concat();
            self.unclear(Stage::ReplyUnclear, detail, reply)
        })
    }

    /// Returns an unknown outcome with the content of the reply.
    fn unclear(&self, stage: Stage, detail: String, reply: &Reply) -> Error {
        let said = read_refusal(reply, &self.key);
        let refusal = (!said.body.trim_ascii().is_empty()).then(|| Box::new(said));
        unknown(stage, detail, Some(reply.status), refusal)
    }

    fn failed(
        &mut self,
        failure: &Failure,
        elapsed_ms: u64,
    ) -> Step<'_, <Self as Machine>::Output> {
        let error = match failure.proof() {
            Proof::Denied => Error::Denied(failure.detail().into_owned()),
            Proof::Nothing => unknown(failure.stage, failure.detail(), None, None),
            Proof::NotSent => {
                let error = Error::NotSent(failure.detail().into_owned());
                return self.again(elapsed_ms, None, error);
            }
        };
        self.finish(Err(error))
    }

    /// Waits before the next attempt. Returns `error` if attempts or time are used up. `error` must
    /// prove that nothing was created.
    fn again(
        &mut self,
        elapsed_ms: u64,
        hint: Option<u32>,
        error: Error,
    ) -> Step<'_, <Self as Machine>::Output> {
        match self.budget.pause(elapsed_ms, hint, error) {
            Ok(pause) => {
                self.state = State::Pausing;
                Step::Sleep(pause)
            }
            Err(error) => self.finish(Err(error)),
        }
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
            (State::Idle, Input::Start) | (State::Pausing, Input::Woke) => {
                if let Err(error) =
                    self.budget.begin(elapsed_ms, |late| Error::NotSent(late.into()))
                {
                    return self.finish(Err(error));
                }
                self.state = State::InFlight;
                Step::Send(&self.request)
            }
            (State::InFlight, Input::Replied(reply)) => self.replied(&reply, elapsed_ms),
            (State::InFlight, Input::Failed(failure)) => self.failed(&failure, elapsed_ms),
            // The input does not match the last step. A request may be running, so no other request
            // is sent.
            _ => {
                let detail = "the input does not match the last step";
                self.finish(Err(unknown(Stage::SendingRequest, detail, None, None)))
            }
        }
    }
}

fn unknown(
    stage: Stage,
    detail: impl Into<String>,
    status: Option<u16>,
    refusal: Option<Box<Refusal>>,
) -> Error {
    Error::OutcomeUnknown(OutcomeUnknown { stage, detail: detail.into(), status, refusal })
}
