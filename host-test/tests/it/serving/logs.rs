//! The log of `serve`: contents, format, and no secrets.

use std::path::Path;

use crate::process::{PROOF, TestStore, body, deliver, exchange, request, with_secret};
use serde_json::Value;
use tokio::net::TcpStream;

fn hmac(secret: &str, body: &str) -> String {
    use hmac::{KeyInit, Mac};
    let mac = hmac::Hmac::<sha2::Sha256>::new_from_slice(secret.as_bytes()).unwrap();
    let bytes = mac.chain_update(body.as_bytes()).finalize().into_bytes();
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The log level is `trace`, also for dependencies.
#[tokio::test]
async fn secrets_stay_out_of_output_and_store() {
    let (path, header, key) =
        ("canary-path-0123456789", "canary-header-0123456789", "canary-signature-0123456789");
    let settings = [
        ("MESSAGING_WEBHOOK_PATH_SECRET", path),
        ("MESSAGING_WEBHOOK_HEADER_SECRET", header),
        ("MESSAGING_WEBHOOK_SIGNATURE_SECRET", key),
        ("RUST_LOG", "trace"),
    ];
    let store = TestStore::new();
    let mut serving = store.serve(&[], &settings);
    let body = body("m-1");
    let signature = hmac(key, &body);
    let headers = format!("X-Webhook-Secret: {header}\r\nX-Signature: {signature}\r\n");
    for (path, headers, status) in [
        (format!("/{path}"), headers.clone(), 200),
        (format!("/{path}"), headers.replace("\r\nX-Sig", "\r\nX-Other"), 401),
        (format!("/x-{path}"), headers.clone(), 401),
        (format!("/{path}?{path}"), format!("{headers}X-Webhook-Secret: {header}\r\n"), 401),
        // The server rejects this request without calling the webhook.
        (format!("/{path}"), format!("{headers}Transfer-Encoding: {header}\r\n"), 400),
    ] {
        let reply =
            exchange(serving.address, request(&path, &headers, "a", &body).as_bytes()).await;
        assert_eq!(reply.status, status, "{path} {headers}");
        assert!(!reply.body.contains("canary"), "{}", reply.body);
    }
    #[cfg(unix)]
    serving.terminate();
    let (_, rest) = serving.wait();
    let log = serving.log();
    #[cfg(unix)]
    assert!(log.lines().last().is_some_and(|line| line.contains("stopped")), "{log}");
    // The log is complete and includes rejected requests.
    assert!(log.contains("DEBUG") && log.contains("status=401"), "{log}");
    let mut written = vec![("output", format!("{}{rest}", serving.ready)), ("log", log)];
    let mut stored = 0;
    walk(store.folder(), &mut |file| {
        let text = String::from_utf8_lossy(&std::fs::read(file).unwrap()).into_owned();
        stored += usize::from(text.contains("m-1"));
        written.push(("store", text));
    });
    assert!(stored > 0);
    for (name, text) in written {
        for secret in [path, header, key, signature.as_str()] {
            let line = text.lines().find(|line| line.contains(secret));
            assert_eq!(line, None, "{secret} in the {name}");
        }
    }
}

fn walk(folder: &Path, found: &mut impl FnMut(&Path)) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { walk(&path, found) } else { found(&path) }
    }
}

#[tokio::test]
async fn rejection_reason_is_logged_without_value() {
    let store = TestStore::new();
    let (secret, key) = ("canary-header-0123456789", "canary-key-0123456789");
    let settings =
        [("MESSAGING_WEBHOOK_HEADER_SECRET", secret), ("MESSAGING_WEBHOOK_SIGNATURE_SECRET", key)];
    let start = |level: &'static str| {
        let settings = [&settings[..], &[("RUST_LOG", level)]].concat();
        store.serve(&[], &settings)
    };
    let proved =
        |body: &str| format!("X-Webhook-Secret: {secret}\r\nX-Signature: {}\r\n", hmac(key, body));
    let ways = |body: &str| {
        let right = proved(body);
        let broken = body.replace("\"object\"", "\"objekt\"");
        [
            (request("/", "", "a", body), 401, "the header x-webhook-secret is missing"),
            (
                request("/", &right.replace("X-Sig", "X-Other"), "a", body),
                401,
                "x-signature is missing",
            ),
            (
                request("/", &right, "a", &format!("{body} ")),
                401,
                "the header x-signature contains",
            ),
            (request("/", &proved(&broken), "a", &broken), 400, "$.object"),
            (request("/", &right, "a b", body), 400, "x-idempotency-key"),
        ]
    };
    let (mut talkative, mut usual) =
        (start("messaging_server=debug"), start("messaging_server=info"));
    for (number, (whole, status, _)) in ways(&body("canary-m-1")).into_iter().enumerate() {
        for serving in [&talkative, &usual] {
            let reply = exchange(serving.address, whole.as_bytes()).await;
            assert_eq!(reply.status, status, "{number}: {}", reply.body);
        }
    }
    talkative.kill();
    usual.kill();
    let (talkative, usual) = (talkative.log(), usual.log());
    for (_, status, why) in ways(&body("canary-m-1")) {
        assert!(talkative.contains(why), "{why}: {talkative}");
        // An unauthenticated peer can cause any number of 401 responses, so their reasons are not
        // logged at level `info`.
        assert_eq!(usual.contains(why), status == 400, "{why}: {usual}");
    }
    assert!(!talkative.contains("canary"), "{talkative}");
}

#[tokio::test]
async fn flood_of_rejections_keeps_log_readable() {
    let store = TestStore::new();
    let mut serving = store.serve(&[], &[PROOF, ("RUST_LOG", "info")]);
    let begun = std::time::Instant::now();
    let right = with_secret();
    for _ in 0..100 {
        for (whole, status) in [
            (request("/", "", "a", &body("m-1")), 401),
            (request("/", &format!("{right}Host: other\r\n"), "a", &body("m-1")), 400),
            ("no HTTP at all\r\n\r\n".to_string(), 400),
        ] {
            assert_eq!(exchange(serving.address, whole.as_bytes()).await.status, status, "{whole}");
        }
    }
    for _ in 0..2 {
        let wrong = request("/", &right, "a b", &body("m-1"));
        assert_eq!(exchange(serving.address, wrong.as_bytes()).await.status, 400);
    }
    let quiets = usize::try_from(begun.elapsed().as_secs() / 10).unwrap();
    serving.kill();
    let log = serving.log();
    let lines = |text: &str| log.lines().filter(|line| line.contains(text)).count();
    for rejection in ["status=401", "host occurs more than once", "not HTTP/1.1"] {
        assert!((1..=1 + quiets).contains(&lines(rejection)), "{rejection}: {log}");
    }
    assert_eq!(lines("x-idempotency-key"), 2, "each rejection with the secret is logged: {log}");
}

#[tokio::test]
async fn operator_decisions_are_logged() {
    let store = TestStore::new();
    let token = "operator-token-0123456789";
    let serving =
        store.serve(&["--operator", "127.0.0.1:0"], &[("MESSAGING_OPERATOR_TOKENS", token)]);
    assert_eq!(deliver(serving.address, "a").await.status, 200);
    let leased = store.inbox(&["lease"]);
    let lease = leased[0]["lease"].as_str().unwrap();
    store.inbox(&["nack", "1", "--lease", lease, "--dead"]);
    let ready: Value = serde_json::from_str(&serving.ready).unwrap();
    let operator = ready["operator"].as_str().unwrap().split('/').nth(2).unwrap().parse().unwrap();
    // The second requeue finds no dead event, so it is not logged.
    for verb in ["requeue", "requeue", "release"] {
        let whole = format!(
            "POST /v1/events/1/{verb} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\
             Authorization: Bearer {token}\r\nContent-Length: 0\r\n\r\n"
        );
        assert_eq!(exchange(operator, whole.as_bytes()).await.status, 200, "{verb}");
    }
    let log = serving.log();
    let lines: Vec<_> = log.lines().filter(|line| line.contains("an operator")).collect();
    assert_eq!(lines.len(), 2, "{log}");
    assert!(lines[0].contains("INFO") && lines[0].contains("requeued a dead event id=1"), "{log}");
    assert!(lines[1].contains("INFO") && lines[1].contains("released an event id=1"), "{log}");
}

/// Deliveries are answered even if the ready line cannot be written.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn failed_announcement_does_not_end_server() {
    let store = TestStore::new();
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = free.local_addr().unwrap();
    drop(free);
    let listen = address.to_string();
    for json in [&["--json"][..], &[]] {
        let arguments = ["serve", "--store", store.path.to_str().unwrap(), "--listen", &listen];
        let mut command = crate::process::program(&[&arguments, json].concat(), &[]);
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let mut child = command.stdout(full).stderr(std::process::Stdio::null()).spawn().unwrap();
        let answered = async {
            while TcpStream::connect(address).await.is_err() {
                tokio::time::sleep(std::time::Duration::from_millis(20)).await;
            }
            (deliver(address, "a").await.status, deliver(address, "b").await.status)
        };
        let answered = tokio::time::timeout(std::time::Duration::from_secs(60), answered).await;
        let running = child.try_wait().unwrap();
        let id = rustix::process::Pid::from_child(&child);
        rustix::process::kill_process(id, rustix::process::Signal::TERM).unwrap();
        assert_eq!((answered.unwrap(), running), ((200, 200), None));
        // The exit code reports that the output could not be written.
        assert_eq!(child.wait().unwrap().code(), Some(1));
    }
    assert_eq!(store.keys(), ["a", "b"]);
}

#[tokio::test]
async fn json_log_has_one_object_per_line() {
    let store = TestStore::new();
    let settings = [("RUST_LOG", "info,messaging_server=debug")];
    let mut serving = store.serve(&["--log-format", "json"], &settings);
    assert_eq!(deliver(serving.address, "a").await.status, 200);
    let wrong = request("/", "", "a\u{1b}b", &body("m-1"));
    assert_eq!(exchange(serving.address, wrong.as_bytes()).await.status, 400);
    let other = request("/", "", "a", &body("m-2"));
    assert_eq!(exchange(serving.address, other.as_bytes()).await.status, 200);
    serving.kill();
    let log = serving.log();
    let lines: Vec<Value> = log
        .lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}")))
        .collect();
    assert!(lines.iter().all(|line| line["level"].is_string() && line["timestamp"].is_string()));
    let find = |message: &str| {
        lines
            .iter()
            .find(|line| line["message"].as_str().is_some_and(|text| text.contains(message)))
    };
    assert!(find("delivery").is_some_and(|line| line["status"] == 200 && line["ms"].is_u64()));
    assert!(find("two different events under one key").is_some_and(|line| line["key"] == "a"));
}

#[tokio::test]
async fn evicted_connections_are_one_line() {
    let store = TestStore::new();
    let serving = store.serve(&["--max-connections", "4"], &[]);
    let mut connections = Vec::new();
    for _ in 0..12 {
        connections.push(TcpStream::connect(serving.address).await.unwrap());
    }
    let line = "all connections are in use";
    serving.logged(line).await;
    assert_eq!(deliver(serving.address, "a").await.status, 200);
    assert_eq!(serving.log().matches(line).count(), 1, "{}", serving.log());
}
