//! Parts the components share beside their logic: a replacement for parts of std; for WASI 0.2 the
//! clock of a call, requests over HTTP and files that appear whole; for WASI 0.3 that clock and
//! bodies within caps.
// Outside wasm there is no WASI to call: natively this crate is empty.
#![cfg(target_family = "wasm")]
#![no_std]
#![deny(clippy::indexing_slicing, clippy::arithmetic_side_effects, clippy::string_slice)]

#[cfg(any(feature = "clock", feature = "files", feature = "p3"))]
extern crate alloc;

#[cfg(feature = "clock")]
pub mod clock;
#[cfg(feature = "files")]
pub mod files;
mod heap;
#[cfg(feature = "http")]
pub mod http;
pub mod once;
#[cfg(feature = "p3")]
pub mod p3;
mod runtime;
