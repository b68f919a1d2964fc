//! A host for the messaging plugin, on wasmtime: the model of how to embed it.
//!
//! ```text
//! engine    wasmtime configured for many short-lived, untrusted instances
//! plugin    load, link, typed calls; each call with limits and typed errors
//! outbound  what a component may reach, the key it never sees, pooled connections
//! webhook   the webhook component, and the inbox that it is given
//! serve     an HTTP server before it, with limits
//! service   the messaging service, simulated, with a ledger of what it received
//! inspect   what a component file exports and imports
//! ```

pub mod engine;
pub mod error;
pub mod inspect;
pub mod outbound;
pub mod plugin;
pub mod receiver;
pub mod serve;
pub mod service;
mod state;
pub mod webhook;

pub use engine::{Host, Limits};
pub use error::{CallError, LoadError};
pub use outbound::{AllowList, Outbound};
pub use plugin::{Instance, Plugin, Sandbox, wit};
pub use webhook::Webhook;

/// The plugin's component, as built from `guest/plugin`.
pub const PLUGIN: &[u8] = include_bytes!(env!("EMBEDDED_PLUGIN_WASM"));
