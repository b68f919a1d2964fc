//! Parts that the program of `messaging-verify` shares with `messaging`: start and end of a
//! program, options of every command, output, and hosts of components.

pub use super::exit::Exit;
pub use super::folder::temporary;
pub use super::serve::host as webhook_host;
pub use super::setup::{component, host, plugin};
pub use super::signal::Stop;
pub use super::start::{Program, start};
pub use super::{Common, Failure};

/// Output of commands. `say!` and `complain!` format a line.
pub mod print {
    pub use crate::cli::print::{error_line, json, line, plain};
}

/// Text for people.
pub mod show {
    pub use crate::cli::show::{BOLD, DIM, GREEN, RED, RESET, mark};
    pub use crate::cli::text::printable;
}
