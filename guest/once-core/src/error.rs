//! Errors of `once`: one case for each thing that a caller would do differently, as in the WIT.

use alloc::string::String;

use crate::provider::{Failed, Unknown};

/// Why something was not done. `E` is the provider's error.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Error<E> {
    /// The caller's value is wrong.
    InvalidInput {
        /// Which.
        field: &'static str,
        /// The problem, for a person.
        detail: &'static str,
    },
    /// The provider proves that nothing was created.
    Provider(Failed<E>),
    /// The message may exist.
    Unknown(Unknown),
    /// The key was used for another request. Text for a person.
    KeyReused(&'static str),
    /// The key was used, and is forgotten.
    KeyForgotten {
        /// When, in milliseconds since 1970.
        at_ms: u64,
    },
    /// Nothing was created, and that could not be noted.
    NotRecorded {
        /// The name of the provider's error.
        error: &'static str,
        /// Its words, and why it was not noted.
        detail: String,
    },
    /// The journal is not set up, or its text cannot be read.
    Journal(String),
    /// The journal did not answer, and nothing was sent.
    Unavailable(String),
    /// Another caller is at work.
    Busy {
        /// Text for a person.
        detail: &'static str,
        /// When it has given up at the latest, from now.
        retry_after_ms: u64,
    },
    /// There is nothing to resolve: what is known.
    NotUnknown(&'static str),
    /// A decision is about an attempt that is not the last one.
    OtherAttempt {
        /// The number of the last one.
        last: u32,
    },
    /// The key was never used.
    NoEntry,
}
