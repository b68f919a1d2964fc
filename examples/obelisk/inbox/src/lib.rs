//! An inbox that stores events in the engine: each event is an execution of the workflow
//! `event-received`. The execution ID is derived from the delivery key.
//!
//! The engine creates an execution ID only once. It answers 201 to a new ID, 200 to an equal
//! submission, and 409 to other parameters under a known ID. The engine's database determines the
//! status, and the inbox returns a result for each status.
// The tests run natively. No engine exists there, so the tests cover only the execution IDs.

use sha2::{Digest, Sha256};

#[cfg(target_family = "wasm")]
mod engine;

/// Returns the execution ID of an event. Redeliveries of an event get an equal ID.
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
    fn each_event_has_its_own_execution() {
        let id = execution_of(["evt-1", ""]);
        assert_eq!(id, execution_of(["evt-1", ""]));
        assert_ne!(id, execution_of(["evt-2", ""]));
        assert_ne!(id, execution_of(["evt-", "1"]));
    }

    #[test]
    fn identifier_fits_engine() {
        let id = execution_of(["evt-1", ""]);
        let ulid = id.strip_prefix("E_").unwrap();
        assert_eq!(ulid::Ulid::from_string(ulid).unwrap().to_string(), ulid);
    }
}
