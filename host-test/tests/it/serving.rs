//! `serve` as a process: kill and restart, graceful stop, invalid settings, TLS, and log output.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::path::Path;

use crate::process::tls::Tls;
use crate::process::{
    PROOF, Place, SECRET, Serving, body, deliver, exchange, read_reply, refused, request,
    with_secret,
};
use rcgen::KeyPair;
use serde_json::Value;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

#[cfg(unix)]
#[tokio::test]
async fn stop_answers_open_delivery() {
    use rustix::process::Signal;
    for signal in [Signal::TERM, Signal::INT] {
        let place = Place::new();
        let mut serving = place.serve(&[], &[]);
        let mut under_way = TcpStream::connect(serving.address).await.unwrap();
        let whole = crate::process::kept_alive("/", "", "under-way", &body("m-1"));
        let (first, rest) = whole.as_bytes().split_at(whole.len() - 5);
        under_way.write_all(first).await.unwrap();
        // A completed delivery proves that the server accepted the earlier connection.
        assert_eq!(deliver(serving.address, "before").await.status, 200);
        serving.signal(signal);
        // The server has handled the signal when it accepts no more connections.
        while TcpStream::connect(serving.address).await.is_ok() {}
        under_way.write_all(rest).await.unwrap();
        assert_eq!(read_reply(&mut under_way).await.status, 200);
        let (status, rest) = serving.wait();
        assert_eq!((status.code(), rest.as_str()), (Some(0), ""), "{}", serving.log());
        assert_eq!(place.keys(), ["before", "under-way"]);
    }
}

#[test]
fn public_address_needs_a_proof() {
    let place = Place::new();
    for settings in [&[][..], &[("MESSAGING_WEBHOOK_ALLOW_UNVERIFIED", "true")]] {
        let text = place.refused("0.0.0.0:0", &[], settings);
        for name in ["PATH_SECRET", "HEADER_SECRET", "SIGNATURE_SECRET"] {
            assert!(text.contains(&format!("MESSAGING_WEBHOOK_{name}")), "{text}");
        }
    }
    for name in ["PATH_SECRET", "HEADER_SECRET", "SIGNATURE_SECRET"] {
        let name = format!("MESSAGING_WEBHOOK_{name}");
        let serving = place.serve_on("0.0.0.0:0", &[(&name, SECRET)]);
        assert!(serving.ready.contains("\"verified\":true"), "{}", serving.ready);
    }
}

/// Each invalid setting is reported by name, without its value.
#[test]
fn unusable_setting_is_named_and_never_shown() {
    const NONE: (&str, &str) = ("RUST_LOG", "trace");
    const OTLP_HEADERS: &str = "OTEL_EXPORTER_OTLP_HEADERS";
    let webhook = |name: &str, value, said| {
        (String::new(), (format!("MESSAGING_WEBHOOK_{name}"), value), said)
    };
    let forward = |arguments: &str, (name, value): (&str, &'static str), said| {
        (format!("--forward {arguments}"), (name.to_string(), value), said)
    };
    let otlp = |arguments: &str, (name, value): (&str, &'static str), said| {
        (format!("--otlp {arguments}"), (name.to_string(), value), said)
    };
    let (engine, collector) = ("http://127.0.0.1:9/", "http://localhost:4318");
    let with = |more: &str| format!("{engine} {more}");
    let (secret, headers) = ("MESSAGING_FORWARD_SECRET", "MESSAGING_FORWARD_HEADERS");
    for (arguments, (name, value), said) in [
        webhook("PATH_SECRET", "canary/0123456789", "error: MESSAGING_WEBHOOK_PATH_SECRET "),
        webhook("HEADER_SECRET", "canary-0123456789\n", "HEADER_SECRET contains a line break"),
        webhook("HEADER_SECRET_FILE", "canary", "put the value itself into MESSAGING_WEBHOOK_"),
        webhook("DEADLINE_MS", "0", "from 1 to 600000"),
        forward("http://127.0.0.1:65536/canary", NONE, "port"),
        forward("http://[::1]:0/canary", NONE, "port"),
        forward("http://user:canary@127.0.0.1/", NONE, "contains a user or a password"),
        forward("http://canary@127.0.0.1/", NONE, "contains a user or a password"),
        forward("ftp://127.0.0.1/canary", NONE, "--forward is not an http or https URL"),
        forward("/canary", NONE, "--forward is not an http or https URL"),
        forward("http://canary^canary/", NONE, "--forward is not a URL"),
        forward("http://elsewhere.example/?canary", NONE, "--forward-http"),
        forward("http://10.0.0.1/canary", NONE, "--forward-http"),
        forward("http://[2001:db8::1]/canary", NONE, "--forward-http"),
        forward(engine, (headers, "canary"), "MESSAGING_FORWARD_HEADERS has a line 1 that is not"),
        forward(&with("--forward-key-header x-a"), (headers, "X-A: canary"), "x-a is in MESSAGING"),
        forward(engine, (secret, "canary"), "MESSAGING_FORWARD_SECRET is not whsec_"),
        forward(&with("--forward-attempts 0"), NONE, "--forward-attempts"),
        forward(&with("--forward-key-header Content-Type"), NONE, "--forward-key-header"),
        otlp("http://collector.example:4318", (OTLP_HEADERS, "a=canary"), "use https:"),
        otlp("http://user:canary@localhost:4318", NONE, "password"),
        otlp("grpc://localhost", NONE, "not an http"),
        otlp("http://localhost:4318/?token=canary", NONE, "query"),
        otlp(collector, (OTLP_HEADERS, "canary"), "NAME=VALUE"),
        otlp(collector, (OTLP_HEADERS, "a=b,c d=canary"), "entry 2 "),
        otlp(collector, (OTLP_HEADERS, "a=canary%0Ab"), "value of a "),
        otlp(collector, (OTLP_HEADERS, "host=canary"), "this program"),
        otlp(collector, (OTLP_HEADERS, "a=canary,-b"), "%2C"),
    ] {
        let arguments: Vec<_> = arguments.split_whitespace().collect();
        let settings = [(name.as_str(), value), NONE];
        let text = Place::new().refused("127.0.0.1:0", &arguments, &settings);
        assert!(text.contains(said) && !text.contains("canary"), "{arguments:?} {name}: {text}");
    }
    for option in ["--forward-attempts=3", "--forward-only=k", "--forward-key-header=X-K"] {
        let text = Place::new().refused("127.0.0.1:0", &[option], &[]);
        assert!(text.contains("--forward"), "{text}");
    }
}

#[test]
fn clear_text_is_forwarded_only_if_allowed() {
    let place = Place::new();
    place.serve(&["--forward", "http://elsewhere.example/x", "--forward-http"], &[]).kill();
    place.serve(&["--forward", "http://[::1]:1/"], &[]).kill();
    let mut serving = place.serve(&["--forward", "http://localhost:1/x?token=canary"], &[]);
    serving.kill();
    let log = serving.log();
    assert!(log.contains("query") && !log.contains("canary"), "{log}");
}

#[test]
fn a_start_that_fails_names_the_reason() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().to_string();
    let text =
        refused(&["serve", "--json", "--listen", &port, "--store", &path("inbox.sqlite")], &[], 1);
    assert!(text.contains(&format!("{port}: cannot listen: ")), "{text}");

    std::fs::write(path("text"), "no store, and longer than a database's header. ".repeat(5))
        .unwrap();
    let text =
        refused(&["serve", "--json", "--listen", "127.0.0.1:0", "--store", &path("text")], &[], 2);
    assert!(text.contains(&path("text")) && text.contains("is not an inbox"), "{text}");
    let text = refused(
        &["serve", "--json", "--listen", "127.0.0.1:0", "--store", &path("no/inbox")],
        &[],
        2,
    );
    assert!(text.contains(&path("no")) && text.contains("does not exist"), "{text}");
}

fn hmac(secret: &str, body: &str) -> String {
    use hmac::{KeyInit, Mac};
    let mac = hmac::Hmac::<sha2::Sha256>::new_from_slice(secret.as_bytes()).unwrap();
    let bytes = mac.chain_update(body.as_bytes()).finalize().into_bytes();
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Logs everything, including the messages of all dependencies.
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
    let place = Place::new();
    let mut serving = place.serve(&[], &settings);
    let body = body("m-1");
    let signature = hmac(key, &body);
    let headers = format!("X-Webhook-Secret: {header}\r\nX-Signature: {signature}\r\n");
    for (path, headers, status) in [
        (format!("/{path}"), headers.clone(), 200),
        (format!("/{path}"), headers.replace("\r\nX-Sig", "\r\nX-Other"), 401),
        (format!("/x-{path}"), headers.clone(), 401),
        (format!("/{path}?{path}"), format!("{headers}X-Webhook-Secret: {header}\r\n"), 401),
        // Rejected by the server before the webhook.
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
    let mut places = vec![("output", format!("{}{rest}", serving.ready)), ("log", log)];
    let mut stored = 0;
    walk(place.folder(), &mut |file| {
        let text = String::from_utf8_lossy(&std::fs::read(file).unwrap()).into_owned();
        stored += usize::from(text.contains("m-1"));
        places.push(("store", text));
    });
    assert!(stored > 0);
    for (place, text) in places {
        for secret in [path, header, key, signature.as_str()] {
            let line = text.lines().find(|line| line.contains(secret));
            assert_eq!(line, None, "{secret} in the {place}");
        }
    }
}

fn walk(folder: &Path, found: &mut impl FnMut(&Path)) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { walk(&path, found) } else { found(&path) }
    }
}

/// Without a proof of origin, a page in a browser on this machine could deliver events: by DNS
/// rebinding, or with a form.
#[tokio::test]
async fn unverified_webhook_accepts_local_names_only() {
    let place = Place::new();
    let mut serving = place.serve(&[], &[]);
    let send = async |host: &str, more: &str, key: &str| {
        let whole = request("/", more, key, &body("m-1")).replace("localhost", host);
        exchange(serving.address, whole.as_bytes()).await.status
    };
    for host in ["rebound.example", "localhost.example:80", "10.0.0.1", "169.254.1.1:80", ""] {
        assert_eq!(send(host, "", "wrong").await, 401, "{host}");
    }
    for origin in ["http://localhost", "https://page.example", "null"] {
        assert_eq!(send("localhost", &format!("Origin: {origin}\r\n"), "wrong").await, 401);
    }
    let hosts = ["localhost", "LOCALHOST:8088", "127.0.0.1", "127.0.0.1:1", "[::1]", "[::1]:80"];
    for (number, host) in hosts.into_iter().enumerate() {
        assert_eq!(send(host, "", &format!("right-{number}")).await, 200, "{host}");
    }
    serving.kill();
    assert_eq!(place.keys().len(), hosts.len());
    let log = serving.log();
    assert!(log.contains("Host") && log.contains("Origin") && !log.contains("rebound"), "{log}");

    // With a valid proof of origin, the host name and the origin do not matter.
    let serving = place.serve(&[], &[PROOF]);
    let headers = format!("{}Origin: https://page.example\r\n", with_secret());
    let whole = request("/", &headers, "proved", &body("m-1"));
    let whole = whole.replace("localhost", "webhook.example");
    assert_eq!(exchange(serving.address, whole.as_bytes()).await.status, 200);
}

#[tokio::test]
async fn rejection_reason_is_logged_without_value() {
    let place = Place::new();
    let (secret, key) = ("canary-header-0123456789", "canary-key-0123456789");
    let settings =
        [("MESSAGING_WEBHOOK_HEADER_SECRET", secret), ("MESSAGING_WEBHOOK_SIGNATURE_SECRET", key)];
    let start = |level: &'static str| {
        let settings = [&settings[..], &[("RUST_LOG", level)]].concat();
        place.serve(&[], &settings)
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
        // An unauthenticated peer can cause this rejection at will, so it is not logged each time.
        assert_eq!(usual.contains(why), status == 400, "{why}: {usual}");
    }
    assert!(!talkative.contains("canary"), "{talkative}");
}

#[tokio::test]
async fn flood_of_rejections_keeps_log_readable() {
    let place = Place::new();
    let mut serving = place.serve(&[], &[PROOF, ("RUST_LOG", "info")]);
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
    for stranger in ["status=401", "host is given more than once", "not HTTP/1.1"] {
        assert!((1..=1 + quiets).contains(&lines(stranger)), "{stranger}: {log}");
    }
    assert_eq!(lines("x-idempotency-key"), 2, "senders with the secret: {log}");
}

#[tokio::test]
async fn operator_decisions_are_logged() {
    let place = Place::new();
    let token = "operator-token-0123456789";
    let serving =
        place.serve(&["--operator", "127.0.0.1:0"], &[("MESSAGING_OPERATOR_TOKENS", token)]);
    assert_eq!(deliver(serving.address, "a").await.status, 200);
    let leased = place.inbox(&["lease"]);
    let lease = leased[0]["lease"].as_str().unwrap();
    place.inbox(&["nack", "1", "--lease", lease, "--dead"]);
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

#[tokio::test]
async fn health_is_answered_by_the_server_alone() {
    let place = Place::new();
    let mut serving = place.serve(&[], &[PROOF]);
    let ask = async |method: &str, path: &str| {
        let whole = format!("{method} {path} HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
        exchange(serving.address, whole.as_bytes()).await
    };
    for path in ["/livez", "/readyz"] {
        assert_eq!(ask("GET", path).await.status, 200, "{path}");
        let head = ask("HEAD", path).await;
        assert_eq!((head.status, head.body.as_str()), (200, ""), "{path}");
        assert_eq!(ask("DELETE", path).await.status, 405, "{path}");
        // The path of a health check does not bypass the proof of origin.
        let post = request(path, "", "a", &body("m-1"));
        assert_eq!(exchange(serving.address, post.as_bytes()).await.status, 401);
        let right = request(path, &with_secret(), "a", &body("m-1"));
        assert_eq!(exchange(serving.address, right.as_bytes()).await.status, 200);
    }
    for path in ["/", "/livez/", "/livezz", "/x/readyz", "/livez?x", "//livez"] {
        assert_eq!(ask("GET", path).await.status, 405, "{path}");
    }
    serving.kill();
    let log = serving.log();
    assert_eq!(log.matches("status=200").count(), 0, "{log}");
    assert_eq!(place.keys(), ["a"]);
}

#[tokio::test]
async fn server_without_store_is_not_ready() {
    let place = Place::new();
    let serving = place.serve(&[], &[]);
    // Another process locks the store for writing.
    let other = rusqlite::Connection::open(&place.store).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let ask = async |path: &str| {
        let whole = format!("GET {path} HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
        exchange(serving.address, whole.as_bytes()).await.status
    };
    assert_eq!((ask("/livez").await, ask("/readyz").await), (200, 503));
    other.execute_batch("ROLLBACK").unwrap();
    let ready = async {
        while ask("/readyz").await != 200 {
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
    };
    tokio::time::timeout(std::time::Duration::from_secs(60), ready).await.unwrap();
}

/// Starts a worker that accepts connections and never answers.
async fn hanging_worker() -> (String, tokio::task::JoinHandle<TcpStream>) {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    let taken = tokio::spawn(async move { listener.accept().await.unwrap().0 });
    (url, taken)
}

#[cfg(unix)]
#[tokio::test]
async fn stop_ends_hanging_requests_without_loss() {
    let place = Place::new();
    let (url, taken) = hanging_worker().await;
    let mut serving = place.serve(&["--forward", &url], &[]);
    assert_eq!(deliver(serving.address, "kept").await.status, 200);
    let _worker = taken.await.unwrap();
    // A sender that does not complete its body.
    let mut sender = TcpStream::connect(serving.address).await.unwrap();
    let whole = request("/", "", "never", &body("m-1"));
    sender.write_all(&whole.as_bytes()[..whole.len() - 5]).await.unwrap();
    assert_eq!(deliver(serving.address, "before").await.status, 200);
    // Another process locks the store, so deliveries wait.
    let other = rusqlite::Connection::open(&place.store).unwrap();
    other.execute_batch("BEGIN EXCLUSIVE").unwrap();
    let mut waiting = Vec::new();
    for key in ["w1", "w2", "w3"] {
        let mut sender = TcpStream::connect(serving.address).await.unwrap();
        sender.write_all(request("/", "", key, &body(key)).as_bytes()).await.unwrap();
        waiting.push(sender);
    }
    let started = std::time::Instant::now();
    serving.terminate();
    let (status, _) = serving.wait();
    let took = started.elapsed();
    println!("stopped after {took:?}");
    let log = serving.log();
    assert_eq!(status.code(), Some(0), "{log}");
    // The limit of 5 s, and a margin for a busy machine.
    assert!(took < std::time::Duration::from_secs(7), "{took:?}");
    drop(other);
    assert!(log.contains("stopping") && log.contains("forwarder"), "{log}");
    let list = place.inbox(&["list"]);
    let keys: Vec<_> = list.as_array().unwrap().iter().map(crate::process::key_of).collect();
    assert_eq!(keys, ["kept", "before"]);
    assert!(list.as_array().unwrap().iter().all(|event| event["state"] != "done"), "{list}");
}

#[cfg(unix)]
#[tokio::test]
async fn asked_twice_it_stops_at_once() {
    use rustix::process::Signal;
    for (first, second) in
        [(Signal::TERM, Signal::TERM), (Signal::INT, Signal::INT), (Signal::TERM, Signal::INT)]
    {
        let place = Place::new();
        let (url, taken) = hanging_worker().await;
        let mut serving = place.serve(&["--forward", &url, "--stop-within", "1h"], &[]);
        assert_eq!(deliver(serving.address, "kept").await.status, 200);
        let _worker = taken.await.unwrap();
        // `timeout` sends the signal twice. Both count as one request to stop.
        serving.signal(first);
        serving.logged("stopping").await;
        serving.signal(second);
        tokio::time::sleep(std::time::Duration::from_millis(600)).await;
        assert!(!serving.log().contains("stopped at once"), "{}", serving.log());
        serving.signal(second);
        let (status, _) = serving.wait();
        assert_eq!(status.code(), Some(0), "{}", serving.log());
        assert!(serving.log().contains("stopped at once"), "{}", serving.log());
        assert_eq!(place.keys(), ["kept"]);
    }
}

#[tokio::test]
async fn early_rejection_reaches_writing_sender() {
    let place = Place::new();
    let serving = place.serve(&[], &[]);
    let foreign = "Host: elsewhere.example";
    for (bytes, host, status) in [
        (3_000_000, "Host: localhost", 413),
        (30_000_000, "Host: localhost", 413),
        (200_000, foreign, 401),
    ] {
        for round in 0..5 {
            let mut sender = TcpStream::connect(serving.address).await.unwrap();
            let head = crate::process::kept_alive("/", "", "large", "")
                .replace("Content-Length: 0", &format!("Content-Length: {bytes}"))
                .replace("Host: localhost", host);
            sender.write_all(head.as_bytes()).await.unwrap();
            sender.write_all(&vec![b'y'; bytes]).await.unwrap();
            assert_eq!(read_reply(&mut sender).await.status, status, "{bytes} {round}");
        }
    }
    assert_eq!(deliver(serving.address, "a").await.status, 200);
}

/// Open connections at that time: an idle sender, an incomplete request, and a worker that hangs.
#[cfg(unix)]
#[tokio::test]
async fn clean_stop_leaves_one_complete_file() {
    let (url, _taken) = hanging_worker().await;
    for (round, more) in [&[][..], &["--forward", &url], &[]].into_iter().enumerate() {
        let place = Place::new();
        let mut serving = place.serve(&[&["--stop-within", "300ms"], more].concat(), &[]);
        let _idle = TcpStream::connect(serving.address).await.unwrap();
        let mut cut_off = TcpStream::connect(serving.address).await.unwrap();
        let whole = request("/", "", "never", &body("m-1"));
        cut_off.write_all(&whole.as_bytes()[..whole.len() - 5]).await.unwrap();
        let large = body(&"m".repeat(200)).replace("hé", &"z".repeat(50_000));
        for number in 0..40 {
            let whole = request("/", "", &format!("k{number}"), &large);
            assert_eq!(exchange(serving.address, whole.as_bytes()).await.status, 200);
        }
        serving.terminate();
        assert_eq!(serving.wait().0.code(), Some(0), "{}", serving.log());
        let left: Vec<_> = std::fs::read_dir(place.folder())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        assert_eq!(left, ["inbox.sqlite"], "{round}: {}", serving.log());
        let copy = rusqlite::Connection::open(&place.store).unwrap();
        let count = "SELECT count(*) FROM events";
        let kept: i64 = copy.query_row(count, [], |row| row.get(0)).unwrap();
        assert_eq!(kept, 40, "{round}");
    }
}

/// `nohup` ignores SIGHUP, and a shell ignores SIGINT for background jobs.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn ignored_signal_does_not_stop_server() {
    use rustix::process::Signal;
    for (name, ignored, other) in
        [("HUP", Signal::HUP, Signal::INT), ("INT", Signal::INT, Signal::TERM)]
    {
        let place = Place::new();
        let first = format!("trap '' {name}");
        let mut serving = place.serve_after(&first);
        serving.signal(ignored);
        // A server that handled the signal would have stopped before it answered this delivery.
        assert_eq!(deliver(serving.address, "a").await.status, 200);
        serving.signal(ignored);
        assert_eq!(deliver(serving.address, "b").await.status, 200);
        serving.signal(other);
        assert_eq!(serving.wait().0.code(), Some(0));
        let log = serving.log();
        let stopping: Vec<_> = log.lines().filter(|line| line.contains("stopping")).collect();
        assert_eq!(stopping.len(), 1, "{log}");
        let by = if name == "HUP" { "SIGINT" } else { "SIGTERM" };
        assert!(stopping[0].contains(by), "{log}");
    }
}

/// Deliveries are answered even if the ready line cannot be written.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn an_announcement_that_no_output_takes_ends_nothing() {
    let place = Place::new();
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = free.local_addr().unwrap();
    drop(free);
    let listen = address.to_string();
    for json in [&["--json"][..], &[]] {
        let arguments = ["serve", "--store", place.store.to_str().unwrap(), "--listen", &listen];
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
    assert_eq!(place.keys(), ["a", "b"]);
}

#[tokio::test]
async fn json_log_has_one_object_per_line() {
    let place = Place::new();
    let settings = [("RUST_LOG", "info,messaging_server=debug")];
    let mut serving = place.serve(&["--log-format", "json"], &settings);
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
async fn with_a_certificate_it_serves_https_alone() {
    let tls = Tls::new();
    let serving = tls.serve(&[]);
    assert!(serving.url.starts_with("https://127.0.0.1:"), "{}", serving.url);
    assert_eq!(tls.send(serving.address, &request("/", "", "a", &body("m-1"))).await, 200);
    assert_eq!(deliver(serving.address, "plain").await.status, 0);
    assert_eq!(tls.send(serving.address, &request("/", "", "b", &body("m-2"))).await, 200);
    assert_eq!(tls.place.keys(), ["a", "b"]);
}

#[test]
fn unusable_certificate_is_named() {
    let tls = Tls::new();
    std::fs::write(tls.path("other.pem"), KeyPair::generate().unwrap().serialize_pem()).unwrap();
    std::fs::write(tls.path("empty.pem"), "").unwrap();
    for (certificate, key, named, why) in [
        ("cert.pem", "no.pem", "no.pem", "No such file"),
        ("no.pem", "key.pem", "no.pem", "No such file"),
        ("cert.pem", "other.pem", "other.pem", "is not the key of"),
        ("cert.pem", "empty.pem", "empty.pem", "no"),
        ("cert.pem", "cert.pem", "cert.pem", "no"),
        ("empty.pem", "key.pem", "empty.pem", "contains no certificate"),
    ] {
        let text = tls.refused(certificate, key);
        assert!(text.contains(named) && text.contains(why), "{certificate} {key}: {text}");
    }
    let text = refused(&["serve", "--tls-cert", tls.path("cert.pem").to_str().unwrap()], &[], 2);
    assert!(text.contains("--tls-key"), "{text}");
}

/// Waits until the server uses the certificate in the file.
async fn renewed(tls: &Tls, serving: &Serving) {
    let request = request("/", "", "a", &body("m-1"));
    let renewed = async {
        while tls.try_send(serving.address, &request).await.is_err() {
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
    };
    tokio::time::timeout(std::time::Duration::from_secs(60), renewed).await.unwrap();
}

#[tokio::test]
async fn renewed_certificate_is_served_without_signal() {
    let mut tls = Tls::new();
    let serving = tls.serve(&[("RUST_LOG", "info")]);
    renewed(&tls, &serving).await;
    // A certificate that does not match its key is not used. It is logged once, not at each check.
    tls.renew_certificate();
    let whole = request("/", "", "a", &body("m-1"));
    while !serving.log().contains("not reloaded") {
        assert!(tls.try_send(serving.address, &whole).await.is_err());
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    tokio::time::sleep(std::time::Duration::from_millis(1_100)).await;
    assert!(tls.try_send(serving.address, &whole).await.is_err());
    assert_eq!(serving.log().matches("not reloaded").count(), 1, "{}", serving.log());
    tls.renew();
    renewed(&tls, &serving).await;
}

#[cfg(unix)]
#[tokio::test]
async fn sighup_reloads_certificate_and_never_stops_server() {
    use rustix::process::Signal;
    let mut tls = Tls::new();
    let before = std::fs::read(tls.path("cert.pem")).unwrap();
    let mut serving = tls.serve(&[("RUST_LOG", "info")]);
    tls.renew();
    serving.signal(Signal::HUP);
    serving.logged("reloaded").await;
    assert_eq!(tls.send(serving.address, &request("/", "", "a", &body("m-1"))).await, 200);
    // A certificate that does not match its key leaves the previous pair in use, and is logged
    // once.
    let good = std::fs::read(tls.path("cert.pem")).unwrap();
    std::fs::write(tls.path("cert.pem"), before).unwrap();
    serving.signal(Signal::HUP);
    serving.logged("not reloaded").await;
    std::fs::write(tls.path("cert.pem"), "-----BEGIN CERTIFICATE-----\nMII").unwrap();
    serving.signal(Signal::HUP);
    std::fs::write(tls.path("cert.pem"), good).unwrap();
    assert_eq!(tls.send(serving.address, &request("/", "", "b", &body("m-2"))).await, 200);
    serving.terminate();
    assert_eq!(serving.wait().0.code(), Some(0));
}

#[cfg(unix)]
#[tokio::test]
async fn sighup_without_certificate_does_not_stop_server() {
    let place = Place::new();
    let settings = [("RUST_LOG", "info")];
    let serving = place.serve(&[], &settings);
    serving.signal(rustix::process::Signal::HUP);
    serving.logged("SIGHUP ignored").await;
    assert_eq!(deliver(serving.address, "a").await.status, 200);
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn exhausted_file_descriptors_are_one_line_in_log() {
    let place = Place::new();
    let serving = place.serve_after("ulimit -n 48");
    let begun = std::time::Instant::now();
    let mut connections = Vec::new();
    for _ in 0..120 {
        connections.push(TcpStream::connect(serving.address).await.unwrap());
    }
    serving.logged("could not be accepted").await;
    // Enough time for at least 20 attempts to accept.
    tokio::time::sleep(std::time::Duration::from_secs(1)).await;
    drop(connections);
    let quiets = usize::try_from(begun.elapsed().as_secs() / 10).unwrap();
    let lines = serving.log().matches("could not be accepted").count();
    assert!((1..=1 + quiets).contains(&lines), "{}", serving.log());
    assert_eq!(deliver(serving.address, "a").await.status, 200);
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn soft_limit_of_open_files_is_raised() {
    let serving = Place::new().serve_after("ulimit -Sn 48");
    let limits = std::fs::read_to_string(format!("/proc/{}/limits", serving.id())).unwrap();
    assert!(!limits.contains(" 48 "), "{limits}");
}

/// Each of these requests costs the server more than the client.
#[tokio::test]
async fn unproven_connection_closes_after_32_answers() {
    let place = Place::new();
    let serving = place.serve(&[], &[]);
    let answers = async |requests: String| {
        let text = exchange(serving.address, requests.as_bytes()).await;
        // `exchange` has removed the head of the first response.
        (text.body.matches("HTTP/1.1 ").count() + 1, text.body)
    };
    for path in ["/nope", "/livez"] {
        let (count, text) =
            answers(format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n").repeat(100)).await;
        assert_eq!(count, 32, "{path}");
        assert_eq!(text.to_lowercase().matches("connection: close").count(), 1, "{path}");
    }
    // Accepted deliveries are not subject to this limit.
    let mut requests = (0..100)
        .map(|number| crate::process::kept_alive("/", "", &format!("k{number}"), &body("m-1")))
        .collect::<String>();
    requests.push_str("GET /livez HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    assert_eq!(answers(requests).await.0, 101);
}
