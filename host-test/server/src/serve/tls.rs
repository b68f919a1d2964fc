//! Certificates of a server.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use messaging_net::read::pem_file;
use messaging_net::reload::Reloading;
use rustls::client::verify_server_cert_signed_by_trust_anchor;
use rustls::pki_types::pem::{self, PemObject};
use rustls::pki_types::{CertificateDer, PrivateKeyDer, UnixTime};
use rustls::server::ParsedCertificate;
use rustls::{CertificateError, RootCertStore, ServerConfig};
use tokio::net::TcpStream;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;

use super::slots::{ConnectionSlot, Stage};

/// Timeout of a TLS handshake.
const HANDSHAKE_TIMEOUT: Duration = Duration::from_secs(10);

/// An invalid certificate or private key.
#[derive(Debug, thiserror::Error)]
#[error("{}: {reason}", path.display())]
pub struct TlsError {
    /// The invalid file.
    pub path: PathBuf,
    /// Reason for the rejection, for logs and operators.
    pub reason: String,
}

/// A certificate chain and its private key, for HTTP/1.1 over TLS 1.2 and 1.3. Clones share them.
///
/// The files are read again after they change. An invalid or incomplete pair is logged once, and
/// the previous pair stays in use. An expired certificate does not replace a valid one. Otherwise a
/// certificate outside its validity period is used, with a warning in the log.
#[derive(Clone)]
pub struct Tls(Arc<Reloading<Arc<ServerConfig>, TlsError>>);

impl Tls {
    /// Reads a certificate chain and its private key from PEM files.
    ///
    /// # Errors
    /// - Returns `TlsError` if a file is unreadable or has no PEM section of the expected kind.
    /// - Returns `TlsError` if the private key does not match the certificate.
    pub fn read(certificate: &Path, key: &Path) -> Result<Self, TlsError> {
        let [certificate, key] = [certificate, key].map(Path::to_path_buf);
        let files = vec![certificate.clone(), key.clone()];
        let in_use = Mutex::new(None);
        let read = move || {
            let mut in_use = in_use.lock().unwrap_or_else(PoisonError::into_inner);
            let (config, first) = server_config(&certificate, &key, in_use.as_ref())?;
            *in_use = Some(first);
            Ok(config)
        };
        Reloading::new("TLS certificate", files, read).map(Self)
    }

    /// Reads the files now. New connections use the new certificate. Blocks.
    pub fn reload(&self) {
        self.0.reload();
    }

    async fn acceptor(&self) -> TlsAcceptor {
        self.0.current().await.into()
    }
}

/// Returns the configuration and its certificate. `in_use` is the certificate that it replaces.
fn server_config(
    certificate: &Path,
    key: &Path,
    in_use: Option<&CertificateDer<'static>>,
) -> Result<(Arc<ServerConfig>, CertificateDer<'static>), TlsError> {
    let wrong = |path: &Path, reason: String| TlsError { path: path.into(), reason };
    let pem = pem_file(certificate).map_err(|reason| wrong(certificate, reason))?;
    let chain: Vec<_> = CertificateDer::pem_slice_iter(&pem)
        .collect::<Result<_, _>>()
        .map_err(|error| wrong(certificate, error.to_string()))?;
    let Some(first) = chain.first().cloned() else {
        return Err(wrong(certificate, "contains no certificate".into()));
    };
    let reason = invalid_now(&first);
    if reason == Some(EXPIRED) && in_use.is_some_and(|in_use| invalid_now(in_use).is_none()) {
        return Err(wrong(certificate, EXPIRED.into()));
    }
    let key_der = pem_file(key).and_then(|pem| private_key(&pem));
    let key_der = key_der.map_err(|reason| wrong(key, reason))?;
    let provider = rustls::crypto::ring::default_provider();
    let mut config = ServerConfig::builder_with_provider(Arc::new(provider))
        .with_safe_default_protocol_versions()
        .and_then(|builder| builder.with_no_client_auth().with_single_cert(chain, key_der))
        .map_err(|error| match error {
            rustls::Error::InconsistentKeys(_) => {
                wrong(key, format!("is not the key of {}", certificate.display()))
            }
            error if error.to_string().contains("UnsupportedCertVersion") => {
                wrong(certificate, "has X.509 version 1 or 2; TLS needs version 3".into())
            }
            error => wrong(certificate, error.to_string()),
        })?;
    if let Some(reason) = reason {
        let file = certificate.display();
        tracing::warn!(%file, "the TLS certificate {reason}, so clients reject it: replace it");
    }
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok((Arc::new(config), first))
}

const EXPIRED: &str = "has expired";

/// Returns `has expired` or `is not valid yet` if the current time is outside the validity period.
fn invalid_now(certificate: &CertificateDer<'_>) -> Option<&'static str> {
    let certificate = ParsedCertificate::try_from(certificate).ok()?;
    // The verification always fails, because no authority is trusted, but it checks the validity
    // period first.
    let verified = verify_server_cert_signed_by_trust_anchor(
        &certificate,
        &RootCertStore::empty(),
        &[],
        UnixTime::now(),
        &[],
    );
    match verified {
        Err(rustls::Error::InvalidCertificate(
            CertificateError::Expired | CertificateError::ExpiredContext { .. },
        )) => Some(EXPIRED),
        Err(rustls::Error::InvalidCertificate(
            CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. },
        )) => Some("is not valid yet"),
        _ => None,
    }
}

fn private_key(pem: &[u8]) -> Result<PrivateKeyDer<'static>, String> {
    PrivateKeyDer::from_pem_slice(pem).map_err(|error| match error {
        _ if String::from_utf8_lossy(pem).contains("ENCRYPTED") => {
            "is encrypted; `openssl pkey -in FILE -out PLAIN` removes the passphrase".into()
        }
        pem::Error::NoItemsFound => "contains no private key in PEM".into(),
        error => error.to_string(),
    })
}

/// Accepts a TLS connection.
pub(super) async fn handshake(
    tls: &Tls,
    stream: TcpStream,
    slot: &ConnectionSlot,
) -> io::Result<TlsStream<TcpStream>> {
    let handshake = async {
        stream.peek(&mut [0]).await?;
        slot.now(Stage::Head);
        tls.acceptor().await.accept(stream).await
    };
    let stream = tokio::time::timeout(HANDSHAKE_TIMEOUT, handshake)
        .await
        .map_err(|_| io::Error::from(io::ErrorKind::TimedOut))??;
    slot.now(Stage::Silent);
    Ok(stream)
}

#[cfg(test)]
mod tests {
    #[test]
    fn encrypted_key_gets_remedy() {
        let encrypted =
            "-----BEGIN ENCRYPTED PRIVATE KEY-----\nMIIF\n-----END ENCRYPTED PRIVATE KEY-----\n";
        let traditional = "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\nMIIF\n-----END RSA PRIVATE KEY-----\n";
        let keys =
            [(encrypted, "is encrypted"), (traditional, "is encrypted"), ("", "no private key")];
        for (pem, reason) in keys {
            assert!(super::private_key(pem.as_bytes()).is_err_and(|text| text.contains(reason)));
        }
    }
}
