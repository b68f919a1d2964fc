//! Corpora of the fuzz targets: one file per target, one line per input. This module defines the
//! format of a line:
//!
//! ```text
//! NAME BYTES    NAME without spaces; BYTES in ASCII, all else as \t \r \n \' \" \\ or \xNN
//! ```
//!
//! libFuzzer needs a directory with one file per input. [`unpack`] writes this directory, and
//! [`pack`] reads it back.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// An error while a corpus is read or written.
#[derive(Debug, thiserror::Error)]
pub enum CorpusError {
    /// A file or directory cannot be read or written.
    #[error("{0}: {1}")]
    File(PathBuf, io::Error),
    /// An invalid line of a file. Holds the line number, which begins at 1.
    #[error("{0}: line {1} is not `NAME BYTES` in escaped ASCII")]
    Line(PathBuf, usize),
}

/// The name and the bytes of an input.
pub type Input = (String, Vec<u8>);

/// Reads the corpus of a target, in the order of the file.
///
/// # Errors
/// Returns an error if the file cannot be read, or if a line is invalid.
pub fn read(corpora: &Path, target: &str) -> Result<Vec<Input>, CorpusError> {
    let path = file(corpora, target);
    let text = fs::read_to_string(&path).map_err(|error| CorpusError::File(path.clone(), error))?;
    let input = |line: &str| {
        let (name, bytes) = line.split_once(' ')?;
        Some((name.to_string(), unescaped(bytes)?))
    };
    let lines = text.lines().zip(1..);
    lines
        .map(|(line, number)| input(line).ok_or_else(|| CorpusError::Line(path.clone(), number)))
        .collect()
}

/// Writes each input of a target to a file in `folder`, which is created if necessary. Returns the
/// number of inputs.
///
/// # Errors
/// Returns an error if the corpus cannot be read, or if a file cannot be written.
pub fn unpack(corpora: &Path, target: &str, folder: &Path) -> Result<usize, CorpusError> {
    let inputs = read(corpora, target)?;
    fs::create_dir_all(folder).map_err(|error| CorpusError::File(folder.into(), error))?;
    for (name, bytes) in &inputs {
        let path = folder.join(name);
        fs::write(&path, bytes).map_err(|error| CorpusError::File(path.clone(), error))?;
    }
    Ok(inputs.len())
}

/// Replaces the corpus of a target with the files in `folder`, sorted by name. Returns the number
/// of inputs.
///
/// # Errors
/// Returns an error if the directory cannot be read, or if the corpus cannot be written.
pub fn pack(corpora: &Path, target: &str, folder: &Path) -> Result<usize, CorpusError> {
    let failed = |path: &Path, error| CorpusError::File(path.into(), error);
    let mut lines = Vec::new();
    for entry in fs::read_dir(folder).map_err(|error| failed(folder, error))? {
        let path = entry.map_err(|error| failed(folder, error))?.path();
        let bytes = fs::read(&path).map_err(|error| failed(&path, error))?;
        let name = path.file_name().unwrap_or_default().to_string_lossy().replace(' ', "_");
        // libFuzzer names a file after its digest. The first 12 digits are enough.
        let digest = name.len() == 40 && name.bytes().all(|byte| byte.is_ascii_hexdigit());
        let name = if digest { name.get(..12).unwrap_or(&name) } else { &name };
        lines.push(format!("{name} {}\n", bytes.escape_ascii()));
    }
    lines.sort();
    let path = file(corpora, target);
    fs::write(&path, lines.concat()).map_err(|error| failed(&path, error))?;
    Ok(lines.len())
}

fn file(corpora: &Path, target: &str) -> PathBuf {
    corpora.join(format!("{target}.txt"))
}

/// Returns the bytes that [`slice::escape_ascii`] converts to `text`; `None` if `text` is not such
/// an output.
fn unescaped(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'\\' => match rest.next()? {
                b't' => b'\t',
                b'r' => b'\r',
                b'n' => b'\n',
                b'x' => {
                    let digit = |byte: u8| char::from(byte).to_digit(16);
                    let value = digit(rest.next()?)? * 16 + digit(rest.next()?)?;
                    u8::try_from(value).ok()?
                }
                quoted @ (b'\\' | b'\'' | b'"') => quoted,
                _ => return None,
            },
            b' '..=b'~' => byte,
            _ => return None,
        });
    }
    Some(bytes)
}
