//! Random bytes from the operating system. A generator in this process would repeat its numbers if
//! a virtual machine is restored twice from one snapshot. Two attempts would then get the same ID.

use rand::TryRngCore;
use rand::rngs::OsRng;

/// A failure of the operating system to provide random bytes.
#[derive(Debug, thiserror::Error)]
#[error("the operating system has no random bytes: {0}")]
pub(crate) struct RandomError(<OsRng as TryRngCore>::Error);

/// Fills a buffer with random bytes.
///
/// # Errors
/// Returns `RandomError` if the operating system fails.
pub(crate) fn fill(bytes: &mut [u8]) -> Result<(), RandomError> {
    OsRng.try_fill_bytes(bytes).map_err(RandomError)
}
