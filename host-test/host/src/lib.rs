//! Host for the messaging plugin and its webhook, based on wasmtime. It provides limits for each
//! call, an allow-list, pooled connections and typed errors. The API key stays outside the
//! component.
//!
//! The host defines the access and the limits of a component. `messaging-core` defines its
//! decisions.
//!
//! ```text
//! engine    wasmtime configured for many short-lived, untrusted instances
//! limits    limits of a call: memory, time, requests
//! cache     compiled components, shared between processes
//! types     bindings of the interfaces
//! plugin    loading, linking and typed calls of a plugin: WASI 0.2, WASI 0.3 or sans-I/O
//! messaging the interface `messaging` as a trait, for providers that are not components
//! outbound  outgoing HTTP: allow-list, API key, pooled connections
//! webhook   the webhook component and its inbox
//! serve     an HTTP server with limits, for the webhook
//! inbox     the store of messaging-inbox as an import of components
//! once      idempotent sends over any provider and any journal
//! journal   journals of sends: SQLite or a store of the embedder
//! keyvalue  wasi:keyvalue/store for components, over any store
//! headers   configurable headers with secrets
//! forward   delivery of stored events to a workflow engine
//! post      a POST request to a URL of the operator
//! span      deliveries and forwarding attempts as trace spans
//! throttle  rate limit for log lines that a peer can cause
//! calls     counts of calls by function and outcome
//! outcome   results of the interface `messaging` as JSON
//! inspect   exports and imports of a component file
//! json      strict JSON parser for untrusted input
//! random    random bytes from the operating system
//! read      bounded reads of files and devices
//! reload    values that are read again when their files change
//! ```

pub mod cache;
pub mod calls;
pub mod engine;
pub mod error;
#[cfg(feature = "webhook")]
pub mod forward;
#[cfg(feature = "webhook")]
mod headers;
#[cfg(feature = "webhook")]
pub mod inbox;
pub mod inspect;
pub mod journal;
#[cfg(feature = "webhook")]
pub mod json;
#[cfg(feature = "webhook")]
pub mod keyvalue;
pub mod limits;
pub mod messaging;
mod meter;
pub mod once;
pub mod outbound;
pub mod outcome;
mod outline;
pub mod plugin;
#[cfg(feature = "webhook")]
pub mod post;
mod random;
pub mod read;
mod reload;
#[cfg(feature = "webhook")]
pub mod serve;
#[cfg(feature = "webhook")]
pub mod span;
mod state;
#[cfg(feature = "webhook")]
pub mod throttle;
mod types;
mod wasi;
#[cfg(feature = "webhook")]
pub mod webhook;

pub use engine::Host;
pub use error::{CallError, CallResult, LoadError};
pub use journal::Journal;
pub use limits::{Limit, Limits};
pub use messaging::Messaging;
pub use messaging_core::origin::Origin;
pub use messaging_core::secret::ApiKey;
pub use once::Once;
pub use outbound::{AllowList, Outbound, Trust};
pub use plugin::{Instance, KeyInSettings, Plugin, PluginConfig};
pub use types::wit;
#[cfg(feature = "webhook")]
pub use webhook::Webhook;
