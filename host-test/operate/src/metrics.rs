//! Metrics in Prometheus' text format (OpenMetrics 1.0): counters of others, read when somebody
//! asks.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use messaging_host::Host;
use messaging_host::forward::ForwardTally;
use messaging_host::serve;
use messaging_inbox::{Activity, Counts, Histogram, Store, Summary};
use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, text};
use prometheus_client::metrics::MetricType;
use prometheus_client::registry::Registry;

use crate::flow::Sample;

/// Time limit of the write that is tried.
const PATIENCE: Duration = Duration::from_secs(2);

/// Where the counters are.
#[derive(Clone)]
pub struct Sources {
    /// The inbox.
    pub store: Store,
    /// The server that takes deliveries.
    pub deliveries: Arc<serve::Counts>,
    /// The engine of its component.
    pub host: Host,
    /// The forwarder, if there is one.
    pub forward: Option<ForwardTally>,
}

impl Sources {
    /// The counters of the flow, now.
    pub(crate) fn sample(&self) -> Sample {
        let Activity { puts, done, failed, dead, .. } = self.store.activity();
        let answered = self.deliveries.answered();
        Sample {
            stored: puts.stored,
            duplicates: puts.duplicates,
            conflicts: puts.conflicts,
            replays: puts.replays,
            refused: answered.iter().filter(|(status, _)| **status != 200).map(|(_, n)| n).sum(),
            done,
            failed,
            dead,
        }
    }

    /// Everything, as text. Where the inbox cannot be read, without what stands in it.
    pub(crate) async fn text(&self) -> String {
        let ready = tokio::time::timeout(PATIENCE, self.store.probe()).await;
        let snapshot = Snapshot {
            sources: self.clone(),
            summary: self.store.summary().await.ok(),
            ready: matches!(ready, Ok(Ok(()))),
            activity: self.store.activity(),
            now_ms: self.store.now_ms(),
            resident: memory_stats::memory_stats().map(|stats| stats.physical_mem),
        };
        let mut registry = Registry::default();
        registry.register_collector(Box::new(snapshot));
        let mut text = String::new();
        // Writing to a string does not fail.
        let _ = text::encode(&mut text, &registry);
        text
    }
}

/// Counters at one moment.
struct Snapshot {
    sources: Sources,
    summary: Option<Summary>,
    ready: bool,
    activity: Activity,
    now_ms: i64,
    resident: Option<usize>,
}

impl fmt::Debug for Snapshot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Snapshot")
    }
}

impl Collector for Snapshot {
    fn encode(&self, encoder: DescriptorEncoder<'_>) -> fmt::Result {
        let mut write = Write(encoder);
        let answered = self.sources.deliveries.answered();
        let answered = answered.iter().map(|(status, count)| (status.to_string(), *count));
        write.counters(
            "messaging_deliveries",
            "Deliveries, by the status that they were answered with",
            "status",
            answered,
        )?;
        let puts = self.activity.puts;
        let outcomes = [
            ("stored", puts.stored),
            ("duplicate", puts.duplicates),
            ("conflict", puts.conflicts),
            ("replayed", puts.replays),
        ];
        write.counters(
            "messaging_events_put",
            "Events that deliveries brought, by what became of them",
            "outcome",
            outcomes.map(|(outcome, count)| (outcome.to_string(), count)),
        )?;
        write.counters(
            "messaging_events_settled",
            "Ends of attempts of workers and of the forwarder",
            "outcome",
            [
                ("done".to_string(), self.activity.done),
                ("failed".to_string(), self.activity.failed),
                ("dead".to_string(), self.activity.dead),
            ],
        )?;
        if let Some(summary) = self.summary {
            self.inbox(&mut write, summary)?;
        }
        write.gauge(
            "messaging_ready",
            "1 where the inbox accepts a write, else 0",
            f64::from(u8::from(self.ready)),
        )?;
        write.histogram(
            "messaging_commit_seconds",
            "Time of a commit of the inbox",
            &self.activity.commit_seconds,
        )?;
        write.histogram(
            "messaging_commit_requests",
            "Requests that shared a commit",
            &self.activity.commit_requests,
        )?;
        if let Some(forward) = &self.sources.forward {
            let outcomes = forward.outcomes();
            write.counters(
                "messaging_forwards",
                "Attempts to forward an event, by their ends",
                "outcome",
                [
                    ("accepted".to_string(), outcomes.delivered),
                    ("failed".to_string(), outcomes.failed),
                    ("not-reached".to_string(), outcomes.not_reached),
                    ("dead".to_string(), outcomes.dead),
                ],
            )?;
            write.histogram(
                "messaging_forward_lag_seconds",
                "Time from a delivery's answer until the receiver took its event",
                &forward.lags(),
            )?;
        }
        write.gauge(
            "messaging_connections",
            "Open connections of senders",
            count(self.sources.deliveries.connections()),
        )?;
        write.gauge(
            "messaging_deliveries_under_way",
            "Deliveries that are not answered yet",
            count(self.sources.deliveries.under_way()),
        )?;
        if let Some(instances) = self.sources.host.instances() {
            write.gauge(
                "messaging_instances",
                "Instances of the webhook component",
                count(usize::try_from(instances).unwrap_or(usize::MAX)),
            )?;
        }
        match self.resident {
            Some(bytes) => {
                write.gauge("process_resident_memory_bytes", "Memory of this process", count(bytes))
            }
            None => Ok(()),
        }
    }
}

impl Snapshot {
    fn inbox(&self, write: &mut Write<'_>, summary: Summary) -> fmt::Result {
        let Counts { pending, leased, done, quarantined, dead } = summary.counts;
        let states = [
            ("pending", pending),
            ("leased", leased),
            ("done", done),
            ("quarantined", quarantined),
            ("dead", dead),
        ];
        write.gauges("messaging_events", "Events in the inbox", "state", states)?;
        let age = summary.oldest_open_ms.map_or(0, |oldest| self.now_ms.saturating_sub(oldest));
        let age = u64::try_from(age).unwrap_or(0);
        write.gauge(
            "messaging_oldest_waiting_seconds",
            "Age of the oldest event that is pending or leased; 0 where there is none",
            Duration::from_millis(age).as_secs_f64(),
        )
    }
}

/// As a gauge has it; exact below 2^53.
#[expect(clippy::cast_precision_loss, reason = "a gauge is a float")]
fn count(count: usize) -> f64 {
    count as f64
}

struct Write<'a>(DescriptorEncoder<'a>);

impl Write<'_> {
    fn counters(
        &mut self,
        name: &str,
        help: &str,
        label: &str,
        counts: impl IntoIterator<Item = (String, u64)>,
    ) -> fmt::Result {
        let mut metric = self.0.encode_descriptor(name, help, None, MetricType::Counter)?;
        for (value, count) in counts {
            let labels = [(label, value.as_str())];
            let mut family = metric.encode_family(&labels)?;
            family.encode_counter::<[(&str, &str); 0], _, u64>(&count, None)?;
        }
        Ok(())
    }

    fn gauges<const N: usize>(
        &mut self,
        name: &str,
        help: &str,
        label: &str,
        values: [(&str, u64); N],
    ) -> fmt::Result {
        let mut metric = self.0.encode_descriptor(name, help, None, MetricType::Gauge)?;
        for (value, count) in values {
            let labels = [(label, value)];
            metric.encode_family(&labels)?.encode_gauge(&count)?;
        }
        Ok(())
    }

    fn gauge(&mut self, name: &str, help: &str, value: f64) -> fmt::Result {
        let mut metric = self.0.encode_descriptor(name, help, None, MetricType::Gauge)?;
        metric.encode_gauge(&value)
    }

    fn histogram(&mut self, name: &str, help: &str, values: &Histogram) -> fmt::Result {
        let mut metric = self.0.encode_descriptor(name, help, None, MetricType::Histogram)?;
        let ranges: Vec<_> = values.ranges().collect();
        let all = ranges.iter().fold(0_u64, |all, (_, count)| all.saturating_add(*count));
        metric.encode_histogram::<[(&str, &str); 0]>(values.sum(), all, &ranges, None)
    }
}
