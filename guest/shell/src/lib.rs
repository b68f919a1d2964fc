//! What the components share beside their logic: what std would bring, and the
//! clock of a call.
// Outside wasm there is no WASI to call: natively this crate is empty.
#![cfg(target_family = "wasm")]
#![no_std]
#![deny(clippy::indexing_slicing, clippy::arithmetic_side_effects, clippy::string_slice)]

extern crate alloc;

pub mod clock;
mod heap;
mod runtime;
