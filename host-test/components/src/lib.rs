//! The components of this repository as bytes. This crate only builds them; `messaging-host` runs
//! them.
//!
//! Without features, it contains the components of the command line: the plugin and the webhooks.
//! `all` adds the rest of a release, `pack` writes a release to a directory, and `guests` adds the
//! components that test hosts.

#[cfg(feature = "pack")]
pub mod release;

/// The plugin from `guest/plugin`.
pub const PLUGIN: &[u8] = include_bytes!(env!("EMBEDDED_PLUGIN_WASM"));

/// The webhook and the plugin as one component. The host provides the `inbox`.
pub const WEBHOOK_OPEN: &[u8] = include_bytes!(env!("EMBEDDED_WEBHOOK_OPEN_WASM"));

/// The webhook, the plugin and an inbox in a directory as one component.
pub const WEBHOOK_FILES: &[u8] = include_bytes!(env!("EMBEDDED_WEBHOOK_FILES_WASM"));

/// The webhook, the plugin and an inbox on a key-value store as one component.
pub const WEBHOOK_KEYVALUE: &[u8] = include_bytes!(env!("EMBEDDED_WEBHOOK_KEYVALUE_WASM"));

#[cfg(feature = "all")]
pub use all::*;

#[cfg(feature = "all")]
mod all {
    /// The plugin for WASI 0.3 from `guest/plugin-p3`.
    pub const PLUGIN_P3: &[u8] = include_bytes!(env!("EMBEDDED_PLUGIN_P3_WASM"));

    /// The webhook for WASI 0.3 with the plugin and an inbox on wasmCloud's key-value store, from
    /// `guest/webhook-wasmcloud`.
    pub const WEBHOOK_WASMCLOUD: &[u8] = include_bytes!(env!("EMBEDDED_WEBHOOK_WASMCLOUD_WASM"));

    /// The sans-I/O plugin from `guest/plugin-sans-io`.
    pub const PLUGIN_SANS_IO: &[u8] = include_bytes!(env!("EMBEDDED_PLUGIN_SANS_IO_WASM"));

    /// The plugin with the documentation of its functions, for Wassette.
    pub const PLUGIN_DOCUMENTED: &[u8] = include_bytes!(env!("EMBEDDED_PLUGIN_DOCUMENTED_WASM"));

    /// Only the webhook, from `guest/webhook`. Imports `messaging` and `inbox`, for hosts that link
    /// them.
    pub const WEBHOOK: &[u8] = include_bytes!(env!("EMBEDDED_WEBHOOK_WASM"));

    /// The inbox in a directory, from `guest/inbox-files`.
    pub const INBOX_FILES: &[u8] = include_bytes!(env!("EMBEDDED_INBOX_FILES_WASM"));

    /// The inbox on a key-value store, from `guest/inbox-keyvalue`.
    pub const INBOX_KEYVALUE: &[u8] = include_bytes!(env!("EMBEDDED_INBOX_KEYVALUE_WASM"));

    /// Idempotent sending, from `guest/once`. Imports `messaging` and `journal`, for hosts that
    /// link them.
    pub const ONCE: &[u8] = include_bytes!(env!("EMBEDDED_ONCE_WASM"));

    /// Idempotent sending as a sans-I/O component, from `guest/once-sans-io`.
    pub const ONCE_SANS_IO: &[u8] = include_bytes!(env!("EMBEDDED_ONCE_SANS_IO_WASM"));

    /// The journal in a directory, from `guest/journal-files`.
    pub const JOURNAL_FILES: &[u8] = include_bytes!(env!("EMBEDDED_JOURNAL_FILES_WASM"));

    /// The client of a journal on an HTTP server, from `guest/journal-http`.
    pub const JOURNAL_HTTP: &[u8] = include_bytes!(env!("EMBEDDED_JOURNAL_HTTP_WASM"));

    /// Idempotent sending and the plugin as one component. The host provides the `journal`.
    pub const PLUGIN_ONCE_OPEN: &[u8] = include_bytes!(env!("EMBEDDED_PLUGIN_ONCE_OPEN_WASM"));

    /// Idempotent sending, the plugin and the journal in a directory as one component.
    pub const PLUGIN_ONCE_FILES: &[u8] = include_bytes!(env!("EMBEDDED_PLUGIN_ONCE_FILES_WASM"));

    /// Idempotent sending and the plugin for WASI 0.3 as one component, with a journal on
    /// wasmCloud's key-value store.
    pub const PLUGIN_ONCE_WASMCLOUD: &[u8] =
        include_bytes!(env!("EMBEDDED_PLUGIN_ONCE_WASMCLOUD_WASM"));

    /// Idempotent sending, the plugin and the journal over HTTP as one component.
    pub const PLUGIN_ONCE_HTTP: &[u8] = include_bytes!(env!("EMBEDDED_PLUGIN_ONCE_HTTP_WASM"));

    /// The WIT package as one binary file.
    pub const WIT_PACKAGE: &[u8] = include_bytes!(env!("EMBEDDED_WIT_WASM"));

    /// The WIT package for WASI 0.3 as one binary file.
    pub const WIT_PACKAGE_P3: &[u8] = include_bytes!(env!("EMBEDDED_WIT_P3_WASM"));

    /// Paths and contents of the WIT files. Paths are relative to `wit/`.
    pub const WIT: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/wit.rs"));

    /// Version of the compiler that built the components, such as `1.95.0`. Another version
    /// produces other bytes.
    pub const RUSTC: &str = env!("EMBEDDED_RUSTC");

    /// The crates in each package, as JSON: a table from package to crates, each `{name, version,
    /// license, sha256?, depends}`.
    pub const CRATES: &str = include_str!(concat!(env!("OUT_DIR"), "/bom.json"));
}

/// A component with the exports of the plugin and the webhook, from `host-test/guests/hostile`. It
/// misbehaves on command.
#[cfg(feature = "guests")]
pub const HOSTILE: &[u8] = include_bytes!(env!("EMBEDDED_HOSTILE_WASM"));

/// A component with the exports of the plugin for WASI 0.3, from `host-test/guests/hostile-p3`. It
/// misbehaves on command.
#[cfg(feature = "guests")]
pub const HOSTILE_P3: &[u8] = include_bytes!(env!("EMBEDDED_HOSTILE_P3_WASM"));

/// A provider for an SMS gateway, from `host-test/guests/sms`.
#[cfg(feature = "guests")]
pub const SMS: &[u8] = include_bytes!(env!("EMBEDDED_SMS_WASM"));

/// The plugin inside a component that adds a defect, from `host-test/guests/broken`. The
/// conformance suite must detect the defect.
#[cfg(feature = "guests")]
pub const BROKEN: &[u8] = include_bytes!(env!("EMBEDDED_BROKEN_WASM"));
