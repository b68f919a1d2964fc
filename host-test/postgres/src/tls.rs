//! TLS to a database: its certificate has to hold for the name that the URL has.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::{ClientConfig, RootCertStore};
use tokio_postgres_rustls::MakeRustlsConnect;

/// Why no certificate could be judged.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TrustError {
    /// The file of authorities cannot be used.
    #[error("{path}: {detail}; name a file of certificates as PEM")]
    File {
        /// The file.
        path: String,
        /// The problem.
        detail: String,
    },
    /// The library refuses its own protocols.
    #[error("no TLS: {0}")]
    Library(String),
}

/// Makes encrypted connections.
#[derive(Clone)]
pub(crate) struct Tls {
    /// Read again for each connection: authorities are renewed.
    authorities: Option<PathBuf>,
    last: Arc<Mutex<MakeRustlsConnect>>,
}

impl Tls {
    /// Trusts the authorities of a file, or those that browsers trust.
    pub(crate) fn new(authorities: Option<&PathBuf>) -> Result<Self, TrustError> {
        let roots = match authorities {
            Some(path) => of_file(path)?,
            None => webpki_roots::TLS_SERVER_ROOTS.iter().cloned().collect(),
        };
        let last = Arc::new(Mutex::new(connector(roots)?));
        Ok(Self { authorities: authorities.cloned(), last })
    }

    /// Returns a connector that trusts what the file of authorities has now.
    pub(crate) fn connector(&self) -> MakeRustlsConnect {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        // A pipe cannot be read again.
        if let Some(path) = self.authorities.as_ref().filter(|path| path.is_file()) {
            match of_file(path).and_then(connector) {
                Ok(connector) => *last = connector,
                Err(error) => {
                    tracing::warn!(%error, "the authorities that were read before are trusted");
                }
            }
        }
        last.clone()
    }
}

fn connector(roots: RootCertStore) -> Result<MakeRustlsConnect, TrustError> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| TrustError::Library(error.to_string()))?
        .with_root_certificates(roots)
        .with_no_client_auth();
    Ok(MakeRustlsConnect::new(config))
}

fn of_file(path: &Path) -> Result<RootCertStore, TrustError> {
    let failed = |detail: String| TrustError::File { path: path.display().to_string(), detail };
    let bytes = std::fs::read(path).map_err(|error| failed(error.to_string()))?;
    let mut roots = RootCertStore::empty();
    for certificate in CertificateDer::pem_slice_iter(&bytes) {
        let certificate = certificate.map_err(|error| failed(error.to_string()))?;
        roots.add(certificate).map_err(|error| failed(error.to_string()))?;
    }
    if roots.is_empty() {
        return Err(failed("it has no certificate".to_string()));
    }
    Ok(roots)
}
