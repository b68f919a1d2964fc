//! The webhook as a service: passes deliveries to the component and logs the results.

use bytes::Bytes;
use futures_core::future::BoxFuture;
use http::{HeaderValue, Request, Response, StatusCode};
use http_body_util::Full;
use messaging_core::webhook::Answer;
use messaging_core::webhook::origin::Proofs;
use tokio::sync::Semaphore;

use super::origin;
use super::service::{Answered, Peer, RejectReason, Reply, Service, above_0, closing, short};
use crate::span::{STATUS, Side, Spans, trace};

/// A response to a delivery, or the reason why there is no response.
pub type Handled = Result<Response<Full<Bytes>>, Box<dyn std::error::Error + Send + Sync>>;

/// A webhook: verifies deliveries, and stores their events.
pub trait DeliveryHandler: Send + Sync + 'static {
    /// Answers a delivery. Responds with 200 only after the event is stored.
    fn handle(&self, request: Request<Bytes>, is_tls: bool) -> BoxFuture<'_, Handled>;
}

/// The service for a webhook.
pub struct Deliveries {
    webhook: Box<dyn DeliveryHandler>,
    proofs: Proofs,
    running: Semaphore,
    spans: Option<Spans>,
}

impl Deliveries {
    /// Creates a service that runs at most 64 deliveries in the component at once.
    pub fn new(webhook: impl DeliveryHandler) -> Self {
        let (webhook, running) = (Box::new(webhook), Semaphore::new(64));
        Self { webhook, proofs: Proofs::default(), running, spans: None }
    }

    /// Sets the proofs of origin that the component requires. They serve only to log the reason for
    /// a rejection, because the component does not return the reason.
    #[must_use]
    pub fn proofs(self, proofs: Proofs) -> Self {
        Self { proofs, ..self }
    }

    /// Sets a consumer for the span of each delivery. The trace context of the span is stored with
    /// the event.
    #[must_use]
    pub fn spans(self, spans: Option<Spans>) -> Self {
        Self { spans, ..self }
    }

    /// Sets the maximum number of concurrent deliveries in the component. Further deliveries wait.
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
            // A peer without a proof of origin must not add spans to a trace.
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
            return closing(&Answer::Unavailable).into();
        };
        let (head, body) = request.into_parts();
        // Copies the head only if the reason is logged. The body is shared.
        let asked = tracing::enabled!(tracing::Level::DEBUG).then(|| (head.clone(), body.clone()));
        let request = Request::from_parts(head, body);
        match self.webhook.handle(request, is_tls).await {
            Ok(response) => {
                let why = match (response.status(), asked) {
                    (StatusCode::UNAUTHORIZED, Some((head, body))) => {
                        origin::unproved(&self.proofs, &head, &body).map(RejectReason::Debug)
                    }
                    (StatusCode::BAD_REQUEST | StatusCode::UNSUPPORTED_MEDIA_TYPE, _) => {
                        said(&response)
                    }
                    _ => None,
                };
                // The component responds with 200 only to a delivery that it has verified and
                // stored.
                let proved = response.status() == StatusCode::OK;
                Reply { response, why, proved }
            }
            Err(error) => {
                tracing::error!(%error, "the webhook component returned no answer; answered 503");
                closing(&Answer::Unavailable).into()
            }
        }
    }
}

impl Service for Deliveries {
    fn answer(&self, request: Request<Bytes>, peer: Peer) -> BoxFuture<'_, Reply> {
        Box::pin(self.deliver(request, peer.is_tls))
    }

    // Omits the path, which may contain a secret, and the body, which contains a message.
    fn log(&self, answered: &Answered) {
        let Answered { peer, ms, .. } = answered;
        let status = answered.status.as_u16();
        let (why, detail) = match &answered.why {
            None => (None, None),
            Some(RejectReason::Client(why) | RejectReason::Unauthenticated(why)) => {
                (Some(&**why), None)
            }
            Some(RejectReason::Debug(detail)) => (None, Some(detail)),
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

/// Returns the reason in the component's response to a rejected delivery. A response with status
/// 400 names the malformed part. Other responses have only the error, without data of the request.
fn said(response: &Response<Full<Bytes>>) -> Option<RejectReason> {
    let bytes = response.body().clone().into_inner()?;
    let Said { error, field, detail } = serde_json::from_slice(&bytes).ok()?;
    Some(match response.status() {
        StatusCode::BAD_REQUEST => RejectReason::Client(short(&field?, &detail?)),
        _ => RejectReason::Unauthenticated(short("", &error?)),
    })
}

#[derive(serde::Deserialize)]
struct Said {
    error: Option<String>,
    field: Option<String>,
    detail: Option<String>,
}
