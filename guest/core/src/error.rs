//! Errors of a call, and their conversions to and from the WIT's `variant error`. Each case requires
//! a different reaction of the caller.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use serde::{Deserialize, Serialize};

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
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Refusal {
    /// The HTTP status.
    pub status: u16,
    /// The error code in the body.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// The error message in the body.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// Errors about single fields.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub details: Vec<FieldDetail>,
    /// The text of the body.
    pub body: String,
}

/// The stage that a request had reached (WIT `stage`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
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
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FieldDetail {
    /// The name of the field; `None` if the entry names no field.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// The message of the entry.
    pub message: String,
}

/// Details of an unknown outcome: the message may exist, or exists without a readable identifier.
/// Journals store them as JSON.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OutcomeUnknown {
    /// The stage that the request had reached.
    pub stage: Stage,
    /// Reason why the outcome is unknown.
    pub detail: String,
    /// The reply's status; `None` if no reply arrived.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// Content of the reply; `None` if no reply arrived, or if the reply has no readable text.
    /// Boxed to keep `OutcomeUnknown` small.
    #[serde(default, skip_serializing_if = "Option::is_none")]
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

/// Defines [`Case`]: for each case the name in the WIT, and true if the case proves, after
/// `send-message`, that no message was created.
macro_rules! cases {
    ($($case:ident $name:literal $proves:literal,)*) => {
        /// A case of the WIT's `variant error`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Case {
            $(#[doc = concat!("`", $name, "`.")] $case,)*
        }

        impl Case {
            /// Returns the name of the case in the WIT.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$case => $name,)*
                }
            }

            /// Returns the case with this name; `None` if the name is unknown.
            pub fn named(name: &str) -> Option<Self> {
                match name {
                    $($name => Some(Self::$case),)*
                    _ => None,
                }
            }

            /// Returns true if the case proves, after `send-message`, that no message was created.
            /// The interface defines this for each case.
            pub fn proves_nothing_was_created(self) -> bool {
                match self {
                    $(Self::$case => $proves,)*
                }
            }
        }
    };
}

cases! {
    ExecutionFailed "execution-failed" false,
    InvalidInput "permanent-invalid-input" true,
    InvalidSettings "permanent-invalid-settings" true,
    Unauthorized "permanent-unauthorized" true,
    Refused "permanent-refused" true,
    OutcomeUnknown "permanent-outcome-unknown" false,
    // An error of reads, which proves nothing after a send.
    UnexpectedReply "permanent-unexpected-reply" false,
    Denied "permanent-denied" true,
    RateLimited "rate-limited" true,
    NotSent "not-sent" true,
    Unavailable "unavailable" true,
    Other "permanent-other" false,
}

/// Implements the conversion from [`Error`] to the WIT's `error`. `$wit` is the module of the
/// bindings. Part of [`conversions!`](crate::conversions).
#[doc(hidden)]
#[macro_export]
macro_rules! error_conversions {
    ($wit:ident) => {
        impl From<$crate::error::InvalidInput> for $wit::Error {
            fn from(invalid: $crate::error::InvalidInput) -> Self {
                Self::PermanentInvalidInput($wit::InvalidInput {
                    field: invalid.field.into_owned(),
                    detail: invalid.detail.into_owned(),
                })
            }
        }

        impl From<$crate::error::Error> for $wit::Error {
            fn from(error: $crate::error::Error) -> Self {
                use $crate::error::Error;
                match error {
                    Error::InvalidInput(said) => said.into(),
                    Error::InvalidSettings(said) => {
                        Self::PermanentInvalidSettings($wit::InvalidSettings {
                            setting: said.setting.into_owned(),
                            detail: said.detail.into_owned(),
                        })
                    }
                    Error::Unauthorized(said) => Self::PermanentUnauthorized(said.into()),
                    Error::Refused(said) => Self::PermanentRefused(said.into()),
                    Error::OutcomeUnknown(said) => Self::PermanentOutcomeUnknown(said.into()),
                    Error::UnexpectedReply(said) => {
                        Self::PermanentUnexpectedReply($wit::UnexpectedReply {
                            status: said.status,
                            path: said.path.into_owned(),
                            detail: said.detail.into_owned(),
                        })
                    }
                    Error::Denied(detail) => Self::PermanentDenied($wit::Denied { detail }),
                    Error::RateLimited(said) => Self::RateLimited($wit::RateLimit {
                        retry_after_ms: said.retry_after_ms,
                        refusal: said.refusal.into(),
                    }),
                    Error::NotSent(detail) => Self::NotSent($wit::NotSent { detail }),
                    Error::Unavailable(said) => Self::Unavailable($wit::Unavailable {
                        detail: said.detail.into_owned(),
                        status: said.status,
                        retry_after_ms: said.retry_after_ms,
                    }),
                }
            }
        }
    };
}

/// Defines the functions `answered`, `said` and `proof`, which convert the results of a provider.
/// Add it after [`once_conversions!`](crate::once_conversions) in hosts and components that call
/// the interface `messaging`.
#[macro_export]
macro_rules! provider_conversions {
    () => {
        /// Converts the result of the provider.
        pub(crate) fn answered(
            result: Result<types_wit::CreatedMessage, types_wit::Error>,
        ) -> Result<$crate::once::provider::Message, $crate::once::provider::Failed<types_wit::Error>> {
            use $crate::once::provider::{Failed, Message};
            let error = match result {
                Ok(created) => return Ok(Message { id: created.id, json: created.json }),
                Err(error) => error,
            };
            let (case, detail) = said(&error);
            let unknown = match &error {
                types_wit::Error::PermanentOutcomeUnknown(said) => Some(said.clone().into()),
                _ => None,
            };
            Err(Failed { case, detail: detail.into(), unknown, error })
        }

        /// Returns the case and the message of a provider's error.
        pub(crate) fn said(error: &types_wit::Error) -> ($crate::error::Case, &str) {
            use types_wit::Error;
            use $crate::error::Case;
            match error {
                Error::ExecutionFailed => (Case::ExecutionFailed, ""),
                Error::PermanentInvalidInput(said) => (Case::InvalidInput, &said.detail),
                Error::PermanentInvalidSettings(said) => (Case::InvalidSettings, &said.detail),
                Error::PermanentUnauthorized(said) => (Case::Unauthorized, &said.body),
                Error::PermanentRefused(said) => (Case::Refused, &said.body),
                Error::PermanentOutcomeUnknown(said) => (Case::OutcomeUnknown, &said.detail),
                Error::PermanentUnexpectedReply(said) => (Case::UnexpectedReply, &said.detail),
                Error::PermanentDenied(said) => (Case::Denied, &said.detail),
                Error::RateLimited(said) => (Case::RateLimited, &said.refusal.body),
                Error::NotSent(said) => (Case::NotSent, &said.detail),
                Error::Unavailable(said) => (Case::Unavailable, &said.detail),
                Error::PermanentOther(said) => (Case::Other, &said.detail),
            }
        }

        /// Converts an error that proves that nothing was created.
        pub(crate) fn proof(error: types_wit::Error) -> once_wit::OnceError {
            use once_wit::OnceError;
            use types_wit::Error;
            match error {
                Error::PermanentInvalidInput(said) => OnceError::PermanentInvalidInput(said),
                Error::PermanentInvalidSettings(said) => OnceError::PermanentInvalidSettings(said),
                Error::PermanentUnauthorized(said) => OnceError::PermanentUnauthorized(said),
                Error::PermanentRefused(said) => OnceError::PermanentRefused(said),
                Error::PermanentDenied(said) => OnceError::PermanentDenied(said),
                Error::RateLimited(said) => OnceError::RateLimited(said),
                Error::NotSent(said) => OnceError::NotSent(said),
                Error::Unavailable(said) => OnceError::Unavailable(said),
                // Unreachable, because `proof` never gets these errors: they do not prove that
                // nothing was created.
                Error::ExecutionFailed
                | Error::PermanentOutcomeUnknown(_)
                | Error::PermanentUnexpectedReply(_)
                | Error::PermanentOther(_) => OnceError::ExecutionFailed,
            }
        }
    };
}
