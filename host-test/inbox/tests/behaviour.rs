//! The store on SQLite, as every store behaves.
#![allow(clippy::unwrap_used, clippy::panic, missing_docs, reason = "tests")]

mod fixture;
mod suite;
