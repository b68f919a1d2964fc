//! Results of a provider's `send-message`. Decides for each error if it proves that no message was
//! created, and which details the journal stores.

use alloc::string::String;

use crate::error::{Case, OutcomeUnknown, Stage};

/// An error of the provider. `E` is the original error, which is returned to the caller unchanged.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Failed<E> {
    /// Case of the error.
    pub case: Case,
    /// A message for an operator.
    pub detail: String,
    /// The payload of `permanent-outcome-unknown`.
    pub unknown: Option<OutcomeUnknown>,
    /// The original error.
    pub error: E,
}

impl Failed<()> {
    /// Creates an error from the name of its case. The driver keeps the original error. An unknown
    /// name does not prove that no message was created.
    #[must_use]
    pub fn reported(name: &str, detail: String, unknown: Option<OutcomeUnknown>) -> Self {
        match Case::named(name) {
            Some(case) => Self { case, detail, unknown, error: () },
            None => {
                let detail = [name, ": ", &detail].concat();
                Self { case: Case::Other, detail, unknown: None, error: () }
            }
        }
    }
}

impl<E> Failed<E> {
    /// Returns the details of an unknown outcome; `None` if nothing was created.
    pub fn unknown(&self) -> Option<OutcomeUnknown> {
        if self.case.proves_nothing_was_created() {
            return None;
        }
        Some(self.unknown.clone().unwrap_or_else(|| OutcomeUnknown {
            stage: Stage::ReplyUnclear,
            detail: ["the provider says ", self.case.name(), ": ", &self.detail].concat(),
            status: None,
            refusal: None,
        }))
    }
}

/// The message that the service reports as created.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Message {
    /// Identifier of the message.
    pub id: String,
    /// Reply of the service.
    pub json: String,
}
