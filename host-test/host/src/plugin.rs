//! A messaging plugin in this host: one API for WASI 0.2 components, WASI 0.3 components and
//! sans-I/O components. [`Plugin::load`] detects the kind by the exports.
//!
//! | component | instance of a call |
//! |---|---|
//! | WASI 0.2, sans-I/O | a fresh instance, or [a kept instance](Plugin::keeping_instances) |
//! | WASI 0.3 | one instance for all calls of a plugin and its clones; replaced after it ends |

mod believed;
pub(crate) mod config;
mod export;
mod p2;
#[cfg(feature = "p3")]
mod p3;
mod sans_io;

use std::sync::{Arc, Mutex, PoisonError};

use wasmtime::Store;
use wasmtime::component::Component;

use crate::calls::Calls;
use crate::engine::{self, Host};
use crate::error::{CallError, CallResult, LoadError};
use crate::inspect::Inspection;
use crate::journal::Journal;
use crate::limits::count;
use crate::messaging::Messaging;
use crate::once::{self, Once};
use crate::outbound::ConnectFailure;
use crate::outcome;
use crate::state::State;
use crate::types::wit;
pub use crate::types::{CONCURRENT_INTERFACE, INTERFACE, SANS_IO_INTERFACE, TYPES};

use believed::believed;
pub use config::{KeyInSettings, PluginConfig};

/// Maximum linear memory of a kept instance, in bytes. Enough for a typical call, but not for the
/// largest reply.
const KEPT_MEMORY_BYTES: usize = 1024 * 1024;

/// A loaded plugin. It can be called from any thread.
///
/// A component for WASI 0.3 runs all calls of a plugin and its clones in one instance. A trap or a
/// limit that ends the instance ends all of these calls. At most
/// [`Limits::instances`](crate::Limits) calls are in flight. A call whose caller is canceled
/// continues to its end.
#[derive(Clone)]
pub struct Plugin {
    host: Host,
    linked: Linked,
    config: PluginConfig,
    kept: Option<Arc<Mutex<Vec<Instance>>>>,
    /// The instance that runs all calls of a component for WASI 0.3.
    #[cfg(feature = "p3")]
    shared: Arc<tokio::sync::Mutex<Option<p3::Running>>>,
}

#[derive(Clone)]
enum Linked {
    P2(p2::Linked),
    SansIo(sans_io::Linked),
    #[cfg(feature = "p3")]
    P3(p3::Linked),
}

impl Plugin {
    /// Compiles and links a component.
    ///
    /// # Errors
    /// - Returns `NotAComponent` if the bytes are not a component.
    /// - Returns `TooLarge` if the component exceeds the limits of `host`.
    /// - Returns an error of [`link`](Self::link) if the component cannot be linked.
    pub fn load(host: &Host, bytes: &[u8], config: PluginConfig) -> Result<Self, LoadError> {
        let component = host.load(bytes).map_err(|error| match error {
            // An engine without WASI 0.3 rejects each component for WASI 0.3.
            LoadError::NotAComponent(_) if !host.is_concurrent() => match Inspection::of(bytes) {
                Ok(found) if found.is_concurrent => LoadError::Concurrent,
                Ok(found) if !found.is_messaging_plugin && !found.is_sans_io => {
                    let names = found.exports.iter().map(|export| export.name.as_str());
                    LoadError::WrongWorld { exports: engine::listed(names) }
                }
                _ => error,
            },
            error => error,
        })?;
        Self::link(host, &component, config)
    }

    /// Links a compiled component.
    ///
    /// # Errors
    /// - Returns `WrongWorld` if the component exports no interface of a plugin.
    /// - Returns `Concurrent` if the component is for WASI 0.3 and `host` is not
    ///   [concurrent](Host::concurrent).
    /// - Returns `Imports` if a sans-I/O component has imports.
    /// - Returns `MissingImport` if the host does not provide an import.
    pub fn link(
        host: &Host,
        component: &Component,
        config: PluginConfig,
    ) -> Result<Self, LoadError> {
        let exports = |name: &str| component.get_export_index(None, name).is_some();
        let linked = if exports(INTERFACE) {
            Linked::P2(p2::link(host, component)?)
        } else if exports(SANS_IO_INTERFACE) {
            Linked::SansIo(sans_io::link(host, component)?)
        } else if exports(CONCURRENT_INTERFACE) {
            if !host.is_concurrent() {
                return Err(LoadError::Concurrent);
            }
            #[cfg(not(feature = "p3"))]
            return Err(LoadError::Concurrent);
            #[cfg(feature = "p3")]
            Linked::P3(p3::link(host, component)?)
        } else {
            return Err(LoadError::WrongWorld { exports: host.exports_of(component) });
        };
        Ok(Self {
            host: host.clone(),
            linked,
            config,
            kept: None,
            #[cfg(feature = "p3")]
            shared: Arc::default(),
        })
    }

    /// Returns this plugin with the configuration `config`. The result does not share instances
    /// with this plugin.
    #[must_use]
    pub fn with_config(&self, config: PluginConfig) -> Self {
        Self {
            config,
            kept: self.kept.as_ref().map(|_| Arc::default()),
            #[cfg(feature = "p3")]
            shared: Arc::default(),
            ..self.clone()
        }
    }

    /// Keeps the instance of a finished call for a later call. This halves the cost of a sans-I/O
    /// call. At most half of the host's instances are kept, until the last clone of this plugin is
    /// dropped.
    ///
    /// All calls of a plugin have the same configuration and API key, so they are one trust domain.
    /// A component that violates its contract could pass data from one call to the next.
    #[must_use]
    pub fn keeping_instances(self) -> Self {
        Self { kept: Some(Arc::default()), ..self }
    }

    /// Returns the configuration.
    pub fn config(&self) -> &PluginConfig {
        &self.config
    }

    /// Creates an instance for several calls within one trust domain. After a [`CallError`] the
    /// instance is unusable.
    ///
    /// # Errors
    /// Returns `Busy` if no instance is free. Returns another `CallError` if the component does not
    /// start within the budget of a call.
    pub async fn instance(&self) -> Result<Instance, CallError> {
        Ok(Instance { is_fresh: false, ..self.fresh(true).await? })
    }

    /// Creates an instance. The instantiation and the first call share one budget. `is_reused` is
    /// true if the instance may run a further call.
    async fn fresh(&self, is_reused: bool) -> Result<Instance, CallError> {
        let running = match &self.linked {
            Linked::P2(linked) => {
                let mut store = self.config.store(&self.host);
                store.data_mut().outbound.track();
                Running::P2(p2::Running::start(linked, store).await?)
            }
            Linked::SansIo(linked) => {
                let mut store = self.config.store_without_wasi(&self.host);
                store.data_mut().outbound.track();
                let settings = Arc::clone(&self.config.environment);
                let running = sans_io::Running::start(linked, store, settings, is_reused);
                Running::SansIo(running.await?)
            }
            #[cfg(feature = "p3")]
            Linked::P3(linked) => {
                let store = self.config.store(&self.host);
                let outbound = self.config.outbound().clone();
                Running::P3(p3::Running::start(linked, store, outbound).await?)
            }
        };
        Ok(Instance { running, calls: Arc::clone(self.host.calls()), is_fresh: true })
    }

    /// Returns an instance for the next call: the shared instance, a kept instance, or a fresh
    /// instance.
    async fn ready(&self) -> Result<Instance, CallError> {
        #[cfg(feature = "p3")]
        if let Linked::P3(_) = &self.linked {
            let mut shared = self.shared.lock().await;
            let calls = Arc::clone(self.host.calls());
            if let Some(running) = shared.as_ref().filter(|running| running.is_alive()) {
                let running = Running::P3(running.clone());
                return Ok(Instance { running, calls, is_fresh: false });
            }
            let instance = self.fresh(true).await?;
            if let Running::P3(running) = &instance.running {
                *shared = Some(running.clone());
            }
            return Ok(instance);
        }
        match self.kept.as_ref().and_then(|kept| locked(kept).pop()) {
            Some(instance) => Ok(instance),
            None => self.fresh(self.kept.is_some()).await,
        }
    }

    /// Keeps the instance of a finished call if it is usable and small, up to the maximum number.
    fn keep<T>(&self, instance: Instance, result: &CallResult<T>) {
        let Some(kept) = self.kept.as_ref().filter(|_| result.is_ok()) else { return };
        if instance.is_spent() || instance.memory_held().is_none_or(|held| held > KEPT_MEMORY_BYTES)
        {
            return;
        }
        let most = count(self.host.limits().instances / 2);
        let mut kept = locked(kept);
        if kept.len() < most {
            kept.push(instance);
        }
    }

    /// Calls `send-message`; see [`Instance::send_message`].
    ///
    /// # Errors
    /// Returns `CallError` if the component did not finish the call.
    pub async fn send_message(
        &self,
        request: &wit::MessageRequest,
    ) -> CallResult<wit::CreatedMessage> {
        let mut instance = self.ready().await?;
        let result = instance.send_message(request).await;
        self.keep(instance, &result);
        result
    }

    /// Calls `list-templates`.
    ///
    /// # Errors
    /// Returns `CallError` if the component did not finish the call.
    pub async fn list_templates(
        &self,
        query: &wit::TemplateQuery,
    ) -> CallResult<wit::TemplatePage> {
        let mut instance = self.ready().await?;
        let result = instance.list_templates(query).await;
        self.keep(instance, &result);
        result
    }

    /// Calls `handle-event`.
    ///
    /// # Errors
    /// Returns `CallError` if the component did not finish the call.
    pub async fn handle_event(&self, delivery: &wit::WebhookDelivery) -> CallResult<wit::Event> {
        let mut instance = self.ready().await?;
        let result = instance.handle_event(delivery).await;
        self.keep(instance, &result);
        result
    }

    /// Sends idempotently: creates at most one message under `key`. `journal` records the intent
    /// and the outcome; see [`Once`] for the other operations on a key.
    ///
    /// # Errors
    /// Returns an error of the interface `once`. The caller can retry after every error.
    pub async fn send_once(
        &self,
        journal: &Arc<dyn Journal>,
        key: &str,
        request: &once::wit::MessageRequest,
    ) -> Result<once::wit::OnceCreated, once::wit::OnceError> {
        let once = Once::new(self.clone(), Arc::clone(journal), self.config.deadline());
        once.send_once(key, request).await
    }
}

fn locked(kept: &Mutex<Vec<Instance>>) -> std::sync::MutexGuard<'_, Vec<Instance>> {
    kept.lock().unwrap_or_else(PoisonError::into_inner)
}

/// An instance of a plugin.
pub struct Instance {
    running: Running,
    calls: Arc<Calls>,
    /// True if the next call shares the budget of the instantiation.
    is_fresh: bool,
}

enum Running {
    P2(p2::Running),
    SansIo(sans_io::Running),
    #[cfg(feature = "p3")]
    P3(p3::Running),
}

impl Instance {
    /// Returns the store; `None` if many calls share the store.
    fn store(&self) -> Option<&Store<State>> {
        match &self.running {
            Running::P2(running) => Some(&running.store),
            Running::SansIo(running) => Some(&running.store),
            #[cfg(feature = "p3")]
            Running::P3(_) => None,
        }
    }

    /// Returns true if the instance cannot run a further call.
    fn is_spent(&self) -> bool {
        let has_reached = |store: &Store<State>| store.data().meter().reached().is_some();
        matches!(&self.running, Running::SansIo(running) if running.is_spent)
            || self.store().is_some_and(has_reached)
    }

    /// Starts the budget of a call, unless the call shares the budget of the instantiation.
    fn begin(&mut self) {
        if !std::mem::take(&mut self.is_fresh)
            && let Some(store) = self.store()
        {
            store.data().meter().restart();
        }
    }

    /// Returns the size of the component's linear memory in bytes. The memory never shrinks. `None`
    /// if the instance runs many calls at once.
    pub fn memory_held(&self) -> Option<usize> {
        Some(self.store()?.data().memory_held)
    }

    /// Returns the reason why the last request of the last call had no connection. `None` if the
    /// request had a connection, if there was no request, or if the instance runs many calls at
    /// once. The reason names the server and the cause; the component receives only an error code.
    pub fn connect_failure(&self) -> Option<ConnectFailure> {
        self.store()?.data().outbound.connect_failure()
    }

    /// Calls `send-message` and checks an error against the call's requests. If a request may have
    /// created a message, the outcome is unknown, regardless of the component's error. If the
    /// instance runs many calls at once, there is no check, because requests cannot be assigned to
    /// calls.
    ///
    /// # Errors
    /// Returns `CallError` if the component did not finish the call.
    pub async fn send_message(
        &mut self,
        request: &wit::MessageRequest,
    ) -> CallResult<wit::CreatedMessage> {
        self.begin();
        let result = match &mut self.running {
            Running::P2(running) => {
                let said = running.send_message(request).await;
                believed(said, &mut running.store.data_mut().outbound)
            }
            Running::SansIo(running) => {
                let said = running.send_message(request).await;
                believed(said, &mut running.store.data_mut().outbound)
            }
            #[cfg(feature = "p3")]
            Running::P3(running) => running.send_message(request).await,
        };
        self.count("send-message", result)
    }

    /// Calls `list-templates`.
    ///
    /// # Errors
    /// Returns `CallError` if the component did not finish the call.
    pub async fn list_templates(
        &mut self,
        query: &wit::TemplateQuery,
    ) -> CallResult<wit::TemplatePage> {
        self.begin();
        let result = match &mut self.running {
            Running::P2(running) => running.list_templates(query).await,
            Running::SansIo(running) => running.list_templates(query).await,
            #[cfg(feature = "p3")]
            Running::P3(running) => running.list_templates(query).await,
        };
        self.count("list-templates", result)
    }

    /// Calls `handle-event`.
    ///
    /// # Errors
    /// Returns `CallError` if the component did not finish the call.
    pub async fn handle_event(
        &mut self,
        delivery: &wit::WebhookDelivery,
    ) -> CallResult<wit::Event> {
        self.begin();
        let result = match &mut self.running {
            Running::P2(running) => running.handle_event(delivery).await,
            Running::SansIo(running) => running.handle_event(delivery).await,
            #[cfg(feature = "p3")]
            Running::P3(running) => running.handle_event(delivery).await,
        };
        self.count("handle-event", result)
    }

    /// Counts a call by its result, and returns the result.
    fn count<T>(&self, function: &'static str, result: CallResult<T>) -> CallResult<T> {
        let end = match &result {
            Ok(Ok(_)) => "done",
            Ok(Err(error)) => outcome::case(error),
            Err(CallError::Limit(_)) => "limit",
            Err(CallError::Busy(_)) => "busy",
            Err(CallError::NotSetUp(_)) => "not-set-up",
            Err(CallError::Trap(_)) => "trap",
        };
        self.calls.count(function, end);
        result
    }
}

impl Messaging for Plugin {
    async fn send_message(&self, request: &wit::MessageRequest) -> CallResult<wit::CreatedMessage> {
        self.send_message(request).await
    }

    async fn list_templates(&self, query: &wit::TemplateQuery) -> CallResult<wit::TemplatePage> {
        self.list_templates(query).await
    }

    async fn handle_event(&self, delivery: &wit::WebhookDelivery) -> CallResult<wit::Event> {
        self.handle_event(delivery).await
    }

    fn service(&self) -> Option<String> {
        self.config().base_url()
    }
}
