//! Inbox logic for a key-value store: names of keys, the setting of the bucket, and descriptions of
//! failures.
//!
//! | key | value |
//! |---|---|
//! | `event.NAME.DIGEST` | the record: the WIT's `inbox.entry` as a JSON object, and a newline |
//! | `first.NAME` | the digest of the first event under the idempotency key |
//! | `conflicts.NAME` | the digests of conflicting events; the module [`exact`](crate::webhook::exact) uses `conflicts.NAME.N` instead |
//!
//! NAME stands for the idempotency key. DIGEST is the SHA-256 of the event's JSON. Keys consist of
//! `a-z`, `0-9`, `-`, `_`, `=` and `.`, which every store accepts, and have at most 181 bytes.

use alloc::format;
use alloc::string::String;

use crate::keyvalue::{Failure, explain};
pub use crate::keyvalue::{Operation, StoreError};

use crate::webhook::inbox::PutError;
use crate::webhook::record::{MAX_CONFLICTS, Record};

/// Name of the setting for the bucket.
pub const BUCKET_SETTING: &str = "MESSAGING_WEBHOOK_BUCKET";
/// Name of the bucket if the setting is missing.
const DEFAULT_BUCKET: &str = "default";

/// Returns the name of the bucket from environment variables. An empty name is valid, because some
/// hosts have a bucket with an empty name.
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
    /// Key of the event.
    pub event: String,
    /// Key of the digest of the first event.
    pub first: String,
    /// Key of the digests of conflicting events.
    pub conflicts: String,
}

impl Keys {
    /// Returns the keys of `record`.
    #[must_use]
    pub fn of(record: &Record) -> Self {
        Self {
            event: format!("event.{}.{}", record.name, record.digest),
            first: format!("first.{}", record.name),
            conflicts: format!("conflicts.{}", record.name),
        }
    }
}

/// Reason why the inbox cannot confirm that an event is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failed {
    /// The store failed.
    Store(Operation, StoreError),
    /// The maximum number of conflicting events is stored under the idempotency key.
    TooMany,
}

impl Failed {
    /// Describes the failure for the operator.
    #[must_use]
    pub fn explain(self, record: &Record, bucket: &str) -> PutError {
        let (operation, error) = match self {
            Self::Store(operation, error) => (operation, error),
            Self::TooMany => {
                let name = &record.name;
                return PutError::Unavailable(format!(
                    "this key has {MAX_CONFLICTS} conflicting events under event.{name}.*, the maximum. The event source reuses the key. To accept more, remove a conflicting event and its digest under conflicts.{name}"
                ));
            }
        };
        match explain("the inbox", (BUCKET_SETTING, bucket), operation, error) {
            Failure::NotSetUp(detail) => PutError::NotSetUp(detail),
            Failure::Unavailable(detail) => PutError::Unavailable(detail),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failure_names_setting_and_remedy() {
        let record = Record::new("EVT 1", "m", "k", "{}");
        let store = |error| Failed::Store(Operation::Open, error).explain(&record, "mine");
        let PutError::NotSetUp(detail) = store(StoreError::NoSuchStore) else { std::panic!() };
        assert!(detail.contains("the inbox cannot open the bucket \"mine\""), "{detail}");
        assert!(detail.contains(BUCKET_SETTING), "{detail}");
        let PutError::Unavailable(detail) = store(StoreError::Other("full".into())) else {
            std::panic!()
        };
        assert!(detail.ends_with(": full"), "{detail}");
        let PutError::Unavailable(detail) = Failed::TooMany.explain(&record, "mine") else {
            std::panic!()
        };
        assert!(detail.contains("16 conflicting events"), "{detail}");
        assert!(detail.contains(&record.name), "{detail}");
    }

    #[test]
    fn bucket_name_is_setting() {
        let named = |value: &str| [(BUCKET_SETTING.into(), value.into())];
        assert_eq!(bucket(named("mine")), "mine");
        assert_eq!(bucket(named("")), "");
        assert_eq!(bucket([("OTHER".into(), "x".into())]), DEFAULT_BUCKET);
    }
}
