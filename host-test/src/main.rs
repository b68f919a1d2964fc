//! The command line: hosts the messaging plugin, simulates the service, and shows
//! that both keep their promises.

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::run()
}
