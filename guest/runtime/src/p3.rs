//! Support for WASI 0.3: the clock of a call, and bodies with a size limit.

mod body;
mod clock;

pub use body::{Cut, read};
pub use clock::{Clock, Instant, now};

#[allow(missing_docs, reason = "documented in the WIT")]
mod bindings {
    wit_bindgen::generate!({
        path: ["../../wit/types.wit", "../../wit/p3"],
        inline: "package messaging:runtime; world clock { import wasi:clocks/monotonic-clock@0.3.0; }",
        world: "messaging:runtime/clock",
        generate_all,
    });
}
