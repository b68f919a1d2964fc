//! Request body and response over wasi:http 0.3, with a size limit and a deadline.

use alloc::vec::Vec;

use messaging_core::webhook::{Answer, delivery};
use messaging_runtime::p3::{self, Clock, Cut, now};
use wit_bindgen::spawn_local;

use crate::bindings::wasi::http::types::{Fields, Request, Response};
use crate::bindings::{wit_future, wit_stream};

/// Reads the complete body. Returns the response to send if the body is too large, late or
/// incomplete.
pub async fn read(request: Request, deadline_ms: u32, max_bytes: usize) -> Result<Vec<u8>, Answer> {
    let clock = &mut Clock::new(now(), deadline_ms);
    // Dropping the writer reports success. The host does not use this result.
    let (_no_complaint, complaint) = wit_future::new(|| Ok(()));
    let (stream, end) = Request::consume_body(request, complaint);
    let (bytes, cut) = p3::read(stream, clock, max_bytes).await;
    match cut {
        Some(Cut::TooLarge) => return Err(Answer::TooLarge),
        Some(Cut::Late) => return Err(Answer::TooSlow),
        Some(Cut::Broken) => return Err(delivery::broken_off()),
        None => {}
    }
    // The stream ends in the same way for complete and incomplete bodies. Only `end` differs.
    match clock.wait(end.into_future()).await {
        Some(Ok(_trailers)) => Ok(bytes),
        Some(Err(_)) => Err(delivery::broken_off()),
        None => Err(Answer::TooSlow),
    }
}

/// Creates the response. If the host rejects it, the event source receives no response and
/// redelivers.
pub fn respond(answer: &Answer) -> Response {
    let text = answer.body();
    // Hosts accept these headers. If a host rejects them, the response has no headers, but the same
    // status and body.
    let headers = Fields::from_list(&answer.headers(&text)).unwrap_or_else(|_| Fields::new());
    let (mut body, contents) = wit_stream::new();
    let (no_trailers, trailers) = wit_future::new(|| Ok(None));
    let (response, _) = Response::new(headers, Some(contents), trailers);
    if answer.status() != 200 {
        let _ = response.set_status_code(answer.status());
    }
    spawn_local(async move {
        body.write_all(text.into_bytes()).await;
        drop(body);
        // Dropping the writer sends its default value: no trailers.
        drop(no_trailers);
    });
    response
}
