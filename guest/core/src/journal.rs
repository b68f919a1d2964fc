//! Client logic of a journal over HTTP: settings, requests and responses.
//!
//! The paths below `/v1/journal/` in `host-test/operate/openapi.json` define the interface.
//! `wit/journal.wit` defines the functions. Keys and values are sent only in bodies, because
//! proxies log URLs.
//!
//! Nothing is retried here, because only the caller knows whether a retry is safe.

use alloc::borrow::Cow;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::error::{InvalidSettings, Stage};
use crate::limits::MAX_DEADLINE_MS;
use crate::machine::Input;
use crate::origin::Origin;
use crate::outcome::{Cause, Proof};
use crate::secret::ApiKey;
use crate::settings::{self, ALLOW_HTTP};
use crate::wire::json::{Field, Json, Unreadable};
use crate::wire::refusal::read_refusal;
use crate::wire::{Credential, Method, Reply, Request};

/// Setting: the URL of a journal over HTTP.
pub const URL: &str = "MESSAGING_JOURNAL_URL";
const TOKEN: &str = "MESSAGING_JOURNAL_TOKEN";
const DEADLINE_MS: &str = "MESSAGING_JOURNAL_DEADLINE_MS";

/// Names of the settings that only a journal over HTTP reads. Excludes `MESSAGING_ALLOW_HTTP`,
/// which the plugin reads too.
pub const NAMES: [&str; 3] = [URL, TOKEN, DEADLINE_MS];

/// Default of `MESSAGING_JOURNAL_DEADLINE_MS`. A call of `send-once` may take 15 s longer than the
/// provider's deadline. A call usually makes two journal requests, which fit in the 15 s.
const DEFAULT_DEADLINE_MS: u32 = 5_000;

/// Maximum size of a response in bytes: 4 MiB. A page of 1 MiB fits, because escaping at most
/// doubles values that are JSON.
pub const MAX_ANSWER_BYTES: usize = 4_194_304;

/// Settings of a journal over HTTP.
#[derive(Clone, Debug)]
pub struct Settings {
    origin: Origin,
    token: ApiKey,
    /// Maximum duration of a request and its response, in milliseconds.
    pub deadline_ms: u32,
}

/// A function of the journal, with its arguments.
#[derive(Clone, Copy, Debug)]
pub enum Question<'a> {
    /// Reads the value of a key.
    Get {
        /// The key.
        key: &'a str,
    },
    /// Replaces the value of a key if the value equals `expected`.
    Swap {
        /// The key.
        key: &'a str,
        /// The expected value; `None` if the key must not exist.
        expected: Option<&'a str>,
        /// The new value.
        new: &'a str,
    },
    /// Reads a page of keys and values.
    List {
        /// The previous page's `next`; `None` for the first page.
        after: Option<&'a str>,
    },
}

/// The result of [`Question::Swap`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Swapped {
    /// The key has the new value.
    Swapped,
    /// The key has another value; `None` if the key does not exist.
    Stale(Option<String>),
}

/// A page of a journal's entries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// Keys and their values.
    pub items: Vec<(String, String)>,
    /// The `after` of the next page; `None` on the last page.
    pub next: Option<String>,
}

/// A failed journal request (WIT `journal-error`). Never contains the token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The URL, the token or the server is wrong. Nothing was written.
    NotSetUp(String),
    /// The server will never accept this request. Nothing was written.
    Rejected(String),
    /// The server did not confirm the request. A value may have been written, or may still be
    /// written.
    Unavailable(String),
}

impl Settings {
    /// Reads the settings from environment variables. Other names are ignored.
    ///
    /// # Errors
    /// Returns `InvalidSettings` if a variable is missing, malformed or given twice. The error has
    /// the variable's name, never its value.
    pub fn from_variables(
        variables: impl IntoIterator<Item = (String, String)>,
    ) -> Result<Self, InvalidSettings> {
        let [url, token, deadline, allow_http] =
            settings::values(variables, [URL, TOKEN, DEADLINE_MS, ALLOW_HTTP])?;
        let deadline_ms = settings::number(DEADLINE_MS, deadline, 1..=MAX_DEADLINE_MS)?;
        Ok(Self {
            origin: settings::origin(URL, url, allow_http)?,
            token: settings::secret(TOKEN, token)?,
            deadline_ms: deadline_ms.unwrap_or(DEFAULT_DEADLINE_MS),
        })
    }

    /// Returns the HTTP request for `question`.
    ///
    /// # Errors
    /// Returns [`Failure::Rejected`] if the arguments cannot be written as JSON. No known string
    /// causes this.
    pub fn request(&self, question: Question<'_>) -> Result<Request, Failure> {
        let (path, body) = match question {
            Question::Get { key } => ("/v1/journal/get", object(&[("key", Some(key))])),
            Question::Swap { key, expected, new } => {
                let members = [("key", Some(key)), ("expected", expected), ("new", Some(new))];
                ("/v1/journal/swap", object(&members))
            }
            Question::List { after: None } => ("/v1/journal/list", object(&[])),
            Question::List { after } => ("/v1/journal/list", object(&[("after", after)])),
        };
        let body =
            body.map_err(|_| Failure::Rejected("the request cannot be written as JSON".into()))?;
        let credential = Credential::Bearer(self.token.clone());
        Ok(Request::new(&self.origin, Method::Post, path, credential, body))
    }

    /// Returns the body of a successful response.
    ///
    /// # Errors
    /// Returns `Failure` if the request failed, or if the response is incomplete, has a content
    /// encoding, or has a status other than 200.
    pub fn answer(&self, input: Input) -> Result<Vec<u8>, Failure> {
        match input {
            Input::Replied(reply) if reply.status == 200 => match whole(&reply) {
                Ok(()) => Ok(reply.body.bytes),
                Err(detail) => Err(Failure::Unavailable(detail.into_owned())),
            },
            Input::Replied(reply) => Err(self.refused(&reply)),
            Input::Failed(failure) => {
                let detail = failure.detail().into_owned();
                Err(match failure.proof() {
                    Proof::Denied => Failure::NotSetUp(detail),
                    Proof::NotSent | Proof::Nothing => Failure::Unavailable(detail),
                })
            }
            Input::Start | Input::Woke => Err(Failure::Unavailable("no request was made".into())),
        }
    }

    /// Converts a status other than 200 to a failure. The status of a proxy has the meaning of a
    /// journal's status, because a proxy that rejects a request does not forward it.
    fn refused(&self, reply: &Reply) -> Failure {
        let refusal = read_refusal(reply, &self.token);
        let mut detail = ["status ", &reply.status.to_string()].concat();
        if let Some(said) = refusal.message.or(refusal.code) {
            detail.push_str(": ");
            detail.push_str(&said);
        }
        match reply.status {
            401 | 403 | 404 | 405 => Failure::NotSetUp(detail),
            400 | 413 | 422 => Failure::Rejected(detail),
            _ => Failure::Unavailable(detail),
        }
    }
}

impl From<InvalidSettings> for Failure {
    fn from(invalid: InvalidSettings) -> Self {
        Self::NotSetUp([&*invalid.setting, " ", &*invalid.detail].concat())
    }
}

/// Reads the response to [`Question::Get`].
///
/// # Errors
/// Returns [`Failure::Unavailable`] if the body does not match the interface.
pub fn read_text(body: &[u8]) -> Result<Option<String>, Failure> {
    let read = || {
        let [text] = Json::read(body)?.fields(["text"])?;
        nullable(text)
    };
    read().map_err(|why| unreadable("text", why))
}

/// Reads the response to [`Question::Swap`].
///
/// # Errors
/// Returns [`Failure::Unavailable`] if the body does not match the interface.
pub fn read_swapped(body: &[u8]) -> Result<Swapped, Failure> {
    let read = || {
        let [swapped, text] = Json::read(body)?.fields(["swapped", "text"])?;
        match swapped.value()?.as_str() {
            "true" => Ok(Swapped::Swapped),
            "false" => Ok(Swapped::Stale(nullable(text)?)),
            _ => Err(Unreadable("is not true or false")),
        }
    };
    read().map_err(|why| unreadable("swapped", why))
}

/// Reads the response to [`Question::List`].
///
/// # Errors
/// Returns [`Failure::Unavailable`] if the body does not match the interface.
pub fn read_page(body: &[u8]) -> Result<Page, Failure> {
    let read = || {
        let [items, next] = Json::read(body)?.fields(["items", "next"])?;
        let item = |item: Json<'_>| -> Result<_, Unreadable> {
            let [key, text] = item.fields(["key", "text"])?;
            Ok((key.string()?, text.string()?))
        };
        let items = items.value()?.elements()?.map(item).collect::<Result<_, _>>()?;
        Ok(Page { items, next: nullable(next)? })
    };
    read().map_err(|why| unreadable("items", why))
}

/// Reads a string or null.
fn nullable(field: Field<'_>) -> Result<Option<String>, Unreadable> {
    match field.value()? {
        value if value.as_str() == "null" => Ok(None),
        value => value.string().map(Some),
    }
}

fn unreadable(member: &str, why: Unreadable) -> Failure {
    let detail =
        ["invalid journal response: the body, or its member `", member, "`, ", why.reason()];
    Failure::Unavailable(detail.concat())
}

/// Checks that a reply is complete and not encoded.
fn whole(reply: &Reply) -> Result<(), Cow<'static, str>> {
    match &reply.body.cut_short {
        None if reply.is_encoded() => Err("the response has a content encoding".into()),
        None => Ok(()),
        Some(Cause::TooLarge) => Err("the response is larger than 4 MiB".into()),
        Some(cause) => Err(cause.detail(Stage::ReadingReply)),
    }
}

/// Returns a JSON object with strings and nulls as values.
fn object(members: &[(&str, Option<&str>)]) -> Result<Vec<u8>, serde_json::Error> {
    let mut body = Vec::new();
    for (name, value) in members {
        body.push(if body.is_empty() { b'{' } else { b',' });
        body.extend(serde_json::to_vec(name)?);
        body.push(b':');
        body.extend(serde_json::to_vec(value)?);
    }
    if body.is_empty() {
        body.push(b'{');
    }
    body.push(b'}');
    Ok(body)
}

#[cfg(test)]
mod tests;
