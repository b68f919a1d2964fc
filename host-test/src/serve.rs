//! An HTTP server before the webhook: connections, TLS, limits, and an end in good
//! order. Decides nothing about events.
//!
//! A body is read whole, within its cap and its deadline, before an instance is
//! made for it: a slow sender costs a connection and at most that much memory, and
//! never an instance. What the server may hold at once:
//!
//! | what | how much |
//! |---|---|
//! | connections | [`Options::max_connections`]; further ones wait to be accepted |
//! | a request's head | 16 KiB |
//! | a request's body | the webhook's own cap, 256 KiB at most |
//! | beside them, for each connection | 64 KiB: buffers for reading, its task; the same again with TLS |
//! | all connections together, whatever they send | connections x (head + body + 64 KiB): 256 x 336 KiB = 84 MiB as set by default |
//! | requests in the component | [`Options::max_running`], each with one instance |
//!
//! How long a connection can be held by somebody who does nothing more:
//!
//! | what | how long |
//! |---|---|
//! | a TLS handshake | 10 s |
//! | a request's head, and nothing between two requests | [`Options::head_timeout`] |
//! | a request's body | [`Options::body_timeout`] |
//! | an answer that is not read | [`Options::write_timeout`] |

mod write;

use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::Bytes;
use http::{HeaderValue, Request, Response, StatusCode, header};
use http_body::Body;
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use messaging_webhook_core::Answer;
use rustls::ServerConfig;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinHandle;
use tokio_rustls::TlsAcceptor;
use wasmtime_wasi_http::p2::bindings::http::types::Scheme;

use crate::webhook::Webhook;
use write::Patient;

/// The longest request head: eight times what senders of webhooks need.
const MAX_HEAD_BYTES: usize = 16 * 1024;
/// How long a TLS handshake may take.
const HANDSHAKE_TIMEOUT: Duration = Duration::from_secs(10);
/// How long connections have to end when the server stops.
const STOP_TIMEOUT: Duration = Duration::from_secs(10);
/// The pause after a connection could not be accepted: what is short (files,
/// memory) is not freed by trying at once.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// How a server is set up.
#[derive(Clone)]
pub struct Options {
    /// Where to listen; port 0 takes a free one.
    pub address: SocketAddr,
    /// Certificate and key, for HTTPS.
    pub tls: Option<Arc<ServerConfig>>,
    /// Connections at once.
    pub max_connections: usize,
    /// Requests in the component at once.
    pub max_running: usize,
    /// The largest body that is read.
    pub max_body_bytes: usize,
    /// How long a request's head may take, and how long a connection may be idle.
    pub head_timeout: Duration,
    /// How long a body may take to arrive.
    pub body_timeout: Duration,
    /// How long the other side may take none of an answer.
    pub write_timeout: Duration,
}

impl Options {
    /// A server on `address` with the limits of the webhook's default settings.
    #[must_use]
    pub fn new(address: SocketAddr) -> Self {
        Self {
            address,
            tls: None,
            max_connections: 256,
            max_running: 64,
            max_body_bytes: 256 * 1024,
            head_timeout: Duration::from_secs(15),
            body_timeout: Duration::from_secs(10),
            write_timeout: Duration::from_secs(15),
        }
    }
}

/// A running server.
pub struct Server {
    address: SocketAddr,
    stop: watch::Sender<bool>,
    task: JoinHandle<()>,
}

impl Server {
    /// Listens.
    ///
    /// # Errors
    /// The address cannot be listened on.
    pub async fn start(webhook: Webhook, options: Options) -> io::Result<Self> {
        let listener = TcpListener::bind(options.address).await?;
        let address = listener.local_addr()?;
        let (stop, stopped) = watch::channel(false);
        let front = Arc::new(Front {
            webhook,
            running: Semaphore::new(options.max_running),
            scheme: if options.tls.is_some() { Scheme::Https } else { Scheme::Http },
            options,
        });
        let task = tokio::spawn(accept(listener, front, stopped));
        Ok(Self { address, stop, task })
    }

    /// Where it listens.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Stops: nothing new is accepted, what is under way is answered, within 10
    /// seconds.
    pub async fn stop(mut self) {
        let _ = self.stop.send(true);
        let _ = (&mut self.task).await;
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Certificate chain and key from PEM files, for HTTP/1.1 over TLS 1.2 and 1.3.
///
/// # Errors
/// A file cannot be read, holds nothing of its kind, or the key does not fit.
pub fn tls(
    certificate: &std::path::Path,
    key: &std::path::Path,
) -> Result<Arc<ServerConfig>, String> {
    use rustls::pki_types::pem::PemObject;
    use rustls::pki_types::{CertificateDer, PrivateKeyDer};
    let named = |path: &std::path::Path, error: &dyn std::fmt::Display| {
        format!("{}: {error}", path.display())
    };
    let chain: Vec<_> = CertificateDer::pem_file_iter(certificate)
        .and_then(Iterator::collect)
        .map_err(|error| named(certificate, &error))?;
    if chain.is_empty() {
        return Err(named(certificate, &"holds no certificate"));
    }
    let key_der = PrivateKeyDer::from_pem_file(key).map_err(|error| named(key, &error))?;
    let provider = rustls::crypto::ring::default_provider();
    let mut config = ServerConfig::builder_with_provider(Arc::new(provider))
        .with_safe_default_protocol_versions()
        .map_err(|error| error.to_string())?
        .with_no_client_auth()
        .with_single_cert(chain, key_der)
        .map_err(|error| match error {
            rustls::Error::InconsistentKeys(_) => {
                named(key, &format!("is not the key of {}", certificate.display()))
            }
            error => named(certificate, &error),
        })?;
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(Arc::new(config))
}

async fn accept(listener: TcpListener, front: Arc<Front>, mut stopped: watch::Receiver<bool>) {
    let graceful = GracefulShutdown::new();
    let free = Arc::new(Semaphore::new(front.options.max_connections));
    let tls = front.options.tls.clone().map(TlsAcceptor::from);
    loop {
        let next = async {
            let permit = Arc::clone(&free).acquire_owned().await;
            (permit, listener.accept().await)
        };
        let (permit, accepted) = tokio::select! {
            next = next => next,
            _ = stopped.wait_for(|stop| *stop) => break,
        };
        let (stream, peer) = match accepted {
            Ok(accepted) => accepted,
            Err(error) => {
                tracing::warn!(%error, "a connection could not be accepted");
                tokio::time::sleep(ACCEPT_PAUSE).await;
                continue;
            }
        };
        let _ = stream.set_nodelay(true);
        let watcher = graceful.watcher();
        let (front, tls) = (Arc::clone(&front), tls.clone());
        tokio::spawn(async move {
            let _permit = permit;
            match tls {
                None => front.connection(stream, peer, watcher).await,
                Some(tls) => match handshake(&tls, stream).await {
                    Ok(stream) => front.connection(stream, peer, watcher).await,
                    Err(error) => tracing::debug!(%peer, %error, "no TLS"),
                },
            }
        });
    }
    drop(listener);
    let _ = tokio::time::timeout(STOP_TIMEOUT, graceful.shutdown()).await;
}

async fn handshake(
    tls: &TlsAcceptor,
    stream: TcpStream,
) -> io::Result<tokio_rustls::server::TlsStream<TcpStream>> {
    tokio::time::timeout(HANDSHAKE_TIMEOUT, tls.accept(stream))
        .await
        .map_err(|_| io::Error::from(io::ErrorKind::TimedOut))?
}

/// What every connection shares.
struct Front {
    webhook: Webhook,
    running: Semaphore,
    scheme: Scheme,
    options: Options,
}

impl Front {
    async fn connection<S>(
        self: Arc<Self>,
        stream: S,
        peer: SocketAddr,
        watcher: hyper_util::server::graceful::Watcher,
    ) where
        S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        let (head_timeout, write_timeout) = (self.options.head_timeout, self.options.write_timeout);
        let service = service_fn(move |request| {
            let front = Arc::clone(&self);
            async move { Ok::<_, Infallible>(front.answer(request, peer).await) }
        });
        let connection = hyper::server::conn::http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(head_timeout)
            // The buffer's size alone lets in a longer head that comes in one piece.
            .max_header_size(MAX_HEAD_BYTES)
            .max_buf_size(MAX_HEAD_BYTES)
            .serve_connection(TokioIo::new(Patient::new(stream, write_timeout)), service);
        if let Err(error) = watcher.watch(connection).await {
            tracing::debug!(%peer, %error, "a connection ended early");
        }
    }

    async fn answer(&self, request: Request<Incoming>, peer: SocketAddr) -> Response<Full<Bytes>> {
        let started = Instant::now();
        let response = self.respond(request).await;
        // No path: it can hold a secret. No body: it is somebody's message.
        let status = response.status().as_u16();
        // Of 64 bits: a wider number is written to a log in JSON as text.
        let ms = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
        if status == 200 {
            tracing::debug!(%peer, status, ms, "delivery");
        } else {
            tracing::info!(%peer, status, ms, "delivery");
        }
        response
    }

    async fn respond(&self, request: Request<Incoming>) -> Response<Full<Bytes>> {
        let (head, body) = request.into_parts();
        let reading = read(body, self.options.max_body_bytes);
        let body = match tokio::time::timeout(self.options.body_timeout, reading).await {
            Ok(Ok(body)) => body,
            Ok(Err(answer)) => return closing(&answer),
            Err(_) => return closing(&Answer::TooSlow),
        };
        let request = Request::from_parts(head, Full::new(body).map_err(never));
        let Ok(_running) = self.running.acquire().await else { return closing(&Answer::NotKept) };
        match self.webhook.handle(self.scheme.clone(), request).await {
            Ok(response) => response,
            Err(error) => {
                tracing::error!(%error, "the webhook gave no answer");
                closing(&Answer::NotKept)
            }
        }
    }
}

fn never(never: Infallible) -> wasmtime_wasi_http::Error {
    match never {}
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
        let broken = || Answer::Malformed { field: "body".into(), reason: "broke off".into() };
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

/// An answer of this server's own, in the webhook's words. The connection is closed
/// after it: what is left of the request is not read.
fn closing(answer: &Answer) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(Bytes::from(answer.body())));
    *response.status_mut() =
        StatusCode::from_u16(answer.status()).unwrap_or(StatusCode::SERVICE_UNAVAILABLE);
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
    if let Some((name, value)) = answer.header() {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}
