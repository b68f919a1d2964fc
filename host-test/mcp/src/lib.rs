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
//! `rmcp` is the crate of the protocol's makers: the next revision is theirs to write. It serves each
//! request by itself, as it does over HTTP without sessions. Its loop for a connection is not used on
//! standard input: it begins with `initialize` or ends, sets no limit to what is under way, and waits
//! 5 s for answers once the input has ended. Nor is its reader of lines, which takes a member that is
//! given twice. At `debug` it traces whole messages, with numbers and texts: a program that promises
//! otherwise filters the target `rmcp`.
//!
//! It brings 20 crates, and features of `serde` and `futures` that the engine is built with, too; since
//! it is in every build of the command line, that is one engine all the same (`.ci/run tests` looks).
//! Clients of the same makers, in Python and JavaScript, are the judges (`examples/mcp`).

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
