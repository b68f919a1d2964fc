//! Not there yet.
#![cfg(target_family = "wasm")]
#![no_std]
