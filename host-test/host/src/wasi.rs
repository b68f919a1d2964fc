//! WASI 0.2 interfaces for components: the world `wasi:http/imports` without its handler, and the
//! interfaces that language runtimes import.
//!
//! | interface | imported by |
//! |---|---|
//! | `wasi:http/{types,outgoing-handler}`, `wasi:io`, `wasi:clocks`, `wasi:cli/environment` | worlds in `wit/` |
//! | `wasi:cli/{exit,stdin,stdout,stderr,terminal-*}`, `wasi:random` | standard libraries, even if unused |
//! | `wasi:filesystem` | inboxes and journals in a directory |
//!
//! A component with other imports fails to load: for example, a component that imports sockets, or
//! a plugin that imports files.

#[cfg(feature = "p3")]
mod p3;

use std::sync::Arc;

use wasmtime::component::{ComponentType, HasData, Lift, Linker, LinkerInstance, Resource};
use wasmtime::{StoreContextMut, format_err};
use wasmtime_wasi::cli::{WasiCli, WasiCliView};
use wasmtime_wasi::filesystem::{WasiFilesystem, WasiFilesystemView};
use wasmtime_wasi::p2::bindings::filesystem;
use wasmtime_wasi::p2::bindings::{cli, random};
use wasmtime_wasi_http::p2::bindings::http::types::{self as http, HostOutgoingRequest};
use wasmtime_wasi_http::{Error, WasiHttpCtxView, WasiHttpView};

use crate::meter::Meter;
use crate::random as system;
use crate::state::State;
#[cfg(feature = "p3")]
pub use p3::link as link_p3;

/// Maximum size of the method, authority, or path with query of an outgoing request, in bytes.
/// Bounds the memory of a component that holds many requests. RFC 9110, section 4.1, recommends
/// support for URIs of 8,000 bytes.
const MAX_PART_BYTES: usize = 16 * 1024;

/// The interface in which this module replaces functions, with the version that wasmtime links.
const HTTP_TYPES: &str = "wasi:http/types@0.2.12";

/// Links the interfaces that every component of WASI 0.2 gets.
pub fn link(linker: &mut Linker<State>) -> wasmtime::Result<()> {
    wasmtime_wasi_http::p2::add_to_linker_async(linker)?;
    cli::environment::add_to_linker::<State, WasiCli>(linker, State::cli)?;
    cli::exit::add_to_linker::<State, WasiCli>(linker, State::cli)?;
    cli::terminal_input::add_to_linker::<State, WasiCli>(linker, State::cli)?;
    cli::terminal_output::add_to_linker::<State, WasiCli>(linker, State::cli)?;
    cli::terminal_stdin::add_to_linker::<State, WasiCli>(linker, State::cli)?;
    cli::terminal_stdout::add_to_linker::<State, WasiCli>(linker, State::cli)?;
    cli::terminal_stderr::add_to_linker::<State, WasiCli>(linker, State::cli)?;

    // Replaces wasmtime's functions, which have no budget.
    linker.allow_shadowing(true);
    random::random::add_to_linker::<State, Randomness>(linker, randomness)?;
    random::insecure::add_to_linker::<State, Randomness>(linker, randomness)?;
    random::insecure_seed::add_to_linker::<State, Randomness>(linker, randomness)?;
    let mut types = linker.instance(HTTP_TYPES)?;
    let short: fn(&http::Method) -> bool =
        |method| !matches!(method, http::Method::Other(name) if name.len() > MAX_PART_BYTES);
    bound(&mut types, "[method]outgoing-request.set-method", short, |http, request, method| {
        http.set_method(request, method)
    })?;
    bound(&mut types, "[method]outgoing-request.set-authority", fits, |http, request, text| {
        http.set_authority(request, text)
    })?;
    bound(
        &mut types,
        "[method]outgoing-request.set-path-with-query",
        fits,
        |http, request, text| http.set_path_with_query(request, text),
    )?;
    types.func_wrap("http-error-code", http_error_code)?;
    linker.allow_shadowing(false);
    Ok(())
}

/// Links the file interfaces, for the directories in the component's context.
pub fn link_files(linker: &mut Linker<State>) -> wasmtime::Result<()> {
    filesystem::preopens::add_to_linker::<State, WasiFilesystem>(linker, State::filesystem)?;
    filesystem::types::add_to_linker::<State, WasiFilesystem>(linker, State::filesystem)
}

type Set = wasmtime::Result<Result<(), ()>>;

/// Replaces a function of wasmtime that sets a part of a request. The new function rejects parts
/// that do not satisfy `fits`.
fn bound<R: 'static, P: ComponentType + Lift + 'static>(
    types: &mut LinkerInstance<'_, State>,
    name: &str,
    fits: fn(&P) -> bool,
    set: fn(&mut WasiHttpCtxView<'_>, Resource<R>, P) -> Set,
) -> wasmtime::Result<()> {
    let set = move |mut store: StoreContextMut<'_, State>, (request, part)| {
        let is_set = match fits(&part) {
            true => set(&mut store.data_mut().http(), request, part)?,
            false => Err(()),
        };
        Ok((is_set,))
    };
    types.func_wrap(name, set)
}

fn fits(text: &Option<String>) -> bool {
    text.as_ref().is_none_or(|text| text.len() <= MAX_PART_BYTES)
}

/// Returns the error code of a stream. Replaces wasmtime's function, which does not know errors of
/// a response body. With wasmtime's function, the component would report a broken connection.
fn http_error_code(
    mut store: StoreContextMut<'_, State>,
    (error,): (Resource<http::IoError>,),
) -> wasmtime::Result<(Option<http::ErrorCode>,)> {
    let error = store.data_mut().table.get(&error)?;
    let code = match error.downcast_ref() {
        Some(Error::HttpResponseContentCoding(_)) => {
            Some(http::ErrorCode::HttpResponseContentCoding(None))
        }
        Some(Error::HttpResponseBodySize(_)) => Some(http::ErrorCode::HttpResponseBodySize(None)),
        _ => error.downcast_ref::<http::ErrorCode>().cloned(),
    };
    Ok((code,))
}

/// Random bytes from the operating system, within the budget of a call. Components use them for
/// attempt IDs.
struct Randomness(Arc<Meter>);

impl HasData for Randomness {
    type Data<'a> = Self;
}

fn randomness(state: &mut State) -> Randomness {
    Randomness(Arc::clone(state.meter()))
}

impl Randomness {
    fn bytes(&self, count: u64) -> wasmtime::Result<Vec<u8>> {
        let over = || format_err!("too many random bytes in a call");
        if !self.0.random(count) {
            return Err(over());
        }
        let mut bytes = vec![0; usize::try_from(count).map_err(|_| over())?];
        system::fill(&mut bytes)?;
        Ok(bytes)
    }

    fn number(&self) -> wasmtime::Result<u64> {
        let bytes = self.bytes(8)?;
        Ok(bytes.into_iter().fold(0, |number, byte| (number << 8) | u64::from(byte)))
    }
}

impl random::random::Host for Randomness {
    fn get_random_bytes(&mut self, count: u64) -> wasmtime::Result<Vec<u8>> {
        self.bytes(count)
    }

    fn get_random_u64(&mut self) -> wasmtime::Result<u64> {
        self.number()
    }
}

impl random::insecure::Host for Randomness {
    fn get_insecure_random_bytes(&mut self, count: u64) -> wasmtime::Result<Vec<u8>> {
        self.bytes(count)
    }

    fn get_insecure_random_u64(&mut self) -> wasmtime::Result<u64> {
        self.number()
    }
}

impl random::insecure_seed::Host for Randomness {
    fn insecure_seed(&mut self) -> wasmtime::Result<(u64, u64)> {
        Ok((self.number()?, self.number()?))
    }
}
