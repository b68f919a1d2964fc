//! HTTP POST to a URL of the operator, with pooled connections, a trust configuration and a
//! timeout.

use std::time::Duration;

use bytes::Bytes;
use http::{HeaderValue, Method, Request, Response, StatusCode, Uri, header};
use http_body_util::{BodyExt, Collected, Full, Limited};
use hyper::body::Incoming;
use tokio::time::Instant;

use crate::connect::{self, CONNECT_LIMIT, Client, Connector, Trust, TrustError};
use crate::departure::{Departure, Moment, in_future};
use crate::failure::RequestError;
use crate::headers::SecretHeaders;
use crate::names::Names;

/// Maximum size of a response body, in bytes.
const MAX_REPLY_BYTES: usize = 64 * 1024;

/// A client that posts to one URL. Idle connections are kept for a few seconds.
pub struct Poster {
    client: Client<Full<Bytes>>,
    url: Uri,
    headers: SecretHeaders,
    timeout: Duration,
}

impl Poster {
    /// Creates a client for `url`. Each request carries `headers` and has `timeout`.
    ///
    /// # Errors
    /// Returns `TrustError` if the trust configuration is invalid.
    pub fn new(
        url: Uri,
        headers: SecretHeaders,
        trust: Trust,
        timeout: Duration,
    ) -> Result<Self, TrustError> {
        let client = connect::client().build(Connector::new(trust, Names::Any)?);
        Ok(Self { client, url, headers, timeout })
    }

    /// Redacts the headers' secrets in a text that the receiver sent.
    pub fn redact(&self, text: &str) -> String {
        self.headers.redact(text)
    }

    /// Posts a body and returns the status and the body of the response. The returned body is empty
    /// if it exceeds 64 KiB or does not arrive within the timeout. Does not follow redirects,
    /// because the headers are only for this URL.
    ///
    /// # Errors
    /// Returns `RequestError` if there is no response.
    pub async fn post(
        &self,
        content_type: &'static str,
        body: Bytes,
    ) -> Result<(StatusCode, Bytes), RequestError> {
        let mut request = Request::new(Full::new(body));
        *request.method_mut() = Method::POST;
        *request.uri_mut() = self.url.clone();
        let headers = request.headers_mut();
        for (name, value) in self.headers.iter() {
            headers.insert(name, value.clone());
        }
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type));
        let until = in_future(Instant::now(), self.timeout);
        let (head, body) = send(&self.client, request, self.timeout).await?.into_parts();
        let body = Limited::new(body, MAX_REPLY_BYTES).collect();
        let body = tokio::time::timeout_at(until, body).await;
        let body = body.ok().and_then(Result::ok).map(Collected::to_bytes).unwrap_or_default();
        Ok((head.status, body))
    }
}

/// Sends a request and waits for the response head.
///
/// # Errors
/// Returns `RequestError` if there is no response.
pub async fn send(
    client: &Client<Full<Bytes>>,
    request: Request<Full<Bytes>>,
    timeout: Duration,
) -> Result<Response<Incoming>, RequestError> {
    // Shorter than `timeout`, because a slow connection must fail as `NotConnected`. `Timeout` then
    // means a slow receiver.
    let deadline = Moment::now().after(CONNECT_LIMIT.min(timeout.mul_f64(0.9)));
    let departure = Departure::new(deadline, &request);
    let sent = tokio::time::timeout(timeout, connect::send(client, request, departure)).await;
    sent.unwrap_or(Err(RequestError::Timeout))
}
