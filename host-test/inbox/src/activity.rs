//! Counters of this process' work with a store, for whoever shows them.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use super::model::Puts;

/// Work with a store since this process opened it, through all clones.
#[derive(Clone, Debug)]
pub struct Activity {
    /// Outcomes of storing entries.
    pub puts: Puts,
    /// Events marked as done.
    pub done: u64,
    /// Attempts that failed through their event, and after which it is tried again.
    pub failed: u64,
    /// Events that became dead.
    pub dead: u64,
    /// Time of a commit, from its beginning until it is on the disk, in seconds.
    pub commit_seconds: Histogram,
    /// Requests that shared a commit.
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

/// Counters that a store and what it writes to share.
#[derive(Clone, Default)]
pub struct Counters(Arc<Mutex<Activity>>);

impl Counters {
    /// Counts a commit of so many requests.
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

/// Counts of observed values in ranges.
#[derive(Clone, Debug)]
pub struct Histogram {
    bounds: &'static [f64],
    /// One more than bounds: what is above all of them.
    counts: Vec<u64>,
    sum: f64,
}

impl Histogram {
    /// Ranges that end at these values, each included; ascending.
    #[must_use]
    pub fn new(bounds: &'static [f64]) -> Self {
        Self { bounds, counts: vec![0; bounds.len().saturating_add(1)], sum: 0.0 }
    }

    /// Counts a value.
    pub fn observe(&mut self, value: f64) {
        let range = self.bounds.partition_point(|bound| *bound < value);
        if let Some(count) = self.counts.get_mut(range) {
            *count = count.wrapping_add(1);
        }
        self.sum += value;
    }

    /// The sum of all values.
    #[must_use]
    pub fn sum(&self) -> f64 {
        self.sum
    }

    /// Number of all values.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.counts.iter().fold(0, |all, count| all.saturating_add(*count))
    }

    /// The end of each range, the last one without end, and the values in it.
    pub fn ranges(&self) -> impl Iterator<Item = (f64, u64)> + '_ {
        let ends = self.bounds.iter().copied().chain([f64::INFINITY]);
        ends.zip(self.counts.iter().copied())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_counted_in_the_range_that_ends_at_it_or_above() {
        let mut histogram = Histogram::new(&[1.0, 2.0]);
        for value in [0.0, 1.0, 1.5, 2.0, 2.5, 100.0] {
            histogram.observe(value);
        }
        let counts: Vec<_> = histogram.ranges().map(|(_, count)| count).collect();
        assert_eq!(counts, [2, 2, 2]);
        assert!((histogram.sum() - 107.0).abs() < 1e-9);
    }
}
