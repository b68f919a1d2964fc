//! A send that may be repeated (`wit/once.wit`): under one key at most one message, across calls,
//! processes and restarts. Drives the machine of `messaging-once-core` over any provider and any
//! journal.
//!
//! ```text
//! Once        in this process, over a provider and a journal: what a Rust program embeds
//! component   a component that does the same, with its provider inside
//! SendOnce    either of them
//! retention   what became of old keys, forgotten many at a time
//! ```

mod component;
pub mod json;
mod retention;

use std::convert::Infallible;
use std::future::Ready;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use messaging_once_core::change::{Change, Changing};
use messaging_once_core::digest::SALT_BYTES;
use messaging_once_core::send::{self, ATTEMPT_ID_BYTES, Input, JournalFailure, Step};
use messaging_once_core::{Error, Key, Now, settings};

use crate::error::CallError;
use crate::journal::{Journal, wit as journal};
use crate::messaging::Messaging;
use crate::random;
use crate::wit as messaging;

pub use component::{Component, INTERFACE, OnceConfig};
pub use retention::{Retention, forget_all_older};

/// The types of the interface `once`, generated from `wit/types.wit`.
pub mod wit {
    pub use super::component::wit::*;
    pub use crate::wit::{Field, FieldDetail, MessageRequest, Stage};
}

messaging_once_core::conversions!(crate::wit, crate::once::wit, crate::wit::Error, journal::Page);
messaging_once_core::provider_conversions!();

/// Time that a call of `send-once` takes at most beside the provider's deadline, unless the
/// journal hangs.
pub const BESIDE_THE_DEADLINE: Duration = Duration::from_secs(15);

/// An implementation of the interface `once`.
pub trait SendOnce: Sync {
    /// Creates one message, unless the key has one.
    fn send_once(
        &self,
        key: &str,
        request: &wit::MessageRequest,
    ) -> impl Future<Output = Called<wit::OnceCreated>> + Send;

    /// Returns what the journal has of a key; only reads.
    fn look_up(&self, key: &str) -> impl Future<Output = Called<Option<wit::JournalEntry>>> + Send;

    /// A page of entries; only reads.
    fn list_entries(
        &self,
        after: Option<String>,
    ) -> impl Future<Output = Called<wit::EntryPage>> + Send;

    /// Says what became of a key whose outcome is unknown.
    fn resolve(
        &self,
        key: &str,
        resolution: &wit::Resolution,
    ) -> impl Future<Output = Called<()>> + Send;

    /// Forgets what became of a key.
    fn forget(&self, key: &str) -> impl Future<Output = Called<()>> + Send;
}

/// The end of a call: an answer, or why there is none. After either the same call can be made
/// again, and creates no second message.
pub type Called<T> = Result<Result<T, wit::OnceError>, CallError>;

/// A send that may be repeated, over a provider and a journal. Clones share both.
///
/// A call that is dropped before its end, or whose process ends, leaves its key as it is in the
/// journal: where its request may have left, the outcome is unknown. So let a call come to its end
/// (`tokio::spawn`) where its caller may go away.
#[derive(Clone)]
pub struct Once<M> {
    provider: M,
    journal: Arc<dyn Journal>,
    deadline_ms: u32,
}

impl<M: Messaging> Once<M> {
    /// `deadline` is how long one `send-message` of the provider takes at most: what its
    /// `MESSAGING_DEADLINE_MS` says. Everybody who shares the journal waits for a sender that
    /// long, and calls it lost after 10 s more.
    #[must_use]
    pub fn new(provider: M, journal: Arc<dyn Journal>, deadline: Duration) -> Self {
        let deadline_ms = u32::try_from(deadline.as_millis()).unwrap_or(u32::MAX);
        Self { provider, journal, deadline_ms: deadline_ms.clamp(1, settings::MAX_DEADLINE_MS) }
    }

    /// Returns the provider.
    #[must_use]
    pub fn provider(&self) -> &M {
        &self.provider
    }

    /// Returns the journal, for [`look_up`], [`list_entries`], [`resolve`] and [`forget`].
    #[must_use]
    pub fn journal(&self) -> &dyn Journal {
        &*self.journal
    }

    /// Creates one message, unless the key has one.
    ///
    /// # Errors
    /// As the interface says: whichever it is, the same call can be made again.
    pub async fn send_once(
        &self,
        key: &str,
        request: &wit::MessageRequest,
    ) -> Result<wit::OnceCreated, wit::OnceError> {
        let call = Call::new(key)?;
        let (mut salt, mut attempt_id) = ([0; SALT_BYTES], [0; ATTEMPT_ID_BYTES]);
        // Not from a generator in this process, because a copy of the process repeats its numbers.
        let filled = random::fill(&mut salt).and_then(|()| random::fill(&mut attempt_id));
        filled.map_err(|error| once_error(Error::Unavailable(error.to_string())))?;
        let attempt_id = messaging_names::hex::encode(&attempt_id);
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

/// Returns what a journal has of a key; only reads. For operators, who have no provider at hand.
///
/// # Errors
/// The key is none, or the journal does not answer.
pub async fn look_up(
    journal: &dyn Journal,
    key: &str,
) -> Result<Option<wit::JournalEntry>, wit::OnceError> {
    let call = Call::new(key)?;
    let text = journal.get(call.key()).await.map_err(unreachable)?;
    looked_up(&call.key, text.as_deref(), call.now())
}

/// A page of a journal's entries; only reads.
///
/// # Errors
/// The journal does not answer.
pub async fn list_entries(
    journal: &dyn Journal,
    after: Option<String>,
) -> Result<wit::EntryPage, wit::OnceError> {
    let page = journal.list_items(after).await.map_err(unreachable)?;
    Ok(entry_page(page, now(Instant::now())))
}

/// Says what became of a key whose outcome is unknown.
///
/// # Errors
/// As the interface says.
pub async fn resolve(
    journal: &dyn Journal,
    key: &str,
    given: &wit::Resolution,
) -> Result<(), wit::OnceError> {
    change(journal, key, Change::Resolve(resolution(given.clone())?)).await
}

/// Forgets what became of a key.
///
/// # Errors
/// As the interface says.
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

/// A call under a key.
struct Call {
    key: Key,
    start: Instant,
}

impl Call {
    fn new(key: &str) -> Result<Self, wit::OnceError> {
        let key = Key::new(key).map_err(invalid_key)?;
        Ok(Self { key, start: Instant::now() })
    }

    /// Brings a machine to its end; `send` calls the provider.
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

/// The time on both clocks, of a call that began at `start`.
fn now(start: Instant) -> Now {
    let millis = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
    let wall = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Now { wall_ms: millis(wall), elapsed_ms: millis(start.elapsed()) }
}

/// A journal's error as the machines know it.
fn failure(error: journal::JournalError) -> JournalFailure {
    let (refused, detail) = match error {
        journal::JournalError::ExecutionFailed => {
            (false, "the engine could not run it".to_string())
        }
        journal::JournalError::PermanentNotSetUp(said)
        | journal::JournalError::PermanentRejected(said) => (true, said.detail),
        journal::JournalError::Unavailable(said) => (false, said.detail),
    };
    JournalFailure::new(refused, &detail)
}

/// The error of a call that only reads.
fn unreachable(error: journal::JournalError) -> wit::OnceError {
    once_error(failure(error).into())
}

/// Returns the name of an error's case.
#[must_use]
pub fn case(error: &wit::OnceError) -> &'static str {
    use wit::OnceError;
    match error {
        OnceError::ExecutionFailed => "execution-failed",
        OnceError::PermanentInvalidInput(_) => "permanent-invalid-input",
        OnceError::PermanentInvalidSettings(_) => "permanent-invalid-settings",
        OnceError::PermanentUnauthorized(_) => "permanent-unauthorized",
        OnceError::PermanentRefused(_) => "permanent-refused",
        OnceError::PermanentOutcomeUnknown(_) => "permanent-outcome-unknown",
        OnceError::PermanentDenied(_) => "permanent-denied",
        OnceError::PermanentKeyReused(_) => "permanent-key-reused",
        OnceError::PermanentKeyForgotten(_) => "permanent-key-forgotten",
        OnceError::PermanentNotRecorded(_) => "permanent-not-recorded",
        OnceError::PermanentJournal(_) => "permanent-journal",
        OnceError::RateLimited(_) => "rate-limited",
        OnceError::NotSent(_) => "not-sent",
        OnceError::Unavailable(_) => "unavailable",
        OnceError::Busy(_) => "busy",
        OnceError::PermanentOther(_) => "permanent-other",
    }
}
