//! Retention: deletion of old outcomes. The keys stay reserved.
//!
//! [`forget_all_older`], for operators, uses the wall clock. [`Retention`], for servers, measures
//! age with a monotonic clock. A server whose wall clock is ahead would otherwise forget outcomes
//! that are minutes old.

use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use futures_util::future::join_all;
use messaging_core::once::entry::{self, End, Outcome};
use messaging_core::once::{Kept, Now};
use messaging_journal::{Age, Clock};

use super::{failure, now, once_error, unreachable, wit};
use crate::journal::{Journal, wit as journal};
use messaging_core::once::Error;

/// Forgets all known outcomes that were recorded more than `older_than` ago. Skips keys that are
/// sending or unknown, and keys that change during the call. Returns the number of forgotten keys,
/// even after an error. A retry forgets the remaining outcomes.
///
/// # Errors
/// Returns an `OnceError` if the journal does not respond.
pub async fn forget_all_older(
    journal: &dyn Journal,
    older_than: Duration,
) -> (u64, Result<(), wit::OnceError>) {
    let mut keys = 0;
    let done = forget_older(journal, older_than, &mut keys).await;
    (keys, done)
}

async fn forget_older(
    journal: &dyn Journal,
    older_than: Duration,
    keys: &mut u64,
) -> Result<(), wit::OnceError> {
    let since = SystemTime::now().checked_sub(older_than).unwrap_or(UNIX_EPOCH);
    let since = since.duration_since(UNIX_EPOCH).unwrap_or_default().as_millis();
    let since = u64::try_from(since).unwrap_or(u64::MAX);
    let mut after = None;
    loop {
        let page = journal.list_items(after).await.map_err(unreachable)?;
        let now = now(Instant::now());
        let swaps = page.items.into_iter().filter_map(|item| {
            let new = forgotten(&item.text, since, now)?;
            Some(async move { journal.swap(&item.key, Some(item.text), new).await })
        });
        for swapped in join_all(swaps).await {
            *keys = keys.saturating_add(is_swapped(swapped)?.into());
        }
        after = page.next;
        if after.is_none() {
            return Ok(());
        }
    }
}

/// Returns true if the value was replaced, and false if another caller had changed it.
fn is_swapped(
    swapped: Result<journal::SwapOutcome, journal::JournalError>,
) -> Result<bool, wit::OnceError> {
    match swapped.map_err(failure) {
        Ok(journal::SwapOutcome::Swapped) => Ok(true),
        Ok(journal::SwapOutcome::Stale(_)) => Ok(false),
        Err(said) if said.is_permanent => Err(once_error(Error::Journal(said.detail))),
        Err(said) => Err(once_error(Error::Unavailable(said.detail))),
    }
}

/// Returns the new value, without the outcome, for an entry whose outcome was recorded before
/// `since_ms`; `None` for other entries.
fn forgotten(text: &str, since_ms: u64, now: Now) -> Option<String> {
    (known_at(text)? < since_ms).then(|| Kept::forgotten_text(now.wall_ms))
}

/// Returns the time at which an outcome was recorded, by the sender's wall clock. `None` if there
/// is no known outcome.
fn known_at(text: &str) -> Option<u64> {
    let Ok(Kept::Entry(entry)) = Kept::read(text) else { return None };
    match entry.end? {
        End { outcome: Outcome::Unknown(_), .. } => None,
        End { at_ms, .. } => Some(at_ms),
    }
}

/// Age, in milliseconds of the wall clock, below which the value of an outcome is not changed. A
/// sender that lost the journal's response may look for exactly the value that it wrote.
const SETTLED_MS: u64 = 10 * 60 * 1000;

/// A policy that forgets outcomes by measured age. The age of a journal is the measured time during
/// which a server has used it. A pass marks each new outcome with the age of the journal. A later
/// pass forgets the outcome after the age has grown by `older_than`. The age stands still while no
/// server runs, so outcomes may stay longer.
pub struct Retention {
    age: Age,
}

impl Default for Retention {
    fn default() -> Self {
        let begun = Instant::now();
        let elapsed = move || i64::try_from(begun.elapsed().as_millis()).unwrap_or(i64::MAX);
        Self::new(Arc::new(elapsed))
    }
}

impl Retention {
    /// Creates a retention without earlier measurements. `monotonic` returns milliseconds, and must
    /// never run faster than real time.
    pub fn new(monotonic: Clock) -> Self {
        Self { age: Age::new(0, monotonic) }
    }

    /// Forgets outcomes that were marked at least `older_than` ago, and marks new outcomes. Returns
    /// the number of forgotten keys, even after an error. The next call forgets the remaining
    /// outcomes.
    ///
    /// # Errors
    /// Returns an `OnceError` if the journal does not respond.
    pub async fn forget(
        &mut self,
        journal: &dyn Journal,
        older_than: Duration,
    ) -> (u64, Result<(), wit::OnceError>) {
        let mut keys = 0;
        let done = self.pass(journal, older_than, &mut keys).await;
        (keys, done)
    }

    async fn pass(
        &mut self,
        journal: &dyn Journal,
        older_than: Duration,
        keys: &mut u64,
    ) -> Result<(), wit::OnceError> {
        self.learn(journal).await?;
        let age_ms = self.age.measure().unsigned_abs();
        let before = u64::try_from(self.age.before(older_than)).ok();
        let now = now(Instant::now());
        let new = entry::Retention { since_ms: age_ms, age_ms };
        let (mut after, mut last, mut is_noted) = (None, None, false);
        loop {
            let page = journal.list_items(after).await.map_err(unreachable)?;
            let mut swaps = Vec::new();
            for item in page.items {
                let Some(at_ms) = known_at(&item.text) else { continue };
                let (text, forgets) = match entry::Retention::read(&item.text) {
                    Some(met) if before.is_some_and(|before| met.since_ms <= before) => {
                        (Kept::forgotten_text(now.wall_ms), true)
                    }
                    Some(met) => {
                        last = Some((item, met));
                        continue;
                    }
                    None if now.wall_ms.abs_diff(at_ms) < SETTLED_MS => continue,
                    None => match new.write(&item.text) {
                        Some(text) => (text, false),
                        None => continue,
                    },
                };
                swaps.push(async move {
                    (forgets, journal.swap(&item.key, Some(item.text), text).await)
                });
            }
            for (forgets, swapped) in join_all(swaps).await {
                let is_swapped = is_swapped(swapped)?;
                *keys = keys.saturating_add((forgets && is_swapped).into());
                is_noted |= !forgets && is_swapped;
            }
            after = page.next;
            if after.is_none() {
                break;
            }
        }
        // Records the current age in one entry, because the age continues from there after a
        // restart.
        if let Some((item, met)) = last.filter(|_| !is_noted)
            && let Some(text) = (entry::Retention { age_ms, ..met }).write(&item.text)
        {
            is_swapped(journal.swap(&item.key, Some(item.text), text).await)?;
        }
        Ok(())
    }

    /// Adds the time since the last pass to the age of the journal. Raises the age to the highest
    /// age in an entry, which another server or an earlier process may have measured.
    async fn learn(&mut self, journal: &dyn Journal) -> Result<(), wit::OnceError> {
        self.age.measure();
        let mut after = None;
        loop {
            let page = journal.list_items(after).await.map_err(unreachable)?;
            for item in &page.items {
                if let Some(met) = entry::Retention::read(&item.text) {
                    self.age.learn(i64::try_from(met.age_ms).unwrap_or(i64::MAX));
                }
            }
            after = page.next;
            if after.is_none() {
                return Ok(());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicI64, Ordering};

    use super::*;

    const HOUR_MS: i64 = 60 * 60 * 1000;
    const DAY: Duration = Duration::from_secs(24 * 60 * 60);

    fn text(end: &str) -> String {
        format!(
            r#"{{"v":1,"entry":{{"digest":{{"salt":"{0}","sha256":"{0}{0}"}},"attempts":1,"attempt":{{"name":"a","began":1,"until":2}}{end}}}}}"#,
            "00".repeat(16)
        )
    }

    fn created(at_ms: u64) -> String {
        text(&format!(r#","end":{{"at":{at_ms},"outcome":{{"created":{{"id":"m"}}}}}}"#))
    }

    /// Runs a server with `journal` for `hours` hours. Returns the number of forgotten keys.
    async fn run(journal: &messaging_journal::Journal, hours: i64, older_than: Duration) -> u64 {
        let ms = Arc::new(AtomicI64::new(0));
        let clock = Arc::clone(&ms);
        let mut retention = Retention::new(Arc::new(move || clock.load(Ordering::SeqCst)));
        let mut all = 0;
        for _ in 0..=hours {
            let (keys, done) = retention.forget(journal, older_than).await;
            done.unwrap();
            all += keys;
            ms.fetch_add(HOUR_MS, Ordering::SeqCst);
        }
        all
    }

    #[tokio::test]
    async fn wall_clock_forgets_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.sqlite");
        let journal = messaging_journal::Journal::open(path, Default::default()).unwrap();
        // By the wall clock, the outcome is decades old, as on a server with a fast clock.
        journal.swap("a", None, &created(50)).await.unwrap();
        let unknown = text(
            r#","end":{"at":50,"outcome":{"unknown":{"stage":"awaiting-reply","detail":"d"}}}"#,
        );
        journal.swap("unknown", None, &unknown).await.unwrap();
        let recent = created(now(Instant::now()).wall_ms);
        journal.swap("recent", None, &recent).await.unwrap();
        assert_eq!(run(&journal, 23, DAY).await, 0);
        let marked = journal.get("a").await.unwrap().unwrap();
        assert!(entry::Retention::read(&marked).is_some(), "{marked}");
        // The age survives a restart. The time between two processes does not count.
        for _ in 0..2 {
            assert_eq!(run(&journal, 1, DAY).await, 0);
        }
        assert_eq!(run(&journal, 3, DAY).await, 1);
        assert!(matches!(
            Kept::read(&journal.get("a").await.unwrap().unwrap()),
            Ok(Kept::Forgotten { .. })
        ));
        for (key, text) in [("unknown", unknown), ("recent", recent)] {
            assert_eq!(journal.get(key).await.unwrap(), Some(text), "{key}");
        }
    }

    #[test]
    fn only_old_known_outcomes_are_forgotten() {
        let ended = |outcome: &str| text(&format!(r#","end":{{"at":50,"outcome":{outcome}}}"#));
        let created = ended(r#"{"created":{"id":"m"}}"#);
        assert!(Kept::read(&created).is_ok(), "{:?}", Kept::read(&created));
        let now = Now { wall_ms: 100, elapsed_ms: 0 };
        let new = Some(Kept::forgotten_text(100));
        assert_eq!(forgotten(&created, 51, now), new);
        assert_eq!(forgotten(&created, 50, now), None);
        assert_eq!(forgotten(&ended(r#"{"not-created":{}}"#), 51, now), new);
        let unknown = ended(r#"{"unknown":{"stage":"awaiting-reply","detail":"d"}}"#);
        assert!(Kept::read(&unknown).is_ok(), "{:?}", Kept::read(&unknown));
        for kept in [&unknown, &text(""), &Kept::forgotten_text(1), "of another version"] {
            assert_eq!(forgotten(kept, 51, now), None, "{kept}");
        }
    }
}
