//! The webhook as a service: deliveries go to the component, and what becomes of them to the
//! log.

use std::borrow::Cow;
use std::convert::Infallible;

use bytes::Bytes;
use futures_core::future::BoxFuture;
use http::{HeaderValue, Request, Response, StatusCode};
use http_body_util::{BodyExt, Full};
use messaging_webhook_core::Answer;
use messaging_webhook_core::origin::Proofs;
use tokio::sync::Semaphore;
use wasmtime_wasi_http::p2::bindings::http::types::Scheme;

use super::{Answered, Peer, Reply, Service, Why, above_0, closing, origin, short};
use crate::span::{STATUS, Side, Spans};
use crate::webhook::{Webhook, trace};

/// Deliveries for a webhook.
pub struct Deliveries {
    webhook: Webhook,
    proofs: Proofs,
    running: Semaphore,
    spans: Option<Spans>,
}

impl Deliveries {
    /// Deliveries for `webhook`, at most 64 in the component at once.
    #[must_use]
    pub fn new(webhook: Webhook) -> Self {
        Self { webhook, proofs: Proofs::default(), running: Semaphore::new(64), spans: None }
    }

    /// Says which proofs of origin the component asks for: to say in the log why it refused a
    /// delivery, which it never says itself.
    #[must_use]
    pub fn proofs(self, proofs: Proofs) -> Self {
        Self { proofs, ..self }
    }

    /// Makes each delivery a span, and its event a part of that.
    #[must_use]
    pub fn spans(self, spans: Option<Spans>) -> Self {
        Self { spans, ..self }
    }

    /// Deliveries in the component at once; further ones wait.
    #[must_use]
    pub fn max_running(self, most: usize) -> Self {
        Self { running: Semaphore::new(most), ..self }
    }

    async fn deliver(&self, mut request: Request<Bytes>, is_tls: bool) -> Reply {
        let Some(spans) = &self.spans else { return self.handle(request, is_tls).await };
        let mut span = spans.begin("delivery", Side::Server, trace(request.headers()).as_ref());
        let context = span.context().and_then(|own| HeaderValue::from_str(own.parent()).ok());
        if let Some(context) = context {
            request.headers_mut().insert("traceparent", context);
        }
        let reply = self.handle(request, is_tls).await;
        let status = reply.response.status();
        if status == StatusCode::UNAUTHORIZED {
            // Whoever proves nothing has no say in a trace.
            span.forget();
            return reply;
        }
        span.number(STATUS, status.as_u16().into());
        if status.is_server_error() {
            span.fail(status);
        }
        reply
    }

    async fn handle(&self, request: Request<Bytes>, is_tls: bool) -> Reply {
        let Ok(_running) = self.running.acquire().await else {
            return closing(&Answer::NotKept).into();
        };
        let (head, body) = request.into_parts();
        // Cheap: a body is shared, and heads are copied where somebody reads the reason.
        let asked = tracing::enabled!(tracing::Level::DEBUG).then(|| (head.clone(), body.clone()));
        let request = Request::from_parts(head, Full::new(body).map_err(never));
        let scheme = if is_tls { Scheme::Https } else { Scheme::Http };
        match self.webhook.handle(scheme, request).await {
            Ok(response) => {
                let why = match (response.status(), asked) {
                    (StatusCode::UNAUTHORIZED, Some((head, body))) => {
                        origin::unproved(&self.proofs, &head, &body).map(Why::ForDebugging)
                    }
                    (StatusCode::BAD_REQUEST, _) => said(&response),
                    _ => None,
                };
                // The component answers 200 to what it has kept, proofs included.
                let proved = response.status() == StatusCode::OK;
                Reply { response, why, proved }
            }
            Err(error) => {
                tracing::error!(%error, "the webhook component gave no answer; the sender gets 503");
                closing(&Answer::NotKept).into()
            }
        }
    }
}

impl Service for Deliveries {
    fn answer(&self, request: Request<Bytes>, peer: Peer) -> BoxFuture<'_, Reply> {
        Box::pin(self.deliver(request, peer.is_tls))
    }

    // No path: it can hold a secret. No body: it is somebody's message.
    fn log(&self, answered: &Answered) {
        let Answered { peer, ms, .. } = answered;
        let status = answered.status.as_u16();
        let (why, detail) = match &answered.why {
            None => (None, None),
            Some(Why::ForAll(why) | Why::OfStranger(why)) => (Some(&**why), None),
            Some(Why::ForDebugging(detail)) => (None, Some(detail)),
        };
        match answered.more {
            Some(more) if status != 200 => {
                tracing::info!(%peer, status, ms, why, more = above_0(more), "delivery");
            }
            _ => tracing::debug!(%peer, status, ms, why, "delivery"),
        }
        if let Some(why) = detail {
            tracing::debug!(%peer, status, why, "delivery refused");
        }
    }
}

/// From the component's own answer to a malformed delivery.
fn said(response: &Response<Full<Bytes>>) -> Option<Why> {
    let bytes = response.body().clone().into_inner()?;
    let said: Malformed<'_> = serde_json::from_slice(&bytes).ok()?;
    Some(Why::ForAll(short(&said.field, &said.detail)))
}

#[derive(serde::Deserialize)]
struct Malformed<'a> {
    #[serde(borrow)]
    field: Cow<'a, str>,
    #[serde(borrow)]
    detail: Cow<'a, str>,
}

fn never(never: Infallible) -> wasmtime_wasi_http::Error {
    match never {}
}
