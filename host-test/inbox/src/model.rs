//! Types of the store's interface. Contains no SQL.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt;
use std::num::NonZeroU32;
use std::str::FromStr;
use std::time::Duration;

use super::trace::TraceContext;

/// A valid event to store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Idempotency key from the event source.
    pub idempotency_key: String,
    /// Identifier of the message.
    pub message_id: String,
    /// Kind of the event.
    pub kind: String,
    /// The event as received. Two entries under one key are the same event if these bytes are
    /// equal.
    pub json: String,
}

/// Maximum number of quarantined events under a key. Limits the space that one key can use without
/// an operator. The inboxes of the WIT package have the same limit (`wit/worlds.wit`).
pub const MAX_CONFLICTS: usize = 16;

/// The outcome of storing an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stored {
    /// A new event.
    Stored,
    /// An event that was already stored. Nothing changed.
    Duplicate,
    /// A different event under a known key. Stored in quarantine.
    Conflict,
    /// A known event under a new key. Possibly a captured delivery. Not reported with
    /// [`Replays::Allowed`].
    Replayed,
}

/// The treatment of replays, which are known events under new keys.
///
/// An event is compared only with events that were stored while the treatment was not `Allowed`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Replays {
    /// Treat replays as new events. For event sources whose proof of origin covers the key.
    #[default]
    Allowed,
    /// Store, count and log replays.
    Noticed,
    /// Store, count and log replays, and quarantine them for an operator.
    Quarantined,
}

/// The number of `put` calls by outcome, since this process opened the store. Excludes failed
/// calls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Puts {
    /// Number of [`Stored::Stored`] outcomes.
    pub stored: u64,
    /// Number of [`Stored::Duplicate`] outcomes.
    pub duplicates: u64,
    /// Number of [`Stored::Conflict`] outcomes.
    pub conflicts: u64,
    /// Number of [`Stored::Replayed`] outcomes.
    pub replays: u64,
}

/// The state of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// The event is leasable now or after a delay.
    Pending,
    /// The event is leased, and leasable again after the lease expires.
    Leased,
    /// The event was processed.
    Done,
    /// The event is a conflict or a replay, and waits for an operator.
    Quarantined,
    /// The event is a dead letter. It failed, and is not retried until an operator requeues it.
    Dead,
}

impl State {
    /// Every state.
    pub const ALL: [Self; 5] =
        [Self::Pending, Self::Leased, Self::Done, Self::Quarantined, Self::Dead];

    /// Returns the name of the state, as all outputs show it.
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

/// The error for a string that is not the name of a [`State`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("is not pending, leased, done, quarantined or dead")]
pub struct UnknownState;

/// A stored event. Times are in milliseconds since 1970, UTC.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// Identifier in this store. Identifiers ascend in order of arrival, and are never reused.
    pub id: i64,
    /// Idempotency key from the event source.
    pub idempotency_key: String,
    /// Copy number: 0 for the first event under the key, 1, 2, ... for conflicting events.
    pub copy: i64,
    /// Identifier of the message.
    pub message_id: String,
    /// Kind of the event.
    pub kind: String,
    /// The event as received.
    pub json: String,
    /// Time at which the event was stored.
    pub received_at_ms: i64,
    /// State of the event.
    pub state: State,
    /// Token of the newest lease.
    pub lease: Option<String>,
    /// Earliest time of the next lease of a pending event, and end of the lease of a leased event.
    pub due_ms: i64,
    /// Number of leases since the event was stored, or since an operator last requeued or released
    /// it.
    pub attempts: i64,
    /// Start times of the last 20 leases, in milliseconds since 1970, oldest first. Not reset when
    /// the event is released.
    pub attempted_at_ms: Vec<i64>,
    /// Number of attempts that failed because of the event. Excludes expired and released leases,
    /// and failures of the worker.
    pub failures: i64,
    /// Error of the last failed attempt. For a dead event, the reason for its state.
    pub last_error: Option<String>,
    /// Time at which the event became done.
    pub done_at_ms: Option<i64>,
    /// Time at which the event became dead.
    pub dead_at_ms: Option<i64>,
    /// Trace of the delivery.
    pub trace: Option<TraceContext>,
    /// Random token of a conflicting event, 32 hexadecimal digits. `None` for a first event, and
    /// for an event that an older version stored.
    pub copy_token: Option<String>,
    /// Identifier of the earliest equal event under another key. That event may be forgotten.
    pub replay_of: Option<i64>,
}

/// Maximum length of the column `attempted_at_ms` in characters: 20 timestamps, each with 13 digits
/// and a space.
pub const TIMES_CHARS: usize = 20 * 14;

/// Reads the column `attempted_at_ms`.
#[must_use]
pub fn times(column: &str) -> Vec<i64> {
    column.split(' ').filter_map(|time| time.parse().ok()).collect()
}

/// Maximum length in characters of a key that every receiver accepts.
const KEY_CHARS: usize = 256;

impl Event {
    /// Number of leases after which an event that is not done counts as stuck.
    pub const STUCK_ATTEMPTS: i64 = 5;

    /// Returns true if the event is not done, and has either failed or been leased
    /// [`STUCK_ATTEMPTS`](Self::STUCK_ATTEMPTS) times without a result. An event that only waits
    /// for an unreachable receiver is not stuck.
    pub fn is_stuck(&self) -> bool {
        let has_no_result = self.last_error.is_none() && self.attempts >= Self::STUCK_ATTEMPTS;
        self.state != State::Done && (self.failures > 0 || has_no_result)
    }

    /// Returns the key under which a worker processes the event once. This is the key from the
    /// event source, or `KEY~COPY~TOKEN` for a conflicting event. The result has at most 256
    /// characters; a longer KEY is cut.
    ///
    /// Event sources cannot guess the random token, so their keys never equal the delivery key of a
    /// conflicting event.
    pub fn delivery_key(&self) -> Cow<'_, str> {
        let Some(token) = self.copy_token.as_deref().filter(|_| self.copy > 0) else {
            return Cow::Borrowed(&self.idempotency_key);
        };
        let end = format!("~{}~{token}", self.copy);
        let left = KEY_CHARS.saturating_sub(end.len());
        Cow::Owned(self.idempotency_key.chars().take(left).chain(end.chars()).collect())
    }

    /// Returns the KEY of `KEY~COPY~TOKEN`, and every other key unchanged.
    pub fn source_key(delivery_key: &str) -> &str {
        let parts = delivery_key.rsplit_once('~').and_then(|(rest, token)| {
            let (key, copy) = rest.rsplit_once('~')?;
            let is_token = token.len() == 32 && token.bytes().all(|byte| byte.is_ascii_hexdigit());
            (is_token && copy.parse::<i64>().is_ok()).then_some(key)
        });
        parts.unwrap_or(delivery_key)
    }
}

/// A selection of leasable events.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Queue {
    /// All events, longest due first.
    #[default]
    Any,
    /// Untried events, oldest first.
    Oldest,
    /// Untried events, newest first.
    Newest,
    /// Tried events that are due again.
    Again,
}

/// The kinds of event that a worker leases.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Kinds {
    /// Every kind.
    #[default]
    All,
    /// Only these kinds. Other events stay for other workers.
    Only(BTreeSet<String>),
}

/// The consequence of a failed attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Retry {
    /// Count a failure, and retry after this delay.
    After(Duration),
    /// Count a failure, and retry. The event becomes dead when it has `failures` failures.
    UpTo {
        /// Number of failures at which the event becomes dead.
        failures: NonZeroU32,
        /// Delay before the retry.
        pause: Duration,
    },
    /// Retry after this delay without counting a failure, because the worker failed and not the
    /// event.
    Uncounted(Duration),
    /// Count a failure, and make the event dead.
    Never,
}

impl From<Duration> for Retry {
    fn from(pause: Duration) -> Self {
        Self::After(pause)
    }
}

/// A selection of dead events.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeadFilter {
    /// Only events of this kind.
    pub kind: Option<String>,
    /// Only events that became dead at or after this time, in milliseconds since 1970.
    pub since_ms: Option<i64>,
    /// Only events that became dead at or before this time, in milliseconds since 1970.
    pub until_ms: Option<i64>,
}

impl DeadFilter {
    /// Returns the first and the last selected time, in milliseconds since 1970.
    pub fn times(&self) -> (i64, i64) {
        (self.since_ms.unwrap_or(i64::MIN), self.until_ms.unwrap_or(i64::MAX))
    }
}

/// The times at which the queues have leasable events.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Due {
    /// True if an untried event is pending.
    pub new: bool,
    /// Time at which the next event with an earlier attempt becomes leasable, in milliseconds since
    /// 1970; `None` if no such event exists.
    pub again_ms: Option<i64>,
}

/// Maximum tolerated backward step of a clock, in milliseconds. Time services make such steps.
pub const STEP_MS: i64 = 60_000;

/// Maximum length of a stored error in characters. Only the end is cut, because the beginning of an
/// error matters most.
const ERROR_CHARS: usize = 2_000;

/// Shortens the error of an attempt to its stored length.
pub fn kept_error(error: &str) -> String {
    error.chars().take(ERROR_CHARS).collect()
}

/// Converts a duration to milliseconds. Saturates at `i64::MAX`.
pub fn millis(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)
}

/// The retention of done events, and the clock that measures it.
#[derive(Clone, Copy, Debug)]
pub enum Old {
    /// Forget events that have been done for this long by the measured age of the store
    /// ([`Age`](crate::Age)).
    Measured(Duration),
    /// Forget events that have been done for this long by the wall clock.
    ByClock(Duration),
}

/// The result of one step of pruning.
#[derive(Clone, Copy, Debug)]
pub struct Pruned {
    /// Number of forgotten events.
    pub forgotten: u64,
    /// True if a further step may forget more events.
    pub goes_on: bool,
}

/// The result of one step of requeuing dead events.
#[derive(Clone, Copy, Debug)]
pub struct Requeued {
    /// Number of requeued events.
    pub requeued: u64,
    /// Identifier of the last checked event; `None` if no unchecked event remained.
    pub last_id: Option<i64>,
}

/// A selection of events to list.
#[derive(Clone, Debug)]
pub struct Filter {
    /// Only events in this state.
    pub state: Option<State>,
    /// Only pending or leased events that [are stuck](Event::is_stuck).
    pub stuck: bool,
    /// Only events of this kind.
    pub kind: Option<String>,
    /// Only events under this idempotency key: the first event and its conflicts.
    pub key: Option<String>,
    /// Lists the newest event first.
    pub newest: bool,
    /// Identifier of the last event of the previous page; 0 for the first page.
    pub after_id: i64,
    /// Maximum number of events.
    pub limit: u32,
}

impl Default for Filter {
    fn default() -> Self {
        Self {
            state: None,
            stuck: false,
            kind: None,
            key: None,
            newest: false,
            after_id: 0,
            limit: 100,
        }
    }
}

impl Filter {
    /// Returns the exclusive bound of the page. The page has larger identifiers, or smaller
    /// identifiers if `newest` is true.
    pub fn bound(&self) -> i64 {
        if self.newest && self.after_id == 0 { i64::MAX } else { self.after_id }
    }
}

/// The number of events in each state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Number of events that are leasable now or after a delay.
    pub pending: u64,
    /// Number of leased events, including events with an expired lease.
    pub leased: u64,
    /// Number of events that were processed and not yet forgotten.
    pub done: u64,
    /// Number of quarantined events, which wait for an operator.
    pub quarantined: u64,
    /// Number of failed events that wait for an operator.
    pub dead: u64,
}

impl Counts {
    /// Reads counts from columns 0 to 4 of a row, in the order of the fields.
    ///
    /// # Errors
    /// Returns the error of `column`.
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

/// The condition of a store at one moment, for operators.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Number of events in each state.
    pub counts: Counts,
    /// Time at which the oldest pending or leased event was stored, in milliseconds since 1970;
    /// `None` if there is no such event.
    pub oldest_open_ms: Option<i64>,
}
