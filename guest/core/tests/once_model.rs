//! Tests of every interleaving of three callers under one key, up to a bound. The faults are
//! crashes at each point, lost replies of the journal, late writes, unknown outcomes, clock jumps,
//! and resolutions by an operator.
//!
//! `stateright` explores the states and prints the events that lead to a violated property. The
//! state machines are values without I/O, so a state of the world is a value as well. The tests
//! define only the next events ([`World::next`]) and the [`properties`]. The explored machines are
//! the released code.
//!
//! The last result of a caller is part of the state. Otherwise two different results could lead to
//! one state, and only one result would be checked.
#![allow(clippy::unwrap_used, reason = "tests")]

#[path = "once_model/properties.rs"]
mod properties;

use std::fmt;

use messaging_core::error::Case;
use messaging_core::once::change::{Change, Changing, Resolution};
use messaging_core::once::digest::Request;
use messaging_core::once::entry::{End, Found, Outcome};
use messaging_core::once::provider::{Failed, Message};
use messaging_core::once::send::{Created, Input, JournalFailure, SendOnce, Step};
use messaging_core::once::{Entry, Error, Kept, Now};

/// Deadline of the provider in milliseconds. A waiting caller polls twice within this time.
const DEADLINE_MS: u32 = 60;
/// Milliseconds of a clock jump. Longer than the time limit of every intent.
const JUMP_MS: u64 = 20_000;

/// Maximum number of calls and faults in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Bound {
    /// Number of calls of each caller.
    calls: [u8; 3],
    /// Number of canceled calls.
    crashes: u8,
    /// Number of lost replies of the journal.
    losses: u8,
    /// Number of sends with an unknown outcome.
    doubts: u8,
    /// Number of sends with a proof that nothing was created.
    refusals: u8,
    /// Number of jumps of the wall clock, forward or back.
    jumps: u8,
    /// Number of resolutions by an operator.
    decisions: u8,
    /// True if the operator resolves while senders are at work, without checking which messages
    /// exist.
    rash: bool,
}

impl Bound {
    /// Returns true if every outcome becomes known with these faults. Retries repair up to two lost
    /// replies.
    fn heals(&self) -> bool {
        self.crashes + self.doubts + self.jumps == 0 && self.losses <= 2
    }
}

/// A call that has not ended.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Running {
    machine: SendOnce<()>,
    step: Todo,
    elapsed_ms: u64,
    /// Number of the message that the call may create.
    number: u8,
    /// The first message that was reported as recorded before the call began.
    knew: Option<u8>,
}

/// The next step of a machine.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Todo {
    Get,
    Swap(Option<String>, String),
    Send,
    Sleep(u32),
}

/// Returns the next step of a machine, or the machine's result.
fn todo<T, S>(step: Step<(), T, S>) -> Result<Todo, Result<T, Error<()>>> {
    match step {
        Step::Get => Ok(Todo::Get),
        Step::Swap { expected, new } => Ok(Todo::Swap(expected, new)),
        Step::Send(_) => Ok(Todo::Send),
        Step::Sleep(ms) => Ok(Todo::Sleep(ms)),
        Step::Done(result) => Err(result),
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct World {
    left: Bound,
    wall_ms: u64,
    journal: Option<String>,
    /// Writes whose reply was lost, and that may still reach the journal: expected and new values.
    on_the_way: Vec<(Option<String>, String)>,
    /// Messages that the service has created.
    ledger: Vec<u8>,
    callers: [Option<Running>; 3],
    person: Option<(Changing, Todo)>,
    /// The first message that was reported to a caller as recorded.
    reported: Option<u8>,
    /// The result that a caller has just received.
    answer: Option<Answer>,
    next: u8,
}

type CallResult = Result<Created, Error<()>>;

/// The result of a call, with data to check it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Answer {
    /// Number of the message that the call may have created.
    number: u8,
    /// The first message that was reported as recorded before the call began.
    knew: Option<u8>,
    result: CallResult,
}

/// A possible event.
#[derive(Clone, PartialEq)]
struct Event {
    who: &'static str,
    what: &'static str,
    /// State after the event.
    world: World,
}

impl fmt::Debug for Event {
    /// Formats an event of a trace.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.who, self.what)
    }
}

const CALLERS: [&str; 3] = ["the first caller", "the second caller", "the third caller"];

fn request() -> Request {
    Request::new("+34600111222", "Is it ready?", None, [].into_iter())
}

fn failure() -> JournalFailure {
    JournalFailure { is_permanent: false, detail: "lost".into() }
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
            reported: None,
            answer: None,
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

    /// Returns true if an operator would have to resolve the key: no known outcome, and no sender
    /// at work.
    fn is_unknown(&self) -> bool {
        let now = Now { wall_ms: self.wall_ms, elapsed_ms: 0 };
        self.entry().is_some_and(|entry| match entry.end {
            None => entry.attempt.left_ms(now).is_none(),
            Some(end) => matches!(end.outcome, Outcome::Unknown(_)),
        })
    }

    /// Returns true if the journal has recorded this message as created.
    fn notes(&self, id: &String) -> bool {
        let Some(entry) = self.entry() else { return false };
        let is =
            |end: End| matches!(end.outcome, Outcome::Created { id: noted, .. } if noted == *id);
        entry.also.contains(id) || entry.end.is_some_and(is)
    }

    /// Returns true if a caller has just received a result for which `this` returns true.
    fn has_result(&self, this: fn(&CallResult) -> bool) -> bool {
        self.answer.as_ref().is_some_and(|answer| this(&answer.result))
    }

    /// Passes an input to a caller's machine and stores the next step.
    fn go(mut self, caller: usize, input: Input<()>) -> Self {
        let mut running = self.callers[caller].take().unwrap();
        let now = Now { wall_ms: self.wall_ms, elapsed_ms: running.elapsed_ms };
        match todo(running.machine.next(input, now)) {
            Ok(step) => {
                running.step = step;
                self.callers[caller] = Some(running);
            }
            Err(result) => {
                if let Ok(Created { id, recorded: true, .. }) = &result {
                    self.reported.get_or_insert(id[1..].parse().unwrap());
                }
                self.answer = Some(Answer { number: running.number, knew: running.knew, result });
            }
        }
        self
    }

    /// Lists all events that are possible next.
    fn next(&self, all: &mut Vec<Event>) {
        for (caller, who) in CALLERS.into_iter().enumerate() {
            let mut add = |what, world| all.push(Event { who, what, world });
            match &self.callers[caller] {
                None if self.may_begin(caller) => add("begins", self.begin(caller)),
                None => {}
                Some(running) => self.act(caller, running, add),
            }
        }
        for index in 0..self.on_the_way.len() {
            let mut world = self.clone();
            let (expected, new) = world.on_the_way.remove(index);
            if world.swap(&expected, &new).is_ok() {
                all.push(Event { who: "a late write", what: "arrives", world });
            }
        }
        if self.left.jumps > 0 && self.callers.iter().any(Option::is_some) || self.stuck() {
            let (later, earlier) = (self.wall_ms + JUMP_MS, self.wall_ms - JUMP_MS);
            for (what, wall_ms) in [("jumps forward", later), ("jumps back", earlier)] {
                let mut world = self.clone();
                world.left.jumps = world.left.jumps.saturating_sub(1);
                world.wall_ms = wall_ms;
                all.push(Event { who: "the clock", what, world });
                if self.left.jumps == 0 {
                    break;
                }
            }
        }
        self.decide(|what, world| all.push(Event { who: "the operator", what, world }));
    }

    /// Returns true if this caller may begin. Of several equal callers, only the first may.
    fn may_begin(&self, caller: usize) -> bool {
        let left = self.left.calls[caller];
        let same = |other: usize| self.callers[other].is_none() && self.left.calls[other] == left;
        left > 0 && !(0..caller).any(same)
    }

    /// Returns true if only the passage of time can end an intent.
    fn stuck(&self) -> bool {
        self.entry().is_some_and(|entry| entry.end.is_none())
            && self.callers.iter().all(Option::is_none)
            && !self.is_unknown()
    }

    fn begin(&self, caller: usize) -> Self {
        let mut world = self.clone();
        world.left.calls[caller] -= 1;
        world.next += 1;
        let number = world.next;
        let machine = SendOnce::new(request(), [7; 16], number.to_string(), DEADLINE_MS);
        let (step, knew) = (Todo::Get, world.reported);
        world.callers[caller] = Some(Running { machine, step, elapsed_ms: 0, number, knew });
        world.go(caller, Input::Start)
    }

    fn act(&self, caller: usize, running: &Running, mut add: impl FnMut(&'static str, Self)) {
        if self.left.crashes > 0 {
            let mut world = self.clone();
            world.left.crashes -= 1;
            world.callers[caller] = None;
            if matches!(running.step, Todo::Send) {
                let mut sent = world.clone();
                sent.ledger.push(running.number);
                add("is cut off, and its message exists", sent);
            }
            add("is cut off", world);
        }
        let lossy = || {
            let mut world = self.clone();
            world.left.losses -= 1;
            world
        };
        match &running.step {
            Todo::Get => {
                add("reads", self.clone().go(caller, Input::Got(self.journal.clone())));
                if self.left.losses > 0 {
                    add("reads, and gets no reply", lossy().go(caller, Input::Failed(failure())));
                }
            }
            Todo::Swap(expected, new) => {
                let mut world = self.clone();
                match world.swap(expected, new) {
                    Ok(()) => add("writes", world.go(caller, Input::Swapped)),
                    Err(found) => add("finds another value", world.go(caller, Input::Stale(found))),
                }
                if self.left.losses > 0 {
                    let fail = || Input::Failed(failure());
                    add("writes nothing, and gets no reply", lossy().go(caller, fail()));
                    let mut written = lossy();
                    if written.swap(expected, new).is_ok() {
                        add("writes, and gets no reply", written.go(caller, fail()));
                        let mut later = lossy();
                        later.on_the_way.push((expected.clone(), new.clone()));
                        add("writes later, and gets no reply", later.go(caller, fail()));
                    }
                }
            }
            Todo::Send => {
                let mut created = self.clone();
                created.ledger.push(running.number);
                let message = Message { id: id(running.number), json: "{}".into() };
                add("sends", created.clone().go(caller, Input::Sent(Ok(message))));
                if self.left.refusals > 0 {
                    let mut world = self.clone();
                    world.left.refusals -= 1;
                    let said = Input::Sent(Err(failed(Case::RateLimited)));
                    add("sends, and is refused", world.go(caller, said));
                }
                if self.left.doubts > 0 {
                    let nothing = ("sends nothing, and gets no reply", self.clone());
                    for (what, mut world) in [("sends, and gets no reply", created), nothing] {
                        world.left.doubts -= 1;
                        let said = Input::Sent(Err(failed(Case::OutcomeUnknown)));
                        add(what, world.go(caller, said));
                    }
                }
            }
            Todo::Sleep(ms) => {
                let mut world = self.clone();
                if let Some(running) = &mut world.callers[caller] {
                    running.elapsed_ms += u64::from(*ms);
                }
                add("has waited", world.go(caller, Input::Woke));
            }
        }
    }

    /// Lists the events of an operator. A careful operator waits until no sender is at work, and
    /// checks which messages exist. A rash operator does neither.
    fn decide(&self, mut add: impl FnMut(&'static str, Self)) {
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
            let mut machine = Changing::new(Change::Resolve(resolution));
            let now = Now { wall_ms: self.wall_ms, elapsed_ms: 0 };
            world.person = todo(machine.next(Input::Start, now)).ok().map(|step| (machine, step));
            add("decides", world);
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
                add("reads", go(self.clone(), Input::Got(self.journal.clone())));
            }
            Todo::Swap(expected, new) => {
                let mut world = self.clone();
                let swapped = world.swap(expected, new);
                if self.left.losses > 0 {
                    let mut lossy = world.clone();
                    lossy.left.losses -= 1;
                    add("may write, and gets no reply", go(lossy, Input::Failed(failure())));
                }
                match swapped {
                    Ok(()) => add("writes", go(world, Input::Swapped)),
                    Err(found) => add("finds another value", go(world, Input::Stale(found))),
                }
            }
            Todo::Sleep(_) => add("has waited", go(self.clone(), Input::Woke)),
            Todo::Send => {}
        }
    }
}
