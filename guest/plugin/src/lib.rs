//! The messaging plugin as a component of the world `messaging:integration/plugin`.
//! Owns the three exports; what they decide stands in `messaging-core`.
//!
//! ```text
//! export -> convert -> core machine -> drive -> http -> wasi:http
//! ```
// Outside wasm there is no WASI to call: natively this crate is empty.
#![cfg(target_family = "wasm")]
#![no_std]
#![deny(clippy::indexing_slicing, clippy::arithmetic_side_effects, clippy::string_slice)]

extern crate alloc;

mod convert;
mod drive;
mod error_code;
mod http;
use messaging_shell as _;

#[allow(missing_docs, reason = "the WIT documents what is generated from it")]
mod bindings {
    wit_bindgen::generate!({
        path: "../../wit",
        world: "plugin",
        with: {
            "wasi:cli/environment@0.2.0": ::wasi::cli::environment,
            "wasi:clocks/monotonic-clock@0.2.0": ::wasi::clocks::monotonic_clock,
            "wasi:io/error@0.2.0": ::wasi::io::error,
            "wasi:io/poll@0.2.0": ::wasi::io::poll,
            "wasi:io/streams@0.2.0": ::wasi::io::streams,
            "wasi:http/types@0.2.0": ::wasi::http::types,
            "wasi:http/outgoing-handler@0.2.0": ::wasi::http::outgoing_handler,
        },
    });
}

use messaging_core::error::InvalidSettings;
use messaging_core::event::Event;
use messaging_core::listing::ListTemplates;
use messaging_core::message::Outgoing;
use messaging_core::send::SendMessage;
use messaging_core::template::Query;
use messaging_core::{Settings, error};

use crate::bindings::exports::messaging::integration::messaging as wit;
use messaging_shell::clock::Clock;

struct Plugin;

bindings::export!(Plugin with_types_in bindings);

impl wit::Guest for Plugin {
    fn send_message(request: wit::MessageRequest) -> Result<wit::CreatedMessage, wit::Error> {
        let result = settings().map_err(error::Error::from).and_then(|settings| {
            let max_bytes = settings.max_message_bytes;
            let message =
                Outgoing::new(&request.phone, request.message, request.device, max_bytes)?;
            let clock = Clock::start(settings.deadline_ms);
            let mut call = SendMessage::new(&settings, &message, clock.seed())?;
            drive::run(&mut call, &clock, settings.max_reply_bytes)
        });
        Ok(result?.into())
    }

    fn list_templates(query: wit::TemplateQuery) -> Result<wit::TemplatePage, wit::Error> {
        let result = settings().map_err(error::Error::from).and_then(|settings| {
            let parameters =
                query.parameters.into_iter().map(|given| (given.name, given.value)).collect();
            let query = Query::new(query.status, parameters, query.every_page)?;
            let clock = Clock::start(settings.deadline_ms);
            let mut call = ListTemplates::new(&settings, query, clock.seed())?;
            drive::run(&mut call, &clock, settings.max_reply_bytes)
        });
        Ok(result?.into())
    }

    fn handle_event(delivery: wit::WebhookDelivery) -> Result<wit::Event, wit::Error> {
        let headers =
            delivery.headers.iter().map(|header| (header.name.as_str(), header.value.as_str()));
        Ok(Event::read(headers, &delivery.body)?.into())
    }
}

fn settings() -> Result<Settings, InvalidSettings> {
    Settings::from_variables(::wasi::cli::environment::get_environment())
}
