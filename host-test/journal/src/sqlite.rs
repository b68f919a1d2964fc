//! SQLite files with one writer, shared by this journal and the inbox (`messaging-inbox`).
//!
//! ```text
//! files     names, permissions and identity of the files
//! location  identification and creation of a file, settings of connections
//! writer    group commit: one transaction for all waiting requests
//! ```

pub mod files;
mod location;
mod writer;

pub use location::{FileError, Kind, Location, Opened, is_corruption};
pub use writer::{Batch, Job, Jobs, Mode, Open, Step, Writer, ask};
