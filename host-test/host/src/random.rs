//! Random bytes of the operating system. A generator in this process would have one state in two
//! processes after a snapshot of a virtual machine is restored twice, and both would get one name.

use rand::TryRngCore;
use rand::rngs::OsRng;

/// The operating system has no random bytes.
#[derive(Debug, thiserror::Error)]
#[error("the operating system has no random bytes: {0}")]
pub(crate) struct RandomError(<OsRng as TryRngCore>::Error);

/// Fills a buffer.
///
/// # Errors
/// Returns `RandomError` if the operating system fails.
pub(crate) fn fill(bytes: &mut [u8]) -> Result<(), RandomError> {
    OsRng.try_fill_bytes(bytes).map_err(RandomError)
}
