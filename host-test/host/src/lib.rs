//! Host for the messaging plugin and its webhook, based on wasmtime. It provides limits for each
//! call, an allow-list, pooled connections and typed errors. The API key stays outside the
//! component.
//!
//! The host sets the access rights and the limits of a component. The logic of the components
//! (requests, retries and results) is in `messaging-core`.
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
//! inbox     inboxes of events: messaging-inbox or a store of the embedder
//! once      idempotent sends over any provider and any journal
//! journal   journals of sends: SQLite or a store of the embedder
//! imports   the imports `journal` and `inbox` of components
//! keyvalue  wasi:keyvalue/store for components, over any store
//! calls     counts of calls by function and outcome
//! outcome   results of the interface `messaging` as JSON
//! inspect   exports and imports of a component file
//! random    random bytes from the operating system
//! ```

pub mod cache;
pub mod calls;
pub mod engine;
pub mod error;
mod imports;
#[cfg(feature = "webhook")]
pub mod inbox;
pub mod inspect;
pub mod journal;
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
mod random;
mod state;
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
