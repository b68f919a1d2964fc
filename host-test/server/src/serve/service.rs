//! Handlers of requests, and the log of completed requests.

use std::net::SocketAddr;

use bytes::Bytes;
use futures_core::future::BoxFuture;
use http::{HeaderValue, Request, Response, StatusCode, header};
use http_body_util::Full;
use messaging_core::webhook::Answer;

/// A handler for the requests of a [`Server`](super::Server).
pub trait Service: Send + Sync + 'static {
    /// Answers a request whose body has been read completely.
    fn answer(&self, request: Request<Bytes>, peer: Peer) -> BoxFuture<'_, Reply>;

    /// Builds the response to a request that the server rejects without a call of
    /// [`answer`](Self::answer), for example because the request is too large or too slow. The
    /// connection closes after the response.
    fn refuse(&self, answer: &Answer) -> Response<Full<Bytes>> {
        webhook_response(answer)
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
    pub why: Option<RejectReason>,
    /// Number of suppressed log lines with this status and reason; `None` if this line is
    /// suppressed too. Lines that an unauthenticated peer can cause are limited to one per 10 s.
    /// Level `debug` includes the suppressed lines.
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
    pub why: Option<RejectReason>,
    /// True if the request was authenticated. Authenticated connections are evicted last. Must be
    /// false for a request that needs no authentication.
    pub proved: bool,
}

impl From<Response<Full<Bytes>>> for Reply {
    fn from(response: Response<Full<Bytes>>) -> Self {
        Self { response, why: None, proved: false }
    }
}

/// Reason for a rejection. The variant selects the log level and the rate limit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RejectReason {
    /// A mistake of a legitimate client. Only lines for 5xx responses are rate limited.
    Client(String),
    /// A mistake of an unauthenticated peer. Rate limited by status and text, so use few texts and
    /// no data from the request.
    Unauthenticated(String),
    /// A reason that is logged only at level `debug`, because unauthenticated peers could fill the
    /// log.
    Debug(String),
}

/// Logs a completed request of a listener. Omits the path, because an unauthenticated peer chooses
/// the path.
pub fn log(listener: &str, answered: &Answered) {
    let Answered { peer, ms, .. } = answered;
    let status = answered.status.as_u16();
    let (why, shown) = match &answered.why {
        None => (None, status >= 400),
        Some(RejectReason::Client(why) | RejectReason::Unauthenticated(why)) => {
            (Some(&**why), true)
        }
        Some(RejectReason::Debug(why)) => (Some(&**why), false),
    };
    match answered.more {
        Some(more) if shown => {
            tracing::info!(%peer, listener, status, ms, why, more = above_0(more), "request");
        }
        _ => tracing::debug!(%peer, listener, status, ms, why, "request"),
    }
}

/// Returns the number of suppressed lines; `None` if it is zero.
pub(super) fn above_0(more: u64) -> Option<u64> {
    Some(more).filter(|more| *more > 0)
}

/// Joins the name of an invalid member and the rule that it violates. Shortens both for the log.
pub(super) fn short(field: &str, detail: &str) -> String {
    let cut = |text: &str| text.chars().take(MAX_DETAIL_CHARS).collect::<String>();
    format!("{} {}", cut(field), cut(detail)).trim_start().into()
}

/// Maximum length of a name or a rule in the log, in characters. Required because a third-party
/// component can return text of any length.
const MAX_DETAIL_CHARS: usize = 200;

fn webhook_response(answer: &Answer) -> Response<Full<Bytes>> {
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

/// Returns a response of the webhook that the component did not make. The connection closes after
/// the response.
pub(super) fn closing(answer: &Answer) -> Response<Full<Bytes>> {
    last(webhook_response(answer), true)
}

/// Adds `Connection: close` to the response if `is_last` is true.
pub(super) fn last(mut response: Response<Full<Bytes>>, is_last: bool) -> Response<Full<Bytes>> {
    if is_last {
        response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    response
}
