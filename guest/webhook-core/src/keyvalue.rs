//! An inbox in a key-value store, apart from the store: names of keys, the setting, and what is
//! said of a failure.
//!
//! | key | value |
//! |---|---|
//! | `event.NAME.DIGEST` | the record: a JSON object with the entry, and a newline |
//! | `first.NAME` | the digest of the event that came first under the idempotency key |
//! | `conflicts.NAME` | the others, as far as the store can tell; see [`exact`](crate::exact) |
//!
//! NAME stands for the idempotency key, DIGEST is the SHA-256 of the event's JSON. Keys consist of
//! `a-z`, `0-9`, `-`, `_`, `=` and `.`, which every store takes, and are at most 181 bytes long.

use alloc::format;
use alloc::string::String;

use messaging_keyvalue::{Failure, explain};
pub use messaging_keyvalue::{Operation, StoreError};

use crate::inbox::NotKept;
use crate::record::{MAX_CONFLICTS, Record};

/// The setting that names the bucket.
pub const BUCKET_SETTING: &str = "MESSAGING_WEBHOOK_BUCKET";
/// The bucket where none is named.
const DEFAULT_BUCKET: &str = "default";

/// The bucket that environment variables name. An empty name is a name: some hosts have a bucket
/// that is called so.
pub fn bucket<I>(variables: I) -> String
where
    I: IntoIterator<Item = (String, String)>,
{
    variables
        .into_iter()
        .find(|(name, _)| name == BUCKET_SETTING)
        .map_or_else(|| DEFAULT_BUCKET.into(), |(_, value)| value)
}

/// The keys of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Keys {
    /// Of the event itself.
    pub event: String,
    /// Of the digest that came first.
    pub first: String,
    /// Of what came after it.
    pub conflicts: String,
}

impl Keys {
    /// The keys of `record`.
    #[must_use]
    pub fn of(record: &Record) -> Self {
        Self {
            event: format!("event.{}.{}", record.name, record.digest),
            first: format!("first.{}", record.name),
            conflicts: format!("conflicts.{}", record.name),
        }
    }
}

/// Reason why an event was not kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failed {
    /// The store failed.
    Store(Operation, StoreError),
    /// As many events as are kept are in conflict under the idempotency key.
    TooMany,
}

impl Failed {
    /// Says so of a record and a bucket.
    #[must_use]
    pub fn explain(self, record: &Record, bucket: &str) -> NotKept {
        let (operation, error) = match self {
            Self::Store(operation, error) => (operation, error),
            Self::TooMany => {
                let name = &record.name;
                return NotKept::Unavailable(format!(
                    "{MAX_CONFLICTS} different events are kept under event.{name}.* beside the first, and this is another. Its sender uses one key for different events: look at them; one that is removed here and from conflicts.{name} makes room"
                ));
            }
        };
        match explain("the inbox", (BUCKET_SETTING, bucket), operation, error) {
            Failure::NotSetUp(detail) => NotKept::NotSetUp(detail),
            Failure::Unavailable(detail) => NotKept::Unavailable(detail),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_names_the_setting_and_whether_somebody_has_to_act() {
        let record = Record::new("EVT 1", "m", "k", "{}");
        let store = |error| Failed::Store(Operation::Open, error).explain(&record, "mine");
        let NotKept::NotSetUp(detail) = store(StoreError::NoSuchStore) else { std::panic!() };
        assert!(detail.contains("the inbox cannot open the bucket \"mine\""), "{detail}");
        assert!(detail.contains(BUCKET_SETTING), "{detail}");
        let NotKept::Unavailable(detail) = store(StoreError::Other("full".into())) else {
            std::panic!()
        };
        assert!(detail.ends_with(": full"), "{detail}");
        let NotKept::Unavailable(detail) = Failed::TooMany.explain(&record, "mine") else {
            std::panic!()
        };
        assert!(detail.contains("16 different events"), "{detail}");
        assert!(detail.contains(&record.name), "{detail}");
    }

    #[test]
    fn the_bucket_is_a_setting_and_an_empty_name_is_one() {
        let named = |value: &str| [(BUCKET_SETTING.into(), value.into())];
        assert_eq!(bucket(named("mine")), "mine");
        assert_eq!(bucket(named("")), "");
        assert_eq!(bucket([("OTHER".into(), "x".into())]), DEFAULT_BUCKET);
    }
}
