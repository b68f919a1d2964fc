//! Connections that are never established. Nothing is sent, and the error names the target, the
//! reason and the phase.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use crate::common::{KEY, message};
use messaging_host::outbound::{ConnectFailure, Trust};
use messaging_host::wit::Error;
use messaging_host::{Plugin, PluginConfig};
use messaging_simulator::faults::{self, Certificate, Chunking, ScriptedServer};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::time::timeout;

/// Creates a listener with a queue for one connection.
fn narrow() -> TcpListener {
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind(([127, 0, 0, 1], 0).into()).unwrap();
    socket.listen(1).unwrap()
}

/// Returns the URL of a port without a listener. The returned socket reserves the port.
fn absent() -> (TcpSocket, String) {
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind(([127, 0, 0, 1], 0).into()).unwrap();
    let base = format!("http://{}", socket.local_addr().unwrap());
    (socket, base)
}

/// Fills the queue of the listener, so that further connection attempts get no answer.
async fn fill(listener: &TcpListener) -> Vec<TcpStream> {
    let address = listener.local_addr().unwrap();
    let mut queued = Vec::new();
    while let Ok(stream) = timeout(Duration::from_millis(200), TcpStream::connect(address)).await {
        queued.push(stream.unwrap());
    }
    queued
}

async fn sent(plugin: &Plugin) -> Error {
    plugin.send_message(&message("+34600111222")).await.unwrap().unwrap_err()
}

fn at(scheme: &str, listener: &TcpListener) -> String {
    let host = if scheme == "https" { "localhost" } else { "127.0.0.1" };
    format!("{scheme}://{host}:{}", listener.local_addr().unwrap().port())
}

#[tokio::test]
async fn late_connection_is_not_sent() {
    let hole = narrow();
    let _queued = fill(&hole).await;
    let silent = TcpListener::bind("127.0.0.1:0").await.unwrap();
    for base in [at("http", &hole), at("https", &silent)] {
        // Makes several calls, because their random delays differ. Each call uses all attempts of
        // the default settings.
        let settings = [("MESSAGING_BASE_URL", base.as_str()), ("MESSAGING_DEADLINE_MS", "1500")];
        let plugin = crate::common::plugin(&settings, Some(KEY));
        let calls = (0..16).map(|_| sent(&plugin));
        for error in futures_util::future::join_all(calls).await {
            let Error::NotSent(not_sent) = error else { panic!("{base}: {error:?}") };
            assert_eq!(not_sent.detail, "connection-timeout while connecting");
        }
    }
}

/// After the delay before a retry, the connect timeout depends on the remaining time, not on the
/// whole deadline.
#[tokio::test]
async fn late_connection_after_pause_is_not_sent() {
    let listener = narrow();
    let base = at("http", &listener);
    let service = tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        let mut request = vec![0; 4096];
        let _ = stream.read(&mut request).await;
        let reply =
            "HTTP/1.1 429 Busy\r\nretry-after: 2\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
        let queued = fill(&listener).await;
        stream.write_all(reply.as_bytes()).await.unwrap();
        drop(stream);
        (listener, queued)
    });
    let settings = [("MESSAGING_BASE_URL", base.as_str()), ("MESSAGING_DEADLINE_MS", "4000")];
    let plugin = crate::common::plugin(&settings, Some(KEY));
    let error = sent(&plugin).await;
    assert!(matches!(error, Error::NotSent(_)), "{error:?}");
    drop(service.await.unwrap());
}

/// Returns the error of a call and the connection failure that the host recorded.
async fn failed(config: PluginConfig) -> (Error, Option<ConnectFailure>) {
    let plugin = crate::common::Kind::P2.with_config(config);
    let mut instance = plugin.instance().await.unwrap();
    let result = instance.send_message(&message("+34600111222")).await.unwrap();
    (result.unwrap_err(), instance.connect_failure())
}

fn settings(base: &str) -> [(&str, &str); 3] {
    [
        ("MESSAGING_BASE_URL", base),
        ("MESSAGING_MAX_ATTEMPTS", "1"),
        ("MESSAGING_DEADLINE_MS", "5000"),
    ]
}

async fn why(base: &str, trust: Trust) -> (String, String) {
    let config = crate::common::config_trusting(&settings(base), Some(KEY), trust);
    let (error, failure) = failed(config).await;
    let detail = match error {
        Error::NotSent(not_sent) => not_sent.detail,
        Error::PermanentDenied(denied) => denied.detail,
        other => panic!("{base}: {other:?}"),
    };
    (detail, failure.unwrap().to_string().replace(base, "BASE"))
}

#[tokio::test]
async fn failed_connection_names_address_and_reason() {
    let (_held, base) = absent();
    assert_eq!(
        why(&base, Trust::Public).await,
        ("connection-refused while connecting".into(), "BASE refused the connection".into())
    );
    let (detail, said) = why("https://does-not-exist.invalid", Trust::Public).await;
    assert_eq!(detail, "DNS-error while connecting");
    assert!(said.starts_with("BASE:443: name not found: "), "{said}");
}

#[tokio::test]
async fn certificate_errors_are_distinct() {
    for (certificate, reason) in [
        (Certificate::Expired, "has expired"),
        (Certificate::NotYetValid, "is not valid yet"),
        (Certificate::OtherName, "is for another name"),
        (Certificate::UnknownAuthority, "is from an untrusted authority"),
    ] {
        let peer =
            ScriptedServer::start(Some(vec![]), Some(certificate), Chunking::Whole).await.unwrap();
        let base = format!("https://localhost:{}", peer.address().port());
        let trust = Trust::Pem(faults::authority().unwrap().to_string());
        let (detail, said) = why(&base, trust).await;
        assert_eq!(detail, "TLS-certificate-error while connecting");
        assert_eq!(said, format!("BASE: its certificate {reason}"));
    }
}

#[tokio::test]
async fn handshake_errors_are_distinct() {
    for (bytes, said) in [
        (&b"220 mail.example ESMTP\r\n"[..], "BASE does not speak TLS"),
        (b"", "BASE closed the connection during the TLS handshake"),
    ] {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base = at("https", &listener);
        let service = tokio::spawn(async move {
            let (mut stream, _) = listener.accept().await.unwrap();
            stream.write_all(bytes).await.unwrap();
            stream.shutdown().await.unwrap();
            let mut rest = Vec::new();
            let _ = stream.read_to_end(&mut rest).await;
        });
        let seen = why(&base, Trust::Public).await;
        assert_eq!(seen, ("TLS-protocol-error while connecting".into(), said.into()));
        service.await.unwrap();
    }
    let silent = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = at("https", &silent);
    let mut settings = settings(&base);
    settings[2].1 = "600";
    let (error, failure) = failed(crate::common::config(&settings, Some(KEY))).await;
    assert!(matches!(error, Error::NotSent(_)), "{error:?}");
    let said = failure.unwrap().to_string();
    assert_eq!(said, format!("{base} did not complete the TLS handshake in time"));
}

/// After a successful connection, no failure is recorded.
#[tokio::test]
async fn connection_after_retry_is_no_failure() {
    let setup = crate::common::setup().await;
    let mut instance = setup.plugin.instance().await.unwrap();
    instance.send_message(&message("+34600111222")).await.unwrap().unwrap();
    assert!(instance.connect_failure().is_none());
}

#[tokio::test]
async fn command_line_explains_failed_connection() {
    let (_held, base) = absent();
    let send = ["send", "--phone", "+34 600 111 222", "--message", "hi"];
    let refused = "refused the connection (connection-refused while connecting)";
    let by_name = "; --private-names permits private addresses";
    let by_file = "; set its authority with --ca-file";
    // A certificate that no public authority has issued.
    let peer = ScriptedServer::start(Some(vec![]), Some(Certificate::Good), Chunking::Whole);
    let peer = peer.await.unwrap();
    let own_authority = format!("https://localhost:{}", peer.address().port());
    let mut rows = vec![
        (&send[..], base.as_str(), refused),
        (&["templates"], &base, refused),
        (&["check"], &base, refused),
        (&send[..], &own_authority, by_file),
        (&["templates"], &own_authority, by_file),
    ];
    let private = private_name().map(|name| format!("http://{name}:1"));
    match &private {
        Some(base) => rows.extend([(&send[..], &**base, by_name), (&["templates"], base, by_name)]),
        None => crate::common::not_run("the name of this machine resolves to no private address"),
    }
    for (arguments, base, said) in rows {
        let output = tokio::process::Command::new(env!("CARGO_BIN_EXE_messaging"))
            .args(arguments)
            .env("MESSAGING_BASE_URL", base)
            .env("MESSAGING_API_KEY", KEY)
            .env("MESSAGING_MAX_ATTEMPTS", "1")
            .env("MESSAGING_ALLOW_HTTP", "true")
            .output()
            .await
            .unwrap();
        let text = [output.stdout, output.stderr].concat();
        let text = String::from_utf8_lossy(&text);
        assert!(text.contains(base) && text.contains(said), "{text}");
        let code = if said == by_name { 1 } else { 75 };
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {text}");
        assert!(!text.contains(KEY) && !text.contains("/v1/"), "{text}");
    }
}

/// Returns the host name of this machine if it resolves only to private addresses.
fn private_name() -> Option<String> {
    let name = std::fs::read_to_string("/proc/sys/kernel/hostname").ok()?;
    let name = name.trim().to_ascii_lowercase();
    let mut found = std::net::ToSocketAddrs::to_socket_addrs(&(name.as_str(), 1)).ok()?;
    let is_private = |address: SocketAddr| match address.ip() {
        IpAddr::V4(ip) => ip.is_loopback() || ip.is_private(),
        IpAddr::V6(ip) => ip.is_loopback(),
    };
    (name != "localhost" && found.all(is_private)).then_some(name)
}
