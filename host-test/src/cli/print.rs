//! Prints the output of commands, and tells whether it was written. Everything for standard
//! output or standard error passes here: a disk that is full or a reader that has gone away
//! ends no command half-way, and is no success either.

use std::fmt::Arguments;
use std::io::{Error, ErrorKind, Write};
use std::sync::{Mutex, PoisonError};

/// First error of writing to standard output.
static UNPRINTED: Mutex<Option<Error>> = Mutex::new(None);

/// Prints a line to standard output, as `println!` does.
macro_rules! say {
    ($($text:tt)*) => { $crate::cli::print::line(format_args!($($text)*)) };
}

/// Prints a line to standard error, as `eprintln!` does; nobody can be told if it fails.
macro_rules! complain {
    ($($text:tt)*) => {{
        use std::io::Write;
        let _ = writeln!(anstream::stderr(), $($text)*);
    }};
}

/// Standard error for log lines. None fails: a line that cannot be written is left out.
pub struct Log;

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> Result<usize, Error> {
        let _ = std::io::stderr().write_all(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> Result<(), Error> {
        Ok(())
    }
}

/// Prints a line to standard output, without colours where that is no terminal.
pub fn line(text: Arguments<'_>) {
    print(|| writeln!(anstream::stdout(), "{text}"));
}

/// Prints a line to standard output, byte for byte.
pub fn plain(text: &str) {
    print(|| writeln!(std::io::stdout(), "{text}"));
}

/// Prints, unless something before could not be printed.
fn print(write: impl FnOnce() -> Result<(), Error>) {
    let mut failed = UNPRINTED.lock().unwrap_or_else(PoisonError::into_inner);
    if failed.is_none() {
        *failed = write().err();
    }
}

/// Returns the first error of writing to standard output, if there was one.
pub fn failure() -> Option<String> {
    print(|| std::io::stdout().flush());
    let failed = UNPRINTED.lock().unwrap_or_else(PoisonError::into_inner);
    failed.as_ref().map(ToString::to_string)
}

/// Returns true if the reader of standard output closed it, as `head` does. That is its decision and
/// no news, so nothing is printed; the exit code still says that the output is not whole.
pub fn reader_has_gone() -> bool {
    let failed = UNPRINTED.lock().unwrap_or_else(PoisonError::into_inner);
    failed.as_ref().is_some_and(|error| error.kind() == ErrorKind::BrokenPipe)
}
