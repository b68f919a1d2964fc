//! Outbound requests from each kind of component: unusual responses, and requests that must not
//! start after the deadline.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::io::{Read, Write};
use std::net::{TcpListener as Listener, TcpStream as Stream};
use std::sync::{Arc, mpsc};
use std::time::Duration;

use crate::common::{KEY, Kind, config_trusting, message};
use messaging_host::outbound::Trust;
use messaging_host::wit::{CreatedMessage, Error};
use messaging_host::{CallResult, Limits, PluginConfig};
use messaging_simulator::faults;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::sync::oneshot;

const CUSTOMER: &str = "+34600111222";

async fn send(kind: Kind, config: PluginConfig) -> CallResult<CreatedMessage> {
    let plugin = kind.load(Limits { instances: 2, ..Limits::default() }, config);
    plugin.send_message(&message(CUSTOMER)).await
}

/// Starts a service that answers each request with these headers and a created message.
async fn answering(headers: String) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        loop {
            let (mut connection, _) = listener.accept().await.unwrap();
            let mut request = vec![0; 10_000];
            let _ = connection.read(&mut request).await;
            let body = r#"{"id":"m-1"}"#;
            let length = body.len();
            let head = format!("HTTP/1.1 201 Created\r\ncontent-length: {length}\r\n{headers}\r\n");
            let _ = connection.write_all(format!("{head}{body}").as_bytes()).await;
            let _ = connection.shutdown().await;
        }
    });
    base
}

async fn sent(kind: Kind, headers: &str) -> Result<CreatedMessage, Error> {
    let base = answering(headers.to_string()).await;
    let settings = [("MESSAGING_BASE_URL", &*base), ("MESSAGING_DEADLINE_MS", "20000")];
    send(kind, config_trusting(&settings, Some(KEY), Trust::Public)).await.unwrap()
}

#[tokio::test]
async fn response_headers_are_accepted_up_to_16_kib() {
    let many = |count: usize| (0..count).map(|number| format!("x{number}: 1\r\n")).collect();
    let shortest = "a:\r\n".repeat(4_000);
    let one = format!("x: {}\r\n", "1".repeat(16_000));
    for kind in Kind::ALL {
        for headers in [many(150), many(1_500), shortest.clone(), one.clone()] {
            let created = sent(kind, &headers).await;
            assert_eq!(created.unwrap().id, "m-1", "{kind:?} {headers:.20}");
        }
        let headers: String = many(5_000);
        let error = sent(kind, &headers).await.unwrap_err();
        let Error::PermanentOutcomeUnknown(unknown) = error else { panic!("{kind:?} {error:?}") };
        let named = "HTTP-response-header-section-size";
        assert!(unknown.detail.contains(named), "{kind:?} {}", unknown.detail);
    }
}

#[tokio::test]
async fn charset_that_shows_key_is_read() {
    let charset = |name: &str| format!("content-type: application/json; charset={name}\r\n");
    for kind in Kind::ALL {
        for name in ["iso-8859-15", "windows-1251", "gbk", "utf8mb4", "no-such-name", "utf-16"] {
            let created = sent(kind, &charset(name)).await;
            assert_eq!(created.unwrap().id, "m-1", "{kind:?} {name}");
        }
        for name in ["utf-7", "ibm037", "EBCDIC-CP-US"] {
            let error = sent(kind, &charset(name)).await.unwrap_err();
            let Error::PermanentOutcomeUnknown(unknown) = error else { panic!("{error:?}") };
            assert_eq!(unknown.status, Some(201), "{kind:?} {name}");
            let why = "its charset or encoding could hide the API key";
            assert!(unknown.detail.contains(why), "{kind:?} {name}: {}", unknown.detail);
        }
    }
}

/// A service over TLS whose handshake messages are held back until `release`.
struct Held {
    base: String,
    /// Resolves when the service has produced its handshake messages.
    written: oneshot::Receiver<()>,
    release: mpsc::Sender<()>,
    /// Receives the decrypted bytes after the connection has ended.
    received: mpsc::Receiver<Vec<u8>>,
}

fn held() -> Held {
    use rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
    let key = rcgen::KeyPair::generate().unwrap();
    let certificate = rcgen::CertificateParams::new(vec!["localhost".to_string()]).unwrap();
    let certificate = faults::signed(certificate, &key).unwrap();
    let private = PrivateKeyDer::from(PrivatePkcs8KeyDer::from(key.serialize_der()));
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = rustls::ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![certificate], private)
        .unwrap();
    let listener = Listener::bind("127.0.0.1:0").unwrap();
    let base = format!("https://localhost:{}", listener.local_addr().unwrap().port());
    let (wrote, written) = oneshot::channel();
    let (release, released) = mpsc::channel::<()>();
    let (report, received) = mpsc::channel();
    std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut tls = rustls::ServerConnection::new(Arc::new(config)).unwrap();
        while !tls.wants_write() {
            tls.read_tls(&mut stream).unwrap();
            tls.process_new_packets().unwrap();
        }
        let mut flight = Vec::new();
        while tls.wants_write() {
            tls.write_tls(&mut flight).unwrap();
        }
        wrote.send(()).unwrap();
        released.recv().unwrap();
        stream.write_all(&flight).unwrap();
        let _ = report.send(rest(&mut tls, &mut stream));
    });
    Held { base, written, release, received }
}

/// Reads from TLS until the peer closes the connection.
fn rest(tls: &mut rustls::ServerConnection, stream: &mut Stream) -> Vec<u8> {
    let mut received = Vec::new();
    loop {
        let read = tls.read_tls(stream).unwrap_or(0);
        let _ = tls.process_new_packets();
        let _ = tls.reader().read_to_end(&mut received);
        if read == 0 {
            return received;
        }
        if !received.is_empty() {
            // Replies, so that a call that did send can end.
            let reply = b"HTTP/1.1 201 Created\r\ncontent-length: 12\r\nconnection: close\r\n\r\n{\"id\":\"m-1\"}";
            let _ = tls.writer().write_all(reply);
            let _ = tls.write_tls(stream);
        }
    }
}

/// The only thread of the host sleeps past the end of the handshake and past the deadline, as in a
/// suspended process. The host then sees the handshake and the deadline end at the same time.
#[tokio::test]
async fn stopped_process_sends_nothing_after_deadline() {
    for kind in Kind::ALL {
        let held = held();
        let settings = [
            ("MESSAGING_BASE_URL", &*held.base),
            ("MESSAGING_DEADLINE_MS", "3000"),
            ("MESSAGING_MAX_ATTEMPTS", "1"),
        ];
        let trust = Trust::Pem(faults::authority().unwrap().to_string());
        let config = config_trusting(&settings, Some(KEY), trust);
        let call = tokio::spawn(send(kind, config));
        held.written.await.unwrap();
        held.release.send(()).unwrap();
        std::thread::sleep(Duration::from_millis(3_500));
        let error = call.await.unwrap().unwrap().unwrap_err();
        let received = held.received.recv_timeout(Duration::from_secs(60)).unwrap();
        assert_eq!(String::from_utf8_lossy(&received), "", "{kind:?}");
        match error {
            Error::NotSent(_) => {}
            // Calls of WASI 0.3 share an instance, so the host cannot attribute a request to a
            // call.
            Error::PermanentOutcomeUnknown(_) if kind == Kind::P3 => {}
            other => panic!("{kind:?} {other:?}"),
        }
    }
}
