//! HTTP/1.1 server for the webhook and every other [`Service`]: connections, TLS, limits, health
//! checks and graceful shutdown. Contains no event logic.
//!
//! The server reads the complete body before it calls the service. A slow client therefore occupies
//! a connection and a buffer, but never an instance of the webhook.
//!
//! # Limits
//!
//! | resource | limit |
//! |---|---|
//! | connections | [`Options::max_connections`]; per address [`Options::max_connections_per_address`] |
//! | request head | 16 KiB |
//! | request body | [`Options::max_body_bytes`] |
//! | overhead per connection | 64 KiB; 128 KiB with TLS |
//! | total memory, default settings | 256 × (16 + 256 + 64) KiB = 84 MiB |
//! | rejected connections that receive a 503 | 64, for 5 s each |
//! | consecutive unverified requests before the connection closes | 32 |
//! | requests in the webhook | [`Deliveries::max_running`] |
//!
//! When all connections are in use, a new connection evicts the connection that is least likely to
//! be legitimate; see [`places`].
//!
//! # Timeouts
//!
//! | phase | timeout |
//! |---|---|
//! | TLS handshake | 10 s |
//! | request head, idle connection | [`Options::head_timeout`] |
//! | request body | [`Options::body_timeout`] |
//! | response that the client does not read | [`Options::write_timeout`] |

mod deliveries;
mod gate;
mod head;
mod health;
mod origin;
pub mod places;
mod tokens;

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use bytes::Bytes;
pub use deliveries::Deliveries;
use futures_core::future::BoxFuture;
use http::{HeaderValue, Method, Request, Response, StatusCode, header};
use http_body::Body;
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use hyper_util::server::graceful::{GracefulShutdown, Watcher};
pub use messaging_webhook_core::Answer;
use rustls::ServerConfig;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::sync::{Semaphore, watch};
use tokio::task::{JoinHandle, JoinSet};
use tokio_io_timeout::TimeoutWriter;
use tokio_rustls::TlsAcceptor;

use gate::{Gate, Note, Notes};
use health::Health;
pub use health::{Probe, ProbeError};
pub use origin::{addressed, is_local};
use places::{Place, Places, Stage};
pub use tokens::{TokenError, Tokens};

use crate::meter;
use crate::reload::Reloading;
use crate::throttle::Throttle;

/// Maximum size of a request head, in bytes: eight times the size that webhook clients need.
const MAX_HEAD_BYTES: usize = 16 * 1024;
/// Timeout of a TLS handshake.
const HANDSHAKE_TIMEOUT: Duration = Duration::from_secs(10);
/// Length of the accept queue. Absorbs bursts; connections are accepted without delay.
const BACKLOG: u32 = 4096;
/// Delay after a failed accept, because file descriptors and memory take time to be freed.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// Maximum number of rejected connections that receive a 503, and the time for each. Their buffers
/// add at most a quarter to the memory of regular connections.
const MAX_TURNED_AWAY: usize = 64;
const TURN_AWAY_TIMEOUT: Duration = Duration::from_secs(5);

/// Options of a server.
#[derive(Clone)]
pub struct Options {
    /// Address to listen on. Port 0 selects a free port.
    pub address: SocketAddr,
    /// Certificate and private key for HTTPS; `None` for HTTP.
    pub tls: Option<Tls>,
    /// Maximum number of connections.
    pub max_connections: usize,
    /// Maximum number of connections from one address. Behind a proxy, set it to
    /// [`max_connections`](Self::max_connections).
    pub max_connections_per_address: usize,
    /// Maximum size of a request body, in bytes.
    pub max_body_bytes: usize,
    /// Timeout of a request head and of an idle connection.
    pub head_timeout: Duration,
    /// Timeout of a request body.
    pub body_timeout: Duration,
    /// Maximum time without progress while a client reads a response.
    pub write_timeout: Duration,
    /// Maximum time for active requests to finish during shutdown.
    pub stop_timeout: Duration,
    /// If true, a client that closes its write half still receives the response. If false, its
    /// request is canceled.
    pub half_close: bool,
    /// Accepts only requests for local host names, and rejects requests from browser pages. Use it
    /// for an unverified webhook on a loopback address.
    pub local_names_only: bool,
    /// Readiness check for `/readyz`. `None` means always ready.
    pub probe: Option<Probe>,
}

impl Options {
    /// Returns options for `address` with limits that fit the webhook's default settings.
    pub fn new(address: SocketAddr) -> Self {
        Self {
            address,
            tls: None,
            max_connections: 256,
            max_connections_per_address: 64,
            max_body_bytes: 256 * 1024,
            head_timeout: Duration::from_secs(15),
            body_timeout: Duration::from_secs(10),
            write_timeout: Duration::from_secs(15),
            stop_timeout: Duration::from_secs(4),
            half_close: true,
            local_names_only: false,
            probe: None,
        }
    }
}

/// A handler for the requests of a [`Server`].
pub trait Service: Send + Sync + 'static {
    /// Answers a request with a complete body.
    fn answer(&self, request: Request<Bytes>, peer: Peer) -> BoxFuture<'_, Reply>;

    /// Builds the response to a request that the server rejects because it is too large, too slow
    /// or not HTTP. The connection closes after it.
    fn refuse(&self, answer: &Answer) -> Response<Full<Bytes>> {
        in_the_words_of_the_webhook(answer)
    }

    /// Logs a completed request, including requests that the server rejected.
    fn log(&self, answered: &Answered);
}

/// Log record of a completed request.
#[derive(Debug)]
pub struct Answered {
    /// Address of the peer.
    pub peer: SocketAddr,
    /// Status of the response.
    pub status: StatusCode,
    /// Time until the response was ready, in milliseconds.
    pub ms: u64,
    /// Reason for a rejection.
    pub why: Option<Why>,
    /// Number of suppressed log lines with this status and reason; `None` if this line is
    /// suppressed too. Lines that an unauthenticated peer can cause are limited to one per 10 s.
    /// Level `debug` has all of them.
    pub more: Option<u64>,
}

/// The peer of a connection.
#[derive(Clone, Copy, Debug)]
pub struct Peer {
    /// Address of the peer, or of the last proxy.
    pub address: SocketAddr,
    /// True if the connection uses TLS.
    pub is_tls: bool,
}

/// The response of a service, with data for the log and for evictions.
pub struct Reply {
    /// The response.
    pub response: Response<Full<Bytes>>,
    /// Reason for a rejection, for the log.
    pub why: Option<Why>,
    /// True if the request was authenticated. Authenticated connections are evicted last. Must be
    /// false for a response that every peer gets.
    pub proved: bool,
}

impl From<Response<Full<Bytes>>> for Reply {
    fn from(response: Response<Full<Bytes>>) -> Self {
        Self { response, why: None, proved: false }
    }
}

/// Reason for a rejection. The variant selects the log level and the rate limit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Why {
    /// A mistake of a legitimate client. Always logged.
    ForAll(String),
    /// A mistake of an unauthenticated peer. Rate limited by status and text, so use few texts and
    /// no data from the request.
    OfStranger(String),
    /// Logged at level `debug` only, so unauthenticated peers cannot fill the log.
    ForDebugging(String),
}

/// Logs a completed request of a listener. Omits the path, because an unauthenticated peer can
/// choose it and the status suffices.
pub fn log(listener: &str, answered: &Answered) {
    let Answered { peer, ms, .. } = answered;
    let status = answered.status.as_u16();
    let (why, shown) = match &answered.why {
        None => (None, status >= 400),
        Some(Why::ForAll(why) | Why::OfStranger(why)) => (Some(&**why), true),
        Some(Why::ForDebugging(why)) => (Some(&**why), false),
    };
    match answered.more {
        Some(more) if shown => {
            tracing::info!(%peer, listener, status, ms, why, more = above_0(more), "request");
        }
        _ => tracing::debug!(%peer, listener, status, ms, why, "request"),
    }
}

/// Returns the number of suppressed lines; `None` if it is zero.
fn above_0(more: u64) -> Option<u64> {
    Some(more).filter(|more| *more > 0)
}

/// A running server.
pub struct Server {
    address: SocketAddr,
    shared: Arc<Shared>,
    stop: watch::Sender<bool>,
    task: JoinHandle<usize>,
}

impl Server {
    /// Starts to accept connections.
    ///
    /// # Errors
    /// Returns the error of the operating system if the address cannot be used.
    pub async fn start(service: impl Service, options: Options) -> io::Result<Self> {
        let listener = listen(options.address)?;
        let address = listener.local_addr()?;
        let (stop, stopped) = watch::channel(false);
        let shared = Arc::new(Shared {
            service: Box::new(service),
            counts: Arc::default(),
            health: Health::new(options.probe.clone()),
            options,
            lines: Throttle::default(),
        });
        let task = tokio::spawn(accept(listener, Arc::clone(&shared), stopped));
        Ok(Self { address, shared, stop, task })
    }

    /// Returns the address on which the server listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Returns the counters, which stay valid after the server is dropped.
    pub fn counts(&self) -> Arc<Counts> {
        Arc::clone(&self.shared.counts)
    }

    /// Shuts down gracefully. Accepts no new connections, finishes active requests within
    /// [`Options::stop_timeout`], and returns the number of requests that were cut off; their
    /// clients must retry. No webhook task is running after the return.
    pub async fn stop(mut self) -> usize {
        let _ = self.stop.send(true);
        (&mut self.task).await.unwrap_or_default()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// An invalid certificate or private key.
#[derive(Debug, thiserror::Error)]
#[error("{}: {reason}", path.display())]
pub struct TlsError {
    /// The invalid file.
    pub path: PathBuf,
    /// A message for logs and operators.
    pub reason: String,
}

/// A certificate chain and its private key, for HTTP/1.1 over TLS 1.2 and 1.3. Clones share them.
///
/// The files are read again after they change. An invalid or incomplete pair is logged once, and
/// the previous pair stays in use.
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
        let read = move || server_config(&certificate, &key);
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

fn server_config(certificate: &Path, key: &Path) -> Result<Arc<ServerConfig>, TlsError> {
    let wrong = |path: &Path, reason: String| TlsError { path: path.into(), reason };
    let chain: Vec<_> = CertificateDer::pem_file_iter(certificate)
        .and_then(Iterator::collect)
        .map_err(|error| wrong(certificate, error.to_string()))?;
    if chain.is_empty() {
        return Err(wrong(certificate, "contains no certificate".into()));
    }
    let key_der =
        PrivateKeyDer::from_pem_file(key).map_err(|error| wrong(key, error.to_string()))?;
    let provider = rustls::crypto::ring::default_provider();
    let mut config = ServerConfig::builder_with_provider(Arc::new(provider))
        .with_safe_default_protocol_versions()
        .and_then(|builder| builder.with_no_client_auth().with_single_cert(chain, key_der))
        .map_err(|error| match error {
            rustls::Error::InconsistentKeys(_) => {
                wrong(key, format!("is not the key of {}", certificate.display()))
            }
            error => wrong(certificate, error.to_string()),
        })?;
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(Arc::new(config))
}

fn listen(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
    // Allows a restart without delay, as `TcpListener::bind` does.
    #[cfg(unix)]
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

/// Accepts connections until shutdown, then ends all connections. Returns the number of requests
/// without a response.
async fn accept(
    listener: TcpListener,
    shared: Arc<Shared>,
    mut stopped: watch::Receiver<bool>,
) -> usize {
    let mut connections = JoinSet::new();
    let graceful = GracefulShutdown::new();
    let options = &shared.options;
    let places = Places::new(options.max_connections, options.max_connections_per_address);
    let failures = Throttle::default();
    let turned_away = Arc::new(Semaphore::new(MAX_TURNED_AWAY));
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            _ = stopped.wait_for(|stop| *stop) => break,
        };
        let (stream, peer) = match accepted {
            Ok(accepted) => accepted,
            Err(error) => {
                if let Some(more) = failures.admit(()) {
                    let more = above_0(more);
                    tracing::warn!(%error, more, "a connection could not be accepted");
                }
                places.free_one();
                tokio::time::sleep(ACCEPT_PAUSE).await;
                continue;
            }
        };
        let _ = stream.set_nodelay(true);
        let watcher = graceful.watcher();
        let shared = Arc::clone(&shared);
        while connections.try_join_next().is_some() {}
        let Some((place, give_way)) = places.take(peer.ip()) else {
            // No connection can be evicted, because all of them are being answered.
            let Ok(turn) = Arc::clone(&turned_away).try_acquire_owned() else {
                tracing::debug!(%peer, "no place, and none to say so");
                continue;
            };
            let place = places.beside();
            connections.spawn(async move {
                let told = shared.serve(stream, peer, place, watcher, Some(Answer::NotKept));
                let _ = tokio::time::timeout(TURN_AWAY_TIMEOUT, told).await;
                drop(turn);
            });
            continue;
        };
        connections.spawn(async move {
            tokio::select! {
                () = shared.serve(stream, peer, place, watcher, None) => {}
                _ = give_way => tracing::debug!(%peer, "gave way to another connection"),
            }
        });
        // Lets the new connection read its first bytes before it can be evicted.
        tokio::task::yield_now().await;
    }
    drop(listener);
    let _ = tokio::time::timeout(shared.options.stop_timeout, graceful.shutdown()).await;
    let unanswered = shared.counts.under_way();
    connections.shutdown().await;
    unanswered
}

async fn handshake(
    tls: &Tls,
    stream: TcpStream,
    place: &Place,
) -> io::Result<tokio_rustls::server::TlsStream<TcpStream>> {
    let handshake = async {
        stream.peek(&mut [0]).await?;
        place.now(Stage::Head);
        tls.acceptor().await.accept(stream).await
    };
    let stream = tokio::time::timeout(HANDSHAKE_TIMEOUT, handshake)
        .await
        .map_err(|_| io::Error::from(io::ErrorKind::TimedOut))??;
    place.now(Stage::Silent);
    Ok(stream)
}

/// Maximum number of consecutive unverified requests on a connection, minus one.
const MAX_UNPROVED: usize = 31;

/// State that all connections share.
struct Shared {
    service: Box<dyn Service>,
    counts: Arc<Counts>,
    health: Health,
    options: Options,
    /// Rate limit of log lines that unauthenticated peers cause, by status and reason. `None` if
    /// hyper rejected the request. There are few different reasons.
    lines: Throttle<Option<(u16, Option<String>)>>,
}

impl Shared {
    async fn serve(
        self: Arc<Self>,
        stream: TcpStream,
        peer: SocketAddr,
        place: Arc<Place>,
        watcher: Watcher,
        turned_away: Option<Answer>,
    ) {
        match &self.options.tls {
            None => self.connection(stream, peer, place, watcher, turned_away).await,
            Some(tls) => match handshake(tls, stream, &place).await {
                Ok(stream) => self.connection(stream, peer, place, watcher, turned_away).await,
                Err(error) => tracing::debug!(%peer, %error, "no TLS"),
            },
        }
    }

    async fn connection<S>(
        self: Arc<Self>,
        stream: S,
        peer: SocketAddr,
        place: Arc<Place>,
        watcher: Watcher,
        turned_away: Option<Answer>,
    ) where
        S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        let notes = Arc::new(Notes::default());
        let unproved = Arc::new(AtomicUsize::new(0));
        let half_close = self.options.half_close;
        let _open = meter::Place::take(&self.counts.connections, usize::MAX);
        let mut stream = TimeoutWriter::new(stream);
        // Without this timeout, pipelined requests whose responses are not read would hold a
        // connection forever. `None` if the timeout exceeds the range of the clock.
        let limit = self.options.write_timeout;
        stream.set_timeout(Instant::now().checked_add(limit).map(|_| limit));
        let stream = Gate::new(
            Box::pin(stream),
            self.options.head_timeout,
            MAX_HEAD_BYTES,
            Arc::clone(&place),
            Arc::clone(&notes),
            turned_away,
        );
        let shared = Arc::clone(&self);
        let service = service_fn(move |request| {
            // Taken before the next request can replace the note.
            let note = notes.take();
            let (shared, place) = (Arc::clone(&shared), Arc::clone(&place));
            let unproved = Arc::clone(&unproved);
            async move {
                let (response, proved) = shared.answer(request, note, peer, &place).await;
                // A flood of unverified requests costs the peer less than this server. The maximum
                // per connection forces the peer to open new connections.
                let before = unproved.fetch_add(1, Ordering::Relaxed);
                if proved {
                    unproved.store(0, Ordering::Relaxed);
                }
                Ok::<_, Infallible>(last(response, !proved && before >= MAX_UNPROVED))
            }
        });
        let connection = hyper::server::conn::http1::Builder::new()
            // The gate enforces this timeout.
            .header_read_timeout(None)
            .half_close(half_close)
            // The buffer size does not limit a head that arrives in one piece.
            .max_header_size(MAX_HEAD_BYTES)
            .max_buf_size(MAX_HEAD_BYTES)
            .serve_connection(TokioIo::new(stream), service);
        if let Err(error) = watcher.watch(connection).await {
            // hyper has responded with 400, 431 or 505.
            let line = if error.is_parse() { self.lines.admit(None) } else { None };
            match line.map(above_0) {
                Some(more) => {
                    tracing::info!(%peer, %error, more, "a request that is not HTTP/1.1 was refused");
                }
                None => tracing::debug!(%peer, %error, "a connection ended early"),
            }
        }
    }

    /// Returns the response, and true if the request was verified.
    async fn answer(
        &self,
        request: Request<Incoming>,
        note: Note,
        peer: SocketAddr,
        place: &Place,
    ) -> (Response<Full<Bytes>>, bool) {
        if note.refused.is_none()
            && let Some(response) = self.health.answer(request.method(), request.uri()).await
        {
            tracing::debug!(%peer, status = response.status().as_u16(), "health");
            place.now(Stage::Silent);
            return (last(response, note.last), false);
        }
        let _under_way = meter::Place::take(&self.counts.under_way, usize::MAX);
        let started = Instant::now();
        let last_one = note.last || *request.method() == Method::CONNECT;
        let Reply { response, why, proved } = self.respond(request, note, peer, place).await;
        if proved {
            place.proved();
        }
        // 64 bits, because JSON logs contain wider numbers as strings.
        let ms = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
        let status = response.status();
        self.counts.answer(status);
        let more = match &why {
            _ if proved || status.is_success() => Some(0),
            Some(Why::ForAll(_)) => Some(0),
            Some(Why::OfStranger(why)) => self.admit(status, Some(why.clone())),
            Some(Why::ForDebugging(_)) | None => self.admit(status, None),
        };
        self.service.log(&Answered { peer, status, ms, why, more });
        place.now(Stage::Silent);
        (last(response, last_one), proved)
    }

    fn admit(&self, status: StatusCode, why: Option<String>) -> Option<u64> {
        self.lines.admit(Some((status.as_u16(), why)))
    }

    async fn respond(
        &self,
        request: Request<Incoming>,
        note: Note,
        peer: SocketAddr,
        place: &Place,
    ) -> Reply {
        if let Some(answer) = note.refused {
            return self.refuse(&answer);
        }
        place.now(Stage::Body);
        let (head, body) = request.into_parts();
        if self.options.local_names_only
            && let Some(why) = origin::foreign(&head)
        {
            let why = Some(Why::OfStranger(why.into()));
            return Reply { why, ..self.refuse(&Answer::Unverified) };
        }
        let reading = read(body, self.options.max_body_bytes);
        let body = match tokio::time::timeout(self.options.body_timeout, reading).await {
            Ok(Ok(body)) => body,
            Ok(Err(answer)) => return self.refuse(&answer),
            Err(_) => return self.refuse(&Answer::TooSlow),
        };
        place.now(Stage::Answering);
        let peer = Peer { address: peer, is_tls: self.options.tls.is_some() };
        self.service.answer(Request::from_parts(head, body), peer).await
    }

    fn refuse(&self, answer: &Answer) -> Reply {
        let why = match answer {
            Answer::Malformed { field, detail } => Some(Why::OfStranger(short(field, detail))),
            _ => None,
        };
        Reply { response: last(self.service.refuse(answer), true), why, proved: false }
    }
}

/// Returns a member and the violated rule, shortened for the log.
fn short(field: &str, detail: &str) -> String {
    let cut = |text: &str| text.chars().take(MAX_DETAIL_CHARS).collect::<String>();
    format!("{} {}", cut(field), cut(detail))
}

/// Maximum length of a detail in the log, because a third-party component can return any length.
const MAX_DETAIL_CHARS: usize = 200;

/// Counters of a server.
#[derive(Debug, Default)]
pub struct Counts {
    connections: Arc<AtomicUsize>,
    under_way: Arc<AtomicUsize>,
    answered: Mutex<BTreeMap<u16, u64>>,
}

impl Counts {
    /// Returns the number of open connections, without TLS handshakes.
    pub fn connections(&self) -> usize {
        self.connections.load(Ordering::Relaxed)
    }

    /// Returns the number of requests without a response.
    pub fn under_way(&self) -> usize {
        self.under_way.load(Ordering::Relaxed)
    }

    /// Returns the number of completed requests by status, without health checks.
    pub fn answered(&self) -> BTreeMap<u16, u64> {
        self.answered.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn answer(&self, status: StatusCode) {
        let mut answered = self.answered.lock().unwrap_or_else(PoisonError::into_inner);
        let count = answered.entry(status.as_u16()).or_default();
        *count = count.wrapping_add(1);
    }
}

/// Reads a complete body. `Err` holds the response to an invalid body.
async fn read(body: Incoming, max_bytes: usize) -> Result<Bytes, Answer> {
    let cap = u64::try_from(max_bytes).unwrap_or(u64::MAX);
    if body.size_hint().lower() > cap {
        return Err(Answer::TooLarge);
    }
    let mut body = std::pin::pin!(body);
    let mut bytes = Vec::new();
    while let Some(frame) = body.frame().await {
        let broken = || Answer::Malformed { field: "body".into(), detail: "broke off".into() };
        let Ok(data) = frame.map_err(|_| broken())?.into_data() else { continue };
        if data.len() > max_bytes.saturating_sub(bytes.len()) {
            return Err(Answer::TooLarge);
        }
        if bytes.capacity().saturating_sub(bytes.len()) < data.len() {
            // Doubles the capacity up to the maximum size. The default growth could reach nearly
            // twice the maximum.
            let doubled = bytes.capacity().saturating_mul(2).min(max_bytes);
            let room = doubled.max(bytes.len().saturating_add(data.len()));
            bytes.reserve_exact(room.saturating_sub(bytes.len()));
        }
        bytes.extend_from_slice(&data);
    }
    Ok(bytes.into())
}

fn in_the_words_of_the_webhook(answer: &Answer) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(Bytes::from(answer.body())));
    *response.status_mut() =
        StatusCode::from_u16(answer.status()).unwrap_or(StatusCode::SERVICE_UNAVAILABLE);
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    if let Some((name, value)) = answer.header() {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

/// Returns the webhook's response without calling the component. The connection closes after it,
/// because the rest of the request is not read.
fn closing(answer: &Answer) -> Response<Full<Bytes>> {
    last(in_the_words_of_the_webhook(answer), true)
}

/// Adds `Connection: close` to the response if `is_last` is true.
fn last(mut response: Response<Full<Bytes>>, is_last: bool) -> Response<Full<Bytes>> {
    if is_last {
        response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    response
}
