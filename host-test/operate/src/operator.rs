//! The listener for operators: the state of the inbox, the events and sends that need a decision,
//! and these decisions.

use std::ops::RangeInclusive;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use futures_core::future::BoxFuture;
use http::{HeaderMap, HeaderValue, Method, Request, Response, header};
use http_body_util::Full;
use messaging_inbox::{DeadFilter, State, Store};
use messaging_server::serve::{Answer, Answered, Peer, Reply, Service, Tokens, log};
use serde_json::{Value, json};
use tokio::task::JoinHandle;

use crate::events::{self, KIND_CHARS};
use crate::flow::Flow;
use crate::metrics::{self, Sources};
use crate::problem::Problem;
use crate::request::{self, Fields};
use crate::sends::Sends;
use crate::{MAX_BODY_BYTES, counts, json, page, reply};

/// Interval between two samples of the counters. Limits the error of each minute in the flow.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// Range of the times in a request, in milliseconds since 1970: integers that every JSON parser
/// reads exactly.
const TIMES_MS: RangeInclusive<i64> = -9_007_199_254_740_991..=9_007_199_254_740_991;

/// Content type of OpenMetrics, which Prometheus also reads.
const METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";
/// Content type of Prometheus' text format.
const PLAIN: &str = "text/plain; version=0.0.4; charset=utf-8";

/// HTTP API and web page for operators: inbox, sends and metrics.
pub struct Operator {
    sources: Sources,
    tokens: Tokens,
    metrics_tokens: Option<Tokens>,
    name: Option<String>,
    started_at_ms: i64,
    flow: Arc<Mutex<Flow>>,
    look: JoinHandle<()>,
}

impl Drop for Operator {
    fn drop(&mut self) {
        self.look.abort();
    }
}

impl Operator {
    /// Creates the API for the inbox and counters of `sources`. A request must carry a token of
    /// `tokens`. Requires a tokio runtime, on which a task samples the counters until the
    /// `Operator` is dropped.
    #[must_use]
    pub fn start(sources: Sources, tokens: Tokens) -> Self {
        let flow = Arc::<Mutex<Flow>>::default();
        let started_at_ms = sources.store.now_ms();
        locked(&flow).note(started_at_ms, sources.sample());
        let look = tokio::spawn({
            let (flow, sources) = (Arc::clone(&flow), sources.clone());
            async move {
                loop {
                    tokio::time::sleep(LOOK_EVERY).await;
                    locked(&flow).note(sources.store.now_ms(), sources.sample());
                }
            }
        });
        Self { sources, tokens, metrics_tokens: None, name: None, started_at_ms, flow, look }
    }

    /// Sets tokens that can only read `/metrics`.
    #[must_use]
    pub fn metrics_tokens(mut self, tokens: Option<Tokens>) -> Self {
        self.metrics_tokens = tokens;
        self
    }

    /// Sets the name of the environment, which the page shows.
    #[must_use]
    pub fn named(mut self, name: Option<String>) -> Self {
        self.name = name;
        self
    }

    fn store(&self) -> &Store {
        &self.sources.store
    }

    async fn respond(
        &self,
        request: &Request<Bytes>,
        proved: bool,
    ) -> Result<Response<Full<Bytes>>, Problem> {
        let is_read = matches!(*request.method(), Method::GET | Method::HEAD);
        let is_post = *request.method() == Method::POST;
        if let Some(file) = page::file(request.uri().path()) {
            return if is_read { Ok(file) } else { Err(Problem::method("GET, HEAD")) };
        }
        if !proved {
            return Err(Problem::unauthorized());
        }
        let value = match request::segments(request.uri()).as_slice() {
            ["metrics"] if is_read => return Ok(self.metrics(request.headers()).await),
            ["v1", "overview"] if is_read => self.overview().await?,
            ["v1", "events"] if is_read => events::list(self.store(), request.uri()).await?,
            ["v1", "events", id] if is_read => events::show(self.store(), request::id(id)?).await?,
            ["v1", "events", id, "release"] if is_post => {
                self.release(request::id(id)?, request.body()).await?
            }
            ["v1", "events", id, "requeue"] if is_post => {
                self.requeue(request::id(id)?, request.body()).await?
            }
            ["v1", "sends"] if is_read => self.sends()?.list().await?,
            ["v1", "sends", "resolve"] if is_post => self.sends()?.resolve(request.body()).await?,
            ["v1", "requeue"] if is_post => self.requeue_all(request.body()).await?,
            ["v1", "requeue"]
            | ["v1", "sends", "resolve"]
            | ["v1", "events", _, "release" | "requeue"] => {
                return Err(Problem::method("POST"));
            }
            ["metrics"] | ["v1", "overview" | "events" | "sends"] | ["v1", "events", _] => {
                return Err(Problem::method("GET, HEAD"));
            }
            _ => return Err(Problem::no_such_path()),
        };
        Ok(json(&value))
    }

    /// Returns the metrics as OpenMetrics. For a client that accepts only plain text, such as
    /// `curl -H "Accept: text/plain"`, the content type is plain text.
    async fn metrics(&self, headers: &HeaderMap) -> Response<Full<Bytes>> {
        let accepts = |name: &str| {
            let all = headers.get_all(header::ACCEPT);
            all.iter().any(|value| value.to_str().is_ok_and(|value| value.contains(name)))
        };
        let is_plain = accepts("text/plain") && !accepts("openmetrics");
        let text = self.sources.text().await;
        let (text, content_type) =
            if is_plain { (metrics::plain(&text), PLAIN) } else { (text, METRICS) };
        let mut response = Response::new(Full::new(Bytes::from(text)));
        response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type));
        response
    }

    async fn overview(&self) -> Result<Value, Problem> {
        let summary = self.store().summary().await?;
        let now_ms = self.store().now_ms();
        let sample = self.sources.sample();
        let flow = locked(&self.flow).view(sample);
        Ok(json!({
            "name": self.name,
            "version": env!("CARGO_PKG_VERSION"),
            "now_ms": now_ms,
            "started_at_ms": self.started_at_ms,
            "counts": counts(events::states(summary.counts)),
            "oldest_waiting_ms": summary.oldest_open_ms.map(|oldest| now_ms.saturating_sub(oldest).max(0)),
            "sends": self.sources.sends.as_ref().map(Sends::overview),
            "flow": flow,
        }))
    }

    fn sends(&self) -> Result<&Sends, Problem> {
        self.sources.sends.as_ref().ok_or_else(|| Problem::no_journal("--journal"))
    }

    async fn release(&self, id: i64, body: &[u8]) -> Result<Value, Problem> {
        Fields::of_optional_body(body)?.end()?;
        self.store().release(id, None).await?;
        tracing::info!(id, "an operator released an event");
        Ok(json!({ "id": id, "state": State::Pending.as_str() }))
    }

    async fn requeue(&self, id: i64, body: &[u8]) -> Result<Value, Problem> {
        Fields::of_optional_body(body)?.end()?;
        let requeued = self.store().requeue(id).await?;
        if requeued {
            tracing::info!(id, "an operator requeued a dead event");
        }
        Ok(json!({ "requeued": u8::from(requeued) }))
    }

    async fn requeue_all(&self, body: &[u8]) -> Result<Value, Problem> {
        let mut fields = Fields::of_body(body)?;
        let filter = DeadFilter {
            kind: fields.string("kind", KIND_CHARS)?,
            since_ms: fields.integer("since_ms", TIMES_MS)?,
            until_ms: fields.integer("until_ms", TIMES_MS)?,
        };
        fields.end()?;
        // Excludes events that become dead during this operation, because they need another
        // decision.
        let until_ms = filter.until_ms.unwrap_or_else(|| self.store().now_ms());
        let filter = DeadFilter { until_ms: Some(until_ms), ..filter };
        let requeued = self.store().requeue_dead(filter).await?;
        tracing::info!(requeued, "an operator requeued dead events");
        Ok(json!({ "requeued": requeued }))
    }
}

fn locked(flow: &Mutex<Flow>) -> MutexGuard<'_, Flow> {
    flow.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Service for Operator {
    fn answer(&self, request: Request<Bytes>, _: Peer) -> BoxFuture<'_, Reply> {
        Box::pin(async move {
            // Requests for files of the page need no token, and so do not count as authenticated.
            let reads_metrics = |tokens: &Tokens| {
                request.uri().path() == "/metrics" && tokens.admit(request.headers())
            };
            let proved = self.tokens.admit(request.headers())
                || self.metrics_tokens.as_ref().is_some_and(reads_metrics);
            reply(self.respond(&request, proved).await, proved)
        })
    }

    fn refuse(&self, answer: &Answer) -> Response<Full<Bytes>> {
        Reply::from(Problem::refused(answer, MAX_BODY_BYTES)).response
    }

    fn log(&self, answered: &Answered) {
        log("operator", answered);
    }
}
