//! One request over wasi:http, with a deadline and size limits. Only calls the host; makes no
//! decisions.

use alloc::vec::Vec;

use ::wasi::http::outgoing_handler;
use ::wasi::http::types::{
    ErrorCode, Fields, FutureIncomingResponse, HeaderError, IncomingResponse, Method as WasiMethod,
    OutgoingBody, OutgoingRequest, Scheme as WasiScheme, http_error_code,
};
use ::wasi::io::streams::{InputStream, OutputStream, StreamError};
use messaging_core::Input;
use messaging_core::error::Stage;
use messaging_core::origin::Scheme;
use messaging_core::outcome::{Cause, Failure};
use messaging_core::wire::reply::is_body_read;
use messaging_core::wire::{Body, Method, Reply, Request};

use crate::clock::Clock;

messaging_core::error_code_name!(ErrorCode);

/// Maximum number of bytes in one read from an input stream.
const CHUNK_BYTES: usize = 64 * 1024;

/// Sends `request` and reads the reply.
pub fn exchange(request: &Request, clock: &Clock, max_reply_bytes: usize) -> Input {
    match send(request, clock) {
        Ok((response, request_body)) => {
            let reply = read(request.method(), &response, clock, max_reply_bytes);
            // Drops an unfinished request body only after the reply is read, because the drop ends
            // the connection.
            drop(response);
            drop(request_body);
            Input::Replied(reply)
        }
        Err((stage, cause)) => Input::Failed(Failure { stage, cause }),
    }
}

/// Sends the request and waits for the head of the reply. Also returns the request body if the host
/// did not accept all of it.
fn send(
    request: &Request,
    clock: &Clock,
) -> Result<(IncomingResponse, Option<OutgoingBody>), (Stage, Cause)> {
    let outgoing =
        build(request).map_err(|part| (Stage::SendingRequest, Cause::Unbuildable(part)))?;
    let body = outgoing.body().map_err(|()| (Stage::SendingRequest, Cause::Unbuildable("body")))?;
    // Sets no timeouts, because some hosts also apply the connect timeout to the wait for the
    // reply. They would report a slow service as unreachable.
    let future = outgoing_handler::handle(outgoing, None)
        .map_err(|code| (Stage::SendingRequest, Cause::Code(name(&code))))?;
    let unfinished = match write(request.body(), body, &future, clock) {
        Written::Whole => None,
        // The service may have replied before it read the whole body. Its reply is more useful than
        // the failed write.
        Written::Part(body) => Some(body),
        Written::Late => return Err((Stage::SendingRequest, Cause::Deadline)),
    };
    let stage = if unfinished.is_some() { Stage::SendingRequest } else { Stage::AwaitingReply };
    let ready = future.subscribe();
    while clock.wait(&[&ready]) {
        match future.get() {
            Some(Ok(Ok(response))) => return Ok((response, unfinished)),
            Some(Ok(Err(code))) => return Err((stage, Cause::Code(name(&code)))),
            // Cannot happen, because the loop ends when it takes the result. `Cause::Stream` proves
            // nothing about the request.
            Some(Err(())) => return Err((stage, Cause::Stream)),
            None => {}
        }
    }
    Err((stage, Cause::Deadline))
}

/// Converts the request to a `wasi:http` request. `Err` names the part that the host rejected.
fn build(request: &Request) -> Result<OutgoingRequest, &'static str> {
    let mut headers = named(request.headers());
    let fields = match Fields::from_list(&headers) {
        // Some hosts forbid `content-length`, the last header, and set it themselves.
        Err(HeaderError::Forbidden) => {
            headers.pop();
            Fields::from_list(&headers)
        }
        other => other,
    };
    let outgoing = OutgoingRequest::new(fields.map_err(|_| "headers")?);
    let method = match request.method() {
        Method::Get => WasiMethod::Get,
        Method::Post => WasiMethod::Post,
    };
    let scheme = match request.scheme() {
        Scheme::Http => WasiScheme::Http,
        Scheme::Https => WasiScheme::Https,
    };
    outgoing.set_method(&method).map_err(|()| "method")?;
    outgoing.set_scheme(Some(&scheme)).map_err(|()| "scheme")?;
    outgoing.set_authority(Some(request.authority())).map_err(|()| "authority")?;
    outgoing.set_path_with_query(Some(request.path())).map_err(|()| "path")?;
    Ok(outgoing)
}

fn named(headers: Vec<(&'static str, Vec<u8>)>) -> Vec<(alloc::string::String, Vec<u8>)> {
    headers.into_iter().map(|(name, value)| (name.into(), value)).collect()
}

enum Written {
    /// The host accepted the whole body.
    Whole,
    /// The stream ended early, or the service replied.
    Part(OutgoingBody),
    /// The deadline passed.
    Late,
}

/// Writes the body. Stops early if the service replies or the deadline passes.
fn write(
    bytes: &[u8],
    body: OutgoingBody,
    future: &FutureIncomingResponse,
    clock: &Clock,
) -> Written {
    if !bytes.is_empty() {
        let Ok(stream) = body.write() else { return Written::Part(body) };
        match write_all(bytes, &stream, future, clock) {
            Ok(true) => {}
            Ok(false) => return Written::Late,
            Err(()) => {
                drop(stream);
                return Written::Part(body);
            }
        }
    }
    // Ignores the result, because the future also reports a body that cannot be finished.
    let _ = OutgoingBody::finish(body, None);
    Written::Whole
}

/// Writes all bytes. Returns `Ok(false)` if the deadline passed, and `Err` if the stream ended or
/// the service replied.
fn write_all(
    mut rest: &[u8],
    stream: &OutputStream,
    future: &FutureIncomingResponse,
    clock: &Clock,
) -> Result<bool, ()> {
    let mut waiting = None;
    while !rest.is_empty() {
        let room = usize::try_from(stream.check_write().map_err(drop)?).unwrap_or(usize::MAX);
        if room > 0 {
            let (now, later) = rest.split_at_checked(room).unwrap_or((rest, &[]));
            stream.write(now).map_err(drop)?;
            rest = later;
            continue;
        }
        let (writable, answered) =
            waiting.get_or_insert_with(|| (stream.subscribe(), future.subscribe()));
        if !clock.wait(&[writable, answered]) {
            return Ok(false);
        }
        if answered.ready() && !writable.ready() {
            return Err(());
        }
    }
    Ok(true)
}

/// Reads the status, the relevant headers and the body.
fn read(method: Method, response: &IncomingResponse, clock: &Clock, max_bytes: usize) -> Reply {
    let status = response.status();
    let headers = response.headers();
    let get = |name: &str| headers.get(&name.into());
    let mut reply = Reply {
        status,
        retry_after: Vec::new(),
        date: None,
        content_encoding: get("content-encoding"),
        body: Body::default(),
    };
    if status >= 400 {
        reply.retry_after = get("retry-after");
        if !reply.retry_after.is_empty() {
            reply.date = get("date").into_iter().next();
        }
    }
    drop(headers);
    if is_body_read(method, status) {
        reply.body = read_body(response, clock, max_bytes);
    }
    reply
}

fn read_body(response: &IncomingResponse, clock: &Clock, max_bytes: usize) -> Body {
    let mut bytes = Vec::new();
    let cut = |bytes, cause| Body { bytes, cut_short: Some(cause) };
    let Ok(incoming) = response.consume() else { return cut(bytes, Cause::Stream) };
    let Ok(stream) = incoming.stream() else { return cut(bytes, Cause::Stream) };
    // Waits first, because a read before any data arrives would be a wasted call.
    let ready = stream.subscribe();
    while clock.wait(&[&ready]) {
        // Requests one byte above the limit to detect a body that is too long.
        let room = max_bytes.saturating_add(1).saturating_sub(bytes.len());
        match next_chunk(&stream, room.min(CHUNK_BYTES)) {
            Ok(Some(chunk)) if bytes.is_empty() => bytes = chunk,
            Ok(Some(chunk)) => bytes.extend_from_slice(&chunk),
            Ok(None) => return Body { bytes, cut_short: None },
            Err(cause) => return cut(bytes, cause),
        }
        if bytes.len() > max_bytes {
            bytes.truncate(max_bytes);
            return cut(bytes, Cause::TooLarge);
        }
    }
    cut(bytes, Cause::Deadline)
}

/// Returns the available bytes, possibly zero; `None` at the end of the stream.
fn next_chunk(stream: &InputStream, max: usize) -> Result<Option<Vec<u8>>, Cause> {
    match stream.read(u64::try_from(max).unwrap_or(u64::MAX)) {
        Ok(chunk) => Ok(Some(chunk)),
        Err(StreamError::Closed) => Ok(None),
        Err(StreamError::LastOperationFailed(error)) => {
            Err(http_error_code(&error).map_or(Cause::Stream, |code| Cause::Code(name(&code))))
        }
    }
}
