//! Another provider of the interface, written against it alone: an SMS gateway with an API
//! of its own. The suite's neutral cases hold for it as they do for the plugin.
//!
//! | function | request | success |
//! |---|---|---|
//! | `send-message` | `POST {SMS_URL}/sms`, a form of `to`, `text`, `from` and the fields; the token as `Authorization: Bearer` | 202 with `{"sms": ID}` |
//! | `list-templates` | none: `permanent-other`, code `no-templates` | |
//! | `handle-event` | none: `permanent-other`, code `no-events` | |
//!
//! Settings: `SMS_URL`, `SMS_TOKEN`, and `SMS_DEADLINE_MS`, which is 30000 by default.
#![cfg(target_family = "wasm")]

use serde_json::Value;
use wasi::clocks::monotonic_clock::subscribe_duration;
use wasi::http::outgoing_handler;
use wasi::http::types::{
    ErrorCode, Fields, FutureIncomingResponse, IncomingResponse, Method, OutgoingBody,
    OutgoingRequest, Scheme,
};
use wasi::io::poll::{Pollable, poll};
use wasi::io::streams::{OutputStream, StreamError};

#[allow(missing_docs, reason = "the WIT documents what is generated from it")]
mod bindings {
    wit_bindgen::generate!({
        path: "../../../wit",
        inline: "package sms:provider;
            world provider { export messaging:integration/messaging@0.2.0; }",
        world: "sms:provider/provider",
    });
}

use bindings::exports::messaging::integration::messaging::{self as wit, Error, Stage};

/// More than any reply of the gateway.
const MAX_REPLY_BYTES: usize = 64 * 1024;
/// Names that the interface and the form use themselves.
const TAKEN: [&str; 5] = ["phone", "message", "to", "text", "from"];

struct Sms;

bindings::export!(Sms with_types_in bindings);

impl wit::Guest for Sms {
    fn send_message(request: wit::MessageRequest) -> Result<wit::CreatedMessage, Error> {
        let (url, token) = (setting("SMS_URL")?, setting("SMS_TOKEN")?);
        let deadline = std::env::var("SMS_DEADLINE_MS").unwrap_or_else(|_| "30000".into());
        let deadline = deadline.parse().map_err(|_| wrong_setting("SMS_DEADLINE_MS"))?;
        let form = form(request)?;
        let outgoing = outgoing(&url, &token, form.len())?;
        let late = subscribe_duration(u64::saturating_mul(deadline, 1_000_000));
        let (response, _unfinished) = exchange(outgoing, form.as_bytes(), &late)?;
        let body = read(&response, &late);
        answer(response.status(), &token, body)
    }

    fn list_templates(_: wit::TemplateQuery) -> Result<wit::TemplatePage, Error> {
        Err(other("no-templates", "an SMS is text alone"))
    }

    fn handle_event(_: wit::WebhookDelivery) -> Result<wit::Event, Error> {
        Err(other("no-events", "the gateway delivers no events"))
    }
}

fn setting(name: &str) -> Result<String, Error> {
    std::env::var(name).map_err(|_| wrong_setting(name))
}

fn wrong_setting(setting: &str) -> Error {
    let detail = "is missing or malformed".into();
    Error::PermanentInvalidSettings(wit::InvalidSettings { setting: setting.into(), detail })
}

fn wrong(field: impl Into<String>, detail: &str) -> Error {
    let (field, detail) = (field.into(), detail.into());
    Error::PermanentInvalidInput(wit::InvalidInput { field, detail })
}

fn other(code: &str, detail: &str) -> Error {
    let (code, detail) = (code.into(), detail.into());
    Error::PermanentOther(wit::Other { code, detail, status: None })
}

fn unknown(stage: Stage, detail: &str, status: Option<u16>) -> Error {
    let detail = detail.into();
    Error::PermanentOutcomeUnknown(wit::OutcomeUnknown { stage, detail, status, refusal: None })
}

/// The request's form.
fn form(request: wit::MessageRequest) -> Result<String, Error> {
    let number = number(&request.phone).ok_or_else(|| wrong("phone", "is no number for sure"))?;
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
            return Err(wrong(format!("fields[{index}].name"), "is empty, or is given already"));
        }
        let value = match serde_json::from_str(&field.json) {
            Ok(Value::String(text)) => text,
            Ok(value @ (Value::Number(_) | Value::Bool(_))) => value.to_string(),
            _ => {
                return Err(wrong(
                    format!("fields[{index}].json"),
                    "is not a string, number or boolean",
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

/// The number without what people write between its digits; none where they may mean
/// another one.
fn number(text: &str) -> Option<String> {
    let rest = text.strip_prefix('+')?;
    let is_space = |char| matches!(char, ' ' | '\u{a0}' | '\u{202f}');
    let is_dress = |char| matches!(char, '-' | '\u{2010}' | '\u{2011}' | '\u{2013}' | '.');
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

fn outgoing(url: &str, token: &str, bytes: usize) -> Result<OutgoingRequest, Error> {
    let malformed = || wrong_setting("SMS_URL");
    let (scheme, rest) = url.split_once("://").ok_or_else(malformed)?;
    let scheme = match scheme {
        "https" => Scheme::Https,
        "http" => Scheme::Http,
        _ => return Err(malformed()),
    };
    let (authority, prefix) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    let headers = [
        ("authorization".to_string(), format!("Bearer {token}").into_bytes()),
        ("content-type".to_string(), b"application/x-www-form-urlencoded".to_vec()),
        ("content-length".to_string(), bytes.to_string().into_bytes()),
    ];
    let headers = Fields::from_list(&headers).map_err(|_| wrong_setting("SMS_TOKEN"))?;
    let request = OutgoingRequest::new(headers);
    let path = format!("{}/sms", prefix.trim_end_matches('/'));
    request
        .set_method(&Method::Post)
        .and_then(|()| request.set_scheme(Some(&scheme)))
        .and_then(|()| request.set_authority(Some(authority)))
        .and_then(|()| request.set_path_with_query(Some(&path)))
        .map_err(|()| malformed())?;
    Ok(request)
}

/// Makes the one request. Hands back its body where the service answered before its end.
fn exchange(
    request: OutgoingRequest,
    form: &[u8],
    late: &Pollable,
) -> Result<(IncomingResponse, Option<OutgoingBody>), Error> {
    let no_body = |()| other("no-body", "the host gives a request no body");
    let body = request.body().map_err(no_body)?;
    let stream = body.write().map_err(no_body)?;
    let future = outgoing_handler::handle(request, None).map_err(failed)?;
    let whole = write(form, &stream, &future, late)?;
    drop(stream);
    let unfinished = match whole {
        true => OutgoingBody::finish(body, None).map(|()| None).unwrap_or_default(),
        false => Some(body),
    };
    let ready = future.subscribe();
    loop {
        match future.get() {
            Some(Ok(Ok(response))) => return Ok((response, unfinished)),
            Some(Ok(Err(code))) => return Err(failed(code)),
            Some(Err(())) => return Err(unknown(Stage::AwaitingReply, "asked twice", None)),
            None if poll(&[&ready, late]).contains(&0) => {}
            None => return Err(unknown(Stage::AwaitingReply, "the deadline passed", None)),
        }
    }
}

/// Whether the whole form was written: not where the stream ends, or an answer comes first.
fn write(
    mut rest: &[u8],
    stream: &OutputStream,
    future: &FutureIncomingResponse,
    late: &Pollable,
) -> Result<bool, Error> {
    let (writable, answered) = (stream.subscribe(), future.subscribe());
    while !rest.is_empty() {
        let Ok(room) = stream.check_write() else { return Ok(false) };
        let room = rest.len().min(usize::try_from(room).unwrap_or(usize::MAX));
        let (now, later) = rest.split_at(room);
        if room > 0 && stream.write(now).is_err() {
            return Ok(false);
        }
        rest = later;
        if room == 0 {
            let ready = poll(&[&writable, &answered, late]);
            if ready.contains(&1) {
                return Ok(false);
            }
            if !ready.contains(&0) {
                return Err(unknown(Stage::SendingRequest, "the deadline passed", None));
            }
        }
    }
    Ok(true)
}

/// Maps the error of a request without an answer; it proves only that the request had no
/// connection, or that the host forbids it.
fn failed(code: ErrorCode) -> Error {
    let detail = format!("{code:?}");
    match code {
        ErrorCode::HttpRequestDenied | ErrorCode::DestinationIpProhibited => {
            Error::PermanentDenied(wit::Denied { detail })
        }
        ErrorCode::DnsTimeout
        | ErrorCode::DnsError(_)
        | ErrorCode::ConnectionRefused
        | ErrorCode::ConnectionTimeout => Error::NotSent(wit::NotSent { detail }),
        _ => unknown(Stage::AwaitingReply, &detail, None),
    }
}

/// The body; `Err` is why its end is missing.
fn read(response: &IncomingResponse, late: &Pollable) -> Result<Vec<u8>, &'static str> {
    let body = response.consume().map_err(|()| "the reply has no body")?;
    let stream = body.stream().map_err(|()| "the reply has no body")?;
    let (ready, mut bytes) = (stream.subscribe(), Vec::new());
    loop {
        match stream.read(4096) {
            Ok(chunk) if chunk.is_empty() && !poll(&[&ready, late]).contains(&0) => {
                return Err("the deadline passed");
            }
            Ok(chunk) => bytes.extend(chunk),
            Err(StreamError::Closed) => return Ok(bytes),
            Err(StreamError::LastOperationFailed(_)) => return Err("the reply broke off"),
        }
        if bytes.len() > MAX_REPLY_BYTES {
            return Err("the reply is too long");
        }
    }
}

/// Maps the gateway's statuses.
fn answer(
    status: u16,
    token: &str,
    body: Result<Vec<u8>, &'static str>,
) -> Result<wit::CreatedMessage, Error> {
    let text = body.as_deref().map(String::from_utf8_lossy).unwrap_or_default();
    let refusal = || wit::Refusal {
        status,
        code: None,
        message: None,
        details: Vec::new(),
        // An escape could hide the token.
        body: match text.contains(token) || text.contains('\\') {
            true => String::new(),
            false => text.chars().take(1_000).collect(),
        },
    };
    match (status, &body) {
        (401 | 403, _) => Err(Error::PermanentUnauthorized(refusal())),
        (429, _) => {
            let refusal = refusal();
            Err(Error::RateLimited(wit::RateLimit { retry_after_ms: None, refusal }))
        }
        (408 | 409, _) => Err(unknown(Stage::ReplyUnclear, "not said", Some(status))),
        (400..=499, _) => Err(Error::PermanentRefused(refusal())),
        (_, Err(why)) => Err(unknown(Stage::ReadingReply, why, Some(status))),
        (202, Ok(_)) => match serde_json::from_str::<Value>(&text).unwrap_or_default()["sms"]
            .as_str()
        {
            Some(id) if !id.trim().is_empty() && !text.contains(token) => {
                Ok(wit::CreatedMessage { id: id.into(), json: text.trim().into() })
            }
            _ => Err(unknown(Stage::ReplyUnclear, "accepted, without an identifier", Some(202))),
        },
        _ => Err(unknown(Stage::ReplyUnclear, "no answer of the gateway's", Some(status))),
    }
}
