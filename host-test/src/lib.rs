//! A host for the messaging plugin, on wasmtime: the model of how to embed it.
//!
//! ```text
//! engine    wasmtime configured for many short-lived, untrusted instances
//! limits    what a call may hold and spend
//! cache     compiled components, kept between processes
//! plugin    load, link, typed calls; each call with limits and typed errors
//! p3        the plugin for WASI 0.3: one instance that carries many calls at once
//! outbound  what a component may reach, the key it never sees, pooled connections
//! native    the same calls without a component, to compare it with
//! webhook   the webhook component, and the inbox that it is given
//! serve     an HTTP server before it, with limits
//! store     events kept exactly once, and handed on; the host's own inbox
//! inbox     the store as what components import
//! keyvalue  wasi:keyvalue/store for components, over any store
//! forward   stored events on their way to a workflow engine
//! outcome   the interface's results as JSON
//! service   the messaging service, simulated, with a ledger of what it received
//! faults    a TCP peer that answers as wrongly as its script says
//! conformance  a suite that any component of this interface can be held against
//! attack    what hostile components, and others, try on the hosts
//! soak      many mixed calls, some of a hostile component
//! differential  the same cases by a component and by the core, compared
//! campaign  the receiving process, killed over and over
//! boundary  the points at which it can be killed
//! bench     figures of benchmarks: medians, ratios, a chart
//! release   the files to release, and how they are written
//! inspect   what a component file exports and imports
//! ```

pub mod attack;
pub mod bench;
pub mod boundary;
pub mod cache;
pub mod campaign;
pub mod conformance;
pub mod differential;
pub mod engine;
pub mod error;
pub mod faults;
pub mod forward;
pub mod inbox;
pub mod inspect;
pub mod keyvalue;
pub mod limits;
mod meter;
pub mod native;
pub mod outbound;
pub mod outcome;
mod outline;
pub mod p3;
pub mod plugin;
pub mod release;
pub mod serve;
pub mod service;
pub mod soak;
mod state;
pub mod store;
mod wasi;
pub mod webhook;

pub use engine::Host;
pub use error::{CallError, LoadError};
pub use limits::{Limit, Limits};
pub use outbound::{AllowList, Outbound};
pub use plugin::{Instance, Plugin, Sandbox, wit};
pub use webhook::Webhook;

/// The plugin's component, as built from `guest/plugin`.
pub const PLUGIN: &[u8] = include_bytes!(env!("EMBEDDED_PLUGIN_WASM"));

/// The plugin's component for WASI 0.3, as built from `guest/plugin-p3`.
pub const PLUGIN_P3: &[u8] = include_bytes!(env!("EMBEDDED_PLUGIN_P3_WASM"));

/// The webhook's component alone, as built from `guest/webhook`: imports `messaging`
/// and `inbox`, for hosts that link them.
pub const WEBHOOK: &[u8] = include_bytes!(env!("EMBEDDED_WEBHOOK_WASM"));

/// The webhook and the plugin as one component; the host brings the `inbox`.
pub const WEBHOOK_OPEN: &[u8] = include_bytes!(env!("EMBEDDED_WEBHOOK_OPEN_WASM"));

/// The webhook, the plugin and [`INBOX_FILES`] as one component.
pub const WEBHOOK_FILES: &[u8] = include_bytes!(env!("EMBEDDED_WEBHOOK_FILES_WASM"));

/// The webhook, the plugin and [`INBOX_KEYVALUE`] as one component.
pub const WEBHOOK_KEYVALUE: &[u8] = include_bytes!(env!("EMBEDDED_WEBHOOK_KEYVALUE_WASM"));

/// The inbox in a folder, as built from `guest/inbox-files`.
pub const INBOX_FILES: &[u8] = include_bytes!(env!("EMBEDDED_INBOX_FILES_WASM"));

/// The inbox on a key-value store, as built from `guest/inbox-keyvalue`.
pub const INBOX_KEYVALUE: &[u8] = include_bytes!(env!("EMBEDDED_INBOX_KEYVALUE_WASM"));

/// A component of the plugin's world and of the webhook's that misbehaves on command, as
/// built from `host-test/hostile`: what the host is held against.
pub const HOSTILE: &[u8] = include_bytes!(env!("EMBEDDED_HOSTILE_WASM"));

/// The same of the plugin's world for WASI 0.3, as built from `host-test/hostile-p3`.
pub const HOSTILE_P3: &[u8] = include_bytes!(env!("EMBEDDED_HOSTILE_P3_WASM"));
