//! Outcomes of deliveries: counted, and logged through a throttle.

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

/// Counters of a forwarder, for whoever shows them. Clones share them.
#[derive(Clone)]
pub struct ForwardTally(Arc<Counters>);

struct Counters {
    outcomes: Mutex<Outcomes>,
    lags: Mutex<Histogram>,
    lines: Throttle<bool>,
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

impl ForwardTally {
    pub(super) fn new() -> Self {
        Self(Arc::new(Counters {
            outcomes: Mutex::default(),
            lags: Mutex::new(Histogram::new(&LAG_SECONDS)),
            lines: Throttle::default(),
        }))
    }

    /// Counts an end; `Some` where a line about it is due, with the number of those of its sort
    /// that were held back since the last one. Deaths are a sort of their own.
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

    /// Notes that an event was taken `now`. A clock that was set back shows no lag.
    pub(super) fn delivered(&self, received_at_ms: i64, now_ms: i64) {
        self.note(End::Delivered);
        let lag = u64::try_from(now_ms.saturating_sub(received_at_ms)).unwrap_or(0);
        let mut lags = self.0.lags.lock().unwrap_or_else(PoisonError::into_inner);
        lags.observe(Duration::from_millis(lag).as_secs_f64());
    }

    /// Returns the number of deliveries since the start, by their ends.
    #[must_use]
    pub fn outcomes(&self) -> Outcomes {
        *self.0.outcomes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the seconds from the store's answer to a delivery until the receiver took the
    /// event.
    #[must_use]
    pub fn lags(&self) -> Histogram {
        self.0.lags.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
