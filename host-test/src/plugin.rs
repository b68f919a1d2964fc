//! The plugin in this host: load once, then make typed calls. Each call has a fresh
//! instance unless the caller keeps one.

use std::sync::Arc;

use messaging_core::Settings;
use messaging_core::secret::ApiKey;
use wasmtime::component::{Component, Linker, ResourceTable};
use wasmtime::{ResourceLimiter, Store, Trap, UpdateDeadline};
use wasmtime_wasi::cli::{IsTerminal, StdoutStream};
use wasmtime_wasi::p2::{OutputStream, Pollable, StreamError, StreamResult};
use wasmtime_wasi::{WasiCtx, WasiCtxBuilder, WasiCtxView, WasiView};
use wasmtime_wasi_http::{WasiHttpCtx, WasiHttpCtxView, WasiHttpView};

use crate::engine::Host;
use crate::error::{CallError, LoadError, Names};
use crate::outbound::Outbound;

#[allow(missing_docs, clippy::all, clippy::pedantic, reason = "generated from the WIT")]
mod bindings {
    wasmtime::component::bindgen!({
        path: "../wit",
        // The exports alone: what the component imports is linked from wasmtime-wasi.
        inline: "package host:test; world messaging-host { export messaging:integration/messaging@0.1.0; }",
        world: "host:test/messaging-host",
        exports: { default: async },
        additional_derives: [PartialEq],
    });
}

/// The interface's types, generated from `wit/messaging.wit`.
pub use bindings::exports::messaging::integration::messaging as wit;
use bindings::{MessagingHost as Bindings, MessagingHostPre as BindingsPre};

/// The interface that makes a component a messaging plugin.
pub const INTERFACE: &str = "messaging:integration/messaging@0.1.0";

/// What surrounds a component: its settings, and what it may reach.
#[derive(Clone)]
pub struct Sandbox {
    environment: Arc<[(String, String)]>,
    outbound: Outbound,
}

impl Sandbox {
    /// A sandbox with these `MESSAGING_*` settings. The component gets a random
    /// placeholder for the key; `outbound` replaces it in the `Token` header, for
    /// the base URL's origin alone.
    #[must_use]
    pub fn new(settings: Vec<(String, String)>, key: Option<ApiKey>, outbound: Outbound) -> Self {
        let mut environment = settings;
        environment.retain(|(name, _)| name != KEY_SETTING);
        let mut outbound = outbound;
        if let Some(key) = key {
            let base = environment.iter().find(|(name, _)| name == BASE_URL_SETTING);
            let placeholder = outbound.hold_key(key, base.map(|(_, value)| value.as_str()));
            environment.push((KEY_SETTING.into(), placeholder));
        }
        Self { environment: environment.into(), outbound }
    }

    /// The settings as the component reads them, placeholder included.
    ///
    /// # Errors
    /// The setting that the component would refuse.
    pub fn settings(&self) -> Result<Settings, messaging_core::error::InvalidSettings> {
        Settings::from_variables(self.environment.iter().cloned())
    }
}

const KEY_SETTING: &str = "MESSAGING_API_KEY";
const BASE_URL_SETTING: &str = "MESSAGING_BASE_URL";

/// A loaded plugin, ready to be called from any thread.
#[derive(Clone)]
pub struct Plugin {
    host: Host,
    pre: BindingsPre<State>,
    sandbox: Sandbox,
}

impl Plugin {
    /// Compiles a component and links it.
    ///
    /// # Errors
    /// The bytes are no component, or none of the world `plugin`.
    pub fn load(host: &Host, bytes: &[u8], sandbox: Sandbox) -> Result<Self, LoadError> {
        let component = Component::new(host.engine(), bytes)
            .map_err(|error| LoadError::NotAComponent(first_line(&error)))?;
        Self::link(host, &component, sandbox)
    }

    /// Links a compiled component.
    ///
    /// # Errors
    /// The component is none of the world `plugin`.
    pub fn link(host: &Host, component: &Component, sandbox: Sandbox) -> Result<Self, LoadError> {
        if component.get_export_index(None, INTERFACE).is_none() {
            let exports = component.component_type();
            let names = exports.exports(host.engine()).map(|(name, _)| name.to_string()).collect();
            return Err(LoadError::WrongWorld { exports: Names(names) });
        }
        let missing = |error: wasmtime::Error| LoadError::MissingImport(first_line(&error));
        let mut linker = Linker::new(host.engine());
        // All of WASI can be linked; without files, sockets or arguments in the
        // context, everything but HTTP, clocks and the environment is empty.
        wasmtime_wasi::p2::add_to_linker_async(&mut linker).map_err(missing)?;
        wasmtime_wasi_http::p2::add_only_http_to_linker_async(&mut linker).map_err(missing)?;
        let pre = linker.instantiate_pre(component).map_err(missing)?;
        let pre = BindingsPre::new(pre).map_err(missing)?;
        Ok(Self { host: host.clone(), pre, sandbox })
    }

    /// The same component with other settings.
    #[must_use]
    pub fn with_sandbox(&self, sandbox: Sandbox) -> Self {
        Self { sandbox, ..self.clone() }
    }

    /// What surrounds the component.
    #[must_use]
    pub fn sandbox(&self) -> &Sandbox {
        &self.sandbox
    }

    /// A new instance, for callers that make several calls within one domain of
    /// trust. It holds no state between calls; after a [`CallError`] it is spent.
    ///
    /// # Errors
    /// No instance is free, or the component traps while it starts.
    pub async fn instance(&self) -> Result<Instance, CallError> {
        let limits = self.host.limits();
        let mut wasi = WasiCtxBuilder::new();
        wasi.envs(&self.sandbox.environment).stdout(Log).stderr(Log);
        let state = State {
            wasi: wasi.build(),
            http: WasiHttpCtx::new(),
            table: ResourceTable::new(),
            outbound: self.sandbox.outbound.clone(),
            memory_bytes: limits.memory_bytes,
            table_elements: limits.table_elements,
            over_memory: false,
            ticks_left: limits.cpu_ticks(),
            over_cpu: false,
        };
        let mut store = Store::new(self.host.engine(), state);
        store.limiter(|state| state);
        store.set_epoch_deadline(1);
        store.epoch_deadline_callback(|mut store| {
            let state = store.data_mut();
            match state.ticks_left.checked_sub(1) {
                // Only computing brings a component here: time spent waiting, however
                // long, counts as one tick.
                Some(left) => {
                    state.ticks_left = left;
                    Ok(UpdateDeadline::Yield(1))
                }
                None => {
                    state.over_cpu = true;
                    Ok(UpdateDeadline::Interrupt)
                }
            }
        });
        let bindings = match self.pre.instantiate_async(&mut store).await {
            Ok(bindings) => bindings,
            Err(error) if error.is::<wasmtime::PoolConcurrencyLimitError>() => {
                return Err(CallError::Busy(first_line(&error)));
            }
            Err(error) => return Err(call_error(&store, &error)),
        };
        Ok(Instance { host: self.host.clone(), store, bindings })
    }

    /// `send-message` in a fresh instance.
    ///
    /// # Errors
    /// The component did not bring the call to its end.
    pub async fn send_message(
        &self,
        request: &wit::MessageRequest,
    ) -> Result<Result<wit::CreatedMessage, wit::Error>, CallError> {
        self.instance().await?.send_message(request).await
    }

    /// `list-templates` in a fresh instance.
    ///
    /// # Errors
    /// The component did not bring the call to its end.
    pub async fn list_templates(
        &self,
        query: &wit::TemplateQuery,
    ) -> Result<Result<wit::TemplatePage, wit::Error>, CallError> {
        self.instance().await?.list_templates(query).await
    }

    /// `handle-event` in a fresh instance.
    ///
    /// # Errors
    /// The component did not bring the call to its end.
    pub async fn handle_event(
        &self,
        delivery: &wit::WebhookDelivery,
    ) -> Result<Result<wit::Event, wit::Error>, CallError> {
        self.instance().await?.handle_event(delivery).await
    }
}

/// An instance of the plugin.
pub struct Instance {
    host: Host,
    store: Store<State>,
    bindings: Bindings,
}

/// One typed call: with a new budget, within the time limit, with typed errors.
macro_rules! call {
    ($instance:ident, $function:ident, $argument:expr) => {{
        let limits = $instance.host.limits();
        $instance.store.data_mut().ticks_left = limits.cpu_ticks();
        $instance.store.set_epoch_deadline(1);
        let interface = $instance.bindings.messaging_integration_messaging();
        let call = interface.$function(&mut $instance.store, $argument);
        match tokio::time::timeout(limits.wall, call).await {
            Ok(Ok(result)) => Ok(result),
            Ok(Err(error)) => Err(call_error(&$instance.store, &error)),
            Err(_) => Err(CallError::TimedOut),
        }
    }};
}

impl Instance {
    /// `send-message`.
    ///
    /// # Errors
    /// The component did not bring the call to its end.
    pub async fn send_message(
        &mut self,
        request: &wit::MessageRequest,
    ) -> Result<Result<wit::CreatedMessage, wit::Error>, CallError> {
        call!(self, call_send_message, request)
    }

    /// `list-templates`.
    ///
    /// # Errors
    /// The component did not bring the call to its end.
    pub async fn list_templates(
        &mut self,
        query: &wit::TemplateQuery,
    ) -> Result<Result<wit::TemplatePage, wit::Error>, CallError> {
        call!(self, call_list_templates, query)
    }

    /// `handle-event`.
    ///
    /// # Errors
    /// The component did not bring the call to its end.
    pub async fn handle_event(
        &mut self,
        delivery: &wit::WebhookDelivery,
    ) -> Result<Result<wit::Event, wit::Error>, CallError> {
        call!(self, call_handle_event, delivery)
    }
}

fn call_error(store: &Store<State>, error: &wasmtime::Error) -> CallError {
    let state = store.data();
    if state.over_cpu {
        CallError::CpuLimit
    } else if state.over_memory {
        CallError::MemoryLimit
    } else {
        match error.downcast_ref::<Trap>() {
            Some(trap) => CallError::Trap(trap.to_string()),
            None => CallError::Trap(first_line(error)),
        }
    }
}

/// wasmtime's errors carry backtraces and hints over many lines.
fn first_line(error: &wasmtime::Error) -> String {
    let cause = error.root_cause().to_string();
    let top = error.to_string();
    let line = |text: &str| text.lines().next().unwrap_or_default().to_string();
    if cause == top { line(&top) } else { format!("{}: {}", line(&top), line(&cause)) }
}

struct State {
    wasi: WasiCtx,
    http: WasiHttpCtx,
    table: ResourceTable,
    outbound: Outbound,
    memory_bytes: usize,
    table_elements: usize,
    over_memory: bool,
    ticks_left: u32,
    over_cpu: bool,
}

impl WasiView for State {
    fn ctx(&mut self) -> WasiCtxView<'_> {
        WasiCtxView { ctx: &mut self.wasi, table: &mut self.table }
    }
}

impl WasiHttpView for State {
    fn http(&mut self) -> WasiHttpCtxView<'_> {
        WasiHttpCtxView { ctx: &mut self.http, table: &mut self.table, hooks: &mut self.outbound }
    }
}

impl ResourceLimiter for State {
    fn memory_growing(
        &mut self,
        _current: usize,
        desired: usize,
        _maximum: Option<usize>,
    ) -> wasmtime::Result<bool> {
        let allowed = desired <= self.memory_bytes;
        self.over_memory |= !allowed;
        Ok(allowed)
    }

    fn table_growing(
        &mut self,
        _current: usize,
        desired: usize,
        _maximum: Option<usize>,
    ) -> wasmtime::Result<bool> {
        Ok(desired <= self.table_elements)
    }
}

/// A component's standard streams, as log lines. (The plugin has none; other
/// components of its world may.)
#[derive(Clone, Copy)]
struct Log;

impl IsTerminal for Log {
    fn is_terminal(&self) -> bool {
        false
    }
}

impl StdoutStream for Log {
    fn p2_stream(&self) -> Box<dyn OutputStream> {
        Box::new(Self)
    }

    fn async_stream(&self) -> Box<dyn tokio::io::AsyncWrite + Send + Sync> {
        Box::new(tokio::io::sink())
    }
}

impl OutputStream for Log {
    fn write(&mut self, bytes: bytes::Bytes) -> StreamResult<()> {
        for line in String::from_utf8_lossy(&bytes).lines().filter(|line| !line.is_empty()) {
            tracing::info!(target: "component", "{}", line.escape_debug());
        }
        Ok(())
    }

    fn flush(&mut self) -> Result<(), StreamError> {
        Ok(())
    }

    fn check_write(&mut self) -> StreamResult<usize> {
        Ok(64 * 1024)
    }
}

#[wasmtime_wasi::async_trait]
impl Pollable for Log {
    async fn ready(&mut self) {}
}
