//! Sends one message with wasmtime's own crates, without `messaging-host`.
//!
//! ```text
//! embed-wasmtime PLUGIN.wasm PHONE TEXT
//! ```
//!
//! Reads the base URL and the API key from the environment, and passes both to the component.

use wasmtime::component::{Component, Linker, ResourceTable};
use wasmtime::error::Context;
use wasmtime::{Config, Engine, Store, StoreLimits, StoreLimitsBuilder, bail};
use wasmtime_wasi::{WasiCtx, WasiCtxBuilder, WasiCtxView, WasiView};
use wasmtime_wasi_http::{WasiHttpCtx, WasiHttpCtxView, WasiHttpView};

use bindings::messaging::integration::types::MessageRequest;

#[allow(missing_docs, clippy::all, clippy::pedantic, reason = "generated from the WIT")]
mod bindings {
    wasmtime::component::bindgen!({
        path: "../../wit",
        inline: "package example:host; world caller { export messaging:integration/messaging@0.2.0; }",
        world: "example:host/caller",
        exports: { default: async },
    });
}

struct State {
    wasi: WasiCtx,
    http: WasiHttpCtx,
    table: ResourceTable,
    limits: StoreLimits,
}

impl WasiView for State {
    fn ctx(&mut self) -> WasiCtxView<'_> {
        WasiCtxView { ctx: &mut self.wasi, table: &mut self.table }
    }
}

impl WasiHttpView for State {
    fn http(&mut self) -> WasiHttpCtxView<'_> {
        let hooks = wasmtime_wasi_http::default_hooks();
        WasiHttpCtxView { ctx: &mut self.http, table: &mut self.table, hooks }
    }
}

#[tokio::main]
async fn main() -> wasmtime::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [file, phone, message] = arguments.as_slice() else {
        bail!("usage: embed-wasmtime PLUGIN.wasm PHONE TEXT");
    };
    let engine = Engine::new(&Config::new())?;
    let component = Component::from_file(&engine, file)?;
    let mut linker = Linker::new(&engine);
    wasmtime_wasi::p2::add_to_linker_async(&mut linker)?;
    wasmtime_wasi_http::p2::add_only_http_to_linker_async(&mut linker)?;

    let mut wasi = WasiCtxBuilder::new();
    for name in ["MESSAGING_BASE_URL", "MESSAGING_API_KEY"] {
        wasi.env(name, std::env::var(name).context(name)?);
    }
    let state = State {
        wasi: wasi.build(),
        http: WasiHttpCtx::new(),
        table: ResourceTable::new(),
        limits: StoreLimitsBuilder::new().memory_size(64 * 1024 * 1024).build(),
    };
    let mut store = Store::new(&engine, state);
    store.limiter(|state| &mut state.limits);
    let plugin = bindings::Caller::instantiate_async(&mut store, &component, &linker).await?;

    let request = MessageRequest {
        phone: phone.clone(),
        message: message.clone(),
        device: None,
        fields: Vec::new(),
    };
    let messaging = plugin.messaging_integration_messaging();
    // If a trap or a limit ends the call here, the message may exist.
    match messaging.call_send_message(&mut store, &request).await? {
        Ok(created) => println!("created {}", created.id),
        // Retry only after `RateLimited` and `NotSent`: no message was created.
        Err(error) => bail!("{error:?}"),
    }
    Ok(())
}
