//! Connections: names, TCP, TLS, and what exactly failed. The difference between
//! "could not connect" and "broke afterwards" is what a plugin's proof that
//! nothing was sent rests on.

use std::fmt;
use std::io;
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use http::Uri;
use http::uri::Scheme;
use hyper_rustls::{ConfigBuilderExt, MaybeHttpsStream};
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioIo;
use rustls::pki_types::pem::{self, PemObject};
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{CertificateError, ClientConfig, RootCertStore};
use tokio::net::TcpStream;
use tokio::time::Instant;
use tokio_rustls::TlsConnector;
use tower_service::Service;
use wasmtime_wasi_http::Error;

use super::Destination;
use super::names::{Addresses, Names, NoAddress, Resolver};
use crate::read::bounded;

/// The longest wait for a connection, TLS included.
pub(crate) const CONNECT_LIMIT: Duration = Duration::from_secs(10);

/// The largest file of authorities that is read; a system's own takes a quarter of a MiB.
const MOST_PEM_BYTES: u64 = 4 * 1024 * 1024;

tokio::task_local! {
    /// Time at which a connection for the current request is given up.
    static GIVEN_UP: Instant;
}

/// Runs a request, which gives up a connection that is not there at `instant`.
pub(crate) fn until<F: Future>(
    instant: Instant,
    request: F,
) -> impl Future<Output = F::Output> + use<F> {
    GIVEN_UP.scope(instant, request)
}

/// Certificate authorities to trust.
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

/// Authorities that cannot be trusted as [`Trust`] says: the file or text is to be corrected.
#[derive(Debug, thiserror::Error)]
pub enum TrustError {
    /// The file cannot be read.
    #[error("{}: {cause}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why not.
        cause: io::Error,
    },
    /// The file is larger than any list of authorities.
    #[error("{}: is larger than 4 MiB", path.display())]
    TooLarge {
        /// The file.
        path: PathBuf,
    },
    /// The text is not PEM.
    #[error("{}{cause}", before(file.as_deref()))]
    NotPem {
        /// The file; none of [`Trust::Pem`].
        file: Option<PathBuf>,
        /// Where it is not.
        cause: pem::Error,
    },
    /// It holds a certificate that cannot be an authority's.
    #[error("{}{cause}", before(file.as_deref()))]
    NotAnAuthority {
        /// The file; none of [`Trust::Pem`].
        file: Option<PathBuf>,
        /// Why it cannot.
        cause: rustls::Error,
    },
    /// It contains no certificate at all.
    #[error("{}contains no certificate", before(file.as_deref()))]
    NoCertificate {
        /// The file; none of [`Trust::Pem`].
        file: Option<PathBuf>,
    },
}

/// Returns the beginning of a message about a file.
fn before(file: Option<&Path>) -> String {
    file.map(|file| format!("{}: ", file.display())).unwrap_or_default()
}

/// Failure to connect: nothing was sent. Its `Display` names the server and the reason.
#[derive(Clone, Debug)]
pub struct ConnectFailure {
    destination: String,
    cause: ConnectCause,
}

/// Reason why a connection failed.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum ConnectCause {
    /// The name could not be looked up; the system's words.
    NameNotFound(String),
    /// Looking the name up took too long.
    NameTooSlow,
    /// The name stands for private addresses alone.
    PrivateAddress,
    /// Nobody listens there.
    Refused,
    /// No network leads there.
    Unroutable,
    /// Nobody accepted the connection in time.
    TooSlow,
    /// The connection could not be made for another reason; the system's words.
    Unavailable(String),
    /// The certificate is not accepted.
    Certificate(CertificateError),
    /// The server does not speak TLS.
    NoTls,
    /// The connection ended within the TLS handshake.
    HungUp,
    /// The TLS handshake took too long.
    HandshakeTooSlow,
    /// The TLS handshake failed for another reason.
    Handshake(rustls::Error),
}

impl ConnectFailure {
    /// Returns the reason why the connection failed.
    #[must_use]
    pub fn cause(&self) -> &ConnectCause {
        &self.cause
    }

    /// The wasi:http error that says so.
    pub(super) fn error(&self) -> Error {
        match &self.cause {
            ConnectCause::NameNotFound(_) => Error::DnsError { rcode: None, info_code: None },
            ConnectCause::NameTooSlow => Error::DnsTimeout,
            ConnectCause::PrivateAddress => Error::DestinationIpProhibited,
            ConnectCause::Refused => Error::ConnectionRefused,
            ConnectCause::Unroutable => Error::DestinationIpUnroutable,
            ConnectCause::TooSlow | ConnectCause::HandshakeTooSlow => Error::ConnectionTimeout,
            ConnectCause::Unavailable(_) => Error::DestinationUnavailable,
            ConnectCause::Certificate(_) => Error::TlsCertificateError,
            // In a handshake, alerts too precede every request.
            ConnectCause::NoTls | ConnectCause::HungUp | ConnectCause::Handshake(_) => {
                Error::TlsProtocolError
            }
        }
    }
}

impl fmt::Display for ConnectFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let to = &self.destination;
        match &self.cause {
            ConnectCause::NameNotFound(why) => write!(f, "{to}: the name is not found: {why}"),
            ConnectCause::NameTooSlow => write!(f, "{to}: looking the name up took too long"),
            ConnectCause::PrivateAddress => {
                write!(f, "{to}: the name stands for private addresses alone")
            }
            ConnectCause::Refused => write!(f, "{to} refused the connection"),
            ConnectCause::Unroutable => write!(f, "{to}: no network leads there"),
            ConnectCause::TooSlow => write!(f, "{to} did not accept the connection in time"),
            ConnectCause::Unavailable(why) => write!(f, "{to} cannot be connected to: {why}"),
            ConnectCause::Certificate(error) => write!(f, "{to}: {}", Certificate(error)),
            ConnectCause::NoTls => write!(f, "{to} does not speak TLS"),
            ConnectCause::HungUp => write!(f, "{to} hung up in the TLS handshake"),
            ConnectCause::HandshakeTooSlow => {
                write!(f, "{to} did not complete the TLS handshake in time")
            }
            ConnectCause::Handshake(error) => write!(f, "{to}: the TLS handshake failed: {error}"),
        }
    }
}

impl std::error::Error for ConnectFailure {}

/// Writes the reason why a certificate is not accepted, for a person.
struct Certificate<'e>(&'e CertificateError);

impl fmt::Display for Certificate<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            CertificateError::Expired | CertificateError::ExpiredContext { .. } => {
                f.write_str("its certificate has expired")
            }
            CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => {
                f.write_str("its certificate is not valid yet")
            }
            CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
                f.write_str("its certificate is for another name")
            }
            CertificateError::UnknownIssuer => {
                f.write_str("its certificate is from an authority that is not trusted")
            }
            CertificateError::BadSignature => {
                f.write_str("its certificate was not signed by the authority that it names")
            }
            CertificateError::Revoked => f.write_str("its certificate was revoked"),
            other => write!(
                f,
                "its certificate is not accepted (one that signed itself is not, nor an authority's own): {other}"
            ),
        }
    }
}

/// Makes connections, with typed failures.
#[derive(Clone)]
pub struct Connector {
    resolver: Resolver,
    tls: Arc<ClientConfig>,
}

type Stream = MaybeHttpsStream<TokioIo<TcpStream>>;

impl Connector {
    pub fn new(trust: Trust, names: Names) -> Result<Self, TrustError> {
        // Does nothing where the embedder has chosen a provider already.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let tls = match trust {
            Trust::Public => ClientConfig::builder().with_webpki_roots().with_no_client_auth(),
            Trust::File(path) => {
                let read =
                    std::fs::File::open(&path).and_then(|file| bounded(file, MOST_PEM_BYTES));
                match read {
                    Ok(Some(pem)) => trusting(&pem, Some(path))?,
                    Ok(None) => return Err(TrustError::TooLarge { path }),
                    Err(cause) => return Err(TrustError::Unreadable { path, cause }),
                }
            }
            Trust::Pem(text) => trusting(text.as_bytes(), None)?,
        };
        Ok(Self { resolver: Resolver::new(names), tls: Arc::new(tls) })
    }

    async fn connect(mut self, uri: Uri, until: Instant) -> Result<Stream, ConnectCause> {
        let host = uri.host().unwrap_or_default();
        let host = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
        let addresses = match host.parse::<IpAddr>() {
            // Taken from the URI.
            Ok(_) => Addresses::default(),
            Err(_) => {
                let unnamed =
                    |error: &dyn fmt::Display| ConnectCause::NameNotFound(error.to_string());
                let name = host.parse().map_err(|error| unnamed(&error))?;
                let found = tokio::time::timeout_at(until, self.resolver.call(name)).await;
                found.map_err(|_| ConnectCause::NameTooSlow)?.map_err(|error| match error {
                    NoAddress::Private => ConnectCause::PrivateAddress,
                    NoAddress::NotFound(error) => unnamed(&error),
                })?
            }
        };
        let mut tcp = HttpConnector::new_with_resolver(addresses);
        tcp.enforce_http(false);
        tcp.set_nodelay(true);
        // Divided among the addresses, so that one that is silent leaves time for another.
        tcp.set_connect_timeout(Some(until.saturating_duration_since(Instant::now())));
        let tcp = tokio::time::timeout_at(until, tcp.call(uri.clone())).await;
        let tcp = tcp.map_err(|_| ConnectCause::TooSlow)?.map_err(|error| of_tcp(&error))?;
        if uri.scheme() != Some(&Scheme::HTTPS) {
            return Ok(tcp.into());
        }
        let name = ServerName::try_from(host.to_string());
        let name = name.map_err(|error| ConnectCause::Unavailable(error.to_string()))?;
        let handshake = TlsConnector::from(self.tls).connect(name, TokioIo::new(tcp));
        let tls = tokio::time::timeout_at(until, handshake).await;
        let tls = tls.map_err(|_| ConnectCause::HandshakeTooSlow)?;
        Ok(tls.map_err(|error| of_handshake(&error))?.into())
    }
}

/// Trusts the authorities in a PEM text, which came from `file`.
fn trusting(pem: &[u8], file: Option<PathBuf>) -> Result<ClientConfig, TrustError> {
    let mut roots = RootCertStore::empty();
    for certificate in CertificateDer::pem_slice_iter(pem) {
        let certificate = match certificate {
            Ok(certificate) => certificate,
            Err(cause) => return Err(TrustError::NotPem { file, cause }),
        };
        if let Err(cause) = roots.add(certificate) {
            return Err(TrustError::NotAnAuthority { file, cause });
        }
    }
    if roots.is_empty() {
        return Err(TrustError::NoCertificate { file });
    }
    Ok(ClientConfig::builder().with_root_certificates(roots).with_no_client_auth())
}

impl Service<Uri> for Connector {
    type Response = Stream;
    type Error = ConnectFailure;
    type Future = Pin<Box<dyn Future<Output = Result<Stream, ConnectFailure>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), ConnectFailure>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, uri: Uri) -> Self::Future {
        // Called by the request that the connection is for, wherever it ends up.
        let until = GIVEN_UP.try_with(|until| *until);
        let until = until.unwrap_or_else(|_| in_future(Instant::now(), CONNECT_LIMIT));
        let connector = self.clone();
        Box::pin(async move {
            let destination = Destination::of_uri(&uri).map(|to| to.to_string());
            connector.connect(uri, until).await.map_err(|cause| ConnectFailure {
                destination: destination.unwrap_or_default(),
                cause,
            })
        })
    }
}

/// `instant` and `later`; `instant` itself where the clock cannot count so far.
pub fn in_future(instant: Instant, later: Duration) -> Instant {
    instant.checked_add(later).unwrap_or(instant)
}

/// Returns the error for the component, and the connection's failure where that was the reason.
pub fn classify(error: &hyper_util::client::legacy::Error) -> (Error, Option<ConnectFailure>) {
    let causes = || std::iter::successors(std::error::Error::source(error), |cause| cause.source());
    tracing::debug!(%error, causes = ?causes().map(ToString::to_string).collect::<Vec<_>>(), "request failed");
    if error.is_connect() {
        let failure = causes().find_map(|cause| cause.downcast_ref::<ConnectFailure>());
        let code = failure.map_or(Error::DestinationUnavailable, ConnectFailure::error);
        return (code, failure.cloned());
    }
    let hyper = causes().find_map(|cause| cause.downcast_ref::<hyper::Error>());
    let code = match hyper {
        Some(error) if error.is_timeout() => Error::HttpResponseTimeout,
        Some(error) if error.is_parse() => Error::HttpProtocolError,
        Some(error) if error.is_incomplete_message() || error.is_closed() => {
            Error::HttpResponseIncomplete
        }
        _ if causes().any(|cause| cause.is::<io::Error>()) => Error::ConnectionTerminated,
        _ => Error::HttpProtocolError,
    };
    (code, None)
}

fn of_tcp(error: &(dyn std::error::Error + 'static)) -> ConnectCause {
    let mut causes = std::iter::successors(Some(error), |cause| cause.source());
    let Some(io) = causes.find_map(|cause| cause.downcast_ref::<io::Error>()) else {
        return ConnectCause::Unavailable(error.to_string());
    };
    match io.kind() {
        io::ErrorKind::ConnectionRefused => ConnectCause::Refused,
        io::ErrorKind::TimedOut => ConnectCause::TooSlow,
        io::ErrorKind::HostUnreachable | io::ErrorKind::NetworkUnreachable => {
            ConnectCause::Unroutable
        }
        _ => ConnectCause::Unavailable(io.to_string()),
    }
}

fn of_handshake(error: &io::Error) -> ConnectCause {
    match error.get_ref().and_then(|inner| inner.downcast_ref::<rustls::Error>()) {
        Some(rustls::Error::InvalidCertificate(error)) => ConnectCause::Certificate(error.clone()),
        Some(rustls::Error::InvalidMessage(_)) => ConnectCause::NoTls,
        Some(other) => ConnectCause::Handshake(other.clone()),
        // The peer went away: no request was under way.
        None => ConnectCause::HungUp,
    }
}
