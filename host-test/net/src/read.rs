//! Bounded reads of untrusted files. A path may name a device that never ends.

use std::io::{self, Read};

/// Reads all of `source`. Returns `None` if it has more than `most` bytes.
///
/// # Errors
/// Returns the error of `source` if a read fails.
pub fn bounded(source: impl Read, most: u64) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    // Reads one byte more than allowed, to detect a source that is too long.
    let read = source.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    Ok(u64::try_from(read).is_ok_and(|read| read <= most).then_some(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn read_stops_at_limit() {
        for (length, whole) in [(0, true), (3, true), (4, true), (5, false)] {
            let source = vec![7; length];
            let read = bounded(source.as_slice(), 4).unwrap();
            assert_eq!(read, whole.then_some(source), "{length}");
        }
        assert_eq!(bounded(io::repeat(7), 4).unwrap(), None);
    }
}
