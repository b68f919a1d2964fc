//! Every interleaving of three callers under one key, up to a bound: crashes at each point,
//! journal answers that are lost before, after and long before the write happens, providers that
//! do not know, clocks that jump, and people who resolve.
//!
//! An explorer of our own, of about a hundred lines, and not a model checker: the machines
//! are values without input and output, so a state of the world is a value as well, and all that is
//! left to write is what can happen next. What is explored is the code that runs, not a model of it.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::collections::HashSet;
use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;

use messaging_once_core::change::{Change, Changing, Resolution};
use messaging_once_core::digest::Request;
use messaging_once_core::entry::{Found, Outcome};
use messaging_once_core::provider::{Case, Failed, Message};
use messaging_once_core::send::{Created, Input, JournalFailure, SendOnce, Step};
use messaging_once_core::{Entry, Error, Kept, Now};

/// The provider's deadline: who waits for another caller does so twice.
const DEADLINE_MS: u32 = 60;
/// Beyond the end of every intent that was made before.
const JUMP_MS: u64 = 20_000;

/// How much may happen.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Bound {
    /// Calls of each caller.
    calls: [u8; 3],
    /// Calls that are cut off, at any point.
    crashes: u8,
    /// Answers of the journal that are lost.
    losses: u8,
    /// Sends whose outcome the provider does not know.
    doubts: u8,
    /// Sends that are proved to have created nothing.
    refusals: u8,
    /// Jumps of the wall clock, forward or back.
    jumps: u8,
    /// Decisions of a person.
    decisions: u8,
    /// Whether the person decides while senders are at work, and without a look.
    rash: bool,
}

/// A call under way.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Running {
    machine: SendOnce<()>,
    step: Todo,
    elapsed_ms: u64,
    /// The number of its message, if it creates one.
    number: u8,
    /// Whether a caller had been told of a message when it began.
    knew: Option<u8>,
}

/// A step that is to be made.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Todo {
    Get,
    Swap(Option<String>, String),
    Send,
    Sleep(u32),
}

/// A machine's next step, or its end.
fn todo<T, S>(step: Step<(), T, S>) -> Result<Todo, Result<T, Error<()>>> {
    match step {
        Step::Get => Ok(Todo::Get),
        Step::Swap { expected, new } => Ok(Todo::Swap(expected, new)),
        Step::Send(_) => Ok(Todo::Send),
        Step::Sleep(ms) => Ok(Todo::Sleep(ms)),
        Step::Done(result) => Err(result),
    }
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct World {
    left: Bound,
    wall_ms: u64,
    journal: Option<String>,
    /// Writes whose answer was lost, and that may still arrive.
    on_the_way: Vec<(Option<String>, String)>,
    /// Messages that the service has created.
    ledger: Vec<u8>,
    callers: [Option<Running>; 3],
    person: Option<(Changing, Todo)>,
    /// The message that a caller was told of, and that was noted.
    told: Option<u8>,
    next: u8,
}

#[derive(Default)]
struct Seen {
    states: usize,
    created: usize,
    replayed: usize,
    unknown: usize,
    busy: usize,
    not_recorded: usize,
    twice: usize,
}

fn request() -> Request {
    Request::new("+34600111222", "Is it ready?", None, [].into_iter())
}

fn failure() -> JournalFailure {
    JournalFailure { refused: false, detail: "lost".into() }
}

fn failed(case: Case) -> Failed<()> {
    Failed { case, detail: String::new(), unknown: None, error: () }
}

fn id(number: u8) -> String {
    format!("m{number}")
}

impl World {
    fn new(left: Bound) -> Self {
        Self {
            left,
            wall_ms: 1_000_000_000,
            journal: None,
            on_the_way: Vec::new(),
            ledger: Vec::new(),
            callers: [None, None, None],
            person: None,
            told: None,
            next: 0,
        }
    }

    fn swap(&mut self, expected: &Option<String>, new: &str) -> Result<(), Option<String>> {
        if self.journal != *expected {
            return Err(self.journal.clone());
        }
        self.journal = Some(new.into());
        Ok(())
    }

    fn entry(&self) -> Option<Entry> {
        match Kept::read(self.journal.as_deref()?).unwrap() {
            Kept::Entry(entry) => Some(*entry),
            Kept::Forgotten { .. } => None,
        }
    }

    /// Whether a person would be asked: no end, and nobody says that it is being sent.
    fn is_unknown(&self) -> bool {
        let now = Now { wall_ms: self.wall_ms, elapsed_ms: 0 };
        self.entry().is_some_and(|entry| match entry.end {
            None => entry.attempt.left_ms(now).is_none(),
            Some(end) => matches!(end.outcome, Outcome::Unknown(_)),
        })
    }

    /// Hands an input to a caller's machine and takes the next step.
    fn go(mut self, caller: usize, input: Input<()>, seen: &mut Seen) -> Self {
        let mut running = self.callers[caller].take().unwrap();
        let now = Now { wall_ms: self.wall_ms, elapsed_ms: running.elapsed_ms };
        match todo(running.machine.next(input, now)) {
            Ok(step) => {
                running.step = step;
                self.callers[caller] = Some(running);
            }
            Err(result) => self.judge(&running, result, seen),
        }
        self
    }

    /// Checks an answer against the ledger.
    fn judge(&mut self, running: &Running, result: Result<Created, Error<()>>, seen: &mut Seen) {
        let made = self.ledger.contains(&running.number);
        match result {
            Ok(created) => {
                let number: u8 = created.id[1..].parse().unwrap();
                assert!(self.ledger.contains(&number), "created, and the ledger has none");
                assert_eq!(made, !created.replayed, "a replay sends nothing");
                if created.recorded {
                    let entry = self.entry().unwrap();
                    let is = |end: &messaging_once_core::entry::End| matches!(&end.outcome, Outcome::Created { id, .. } if *id == created.id);
                    let noted =
                        entry.end.as_ref().is_some_and(is) || entry.also.contains(&created.id);
                    assert!(noted, "recorded, and the journal does not have it");
                    self.told.get_or_insert(number);
                }
                if !self.left.rash
                    && let Some(told) = running.knew
                {
                    assert_eq!(number, told, "two messages were told of");
                }
                seen.created += usize::from(!created.replayed);
                seen.replayed += usize::from(created.replayed);
            }
            Err(error) => {
                if !matches!(error, Error::Unknown(_)) {
                    assert!(!made, "{error:?}, and its message exists");
                }
                match error {
                    Error::Unknown(_) => seen.unknown += 1,
                    Error::Busy { .. } => seen.busy += 1,
                    Error::NotRecorded { .. } => seen.not_recorded += 1,
                    Error::Provider(_) | Error::Unavailable(_) => {}
                    error => panic!("{error:?}"),
                }
                if !self.left.rash && running.knew.is_some() {
                    // An answer that was told once is told again, unless the journal is not there.
                    assert!(matches!(error, Error::Unavailable(_)), "{error:?}");
                }
            }
        }
    }

    /// Everything that can happen next.
    fn next(&self, seen: &mut Seen) -> Vec<Self> {
        let mut all = Vec::new();
        for caller in 0..3 {
            match &self.callers[caller] {
                None if self.may_begin(caller) => all.push(self.begin(caller, seen)),
                None => {}
                Some(running) => self.act(caller, running, seen, &mut all),
            }
        }
        for index in 0..self.on_the_way.len() {
            let mut world = self.clone();
            let (expected, new) = world.on_the_way.remove(index);
            if world.swap(&expected, &new).is_ok() {
                all.push(world);
            }
        }
        if self.left.jumps > 0 && self.callers.iter().any(Option::is_some) || self.stuck() {
            for wall_ms in [self.wall_ms + JUMP_MS, self.wall_ms - JUMP_MS] {
                let mut world = self.clone();
                world.left.jumps = world.left.jumps.saturating_sub(1);
                world.wall_ms = wall_ms;
                all.push(world);
                if self.left.jumps == 0 {
                    break;
                }
            }
        }
        self.decide(&mut all);
        all
    }

    /// Whether a caller begins now: of those that do not differ, the first one does.
    fn may_begin(&self, caller: usize) -> bool {
        let left = self.left.calls[caller];
        let same = |other: usize| self.callers[other].is_none() && self.left.calls[other] == left;
        left > 0 && !(0..caller).any(same)
    }

    /// Whether time has to pass for anything to come of an intent.
    fn stuck(&self) -> bool {
        self.entry().is_some_and(|entry| entry.end.is_none())
            && self.callers.iter().all(Option::is_none)
            && !self.is_unknown()
    }

    fn begin(&self, caller: usize, seen: &mut Seen) -> Self {
        let mut world = self.clone();
        world.left.calls[caller] -= 1;
        world.next += 1;
        let number = world.next;
        let machine = SendOnce::new(request(), [7; 16], number.to_string(), DEADLINE_MS);
        let (step, knew) = (Todo::Get, world.told);
        world.callers[caller] = Some(Running { machine, step, elapsed_ms: 0, number, knew });
        world.go(caller, Input::Start, seen)
    }

    fn act(&self, caller: usize, running: &Running, seen: &mut Seen, all: &mut Vec<Self>) {
        if self.left.crashes > 0 {
            let mut world = self.clone();
            world.left.crashes -= 1;
            world.callers[caller] = None;
            if matches!(running.step, Todo::Send) {
                let mut sent = world.clone();
                sent.ledger.push(running.number);
                all.push(sent);
            }
            all.push(world);
        }
        let lossy = || {
            let mut world = self.clone();
            world.left.losses -= 1;
            world
        };
        match &running.step {
            Todo::Get => {
                all.push(self.clone().go(caller, Input::Got(self.journal.clone()), seen));
                if self.left.losses > 0 {
                    all.push(lossy().go(caller, Input::Failed(failure()), seen));
                }
            }
            Todo::Swap(expected, new) => {
                let mut world = self.clone();
                let input = match world.swap(expected, new) {
                    Ok(()) => Input::Swapped,
                    Err(found) => Input::Stale(found),
                };
                all.push(world.go(caller, input, seen));
                if self.left.losses > 0 {
                    let fail = || Input::Failed(failure());
                    all.push(lossy().go(caller, fail(), seen));
                    let mut written = lossy();
                    if written.swap(expected, new).is_ok() {
                        all.push(written.go(caller, fail(), seen));
                        let mut later = lossy();
                        later.on_the_way.push((expected.clone(), new.clone()));
                        all.push(later.go(caller, fail(), seen));
                    }
                }
            }
            Todo::Send => {
                let mut created = self.clone();
                created.ledger.push(running.number);
                let message = Message { id: id(running.number), json: "{}".into() };
                all.push(created.clone().go(caller, Input::Sent(Ok(message)), seen));
                if self.left.refusals > 0 {
                    let mut world = self.clone();
                    world.left.refusals -= 1;
                    let said = Input::Sent(Err(failed(Case::RateLimited)));
                    all.push(world.go(caller, said, seen));
                }
                if self.left.doubts > 0 {
                    for mut world in [self.clone(), created] {
                        world.left.doubts -= 1;
                        let said = Input::Sent(Err(failed(Case::OutcomeUnknown)));
                        all.push(world.go(caller, said, seen));
                    }
                }
            }
            Todo::Sleep(ms) => {
                let mut world = self.clone();
                if let Some(running) = &mut world.callers[caller] {
                    running.elapsed_ms += u64::from(*ms);
                }
                all.push(world.go(caller, Input::Woke, seen));
            }
        }
    }

    /// A person's part: one who waits until nobody is at work and looks at the ledger, or a rash one.
    fn decide(&self, all: &mut Vec<Self>) {
        let Some((machine, step)) = &self.person else {
            let at_rest = self.callers.iter().flatten().all(|one| matches!(one.step, Todo::Get));
            if self.left.decisions == 0 || !self.is_unknown() || !(self.left.rash || at_rest) {
                return;
            }
            let mut world = self.clone();
            world.left.decisions -= 1;
            let found = match self.ledger.last() {
                Some(number) if !self.left.rash => Found::Created(id(*number)),
                _ => Found::NotCreated,
            };
            let reason = format!("look {}", self.left.decisions);
            let attempt = self.entry().unwrap().attempts;
            let resolution = Resolution::new::<()>(attempt, found, "Ada".into(), reason).unwrap();
            let machine = Changing::new(Change::Resolve(resolution));
            world.person = Some((machine, Todo::Get));
            all.push(world);
            return;
        };
        let go = |mut world: Self, input| {
            let now = Now { wall_ms: self.wall_ms, elapsed_ms: 0 };
            let mut machine = machine.clone();
            world.person = todo(machine.next(input, now)).ok().map(|step| (machine, step));
            world
        };
        match step {
            Todo::Get => {
                all.push(go(self.clone(), Input::Got(self.journal.clone())));
            }
            Todo::Swap(expected, new) => {
                let mut world = self.clone();
                let swapped = world.swap(expected, new);
                if self.left.losses > 0 {
                    let mut lossy = world.clone();
                    lossy.left.losses -= 1;
                    all.push(go(lossy, Input::Failed(failure())));
                }
                let input = match swapped {
                    Ok(()) => Input::Swapped,
                    Err(found) => Input::Stale(found),
                };
                all.push(go(world, input));
            }
            Todo::Sleep(_) => all.push(go(self.clone(), Input::Woke)),
            Todo::Send => {}
        }
    }
}

/// Walks every state that can be reached.
fn explore(bound: Bound) -> Seen {
    let mut seen = Seen::default();
    // Two hashes of 64 bits stand for a state.
    let hashers = [RandomState::new(), RandomState::new()];
    let print = |world: &World| hashers.each_ref().map(|hasher| hasher.hash_one(world));
    let mut known = HashSet::new();
    let first = World::new(bound);
    known.insert(print(&first));
    let mut open = vec![first];
    while let Some(world) = open.pop() {
        seen.states += 1;
        if world.ledger.len() > 1 {
            assert!(bound.rash, "two messages under one key");
            seen.twice += 1;
        }
        for next in world.next(&mut seen) {
            if known.insert(print(&next)) {
                open.push(next);
            }
        }
    }
    seen
}

const NONE: Bound = Bound {
    calls: [2, 1, 1],
    crashes: 0,
    losses: 0,
    doubts: 0,
    refusals: 0,
    jumps: 0,
    decisions: 0,
    rash: false,
};

#[test]
fn without_faults_one_of_three_callers_creates_and_the_others_are_told() {
    let seen = explore(NONE);
    assert!(seen.created > 0 && seen.replayed > 0 && seen.busy > 0);
    assert_eq!((seen.unknown, seen.not_recorded), (0, 0));
}

#[test]
fn proofs_of_nothing_free_the_key_and_nothing_is_ever_unknown_by_them() {
    let seen = explore(Bound { refusals: 2, ..NONE });
    assert!(seen.created > 0);
    assert_eq!(seen.unknown, 0);
}

#[test]
fn crashes_lost_answers_doubts_and_jumps_of_the_clock_never_make_a_second_message() {
    let one = Bound { crashes: 1, losses: 1, doubts: 1, refusals: 1, jumps: 1, ..NONE };
    for bound in [
        Bound { calls: [1, 1, 1], ..one },
        Bound { crashes: 2, jumps: 1, ..NONE },
        Bound { losses: 2, refusals: 1, calls: [2, 1, 0], ..NONE },
        Bound { losses: 3, calls: [1, 1, 0], crashes: 1, ..NONE },
        Bound { jumps: 2, losses: 1, refusals: 1, calls: [1, 1, 1], ..NONE },
    ] {
        let seen = explore(bound);
        assert!(seen.created > 0);
        // Two lost answers in a row are made up for.
        let healed = bound.crashes + bound.doubts + bound.jumps == 0 && bound.losses <= 2;
        assert_eq!(seen.unknown == 0, healed);
        println!("{} states", seen.states);
    }
}

#[test]
fn a_journal_that_answers_no_more_after_the_send_is_told_beside_the_outcome() {
    // Seven tries of one end.
    let seen = explore(Bound { losses: 7, refusals: 1, calls: [1, 0, 0], ..NONE });
    assert!(seen.not_recorded > 0);
}

#[test]
fn a_person_who_looks_when_nobody_is_at_work_makes_no_second_message() {
    let bound = Bound { decisions: 1, crashes: 1, doubts: 1, jumps: 1, calls: [2, 1, 0], ..NONE };
    let seen = explore(Bound { losses: 1, ..bound });
    assert!(seen.unknown > 0 && seen.replayed > 0);
}

#[test]
fn a_person_who_was_wrong_is_shown_by_the_journal() {
    let bound = Bound { decisions: 1, jumps: 1, doubts: 0, calls: [1, 1, 0], rash: true, ..NONE };
    let seen = explore(bound);
    // Both messages are in the journal: `judge` has looked.
    assert!(seen.twice > 0);
}
