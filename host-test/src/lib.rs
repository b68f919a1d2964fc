//! The command line: runs the plugin and its webhook, simulates the service, and shows that
//! both keep their promises. Owns arguments, output and exit codes.

mod cli;

pub use cli::run;
