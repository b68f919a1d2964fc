//! Errors of a provider's `send-message`: which of them prove that no message was created, and
//! what is kept of the others.

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

/// A case of the interface's `error`.
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
    /// Whether it proves, after `send-message`, that no message was created: the interface's own
    /// words for each case. `permanent-unexpected-reply` is of reads alone; from a send it is no
    /// proof.
    #[must_use]
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

    /// Returns its name in the WIT.
    #[must_use]
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

    /// Returns the case of this name.
    #[must_use]
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

/// A provider's error: its case, a text for a person, and what is known of the outcome where it is
/// unknown. `E` is the error itself, which is handed back as it is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Failed<E> {
    /// Its case.
    pub case: Case,
    /// Text for a person.
    pub detail: String,
    /// The payload of `permanent-outcome-unknown`.
    pub unknown: Option<Unknown>,
    /// The error itself.
    pub error: E,
}

impl Failed<()> {
    /// An error that is known by the name of its case; the error itself stays with who reports it.
    /// A name that is none of the interface's proves nothing.
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
    /// Returns what is known of the outcome; `None` where nothing was created.
    #[must_use]
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

/// The service's word that it created the message.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Message {
    /// Its identifier.
    pub id: String,
    /// The reply.
    pub json: String,
}

/// Stage that a request had reached (WIT `stage`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stage {
    /// While it was being made or written.
    SendingRequest,
    /// After it was written, before a reply began.
    AwaitingReply,
    /// After the reply had begun, before its end.
    ReadingReply,
    /// The reply came whole, and does not say what became of it.
    ReplyUnclear,
}

/// Knowledge of an unknown outcome (WIT `outcome-unknown`).
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Unknown {
    /// Stage that the request had reached.
    pub stage: Stage,
    /// The event that left it unknown, for a person.
    pub detail: String,
    /// The reply's status.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// The service's own words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refusal: Option<Refusal>,
}

/// Words of the service (WIT `refusal`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Refusal {
    /// The HTTP status.
    pub status: u16,
    /// A code that the body names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// The body's message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// Entries about single fields.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub details: Vec<FieldDetail>,
    /// The body's text.
    pub body: String,
}

/// One entry of a list of errors (WIT `field-detail`).
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FieldDetail {
    /// The field that it names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// The text itself.
    pub message: String,
}
