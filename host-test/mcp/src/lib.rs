//! An MCP server (Model Context Protocol). Its tools send messages (each at most once), list
//! templates, and look up the outcome of a send. This crate owns the tools and their texts for a
//! model. `rmcp` implements the protocol, `messaging_host::Once` decides about sends, and the
//! host's server owns connections and limits.
//!
//! ```text
//! stdio, Http -> protocol   early rejection of messages; capabilities of the server
//!             -> rmcp       requests, revisions, errors, statuses
//!             -> tools      names, schemas, calls
//!             -> arguments  parsed once
//!             -> Once       a provider and a journal
//!             -> answer     an outcome, and the next permitted call
//! ```
//!
//! A model repeats calls after an unclear response, a restart or a lost response. Therefore no tool
//! sends without a key, and no tool resolves an unknown outcome. An operator resolves an unknown
//! outcome after a look at the service.
//!
//! `rmcp` serves each request separately. The transport over standard input does not use the
//! connection loop of `rmcp`, because that loop does not limit pending requests, and waits 5 s for
//! responses after the end of the input. The transport does not use the line reader of `rmcp`
//! either, because that reader accepts duplicate members. At level `debug`, `rmcp` logs complete
//! messages. To keep phone numbers and texts out of the log, disable the log target `rmcp`.

mod answer;
mod arguments;
mod http;
mod protocol;
mod stdio;
mod tools;

pub use http::{Http, PATH};
pub use stdio::stdio;
pub use tools::Tools;

/// Maximum size of a request in bytes.
pub const MAX_REQUEST_BYTES: usize = 1024 * 1024;
