//! `send-once` without I/O: the values that a journal stores for a key, and the transitions between
//! them. The module uses no WASI, clock, randomness or journal. The driver passes the time, the
//! salt and the attempt ID, and performs the effects that this module returns as data
//! ([`send::Step`]).
//!
//! # States of a key
//!
//! | state | event | next state |
//! |---|---|---|
//! | no value | a caller claims the key | `sending` |
//! | `sending` | the service reports the message | `created` |
//! | `sending` | the provider proves that no message exists | `not-created` |
//! | `sending` | the sender gives up before the request | `not-created` |
//! | `sending` | the provider call ends in another way | `unknown` |
//! | `sending` | the time `gives-up` passes | reported as `unknown` |
//! | `not-created` | a caller claims the key for an equal request | `sending` |
//! | `unknown`, stored or only reported | an operator resolves the key | `created` or `not-created` |
//! | `created`, `not-created` | an operator forgets the outcome | `forgotten` |
//!
//! A value is never removed, and no two values are equal, because each attempt has a random ID. A
//! sender therefore recognizes its own write after a lost reply, and an unexpected value shows the
//! progress of another caller ([`send`]).
//!
//! # Rules
//!
//! - **Claim before the request.** A sender sends only after its intent is durable, and at most
//!   [`entry::SLACK_MS`] after the attempt began. A sender that was stopped for longer gives up.
//! - **Only the caller that claimed the key sends.** A journal replaces a value in one atomic step,
//!   and only if the old value equals the expected value. If several callers claim a key, one
//!   succeeds.
//! - **An intent without an outcome has a time limit** (`gives-up`, on the sender's wall clock).
//!   Until then, other callers wait and get `busy`. Afterwards they get `unknown`. Other callers
//!   never change the intent, because their clocks may run ahead.
//! - **A call that sent nothing frees its key.** After `permanent-invalid-input` or
//!   `permanent-invalid-settings` any request can claim the key, unless an operator has resolved
//!   the key before.
//! - **Unknown stays unknown** until an operator resolves it, or the sender returns. The sender
//!   knows the result of its request and records it at any later time. `created` replaces every
//!   outcome. "Nothing was created" replaces only the sender's own intent without an outcome.
//! - **A late sender overrules an operator.** If the service created the message, the outcome
//!   becomes `created`, and the operator's resolution stays in the entry. If the key was claimed
//!   again after the resolution, the late message is added to `also-created`. The entry then shows
//!   two messages and the wrong resolution.
//! - **Without a journal, no request starts.** If the journal fails after the request, the caller
//!   gets the outcome and learns that it was not recorded. Other callers find the intent and get
//!   `unknown`.
//!
//! [`decide`] has the transitions. The state machines [`send`] and [`change`] perform the
//! transitions. [`keyvalue`] is a journal in a key-value store.

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

/// Returns the decimal digits of a number.
pub fn decimal(number: u32) -> alloc::string::String {
    alloc::string::ToString::to_string(&number)
}
