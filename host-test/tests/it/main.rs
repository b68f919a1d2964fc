//! The tests that can share a process: the first line of each file names its subject. Apart, in
//! programs of their own, are those that change their process (a filter of system calls, a
//! global log), and those that time or weigh it.

mod cache;
mod cli;
mod comments;
mod common;
mod component;
mod composed;
mod conformance;
mod connecting;
mod corpora;
mod crash;
mod differential;
mod faults;
mod figures;
mod forwarding;
mod guarantees;
mod inbox_cli;
mod inboxes;
mod manifests;
mod memory;
mod p3;
#[path = "../process/mod.rs"]
mod process;
mod reading;
mod release;
mod sandbox;
mod sending;
mod serving;
mod store;
mod store_clock;
mod store_over_http;
mod tls;
mod webhook;
