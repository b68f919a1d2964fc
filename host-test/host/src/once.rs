//! Idempotent sends (`wit/once.wit`): at most one message for each key, across calls, processes and
//! restarts. Drives the state machine of `messaging_core::once` over any provider and any journal.
//!
//! ```text
//! Once        in this process, over a provider and a journal; for Rust programs
//! component   a component that exports `once`, with its provider inside
//! SendOnce    the trait that both implement
//! retention   deletion of old outcomes, in batches
//! ```

mod component;
pub mod json;
mod retention;

use std::convert::Infallible;
use std::future::Ready;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use messaging_core::once::change::{Change, Changing};
use messaging_core::once::digest::SALT_BYTES;
use messaging_core::once::send::{self, ATTEMPT_ID_BYTES, Input, JournalFailure, Step};
use messaging_core::once::{Error, Key, Now, settings};

use crate::error::CallError;
use crate::journal::{Journal, wit as journal};
use crate::messaging::Messaging;
use crate::random;
use crate::types::{
    answered, created, digested, entry_page, invalid_key, looked_up, once_error, resolution,
    wit as messaging,
};

pub use component::{Component, INTERFACE, OnceConfig};
pub use retention::{Retention, forget_all_older};

/// The types of the interface `once`, generated from `wit/types.wit`.
pub mod wit {
    pub use crate::types::once_wit::*;
    pub use crate::types::wit::{Field, FieldDetail, MessageRequest, Stage};
}

/// Maximum duration of `send-once` in addition to the provider's deadline, if the journal responds
/// in time.
pub const DEADLINE_MARGIN: Duration = Duration::from_secs(15);

/// An implementation of the interface `once`.
pub trait SendOnce: Sync {
    /// Creates a message unless the key has one already.
    fn send_once(
        &self,
        key: &str,
        request: &wit::MessageRequest,
    ) -> impl Future<Output = Called<wit::OnceCreated>> + Send;

    /// Returns the journal's entry for a key (read-only).
    fn look_up(&self, key: &str) -> impl Future<Output = Called<Option<wit::JournalEntry>>> + Send;

    /// Returns a page of entries (read-only).
    fn list_entries(
        &self,
        after: Option<String>,
    ) -> impl Future<Output = Called<wit::EntryPage>> + Send;

    /// Resolves a key whose outcome is unknown.
    fn resolve(
        &self,
        key: &str,
        resolution: &wit::Resolution,
    ) -> impl Future<Output = Called<()>> + Send;

    /// Forgets the outcome of a key. The key stays reserved.
    fn forget(&self, key: &str) -> impl Future<Output = Called<()>> + Send;
}

/// The result of a call: a response, or the reason why there is no response. In both cases the
/// caller can retry without creating a second message.
pub type Called<T> = Result<Result<T, wit::OnceError>, CallError>;

/// Idempotent sends over a provider and a journal. Clones share both.
///
/// If a call is dropped or its process ends, the entry in the journal does not change. The outcome
/// is then unknown if the request may have left. Use `tokio::spawn` for a call whose caller may be
/// canceled.
#[derive(Clone)]
pub struct Once<M> {
    provider: M,
    journal: Arc<dyn Journal>,
    deadline_ms: u32,
}

impl<M: Messaging> Once<M> {
    /// Creates a sender. `deadline` is the maximum duration of the provider's `send-message`; use
    /// the value of its `MESSAGING_DEADLINE_MS`. All callers that share the journal wait this long
    /// for a sender. They treat the sender as lost 10 s later.
    pub fn new(provider: M, journal: Arc<dyn Journal>, deadline: Duration) -> Self {
        let deadline_ms = u32::try_from(deadline.as_millis()).unwrap_or(u32::MAX);
        Self { provider, journal, deadline_ms: deadline_ms.clamp(1, settings::MAX_DEADLINE_MS) }
    }

    /// Returns the provider.
    pub fn provider(&self) -> &M {
        &self.provider
    }

    /// Returns the journal, for [`look_up`], [`list_entries`], [`resolve`] and [`forget`].
    pub fn journal(&self) -> &dyn Journal {
        &*self.journal
    }

    /// Creates a message unless the key has one already.
    ///
    /// # Errors
    /// Returns an `OnceError` as specified in `wit/once.wit`. The caller can retry after every
    /// error.
    pub async fn send_once(
        &self,
        key: &str,
        request: &wit::MessageRequest,
    ) -> Result<wit::OnceCreated, wit::OnceError> {
        let call = Call::new(key)?;
        let (mut salt, mut attempt_id) = ([0; SALT_BYTES], [0; ATTEMPT_ID_BYTES]);
        // Uses the operating system's generator, because a generator in this process would repeat
        // its numbers in a copy of the process.
        let filled = random::fill(&mut salt).and_then(|()| random::fill(&mut attempt_id));
        filled.map_err(|error| once_error(Error::Unavailable(error.to_string())))?;
        let attempt_id = messaging_core::names::hex::encode(&attempt_id);
        let content = digested(request, self.provider.service().as_deref());
        let mut machine = send::SendOnce::new(content, salt, attempt_id, self.deadline_ms);
        let result = call.run(
            &*self.journal,
            |input, now| machine.next(input, now),
            |()| self.send(request),
        );
        result.await.map(created).map_err(once_error)
    }

    async fn send(&self, request: &wit::MessageRequest) -> CallInput {
        match self.provider.send_message(request).await {
            Ok(result) => Input::Sent(answered(result)),
            Err(error) if error.is_not_sent() => {
                let not_sent = messaging::NotSent { detail: error.to_string() };
                Input::Sent(answered(Err(messaging::Error::NotSent(not_sent))))
            }
            Err(error) => Input::Lost(error.to_string()),
        }
    }
}

impl<M: Messaging> SendOnce for Once<M> {
    async fn send_once(
        &self,
        key: &str,
        request: &wit::MessageRequest,
    ) -> Called<wit::OnceCreated> {
        Ok(Once::send_once(self, key, request).await)
    }

    async fn look_up(&self, key: &str) -> Called<Option<wit::JournalEntry>> {
        Ok(look_up(self.journal(), key).await)
    }

    async fn list_entries(&self, after: Option<String>) -> Called<wit::EntryPage> {
        Ok(list_entries(self.journal(), after).await)
    }

    async fn resolve(&self, key: &str, resolution: &wit::Resolution) -> Called<()> {
        Ok(resolve(self.journal(), key, resolution).await)
    }

    async fn forget(&self, key: &str) -> Called<()> {
        Ok(forget(self.journal(), key).await)
    }
}

/// Returns a journal's entry for a key (read-only). Needs no provider, so operators can use it.
///
/// # Errors
/// Returns `PermanentInvalidInput` if `key` is invalid, and another error if the journal does not
/// respond.
pub async fn look_up(
    journal: &dyn Journal,
    key: &str,
) -> Result<Option<wit::JournalEntry>, wit::OnceError> {
    let call = Call::new(key)?;
    let text = journal.get(call.key()).await.map_err(unreachable)?;
    looked_up(&call.key, text.as_deref(), call.now())
}

/// Returns a page of a journal's entries (read-only). Needs no provider.
///
/// # Errors
/// Returns an `OnceError` if the journal does not respond.
pub async fn list_entries(
    journal: &dyn Journal,
    after: Option<String>,
) -> Result<wit::EntryPage, wit::OnceError> {
    let page = journal.list_items(after).await.map_err(unreachable)?;
    Ok(entry_page(page, now(Instant::now())))
}

/// Resolves a key whose outcome is unknown. Needs no provider.
///
/// # Errors
/// Returns an `OnceError` as specified in `wit/once.wit`.
pub async fn resolve(
    journal: &dyn Journal,
    key: &str,
    given: &wit::Resolution,
) -> Result<(), wit::OnceError> {
    change(journal, key, Change::Resolve(resolution(given.clone())?)).await
}

/// Forgets the outcome of a key, which stays reserved. Needs no provider.
///
/// # Errors
/// Returns an `OnceError` as specified in `wit/once.wit`.
pub async fn forget(journal: &dyn Journal, key: &str) -> Result<(), wit::OnceError> {
    change(journal, key, Change::Forget).await
}

async fn change(journal: &dyn Journal, key: &str, change: Change) -> Result<(), wit::OnceError> {
    let call = Call::new(key)?;
    let mut machine = Changing::new(change);
    let next = |input, now| machine.next(input, now);
    let never = |never: Infallible| -> Ready<CallInput> { match never {} };
    call.run(journal, next, never).await.map_err(once_error)
}

type CallInput = Input<messaging::Error>;
type CallStep<T, S> = Step<messaging::Error, T, S>;

/// A call for one key.
struct Call {
    key: Key,
    start: Instant,
}

impl Call {
    fn new(key: &str) -> Result<Self, wit::OnceError> {
        let key = Key::new(key).map_err(invalid_key)?;
        Ok(Self { key, start: Instant::now() })
    }

    /// Performs all steps of a state machine. `send` calls the provider.
    async fn run<T, S, F: Future<Output = CallInput>>(
        &self,
        journal: &dyn Journal,
        mut next: impl FnMut(CallInput, Now) -> CallStep<T, S>,
        send: impl Fn(S) -> F,
    ) -> Result<T, Error<messaging::Error>> {
        let mut input = Input::Start;
        loop {
            input = match next(input, self.now()) {
                Step::Get => match journal.get(self.key()).await {
                    Ok(found) => Input::Got(found),
                    Err(error) => Input::Failed(failure(error)),
                },
                Step::Swap { expected, new } => {
                    match journal.swap(self.key(), expected, new).await {
                        Ok(journal::SwapOutcome::Swapped) => Input::Swapped,
                        Ok(journal::SwapOutcome::Stale(found)) => Input::Stale(found),
                        Err(error) => Input::Failed(failure(error)),
                    }
                }
                Step::Send(given) => send(given).await,
                Step::Sleep(ms) => {
                    tokio::time::sleep(Duration::from_millis(ms.into())).await;
                    Input::Woke
                }
                Step::Done(result) => return result,
            };
        }
    }

    fn key(&self) -> &str {
        self.key.as_str()
    }

    fn now(&self) -> Now {
        now(self.start)
    }
}

/// Returns the wall-clock time, and the monotonic time since `start`.
fn now(start: Instant) -> Now {
    let millis = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
    let wall = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Now { wall_ms: millis(wall), elapsed_ms: millis(start.elapsed()) }
}

/// Converts a journal error to the input of a state machine.
fn failure(error: journal::JournalError) -> JournalFailure {
    let (refused, detail) = match error {
        journal::JournalError::ExecutionFailed => {
            (false, "the engine could not run the call".to_string())
        }
        journal::JournalError::PermanentNotSetUp(said)
        | journal::JournalError::PermanentRejected(said) => (true, said.detail),
        journal::JournalError::Unavailable(said) => (false, said.detail),
    };
    JournalFailure::new(refused, &detail)
}

/// Converts a journal error of a read-only call to an `OnceError`.
fn unreachable(error: journal::JournalError) -> wit::OnceError {
    once_error(failure(error).into())
}

/// A case of `once-error` that the interface `messaging` does not have.
#[derive(Clone, Copy, Debug)]
pub enum Own<'a> {
    /// The payload of `permanent-key-reused`.
    KeyReused(&'a wit::Failure),
    /// The payload of `permanent-key-forgotten`.
    KeyForgotten(&'a wit::Failure),
    /// The payload of `permanent-not-recorded`.
    NotRecorded(&'a wit::NotRecorded),
    /// The payload of `permanent-journal`.
    Journal(&'a wit::Failure),
    /// The payload of `busy`.
    Busy(&'a wit::Busy),
}

impl Own<'_> {
    /// Returns the name of the case in the WIT.
    pub fn name(self) -> &'static str {
        match self {
            Self::KeyReused(_) => "permanent-key-reused",
            Self::KeyForgotten(_) => "permanent-key-forgotten",
            Self::NotRecorded(_) => "permanent-not-recorded",
            Self::Journal(_) => "permanent-journal",
            Self::Busy(_) => "busy",
        }
    }
}

/// Converts a `once-error` to the `error` with the same case and payload.
///
/// # Errors
///
/// Returns the case if only `once` has it.
pub fn split(error: &wit::OnceError) -> Result<messaging::Error, Own<'_>> {
    use messaging::Error;
    use wit::OnceError;
    Ok(match error {
        OnceError::ExecutionFailed => Error::ExecutionFailed,
        OnceError::PermanentInvalidInput(said) => Error::PermanentInvalidInput(said.clone()),
        OnceError::PermanentInvalidSettings(said) => Error::PermanentInvalidSettings(said.clone()),
        OnceError::PermanentUnauthorized(said) => Error::PermanentUnauthorized(said.clone()),
        OnceError::PermanentRefused(said) => Error::PermanentRefused(said.clone()),
        OnceError::PermanentOutcomeUnknown(said) => Error::PermanentOutcomeUnknown(said.clone()),
        OnceError::PermanentDenied(said) => Error::PermanentDenied(said.clone()),
        OnceError::RateLimited(said) => Error::RateLimited(said.clone()),
        OnceError::NotSent(said) => Error::NotSent(said.clone()),
        OnceError::Unavailable(said) => Error::Unavailable(said.clone()),
        OnceError::PermanentOther(said) => Error::PermanentOther(said.clone()),
        OnceError::PermanentKeyReused(said) => return Err(Own::KeyReused(said)),
        OnceError::PermanentKeyForgotten(said) => return Err(Own::KeyForgotten(said)),
        OnceError::PermanentNotRecorded(said) => return Err(Own::NotRecorded(said)),
        OnceError::PermanentJournal(said) => return Err(Own::Journal(said)),
        OnceError::Busy(said) => return Err(Own::Busy(said)),
    })
}

/// Returns the name of an error's case.
pub fn case(error: &wit::OnceError) -> &'static str {
    match split(error) {
        Ok(shared) => crate::outcome::case(&shared),
        Err(own) => own.name(),
    }
}
