//! Counters of the operations of this process on a store.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use super::model::Puts;

/// Counters of one store since this process opened it. All clones of the store share them.
#[derive(Clone, Debug)]
pub struct Activity {
    /// Number of `put` calls by outcome.
    pub puts: Puts,
    /// Number of events marked as done.
    pub done: u64,
    /// Number of attempts that failed because of the event and will be retried.
    pub failed: u64,
    /// Number of events that became dead.
    pub dead: u64,
    /// Durations of commits until they are durable, in seconds.
    pub commit_seconds: Histogram,
    /// Number of requests in each commit.
    pub commit_requests: Histogram,
}

impl Default for Activity {
    fn default() -> Self {
        Self {
            puts: Puts::default(),
            done: 0,
            failed: 0,
            dead: 0,
            commit_seconds: Histogram::new(&SECONDS),
            commit_requests: Histogram::new(&REQUESTS),
        }
    }
}

/// Counters that a store shares with its backend.
#[derive(Clone, Default)]
pub struct Counters(Arc<Mutex<Activity>>);

impl Counters {
    /// Counts a commit of this many requests.
    pub fn committed(&self, requests: usize, took: Duration) {
        self.note(|activity| {
            activity.commit_seconds.observe(took.as_secs_f64());
            activity.commit_requests.observe(u32::try_from(requests).unwrap_or(u32::MAX).into());
        });
    }

    pub(super) fn note(&self, note: impl FnOnce(&mut Activity)) {
        note(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner));
    }

    pub(super) fn now(&self) -> Activity {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

const SECONDS: [f64; 10] = [0.000_5, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 2.0];
const REQUESTS: [f64; 10] = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 1024.0];

/// The number of observed values in each range.
#[derive(Clone, Debug)]
pub struct Histogram {
    bounds: &'static [f64],
    /// Count of each range, and of values above the last bound.
    counts: Vec<u64>,
    sum: f64,
}

impl Histogram {
    /// Creates a histogram with these inclusive upper bounds, in ascending order.
    pub fn new(bounds: &'static [f64]) -> Self {
        Self { bounds, counts: vec![0; bounds.len().saturating_add(1)], sum: 0.0 }
    }

    /// Adds a value.
    pub fn observe(&mut self, value: f64) {
        let range = self.bounds.partition_point(|bound| *bound < value);
        if let Some(count) = self.counts.get_mut(range) {
            *count = count.wrapping_add(1);
        }
        self.sum += value;
    }

    /// Returns the sum of all values.
    pub fn sum(&self) -> f64 {
        self.sum
    }

    /// Returns the number of all values.
    pub fn count(&self) -> u64 {
        self.counts.iter().fold(0, |all, count| all.saturating_add(*count))
    }

    /// Returns the upper bound of each range and its number of values. The last bound is infinite.
    pub fn ranges(&self) -> impl Iterator<Item = (f64, u64)> + '_ {
        let ends = self.bounds.iter().copied().chain([f64::INFINITY]);
        ends.zip(self.counts.iter().copied())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn histogram_bound_includes_its_value() {
        let mut histogram = Histogram::new(&[1.0, 2.0]);
        for value in [0.0, 1.0, 1.5, 2.0, 2.5, 100.0] {
            histogram.observe(value);
        }
        let counts: Vec<_> = histogram.ranges().map(|(_, count)| count).collect();
        assert_eq!(counts, [2, 2, 2]);
        assert!((histogram.sum() - 107.0).abs() < 1e-9);
    }
}
