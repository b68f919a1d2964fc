//! Reads the body of a request or a reply, within a size limit and a deadline.

use alloc::vec::Vec;
use core::pin::pin;

use wit_bindgen::{StreamReader, StreamResult};

use super::Clock;

/// Initial buffer size in bytes, enough for most bodies. The size is small, because many calls may
/// wait at once. The buffer doubles when it is full.
const ROOM_BYTES: usize = 4 * 1024;

/// The reason why a body was not read to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// The body exceeds the limit.
    TooLarge,
    /// The deadline passed.
    Late,
    /// The stream failed.
    Broken,
}

/// Reads a stream to its end or until an error. Returns the bytes, at most `max_bytes`. The stream
/// ends in the same way for complete and incomplete bodies, so the caller must also check the
/// future of the body.
pub async fn read(
    mut stream: StreamReader<u8>,
    clock: &mut Clock,
    max_bytes: usize,
) -> (Vec<u8>, Option<Cut>) {
    let mut bytes = Vec::new();
    loop {
        // Requests one byte above the limit to detect a body that is too long.
        let room = max_bytes.saturating_add(1).saturating_sub(bytes.len());
        bytes.reserve_exact(room.min(bytes.len().max(ROOM_BYTES)));
        let mut reading = pin!(stream.read(bytes));
        let Some((result, read)) = clock.wait(reading.as_mut()).await else {
            let (_, read) = reading.cancel();
            return (read, Some(Cut::Late));
        };
        bytes = read;
        match result {
            StreamResult::Complete(_) if bytes.len() > max_bytes => {
                bytes.truncate(max_bytes);
                return (bytes, Some(Cut::TooLarge));
            }
            StreamResult::Complete(_) => {}
            StreamResult::Cancelled => return (bytes, Some(Cut::Broken)),
            StreamResult::Dropped => return (bytes, None),
        }
    }
}
