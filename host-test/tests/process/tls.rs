//! `serve` with TLS.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

use rcgen::{CertificateParams, KeyPair};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

use super::{Serving, TestStore, read_reply};

/// A certificate for `localhost`, its key, and a client that trusts the certificate.
pub struct Tls {
    pub test_store: TestStore,
    certificate: CertificateParams,
    key: KeyPair,
}

impl Tls {
    pub fn new() -> Self {
        Self::valid_until(4096)
    }

    pub fn valid_until(year: i32) -> Self {
        let mut certificate = CertificateParams::new(vec!["localhost".to_string()]).unwrap();
        certificate.not_after = rcgen::date_time_ymd(year, 1, 1);
        let this =
            Self { test_store: TestStore::new(), certificate, key: KeyPair::generate().unwrap() };
        std::fs::write(
            this.path("cert.pem"),
            this.certificate.self_signed(&this.key).unwrap().pem(),
        )
        .unwrap();
        std::fs::write(this.path("key.pem"), this.key.serialize_pem()).unwrap();
        this
    }

    /// Replaces the certificate and the key in place, as an ACME client does.
    pub fn renew(&mut self) {
        self.renew_certificate();
        std::fs::write(self.path("key.pem"), self.key.serialize_pem()).unwrap();
    }

    /// Replaces only the certificate, as in the middle of a renewal.
    pub fn renew_certificate(&mut self) {
        self.key = KeyPair::generate().unwrap();
        let renewed = self.certificate.self_signed(&self.key).unwrap();
        std::fs::write(self.path("cert.pem"), renewed.pem()).unwrap();
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.test_store.folder().join(name)
    }

    fn options(&self, certificate: &str, key: &str) -> [String; 4] {
        let text = |name| self.path(name).to_str().unwrap().to_string();
        ["--tls-cert".into(), text(certificate), "--tls-key".into(), text(key)]
    }

    /// Starts `serve` with the certificate and the key.
    pub fn serve(&self, settings: &[(&str, &str)]) -> Serving {
        let options = self.options("cert.pem", "key.pem");
        self.test_store.serve(&options.each_ref().map(String::as_str), settings)
    }

    /// Returns the reason why `serve` does not start with these files.
    pub fn refused(&self, certificate: &str, key: &str) -> String {
        let options = self.options(certificate, key);
        self.test_store.refused("127.0.0.1:0", &options.each_ref().map(String::as_str), &[])
    }

    pub async fn send(&self, address: SocketAddr, request: &str) -> u16 {
        self.try_send(address, request).await.unwrap()
    }

    /// Sends a request. Fails if the server's certificate differs from the file.
    pub async fn try_send(&self, address: SocketAddr, request: &str) -> std::io::Result<u16> {
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
        let mut stream = connector.connect(name, stream).await?;
        stream.write_all(request.as_bytes()).await?;
        Ok(read_reply(&mut stream).await.status)
    }
}
