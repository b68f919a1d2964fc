//! The inbox suite on PostgreSQL.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::panic, missing_docs, reason = "tests")]

mod fixture;
#[path = "../../inbox/tests/suite/mod.rs"]
mod suite;
