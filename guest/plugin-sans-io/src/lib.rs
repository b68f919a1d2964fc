//! The plugin component of the world `messaging:integration/plugin-sans-io`, which imports nothing.
//! The logic of the exports is in `messaging-core`. A driver outside the component performs the
//! steps of a call.
//!
//! ```text
//! constructor -> call of the core -> Driven
//! next        -> Driven -> machine of the call -> step, for the driver
//! ```
//!
//! Each call is a resource. Calls share only the allocator.
// Exports exist only in wasm, so this crate is empty on other targets.
#![cfg(target_family = "wasm")]
#![no_std]
#![deny(clippy::indexing_slicing, clippy::arithmetic_side_effects, clippy::string_slice)]

extern crate alloc;

mod driven;
mod http;

#[allow(missing_docs, reason = "documented in the WIT")]
mod bindings {
    wit_bindgen::generate!({
        path: "../../wit",
        world: "plugin-sans-io",
    });
}

use alloc::string::String;
use alloc::vec::Vec;

use messaging_core::event::Event;
use messaging_core::listing::ListTemplates;
use messaging_core::send::SendMessage;
use messaging_core::{Call, conversions};
use messaging_runtime as _;

use crate::bindings::exports::messaging::integration::{sans_io as wit, types};
use crate::driven::{Driven, Next};

struct Plugin;

bindings::export!(Plugin with_types_in bindings);
conversions!(crate::types);

impl wit::Guest for Plugin {
    type SendCall = Driven<SendMessage>;
    type ListCall = Driven<ListTemplates>;

    fn handle_event(delivery: wit::WebhookDelivery) -> Result<wit::Event, wit::Error> {
        let headers =
            delivery.headers.iter().map(|header| (header.name.as_str(), header.value.as_str()));
        Ok(Event::read(headers, &delivery.body)?.into())
    }
}

impl wit::GuestSendCall for Driven<SendMessage> {
    fn new(settings: Vec<wit::Setting>, request: wit::MessageRequest, seed: u32) -> Self {
        Self::of(Call::send_message(variables(settings), request.into(), seed.into()))
    }

    fn next(&self, elapsed_ms: u32, input: Option<wit::Input>) -> wit::SendStep {
        match self.step(elapsed_ms, input) {
            Next::Request(request) => wit::SendStep::Request(request),
            Next::Wait(pause_ms) => wit::SendStep::Wait(pause_ms),
            Next::Done(result) => wit::SendStep::Done(result.map(Into::into)),
        }
    }
}

impl wit::GuestListCall for Driven<ListTemplates> {
    fn new(settings: Vec<wit::Setting>, query: wit::TemplateQuery, seed: u32) -> Self {
        Self::of(Call::list_templates(variables(settings), query.into(), seed.into()))
    }

    fn next(&self, elapsed_ms: u32, input: Option<wit::Input>) -> wit::ListStep {
        match self.step(elapsed_ms, input) {
            Next::Request(request) => wit::ListStep::Request(request),
            Next::Wait(pause_ms) => wit::ListStep::Wait(pause_ms),
            Next::Done(result) => wit::ListStep::Done(result.map(Into::into)),
        }
    }
}

fn variables(settings: Vec<wit::Setting>) -> impl Iterator<Item = (String, String)> {
    settings.into_iter().map(|setting| (setting.name, setting.value))
}
