//! The program `messaging`. The library of this package implements it.

use std::process::ExitCode;

// The static program only: see the packages page for the measurement.
#[cfg(target_env = "musl")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    messaging_cli::run()
}
