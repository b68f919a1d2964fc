//! Runtime support of the components: a replacement for parts of std. For WASI 0.2: the clock of a
//! call, HTTP requests, and files that appear only when complete. For WASI 0.3: the clock of a
//! call, and bodies with a size limit.
// Other targets have no WASI, so the crate is empty there.
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
