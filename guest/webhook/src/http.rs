//! Request body and response over wasi:http, with a size limit and a deadline.

use alloc::vec::Vec;

use ::wasi::http::types::{
    Fields, IncomingRequest, OutgoingBody, OutgoingResponse, ResponseOutparam,
};
use ::wasi::io::streams::StreamError;
use messaging_core::webhook::{Answer, delivery};
use messaging_runtime::clock::{self, Clock};

/// Size of one read in bytes. A typical event fits.
const CHUNK_BYTES: u64 = 16 * 1024;

/// Reads the complete body. Returns the response to send if the body is too large, late or
/// incomplete.
pub fn read(
    request: &IncomingRequest,
    deadline_ms: u32,
    max_bytes: usize,
) -> Result<Vec<u8>, Answer> {
    let body = request.consume().map_err(|()| delivery::broken_off())?;
    let stream = body.stream().map_err(|()| delivery::broken_off())?;
    // The clock starts with the first wait, because a timer costs the host resources. A body that
    // has already arrived needs no clock.
    let mut waiting = None;
    let mut bytes = Vec::new();
    loop {
        match stream.read(CHUNK_BYTES) {
            Ok(chunk) if chunk.is_empty() => {
                let (clock, ready) = waiting.get_or_insert_with(|| {
                    (Clock::new(clock::now(), deadline_ms), stream.subscribe())
                });
                // A slow client can make the stream ready exactly at the deadline, so the code also
                // checks the time.
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

/// Sends the response. If the host rejects it, the event source receives no response and
/// redelivers.
pub fn respond(out: ResponseOutparam, answer: &Answer) {
    let text = answer.body();
    // Hosts accept these headers. If a host rejects them, the response has no headers, but the same
    // status and body.
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
