//! Errors of the host: a component that cannot be loaded, or a call without a result. A response of
//! the plugin, including a rejection by the service, is not an error in this module.

use crate::limits::Limit;
use crate::types::wit;

/// The result of a call: the provider's response, or the reason why there is no response.
///
/// After `send_message`, a [`CallError`] means that the message may exist, unless
/// [`CallError::is_not_sent`] returns true.
pub type CallResult<T> = Result<Result<T, wit::Error>, CallError>;

/// A component that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The bytes are not a component.
    #[error("not a WebAssembly component: {0}")]
    NotAComponent(String),
    /// The component exports no interface of a messaging plugin.
    #[error(
        "not a messaging plugin: it must export messaging:integration/messaging@0.2.0, but exports {exports}; build it for the world messaging:integration/plugin, plugin-sans-io or messaging:integration-async/plugin"
    )]
    WrongWorld {
        /// Names of the component's exports.
        exports: String,
    },
    /// A messaging plugin for WASI 0.3 in a host without concurrency support.
    #[error("the plugin needs WASI 0.3: load it into a host made by `Host::concurrent`")]
    Concurrent,
    /// A sans-I/O plugin with imports, which are not allowed.
    #[error("not a sans-I/O messaging plugin: it must have no imports, but imports {imports}")]
    Imports {
        /// Names of the component's imports.
        imports: String,
    },
    /// The component does not export `wasi:http/incoming-handler`.
    #[error(
        "not a webhook: it must export wasi:http/incoming-handler@0.2, but exports {exports}; build it for the world messaging:integration/webhook"
    )]
    NotAWebhook {
        /// Names of the component's exports.
        exports: String,
    },
    /// The component does not export `messaging:integration/once@0.2.x`.
    #[error(
        "not a component for idempotent sends: it must export messaging:integration/once@0.2.0, but exports {exports}; build it for the world messaging:integration/once-middleware, and compose it with a provider"
    )]
    NotOnce {
        /// Names of the component's exports.
        exports: String,
    },
    /// The component imports an interface that this host does not provide.
    #[error(
        "cannot be linked: {0}; this host provides outgoing HTTP, clocks, randomness, the environment and standard streams of WASI 0.2; a plugin for 0.3 gets the imports of its world, a webhook also its inbox, an idempotent sender also its journal; no plugin gets files or sockets"
    )]
    MissingImport(String),
    /// The component is larger than the host's [`Limits`](crate::Limits) allow.
    #[error("too large for this host: {found} {what}, but Limits::{limit} is {allowed}")]
    TooLarge {
        /// The unit of `found`, for example `memories`.
        what: &'static str,
        /// The number that the component needs.
        found: usize,
        /// Name of the exceeded field of [`Limits`](crate::Limits).
        limit: &'static str,
        /// Value of the limit.
        allowed: usize,
    },
    /// The engine could not be set up.
    #[error("the engine could not be set up: {0}")]
    Engine(String),
}

impl LoadError {
    /// Converts a linker error to `MissingImport`.
    pub(crate) fn missing(error: wasmtime::Error) -> Self {
        Self::MissingImport(first_line(&error))
    }

    /// Returns the error for a component that exports `interface` without its functions.
    pub(crate) fn lacks_functions(interface: &str) -> Self {
        Self::MissingImport(format!("{interface} lacks its functions"))
    }
}

/// A call that ended without a result from the component. The host discards the instance, and the
/// next call gets a new instance.
///
/// Unless [`is_not_sent`](Self::is_not_sent) returns true, a message may have been sent: treat the
/// error like the plugin's `permanent-outcome-unknown`.
#[derive(Clone, Debug, thiserror::Error)]
pub enum CallError {
    /// The component reached a limit of the call. Either the component is defective or hostile, or
    /// the limit is too low for the request.
    #[error("the component used up its {0}")]
    Limit(Limit),
    /// The component trapped. A trap is a defect of the component.
    #[error("the component trapped: {0}")]
    Trap(String),
    /// The maximum number of instances is in use.
    #[error("no instance is free: {0}")]
    Busy(String),
    /// The host could not create the instance, because a directory cannot be opened or the
    /// operating system has no random bytes. The component was not called.
    #[error("the component was not instantiated, and nothing was sent: {0}")]
    NotSetUp(String),
}

impl CallError {
    /// Returns true if the component was not called. Nothing was sent, and the caller can retry.
    pub fn is_not_sent(&self) -> bool {
        matches!(self, Self::Busy(_) | Self::NotSetUp(_))
    }
}

/// Returns the first line of an error and the first line of its root cause, because wasmtime's
/// errors carry backtraces and hints over many lines.
pub(crate) fn first_line(error: &wasmtime::Error) -> String {
    let cause = error.root_cause().to_string();
    let top = error.to_string();
    let line = |text: &str| text.lines().next().unwrap_or_default().to_string();
    if cause == top { line(&top) } else { format!("{}: {}", line(&top), line(&cause)) }
}
