//! The corpora of the fuzz targets: a file for each, a line for each input. Owns their format.
//!
//! ```text
//! NAME BYTES    NAME without spaces; BYTES in ASCII, all else as \t \r \n \' \" \\ or \xNN
//! ```
//!
//! libFuzzer wants a folder with a file for each input: [`unpack`] makes it, [`pack`] takes it
//! back.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// A corpus that cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum CorpusError {
    /// A file or a folder cannot be used.
    #[error("{0}: {1}")]
    File(PathBuf, io::Error),
    /// A line is not of the format; the first is 1.
    #[error("{0}: line {1} is not `NAME BYTES` in escaped ASCII")]
    Line(PathBuf, usize),
}

/// An input, and its name.
pub type Input = (String, Vec<u8>);

/// Reads the corpus of a target, in the file's order.
///
/// # Errors
/// The file cannot be read, or is none of this format.
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

/// Writes the inputs of a target as files of a folder, which is made.
///
/// # Errors
/// The corpus cannot be read, or the folder not be written.
pub fn unpack(corpora: &Path, target: &str, folder: &Path) -> Result<usize, CorpusError> {
    let inputs = read(corpora, target)?;
    fs::create_dir_all(folder).map_err(|error| CorpusError::File(folder.into(), error))?;
    for (name, bytes) in &inputs {
        let path = folder.join(name);
        fs::write(&path, bytes).map_err(|error| CorpusError::File(path.clone(), error))?;
    }
    Ok(inputs.len())
}

/// Replaces the corpus of a target by the files of a folder, in the order of their names.
///
/// # Errors
/// The folder cannot be read, or the corpus not be written.
pub fn pack(corpora: &Path, target: &str, folder: &Path) -> Result<usize, CorpusError> {
    let failed = |path: &Path, error| CorpusError::File(path.into(), error);
    let mut lines = Vec::new();
    for entry in fs::read_dir(folder).map_err(|error| failed(folder, error))? {
        let path = entry.map_err(|error| failed(folder, error))?.path();
        let bytes = fs::read(&path).map_err(|error| failed(&path, error))?;
        let name = path.file_name().unwrap_or_default().to_string_lossy().replace(' ', "_");
        // Of libFuzzer's names, which are digests, the beginning says enough.
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

/// The bytes that [`slice::escape_ascii`] was given.
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
