//! Responses of a worker: JSON lines, converted to the types of the interface. The JSON has the
//! names of the WIT, as `messaging_host::once::json` writes them. An unknown member, or a missing
//! required member, makes a response invalid.

use anyhow::{Context, bail};
use messaging_host::once::wit;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Maximum number of characters of a response that a verdict quotes.
const QUOTED_CHARACTERS: usize = 400;

/// A response of a worker.
pub enum Answer {
    Ok(Value),
    Error(Value),
    /// The call ended without a result. Holds the reason.
    Trap(String),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    id: u64,
    #[serde(default, deserialize_with = "present")]
    ok: Option<Value>,
    error: Option<Value>,
    trap: Option<String>,
}

/// Distinguishes `null` from a missing member.
fn present<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(from).map(Some)
}

impl Answer {
    /// Parses a line into the ID of a call and its response.
    pub fn parse(line: &str) -> anyhow::Result<(u64, Self)> {
        let answer = match serde_json::from_str(line)? {
            Line { id, ok: Some(value), error: None, trap: None } => (id, Self::Ok(value)),
            Line { id, ok: None, error: Some(value), trap: None } => (id, Self::Error(value)),
            Line { id, ok: None, error: None, trap: Some(text) } => (id, Self::Trap(text)),
            _ => bail!("the line needs exactly one of ok, error and trap"),
        };
        Ok(answer)
    }

    /// Converts the response to the result of the function. Returns an error for a trap.
    pub fn read<T: Read>(self) -> anyhow::Result<Result<T, wit::OnceError>> {
        match self {
            Self::Ok(value) => Ok(Ok(T::read(value)?)),
            Self::Error(value) => Ok(Err(Read::read(value)?)),
            Self::Trap(text) => bail!("the call ended without a result: {text}"),
        }
    }
}

/// A type of the interface that can be read from JSON.
pub trait Read: Sized {
    fn read(value: Value) -> anyhow::Result<Self>;
}

fn parsed<T: DeserializeOwned>(value: Value) -> anyhow::Result<T> {
    let text: String = value.to_string().chars().take(QUOTED_CHARACTERS).collect();
    serde_json::from_value(value).with_context(|| text)
}

/// Defines a private copy of each WIT record with kebab-case names, and its conversion.
macro_rules! records {
    ($($name:ident { $($field:ident: $type:ty $(as $convert:expr)?),* $(,)? })*) => {$(
        #[derive(Deserialize)]
        #[serde(rename_all = "kebab-case", deny_unknown_fields)]
        struct $name { $($field: $type),* }

        impl From<$name> for wit::$name {
            fn from(read: $name) -> Self {
                Self { $($field: records!(@ read.$field $(, $convert)?)),* }
            }
        }
    )*};
    (@ $value:expr) => { $value };
    (@ $value:expr, $convert:expr) => { $convert($value) };
}

fn some<A: Into<B>, B>(value: Option<A>) -> Option<B> {
    value.map(Into::into)
}

fn all<A: Into<B>, B>(values: Vec<A>) -> Vec<B> {
    values.into_iter().map(Into::into).collect()
}

records! {
    OnceCreated { id: String, json: Option<String>, replayed: bool, recorded: bool }
    FieldDetail { field: Option<String>, message: String }
    Refusal {
        status: u16,
        code: Option<String>,
        message: Option<String>,
        details: Vec<FieldDetail> as all,
        body: String,
    }
    OutcomeUnknown {
        stage: Stage as Into::into,
        detail: String,
        status: Option<u16>,
        refusal: Option<Refusal> as some,
    }
    InvalidInput { field: String, detail: String }
    InvalidSettings { setting: String, detail: String }
    Denied { detail: String }
    Failure { detail: String }
    NotRecorded { error: String, detail: String }
    RateLimit { retry_after_ms: Option<u32>, refusal: Refusal as Into::into }
    NotSent { detail: String }
    Unavailable { detail: String, status: Option<u16>, retry_after_ms: Option<u32> }
    Busy { detail: String, retry_after_ms: Option<u32> }
    Other { code: String, detail: String, status: Option<u16> }
    JournalEntry {
        key: String,
        state: EntryState as Into::into,
        began: String,
        gives_up: String,
        ended: Option<String>,
        attempts: u32,
        id: Option<String>,
        json: Option<String>,
        outcome: Option<OutcomeUnknown> as some,
        error: Option<String>,
        resolutions: Vec<MadeResolution> as all,
        also_created: Vec<String>,
    }
    EntryPage { entries: Vec<JournalEntry> as all, unreadable: Vec<String>, next: Option<String> }
}

/// Defines a private copy of each WIT enum with kebab-case names, and its conversion.
macro_rules! enums {
    ($($name:ident { $($case:ident),* })*) => {$(
        #[derive(Deserialize)]
        #[serde(rename_all = "kebab-case")]
        enum $name { $($case),* }

        impl From<$name> for wit::$name {
            fn from(read: $name) -> Self {
                match read { $($name::$case => Self::$case),* }
            }
        }
    )*};
}

enums! {
    Stage { SendingRequest, AwaitingReply, ReadingReply, ReplyUnclear }
    EntryState { Sending, Unknown, Created, NotCreated, Forgotten }
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Found {
    Created(String),
    NotCreated,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct MadeResolution {
    attempt: u32,
    found: Found,
    by: String,
    reason: String,
    at: String,
}

impl From<MadeResolution> for wit::MadeResolution {
    fn from(read: MadeResolution) -> Self {
        let MadeResolution { attempt, found, by, reason, at } = read;
        let found = match found {
            Found::Created(id) => wit::Resolved::Created(id),
            Found::NotCreated => wit::Resolved::NotCreated,
        };
        Self { resolution: wit::Resolution { attempt, found, by, reason }, at }
    }
}

impl Read for () {
    fn read(value: Value) -> anyhow::Result<Self> {
        parsed(value)
    }
}

impl Read for wit::OnceCreated {
    fn read(value: Value) -> anyhow::Result<Self> {
        parsed::<OnceCreated>(value).map(Into::into)
    }
}

impl Read for Option<wit::JournalEntry> {
    fn read(value: Value) -> anyhow::Result<Self> {
        parsed::<Option<JournalEntry>>(value).map(some)
    }
}

impl Read for wit::EntryPage {
    fn read(value: Value) -> anyhow::Result<Self> {
        parsed::<EntryPage>(value).map(Into::into)
    }
}

#[derive(Deserialize)]
#[serde(tag = "case", content = "payload", rename_all = "kebab-case", deny_unknown_fields)]
enum OnceError {
    ExecutionFailed,
    PermanentInvalidInput(InvalidInput),
    PermanentInvalidSettings(InvalidSettings),
    PermanentUnauthorized(Refusal),
    PermanentRefused(Refusal),
    PermanentOutcomeUnknown(OutcomeUnknown),
    PermanentDenied(Denied),
    PermanentKeyReused(Failure),
    PermanentKeyForgotten(Failure),
    PermanentNotRecorded(NotRecorded),
    PermanentJournal(Failure),
    RateLimited(RateLimit),
    NotSent(NotSent),
    Unavailable(Unavailable),
    Busy(Busy),
    PermanentOther(Other),
}

impl Read for wit::OnceError {
    fn read(value: Value) -> anyhow::Result<Self> {
        Ok(match parsed(value)? {
            OnceError::ExecutionFailed => Self::ExecutionFailed,
            OnceError::PermanentInvalidInput(said) => Self::PermanentInvalidInput(said.into()),
            OnceError::PermanentInvalidSettings(said) => {
                Self::PermanentInvalidSettings(said.into())
            }
            OnceError::PermanentUnauthorized(said) => Self::PermanentUnauthorized(said.into()),
            OnceError::PermanentRefused(said) => Self::PermanentRefused(said.into()),
            OnceError::PermanentOutcomeUnknown(said) => Self::PermanentOutcomeUnknown(said.into()),
            OnceError::PermanentDenied(said) => Self::PermanentDenied(said.into()),
            OnceError::PermanentKeyReused(said) => Self::PermanentKeyReused(said.into()),
            OnceError::PermanentKeyForgotten(said) => Self::PermanentKeyForgotten(said.into()),
            OnceError::PermanentNotRecorded(said) => Self::PermanentNotRecorded(said.into()),
            OnceError::PermanentJournal(said) => Self::PermanentJournal(said.into()),
            OnceError::RateLimited(said) => Self::RateLimited(said.into()),
            OnceError::NotSent(said) => Self::NotSent(said.into()),
            OnceError::Unavailable(said) => Self::Unavailable(said.into()),
            OnceError::Busy(said) => Self::Busy(said.into()),
            OnceError::PermanentOther(said) => Self::PermanentOther(said.into()),
        })
    }
}
