//! The store under arbitrary clocks, compared with a model of the true time. No acknowledged event
//! is lost, stored twice, processed twice, or stuck.

use std::collections::BTreeMap;
use std::sync::atomic::Ordering;
use std::time::Duration;

use messaging_inbox::{Filter, Kinds, Queue, State, Store, StoreError, Stored};
use proptest::prelude::*;

use super::super::fixture::{CASES, Fixture, HOUR_MS};
use super::entry;

const WEEK_MS: i64 = 7 * 24 * HOUR_MS;
const YEAR_MS: i64 = 365 * 24 * HOUR_MS;
/// Maximum lease and delay in the model.
const LONGEST_MS: i64 = 10 * 60 * 1000;
/// Maximum backward step of a clock that the store tolerates.
const STEP_MS: i64 = 60 * 1000;
/// Interval between two polls of a worker. A poll must happen before a clock that was set back has
/// caught up.
const LOOK_MS: i64 = 30 * 1000;

#[derive(Clone, Debug)]
enum Op {
    Put(u8),
    /// Leases this many events of a queue.
    Take(u8, Queue),
    /// Acknowledges one of the leased events.
    Done(u8),
    Fail(u8, i64),
    Extend(u8),
    Prune,
    Restart,
    /// All clocks advance.
    Pass(i64),
    /// The wall clock jumps.
    Jump(i64),
    /// The wall clock stops for this time.
    Freeze(i64),
    /// The machine sleeps, and the monotonic clock stops.
    Sleep(i64),
}

fn op() -> impl Strategy<Value = Op> {
    let span = || prop_oneof![0..1_000_i64, 0..LONGEST_MS, 0..4 * HOUR_MS, 0..WEEK_MS];
    let jump = prop_oneof![
        -1_000..1_000_i64,
        Just(10 * YEAR_MS),
        Just(-10 * YEAR_MS),
        Just(WEEK_MS + HOUR_MS),
        Just(-WEEK_MS),
        -4 * HOUR_MS..4 * HOUR_MS,
    ];
    let queues = [Queue::Any, Queue::Oldest, Queue::Newest, Queue::Again];
    let queue = proptest::sample::select(queues.to_vec());
    prop_oneof![
        6 => (0..12_u8).prop_map(Op::Put),
        4 => (1..4_u8, queue).prop_map(|(limit, queue)| Op::Take(limit, queue)),
        4 => any::<u8>().prop_map(Op::Done),
        2 => (any::<u8>(), 0..LONGEST_MS).prop_map(|(at, pause)| Op::Fail(at, pause)),
        1 => any::<u8>().prop_map(Op::Extend),
        3 => Just(Op::Prune),
        1 => Just(Op::Restart),
        3 => span().prop_map(Op::Pass),
        3 => jump.prop_map(Op::Jump),
        1 => span().prop_map(Op::Freeze),
        1 => span().prop_map(Op::Sleep),
    ]
}

/// The store, its clocks, and the state that the store must have.
struct World {
    fixture: Fixture,
    true_ms: i64,
    store: Option<Store>,
    /// Acknowledged events, and the true time at which each became done.
    events: BTreeMap<u8, Option<i64>>,
    leases: Vec<(i64, u8, String)>,
}

impl World {
    async fn new() -> Option<Self> {
        let fixture = Fixture::new().await?;
        fixture.measured_ms.store(5_000, Ordering::SeqCst);
        let store = Some(fixture.open().await);
        Some(Self { fixture, true_ms: 0, store, events: BTreeMap::new(), leases: Vec::new() })
    }

    fn store(&self) -> &Store {
        self.store.as_ref().unwrap()
    }

    async fn turn(&mut self, true_ms: i64, wall_ms: i64, monotonic_ms: i64) {
        self.true_ms += true_ms;
        self.fixture.pass(wall_ms).await;
        self.fixture.measured_ms.fetch_add(monotonic_ms, Ordering::SeqCst);
    }

    fn held(&self, at: u8) -> Option<(i64, u8, String)> {
        let count = self.leases.len();
        (count > 0).then(|| self.leases[usize::from(at) % count].clone())
    }

    async fn take(&mut self, queue: Queue, limit: u32, lease_ms: i64) -> usize {
        let lease = Duration::from_millis(lease_ms.unsigned_abs());
        let taken = self.store().lease_from(queue, Kinds::All, limit, lease).await.unwrap();
        let mut ids = std::collections::BTreeSet::new();
        for event in &taken {
            assert!(ids.insert(event.id), "a lease has one event twice");
            let key: u8 = event.idempotency_key.parse().unwrap();
            assert_eq!(self.events.get(&key), Some(&None), "{key} is done, or was never stored");
            // The previous worker has lost its lease.
            self.leases.retain(|(id, _, _)| *id != event.id);
            self.leases.push((event.id, key, event.lease.clone().unwrap()));
        }
        taken.len()
    }

    async fn apply(&mut self, op: Op) {
        match op {
            Op::Put(key) => {
                let stored = self.store().put(entry(&key.to_string(), "1")).await.unwrap();
                match self.events.get(&key) {
                    None => assert_eq!(stored, Stored::Stored),
                    // The event may be forgotten, but only after its retention.
                    Some(Some(done)) if stored == Stored::Stored => {
                        let ago = self.true_ms - done;
                        assert!(ago >= WEEK_MS, "{key} was forgotten after {ago} ms");
                    }
                    Some(_) => assert_eq!(stored, Stored::Duplicate),
                }
                if stored == Stored::Stored {
                    self.events.insert(key, None);
                }
            }
            Op::Take(limit, queue) => {
                self.take(queue, limit.into(), LONGEST_MS / 10).await;
            }
            Op::Done(at) => {
                let Some((id, key, lease)) = self.held(at) else { return };
                // The newest lease stays valid until another worker leases the event.
                self.store().ack(id, lease).await.unwrap();
                self.leases.retain(|(held, _, _)| *held != id);
                self.events.insert(key, Some(self.true_ms));
            }
            Op::Fail(at, pause_ms) => {
                let Some((id, _, lease)) = self.held(at) else { return };
                let pause = Duration::from_millis(pause_ms.unsigned_abs());
                self.store().nack(id, lease.as_str(), "no", pause).await.unwrap();
                self.leases.retain(|(held, _, _)| *held != id);
                let late = self.store().ack(id, lease).await;
                assert!(matches!(late, Err(StoreError::LeaseLost { .. })), "{late:?}");
            }
            Op::Extend(at) => {
                let Some((id, _, lease)) = self.held(at) else { return };
                let by = Duration::from_millis(LONGEST_MS.unsigned_abs());
                self.store().extend(id, lease, by).await.unwrap();
            }
            Op::Prune => {
                self.store().prune(Store::RETENTION).await.unwrap();
            }
            Op::Restart => {
                self.store.take().unwrap().close().await;
                // The monotonic clock of a process starts at an arbitrary value.
                let begins = self.true_ms % 977;
                self.fixture.measured_ms.store(begins, Ordering::SeqCst);
                self.store = Some(self.fixture.open().await);
            }
            Op::Pass(ms) => self.turn(ms, ms, ms).await,
            Op::Jump(ms) => self.turn(0, ms, 0).await,
            Op::Freeze(ms) => self.turn(ms, 0, ms).await,
            Op::Sleep(ms) => self.turn(ms, ms, 0).await,
        }
    }

    /// Leases all due events as the forwarder does: queue by queue, if the store reports due
    /// events.
    async fn take_as_a_forwarder(&mut self, lease_ms: i64) -> usize {
        let due = self.store().due(Kinds::All).await.unwrap();
        let now_ms = self.fixture.now_ms();
        let mut taken = 0;
        if due.again_ms.is_some_and(|again_ms| again_ms <= now_ms) {
            taken += self.take(Queue::Again, 1_000, lease_ms).await;
        }
        if due.new {
            taken += self.take(Queue::Newest, 1, lease_ms).await;
            taken += self.take(Queue::Oldest, 1_000, lease_ms).await;
        }
        taken
    }

    async fn judge(&mut self) {
        // From here on, a worker only polls, and all clocks advance normally.
        let open = self.events.values().filter(|done| done.is_none()).count();
        let longest = LONGEST_MS + STEP_MS + LOOK_MS;
        let mut taken = self.take_as_a_forwarder(HOUR_MS).await;
        for _ in 0..=longest / LOOK_MS {
            self.turn(LOOK_MS, LOOK_MS, LOOK_MS).await;
            taken += self.take_as_a_forwarder(HOUR_MS).await;
        }
        assert_eq!(taken, open, "some events are stuck");
        let filter = Filter { limit: 1_000, ..Filter::default() };
        let events = self.store().list(filter).await.unwrap();
        for (key, done) in &self.events {
            let kept: Vec<_> =
                events.iter().filter(|event| event.idempotency_key == key.to_string()).collect();
            assert!(kept.len() <= 1, "{key} is stored twice");
            if kept.is_empty() {
                let ago = done.map(|done| self.true_ms - done);
                assert!(ago.is_some_and(|ago| ago >= WEEK_MS), "{key} is lost: {ago:?}");
            } else {
                assert_eq!(kept[0].state == State::Done, done.is_some(), "{key}");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: CASES, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn clock_jumps_lose_and_duplicate_nothing(
        ops in proptest::collection::vec(op(), 1..60)
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let Some(mut world) = World::new().await else { return };
            for op in ops {
                world.apply(op).await;
            }
            world.judge().await;
        });
    }
}

/// Random tests rarely produce this sequence: hours of pruning with clock jumps and restarts.
#[tokio::test]
async fn key_is_forgotten_after_seven_days() {
    let Some(mut world) = World::new().await else { return };
    for op in [Op::Put(1), Op::Take(1, Queue::Any), Op::Done(0), Op::Prune] {
        world.apply(op).await;
    }
    let jumps = [10 * YEAR_MS, -20 * YEAR_MS, WEEK_MS + HOUR_MS, 0, -HOUR_MS];
    for hour in 0..7 * 24 {
        assert_eq!(world.store().counts().await.unwrap().done, 1, "after {hour} hours");
        world.apply(Op::Jump(jumps[hour % jumps.len()])).await;
        world.apply(Op::Pass(HOUR_MS)).await;
        world.apply(Op::Prune).await;
        if hour % 50 == 0 {
            world.apply(Op::Sleep(WEEK_MS)).await;
            world.apply(Op::Restart).await;
        }
    }
    for _ in 0..4 {
        world.apply(Op::Pass(HOUR_MS)).await;
        world.apply(Op::Prune).await;
    }
    assert_eq!(world.store().counts().await.unwrap().done, 0, "the done event is never forgotten");
}

/// The clock is set back by at most the duration of the lease, and soon catches up.
#[tokio::test]
async fn clock_set_back_delays_event_briefly() {
    for back_ms in [STEP_MS - 1, STEP_MS + 1, STEP_MS + LOOK_MS / 2, LONGEST_MS / 2, LONGEST_MS] {
        let Some(mut world) = World::new().await else { return };
        world.apply(Op::Put(1)).await;
        assert_eq!(world.take(Queue::Any, 1, LONGEST_MS).await, 1);
        world.apply(Op::Jump(-back_ms)).await;
        world.judge().await;
    }
}

/// A lease and a delay that began when the clock was ten years ahead.
#[tokio::test]
async fn clock_set_back_releases_each_queue() {
    for queue in [Queue::Any, Queue::Again] {
        let Some(mut world) = World::new().await else { return };
        for op in [Op::Put(1), Op::Put(2), Op::Jump(10 * YEAR_MS)] {
            world.apply(op).await;
        }
        assert_eq!(world.take(Queue::Oldest, 2, LONGEST_MS).await, 2);
        world.apply(Op::Fail(0, LONGEST_MS)).await;
        assert_eq!(world.take(queue, 2, LONGEST_MS).await, 0, "{queue:?}: no event is due");
        // The store tolerates a step of a time service.
        world.apply(Op::Jump(-STEP_MS)).await;
        assert_eq!(world.take(queue, 2, LONGEST_MS).await, 0, "{queue:?}: no event is due");
        world.apply(Op::Jump(-10 * YEAR_MS)).await;
        assert_eq!(world.store().due(Kinds::All).await.unwrap().again_ms, Some(0), "{queue:?}");
        assert_eq!(world.take(queue, 2, LONGEST_MS).await, 2, "{queue:?}");
    }
}
