//! Outcomes of deliveries: counted, and logged no more often than a person reads.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use messaging_inbox::Histogram;

/// Time for which lines of one sort are held back after one of them.
const QUIET: Duration = Duration::from_secs(10);

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

/// The counters, and when lines were logged.
pub(super) struct Tally {
    begun: Instant,
    counts: [AtomicU64; 5],
    lag: Mutex<Histogram>,
    failures: Mutex<Throttle>,
    deaths: Mutex<Throttle>,
}

impl Default for Tally {
    fn default() -> Self {
        Self {
            begun: Instant::now(),
            counts: Default::default(),
            lag: Mutex::new(Histogram::new(&LAG_SECONDS)),
            failures: Mutex::default(),
            deaths: Mutex::default(),
        }
    }
}

impl Tally {
    /// Counts an end; `Some` where a line about it is due, with the number of those of its sort
    /// that were held back since the last one.
    pub(super) fn note(&self, end: End) -> Option<u64> {
        let [delivered, failed, not_reached, dead, unstored] = &self.counts;
        let (count, throttle) = match end {
            End::Delivered => (delivered, None),
            End::Failed => (failed, Some(&self.failures)),
            End::NotReached => (not_reached, Some(&self.failures)),
            End::Dead => (dead, Some(&self.deaths)),
            End::Unstored => (unstored, Some(&self.failures)),
        };
        count.fetch_add(1, Ordering::Relaxed);
        let mut throttle = throttle?.lock().unwrap_or_else(PoisonError::into_inner);
        throttle.admit(self.begun.elapsed())
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

/// Lets one line through, and then none for a while.
#[derive(Debug, Default)]
struct Throttle {
    last: Option<Duration>,
    held_back: u64,
}

impl Throttle {
    fn admit(&mut self, now: Duration) -> Option<u64> {
        if self.last.is_some_and(|last| now.saturating_sub(last) < QUIET) {
            self.held_back = self.held_back.saturating_add(1);
            return None;
        }
        self.last = Some(now);
        Some(std::mem::take(&mut self.held_back))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flood_is_one_line_every_ten_seconds_that_says_how_many_were_left_out() {
        let mut throttle = Throttle::default();
        let lines: Vec<_> = (0..3_000_u64)
            .filter_map(|tenth| throttle.admit(Duration::from_millis(tenth * 10)))
            .collect();
        assert_eq!(lines, [0, 999, 999]);
    }
}
