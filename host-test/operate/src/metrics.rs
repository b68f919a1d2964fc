//! Metrics in the text format of Prometheus (OpenMetrics 1.0). Counters are read on each request.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use messaging_host::Host;
use messaging_inbox::{Activity, Histogram, Store, Summary};
use messaging_server::forward::ForwardTally;
use messaging_server::serve;
use prometheus_client::collector::Collector;
use prometheus_client::encoding::{
    DescriptorEncoder, EncodeLabelSet, EncodeMetric, NoLabelSet, text,
};
use prometheus_client::metrics::MetricType;
use prometheus_client::metrics::counter::ConstCounter;
use prometheus_client::registry::Registry;

use crate::events;
use crate::flow::Sample;
use crate::sends::Sends;

/// Timeout of the write probe.
const TIMEOUT: Duration = Duration::from_secs(2);

/// Sources of the metrics.
#[derive(Clone)]
pub struct Sources {
    /// The inbox.
    pub store: Store,
    /// The server that receives deliveries.
    pub deliveries: Arc<serve::Counts>,
    /// The engine of the webhook component.
    pub host: Host,
    /// The forwarder. `None` if events are not forwarded.
    pub forward: Option<ForwardTally>,
    /// The sends of a journal. `None` if there is no journal.
    pub sends: Option<Sends>,
}

impl Sources {
    /// Returns the current values of the event counters.
    pub(crate) fn sample(&self) -> Sample {
        let Activity { puts, done, failed, dead, .. } = self.store.activity();
        let answered = self.deliveries.answered();
        let refused = answered.iter().filter(|(status, _)| **status != 200).map(|(_, n)| n).sum();
        [
            ("stored", puts.stored),
            ("duplicates", puts.duplicates),
            ("conflicts", puts.conflicts),
            ("replays", puts.replays),
            ("refused", refused),
            ("done", done),
            ("failed", failed),
            ("dead", dead),
        ]
    }

    /// Returns all metrics as text. Omits the figures of the inbox if the inbox is unreadable.
    pub(crate) async fn text(&self) -> String {
        let ready = tokio::time::timeout(TIMEOUT, self.store.probe()).await;
        let snapshot = Snapshot {
            sources: self.clone(),
            is_ready: matches!(ready, Ok(Ok(()))),
            summary: self.store.summary().await.ok(),
        };
        let mut registry = Registry::default();
        registry.register_collector(Box::new(snapshot));
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = text::encode(&mut text, &registry);
        text
    }
}

/// Converts OpenMetrics to plain text (version 0.0.4), in which the comments of a counter have its
/// whole name with `_total`.
pub(crate) fn plain(text: &str) -> String {
    let name = |line: &str| Some(line.strip_prefix("# ")?.split(' ').nth(1)?.to_string());
    let is_counter = |line: &&str| line.starts_with("# TYPE ") && line.ends_with(" counter");
    let counters: Vec<_> = text.lines().filter(is_counter).filter_map(name).collect();
    let mut plain = String::with_capacity(text.len());
    for line in text.lines() {
        match name(line).filter(|name| counters.contains(name)) {
            Some(name) => plain.push_str(&line.replacen(&name, &format!("{name}_total"), 1)),
            None => plain.push_str(line),
        }
        plain.push('\n');
    }
    plain
}

/// The counters, and the figures of the inbox at the time of a request.
struct Snapshot {
    sources: Sources,
    is_ready: bool,
    summary: Option<Summary>,
}

impl fmt::Debug for Snapshot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Snapshot")
    }
}

impl Collector for Snapshot {
    fn encode(&self, to: DescriptorEncoder<'_>) -> fmt::Result {
        let mut to = Metrics(to);
        let Self { sources, is_ready, summary } = self;
        let Sources { store, deliveries, host, forward, sends } = sources;
        let answered = deliveries.answered();
        let answered = answered.iter().map(|(status, count)| ([("status", *status)], *count));
        to.counters(
            "messaging_deliveries",
            "Answered deliveries, by the status of the response",
            answered,
        )?;
        let Activity { puts, done, failed, dead, commit_seconds, commit_requests } =
            store.activity();
        to.outcomes(
            "messaging_events_put",
            "Delivered events, by result",
            [
                ("stored", puts.stored),
                ("duplicate", puts.duplicates),
                ("conflict", puts.conflicts),
                ("replayed", puts.replays),
            ],
        )?;
        to.outcomes(
            "messaging_events_settled",
            "Attempts of workers and the forwarder to process an event, by result",
            [("done", done), ("failed", failed), ("dead", dead)],
        )?;
        if let Some(summary) = summary {
            to.states("messaging_events", "Events in the inbox", events::states(summary.counts))?;
            let oldest = summary.oldest_open_ms;
            to.gauge(
                "messaging_oldest_waiting_seconds",
                "Age of the oldest event that is pending or leased; 0 if none exists",
                seconds(oldest.map_or(0, |oldest| store.now_ms().saturating_sub(oldest))),
            )?;
        }
        if let Some(count) = sends.as_ref().map(Sends::count)
            && let Some(age) = count.age_ms()
        {
            to.states(
                "messaging_sends",
                "Keys in the journal of sends at its last count",
                count.states(),
            )?;
            to.gauge(
                "messaging_oldest_unknown_send_seconds",
                "Age of the oldest send whose outcome is unknown; 0 if none exists",
                seconds(count.oldest_unknown_ms().unwrap_or(0)),
            )?;
            to.gauge(
                "messaging_sends_count_age_seconds",
                "Time since the last count of the journal of sends",
                seconds(age),
            )?;
        }
        to.gauge(
            "messaging_ready",
            "1 if the inbox accepts a write, else 0",
            f64::from(u8::from(*is_ready)),
        )?;
        to.histogram(
            "messaging_commit_seconds",
            "Duration of a commit of the inbox",
            &commit_seconds,
        )?;
        to.histogram(
            "messaging_commit_requests",
            "Number of requests in each commit",
            &commit_requests,
        )?;
        if let Some(forward) = forward {
            let outcomes = forward.outcomes();
            to.outcomes(
                "messaging_forwards",
                "Attempts to forward an event, by outcome",
                [
                    ("accepted", outcomes.delivered),
                    ("failed", outcomes.failed),
                    ("not-reached", outcomes.not_reached),
                    ("dead", outcomes.dead),
                ],
            )?;
            to.histogram(
                "messaging_forward_lag_seconds",
                "Time from the answer to a delivery until the receiver accepts its event",
                &forward.lags(),
            )?;
        }
        let calls = host.calls().counts();
        if !calls.is_empty() {
            let calls = calls.into_iter();
            to.counters(
                "messaging_calls",
                "Calls of the plugin, by function and outcome",
                calls
                    .map(|count| ([("function", count.function), ("end", count.end)], count.calls)),
            )?;
        }
        to.gauge(
            "messaging_connections",
            "Open connections of event sources",
            float(deliveries.connections()),
        )?;
        to.gauge(
            "messaging_deliveries_under_way",
            "Deliveries that are not answered yet",
            float(deliveries.under_way()),
        )?;
        if let Some(instances) = host.instances() {
            let help = "Component instances in use";
            to.gauge("messaging_instances", help, float(instances))?;
        }
        if let Some(memory) = memory_stats::memory_stats() {
            let help = "Memory of this process";
            to.gauge("process_resident_memory_bytes", help, float(memory.physical_mem))?;
        }
        Ok(())
    }
}

/// An encoder of metrics. Counters and histograms start at 0 with the process.
struct Metrics<'a>(DescriptorEncoder<'a>);

impl Metrics<'_> {
    fn counters<L: EncodeLabelSet>(
        &mut self,
        name: &str,
        help: &str,
        counts: impl IntoIterator<Item = (L, u64)>,
    ) -> fmt::Result {
        let mut metric = self.0.encode_descriptor(name, help, None, MetricType::Counter)?;
        for (labels, count) in counts {
            ConstCounter::new(count).encode(metric.encode_family(&labels)?)?;
        }
        Ok(())
    }

    fn outcomes<const N: usize>(
        &mut self,
        name: &str,
        help: &str,
        counts: [(&str, u64); N],
    ) -> fmt::Result {
        self.counters(name, help, counts.map(|(outcome, count)| ([("outcome", outcome)], count)))
    }

    fn states<const N: usize>(
        &mut self,
        name: &str,
        help: &str,
        counts: [(&str, u64); N],
    ) -> fmt::Result {
        let mut metric = self.0.encode_descriptor(name, help, None, MetricType::Gauge)?;
        for (state, count) in counts {
            metric.encode_family(&[("state", state)])?.encode_gauge(&float(count))?;
        }
        Ok(())
    }

    fn gauge(&mut self, name: &str, help: &str, value: f64) -> fmt::Result {
        self.0.encode_descriptor(name, help, None, MetricType::Gauge)?.encode_gauge(&value)
    }

    fn histogram(&mut self, name: &str, help: &str, values: &Histogram) -> fmt::Result {
        let ranges: Vec<_> = values.ranges().collect();
        let mut metric = self.0.encode_descriptor(name, help, None, MetricType::Histogram)?;
        metric.encode_histogram::<NoLabelSet>(values.sum(), values.count(), &ranges, None)
    }
}

fn seconds(ms: i64) -> f64 {
    Duration::from_millis(u64::try_from(ms).unwrap_or(0)).as_secs_f64()
}

/// Converts a count to a gauge value. Exact below 2^53.
#[expect(clippy::cast_precision_loss, reason = "a gauge is a float")]
fn float(count: impl TryInto<u64>) -> f64 {
    count.try_into().unwrap_or(u64::MAX) as f64
}
