//! Compiles the example and runs it against the simulated service, as its README describes.
#![allow(clippy::unwrap_used, reason = "tests")]

use std::process::Output;

use messaging_simulator::service::{Options, Service};

async fn run(service: &Service, key: &str) -> Output {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("messaging_plugin.wasm");
    std::fs::write(&file, messaging_components::PLUGIN).unwrap();
    tokio::process::Command::new(env!("CARGO_BIN_EXE_embed-rust"))
        .current_dir(&folder)
        .env("MESSAGING_BASE_URL", service.base_url())
        .env("MESSAGING_API_KEY", key)
        .output()
        .await
        .unwrap()
}

#[tokio::test]
async fn example_sends_one_message() {
    let service = Service::start(Options::new("example-key")).await.unwrap();
    let output = run(&service, "example-key").await;
    assert!(output.status.success(), "{output:?}");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "created msg-0001\n");
    assert_eq!(service.ledger().messages[0].message.phone, "+34600111222");
}

#[tokio::test]
async fn example_error_omits_api_key() {
    let service = Service::start(Options::new("example-key")).await.unwrap();
    let output = run(&service, "canary-key").await;
    assert!(!output.status.success());
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(text.contains("PermanentUnauthorized") && !text.contains("canary"), "{text}");
    assert!(service.ledger().messages.is_empty());
}
