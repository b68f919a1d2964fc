//! WASI 0.3 interfaces for components.

use wasmtime::component::Linker;
use wasmtime_wasi::cli::{WasiCli, WasiCliView};
use wasmtime_wasi::clocks::{WasiClocks, WasiClocksView};
use wasmtime_wasi::p3::bindings::{cli, clocks};
use wasmtime_wasi_http::p3::bindings::http::types::{self as http, HostRequest};

use super::{MAX_PART_BYTES, bound, fits};
use crate::state::State;

/// The interface in which this module replaces functions, with the version that wasmtime links.
const HTTP_TYPES: &str = "wasi:http/types@0.3.0";

/// Links the imports of the plugin's world for WASI 0.3.
pub fn link(linker: &mut Linker<State>) -> wasmtime::Result<()> {
    cli::environment::add_to_linker::<State, WasiCli>(linker, State::cli)?;
    clocks::types::add_to_linker::<State, WasiClocks>(linker, State::clocks)?;
    clocks::monotonic_clock::add_to_linker::<State, WasiClocks>(linker, State::clocks)?;
    wasmtime_wasi_http::p3::add_to_linker(linker)?;

    linker.allow_shadowing(true);
    let mut types = linker.instance(HTTP_TYPES)?;
    let short: fn(&http::Method) -> bool =
        |method| !matches!(method, http::Method::Other(name) if name.len() > MAX_PART_BYTES);
    bound(&mut types, "[method]request.set-method", short, |http, request, method| {
        http.set_method(request, method)
    })?;
    bound(&mut types, "[method]request.set-authority", fits, |http, request, text| {
        http.set_authority(request, text)
    })?;
    bound(&mut types, "[method]request.set-path-with-query", fits, |http, request, text| {
        http.set_path_with_query(request, text)
    })?;
    linker.allow_shadowing(false);
    Ok(())
}
