//! One state machine for each operation. Converts between the types of the WIT and of the core, and
//! rejects inputs that do not match the last step.

use alloc::boxed::Box;
use alloc::string::String;

use messaging_core::once::change::{Change, Changing};
use messaging_core::once::digest::SALT_BYTES;
use messaging_core::once::provider::{Failed, Message};
use messaging_core::once::send::{
    ATTEMPT_ID_BYTES, Input, JournalFailure, SendOnce, Step, UNEXPECTED_INPUT,
};
use messaging_core::once::{Error, Key, Now, settings};

use crate::wit;

messaging_core::unknown_conversions!(crate::types);
messaging_core::once_conversions!(crate::types, crate::once_types, (), wit::Page);

/// The state machine of a call.
pub enum Machine {
    SendOnce(Box<SendOnce<()>>),
    LookUp(Key),
    ListEntries(Option<String>),
    Change(Changing),
}

impl Machine {
    /// Checks the arguments of an operation and creates its machine.
    pub fn new(operation: wit::Operation) -> Result<Self, wit::CallError> {
        match operation {
            wit::Operation::SendOnce(given) => {
                Key::new(given.key).map_err(invalid_key)?;
                let not_random = || other("not-random", "a send needs 32 random bytes");
                let (salt, rest) =
                    given.random.split_first_chunk::<SALT_BYTES>().ok_or_else(not_random)?;
                let (name, _) =
                    rest.split_first_chunk::<ATTEMPT_ID_BYTES>().ok_or_else(not_random)?;
                let name = messaging_core::names::hex::encode(name);
                let deadline_ms = given.deadline_ms.unwrap_or(settings::DEFAULT_DEADLINE_MS);
                let deadline_ms = deadline_ms.clamp(1, settings::MAX_DEADLINE_MS);
                let content = digested(&given.request, given.base_url.as_deref());
                let machine = SendOnce::new(content, *salt, name, deadline_ms);
                Ok(Self::SendOnce(Box::new(machine)))
            }
            wit::Operation::LookUp(key) => Ok(Self::LookUp(Key::new(key).map_err(invalid_key)?)),
            wit::Operation::ListEntries(after) => Ok(Self::ListEntries(after)),
            wit::Operation::Resolve(given) => {
                Key::new(given.key).map_err(invalid_key)?;
                Ok(Self::Change(Changing::new(Change::Resolve(resolution(given.resolution)?))))
            }
            wit::Operation::Forget(key) => {
                Key::new(key).map_err(invalid_key)?;
                Ok(Self::Change(Changing::new(Change::Forget)))
            }
        }
    }

    /// Advances the call with the result of the last step; `None` starts the call. Returns the next
    /// step.
    pub fn next(&mut self, input: Option<wit::Input>, now: Now) -> wit::Step {
        match self {
            Self::SendOnce(machine) => {
                let to_answer = |message| wit::Answer::Created(created(message));
                step(machine.next(happened(input), now), to_answer)
            }
            Self::Change(machine) => {
                step(machine.next(happened(input), now), |()| wit::Answer::Changed)
            }
            Self::LookUp(key) => match input {
                None => wit::Step::Get,
                Some(wit::Input::Found(text)) => {
                    done(looked_up(key, text.as_deref(), now).map(wit::Answer::Entry))
                }
                Some(wit::Input::JournalFailed(said)) => unanswered(said),
                Some(_) => unfit(),
            },
            Self::ListEntries(after) => match input {
                None => wit::Step::ListItems(after.take()),
                Some(wit::Input::Listed(page)) => {
                    done(Ok(wit::Answer::Entries(entry_page(page, now))))
                }
                Some(wit::Input::JournalFailed(said)) => unanswered(said),
                Some(_) => unfit(),
            },
        }
    }
}

/// Returns an error that the core does not define.
pub fn other(code: &str, detail: &str) -> wit::CallError {
    wit::CallError::PermanentOther(wit::Other {
        code: code.into(),
        detail: detail.into(),
        status: None,
    })
}

/// Returns `provider-error`, which means that the provider proved that nothing was created. The
/// driver has the original error.
fn proof((): ()) -> wit::CallError {
    wit::CallError::ProviderError
}

fn done(result: Result<wit::Answer, wit::CallError>) -> wit::Step {
    wit::Step::Done(result)
}

fn unfit() -> wit::Step {
    done(Err(once_error(Error::Unavailable(UNEXPECTED_INPUT.into()))))
}

fn failure(said: wit::JournalFailed) -> JournalFailure {
    JournalFailure::new(said.refused, &said.detail)
}

/// Returns the final step of a read-only call after a journal error.
fn unanswered(said: wit::JournalFailed) -> wit::Step {
    done(Err(once_error(failure(said).into())))
}

fn happened(input: Option<wit::Input>) -> Input<()> {
    match input {
        None => Input::Start,
        Some(wit::Input::Found(text)) => Input::Got(text),
        Some(wit::Input::Swapped) => Input::Swapped,
        Some(wit::Input::Stale(text)) => Input::Stale(text),
        Some(wit::Input::JournalFailed(said)) => Input::Failed(failure(said)),
        Some(wit::Input::Created(wit::CreatedMessage { id, json })) => {
            Input::Sent(Ok(Message { id, json }))
        }
        Some(wit::Input::Failed(said)) => {
            let unknown = said.unknown.map(Into::into);
            Input::Sent(Err(Failed::reported(&said.name, said.detail, unknown)))
        }
        Some(wit::Input::Lost(detail)) => Input::Lost(detail),
        Some(wit::Input::Woke) => Input::Woke,
        // `SendOnce` and `Changing` never ask for a list, so this input matches no step. After
        // `send`, it makes the outcome unknown.
        Some(wit::Input::Listed(_)) => Input::Lost(UNEXPECTED_INPUT.into()),
    }
}

fn step<T, S>(step: Step<(), T, S>, answer: impl FnOnce(T) -> wit::Answer) -> wit::Step {
    match step {
        Step::Get => wit::Step::Get,
        Step::Swap { expected, new } => wit::Step::Swap(wit::Swap { expected, new }),
        Step::Send(_) => wit::Step::Send,
        Step::Sleep(ms) => wit::Step::Sleep(ms),
        Step::Done(Ok(value)) => done(Ok(answer(value))),
        Step::Done(Err(error)) => done(Err(once_error(error))),
    }
}
