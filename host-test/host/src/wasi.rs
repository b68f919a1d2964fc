//! Interfaces of WASI 0.2 that a component is linked with: the world `wasi:http/imports`
//! without its handler, and what the runtimes of languages want in addition. Owns no decision
//! of a call's.
//!
//! | interface | why |
//! |---|---|
//! | `wasi:http/{types,outgoing-handler}`, `wasi:io`, `wasi:clocks`, `wasi:cli/environment` | the worlds of this repository import them |
//! | `wasi:cli/{exit,stdin,stdout,stderr,terminal-*}`, `wasi:random` | standard libraries import them, whether they are used or not |
//! | `wasi:filesystem` | for a webhook whose inbox is a folder, and for a journal in one |
//!
//! Nothing else: a component that imports sockets, or a plugin that imports files, is
//! refused when it is loaded.

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

/// The longest method, authority, or path with query of a request that is being built:
/// a component may hold many. Servers take paths of 8,000 bytes.
const MAX_PART_BYTES: usize = 16 * 1024;

/// The version of `wasi:http/types` that wasmtime links, where functions are replaced.
const HTTP_TYPES: &str = "wasi:http/types@0.2.12";

/// Links what every component of WASI 0.2 gets.
pub fn link<E: Send + 'static>(linker: &mut Linker<State<E>>) -> wasmtime::Result<()> {
    wasmtime_wasi_http::p2::add_to_linker_async(linker)?;
    cli::environment::add_to_linker::<State<E>, WasiCli>(linker, State::<E>::cli)?;
    cli::exit::add_to_linker::<State<E>, WasiCli>(linker, State::<E>::cli)?;
    cli::terminal_input::add_to_linker::<State<E>, WasiCli>(linker, State::<E>::cli)?;
    cli::terminal_output::add_to_linker::<State<E>, WasiCli>(linker, State::<E>::cli)?;
    cli::terminal_stdin::add_to_linker::<State<E>, WasiCli>(linker, State::<E>::cli)?;
    cli::terminal_stdout::add_to_linker::<State<E>, WasiCli>(linker, State::<E>::cli)?;
    cli::terminal_stderr::add_to_linker::<State<E>, WasiCli>(linker, State::<E>::cli)?;

    // In place of wasmtime's own, which know no budget.
    linker.allow_shadowing(true);
    random::random::add_to_linker::<State<E>, Randomness>(linker, randomness)?;
    random::insecure::add_to_linker::<State<E>, Randomness>(linker, randomness)?;
    random::insecure_seed::add_to_linker::<State<E>, Randomness>(linker, randomness)?;
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
    types.func_wrap("http-error-code", http_error_code::<E>)?;
    linker.allow_shadowing(false);
    Ok(())
}

/// Links files: those of the folders in the component's context.
pub fn link_files<E: Send + 'static>(linker: &mut Linker<State<E>>) -> wasmtime::Result<()> {
    filesystem::preopens::add_to_linker::<State<E>, WasiFilesystem>(
        linker,
        State::<E>::filesystem,
    )?;
    filesystem::types::add_to_linker::<State<E>, WasiFilesystem>(linker, State::<E>::filesystem)
}

type Set = wasmtime::Result<Result<(), ()>>;

/// Links, in place of wasmtime's own, a function that sets a part of a request if the part `fits`.
fn bound<E: Send + 'static, R: 'static, P: ComponentType + Lift + 'static>(
    types: &mut LinkerInstance<'_, State<E>>,
    name: &str,
    fits: fn(&P) -> bool,
    set: fn(&mut WasiHttpCtxView<'_>, Resource<R>, P) -> Set,
) -> wasmtime::Result<()> {
    let set = move |mut store: StoreContextMut<'_, State<E>>, (request, part)| {
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

/// Returns the code of a stream's error. wasmtime's own function knows no error of a response's
/// body, and the component would say that the connection broke.
fn http_error_code<E: Send>(
    mut store: StoreContextMut<'_, State<E>>,
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

/// Random bytes of the operating system, within a call's budget. A component names its attempts
/// with them.
struct Randomness(Arc<Meter>);

impl HasData for Randomness {
    type Data<'a> = Self;
}

fn randomness<E>(state: &mut State<E>) -> Randomness {
    Randomness(Arc::clone(state.meter()))
}

impl Randomness {
    fn bytes(&self, count: u64) -> wasmtime::Result<Vec<u8>> {
        let over = || format_err!("more random bytes than a call may draw");
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
