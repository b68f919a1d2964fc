//! A custom component for wasmCloud. Reads a key, a phone number and a text from the request
//! headers and sends the message once. The host links this component to the component of the
//! workload that exports `once`.
//!
//! Answers 200 with the message identifier, 503 if the caller should retry, and 409 if an operator
//! must check the outcome.
// A native build has no WASI, so this crate is then empty.
#![cfg(target_family = "wasm")]
#![no_std]

extern crate alloc;

use messaging_runtime as _;

#[allow(missing_docs, reason = "documented in the WIT")]
mod bindings {
    wit_bindgen::generate!({
        path: ["../../../wit/types.wit", "../../../wit/p3"],
        inline: "package example:sender;
            world sender {
                import wasi:http/types@0.3.0;
                import messaging:integration-async/once@0.2.0;
                export wasi:http/handler@0.3.0;
            }",
        world: "example:sender/sender",
        generate_all,
    });
}

use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use crate::bindings::exports::wasi::http::handler::Guest;
use crate::bindings::messaging::integration_async::once::{self, MessageRequest, OnceError};
use crate::bindings::wasi::http::types::{ErrorCode, Fields, Request, Response};
use crate::bindings::wit_future;

struct Sender;

bindings::export!(Sender with_types_in bindings);

impl Guest for Sender {
    async fn handle(request: Request) -> Result<Response, ErrorCode> {
        let headers = request.get_headers();
        let text = |name: &str| {
            let value = headers.get(name).into_iter().next().unwrap_or_default();
            String::from_utf8(value).unwrap_or_default()
        };
        let key = text("x-key");
        let message = MessageRequest {
            phone: text("x-phone"),
            message: text("x-message"),
            device: None,
            fields: vec![],
        };
        let sent = once::send_once(key, message).await;
        let (status, said) = match sent {
            Ok(created) => (200, format!("{} replayed={}", created.id, created.replayed)),
            Err(error) if may_be_made_again(&error) => (503, format!("{error:?}")),
            Err(error) => (409, format!("{error:?}")),
        };
        let headers: Vec<_> = vec![("x-outcome".into(), said.into_bytes())];
        let headers = Fields::from_list(&headers).unwrap_or_else(|_| Fields::new());
        let (no_trailers, trailers) = wit_future::new(|| Ok(None));
        let (response, _) = Response::new(headers, None, trailers);
        // Dropping the writer sends the default of `wit_future::new`: no trailers.
        drop(no_trailers);
        let _ = response.set_status_code(status);
        Ok(response)
    }
}

/// Returns true if the caller should retry. A retry never sends a second message.
fn may_be_made_again(error: &OnceError) -> bool {
    matches!(
        error,
        OnceError::Busy(_)
            | OnceError::Unavailable(_)
            | OnceError::RateLimited(_)
            | OnceError::NotSent(_)
            | OnceError::ExecutionFailed
    )
}
