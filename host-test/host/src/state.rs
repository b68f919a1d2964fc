//! The data in the wasmtime store of an instance: WASI, HTTP, and the budget of a call. Every
//! component of this host has a store of this type. Also determines which limit ended a call.

use std::path::Path;
use std::sync::Arc;

use wasmtime::component::{ResourceTable, ResourceTableError};
use wasmtime::{CallHook, ResourceLimiter, Store, Trap, UpdateDeadline};
use wasmtime_wasi::cli::{IsTerminal, StdoutStream};
use wasmtime_wasi::filesystem::FsPerms;
use wasmtime_wasi::p2::{OutputStream, Pollable, StreamError, StreamResult};
use wasmtime_wasi::{WasiCtx, WasiCtxBuilder, WasiCtxView, WasiView};
use wasmtime_wasi_http::p2::types::{HostIncomingResponse, HostOutgoingRequest};
use wasmtime_wasi_http::{FieldMap, FieldMapError, WasiHttpCtx, WasiHttpCtxView, WasiHttpView};

use crate::engine::Host;
use crate::error::{CallError, first_line};
use crate::journal::Journal;
use crate::limits::{Limit, count};
use crate::meter::{self, Meter};
use crate::outbound::{BODY_BYTES, Metered, Outbound};
#[cfg(feature = "webhook")]
use {
    crate::inbox::Inbox,
    crate::keyvalue::KeyValue,
    messaging_inbox::{Throttle, TraceContext},
};

/// Size of a table element, in bytes.
const ELEMENT_BYTES: usize = size_of::<usize>();

/// Estimated memory of a host resource without its strings, in bytes.
const RESOURCE_BYTES: usize = 256;

/// Bytes of a log line in addition to the component's text: time, level and target.
const LINE_BYTES: usize = 64;

/// Creates a wasmtime store for one instance, and starts the budget of its first call. `wasi`
/// defines the part of the machine that the component can access; `None` for a component without
/// imports. The output of the component becomes log lines.
pub fn store(host: &Host, wasi: Option<WasiCtxBuilder>, outbound: Outbound) -> Store<State> {
    let limits = host.limits();
    let meter = Meter::new(*limits);
    let mut http = WasiHttpCtx::new();
    http.set_field_size_limit(limits.header_bytes);
    let mut table = ResourceTable::new();
    table.set_max_capacity(count(limits.resources));
    let log = Log(Arc::clone(&meter));
    let state = State {
        wasi: wasi.map(|mut wasi| wasi.stdout(log.clone()).stderr(log).build()),
        http,
        table,
        outbound: Metered::new(outbound, Arc::clone(&meter)),
        journal: None,
        #[cfg(feature = "webhook")]
        webhook: WebhookState::default(),
        meter,
        memory_held: 0,
        growing: 0,
        elements: 0,
        refused: None,
    };
    let mut store = Store::new(host.engine(), state);
    store.limiter(|state| state);
    store.set_hostcall_fuel(limits.crossing_bytes);
    let handles = count(limits.resources).saturating_mul(HANDLES_OF_A_RESOURCE);
    store.set_max_component_handles(handles);
    store.set_epoch_deadline(1);
    store.epoch_deadline_callback(|mut store| {
        let state = store.data_mut();
        Ok(match state.meter.over().or_else(|| state.over_held()) {
            Some(_) => UpdateDeadline::Interrupt,
            None if state.meter.has_turn() => UpdateDeadline::Continue(1),
            None => UpdateDeadline::Yield(1),
        })
    });
    store
}

/// Raises the resource limits of an instance to allow `calls` concurrent calls.
#[cfg(feature = "p3")]
pub fn make_room(mut store: impl wasmtime::AsContextMut<Data = State>, calls: usize) {
    let mut store = store.as_context_mut();
    let state = store.data_mut();
    let more = calls.saturating_sub(1).saturating_mul(RESOURCES_OF_A_CALL);
    let most = count(state.meter.limits().resources).saturating_add(more);
    if most > state.table.max_capacity() {
        state.table.set_max_capacity(most);
        store.set_max_component_handles(most.saturating_mul(HANDLES_OF_A_RESOURCE));
    }
}

/// A function that runs at each call of a host function and at each return from it.
pub type Hook = Arc<dyn Fn() + Send + Sync>;

/// Registers `hook`; does nothing if `hook` is `None`.
pub fn hook(store: &mut Store<State>, hook: Option<Hook>) {
    let Some(at_host_call) = hook else { return };
    store.call_hook(move |_, hook| {
        if matches!(hook, CallHook::CallingHost | CallHook::ReturningFromHost) {
            at_host_call();
        }
        Ok(())
    });
}

/// Gives a component access to a directory under `name`.
///
/// # Errors
/// Returns [`CallError::NotSetUp`] if the directory cannot be opened.
pub fn preopen(wasi: &mut WasiCtxBuilder, path: &Path, name: &str) -> Result<(), CallError> {
    let opened = wasi.preopened_dir(path, name, FsPerms::ReadWrite);
    opened.map(drop).map_err(|error| {
        let (path, why) = (path.display(), first_line(&error));
        CallError::NotSetUp(format!("cannot open the directory {path}: {why}"))
    })
}

/// Converts the metered result of an instantiation or a call to a result with a `CallError`.
pub fn ended<T>(
    store: &Store<State>,
    called: Result<wasmtime::Result<T>, Limit>,
) -> Result<T, CallError> {
    called.map_err(CallError::Limit)?.map_err(|error| call_error(store, &error))
}

/// Returns the reason why a call failed.
pub fn call_error(store: &Store<State>, error: &wasmtime::Error) -> CallError {
    if error.is::<wasmtime::PoolConcurrencyLimitError>() {
        return CallError::Busy(first_line(error));
    }
    let state = store.data();
    let full = || match error.downcast_ref::<ResourceTableError>() {
        Some(ResourceTableError::Full) => Some(Limit::Resources),
        _ => None,
    };
    let headers = || match error.downcast_ref::<FieldMapError>() {
        Some(FieldMapError::TotalSizeTooBig | FieldMapError::TooManyFields) => Some(Limit::Headers),
        _ => None,
    };
    let limit = state.meter.reached().or_else(full).or_else(headers).or(state.refused);
    if let Some(limit) = limit {
        return CallError::Limit(limit);
    }
    match error.downcast_ref::<Trap>() {
        Some(trap) => CallError::Trap(trap.to_string()),
        None => CallError::Trap(first_line(error)),
    }
}

/// Data in the wasmtime store of an instance. All components have the same type of data, because
/// the functions of WASI are compiled for each type.
pub struct State {
    /// `None` for a component without imports, which never uses it.
    wasi: Option<WasiCtx>,
    http: WasiHttpCtx,
    pub table: ResourceTable,
    pub outbound: Metered,
    /// The journal; `None` if the host provides no journal.
    pub journal: Option<Arc<dyn Journal>>,
    /// The parts of a webhook that the host provides.
    #[cfg(feature = "webhook")]
    pub webhook: WebhookState,
    meter: Arc<Meter>,
    /// Size of all linear memories, in bytes.
    pub memory_held: usize,
    /// Size of the last approved memory growth, in bytes.
    growing: usize,
    /// Number of elements of all tables.
    elements: usize,
    /// The last limit that denied growth. The component may have continued without the growth.
    refused: Option<Limit>,
}

/// The parts of a webhook that the host provides, in addition to WASI.
#[cfg(feature = "webhook")]
#[derive(Default)]
pub struct WebhookState {
    /// The inbox; `None` if the host provides no inbox.
    pub inbox: Option<Arc<dyn Inbox>>,
    /// The store for `wasi:keyvalue`; `None` if the host provides no store.
    pub keyvalue: Option<Arc<dyn KeyValue>>,
    /// Trace context of the current delivery.
    pub trace: Option<TraceContext>,
    /// Rate limit over all instances for log lines about inbox failures. The component logs each
    /// failure.
    pub failures: Option<Arc<Throttle<()>>>,
}

impl State {
    /// Returns the meter of the call.
    pub fn meter(&self) -> &Arc<Meter> {
        &self.meter
    }

    /// Starts a call and returns its meter.
    pub fn begin_call(&mut self) -> Arc<Meter> {
        self.outbound.begin_call();
        Arc::clone(&self.meter)
    }

    /// Returns `Limit::Memory` if the host and the component together hold too many bytes.
    fn over_held(&mut self) -> Option<Limit> {
        let resources = self.table.iter_mut().map(resource_bytes);
        let resources = resources.fold(0, usize::saturating_add);
        let held = self.in_wasm().saturating_add(resources);
        (held > self.meter.limits().memory_bytes).then(|| self.meter.reach(Limit::Memory))
    }

    /// Returns the size of memories and tables, in bytes.
    fn in_wasm(&self) -> usize {
        self.memory_held.saturating_add(self.elements.saturating_mul(ELEMENT_BYTES))
    }
}

/// Number of resources that an instance may hold for each concurrent call after the first.
#[cfg(feature = "p3")]
const RESOURCES_OF_A_CALL: usize = 16;

/// Number of entries in the components' handle tables for each resource that `Limits::resources`
/// allows. More than 1, because components also create handles for tasks, streams and futures.
const HANDLES_OF_A_RESOURCE: usize = 4;

/// Returns the estimated memory of a host resource, in bytes.
fn resource_bytes(entry: &mut (dyn std::any::Any + Send)) -> usize {
    let headers = |fields: &FieldMap| {
        let value = |value: &http::HeaderValue| value.len().saturating_add(RESOURCE_BYTES / 4);
        fields.values().map(value).fold(0, usize::saturating_add)
    };
    let text = |text: &Option<String>| text.as_ref().map_or(0, String::len);
    let more = if let Some(fields) = entry.downcast_ref::<FieldMap>() {
        headers(fields)
    } else if let Some(request) = entry.downcast_ref::<HostOutgoingRequest>() {
        let body = if request.body.is_some() { BODY_BYTES } else { 0 };
        headers(&request.headers)
            .saturating_add(text(&request.authority))
            .saturating_add(text(&request.path_with_query))
            .saturating_add(body)
    } else if let Some(response) = entry.downcast_ref::<HostIncomingResponse>() {
        headers(&response.headers)
    } else {
        concurrent_headers(entry).map_or(0, headers)
    };
    more.saturating_add(RESOURCE_BYTES)
}

/// Returns the headers of a WASI 0.3 request or response; `None` for another resource.
#[cfg(feature = "p3")]
fn concurrent_headers(entry: &(dyn std::any::Any + Send)) -> Option<&FieldMap> {
    use wasmtime_wasi_http::p3::{Request, Response};
    let request = || entry.downcast_ref::<Request>().map(|request| &request.headers);
    let response = || entry.downcast_ref::<Response>().map(|response| &response.headers);
    request().or_else(response)
}

#[cfg(not(feature = "p3"))]
fn concurrent_headers(_: &(dyn std::any::Any + Send)) -> Option<&FieldMap> {
    None
}

impl WasiView for State {
    fn ctx(&mut self) -> WasiCtxView<'_> {
        let ctx = self.wasi.get_or_insert_with(|| WasiCtxBuilder::new().build());
        WasiCtxView { ctx, table: &mut self.table }
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
        current: usize,
        desired: usize,
        _maximum: Option<usize>,
    ) -> wasmtime::Result<bool> {
        let by = desired.saturating_sub(current);
        let allowed = self.in_wasm().saturating_add(by) <= self.meter.limits().memory_bytes;
        if allowed {
            self.growing = by;
            self.memory_held = self.memory_held.saturating_add(by);
        } else {
            self.refused = Some(Limit::Memory);
        }
        Ok(allowed)
    }

    fn memory_grow_failed(&mut self, _: wasmtime::Error) -> wasmtime::Result<()> {
        self.memory_held = self.memory_held.saturating_sub(std::mem::take(&mut self.growing));
        Ok(())
    }

    fn table_growing(
        &mut self,
        current: usize,
        desired: usize,
        _maximum: Option<usize>,
    ) -> wasmtime::Result<bool> {
        let elements = self.elements.saturating_add(desired.saturating_sub(current));
        let allowed = elements <= self.meter.limits().table_elements;
        if allowed {
            self.elements = elements;
        } else {
            self.refused = Some(Limit::Tables);
        }
        Ok(allowed)
    }

    fn instances(&self) -> usize {
        count(self.meter.limits().core_instances)
    }

    fn tables(&self) -> usize {
        count(self.meter.limits().tables)
    }

    fn memories(&self) -> usize {
        count(self.meter.limits().memories)
    }
}

/// The standard streams of a component, written to the log within the budget of the call. The
/// plugin has no standard streams; other components may have them.
#[derive(Clone)]
struct Log(Arc<Meter>);

impl IsTerminal for Log {
    fn is_terminal(&self) -> bool {
        false
    }
}

impl StdoutStream for Log {
    fn p2_stream(&self) -> Box<dyn OutputStream> {
        Box::new(self.clone())
    }

    fn async_stream(&self) -> Box<dyn tokio::io::AsyncWrite + Send + Sync> {
        Box::new(tokio::io::sink())
    }
}

impl OutputStream for Log {
    fn write(&mut self, bytes: bytes::Bytes) -> StreamResult<()> {
        for line in String::from_utf8_lossy(&bytes).lines().filter(|line| !line.is_empty()) {
            // Counts the escaped text, because the log contains it.
            let line = line.escape_debug().to_string();
            match self.0.log(line.len().saturating_add(LINE_BYTES)) {
                meter::Log::Write => tracing::info!(target: "component", "{line}"),
                meter::Log::SaySo => {
                    let most = self.0.limits().log_bytes;
                    tracing::warn!(target: "component", most, "the component exceeds the log limit of a call; further output is dropped");
                }
                meter::Log::Drop => break,
            }
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
