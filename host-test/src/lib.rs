//! The command line, which runs the plugin and its webhook, and simulates the service. Defines
//! arguments, output and exit codes.

// Only the module `print` writes output, because it records write errors.
#![deny(clippy::print_stdout, clippy::print_stderr)]
#![allow(rustdoc::broken_intra_doc_links, reason = "help texts show defaults in brackets")]

mod cli;

pub use cli::{program, run};
