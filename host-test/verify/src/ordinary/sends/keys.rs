//! Idempotency keys of the senders, and the answers that the senders received.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use messaging_simulator::service::ledger::Accepted;
use rand::Rng;
use rand::seq::IteratorRandom;

use super::super::record::Record;

/// Maximum number of keys without an answer.
const MAX_OPEN: usize = 200;

/// The answer to a sender.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The ID of the message, and true if the journal has recorded the outcome.
    Created(String, bool),
    /// The message may exist.
    Unknown,
}

/// The keys that the senders share.
#[derive(Default)]
pub struct Keys(Mutex<Inner>);

#[derive(Default)]
struct Inner {
    all: BTreeMap<String, Key>,
    /// Keys without an answer.
    open: Vec<String>,
}

#[derive(Default)]
struct Key {
    /// True if a sender was killed, or if the database failed during a send.
    is_disturbed: bool,
    /// IDs of the messages in answers.
    ids: BTreeSet<String>,
    /// Time of the first answer with a recorded message.
    recorded: Option<Instant>,
    is_unknown: bool,
}

impl Key {
    fn is_answered(&self) -> bool {
        self.is_unknown || !self.ids.is_empty()
    }
}

impl Keys {
    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns a new key, or an earlier key without an answer.
    pub fn take(&self) -> String {
        let mut inner = self.inner();
        let mut random = rand::rng();
        let is_open = inner.open.len() >= MAX_OPEN || random.random_ratio(1, 2);
        let chosen = is_open.then(|| inner.open.iter().choose(&mut random).cloned()).flatten();
        chosen.unwrap_or_else(|| {
            let key = format!("order-{}", inner.all.len());
            inner.all.insert(key.clone(), Key::default());
            inner.open.push(key.clone());
            key
        })
    }

    /// Returns the keys without an answer.
    pub fn open(&self) -> Vec<String> {
        self.inner().open.clone()
    }

    /// Returns up to `count` random keys.
    pub fn sample(&self, count: usize) -> Vec<String> {
        self.inner().all.keys().cloned().choose_multiple(&mut rand::rng(), count)
    }

    /// Records that a sender of the key was killed, or that the database failed.
    pub fn disturb(&self, key: &str) {
        if let Some(key) = self.inner().all.get_mut(key) {
            key.is_disturbed = true;
        }
    }

    pub fn is_disturbed(&self, key: &str) -> bool {
        self.inner().all.get(key).is_some_and(|key| key.is_disturbed)
    }

    pub fn is_answered(&self, key: &str) -> bool {
        self.inner().all.get(key).is_some_and(Key::is_answered)
    }

    /// Records and judges the answer to a sender that began at `begun`.
    pub fn answered(&self, name: &str, begun: Instant, answer: Answer, record: &Record) {
        let mut inner = self.inner();
        let Inner { all, open } = &mut *inner;
        let key = all.entry(name.to_string()).or_default();
        if !key.is_answered() {
            open.retain(|open| open != name);
        }
        match answer {
            Answer::Created(id, is_recorded) => {
                if key.ids.insert(id) && key.ids.len() > 1 {
                    record.violation(format!("{name} was answered {:?}", key.ids));
                }
                if is_recorded {
                    key.recorded.get_or_insert_with(Instant::now);
                }
            }
            Answer::Unknown => {
                key.is_unknown = true;
                if key.recorded.is_some_and(|recorded| recorded < begun) {
                    record.violation(format!("{name} was answered {:?}, then unknown", key.ids));
                }
                if !key.is_disturbed {
                    record.violation(format!("{name} is unknown, but nothing failed"));
                }
            }
        }
    }

    /// Compares the answers with the ledger of the service. The text of each message is its key.
    pub fn judge(&self, ledger: &[Accepted], record: &Record) {
        let mut messages: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for accepted in ledger {
            messages.entry(&accepted.message.message).or_default().push(&accepted.id);
            record.count("messages created");
        }
        for (key, ids) in messages.iter().filter(|(_, ids)| ids.len() > 1) {
            record.violation(format!("{key} created {} messages", ids.len()));
        }
        for (name, key) in &self.inner().all {
            record.count("keys");
            let of_key = messages.get(name.as_str()).map_or(&[][..], Vec::as_slice);
            for id in key.ids.iter().filter(|id| !of_key.contains(&id.as_str())) {
                record.violation(format!("{name} was answered {id}, which is not its message"));
            }
            if key.ids.is_empty() && key.is_unknown {
                record.count("unknown keys");
                if !of_key.is_empty() {
                    record.count("unknown keys with a message");
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use messaging_simulator::service::Message;

    use super::*;

    fn judged(answers: &[Answer], ledger: &[(&str, &str)], is_disturbed: bool) -> Vec<String> {
        let (keys, record) = (Keys::default(), Record::default());
        let key = keys.take();
        if is_disturbed {
            keys.disturb(&key);
        }
        for answer in answers {
            keys.answered(&key, Instant::now(), answer.clone(), &record);
        }
        let accepted = |(key, id): &(&str, &str)| Accepted {
            id: (*id).into(),
            message: Message { phone: "+1".into(), message: (*key).into(), device: None },
        };
        let ledger: Vec<_> = ledger.iter().map(accepted).collect();
        keys.judge(&ledger, &record);
        assert!(keys.open().is_empty());
        let found = record.judge(None, Duration::ZERO).examples;
        // Each violation begins with the time since the start.
        found.iter().filter_map(|text| Some(text.split_once(" s: ")?.1.to_string())).collect()
    }

    fn created(id: &str) -> Answer {
        Answer::Created(id.into(), true)
    }

    #[test]
    fn second_message_is_found() {
        let ledger = [("order-0", "m1"), ("order-0", "m2")];
        assert_eq!(judged(&[created("m1")], &ledger[..1], false), [""; 0]);
        assert_eq!(judged(&[created("m1")], &ledger, false), ["order-0 created 2 messages"]);
    }

    #[test]
    fn answer_without_its_message_is_found() {
        let found = ["order-0 was answered m1, which is not its message"];
        assert_eq!(judged(&[created("m1")], &[], false), found);
        assert_eq!(judged(&[created("m1")], &[("order-1", "m1")], false), found);
    }

    #[test]
    fn changed_answer_is_found() {
        let ledger = [("order-0", "m1")];
        let taken_back = [created("m1"), Answer::Unknown];
        assert_eq!(judged(&taken_back, &ledger, true).len(), 1);
        assert_eq!(judged(&[created("m1"), created("m2")], &ledger, true).len(), 2);
        let unrecorded = [Answer::Created("m1".into(), false), Answer::Unknown];
        assert_eq!(judged(&unrecorded, &ledger, true), [""; 0]);
    }

    #[test]
    fn outcome_is_unknown_only_after_failure() {
        assert_eq!(judged(&[Answer::Unknown], &[], true), [""; 0]);
        let found = ["order-0 is unknown, but nothing failed"];
        assert_eq!(judged(&[Answer::Unknown], &[], false), found);
    }
}
