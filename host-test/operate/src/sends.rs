//! The sends that a journal records. An operator lists unknown sends and resolves them.
//! `messaging_host::once` defines the meaning of an entry.
//!
//! A journal can have millions of keys, and has no function that counts them. A background task
//! therefore counts the keys, with pauses. Every figure has the time of its count.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use messaging_host::Journal;
use messaging_host::once::wit::{
    EntryState, JournalEntry, MadeResolution, OnceError, Resolution, Resolved,
};
use messaging_host::once::{self, json as view};
use serde_json::{Value, json};
use tokio::task::JoinHandle;
use tokio::time::Instant;

use crate::counts;
use crate::problem::Problem;
use crate::request::Fields;

/// Maximum number of listed sends. The list contains the oldest unknown sends.
const MAX_LISTED: usize = 100;
/// Minimum delay between two counts.
const PAUSE: Duration = Duration::from_secs(10);
/// Delay after a count, as a multiple of the count's duration.
const PAUSE_FOR_EACH: u32 = 19;
/// Maximum delay between two counts. An alert reports figures that are older than half an hour.
const MOST_PAUSE: Duration = Duration::from_secs(10 * 60);
/// Maximum length of a key in characters, from `wit/once.wit`.
const KEY_CHARS: usize = 256;
/// Maximum length of an operator's name in characters.
const NAME_CHARS: usize = 256;
/// Maximum length of a reason or an identifier in characters.
const TEXT_CHARS: usize = 1024;

/// The sends of a journal. Clones share the journal and the figures.
#[derive(Clone)]
pub struct Sends {
    journal: Arc<dyn Journal>,
    count: Arc<Mutex<Count>>,
    _counting: Arc<Counting>,
}

/// The counting task. It ends when the last clone of [`Sends`] is dropped.
struct Counting(JoinHandle<()>);

impl Drop for Counting {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// The figures of one count.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Count {
    /// End of the count in milliseconds since 1970. `None` during the first count.
    as_of_ms: Option<i64>,
    sending: u64,
    unknown: u64,
    created: u64,
    not_created: u64,
    forgotten: u64,
    unreadable: u64,
    /// Start time and key of each of the oldest unknown sends. The time has the format of the
    /// journal entry (RFC 3339).
    oldest: Vec<(String, String)>,
}

impl Count {
    /// Counts the entries of a journal. Reports intermediate figures with `show`.
    async fn of(journal: &dyn Journal, show: impl Fn(&Self)) -> Result<Self, OnceError> {
        let (mut count, mut after) = (Self::default(), None);
        loop {
            let page = once::list_entries(journal, after).await?;
            for entry in page.entries {
                count.add(entry);
            }
            let unreadable = u64::try_from(page.unreadable.len()).unwrap_or(u64::MAX);
            count.unreadable = count.unreadable.saturating_add(unreadable);
            after = page.next;
            if after.is_none() {
                count.as_of_ms = Some(now_ms());
                return Ok(count);
            }
            show(&count);
            // Lets other tasks run.
            tokio::task::yield_now().await;
        }
    }

    fn add(&mut self, entry: JournalEntry) {
        let count = match entry.state {
            EntryState::Sending => &mut self.sending,
            EntryState::Unknown => &mut self.unknown,
            EntryState::Created => &mut self.created,
            EntryState::NotCreated => &mut self.not_created,
            EntryState::Forgotten => &mut self.forgotten,
        };
        *count = count.saturating_add(1);
        if entry.state == EntryState::Unknown {
            let one = (entry.began, entry.key);
            let index = self.oldest.partition_point(|other| *other <= one);
            if index < MAX_LISTED {
                self.oldest.insert(index, one);
                self.oldest.truncate(MAX_LISTED);
            }
        }
    }

    /// Removes a resolved send from the unknown sends until the next count.
    fn leave_out(&mut self, key: &str) {
        let before = self.oldest.len();
        self.oldest.retain(|(_, other)| other != key);
        if self.oldest.len() < before {
            self.unknown = self.unknown.saturating_sub(1);
        }
    }

    /// Returns the number of keys in each state.
    pub(crate) fn states(&self) -> [(&'static str, u64); 6] {
        [
            ("sending", self.sending),
            ("unknown", self.unknown),
            ("created", self.created),
            ("not-created", self.not_created),
            ("forgotten", self.forgotten),
            ("unreadable", self.unreadable),
        ]
    }

    /// Returns the age of the oldest unknown send in milliseconds.
    pub(crate) fn oldest_unknown_ms(&self) -> Option<i64> {
        let (began, _) = self.oldest.first()?;
        Some(now_ms().saturating_sub(millis(began)?).max(0))
    }

    /// Returns the age of the figures in milliseconds. `None` during the first count.
    pub(crate) fn age_ms(&self) -> Option<i64> {
        Some(now_ms().saturating_sub(self.as_of_ms?).max(0))
    }

    fn view(&self) -> Value {
        json!({
            "as_of_ms": self.as_of_ms,
            "counts": counts(self.states()),
            "oldest_unknown_ms": self.oldest_unknown_ms(),
        })
    }
}

impl Sends {
    /// Starts to count the sends of a journal. Requires a tokio runtime, on which the task runs
    /// until the last clone is dropped.
    #[must_use]
    pub fn start(journal: Arc<dyn Journal>) -> Self {
        let count = Arc::<Mutex<Count>>::default();
        let counting = {
            let (journal, shared) = (Arc::clone(&journal), Arc::clone(&count));
            async move {
                // Shows intermediate figures of the first count, because a long count would
                // otherwise hide unknown sends.
                let show = |so_far: &Count| {
                    let mut shown = locked(&shared);
                    if shown.as_of_ms.is_none() {
                        *shown = so_far.clone();
                    }
                };
                loop {
                    let began = Instant::now();
                    match Count::of(&*journal, show).await {
                        Ok(count) => *locked(&shared) = count,
                        Err(error) => {
                            let said = view::error(&error);
                            let detail = said.pointer("/payload/detail").and_then(Value::as_str);
                            let error = once::case(&error);
                            tracing::warn!(error, detail, "the journal of sends could not be read");
                        }
                    }
                    tokio::time::sleep(pause_after(began.elapsed())).await;
                }
            }
        };
        Self { journal, count, _counting: Arc::new(Counting(tokio::spawn(counting))) }
    }

    /// Returns the figures of the last count.
    pub(crate) fn count(&self) -> Count {
        locked(&self.count).clone()
    }

    /// Returns the figures for the overview.
    pub(crate) fn overview(&self) -> Value {
        self.count().view()
    }

    /// Lists the oldest unknown sends with their current state.
    pub(crate) async fn list(&self) -> Result<Value, Problem> {
        let count = self.count();
        let mut sends = Vec::new();
        for (_, key) in &count.oldest {
            let entry = once::look_up(&*self.journal, key).await.map_err(problem)?;
            let entry = entry.filter(|entry| entry.state == EntryState::Unknown);
            sends.extend(entry.as_ref().map(shown));
        }
        let mut list = count.view();
        if let Some(list) = list.as_object_mut() {
            list.insert("sends".into(), sends.into());
        }
        Ok(list)
    }

    /// Records an operator's resolution of an unknown send.
    pub(crate) async fn resolve(&self, body: &[u8]) -> Result<Value, Problem> {
        let mut fields = Fields::of_body(body)?;
        let key = required(&mut fields, "key", KEY_CHARS)?;
        let attempt = fields.integer("attempt", 1..=i64::from(u32::MAX))?;
        let attempt = attempt.and_then(|attempt| u32::try_from(attempt).ok());
        let attempt = attempt.ok_or_else(|| Problem::malformed("attempt", "is missing"))?;
        let created = fields.string("created", TEXT_CHARS)?;
        let found = match (created, fields.boolean("not_created")?) {
            (Some(id), false) => Resolved::Created(id),
            (None, true) => Resolved::NotCreated,
            _ => {
                let detail = "must be the message's identifier, or not_created must be true";
                return Err(Problem::malformed("created", detail));
            }
        };
        let by = required(&mut fields, "by", NAME_CHARS)?;
        let reason = required(&mut fields, "reason", TEXT_CHARS)?;
        fields.end()?;
        let resolution = Resolution { attempt, found, by, reason };
        once::resolve(&*self.journal, &key, &resolution).await.map_err(problem)?;
        let entry = once::look_up(&*self.journal, &key).await.map_err(problem)?;
        // An earlier call has recorded an equal decision, and a later attempt has begun since then.
        if let Some(entry) = entry.as_ref().filter(|entry| entry.attempts != attempt) {
            let detail = format!("the last attempt is {}; read the entry again", entry.attempts);
            return Err(Problem::not_resolved("other-attempt", detail));
        }
        locked(&self.count).leave_out(&key);
        let created = created_as(&resolution.found);
        tracing::info!(key, created, by = resolution.by, "an operator resolved a send");
        let state = entry.as_ref().map(|entry| view::state(entry.state));
        Ok(
            json!({ "key": key, "state": state, "id": entry.as_ref().and_then(|entry| entry.id.as_deref()) }),
        )
    }
}

/// Returns the delay after a count.
fn pause_after(took: Duration) -> Duration {
    took.saturating_mul(PAUSE_FOR_EACH).clamp(PAUSE, MOST_PAUSE)
}

fn locked(count: &Mutex<Count>) -> std::sync::MutexGuard<'_, Count> {
    count.lock().unwrap_or_else(PoisonError::into_inner)
}

fn required(fields: &mut Fields, name: &str, most: usize) -> Result<String, Problem> {
    let text = fields.string(name, most)?.filter(|text| !text.trim().is_empty());
    text.ok_or_else(|| Problem::malformed(name, "is missing or empty"))
}

/// Returns the details that an operator needs to find the message of an unknown send.
fn shown(entry: &JournalEntry) -> Value {
    let mut outcome = view::entry(entry);
    let outcome = outcome.get_mut("outcome").map(Value::take).unwrap_or_default();
    json!({
        "key": entry.key,
        "attempts": entry.attempts,
        "began_ms": millis(&entry.began),
        "gives_up_ms": millis(&entry.gives_up),
        "ended_ms": entry.ended.as_deref().and_then(millis),
        "outcome": outcome,
        "resolutions": entry.resolutions.iter().map(resolution).collect::<Vec<_>>(),
        "also_created": entry.also_created,
    })
}

/// Returns the identifier of the message that an operator found; `None` if there is no message.
fn created_as(found: &Resolved) -> Option<&str> {
    match found {
        Resolved::Created(id) => Some(id),
        Resolved::NotCreated => None,
    }
}

fn resolution(made: &MadeResolution) -> Value {
    let Resolution { attempt, found, by, reason } = &made.resolution;
    json!({ "attempt": attempt, "created": created_as(found), "by": by, "reason": reason, "at_ms": millis(&made.at) })
}

fn problem(error: OnceError) -> Problem {
    match error {
        OnceError::PermanentInvalidInput(invalid) => {
            Problem::malformed(&invalid.field, invalid.detail)
        }
        OnceError::PermanentOther(other) if other.code == "no-entry" => Problem::no_such_send(),
        OnceError::PermanentOther(other) => Problem::not_resolved(&other.code, other.detail),
        OnceError::Busy(busy) => Problem::not_resolved("busy", busy.detail),
        OnceError::Unavailable(said) => Problem::unavailable(said.detail),
        OnceError::PermanentJournal(said) => Problem::unavailable(said.detail),
        error => Problem::unavailable(once::case(&error).into()),
    }
}

/// Parses a time of a journal entry (RFC 3339). Returns milliseconds since 1970.
fn millis(text: &str) -> Option<i64> {
    let time = humantime::parse_rfc3339(text).ok()?;
    since_1970(time)
}

fn now_ms() -> i64 {
    since_1970(SystemTime::now()).unwrap_or_default()
}

fn since_1970(time: SystemTime) -> Option<i64> {
    i64::try_from(time.duration_since(UNIX_EPOCH).ok()?.as_millis()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(key: &str, state: EntryState, began: &str) -> JournalEntry {
        JournalEntry {
            key: key.into(),
            state,
            began: began.into(),
            gives_up: began.into(),
            ended: None,
            attempts: 1,
            id: None,
            json: None,
            outcome: None,
            error: None,
            resolutions: Vec::new(),
            also_created: Vec::new(),
        }
    }

    #[test]
    fn oldest_unknown_sends_are_listed() {
        let mut count = Count::default();
        for number in (0..300).rev() {
            let began = format!("2026-11-23T09:{:02}:{:02}.000Z", number / 60, number % 60);
            count.add(entry(&format!("unknown-{number:03}"), EntryState::Unknown, &began));
            count.add(entry(&format!("created-{number:03}"), EntryState::Created, &began));
        }
        assert_eq!((count.unknown, count.created, count.oldest.len()), (300, 300, MAX_LISTED));
        assert_eq!(count.oldest[0].1, "unknown-000");
        assert_eq!(count.oldest[99].1, "unknown-099");
        count.leave_out("unknown-000");
        count.leave_out("unknown-000");
        count.leave_out("created-000");
        assert_eq!((count.unknown, count.oldest[0].1.as_str()), (299, "unknown-001"));
    }

    #[tokio::test]
    async fn partial_walk_shows_its_findings() {
        let folder = tempfile::tempdir().unwrap();
        let journal = messaging_journal::Journal::open(folder.path().join("j"), Default::default());
        let journal = journal.unwrap();
        let text = r#"{"v":1,"entry":{"digest":{"salt":"00","sha256":"00"},"attempts":1,"attempt":{"name":"00","began":0,"until":0},"end":null}}"#;
        for number in 0..600 {
            journal.swap(&format!("{number:03}"), None, text).await.unwrap();
        }
        let shown = std::cell::RefCell::new(Vec::new());
        let show = |count: &Count| {
            shown.borrow_mut().push((count.as_of_ms, count.unknown + count.unreadable));
        };
        let count = Count::of(&journal, show).await.unwrap();
        assert_eq!(*shown.borrow(), [(None, 500)]);
        assert_eq!(count.unknown + count.unreadable, 600);
        assert!(count.as_of_ms.is_some());
    }

    #[test]
    fn long_count_has_longer_pause() {
        assert_eq!(pause_after(Duration::from_millis(5)), PAUSE);
        assert_eq!(pause_after(Duration::from_secs(4)), Duration::from_secs(76));
    }
}
