//! Metrics and spans to an OpenTelemetry collector: OTLP 1.x over HTTP, in its JSON encoding.
//!
//! Nothing waits for the collector: spans beyond what is queued are dropped and counted, and
//! metrics are cumulative, so that the next export has what one before it lacked.

mod encode;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

use bytes::Bytes;
use http::Uri;
use messaging_host::forward::SecretHeaders;
use messaging_host::outbound::{Trust, TrustError};
use messaging_host::post::{PostError, Poster};
use messaging_host::span::{Span, Spans};
use messaging_host::throttle::Throttle;
use serde_json::Value;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep_until};

use crate::metrics::Sources;
use encode::Resource;

/// Spans that wait for their export.
const QUEUE: usize = 4096;
/// The most spans of one request, and the longest that one waits for others.
const BATCH: usize = 512;
const BATCH_EVERY: Duration = Duration::from_secs(5);
/// The pause after a collector could not take something.
const RETRY_EVERY: Duration = Duration::from_secs(5);
/// Time limit of a request.
const TIMEOUT: Duration = Duration::from_secs(10);
/// The most of a collector's message that is logged.
const MAX_SAID_CHARS: usize = 200;
/// Time for the last export.
const LAST: Duration = Duration::from_millis(500);

/// Options of an export.
#[derive(Clone, Debug)]
pub struct OtlpOptions {
    /// The collector's address: `/v1/traces` and `/v1/metrics` are below it.
    pub endpoint: Uri,
    /// Headers of each request, such as `Authorization`.
    pub headers: SecretHeaders,
    /// Attributes of this process, `service.name` among them.
    pub resource: Vec<(String, String)>,
    /// Interval of exporting metrics.
    pub metrics_every: Duration,
    /// Whose certificates are accepted.
    pub trust: Trust,
}

/// An export that is set up: it takes spans, and is yet to send them.
pub struct Exporter {
    traces: Poster,
    metrics: Poster,
    resource: Resource,
    metrics_every: Duration,
    began: SystemTime,
    queue: mpsc::Sender<Span>,
    queued: mpsc::Receiver<Span>,
    dropped: Arc<AtomicU64>,
}

/// A running export.
pub struct Telemetry {
    stop: watch::Sender<bool>,
    task: JoinHandle<()>,
}

/// Whether what was sent is taken, or to be sent again.
enum Sent {
    Done,
    Again,
}

impl Exporter {
    /// Sets up the export.
    ///
    /// # Errors
    /// The trust cannot be set up.
    pub fn new(options: OtlpOptions) -> Result<Self, TrustError> {
        let OtlpOptions { endpoint, headers, resource, metrics_every, trust } = options;
        let poster = |path: &str| {
            let url = below(&endpoint, path);
            Poster::new(url, headers.clone(), trust.clone(), TIMEOUT)
        };
        let (queue, queued) = mpsc::channel(QUEUE);
        Ok(Self {
            traces: poster("/v1/traces")?,
            metrics: poster("/v1/metrics")?,
            resource: Resource(resource),
            metrics_every,
            began: SystemTime::now(),
            queue,
            queued,
            dropped: Arc::default(),
        })
    }

    /// Returns what takes spans.
    #[must_use]
    pub fn spans(&self) -> Spans {
        let (queue, dropped) = (self.queue.clone(), Arc::clone(&self.dropped));
        Spans::new(move |span| {
            if queue.try_send(span).is_err() {
                dropped.fetch_add(1, Ordering::Relaxed);
            }
        })
    }

    /// Starts to send what it is given, and the counters of `sources`. Needs a tokio runtime.
    #[must_use]
    pub fn start(self, sources: Sources) -> Telemetry {
        let (stop, stopped) = watch::channel(false);
        Telemetry { stop, task: tokio::spawn(self.run(sources, stopped)) }
    }

    async fn run(mut self, sources: Sources, mut stopped: watch::Receiver<bool>) {
        let mut batch = Vec::new();
        let mut metrics_at = later(self.metrics_every);
        let (mut log, mut of_metrics) = (Log::default(), Log::default());
        let mut stops = false;
        while !stops {
            let full_at = later(BATCH_EVERY).min(metrics_at);
            while batch.len() < BATCH && !stops {
                let room = BATCH.saturating_sub(batch.len());
                tokio::select! {
                    _ = self.queued.recv_many(&mut batch, room) => {}
                    () = sleep_until(full_at) => break,
                    _ = stopped.wait_for(|stop| *stop) => stops = true,
                }
            }
            if self.send_spans(&mut batch, &mut log).await.is_again() && !stops {
                tokio::select! {
                    () = tokio::time::sleep(RETRY_EVERY) => {}
                    _ = stopped.wait_for(|stop| *stop) => stops = true,
                }
            }
            if stops || Instant::now() >= metrics_at {
                metrics_at = later(self.metrics_every);
                let all = sources.metrics().await;
                let body = encode::metrics(&self.resource, &all, self.began, SystemTime::now());
                send(&self.metrics, &body, &mut of_metrics).await;
            }
        }
        // Spans that came until now.
        self.queued.close();
        while self.queued.recv_many(&mut batch, BATCH).await > 0 {
            if self.send_spans(&mut batch, &mut log).await.is_again() {
                break;
            }
        }
        let left = batch.len().saturating_add(self.queued.len());
        let dropped = self.dropped.load(Ordering::Relaxed);
        if left > 0 || dropped > 0 {
            tracing::warn!(left, dropped, "the last spans were not exported");
        }
    }

    /// Sends the spans, and forgets them where that is settled.
    async fn send_spans(&self, batch: &mut Vec<Span>, log: &mut Log) -> Sent {
        let dropped = self.dropped.swap(0, Ordering::Relaxed);
        if dropped > 0 {
            tracing::warn!(dropped, "spans were dropped: the collector takes fewer than there are");
        }
        if batch.is_empty() {
            return Sent::Done;
        }
        let body = encode::traces(&self.resource, batch);
        let sent = send(&self.traces, &body, log).await;
        if !sent.is_again() {
            batch.clear();
        }
        sent
    }
}

impl Telemetry {
    /// Sends what is left, within half a second, and ends.
    pub async fn stop(mut self) {
        let _ = self.stop.send(true);
        if tokio::time::timeout(LAST, &mut self.task).await.is_err() {
            tracing::warn!(
                "the last spans and metrics were not exported: the collector takes too long"
            );
        }
    }
}

impl Drop for Telemetry {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Sent {
    fn is_again(&self) -> bool {
        matches!(self, Self::Again)
    }
}

/// One line when the export begins to fail, and one when it works again; and of what a collector
/// says that it left out one in ten seconds.
#[derive(Default)]
struct Log {
    fails: bool,
    left_out: Throttle<()>,
}

impl Log {
    fn note(&mut self, problem: Option<&str>) {
        match problem {
            Some(problem) if !self.fails => {
                tracing::warn!(problem, "spans or metrics could not be exported");
            }
            None if self.fails => tracing::info!("spans and metrics are exported again"),
            _ => {}
        }
        self.fails = problem.is_some();
    }

    fn note_left_out(&self, reply: &[u8]) {
        let Some((rejected, said)) = left_out(reply) else { return };
        if let Some(more) = self.left_out.admit(()) {
            tracing::warn!(rejected, said, more, "the collector took a part of what it was sent");
        }
    }
}

/// Reads how many spans or data points a collector rejected, and why: OTLP's `partialSuccess`. With
/// 0 of them it is a warning.
fn left_out(reply: &[u8]) -> Option<(u64, String)> {
    let reply: Value = serde_json::from_slice(reply).ok()?;
    let partial = reply.get("partialSuccess")?;
    // A string, as JSON has 64-bit integers in Protobuf's mapping.
    let number = |value: &Value| value.as_u64().or_else(|| value.as_str()?.parse().ok());
    let rejected = ["rejectedSpans", "rejectedDataPoints"];
    let rejected = rejected.iter().find_map(|name| number(partial.get(name)?)).unwrap_or(0);
    let said = partial.get("errorMessage").and_then(Value::as_str).unwrap_or_default();
    let said: String = said.chars().take(MAX_SAID_CHARS).collect();
    (rejected > 0 || !said.is_empty()).then_some((rejected, said))
}

async fn send(to: &Poster, body: &Value, log: &mut Log) -> Sent {
    let posted = to.post("application/json", Bytes::from(body.to_string())).await;
    let (sent, problem) = match posted {
        Ok((status, reply)) if status.is_success() => {
            log.note_left_out(&reply);
            (Sent::Done, None)
        }
        // OTLP: these may be repeated, and no others.
        Ok((status, _)) if matches!(status.as_u16(), 429 | 502 | 503 | 504) => {
            (Sent::Again, Some(format!("status {status}")))
        }
        Ok((status, _)) => (Sent::Done, Some(format!("status {status}: what was sent is dropped"))),
        Err(error @ (PostError::NotConnected(_) | PostError::Broken(_) | PostError::Late)) => {
            (Sent::Again, Some(error.to_string()))
        }
    };
    log.note(problem.as_deref());
    sent
}

fn later(by: Duration) -> Instant {
    let now = Instant::now();
    now.checked_add(by).unwrap_or(now)
}

/// The URL of a path below a base.
fn below(base: &Uri, path: &str) -> Uri {
    let mut parts = base.clone().into_parts();
    let whole = format!("{}{path}", base.path().trim_end_matches('/'));
    parts.path_and_query = whole.parse().ok();
    Uri::from_parts(parts).unwrap_or_else(|_| base.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_below_the_collectors_address() {
        for (base, url) in [
            ("http://localhost:4318", "http://localhost:4318/v1/traces"),
            ("https://a.example/otlp/", "https://a.example/otlp/v1/traces"),
        ] {
            assert_eq!(below(&base.parse().unwrap(), "/v1/traces"), url);
        }
    }

    #[test]
    fn a_partial_success_is_read_as_collectors_write_it() {
        let said = |text: &str| Some((3, text.to_string()));
        for (reply, read) in [
            (r#"{"partialSuccess":{"rejectedSpans":"3","errorMessage":"full"}}"#, said("full")),
            (r#"{"partialSuccess":{"rejectedDataPoints":3}}"#, said("")),
            (r#"{"partialSuccess":{"errorMessage":"old"}}"#, Some((0, "old".into()))),
            (r#"{"partialSuccess":{"rejectedSpans":"0","errorMessage":""}}"#, None),
            (r#"{"partialSuccess":{}}"#, None),
            (r#"{"partialSuccess":null}"#, None),
            ("{}", None),
            ("", None),
            ("\n\u{5}", None),
        ] {
            assert_eq!(left_out(reply.as_bytes()), read, "{reply}");
        }
        let long = format!(r#"{{"partialSuccess":{{"errorMessage":"{}"}}}}"#, "é".repeat(5_000));
        assert_eq!(left_out(long.as_bytes()).unwrap().1.chars().count(), MAX_SAID_CHARS);
    }
}
