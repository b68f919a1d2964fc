//! `serve` as a process: invalid settings, --check, health, and limits.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

mod certificates;
mod logs;
mod stopping;

use std::process::Output;
use std::time::Instant;

use crate::process::tls::Tls;
use crate::process::{
    PROOF, SECRET, TestStore, assert_fails, body, deliver, exchange, json, key_of, read_reply,
    refused, request, stdout, with_secret,
};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

#[test]
fn public_address_needs_proof() {
    let store = TestStore::new();
    for settings in [&[][..], &[("MESSAGING_WEBHOOK_ALLOW_UNVERIFIED", "true")]] {
        let text = store.refused("0.0.0.0:0", &[], settings);
        for name in ["PATH_SECRET", "HEADER_SECRET", "SIGNATURE_SECRET"] {
            assert!(text.contains(&format!("MESSAGING_WEBHOOK_{name}")), "{text}");
        }
    }
    for name in ["PATH_SECRET", "HEADER_SECRET", "SIGNATURE_SECRET"] {
        let name = format!("MESSAGING_WEBHOOK_{name}");
        let serving = store.serve_on("0.0.0.0:0", &[(&name, SECRET)]);
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
        webhook("MAX_BODY_BYTES_FILE", "canary", "put the value itself into MESSAGING_WEBHOOK_"),
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
        forward(
            engine,
            (headers, "canary"),
            "MESSAGING_FORWARD_HEADERS needs NAME: VALUE in line 1",
        ),
        forward(&with("--forward-key-header x-a"), (headers, "X-A: canary"), "both set x-a"),
        forward(engine, (secret, "canary"), "MESSAGING_FORWARD_SECRET must be whsec_"),
        forward(&with("--forward-attempts 0"), NONE, "--forward-attempts"),
        forward(&with("--forward-key-header Content-Type"), NONE, "--forward-key-header"),
        otlp("http://collector.example:4318", (OTLP_HEADERS, "a=canary"), "use https:"),
        otlp("http://user:canary@localhost:4318", NONE, "password"),
        otlp("grpc://localhost", NONE, "not an http"),
        otlp("http://localhost:4318/?token=canary", NONE, "query"),
        otlp(collector, (OTLP_HEADERS, "canary"), "NAME=VALUE"),
        otlp(collector, (OTLP_HEADERS, "a=b,c d=canary"), "entry 2 "),
        otlp(collector, (OTLP_HEADERS, "a=canary%0Ab"), "value of a "),
        otlp(collector, (OTLP_HEADERS, "host=canary"), "is reserved"),
        otlp(collector, (OTLP_HEADERS, "a=canary,-b"), "%2C"),
    ] {
        let arguments: Vec<_> = arguments.split_whitespace().collect();
        let settings = [(name.as_str(), value), NONE];
        let text = TestStore::new().refused("127.0.0.1:0", &arguments, &settings);
        assert!(text.contains(said) && !text.contains("canary"), "{arguments:?} {name}: {text}");
    }
    for option in ["--forward-attempts=3", "--forward-only=k", "--forward-key-header=X-K"] {
        let text = TestStore::new().refused("127.0.0.1:0", &[option], &[]);
        assert!(text.contains("--forward"), "{text}");
    }
}

#[test]
fn clear_text_is_forwarded_only_if_allowed() {
    let store = TestStore::new();
    store.serve(&["--forward", "http://elsewhere.example/x", "--forward-http"], &[]).kill();
    store.serve(&["--forward", "http://[::1]:1/"], &[]).kill();
    let mut serving = store.serve(&["--forward", "http://localhost:1/x?token=canary"], &[]);
    serving.kill();
    let log = serving.log();
    assert!(log.contains("query") && !log.contains("canary"), "{log}");
}

#[test]
fn start_that_fails_names_reason() {
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

/// Without a proof of origin, a page in a browser on this machine could deliver events: by DNS
/// rebinding, or with a form.
#[tokio::test]
async fn unverified_webhook_accepts_local_names_only() {
    let store = TestStore::new();
    let mut serving = store.serve(&[], &[]);
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
    assert_eq!(store.keys().len(), hosts.len());
    let log = serving.log();
    assert!(log.contains("Host") && log.contains("Origin") && !log.contains("rebound"), "{log}");

    // With a valid proof of origin, the host name and the origin do not matter.
    let serving = store.serve(&[], &[PROOF]);
    let headers = format!("{}Origin: https://page.example\r\n", with_secret());
    let whole = request("/", &headers, "proved", &body("m-1"));
    let whole = whole.replace("localhost", "webhook.example");
    assert_eq!(exchange(serving.address, whole.as_bytes()).await.status, 200);
}

#[tokio::test]
async fn only_server_answers_health() {
    let store = TestStore::new();
    let mut serving = store.serve(&[], &[PROOF]);
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
    assert_eq!(store.keys(), ["a"]);
}

#[tokio::test]
async fn server_without_store_is_not_ready() {
    let store = TestStore::new();
    let serving = store.serve(&[], &[]);
    // Another connection locks the store for writing.
    let other = rusqlite::Connection::open(&store.path).unwrap();
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

#[tokio::test]
async fn early_rejection_reaches_writing_sender() {
    let store = TestStore::new();
    let mut serving = store.serve(&[], &[]);
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
    let encoded = request("/", "Content-Encoding: gzip\r\n", "b", "{}");
    assert_eq!(exchange(serving.address, encoded.as_bytes()).await.status, 415);
    serving.kill();
    let log = serving.log();
    let reasons = ["the body is larger than 262144 bytes", "unsupported content encoding"];
    assert!(reasons.iter().all(|reason| log.contains(reason)), "{log}");
}

#[tokio::test]
async fn large_event_is_stored_and_leased_if_allowed() {
    const MOST: usize = 16 * 1024 * 1024;
    let store = TestStore::new();
    let serving = store.serve(&[], &[("MESSAGING_WEBHOOK_MAX_BODY_BYTES", "16777216")]);
    let sized = |length: usize| {
        let (head, tail) = (r#"{"id":"m-1","object":"message","event":"x","media":""#, r#""}"#);
        format!("{head}{}{tail}", "A".repeat(length - head.len() - tail.len()))
    };
    let (most, above) = (sized(MOST), sized(MOST + 1));
    // The second delivery of a key is a duplicate.
    for (key, body, status) in
        [("a", &most, 200), ("a", &most, 200), ("b", &above, 413), ("c", &most, 200)]
    {
        let whole = request("/", "", key, body);
        assert_eq!(exchange(serving.address, whole.as_bytes()).await.status, status, "{key}");
    }
    assert_eq!(deliver(serving.address, "d").await.status, 200);
    // A lease returns no further event after its events exceed 8 MiB.
    let leased = store.inbox(&["lease", "--limit", "9"]);
    let leased = leased.as_array().unwrap();
    assert_eq!(leased.iter().map(key_of).collect::<Vec<_>>(), ["a"]);
    assert_eq!(leased[0]["json"]["media"].as_str().unwrap().len(), MOST - 54);
    assert_eq!(store.keys(), ["a", "c", "d"]);
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn exhausted_file_descriptors_are_one_line_in_log() {
    let store = TestStore::new();
    let serving = store.serve_after("ulimit -n 48");
    let begun = Instant::now();
    let mut connections = Vec::new();
    for _ in 0..120 {
        connections.push(TcpStream::connect(serving.address).await.unwrap());
    }
    serving.logged("could not be accepted").await;
    assert!(serving.log().contains("too few open files"), "{}", serving.log());
    // Waits long enough for at least 20 attempts to accept a connection.
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
    let serving = TestStore::new().serve_after("ulimit -Sn 48");
    let limits = std::fs::read_to_string(format!("/proc/{}/limits", serving.id())).unwrap();
    assert!(!limits.contains(" 48 "), "{limits}");
    assert!(!serving.log().contains("too few open files"), "{}", serving.log());
}

/// An unverified request costs the server more than the client, so a connection closes after 32
/// consecutive unverified requests.
#[tokio::test]
async fn unproven_connection_closes_after_32_answers() {
    let store = TestStore::new();
    let serving = store.serve(&[], &[]);
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

#[tokio::test]
async fn secrets_of_server_are_read_from_files() {
    let store = TestStore::new();
    let file = |name: &str, text: &str| {
        let file = store.folder().join(name);
        std::fs::write(&file, format!("{text}\n")).unwrap();
        file.to_str().unwrap().to_string()
    };
    let (secret, token) = (file("secret", SECRET), file("token", "operator-token-0123456789"));
    let settings = [
        ("MESSAGING_WEBHOOK_HEADER_SECRET_FILE", &*secret),
        ("MESSAGING_OPERATOR_TOKENS_FILE", &*token),
    ];
    let operator = ["--operator", "127.0.0.1:0"];
    let serving = store.serve(&operator, &settings);
    let whole = request("/", &with_secret(), "a", &body("m-1"));
    assert_eq!(exchange(serving.address, whole.as_bytes()).await.status, 200);
    assert_eq!(deliver(serving.address, "b").await.status, 401);
    // The check for shared values includes secrets in files.
    let shared = [settings[0], ("MESSAGING_OPERATOR_TOKENS_FILE", &*secret)];
    let other = TestStore::new();
    let text = other.refused("127.0.0.1:0", &operator, &shared);
    assert!(text.contains("share a value") && !text.contains(SECRET), "{text}");
}

#[test]
fn setting_of_other_inbox_is_warning() {
    let store = TestStore::new();
    let mut serving = store.serve(&[], &[("MESSAGING_WEBHOOK_BUCKET", "canary")]);
    serving.kill();
    let log = serving.log();
    assert!(log.contains("MESSAGING_WEBHOOK_BUCKET is set, and has no effect"), "{log}");
    assert!(!log.contains("canary"), "{log}");
}

/// Runs `serve --check` with the store.
fn check(store: &TestStore, arguments: &[&str], settings: &[(&str, &str)]) -> Output {
    let serve = ["serve", "--check", "--store", store.path.to_str().unwrap()];
    crate::process::run(&[&serve, arguments].concat(), settings)
}

#[test]
fn check_prints_listeners_and_starts_nothing() {
    let tls = Tls::new();
    let path = |name: &str| tls.path(name).to_str().unwrap().to_string();
    let (certificate, key, journal) = (path("cert.pem"), path("key.pem"), path("journal.sqlite"));
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let listeners = ["--listen", &address, "--workers", "127.0.0.1:0", "--journal", &journal];
    let more = ["--tls-cert", &certificate, "--tls-key", &key, "--forward", "http://127.0.0.1:9/x"];
    let arguments = [&listeners[..], &more].concat();
    let token = [("MESSAGING_WORKER_TOKENS", "worker-token-0123456789")];
    let token = [&token[..], &[("MESSAGING_JOURNAL_TOKENS", "sender-token-0123456789")]].concat();
    let before = std::fs::read_dir(tls.test_store.folder()).unwrap().count();
    let output = check(&tls.test_store, &arguments, &token);
    assert!(output.status.success(), "{output:?}");
    let text = stdout(&output);
    for part in ["https://", "workers", "127.0.0.1:9", "inbox.sqlite is missing", "was started"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert_eq!(
        std::fs::read_dir(tls.test_store.folder()).unwrap().count(),
        before,
        "a file was created"
    );
    tls.test_store.serve(&[], &[]).kill();
    let checked = json(&check(&tls.test_store, &[&arguments[..], &["--json"]].concat(), &token));
    assert_eq!(checked["url"], format!("https://{address}/"));
    assert_eq!(checked["would-create"], serde_json::json!([journal]));
}

#[test]
fn check_fails_as_start_would() {
    let store = TestStore::new();
    let path = |name: &str| store.folder().join(name).to_str().unwrap().to_string();
    let text = path("text");
    std::fs::write(&text, "no store, and longer than a database's header. ".repeat(5)).unwrap();
    let short = [("MESSAGING_WEBHOOK_HEADER_SECRET", "short")];
    let operator = ["--operator", "127.0.0.1:0", "--journal", &text];
    let file_name = store.path.file_name().unwrap();
    let same = store.folder().join("..").join(store.folder().file_name().unwrap()).join(file_name);
    let same = ["--operator", "127.0.0.1:0", "--journal", same.to_str().unwrap()];
    let token = [("MESSAGING_OPERATOR_TOKENS", "operator-token-0123456789")];
    for (arguments, settings, said) in [
        (&[][..], &short[..], "MESSAGING_WEBHOOK_HEADER_SECRET"),
        (&["--ca-file", &text], &[], "name a PEM file"),
        (&["--component", &text], &[], "not a WebAssembly component"),
        (&["--tls-cert", &text, "--tls-key", &text], &[], "contains no certificate"),
        (&["--workers", "127.0.0.1:0"], &[], "MESSAGING_WORKER_TOKENS"),
        (&["--listen", "[::1]:9", "--workers", "[::1]:9"], &[], "have the same address"),
        (
            &["--listen", "127.0.0.1:9", "--forward", "http://localhost:9/"],
            &[],
            "names the address of --listen",
        ),
        (
            &["--listen", "[::1]:9", "--forward", "http://[::1]:9/hook"],
            &[],
            "names the address of --listen",
        ),
        (&operator, &token, "not a database"),
        (&same, &token, "name the same file"),
    ] {
        assert_fails(&check(&store, arguments, settings), 2, said);
        assert!(!store.path.exists());
    }
    std::fs::copy(&text, &store.path).unwrap();
    assert_fails(&check(&store, &[], &[]), 2, "is not an inbox");
}

#[tokio::test]
async fn idle_connection_ends_after_its_timeout() {
    let store = TestStore::new();
    assert_fails(&check(&store, &["--idle-timeout", "999ms"], &[]), 2, "shorter than 1s");
    let serving = store.serve(&["--idle-timeout", "1s"], &[]);
    let begun = Instant::now();
    let mut stream = TcpStream::connect(serving.address).await.unwrap();
    stream.read_to_end(&mut Vec::new()).await.unwrap();
    // The default is 15 s.
    assert!((1..14).contains(&begun.elapsed().as_secs()));
}
