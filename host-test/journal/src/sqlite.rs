//! SQLite files with one writer, shared by this journal and the inbox (`messaging-inbox`).
//!
//! ```text
//! files     names, rights and identity of the files
//! location  opening a file: whether it is of the expected kind, its creation, settings of connections
//! writer    group commit: one transaction for all waiting requests, answers after it
//! ```

pub mod files;
mod location;
mod writer;

pub use location::{FileError, Kind, Location, Opened};
pub use writer::{Batch, Job, Jobs, Mode, Open, Step, Writer, ask};
