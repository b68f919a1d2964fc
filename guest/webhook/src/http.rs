//! The body of a request, and the answer, over wasi:http. Owns caps and deadline,
//! and no decision.

use alloc::string::ToString;
use alloc::vec::Vec;

use ::wasi::http::types::{
    Fields, IncomingRequest, OutgoingBody, OutgoingResponse, ResponseOutparam,
};
use ::wasi::io::streams::StreamError;
use messaging_shell::clock::Clock;
use messaging_webhook_core::Answer;

/// How much is read at once: a typical event in one piece.
const CHUNK_BYTES: u64 = 16 * 1024;

/// Reads the body whole, or says how the request is to be answered.
pub fn read(
    request: &IncomingRequest,
    headers: &Fields,
    clock: &Clock,
    max_bytes: usize,
) -> Result<Vec<u8>, Answer> {
    // A declared length above the cap saves the reading.
    let declared = headers.get(&"content-length".to_string());
    let length = |value: &Vec<u8>| core::str::from_utf8(value).ok()?.parse::<u64>().ok();
    let cap = u64::try_from(max_bytes).unwrap_or(u64::MAX);
    if declared.iter().filter_map(length).any(|length| length > cap) {
        return Err(Answer::TooLarge);
    }
    let broken = || Answer::Malformed { field: "body".into(), reason: "broke off".into() };
    let body = request.consume().map_err(|()| broken())?;
    let stream = body.stream().map_err(|()| broken())?;
    // Waiting costs the host a timer, so it is asked for only where nothing is there.
    let mut ready = None;
    let mut bytes = Vec::new();
    loop {
        match stream.read(CHUNK_BYTES) {
            Ok(chunk) if chunk.is_empty() => {
                if !clock.wait(&[ready.get_or_insert_with(|| stream.subscribe())]) {
                    return Err(Answer::TooSlow);
                }
            }
            Ok(chunk) if chunk.len() > max_bytes.saturating_sub(bytes.len()) => {
                return Err(Answer::TooLarge);
            }
            Ok(chunk) => bytes.extend_from_slice(&chunk),
            Err(StreamError::Closed) => return Ok(bytes),
            Err(StreamError::LastOperationFailed(_)) => return Err(broken()),
        }
        // A sender that drips keeps the stream ready at all times.
        if clock.left_ms() == 0 {
            return Err(Answer::TooSlow);
        }
    }
}

/// Answers. What the host refuses leaves the sender without an answer, and it
/// delivers again.
pub fn respond(out: ResponseOutparam, answer: &Answer) {
    let text = answer.body();
    let headers = Fields::new();
    let add = |name: &str, value: &str| {
        let _ = headers.append(&name.to_string(), &value.as_bytes().to_vec());
    };
    add("content-type", "application/json");
    add("content-length", &text.len().to_string());
    if let Some((name, value)) = answer.header() {
        add(name, value);
    }
    let response = OutgoingResponse::new(headers);
    let _ = response.set_status_code(answer.status());
    let body = response.body();
    ResponseOutparam::set(out, Ok(response));
    let Ok(body) = body else { return };
    if let Ok(stream) = body.write() {
        let _ = stream.blocking_write_and_flush(text.as_bytes());
    }
    let _ = OutgoingBody::finish(body, None);
}
