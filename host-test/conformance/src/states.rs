//! Runs a case of `send-message` as an attempt of `send-once`, from each state in which an attempt
//! can begin. Checks that
//!
//! - the outcome equals the outcome without a journal,
//! - the journal records the state that the outcome proves,
//! - a retry after `created` returns the message's identifier without another request,
//! - a retry after an unknown outcome returns `permanent-outcome-unknown` without another request.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context, ensure};
use messaging_host::journal::wit as journal;
use messaging_host::once::wit::{EntryState, OnceError, Resolution, Resolved};
use messaging_host::once::{Called, json};
use messaging_host::wit;
use messaging_host::{CallResult, Journal, Messaging, Once};
use serde_json::{Value, json};

use super::case::RunningCase;

const UNDER: &str = "order-17";

/// The state of a key before an attempt.
#[derive(Clone, Copy, Debug)]
pub enum Before {
    /// The journal has no entry for the key.
    New,
    /// An earlier attempt provably created nothing.
    NotCreated,
    /// An earlier attempt had an unknown outcome, and an operator found no message.
    FoundNone,
}

/// Calls `send-once` with a key in the state `before`. Returns the outcome as JSON, in the form of
/// an outcome of `send-message`.
///
/// # Errors
/// Returns an error if the journal records a different outcome. Also returns an error if the
/// message was created or the outcome is unknown, and a retry returns a different result.
pub(super) async fn send(
    before: Before,
    provider: impl Messaging,
    request: wit::MessageRequest,
    running: &RunningCase,
) -> anyhow::Result<Value> {
    let memory: Arc<dyn Journal> = Arc::new(Memory::default());
    let deadline = running.settings.get("MESSAGING_DEADLINE_MS");
    let deadline = deadline.and_then(|value| value.parse().ok()).map(Duration::from_millis);
    let deadline = deadline.unwrap_or(Duration::from_secs(60));
    if let Some(says) = before.prepared_by() {
        let once = Once::new(says, Arc::clone(&memory), deadline);
        let first = once.send_once(UNDER, &request).await;
        ensure!(first.is_err(), "the earlier attempt created a message");
        if matches!(before, Before::FoundNone) {
            let decision = Resolution {
                attempt: 1,
                found: Resolved::NotCreated,
                by: "Ada".into(),
                reason: "not in the inbox".into(),
            };
            messaging_host::once::resolve(once.journal(), UNDER, &decision)
                .await
                .map_err(unexpected)?;
        }
    }
    let once = Once::new(provider, memory, deadline);
    let outcome = once.send_once(UNDER, &request).await;
    let entry = messaging_host::once::look_up(once.journal(), UNDER).await.map_err(unexpected)?;
    let entry = entry.context("the journal has no entry for the key")?;
    let state = match &outcome {
        Ok(_) => EntryState::Created,
        Err(OnceError::PermanentOutcomeUnknown(_)) => EntryState::Unknown,
        Err(_) => EntryState::NotCreated,
    };
    let (returned, kept) = (shown(Ok(outcome.clone())), json::state(entry.state));
    ensure!(entry.state == state, "the caller got {returned}, but the journal has {kept}");
    match &outcome {
        Ok(created) => {
            let again = once.send_once(UNDER, &request).await.map_err(unexpected)?;
            ensure!(
                again.replayed && again.id == created.id,
                "a retry returned a new or different message: {}",
                again.id
            );
        }
        Err(OnceError::PermanentOutcomeUnknown(_)) => {
            let again = once.send_once(UNDER, &request).await;
            let is_unknown = matches!(again, Err(OnceError::PermanentOutcomeUnknown(_)));
            ensure!(is_unknown, "a retry of an unknown send returned {}", shown(Ok(again)));
        }
        // Makes no retry, because the key is free: a retry would send.
        Err(_) => {}
    }
    Ok(shown(Ok(outcome)))
}

impl Before {
    fn prepared_by(self) -> Option<Says> {
        let detail = "prepared by the suite".to_string();
        match self {
            Self::New => None,
            Self::NotCreated => Some(Says(wit::Error::NotSent(wit::NotSent { detail }))),
            Self::FoundNone => {
                let unknown = wit::OutcomeUnknown {
                    stage: wit::Stage::AwaitingReply,
                    detail,
                    status: None,
                    refusal: None,
                };
                Some(Says(wit::Error::PermanentOutcomeUnknown(unknown)))
            }
        }
    }
}

fn shown(called: Called<messaging_host::once::wit::OnceCreated>) -> Value {
    match called {
        Ok(Ok(created)) => json!({ "ok": { "id": created.id, "json": created.json } }),
        Ok(Err(error)) => json!({ "error": json::error(&error) }),
        Err(error) => json!({ "trap": error.to_string() }),
    }
}

fn unexpected(error: OnceError) -> anyhow::Error {
    anyhow::anyhow!("unexpected error from send-once or its journal: {}", json::error(&error))
}

/// A provider whose sends all return this error.
struct Says(wit::Error);

impl Messaging for Says {
    async fn send_message(&self, _: &wit::MessageRequest) -> CallResult<wit::CreatedMessage> {
        Ok(Err(self.0.clone()))
    }
}

/// A journal in memory.
#[derive(Default)]
struct Memory(Mutex<BTreeMap<String, String>>);

#[wasmtime_wasi::async_trait]
impl Journal for Memory {
    async fn get(&self, key: &str) -> Result<Option<String>, journal::JournalError> {
        Ok(self.0.lock().unwrap_or_else(PoisonError::into_inner).get(key).cloned())
    }

    async fn swap(
        &self,
        key: &str,
        expected: Option<String>,
        new: String,
    ) -> Result<journal::SwapOutcome, journal::JournalError> {
        let mut texts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let found = texts.get(key).cloned();
        if found != expected {
            return Ok(journal::SwapOutcome::Stale(found));
        }
        texts.insert(key.into(), new);
        Ok(journal::SwapOutcome::Swapped)
    }

    async fn list_items(&self, _: Option<String>) -> Result<journal::Page, journal::JournalError> {
        let texts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let item = |(key, text): (&String, &String)| journal::Item {
            key: key.clone(),
            text: text.clone(),
        };
        Ok(journal::Page { items: texts.iter().map(item).collect(), next: None })
    }
}
