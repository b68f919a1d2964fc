//! Logic of the messaging plugin, of [`once`] (`send-once`) and of the [`webhook`], without I/O.
//!
//! Time, a random seed and the settings are arguments. Effects are values ([`Step`]) that a driver
//! performs. The same code runs in the component, in native tests and in fuzzers.
//!
//! ```text
//! a message    variables -> Settings, caller's values -> message::Outgoing
//!                        |
//!                        +-> call::Call -> wire::Request --------------+
//!                                                                     v
//!                 send::SendMessage  <- Input (Reply | Failure) - the driver
//!                        |                                            ^
//!                        +-- Step: Send, Sleep ------------------------+
//!                        +-- Step: Done(CreatedMessage | Error)
//!
//! a listing    like a message, but with listing::ListTemplates and one Send for each page
//!
//! an event     headers and body -> event::Event | InvalidInput
//!
//! a journal    variables -> journal::Settings, journal::Question -> wire::Request
//! ```
//!
//! "Section" in this crate's documentation means a section of the service's interface
//! specification.
#![no_std]
#![deny(clippy::indexing_slicing, clippy::arithmetic_side_effects, clippy::string_slice)]
#![cfg_attr(test, allow(clippy::arithmetic_side_effects, clippy::string_slice))]

extern crate alloc;
#[cfg(test)]
extern crate std;

mod bindings;
pub mod call;
mod digits;
pub mod error;
pub mod event;
pub mod journal;
pub mod keyvalue;
pub mod limits;
pub mod listing;
pub mod machine;
pub mod message;
pub mod names;
pub mod once;
pub mod origin;
pub mod outcome;
pub mod phone;
pub mod retry;
pub mod secret;
pub mod send;
pub mod settings;
pub mod template;
pub mod webhook;
pub mod wire;

pub use call::Call;
pub use error::Error;
pub use machine::{Input, Machine, Step};
pub use settings::Settings;
