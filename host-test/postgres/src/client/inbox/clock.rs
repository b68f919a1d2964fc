//! An estimate of the database's clock between two responses of the database.

use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Instant;

use messaging_inbox::millis;

/// An estimate of the database's clock: the time since the creation of this value, plus an offset.
pub(crate) struct DatabaseClock {
    begun: Instant,
    ahead_ms: AtomicI64,
}

impl DatabaseClock {
    pub(crate) fn new(now_ms: i64) -> Self {
        let clock = Self { begun: Instant::now(), ahead_ms: AtomicI64::new(0) };
        clock.learn(now_ms);
        clock
    }

    /// Sets the offset. `now_ms` is the current time of the database.
    pub(crate) fn learn(&self, now_ms: i64) {
        self.ahead_ms.store(now_ms.saturating_sub(self.elapsed_ms()), Ordering::SeqCst);
    }

    pub(crate) fn now_ms(&self) -> i64 {
        self.elapsed_ms().saturating_add(self.ahead_ms.load(Ordering::SeqCst))
    }

    fn elapsed_ms(&self) -> i64 {
        millis(self.begun.elapsed())
    }
}
