//! Limits of a call of a component: one budget, from the moment when the component is called,
//! its instantiation included. Owns every number of it, with the reason; `meter` counts.

use std::fmt;
use std::time::Duration;

/// Limits of one call of a component, inside wasm or through the host on its behalf.
///
/// Held quantities (memory, table elements, resources) are counted for as long as an instance
/// lives, spent ones anew for each call. An instance that carries many calls at once holds what
/// is below for all of them together; see [`Plugin`](crate::Plugin).
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Bytes that are held: linear memories of all core modules, table elements, and what
    /// host resources hold (headers, pending writes). 64 MiB: the plugin needs less for
    /// the largest reply that it can be set to read.
    pub memory_bytes: usize,
    /// Elements of all tables together: room for components of interpreted languages, which
    /// have far more than the plugin.
    pub table_elements: usize,
    /// Linear memories of one instance. A composed webhook has three.
    pub memories: u32,
    /// Tables of one instance: three for each of the memories, as wit-bindgen makes them.
    pub tables: u32,
    /// Core instances of one instance: wit-component makes about four of a component, and
    /// some for what is between composed ones.
    pub core_instances: u32,
    /// Host resources (handles on headers, requests, bodies, streams, pollables) that are
    /// held at once. The plugin makes one request after the other, and holds few.
    pub resources: u32,
    /// The size of the headers of one message, in bytes as they are held. Servers take 8
    /// to 32 KiB.
    pub header_bytes: usize,
    /// Bytes that one call between component and host carries, a result for example:
    /// the longest listing of the plugin's takes less than 24 MiB.
    pub crossing_bytes: usize,

    /// Processor time, wherever it is spent: in wasm, in the host's functions, while the
    /// component is instantiated. Looked at every 10 ms. Tests read the largest replies
    /// within it.
    pub cpu: Duration,
    /// Time that a call takes, waiting included. Keep it above the plugin's own
    /// deadline, which ends a call with an answer instead of an error.
    pub wall: Duration,
    /// Requests that are under way at once, unread replies included. The plugin makes one
    /// after the other.
    pub concurrent_requests: u32,
    /// Requests of one call: the plugin's longest listing, each of its pages tried as
    /// often as its settings allow.
    pub requests: u32,
    /// Bytes that a call moves through the host: bodies and headers in both directions, and
    /// entries of an inbox. Not what a webhook writes into a folder or a key-value store.
    pub transfer_bytes: u64,
    /// Bytes of log lines, as they are written: 64 for each line, and what is in it. What
    /// exceeds them is dropped, and one line says so.
    pub log_bytes: u64,
    /// Random bytes: seeds are 16 to 48.
    pub random_bytes: u64,

    /// Instances that can exist at once; for an instance that carries many calls,
    /// the calls. Requests that are under way through one
    /// [`Outbound`](crate::Outbound) are no more either, over all instances.
    pub instances: u32,
    /// Components that one instance is composed of, each with a memory of its own: how
    /// large a pool is made.
    pub parts: u32,
    /// The size of a component's file. It is compiled before it runs, which no budget
    /// interrupts.
    pub component_bytes: usize,
    /// Functions in a component's file: each takes some kilobytes while it is compiled.
    /// Room for engines of interpreted languages, which have far more than the plugin.
    pub component_functions: u32,
    /// Instances of modules and components that a component's file unfolds to. A file of
    /// 313 bytes can unfold to ten million.
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

/// Returns a number of things as the type in which they are counted.
pub(crate) fn count(count: u32) -> usize {
    usize::try_from(count).unwrap_or(usize::MAX)
}

/// A limit that ended a call; a field of [`Limits`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Limit {
    /// [`Limits::cpu`].
    Cpu,
    /// [`Limits::wall`].
    Wall,
    /// [`Limits::memory_bytes`], or [`Limits::memories`].
    Memory,
    /// [`Limits::table_elements`], or [`Limits::tables`].
    Tables,
    /// [`Limits::resources`].
    Resources,
    /// [`Limits::header_bytes`].
    Headers,
    /// [`Limits::requests`].
    Requests,
    /// [`Limits::transfer_bytes`].
    Transfer,
    /// [`Limits::random_bytes`].
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
