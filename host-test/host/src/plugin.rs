//! A messaging plugin in this host: one API for components of WASI 0.2, of WASI 0.3 and without
//! imports (sans-I/O). [`Plugin::load`] tells them apart by their exports.
//!
//! | component | instance of a call |
//! |---|---|
//! | WASI 0.2, sans-I/O | its own: a fresh one, or [a kept one](Plugin::keeping_instances) |
//! | WASI 0.3 | one for all calls of a plugin and its clones; another one after it has ended |

mod config;
mod p2;
#[cfg(feature = "p3")]
mod p3;
mod sans_io;

use std::sync::{Arc, Mutex, PoisonError};

use wasmtime::Store;
use wasmtime::component::Component;

use crate::calls::Calls;
use crate::engine::Host;
use crate::error::{CallError, LoadError};
use crate::journal::Journal;
use crate::limits::count;
use crate::messaging::CallResult;
use crate::once::{self, Once};
use crate::outbound::{ConnectFailure, Metered, Outbound, Settled};
use crate::outcome;
use crate::outline;
use crate::state::State;

pub use config::{KeyInSettings, PluginConfig};
/// The types of the interfaces, generated from `wit/types.wit`.
pub use p2::wit;

/// The interface that makes a component a messaging plugin.
pub const INTERFACE: &str = "messaging:integration/messaging@0.2.0";

/// The interface of the types. It has no functions, so that an import of it gives no right.
pub const TYPES: &str = "messaging:integration/types@0.2.0";

/// The interface that makes a component a messaging plugin for WASI 0.3.
pub const CONCURRENT_INTERFACE: &str = "messaging:integration-async/messaging@0.2.0";
/// The interface that makes a component a sans-I/O messaging plugin.
pub const SANS_IO_INTERFACE: &str = "messaging:integration/sans-io@0.2.0";

/// The most memory of an instance that is kept for another call: what a call usually needs, and
/// not what the largest reply does.
const KEPT_MEMORY_BYTES: usize = 1024 * 1024;

/// A loaded plugin, ready to be called from any thread.
///
/// A component for WASI 0.3 carries the calls of a plugin and its clones in one instance: an
/// event that ends the instance (a trap, a limit) ends each of them. At most
/// [`Limits::instances`](crate::Limits) are in flight, and a call whose caller goes away runs on
/// to its end.
#[derive(Clone)]
pub struct Plugin {
    host: Host,
    linked: Linked,
    config: PluginConfig,
    kept: Option<Arc<Mutex<Vec<Instance>>>>,
    /// The instance that carries all calls.
    #[cfg(feature = "p3")]
    shared: Arc<tokio::sync::Mutex<Option<p3::Running>>>,
}

#[derive(Clone)]
enum Linked {
    P2(p2::Linked<State>),
    SansIo(sans_io::Linked),
    #[cfg(feature = "p3")]
    P3(p3::Linked),
}

impl Plugin {
    /// Compiles a component and links it.
    ///
    /// # Errors
    /// Returns the error of [`link`](Self::link), or `NotAComponent` if the bytes are no component.
    pub fn load(host: &Host, bytes: &[u8], config: PluginConfig) -> Result<Self, LoadError> {
        let component = host.load(bytes).map_err(|error| match error {
            LoadError::NotAComponent(_) if outline::exports(bytes, CONCURRENT_INTERFACE) => {
                LoadError::Concurrent
            }
            error => error,
        })?;
        Self::link(host, &component, config)
    }

    /// Links a compiled component.
    ///
    /// # Errors
    /// Returns `WrongWorld` if the component exports no interface of a plugin, `Concurrent` if it
    /// is for WASI 0.3 and `host` is not [concurrent](Host::concurrent), `Imports` or
    /// `MissingImport` if it imports what a plugin of its kind does not get.
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
            return Err(LoadError::WrongWorld { exports: exports_of(host, component) });
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

    /// The same component with other settings, in instances of its own.
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

    /// Keeps the instance of a call that came to its end for a later call, instead of a fresh
    /// one for each: half the cost of a sans-I/O call. At most half of the host's instances are
    /// kept, for as long as a clone of this plugin lives.
    ///
    /// Calls of one plugin have one configuration, and one key, and so are of one domain of
    /// trust: a component that broke its contract could tell one what it remembers of another.
    #[must_use]
    pub fn keeping_instances(self) -> Self {
        Self { kept: Some(Arc::default()), ..self }
    }

    /// Returns the configuration of the component.
    #[must_use]
    pub fn config(&self) -> &PluginConfig {
        &self.config
    }

    /// A new instance, for callers that make several calls within one domain of trust. After a
    /// [`CallError`] it is spent.
    ///
    /// # Errors
    /// No instance is free, or the component does not come to the end of its start within the
    /// budget of a call, or its functions have other types.
    pub async fn instance(&self) -> Result<Instance, CallError> {
        Ok(Instance { is_fresh: false, ..self.fresh().await? })
    }

    /// A new instance, whose first call has what its start left of the budget.
    async fn fresh(&self) -> Result<Instance, CallError> {
        let running = match &self.linked {
            Linked::P2(linked) => {
                let store = self.config.store(&self.host);
                Running::P2(p2::Running::start(linked, store).await?)
            }
            Linked::SansIo(linked) => {
                let store = self.config.store_without_environment(&self.host);
                let settings = Arc::clone(&self.config.environment);
                Running::SansIo(sans_io::Running::start(linked, store, settings).await?)
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

    /// An instance for the next call: the shared one, a kept one, or a new one.
    async fn ready(&self) -> Result<Instance, CallError> {
        #[cfg(feature = "p3")]
        if let Linked::P3(_) = &self.linked {
            let mut shared = self.shared.lock().await;
            let calls = Arc::clone(self.host.calls());
            if let Some(running) = shared.as_ref().filter(|running| running.is_alive()) {
                let running = Running::P3(running.clone());
                return Ok(Instance { running, calls, is_fresh: false });
            }
            let instance = self.fresh().await?;
            if let Running::P3(running) = &instance.running {
                *shared = Some(running.clone());
            }
            return Ok(instance);
        }
        match self.kept.as_ref().and_then(|kept| locked(kept).pop()) {
            Some(instance) => Ok(instance),
            None => self.fresh().await,
        }
    }

    /// Keeps an instance whose call came to its end, if there is a place for it.
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

    /// `send-message`; see [`Instance::send_message`].
    ///
    /// # Errors
    /// The component did not bring the call to its end.
    pub async fn send_message(
        &self,
        request: &wit::MessageRequest,
    ) -> CallResult<wit::CreatedMessage> {
        let mut instance = self.ready().await?;
        let result = instance.send_message(request).await;
        self.keep(instance, &result);
        result
    }

    /// `list-templates`.
    ///
    /// # Errors
    /// The component did not bring the call to its end.
    pub async fn list_templates(
        &self,
        query: &wit::TemplateQuery,
    ) -> CallResult<wit::TemplatePage> {
        let mut instance = self.ready().await?;
        let result = instance.list_templates(query).await;
        self.keep(instance, &result);
        result
    }

    /// `handle-event`.
    ///
    /// # Errors
    /// The component did not bring the call to its end.
    pub async fn handle_event(&self, delivery: &wit::WebhookDelivery) -> CallResult<wit::Event> {
        let mut instance = self.ready().await?;
        let result = instance.handle_event(delivery).await;
        self.keep(instance, &result);
        result
    }

    /// `send-once`: creates one message under `key`, however often it is called. `journal` records
    /// the intent and the outcome; see [`Once`] for the other operations on a key.
    ///
    /// # Errors
    /// Returns an error of the interface `once`. After each of them the call can be made again.
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

/// An instance of the plugin.
pub struct Instance {
    running: Running,
    calls: Arc<Calls>,
    /// Whether the next call has what the start left of the budget.
    is_fresh: bool,
}

enum Running {
    P2(p2::Running),
    SansIo(sans_io::Running),
    #[cfg(feature = "p3")]
    P3(p3::Running),
}

impl Instance {
    /// The store, where it belongs to this call alone.
    fn store(&self) -> Option<&Store<State>> {
        match &self.running {
            Running::P2(running) => Some(&running.store),
            Running::SansIo(running) => Some(&running.store),
            #[cfg(feature = "p3")]
            Running::P3(_) => None,
        }
    }

    fn is_spent(&self) -> bool {
        matches!(&self.running, Running::SansIo(running) if running.is_spent)
    }

    /// Begins the budget of a call.
    fn begin(&mut self) {
        if !std::mem::take(&mut self.is_fresh)
            && let Some(store) = self.store()
        {
            store.data().meter().restart();
        }
    }

    /// The component's linear memory, in bytes, which grows and never shrinks. `None` if the
    /// instance carries many calls at once.
    #[must_use]
    pub fn memory_held(&self) -> Option<usize> {
        Some(self.store()?.data().memory_held)
    }

    /// Returns why the last call's last request had no connection; `None` if it had one, if
    /// there was no request, or if the instance carries many calls at once. The component gets
    /// only a code; this names the server and the reason.
    #[must_use]
    pub fn connect_failure(&self) -> Option<ConnectFailure> {
        self.store()?.data().outbound.connect_failure()
    }

    /// `send-message`. A component that says that it created nothing is believed only if no
    /// request of the call can have created a message: else the outcome is unknown. An instance
    /// that carries many calls at once does not know whose a request is: it is believed.
    ///
    /// # Errors
    /// The component did not bring the call to its end.
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
        self.calls.count("send-message", result)
    }

    /// `list-templates`.
    ///
    /// # Errors
    /// The component did not bring the call to its end.
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
        self.calls.count("list-templates", result)
    }

    /// `handle-event`.
    ///
    /// # Errors
    /// The component did not bring the call to its end.
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
        self.calls.count("handle-event", result)
    }
}

/// Corrects the error of a component that denies a message's existence, although this host has
/// sent a request that may have created it.
fn unknown(said: wit::Error) -> wit::Error {
    if matches!(said, wit::Error::PermanentOutcomeUnknown(_)) {
        return said;
    }
    wit::Error::PermanentOutcomeUnknown(wit::OutcomeUnknown {
        stage: wit::Stage::ReplyUnclear,
        detail: format!(
            "the component says {}, and sent a request that was not refused",
            outcome::case(&said)
        ),
        status: None,
        refusal: None,
    })
}

/// Corrects the result of a call of `send-message`: a component is believed where no request of
/// it can have created what it denies. Nor is an outcome unknown if no request has left: a
/// component can notice its deadline before it is told.
fn believed(
    result: CallResult<wit::CreatedMessage>,
    outbound: &mut Metered,
) -> CallResult<wit::CreatedMessage> {
    let settled = outbound.settle();
    result.map(|said| match said {
        Err(error) if settled == Settled::Maybe => Err(unknown(error)),
        Err(wit::Error::PermanentOutcomeUnknown(said))
            if settled == Settled::Nothing && said.status.is_none() =>
        {
            // In the words that the component has for a connection that comes too late.
            let detail = "connection-timeout while connecting".into();
            Err(wit::Error::NotSent(wit::NotSent { detail }))
        }
        said => said.and_then(|created| identified(created, outbound.connections())),
    })
}

/// The names of what a component exports, for an error.
pub(crate) fn exports_of(host: &Host, component: &Component) -> String {
    let kind = component.component_type();
    let names: Vec<_> = kind.exports(host.engine()).map(|(name, _)| name).collect();
    if names.is_empty() { "nothing".into() } else { names.join(", ") }
}

/// The message, unless its identifier, as the service gives it, is the API key: then nobody can
/// tell which message it is.
fn identified(
    created: wit::CreatedMessage,
    outbound: &Outbound,
) -> Result<wit::CreatedMessage, wit::Error> {
    if !outbound.is_masked_key(&created.id) {
        return Ok(created);
    }
    Err(wit::Error::PermanentOutcomeUnknown(wit::OutcomeUnknown {
        stage: wit::Stage::ReplyUnclear,
        detail: "the message was created, but the reply repeats the API key as its id".into(),
        status: Some(201),
        refusal: None,
    }))
}

impl wit::MessageRequest {
    /// A text for a phone number, and nothing further.
    #[must_use]
    pub fn new(phone: &str, message: &str) -> Self {
        Self { phone: phone.into(), message: message.into(), device: None, fields: Vec::new() }
    }
}

messaging_core::conversions!(crate::plugin::wit);
