//! Bounded reads of untrusted files. A path may name a device that never ends.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// Maximum size of a PEM file, in bytes. The file of an operating system with its certificate
/// authorities takes about 256 KiB.
const MAX_PEM_BYTES: u64 = 4 * 1024 * 1024;

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

/// Reads a PEM file. `Err` has the reason why the file is unusable.
///
/// # Errors
/// Returns the error of the read, or `is larger than 4 MiB`.
pub fn pem_file(path: &Path) -> Result<Vec<u8>, String> {
    let read = File::open(path).and_then(|file| bounded(file, MAX_PEM_BYTES));
    read.map_err(|error| error.to_string())?.ok_or_else(|| "is larger than 4 MiB".into())
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

    #[cfg(unix)]
    #[test]
    fn endless_pem_file_is_refused() {
        assert_eq!(pem_file(Path::new("/dev/zero")).unwrap_err(), "is larger than 4 MiB");
    }
}
