//! Reports of the processes of the campaign, and the verdict.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde::Serialize;

/// Maximum number of violations that the report describes.
const MAX_EXAMPLES: usize = 40;
/// A handler may have handled an event and not acknowledged it if it was killed within this time.
const UNACKNOWLEDGED: Duration = Duration::from_secs(8);

/// Time for which refusals may follow the end of a lock.
const AFTER_LOCK: Duration = Duration::from_secs(1);

/// One event that a worker or a receiver has handled.
#[derive(Clone, Debug)]
struct Handling {
    handler: String,
    at: Instant,
}

/// Shared record of the campaign.
#[derive(Debug)]
pub struct Record(Mutex<Inner>);

impl Default for Record {
    fn default() -> Self {
        Self(Mutex::new(Inner {
            started: Instant::now(),
            report: Report::default(),
            acknowledged: BTreeSet::new(),
            handled: BTreeMap::new(),
            killed: BTreeMap::new(),
            locks: (0, None),
        }))
    }
}

#[derive(Debug)]
struct Inner {
    started: Instant,
    report: Report,
    acknowledged: BTreeSet<String>,
    handled: BTreeMap<String, Vec<Handling>>,
    killed: BTreeMap<String, Instant>,
    /// Maintenance steps under way that lock the store, and the end of the last one.
    locks: (u32, Option<Instant>),
}

/// Result of the campaign.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Report {
    /// Distinct events that were answered 200.
    pub acknowledged: u64,
    /// Distinct events that a worker or a receiver handled.
    pub handled: u64,
    /// Numbers of deliveries, commands, restarts, kills and maintenance steps, by name.
    pub counts: BTreeMap<String, u64>,
    /// Number of violations.
    pub violations: u64,
    /// The first violations.
    pub examples: Vec<String>,
    /// Duration in seconds.
    pub seconds: f64,
}

impl Report {
    /// Returns true if no promise was broken.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.violations == 0
    }

    fn violation(&mut self, text: String) {
        self.violations = self.violations.saturating_add(1);
        if self.examples.len() < MAX_EXAMPLES {
            self.examples.push(text);
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} events acknowledged, {} handled, {} violations in {:.0} s",
            self.acknowledged, self.handled, self.violations, self.seconds
        )?;
        for (name, count) in &self.counts {
            write!(f, "\n    {count:>9} {name}")?;
        }
        Ok(())
    }
}

impl Record {
    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts a step.
    pub fn count(&self, name: &str) {
        let mut inner = self.inner();
        let count = inner.report.counts.entry(name.to_string()).or_default();
        *count = count.saturating_add(1);
    }

    /// Records a broken promise, with the time since the start.
    pub fn violation(&self, text: impl Into<String>) {
        let mut inner = self.inner();
        let seconds = inner.started.elapsed().as_secs_f64();
        inner.report.violation(format!("{seconds:.1} s: {}", text.into()));
    }

    /// Records that a delivery of `key` was answered 200.
    pub fn acknowledged(&self, key: &str) {
        self.inner().acknowledged.insert(key.to_string());
    }

    /// Records that `handler` has handled an event.
    pub fn handled(&self, key: &str, handler: &str) {
        let handling = Handling { handler: handler.to_string(), at: Instant::now() };
        self.inner().handled.entry(key.to_string()).or_default().push(handling);
    }

    /// Records that `handler` is killed now: it may not have acknowledged its last events.
    pub fn killed(&self, handler: &str) {
        self.inner().killed.insert(handler.to_string(), Instant::now());
    }

    /// Records the begin or the end of a maintenance step that locks the store for everybody else.
    pub fn locks(&self, begins: bool) {
        let mut inner = self.inner();
        let (count, ended) = &mut inner.locks;
        match begins {
            true => *count = count.saturating_add(1),
            false => (*count, *ended) = (count.saturating_sub(1), Some(Instant::now())),
        }
    }

    /// Records that something which began at `begun` was refused for now. That is true during maintenance that
    /// locks the store, and a violation at any other time.
    pub fn refused(&self, begun: Instant, text: impl Into<String>) {
        let is_locked = {
            let inner = self.inner();
            let (count, ended) = inner.locks;
            let since = begun.checked_sub(AFTER_LOCK).unwrap_or(begun);
            count > 0 || ended.is_some_and(|ended| ended > since)
        };
        match is_locked {
            true => self.count("refused for now: the store is locked"),
            false => self.violation(text),
        }
    }

    /// Compares the deliveries with the handled and the stored events; `None` if those are not known.
    pub fn judge(&self, stored: Option<&BTreeSet<String>>, elapsed: Duration) -> Report {
        let inner = self.inner();
        let mut report = inner.report.clone();
        for key in &inner.acknowledged {
            let is_stored = stored.is_none_or(|stored| stored.contains(key));
            if !is_stored && !inner.handled.contains_key(key) {
                report.violation(format!("{key} was acknowledged and is lost"));
            }
        }
        for (key, handlings) in &inner.handled {
            let is_certain = |handling: &&Handling| {
                inner.killed.get(&handling.handler).is_none_or(|killed| {
                    handling.at.checked_add(UNACKNOWLEDGED).is_some_and(|end| end < *killed)
                })
            };
            let certain: Vec<_> = handlings.iter().filter(is_certain).collect();
            if certain.len() > 1 {
                let handlers: Vec<_> = certain.iter().map(|one| one.handler.as_str()).collect();
                report.violation(format!("{key} was handled by {}", handlers.join(" and ")));
            }
        }
        report.acknowledged = u64::try_from(inner.acknowledged.len()).unwrap_or(u64::MAX);
        report.handled = u64::try_from(inner.handled.len()).unwrap_or(u64::MAX);
        report.seconds = elapsed.as_secs_f64();
        report
    }
}
