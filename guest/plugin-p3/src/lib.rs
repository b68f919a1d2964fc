//! The messaging plugin as a component of the world `messaging:integration-async/plugin`:
//! for WASI 0.3, where one instance carries many calls at once. Owns the three exports;
//! what they decide stands in `messaging-core`.
//!
//! ```text
//! export -> convert -> core machine -> drive -> http -> wasi:http
//! ```
//!
//! A call is a task of its own. Calls share nothing but the allocator: settings are
//! read, and the clock is started, by each for itself.
// Outside wasm there is no WASI to call: natively this crate is empty.
#![cfg(target_family = "wasm")]
#![no_std]
#![deny(clippy::indexing_slicing, clippy::arithmetic_side_effects, clippy::string_slice)]

extern crate alloc;

mod clock;
#[path = "../../plugin/src/convert.rs"]
mod convert;
mod drive;
#[path = "../../plugin/src/error_code.rs"]
mod error_code;
// By path: the crate that they belong to has a clock of WASI 0.2 as well.
#[path = "../../shell/src/heap.rs"]
mod heap;
mod http;
#[path = "../../shell/src/runtime.rs"]
mod runtime;

#[allow(missing_docs, reason = "the WIT documents what is generated from it")]
mod bindings {
    wit_bindgen::generate!({
        path: "../../wit/p3",
        world: "plugin",
        generate_all,
    });
}

use alloc::vec::Vec;

use messaging_core::Settings;
use messaging_core::error::Error;
use messaging_core::event::Event;
use messaging_core::listing::ListTemplates;
use messaging_core::message::{CreatedMessage, Outgoing};
use messaging_core::send::SendMessage;
use messaging_core::template::{Query, TemplatePage};

use crate::bindings::exports::messaging::integration_async::messaging as wit;
use crate::bindings::wasi::cli::environment;
use crate::clock::Clock;

struct Plugin;

bindings::export!(Plugin with_types_in bindings);

impl wit::Guest for Plugin {
    async fn send_message(request: wit::MessageRequest) -> Result<wit::CreatedMessage, wit::Error> {
        Ok(send(request).await?.into())
    }

    async fn list_templates(query: wit::TemplateQuery) -> Result<wit::TemplatePage, wit::Error> {
        Ok(list(query).await?.into())
    }

    fn handle_event(delivery: wit::WebhookDelivery) -> Result<wit::Event, wit::Error> {
        let headers =
            delivery.headers.iter().map(|header| (header.name.as_str(), header.value.as_str()));
        Ok(Event::read(headers, &delivery.body).map_err(Error::from)?.into())
    }
}

async fn send(request: wit::MessageRequest) -> Result<CreatedMessage, Error> {
    let settings = Settings::from_variables(environment::get_environment())?;
    let max_bytes = settings.max_message_bytes;
    let message = Outgoing::new(&request.phone, request.message, request.device, max_bytes)?;
    let mut clock = Clock::start(settings.deadline_ms);
    let mut call = SendMessage::new(&settings, &message, clock.seed())?;
    drive::run(&mut call, &mut clock, settings.max_reply_bytes).await
}

async fn list(query: wit::TemplateQuery) -> Result<TemplatePage, Error> {
    let settings = Settings::from_variables(environment::get_environment())?;
    let parameters: Vec<_> =
        query.parameters.into_iter().map(|given| (given.name, given.value)).collect();
    let query = Query::new(query.status, parameters, query.every_page)?;
    let mut clock = Clock::start(settings.deadline_ms);
    let mut call = ListTemplates::new(&settings, query, clock.seed())?;
    drive::run(&mut call, &mut clock, settings.max_reply_bytes).await
}
