//! Conversion of requests and replies between the core and a driver. Ignores headers that the core
//! does not use, and bodies that the core does not read.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use messaging_core::error::Stage;
use messaging_core::outcome::{Cause, Failure, Proof, WITHHELD};
use messaging_core::secret::ApiKey;
use messaging_core::wire::reply::is_body_read;
use messaging_core::wire::{Body, Method, Reply, Request};

use crate::wit;

/// Converts a request for the driver.
pub fn request(request: &Request, time_left_ms: u32, max_reply_bytes: usize) -> wit::HttpRequest {
    let method = match request.method() {
        Method::Get => "GET",
        Method::Post => "POST",
    };
    // HTTP clients set `content-length` themselves.
    let headers = request.headers().into_iter().filter(|(name, _)| *name != "content-length");
    // All values are ASCII, including the API key.
    let text = |value| String::from_utf8(value).unwrap_or_default();
    let header =
        |(name, value): (&str, Vec<u8>)| wit::Header { name: name.to_string(), value: text(value) };
    wit::HttpRequest {
        method: method.to_string(),
        url: [request.scheme().as_str(), "://", request.authority(), request.path()].concat(),
        headers: headers.map(header).collect(),
        body: request.body().to_vec(),
        time_left_ms,
        max_reply_bytes: u32::try_from(max_reply_bytes).unwrap_or(u32::MAX),
    }
}

/// Converts a reply from the driver. `method` is the method of the request.
pub fn reply(received: wit::HttpReply, method: Method, max_bytes: usize) -> Reply {
    let wit::HttpReply { status, headers, body, ended } = received;
    let mut reply = Reply {
        status,
        retry_after: Vec::new(),
        date: None,
        content_encoding: Vec::new(),
        body: Body::default(),
    };
    for wit::Header { name, value } in headers {
        let value = value.into_bytes();
        if name.eq_ignore_ascii_case("content-encoding") {
            reply.content_encoding.push(value);
        } else if name.eq_ignore_ascii_case("retry-after") {
            reply.retry_after.push(value);
        } else if name.eq_ignore_ascii_case("date") && reply.date.is_none() {
            reply.date = Some(value);
        }
    }
    // Ignores every other body, because the result must not depend on how much of such a body a
    // driver reads.
    if is_body_read(method, status) {
        reply.body = bounded(body, ended, max_bytes);
    }
    reply
}

fn bounded(mut bytes: Vec<u8>, ended: wit::BodyEnd, max_bytes: usize) -> Body {
    let mut cut_short = match ended {
        wit::BodyEnd::Whole => None,
        wit::BodyEnd::Broken => Some(Cause::Stream),
        wit::BodyEnd::TooLarge => Some(Cause::TooLarge),
        wit::BodyEnd::Late => Some(Cause::Deadline),
        wit::BodyEnd::Withheld => Some(Cause::Code(WITHHELD)),
    };
    if bytes.len() > max_bytes {
        bytes.truncate(max_bytes);
        cut_short = Some(Cause::TooLarge);
    }
    Body { bytes, cut_short }
}

/// Converts a failure that the driver reports.
pub fn failure(failed: wit::Failed, key: &ApiKey) -> Failure {
    let proof = match failed.failure {
        wit::Failure::NotReached => Proof::NotSent,
        wit::Failure::Denied => Proof::Denied,
        wit::Failure::Broken => Proof::Nothing,
        wit::Failure::Late => {
            return Failure { stage: Stage::AwaitingReply, cause: Cause::Deadline };
        }
    };
    Failure::reported(proof, failed.detail, key)
}
