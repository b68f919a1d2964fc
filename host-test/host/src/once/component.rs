//! A component that sends once, with its provider inside: `messaging_plugin_once_files.wasm` and
//! its like. It keeps its journal in a folder, or in the one that this host brings.

use std::path::PathBuf;
use std::pin::pin;
use std::sync::Arc;

use wasmtime::Store;
use wasmtime::component::{HasSelf, Linker};
use wasmtime_wasi::WasiCtxBuilder;

use super::{Called, SendOnce};
use crate::engine::Host;
use crate::error::{CallError, LoadError};
use crate::journal::{self, Given, Journal};
use crate::plugin::{PluginConfig, exports_of};
use crate::state::{self, State};
use crate::wasi;
use crate::wit::MessageRequest;

#[allow(missing_docs, clippy::all, clippy::pedantic, reason = "generated from the WIT")]
mod bindings {
    wasmtime::component::bindgen!({
        path: "../../wit",
        inline: "package host:test; world once-host { export messaging:integration/once@0.2.0; }",
        world: "host:test/once-host",
        exports: { default: async },
        additional_derives: [PartialEq],
        with: { "messaging:integration/types@0.2.0": crate::wit },
    });
}

pub use bindings::messaging::integration::once_types as wit;
use bindings::{OnceHost as Bindings, OnceHostPre as BindingsPre};

/// The interface that makes a component one that sends once.
pub const INTERFACE: &str = "messaging:integration/once@0.2.0";

/// The folder of a journal in files, as the component sees it.
const JOURNAL_FOLDER: &str = "/journal";

/// Configuration of a component that sends once.
#[derive(Clone)]
pub struct OnceConfig {
    /// That of its provider: settings, key, and the servers that it may reach.
    pub plugin: PluginConfig,
    /// The journal, for a component that imports one.
    pub journal: Option<Arc<dyn Journal>>,
    /// The folder of a journal in files, for a component that opens one. What is made in it is
    /// for its owner alone where the folder is (mode 0700), or under a umask of 077.
    pub folder: Option<PathBuf>,
    /// Called whenever the component calls the host, and whenever it is returned to. For tests
    /// that end the process there.
    pub at_host_call: Option<Arc<dyn Fn() + Send + Sync>>,
}

impl OnceConfig {
    /// A component with this provider's configuration, and nothing beside.
    #[must_use]
    pub fn new(plugin: PluginConfig) -> Self {
        Self { plugin, journal: None, folder: None, at_host_call: None }
    }
}

/// A loaded component that sends once. Clones share it; each call has a fresh instance.
///
/// Its host's [`Limits`](crate::Limits) have to leave a call as long as the provider's deadline and
/// [`BESIDE_THE_DEADLINE`](super::BESIDE_THE_DEADLINE): a call that is cut off earlier makes its
/// key unknown.
#[derive(Clone)]
pub struct Component {
    host: Host,
    pre: BindingsPre<State<Given>>,
    config: OnceConfig,
}

impl Component {
    /// Compiles a component and links it.
    ///
    /// # Errors
    /// The bytes are no component, or none that exports `once`.
    pub fn load(host: &Host, bytes: &[u8], config: OnceConfig) -> Result<Self, LoadError> {
        let component = host.load(bytes)?;
        if component.get_export_index(None, INTERFACE).is_none() {
            return Err(LoadError::NotOnce { exports: exports_of(host, &component) });
        }
        let linked = || {
            let mut linker = Linker::new(host.engine());
            wasi::link(&mut linker)?;
            wasi::link_files(&mut linker)?;
            journal::wit::add_to_linker::<_, HasSelf<_>>(&mut linker, |state| state)?;
            BindingsPre::new(linker.instantiate_pre(&component)?)
        };
        let pre = linked().map_err(LoadError::missing)?;
        Ok(Self { host: host.clone(), pre, config })
    }

    /// The same component with another configuration.
    #[must_use]
    pub fn with_config(&self, config: OnceConfig) -> Self {
        Self { config, ..self.clone() }
    }

    async fn instance(&self) -> Result<(Store<State<Given>>, Bindings), CallError> {
        let mut wasi = WasiCtxBuilder::new();
        if let Some(folder) = &self.config.folder {
            state::preopen(&mut wasi, folder, JOURNAL_FOLDER)?;
        }
        let own = Given { journal: self.config.journal.clone() };
        let mut store = self.config.plugin.store_with(&self.host, wasi, own);
        state::hook(&mut store, self.config.at_host_call.clone());
        let meter = Arc::clone(store.data().meter());
        let started = meter.within(pin!(self.pre.instantiate_async(&mut store))).await;
        let bindings = state::ended(&store, started)?;
        Ok((store, bindings))
    }
}

/// One typed call in a fresh instance, with typed errors.
macro_rules! call {
    ($plugin:ident, $function:ident, $($argument:expr),*) => {{
        let (mut store, bindings) = $plugin.instance().await?;
        let meter = Arc::clone(store.data().meter());
        // When the provider's call began is not known here, and connections to a journal are made
        // after its deadline as well: each has the time of an attempt.
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
