//! Output of commands. All text for standard output and standard error passes through this module.
//! A full disk or a closed reader does not abort a command, but the command reports a failure.

use std::fmt::Arguments;
use std::io::{Error, ErrorKind, Write};
use std::sync::{Mutex, PoisonError};

use anstream::adapter::strip_str;
use anstream::{AutoStream, ColorChoice};
use serde::Serialize;

use super::text;

/// First write error of standard output.
static UNPRINTED: Mutex<Option<Error>> = Mutex::new(None);

/// Prints a line to standard output, as `println!` does.
#[macro_export]
macro_rules! say {
    ($($text:tt)*) => { $crate::program::print::line(format_args!($($text)*)) };
}

/// Prints a line to standard error, as `eprintln!` does. Ignores errors, because they cannot be
/// reported.
#[macro_export]
macro_rules! complain {
    ($($text:tt)*) => { $crate::program::print::error_line(format_args!($($text)*)) };
}

/// Standard error for log lines. Discards a line that cannot be written. Escapes hidden characters,
/// which JSON allows in a string.
pub struct Log;

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> Result<usize, Error> {
        let line = String::from_utf8_lossy(bytes);
        let _ = std::io::stderr().write_all(text::escaped_json(&line).as_bytes());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> Result<(), Error> {
        Ok(())
    }
}

/// Prints a line to standard error. Ignores errors.
pub fn error_line(text: Arguments<'_>) {
    let _ = writeln!(anstream::stderr(), "{text}");
}

/// Prints a line to standard output. Omits colors unless standard output is a terminal.
pub fn line(text: Arguments<'_>) {
    let text = text.to_string();
    match AutoStream::choice(&std::io::stdout()) {
        ColorChoice::Never => plain(&strip_str(&text).to_string()),
        _ => print(|| writeln!(anstream::stdout(), "{text}")),
    }
}

/// Prints a line to standard output without changes. Writes all of it at once, because a reader such
/// as `head -1` closes the output after its first read.
pub fn plain(text: &str) {
    print(|| std::io::stdout().write_all(format!("{text}\n").as_bytes()));
}

/// Prints one JSON document without colors, for scripts.
pub fn json(value: &impl Serialize) {
    match serde_json::to_string_pretty(value) {
        Ok(text) => plain(&text::escaped_json(&text)),
        Err(error) => complain!("error: the result cannot be written as JSON: {error}"),
    }
}

/// Prints unless an earlier write has failed.
fn print(write: impl FnOnce() -> Result<(), Error>) {
    let mut failed = UNPRINTED.lock().unwrap_or_else(PoisonError::into_inner);
    if failed.is_none() {
        *failed = write().err();
    }
}

/// Returns the first write error of standard output.
pub fn failure() -> Option<String> {
    print(|| std::io::stdout().flush());
    let failed = UNPRINTED.lock().unwrap_or_else(PoisonError::into_inner);
    failed.as_ref().map(ToString::to_string)
}

/// Returns true if the reader has closed standard output, as `head` does. Readers do so on purpose,
/// so no message is printed. The exit code still reports incomplete output.
pub fn reader_has_gone() -> bool {
    let failed = UNPRINTED.lock().unwrap_or_else(PoisonError::into_inner);
    failed.as_ref().is_some_and(|error| error.kind() == ErrorKind::BrokenPipe)
}
