//! The command line: runs the plugin and its webhook, simulates the service, and shows that
//! both keep their promises. Owns arguments, output and exit codes.

// One module prints, and knows what failed.
#![deny(clippy::print_stdout, clippy::print_stderr)]
#![allow(rustdoc::broken_intra_doc_links, reason = "help texts show defaults in brackets")]

mod cli;

pub use cli::run;
