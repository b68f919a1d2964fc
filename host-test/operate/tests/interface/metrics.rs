//! Tests of the metrics.

use super::*;

#[tokio::test]
async fn metrics_token_reads_only_metrics() {
    let listeners = Listeners::start().await;
    for (path, accept, status, kind) in [
        ("/metrics", "*/*", 200, "application/openmetrics-text"),
        (
            "/metrics",
            "application/openmetrics-text;q=0.8,text/plain;q=0.5",
            200,
            "application/openmetrics-text",
        ),
        ("/metrics", "text/plain", 200, "text/plain; version=0.0.4"),
        ("/v1/overview", "*/*", 401, "application/problem+json"),
        ("/v1/events", "*/*", 401, "application/problem+json"),
        ("/metrics/", "*/*", 401, "application/problem+json"),
    ] {
        let (found, found_kind, _) = listeners.with_metrics_token(path, accept).await;
        assert_eq!(found, status, "{path} {accept}");
        assert!(found_kind.starts_with(kind), "{path} {accept}: {found_kind}");
    }
}

/// `promtool check metrics` compares the names in comments with the names of samples.
#[tokio::test]
async fn plain_text_names_counters_with_total() {
    let listeners = Listeners::start().await;
    for (accept, name) in
        [("*/*", "messaging_events_put"), ("text/plain", "messaging_events_put_total")]
    {
        let (_, _, text) = listeners.with_metrics_token("/metrics", accept).await;
        let lines = [
            format!("# HELP {name} Delivered"),
            format!("# TYPE {name} counter"),
            "messaging_events_put_total{outcome=\"stored\"} 0".into(),
            "# TYPE messaging_ready gauge".into(),
        ];
        for line in lines {
            assert!(text.contains(&line), "{accept}: no {line} in {text}");
        }
    }
}
