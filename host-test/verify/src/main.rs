//! The program of the test laboratory. `--help` lists its commands.

#![deny(clippy::print_stdout, clippy::print_stderr)]
#![allow(rustdoc::broken_intra_doc_links, reason = "help texts show defaults in brackets")]

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    messaging_cli::program::start::<cli::Arguments>()
}
