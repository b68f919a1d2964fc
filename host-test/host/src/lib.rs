//! A host for the messaging plugin and its webhook, on wasmtime: limits for each call, an
//! allow-list, the key kept outside the component, pooled connections, typed errors.
//! Owns what a component may reach and use; `messaging-core` owns what it decides.
//!
//! ```text
//! engine    wasmtime configured for many short-lived, untrusted instances
//! limits    what a call may hold and spend
//! cache     compiled components, kept between processes
//! plugin    load, link, typed calls with limits; WASI 0.2, WASI 0.3 or sans-I/O
//! messaging the interface as a trait, for providers that are no component
//! outbound  what a component may reach, the key it never sees, pooled connections
//! webhook   the webhook component, and the inbox that it is given
//! serve     an HTTP server before it, with limits
//! inbox     the store of messaging-inbox as what components import
//! once      a send that may be repeated, over any provider and any journal
//! journal   where it remembers: SQLite, or a store of the embedder's
//! keyvalue  wasi:keyvalue/store for components, over any store
//! forward   stored events on their way to a workflow engine
//! post      a request to where an operator says
//! span      deliveries and attempts to forward, as traces have them
//! throttle  lines of a log that others can cause
//! calls     how many calls ended how
//! outcome   the interface's results as JSON
//! inspect   what a component file exports and imports
//! json      JSON of others, read in one way
//! random    random bytes of the operating system
//! read      files of any size, read as far as they may be
//! reload    values read from files, and read again after the files change
//! ```

pub mod cache;
pub mod calls;
pub mod engine;
pub mod error;
#[cfg(feature = "webhook")]
pub mod forward;
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
mod wasi;
#[cfg(feature = "webhook")]
pub mod webhook;

pub use engine::Host;
pub use error::{CallError, LoadError};
pub use journal::Journal;
pub use limits::{Limit, Limits};
pub use messaging::{CallResult, Messaging};
pub use messaging_core::origin::Origin;
pub use messaging_core::secret::ApiKey;
pub use once::Once;
pub use outbound::{AllowList, Outbound, Trust};
pub use plugin::{Instance, KeyInSettings, Plugin, PluginConfig, wit};
#[cfg(feature = "webhook")]
pub use webhook::Webhook;
