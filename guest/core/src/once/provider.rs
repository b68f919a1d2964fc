//! Results of a provider's `send-message`. Decides for each error if it proves that no message was
//! created, and which details the journal stores.

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

/// An error case of the interface `messaging`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Case {
    /// `execution-failed`.
    ExecutionFailed,
    /// `permanent-invalid-input`.
    InvalidInput,
    /// `permanent-invalid-settings`.
    InvalidSettings,
    /// `permanent-unauthorized`.
    Unauthorized,
    /// `permanent-refused`.
    Refused,
    /// `permanent-outcome-unknown`.
    OutcomeUnknown,
    /// `permanent-unexpected-reply`.
    UnexpectedReply,
    /// `permanent-denied`.
    Denied,
    /// `rate-limited`.
    RateLimited,
    /// `not-sent`.
    NotSent,
    /// `unavailable`.
    Unavailable,
    /// `permanent-other`.
    Other,
}

impl Case {
    /// Returns true if the case proves, after `send-message`, that no message was created. The
    /// interface defines this for each case. `permanent-unexpected-reply` is an error of reads, and
    /// proves nothing after a send.
    pub fn proves_nothing_was_created(self) -> bool {
        match self {
            Self::InvalidInput
            | Self::InvalidSettings
            | Self::Unauthorized
            | Self::Refused
            | Self::Denied
            | Self::RateLimited
            | Self::NotSent
            | Self::Unavailable => true,
            Self::ExecutionFailed | Self::OutcomeUnknown | Self::UnexpectedReply | Self::Other => {
                false
            }
        }
    }

    /// Returns the name of the case in the WIT.
    pub fn name(self) -> &'static str {
        match self {
            Self::ExecutionFailed => "execution-failed",
            Self::InvalidInput => "permanent-invalid-input",
            Self::InvalidSettings => "permanent-invalid-settings",
            Self::Unauthorized => "permanent-unauthorized",
            Self::Refused => "permanent-refused",
            Self::OutcomeUnknown => "permanent-outcome-unknown",
            Self::UnexpectedReply => "permanent-unexpected-reply",
            Self::Denied => "permanent-denied",
            Self::RateLimited => "rate-limited",
            Self::NotSent => "not-sent",
            Self::Unavailable => "unavailable",
            Self::Other => "permanent-other",
        }
    }

    /// Returns the case with this name; `None` if the name is unknown.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|case| case.name() == name)
    }

    const ALL: [Self; 12] = [
        Self::ExecutionFailed,
        Self::InvalidInput,
        Self::InvalidSettings,
        Self::Unauthorized,
        Self::Refused,
        Self::OutcomeUnknown,
        Self::UnexpectedReply,
        Self::Denied,
        Self::RateLimited,
        Self::NotSent,
        Self::Unavailable,
        Self::Other,
    ];
}

/// An error of the provider. `E` is the original error, which is returned to the caller unchanged.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Failed<E> {
    /// Case of the error.
    pub case: Case,
    /// A message for an operator.
    pub detail: String,
    /// The payload of `permanent-outcome-unknown`.
    pub unknown: Option<Unknown>,
    /// The original error.
    pub error: E,
}

impl Failed<()> {
    /// Creates an error from the name of its case. The driver keeps the original error. An unknown
    /// name does not prove that no message was created.
    #[must_use]
    pub fn reported(name: &str, detail: String, unknown: Option<Unknown>) -> Self {
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
    pub fn unknown(&self) -> Option<Unknown> {
        if self.case.proves_nothing_was_created() {
            return None;
        }
        Some(self.unknown.clone().unwrap_or_else(|| Unknown {
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

/// Progress of a failed request (WIT `stage`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stage {
    /// Before the request was written completely.
    SendingRequest,
    /// After the request was written, before the first byte of the reply.
    AwaitingReply,
    /// After the first byte of the reply, before its end.
    ReadingReply,
    /// After the end of a reply that does not state the outcome.
    ReplyUnclear,
}

/// Details of an unknown outcome (WIT `outcome-unknown`).
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Unknown {
    /// Stage that the request had reached.
    pub stage: Stage,
    /// Description of the failure, for an operator.
    pub detail: String,
    /// Status of the reply.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// Error message of the service.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refusal: Option<Refusal>,
}

/// An error message of the service (WIT `refusal`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Refusal {
    /// HTTP status.
    pub status: u16,
    /// Error code in the body.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// Message in the body.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// Errors about single fields.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub details: Vec<FieldDetail>,
    /// The body as a string.
    pub body: String,
}

/// An error about one field (WIT `field-detail`).
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FieldDetail {
    /// Name of the field.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// Message about the field.
    pub message: String,
}
