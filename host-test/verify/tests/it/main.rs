//! Tests of the laboratory that can share a process. Other tests need separate processes:
//! `attack.rs` measures the memory of its process, and `unauthenticated.rs` raises the limit of
//! open files. Some tests start the program `messaging`, which `cargo build` must have built.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

mod cli;
mod corpora;
mod differential;
mod figures;
mod worker;

use std::path::Path;

use messaging_host::Host;
use messaging_host::cache::Cache;

/// Returns the host with a cache of compiled components. Returns the host without a cache if other
/// users can change the cache directory.
fn cached(host: Host) -> Host {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("compiled");
    match Cache::open(&folder) {
        Ok(cache) => host.with_cache(cache),
        Err(_) => host,
    }
}
