//! Strangers beside a sender with the secret, over TLS: those over TCP are attacks of the
//! family "strangers", which `messaging attack` makes.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

mod process;

use std::time::{Duration, Instant};

use messaging_verify::attack::strangers::{Strangers, addresses};
use process::tls::Tls;
use process::{PROOF, body, request, with_secret};

/// Deliveries are promised an answer within a second. A test's machine may be busy; without
/// the promise it takes 10 seconds and more.
const IN_TIME: Duration = Duration::from_secs(5);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn handshakes_that_stall_do_not_keep_out_a_right_delivery() {
    let tls = Tls::new();
    let serving = tls.serve(&[PROOF]);
    // Nothing, and the beginning of a ClientHello.
    for say in ["", "\u{16}\u{3}\u{1}\u{2}"] {
        let from = addresses(1, 250);
        let strangers = Strangers::hold(serving.address, &from, say).await.unwrap();
        let started = Instant::now();
        for number in 0..5 {
            let whole = request("/", &with_secret(), &format!("evt-{number}"), &body("m-1"));
            let sent = tls.send(serving.address, &whole);
            let status = tokio::time::timeout(IN_TIME, sent).await;
            assert_eq!(status.unwrap_or_else(|_| panic!("none in {IN_TIME:?}")), 200);
        }
        println!("5 deliveries over TLS in {:?}", started.elapsed());
        drop(strangers);
    }
}
