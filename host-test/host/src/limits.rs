//! Limits of a call of a component. The budget of a call starts when the host calls the component,
//! and covers the instantiation. This module defines the limits; `meter` counts the usage.

use std::fmt;
use std::time::Duration;

/// Limits of one call of a component, for work in wasm and in host functions.
///
/// Memory, table elements and resources are counted for the lifetime of an instance. All other
/// quantities start at zero for each call. An instance that runs many calls at once has one memory
/// limit for all of them; see [`Plugin`](crate::Plugin).
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Maximum memory, in bytes: linear memories of all core modules, table elements, and the data
    /// of host resources (headers, pending writes). 64 MiB by default; the plugin needs less for
    /// the largest reply that its settings allow. A webhook with `MESSAGING_WEBHOOK_MAX_BODY_BYTES`
    /// above 256 KiB needs 64 MiB plus 8 times the largest body.
    pub memory_bytes: usize,
    /// Maximum number of elements of all tables together. The default leaves room for components in
    /// interpreted languages, whose tables are far larger than the plugin's.
    pub table_elements: usize,
    /// Maximum number of linear memories of one instance. A composed webhook has three.
    pub memories: u32,
    /// Maximum number of tables of one instance. wit-bindgen creates three for each memory.
    pub tables: u32,
    /// Maximum number of core instances of one instance. wit-component creates about four for each
    /// component, and a few more to connect composed components.
    pub core_instances: u32,
    /// Maximum number of host resources at once: handles on headers, requests, bodies, streams and
    /// pollables. The plugin makes requests in sequence and needs few.
    pub resources: u32,
    /// Maximum size of the headers of one message in memory, in bytes. Servers accept 8 to 32 KiB.
    pub header_bytes: usize,
    /// Maximum number of bytes that one call passes between component and host, for example in a
    /// result. The plugin's longest listing takes less than 24 MiB.
    pub crossing_bytes: usize,

    /// Maximum processor time in wasm, in host functions and during instantiation. Checked every 10
    /// ms. With the default, the plugin can read the largest replies in the tests.
    pub cpu: Duration,
    /// Maximum duration of a call, including waiting. Keep this limit above the plugin's own
    /// deadline: at its deadline the plugin returns a result, but this limit causes an error.
    pub wall: Duration,
    /// Maximum number of concurrent requests, including requests with an unread reply. The plugin
    /// makes requests in sequence.
    pub concurrent_requests: u32,
    /// Maximum number of requests of one call. The default covers the plugin's longest listing,
    /// with the maximum number of attempts for each page.
    pub requests: u32,
    /// Maximum number of bytes that a call moves through the host: bodies and headers in both
    /// directions, and inbox entries. Excludes data that a webhook writes to a directory or a
    /// key-value store.
    pub transfer_bytes: u64,
    /// Maximum size of the log lines of a call, in bytes: 64 for each line, plus the escaped text.
    /// Further lines are dropped, and one line reports the loss.
    pub log_bytes: u64,
    /// Maximum number of random bytes of one call. A seed takes 16 to 48 bytes.
    pub random_bytes: u64,

    /// Maximum number of instances at once. If one instance runs many calls, this is the maximum
    /// number of its concurrent calls. Also the maximum number of concurrent requests through one
    /// [`Outbound`](crate::Outbound), over all instances.
    pub instances: u32,
    /// Number of components in one composed instance, each with its own memory. Sets the size of
    /// the instance pool.
    pub parts: u32,
    /// Maximum size of a component file, in bytes. Required because no budget interrupts a
    /// compilation.
    pub component_bytes: usize,
    /// Maximum number of functions in a component file. Each function takes some kilobytes during
    /// compilation. The default leaves room for engines of interpreted languages, which have far
    /// more functions than the plugin.
    pub component_functions: u32,
    /// Maximum number of module and component instances that a component file expands to. A file of
    /// 313 bytes can expand to ten million instances.
    pub component_instances: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            memory_bytes: 64 * 1024 * 1024,
            table_elements: 10_000,
            memories: 4,
            tables: 12,
            core_instances: 32,
            resources: 256,
            header_bytes: 64 * 1024,
            crossing_bytes: 32 * 1024 * 1024,
            cpu: Duration::from_secs(5),
            wall: Duration::from_secs(31),
            concurrent_requests: 16,
            requests: 10_000,
            transfer_bytes: 256 * 1024 * 1024,
            log_bytes: 64 * 1024,
            random_bytes: 64 * 1024,
            instances: 1_000,
            parts: 1,
            component_bytes: 16 * 1024 * 1024,
            component_functions: 50_000,
            component_instances: 1_000,
        }
    }
}

/// Converts a limit to `usize`.
pub(crate) fn count(count: u32) -> usize {
    usize::try_from(count).unwrap_or(usize::MAX)
}

/// A limit in [`Limits`] that ended a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Limit {
    /// The call reached [`Limits::cpu`].
    Cpu,
    /// The call reached [`Limits::wall`].
    Wall,
    /// The call reached [`Limits::memory_bytes`] or [`Limits::memories`].
    Memory,
    /// The call reached [`Limits::table_elements`] or [`Limits::tables`].
    Tables,
    /// The call reached [`Limits::resources`].
    Resources,
    /// The call reached [`Limits::header_bytes`].
    Headers,
    /// The call reached [`Limits::requests`].
    Requests,
    /// The call reached [`Limits::transfer_bytes`].
    Transfer,
    /// The call reached [`Limits::random_bytes`].
    Random,
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Cpu => "computing time",
            Self::Wall => "time",
            Self::Memory => "memory",
            Self::Tables => "tables",
            Self::Resources => "host resources",
            Self::Headers => "header bytes",
            Self::Requests => "requests",
            Self::Transfer => "bytes to send and receive",
            Self::Random => "random bytes",
        })
    }
}
