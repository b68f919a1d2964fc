//! Concurrency limits.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// One unit of a concurrency limit, held until the permit is dropped.
pub struct Permit(Arc<AtomicUsize>);

impl Permit {
    /// Takes one of `most` permits. Returns `None` if all are taken.
    pub fn take(count: &Arc<AtomicUsize>, most: usize) -> Option<Self> {
        let next = |taken: usize| (taken < most).then_some(taken.saturating_add(1));
        count.try_update(Ordering::Relaxed, Ordering::Relaxed, next).ok()?;
        Some(Self(Arc::clone(count)))
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}
