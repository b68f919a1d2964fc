//! A component that exports `once`, with its provider inside, for example
//! `messaging_plugin_once_files.wasm`. The component has its journal in a directory, or imports a
//! journal from the host.

use std::path::PathBuf;
use std::pin::pin;
use std::sync::Arc;

use wasmtime::Store;
use wasmtime::component::{HasSelf, Linker};
use wasmtime_wasi::WasiCtxBuilder;

use super::{Called, SendOnce};
use crate::engine::Host;
use crate::error::{CallError, LoadError};
use crate::journal::{self, Journal};
use crate::plugin::config::PluginConfig;
use crate::state::{self, Hook, State};
use crate::types::once::{OnceHost as Bindings, OnceHostPre as BindingsPre};
use crate::types::once_wit as wit;
use crate::types::wit::MessageRequest;
use crate::wasi;

/// The interface that marks a component as an idempotent sender.
pub const INTERFACE: &str = "messaging:integration/once@0.2.0";

/// Path of the journal's directory inside the component.
const JOURNAL_FOLDER: &str = "/journal";

/// Configuration of a component that exports `once`.
#[derive(Clone)]
pub struct OnceConfig {
    /// Configuration of the provider: settings, API key and allowed servers.
    pub plugin: PluginConfig,
    /// The journal for a component that imports `journal`.
    pub journal: Option<Arc<dyn Journal>>,
    /// The directory for a component with a journal in files. New files are private if the
    /// directory has mode 0700 or the umask is 077.
    pub folder: Option<PathBuf>,
}

impl OnceConfig {
    /// Creates a configuration without a journal.
    pub fn new(plugin: PluginConfig) -> Self {
        Self { plugin, journal: None, folder: None }
    }
}

/// A loaded component that exports `once`. Clones share the compiled code. Each call has a fresh
/// instance.
///
/// [`Limits::wall`](crate::Limits::wall) of the host must be at least the provider's deadline plus
/// [`DEADLINE_MARGIN`](super::DEADLINE_MARGIN). If the host ends a call earlier, the
/// outcome of the key is unknown.
#[derive(Clone)]
pub struct Component {
    host: Host,
    pre: BindingsPre<State>,
    config: OnceConfig,
    hook: Option<Hook>,
}

impl Component {
    /// Compiles and links a component.
    ///
    /// # Errors
    /// - Returns `NotAComponent` if the bytes are not a component.
    /// - Returns `TooLarge` if the component exceeds the limits of `host`.
    /// - Returns `NotOnce` if the component does not export `once`.
    /// - Returns `MissingImport` if the host does not provide an import.
    pub fn load(host: &Host, bytes: &[u8], config: OnceConfig) -> Result<Self, LoadError> {
        let component = host.load(bytes)?;
        if component.get_export_index(None, INTERFACE).is_none() {
            return Err(LoadError::NotOnce { exports: host.exports_of(&component) });
        }
        let linked = || {
            let mut linker = Linker::new(host.engine());
            wasi::link(&mut linker)?;
            wasi::link_files(&mut linker)?;
            journal::wit::add_to_linker::<_, HasSelf<_>>(&mut linker, |state| state)?;
            BindingsPre::new(linker.instantiate_pre(&component)?)
        };
        let pre = linked().map_err(LoadError::missing)?;
        Ok(Self { host: host.clone(), pre, config, hook: None })
    }

    /// Returns this component with the configuration `config`.
    #[must_use]
    pub fn with_config(&self, config: OnceConfig) -> Self {
        Self { config, ..self.clone() }
    }

    /// Sets a function that runs at each call of a host function and at each return from it. For
    /// tests that stop the component at such a point.
    #[doc(hidden)]
    #[must_use]
    pub fn with_hook(self, hook: Hook) -> Self {
        Self { hook: Some(hook), ..self }
    }

    async fn instance(&self) -> Result<(Store<State>, Bindings), CallError> {
        let mut wasi = WasiCtxBuilder::new();
        if let Some(folder) = &self.config.folder {
            state::preopen(&mut wasi, folder, JOURNAL_FOLDER)?;
        }
        let mut store = self.config.plugin.store_with(&self.host, wasi);
        store.data_mut().journal.clone_from(&self.config.journal);
        state::hook(&mut store, self.hook.clone());
        let meter = Arc::clone(store.data().meter());
        let started = meter.within(pin!(self.pre.instantiate_async(&mut store))).await;
        let bindings = state::ended(&store, started)?;
        Ok((store, bindings))
    }
}

/// Makes one typed call in a fresh instance.
macro_rules! call {
    ($plugin:ident, $function:ident, $($argument:expr),*) => {{
        let (mut store, bindings) = $plugin.instance().await?;
        let meter = Arc::clone(store.data().meter());
        // Sets no connect deadline, because the host does not know when the provider's call began.
        // The component also connects to its journal after the provider's deadline.
        let once = bindings.messaging_integration_once();
        let called = meter.within(pin!(once.$function(&mut store, $($argument),*))).await;
        state::ended(&store, called)
    }};
}

impl SendOnce for Component {
    async fn send_once(&self, key: &str, request: &MessageRequest) -> Called<wit::OnceCreated> {
        call!(self, call_send_once, key, request)
    }

    async fn look_up(&self, key: &str) -> Called<Option<wit::JournalEntry>> {
        call!(self, call_look_up, key)
    }

    async fn list_entries(&self, after: Option<String>) -> Called<wit::EntryPage> {
        call!(self, call_list_entries, after.as_deref())
    }

    async fn resolve(&self, key: &str, resolution: &wit::Resolution) -> Called<()> {
        call!(self, call_resolve, key, resolution)
    }

    async fn forget(&self, key: &str) -> Called<()> {
        call!(self, call_forget, key)
    }
}
