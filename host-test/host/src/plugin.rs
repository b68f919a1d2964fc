//! The plugin in this host: load once, then make typed calls. Each call has a fresh
//! instance unless the caller keeps one.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use messaging_core::Settings;
use messaging_core::limits::{DEFAULT_ATTEMPTS, DEFAULT_DEADLINE_MS};
use messaging_core::secret::ApiKey;
use messaging_core::settings::deadline_ms;
use wasmtime::Store;
use wasmtime::component::{Component, Linker};
use wasmtime_wasi::WasiCtxBuilder;

use crate::calls::Function;
use crate::engine::Host;
use crate::error::{CallError, LoadError, Names};
use crate::messaging::CallResult;
use crate::outbound::{ConnectFailure, Metered, Outbound, Settled};
use crate::outcome;
use crate::outline;
use crate::sans_io;
use crate::state::{self, State, first_line};
use crate::wasi;

#[allow(missing_docs, clippy::all, clippy::pedantic, reason = "generated from the WIT")]
mod bindings {
    wasmtime::component::bindgen!({
        path: "../../wit",
        // The exports alone: what the component imports is linked from wasmtime-wasi.
        inline: "package host:test; world messaging-host { export messaging:integration/messaging@0.2.0; }",
        world: "host:test/messaging-host",
        exports: { default: async },
        additional_derives: [PartialEq],
    });
}

/// The interface's types, generated from `wit/types.wit`.
pub use bindings::messaging::integration::types as wit;
use bindings::{MessagingHost as Bindings, MessagingHostPre as BindingsPre};

/// The interface that makes a component a messaging plugin.
pub const INTERFACE: &str = "messaging:integration/messaging@0.2.0";

/// The interface of the types. It has no functions, so that an import of it gives no right.
pub const TYPES: &str = "messaging:integration/types@0.2.0";

/// The settings of a sandbox contain the API key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("settings contain `MESSAGING_API_KEY`; pass the key as `key`")]
pub struct KeyInSettings;

/// Configuration of a plugin: its settings, its key, and the servers that it may reach.
#[derive(Clone)]
pub struct PluginConfig {
    environment: Arc<[(String, String)]>,
    outbound: Outbound,
}

impl PluginConfig {
    /// A sandbox with these `MESSAGING_*` settings. The component gets a random
    /// placeholder for the API key; `outbound` replaces it in the `Token` header, for
    /// the base URL's origin alone.
    ///
    /// # Errors
    /// Returns `KeyInSettings` if `settings` contains `MESSAGING_API_KEY`: the component would
    /// read the key. Pass the key as `key`.
    pub fn new(
        settings: Vec<(String, String)>,
        key: Option<ApiKey>,
        outbound: Outbound,
    ) -> Result<Self, KeyInSettings> {
        let mut environment = settings;
        if environment.iter().any(|(name, _)| name == KEY_SETTING) {
            return Err(KeyInSettings);
        }
        let mut outbound = outbound;
        if let Some(key) = key {
            let base = environment.iter().find(|(name, _)| name == BASE_URL_SETTING);
            let placeholder = outbound.hold_key(key, base.map(|(_, value)| value.as_str()));
            environment.push((KEY_SETTING.into(), placeholder));
        }
        Ok(Self::open(environment, outbound))
    }

    /// A sandbox with these variables as they are, the key itself among them: for
    /// components that are to be judged, and for hosts with nothing to hide.
    #[must_use]
    pub fn open(environment: Vec<(String, String)>, outbound: Outbound) -> Self {
        let mut outbound = outbound;
        let number = |setting: &str, default: u32| {
            let given = environment.iter().find(|(name, _)| name == setting);
            given.and_then(|(_, value)| value.parse().ok()).unwrap_or(default)
        };
        // The component rejects an invalid deadline with the same parser before any request.
        let deadline = deadline_ms(environment.iter().cloned()).unwrap_or(DEFAULT_DEADLINE_MS);
        let attempts = number(ATTEMPTS_SETTING, DEFAULT_ATTEMPTS);
        outbound.connect_before(Duration::from_millis(deadline.into()), attempts);
        Self { environment: environment.into(), outbound }
    }

    /// Takes a component at its word where it says that it created nothing: for those that
    /// are to be judged by what they say.
    #[must_use]
    pub fn believing(self) -> Self {
        let mut outbound = self.outbound;
        outbound.believe();
        Self { outbound, ..self }
    }

    /// Returns the connections of the component to servers.
    #[must_use]
    pub fn outbound(&self) -> &Outbound {
        &self.outbound
    }

    /// A store for one instance of a component that reads no environment.
    pub(crate) fn store_without_wasi(&self, host: &Host) -> Store<State> {
        state::store(host, WasiCtxBuilder::new(), self.outbound.clone(), ())
    }

    /// A store for one instance.
    pub(crate) fn store(&self, host: &Host) -> Store<State> {
        let mut wasi = WasiCtxBuilder::new();
        wasi.envs(&self.environment);
        state::store(host, wasi, self.outbound.clone(), ())
    }

    /// A store for one instance of a component that has more than a plugin.
    pub(crate) fn store_with<E: Send>(
        &self,
        host: &Host,
        mut wasi: WasiCtxBuilder,
        own: E,
    ) -> Store<State<E>> {
        wasi.envs(&self.environment);
        state::store(host, wasi, self.outbound.clone(), own)
    }

    /// The environment as the component reads it, placeholder included.
    pub fn variables(&self) -> impl Iterator<Item = (String, String)> + use<'_> {
        self.environment.iter().cloned()
    }

    /// Returns the base URL of the service.
    pub(crate) fn base_url(&self) -> Option<String> {
        self.variables().find_map(|(name, value)| (name == BASE_URL_SETTING).then_some(value))
    }

    /// The settings as the component reads them, placeholder included.
    ///
    /// # Errors
    /// The setting that the component would refuse.
    pub fn settings(&self) -> Result<Settings, messaging_core::error::InvalidSettings> {
        Settings::from_variables(self.variables())
    }
}

/// The interface that makes a component a messaging plugin for WASI 0.3.
pub const CONCURRENT_INTERFACE: &str = "messaging:integration-async/messaging@0.2.0";

const KEY_SETTING: &str = "MESSAGING_API_KEY";
const BASE_URL_SETTING: &str = "MESSAGING_BASE_URL";
const ATTEMPTS_SETTING: &str = "MESSAGING_MAX_ATTEMPTS";

/// A loaded plugin, ready to be called from any thread.
#[derive(Clone)]
pub struct Plugin {
    host: Host,
    pre: BindingsPre<State>,
    config: PluginConfig,
}

impl Plugin {
    /// Compiles a component and links it.
    ///
    /// # Errors
    /// The bytes are no component, or none of the world `plugin`.
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
    /// The component is none of the world `plugin`.
    pub fn link(
        host: &Host,
        component: &Component,
        config: PluginConfig,
    ) -> Result<Self, LoadError> {
        if component.get_export_index(None, INTERFACE).is_none() {
            if component.get_export_index(None, sans_io::INTERFACE).is_some() {
                return Err(LoadError::SansIo);
            }
            return Err(LoadError::WrongWorld { exports: exports_of(host, component) });
        }
        let missing = |error: wasmtime::Error| LoadError::MissingImport(first_line(&error));
        let mut linker = Linker::new(host.engine());
        wasi::link(&mut linker).map_err(missing)?;
        let pre = linker.instantiate_pre(component).map_err(missing)?;
        let pre = BindingsPre::new(pre).map_err(missing)?;
        Ok(Self { host: host.clone(), pre, config })
    }

    /// The same component with other settings.
    #[must_use]
    pub fn with_config(&self, config: PluginConfig) -> Self {
        Self { config, ..self.clone() }
    }

    /// Returns the configuration of the component.
    #[must_use]
    pub fn config(&self) -> &PluginConfig {
        &self.config
    }

    /// A new instance, for callers that make several calls within one domain of
    /// trust. It holds no state between calls; after a [`CallError`] it is spent.
    ///
    /// # Errors
    /// No instance is free, or the component does not come to the end of its start within
    /// the budget of a call.
    pub async fn instance(&self) -> Result<Instance, CallError> {
        let mut store = self.config.store(&self.host);
        let meter = Arc::clone(store.data().meter());
        let bindings = meter.within(pin!(self.pre.instantiate_async(&mut store))).await;
        let bindings = bindings.map_err(CallError::Limit)?;
        let bindings = bindings.map_err(|error| state::instantiation_error(&store, &error))?;
        Ok(Instance { store, bindings })
    }

    /// `send-message` in a fresh instance; see [`Instance::send_message`].
    ///
    /// # Errors
    /// The component did not bring the call to its end.
    pub async fn send_message(
        &self,
        request: &wit::MessageRequest,
    ) -> CallResult<wit::CreatedMessage> {
        self.instance().await?.send_message_once(request).await
    }

    /// `list-templates` in a fresh instance.
    ///
    /// # Errors
    /// The component did not bring the call to its end.
    pub async fn list_templates(
        &self,
        query: &wit::TemplateQuery,
    ) -> CallResult<wit::TemplatePage> {
        self.instance().await?.list_templates_once(query).await
    }

    /// `handle-event` in a fresh instance.
    ///
    /// # Errors
    /// The component did not bring the call to its end.
    pub async fn handle_event(&self, delivery: &wit::WebhookDelivery) -> CallResult<wit::Event> {
        self.instance().await?.handle_event_once(delivery).await
    }
}

/// An instance of the plugin.
pub struct Instance {
    store: Store<State>,
    bindings: Bindings,
}

/// One typed call within what is left of the budget, with typed errors.
macro_rules! call {
    ($instance:ident, $function:ident, $argument:expr) => {{
        let meter = Arc::clone($instance.store.data().meter());
        $instance.store.data_mut().outbound.begin_call();
        let interface = $instance.bindings.messaging_integration_messaging();
        let called = meter.within(pin!(interface.$function(&mut $instance.store, $argument))).await;
        match called {
            Ok(Ok(result)) => Ok(result),
            Ok(Err(error)) => Err(state::call_error(&$instance.store, &error)),
            Err(limit) => Err(CallError::Limit(limit)),
        }
    }};
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
pub(crate) fn believed(
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
pub(crate) fn exports_of(host: &Host, component: &Component) -> Names {
    let exports = component.component_type();
    Names(exports.exports(host.engine()).map(|(name, _)| name.to_string()).collect())
}

/// The message, unless its identifier, as the service gives it, is the API key: then nobody can
/// tell which message it is.
pub(crate) fn identified(
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

impl Instance {
    /// A call after the first: its budget begins with it.
    fn renew(&self) {
        self.store.data().meter().restart();
    }

    /// The component's linear memory, in bytes. It grows and never shrinks.
    #[must_use]
    pub fn memory_held(&self) -> usize {
        self.store.data().memory_held
    }

    /// Returns why the last call's last request had no connection; `None` where it had one, or
    /// there was no request. The component gets only a code; this names the server and the
    /// reason.
    #[must_use]
    pub fn connect_failure(&self) -> Option<ConnectFailure> {
        self.store.data().outbound.connect_failure()
    }

    /// `send-message`. A component that says that it created nothing is believed where no
    /// request of it can have: else the outcome is unknown.
    ///
    /// # Errors
    /// The component did not bring the call to its end.
    pub async fn send_message(
        &mut self,
        request: &wit::MessageRequest,
    ) -> CallResult<wit::CreatedMessage> {
        self.renew();
        self.send_message_once(request).await
    }

    async fn send_message_once(
        &mut self,
        request: &wit::MessageRequest,
    ) -> CallResult<wit::CreatedMessage> {
        let result = call!(self, call_send_message, request);
        let state = self.store.data_mut();
        let result = believed(result, &mut state.outbound);
        state.calls.count(Function::SendMessage, result)
    }

    /// `list-templates`.
    ///
    /// # Errors
    /// The component did not bring the call to its end.
    pub async fn list_templates(
        &mut self,
        query: &wit::TemplateQuery,
    ) -> CallResult<wit::TemplatePage> {
        self.renew();
        self.list_templates_once(query).await
    }

    async fn list_templates_once(
        &mut self,
        query: &wit::TemplateQuery,
    ) -> CallResult<wit::TemplatePage> {
        let result = call!(self, call_list_templates, query);
        self.store.data().calls.count(Function::ListTemplates, result)
    }

    /// `handle-event`.
    ///
    /// # Errors
    /// The component did not bring the call to its end.
    pub async fn handle_event(
        &mut self,
        delivery: &wit::WebhookDelivery,
    ) -> CallResult<wit::Event> {
        self.renew();
        self.handle_event_once(delivery).await
    }

    async fn handle_event_once(
        &mut self,
        delivery: &wit::WebhookDelivery,
    ) -> CallResult<wit::Event> {
        let result = call!(self, call_handle_event, delivery);
        self.store.data().calls.count(Function::HandleEvent, result)
    }
}

impl wit::MessageRequest {
    /// A text for a phone number, and nothing further.
    #[must_use]
    pub fn new(phone: &str, message: &str) -> Self {
        Self { phone: phone.into(), message: message.into(), device: None, fields: Vec::new() }
    }
}

messaging_core::conversions!(crate::plugin::wit);
