//! TLS to a database: its certificate has to hold for the name that the URL has.

use std::future::Future;
use std::io;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};

use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, RootCertStore};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_postgres::tls::{ChannelBinding, MakeTlsConnect, TlsConnect};
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

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
    last: Arc<Mutex<TlsConnector>>,
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

    fn connector(&self) -> TlsConnector {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(path) = &self.authorities {
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

fn connector(roots: RootCertStore) -> Result<TlsConnector, TrustError> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| TrustError::Library(error.to_string()))?
        .with_root_certificates(roots)
        .with_no_client_auth();
    Ok(TlsConnector::from(Arc::new(config)))
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

impl<S> MakeTlsConnect<S> for Tls
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    type Stream = Encrypted<S>;
    type TlsConnect = Handshake;
    type Error = rustls::pki_types::InvalidDnsNameError;

    fn make_tls_connect(&mut self, domain: &str) -> Result<Handshake, Self::Error> {
        let name = ServerName::try_from(domain)?.to_owned();
        Ok(Handshake { connector: self.connector(), name })
    }
}

/// A handshake that is still to be made.
pub(crate) struct Handshake {
    connector: TlsConnector,
    name: ServerName<'static>,
}

impl<S> TlsConnect<S> for Handshake
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    type Stream = Encrypted<S>;
    type Error = io::Error;
    type Future = Pin<Box<dyn Future<Output = io::Result<Encrypted<S>>> + Send>>;

    fn connect(self, stream: S) -> Self::Future {
        Box::pin(async move { self.connector.connect(self.name, stream).await.map(Encrypted) })
    }
}

/// An encrypted connection.
pub(crate) struct Encrypted<S>(TlsStream<S>);

impl<S: AsyncRead + AsyncWrite + Unpin> tokio_postgres::tls::TlsStream for Encrypted<S> {
    // Who has a certificate for this name from an authority that is trusted here is believed;
    // to bind the password's proof to it needs a parser of certificates.
    fn channel_binding(&self) -> ChannelBinding {
        ChannelBinding::none()
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncRead for Encrypted<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_read(context, buffer)
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for Encrypted<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(context)
    }
}
