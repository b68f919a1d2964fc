//! Rate limit for log lines that a peer can cause.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Minimum time between two lines of one kind.
const QUIET: Duration = Duration::from_secs(10);

/// A filter that admits one line of each kind per 10 s. It keeps every kind in memory, so the
/// number of kinds must be small.
#[derive(Debug)]
pub struct Throttle<S> {
    begun: Instant,
    sorts: Mutex<BTreeMap<S, Sort>>,
}

#[derive(Debug, Default)]
struct Sort {
    last: Option<Duration>,
    held_back: u64,
}

impl<S> Default for Throttle<S> {
    fn default() -> Self {
        Self { begun: Instant::now(), sorts: Mutex::default() }
    }
}

impl<S: Ord> Throttle<S> {
    /// Returns the number of lines of this kind that were suppressed since the last admitted line;
    /// `None` if this line is suppressed too.
    pub fn admit(&self, sort: S) -> Option<u64> {
        self.at(self.begun.elapsed(), sort)
    }

    fn at(&self, now: Duration, sort: S) -> Option<u64> {
        let mut sorts = self.sorts.lock().unwrap_or_else(PoisonError::into_inner);
        let sort = sorts.entry(sort).or_default();
        if sort.last.is_some_and(|last| now.saturating_sub(last) < QUIET) {
            sort.held_back = sort.held_back.saturating_add(1);
            return None;
        }
        sort.last = Some(now);
        Some(std::mem::take(&mut sort.held_back))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flood_is_one_log_line() {
        let throttle = Throttle::default();
        let lines: Vec<_> = (0..3_000)
            .filter_map(|tenth| throttle.at(Duration::from_millis(tenth * 10), "flood"))
            .collect();
        assert_eq!(lines, [0, 999, 999]);
        assert_eq!(throttle.at(Duration::from_secs(29), "another"), Some(0));
    }
}
