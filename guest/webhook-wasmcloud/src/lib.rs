//! The webhook, the plugin and the inbox as one component of the world
//! `messaging:integration-async/webhook-wasmcloud`. Connects WASI to the logic in
//! `messaging-core`.
//!
//! ```text
//! wasi:http -> settings -> method, origin -> body -> signature -> event -> bucket -> 200
//! ```
// WASI exists only in wasm, so this crate is empty on other targets.
#![cfg(target_family = "wasm")]
#![no_std]
#![deny(clippy::indexing_slicing, clippy::arithmetic_side_effects, clippy::string_slice)]

extern crate alloc;

mod bucket;
mod http;

#[allow(missing_docs, reason = "documented in the WIT")]
mod bindings {
    wit_bindgen::generate!({
        path: ["../../wit/types.wit", "../../wit/p3"],
        world: "messaging:integration-async/webhook-wasmcloud",
        generate_all,
    });
}

use alloc::format;

use messaging_core::event::Event;
use messaging_core::webhook::delivery::log_line;
use messaging_core::webhook::record::Record;
use messaging_core::webhook::settings::InvalidSettings;
use messaging_core::webhook::{Answer, Delivery, Settings};
use messaging_runtime::once::Once;

use crate::bindings::exports::wasi::http::handler::Guest;
use crate::bindings::wasi::cli::environment::get_environment;
use crate::bindings::wasi::cli::stderr;
use crate::bindings::wasi::clocks::system_clock;
use crate::bindings::wasi::http::types::{ErrorCode, Method, Request, Response};
use crate::bindings::wit_stream;

struct Webhook;

bindings::export!(Webhook with_types_in bindings);

impl Guest for Webhook {
    async fn handle(request: Request) -> Result<Response, ErrorCode> {
        Ok(http::respond(&receive(request).await))
    }
}

/// Settings, read from the environment at the first request. The environment of an instance never
/// changes.
static SETTINGS: Once<Result<Settings, InvalidSettings>> = Once::new();

async fn receive(request: Request) -> Answer {
    let settings = match SETTINGS.get_or_init(|| Settings::from_variables(get_environment())) {
        Ok(settings) => settings,
        Err(invalid) => {
            log(&format!("no delivery is accepted: {} {}", invalid.setting, invalid.detail)).await;
            return Answer::Unavailable;
        }
    };
    let delivery = match deliver(settings, request).await {
        Ok(delivery) => delivery,
        Err(answer) => return answer,
    };
    let headers = delivery.headers.iter().map(|(name, value)| (*name, value.as_str()));
    let event = match Event::read(headers, &delivery.body) {
        Ok(event) => event,
        Err(invalid) => return settings.refuse(&invalid.field, &invalid.detail),
    };
    let record = Record::new(&event.idempotency_key, &event.message_id, &event.kind, &event.json);
    let put = bucket::keep(&record).await;
    let (answer, line) = Answer::to(put, &event.idempotency_key);
    if let Some(line) = line {
        log(&line).await;
    }
    answer
}

async fn deliver(settings: &Settings, request: Request) -> Result<Delivery, Answer> {
    let headers = request.get_headers();
    let header = |name: &str| headers.get(name);
    let is_post = matches!(request.get_method(), Method::Post);
    let path = request.get_path_with_query().unwrap_or_default();
    settings.admit(is_post, &path, header)?;
    let body = http::read(request, settings.deadline_ms, settings.max_body_bytes).await?;
    let now = || u64::try_from(system_clock::now().seconds).unwrap_or_default();
    settings.accept(body, header, now)
}

/// Writes a line to standard error. Ignores errors.
async fn log(message: &str) {
    let (mut writer, contents) = wit_stream::new();
    let written = stderr::write_via_stream(contents);
    writer.write_all(log_line(message).into_bytes()).await;
    drop(writer);
    let _ = written.await;
}
