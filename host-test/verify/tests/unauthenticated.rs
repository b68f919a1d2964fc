//! Unauthenticated peers next to an event source with the secret, over TLS. The family
//! `unauthenticated` of `cargo verify attack` covers TCP.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

#[path = "../../tests/process/mod.rs"]
mod process;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use messaging_verify::attack::unauthenticated::{UnauthenticatedPeers, addresses};
use process::tls::Tls;
use process::{PROOF, body, request, with_secret};

fn messaging() -> PathBuf {
    messaging_verify::program::messaging().unwrap()
}

/// A delivery must be answered within 1 s; the rest is a margin for a busy machine. Without
/// protection, a delivery takes 10 s or more.
const IN_TIME: Duration = Duration::from_secs(5);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn stalled_handshakes_admit_deliveries() {
    let tls = Tls::new();
    let serving = tls.serve(&[PROOF]);
    // Each peer sends no bytes, or the start of a ClientHello.
    for say in ["", "\u{16}\u{3}\u{1}\u{2}"] {
        let from = addresses(1, 250);
        let peers = UnauthenticatedPeers::hold(serving.address, &from, say).await.unwrap();
        let started = Instant::now();
        for number in 0..5 {
            let whole = request("/", &with_secret(), &format!("evt-{number}"), &body("m-1"));
            let sent = tls.send(serving.address, &whole);
            let status = tokio::time::timeout(IN_TIME, sent).await;
            assert_eq!(status.unwrap_or_else(|_| panic!("no answer in {IN_TIME:?}")), 200);
        }
        println!("5 deliveries over TLS in {:?}", started.elapsed());
        drop(peers);
    }
}
