//! The webhook component of the world `messaging:integration/webhook`. Connects WASI to the logic
//! in `messaging_core::webhook`.
//!
//! ```text
//! wasi:http -> settings -> method, origin -> body -> signature -> messaging -> inbox -> 200
//! ```
// WASI exists only in wasm, so this crate is empty on other targets.
#![cfg(target_family = "wasm")]
#![no_std]
#![deny(clippy::indexing_slicing, clippy::arithmetic_side_effects, clippy::string_slice)]

extern crate alloc;

mod http;

use alloc::format;
use alloc::string::{String, ToString};

use ::wasi::http::types::{IncomingRequest, Method, ResponseOutparam};
use messaging_core::webhook::delivery::log_line;
use messaging_core::webhook::inbox::{PutError, Stored};
use messaging_core::webhook::settings::InvalidSettings;
use messaging_core::webhook::{Answer, Delivery, Settings};
use messaging_runtime::once::Once;

use crate::bindings::exports::wasi::http::incoming_handler::Guest;
use crate::bindings::messaging::integration::inbox::{self, self as wit, Entry, InboxError};
use crate::bindings::messaging::integration::messaging::{self, Error, WebhookDelivery};
use crate::bindings::messaging::integration::types::Header;

#[allow(missing_docs, reason = "documented in the WIT")]
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
        generate_all,
    });
}

struct Webhook;

bindings::export!(Webhook with_types_in bindings);

impl Guest for Webhook {
    fn handle(request: IncomingRequest, out: ResponseOutparam) {
        http::respond(out, &receive(&request));
    }
}

/// Settings, read from the environment at the first request. The environment of an instance never
/// changes.
static SETTINGS: Once<Result<Settings, InvalidSettings>> = Once::new();

fn receive(request: &IncomingRequest) -> Answer {
    let read = || Settings::from_variables(::wasi::cli::environment::get_environment());
    let settings = match SETTINGS.get_or_init(read) {
        Ok(settings) => settings,
        Err(invalid) => {
            log(&format!("no delivery is accepted: {} {}", invalid.setting, invalid.detail));
            return Answer::Unavailable;
        }
    };
    let headers = request.headers();
    let header = |name: &str| headers.get(&name.to_string());
    let now = || ::wasi::clocks::wall_clock::now().seconds;
    let is_post = matches!(request.method(), Method::Post);
    let path = request.path_with_query().unwrap_or_default();
    let delivery = settings
        .admit(is_post, &path, header)
        .and_then(|()| http::read(request, settings.deadline_ms, settings.max_body_bytes))
        .and_then(|body| settings.accept(body, header, now));
    match delivery {
        Ok(delivery) => handle(settings, delivery),
        Err(answer) => answer,
    }
}

fn handle(settings: &Settings, delivery: Delivery) -> Answer {
    let header = |(name, value): (&str, String)| Header { name: name.into(), value };
    let headers = delivery.headers.into_iter().map(header).collect();
    match messaging::handle_event(&WebhookDelivery { headers, body: delivery.body }) {
        Ok(event) => keep(event),
        Err(Error::PermanentInvalidInput(invalid)) => {
            settings.refuse(&invalid.field, &invalid.detail)
        }
        // The delivery is not the cause of the error. An engine could not run the plugin, or the
        // provider's service delivers no events.
        Err(_) => {
            log(
                "delivery not handled: the plugin could not run, or its service delivers no events",
            );
            Answer::Unavailable
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
    let put = match inbox::put(&entry) {
        Ok(wit::Stored::Stored) => Ok(Stored::Stored),
        Ok(wit::Stored::Duplicate) => Ok(Stored::Duplicate),
        Ok(wit::Stored::Conflict) => Ok(Stored::Conflict),
        Err(InboxError::ExecutionFailed) => Err(PutError::Failed),
        Err(InboxError::PermanentNotSetUp(failure)) => Err(PutError::NotSetUp(failure.detail)),
        Err(InboxError::PermanentRejected(failure)) => Err(PutError::Rejected(failure.detail)),
        Err(InboxError::Unavailable(failure)) => Err(PutError::Unavailable(failure.detail)),
    };
    let (answer, line) = Answer::to(put, &entry.idempotency_key);
    if let Some(line) = line {
        log(&line);
    }
    answer
}

/// Writes a line to standard error. Ignores errors.
fn log(message: &str) {
    let stderr = ::wasi::cli::stderr::get_stderr();
    let _ = stderr.blocking_write_and_flush(log_line(message).as_bytes());
}
