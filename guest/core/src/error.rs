//! Errors of a call: one case for each thing that a caller would do differently, as in the
//! WIT's `variant error`. Owns no decision.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::outcome::Stage;

/// Reason why a call failed. Each case stands for one of the WIT's, `permanent-` left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// The caller's value is wrong; no request was made.
    InvalidInput(InvalidInput),
    /// A setting is missing or malformed; no request was made.
    InvalidSettings(InvalidSettings),
    /// 401 or 403.
    Unauthorized(Refusal),
    /// Another 4xx which says that the request was not carried out.
    Refused(Refusal),
    /// The message may exist.
    OutcomeUnknown(OutcomeUnknown),
    /// A read was answered with something that is not the documented shape.
    UnexpectedReply(UnexpectedReply),
    /// The host forbids the destination, or a part of the request: what happened.
    Denied(String),
    /// The service limits the rate (status 429): nothing was done.
    RateLimited(RateLimit),
    /// Proof that no request reached the service: what happened.
    NotSent(String),
    /// A read failed in a way that can pass.
    Unavailable(Unavailable),
}

/// The caller's value is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvalidInput {
    /// A field's name, a header's name, or a JSON path.
    pub field: Cow<'static, str>,
    /// The problem, for a person.
    pub detail: Cow<'static, str>,
}

impl InvalidInput {
    pub(crate) fn new(
        field: impl Into<Cow<'static, str>>,
        detail: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self { field: field.into(), detail: detail.into() }
    }
}

impl From<InvalidInput> for Error {
    fn from(value: InvalidInput) -> Self {
        Self::InvalidInput(value)
    }
}

/// A setting is missing or malformed. Never holds the setting's value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvalidSettings {
    /// The variable's name.
    pub setting: Cow<'static, str>,
    /// The problem, for a person.
    pub detail: Cow<'static, str>,
}

impl InvalidSettings {
    pub(crate) fn new(
        setting: impl Into<Cow<'static, str>>,
        detail: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self { setting: setting.into(), detail: detail.into() }
    }
}

impl From<InvalidSettings> for Error {
    fn from(value: InvalidSettings) -> Self {
        Self::InvalidSettings(value)
    }
}

/// Types of errors that a caller can only show: a fixed sentence, which never repeats the
/// value that it is about.
macro_rules! reasons {
    ($($(#[$about:meta])* $name:ident;)*) => {$(
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct $name(pub(crate) &'static str);

        impl $name {
            /// Returns the problem, for a person, without the value.
            #[must_use]
            pub const fn reason(self) -> &'static str {
                self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.0)
            }
        }

        impl core::error::Error for $name {}
    )*};
}

reasons! {
    /// A text that is no base URL, as [`Origin`](crate::origin::Origin) takes one.
    InvalidOrigin;
    /// A key that cannot be the value of a header, as [`ApiKey`](crate::secret::ApiKey)
    /// has to be.
    InvalidKey;
    /// A value that is not what it should be.
    Unreadable;
}

/// A reply that is not of the documented shape: the first value that is not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnreadableReply {
    /// The path into the reply's JSON; `$` is the whole body.
    pub path: Cow<'static, str>,
    /// The problem.
    pub cause: Unreadable,
}

impl fmt::Display for UnreadableReply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.path, self.cause)
    }
}

impl core::error::Error for UnreadableReply {}

/// An answer that refuses a request; bounded, and without the key.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Refusal {
    /// The HTTP status.
    pub status: u16,
    /// A code that the body names.
    pub code: Option<String>,
    /// The body's message.
    pub message: Option<String>,
    /// Entries about single fields.
    pub details: Vec<FieldDetail>,
    /// The body's text.
    pub body: String,
}

/// One entry of a list of errors in an error body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldDetail {
    /// The field that the entry names.
    pub field: Option<String>,
    /// The text itself.
    pub message: String,
}

/// The message may exist, or exists without a readable identifier.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutcomeUnknown {
    /// Stage that the request had reached.
    pub stage: Stage,
    /// The event that left the outcome unknown, for a person.
    pub detail: Cow<'static, str>,
    /// The reply's status, where one was received.
    pub status: Option<u16>,
    /// The service's own error message, where its reply has one. Boxed, so that every other
    /// result stays small.
    pub refusal: Option<Box<Refusal>>,
}

/// A read was answered with something that is not the documented shape.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnexpectedReply {
    /// The HTTP status.
    pub status: u16,
    /// The path into the reply's JSON; `$` is the whole body.
    pub path: Cow<'static, str>,
    /// The problem, for a person.
    pub detail: Cow<'static, str>,
}

/// Reply with status 429.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RateLimit {
    /// The service's `Retry-After`, in milliseconds.
    pub retry_after_ms: Option<u32>,
    /// The service's own error message.
    pub refusal: Refusal,
}

/// A read failed in a way that can pass.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unavailable {
    /// The problem, for a person.
    pub detail: Cow<'static, str>,
    /// The reply's status, where one was received.
    pub status: Option<u16>,
    /// The service's `Retry-After`, in milliseconds.
    pub retry_after_ms: Option<u32>,
}
