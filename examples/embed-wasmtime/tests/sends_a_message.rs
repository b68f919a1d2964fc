//! Runs the example against the simulated service.
#![allow(clippy::unwrap_used, reason = "tests")]

use messaging_simulator::service::{Options, Service};

#[tokio::test]
async fn example_sends_one_message() {
    let service = Service::start(Options::new("example-key")).await.unwrap();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("messaging_plugin.wasm");
    std::fs::write(&file, messaging_components::PLUGIN).unwrap();
    let output = tokio::process::Command::new(env!("CARGO_BIN_EXE_embed-wasmtime"))
        .arg(&file)
        .args(["+34 600 111 222", "Your order is ready"])
        .env("MESSAGING_BASE_URL", service.base_url())
        .env("MESSAGING_API_KEY", "example-key")
        .output()
        .await
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "created msg-0001\n");
    assert_eq!(service.ledger().messages[0].message.phone, "+34600111222");
}
