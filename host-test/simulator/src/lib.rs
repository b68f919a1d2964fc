//! Simulated messaging service: real HTTP on a real port, as `wit/service.md` specifies it, with a
//! ledger. Also contains a TCP server that follows a script.
//!
//! Uses no code of the product, not even a parser, because shared code would share its bugs.

#[cfg(feature = "cli")]
pub mod cli;
pub mod faults;
pub mod service;
