//! Types of the interface `sans-io` that the interface `messaging` does not have.

use wasmtime::component::{ComponentType, Lift};

use crate::types::wit;

#[allow(missing_docs, dead_code, clippy::all, clippy::pedantic, reason = "generated from the WIT")]
mod bindings {
    wasmtime::component::bindgen!({
        path: "wit",
        inline: "package host:test; world sans-io-host { export messaging:integration/sans-io@0.2.0; }",
        world: "host:test/sans-io-host",
        additional_derives: [PartialEq],
        with: { "messaging:integration/types@0.2.0": crate::types::wit },
    });
}

pub use bindings::exports::messaging::integration::sans_io::{
    BodyEnd, Failed, Failure, HttpReply, HttpRequest, Input, Setting,
};

/// Next step of a call: a `send-step` or a `list-step`.
#[derive(ComponentType, Lift)]
#[component(variant)]
pub enum Step<T> {
    #[component(name = "request")]
    Request(HttpRequest),
    #[component(name = "wait")]
    Wait(u32),
    #[component(name = "done")]
    Done(Result<T, wit::Error>),
}
