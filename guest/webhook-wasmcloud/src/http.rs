//! The body of a request, and the answer, over wasi:http 0.3. Owns caps and deadline,
//! and no decision.

use alloc::vec::Vec;

use messaging_runtime::p3::{self, Clock, Cut, now};
use messaging_webhook_core::{Answer, delivery};
use wit_bindgen::spawn_local;

use crate::bindings::wasi::http::types::{Fields, Request, Response};
use crate::bindings::{wit_future, wit_stream};

/// Reads the body whole, or says how the request is to be answered.
pub async fn read(request: Request, deadline_ms: u32, max_bytes: usize) -> Result<Vec<u8>, Answer> {
    let clock = &mut Clock::new(now(), deadline_ms);
    // The host has no use for this side's verdict on the request.
    let (_no_complaint, complaint) = wit_future::new(|| Ok(()));
    let (stream, end) = Request::consume_body(request, complaint);
    let (bytes, cut) = p3::read(stream, clock, max_bytes).await;
    match cut {
        Some(Cut::TooLarge) => return Err(Answer::TooLarge),
        Some(Cut::Late) => return Err(Answer::TooSlow),
        Some(Cut::Broken) => return Err(delivery::broken_off()),
        None => {}
    }
    // A body that broke off ends its stream alike.
    match clock.wait(end.into_future()).await {
        Some(Ok(_trailers)) => Ok(bytes),
        Some(Err(_)) => Err(delivery::broken_off()),
        None => Err(Answer::TooSlow),
    }
}

/// Answers. What the host refuses leaves the sender without an answer, and it
/// delivers again.
pub fn respond(answer: &Answer) -> Response {
    let text = answer.body();
    // None of these can be refused; without them the answer is the same.
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
        // Dropped, it says what it was made with.
        drop(no_trailers);
    });
    response
}
