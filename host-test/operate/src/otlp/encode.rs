//! OTLP's messages in their JSON encoding: names in lowerCamelCase, numbers of 64 bits as texts,
//! identifiers in hexadecimal digits, enumerations as numbers.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use messaging_host::span::{Side, Span};
use messaging_inbox::Histogram;
use serde_json::{Value, json};

use crate::metrics::{Labels, Metric, Values};

/// `AGGREGATION_TEMPORALITY_CUMULATIVE`.
const CUMULATIVE: u8 = 2;
/// `SPAN_KIND_SERVER`, `SPAN_KIND_CLIENT`.
const SERVER: u8 = 2;
const CLIENT: u8 = 3;
/// `STATUS_CODE_ERROR`.
const ERROR: u8 = 2;

/// Attributes of the process.
pub struct Resource(pub Vec<(String, String)>);

impl Resource {
    fn value(&self) -> Value {
        let attributes = self.0.iter().map(|(name, value)| text(name, value));
        json!({ "attributes": attributes.collect::<Vec<_>>() })
    }
}

/// An `ExportTraceServiceRequest`.
pub fn traces(resource: &Resource, spans: &[Span]) -> Value {
    let spans: Vec<_> = spans.iter().map(span).collect();
    json!({
        "resourceSpans": [{
            "resource": resource.value(),
            "scopeSpans": [{ "scope": scope(), "spans": spans }],
        }],
    })
}

/// An `ExportMetricsServiceRequest`. Counters count since `began`.
pub fn metrics(
    resource: &Resource,
    metrics: &[Metric],
    began: SystemTime,
    now: SystemTime,
) -> Value {
    let times = (nanos(began), nanos(now));
    let metrics: Vec<_> = metrics.iter().map(|metric| one(metric, &times)).collect();
    json!({
        "resourceMetrics": [{
            "resource": resource.value(),
            "scopeMetrics": [{ "scope": scope(), "metrics": metrics }],
        }],
    })
}

fn scope() -> Value {
    json!({ "name": "messaging", "version": env!("CARGO_PKG_VERSION") })
}

fn span(span: &Span) -> Value {
    let Span { name, side, context, parent_id, begun, took, numbers, error } = span;
    let end = begun.checked_add(*took).unwrap_or(*begun);
    let attributes = numbers
        .iter()
        .map(|(name, value)| json!({ "key": name, "value": { "intValue": value.to_string() } }));
    let status = match error {
        Some(error) => json!({ "code": ERROR, "message": error }),
        None => json!({}),
    };
    json!({
        "traceId": context.trace_id(),
        "spanId": context.span_id(),
        "traceState": context.state().unwrap_or_default(),
        "parentSpanId": parent_id.as_deref().unwrap_or_default(),
        "name": name,
        "kind": match side { Side::Server => SERVER, Side::Client => CLIENT },
        "startTimeUnixNano": nanos(*begun),
        "endTimeUnixNano": nanos(end),
        "attributes": attributes.collect::<Vec<_>>(),
        "status": status,
    })
}

fn one(metric: &Metric, times: &(String, String)) -> Value {
    let Metric { name, help, values } = metric;
    let (began, now) = times;
    let point = |labels: &Labels, name: &str, value: Value| {
        json!({
            "attributes": attributes(labels),
            "startTimeUnixNano": began,
            "timeUnixNano": now,
            name: value,
        })
    };
    let (kind, data) = match values {
        Values::Counters(counts) => {
            let points =
                counts.iter().map(|(labels, n)| point(labels, "asInt", n.to_string().into()));
            let points: Vec<_> = points.collect();
            let sum = json!({
                "aggregationTemporality": CUMULATIVE, "isMonotonic": true, "dataPoints": points,
            });
            ("sum", sum)
        }
        Values::Gauges(values) => {
            let points =
                values.iter().map(|(labels, value)| point(labels, "asDouble", json!(value)));
            ("gauge", json!({ "dataPoints": points.collect::<Vec<_>>() }))
        }
        Values::Histogram(values) => {
            let points = [histogram(values, times)];
            let data = json!({ "aggregationTemporality": CUMULATIVE, "dataPoints": points });
            ("histogram", data)
        }
    };
    json!({ "name": name, "description": help, "unit": unit(name), kind: data })
}

fn histogram(values: &Histogram, (began, now): &(String, String)) -> Value {
    // As numbers, which every reader takes as well as texts; of a histogram, the types of the crate
    // opentelemetry-proto take them alone.
    let counts = values.ranges().map(|(_, count)| count);
    let bounds = values.ranges().map(|(end, _)| end).filter(|end| end.is_finite());
    json!({
        "attributes": [],
        "startTimeUnixNano": began,
        "timeUnixNano": now,
        "count": values.count(),
        "sum": values.sum(),
        "bucketCounts": counts.collect::<Vec<_>>(),
        "explicitBounds": bounds.collect::<Vec<_>>(),
    })
}

/// Its unit, as UCUM has it; the names end in it.
fn unit(name: &str) -> &'static str {
    if name.ends_with("_seconds") {
        "s"
    } else if name.ends_with("_bytes") {
        "By"
    } else {
        "1"
    }
}

fn attributes(labels: &Labels) -> Vec<Value> {
    labels.iter().map(|(name, value)| text(name, value)).collect()
}

fn text(name: &str, value: &str) -> Value {
    json!({ "key": name, "value": { "stringValue": value } })
}

fn nanos(time: SystemTime) -> String {
    let since: Duration = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    since.as_nanos().to_string()
}
