//! Connections: names, TCP, TLS, and what exactly failed. The difference between
//! "could not connect" and "broke afterwards" is what a plugin's proof that
//! nothing was sent rests on.

use std::io;
use std::path::PathBuf;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use http::Uri;
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder, MaybeHttpsStream};
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioIo;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::{ClientConfig, RootCertStore};
use tokio::net::TcpStream;
use tower_service::Service;
use wasmtime_wasi_http::Error;

use super::names::{Names, Prohibited, Resolver};

/// The longest wait for a connection, TLS included. What is given up within it is known
/// not to have been sent; what a component's deadline ends is not.
pub(super) const CONNECT_LIMIT: Duration = Duration::from_secs(10);

/// Which certificates are accepted.
#[derive(Clone, Debug, Default)]
pub enum Trust {
    /// Those of the public authorities that browsers trust (webpki-roots).
    #[default]
    Public,
    /// Those of the authorities in this PEM file alone.
    File(PathBuf),
    /// Those of the authorities in this PEM text alone.
    Pem(String),
}

/// Makes connections, with typed failures.
#[derive(Clone)]
pub struct Connector(HttpsConnector<HttpConnector<Resolver>>);

impl Connector {
    pub fn new(trust: Trust, names: Names) -> Result<Self, String> {
        // Does nothing where the embedder has chosen a provider already.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let mut http = HttpConnector::new_with_resolver(Resolver::new(names));
        http.enforce_http(false);
        http.set_nodelay(true);
        http.set_connect_timeout(Some(CONNECT_LIMIT));
        let https = HttpsConnectorBuilder::new();
        let https = match trust {
            Trust::Public => https.with_webpki_roots(),
            Trust::File(path) => {
                let named = |error: String| format!("{}: {error}", path.display());
                let pem = std::fs::read(&path).map_err(|error| named(error.to_string()))?;
                https.with_tls_config(trusting(&pem).map_err(named)?)
            }
            Trust::Pem(text) => https.with_tls_config(trusting(text.as_bytes())?),
        };
        Ok(Self(https.https_or_http().enable_http1().wrap_connector(http)))
    }
}

fn trusting(pem: &[u8]) -> Result<ClientConfig, String> {
    let mut roots = RootCertStore::empty();
    for certificate in CertificateDer::pem_slice_iter(pem) {
        let certificate = certificate.map_err(|error| error.to_string())?;
        roots.add(certificate).map_err(|error| error.to_string())?;
    }
    if roots.is_empty() {
        return Err("holds no certificate".into());
    }
    Ok(ClientConfig::builder().with_root_certificates(roots).with_no_client_auth())
}

impl Service<Uri> for Connector {
    type Response = MaybeHttpsStream<TokioIo<TcpStream>>;
    type Error = Box<dyn std::error::Error + Send + Sync>;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Self::Error>> + Send>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        self.0.poll_ready(cx)
    }

    fn call(&mut self, uri: Uri) -> Self::Future {
        let connecting = self.0.call(uri);
        Box::pin(async move {
            match tokio::time::timeout(CONNECT_LIMIT, connecting).await {
                Ok(connected) => connected,
                Err(_) => Err(io::Error::from(io::ErrorKind::TimedOut).into()),
            }
        })
    }
}

/// The wasi:http error for a request that failed.
pub fn classify(error: &hyper_util::client::legacy::Error) -> Error {
    let causes = || std::iter::successors(std::error::Error::source(error), |cause| cause.source());
    tracing::debug!(%error, causes = ?causes().map(ToString::to_string).collect::<Vec<_>>(), "request failed");
    if error.is_connect() {
        return classify_connect(causes());
    }
    let hyper = causes().find_map(|cause| cause.downcast_ref::<hyper::Error>());
    match hyper {
        Some(error) if error.is_timeout() => Error::HttpResponseTimeout,
        Some(error) if error.is_parse() => Error::HttpProtocolError,
        Some(error) if error.is_incomplete_message() || error.is_closed() => {
            Error::HttpResponseIncomplete
        }
        _ if causes().any(|cause| cause.is::<io::Error>()) => Error::ConnectionTerminated,
        _ => Error::HttpProtocolError,
    }
}

fn classify_connect<'e>(
    causes: impl Iterator<Item = &'e (dyn std::error::Error + 'static)>,
) -> Error {
    let mut result = Error::DestinationUnavailable;
    for cause in causes {
        if cause.to_string() == "dns error" {
            if std::iter::successors(Some(cause), |cause| cause.source()).any(is_prohibited) {
                return Error::DestinationIpProhibited;
            }
            return Error::DnsError { rcode: None, info_code: None };
        }
        let Some(io) = cause.downcast_ref::<io::Error>().map(innermost) else { continue };
        if let Some(tls) = io.get_ref().and_then(|inner| inner.downcast_ref::<rustls::Error>()) {
            return classify_tls(tls);
        }
        result = match io.kind() {
            io::ErrorKind::ConnectionRefused => Error::ConnectionRefused,
            io::ErrorKind::TimedOut => Error::ConnectionTimeout,
            io::ErrorKind::HostUnreachable | io::ErrorKind::NetworkUnreachable => {
                Error::DestinationIpUnroutable
            }
            // The peer went away during the handshake: no request was under way.
            io::ErrorKind::UnexpectedEof
            | io::ErrorKind::ConnectionReset
            | io::ErrorKind::BrokenPipe => Error::TlsProtocolError,
            _ => continue,
        };
    }
    result
}

fn is_prohibited(cause: &(dyn std::error::Error + 'static)) -> bool {
    let inner = cause.downcast_ref::<io::Error>().and_then(|error| error.get_ref());
    cause.is::<Prohibited>() || inner.is_some_and(|inner| inner.is::<Prohibited>())
}

/// An io::Error can hold another, and does not name it as its source: hyper-rustls
/// wraps tokio-rustls, which wraps rustls.
fn innermost(error: &io::Error) -> &io::Error {
    match error.get_ref().and_then(|inner| inner.downcast_ref::<io::Error>()) {
        Some(inner) => innermost(inner),
        None => error,
    }
}

fn classify_tls(error: &rustls::Error) -> Error {
    match error {
        rustls::Error::InvalidCertificate(_) | rustls::Error::NoCertificatesPresented => {
            Error::TlsCertificateError
        }
        // During a handshake, alerts too precede every request.
        _ => Error::TlsProtocolError,
    }
}
