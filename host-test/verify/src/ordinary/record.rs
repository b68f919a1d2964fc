//! Reports of the processes of the campaign, and the verdict.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde::Serialize;

/// Maximum number of described violations of a kind. Violations of a kind differ only in numbers.
const EXAMPLES: u64 = 3;
/// A handler that is killed within this time after an event may not have acknowledged the event.
const UNACKNOWLEDGED: Duration = Duration::from_secs(8);
/// Maximum time from the end of a handler until its last event reaches this record.
const LATE: Duration = Duration::from_secs(2);
/// Time after a failure of the database in which refusals are excused.
const RECOVERY: Duration = Duration::from_secs(8);
/// Maximum delay between a failure of the database and the record of the failure.
const NOTICED: Duration = Duration::from_secs(1);
/// Name of the count of requests that a failure of the database refused or cut off.
const INTERRUPTED: &str = "refused or cut off: the database failed";
/// Name under which failures of the database are recorded. Such a failure affects every handler.
const DATABASE: &str = "the database";

/// Name of the count of inbox processes that SIGKILL ended.
pub const INBOX_KILLS: &str = "inbox kills";
/// Name of the count of senders that SIGKILL ended.
pub const JOURNAL_KILLS: &str = "journal kills";

/// Maximum time from the end of a lock to a refusal that the lock caused.
const AFTER_LOCK: Duration = Duration::from_secs(1);

/// One handling of an event by a worker or a receiver.
#[derive(Clone, Debug)]
struct Handling {
    handler: String,
    at: Instant,
    /// True if the store has confirmed that the event is done.
    is_done: bool,
}

/// The shared record of the campaign.
#[derive(Debug)]
pub struct Record(Mutex<Inner>);

impl Default for Record {
    fn default() -> Self {
        Self(Mutex::new(Inner {
            started: Instant::now(),
            kills: false,
            report: Report::default(),
            acknowledged: BTreeSet::new(),
            handled: BTreeMap::new(),
            killed: BTreeMap::new(),
            delivered: BTreeSet::new(),
            acknowledging: BTreeSet::new(),
            failing: 0,
            interruptions: Vec::new(),
            recovered: None,
            locks: (0, None),
        }))
    }
}

#[derive(Debug)]
struct Inner {
    started: Instant,
    /// True if the campaign kills most processes.
    kills: bool,
    report: Report,
    acknowledged: BTreeSet<String>,
    delivered: BTreeSet<String>,
    handled: BTreeMap<String, Vec<Handling>>,
    /// Events that a worker was about to acknowledge. They may be done.
    acknowledging: BTreeSet<String>,
    /// Times of kills of each handler, and of failures, in order.
    killed: BTreeMap<String, Vec<Instant>>,
    /// Number of failures that have not ended.
    failing: u32,
    /// Refusals and errors that no known failure explained, with their times.
    interruptions: Vec<(Instant, String)>,
    recovered: Option<Instant>,
    /// Number of maintenance steps that lock the store now, and the time when the last lock ended.
    locks: (u32, Option<Instant>),
}

impl Inner {
    /// Returns true if the database failed, or had just recovered, at some time since `begun`.
    fn has_failed(&self, begun: Instant) -> bool {
        let excused = self.recovered.and_then(|end| end.checked_add(RECOVERY));
        self.failing > 0 || excused.is_some_and(|end| begun <= end)
    }

    /// Returns true if the handler may not have acknowledged the event, because the handler was
    /// killed or the database failed.
    fn is_uncertain(&self, handling: &Handling) -> bool {
        if handling.is_done {
            return false;
        }
        let from = handling.at.checked_sub(LATE).unwrap_or(handling.at);
        let until = handling.at.checked_add(UNACKNOWLEDGED).unwrap_or(handling.at);
        [handling.handler.as_str(), DATABASE].iter().any(|name| {
            let killed = self.killed.get(*name).map_or(&[][..], Vec::as_slice);
            let next = killed.partition_point(|at| *at < from);
            killed.get(next).is_some_and(|at| *at <= until)
        })
    }

    /// Describes each event that was handled more than once, if no kill and no failure explains it.
    fn find_repeated(&self) -> Vec<String> {
        let mut found = Vec::new();
        for (key, handlings) in &self.handled {
            let done = handlings.iter().filter(|one| one.is_done).map(|one| one.at).min();
            let is_wrong =
                |one: &&Handling| !self.is_uncertain(one) || done.is_some_and(|done| one.at > done);
            let wrong: Vec<_> = handlings.iter().filter(is_wrong).collect();
            if wrong.len() > 1 {
                let handlers: Vec<_> = wrong.iter().map(|one| one.handler.as_str()).collect();
                found.push(format!("{key} was handled by {}", handlers.join(" and ")));
            }
        }
        found
    }
}

/// The result of the campaign.
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
    /// Number of violations of each kind.
    pub kinds: BTreeMap<String, u64>,
    /// The first violations of each kind.
    pub examples: Vec<String>,
    /// Duration in seconds.
    pub seconds: f64,
}

impl Report {
    /// Returns true if no promise was broken.
    pub fn is_clean(&self) -> bool {
        self.violations == 0
    }

    fn count(&mut self, name: &str) {
        let count = self.counts.entry(name.to_string()).or_default();
        *count = count.saturating_add(1);
    }

    fn violation(&mut self, text: String) {
        self.violations = self.violations.saturating_add(1);
        let kind = text.chars().filter(|one| !one.is_ascii_digit()).take(60).collect();
        let count = self.kinds.entry(kind).or_default();
        *count = count.saturating_add(1);
        if *count <= EXAMPLES {
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
        for (kind, count) in &self.kinds {
            write!(f, "\n    {count:>9} violations like {kind:?}")?;
        }
        Ok(())
    }
}

impl Record {
    /// Creates the record of a campaign of kills, whose heavy load may cause temporary refusals.
    pub fn of_kills() -> Self {
        let record = Self::default();
        record.inner().kills = true;
        record
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Increments the count `name`.
    pub fn count(&self, name: &str) {
        self.inner().report.count(name);
    }

    /// Records a violation with the time since the start.
    pub fn violation(&self, text: impl Into<String>) {
        let mut inner = self.inner();
        let seconds = inner.started.elapsed().as_secs_f64();
        inner.report.violation(format!("{seconds:.1} s: {}", text.into()));
    }

    /// Returns the count `name`.
    pub fn counted(&self, name: &str) -> u64 {
        self.inner().report.counts.get(name).copied().unwrap_or_default()
    }

    /// Records that a failure of the database begins, or that it has ended.
    pub fn fails(&self, is_failing: bool) {
        let mut inner = self.inner();
        inner.killed.entry(DATABASE.to_string()).or_default().push(Instant::now());
        if is_failing {
            inner.failing = inner.failing.saturating_add(1);
        } else {
            inner.failing = inner.failing.saturating_sub(1);
            inner.recovered = Some(Instant::now());
        }
    }

    /// Returns true if the database failed, or had just recovered, at some time since `begun`.
    pub fn has_failed(&self, begun: Instant) -> bool {
        self.inner().has_failed(begun)
    }

    /// Records the temporary refusal of a request that began at `begun`. In ordinary use, a refusal
    /// is a violation, unless maintenance locked the store. A campaign of kills only counts the
    /// refusal, because each request is retried until it succeeds.
    pub fn refused(&self, begun: Instant, text: impl Into<String>) {
        let (kills, is_locked) = {
            let inner = self.inner();
            let (count, ended) = inner.locks;
            let since = begun.checked_sub(AFTER_LOCK).unwrap_or(begun);
            (inner.kills, count > 0 || ended.is_some_and(|ended| ended > since))
        };
        match (is_locked, kills) {
            (true, _) => self.count("refused for now: the store is locked"),
            (false, true) if !self.has_failed(begun) => self.count("refused for now"),
            _ => self.interrupted(begun, text),
        }
    }

    /// Records a request that began at `begun`, and was cut off or caused a warning. Only a failure
    /// of the database excuses the request. [`judge`](Self::judge) decides, because the failure may
    /// be recorded later.
    pub fn interrupted(&self, begun: Instant, text: impl Into<String>) {
        if self.has_failed(begun) {
            return self.count(INTERRUPTED);
        }
        let mut inner = self.inner();
        let (at, text) = (Instant::now(), text.into());
        let text = format!("{:.1} s: {text}", inner.started.elapsed().as_secs_f64());
        inner.interruptions.push((at, text));
    }

    /// Records that a delivery of `key` begins.
    pub fn delivered(&self, key: &str) {
        self.inner().delivered.insert(key.to_string());
    }

    /// Records that a delivery of `key` was answered 200.
    pub fn acknowledged(&self, key: &str) {
        self.inner().acknowledged.insert(key.to_string());
    }

    /// Records that `handler` has handled an event.
    pub fn handled(&self, key: &str, handler: &str) {
        self.handle(key, handler, false);
    }

    /// Records that a worker is about to acknowledge an event. The event may be done from now on.
    pub fn acknowledging(&self, key: &str) {
        self.inner().acknowledging.insert(key.to_string());
    }

    /// Records that the store has confirmed the acknowledgment by `handler`.
    pub fn done(&self, key: &str, handler: &str) {
        self.handle(key, handler, true);
    }

    fn handle(&self, key: &str, handler: &str, is_done: bool) {
        let handling = Handling { handler: handler.to_string(), at: Instant::now(), is_done };
        self.inner().handled.entry(key.to_string()).or_default().push(handling);
    }

    /// Records that `handler` is killed now. The handler may not have acknowledged its last events.
    pub fn killed(&self, handler: &str) {
        self.inner().killed.entry(handler.to_string()).or_default().push(Instant::now());
    }

    /// Returns true if `handler` was killed during the last `RECOVERY`.
    pub fn was_just_killed(&self, handler: &str) -> bool {
        let inner = self.inner();
        let last = inner.killed.get(handler).and_then(|killed| killed.last());
        last.is_some_and(|killed| killed.elapsed() < RECOVERY)
    }

    /// Records the start or the end of a maintenance step that locks the store.
    pub fn locks(&self, begins: bool) {
        let mut inner = self.inner();
        let (count, ended) = &mut inner.locks;
        match begins {
            true => *count = count.saturating_add(1),
            false => (*count, *ended) = (count.saturating_sub(1), Some(Instant::now())),
        }
    }

    /// Compares deliveries, handled events and stored keys. `stored` lists each key as often as it
    /// is stored; `None` if unknown.
    pub fn judge(&self, stored: Option<&[String]>, elapsed: Duration) -> Report {
        let inner = self.inner();
        let mut report = inner.report.clone();
        let failures = inner.killed.get(DATABASE).map_or(&[][..], Vec::as_slice);
        for (at, text) in &inner.interruptions {
            let next = failures.partition_point(|failed| failed < at);
            match failures.get(next).is_some_and(|failed| failed.duration_since(*at) < NOTICED) {
                true => report.count(INTERRUPTED),
                false => report.violation(text.clone()),
            }
        }
        let mut kept = BTreeSet::new();
        for key in stored.into_iter().flatten() {
            if !kept.insert(key) {
                report.violation(format!("{key} is stored twice"));
            }
            if !inner.delivered.contains(key) {
                report.violation(format!("{key} is stored, but was never delivered"));
            }
        }
        for key in &inner.acknowledged {
            let is_stored = stored.is_none() || kept.contains(key);
            let may_be_done = inner.handled.contains_key(key) || inner.acknowledging.contains(key);
            if !is_stored && !may_be_done {
                report.violation(format!("{key} was acknowledged, but is lost"));
            }
        }
        for repeated in inner.find_repeated() {
            report.violation(repeated);
        }
        report.acknowledged = u64::try_from(inner.acknowledged.len()).unwrap_or(u64::MAX);
        report.handled = u64::try_from(inner.handled.len()).unwrap_or(u64::MAX);
        report.seconds = elapsed.as_secs_f64();
        report
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(record: &Record, stored: &[&str]) -> Vec<String> {
        let stored: Vec<_> = stored.iter().map(ToString::to_string).collect();
        record.judge(Some(&stored), Duration::ZERO).examples
    }

    fn record() -> Record {
        let record = Record::default();
        record.delivered("a");
        record.acknowledged("a");
        record
    }

    #[test]
    fn lost_doubled_and_unsent_events_are_found() {
        let record = record();
        assert_eq!(judged(&record, &["a"]), [""; 0]);
        assert_eq!(judged(&record, &[]), ["a was acknowledged, but is lost"]);
        assert_eq!(judged(&record, &["a", "a"]), ["a is stored twice"]);
        assert_eq!(judged(&record, &["a", "b"]), ["b is stored, but was never delivered"]);
        record.acknowledging("a");
        assert_eq!(judged(&record, &[]), [""; 0]);
    }

    #[test]
    fn event_is_handled_again_only_after_kill() {
        let record = record();
        record.handled("a", "forwarder 1");
        record.handled("a", "forwarder 2");
        assert_eq!(judged(&record, &["a"]), ["a was handled by forwarder 1 and forwarder 2"]);
        record.killed("forwarder 1");
        assert_eq!(judged(&record, &["a"]), [""; 0]);
    }

    #[test]
    fn done_event_is_never_handled_again() {
        let record = record();
        record.done("a", "worker 1");
        record.killed("worker 1");
        record.handled("a", "forwarder 2");
        record.killed("forwarder 2");
        assert_eq!(judged(&record, &["a"]), ["a was handled by worker 1 and forwarder 2"]);
    }

    #[test]
    fn refusal_is_excused_by_failing_database() {
        let failed = record();
        // The failure is recorded after the error.
        failed.interrupted(Instant::now(), "no answer");
        failed.fails(true);
        failed.refused(Instant::now(), "503");
        failed.fails(false);
        failed.interrupted(Instant::now(), "no answer");
        let report = failed.judge(None, Duration::ZERO);
        assert_eq!((report.violations, report.counts.get(INTERRUPTED)), (0, Some(&3)));
        let intact = record();
        intact.interrupted(Instant::now(), "no answer");
        intact.refused(Instant::now(), "503");
        assert_eq!(intact.judge(None, Duration::ZERO).violations, 2);
    }

    #[test]
    fn refusal_for_now_is_counted_under_kills() {
        let record = Record::of_kills();
        record.refused(Instant::now(), "503");
        record.interrupted(Instant::now(), "no answer");
        assert_eq!(record.judge(None, Duration::ZERO).violations, 1);
    }
}
