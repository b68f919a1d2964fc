//! Workload for counting instructions under valgrind. `cargo verify bench --counts` runs it with N
//! calls and with 2N calls; the difference is the cost of N calls.
//!
//! ```text
//! counts WAY CALLS
//! ```
//!
//! WAY is one measured code path, for example `warm-send`. CALLS is the number of calls.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a benchmark panics when it fails")]

use std::hint::black_box;
use std::path::Path;
use std::sync::Arc;

use bytes::Bytes;
use http::{Request, Response};
use http_body_util::{BodyExt, Full};
use messaging_components::PLUGIN;
use messaging_conformance::native::Native;
use messaging_core::secret::ApiKey;
use messaging_host::cache::Cache;
use messaging_host::outbound::{Answer, Transport};
use messaging_host::{AllowList, Host, Limits, Messaging, Outbound, Plugin, PluginConfig, wit};
use wasmtime_wasi_http::WasiBody;

/// A service in this process that creates a message for each request.
struct Created;

impl Transport for Created {
    fn send(&self, _: Request<WasiBody>) -> Answer {
        Box::pin(async {
            let body = Full::new(Bytes::from_static(br#"{"id":"msg-1","object":"message"}"#));
            let body = body.map_err(|never| match never {}).boxed_unsync();
            Ok(Response::builder().status(201).body(body).unwrap())
        })
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    // Does nothing if Cargo runs this program with other arguments.
    let [_, way, calls, ..] = arguments.as_slice() else { return };
    let Ok(calls) = calls.parse::<u32>() else { return };
    // Uses a single thread, so that equal work executes the same number of instructions.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let allow = AllowList::parse(["https://api.example"]).unwrap();
    let settings = vec![("MESSAGING_BASE_URL".to_string(), "https://api.example".to_string())];
    let key = ApiKey::new("counted-key".into()).unwrap();
    let outbound = Outbound::over(allow, Arc::new(Created));
    let config = PluginConfig::new(settings, Some(key), outbound).unwrap();
    let request = wit::MessageRequest::new("+34600111222", "Your order is ready for pickup.");
    let header = |name: &str, value: &str| wit::Header { name: name.into(), value: value.into() };
    let delivery = wit::WebhookDelivery {
        headers: vec![
            header("content-type", "application/json"),
            header("x-idempotency-key", "evt-0123456789abcdef"),
        ],
        body: format!(
            r#"{{"id":"msg-in-1","object":"message","event":"message:in:new","message":"{}"}}"#,
            "x".repeat(200)
        ),
    };
    let native = Native(config.clone());
    let plugin = || {
        // Valgrind has too little address space for an instance pool. The cache avoids a second
        // compilation of the component, which is slow under valgrind.
        let host = Host::on_demand(Limits::default()).unwrap();
        let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join("counted");
        Plugin::load(&host.with_cache(Cache::open(&cache).unwrap()), PLUGIN, config).unwrap()
    };
    runtime.block_on(async {
        match way.as_str() {
            "native-event" => {
                for _ in 0..calls {
                    black_box(native.handle_event(&delivery).await).unwrap().unwrap();
                }
            }
            "native-send" => {
                for _ in 0..calls {
                    black_box(native.send_message(&request).await).unwrap().unwrap();
                }
            }
            "warm-event" => {
                let mut instance = plugin().instance().await.unwrap();
                for _ in 0..calls {
                    instance.handle_event(&delivery).await.unwrap().unwrap();
                }
            }
            "warm-send" => {
                let mut instance = plugin().instance().await.unwrap();
                for _ in 0..calls {
                    instance.send_message(&request).await.unwrap().unwrap();
                }
            }
            "fresh-send" => {
                let plugin = plugin();
                for _ in 0..calls {
                    plugin.send_message(&request).await.unwrap().unwrap();
                }
            }
            other => panic!("{other}: unknown way"),
        }
    });
}
