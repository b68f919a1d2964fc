//! The store on PostgreSQL, as every store behaves.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::panic, missing_docs, reason = "tests")]

mod fixture;
#[path = "../../inbox/tests/suite/mod.rs"]
mod suite;
