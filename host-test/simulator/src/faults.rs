//! Faults on demand: a TCP peer that answers exactly as its script says, however
//! wrong that is, and records what it was sent.
//!
//! The [simulated service](crate::service) is honest and implements the
//! specification. This peer implements nothing: it is for what a service, a proxy or
//! a network could do to a caller.

mod peer;
mod record;
pub mod script;
mod tls;

pub use peer::{Chunking, ScriptedServer};
pub use record::{ConnectionEvent, Event, Received, Record};
pub use script::Exchange;
pub use tls::{Certificate, NoAuthority, authority, signed};
