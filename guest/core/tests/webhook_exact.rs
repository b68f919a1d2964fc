//! Tests of concurrent calls on one bucket: all orders of their operations, interruptions and stale
//! reads.
#![allow(clippy::unwrap_used, reason = "tests")]

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use messaging_core::keyvalue::orders::{self, Call, Choices, turn};
use messaging_core::webhook::exact::{Bucket, keep};
use messaging_core::webhook::inbox::Stored;
use messaging_core::webhook::keyvalue::{Failed, Keys, StoreError};
use messaging_core::webhook::record::{MAX_CONFLICTS, Record};

const A: &str = "{\"n\":1}";
const B: &str = "{\"n\":2}";
const C: &str = "{\"n\":3}";

fn record(json: &str) -> Record {
    Record::new("evt-1", "m-1", "message:in:new", json)
}

#[derive(Default)]
struct Memory {
    values: RefCell<BTreeMap<String, Vec<u8>>>,
    /// Selects the reads that miss an existing key.
    late: RefCell<Option<Choices>>,
    /// Selects the creates that fail, before or after they take effect.
    failing: RefCell<Option<Choices>>,
}

impl Memory {
    /// Checks that every key refers to a stored event.
    fn check(&self) {
        let values = self.values.borrow();
        for (key, digest) in values.iter().filter(|(key, _)| !key.starts_with("event.")) {
            let event = format!("event.evt-1.{}", String::from_utf8(digest.clone()).unwrap());
            assert!(values.contains_key(&event), "{key} has no event");
        }
    }

    /// Returns the digests of the keys with this prefix.
    fn listed(&self, prefix: &str) -> Vec<Vec<u8>> {
        let values = self.values.borrow();
        values.iter().filter(|(key, _)| key.starts_with(prefix)).map(|(_, v)| v.clone()).collect()
    }
}

impl Bucket for Memory {
    async fn get(&self, key: &str) -> Result<Option<Vec<u8>>, StoreError> {
        turn().await;
        let found = self.values.borrow().get(key).cloned();
        let is_late = found.is_some()
            && self.late.borrow_mut().as_mut().is_some_and(|late| late.pick(2) == 1);
        Ok(found.filter(|_| !is_late))
    }

    async fn set(&self, key: &str, value: &[u8]) -> Result<(), StoreError> {
        turn().await;
        self.values.borrow_mut().insert(key.into(), value.into());
        Ok(())
    }

    async fn create(&self, key: &str, value: &[u8]) -> Result<bool, StoreError> {
        turn().await;
        let mut values = self.values.borrow_mut();
        let is_new = !values.contains_key(key);
        let fault = self.failing.borrow_mut().as_mut().map_or(0, |failing| failing.pick(4));
        if is_new && fault != 1 {
            values.insert(key.into(), value.into());
        }
        if fault == 1 || fault == 2 { Err(StoreError::Other("failed".into())) } else { Ok(is_new) }
    }
}

type Answer = Result<Stored, Failed>;

/// Runs one call for each event until all have ended. `may_end` permits interruptions.
fn run(
    store: &Memory,
    events: &[&str],
    choices: &mut Choices,
    may_end: bool,
) -> Vec<Option<Answer>> {
    let records: Vec<_> = events.iter().map(|json| record(json)).collect();
    let calls = records.iter().map(|record| Box::pin(keep(store, record)) as Call<'_, _>);
    orders::run(calls.collect(), choices, may_end, || store.check())
}

/// Checks the results: each stored event is counted once, and at most one call stored a new event.
fn judge(store: &Memory, events: &[&str], answers: &[Option<Answer>]) {
    let first = store.listed("first.");
    let conflicts = store.listed("conflicts.");
    let mut counted: Vec<_> = first.iter().chain(&conflicts).collect();
    counted.sort();
    counted.dedup();
    assert_eq!(counted.len(), first.len() + conflicts.len(), "an event is counted twice");
    let stored = answers.iter().flatten().filter(|one| **one == Ok(Stored::Stored)).count();
    assert!(stored <= 1, "{answers:?}");
    for (json, answer) in events.iter().zip(answers) {
        let record = record(json);
        let Some(Ok(answer)) = answer else { continue };
        assert_eq!(store.values.borrow()[&Keys::of(&record).event], record.bytes);
        let digest = record.digest.as_bytes().to_vec();
        match answer {
            Stored::Stored | Stored::Duplicate => assert_eq!(first, [digest]),
            Stored::Conflict => assert!(conflicts.contains(&digest)),
        }
    }
}

/// Repeats every event. No event is new, and the store does not change.
fn again(store: &Memory, events: &[&str]) {
    let before = store.values.borrow().clone();
    for _ in 0..2 {
        for json in events {
            let answers = run(store, &[json], &mut Choices::every(), false);
            judge(store, &[json], &answers);
            assert!(
                matches!(answers[0], Some(Ok(Stored::Duplicate | Stored::Conflict))),
                "{json}: {answers:?}"
            );
        }
    }
    assert_eq!(*store.values.borrow(), before);
}

#[test]
fn one_of_two_calls_stores_event() {
    for (events, other) in [([A, A], Stored::Duplicate), ([A, B], Stored::Conflict)] {
        let (mut choices, mut orders) = (Choices::every(), BTreeSet::new());
        loop {
            let store = Memory::default();
            let answers = run(&store, &events, &mut choices, false);
            judge(&store, &events, &answers);
            let answered = |wanted| answers.iter().filter(|one| **one == Some(Ok(wanted))).count();
            assert_eq!((answered(Stored::Stored), answered(other)), (1, 1), "{answers:?}");
            again(&store, &events);
            orders.insert(answers[0] == Some(Ok(Stored::Stored)));
            if !choices.advance() {
                break;
            }
        }
        // Each of the two calls was first in at least one order.
        assert_eq!(orders.len(), 2);
    }
}

#[test]
fn aborted_call_keeps_event_for_retry() {
    for events in [[A, A], [A, B]] {
        let mut choices = Choices::every();
        loop {
            let store = Memory::default();
            let answers = run(&store, &events, &mut choices, true);
            judge(&store, &events, &answers);
            for (json, answer) in events.iter().zip(&answers) {
                if answer.is_none() {
                    let answers = run(&store, &[json], &mut Choices::every(), false);
                    judge(&store, &[json], &answers);
                    assert!(matches!(answers[0], Some(Ok(_))), "{answers:?}");
                }
            }
            again(&store, &events);
            if !choices.advance() {
                break;
            }
        }
    }
}

#[test]
fn concurrent_calls_count_event_once() {
    let events = [A, B, C, A, B, C];
    let mut choices = Choices::Random(1);
    for _ in 0..1_000 {
        let store = Memory::default();
        let answers = run(&store, &events, &mut choices, false);
        judge(&store, &events, &answers);
        let answered = |wanted| answers.iter().filter(|one| **one == Some(Ok(wanted))).count();
        let counts = [Stored::Stored, Stored::Duplicate, Stored::Conflict].map(answered);
        assert_eq!(counts, [1, 1, 4], "{answers:?}");
        assert_eq!(store.listed("conflicts.").len(), 2);
        again(&store, &events);
    }
}

#[test]
fn late_read_makes_no_event_new() {
    let events = [A, B, A, B];
    let (mut choices, mut failed) = (Choices::Random(2), 0);
    for seed in 1..1_000 {
        let store = Memory::default();
        *store.late.borrow_mut() = Some(Choices::Random(seed));
        let answers = run(&store, &events, &mut choices, false);
        judge(&store, &events, &answers);
        failed += answers.iter().flatten().filter(|one| one.is_err()).count();
        *store.late.borrow_mut() = None;
        for json in events {
            let answers = run(&store, &[json], &mut Choices::every(), false);
            judge(&store, &[json], &answers);
        }
        again(&store, &events);
    }
    // A call fails if a key exists, but a stale read does not find it. The event source then
    // redelivers.
    assert!(failed > 0);
}

#[test]
fn doubtful_creation_makes_no_event_new() {
    let events = [A, B, A, B];
    let (mut choices, mut failed) = (Choices::Random(3), BTreeSet::new());
    for seed in 1..1_000 {
        let store = Memory::default();
        *store.failing.borrow_mut() = Some(Choices::Random(seed));
        let answers = run(&store, &events, &mut choices, false);
        judge(&store, &events, &answers);
        failed.insert(answers.iter().flatten().filter(|one| one.is_err()).count());
        *store.failing.borrow_mut() = None;
        for json in events {
            let answers = run(&store, &[json], &mut Choices::every(), false);
            judge(&store, &[json], &answers);
        }
        again(&store, &events);
    }
    // A failed create is not an error if the key exists afterwards.
    assert!(failed.contains(&0) && failed.len() > 1, "{failed:?}");
}

#[test]
fn at_most_16_conflicts_are_kept() {
    let store = Memory::default();
    let events: Vec<_> = (0..20).map(|number| format!("{{\"n\":{number}}}")).collect();
    for (number, json) in events.iter().enumerate() {
        let answers = run(&store, &[json], &mut Choices::every(), false);
        let expected = match number {
            0 => Ok(Stored::Stored),
            1..=MAX_CONFLICTS => Ok(Stored::Conflict),
            _ => Err(Failed::TooMany),
        };
        assert_eq!(answers, [Some(expected)], "{number}");
        judge(&store, &[json], &answers);
    }
    // Rejected events are not written.
    assert_eq!(store.listed("event.").len(), 17);
    let known: Vec<_> = events.iter().take(17).map(String::as_str).collect();
    again(&store, &known);
}
