//! Errors of a call. Each case requires a different reaction of the caller, as in the WIT's
//! `variant error`.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

/// Reason why a call failed. Each case has the name of its WIT case, without `permanent-`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// A value of the caller is invalid. No request was sent.
    InvalidInput(InvalidInput),
    /// A setting is missing or invalid. No request was sent.
    InvalidSettings(InvalidSettings),
    /// The service rejected the API key (status 401 or 403).
    Unauthorized(Refusal),
    /// The service rejected the request with a 4xx status other than 401, 403 and 429. The request
    /// was not executed.
    Refused(Refusal),
    /// The message may exist.
    OutcomeUnknown(OutcomeUnknown),
    /// The reply to a read does not have the documented shape.
    UnexpectedReply(UnexpectedReply),
    /// The host forbids the destination or a part of the request. Holds a description.
    Denied(String),
    /// The service limits the rate (status 429). The request was not executed.
    RateLimited(RateLimit),
    /// The last request did not reach the service, and no earlier request created a message. Holds
    /// a description.
    NotSent(String),
    /// A read failed. A later call may succeed.
    Unavailable(Unavailable),
}

/// An invalid value of the caller.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvalidInput {
    /// The name of a field or header, or a JSON path.
    pub field: Cow<'static, str>,
    /// Description of the problem.
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

/// A missing or invalid setting. Never contains the setting's value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvalidSettings {
    /// The variable's name.
    pub setting: Cow<'static, str>,
    /// Description of the problem.
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

/// Defines error types with a fixed description, which never contains the invalid value.
macro_rules! reasons {
    ($($(#[$about:meta])* $name:ident;)*) => {$(
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct $name(pub(crate) &'static str);

        impl $name {
            /// Returns the description of the problem, without the invalid value.
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
    /// A string that is not a valid base URL for [`Origin`](crate::origin::Origin).
    InvalidOrigin;
    /// A string that is not a valid header value for [`ApiKey`](crate::secret::ApiKey).
    InvalidKey;
    /// A body or JSON value that does not have the expected form.
    Unreadable;
}

/// An invalid reply. Names the first value that does not have the documented shape.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnreadableReply {
    /// The JSON path of the value; `$` is the whole body.
    pub path: Cow<'static, str>,
    /// Description of the problem.
    pub cause: Unreadable,
}

impl fmt::Display for UnreadableReply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.path, self.cause)
    }
}

impl core::error::Error for UnreadableReply {}

/// A reply that rejects a request. Its strings are bounded and do not contain the API key.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Refusal {
    /// The HTTP status.
    pub status: u16,
    /// The error code in the body.
    pub code: Option<String>,
    /// The error message in the body.
    pub message: Option<String>,
    /// Errors about single fields.
    pub details: Vec<FieldDetail>,
    /// The text of the body.
    pub body: String,
}

/// The stage that a request had reached (WIT `stage`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// The request was being built or written.
    SendingRequest,
    /// The request was written, and no reply had started.
    AwaitingReply,
    /// The reply had started, but was not complete.
    ReadingReply,
    /// The reply is complete, but does not say whether the request was executed.
    ReplyUnclear,
}

/// An entry of an error list in an error body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldDetail {
    /// The name of the field; `None` if the entry names no field.
    pub field: Option<String>,
    /// The message of the entry.
    pub message: String,
}

/// Details of an unknown outcome: the message may exist, or exists without a readable identifier.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutcomeUnknown {
    /// The stage that the request had reached.
    pub stage: Stage,
    /// Reason why the outcome is unknown.
    pub detail: Cow<'static, str>,
    /// The reply's status; `None` if no reply arrived.
    pub status: Option<u16>,
    /// Content of the reply; `None` if no reply arrived, or if the reply has no readable text.
    /// Boxed to keep `OutcomeUnknown` small.
    pub refusal: Option<Box<Refusal>>,
}

/// A reply without the documented shape, to a request that only reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnexpectedReply {
    /// The HTTP status.
    pub status: u16,
    /// The JSON path of the first unexpected value; `$` is the whole body.
    pub path: Cow<'static, str>,
    /// Description of the problem.
    pub detail: Cow<'static, str>,
}

/// A reply with status 429.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RateLimit {
    /// The service's `Retry-After`, in milliseconds; `None` if the reply has no such header.
    pub retry_after_ms: Option<u32>,
    /// Content of the reply.
    pub refusal: Refusal,
}

/// A failed read that may succeed later.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unavailable {
    /// Description of the problem.
    pub detail: Cow<'static, str>,
    /// The reply's status; `None` if no reply arrived.
    pub status: Option<u16>,
    /// The service's `Retry-After`, in milliseconds; `None` if the reply has no such header.
    pub retry_after_ms: Option<u32>,
}
