//! `send-once` as a component of the world `messaging:integration/once-sans-io`, which imports
//! nothing. Contains only the export. The decisions are in `messaging_core::once`, and the driver
//! performs the steps.
//!
//! ```text
//! constructor -> machine of the core -> Driven
//! next        -> Driven -> its machine -> step, for the driver
//! ```
//!
//! Each call is a resource. Calls share only the allocator.
// Other targets have no component, so the crate is empty there.
#![cfg(target_family = "wasm")]
#![no_std]
#![deny(clippy::indexing_slicing, clippy::arithmetic_side_effects, clippy::string_slice)]

extern crate alloc;

mod driven;
mod machine;

#[allow(missing_docs, reason = "documented in the WIT")]
mod bindings {
    wit_bindgen::generate!({
        path: "../../wit",
        world: "once-sans-io",
    });
}

/// The types that the conversions of the core need. `OnceError` is the `call-error` of the WIT.
mod once_types {
    pub use crate::bindings::exports::messaging::integration::once_types::*;
    pub use crate::bindings::exports::messaging::integration::sans_io_once::CallError as OnceError;
}

use messaging_runtime as _;

use crate::bindings::exports::messaging::integration::{sans_io_once as wit, types};
use crate::driven::Driven;

struct Once;

bindings::export!(Once with_types_in bindings);

impl wit::Guest for Once {
    type Call = Driven;
}

impl wit::GuestCall for Driven {
    fn new(operation: wit::Operation) -> Self {
        Self::of(operation)
    }

    fn next(&self, input: Option<wit::Input>, now: wit::Now) -> wit::Step {
        self.step(input, now)
    }
}
