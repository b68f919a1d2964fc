//! The program `messaging`. The library of this package implements it.

use std::process::ExitCode;

fn main() -> ExitCode {
    messaging_cli::run()
}
