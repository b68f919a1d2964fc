//! The tools over streamable HTTP on the host's server, which owns connections and limits. Uses
//! neither sessions nor streams: each POST gets a JSON response, and no state remains when a client
//! disconnects.

use std::sync::Arc;

use bytes::Bytes;
use futures_core::future::BoxFuture;
use http::request::Parts;
use http::uri::Authority;
use http::{
    HeaderMap, HeaderName, HeaderValue, Method, Request, Response, StatusCode, Uri, header,
};
use http_body_util::{BodyExt, Full};
use messaging_host::Messaging;
use messaging_server::serve::{self, Answer, Answered, Peer, RejectReason, Reply, Service, Tokens};
use rmcp::model::JsonRpcError;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};

use crate::{MAX_REQUEST_BYTES, Tools, protocol};

/// Path of the endpoint.
pub const PATH: &str = "/mcp";

/// HTTP service with the MCP tools.
pub struct Http<M> {
    protocol: StreamableHttpService<Tools<M>, NeverSessionManager>,
    tokens: Option<Tokens>,
    hosts: Vec<String>,
}

impl<M: Messaging + Send + 'static> Http<M> {
    /// Creates the service. A request must carry a token of `tokens`. If `tokens` is `None`, no
    /// token is required.
    ///
    /// The `Host` of a request must be a name of this machine or an entry of `hosts` (without
    /// ports), and `Origin` must be missing. This check rejects requests of browser pages,
    /// including pages whose name is rebound to this machine's address.
    pub fn new(tools: Tools<M>, tokens: Option<Tokens>, hosts: Vec<String>) -> Self {
        // Disables the checks of hosts and origins in `rmcp`, because `foreign` makes them for
        // every path.
        let config = StreamableHttpServerConfig::default()
            .with_legacy_session_mode(false)
            .with_json_response(true)
            .with_max_request_body_bytes(MAX_REQUEST_BYTES)
            .disable_allowed_hosts()
            .disable_allowed_origins();
        let tools = move || Ok(tools.clone());
        let protocol = StreamableHttpService::new(tools, Arc::default(), config);
        Self { protocol, tokens, hosts }
    }

    /// Returns the reason to reject a request, or `None` if its client is permitted.
    fn foreign(&self, uri: &Uri, headers: &HeaderMap) -> Option<&'static str> {
        if headers.contains_key(header::ORIGIN) {
            return Some("the request has an Origin header, which browser pages send");
        }
        let mut named = headers.get_all(header::HOST).iter();
        let host = match (named.next(), named.next()) {
            (Some(host), None) => Authority::try_from(host.as_bytes()).ok(),
            _ => None,
        };
        let is_own = |authority: &Authority| {
            let Some(host) = serve::host_of(authority) else { return false };
            serve::is_local(host) || self.hosts.iter().any(|own| own.eq_ignore_ascii_case(host))
        };
        // A request in absolute form has a second host, in its URI.
        let is_ours = host.as_ref().is_some_and(is_own) && uri.authority().is_none_or(is_own);
        (!is_ours)
            .then_some("the request's Host is not a name of this server; add the name with --host")
    }

    async fn respond(&self, request: Request<Bytes>) -> Result<Response<Full<Bytes>>, Refusal> {
        let (head, body) = request.into_parts();
        if let Some(why) = self.foreign(&head.uri, &head.headers) {
            return Err(Refusal::new(StatusCode::FORBIDDEN, why));
        }
        if self.tokens.as_ref().is_some_and(|tokens| !tokens.admit(&head.headers)) {
            let text = "the token is missing or wrong: send one Authorization: Bearer header with this server's token";
            let refusal = Refusal::new(StatusCode::UNAUTHORIZED, text);
            return Err(refusal.with(header::WWW_AUTHENTICATE, "Bearer"));
        }
        if head.uri.path() != PATH {
            return Err(Refusal::new(StatusCode::NOT_FOUND, "the endpoint is /mcp"));
        }
        if head.method != Method::POST {
            let text = "use POST: this server has no streams and no sessions";
            let refusal = Refusal::new(StatusCode::METHOD_NOT_ALLOWED, text);
            return Err(refusal.with(header::ALLOW, "POST"));
        }
        // A form on another site cannot send this content type without a preflight request.
        let kind = value(&head.headers, header::CONTENT_TYPE).unwrap_or_default();
        let kind = kind.split(';').next().unwrap_or_default().trim();
        if !kind.eq_ignore_ascii_case("application/json") {
            let text = "Content-Type is not application/json";
            return Err(Refusal::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, text));
        }
        let mut response = match protocol::parse(&body) {
            Ok(_) => self.pass(head, body).await,
            Err(answer) => malformed(&answer),
        };
        let no_store = HeaderValue::from_static("no-store");
        response.headers_mut().insert(header::CACHE_CONTROL, no_store);
        Ok(response)
    }

    /// Passes a message to the protocol implementation.
    async fn pass(&self, mut head: Parts, body: Bytes) -> Response<Full<Bytes>> {
        // Replaces the client's `Accept` header, because the response is always JSON.
        let takes = HeaderValue::from_static("application/json, text/event-stream");
        head.headers.insert(header::ACCEPT, takes);
        let request = Request::from_parts(head, Full::new(body));
        let (head, body) = self.protocol.handle(request).await.into_parts();
        let Ok(body) = body.collect().await;
        Response::from_parts(head, Full::new(body.to_bytes()))
    }
}

/// Returns the response to an invalid message.
fn malformed(answer: &JsonRpcError) -> Response<Full<Bytes>> {
    let body = serde_json::to_vec(answer).unwrap_or_default();
    let mut response = Response::new(Full::new(Bytes::from(body)));
    *response.status_mut() = StatusCode::BAD_REQUEST;
    let json = HeaderValue::from_static("application/json");
    response.headers_mut().insert(header::CONTENT_TYPE, json);
    response
}

/// Returns the value of a header that occurs exactly once; `None` otherwise.
fn value(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (Some(value), None) => value.to_str().ok(),
        _ => None,
    }
}

/// The response to a request that is rejected before its message is parsed.
struct Refusal {
    status: StatusCode,
    text: &'static str,
    special: Option<(HeaderName, &'static str)>,
}

impl Refusal {
    fn new(status: StatusCode, text: &'static str) -> Self {
        Self { status, text, special: None }
    }

    fn with(self, name: HeaderName, value: &'static str) -> Self {
        Self { special: Some((name, value)), ..self }
    }
}

impl From<Refusal> for Reply {
    fn from(refusal: Refusal) -> Self {
        let mut response = Response::new(Full::new(Bytes::from_static(refusal.text.as_bytes())));
        *response.status_mut() = refusal.status;
        let kind = (header::CONTENT_TYPE, "text/plain; charset=utf-8");
        for (name, value) in [kind].into_iter().chain(refusal.special) {
            response.headers_mut().insert(name, HeaderValue::from_static(value));
        }
        let why = match refusal.status {
            // Logged at a limited rate, because a peer may be guessing tokens.
            StatusCode::UNAUTHORIZED => RejectReason::Unauthenticated(refusal.text.into()),
            _ => RejectReason::Debug(refusal.text.into()),
        };
        Self { response, why: Some(why), proved: false }
    }
}

impl<M: Messaging + Send + 'static> Service for Http<M> {
    fn answer(&self, request: Request<Bytes>, _: Peer) -> BoxFuture<'_, Reply> {
        Box::pin(async move {
            match self.respond(request).await {
                Ok(response) => Reply { proved: true, ..response.into() },
                Err(refusal) => refusal.into(),
            }
        })
    }

    fn refuse(&self, answer: &Answer) -> Response<Full<Bytes>> {
        let text = match answer {
            Answer::Unavailable => "too many calls in flight; retry later: a repeated call is safe",
            Answer::TooLarge => "a message has at most 1 MiB",
            Answer::TooSlow => "the request did not arrive in time",
            _ => "the request is incomplete, or is not valid HTTP/1.1",
        };
        let status = StatusCode::from_u16(answer.status());
        let special = answer.header().map(|(name, value)| (HeaderName::from_static(name), value));
        let status = status.unwrap_or(StatusCode::SERVICE_UNAVAILABLE);
        Reply::from(Refusal { status, text, special }).response
    }

    fn log(&self, answered: &Answered) {
        serve::log("mcp", answered);
    }
}
