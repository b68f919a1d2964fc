//! Errors of key-value stores, with messages for operators. Inboxes and journals share this module.

pub mod orders;
mod wasmcloud;

use alloc::format;
use alloc::string::String;

/// An error of a store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StoreError {
    /// The store has no bucket with this name.
    NoSuchStore,
    /// The store denies access to this component.
    AccessDenied,
    /// Any other error. Holds the store's message.
    Other(String),
}

/// An operation of a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// Opening the bucket.
    Open,
    /// Reading a key, or the list of keys.
    Read,
    /// Writing a key.
    Write,
}

/// A failure of a store, with a message for an operator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// An operator must set up the bucket. Nothing was written.
    NotSetUp(String),
    /// The operation failed; a retry may succeed.
    Unavailable(String),
}

/// Describes a failed operation on a bucket. `user` names the component that uses the bucket, for
/// example `the inbox`. `setting` is the setting that names the bucket.
#[must_use]
pub fn explain(
    user: &str,
    (setting, bucket): (&str, &str),
    operation: Operation,
    error: StoreError,
) -> Failure {
    let operation = match operation {
        Operation::Open => "open",
        Operation::Read => "read",
        Operation::Write => "write",
    };
    let text = format!("{user} cannot {operation} the bucket \"{bucket}\"");
    match error {
        StoreError::NoSuchStore => Failure::NotSetUp(format!(
            "{text}: the host has no bucket with this name. Create it, or correct {setting}"
        )),
        StoreError::AccessDenied => Failure::NotSetUp(format!(
            "{text}: the host denies access. Grant access, or correct {setting}"
        )),
        StoreError::Other(said) => Failure::Unavailable(format!("{text}: {said}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failure_names_bucket_operation_and_remedy() {
        let said =
            |operation, error| match explain("the inbox", ("BUCKET", "mine"), operation, error) {
                Failure::NotSetUp(detail) => (true, detail),
                Failure::Unavailable(detail) => (false, detail),
            };
        for (operation, error, not_set_up, parts) in [
            (
                Operation::Open,
                StoreError::NoSuchStore,
                true,
                ["open the bucket \"mine\"", "BUCKET"],
            ),
            (Operation::Read, StoreError::AccessDenied, true, ["read the bucket", "Grant access"]),
            (
                Operation::Write,
                StoreError::Other("full".into()),
                false,
                ["the inbox cannot write", ": full"],
            ),
        ] {
            let (is_not_set_up, detail) = said(operation, error);
            assert_eq!(is_not_set_up, not_set_up, "{detail}");
            assert!(parts.iter().all(|part| detail.contains(part)), "{detail}");
        }
    }
}
