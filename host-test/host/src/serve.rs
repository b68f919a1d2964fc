//! An HTTP server before the webhook, and before whatever else is a [`Service`]: connections,
//! TLS, limits, health, and an end in good order. Decides nothing about events.
//!
//! A body is read whole, within its cap and its deadline, before the service is asked: a slow
//! sender costs a connection and at most that much memory, and never an instance of the
//! webhook. What the server may hold at once:
//!
//! | what | how much |
//! |---|---|
//! | connections | [`Options::max_connections`], and from one address [`Options::max_connections_per_address`]; a further one takes the place of the one that has proved least, see [`places`] |
//! | a request's head | 16 KiB |
//! | a request's body | [`Options::max_body_bytes`]: the webhook's own cap, 256 KiB at most |
//! | beside them, for each connection | 64 KiB: buffers for reading, its task; the same again with TLS |
//! | all connections together, whatever they send | connections x (head + body + 64 KiB): 256 x 336 KiB = 84 MiB as set by default |
//! | connections beyond these, each told so (503) | 64, for 5 s; a further one is closed |
//! | answers in a row on a connection that prove nothing | 32; then it is closed |
//! | requests in the webhook | [`Deliveries::max_running`], each with one instance |
//!
//! Time for which a silent client can hold a connection, where nobody else needs its place:
//!
//! | what | how long |
//! |---|---|
//! | a TLS handshake | 10 s |
//! | a request's head, and nothing between two requests | [`Options::head_timeout`] |
//! | a request's body | [`Options::body_timeout`] |
//! | an answer that is not read | [`Options::write_timeout`] |

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

/// The longest request head: eight times what senders of webhooks need.
const MAX_HEAD_BYTES: usize = 16 * 1024;
/// Time limit of a TLS handshake.
const HANDSHAKE_TIMEOUT: Duration = Duration::from_secs(10);
/// Connections that the system makes before they are accepted. They are accepted at once;
/// this is for a burst.
const BACKLOG: u32 = 4096;
/// The pause after a connection could not be accepted: what is short (files,
/// memory) is not freed by trying at once.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// Connections without a place that are told so at once, and for how long. All of them and their
/// buffers are a quarter of what the others may hold.
const MAX_TURNED_AWAY: usize = 64;
const TURN_AWAY_TIMEOUT: Duration = Duration::from_secs(5);

/// Options of a server.
#[derive(Clone)]
pub struct Options {
    /// Address to listen on; port 0 takes a free one.
    pub address: SocketAddr,
    /// Certificate and key, for HTTPS.
    pub tls: Option<Tls>,
    /// Connections at once.
    pub max_connections: usize,
    /// Connections at once from one address. Behind a proxy all come from one: there it
    /// is as many as [`max_connections`](Self::max_connections).
    pub max_connections_per_address: usize,
    /// The largest body that is read.
    pub max_body_bytes: usize,
    /// Time limit of a request's head, and of an idle connection.
    pub head_timeout: Duration,
    /// Time limit for a body to arrive.
    pub body_timeout: Duration,
    /// Time for which the client may read none of an answer.
    pub write_timeout: Duration,
    /// Time for requests under way to be answered when the server stops.
    pub stop_timeout: Duration,
    /// Whether a client may close its half of a connection and still gets its answer. Without
    /// it, such a client is gone, and its request is given up.
    pub half_close: bool,
    /// Takes requests for names of this machine alone, and none that a page in a browser
    /// makes: for a webhook without proofs of origin on a loopback address.
    pub local_names_only: bool,
    /// Whether an event could be kept now, for `/readyz`. Without it the answer is yes.
    pub probe: Option<Probe>,
}

impl Options {
    /// A server on `address` with the limits of the webhook's default settings.
    #[must_use]
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

/// Answers the requests of a [`Server`].
pub trait Service: Send + Sync + 'static {
    /// Answers a request whose body has come whole.
    fn answer(&self, request: Request<Bytes>, peer: Peer) -> BoxFuture<'_, Reply>;

    /// Answers in the server's stead what the server refuses: too large, too slow, no HTTP. The
    /// connection is closed after it.
    fn refuse(&self, answer: &Answer) -> Response<Full<Bytes>> {
        in_the_words_of_the_webhook(answer)
    }

    /// Writes to the log that a request was answered, by this service or by the server for it.
    fn log(&self, answered: &Answered);
}

/// A request that was answered, for the log.
#[derive(Debug)]
pub struct Answered {
    /// Who asked.
    pub peer: SocketAddr,
    /// The answer's status.
    pub status: StatusCode,
    /// Milliseconds until it was there.
    pub ms: u64,
    /// Reason of a refusal.
    pub why: Option<Why>,
    /// Number of lines like this one that were held back since the last one, and `None` where
    /// this one is: of what anybody can cause there is one in ten seconds for each status and reason. Level
    /// debug has them all.
    pub more: Option<u64>,
}

/// The other end of a connection.
#[derive(Clone, Copy, Debug)]
pub struct Peer {
    /// Its address: the last proxy's, where there is one.
    pub address: SocketAddr,
    /// Whether the connection has TLS.
    pub is_tls: bool,
}

/// A service's answer.
pub struct Reply {
    /// The answer.
    pub response: Response<Full<Bytes>>,
    /// Reason of a refusal, for the log.
    pub why: Option<Why>,
    /// Whether the request proved that its sender is one of those whom this is for: connections
    /// of strangers give way to theirs. An answer that anybody gets proves nothing.
    pub proved: bool,
}

impl From<Response<Full<Bytes>>> for Reply {
    fn from(response: Response<Full<Bytes>>) -> Self {
        Self { response, why: None, proved: false }
    }
}

/// Reason for the refusal of a request, by its reader.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Why {
    /// For every operator: what an honest client does wrong.
    ForAll(String),
    /// The same of whoever has proved nothing: now and then. One of few texts, none of which has
    /// anything of the request.
    OfStranger(String),
    /// For whoever debugs: logged at level debug. Whoever has no proof cannot fill a log.
    ForDebugging(String),
}

/// Writes to the log that a listener answered a request. Without the path: it is of no use to a
/// reader who has the status, and anybody can ask for any.
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

/// A number of lines that were held back, where there are any.
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
    /// Listens.
    ///
    /// # Errors
    /// The address cannot be listened on.
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

    /// Returns the address that it listens on.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Returns its counters, which outlive it.
    #[must_use]
    pub fn counts(&self) -> Arc<Counts> {
        Arc::clone(&self.shared.counts)
    }

    /// Stops: nothing new is accepted, and what is under way is answered, within
    /// [`Options::stop_timeout`]. What was not is the sender's to deliver again. Says how
    /// many those are. Nothing of the webhook is left when it returns.
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

/// Why a server cannot use a certificate and its key: a file is to be corrected.
#[derive(Debug, thiserror::Error)]
#[error("{}: {reason}", path.display())]
pub struct TlsError {
    /// The file.
    pub path: PathBuf,
    /// The problem, for a person.
    pub reason: String,
}

/// A certificate chain and its key, for HTTP/1.1 over TLS 1.2 and 1.3. Clones share them.
///
/// The files are read again after they change. A pair that is invalid, or half written, is logged
/// once; the previous one stays in use.
#[derive(Clone)]
pub struct Tls(Arc<Reloading<Arc<ServerConfig>, TlsError>>);

impl Tls {
    /// Reads a certificate chain and its key from PEM files.
    ///
    /// # Errors
    /// Returns `TlsError` if a file cannot be read, holds nothing of its kind, or the key is another
    /// certificate's.
    pub fn read(certificate: &Path, key: &Path) -> Result<Self, TlsError> {
        let [certificate, key] = [certificate, key].map(Path::to_path_buf);
        let files = vec![certificate.clone(), key.clone()];
        let read = move || server_config(&certificate, &key);
        Reloading::new("TLS certificate", files, read).map(Self)
    }

    /// Reads the files now. New connections get the new certificate. Blocks.
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
    // As `TcpListener::bind` does, so that a restart need not wait.
    #[cfg(unix)]
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

/// Serves until it is told to stop; says how many requests were not answered then. The
/// connections end with it.
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
            // Every connection that could give way is being answered.
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
        // Bytes that have come over this connection are looked at before it could give way.
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

/// Answers in a row that a connection gets without a proof of origin, one less.
const MAX_UNPROVED: usize = 31;

/// State that all connections share.
struct Shared {
    service: Box<dyn Service>,
    counts: Arc<Counts>,
    health: Health,
    options: Options,
    /// For lines that strangers cause, by the status of the answer and the reason, of which this
    /// server has few; `None` where hyper refused.
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
        // Without it, requests in a row whose answers nobody reads would hold a connection
        // for ever. None where no clock counts so far.
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
            // Taken here, before the next request could leave one.
            let note = notes.take();
            let (shared, place) = (Arc::clone(&shared), Arc::clone(&place));
            let unproved = Arc::clone(&unproved);
            async move {
                let (response, proved) = shared.answer(request, note, peer, &place).await;
                // One request costs its sender less than its answer costs this server, when many
                // come at once: so each of a few takes a connection.
                let before = unproved.fetch_add(1, Ordering::Relaxed);
                if proved {
                    unproved.store(0, Ordering::Relaxed);
                }
                Ok::<_, Infallible>(last(response, !proved && before >= MAX_UNPROVED))
            }
        });
        let connection = hyper::server::conn::http1::Builder::new()
            // The gate sees to it.
            .header_read_timeout(None)
            .half_close(half_close)
            // The buffer's size alone lets in a longer head that comes in one piece.
            .max_header_size(MAX_HEAD_BYTES)
            .max_buf_size(MAX_HEAD_BYTES)
            .serve_connection(TokioIo::new(stream), service);
        if let Err(error) = watcher.watch(connection).await {
            // Answered by hyper: 400, 431 or 505.
            let line = if error.is_parse() { self.lines.admit(None) } else { None };
            match line.map(above_0) {
                Some(more) => {
                    tracing::info!(%peer, %error, more, "a request that is no HTTP/1.1 was refused");
                }
                None => tracing::debug!(%peer, %error, "a connection ended early"),
            }
        }
    }

    /// Returns the answer, and whether the request proved its origin.
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
        // Of 64 bits: a wider number is written to a log in JSON as text.
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

/// A member and the rule that it breaks, for the log.
fn short(field: &str, detail: &str) -> String {
    let cut = |text: &str| text.chars().take(MAX_DETAIL_CHARS).collect::<String>();
    format!("{} {}", cut(field), cut(detail))
}

/// Longest part of a detail in the log: that of a component that came from elsewhere can
/// have any length.
const MAX_DETAIL_CHARS: usize = 200;

/// Counters of a server, for whoever shows them.
#[derive(Debug, Default)]
pub struct Counts {
    connections: Arc<AtomicUsize>,
    under_way: Arc<AtomicUsize>,
    answered: Mutex<BTreeMap<u16, u64>>,
}

impl Counts {
    /// Open connections, TLS handshakes left out.
    #[must_use]
    pub fn connections(&self) -> usize {
        self.connections.load(Ordering::Relaxed)
    }

    /// Requests that have come and are not answered yet.
    #[must_use]
    pub fn under_way(&self) -> usize {
        self.under_way.load(Ordering::Relaxed)
    }

    /// Number of requests so far, by the status of the answer; those about health left out.
    #[must_use]
    pub fn answered(&self) -> BTreeMap<u16, u64> {
        self.answered.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn answer(&self, status: StatusCode) {
        let mut answered = self.answered.lock().unwrap_or_else(PoisonError::into_inner);
        let count = answered.entry(status.as_u16()).or_default();
        *count = count.wrapping_add(1);
    }
}

/// Reads a body whole, or says how the request is answered.
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
            // Doubled, and not beyond the cap: left to itself the buffer would come to
            // nearly twice as much.
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

/// An answer of the webhook's service without the component. The connection is closed after it:
/// what is left of the request is not read.
fn closing(answer: &Answer) -> Response<Full<Bytes>> {
    last(in_the_words_of_the_webhook(answer), true)
}

/// The answer, and where it `is_last` the end of its connection.
fn last(mut response: Response<Full<Bytes>>, is_last: bool) -> Response<Full<Bytes>> {
    if is_last {
        response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    response
}
