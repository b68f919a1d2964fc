//! The program; see the library of this package.

use std::process::ExitCode;

fn main() -> ExitCode {
    messaging_cli::run()
}
