//! The webhook as a component of the world `messaging:integration/webhook`. Owns
//! the way of one request; what it decides stands in `messaging-webhook-core`.
//!
//! ```text
//! wasi:http -> settings -> method, origin -> body -> signature -> messaging -> inbox -> 200
//! ```
// Outside wasm there is no WASI to call: natively this crate is empty.
#![cfg(target_family = "wasm")]
#![no_std]
#![deny(clippy::indexing_slicing, clippy::arithmetic_side_effects, clippy::string_slice)]

extern crate alloc;

mod http;

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use core::cell::OnceCell;

use ::wasi::http::types::{IncomingRequest, Method, ResponseOutparam};
use messaging_webhook_core::settings::InvalidSettings;
use messaging_webhook_core::{Answer, Settings};

use crate::bindings::exports::wasi::http::incoming_handler::Guest;
use crate::bindings::messaging::integration::inbox::{self, Entry, InboxError, Stored};
use crate::bindings::messaging::integration::messaging::{self, Error, Header, WebhookDelivery};

#[allow(missing_docs, reason = "the WIT documents what is generated from it")]
mod bindings {
    wit_bindgen::generate!({
        path: "../../wit",
        world: "webhook",
        with: {
            "wasi:cli/environment@0.2.0": ::wasi::cli::environment,
            "wasi:cli/stderr@0.2.0": ::wasi::cli::stderr,
            "wasi:clocks/monotonic-clock@0.2.0": ::wasi::clocks::monotonic_clock,
            "wasi:clocks/wall-clock@0.2.0": ::wasi::clocks::wall_clock,
            "wasi:io/error@0.2.0": ::wasi::io::error,
            "wasi:io/poll@0.2.0": ::wasi::io::poll,
            "wasi:io/streams@0.2.0": ::wasi::io::streams,
            "wasi:http/types@0.2.0": ::wasi::http::types,
        },
    });
}

/// The headers that a delivery consists of (section 6.1); the others stay here.
const CONTENT_TYPE: &str = "content-type";
const KEY: &str = "x-idempotency-key";

struct Webhook;

bindings::export!(Webhook with_types_in bindings);

impl Guest for Webhook {
    fn handle(request: IncomingRequest, out: ResponseOutparam) {
        http::respond(out, &receive(&request));
    }
}

/// Whatever the first request found: the environment of an instance stays as it is.
struct Once(OnceCell<Result<Settings, InvalidSettings>>);

// SAFETY: an instance has one thread: the component imports nothing that makes another.
unsafe impl Sync for Once {}

static SETTINGS: Once = Once(OnceCell::new());

fn receive(request: &IncomingRequest) -> Answer {
    let read = || Settings::from_variables(::wasi::cli::environment::get_environment());
    let settings = match SETTINGS.0.get_or_init(read) {
        Ok(settings) => settings,
        Err(invalid) => {
            log(&format!("nothing is received: {} {}", invalid.setting, invalid.detail));
            return Answer::NotKept;
        }
    };
    if !matches!(request.method(), Method::Post) {
        return Answer::NotPost;
    }
    let headers = request.headers();
    let header = |name: &str| headers.get(&name.to_string());
    let path = request.path_with_query().unwrap_or_default();
    if !settings.let_somebody_in() || !settings.proofs.hold_for_head(&path, header) {
        return Answer::Unverified;
    }
    let body = match http::read(request, &headers, settings.deadline_ms, settings.max_body_bytes) {
        Ok(body) => body,
        Err(answer) => return answer,
    };
    let now = || ::wasi::clocks::wall_clock::now().seconds;
    if !settings.proofs.hold_for_body(&body, header, now) {
        return Answer::Unverified;
    }
    let Ok(body) = String::from_utf8(body) else {
        return malformed("body", "is not UTF-8");
    };
    let mut delivered = vec![];
    let key_header = settings.proofs.key_header();
    for (name, received) in [(CONTENT_TYPE, CONTENT_TYPE), (KEY, key_header)] {
        for value in header(received) {
            let value = String::from_utf8_lossy(&value).into_owned();
            delivered.push(Header { name: name.to_string(), value });
        }
    }
    match messaging::handle_event(&WebhookDelivery { headers: delivered, body }) {
        Ok(event) => keep(event),
        Err(Error::PermanentInvalidInput(invalid)) if invalid.field == "content-type" => {
            Answer::NotJson
        }
        Err(Error::PermanentInvalidInput(invalid)) if invalid.field == KEY => {
            malformed(key_header, &invalid.detail)
        }
        Err(Error::PermanentInvalidInput(invalid)) => malformed(&invalid.field, &invalid.detail),
        // Not the delivery's fault: an engine that could not run the plugin, or a provider
        // whose service delivers no events.
        Err(_) => {
            log("messaging could not look at a delivery");
            Answer::NotKept
        }
    }
}

fn keep(event: messaging::Event) -> Answer {
    let entry = Entry {
        idempotency_key: event.idempotency_key,
        message_id: event.message_id,
        kind: event.kind,
        json: event.json,
    };
    match inbox::put(&entry) {
        Ok(Stored::Stored | Stored::Duplicate) => Answer::Kept,
        Ok(Stored::Conflict) => {
            let key = &entry.idempotency_key;
            log(&format!("quarantined: another event was received under the key {key}"));
            Answer::Kept
        }
        Err(error) => {
            let (answer, line) = match error {
                InboxError::ExecutionFailed => (Answer::NotKept, "the inbox failed".to_string()),
                InboxError::PermanentNotSetUp(failure) => {
                    (Answer::NotKept, format!("the inbox is not set up: {}", failure.detail))
                }
                InboxError::PermanentRejected(failure) => {
                    let key = &entry.idempotency_key;
                    let detail = failure.detail;
                    (Answer::Rejected, format!("the inbox will never keep {key}: {detail}"))
                }
                InboxError::Unavailable(failure) => {
                    (Answer::NotKept, format!("the inbox is unavailable: {}", failure.detail))
                }
            };
            log(&line);
            answer
        }
    }
}

fn malformed(field: &str, detail: &str) -> Answer {
    Answer::Malformed { field: field.to_string(), detail: detail.to_string() }
}

/// A line on standard error, for whoever runs the webhook. Never holds a body, a
/// secret, or text that a sender chose other than a valid key.
fn log(line: &str) {
    let stderr = ::wasi::cli::stderr::get_stderr();
    let line = format!("messaging-webhook: {line}\n");
    // A failed log line is dropped. One call takes 4096 bytes.
    let line = line.as_bytes().get(..4096).unwrap_or(line.as_bytes());
    let _ = stderr.blocking_write_and_flush(line);
}
