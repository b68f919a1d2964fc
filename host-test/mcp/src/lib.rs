//! An MCP server (Model Context Protocol): tools with which a program that has a language model
//! sends messages, each at most once, lists templates, and looks up what became of a send. Owns
//! the tools and their words for a model. The protocol is `rmcp`'s, decisions are
//! `messaging_host::Once`'s, connections and limits the host's server's.
//!
//! ```text
//! stdio, Http -> protocol   what is refused before it is read; what this server has
//!             -> rmcp       requests, revisions, errors, statuses
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
//! `rmcp` serves each request by itself. Its loop for a connection is not used on standard input: it has
//! no limit of requests under way, and waits 5 s for answers after the end of the input. Its reader of
//! lines takes a member that is given twice. At `debug` it traces whole messages: a program that keeps
//! numbers and texts out of its log filters the target `rmcp`.

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
