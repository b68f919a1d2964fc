//! Integration tests that can share a process. The first line of each file names its subject.
//! Separate test programs contain the tests that change their process (system call filter, global
//! log), measure the memory of the process, or run too many concurrent cases.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

mod cache;
mod cli;
mod common;
mod component;
mod composed;
mod conformance;
mod connecting;
mod constant_time;
mod forwarding;
mod guarantees;
mod inbox_cli;
mod inboxes;
mod instances;
mod journal_over_http;
mod manifests;
mod mcp_cli;
mod memory;
mod once;
mod origins;
mod outbound;
mod postgres;
#[path = "../process/mod.rs"]
mod process;
mod proxy;
mod reading;
mod refusing;
mod release;
mod sandbox;
mod sans_io;
mod sending;
mod sent_cli;
mod serving;
mod simulated;
mod stopped;
mod store;
mod store_over_http;
mod tls;
mod webhook;

fn messaging() -> &'static str {
    env!("CARGO_BIN_EXE_messaging")
}
