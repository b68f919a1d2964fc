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
use crate::sends::Sends;

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
    /// The sends of a journal, if one is to be shown.
    pub sends: Option<Sends>,
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
        let mut registry = Registry::default();
        registry.register_collector(Box::new(Snapshot(self.metrics().await)));
        let mut text = String::new();
        // Writing to a string does not fail.
        let _ = text::encode(&mut text, &registry);
        text
    }

    /// Everything at this moment.
    pub(crate) async fn metrics(&self) -> Vec<Metric> {
        let ready = tokio::time::timeout(PATIENCE, self.store.probe()).await;
        let ready = matches!(ready, Ok(Ok(())));
        let answered = self.deliveries.answered();
        let answered = answered.iter().map(|(status, count)| (status.to_string(), *count));
        let Activity { puts, done, failed, dead, commit_seconds, commit_requests } =
            self.store.activity();
        let mut all = vec![
            counters(
                "messaging_deliveries",
                "Deliveries, by the status that they were answered with",
                "status",
                answered,
            ),
            counters(
                "messaging_events_put",
                "Events that deliveries brought, by what became of them",
                "outcome",
                [
                    ("stored", puts.stored),
                    ("duplicate", puts.duplicates),
                    ("conflict", puts.conflicts),
                    ("replayed", puts.replays),
                ],
            ),
            counters(
                "messaging_events_settled",
                "Ends of attempts of workers and of the forwarder",
                "outcome",
                [("done", done), ("failed", failed), ("dead", dead)],
            ),
        ];
        if let Ok(summary) = self.store.summary().await {
            all.extend(of_inbox(summary, self.store.now_ms()));
        }
        if let Some(sends) = &self.sends {
            all.extend(of_sends(sends));
        }
        all.extend([
            gauge(
                "messaging_ready",
                "1 where the inbox accepts a write, else 0",
                f64::from(u8::from(ready)),
            ),
            histogram("messaging_commit_seconds", "Time of a commit of the inbox", commit_seconds),
            histogram(
                "messaging_commit_requests",
                "Requests that shared a commit",
                commit_requests,
            ),
        ]);
        if let Some(forward) = &self.forward {
            let outcomes = forward.outcomes();
            all.push(counters(
                "messaging_forwards",
                "Attempts to forward an event, by their ends",
                "outcome",
                [
                    ("accepted", outcomes.delivered),
                    ("failed", outcomes.failed),
                    ("not-reached", outcomes.not_reached),
                    ("dead", outcomes.dead),
                ],
            ));
            all.push(histogram(
                "messaging_forward_lag_seconds",
                "Time from a delivery's answer until the receiver took its event",
                forward.lags(),
            ));
        }
        let calls = self.host.calls().counts();
        if !calls.is_empty() {
            let values = calls.into_iter().map(|count| {
                let labels = vec![("function", count.function.into()), ("end", count.end.into())];
                (labels, count.calls)
            });
            let values = Values::Counters(values.collect());
            let help = "Calls of the plugin, by function and end";
            all.push(Metric { name: "messaging_calls", help, values });
        }
        all.extend([
            gauge(
                "messaging_connections",
                "Open connections of senders",
                count(self.deliveries.connections()),
            ),
            gauge(
                "messaging_deliveries_under_way",
                "Deliveries that are not answered yet",
                count(self.deliveries.under_way()),
            ),
        ]);
        if let Some(instances) = self.host.instances() {
            let instances = count(usize::try_from(instances).unwrap_or(usize::MAX));
            all.push(gauge(
                "messaging_instances",
                "Instances of components that are in use",
                instances,
            ));
        }
        if let Some(memory) = memory_stats::memory_stats() {
            let bytes = count(memory.physical_mem);
            all.push(gauge("process_resident_memory_bytes", "Memory of this process", bytes));
        }
        all
    }
}

fn of_inbox(summary: Summary, now_ms: i64) -> [Metric; 2] {
    let Counts { pending, leased, done, quarantined, dead } = summary.counts;
    let states = [
        ("pending", pending),
        ("leased", leased),
        ("done", done),
        ("quarantined", quarantined),
        ("dead", dead),
    ];
    let age = summary.oldest_open_ms.map_or(0, |oldest| now_ms.saturating_sub(oldest));
    [
        by_state("messaging_events", "Events in the inbox", states),
        gauge(
            "messaging_oldest_waiting_seconds",
            "Age of the oldest event that is pending or leased; 0 where there is none",
            seconds(age),
        ),
    ]
}

/// Figures of the journal; none before they were counted once.
fn of_sends(sends: &Sends) -> Vec<Metric> {
    let count = sends.count();
    let Some(age) = count.age_ms() else { return Vec::new() };
    vec![
        by_state(
            "messaging_sends",
            "Keys in the journal of sends, when it was counted last",
            count.states(),
        ),
        gauge(
            "messaging_oldest_unknown_send_seconds",
            "Age of the oldest send whose outcome is unknown; 0 where there is none",
            seconds(count.oldest_unknown_ms().unwrap_or(0)),
        ),
        gauge(
            "messaging_sends_count_age_seconds",
            "Time since the journal of sends was counted",
            seconds(age),
        ),
    ]
}

fn by_state<const N: usize>(
    name: &'static str,
    help: &'static str,
    states: [(&'static str, u64); N],
) -> Metric {
    let values = states.map(|(state, number)| {
        (vec![("state", state.into())], count(usize::try_from(number).unwrap_or(usize::MAX)))
    });
    Metric { name, help, values: Values::Gauges(values.into()) }
}

fn seconds(ms: i64) -> f64 {
    Duration::from_millis(u64::try_from(ms).unwrap_or(0)).as_secs_f64()
}

/// Names and values that tell the parts of a metric apart.
pub(crate) type Labels = Vec<(&'static str, String)>;

/// A metric at one moment.
#[derive(Debug)]
pub(crate) struct Metric {
    pub(crate) name: &'static str,
    pub(crate) help: &'static str,
    pub(crate) values: Values,
}

/// Its values. Counters and histograms count since the process started.
#[derive(Debug)]
pub(crate) enum Values {
    Counters(Vec<(Labels, u64)>),
    Gauges(Vec<(Labels, f64)>),
    Histogram(Histogram),
}

fn counters<L: Into<String>>(
    name: &'static str,
    help: &'static str,
    label: &'static str,
    counts: impl IntoIterator<Item = (L, u64)>,
) -> Metric {
    let counts = counts.into_iter().map(|(value, count)| (vec![(label, value.into())], count));
    Metric { name, help, values: Values::Counters(counts.collect()) }
}

fn gauge(name: &'static str, help: &'static str, value: f64) -> Metric {
    Metric { name, help, values: Values::Gauges(vec![(Vec::new(), value)]) }
}

fn histogram(name: &'static str, help: &'static str, values: Histogram) -> Metric {
    Metric { name, help, values: Values::Histogram(values) }
}

/// As a gauge has it; exact below 2^53.
#[expect(clippy::cast_precision_loss, reason = "a gauge is a float")]
fn count(count: usize) -> f64 {
    count as f64
}

/// Metrics as Prometheus has them.
#[derive(Debug)]
struct Snapshot(Vec<Metric>);

impl Collector for Snapshot {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> fmt::Result {
        for Metric { name, help, values } in &self.0 {
            let kind = match values {
                Values::Counters(_) => MetricType::Counter,
                Values::Gauges(_) => MetricType::Gauge,
                Values::Histogram(_) => MetricType::Histogram,
            };
            let mut metric = encoder.encode_descriptor(name, help, None, kind)?;
            match values {
                Values::Counters(values) => {
                    for (labels, count) in values {
                        let mut family = metric.encode_family(labels)?;
                        family.encode_counter::<[(&str, &str); 0], _, u64>(count, None)?;
                    }
                }
                Values::Gauges(values) => {
                    for (labels, value) in values {
                        metric.encode_family(labels)?.encode_gauge(value)?;
                    }
                }
                Values::Histogram(values) => {
                    let ranges: Vec<_> = values.ranges().collect();
                    let all = values.count();
                    metric.encode_histogram::<[(&str, &str); 0]>(
                        values.sum(),
                        all,
                        &ranges,
                        None,
                    )?;
                }
            }
        }
        Ok(())
    }
}
