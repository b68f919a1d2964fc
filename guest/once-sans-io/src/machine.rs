//! The machine of each operation, between the interface's types and those of the core. Decides
//! nothing but that an input does not fit.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use messaging_once_core::change::{self, Change, Changing};
use messaging_once_core::digest::SALT_BYTES;
use messaging_once_core::provider::{Failed, Message};
use messaging_once_core::send::{self, JournalFailure, SendOnce};
use messaging_once_core::{Error, Kept, Key, Now, settings};

use crate::wit;

messaging_once_core::conversions!(crate::wit, ());
messaging_once_core::said_conversions!(crate::wit);

/// Bytes of an attempt's name.
const NAME_BYTES: usize = 16;
const DRIVEN_WRONGLY: &str = "the call was driven wrongly";

/// The call's machine.
pub enum Machine {
    SendOnce(Box<SendOnce<()>>),
    LookUp(Key),
    ListEntries(Option<String>),
    Change(Changing),
}

impl Machine {
    /// The machine of an operation, whose arguments are checked.
    pub fn new(operation: wit::Operation) -> Result<Self, wit::OnceError> {
        match operation {
            wit::Operation::SendOnce(given) => {
                check(given.key)?;
                let not_random =
                    || other("not-random", "a send takes 32 random bytes, and was given fewer");
                let (salt, rest) =
                    given.random.split_first_chunk::<SALT_BYTES>().ok_or_else(not_random)?;
                let (name, _) = rest.split_first_chunk::<NAME_BYTES>().ok_or_else(not_random)?;
                let name = messaging_names::hex::encode(name);
                let deadline_ms = given.deadline_ms.unwrap_or(settings::DEFAULT_DEADLINE_MS);
                let deadline_ms = deadline_ms.clamp(1, settings::MAX_DEADLINE_MS);
                let machine = SendOnce::new(digested(&given.request), *salt, name, deadline_ms);
                Ok(Self::SendOnce(Box::new(machine)))
            }
            wit::Operation::LookUp(key) => Ok(Self::LookUp(check(key)?)),
            wit::Operation::ListEntries(after) => Ok(Self::ListEntries(after)),
            wit::Operation::Resolve(given) => {
                check(given.key)?;
                Ok(Self::Change(Changing::new(Change::Resolve(resolution(given.resolution)?))))
            }
            wit::Operation::Forget(key) => {
                check(key)?;
                Ok(Self::Change(Changing::new(Change::Forget)))
            }
        }
    }

    /// Takes what became of the last step, none at the start, and says what is next.
    pub fn next(&mut self, input: Option<wit::Input>, now: Now) -> wit::Step {
        match self {
            Self::SendOnce(machine) => sending(machine.next(sent(input), now)),
            Self::Change(machine) => match changed(input) {
                Some(input) => changing(machine.next(input, now)),
                None => unfit(),
            },
            Self::LookUp(key) => match input {
                None => wit::Step::Get,
                Some(wit::Input::Found(text)) => done(look_up(key, text, now)),
                Some(wit::Input::JournalFailed(said)) => unanswered(said),
                Some(_) => unfit(),
            },
            Self::ListEntries(after) => match input {
                None => wit::Step::ListItems(after.take()),
                Some(wit::Input::Listed(page)) => done(Ok(entries(page, now))),
                Some(wit::Input::JournalFailed(said)) => unanswered(said),
                Some(_) => unfit(),
            },
        }
    }
}

/// An error that the core does not have.
pub fn other(code: &str, detail: &str) -> wit::OnceError {
    wit::OnceError::PermanentOther(wit::Other {
        code: code.into(),
        detail: detail.into(),
        status: None,
    })
}

/// The error of a provider that proves that nothing was created stays with the driver.
fn proof((): ()) -> wit::OnceError {
    wit::OnceError::ProviderError
}

fn check(key: String) -> Result<Key, wit::OnceError> {
    Key::new(key).map_err(|invalid| {
        once_error(Error::InvalidInput { field: "key", detail: invalid.reason() })
    })
}

fn done(result: Result<wit::Answer, wit::OnceError>) -> wit::Step {
    wit::Step::Done(result)
}

fn unfit() -> wit::Step {
    done(Err(once_error(Error::Unavailable(DRIVEN_WRONGLY.into()))))
}

fn failure(said: wit::JournalFailed) -> JournalFailure {
    JournalFailure { refused: said.refused, detail: ["journal: ", &said.detail].concat() }
}

/// The end of a call that only reads.
fn unanswered(said: wit::JournalFailed) -> wit::Step {
    done(Err(once_error(failure(said).into())))
}

fn sent(input: Option<wit::Input>) -> send::Input<()> {
    match input {
        None => send::Input::Start,
        Some(wit::Input::Found(text)) => send::Input::Got(text),
        Some(wit::Input::Swapped) => send::Input::Swapped,
        Some(wit::Input::Stale(text)) => send::Input::Stale(text),
        Some(wit::Input::JournalFailed(said)) => send::Input::Failed(failure(said)),
        Some(wit::Input::Created(wit::CreatedMessage { id, json })) => {
            send::Input::Sent(Ok(Message { id, json }))
        }
        Some(wit::Input::Failed(said)) => {
            let unknown = said.unknown.as_ref().map(unknown_of);
            send::Input::Sent(Err(Failed::reported(&said.name, said.detail, unknown)))
        }
        Some(wit::Input::Lost(detail)) => send::Input::Lost(detail),
        Some(wit::Input::Woke) => send::Input::Woke,
        // After `send` an unknown outcome, and otherwise no input that the machine asked for.
        Some(wit::Input::Listed(_)) => send::Input::Lost(DRIVEN_WRONGLY.into()),
    }
}

fn sending(step: send::Step<()>) -> wit::Step {
    match step {
        send::Step::Get => wit::Step::Get,
        send::Step::Swap { expected, new } => wit::Step::Swap(wit::Swap { expected, new }),
        send::Step::Send => wit::Step::Send,
        send::Step::Sleep(ms) => wit::Step::Sleep(ms),
        send::Step::Done(Ok(message)) => done(Ok(wit::Answer::Created(created(message)))),
        send::Step::Done(Err(error)) => done(Err(once_error(error))),
    }
}

fn changed(input: Option<wit::Input>) -> Option<change::Input> {
    Some(match input {
        None => change::Input::Start,
        Some(wit::Input::Found(text)) => change::Input::Got(text),
        Some(wit::Input::Swapped) => change::Input::Swapped,
        Some(wit::Input::Stale(text)) => change::Input::Stale(text),
        Some(wit::Input::JournalFailed(said)) => change::Input::Failed(failure(said)),
        Some(wit::Input::Woke) => change::Input::Woke,
        Some(_) => return None,
    })
}

fn changing(step: change::Step<()>) -> wit::Step {
    match step {
        change::Step::Get => wit::Step::Get,
        change::Step::Swap { expected, new } => wit::Step::Swap(wit::Swap { expected, new }),
        change::Step::Sleep(ms) => wit::Step::Sleep(ms),
        change::Step::Done(Ok(())) => done(Ok(wit::Answer::Changed)),
        change::Step::Done(Err(error)) => done(Err(once_error(error))),
    }
}

fn look_up(key: &Key, text: Option<String>, now: Now) -> Result<wit::Answer, wit::OnceError> {
    let Some(text) = text else { return Ok(wit::Answer::Entry(None)) };
    match Kept::read(&text) {
        Ok(kept) => Ok(wit::Answer::Entry(Some(journal_entry(key.as_str(), kept, now)))),
        Err(unreadable) => Err(once_error(Error::Journal(unreadable.0))),
    }
}

fn entries(page: wit::Page, now: Now) -> wit::Answer {
    let (mut entries, mut unreadable) = (Vec::new(), Vec::new());
    for item in page.items {
        match Kept::read(&item.text) {
            Ok(kept) => entries.push(journal_entry(&item.key, kept, now)),
            Err(_) => unreadable.push(item.key),
        }
    }
    wit::Answer::Entries(wit::EntryPage { entries, unreadable, next: page.next })
}
