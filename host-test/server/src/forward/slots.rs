//! Decides which delivery may begin, and which open delivery is cut off, because an event must not
//! block the first attempt of another event. Contains no I/O; the time is an argument.
//!
//! ```text
//! first attempts  Each slot admits one attempt. An attempt without a response after PROMPT
//!                 frees its slot and continues. If MOST_OPEN attempts are open, the oldest
//!                 attempt is cut off and retried, but not counted as a failure.
//! later attempts  The same rules, with separate slots. In addition, each slot admits one
//!                 patient attempt, which is never cut off.
//! ```
//!
//! An event that hangs occupies a slot for [`PROMPT`] in each attempt. First attempts alternate
//! between the oldest and the newest event, so a backlog does not delay a new event.
//!
//! Failed events are retried in the order of their due times. With 8 slots, 32 events per second
//! are retried, even if all of them hang. A slow receiver still gets every event: a delivery is cut
//! off only if other deliveries wait, and later attempts become patient attempts in turn.

use std::time::Duration;

/// Time after which an attempt without a response frees its slot.
pub(super) const PROMPT: Duration = Duration::from_millis(250);

/// Maximum number of open first attempts, including attempts without a slot. Also the maximum
/// number of open later attempts.
pub(super) const MOST_OPEN: usize = 120;

/// Kind of an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    First,
    Again,
    /// A later attempt that is never cut off.
    Patient,
}

/// An active delivery.
struct Delivery<T> {
    id: i64,
    kind: Kind,
    /// Start time on the caller's clock.
    begun: Duration,
    /// True if the delivery was cut off. Such a delivery no longer counts as open.
    cut: bool,
    about: T,
}

/// Number of deliveries that may begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Free {
    /// First attempts of the oldest events.
    pub(super) oldest: usize,
    /// First attempts of the newest events.
    pub(super) newest: usize,
    /// Later attempts.
    pub(super) again: usize,
}

/// The active deliveries, each with data of the caller.
pub(super) struct Slots<T> {
    slots: usize,
    under_way: Vec<Delivery<T>>,
    newest_is_next: bool,
}

impl<T> Slots<T> {
    pub(super) fn new(slots: usize) -> Self {
        Self { slots: slots.max(1), under_way: Vec::new(), newest_is_next: false }
    }

    /// Returns the number of deliveries that may begin now.
    pub(super) fn free(&self, now: Duration) -> Free {
        let first = self.room(Kind::First, now);
        let patient = self.slots.saturating_sub(self.open(Kind::Patient).count());
        let (half, other) = (first / 2, first - first / 2);
        let (oldest, newest) = if self.newest_is_next { (half, other) } else { (other, half) };
        Free { oldest, newest, again: patient.saturating_add(self.room(Kind::Again, now)) }
    }

    /// Returns the number of deliveries of this kind that may begin. `kind` must not be
    /// [`Kind::Patient`].
    fn room(&self, kind: Kind, now: Duration) -> usize {
        let prompt = self.open(kind).filter(|one| now.saturating_sub(one.begun) < PROMPT).count();
        let more = MOST_OPEN.saturating_sub(self.open(kind).count());
        self.slots.saturating_sub(prompt).min(more)
    }

    /// Registers the start of a delivery.
    pub(super) fn begin(&mut self, id: i64, first: bool, now: Duration, about: T) {
        // If only one slot is free, the oldest and the newest event get it in turn.
        self.newest_is_next ^= first;
        let kind = match first {
            true => Kind::First,
            false if self.open(Kind::Patient).count() < self.slots => Kind::Patient,
            false => Kind::Again,
        };
        self.under_way.push(Delivery { id, kind, begun: now, cut: false, about });
    }

    /// Removes a finished delivery.
    pub(super) fn end(&mut self, id: i64) {
        self.under_way.retain(|one| one.id != id);
    }

    /// Returns the caller's data of an active delivery.
    pub(super) fn about(&mut self, id: i64) -> Option<&mut T> {
        self.under_way.iter_mut().find(|one| one.id == id).map(|one| &mut one.about)
    }

    /// Marks the oldest open delivery of this kind as cut off, in favor of a waiting attempt, and
    /// returns its data. `None` if fewer than [`MOST_OPEN`] deliveries are open.
    pub(super) fn cut(&mut self, kind: Kind) -> Option<&mut T> {
        if self.open(kind).count() < MOST_OPEN {
            return None;
        }
        let open = self.under_way.iter_mut().filter(|one| one.kind == kind && !one.cut);
        let longest = open.min_by_key(|one| one.begun)?;
        longest.cut = true;
        Some(&mut longest.about)
    }

    /// Returns the time until an open attempt of this kind frees its slot; `None` if no open
    /// attempt has a slot.
    pub(super) fn until_free(&self, kind: Kind, now: Duration) -> Option<Duration> {
        let left = |one: &Delivery<T>| PROMPT.checked_sub(now.saturating_sub(one.begun));
        self.open(kind).filter_map(left).min()
    }

    fn open(&self, kind: Kind) -> impl Iterator<Item = &Delivery<T>> {
        self.under_way.iter().filter(move |one| one.kind == kind && !one.cut)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet, VecDeque};

    use proptest::prelude::*;

    use super::*;

    /// Behavior of a receiver for an event.
    #[derive(Clone, Copy, Debug)]
    enum Behavior {
        Taken(u64),
        Fails(u64),
        Hangs,
    }

    const TIMEOUT_MS: u64 = 30_000;
    const PROMISE_MS: u64 = 2_000;
    const STEP_MS: u64 = 10;

    fn behavior() -> impl Strategy<Value = Behavior> {
        prop_oneof![
            (0..20_000_u64).prop_map(Behavior::Taken),
            (0..3_000_u64).prop_map(Behavior::Fails),
            Just(Behavior::Hangs),
        ]
    }

    /// Runs the slots against queues in memory with a simulated clock. Returns two maps: the wait
    /// of each event outside the backlog for its first attempt, and the longest wait of each event
    /// for a later attempt.
    fn simulate(
        backlog: usize,
        failed: usize,
        behaviors: &[Behavior],
        arrivals: &[(u64, Behavior)],
        jumps: &[u64],
    ) -> (BTreeMap<i64, u64>, BTreeMap<i64, u64>) {
        let mut slots = Slots::new(8);
        let mut new: VecDeque<i64> = (0..i64::try_from(backlog).unwrap()).collect();
        let mut again: BTreeSet<(u64, i64)> =
            (0..i64::try_from(failed).unwrap()).map(|id| (0, -1 - id)).collect();
        let mut ends: BTreeSet<(u64, i64, bool)> = BTreeSet::new();
        let mut attempts: BTreeMap<i64, u64> = BTreeMap::new();
        let mut came = BTreeMap::new();
        let mut behavior_of = BTreeMap::new();
        let mut waited = BTreeMap::new();
        let mut waited_again: BTreeMap<i64, u64> = BTreeMap::new();
        let mut arrivals = arrivals.iter().peekable();
        let mut next_id = i64::try_from(backlog).unwrap();
        let end = 60_000 + arrivals.clone().last().map_or(0, |(at, _)| *at);
        let mut now_ms = 0;
        while now_ms < end {
            while let Some((at, behavior)) = arrivals.peek()
                && *at <= now_ms
            {
                came.insert(next_id, *at);
                behavior_of.insert(next_id, *behavior);
                new.push_back(next_id);
                next_id += 1;
                arrivals.next();
            }
            while let Some((at, id, failed)) = ends.first().copied()
                && at <= now_ms
            {
                ends.pop_first();
                slots.end(id);
                if failed {
                    let pause = 1_000 << attempts[&id].min(8);
                    again.insert((now_ms + pause, id));
                }
            }
            let now = Duration::from_millis(now_ms);
            let due_again = again.first().is_some_and(|(due, _)| *due <= now_ms);
            for (kind, waits) in [
                (Kind::First, !new.is_empty() && slots.room(Kind::First, now) == 0),
                (Kind::Again, due_again && slots.free(now).again == 0),
            ] {
                if waits && let Some(id) = slots.cut(kind).copied() {
                    ends.retain(|(_, one, _)| *one != id);
                    ends.insert((now_ms + STEP_MS, id, true));
                }
            }
            let free = slots.free(now);
            let mut begin = Vec::new();
            begin.extend((0..free.oldest).filter_map(|_| new.pop_front()).map(|id| (id, true)));
            begin.extend((0..free.newest).filter_map(|_| new.pop_back()).map(|id| (id, true)));
            for _ in 0..free.again {
                let due = again.first().copied().filter(|(due, _)| *due <= now_ms);
                begin.extend(due.map(|(due, id)| {
                    again.remove(&(due, id));
                    let longest = waited_again.entry(id).or_default();
                    *longest = (*longest).max(now_ms - due);
                    (id, false)
                }));
            }
            for (id, first) in begin {
                slots.begin(id, first, now, id);
                *attempts.entry(id).or_default() += 1;
                if let (true, Some(came)) = (first, came.get(&id)) {
                    waited.insert(id, now_ms - came);
                }
                let index = usize::try_from(id.unsigned_abs()).unwrap() % behaviors.len();
                let (after, failed) =
                    match behavior_of.get(&id).copied().unwrap_or(behaviors[index]) {
                        Behavior::Taken(after) => (after, false),
                        Behavior::Fails(after) => (after, true),
                        Behavior::Hangs => (TIMEOUT_MS, true),
                    };
                ends.insert((now_ms + STEP_MS + after, id, failed));
            }
            now_ms += STEP_MS;
            // Simulates a stopped process.
            now_ms += if jumps.contains(&(now_ms / STEP_MS)) { 5_000 } else { 0 };
        }
        for id in came.keys() {
            assert!(waited.contains_key(id), "event {id} was never tried");
        }
        (waited, waited_again)
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn new_event_is_tried_within_two_seconds(
            backlog in prop_oneof![Just(0_usize), 0..100_usize, Just(1_000_000)],
            failed in prop_oneof![Just(0_usize), 0..5_000_usize],
            behaviors in proptest::collection::vec(behavior(), 1..8),
            arriving in proptest::collection::vec((70..2_000_u64, behavior()), 1..100),
        ) {
            let mut at = 1_000;
            let arrivals: Vec<_> = arriving
                .into_iter()
                .map(|(after, behavior)| {
                    at += after;
                    (at, behavior)
                })
                .collect();
            let (waited, _) = simulate(backlog, failed, &behaviors, &arrivals, &[]);
            let longest = waited.values().max().copied().unwrap_or(0);
            prop_assert!(longest <= PROMISE_MS, "{longest} ms");
        }
    }

    #[test]
    fn hanging_backlog_delays_no_new_event() {
        let arrivals: Vec<_> = (1..600).map(|number| (number * 100, Behavior::Hangs)).collect();
        let (waited, _) = simulate(1_000_000, 10_000, &[Behavior::Hangs], &arrivals, &[]);
        assert!(waited.values().all(|waited| *waited <= PROMISE_MS), "{waited:?}");
    }

    #[test]
    fn failed_event_is_retried_despite_hanging_events() {
        let hanging: Vec<_> = (1..400).map(|number| (number * 500, Behavior::Hangs)).collect();
        // Events that hang from the start: a backlog of 200, events that arrive later, or both.
        for (arrivals, backlog) in [(&[][..], 200), (&hanging, 0), (&hanging, 200)] {
            let mut arrivals = arrivals.to_vec();
            arrivals.extend([(45_000, Behavior::Fails(20)), (61_000, Behavior::Fails(20))]);
            arrivals.sort_by_key(|(at, _)| *at);
            let once: Vec<_> = (0_i64..)
                .zip(&arrivals)
                .filter(|(_, (_, behavior))| matches!(behavior, Behavior::Fails(_)))
                .map(|(number, _)| number + i64::try_from(backlog).unwrap())
                .collect();
            let (_, waited) = simulate(backlog, 0, &[Behavior::Hangs], &arrivals, &[]);
            for id in once {
                assert!(waited[&id] <= 15_000, "{id}: {} ms", waited[&id]);
            }
        }
    }

    #[test]
    fn slow_later_attempt_is_not_cut_off() {
        let mut slots = Slots::new(2);
        (0..2).for_each(|id| slots.begin(id, false, Duration::ZERO, id));
        for id in 2..1_000 {
            slots.begin(id, false, Duration::from_millis(id.unsigned_abs()), id);
            if let Some(cut) = slots.cut(Kind::Again).copied() {
                assert!(cut >= 2, "{cut}");
            }
        }
        assert_eq!(slots.open(Kind::Patient).count(), 2);
    }

    #[test]
    fn suspended_process_tries_every_event() {
        let arrivals: Vec<_> = (1..100).map(|number| (number * 100, Behavior::Hangs)).collect();
        simulate(100, 100, &[Behavior::Hangs], &arrivals, &[200, 700, 900]);
    }

    #[test]
    fn oldest_and_newest_share_equally() {
        let mut slots = Slots::new(1);
        let mut shares = (0, 0);
        for number in 0..100_u32 {
            let now = PROMPT * number;
            let free = slots.free(now);
            shares = (shares.0 + free.oldest, shares.1 + free.newest);
            slots.begin(number.into(), true, now, ());
            slots.end(number.into());
        }
        assert_eq!(shares, (50, 50));
    }
}
