//! An MCP server (Model Context Protocol): tools with which a program that has a language model
//! sends messages, each at most once, lists templates, and looks up what became of a send. Owns
//! the tools, their words for a model, and as much of the protocol as a server of tools needs;
//! decisions are `messaging_host::Once`'s, connections and limits the host's server's.
//!
//! ```text
//! stdio, Http -> protocol   requests, revisions, errors
//!             -> tools      names, schemas, calls
//!             -> arguments  parsed once
//!             -> Once       a provider and a journal
//!             -> answer     an outcome, and what the model may do after it
//! ```
//!
//! A model repeats calls: when it is not sure, when its program restarts, when a reply was lost. So
//! there is no tool that sends without a key, and none that resolves an unknown outcome: that is a
//! decision for a person who has looked at the service.
//!
//! The protocol is written with what is here already: a handful of methods and their errors. The crate of
//! its makers, `rmcp` 3.11 with both transports, would bring itself and 19 further crates (`cargo
//! tree`), and asks for `serde/rc` and all of `futures`, so that the engine, which is built of both,
//! would be compiled anew with them. Clients of its makers, in Python and JavaScript, are the judges
//! (`examples/mcp`).

mod answer;
mod arguments;
mod http;
mod protocol;
mod stdio;
mod tools;

pub use http::{Http, PATH};
pub use stdio::stdio;
pub use tools::Tools;

/// The largest request that is read, in bytes.
pub const MAX_REQUEST_BYTES: usize = 1024 * 1024;
