//! Traces that are exported to a collector, in the JSON encoding of OTLP.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::engine::{Answer, Engine};
use super::receiver::PARENT;
use super::{serve, wait_for};
use crate::process::{Serving, TestStore, body, deliver, exchange, request};

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn delivery_and_forwards_are_one_trace() {
    let store = TestStore::new();
    let mut engine = Engine::start([Answer::Status(500, "")]).await;
    // The first export fails and must be retried.
    let mut collector = Engine::start([Answer::Status(503, "")]).await;
    let endpoint = collector.url.replace("/trigger?token=canary-token", "/below/");
    let settings = [
        ("RUST_LOG", "trace"),
        ("OTEL_EXPORTER_OTLP_HEADERS", "authorization=Bearer%20canary-token"),
        ("OTEL_RESOURCE_ATTRIBUTES", "deployment.environment=test"),
    ];
    let options = ["--otlp", &endpoint];
    let mut serving = serve(&store, &engine, &options, &settings);
    let deliver = async |key: &str, headers: &str| {
        let request = request("/", headers, key, &body(key));
        assert_eq!(exchange(serving.address, request.as_bytes()).await.status, 200);
    };
    deliver("traced", &format!("Traceparent: {PARENT}\r\nTracestate: rojo=1\r\n")).await;
    let [refused, taken] = [engine.next().await, engine.next().await];
    let unrecorded = PARENT.replace("-01", "-00");
    deliver("unrecorded", &format!("Traceparent: {unrecorded}\r\n")).await;
    let unrecorded = engine.next().await.all("traceparent")[0].to_string();
    assert!(unrecorded.starts_with(&PARENT[..36]) && unrecorded.ends_with("-00"), "{unrecorded}");
    deliver("untraced", "").await;
    let begun = engine.next().await.all("traceparent")[0].to_string();
    wait_for(&store, &["--state", "done"], 3);
    serving.terminate();
    serving.wait();

    let mut exports: Vec<Value> = Vec::new();
    while let Ok(received) = collector.received.try_recv() {
        assert_eq!(received.all("authorization"), ["Bearer canary-token"]);
        assert_eq!(received.all("content-type"), ["application/json"]);
        assert_eq!(received.head.split(' ').nth(1), Some("/below/v1/traces"));
        exports.push(serde_json::from_slice(&received.body).unwrap());
    }
    let service = json!({ "key": "service.name", "value": { "stringValue": "messaging-webhook" } });
    let attributes = &exports[0]["resourceSpans"][0]["resource"]["attributes"];
    assert!(attributes.as_array().unwrap().contains(&service), "{attributes}");
    let spans_of = |export: &Value| {
        export["resourceSpans"][0]["scopeSpans"][0]["spans"].as_array().unwrap().clone()
    };
    let mut spans: Vec<_> = exports.iter().flat_map(spans_of).collect();
    // The spans of the failed export arrived twice.
    let mut seen = BTreeSet::new();
    spans.retain(|span| seen.insert(span["spanId"].to_string()));
    let of = |name: &str, trace: &str| -> Vec<&Value> {
        let is = |span: &&Value| span["name"] == name && span["traceId"] == trace;
        spans.iter().filter(is).collect()
    };
    let trace = &PARENT[3..35];
    let (delivery, forwards) = (of("delivery", trace), of("forward", trace));
    assert_eq!((delivery.len(), forwards.len()), (1, 2), "{spans:#?}");
    assert_eq!(
        (&delivery[0]["parentSpanId"], &delivery[0]["kind"]),
        (&json!(&PARENT[36..52]), &json!(2))
    );
    assert_eq!(delivery[0]["traceState"], "rojo=1");
    for (forward, received, code) in [(0, &refused, json!(2)), (1, &taken, Value::Null)] {
        let forward = forwards[forward];
        assert_eq!(forward["parentSpanId"], delivery[0]["spanId"]);
        assert_eq!((&forward["kind"], &forward["status"]["code"]), (&json!(3), &code));
        let passed_on = format!("00-{trace}-{}-01", forward["spanId"].as_str().unwrap());
        assert_eq!(received.all("traceparent"), [passed_on.as_str()]);
    }
    assert_eq!(of("delivery", &begun[3..35])[0]["parentSpanId"], "");
    assert_eq!(spans.len(), 5, "a trace with flags 00 (not sampled) was exported");

    let log = serving.log();
    assert!(log.contains("could not be exported") && log.contains("exported again"), "{log}");
    assert!(!log.contains("canary-"), "{log}");
}

/// Starts a collector that always gives this answer, and a `serve` that has a span to export.
async fn traced(store: &TestStore, answer: Answer) -> (Engine, Serving) {
    let collector = Engine::start([]).await;
    collector.does(answer);
    let endpoint = collector.url.replace("/trigger?token=canary-token", "");
    let headers = ("OTEL_EXPORTER_OTLP_HEADERS", "authorization=Bearer%20canary-token");
    let serving = store.serve(&["--otlp", &endpoint], &[headers]);
    assert_eq!(deliver(serving.address, "a").await.status, 200);
    (collector, serving)
}

#[tokio::test]
async fn rejected_spans_are_logged_without_secrets() {
    let store = TestStore::new();
    let said = r#"{"partialSuccess":{"rejectedSpans":"7","errorMessage":"over the quota of canary-token"}}"#;
    let (_collector, serving) = traced(&store, Answer::Status(200, said)).await;
    serving.logged("over the quota").await;
    let log = serving.log();
    let line = log.lines().find(|line| line.contains("over the quota")).unwrap();
    assert!(line.contains("WARN") && line.contains("rejected=7"), "{log}");
    assert!(line.contains("of [redacted]") && !log.contains("canary-"), "{log}");
}

#[cfg(unix)]
#[tokio::test]
async fn stop_does_not_wait_for_hanging_collector() {
    let store = TestStore::new();
    let (_collector, mut serving) = traced(&store, Answer::Never).await;
    let begun = std::time::Instant::now();
    serving.terminate();
    serving.wait();
    assert!(begun.elapsed() < std::time::Duration::from_secs(5), "{:?}", begun.elapsed());
}
