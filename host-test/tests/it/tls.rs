//! The host's TLS, with real handshakes: certificates that are trusted, and those
//! that are not.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::path::PathBuf;
use std::sync::Arc;

use crate::common::{KEY, message};
use messaging_host::outbound::Trust;
use messaging_host::wit::Error;
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use tokio_rustls::rustls::{ServerConfig, crypto};

/// A certificate authority, and a server with its certificate for `name`.
async fn server(name: &str) -> (tempfile::TempDir, PathBuf, u16) {
    let mut authority = CertificateParams::new(vec![]).unwrap();
    authority.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let authority = CertifiedIssuer::self_signed(authority, KeyPair::generate().unwrap()).unwrap();
    let key = KeyPair::generate().unwrap();
    let certificate = CertificateParams::new(vec![name.to_string()]).unwrap();
    let certificate = certificate.signed_by(&key, &authority).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("ca.pem");
    std::fs::write(&file, authority.pem()).unwrap();

    let provider = Arc::new(crypto::ring::default_provider());
    let private = PrivateKeyDer::from(PrivatePkcs8KeyDer::from(key.serialize_der()));
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![certificate.der().clone()], private)
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

async fn send(base: &str, trust: Trust) -> Result<String, Error> {
    let settings = [("MESSAGING_BASE_URL", base), ("MESSAGING_MAX_ATTEMPTS", "1")];
    let sandbox = crate::common::config_trusting(&settings, Some(KEY), trust);
    let plugin = crate::common::plugin_in(sandbox);
    plugin.send_message(&message("+34600111222")).await.unwrap().map(|created| created.id)
}

#[tokio::test]
async fn a_trusted_certificate_carries_the_message() {
    let (_folder, authority, port) = server("localhost").await;
    let base = format!("https://localhost:{port}");
    assert_eq!(send(&base, Trust::File(authority)).await.unwrap(), "m-1");
}

#[tokio::test]
async fn replaced_authority_file_is_trusted_without_restart() {
    let (_folder, authority, port) = server("localhost").await;
    let (_other_folder, file, _) = server("localhost").await;
    let base = format!("https://localhost:{port}");
    let settings = [("MESSAGING_BASE_URL", &*base), ("MESSAGING_MAX_ATTEMPTS", "1")];
    let trust = Trust::File(file.clone());
    let plugin =
        crate::common::plugin_in(crate::common::config_trusting(&settings, Some(KEY), trust));
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

#[tokio::test]
async fn an_untrusted_or_wrong_certificate_is_proof_that_nothing_was_sent() {
    let (_folder, authority, port) = server("another.example").await;
    let base = format!("https://localhost:{port}");
    for trust in [Trust::Public, Trust::File(authority)] {
        let Err(Error::NotSent(not_sent)) = send(&base, trust).await else { panic!() };
        assert!(not_sent.detail.contains("TLS-certificate-error"), "{}", not_sent.detail);
    }
}

#[tokio::test]
async fn a_server_that_speaks_no_tls_is_proof_that_nothing_was_sent() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("https://localhost:{}", listener.local_addr().unwrap().port());
    tokio::spawn(async move {
        loop {
            let (mut stream, _) = listener.accept().await.unwrap();
            let _ = stream.write_all(b"220 mail.example ESMTP\r\n").await;
        }
    });
    let Err(Error::NotSent(not_sent)) = send(&base, Trust::Public).await else { panic!() };
    assert!(not_sent.detail.contains("TLS-protocol-error"), "{}", not_sent.detail);
}

#[tokio::test]
async fn a_handshake_that_never_ends_is_proof_that_nothing_was_sent() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("https://localhost:{}", listener.local_addr().unwrap().port());
    let settings = [
        ("MESSAGING_BASE_URL", base.as_str()),
        ("MESSAGING_MAX_ATTEMPTS", "1"),
        ("MESSAGING_DEADLINE_MS", "400"),
    ];
    let plugin = crate::common::plugin(&settings, Some(KEY));
    let error = plugin.send_message(&message("+34600111222")).await.unwrap().unwrap_err();
    let Error::NotSent(not_sent) = error else { panic!("{error:?}") };
    assert!(not_sent.detail.contains("connection-timeout"), "{}", not_sent.detail);
    drop(listener);
}
