//! JSON encoding of OTLP: names in lowerCamelCase, 64-bit integers as strings, IDs as hexadecimal
//! digits, enumerations as numbers.

use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};

use crate::span::{Side, Span};

/// `SPAN_KIND_SERVER`.
const SERVER: u8 = 2;
/// `SPAN_KIND_CLIENT`.
const CLIENT: u8 = 3;
/// `STATUS_CODE_ERROR`.
const ERROR: u8 = 2;

/// Returns an `ExportTraceServiceRequest`. `resource` contains the attributes of the process.
pub fn traces(resource: &[(String, String)], spans: &[Span]) -> Value {
    let attribute = |(name, value): &(String, String)| json!({ "key": name, "value": { "stringValue": value } });
    let attributes: Vec<_> = resource.iter().map(attribute).collect();
    let scope = json!({ "name": "messaging", "version": env!("CARGO_PKG_VERSION") });
    let spans: Vec<_> = spans.iter().map(span).collect();
    json!({
        "resourceSpans": [{
            "resource": { "attributes": attributes },
            "scopeSpans": [{ "scope": scope, "spans": spans }],
        }],
    })
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

fn nanos(time: SystemTime) -> String {
    time.duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos().to_string()
}
