//! Tests on PostgreSQL. They form one program, because many of them wait while others run.
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
