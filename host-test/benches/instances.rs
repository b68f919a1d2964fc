//! Cost of an instance and of a call without I/O, compared with the native implementation.
//!
//! Profile of a fresh sans-I/O instance and one event (callgrind, 2026-11-30): 77,800 instructions.
//! The call takes 36,500 of them, of which 23,000 run in the component; the native implementation
//! takes 6,800. wasmtime's instantiation takes 26,000, and the drop of the store 6,000. The rest
//! creates the store and checks the types of the function. Over `wasi:http`, the instantiation takes
//! 67,000, of which 36,000 look up imports and exports of core modules.
//!
//! A warm sans-I/O event spends a quarter of its time on the JSON in the component, and 7 % in the
//! exported function; no other function has 5 % (perf, 2026-11-30).
//!
//! Tried on 2026-11-30: the core of the components at `opt-level` 3 takes 0.94 to 0.96 of the
//! instructions of a warm event, and makes the plugin 9 KB larger. Calls without a fiber, which a
//! component without imports does not need, take 0.99 of the time (minima of 40 runs in turns).
//!
//! ```text
//! cargo bench -p messaging-verify --bench instances            a table
//! cargo bench -p messaging-verify --bench instances -- --json  JSON for a script
//! ```
#![allow(clippy::unwrap_used, reason = "a benchmark panics when it fails")]

use std::hint::black_box;
use std::time::Instant;

use messaging_components::{PLUGIN, PLUGIN_SANS_IO};
use messaging_core::event::Event;
use messaging_host::cache::Cache;
use messaging_host::outbound::Trust;
use messaging_host::{AllowList, Host, Limits, Outbound, Plugin, PluginConfig, wit};
use messaging_verify::bench::{self, Group, Measure};
use tokio::runtime::{Builder, Runtime};

const ROUNDS: usize = 15;
const CALLS: u32 = 2_000;

fn config() -> PluginConfig {
    PluginConfig::new(
        Vec::new(),
        None,
        Outbound::new(AllowList::deny_all(), Trust::Public).unwrap(),
    )
    .unwrap()
}

/// Returns a delivery of about 300 bytes, the usual size of an event.
fn delivery() -> wit::WebhookDelivery {
    let header = |name: &str, value: &str| wit::Header { name: name.into(), value: value.into() };
    let text = "x".repeat(180);
    wit::WebhookDelivery {
        headers: vec![
            header("content-type", "application/json"),
            header("x-idempotency-key", "evt-0123456789abcdef"),
        ],
        body: format!(
            r#"{{"id":"msg-in-1","object":"message","event":"message:in:new","from":"+34600111222","message":"{text}"}}"#
        ),
    }
}

/// Runs `count` calls and adds the mean duration in microseconds to the group.
fn sample(group: &mut Group, name: &'static str, count: u32, mut call: impl FnMut()) {
    let started = Instant::now();
    for _ in 0..count {
        call();
    }
    group.sample(name, started.elapsed().as_secs_f64() * 1e6 / f64::from(count));
}

fn main() {
    let runtime: Runtime = Builder::new_current_thread().enable_all().build().unwrap();
    let limits = Limits { instances: 16, ..Limits::default() };
    let host = Host::new(limits).unwrap();
    let plugin = Plugin::load(&host, PLUGIN, config()).unwrap();
    let mut instance = runtime.block_on(plugin.instance()).unwrap();
    let sans_io = Plugin::load(&host, PLUGIN_SANS_IO, config()).unwrap();
    let mut pure = runtime.block_on(sans_io.instance()).unwrap();
    let delivery = delivery();
    let mut events = Group::new("handle-event, 300 bytes", Measure::Micros, NATIVE);
    const NATIVE: &str = "native";
    for _ in 0..bench::rounds(ROUNDS) {
        sample(&mut events, NATIVE, CALLS, || {
            let headers = delivery.headers.iter();
            let headers = headers.map(|one| (one.name.as_str(), one.value.as_str()));
            black_box(Event::read(headers, &delivery.body)).unwrap();
        });
        sample(&mut events, "a warm instance", CALLS, || {
            runtime.block_on(instance.handle_event(&delivery)).unwrap().unwrap();
        });
        sample(&mut events, "a fresh instance", CALLS, || {
            runtime.block_on(plugin.handle_event(&delivery)).unwrap().unwrap();
        });
        sample(&mut events, "without I/O, a warm instance", CALLS, || {
            runtime.block_on(pure.handle_event(&delivery)).unwrap().unwrap();
        });
        sample(&mut events, "without I/O, a fresh instance", CALLS, || {
            runtime.block_on(sans_io.handle_event(&delivery)).unwrap().unwrap();
        });
        sample(&mut events, "a fresh instance and no call", CALLS, || {
            drop(runtime.block_on(plugin.instance()).unwrap());
        });
    }
    let mut starts = Group::new("a component, ready to be called", Measure::Micros, COMPILED);
    const COMPILED: &str = "compiled";
    let folder = tempfile::tempdir().unwrap();
    let cached = host.clone().with_cache(Cache::open(folder.path()).unwrap());
    Plugin::load(&cached, PLUGIN, config()).unwrap();
    for _ in 0..bench::rounds(ROUNDS) {
        sample(&mut starts, COMPILED, 1, || {
            black_box(Plugin::load(&host, PLUGIN, config()).unwrap());
        });
        sample(&mut starts, "from the cache", 20, || {
            black_box(Plugin::load(&cached, PLUGIN, config()).unwrap());
        });
        sample(&mut starts, "from the cache, with its first call", 20, || {
            let plugin = Plugin::load(&cached, PLUGIN, config()).unwrap();
            runtime.block_on(plugin.handle_event(&delivery)).unwrap().unwrap();
        });
    }
    bench::report(&[events.figures(), starts.figures()].concat());
}
