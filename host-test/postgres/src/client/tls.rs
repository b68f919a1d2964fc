//! TLS to a database. The certificate must be valid for the host name of the URL.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::{ClientConfig, RootCertStore};
use tokio_postgres_rustls::MakeRustlsConnect;

/// Maximum size of a file with certificate authorities, in bytes. The path can name a device that
/// never ends.
const MAX_PEM_BYTES: u64 = 4 * 1024 * 1024;

/// An unusable trust configuration.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TrustError {
    /// The file of certificate authorities is unusable.
    #[error("{path}: {detail}; name a PEM file of certificates")]
    File {
        /// Path of the file.
        path: String,
        /// Reason why the file is unusable.
        detail: String,
    },
    /// The TLS library rejects its own protocol versions.
    #[error("no TLS: {0}")]
    Library(String),
}

/// The TLS settings of connections.
#[derive(Clone)]
pub(crate) struct Tls {
    /// A file of certificate authorities. Each connection reads it again, because authorities are
    /// renewed.
    authorities: Option<PathBuf>,
    last: Arc<Mutex<MakeRustlsConnect>>,
}

impl Tls {
    /// Trusts the certificate authorities of a file; `None` trusts the authorities that browsers
    /// trust.
    pub(crate) fn new(authorities: Option<&PathBuf>) -> Result<Self, TrustError> {
        let roots = match authorities {
            Some(path) => of_file(path)?,
            None => webpki_roots::TLS_SERVER_ROOTS.iter().cloned().collect(),
        };
        let last = Arc::new(Mutex::new(connector(roots)?));
        Ok(Self { authorities: authorities.cloned(), last })
    }

    /// Returns a connector that trusts the current content of the authorities file.
    pub(crate) fn connector(&self) -> MakeRustlsConnect {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        // Skips a pipe, which cannot be read twice.
        if let Some(path) = self.authorities.as_ref().filter(|path| path.is_file()) {
            match of_file(path).and_then(connector) {
                Ok(connector) => *last = connector,
                Err(error) => {
                    tracing::warn!(%error, "the previous authorities are trusted");
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
    let mut bytes = Vec::new();
    let read = File::open(path)
        .and_then(|file| file.take(MAX_PEM_BYTES.saturating_add(1)).read_to_end(&mut bytes));
    match read {
        Err(error) => return Err(failed(error.to_string())),
        Ok(read) if u64::try_from(read).is_ok_and(|read| read <= MAX_PEM_BYTES) => {}
        Ok(_) => return Err(failed("it is larger than 4 MiB".to_string())),
    }
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
