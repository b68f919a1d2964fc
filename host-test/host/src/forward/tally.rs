//! Outcomes of deliveries: counted, and logged through a throttle.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use messaging_inbox::Histogram;

use crate::throttle::Throttle;

/// Number of deliveries since the start, by their ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outcomes {
    /// Taken by the receiver.
    pub delivered: u64,
    /// Failures that count against the event, and after which it is tried again.
    pub failed: u64,
    /// Ends that count against no event, for the receiver need not have seen it; it is tried
    /// again.
    pub not_reached: u64,
    /// Failures with which the event became dead.
    pub dead: u64,
    /// Ends that could not be stored; the event is tried again when its lease has run out.
    pub unstored: u64,
}

/// Times from the store's answer to a delivery until the receiver took the event, in seconds.
const LAG_SECONDS: [f64; 10] = [0.01, 0.05, 0.1, 0.5, 1.0, 5.0, 30.0, 300.0, 3_600.0, 86_400.0];

/// Counters of a forwarder, for whoever shows them.
#[derive(Clone)]
pub struct ForwardTally(pub(super) Arc<Tally>);

impl ForwardTally {
    /// Returns the number of deliveries since the start, by their ends.
    #[must_use]
    pub fn outcomes(&self) -> Outcomes {
        self.0.outcomes()
    }

    /// Returns the seconds from the store's answer to a delivery until the receiver took the
    /// event.
    #[must_use]
    pub fn lags(&self) -> Histogram {
        self.0.lags()
    }
}

/// End of a delivery.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    Delivered,
    Failed,
    NotReached,
    Dead,
    Unstored,
}

/// Lines about ends that are held back together.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Line {
    Failures,
    Deaths,
}

/// The counters, and when lines were logged.
pub(super) struct Tally {
    counts: [AtomicU64; 5],
    lag: Mutex<Histogram>,
    lines: Throttle<Line>,
}

impl Default for Tally {
    fn default() -> Self {
        Self {
            counts: Default::default(),
            lag: Mutex::new(Histogram::new(&LAG_SECONDS)),
            lines: Throttle::default(),
        }
    }
}

impl Tally {
    /// Counts an end; `Some` where a line about it is due, with the number of those of its sort
    /// that were held back since the last one.
    pub(super) fn note(&self, end: End) -> Option<u64> {
        let [delivered, failed, not_reached, dead, unstored] = &self.counts;
        let (count, line) = match end {
            End::Delivered => (delivered, None),
            End::Failed => (failed, Some(Line::Failures)),
            End::NotReached => (not_reached, Some(Line::Failures)),
            End::Dead => (dead, Some(Line::Deaths)),
            End::Unstored => (unstored, Some(Line::Failures)),
        };
        count.fetch_add(1, Ordering::Relaxed);
        self.lines.admit(line?)
    }

    /// Notes that an event was taken `now`. A clock that was set back shows no lag.
    pub(super) fn delivered(&self, received_at_ms: i64, now_ms: i64) {
        self.note(End::Delivered);
        let lag = u64::try_from(now_ms.saturating_sub(received_at_ms)).unwrap_or(0);
        let mut lags = self.lag.lock().unwrap_or_else(PoisonError::into_inner);
        lags.observe(Duration::from_millis(lag).as_secs_f64());
    }

    pub(super) fn lags(&self) -> Histogram {
        self.lag.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(super) fn outcomes(&self) -> Outcomes {
        let [delivered, failed, not_reached, dead, unstored] =
            self.counts.each_ref().map(|count| count.load(Ordering::Relaxed));
        Outcomes { delivered, failed, not_reached, dead, unstored }
    }
}
