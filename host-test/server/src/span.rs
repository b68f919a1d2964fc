//! Trace spans of deliveries and of forwarding attempts.

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use http::HeaderMap;
use messaging_inbox::TraceContext;

/// A completed operation in a trace.
#[derive(Clone, Debug)]
pub struct Span {
    /// Name of the kind of operation.
    pub name: &'static str,
    /// Side of the HTTP exchange.
    pub side: Side,
    /// Trace ID and span ID.
    pub context: TraceContext,
    /// Span ID of the parent: 16 hexadecimal digits.
    pub parent_id: Option<String>,
    /// Start time.
    pub begun: SystemTime,
    /// Duration.
    pub took: Duration,
    /// Numeric attributes, with names from OpenTelemetry's semantic conventions.
    pub numbers: Vec<(&'static str, i64)>,
    /// Error message; `None` if the operation succeeded.
    pub error: Option<String>,
}

/// Side of an HTTP exchange.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The side that answered a request.
    Server,
    /// The side that made a request.
    Client,
}

/// A consumer of completed spans.
#[derive(Clone)]
pub struct Spans(Arc<dyn Fn(Span) + Send + Sync>);

impl fmt::Debug for Spans {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Spans")
    }
}

impl Spans {
    /// Creates a consumer. `take` runs on the task that did the work, so it must not block.
    pub fn new(take: impl Fn(Span) + Send + Sync + 'static) -> Self {
        Self(Arc::new(take))
    }

    /// Starts a span in the trace of `parent`, or in a new trace. Dropping the span ends it. A span
    /// of a trace that is not sampled is discarded.
    pub(crate) fn begin(
        &self,
        name: &'static str,
        side: Side,
        parent: Option<&TraceContext>,
    ) -> OpenSpan {
        let number = rand::random();
        let context = match parent {
            Some(parent) => parent.child(number),
            None => TraceContext::begin(rand::random(), number),
        };
        let span = Span {
            name,
            side,
            context,
            parent_id: parent.map(|parent| parent.span_id().to_string()),
            begun: SystemTime::now(),
            took: Duration::ZERO,
            numbers: Vec::new(),
            error: None,
        };
        OpenSpan { spans: self.clone(), begun: Instant::now(), span: Some(span) }
    }
}

/// A span that has not ended.
pub(crate) struct OpenSpan {
    spans: Spans,
    begun: Instant,
    span: Option<Span>,
}

impl OpenSpan {
    /// Returns the trace context to propagate.
    pub(crate) fn context(&self) -> Option<&TraceContext> {
        self.span.as_ref().map(|span| &span.context)
    }

    pub(crate) fn number(&mut self, name: &'static str, value: i64) {
        if let Some(span) = &mut self.span {
            span.numbers.push((name, value));
        }
    }

    pub(crate) fn fail(&mut self, error: impl fmt::Display) {
        if let Some(span) = &mut self.span {
            span.error = Some(error.to_string());
        }
    }

    /// Discards the span.
    pub(crate) fn forget(mut self) {
        self.span = None;
    }
}

impl Drop for OpenSpan {
    fn drop(&mut self) {
        if let Some(span) = self.span.take().filter(|span| span.context.is_sampled()) {
            (self.spans.0)(Span { took: self.begun.elapsed(), ..span });
        }
    }
}

/// Attribute name of the HTTP status in OpenTelemetry's semantic conventions.
pub(crate) const STATUS: &str = "http.response.status_code";

/// Returns the trace context in the headers of a delivery, if any.
pub fn trace(headers: &HeaderMap) -> Option<TraceContext> {
    let mut parents = headers.get_all("traceparent").iter();
    // Repeated `traceparent` headers are invalid.
    let (Some(parent), None) = (parents.next(), parents.next()) else { return None };
    let states: Option<Vec<_>> =
        headers.get_all("tracestate").iter().map(|state| state.to_str().ok()).collect();
    let states = states.map(|states| states.join(","));
    TraceContext::parse(parent.to_str().ok()?, states.as_deref())
}
