//! Tests on PostgreSQL. They are one program: many of them wait, and others run in that time.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::panic, missing_docs, reason = "tests")]

mod behavior;
mod database;
mod disturbed;
mod fixture;
mod journals;
mod operator;
mod ordinary;
mod tls;
