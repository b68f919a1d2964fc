//! Export of spans to an OpenTelemetry collector: OTLP 1.x over HTTP, in its JSON encoding.
//!
//! Deliveries do not wait for the collector. If the queue is full, spans are dropped and counted.

mod encode;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use http::Uri;
use messaging_net::headers::SecretHeaders;
use messaging_net::post::Poster;
use messaging_net::{Trust, TrustError};
use serde_json::Value;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinHandle;
use tokio::time::sleep;

use crate::span::{Span, Spans};
use messaging_inbox::Throttle;

/// Maximum number of queued spans.
const QUEUE: usize = 4096;
/// Maximum number of spans in a request, and maximum time that a span waits for a batch.
const BATCH: usize = 512;
const BATCH_EVERY: Duration = Duration::from_secs(5);
/// Delay before a request is retried.
const RETRY_EVERY: Duration = Duration::from_secs(5);
/// Timeout of a request.
const TIMEOUT: Duration = Duration::from_secs(10);
/// Maximum length of a logged message of the collector, in characters.
const MAX_SAID_CHARS: usize = 200;
/// Timeout of the export at shutdown.
const LAST: Duration = Duration::from_millis(500);

/// A running export. Dropping it ends the export immediately.
pub struct Exporter {
    spans: Spans,
    stop: watch::Sender<bool>,
    task: JoinHandle<()>,
}

impl Exporter {
    /// Starts the export to the collector at `endpoint`. Each request carries `headers`, such as
    /// `Authorization`. `resource` contains the attributes of this process, including
    /// `service.name`. Requires a tokio runtime.
    ///
    /// # Errors
    /// Returns `TrustError` if the trust configuration is unusable.
    pub fn start(
        endpoint: &Uri,
        headers: SecretHeaders,
        resource: Vec<(String, String)>,
        trust: Trust,
    ) -> Result<Self, TrustError> {
        let traces = Poster::new(traces_url(endpoint), headers, trust, TIMEOUT)?;
        let (queue, queued) = mpsc::channel(QUEUE);
        let dropped = Arc::<AtomicU64>::default();
        let spans = Spans::new({
            let dropped = Arc::clone(&dropped);
            move |span| {
                if queue.try_send(span).is_err() {
                    dropped.fetch_add(1, Ordering::Relaxed);
                }
            }
        });
        let (stop, stopped) = watch::channel(false);
        let batches = Batches {
            traces,
            resource,
            queued,
            dropped,
            batch: Vec::new(),
            fails: false,
            left_out: Throttle::default(),
        };
        Ok(Self { spans, stop, task: tokio::spawn(batches.run(stopped)) })
    }

    /// Returns a consumer that queues spans for the export.
    pub fn spans(&self) -> Spans {
        self.spans.clone()
    }

    /// Exports the remaining spans within 0.5 s, then ends.
    pub async fn stop(mut self) {
        let _ = self.stop.send(true);
        if tokio::time::timeout(LAST, &mut self.task).await.is_err() {
            tracing::warn!("the last spans were not exported: the collector is too slow");
        }
    }
}

impl Drop for Exporter {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// The task that posts spans in batches.
struct Batches {
    traces: Poster,
    resource: Vec<(String, String)>,
    queued: mpsc::Receiver<Span>,
    dropped: Arc<AtomicU64>,
    batch: Vec<Span>,
    /// True if the last request failed.
    fails: bool,
    left_out: Throttle<()>,
}

impl Batches {
    async fn run(mut self, mut stopped: watch::Receiver<bool>) {
        while !*stopped.borrow() {
            let mut is_due = std::pin::pin!(sleep(BATCH_EVERY));
            while self.batch.len() < BATCH {
                let room = BATCH.saturating_sub(self.batch.len());
                tokio::select! {
                    _ = self.queued.recv_many(&mut self.batch, room) => {}
                    () = &mut is_due => break,
                    _ = stopped.wait_for(|stop| *stop) => break,
                }
            }
            if !self.post().await {
                tokio::select! {
                    () = sleep(RETRY_EVERY) => {}
                    _ = stopped.wait_for(|stop| *stop) => {}
                }
            }
        }
        // Exports spans that are already queued.
        self.queued.close();
        while self.post().await && self.queued.recv_many(&mut self.batch, BATCH).await > 0 {}
        let left = self.batch.len().saturating_add(self.queued.len());
        let dropped = self.dropped.load(Ordering::Relaxed);
        if left > 0 || dropped > 0 {
            tracing::warn!(left, dropped, "the last spans were not exported");
        }
    }

    /// Posts the batch. Returns false if it must be posted again. Logs when the export starts to
    /// fail, and when it recovers.
    async fn post(&mut self) -> bool {
        let dropped = self.dropped.swap(0, Ordering::Relaxed);
        if dropped > 0 {
            tracing::warn!(dropped, "spans were dropped: the collector is too slow");
        }
        if self.batch.is_empty() {
            return true;
        }
        let body = encode::traces(&self.resource, &self.batch).to_string();
        let (is_settled, problem) = match self.traces.post("application/json", body.into()).await {
            Ok((status, reply)) if status.is_success() => {
                self.note_left_out(&reply);
                (true, None)
            }
            // OTLP permits a retry only for these status codes.
            Ok((status, _)) if matches!(status.as_u16(), 429 | 502 | 503 | 504) => {
                (false, Some(format!("status {status}")))
            }
            Ok((status, _)) => (true, Some(format!("status {status}: the spans are dropped"))),
            Err(error) => (false, Some(error.to_string())),
        };
        match &problem {
            Some(problem) if !self.fails => tracing::warn!(problem, "spans could not be exported"),
            None if self.fails => tracing::info!("spans are exported again"),
            _ => {}
        }
        self.fails = problem.is_some();
        if is_settled {
            self.batch.clear();
        }
        is_settled
    }

    /// Logs a partial rejection, at most once per 10 s.
    fn note_left_out(&mut self, reply: &[u8]) {
        let Some((rejected, said)) = left_out(reply, |said| self.traces.redact(said)) else {
            return;
        };
        if let Some(more) = self.left_out.admit(()) {
            tracing::warn!(rejected, said, more, "the collector rejected spans, or sent a warning");
        }
    }
}

/// Parses OTLP's `partialSuccess`: the number of rejected spans and the reason. If no span was
/// rejected, the reason is a warning.
fn left_out(reply: &[u8], redact: impl Fn(&str) -> String) -> Option<(u64, String)> {
    let reply: Value = serde_json::from_slice(reply).ok()?;
    let partial = reply.get("partialSuccess")?;
    // The JSON mapping of Protobuf encodes 64-bit integers as strings.
    let number = |value: &Value| value.as_u64().or_else(|| value.as_str()?.parse().ok());
    let rejected = partial.get("rejectedSpans").and_then(number).unwrap_or(0);
    let said = partial.get("errorMessage").and_then(Value::as_str).unwrap_or_default();
    // Redacts before it cuts, because a secret that was cut would not be recognized.
    let said: String = redact(said).chars().take(MAX_SAID_CHARS).collect();
    (rejected > 0 || !said.is_empty()).then_some((rejected, said))
}

/// Returns the URL for traces: `/v1/traces` below the collector's address.
fn traces_url(endpoint: &Uri) -> Uri {
    let mut parts = endpoint.clone().into_parts();
    let path = format!("{}/v1/traces", endpoint.path().trim_end_matches('/'));
    parts.path_and_query = path.parse().ok();
    Uri::from_parts(parts).unwrap_or_else(|_| endpoint.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn traces_are_below_collector_address() {
        for (endpoint, url) in [
            ("http://localhost:4318", "http://localhost:4318/v1/traces"),
            ("https://a.example/otlp/", "https://a.example/otlp/v1/traces"),
        ] {
            assert_eq!(traces_url(&endpoint.parse().unwrap()), url);
        }
    }

    #[test]
    fn partial_success_is_parsed() {
        let said = |text: &str| Some((3, text.to_string()));
        for (reply, read) in [
            (r#"{"partialSuccess":{"rejectedSpans":"3","errorMessage":"full"}}"#, said("full")),
            (r#"{"partialSuccess":{"rejectedSpans":3}}"#, said("")),
            (r#"{"partialSuccess":{"errorMessage":"old"}}"#, Some((0, "old".into()))),
            (r#"{"partialSuccess":{"rejectedSpans":"0","errorMessage":""}}"#, None),
            (r#"{"partialSuccess":{}}"#, None),
            (r#"{"partialSuccess":null}"#, None),
            ("{}", None),
            ("", None),
            ("\n\u{5}", None),
        ] {
            assert_eq!(left_out(reply.as_bytes(), str::to_string), read, "{reply}");
        }
        let long = format!(r#"{{"partialSuccess":{{"errorMessage":"{}"}}}}"#, "é".repeat(5_000));
        let said = left_out(long.as_bytes(), str::to_string).unwrap().1;
        assert_eq!(said.chars().count(), MAX_SAID_CHARS);
    }
}
