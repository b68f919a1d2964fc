//! A provider for an SMS gateway. Implements the WIT without code of the plugin. Passes the
//! conformance suite's neutral cases, which hold for every provider.
//!
//! | function | request | success |
//! |---|---|---|
//! | `send-message` | `POST {SMS_URL}/sms`; `to`, `text`, `from` and the fields, form-encoded; the token as `Authorization: Bearer` | 202 with `{"sms": "…"}`, the message ID |
//! | `list-templates` | none: `permanent-other`, code `no-templates` | |
//! | `handle-event` | none: `permanent-other`, code `no-events` | |
//!
//! Settings: `SMS_URL`, `SMS_TOKEN`, and `SMS_DEADLINE_MS` (default: 30000).
#![cfg(target_family = "wasm")]
#![no_std]

extern crate alloc;

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use alloc::{format, vec};
use core::cell::Cell;

use messaging_runtime as _;
use serde_json::Value;

#[allow(missing_docs, reason = "documented in the WIT")]
mod bindings {
    wit_bindgen::generate!({ path: "../../../wit", world: "plugin-sans-io" });
}

use bindings::exports::messaging::integration::sans_io::{self as wit, Failure};
use bindings::exports::messaging::integration::types::{self, Error, Stage};

/// Maximum size of a reply in bytes, larger than any reply of the gateway.
const MAX_REPLY_BYTES: u32 = 64 * 1024;
/// Names that an additional field must not have: members of the request and of the form.
const TAKEN: [&str; 5] = ["phone", "message", "to", "text", "from"];

struct Sms;

bindings::export!(Sms with_types_in bindings);

impl wit::Guest for Sms {
    type SendCall = SendCall;
    type ListCall = ListCall;

    fn handle_event(_: wit::WebhookDelivery) -> Result<wit::Event, Error> {
        Err(other("no-events", "the gateway delivers no events"))
    }
}

struct ListCall;

impl wit::GuestListCall for ListCall {
    fn new(_: Vec<wit::Setting>, _: wit::TemplateQuery, _: u32) -> Self {
        Self
    }

    fn next(&self, _: u32, _: Option<wit::Input>) -> wit::ListStep {
        wit::ListStep::Done(Err(other("no-templates", "an SMS has no templates")))
    }
}

/// A call of `send-message`. Before the request, holds the request and the token; afterwards only
/// the token.
struct SendCall(Cell<State>);

#[derive(Default)]
enum State {
    New(Result<wit::HttpRequest, Error>, String),
    Sent(String),
    #[default]
    Over,
}

impl wit::GuestSendCall for SendCall {
    fn new(settings: Vec<wit::Setting>, request: wit::MessageRequest, _: u32) -> Self {
        let get = |name: &str| {
            let set = settings.iter().find(|one| one.name == name && !one.value.is_empty());
            set.map(|one| one.value.clone())
        };
        let token = get("SMS_TOKEN").unwrap_or_default();
        let deadline = get("SMS_DEADLINE_MS").unwrap_or_else(|| "30000".into());
        let url = get("SMS_URL").unwrap_or_default();
        Self(Cell::new(State::New(post(&url, &token, &deadline, request), token)))
    }

    fn next(&self, elapsed_ms: u32, input: Option<wit::Input>) -> wit::SendStep {
        wit::SendStep::Done(match (self.0.take(), input) {
            (State::New(Ok(mut request), token), None) => {
                self.0.set(State::Sent(token));
                request.time_left_ms = request.time_left_ms.saturating_sub(elapsed_ms);
                return wit::SendStep::Request(request);
            }
            (State::New(Err(error), _), _) => Err(error),
            (State::Sent(token), Some(wit::Input::Replied(reply))) => answer(reply, &token),
            (State::Sent(_), Some(wit::Input::Failed(wit::Failed { failure, detail }))) => {
                Err(match failure {
                    Failure::NotReached => Error::NotSent(types::NotSent { detail }),
                    Failure::Denied => Error::PermanentDenied(types::Denied { detail }),
                    Failure::Late | Failure::Broken => unknown(Stage::AwaitingReply, &detail, None),
                })
            }
            _ => {
                Err(unknown(Stage::SendingRequest, "the input does not match the last step", None))
            }
        })
    }
}

/// Creates the request for a message.
fn post(
    url: &str,
    token: &str,
    deadline: &str,
    request: wit::MessageRequest,
) -> Result<wit::HttpRequest, Error> {
    let setting = |name: &str| {
        let detail = "is missing or malformed".into();
        Error::PermanentInvalidSettings(types::InvalidSettings { setting: name.into(), detail })
    };
    let header = |name: &str, value: String| wit::Header { name: name.into(), value };
    if !url.starts_with("https://") && !url.starts_with("http://") {
        return Err(setting("SMS_URL"));
    }
    if token.is_empty() || !token.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Err(setting("SMS_TOKEN"));
    }
    Ok(wit::HttpRequest {
        method: "POST".into(),
        url: format!("{}/sms", url.trim_end_matches('/')),
        headers: vec![
            header("authorization", format!("Bearer {token}")),
            header("content-type", "application/x-www-form-urlencoded".into()),
        ],
        body: form(request)?.into_bytes(),
        time_left_ms: deadline.parse().map_err(|_| setting("SMS_DEADLINE_MS"))?,
        max_reply_bytes: MAX_REPLY_BYTES,
    })
}

/// Returns the body of the request, in the format `application/x-www-form-urlencoded`.
fn form(request: wit::MessageRequest) -> Result<String, Error> {
    let number =
        number(&request.phone).ok_or_else(|| wrong("phone", "is not a number, or is ambiguous"))?;
    if request.message.trim().is_empty() {
        return Err(wrong("message", "is empty or only white space"));
    }
    if request.device.as_deref() == Some("") {
        return Err(wrong("device", "is empty"));
    }
    let mut taken: Vec<_> = TAKEN.map(String::from).into();
    let mut pairs = vec![("to".to_string(), number), ("text".to_string(), request.message)];
    if let Some(device) = request.device {
        taken.push("device".into());
        pairs.push(("from".into(), device));
    }
    for (index, field) in request.fields.into_iter().enumerate() {
        if field.name.is_empty() || taken.contains(&field.name) {
            return Err(wrong(
                format!("fields[{index}].name"),
                "is empty or reserved, or occurs twice",
            ));
        }
        let value = match serde_json::from_str(&field.json) {
            Ok(Value::String(text)) => text,
            Ok(value @ (Value::Number(_) | Value::Bool(_))) => value.to_string(),
            _ => {
                return Err(wrong(
                    format!("fields[{index}].json"),
                    "is not a string, a number or a boolean",
                ));
            }
        };
        taken.push(field.name.clone());
        pairs.push((field.name, value));
    }
    let pairs = pairs.iter().map(|(name, value)| format!("{}={}", encoded(name), encoded(value)));
    Ok(pairs.collect::<Vec<_>>().join("&"))
}

fn encoded(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    let one = |byte| if plain(byte) { char::from(byte).into() } else { format!("%{byte:02X}") };
    text.bytes().map(one).collect()
}

/// Returns `+` and the digits of a number; `None` if the number is invalid or ambiguous.
fn number(text: &str) -> Option<String> {
    let rest = text.strip_prefix('+')?;
    let is_space = |char: char| char.is_whitespace() && !char.is_control();
    let is_dress = |char| matches!(char, '-' | '\u{2010}'..='\u{2013}' | '\u{2212}' | '.');
    let digits = |text: &str| text.chars().filter(char::is_ascii_digit).collect::<String>();
    if !rest.chars().all(|c| c.is_ascii_digit() || is_space(c) || is_dress(c) || "()".contains(c)) {
        return None;
    }
    if let Some((before, after)) = rest.split_once('(') {
        let (area, after) = after.split_once(')')?;
        let area = digits(area);
        let stray = before.contains(')') || after.contains(['(', ')']);
        if stray || area.is_empty() || area.starts_with('0') || digits(before).len() > 4 {
            return None;
        }
    } else if rest.contains(')') {
        return None;
    }
    let whole = digits(rest);
    let groups: Vec<_> = rest.split(is_space).map(digits).filter(|one| !one.is_empty()).collect();
    let (last, others) = groups.split_last()?;
    let is_extension = !others.is_empty() && last.len() == 1 && last != "0";
    let is_pair = last.len() >= 6 && whole.len() >= 14 && whole.len() - last.len() >= 7;
    let has_zero = others.iter().any(|group| group == "0");
    let fits = (7..=15).contains(&whole.len()) && !whole.starts_with('0');
    (fits && !is_extension && !is_pair && !has_zero).then(|| format!("+{whole}"))
}

/// Reads the gateway's reply.
fn answer(reply: wit::HttpReply, token: &str) -> Result<wit::CreatedMessage, Error> {
    let wit::HttpReply { status, body, ended, .. } = reply;
    let text = String::from_utf8_lossy(&body);
    // Also hides a body with a backslash, because an escape could conceal the token.
    let secret = text.contains(token) || text.contains('\\');
    let shown = if secret { String::new() } else { text.chars().take(1_000).collect() };
    let refusal =
        types::Refusal { status, code: None, message: None, details: Vec::new(), body: shown };
    let unclear = |stage, why: &str| Err(unknown(stage, why, Some(status)));
    match (status, ended) {
        (401 | 403, _) => Err(Error::PermanentUnauthorized(refusal)),
        (429, _) => Err(Error::RateLimited(types::RateLimit { retry_after_ms: None, refusal })),
        (408 | 409, _) => unclear(Stage::ReplyUnclear, "the reply does not report the outcome"),
        (400..=499, _) => Err(Error::PermanentRefused(refusal)),
        (202, wit::BodyEnd::Whole) => {
            let json: Value = serde_json::from_slice(&body).unwrap_or_default();
            match json.get("sms").and_then(Value::as_str) {
                Some(id) if !id.trim().is_empty() && !text.contains(token) => {
                    Ok(wit::CreatedMessage { id: id.into(), json: text.trim().into() })
                }
                _ => unclear(Stage::ReplyUnclear, "the reply has no usable message ID"),
            }
        }
        (_, wit::BodyEnd::Whole) => {
            unclear(Stage::ReplyUnclear, "the gateway does not document this status")
        }
        _ => unclear(Stage::ReadingReply, "the reply is incomplete"),
    }
}

fn wrong(field: impl Into<String>, detail: &str) -> Error {
    let (field, detail) = (field.into(), detail.into());
    Error::PermanentInvalidInput(types::InvalidInput { field, detail })
}

fn other(code: &str, detail: &str) -> Error {
    let (code, detail) = (code.into(), detail.into());
    Error::PermanentOther(types::Other { code, detail, status: None })
}

fn unknown(stage: Stage, detail: &str, status: Option<u16>) -> Error {
    let detail = detail.into();
    Error::PermanentOutcomeUnknown(types::OutcomeUnknown { stage, detail, status, refusal: None })
}
