//! The body of a request, and the answer, over wasi:http. Owns caps and deadline,
//! and no decision.

use alloc::vec::Vec;

use ::wasi::http::types::{
    Fields, IncomingRequest, OutgoingBody, OutgoingResponse, ResponseOutparam,
};
use ::wasi::io::streams::StreamError;
use messaging_runtime::clock::{self, Clock};
use messaging_webhook_core::{Answer, delivery};

/// Bytes of one read: a typical event in one piece.
const CHUNK_BYTES: u64 = 16 * 1024;

/// Reads the body whole, or says how the request is to be answered.
pub fn read(
    request: &IncomingRequest,
    deadline_ms: u32,
    max_bytes: usize,
) -> Result<Vec<u8>, Answer> {
    let body = request.consume().map_err(|()| delivery::broken_off())?;
    let stream = body.stream().map_err(|()| delivery::broken_off())?;
    // Waiting costs the host a timer, so the clock starts where something has to be
    // waited for. A body that is there already takes no time.
    let mut waiting = None;
    let mut bytes = Vec::new();
    loop {
        match stream.read(CHUNK_BYTES) {
            Ok(chunk) if chunk.is_empty() => {
                let (clock, ready) = waiting.get_or_insert_with(|| {
                    (Clock::new(clock::now(), deadline_ms), stream.subscribe())
                });
                // A sender that drips makes the stream ready at the deadline as well.
                if !clock.wait(&[ready]) || clock.left_ms() == 0 {
                    return Err(Answer::TooSlow);
                }
            }
            Ok(chunk) if chunk.len() > max_bytes.saturating_sub(bytes.len()) => {
                return Err(Answer::TooLarge);
            }
            Ok(chunk) if bytes.is_empty() => bytes = chunk,
            Ok(chunk) => bytes.extend_from_slice(&chunk),
            Err(StreamError::Closed) => return Ok(bytes),
            Err(StreamError::LastOperationFailed(_)) => return Err(delivery::broken_off()),
        }
    }
}

/// Answers. What the host refuses leaves the sender without an answer, and it
/// delivers again.
pub fn respond(out: ResponseOutparam, answer: &Answer) {
    let text = answer.body();
    // None of these can be refused; without them the answer is the same.
    let headers = Fields::from_list(&answer.headers(&text)).unwrap_or_else(|_| Fields::new());
    let response = OutgoingResponse::new(headers);
    if answer.status() != 200 {
        let _ = response.set_status_code(answer.status());
    }
    let body = response.body();
    ResponseOutparam::set(out, Ok(response));
    let Ok(body) = body else { return };
    if let Ok(stream) = body.write() {
        let _ = stream.blocking_write_and_flush(text.as_bytes());
    }
    let _ = OutgoingBody::finish(body, None);
}
