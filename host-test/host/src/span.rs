//! Spans, of which traces are made: a delivery, and an attempt to forward an event. Who exports
//! them, and how, is others' to say.

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use messaging_inbox::TraceContext;

/// A piece of work that has ended.
#[derive(Clone, Debug)]
pub struct Span {
    /// Name of its sort.
    pub name: &'static str,
    /// Side of the exchange.
    pub side: Side,
    /// Its trace and its own number.
    pub context: TraceContext,
    /// Number of the span that caused it: 16 hexadecimal digits.
    pub parent_id: Option<String>,
    /// Time of its beginning.
    pub begun: SystemTime,
    /// Time that it took.
    pub took: Duration,
    /// Numbers that describe it, by the names of OpenTelemetry's semantic conventions.
    pub numbers: Vec<(&'static str, i64)>,
    /// How it failed.
    pub error: Option<String>,
}

/// Side of an exchange.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// It answered a request.
    Server,
    /// It made one.
    Client,
}

/// Takes spans as they end.
#[derive(Clone)]
pub struct Spans(Arc<dyn Fn(Span) + Send + Sync>);

impl fmt::Debug for Spans {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Spans")
    }
}

impl Spans {
    /// Hands each span to `take`, on the task that did the work: it must not wait.
    pub fn new(take: impl Fn(Span) + Send + Sync + 'static) -> Self {
        Self(Arc::new(take))
    }

    /// Begins a span within the trace of `parent`, or one that begins a trace. It ends when it is
    /// dropped. Where those before do not record the trace, nobody gets it.
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

/// A span until it ends.
pub(crate) struct OpenSpan {
    spans: Spans,
    begun: Instant,
    span: Option<Span>,
}

impl OpenSpan {
    /// The trace that the work passes on.
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

    /// Ends it, and nobody gets it.
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

/// The name of a status, as OpenTelemetry's semantic conventions have it.
pub(crate) const STATUS: &str = "http.response.status_code";
