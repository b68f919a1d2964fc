//! `send-once` as a state machine without I/O.
//!
//! The driver performs each [`Step`] and reports the result as an [`Input`]:
//!
//! ```text
//! driver                             machine
//!   next(Start) ---------------------->
//!   <------------ Swap(none -> intent)          claims the key; assumes that it is new
//!   next(Swapped) -------------------->
//!   <------------------------------ Send        only the caller that claimed the key sends
//!   next(Sent) ----------------------->
//!   <------------ Swap(intent -> outcome)
//!   next(Swapped) -------------------->
//!   <---------------------- Done(result)
//! ```
//!
//! If a swap returns `Stale`, the machine decides from the current entry: return its outcome, wait,
//! reject the call, or claim the key again. If a swap fails, the machine retries it after a delay.
//! The machine recognizes a value that it wrote in an earlier try, because the value contains the
//! attempt.

use alloc::boxed::Box;
use alloc::string::{String, ToString};

use crate::error::{OutcomeUnknown, Stage};
use crate::once::decide::{self, Begin, Settle};
use crate::once::digest::{Request, SALT_BYTES};
use crate::once::entry::{Attempt, End, Entry, MAX_VALUE_BYTES, Outcome, SLACK_MS};
use crate::once::error::Error;
use crate::once::provider::{Failed, Message};
use crate::once::time::Now;

/// Length of an attempt ID in bytes. Stored as hexadecimal digits.
pub const ATTEMPT_ID_BYTES: usize = 16;
/// Delays between attempts to claim a key, in milliseconds. Only two, because the caller can retry.
const CLAIM_DELAYS_MS: [u32; 2] = [50, 200];
/// Delays between attempts to record an outcome, in milliseconds. Longer than for a claim, because an
/// operator must resolve an outcome that was not recorded.
const RECORD_DELAYS_MS: [u32; 6] = [50, 100, 200, 400, 800, 1_600];
/// Initial and maximum polling interval while another caller holds the key, in milliseconds.
const POLL_MS: u32 = 20;
const MAX_POLL_MS: u32 = 500;
/// Maximum number of swaps in one call, not counting retries of a failed swap. More than two swaps
/// mean that other callers changed the key.
const MAX_CONFLICTS: u32 = 16;

/// Error detail for an input that does not match the last step.
pub const UNEXPECTED_INPUT: &str = "input does not match the last step";

/// The next action for the driver. `T` is the result of the call. `S` is
/// [`Infallible`](core::convert::Infallible) for calls that never send.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step<E, T = Created, S = ()> {
    /// Read the value of the key. Report [`Input::Got`] or [`Input::Failed`].
    Get,
    /// Replace the value if the old value equals `expected`. Report [`Input::Swapped`],
    /// [`Input::Stale`] or [`Input::Failed`].
    Swap {
        /// The expected value; `None` if the key must not exist.
        expected: Option<String>,
        /// The new value.
        new: String,
    },
    /// Call the provider's `send-message` without delay. Report [`Input::Sent`] or [`Input::Lost`].
    Send(S),
    /// Wait for this many milliseconds. Report [`Input::Woke`].
    Sleep(u32),
    /// Return this result to the caller.
    Done(Result<T, Error<E>>),
}

/// A message that exists (WIT `once-created`).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Created {
    /// Identifier of the message.
    pub id: String,
    /// Reply of the service; `None` if the journal has no reply.
    pub json: Option<String>,
    /// True if an earlier call created the message.
    pub replayed: bool,
    /// True if the journal has the outcome.
    pub recorded: bool,
}

/// The result of a [`Step`], reported by the driver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input<E> {
    /// Starts the call.
    Start,
    /// The value of the key; `None` if the key does not exist.
    Got(Option<String>),
    /// The value was replaced.
    Swapped,
    /// The swap found another value; `None` if the key does not exist.
    Stale(Option<String>),
    /// The journal returned an error or did not respond.
    Failed(JournalFailure),
    /// The result of the provider call.
    Sent(Result<Message, Failed<E>>),
    /// The provider call ended without a result, for example in a trap. Holds the reason.
    Lost(String),
    /// The delay is over.
    Woke,
}

/// A failed journal operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JournalFailure {
    /// True if the journal rejected the operation for good: nothing was written, and a retry cannot
    /// succeed. If false, the value may have been written.
    pub is_permanent: bool,
    /// A message for logs and operators.
    pub detail: String,
}

impl JournalFailure {
    /// Creates a failure from a message of the journal.
    pub fn new(is_permanent: bool, message: &str) -> Self {
        Self { is_permanent, detail: ["journal: ", message].concat() }
    }
}

impl<E> From<JournalFailure> for Error<E> {
    /// Converts a journal error to the error of a call that sends nothing.
    fn from(failure: JournalFailure) -> Self {
        match failure.is_permanent {
            true => Self::Journal(failure.detail),
            false => Self::Unavailable(failure.detail),
        }
    }
}

/// A call of `send-once`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SendOnce<E> {
    request: Request,
    salt: [u8; SALT_BYTES],
    attempt_id: String,
    deadline_ms: u32,
    /// The attempt of this call; `None` before the start. Each swap that claims the key contains
    /// the attempt.
    attempt: Option<Attempt>,
    /// True if the provider was called.
    has_sent: bool,
    conflicts: u32,
    /// True if the last step was [`Step::Sleep`].
    is_asleep: bool,
    phase: Phase<E>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Phase<E> {
    /// Not started, or done.
    Idle,
    /// Waiting for the swap that claims the key. `may_be_written` is true after a swap whose result
    /// was lost.
    Claiming { expected: Option<String>, entry: Entry, tries: usize, may_be_written: bool },
    /// Reading the entry while another caller holds the key.
    Polling { tries: usize, next_delay_ms: u32 },
    /// Waiting before the next read.
    Sleeping { next_delay_ms: u32 },
    /// Waiting for the provider.
    Sending { entry: Entry },
    /// Waiting for the swap that records the outcome.
    Recording(Box<Recording<E>>),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Recording<E> {
    /// The entry that claimed the key.
    entry: Entry,
    result: SendResult<E>,
    outcome: End,
    expected: Option<String>,
    new: String,
    tries: usize,
}

/// The result of a claimed attempt.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum SendResult<E> {
    Created(Message),
    /// The provider proves that nothing was created.
    Proof(Failed<E>),
    Unknown(OutcomeUnknown),
    /// The claim took too long; nothing was sent.
    TooLate,
}

const TOO_LATE: &str = "the journal took too long to record the intent; nothing was sent";

impl<E> SendOnce<E> {
    /// Creates a call for `request`. `salt` and `attempt_id` must be random; an attempt ID must be
    /// unique in the journal. `deadline_ms` is the maximum duration of the provider call.
    #[must_use]
    pub fn new(
        request: Request,
        salt: [u8; SALT_BYTES],
        attempt_id: String,
        deadline_ms: u32,
    ) -> Self {
        Self {
            request,
            salt,
            attempt_id,
            deadline_ms,
            attempt: None,
            has_sent: false,
            conflicts: 0,
            is_asleep: false,
            phase: Phase::Idle,
        }
    }

    /// Advances the call and returns the next step. An input that does not match the last step ends
    /// the call: with an unknown outcome after a provider call, otherwise with `Unavailable`.
    pub fn next(&mut self, mut input: Input<E>, now: Now) -> Step<E> {
        if matches!(input, Input::Woke) != self.is_asleep {
            input = Input::Lost(UNEXPECTED_INPUT.to_string());
        }
        let step = self.advance(input, now);
        self.is_asleep = matches!(step, Step::Sleep(_));
        step
    }

    fn advance(&mut self, input: Input<E>, now: Now) -> Step<E> {
        match (core::mem::replace(&mut self.phase, Phase::Idle), input) {
            (Phase::Idle, Input::Start) if self.attempt.is_none() => {
                let id = self.attempt_id.clone();
                self.attempt = Some(Attempt::new(id, now, self.deadline_ms));
                self.on_entry(None, None, now)
            }
            (Phase::Claiming { entry, .. }, Input::Swapped) => self.start_send(entry, now),
            (Phase::Claiming { .. }, Input::Stale(current)) => self.on_entry(current, None, now),
            (
                Phase::Claiming { expected, entry, tries, may_be_written },
                Input::Failed(failure),
            ) => {
                let may_be_written = may_be_written || !failure.is_permanent;
                match CLAIM_DELAYS_MS.get(tries) {
                    Some(delay) if !failure.is_permanent => {
                        let tries = tries.saturating_add(1);
                        self.phase = Phase::Claiming { expected, entry, tries, may_be_written };
                        Step::Sleep(*delay)
                    }
                    _ if may_be_written => Step::Done(Err(Error::Unavailable(failure.detail))),
                    _ => Step::Done(Err(Error::Journal(failure.detail))),
                }
            }
            (Phase::Claiming { expected, entry, tries, may_be_written }, Input::Woke) => {
                let step = Step::Swap { expected: expected.clone(), new: entry.text() };
                self.phase = Phase::Claiming { expected, entry, tries, may_be_written };
                step
            }
            (Phase::Polling { next_delay_ms, .. }, Input::Got(current)) => {
                self.on_entry(current, Some(next_delay_ms), now)
            }
            (Phase::Polling { tries, next_delay_ms }, Input::Failed(failure)) => {
                match CLAIM_DELAYS_MS.get(tries) {
                    Some(delay) if !failure.is_permanent => {
                        let tries = tries.saturating_add(1);
                        self.phase = Phase::Polling { tries, next_delay_ms };
                        Step::Sleep(*delay)
                    }
                    _ => Step::Done(Err(Error::Unavailable(failure.detail))),
                }
            }
            (Phase::Polling { tries, next_delay_ms }, Input::Woke) => {
                self.phase = Phase::Polling { tries, next_delay_ms };
                Step::Get
            }
            (Phase::Sleeping { next_delay_ms }, Input::Woke) => {
                self.phase = Phase::Polling { tries: 0, next_delay_ms };
                Step::Get
            }
            (Phase::Sending { entry }, input) => {
                let result = match input {
                    Input::Sent(Ok(message)) => SendResult::Created(message),
                    Input::Sent(Err(failed)) => match failed.unknown() {
                        Some(unknown) => SendResult::Unknown(unknown),
                        None => SendResult::Proof(failed),
                    },
                    Input::Lost(detail) => SendResult::Unknown(call_lost(detail)),
                    _ => SendResult::Unknown(call_lost(UNEXPECTED_INPUT.to_string())),
                };
                self.record(entry, result, now)
            }
            (Phase::Recording(recording), Input::Swapped) => {
                Step::Done(call_result(recording.result, None))
            }
            (Phase::Recording(recording), Input::Stale(current)) => {
                let Recording { entry, result, outcome, .. } = *recording;
                self.record_over(current, entry, result, outcome)
            }
            (Phase::Recording(mut recording), Input::Failed(failure)) => {
                match RECORD_DELAYS_MS.get(recording.tries) {
                    Some(delay) if !failure.is_permanent => {
                        recording.tries = recording.tries.saturating_add(1);
                        self.phase = Phase::Recording(recording);
                        Step::Sleep(*delay)
                    }
                    _ => Step::Done(call_result(recording.result, Some(failure.detail))),
                }
            }
            (Phase::Recording(recording), Input::Woke) => {
                let Recording { expected, new, .. } = &*recording;
                let step = Step::Swap { expected: expected.clone(), new: new.clone() };
                self.phase = Phase::Recording(recording);
                step
            }
            _ if self.has_sent => {
                Step::Done(Err(Error::Unknown(call_lost(UNEXPECTED_INPUT.to_string()))))
            }
            _ => Step::Done(Err(Error::Unavailable(UNEXPECTED_INPUT.to_string()))),
        }
    }

    /// Decides the next step from the value of the key. `polled` is the next polling interval if
    /// this call has waited for another caller; otherwise `None`.
    fn on_entry(&mut self, current: Option<String>, polled: Option<u32>, now: Now) -> Step<E> {
        if self.conflicts >= MAX_CONFLICTS {
            let detail = "the key changes faster than it can be read".to_string();
            return Step::Done(Err(Error::Unavailable(detail)));
        }
        let Some(attempt) = &self.attempt else {
            return Step::Done(Err(Error::Unavailable(UNEXPECTED_INPUT.to_string())));
        };
        let error = match decide::begin(current.as_deref(), &self.request, self.salt, attempt, now)
        {
            // A send may use the whole deadline, so a caller that waited has no time left to send.
            Begin::Claim(_) if polled.is_some() => Error::Busy {
                detail: "another caller held this key and created no message",
                retry_after_ms: 0,
            },
            Begin::Claim(entry) => {
                self.conflicts = self.conflicts.saturating_add(1);
                let new = entry.text();
                if new.len() > MAX_VALUE_BYTES {
                    return Step::Done(Err(Error::Journal("the entry is too long".to_string())));
                }
                let expected = current.clone();
                self.phase =
                    Phase::Claiming { expected: current, entry, tries: 0, may_be_written: false };
                return Step::Swap { expected, new };
            }
            Begin::Claimed(entry) => return self.start_send(entry, now),
            Begin::Created { id, json } => {
                return Step::Done(Ok(Created { id, json, replayed: true, recorded: true }));
            }
            Begin::Live(left) => {
                let delay_ms = polled.unwrap_or(POLL_MS);
                let over = now.elapsed_ms.saturating_add(u64::from(delay_ms));
                if over <= u64::from(self.deadline_ms) {
                    let next_delay_ms = delay_ms.saturating_mul(2).min(MAX_POLL_MS);
                    self.phase = Phase::Sleeping { next_delay_ms };
                    return Step::Sleep(delay_ms);
                }
                Error::Busy { detail: "another caller holds this key", retry_after_ms: left }
            }
            Begin::Unknown(unknown) => Error::Unknown(unknown),
            Begin::Reused(detail) => Error::KeyReused(detail),
            Begin::Forgotten { at_ms } => Error::KeyForgotten { at_ms },
            Begin::Unreadable(why) => Error::Journal(why),
        };
        Step::Done(Err(error))
    }

    /// Sends after a durable claim, unless the claim took too long.
    fn start_send(&mut self, entry: Entry, now: Now) -> Step<E> {
        let began = entry.attempt.began_ms;
        // Checks both clocks, because either may have stopped or jumped. A caller that waited never
        // claims, so `elapsed_ms` covers only the claim itself.
        let late = now.wall_ms > began.saturating_add(SLACK_MS) || now.elapsed_ms > SLACK_MS;
        if late {
            return self.record(entry, SendResult::TooLate, now);
        }
        self.has_sent = true;
        self.phase = Phase::Sending { entry };
        Step::Send(())
    }

    fn record(&mut self, entry: Entry, result: SendResult<E>, now: Now) -> Step<E> {
        let outcome = match &result {
            SendResult::Created(message) => decide::created(&message.id, &message.json),
            SendResult::Proof(failed) => {
                Outcome::NotCreated { error: Some(failed.case.name().to_string()) }
            }
            SendResult::TooLate => Outcome::NotCreated { error: Some("unavailable".to_string()) },
            SendResult::Unknown(unknown) => Outcome::Unknown(unknown.clone()),
        };
        let outcome = End { at_ms: now.wall_ms, outcome };
        let current = Some(entry.text());
        self.record_over(current, entry, result, outcome)
    }

    fn record_over(
        &mut self,
        current: Option<String>,
        entry: Entry,
        result: SendResult<E>,
        outcome: End,
    ) -> Step<E> {
        if self.conflicts >= MAX_CONFLICTS {
            let detail = "the key changes faster than it can be read".to_string();
            return Step::Done(call_result(result, Some(detail)));
        }
        self.conflicts = self.conflicts.saturating_add(1);
        match decide::settle(current.as_deref(), &entry, &outcome) {
            Settle::Noted => Step::Done(call_result(result, None)),
            Settle::Lost(why) => Step::Done(call_result(result, Some(why))),
            Settle::Write(new) => {
                let step = Step::Swap { expected: current.clone(), new: new.clone() };
                let recording =
                    Recording { entry, result, outcome, expected: current, new, tries: 0 };
                self.phase = Phase::Recording(Box::new(recording));
                step
            }
        }
    }
}

fn call_lost(detail: String) -> OutcomeUnknown {
    OutcomeUnknown { stage: Stage::SendingRequest, detail, status: None, refusal: None }
}

/// Converts the outcome to the result of the call. `record_error` is set if recording failed.
fn call_result<E>(
    result: SendResult<E>,
    record_error: Option<String>,
) -> Result<Created, Error<E>> {
    let and = |detail: &str, why: &str| [detail, "; not recorded in the journal: ", why].concat();
    match (result, record_error) {
        (SendResult::Created(Message { id, json }), why) => {
            Ok(Created { id, json: Some(json), replayed: false, recorded: why.is_none() })
        }
        (SendResult::Unknown(mut unknown), Some(why)) => {
            unknown.detail = and(&unknown.detail, &why);
            Err(Error::Unknown(unknown))
        }
        (SendResult::Unknown(unknown), None) => Err(Error::Unknown(unknown)),
        (SendResult::Proof(failed), Some(why)) => {
            Err(Error::NotRecorded { error: failed.case.name(), detail: and(&failed.detail, &why) })
        }
        (SendResult::Proof(failed), None) => Err(Error::Provider(failed)),
        (SendResult::TooLate, Some(why)) => {
            Err(Error::NotRecorded { error: "unavailable", detail: and(TOO_LATE, &why) })
        }
        (SendResult::TooLate, None) => Err(Error::Unavailable(TOO_LATE.to_string())),
    }
}
