//! Connections: their requests, limits and counters.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use bytes::Bytes;
use http::{Method, Request, Response, StatusCode};
use http_body::Body;
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use hyper_util::server::graceful::Watcher;
use messaging_core::webhook::Answer;
use messaging_net::permit::Permit;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio_io_timeout::TimeoutWriter;

use super::gate::{Gate, Note, Notes};
use super::health::Health;
use super::options::Options;
use super::origin;
use super::service::{Answered, Peer, RejectReason, Reply, Service, above_0, last, short};
use super::slots::{ConnectionSlot, Stage};
use super::tls::handshake;
use messaging_inbox::Throttle;

/// Maximum size of a request head, in bytes: eight times the size that webhook clients need.
const MAX_HEAD_BYTES: usize = 16 * 1024;

/// Number of consecutive unverified requests after which one more closes the connection.
const MAX_UNPROVED: usize = 31;

/// State that all connections share.
pub(super) struct Shared {
    service: Box<dyn Service>,
    pub(super) counts: Arc<Counts>,
    health: Health,
    pub(super) options: Options,
    /// Rate limit of log lines that unauthenticated peers cause, by status and reason. The key is
    /// `None` if hyper rejected the request. There are few reasons, so the map stays small.
    lines: Throttle<Option<(u16, Option<String>)>>,
}

impl Shared {
    pub(super) fn new(service: impl Service, options: Options) -> Self {
        let health = Health::new(options.probe.clone());
        let (service, counts, lines) = (Box::new(service), Arc::default(), Throttle::default());
        Self { service, counts, health, options, lines }
    }

    /// Serves a connection. If no slot is free, `turned_away` is the answer to the first request,
    /// and `slot` is outside the limits.
    pub(super) async fn serve(
        self: Arc<Self>,
        stream: TcpStream,
        peer: SocketAddr,
        slot: Arc<ConnectionSlot>,
        watcher: Watcher,
        turned_away: Option<Answer>,
    ) {
        match &self.options.tls {
            None => self.connection(stream, peer, slot, watcher, turned_away).await,
            Some(tls) => match handshake(tls, stream, &slot).await {
                Ok(stream) => self.connection(stream, peer, slot, watcher, turned_away).await,
                Err(error) => tracing::debug!(%peer, %error, "the TLS handshake failed"),
            },
        }
    }

    async fn connection<S>(
        self: Arc<Self>,
        stream: S,
        peer: SocketAddr,
        slot: Arc<ConnectionSlot>,
        watcher: Watcher,
        turned_away: Option<Answer>,
    ) where
        S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        let notes = Arc::new(Notes::default());
        let unproved = Arc::new(AtomicUsize::new(0));
        let half_close = self.options.half_close;
        let _open = Permit::take(&self.counts.connections, usize::MAX);
        let mut stream = TimeoutWriter::new(stream);
        // Without this timeout, pipelined requests whose responses are not read would hold a
        // connection forever. A timeout beyond the range of the clock is not set.
        let limit = self.options.write_timeout;
        stream.set_timeout(Instant::now().checked_add(limit).map(|_| limit));
        let stream = Gate::new(
            Box::pin(stream),
            self.options.head_timeout,
            MAX_HEAD_BYTES,
            Arc::clone(&slot),
            Arc::clone(&notes),
            turned_away,
        );
        let shared = Arc::clone(&self);
        let service = service_fn(move |request| {
            // Takes the note before the next request can replace it.
            let note = notes.take();
            let (shared, slot) = (Arc::clone(&shared), Arc::clone(&slot));
            let unproved = Arc::clone(&unproved);
            async move {
                let (response, proved) = shared.answer(request, note, peer, &slot).await;
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
            // Required because the buffer size does not limit a head that arrives in one piece.
            .max_header_size(MAX_HEAD_BYTES)
            .max_buf_size(MAX_HEAD_BYTES)
            .serve_connection(TokioIo::new(stream), service);
        if let Err(error) = watcher.watch(connection).await {
            // hyper has responded with 400 or 431.
            let line = if error.is_parse() { self.lines.admit(None) } else { None };
            match line.map(above_0) {
                Some(more) => {
                    tracing::info!(%peer, %error, more, "rejected a request that is not HTTP/1.1, or has too large a head");
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
        slot: &ConnectionSlot,
    ) -> (Response<Full<Bytes>>, bool) {
        if note.refused.is_none()
            && let Some(response) = self.health.answer(request.method(), request.uri()).await
        {
            tracing::debug!(%peer, status = response.status().as_u16(), "health");
            slot.now(Stage::Silent);
            return (last(response, note.last), false);
        }
        let _under_way = Permit::take(&self.counts.under_way, usize::MAX);
        let started = Instant::now();
        let last_one = note.last || *request.method() == Method::CONNECT;
        let Reply { response, why, proved } = self.respond(request, note, peer, slot).await;
        if proved {
            slot.proved();
        }
        // 64 bits, because JSON logs contain wider numbers as strings.
        let ms = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
        let status = response.status();
        self.counts.answer(status);
        let more = match &why {
            _ if proved || status.is_success() => Some(0),
            // Rate limited, because every client gets this response while the store fails.
            Some(RejectReason::Client(why)) if status.is_server_error() => {
                self.admit(status, Some(why.clone()))
            }
            Some(RejectReason::Client(_)) => Some(0),
            Some(RejectReason::Unauthenticated(why)) => self.admit(status, Some(why.clone())),
            Some(RejectReason::Debug(_)) | None => self.admit(status, None),
        };
        self.service.log(&Answered { peer, status, ms, why, more });
        slot.now(Stage::Silent);
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
        slot: &ConnectionSlot,
    ) -> Reply {
        if let Some(answer) = note.refused {
            return self.refuse(&answer);
        }
        slot.now(Stage::Body);
        let (head, body) = request.into_parts();
        if self.options.local_names_only
            && let Some(why) = origin::foreign(&head)
        {
            let why = Some(RejectReason::Unauthenticated(why.into()));
            return Reply { why, ..self.refuse(&Answer::Unverified) };
        }
        let reading = read(body, self.options.max_body_bytes);
        let body = match tokio::time::timeout(self.options.body_timeout, reading).await {
            Ok(Ok(body)) => body,
            Ok(Err(answer)) => return self.refuse(&answer),
            Err(_) => {
                let within = self.options.body_timeout;
                let why = format!("the body did not arrive within {within:?}");
                let why = Some(RejectReason::Unauthenticated(why));
                return Reply { why, ..self.refuse(&Answer::TooSlow) };
            }
        };
        slot.now(Stage::Answering);
        let peer = Peer { address: peer, is_tls: self.options.tls.is_some() };
        self.service.answer(Request::from_parts(head, body), peer).await
    }

    fn refuse(&self, answer: &Answer) -> Reply {
        let why = match answer {
            Answer::Malformed { field, detail } => Some(short(field, detail)),
            Answer::TooLarge => {
                Some(format!("the body is larger than {} bytes", self.options.max_body_bytes))
            }
            Answer::TooSlow => Some("the request did not arrive in time".into()),
            _ => None,
        };
        let why = why.map(RejectReason::Unauthenticated);
        Reply { response: last(self.service.refuse(answer), true), why, proved: false }
    }
}

/// Counters of a server.
#[derive(Debug, Default)]
pub struct Counts {
    connections: Arc<AtomicUsize>,
    under_way: Arc<AtomicUsize>,
    answered: Mutex<BTreeMap<u16, u64>>,
}

impl Counts {
    /// Returns the number of open connections, except connections in a TLS handshake.
    pub fn connections(&self) -> usize {
        self.connections.load(Ordering::Relaxed)
    }

    /// Returns the number of requests that have no response yet.
    pub fn under_way(&self) -> usize {
        self.under_way.load(Ordering::Relaxed)
    }

    /// Returns the number of completed requests by response status, except health checks.
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
        let broken = || Answer::Malformed { field: "body".into(), detail: "is incomplete".into() };
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
