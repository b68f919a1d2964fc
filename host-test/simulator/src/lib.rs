//! The messaging service, simulated: real HTTP on a real port, as `wit/service.md` specifies
//! it, with a ledger; and a TCP server that answers as its script says. Owns nothing of the
//! product, not even a parser: what it judges must not share its mistakes.

#[cfg(feature = "cli")]
pub mod cli;
pub mod faults;
pub mod service;
