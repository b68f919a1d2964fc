//! Types that go into the store and come out of it. No SQL.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt;
use std::num::NonZeroU32;
use std::str::FromStr;
use std::time::Duration;

use super::trace::TraceContext;

/// A valid event on its way into the store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The sender's key for it.
    pub idempotency_key: String,
    /// The message that it is about.
    pub message_id: String,
    /// The kind of event.
    pub kind: String,
    /// The whole event, as it was received. Two entries are the same when this is the
    /// same, byte for byte.
    pub json: String,
}

/// Number of other events that are kept under a key, in quarantine: as in every inbox of the
/// WIT package, so that a caller sees no difference between them.
pub const MAX_CONFLICTS: usize = 16;

/// Outcome of storing an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stored {
    /// It is new.
    Stored,
    /// It was kept already: nothing changed.
    Duplicate,
    /// Its key is that of an entry with another `json`: it is kept in quarantine.
    Conflict,
    /// It is new under its key, and the same event is kept under another one: it can be a delivery
    /// that somebody has seen and repeats. Said where [`Replays`] asks for it.
    Replayed,
}

/// Treatment of an event that comes under another key than before.
///
/// It is compared with events that are kept, and that were stored while this was not `Allowed`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Replays {
    /// It is an event like any other: for senders whose proof of origin holds for one key alone.
    #[default]
    Allowed,
    /// It is stored, counted and logged.
    Noticed,
    /// The same, and it waits for a person to decide.
    Quarantined,
}

/// Outcomes of storing entries, since this process opened the store. A call that failed is none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Puts {
    /// [`Stored::Stored`].
    pub stored: u64,
    /// [`Stored::Duplicate`].
    pub duplicates: u64,
    /// [`Stored::Conflict`].
    pub conflicts: u64,
    /// [`Stored::Replayed`].
    pub replays: u64,
}

/// State of an event on its way to a worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// It can be leased, at once or after a pause.
    Pending,
    /// A worker has a lease on it. Once that has run out, it can be leased again.
    Leased,
    /// It has been processed.
    Done,
    /// It came under the key of another event, or again under another key, and waits for a
    /// person to decide.
    Quarantined,
    /// It failed, and is not tried again until a person decides: a dead letter.
    Dead,
}

impl State {
    /// Every state.
    pub const ALL: [Self; 5] =
        [Self::Pending, Self::Leased, Self::Done, Self::Quarantined, Self::Dead];

    /// Returns its name, in every output.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Leased => "leased",
            Self::Done => "done",
            Self::Quarantined => "quarantined",
            Self::Dead => "dead",
        }
    }
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for State {
    type Err = UnknownState;

    fn from_str(text: &str) -> Result<Self, UnknownState> {
        Self::ALL.into_iter().find(|state| state.as_str() == text).ok_or(UnknownState)
    }
}

/// A text that names no [`State`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("is none of pending, leased, done, quarantined, dead")]
pub struct UnknownState;

/// An event as the store keeps it. Times are milliseconds since 1970, UTC.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// Its number in this store, in the order of arrival; never used twice.
    pub id: i64,
    /// The sender's key for it.
    pub idempotency_key: String,
    /// 0 for the first event under its key, and 1, 2, ... for conflicting ones.
    pub copy: i64,
    /// The message that it is about.
    pub message_id: String,
    /// The kind of event.
    pub kind: String,
    /// The whole event, as it was received.
    pub json: String,
    /// Time at which it was stored.
    pub received_at_ms: i64,
    /// Its state.
    pub state: State,
    /// The token of the newest lease on it.
    pub lease: Option<String>,
    /// While pending: the earliest time of its next lease. While leased: the end of the lease.
    pub due_ms: i64,
    /// Number of leases so far.
    pub attempts: i64,
    /// Number of those that failed through the event, as far as who tried it can tell: not
    /// leases that ran out or were given back, nor failures of the worker's own.
    pub failures: i64,
    /// Error of the last attempt, if it failed. Of a dead event: why it is.
    pub last_error: Option<String>,
    /// Time at which it was done.
    pub done_at_ms: Option<i64>,
    /// Time at which it became dead.
    pub dead_at_ms: Option<i64>,
    /// Trace that its delivery was a part of.
    pub trace: Option<TraceContext>,
    /// Token that tells a conflicting event from all others, of any key: 32 random digits. None
    /// for a first event, and in a file that no newer version has written to.
    pub copy_token: Option<String>,
    /// Number of the first event of those that are the same as this one and came under another
    /// key before. That event may be forgotten by now.
    pub replay_of: Option<i64>,
}

/// The longest key that a receiver has to take.
const KEY_CHARS: usize = 256;

impl Event {
    /// Leased this often and not done, an event is stuck.
    pub const STUCK_ATTEMPTS: i64 = 5;

    /// Whether it is not done although it failed, or was leased several times.
    #[must_use]
    pub fn is_stuck(&self) -> bool {
        let tried = self.last_error.is_some() || self.attempts >= Self::STUCK_ATTEMPTS;
        self.state != State::Done && tried
    }

    /// The key to process it under, once: the sender's for a first event, and for one
    /// that came under the key of another, `KEY~COPY~TOKEN`. Nobody can guess the token,
    /// so that no sender's key is ever the same, by accident or not. A long key is cut
    /// before that, to 256 characters in all.
    #[must_use]
    pub fn delivery_key(&self) -> Cow<'_, str> {
        let Some(token) = self.copy_token.as_deref().filter(|_| self.copy > 0) else {
            return Cow::Borrowed(&self.idempotency_key);
        };
        let end = format!("~{}~{token}", self.copy);
        let left = KEY_CHARS.saturating_sub(end.len());
        Cow::Owned(self.idempotency_key.chars().take(left).chain(end.chars()).collect())
    }
}

/// Lane of events that can be leased.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Lane {
    /// Those that have been due for longest.
    #[default]
    Any,
    /// Of those that were never tried, the ones that came first.
    Oldest,
    /// Of those that were never tried, the ones that came last.
    Newest,
    /// Those that were tried before, and are due again.
    Again,
}

/// Kinds of event that a worker leases.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Kinds {
    /// Every kind.
    #[default]
    All,
    /// These alone; the others wait for other workers.
    Only(BTreeSet<String>),
}

/// Consequence of an attempt that did not come to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Retry {
    /// The event has failed, and is tried again after this pause.
    After(Duration),
    /// The same; but with so many failures it is dead.
    UpTo {
        /// Number of failures with which it is dead.
        failures: NonZeroU32,
        /// Time until it can be leased again.
        pause: Duration,
    },
    /// The worker has failed, and not the event: it is tried again after this pause, and no
    /// failure is counted.
    Uncounted(Duration),
    /// The event has failed, and is dead.
    Never,
}

impl From<Duration> for Retry {
    fn from(pause: Duration) -> Self {
        Self::After(pause)
    }
}

/// Selection of dead events.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeadFilter {
    /// Only events of this kind.
    pub kind: Option<String>,
    /// Only those that became dead at this time or later, in milliseconds since 1970.
    pub since_ms: Option<i64>,
    /// Only those that became dead at this time or before, in milliseconds since 1970.
    pub until_ms: Option<i64>,
}

impl DeadFilter {
    /// The first and the last time that it lets through.
    #[must_use]
    pub fn times(&self) -> (i64, i64) {
        (self.since_ms.unwrap_or(i64::MIN), self.until_ms.unwrap_or(i64::MAX))
    }
}

/// Times at which events can be leased from the lanes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Due {
    /// An event that was never tried waits.
    pub new: bool,
    /// Time at which the next one that was tried before can be leased, in milliseconds since
    /// 1970; `None` where there is none.
    pub again_ms: Option<i64>,
}

/// By how much a clock may be set back and still be believed: time services do that.
pub const STEP_MS: i64 = 60_000;

/// A longer error text is cut: what matters is at its beginning.
const ERROR_CHARS: usize = 2_000;

/// Cuts the error of an attempt to what is kept of it.
#[must_use]
pub fn kept_error(error: &str) -> String {
    error.chars().take(ERROR_CHARS).collect()
}

/// `duration` in milliseconds, or the longest time there is.
#[must_use]
pub fn millis(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)
}

/// By which time a done event is old.
#[derive(Clone, Copy, Debug)]
pub enum Old {
    /// The store's own age (age.rs): for so long.
    Measured(Duration),
    /// The wall clock: for so long.
    ByClock(Duration),
}

/// Result of one step of pruning.
#[derive(Clone, Copy, Debug)]
pub struct Pruned {
    /// Number of events that are gone.
    pub forgotten: u64,
    /// There may be more.
    pub goes_on: bool,
}

/// Result of one step of requeuing what is dead.
#[derive(Clone, Copy, Debug)]
pub struct Requeued {
    /// Number of events that are pending now.
    pub requeued: u64,
    /// The last event that was looked at; none where there are no more.
    pub last_id: Option<i64>,
}

/// Selection of events to list.
#[derive(Clone, Debug)]
pub struct Filter {
    /// Only events in this state.
    pub state: Option<State>,
    /// Only events that are pending or leased and [are stuck](Event::is_stuck).
    pub stuck: bool,
    /// Only events of this kind.
    pub kind: Option<String>,
    /// Only events with a higher identifier: the last one of the page before.
    pub after_id: i64,
    /// At most this many.
    pub limit: u32,
}

impl Default for Filter {
    fn default() -> Self {
        Self { state: None, stuck: false, kind: None, after_id: 0, limit: 100 }
    }
}

/// Number of events in each state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Can be leased, at once or after a pause.
    pub pending: u64,
    /// Under a lease, or left with one that has run out.
    pub leased: u64,
    /// Processed, and not pruned yet.
    pub done: u64,
    /// Waiting for a person to decide.
    pub quarantined: u64,
    /// Failed, and waiting for a person to decide.
    pub dead: u64,
}

impl Counts {
    /// Reads them from a row: columns 0 to 4, in the order of the fields.
    ///
    /// # Errors
    /// Those of `column`.
    pub fn read<E>(column: impl Fn(usize) -> Result<i64, E>) -> Result<Self, E> {
        // A count is never negative.
        let count = |at| column(at).map(i64::unsigned_abs);
        Ok(Self {
            pending: count(0)?,
            leased: count(1)?,
            done: count(2)?,
            quarantined: count(3)?,
            dead: count(4)?,
        })
    }
}

/// Condition of a store at one moment: what an operator watches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Number of events in each state.
    pub counts: Counts,
    /// Time at which the oldest event that is pending or leased was stored, in milliseconds
    /// since 1970; `None` where there is none.
    pub oldest_open_ms: Option<i64>,
}
