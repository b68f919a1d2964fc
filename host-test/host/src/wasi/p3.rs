//! Interfaces of WASI 0.3 that a component is linked with.

use wasmtime::StoreContextMut;
use wasmtime::component::{Linker, Resource};
use wasmtime_wasi::cli::{WasiCli, WasiCliView};
use wasmtime_wasi::clocks::{WasiClocks, WasiClocksView};
use wasmtime_wasi::p3::bindings::{cli, clocks};
use wasmtime_wasi_http::WasiHttpView;
use wasmtime_wasi_http::p3::bindings::http::types::{self as http, HostRequest};

use super::{Set, fits};
use crate::state::State;

/// The version of `wasi:http/types` that wasmtime links, where functions are replaced.
const HTTP_TYPES: &str = "wasi:http/types@0.3.0";

/// Links what the plugin's world for WASI 0.3 imports.
pub fn link(linker: &mut Linker<State>) -> wasmtime::Result<()> {
    cli::environment::add_to_linker::<State, WasiCli>(linker, State::cli)?;
    clocks::types::add_to_linker::<State, WasiClocks>(linker, State::clocks)?;
    clocks::monotonic_clock::add_to_linker::<State, WasiClocks>(linker, State::clocks)?;
    wasmtime_wasi_http::p3::add_to_linker(linker)?;

    linker.allow_shadowing(true);
    let mut types = linker.instance(HTTP_TYPES)?;
    types.func_wrap("[method]request.set-method", set_method)?;
    types.func_wrap("[method]request.set-authority", set_authority)?;
    types.func_wrap("[method]request.set-path-with-query", set_path)?;
    linker.allow_shadowing(false);
    Ok(())
}

type Outgoing = Resource<http::Request>;

fn set_method(
    mut store: StoreContextMut<'_, State>,
    (request, method): (Outgoing, http::Method),
) -> Set {
    if matches!(&method, http::Method::Other(name) if !fits(Some(name))) {
        return Ok((Err(()),));
    }
    Ok((HostRequest::set_method(&mut store.data_mut().http(), request, method)?,))
}

fn set_authority(
    mut store: StoreContextMut<'_, State>,
    (request, authority): (Outgoing, Option<String>),
) -> Set {
    if !fits(authority.as_ref()) {
        return Ok((Err(()),));
    }
    Ok((HostRequest::set_authority(&mut store.data_mut().http(), request, authority)?,))
}

fn set_path(
    mut store: StoreContextMut<'_, State>,
    (request, path): (Outgoing, Option<String>),
) -> Set {
    if !fits(path.as_ref()) {
        return Ok((Err(()),));
    }
    Ok((HostRequest::set_path_with_query(&mut store.data_mut().http(), request, path)?,))
}
