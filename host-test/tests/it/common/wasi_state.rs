//! Minimal host state built from wasmtime's crates, with additional state of a test. Tests
//! should share a type of state, because WASI is compiled for each type.

use wasmtime::component::{Linker, ResourceTable};
use wasmtime::{Engine, Store};
use wasmtime_wasi::{WasiCtx, WasiCtxBuilder, WasiCtxView, WasiView};
use wasmtime_wasi_http::{WasiHttpCtx, WasiHttpCtxView, WasiHttpView};

pub struct WasiState<E> {
    wasi: WasiCtx,
    http: WasiHttpCtx,
    pub table: ResourceTable,
    pub own: E,
}

impl<E: Send> WasiState<E> {
    pub fn store(engine: &Engine, wasi: &mut WasiCtxBuilder, own: E) -> Store<Self> {
        let (http, table) = (WasiHttpCtx::new(), ResourceTable::new());
        Store::new(engine, Self { wasi: wasi.build(), http, table, own })
    }

    /// Creates a linker with WASI and HTTP.
    pub fn linker(engine: &Engine) -> Linker<Self> {
        let mut linker = Linker::new(engine);
        wasmtime_wasi::p2::add_to_linker_async(&mut linker).unwrap();
        wasmtime_wasi_http::p2::add_only_http_to_linker_async(&mut linker).unwrap();
        linker
    }
}

impl<E: Send> WasiView for WasiState<E> {
    fn ctx(&mut self) -> WasiCtxView<'_> {
        WasiCtxView { ctx: &mut self.wasi, table: &mut self.table }
    }
}

impl<E: Send> WasiHttpView for WasiState<E> {
    fn http(&mut self) -> WasiHttpCtxView<'_> {
        WasiHttpCtxView {
            ctx: &mut self.http,
            table: &mut self.table,
            hooks: wasmtime_wasi_http::default_hooks(),
        }
    }
}
