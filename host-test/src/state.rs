//! What an instance lives in: WASI, HTTP, and the budget of a call. Owns the limits
//! and how breaking one is told apart; the same for every component of this host.

use std::sync::Arc;

use wasmtime::component::ResourceTable;
use wasmtime::{AsContextMut, ResourceLimiter, Store, Trap, UpdateDeadline};
use wasmtime_wasi::cli::{IsTerminal, StdoutStream};
use wasmtime_wasi::p2::{OutputStream, Pollable, StreamError, StreamResult};
use wasmtime_wasi::{WasiCtx, WasiCtxBuilder, WasiCtxView, WasiView};
use wasmtime_wasi_http::{WasiHttpCtx, WasiHttpCtxView, WasiHttpView};

use crate::engine::{Host, Limits};
use crate::error::CallError;
use crate::inbox::Buckets;
use crate::outbound::Outbound;
use crate::webhook::Inbox;

/// A store for one instance, with a whole budget. `wasi` brings what the component
/// may see of the machine; its output becomes log lines.
pub fn store(host: &Host, mut wasi: WasiCtxBuilder, outbound: Outbound) -> Store<State> {
    let limits = host.limits();
    let state = State {
        wasi: wasi.stdout(Log).stderr(Log).build(),
        http: WasiHttpCtx::new(),
        table: ResourceTable::new(),
        outbound,
        inbox: None,
        buckets: Buckets::default(),
        memory_bytes: limits.memory_bytes,
        table_elements: limits.table_elements,
        memory_held: 0,
        over_memory: false,
        ticks_left: limits.cpu_ticks(),
        over_cpu: false,
    };
    let mut store = Store::new(host.engine(), state);
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
    store
}

/// Gives the next call a whole budget.
pub fn restart_budget(mut store: impl AsContextMut<Data = State>, limits: &Limits) {
    let mut store = store.as_context_mut();
    store.data_mut().ticks_left = limits.cpu_ticks();
    store.set_epoch_deadline(1);
}

/// Why there is no instance.
pub fn instantiation_error(store: &Store<State>, error: &wasmtime::Error) -> CallError {
    if error.is::<wasmtime::PoolConcurrencyLimitError>() {
        CallError::Busy(first_line(error))
    } else {
        call_error(store, error)
    }
}

/// Why a call did not come to its end.
pub fn call_error(store: &Store<State>, error: &wasmtime::Error) -> CallError {
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
pub fn first_line(error: &wasmtime::Error) -> String {
    let cause = error.root_cause().to_string();
    let top = error.to_string();
    let line = |text: &str| text.lines().next().unwrap_or_default().to_string();
    if cause == top { line(&top) } else { format!("{}: {}", line(&top), line(&cause)) }
}

/// What an instance's store holds.
pub struct State {
    wasi: WasiCtx,
    http: WasiHttpCtx,
    pub table: ResourceTable,
    pub outbound: Outbound,
    /// Where a webhook's events go, if this host keeps them.
    pub inbox: Option<Arc<dyn Inbox>>,
    /// What is behind a webhook's `wasi:keyvalue`.
    pub buckets: Buckets,
    memory_bytes: usize,
    table_elements: usize,
    /// The largest linear memory so far.
    pub memory_held: usize,
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
        if allowed {
            self.memory_held = self.memory_held.max(desired);
        }
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
