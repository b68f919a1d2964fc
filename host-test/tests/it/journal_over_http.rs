//! `serve --workers` as a journal server: authentication, log contents, and invalid settings.
#![allow(clippy::unwrap_used, reason = "tests")]

use std::net::SocketAddr;

use serde_json::{Value, json};

use crate::process::{Reply, Serving, TestStore, exchange, refused};

const WORKER: &str = "worker-token-0123456789";
const OPERATOR: &str = "operator-token-0123456789";
const SENDER: &str = "sender-token-0123456789";
/// A value that is set both as a token and as a secret.
const SHARED: &str = "shared-token-0123456789";
const TOKENS: &str = "MESSAGING_JOURNAL_TOKENS";

async fn ask(address: SocketAddr, path: &str, token: &str, body: &Value) -> Reply {
    let body = body.to_string();
    let whole = format!(
        "POST {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\
         Authorization: Bearer {token}\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    exchange(address, whole.as_bytes()).await
}

fn workers(serving: &Serving) -> SocketAddr {
    let ready: Value = serde_json::from_str(&serving.ready).unwrap();
    ready["workers"].as_str().unwrap().split('/').nth(2).unwrap().parse().unwrap()
}

fn value(reply: &Reply) -> Value {
    assert_eq!(reply.status, 200, "{reply:?}");
    serde_json::from_str(&reply.body).unwrap()
}

#[tokio::test]
async fn only_sender_tokens_serve_journal() {
    let store = TestStore::new();
    let journal = store.folder().join("journal");
    let options = ["--workers", "127.0.0.1:0", "--journal", journal.to_str().unwrap()];
    let both = format!("{SENDER} another-{SENDER}");
    let settings = [(TOKENS, &*both), ("RUST_LOG", "debug")];
    let mut serving = store.serve(&options, &settings);
    let swap = json!({ "key": "order-17-key", "expected": null, "new": "{\"the\":\"text\"}" });
    let swapped = ask(workers(&serving), "/v1/journal/swap", SENDER, &swap).await;
    assert_eq!(value(&swapped), json!({ "swapped": true }));
    let log = serving.log();
    assert!(!log.contains("order-17-key") && !log.contains("the\\\":"), "{log}");
    assert!(!log.contains(SENDER), "{log}");
    serving.kill();

    // The outcome survives a kill and is available to a client with the other token.
    let serving = store.serve(&options, &settings);
    let (address, other) = (workers(&serving), format!("another-{SENDER}"));
    let key = json!({ "key": "order-17-key" });
    let got = ask(address, "/v1/journal/get", &other, &key).await;
    assert_eq!(value(&got)["text"], "{\"the\":\"text\"}");
    for (path, token) in [
        ("/v1/lease", SENDER),
        ("/v1/lease", WORKER),
        ("/v1/events/1/ack", SENDER),
        ("/v1/journal/get", WORKER),
    ] {
        assert_eq!(ask(address, path, token, &json!({})).await.status, 401, "{path} {token}");
    }
}

#[tokio::test]
async fn json_log_escapes_hidden_characters() {
    let store = TestStore::new();
    let options = ["--workers", "127.0.0.1:0", "--log-format", "json"];
    let settings = [("MESSAGING_WORKER_TOKENS", WORKER), ("RUST_LOG", "debug")];
    let serving = store.serve(&options, &settings);
    let unknown = json!({ "\u{202e}\u{9b}31m": 1 });
    assert_eq!(ask(workers(&serving), "/v1/lease", WORKER, &unknown).await.status, 400);
    serving.logged("202e").await;
    assert!(!serving.log().contains(['\u{202e}', '\u{9b}']), "{}", serving.log());
}

#[tokio::test]
async fn journal_without_sender_tokens_is_read_only() {
    let store = TestStore::new();
    let journal = store.folder().join("journal");
    let listeners = ["--workers", "127.0.0.1:0", "--operator", "127.0.0.1:0", "--journal"];
    let options = [&listeners[..], &[journal.to_str().unwrap()]].concat();
    let settings = [("MESSAGING_WORKER_TOKENS", WORKER), ("MESSAGING_OPERATOR_TOKENS", OPERATOR)];
    let serving = store.serve(&options, &settings);
    let reply = ask(workers(&serving), "/v1/journal/list", WORKER, &json!({})).await;
    assert_eq!(reply.status, 404, "{reply:?}");
    assert!(reply.body.contains("no-journal") && reply.body.contains(TOKENS), "{reply:?}");
}

/// Returns a webhook secret, and the current secret that a `_NEXT` secret requires.
fn secrets(name: &'static str, value: &'static str) -> Vec<(&'static str, &'static str)> {
    let current = name.strip_suffix("_NEXT").map(|current| (current, "current-secret-0123456789"));
    [(name, value)].into_iter().chain(current).collect()
}

#[test]
fn shared_tokens_are_rejected() {
    let arguments =
        |more: &[&'static str]| [&["serve", "--store", "/nonexistent/inbox"][..], more].concat();
    let listeners = ["--workers", "127.0.0.1:0", "--operator", "127.0.0.1:0"];
    let with_journal = [&listeners[..], &["--journal", "/nonexistent/journal"]].concat();
    let set = |worker: &'static str, operator: &'static str, sender: &'static str| {
        [
            ("MESSAGING_WORKER_TOKENS", worker),
            ("MESSAGING_OPERATOR_TOKENS", operator),
            (TOKENS, sender),
        ]
    };
    for settings in [
        set(WORKER, WORKER, SENDER),
        set(WORKER, OPERATOR, OPERATOR),
        set(WORKER, OPERATOR, WORKER),
    ] {
        let said = refused(&arguments(&with_journal), &settings, 2);
        assert!(said.contains("rights of both") && !said.contains("0123456789"), "{said}");
    }
    for shared in [WORKER, OPERATOR, SENDER] {
        let metrics = [("MESSAGING_METRICS_TOKENS", shared)];
        let settings = [&set(WORKER, OPERATOR, SENDER)[..], &metrics].concat();
        assert!(refused(&arguments(&with_journal), &settings, 2).contains("rights of both"));
    }
    let without_tokens = arguments(&["--journal", "/nonexistent/journal"]);
    assert!(refused(&without_tokens, &[], 2).contains("--journal has no effect without"));
    let short = refused(&arguments(&with_journal), &set(WORKER, OPERATOR, "short"), 2);
    assert!(short.contains(TOKENS) && short.contains("16 to 1024"), "{short}");
    let tokens = [
        ("MESSAGING_WORKER_TOKENS", WORKER),
        ("MESSAGING_OPERATOR_TOKENS", OPERATOR),
        (TOKENS, SENDER),
        ("MESSAGING_METRICS_TOKENS", "metrics-token-0123456789"),
    ];
    for (name, value, token) in [
        ("MESSAGING_WEBHOOK_HEADER_SECRET", SHARED, SHARED),
        ("MESSAGING_WEBHOOK_HEADER_SECRET_NEXT", SHARED, SHARED),
        ("MESSAGING_WEBHOOK_PATH_SECRET", SHARED, SHARED),
        ("MESSAGING_WEBHOOK_PATH_SECRET_NEXT", SHARED, SHARED),
        ("MESSAGING_WEBHOOK_SIGNATURE_SECRET", SHARED, SHARED),
        ("MESSAGING_WEBHOOK_SIGNATURE_SECRET_NEXT", SHARED, SHARED),
        ("MESSAGING_FORWARD_SECRET", "whsec_c2VuZGVyLXRva2VuLTAx", "c2VuZGVyLXRva2VuLTAx"),
        ("MESSAGING_API_KEY", SHARED, SHARED),
    ] {
        for (setting, _) in tokens {
            let tokens =
                tokens.map(|(known, own)| (known, if known == setting { token } else { own }));
            let settings = [&tokens[..], &secrets(name, value)].concat();
            let said = refused(&arguments(&with_journal), &settings, 2);
            assert!(said.contains(&format!("{setting} and {name} share a value")), "{said}");
            assert!(!said.contains(token), "{said}");
        }
    }
    let none = refused(&arguments(&["--workers", "127.0.0.1:0"]), &[(TOKENS, SENDER)], 2);
    assert!(none.contains("--workers needs MESSAGING_WORKER_TOKENS"), "{none}");
}
