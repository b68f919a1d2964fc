//! Simulated messaging service: real HTTP on a real port, as `wit/service.md` specifies it, with a
//! ledger. Also contains a TCP server that follows a script.
//!
//! Uses no code of the product, not even a parser, because the simulation would then have the same
//! bugs.

#[cfg(feature = "cli")]
pub mod cli;
pub mod faults;
pub mod service;
