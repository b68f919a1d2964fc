//! TLS of the host with real handshakes: replacement of an authority file.
//! `conformance/cases/faults/tls.json` covers invalid certificates.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::path::PathBuf;
use std::sync::Arc;

use crate::common::{KEY, Kind, config_trusting, message};
use crate::process::{TestStore, assert_fails, deliver, program, stderr};
use messaging_host::outbound::Trust;
use messaging_host::wit::Error;
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use tokio_rustls::rustls::{ServerConfig, crypto};

/// Starts a server with a certificate for `localhost` from a new authority. If `is_authority` is
/// true, the server uses the certificate of the authority itself. Returns the authority's file and
/// the port.
async fn server(is_authority: bool) -> (tempfile::TempDir, PathBuf, u16) {
    let mut authority = CertificateParams::new(vec!["localhost".to_string()]).unwrap();
    authority.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let authority = CertifiedIssuer::self_signed(authority, KeyPair::generate().unwrap()).unwrap();
    let key = KeyPair::generate().unwrap();
    let certificate = CertificateParams::new(vec!["localhost".to_string()]).unwrap();
    let certificate = certificate.signed_by(&key, &authority).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("ca.pem");
    std::fs::write(&file, authority.pem()).unwrap();

    let provider = Arc::new(crypto::ring::default_provider());
    let (certificate, key) = match is_authority {
        true => (authority.der().clone(), authority.key().serialize_der()),
        false => (certificate.der().clone(), key.serialize_der()),
    };
    let private = PrivateKeyDer::from(PrivatePkcs8KeyDer::from(key));
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![certificate], private)
        .unwrap();
    let acceptor = TlsAcceptor::from(Arc::new(config));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        loop {
            let (stream, _) = listener.accept().await.unwrap();
            let Ok(mut stream) = acceptor.accept(stream).await else { continue };
            let mut request = vec![0; 4096];
            let _ = stream.read(&mut request).await;
            let reply = "HTTP/1.1 201 Created\r\ncontent-length: 12\r\n\r\n{\"id\":\"m-1\"}";
            let _ = stream.write_all(reply.as_bytes()).await;
            let _ = stream.shutdown().await;
        }
    });
    (folder, file, port)
}

#[tokio::test]
async fn replaced_authority_file_is_trusted_without_restart() {
    let (_folder, authority, port) = server(false).await;
    let (_other_folder, file, _) = server(false).await;
    let base = format!("https://localhost:{port}");
    let settings = [("MESSAGING_BASE_URL", &*base), ("MESSAGING_MAX_ATTEMPTS", "1")];
    let trust = Trust::File(file.clone());
    let plugin = Kind::P2.with_config(config_trusting(&settings, Some(KEY), trust));
    let send = async || plugin.send_message(&message("+34600111222")).await.unwrap();
    assert!(matches!(send().await, Err(Error::NotSent(_))));
    std::fs::copy(authority, &file).unwrap();
    let sent = async {
        while send().await.is_err() {
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
    };
    tokio::time::timeout(std::time::Duration::from_secs(60), sent).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn forwarder_trusts_replaced_authority_without_restart() {
    let (_folder, authority, port) = server(false).await;
    let (_other_folder, file, _) = server(false).await;
    let store = TestStore::new();
    let url = format!("https://localhost:{port}/");
    let arguments = ["--forward", &url, "--ca-file", file.to_str().unwrap()];
    let serving = store.serve(&arguments, &[]);
    assert_eq!(deliver(serving.address, "evt-1").await.status, 200);
    let becomes = async |reached: fn(&serde_json::Value) -> bool| {
        let begun = std::time::Instant::now();
        while !reached(&store.inbox(&["list"])[0]) {
            assert!(begun.elapsed().as_secs() < 60, "{}", serving.log());
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
    };
    becomes(|event| event["last-error"].is_string()).await;
    std::fs::copy(authority, &file).unwrap();
    becomes(|event| event["state"] == "done").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn server_with_authority_certificate_gets_remedy() {
    let (_folder, file, port) = server(true).await;
    let base = format!("https://localhost:{port}");
    let settings = [
        ("MESSAGING_BASE_URL", &*base),
        ("MESSAGING_API_KEY", KEY),
        ("MESSAGING_MAX_ATTEMPTS", "1"),
    ];
    let mut command = program(&["templates", "--ca-file", file.to_str().unwrap()], &settings);
    let output = tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap();
    assert_fails(&output, 75, "is that of an authority (CA:TRUE)");
    let said = stderr(&output);
    assert!(said.contains("let this authority sign one") && !said.contains("CaUsed"), "{said}");
    assert!(said.contains("correct the cause, or try again"), "{said}");
}
