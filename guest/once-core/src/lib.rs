//! The logic of a send that may be repeated: what a journal's text says of a key, and what
//! follows from it. No WASI, no clock, no randomness, no journal: time, salt and a name for the
//! attempt come in as arguments, effects go out as data ([`send::Step`]).
//!
//! # States of a key
//!
//! ```text
//!                          +-- gives up, nothing was sent ----------------+
//!                          |                                              v
//!  (none) --- claim ---> sending --- the provider proves it -------> not-created <--+
//!                        |  |  |                                        |           |
//!                        |  |  +<----------- claim, same request -------+           |
//!                        |  |                                                       |
//!                        |  +---- the service says so ----> created <--+            |
//!                        |                                             |            |
//!                        +---- anything else ----> unknown --- resolve: created     |
//!                        |                            |                |            |
//!                        |                            +--- resolve: not-created ----+
//!                        |                                             |            |
//!                        +- `gives-up` is over: reported as unknown ---+------------+
//!
//!  created, not-created --- forget ---> forgotten
//! ```
//!
//! A value is never removed, and no two values are equal, because each attempt has a random ID. An
//! unexpected value therefore shows what happened, and a sender recognizes its own write after a lost
//! reply ([`send`]).
//!
//! # The rules
//!
//! - **Claim before the request.** The request leaves after the intent is durable, and not later
//!   than [`entry::SLACK_MS`] after it was written: a sender that was stopped in between gives up.
//! - **Who sends is who claimed.** A text changes only from what it was to what follows, in one
//!   atomic step: of any number of callers one claims.
//! - **An intent without an end says until when its sender can be at work** (`gives-up`, on
//!   the sender's wall clock). Before, finders wait and are told `busy`; after, they are told
//!   `unknown`. They write nothing: an answer from a clock that runs ahead does no harm.
//! - **A call that sent nothing leaves its key free.** After `permanent-invalid-input` or
//!   `permanent-invalid-settings` any request can claim the key, unless an operator has resolved it.
//! - **Unknown stays unknown** until somebody who looked says otherwise, with one exception: the
//!   sender itself. It made the only request of its attempt, so what it knows is the truth, however
//!   late it comes, and it notes it: created over anything, proof of nothing over its own
//!   open intent alone. No one else's guess does.
//! - **A late sender against a person.** Where somebody resolved the attempt in the meantime, the
//!   service's word that the message was created wins, and the decision stays beside it. Where
//!   the key has been claimed again since, the late message is noted as a further one
//!   (`also-created`): two messages, because a person was wrong, and the journal says so.
//! - **A journal that does not answer** before the request: nothing is sent. After it: the caller is
//!   told the outcome and that it was not noted; others find the intent, and get `unknown`.
//!
//! [`decide`] has the transitions, [`send`] and [`change`] the machines that make them in steps;
//! [`keyvalue`] is a journal in a key-value store.
#![no_std]
#![deny(clippy::indexing_slicing, clippy::arithmetic_side_effects, clippy::string_slice)]
#![cfg_attr(test, allow(clippy::arithmetic_side_effects, clippy::string_slice))]

extern crate alloc;
#[cfg(test)]
extern crate std;

mod bindings;
pub mod change;
pub mod decide;
pub mod digest;
pub mod entry;
pub mod error;
pub mod key;
pub mod keyvalue;
pub mod provider;
pub mod send;
pub mod settings;
pub mod time;

pub use entry::{Entry, Kept};
pub use error::Error;
pub use key::Key;
pub use time::Now;

/// Returns a number's digits.
#[must_use]
pub fn decimal(number: u32) -> alloc::string::String {
    alloc::string::ToString::to_string(&number)
}
