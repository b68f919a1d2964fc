//! `serve`, `inbox`, `send --once` and `sent` with a shared PostgreSQL database.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::process::Output;
use std::time::Duration;

use messaging_postgres::server::Server;
use messaging_simulator::service::{Options, Service};
use serde_json::Value;

use crate::common::KEY;
use crate::process::{Serving, deliver, exchange, refused, run, stderr, stdout};

const CANARY: &str = "canary-of-a-password";
const TOKEN: &str = "a-token-of-operators-only";

pub fn server() -> Option<Server> {
    Server::if_installed(&["password_encryption=scram-sha-256"]).unwrap()
}

/// Creates a database whose owner needs a password. Returns the URL of the database.
fn with_password(server: &Server) -> String {
    let role = format!("CREATE ROLE app LOGIN PASSWORD '{CANARY}'");
    server.sql("postgres", &role).unwrap();
    server.sql("postgres", "CREATE DATABASE inbox OWNER app").unwrap();
    let hba = server.folder().join("data/pg_hba.conf");
    let rules = std::fs::read_to_string(&hba).unwrap();
    std::fs::write(&hba, format!("local all app scram-sha-256\n{rules}")).unwrap();
    server.sql("postgres", "SELECT pg_reload_conf()").unwrap();
    server.url("inbox").replace("user=inbox", "user=app")
}

fn text(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), stderr(output))
}

async fn get(serving: &Serving, listener: &str, path: &str) -> String {
    let ready: Value = serde_json::from_str(&serving.ready).unwrap();
    let url = ready[listener].as_str().unwrap();
    let address = url.split('/').nth(2).unwrap().parse().unwrap();
    let request = format!(
        "GET {path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {TOKEN}\r\nconnection: close\r\n\r\n"
    );
    let reply = exchange(address, request.as_bytes()).await;
    assert_eq!(reply.status, 200, "{reply:?}");
    reply.body
}

#[tokio::test(flavor = "multi_thread")]
async fn two_servers_share_database() {
    let Some(server) = server() else { return };
    let url = with_password(&server);
    let password = [
        ("MESSAGING_STORE_PASSWORD", CANARY),
        ("MESSAGING_WORKER_TOKENS", "a-token-of-workers-only"),
        ("MESSAGING_OPERATOR_TOKENS", TOKEN),
        ("RUST_LOG", "debug"),
    ];
    let listeners = ["--workers", "127.0.0.1:0", "--operator", "127.0.0.1:0"];
    // The first server creates inbox and journal.
    let arguments = [&["--store", &url, "--journal", &url], &listeners[..]].concat();
    let mut servers =
        [Serving::start(&arguments, &password), Serving::start(&arguments, &password)];
    for (number, serving) in servers.iter().cycle().take(6).enumerate() {
        let reply = deliver(serving.address, &format!("evt-{}", number / 2)).await;
        assert_eq!(reply.status, 200, "{reply:?}");
    }
    let metrics = get(&servers[1], "operator", "/metrics").await;
    assert!(
        metrics.lines().any(|line| line.contains("pending") && line.ends_with(" 3.0")),
        "{metrics}"
    );
    let shown = get(&servers[0], "operator", "/v1/overview").await;
    assert_eq!(serde_json::from_str::<Value>(&shown).unwrap()["counts"]["pending"], 3);
    let ready = b"GET /readyz HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n";
    assert_eq!(exchange(servers[0].address, ready).await.status, 200);

    let mut said = vec![metrics, shown];
    let mut inbox = |command: &[&str]| {
        let all = [&["inbox", "--json", "--store", &url], command].concat();
        let output = run(&all, &password[..1]);
        said.push(text(&output));
        serde_json::from_slice::<Value>(&output.stdout).unwrap_or_else(|_| panic!("{output:?}"))
    };
    assert_eq!(inbox(&["list"]).as_array().unwrap().len(), 3);
    let sent = run(&["sent", "--journal", &url, "list"], &password[..1]);
    assert!(sent.status.success(), "{sent:?}");
    let leased = inbox(&["lease", "--limit", "2"]);
    let first = &leased[0];
    let (id, lease) = (first["id"].to_string(), first["lease"].as_str().unwrap());
    inbox(&["ack", &id, "--lease", lease]);
    let (id, lease) = (leased[1]["id"].to_string(), leased[1]["lease"].as_str().unwrap());
    inbox(&["nack", &id, "--lease", lease, "--dead"]);
    inbox(&["requeue", "--dead"]);
    assert_eq!(inbox(&["show", &id])["state"], "pending");
    inbox(&["prune", "--older-than", "0s"]);
    assert_eq!(inbox(&["list"]).as_array().unwrap().len(), 2);
    let exported = run(&["inbox", "--store", &url, "export"], &password[..1]);
    assert_eq!(exported.stdout.iter().filter(|byte| **byte == b'\n').count(), 2);
    said.push(text(&exported));

    // Failures: no password, a wrong password, and a stopped database.
    for settings in [&[][..], &[("MESSAGING_STORE_PASSWORD", "another-canary-of-a-password")][..]] {
        said.push(refused(
            &["serve", "--json", "--listen", "127.0.0.1:0", "--store", &url],
            settings,
            2,
        ));
        let output = run(&["inbox", "--store", &url, "list"], settings);
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        said.push(text(&output));
    }
    server.stop(messaging_postgres::server::End::Immediate).unwrap();
    let reply = deliver(servers[0].address, "away").await;
    assert_eq!(reply.status, 503, "{reply:?}");
    server.go().unwrap();
    let begun = std::time::Instant::now();
    while deliver(servers[0].address, "away").await.status != 200 {
        assert!(begun.elapsed() < Duration::from_secs(30));
    }
    for serving in &mut servers {
        serving.kill();
        said.push(serving.log());
    }
    assert!(said.iter().any(|text| text.contains("postgres:///")), "{said:?}");
    let said = said.concat();
    assert!(!said.contains(CANARY), "{said}");
}

#[tokio::test(flavor = "multi_thread")]
async fn database_outage_is_two_log_lines() {
    let Some(server) = server() else { return };
    let mut serving = Serving::start(&["--store", &server.url("postgres")], &[]);
    assert_eq!(deliver(serving.address, "before").await.status, 200);
    let begun = std::time::Instant::now();
    server.stop(messaging_postgres::server::End::Immediate).unwrap();
    for number in 0..50 {
        let reply = deliver(serving.address, &format!("away-{number}")).await;
        assert_eq!(reply.status, 503, "{reply:?}");
    }
    server.go().unwrap();
    while deliver(serving.address, "away").await.status != 200 {
        assert!(begun.elapsed() < Duration::from_secs(60));
    }
    serving.kill();
    let log = serving.log();
    let lines = |part: &str| log.lines().filter(|line| line.contains(part)).collect::<Vec<_>>();
    assert_eq!(lines("commits fail: ").len(), 1, "{log}");
    // The component and the server each log at most one line per 10 s.
    let most = usize::try_from(begun.elapsed().as_secs() / 10).unwrap() + 1;
    assert!(lines("the inbox is unavailable").len() <= most, "{log}");
    assert!(lines("status=503").len() <= most, "{log}");
    let [end] = lines("commits succeed again")[..] else { panic!("{log}") };
    let (_, requests) = end.split_once("requests=").unwrap();
    let requests: u32 = requests.split(' ').next().unwrap().parse().unwrap();
    assert!(requests >= 50, "{end}");
}

#[tokio::test(flavor = "multi_thread")]
async fn database_journal_sends_once() {
    let Some(server) = server() else { return };
    let url = with_password(&server);
    let service = Service::start(Options::new(KEY)).await.unwrap();
    let base = service.base_url();
    let settings = [
        ("MESSAGING_STORE_PASSWORD", CANARY),
        ("MESSAGING_BASE_URL", &*base),
        ("MESSAGING_API_KEY", KEY),
        ("MESSAGING_ONCE_JOURNAL", &*url),
        ("RUST_LOG", "debug"),
    ];
    let mut said = Vec::new();
    let mut messaging = |arguments: &[&str], settings: &[(&str, &str)], code: i32| {
        let output = run(arguments, settings);
        said.push(text(&output));
        assert_eq!(output.status.code(), Some(code), "{output:?}");
        stdout(&output)
    };
    // A command that only reads does not create tables.
    messaging(&["sent", "list"], &settings, 2);
    let send = |key: &'static str| {
        ["send", "--once", key, "--phone", "+34600111222", "--message", "It is on its way."]
    };
    for _ in 0..2 {
        let sent = messaging(&send("order-17"), &settings, 0);
        assert!(sent.starts_with("created msg-0001\n"), "{sent}");
    }
    messaging(&send("order-18"), &settings, 0);
    assert!(messaging(&["sent", "list"], &settings, 0).contains("2 listed"));
    assert!(messaging(&["sent", "show", "order-18"], &settings, 0).contains("msg-0002"));
    messaging(&["sent", "forget", "order-18"], &settings, 0);
    let kept = messaging(&["sent", "forget", "--older-than", "1h", "--json"], &settings, 0);
    assert_eq!(serde_json::from_str::<Value>(&kept).unwrap()["ok"]["forgotten"], 0);
    let forgotten = messaging(&["sent", "forget", "--older-than", "1ms"], &settings, 0);
    assert!(forgotten.starts_with("outcomes forgotten: 1;"), "{forgotten}");
    messaging(&send("order-17"), &settings, 1);
    assert_eq!(messaging(&["sent", "export"], &settings, 0).lines().count(), 2);
    // Failures: no password, and a stopped database.
    messaging(&send("order-19"), &settings[1..], 2);
    server.stop(messaging_postgres::server::End::Immediate).unwrap();
    messaging(&send("order-19"), &settings, 75);
    assert_eq!(service.ledger().posts(), 2);
    let said = said.concat();
    assert_eq!(said.matches("created the schema messaging_journal").count(), 1, "{said}");
    assert!(said.contains("postgres:///") && !said.contains(CANARY), "{said}");
}

#[tokio::test(flavor = "multi_thread")]
async fn superuser_warning_is_logged_by_serve_and_init() {
    const WARNING: &str = "the role is a superuser";
    let Some(server) = server() else { return };
    let url = server.url("postgres");
    let mut serving = Serving::start(&["--store", &url], &[]);
    assert_eq!(deliver(serving.address, "a").await.status, 200);
    for command in [&["list"][..], &["lease"], &["prune", "--older-than", "0s"]] {
        let output = run(&[&["inbox", "--store", &url], command].concat(), &[]);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        assert!(!text(&output).contains(WARNING), "{output:?}");
    }
    serving.kill();
    let log = serving.log();
    assert_eq!(log.matches(WARNING).count(), 1, "{log}");

    let service = Service::start(Options::new(KEY)).await.unwrap();
    let base = service.base_url();
    let settings = [
        ("MESSAGING_BASE_URL", &*base),
        ("MESSAGING_API_KEY", KEY),
        ("MESSAGING_ONCE_JOURNAL", &*url),
    ];
    // Programs run the other commands often, which would repeat the warning.
    for (command, warnings) in [
        (&["sent", "init"][..], 1),
        (&["send", "--once", "k", "--phone", "+34600111222", "--message", "It is here."], 0),
        (&["sent", "list"], 0),
        (&["sent", "show", "k"], 0),
    ] {
        let output = run(command, &settings);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        assert_eq!(text(&output).matches(WARNING).count(), warnings, "{output:?}");
    }
    assert_eq!(service.ledger().posts(), 1);
}

#[test]
fn password_in_store_url_is_rejected() {
    let url = format!("postgres://app:{CANARY}@localhost/inbox");
    let query = format!("postgres://app@localhost/inbox?password={CANARY}");
    // An invalid database URL is rejected, and is not used as a file name.
    let others = [
        format!("postgre://app:{CANARY}@localhost/inbox"),
        format!("pgsql:app:{CANARY}@localhost"),
        format!(" postgres://app:{CANARY}@localhost/inbox"),
        format!("host=localhost password={CANARY}"),
        format!("app:{CANARY}@localhost/inbox"),
    ];
    let secrets = [&url, &query].map(|url| (url, "MESSAGING_STORE_PASSWORD"));
    let others = others.iter().map(|url| (url, "postgres://USER@HOST/DATABASE"));
    for (url, hint) in secrets.into_iter().chain(others) {
        let own = [("MESSAGING_WEBHOOK_STORE", url.as_str())];
        for (arguments, settings) in [
            (&["serve", "--store", url][..], &[][..]),
            (&["serve"][..], &own[..]),
            (&["inbox", "--store", url, "list"][..], &[][..]),
            (&["inbox", "list"][..], &own[..]),
            (&["sent", "--journal", url, "list"][..], &[][..]),
            (
                &["send", "--once", "k", "--journal", url, "--phone", "1", "--message", "m"],
                &[("MESSAGING_BASE_URL", "http://127.0.0.1:9"), ("MESSAGING_API_KEY", KEY)][..],
            ),
            (&["sent", "list"][..], &[("MESSAGING_ONCE_JOURNAL", url.as_str())][..]),
        ] {
            let output = run(arguments, settings);
            assert_eq!(output.status.code(), Some(2), "{output:?}");
            let said = text(&output);
            assert!(said.contains(hint) && !said.contains(CANARY), "{said}");
        }
        let both = [own[0], ("MESSAGING_ONCE_JOURNAL", url.as_str())];
        for help in [["serve", "--help"], ["inbox", "--help"], ["sent", "--help"]] {
            let said = text(&run(&help, &both));
            assert!(said.contains("MESSAGING_STORE_PASSWORD") && !said.contains(CANARY), "{said}");
        }
    }
}
