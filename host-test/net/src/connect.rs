//! Connections: name resolution, TCP, TLS, and the exact cause of a failure. Distinguishes failed
//! connections from broken connections, because only a failed connection proves to a plugin that
//! nothing was sent.

use std::io;
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use http::uri::Scheme;
use http::{Request, Response, Uri};
use http_body::Body;
use hyper::body::Incoming;
use hyper_rustls::{ConfigBuilderExt, MaybeHttpsStream};
use hyper_util::client::legacy;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::client::legacy::connect::dns::GaiResolver;
use hyper_util::client::legacy::connect::proxy::Tunnel;
use hyper_util::client::proxy::matcher::Intercept;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, RootCertStore};
use tokio::net::TcpStream;
use tokio::time::Instant;
use tokio_rustls::TlsConnector;
use tower_service::Service;

use crate::departure::{Departing, Departure, GiveUp, Moment, in_future};
use crate::failure::{ConnectCause, ConnectFailure, RequestError};
use crate::names::{Addresses, Names, NoAddress, host_of, look_up};
use crate::proxy::Proxies;
use crate::read::pem_file;
use crate::reload::Reloading;

/// Maximum duration of a connection attempt, including TLS.
pub const CONNECT_LIMIT: Duration = Duration::from_secs(10);

/// Maximum number of headers of a response: as many as fit in a head of 16 KiB. hyper allows 100 by
/// default.
const MAX_RESPONSE_HEADERS: usize = 16 * 1024 / "a:\r\n".len();

/// Maximum idle time of a kept connection. Servers close their connections after 5 s or more, and a
/// POST must not use a connection that is being closed.
const IDLE: Duration = Duration::from_secs(4);

/// Delay between a deadline and the cancellation of an unsent request. The connector knows the
/// reason for a late connection, so the connector must report first.
const AFTER_CONNECTOR: Duration = Duration::from_millis(20);

tokio::task_local! {
    /// Deadline of the connection for the current request.
    static CONNECT_BY: Moment;
}

/// A client with pooled connections.
pub type Client<B> = legacy::Client<Connector, Departing<B>>;

/// Returns the common options of all clients in this host.
pub fn client() -> legacy::Builder {
    let mut client = legacy::Client::builder(TokioExecutor::new());
    client.pool_idle_timeout(IDLE).pool_timer(TokioTimer::new());
    client.http1_max_headers(MAX_RESPONSE_HEADERS);
    client
}

/// Sends a request if `departure` permits it, and waits for the response head.
///
/// # Errors
/// Returns `RequestError` if there is no response.
pub async fn send<B>(
    client: &Client<B>,
    request: Request<B>,
    departure: Departure,
) -> Result<Response<Incoming>, RequestError>
where
    B: Body<Data = Bytes> + Send + Unpin + 'static,
    B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    let deadline = departure.deadline();
    // The guard cancels the request if the caller drops the future.
    let _guard = GiveUp(departure.clone());
    let request = request.map(|body| Departing::new(body, departure.clone()));
    let sending = CONNECT_BY.scope(deadline, client.request(request));
    let overdue = async {
        tokio::time::sleep_until(in_future(deadline.monotonic, AFTER_CONNECTOR)).await;
        if !departure.give_up() {
            std::future::pending::<()>().await;
        }
    };
    tokio::select! {
        biased;
        response = sending => response.map_err(|error| classify(&error)),
        () = overdue => Err(RequestError::NotConnected(departure.too_late())),
    }
}

/// Trusted certificate authorities.
#[derive(Clone, Debug, Default)]
pub enum Trust {
    /// The public authorities that browsers trust (webpki-roots).
    #[default]
    Public,
    /// Only the authorities in this PEM file.
    File(PathBuf),
    /// Only the authorities in this PEM string.
    Pem(String),
}

/// An invalid trust configuration.
#[derive(Debug, thiserror::Error)]
#[error("{}{reason}", file.as_ref().map(|file| format!("{}: ", file.display())).unwrap_or_default())]
pub struct TrustError {
    /// The file; `None` for [`Trust::Pem`].
    pub file: Option<PathBuf>,
    /// Reason for the rejection, for logs and operators.
    pub reason: String,
}

/// A connector that opens connections and returns typed failures. Clones share the configuration.
#[derive(Clone)]
pub struct Connector(Arc<Configuration>);

#[derive(Clone)]
struct Configuration {
    names: Names,
    tls: Authorities,
    proxies: Option<Proxies>,
}

/// The TLS configuration of a connector.
#[derive(Clone)]
enum Authorities {
    Fixed(Arc<ClientConfig>),
    /// Authorities from a file, read again after it changes.
    File(Arc<Reloading<Arc<ClientConfig>, TrustError>>),
}

impl Authorities {
    async fn current(&self) -> Arc<ClientConfig> {
        match self {
            Self::Fixed(config) => Arc::clone(config),
            Self::File(file) => file.current().await,
        }
    }
}

type Tcp = TokioIo<TcpStream>;
type Stream = MaybeHttpsStream<Tcp>;

impl Connector {
    /// Creates a connector.
    ///
    /// # Errors
    /// Returns `TrustError` if the trust configuration is invalid.
    pub fn new(trust: Trust, names: Names) -> Result<Self, TrustError> {
        // This call fails if the embedder has installed a cryptography provider, which then stays
        // in use.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let tls = match trust {
            Trust::Public => {
                let config = ClientConfig::builder().with_webpki_roots().with_no_client_auth();
                Authorities::Fixed(Arc::new(config))
            }
            Trust::File(path) => {
                let files = vec![path.clone()];
                let read = move || from_file(&path).map(Arc::new);
                Authorities::File(Reloading::new("certificate authorities", files, read)?)
            }
            Trust::Pem(text) => {
                let config = trusting(text.as_bytes());
                let config = config.map_err(|reason| TrustError { file: None, reason })?;
                Authorities::Fixed(Arc::new(config))
            }
        };
        Ok(Self(Arc::new(Configuration { names, tls, proxies: None })))
    }

    /// Returns a connector that uses `proxies`.
    #[must_use]
    pub fn through(self, proxies: Proxies) -> Self {
        Self(Arc::new(Configuration { proxies: Some(proxies), ..(*self.0).clone() }))
    }

    async fn connect(self, uri: Uri, deadline: Moment) -> Result<Stream, ConnectCause> {
        let until = deadline.monotonic;
        let host = host_of(&uri);
        let proxy = self.0.proxies.as_ref().map_or(Ok(None), |proxies| proxies.of(&uri));
        let proxy = proxy.map_err(|error| ConnectCause::Unavailable(error.to_string()))?;
        let tcp = match proxy {
            Some(proxy) => tunnel(&proxy, &uri, until).await?,
            None => self.direct(&uri, host, until).await?,
        };
        if uri.scheme() != Some(&Scheme::HTTPS) {
            return if deadline.is_over() { Err(ConnectCause::TooLate) } else { Ok(tcp.into()) };
        }
        let name = ServerName::try_from(host.to_string());
        let name = name.map_err(|error| ConnectCause::Unavailable(error.to_string()))?;
        let config = self.0.tls.current().await;
        let handshake = TlsConnector::from(config).connect(name, TokioIo::new(tcp));
        let tls = tokio::time::timeout_at(until, handshake).await;
        let tls = tls.map_err(|_| ConnectCause::HandshakeTooSlow)?;
        let tls = tls.map_err(|error| of_handshake(&error))?;
        // A process that was stopped past the deadline may find the handshake completed before it
        // checks the timeout.
        if deadline.is_over() { Err(ConnectCause::HandshakeTooSlow) } else { Ok(tls.into()) }
    }

    /// Resolves `host`, and opens a TCP connection to one of its addresses.
    async fn direct(&self, uri: &Uri, host: &str, until: Instant) -> Result<Tcp, ConnectCause> {
        let addresses = match host.parse::<IpAddr>() {
            // No lookup, because the connector reads the address from the URI.
            Ok(_) => Addresses::default(),
            Err(_) => {
                let unnamed =
                    |error: &dyn std::fmt::Display| ConnectCause::NameNotFound(error.to_string());
                let name = host.parse().map_err(|error| unnamed(&error))?;
                let mut resolver = GaiResolver::new();
                let found = look_up(&mut resolver, self.0.names, name);
                let found = tokio::time::timeout_at(until, found).await;
                found.map_err(|_| ConnectCause::NameTooSlow)?.map_err(|error| match error {
                    NoAddress::Private => ConnectCause::PrivateAddress,
                    NoAddress::NotFound(error) => unnamed(&error),
                })?
            }
        };
        let mut tcp = HttpConnector::new_with_resolver(addresses);
        tcp.enforce_http(false);
        let mut tcp = limited(tcp, until);
        let tcp = tokio::time::timeout_at(until, tcp.call(uri.clone())).await;
        tcp.map_err(|_| ConnectCause::TooSlow)?.map_err(|error| of_tcp(&error))
    }
}

/// Sets the options of a TCP connection. The connector divides the timeout among the addresses, so
/// an address that does not respond leaves time for the other addresses.
fn limited<R>(mut tcp: HttpConnector<R>, until: Instant) -> HttpConnector<R> {
    tcp.set_nodelay(true);
    tcp.set_connect_timeout(Some(until.saturating_duration_since(Instant::now())));
    tcp
}

/// Opens a tunnel through a proxy. The request, with its headers, is encrypted for the destination.
async fn tunnel(proxy: &Intercept, uri: &Uri, until: Instant) -> Result<Tcp, ConnectCause> {
    let mut tunnel = Tunnel::new(proxy.uri().clone(), limited(HttpConnector::new(), until));
    if let Some(credentials) = proxy.basic_auth() {
        tunnel = tunnel.with_auth(credentials.clone());
    }
    let failed = |why: String| ConnectCause::Unavailable(format!("the proxy {}{why}", proxy.uri()));
    let opened = tokio::time::timeout_at(until, tunnel.call(uri.clone())).await;
    opened.map_err(|_| failed(" did not open a tunnel in time".into()))?.map_err(|error| {
        // Compares the text, because the type of the error is private.
        match error.to_string().as_str() {
            "tunnel error: unsuccessful" => return failed(" refused the tunnel".into()),
            "tunnel error: proxy authorization required" => {
                let remedy = " requires a user and a password: http://USER:PASSWORD@HOST:PORT";
                return failed(remedy.into());
            }
            _ => {}
        }
        let mut text = format!(": {error}");
        let mut cause = std::error::Error::source(&error);
        while let Some(error) = cause {
            text = format!("{text}: {error}");
            cause = error.source();
        }
        failed(text)
    })
}

/// Returns a configuration that trusts the authorities in a PEM file.
fn from_file(path: &Path) -> Result<ClientConfig, TrustError> {
    let wrong = |reason| TrustError { file: Some(path.into()), reason };
    pem_file(path).and_then(|pem| trusting(&pem)).map_err(wrong)
}

/// Returns a configuration that trusts the authorities in a PEM string. `Err` describes the
/// problem.
fn trusting(pem: &[u8]) -> Result<ClientConfig, String> {
    let mut roots = RootCertStore::empty();
    for certificate in CertificateDer::pem_slice_iter(pem) {
        let certificate = certificate.map_err(|error| error.to_string())?;
        roots.add(certificate).map_err(|error| error.to_string())?;
    }
    if roots.is_empty() {
        return Err("contains no certificate".into());
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
        // `CONNECT_BY` is available, because this function runs in the task of the request.
        let deadline = CONNECT_BY.try_with(|deadline| *deadline);
        let deadline = deadline.unwrap_or_else(|_| Moment::now().after(CONNECT_LIMIT));
        let connector = self.clone();
        Box::pin(async move {
            let connected = connector.connect(uri.clone(), deadline).await;
            connected.map_err(|cause| ConnectFailure::new(&uri, cause))
        })
    }
}

/// Returns the reason why there is no response.
fn classify(error: &legacy::Error) -> RequestError {
    let causes = || std::iter::successors(std::error::Error::source(error), |cause| cause.source());
    tracing::debug!(%error, causes = ?causes().map(ToString::to_string).collect::<Vec<_>>(), "request failed");
    // A `ConnectFailure` comes from the connector, or from a body that was stopped because the
    // deadline passed before its first byte.
    let failure = causes().find_map(|cause| cause.downcast_ref::<ConnectFailure>());
    if let Some(failure) = failure {
        return RequestError::NotConnected(failure.clone());
    }
    if error.is_connect() {
        return RequestError::Unavailable;
    }
    let hyper = causes().find_map(|cause| cause.downcast_ref::<hyper::Error>());
    match hyper {
        Some(error) if error.is_timeout() => RequestError::Timeout,
        // More than `MAX_RESPONSE_HEADERS` headers, or a head of more than about 400 KiB (hyper's
        // buffer).
        Some(error) if error.is_parse_too_large() => RequestError::HeadTooLarge,
        Some(error) if error.is_parse() => RequestError::Protocol,
        Some(error) if error.is_incomplete_message() || error.is_closed() => {
            RequestError::Incomplete
        }
        _ if causes().any(|cause| cause.is::<io::Error>()) => RequestError::Terminated,
        _ => RequestError::Protocol,
    }
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
        // The peer closed the connection during the handshake, before any request was sent.
        None => ConnectCause::HungUp,
    }
}
