//! The smallest host: loads the plugin's file and sends one message.
//!
//! ```text
//! embed-rust PLUGIN.wasm PHONE TEXT
//! ```
//!
//! It passes on the `MESSAGING_*` settings of its own environment. A host for
//! components that it does not trust limits more: see `host-test/src/plugin.rs`.

use wasmtime::component::{Component, Linker, ResourceTable};
use wasmtime::error::Context;
use wasmtime::{Engine, Result, Store, bail};
use wasmtime_wasi::{WasiCtx, WasiCtxBuilder, WasiCtxView, WasiView};
use wasmtime_wasi_http::{WasiHttpCtx, WasiHttpCtxView, WasiHttpView};

#[allow(missing_docs, reason = "the WIT documents what is generated from it")]
mod plugin {
    wasmtime::component::bindgen!({
    path: "../../wit",
    inline: "package example:embed; world messaging-host { export messaging:integration/messaging@0.2.0; }",
    world: "example:embed/messaging-host",
    exports: { default: async },
    });
}

use plugin::MessagingHost;
use plugin::exports::messaging::integration::messaging::MessageRequest;

struct State {
    wasi: WasiCtx,
    http: WasiHttpCtx,
    table: ResourceTable,
}

impl WasiView for State {
    fn ctx(&mut self) -> WasiCtxView<'_> {
        WasiCtxView { ctx: &mut self.wasi, table: &mut self.table }
    }
}

impl WasiHttpView for State {
    fn http(&mut self) -> WasiHttpCtxView<'_> {
        WasiHttpCtxView { ctx: &mut self.http, table: &mut self.table, hooks: Default::default() }
    }
}

#[tokio::main]
async fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [file, phone, message] = arguments.as_slice() else {
        bail!("usage: embed-rust PLUGIN.wasm PHONE TEXT");
    };
    let engine = Engine::default();
    let component =
        Component::from_file(&engine, file).with_context(|| format!("{file} cannot be loaded"))?;
    let mut linker = Linker::<State>::new(&engine);
    wasmtime_wasi::p2::add_to_linker_async(&mut linker)?;
    wasmtime_wasi_http::p2::add_only_http_to_linker_async(&mut linker)?;

    let settings: Vec<_> =
        std::env::vars().filter(|(name, _)| name.starts_with("MESSAGING_")).collect();
    let wasi = WasiCtxBuilder::new().envs(&settings).build();
    let state = State { wasi, http: WasiHttpCtx::new(), table: ResourceTable::new() };
    let mut store = Store::new(&engine, state);
    let plugin = MessagingHost::instantiate_async(&mut store, &component, &linker).await?;
    let (phone, message) = (phone.clone(), message.clone());
    let request = MessageRequest { phone, message, device: None, fields: Vec::new() };
    let messaging = plugin.messaging_integration_messaging();
    match messaging.call_send_message(&mut store, &request).await? {
        Ok(created) => println!("created {}", created.id),
        // Only `RateLimited` and `NotSent` may be tried again: they prove that nothing was
        // created.
        Err(error) => bail!("{error:?}"),
    }
    Ok(())
}
