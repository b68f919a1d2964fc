//! State of an instance: WASI, HTTP, and the budget of a call. Owns its resources, and tells
//! apart which limit was broken; the same for every component of this host.

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
use crate::error::CallError;
use crate::limits::{Limit, count};
use crate::meter::{self, Meter};
use crate::outbound::{BODY_BYTES, Metered, Outbound};

/// Bytes of a table's element.
const ELEMENT_BYTES: usize = size_of::<usize>();

/// Memory that a host resource is charged beside its strings: an estimate in bytes.
const RESOURCE_BYTES: usize = 256;

/// Bytes of a log line beside what the component wrote: time, level, target.
const LINE_BYTES: usize = 64;

/// Makes a store for one instance, with a whole budget from now on. `wasi` brings what the
/// component may see of the machine; its output becomes log lines. `own` is what this kind
/// of component is given beside.
pub fn store<E: Send>(
    host: &Host,
    mut wasi: WasiCtxBuilder,
    outbound: Outbound,
    own: E,
) -> Store<State<E>> {
    let limits = host.limits();
    let meter = Meter::new(*limits);
    let mut http = WasiHttpCtx::new();
    http.set_field_size_limit(limits.header_bytes);
    let mut table = ResourceTable::new();
    table.set_max_capacity(count(limits.resources));
    let log = Log(Arc::clone(&meter));
    let state = State {
        wasi: wasi.stdout(log.clone()).stderr(log).build(),
        http,
        table,
        outbound: Metered::new(outbound, Arc::clone(&meter)),
        own,
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
            None => UpdateDeadline::Yield(1),
        })
    });
    store
}

/// Makes room for the resources of so many calls at once in one instance.
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

/// Has `at_host_call` called whenever the component calls the host, and whenever it is returned to.
pub fn hook<E: Send + 'static>(
    store: &mut Store<State<E>>,
    at_host_call: Option<Arc<dyn Fn() + Send + Sync>>,
) {
    let Some(at_host_call) = at_host_call else { return };
    store.call_hook(move |_, hook| {
        if matches!(hook, CallHook::CallingHost | CallHook::ReturningFromHost) {
            at_host_call();
        }
        Ok(())
    });
}

/// Gives a component a directory.
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

/// Returns the value of a start or a call within a meter, or why it did not come to its end.
pub fn ended<E, T>(
    store: &Store<State<E>>,
    called: Result<wasmtime::Result<T>, Limit>,
) -> Result<T, CallError> {
    called.map_err(CallError::Limit)?.map_err(|error| call_error(store, &error))
}

/// Returns the reason why a call did not come to its end.
pub fn call_error<E>(store: &Store<State<E>>, error: &wasmtime::Error) -> CallError {
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

/// wasmtime's errors carry backtraces and hints over many lines.
pub fn first_line(error: &wasmtime::Error) -> String {
    let cause = error.root_cause().to_string();
    let top = error.to_string();
    let line = |text: &str| text.lines().next().unwrap_or_default().to_string();
    if cause == top { line(&top) } else { format!("{}: {}", line(&top), line(&cause)) }
}

/// Data of an instance's store.
pub struct State<E = ()> {
    wasi: WasiCtx,
    http: WasiHttpCtx,
    pub table: ResourceTable,
    pub outbound: Metered,
    /// State that only one kind of component has.
    pub own: E,
    meter: Arc<Meter>,
    /// Bytes of all linear memories.
    pub memory_held: usize,
    /// By how much a memory was last allowed to grow.
    growing: usize,
    /// Elements of all tables.
    elements: usize,
    /// The limit that the component was last refused. It may do without.
    refused: Option<Limit>,
}

impl<E> State<E> {
    /// Returns the meter of the call.
    pub fn meter(&self) -> &Arc<Meter> {
        &self.meter
    }

    /// Begins a call, which the returned meter limits.
    pub fn begin_call(&mut self) -> Arc<Meter> {
        self.outbound.begin_call();
        Arc::clone(&self.meter)
    }

    /// The limit that is reached by what the host holds for the component, if any.
    fn over_held(&mut self) -> Option<Limit> {
        let resources = self.table.iter_mut().map(resource_bytes);
        let resources = resources.fold(0, usize::saturating_add);
        let held = self.in_wasm().saturating_add(resources);
        (held > self.meter.limits().memory_bytes).then(|| self.meter.reach(Limit::Memory))
    }

    /// Bytes of memories and tables.
    fn in_wasm(&self) -> usize {
        self.memory_held.saturating_add(self.elements.saturating_mul(ELEMENT_BYTES))
    }
}

/// Resources that an instance of many calls may hold for each beside the first.
#[cfg(feature = "p3")]
const RESOURCES_OF_A_CALL: usize = 16;

/// Handles in the components' own tables for each host resource: those on it, and those on
/// what components make themselves, tasks, streams and futures among it.
const HANDLES_OF_A_RESOURCE: usize = 4;

/// Returns the least number of bytes that a host resource takes.
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

/// The headers of what WASI 0.3 holds.
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

impl<E: Send> WasiView for State<E> {
    fn ctx(&mut self) -> WasiCtxView<'_> {
        WasiCtxView { ctx: &mut self.wasi, table: &mut self.table }
    }
}

impl<E: Send> WasiHttpView for State<E> {
    fn http(&mut self) -> WasiHttpCtxView<'_> {
        WasiHttpCtxView { ctx: &mut self.http, table: &mut self.table, hooks: &mut self.outbound }
    }
}

impl<E: Send> ResourceLimiter for State<E> {
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

/// A component's standard streams, as log lines within its budget. (The plugin has none;
/// other components of its world may.)
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
            // As it is written: what is escaped is longer.
            let line = line.escape_debug().to_string();
            match self.0.log(line.len().saturating_add(LINE_BYTES)) {
                meter::Log::Write => tracing::info!(target: "component", "{line}"),
                meter::Log::SaySo => {
                    let most = self.0.limits().log_bytes;
                    tracing::warn!(target: "component", most, "the component writes more than is logged of a call; the rest is dropped");
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
