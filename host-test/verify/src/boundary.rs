//! Boundary points: the places at which a process may be killed so that a test sees
//! every half-done state. Counts them, and kills this process at one of them.

use std::sync::atomic::{AtomicU64, Ordering};

/// Counts the points that a process passes.
#[derive(Debug, Default)]
pub struct Boundary {
    kill_at: u64,
    passed: AtomicU64,
}

impl Boundary {
    /// Kills this process at the point of that number; the first is 1. With 0 it
    /// only counts.
    #[must_use]
    pub fn new(kill_at: u64) -> Self {
        Self { kill_at, passed: AtomicU64::new(0) }
    }

    /// A point.
    pub fn pass(&self) {
        let number = self.passed.fetch_add(1, Ordering::SeqCst).saturating_add(1);
        if number == self.kill_at {
            kill();
        }
    }

    /// Returns the number of points passed.
    #[must_use]
    pub fn passed(&self) -> u64 {
        self.passed.load(Ordering::SeqCst)
    }
}

/// Ends this process as `kill -9` does: no destructor runs, nothing is flushed.
fn kill() -> ! {
    #[cfg(unix)]
    let _ = rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::KILL);
    #[cfg(unix)]
    loop {
        // The signal is on its way to every thread.
        std::thread::park();
    }
    #[cfg(not(unix))]
    std::process::abort()
}
