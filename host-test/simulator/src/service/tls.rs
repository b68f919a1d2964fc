//! Certificate of the simulated service.

use std::io;
use std::path::Path;
use std::sync::Arc;

use rustls::ServerConfig;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::TlsAcceptor;

/// Reads a certificate chain and its private key from PEM files.
pub(super) fn acceptor(certificate: &Path, key: &Path) -> io::Result<TlsAcceptor> {
    let unusable = |file: &Path, why: &dyn std::fmt::Display| {
        let text = format!("{}: {why}", file.display());
        io::Error::new(io::ErrorKind::InvalidInput, text)
    };
    let chain = CertificateDer::pem_file_iter(certificate)
        .and_then(Iterator::collect::<Result<Vec<_>, _>>)
        .map_err(|error| unusable(certificate, &error))?;
    let private = PrivateKeyDer::from_pem_file(key).map_err(|error| unusable(key, &error))?;
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .and_then(|config| config.with_no_client_auth().with_single_cert(chain, private))
        .map_err(|error| unusable(certificate, &error))?;
    Ok(TlsAcceptor::from(Arc::new(config)))
}
