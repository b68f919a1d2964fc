//! The plugin component of the world `messaging:integration-async/plugin`, for WASI 0.3. The logic
//! of the three exports is in `messaging-core`.
//!
//! ```text
//! export -> call of the core -> machine of the call -> drive -> http -> wasi:http
//! ```
//!
//! An instance runs many calls concurrently, each as a task. Calls share only the allocator: each
//! call reads the settings and starts its own clock.
// WASI exists only in wasm, so this crate is empty on other targets.
#![cfg(target_family = "wasm")]
#![no_std]
#![deny(clippy::indexing_slicing, clippy::arithmetic_side_effects, clippy::string_slice)]

extern crate alloc;

mod drive;
mod http;

#[allow(missing_docs, reason = "documented in the WIT")]
mod bindings {
    wit_bindgen::generate!({
        path: ["../../wit/types.wit", "../../wit/p3"],
        world: "messaging:integration-async/plugin",
        generate_all,
    });
}

use messaging_core::event::Event;
use messaging_core::{Call, conversions};
use messaging_runtime::p3::now;

use crate::bindings::exports::messaging::integration::types as wit;
use crate::bindings::exports::messaging::integration_async::messaging::Guest;
use crate::bindings::wasi::cli::environment::get_environment;

struct Plugin;

bindings::export!(Plugin with_types_in bindings);
conversions!(crate::wit);

impl Guest for Plugin {
    async fn send_message(request: wit::MessageRequest) -> Result<wit::CreatedMessage, wit::Error> {
        let start = now();
        let call = Call::send_message(get_environment(), request.into(), start)?;
        Ok(drive::run(call, start).await?.into())
    }

    async fn list_templates(query: wit::TemplateQuery) -> Result<wit::TemplatePage, wit::Error> {
        let start = now();
        let call = Call::list_templates(get_environment(), query.into(), start)?;
        Ok(drive::run(call, start).await?.into())
    }

    fn handle_event(delivery: wit::WebhookDelivery) -> Result<wit::Event, wit::Error> {
        let headers =
            delivery.headers.iter().map(|header| (header.name.as_str(), header.value.as_str()));
        Ok(Event::read(headers, &delivery.body)?.into())
    }
}
