//! One request by POST, to where an operator says: its connections, its trust, its time limit.

use std::time::Duration;

use bytes::Bytes;
use http::{HeaderValue, Method, Request, Response, StatusCode, Uri, header};
use http_body_util::{BodyExt, Collected, Full, Limited};
use hyper::body::Incoming;
use tokio::time::Instant;

use crate::forward::SecretHeaders;
use crate::outbound::connect::{self, CONNECT_LIMIT, Client, Connector};
use crate::outbound::names::Names;
use crate::outbound::{ConnectFailure, Departure, Moment, Trust, TrustError};

/// The largest body of an answer that is read.
const MAX_REPLY_BYTES: usize = 64 * 1024;

/// Posts to one URL, over connections that it keeps for a few seconds.
pub struct Poster {
    client: Client<Full<Bytes>>,
    url: Uri,
    headers: SecretHeaders,
    timeout: Duration,
}

/// Reason why a request has no answer.
#[derive(Debug, thiserror::Error)]
pub enum PostError {
    /// There was no connection.
    #[error(transparent)]
    NotConnected(ConnectFailure),
    /// The connection broke.
    #[error("the connection broke: {0}")]
    Broken(wasmtime_wasi_http::Error),
    /// There was no answer in time.
    #[error("no answer in time")]
    Late,
}

impl Poster {
    /// Posts to `url`, with these headers in each request and this limit on its time.
    ///
    /// # Errors
    /// The trust cannot be set up.
    pub fn new(
        url: Uri,
        headers: SecretHeaders,
        trust: Trust,
        timeout: Duration,
    ) -> Result<Self, TrustError> {
        let client = connect::client().build(Connector::new(trust, Names::Any)?);
        Ok(Self { client, url, headers, timeout })
    }

    /// Posts a body of this content type; returns the answer's status and its body, which is empty
    /// where it is larger than 64 KiB, or does not come to its end in time. Redirects are not
    /// followed: the headers are for this URL alone.
    ///
    /// # Errors
    /// There is no answer.
    pub async fn post(
        &self,
        content_type: &'static str,
        body: Bytes,
    ) -> Result<(StatusCode, Bytes), PostError> {
        let mut request = Request::new(Full::new(body));
        *request.method_mut() = Method::POST;
        *request.uri_mut() = self.url.clone();
        let headers = request.headers_mut();
        for (name, value) in self.headers.iter() {
            headers.insert(name, value.clone());
        }
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type));
        let until = connect::in_future(Instant::now(), self.timeout);
        let (head, body) = send(&self.client, request, self.timeout).await?.into_parts();
        let body = Limited::new(body, MAX_REPLY_BYTES).collect();
        let body = tokio::time::timeout_at(until, body).await;
        let body = body.ok().and_then(Result::ok).map(Collected::to_bytes).unwrap_or_default();
        Ok((head.status, body))
    }
}

/// Sends a request, and waits for the head of its answer.
pub(crate) async fn send(
    client: &Client<Full<Bytes>>,
    request: Request<Full<Bytes>>,
    timeout: Duration,
) -> Result<Response<Incoming>, PostError> {
    // Sooner than the whole: what takes so long then is the receiver, and not the way to it.
    let deadline = Moment::now().after(CONNECT_LIMIT.min(timeout.mul_f64(0.9)));
    let departure = Departure::new(deadline, &request);
    match tokio::time::timeout(timeout, connect::send(client, request, departure)).await {
        Ok(Ok(response)) => Ok(response),
        Ok(Err((_, Some(failure)))) => Err(PostError::NotConnected(failure)),
        Ok(Err((code, None))) => Err(PostError::Broken(code)),
        Err(_) => Err(PostError::Late),
    }
}
