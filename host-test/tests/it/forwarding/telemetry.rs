//! Metrics and traces at a collector, over OTLP's JSON encoding.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::engine::{Answer, Engine};
use super::receiver::PARENT;
use super::{serve, wait_for};
use crate::process::{Place, body, exchange, request};

/// The members of this name, wherever they are.
fn all<'a>(value: &'a Value, name: &str, found: &mut Vec<&'a Value>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| all(item, name, found)),
        Value::Object(members) => {
            for (key, value) in members {
                if key == name {
                    found.push(value);
                }
                all(value, name, found);
            }
        }
        _ => {}
    }
}

fn flat<'a>(exports: &'a [Value], name: &str) -> Vec<&'a Value> {
    let mut found = Vec::new();
    exports.iter().for_each(|export| all(export, name, &mut found));
    found.into_iter().flat_map(|list| list.as_array().unwrap()).collect()
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn a_collector_gets_a_delivery_and_its_way_on_as_one_trace_and_the_counters() {
    let place = Place::new();
    let mut engine = Engine::start([Answer::Status(500, "")]).await;
    // The first export is to be repeated.
    let mut collector = Engine::start([Answer::Status(503, "")]).await;
    let endpoint = collector.url.replace("/trigger?token=canary-token", "/below/");
    let settings = [
        ("RUST_LOG", "trace"),
        ("OTEL_EXPORTER_OTLP_HEADERS", "authorization=Bearer%20canary-token"),
        ("OTEL_RESOURCE_ATTRIBUTES", "deployment.environment=test"),
        ("OTEL_METRIC_EXPORT_INTERVAL", "100"),
    ];
    let options = ["--otlp", &endpoint];
    let mut serving = serve(&place, &engine, &options, &settings);
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
    wait_for(&place, &["--state", "done"], 3);
    serving.terminate();
    serving.wait();

    let (mut traces, mut metrics) = (Vec::new(), Vec::new());
    while let Ok(received) = collector.received.try_recv() {
        assert_eq!(received.all("authorization"), ["Bearer canary-token"]);
        assert_eq!(received.all("content-type"), ["application/json"]);
        let export: Value = serde_json::from_slice(&received.body).unwrap();
        let path = received.head.split(' ').nth(1).unwrap();
        match path {
            "/below/v1/traces" => traces.push(export),
            "/below/v1/metrics" => metrics.push(export),
            path => panic!("{path}"),
        }
    }
    let service = json!({ "key": "service.name", "value": { "stringValue": "messaging-webhook" } });
    assert!(
        traces[0]["resourceSpans"][0]["resource"]["attributes"]
            .as_array()
            .unwrap()
            .contains(&service)
    );
    let mut spans = flat(&traces, "spans");
    // Those of the refused export came twice.
    let mut seen = BTreeSet::new();
    spans.retain(|span| seen.insert(span["spanId"].as_str().unwrap()));
    let of = |name: &str, trace: &str| -> Vec<&Value> {
        let is = |span: &&&Value| span["name"] == name && span["traceId"] == trace;
        spans.iter().filter(is).copied().collect()
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
    assert_eq!(spans.len(), 5, "nothing of the trace that nobody records");

    let last = flat(&metrics[metrics.len() - 1..], "metrics");
    let metric = |name: &str| last.iter().find(|metric| metric["name"] == name).unwrap();
    let put = &metric("messaging_events_put")["sum"];
    let stored = json!([{ "key": "outcome", "value": { "stringValue": "stored" } }]);
    let points = put["dataPoints"].as_array().unwrap();
    let point = points.iter().find(|point| point["attributes"] == stored).unwrap();
    assert_eq!((&point["asInt"], &put["aggregationTemporality"]), (&json!("3"), &json!(2)));
    let commits = &metric("messaging_commit_seconds")["histogram"]["dataPoints"][0];
    let (counts, bounds) = (&commits["bucketCounts"], &commits["explicitBounds"]);
    assert_eq!(counts.as_array().unwrap().len(), bounds.as_array().unwrap().len() + 1);
    let log = serving.log();
    assert!(log.contains("could not be exported") && log.contains("exported again"), "{log}");
    assert!(!log.contains("canary-"), "{log}");
}

#[tokio::test]
async fn what_a_collector_leaves_out_is_logged_now_and_then() {
    let place = Place::new();
    let engine = Engine::start([]).await;
    let mut collector = Engine::start([]).await;
    let said = r#"{"partialSuccess":{"rejectedDataPoints":"7","errorMessage":"over the quota"}}"#;
    collector.does(Answer::Status(200, said));
    let endpoint = collector.url.replace("/trigger?token=canary-token", "");
    let options = ["--otlp", &endpoint];
    let settings = [("OTEL_METRIC_EXPORT_INTERVAL", "100")];
    let mut serving = serve(&place, &engine, &options, &settings);
    let begun = std::time::Instant::now();
    for _ in 0..5 {
        collector.next().await;
    }
    serving.logged("over the quota").await;
    let quiets = usize::try_from(begun.elapsed().as_secs() / 10).unwrap();
    serving.kill();
    let log = serving.log();
    let lines: Vec<_> = log.lines().filter(|line| line.contains("over the quota")).collect();
    assert!((1..=1 + quiets).contains(&lines.len()), "{log}");
    assert!(lines[0].contains("WARN") && lines[0].contains("rejected=7"), "{log}");
}

#[tokio::test]
async fn a_stop_does_not_wait_for_a_collector_that_hangs() {
    let place = Place::new();
    let engine = Engine::start([]).await;
    let collector = Engine::start([]).await;
    collector.does(Answer::Never);
    let endpoint = collector.url.replace("/trigger?token=canary-token", "");
    let options = ["--otlp", &endpoint];
    let mut serving = serve(&place, &engine, &options, &[]);
    let request = request("/", "", "a", &body("a"));
    assert_eq!(exchange(serving.address, request.as_bytes()).await.status, 200);
    let begun = std::time::Instant::now();
    #[cfg(unix)]
    serving.terminate();
    serving.wait();
    assert!(begun.elapsed() < std::time::Duration::from_secs(5), "{:?}", begun.elapsed());
}
