//! An inbox whose store is the engine: an event is an execution of the workflow
//! `event-received`, and the execution's identifier is made of the idempotency key.
//!
//! The engine creates an execution under a given identifier once. To the same
//! submission it answers 200 instead of 201, to one with other parameters 409: these
//! are the inbox's three answers, and the engine's database decides between them.
// Natively there is no engine to call: the tests are about the identifiers.

use sha2::{Digest, Sha256};

#[cfg(target_family = "wasm")]
mod engine;

/// The execution that an event is: the same for every delivery of it.
pub fn execution_of(parts: [&str; 2]) -> String {
    let mut digest = Sha256::new();
    for part in parts {
        digest.update((part.len() as u64).to_be_bytes());
        digest.update(part);
    }
    let mut half = [0; 16];
    half.copy_from_slice(&digest.finalize()[..16]);
    format!("E_{}", ulid::Ulid::from_bytes(half))
}

#[cfg(test)]
mod tests {
    use super::execution_of;

    #[test]
    fn an_event_has_one_execution_and_another_event_another() {
        let id = execution_of(["evt-1", ""]);
        assert_eq!(id, execution_of(["evt-1", ""]));
        assert_ne!(id, execution_of(["evt-2", ""]));
        assert_ne!(id, execution_of(["evt-", "1"]));
    }

    #[test]
    fn it_is_an_identifier_of_the_engine() {
        let id = execution_of(["evt-1", ""]);
        let ulid = id.strip_prefix("E_").unwrap();
        assert_eq!(ulid::Ulid::from_string(ulid).unwrap().to_string(), ulid);
    }
}
