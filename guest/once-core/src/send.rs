//! A call of `send-once` as a machine without input or output of its own.
//!
//! ```text
//! shell                              machine
//!   next(Start) ---------------------->
//!   <------------ Swap(nothing -> intent)       claims the key; most keys are new
//!   next(Swapped) -------------------->
//!   <------------------------------ Send        who claimed sends, once
//!   next(Sent) ----------------------->
//!   <------------ Swap(intent -> end)
//!   next(Swapped) -------------------->
//!   <---------------------- Done(result)
//!
//!   next(Stale(text)) ----------------> decides by what is there: replays, waits, refuses,
//!                                       claims anew
//!   next(Failed(..)) -----------------> the same Swap again, after a pause: a text that is there
//!                                       already is recognised as its own
//! ```

use alloc::boxed::Box;
use alloc::string::{String, ToString};

use crate::decide::{self, Begin, Settle};
use crate::digest::{Request, SALT_BYTES};
use crate::entry::{Attempt, End, Entry, MAX_TEXT_BYTES, Outcome, SLACK_MS};
use crate::error::Error;
use crate::provider::{Failed, Message, Stage, Unknown};
use crate::time::Now;

/// Bytes of an attempt's name, which is written in hexadecimal digits.
pub const NAME_BYTES: usize = 16;
/// Pauses between tries of a journal before the request, in milliseconds. Few: the caller can
/// call again.
const CLAIM_PAUSES_MS: [u32; 2] = [50, 200];
/// Those after it: what is not noted now, somebody has to look up.
const SETTLE_PAUSES_MS: [u32; 6] = [50, 100, 200, 400, 800, 1_600];
/// The first pause of who waits for another caller, and the longest.
const WAIT_MS: u32 = 20;
const MAX_WAIT_MS: u32 = 500;
/// Number of times that what is found is another text than was expected. Each time somebody has
/// made progress.
const MAX_ROUNDS: u32 = 16;

/// Detail of the error of a call that was driven against its steps.
pub const DRIVEN_WRONGLY: &str = "the call was driven wrongly";

/// The shell's next action. `T` is the call's answer; `S` comes with a call of the provider:
/// nothing from who makes one, and [`Infallible`](core::convert::Infallible) from who never does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step<E, T = Created, S = ()> {
    /// Read the key's text, then report [`Input::Got`] or [`Input::Failed`].
    Get,
    /// Give the key this text if it has the expected one, then report [`Input::Swapped`],
    /// [`Input::Stale`] or [`Input::Failed`].
    Swap {
        /// The text that it has to have; none expects none.
        expected: Option<String>,
        /// The text that it gets.
        new: String,
    },
    /// Call the provider's `send-message` at once, and report [`Input::Sent`].
    Send(S),
    /// Wait so many milliseconds, then report [`Input::Woke`].
    Sleep(u32),
    /// The call is over.
    Done(Result<T, Error<E>>),
}

/// A message that exists (WIT `once-created`).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Created {
    /// Its identifier.
    pub id: String,
    /// The reply, where it is at hand.
    pub json: Option<String>,
    /// Whether an earlier call created it.
    pub replayed: bool,
    /// Whether the journal has it.
    pub recorded: bool,
}

/// An event that the shell reports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input<E> {
    /// The call begins.
    Start,
    /// The key's text.
    Got(Option<String>),
    /// The text was replaced.
    Swapped,
    /// The text was another one: which.
    Stale(Option<String>),
    /// The journal gave no answer.
    Failed(JournalFailure),
    /// The provider's answer.
    Sent(Result<Message, Failed<E>>),
    /// The provider gave none: its call was cut off. Why.
    Lost(String),
    /// The pause is over.
    Woke,
}

/// A journal's failure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JournalFailure {
    /// Whether a text that was to be written certainly was not, and never will be.
    pub refused: bool,
    /// Text for a person.
    pub detail: String,
}

impl JournalFailure {
    /// A failure in the journal's own words.
    #[must_use]
    pub fn new(refused: bool, said: &str) -> Self {
        Self { refused, detail: ["journal: ", said].concat() }
    }
}

impl<E> From<JournalFailure> for Error<E> {
    /// The error of a call that only reads.
    fn from(failure: JournalFailure) -> Self {
        match failure.refused {
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
    name: String,
    deadline_ms: u32,
    rounds: u32,
    phase: Phase<E>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Phase<E> {
    /// Before the start, and after the end.
    Idle,
    /// A claim is under way.
    Claiming { expected: Option<String>, entry: Entry, tries: usize, doubt: bool },
    /// The text was asked for; `pause_ms` is the next one of who waits.
    Looking { tries: usize, pause_ms: u32 },
    /// Another caller is waited for.
    Waiting { pause_ms: u32 },
    /// The provider is at work.
    Sending { entry: Entry },
    /// The end is being noted.
    Settling(Box<Settling<E>>),
}

/// An end that is to be noted.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Settling<E> {
    /// The entry that claimed the key.
    entry: Entry,
    ended: Ended<E>,
    end: End,
    /// The swap that is under way.
    expected: Option<String>,
    new: String,
    tries: usize,
}

/// How the call ends.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Ended<E> {
    Created(Message),
    Proof(Failed<E>),
    Unknown(Unknown),
    GaveUp,
}

const GAVE_UP: &str =
    "the journal took so long that the request could have left after its time; it was not sent";

impl<E> SendOnce<E> {
    /// A call with this request. `salt` and `name` are random, the name without a like in the
    /// journal; `deadline_ms` is how long the provider takes at most.
    #[must_use]
    pub fn new(request: Request, salt: [u8; SALT_BYTES], name: String, deadline_ms: u32) -> Self {
        Self { request, salt, name, deadline_ms, rounds: 0, phase: Phase::Idle }
    }

    /// Takes what happened and says what to do next.
    pub fn next(&mut self, input: Input<E>, now: Now) -> Step<E> {
        match (core::mem::replace(&mut self.phase, Phase::Idle), input) {
            (Phase::Idle, Input::Start) => self.found(None, None, now),
            (Phase::Claiming { entry, .. }, Input::Swapped) => self.claimed(entry, now),
            (Phase::Claiming { .. }, Input::Stale(current)) => self.found(current, None, now),
            (Phase::Claiming { expected, entry, tries, doubt }, Input::Failed(failure)) => {
                let doubt = doubt || !failure.refused;
                match CLAIM_PAUSES_MS.get(tries) {
                    Some(pause) if !failure.refused => {
                        let tries = tries.saturating_add(1);
                        self.phase = Phase::Claiming { expected, entry, tries, doubt };
                        Step::Sleep(*pause)
                    }
                    _ if doubt => Step::Done(Err(Error::Unavailable(failure.detail))),
                    _ => Step::Done(Err(Error::Journal(failure.detail))),
                }
            }
            (Phase::Claiming { expected, entry, tries, doubt }, Input::Woke) => {
                let new = entry.text();
                self.phase = Phase::Claiming { expected: expected.clone(), entry, tries, doubt };
                Step::Swap { expected, new }
            }
            (Phase::Looking { pause_ms, .. }, Input::Got(current)) => {
                self.found(current, Some(pause_ms), now)
            }
            (Phase::Looking { tries, pause_ms }, Input::Failed(failure)) => {
                match CLAIM_PAUSES_MS.get(tries) {
                    Some(pause) if !failure.refused => {
                        self.phase = Phase::Looking { tries: tries.saturating_add(1), pause_ms };
                        Step::Sleep(*pause)
                    }
                    _ => Step::Done(Err(Error::Unavailable(failure.detail))),
                }
            }
            (Phase::Looking { tries, pause_ms }, Input::Woke) => {
                self.phase = Phase::Looking { tries, pause_ms };
                Step::Get
            }
            (Phase::Waiting { pause_ms }, Input::Woke) => {
                self.phase = Phase::Looking { tries: 0, pause_ms };
                Step::Get
            }
            (Phase::Sending { entry }, input) => {
                let ended = match input {
                    Input::Sent(Ok(message)) => Ended::Created(message),
                    Input::Sent(Err(failed)) => match failed.unknown() {
                        Some(unknown) => Ended::Unknown(unknown),
                        None => Ended::Proof(failed),
                    },
                    Input::Lost(detail) => Ended::Unknown(lost(detail)),
                    _ => Ended::Unknown(lost("the provider's call was lost".to_string())),
                };
                self.end(entry, ended, now)
            }
            (Phase::Settling(settling), Input::Swapped) => Step::Done(told(settling.ended, None)),
            (Phase::Settling(settling), Input::Stale(current)) => {
                self.settle(current, settling.entry, settling.ended, settling.end)
            }
            (Phase::Settling(mut settling), Input::Failed(failure)) => {
                match SETTLE_PAUSES_MS.get(settling.tries) {
                    Some(pause) if !failure.refused => {
                        settling.tries = settling.tries.saturating_add(1);
                        self.phase = Phase::Settling(settling);
                        Step::Sleep(*pause)
                    }
                    _ => Step::Done(told(settling.ended, Some(failure.detail))),
                }
            }
            (Phase::Settling(settling), Input::Woke) => {
                let Settling { expected, new, .. } = &*settling;
                let step = Step::Swap { expected: expected.clone(), new: new.clone() };
                self.phase = Phase::Settling(settling);
                step
            }
            // A shell that reports what was not asked for. Nothing was sent.
            _ => Step::Done(Err(Error::Unavailable(DRIVEN_WRONGLY.to_string()))),
        }
    }

    /// Decides by what the key has; `waited` is the next pause of who has waited.
    fn found(&mut self, current: Option<String>, waited: Option<u32>, now: Now) -> Step<E> {
        if self.rounds >= MAX_ROUNDS {
            let detail = "the key changes faster than it can be read".to_string();
            return Step::Done(Err(Error::Unavailable(detail)));
        }
        let attempt = Attempt::new(self.name.clone(), now, self.deadline_ms);
        let error = match decide::begin(current.as_deref(), &self.request, self.salt, attempt, now)
        {
            // A send takes as long as a call may: who has waited has no time left for one.
            Begin::Claim(_) if waited.is_some() => Error::Busy {
                detail: "another caller was at work under this key, and created nothing",
                retry_after_ms: 0,
            },
            Begin::Claim(entry) => {
                self.rounds = self.rounds.saturating_add(1);
                let new = entry.text();
                if new.len() > MAX_TEXT_BYTES {
                    return Step::Done(Err(Error::Journal("its entry is too long".to_string())));
                }
                let expected = current.clone();
                self.phase = Phase::Claiming { expected: current, entry, tries: 0, doubt: false };
                return Step::Swap { expected, new };
            }
            Begin::Claimed(entry) => return self.claimed(entry, now),
            Begin::Created { id, json } => {
                return Step::Done(Ok(Created { id, json, replayed: true, recorded: true }));
            }
            Begin::Live(left) => {
                let pause_ms = waited.unwrap_or(WAIT_MS);
                let over = now.elapsed_ms.saturating_add(u64::from(pause_ms));
                if over <= u64::from(self.deadline_ms) {
                    let next = pause_ms.saturating_mul(2).min(MAX_WAIT_MS);
                    self.phase = Phase::Waiting { pause_ms: next };
                    return Step::Sleep(pause_ms);
                }
                Error::Busy {
                    detail: "another caller is at work under this key",
                    retry_after_ms: left,
                }
            }
            Begin::Unknown(unknown) => Error::Unknown(unknown),
            Begin::Reused => Error::KeyReused,
            Begin::Forgotten { at_ms } => Error::KeyForgotten { at_ms },
            Begin::Unreadable(why) => Error::Journal(why),
        };
        Step::Done(Err(error))
    }

    /// The key is this call's, durably: sends, unless it is too late to begin.
    fn claimed(&mut self, entry: Entry, now: Now) -> Step<E> {
        let began = entry.attempt.began_ms;
        // On either clock: one of them may have stood still, or jumped. Who waited claims nothing,
        // so the call is no older than its claim and what the journal took.
        let late = now.wall_ms > began.saturating_add(SLACK_MS) || now.elapsed_ms > SLACK_MS;
        if late {
            return self.end(entry, Ended::GaveUp, now);
        }
        self.phase = Phase::Sending { entry };
        Step::Send(())
    }

    fn end(&mut self, entry: Entry, ended: Ended<E>, now: Now) -> Step<E> {
        let outcome = match &ended {
            Ended::Created(message) => decide::created(&message.id, &message.json),
            Ended::Proof(failed) => {
                Outcome::NotCreated { error: Some(failed.case.name().to_string()) }
            }
            Ended::GaveUp => Outcome::NotCreated { error: Some("unavailable".to_string()) },
            Ended::Unknown(unknown) => Outcome::Unknown(unknown.clone()),
        };
        let end = End { at_ms: now.wall_ms, outcome };
        let current = Some(entry.text());
        self.settle(current, entry, ended, end)
    }

    fn settle(
        &mut self,
        current: Option<String>,
        entry: Entry,
        ended: Ended<E>,
        end: End,
    ) -> Step<E> {
        if self.rounds >= MAX_ROUNDS {
            return Step::Done(told(ended, Some("the key changes all the time".to_string())));
        }
        self.rounds = self.rounds.saturating_add(1);
        match decide::settle(current.as_deref(), &entry, &end) {
            Settle::Noted => Step::Done(told(ended, None)),
            Settle::Lost(why) => Step::Done(told(ended, Some(why))),
            Settle::Write(new) => {
                let step = Step::Swap { expected: current.clone(), new: new.clone() };
                let settling = Settling { entry, ended, end, expected: current, new, tries: 0 };
                self.phase = Phase::Settling(Box::new(settling));
                step
            }
        }
    }
}

fn lost(detail: String) -> Unknown {
    Unknown { stage: Stage::SendingRequest, detail, status: None, refusal: None }
}

/// Returns what the caller is told; `not_noted` says why the journal does not have it.
fn told<E>(ended: Ended<E>, not_noted: Option<String>) -> Result<Created, Error<E>> {
    let and = |detail: &str, why: &str| [detail, "; the journal could not note it: ", why].concat();
    match (ended, not_noted) {
        (Ended::Created(Message { id, json }), why) => {
            Ok(Created { id, json: Some(json), replayed: false, recorded: why.is_none() })
        }
        (Ended::Unknown(mut unknown), Some(why)) => {
            unknown.detail = and(&unknown.detail, &why);
            Err(Error::Unknown(unknown))
        }
        (Ended::Unknown(unknown), None) => Err(Error::Unknown(unknown)),
        (Ended::Proof(failed), Some(why)) => {
            Err(Error::NotRecorded { error: failed.case.name(), detail: and(&failed.detail, &why) })
        }
        (Ended::Proof(failed), None) => Err(Error::Provider(failed)),
        (Ended::GaveUp, Some(why)) => {
            Err(Error::NotRecorded { error: "unavailable", detail: and(GAVE_UP, &why) })
        }
        (Ended::GaveUp, None) => Err(Error::Unavailable(GAVE_UP.to_string())),
    }
}
