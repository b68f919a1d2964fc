//! The simulated service as a command: HTTPS, and one delivery to a webhook.
#![allow(clippy::unwrap_used, reason = "tests")]

use messaging_simulator::service::{Options, Service};

use crate::common::KEY;
use crate::process::tls::Tls;
use crate::process::{TestStore, assert_fails, json, run, stdout};

#[tokio::test(flavor = "multi_thread")]
async fn message_is_created_over_https() {
    let tls = Tls::new();
    let files = Some((tls.path("cert.pem"), tls.path("key.pem")));
    let service = Service::start(Options { tls: files, ..Options::new(KEY) }).await.unwrap();
    assert!(service.base_url().starts_with("https://"), "{}", service.base_url());
    let url = format!("https://localhost:{}", service.address().port());
    let settings = [("MESSAGING_BASE_URL", &*url), ("MESSAGING_API_KEY", KEY)];
    let send = ["send", "--phone", "+34 600 111 222", "--message", "text"];
    let authority = tls.path("cert.pem");
    let trusting = [&send[..], &["--ca-file", authority.to_str().unwrap()]].concat();
    assert!(run(&trusting, &settings).status.success());
    assert_fails(&run(&send, &settings), 75, "certificate");
    assert_eq!(service.ledger().messages.len(), 1);
    let other = Options { tls: Some(("/none".into(), "/none".into())), ..Options::new(KEY) };
    assert!(Service::start(other).await.is_err());
}

#[test]
fn one_signed_delivery_is_made() {
    let store = TestStore::new();
    let signed = [
        ("MESSAGING_WEBHOOK_SIGNED", "standard-webhooks"),
        ("MESSAGING_WEBHOOK_SIGNATURE_SECRET", "whsec_c2lnbmF0dXJlLXNlY3JldC0wMTIz"),
    ];
    let serving = store.serve(&[], &signed);
    let url = format!("http://{}/", serving.address);
    let deliver = ["service", "--webhook", &url, "--deliver-one"];
    assert_fails(&run(&deliver, &signed), 1, "status 401");
    assert!(store.keys().is_empty());
    let deliver = [&deliver[..], &["--sign", "standard-webhooks"]].concat();
    assert!(stdout(&run(&deliver, &signed)).contains("the webhook answered 200"));
    let delivered = json(&run(&[&deliver[..], &["--json"]].concat(), &signed));
    assert_eq!(delivered["ok"]["acknowledged"], true);
    assert_eq!(store.keys().len(), 2);
}
