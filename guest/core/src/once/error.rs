//! Errors of `once`. Each case requires a different reaction of the caller, as in the WIT.

use alloc::string::String;

use crate::error::OutcomeUnknown;
use crate::once::provider::Failed;

/// The error of a call. `E` is the provider's error.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Error<E> {
    /// An argument is invalid.
    InvalidInput {
        /// The invalid argument.
        field: &'static str,
        /// A message for an operator.
        detail: &'static str,
    },
    /// The provider proves that nothing was created.
    Provider(Failed<E>),
    /// The message may exist.
    Unknown(OutcomeUnknown),
    /// The key was used for another request. Holds a message for an operator.
    KeyReused(&'static str),
    /// The key was used, and its outcome is forgotten.
    KeyForgotten {
        /// Time of `forget`, in milliseconds since 1970.
        at_ms: u64,
    },
    /// Nothing was created, and the journal could not record this outcome.
    NotRecorded {
        /// Name of the provider's error.
        error: &'static str,
        /// Message of the provider, and the reason why the outcome was not recorded.
        detail: String,
    },
    /// The journal is not set up, or the stored value is unreadable.
    Journal(String),
    /// The journal did not respond in time, the key changed too fast, or an input did not match the
    /// last step. Nothing was sent.
    Unavailable(String),
    /// Another caller holds the key.
    Busy {
        /// A message for an operator.
        detail: &'static str,
        /// Maximum time until the other caller gives up, in milliseconds.
        retry_after_ms: u64,
    },
    /// The outcome is already known. Holds a description of the outcome.
    NotUnknown(&'static str),
    /// The resolution is not about the last attempt.
    OtherAttempt {
        /// Number of the last attempt.
        last: u32,
    },
    /// The key was never used.
    NoEntry,
}
