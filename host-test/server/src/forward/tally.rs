//! Counters of delivery outcomes, and the rate limit of their log lines.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use messaging_inbox::Histogram;

use messaging_inbox::Throttle;

/// Number of deliveries since the start, by outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outcomes {
    /// Deliveries that the receiver accepted.
    pub delivered: u64,
    /// Failures that count against the event. The event is retried.
    pub failed: u64,
    /// Attempts that do not count, because the receiver may not have seen the event. The event is
    /// retried.
    pub not_reached: u64,
    /// Failures after which the event is dead.
    pub dead: u64,
    /// Deliveries whose outcome could not be stored. The event is retried after its lease ends.
    pub unstored: u64,
}

/// Bucket limits of the time between storing an event and its acceptance by the receiver, in
/// seconds.
const LAG_SECONDS: [f64; 10] = [0.01, 0.05, 0.1, 0.5, 1.0, 5.0, 30.0, 300.0, 3_600.0, 86_400.0];

/// Counters of a forwarder. Clones share them.
#[derive(Clone)]
pub struct ForwardTally(Arc<Counters>);

struct Counters {
    outcomes: Mutex<Outcomes>,
    lags: Mutex<Histogram>,
    lines: Throttle<bool>,
}

/// Outcome of a delivery.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    Delivered,
    Failed,
    NotReached,
    Dead,
    Unstored,
}

impl ForwardTally {
    pub(super) fn new() -> Self {
        Self(Arc::new(Counters {
            outcomes: Mutex::default(),
            lags: Mutex::new(Histogram::new(&LAG_SECONDS)),
            lines: Throttle::default(),
        }))
    }

    /// Counts an outcome. Returns `Some` if a log line is due, with the number of lines that were
    /// suppressed since the last log line. Dead events have a separate rate limit.
    pub(super) fn note(&self, end: End) -> Option<u64> {
        {
            let mut outcomes = self.0.outcomes.lock().unwrap_or_else(PoisonError::into_inner);
            let count = match end {
                End::Delivered => &mut outcomes.delivered,
                End::Failed => &mut outcomes.failed,
                End::NotReached => &mut outcomes.not_reached,
                End::Dead => &mut outcomes.dead,
                End::Unstored => &mut outcomes.unstored,
            };
            *count = count.saturating_add(1);
        }
        if end == End::Delivered { None } else { self.0.lines.admit(end == End::Dead) }
    }

    /// Counts an accepted event and its lag. The lag is zero if the clock was set back.
    pub(super) fn delivered(&self, received_at_ms: i64, now_ms: i64) {
        self.note(End::Delivered);
        let lag = u64::try_from(now_ms.saturating_sub(received_at_ms)).unwrap_or(0);
        let mut lags = self.0.lags.lock().unwrap_or_else(PoisonError::into_inner);
        lags.observe(Duration::from_millis(lag).as_secs_f64());
    }

    /// Returns the number of deliveries since the start, by outcome.
    pub fn outcomes(&self) -> Outcomes {
        *self.0.outcomes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the times between storing an event and its acceptance by the receiver, in seconds.
    pub fn lags(&self) -> Histogram {
        self.0.lags.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
