//! Reads the body of a request or a reply, within a cap and a deadline.

use alloc::vec::Vec;
use core::pin::pin;

use wit_bindgen::{StreamReader, StreamResult};

use super::Clock;

/// Room for a body as it usually is. A longer one doubles it: what a call in flight
/// holds while it waits is little.
const ROOM_BYTES: usize = 4 * 1024;

/// Reason why a body was not read to the end of its stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// It is longer than the cap.
    TooLarge,
    /// The deadline came first.
    Late,
    /// The stream failed.
    Broken,
}

/// Reads a stream to its end, or until it is cut; returns what was read, `max_bytes` at most. A
/// stream ends alike for a body that is whole and for one that is not: what comes after it
/// tells them apart.
pub async fn read(
    mut stream: StreamReader<u8>,
    clock: &mut Clock,
    max_bytes: usize,
) -> (Vec<u8>, Option<Cut>) {
    let mut bytes = Vec::new();
    loop {
        // One byte more than the cap tells a body that fits from one that does not.
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
