//! Tests on PostgreSQL. They form one program, because its tests run in parallel and mostly wait.
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
