//! Injected faults: a TCP server that follows a script byte for byte and records the requests that
//! it receives.
//!
//! The [simulated service](crate::service) implements the specification. The scripted server
//! reproduces the faults of services, proxies and networks instead.

mod peer;
mod record;
pub mod script;
mod tls;

pub use peer::{Chunking, ScriptedServer};
pub use record::{ConnectionEvent, Event, Received, Record};
pub use script::Exchange;
pub use tls::{Certificate, NoAuthority, authority, signed};
