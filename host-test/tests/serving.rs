//! `serve` as a process: killed and started again, stopped, set up wrongly, over TLS;
//! and what it says meanwhile.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

mod process;

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use host_test::service::{Event, Options, Service};
use process::{SECRET, Serving, body, deliver, exchange, files, inbox, keys, read_reply, request};
use rcgen::{CertificateParams, KeyPair};
use serde_json::Value;
use tempfile::TempDir;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

/// How the receiver is started, where it keeps events, and how they are looked at.
struct Kind {
    folder: TempDir,
    arguments: Vec<String>,
    kept: fn(&Path) -> Vec<String>,
}

impl Kind {
    fn all() -> [Self; 3] {
        let kind = |arguments: &[&str], name: &str, kept| {
            let folder = tempfile::tempdir().unwrap();
            let place = folder.path().join(name).to_str().unwrap().to_string();
            let arguments = arguments.iter().map(ToString::to_string).chain([place]).collect();
            Self { folder, arguments, kept }
        };
        let in_files = |folder: &Path| {
            files(&folder.join("files"), "events").iter().map(process::key_of).collect()
        };
        [
            kind(&["--store"], "inbox.sqlite", |folder| keys(&folder.join("inbox.sqlite"))),
            kind(&["--files"], "files", in_files),
            kind(&["--keyvalue", "--store"], "inbox.sqlite", in_buckets),
        ]
    }

    fn serve(&self, listen: &str) -> Serving {
        let arguments: Vec<_> = self.arguments.iter().map(String::as_str).collect();
        Serving::on(listen, &arguments, &[])
    }

    fn kept(&self) -> Vec<String> {
        let mut keys = (self.kept)(self.folder.path());
        keys.sort();
        keys
    }
}

/// What `inbox-keyvalue` has written, read past every library: it is SQLite's file.
fn in_buckets(folder: &Path) -> Vec<String> {
    let store = rusqlite::Connection::open(folder.join("inbox.sqlite")).unwrap();
    let sql = "SELECT value FROM kv WHERE key LIKE 'event.%'";
    let mut events = store.prepare(sql).unwrap();
    let values = events.query_map([], |row| row.get::<_, Vec<u8>>(0)).unwrap();
    values.map(|value| process::key_of(&serde_json::from_slice(&value.unwrap()).unwrap())).collect()
}

async fn sender(url: &str) -> Service {
    Service::start(Options { webhook: Some(url.into()), ..Options::new("k") }).await.unwrap()
}

#[tokio::test]
async fn what_was_acknowledged_outlives_sigkill_and_is_there_once() {
    for kind in Kind::all() {
        let mut serving = kind.serve("127.0.0.1:0");
        let (service, address) = (sender(&serving.url).await, serving.address.to_string());
        let events: Vec<_> = (0..3).map(|_| Event::new_message()).collect();
        for event in &events {
            assert_eq!(service.deliver(event, 0).await.unwrap().attempts.len(), 1);
            serving.kill();
            serving = kind.serve(&address);
        }
        for event in &events {
            // The first answer is 200 again, and once more.
            assert_eq!(service.deliver(event, 1).await.unwrap().attempts.len(), 2);
        }
        serving.kill();
        let mut sent: Vec<_> = events.iter().map(|event| event.key.clone()).collect();
        sent.sort();
        assert_eq!(kind.kept(), sent, "{:?}", kind.arguments);
        assert!(files(&kind.folder.path().join("files"), "conflict").is_empty());
    }
}

#[cfg(unix)]
#[tokio::test]
async fn asked_to_stop_it_answers_the_delivery_under_way_and_ends_well() {
    for kind in Kind::all() {
        let mut serving = kind.serve("127.0.0.1:0");
        let mut under_way = TcpStream::connect(serving.address).await.unwrap();
        let whole = process::kept_alive("/", "", "under-way", &body("m-1"));
        let (first, rest) = whole.as_bytes().split_at(whole.len() - 5);
        under_way.write_all(first).await.unwrap();
        // Another delivery proves that the first connection has been accepted before.
        assert_eq!(deliver(serving.address, "before").await.status, 200);
        serving.terminate();
        // It has heard when it listens no more.
        while TcpStream::connect(serving.address).await.is_ok() {}
        under_way.write_all(rest).await.unwrap();
        assert_eq!(read_reply(&mut under_way).await.status, 200);
        let (status, rest) = serving.wait();
        assert_eq!((status.code(), rest.as_str()), (Some(0), ""), "{}", serving.log());
        assert_eq!(kind.kept(), ["before", "under-way"]);
    }
}

/// Runs `serve` with settings that it has to refuse.
fn refused(arguments: &[&str], settings: &[(&str, &str)], code: i32) -> String {
    process::refused(&[&["serve", "--json"], arguments].concat(), settings, code)
}

#[test]
fn off_the_loopback_address_a_proof_of_origin_is_needed() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("inbox.sqlite");
    let listen = ["--listen", "0.0.0.0:0", "--store", store.to_str().unwrap()];
    for settings in [&[][..], &[("MESSAGING_WEBHOOK_ALLOW_UNVERIFIED", "true")]] {
        let text = refused(&listen, settings, 2);
        for name in ["PATH_SECRET", "HEADER_SECRET", "SIGNATURE_SECRET"] {
            assert!(text.contains(&format!("MESSAGING_WEBHOOK_{name}")), "{text}");
        }
        assert!(!store.exists());
    }
    for name in ["PATH_SECRET", "HEADER_SECRET", "SIGNATURE_SECRET"] {
        let name = format!("MESSAGING_WEBHOOK_{name}");
        let serving = Serving::on("0.0.0.0:0", &listen[2..], &[(&name, SECRET)]);
        assert!(serving.ready.contains("\"verified\":true"), "{}", serving.ready);
    }
}

#[test]
fn a_setting_that_cannot_be_used_is_named_and_never_shown() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("inbox.sqlite");
    let arguments = ["--listen", "127.0.0.1:0", "--store", store.to_str().unwrap()];
    for (name, value) in [
        ("MESSAGING_WEBHOOK_PATHSECRET", "canary-0123456789"),
        ("MESSAGING_WEBHOOK_PATH_SECRET", "canary/0123456789"),
        ("MESSAGING_WEBHOOK_HEADER_SECRET", "canary"),
        ("MESSAGING_WEBHOOK_HEADER", "canary"),
        ("MESSAGING_WEBHOOK_SIGNATURE_PREFIX", "canary"),
        ("MESSAGING_WEBHOOK_MAX_BODY_BYTES", "canary"),
        ("MESSAGING_WEBHOOK_DEADLINE_MS", "canary"),
        ("MESSAGING_WEBHOOK_ALLOW_UNVERIFIED", "canary"),
    ] {
        let text = refused(&arguments, &[(name, value), ("RUST_LOG", "trace")], 2);
        assert!(text.contains(&format!("error: {name} ")) && !text.contains("canary"), "{text}");
        assert!(!store.exists());
    }
}

#[test]
fn what_is_in_the_way_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().to_string();
    let text = refused(&["--listen", &port, "--store", &path("inbox.sqlite")], &[], 1);
    assert!(text.contains(&format!("{port}: cannot be listened on: ")), "{text}");

    std::fs::write(path("text"), "no store, and longer than a database's header. ".repeat(5))
        .unwrap();
    let text = refused(&["--listen", "127.0.0.1:0", "--store", &path("text")], &[], 1);
    assert!(text.contains(&path("text")) && text.contains("is no inbox"), "{text}");
    let text = refused(&["--listen", "127.0.0.1:0", "--store", &path("no/inbox")], &[], 1);
    assert!(text.contains(&path("no/inbox")) && text.contains("make its folder"), "{text}");
    let text = refused(&["--listen", "127.0.0.1:0", "--files", &path("text")], &[], 1);
    assert!(text.contains(&path("text")), "{text}");
}

fn hmac(secret: &str, body: &str) -> String {
    use hmac::{KeyInit, Mac};
    let mac = hmac::Hmac::<sha2::Sha256>::new_from_slice(secret.as_bytes()).unwrap();
    let bytes = mac.chain_update(body.as_bytes()).finalize().into_bytes();
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// With everything logged, of every crate that this program is made of.
#[tokio::test]
async fn no_secret_is_in_the_output_the_log_or_the_store() {
    let (path, header, key) =
        ("canary-path-0123456789", "canary-header-0123456789", "canary-signature-0123456789");
    let settings = [
        ("MESSAGING_WEBHOOK_PATH_SECRET", path),
        ("MESSAGING_WEBHOOK_HEADER_SECRET", header),
        ("MESSAGING_WEBHOOK_SIGNATURE_SECRET", key),
        ("RUST_LOG", "trace"),
    ];
    for kind in Kind::all() {
        let arguments: Vec<_> = kind.arguments.iter().map(String::as_str).collect();
        let mut serving = Serving::start(&arguments, &settings);
        let body = body("m-1");
        let signature = hmac(key, &body);
        let headers = format!("X-Webhook-Secret: {header}\r\nX-Signature: {signature}\r\n");
        for (path, headers, status) in [
            (format!("/{path}"), headers.clone(), 200),
            (format!("/{path}"), headers.replace("\r\nX-Sig", "\r\nX-Other"), 401),
            (format!("/x-{path}"), headers.clone(), 401),
            (format!("/{path}?{path}"), format!("{headers}X-Webhook-Secret: {header}\r\n"), 401),
            // Refused by the server itself.
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
        // Everything was logged, of the refused as well.
        assert!(log.contains("DEBUG") && log.contains("status=401"), "{log}");
        let mut places = vec![("output", format!("{}{rest}", serving.ready)), ("log", log)];
        let mut stored = 0;
        walk(kind.folder.path(), &mut |file| {
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
}

fn walk(folder: &Path, found: &mut impl FnMut(&Path)) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { walk(&path, found) } else { found(&path) }
    }
}

#[tokio::test]
async fn a_log_in_json_is_one_object_a_line() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("inbox.sqlite");
    let arguments = ["--store", store.to_str().unwrap(), "--log-format", "json"];
    let mut serving = Serving::start(&arguments, &[("RUST_LOG", "host_test=debug")]);
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

struct Tls {
    folder: TempDir,
    certificate: CertificateParams,
    key: KeyPair,
}

impl Tls {
    fn new() -> Self {
        let certificate = CertificateParams::new(vec!["localhost".to_string()]).unwrap();
        let this = Self {
            folder: tempfile::tempdir().unwrap(),
            certificate,
            key: KeyPair::generate().unwrap(),
        };
        std::fs::write(
            this.path("cert.pem"),
            this.certificate.self_signed(&this.key).unwrap().pem(),
        )
        .unwrap();
        std::fs::write(this.path("key.pem"), this.key.serialize_pem()).unwrap();
        this
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn arguments(&self, certificate: &str, key: &str) -> Vec<String> {
        let text = |name| self.path(name).to_str().unwrap().to_string();
        ["--store".into(), text("inbox.sqlite"), "--tls-cert".into(), text(certificate)]
            .into_iter()
            .chain(["--tls-key".into(), text(key)])
            .collect()
    }

    async fn send(&self, address: SocketAddr, request: &str) -> u16 {
        use rustls::pki_types::pem::PemObject;
        use rustls::pki_types::{CertificateDer, ServerName};
        let mut roots = rustls::RootCertStore::empty();
        roots.add(CertificateDer::from_pem_file(self.path("cert.pem")).unwrap()).unwrap();
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = rustls::ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_root_certificates(roots)
            .with_no_client_auth();
        let stream = TcpStream::connect(address).await.unwrap();
        let name = ServerName::try_from("localhost").unwrap();
        let connector = tokio_rustls::TlsConnector::from(Arc::new(config));
        let mut stream = connector.connect(name, stream).await.unwrap();
        stream.write_all(request.as_bytes()).await.unwrap();
        read_reply(&mut stream).await.status
    }
}

#[tokio::test]
async fn with_a_certificate_it_serves_https_alone() {
    let tls = Tls::new();
    let arguments = tls.arguments("cert.pem", "key.pem");
    let serving = Serving::start(&arguments.iter().map(String::as_str).collect::<Vec<_>>(), &[]);
    assert!(serving.url.starts_with("https://127.0.0.1:"), "{}", serving.url);
    assert_eq!(tls.send(serving.address, &request("/", "", "a", &body("m-1"))).await, 200);
    assert_eq!(deliver(serving.address, "plain").await.status, 0);
    assert_eq!(tls.send(serving.address, &request("/", "", "b", &body("m-2"))).await, 200);
    assert_eq!(keys(&tls.path("inbox.sqlite")), ["a", "b"]);
}

#[test]
fn a_certificate_or_key_that_cannot_be_used_is_named() {
    let tls = Tls::new();
    std::fs::write(tls.path("other.pem"), KeyPair::generate().unwrap().serialize_pem()).unwrap();
    std::fs::write(tls.path("empty.pem"), "").unwrap();
    for (certificate, key, named, why) in [
        ("cert.pem", "no.pem", "no.pem", "No such file"),
        ("no.pem", "key.pem", "no.pem", "No such file"),
        ("cert.pem", "other.pem", "other.pem", "is not the key of"),
        ("cert.pem", "empty.pem", "empty.pem", "no"),
        ("cert.pem", "cert.pem", "cert.pem", "no"),
        ("empty.pem", "key.pem", "empty.pem", "holds no certificate"),
    ] {
        let arguments = tls.arguments(certificate, key);
        let text = refused(&arguments.iter().map(String::as_str).collect::<Vec<_>>(), &[], 2);
        assert!(text.contains(named) && text.contains(why), "{certificate} {key}: {text}");
        assert!(!tls.path("inbox.sqlite").exists());
    }
    let text = refused(&["--tls-cert", tls.path("cert.pem").to_str().unwrap()], &[], 2);
    assert!(text.contains("--tls-key"), "{text}");
}

#[tokio::test]
async fn what_one_worker_let_lapse_another_one_gets() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("inbox.sqlite");
    let serving = Serving::start(&["--store", store.to_str().unwrap()], &[]);
    assert_eq!(deliver(serving.address, "a").await.status, 200);
    let first = inbox(&store, &["take", "--lease", "1ms"]);
    // Another process: more than a millisecond has passed.
    let second = inbox(&store, &["take", "--lease", "1h"]);
    assert_eq!((process::key_of(&first[0]), process::key_of(&second[0])), ("a".into(), "a".into()));
    assert_eq!(second[0]["attempts"], 2);
    assert_ne!(first[0]["lease"], second[0]["lease"]);
    assert_eq!(inbox(&store, &["take"]), serde_json::json!([]), "the second one holds it");
    let done = |taken: &Value| {
        inbox(&store, &["done", "1", "--lease", taken[0]["lease"].as_str().unwrap()])
    };
    assert_eq!(done(&first)["error"]["case"], "lease-lost");
    assert_eq!(done(&second)["ok"]["state"], "done");
    // And the sender's repetition changes nothing.
    assert_eq!(deliver(serving.address, "a").await.status, 200);
    assert_eq!(inbox(&store, &["list"])[0]["state"], "done");
}
