//! The logic of the webhook and of its inboxes. No WASI, no clock, no environment.
//!
//! ```text
//! request -> settings, proof (where does it come from?) -> messaging -> inbox -> answer
//!                                                                        |
//!                                                                      record
//! ```
#![no_std]
#![deny(clippy::indexing_slicing, clippy::arithmetic_side_effects, clippy::string_slice)]

extern crate alloc;
#[cfg(test)]
extern crate std;

mod hex;
pub mod record;
