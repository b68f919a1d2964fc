//! What an instance costs, and a pure call, beside the same logic native: `cargo
//! bench --bench instances`.
#![allow(clippy::unwrap_used, reason = "a benchmark stops where it fails")]

use divan::Bencher;
use host_test::outbound::Trust;
use host_test::{AllowList, Host, Limits, Outbound, PLUGIN, Plugin, Sandbox, wit};
use messaging_core::event::Event;
use tokio::runtime::{Builder, Runtime};
use wasmtime::component::Component;

fn main() {
    divan::main();
}

fn runtime() -> Runtime {
    Builder::new_current_thread().enable_all().build().unwrap()
}

fn sandbox() -> Sandbox {
    Sandbox::new(Vec::new(), None, Outbound::new(AllowList::deny_all(), Trust::Public).unwrap())
}

fn plugin() -> Plugin {
    let host = Host::new(Limits { instances: 16, ..Limits::default() }).unwrap();
    Plugin::load(&host, PLUGIN, sandbox()).unwrap()
}

/// About 300 bytes, as events are.
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

#[divan::bench]
fn event_native(bencher: Bencher<'_, '_>) {
    let delivery = delivery();
    bencher.bench(|| {
        let headers = delivery.headers.iter().map(|one| (one.name.as_str(), one.value.as_str()));
        Event::read(headers, &delivery.body).unwrap()
    });
}

#[divan::bench]
fn event_in_a_warm_instance(bencher: Bencher<'_, '_>) {
    let (runtime, plugin, delivery) = (runtime(), plugin(), delivery());
    let mut instance = runtime.block_on(plugin.instance()).unwrap();
    bencher.bench_local(|| runtime.block_on(instance.handle_event(&delivery)).unwrap().unwrap());
}

#[divan::bench]
fn event_in_a_fresh_instance(bencher: Bencher<'_, '_>) {
    let (runtime, plugin, delivery) = (runtime(), plugin(), delivery());
    bencher.bench_local(|| runtime.block_on(plugin.handle_event(&delivery)).unwrap().unwrap());
}

#[divan::bench]
fn instantiate(bencher: Bencher<'_, '_>) {
    let (runtime, plugin) = (runtime(), plugin());
    bencher.bench_local(|| runtime.block_on(plugin.instance()).unwrap());
}

#[divan::bench(sample_count = 10)]
fn compile() -> Component {
    let host = Host::on_demand(Limits::default()).unwrap();
    Component::new(host.engine(), PLUGIN).unwrap()
}

#[divan::bench]
fn load_precompiled(bencher: Bencher<'_, '_>) {
    let host = Host::new(Limits { instances: 16, ..Limits::default() }).unwrap();
    let bytes = host.engine().precompile_component(PLUGIN).unwrap();
    bencher.bench_local(|| {
        // SAFETY: the bytes come from this very engine, a line above.
        let component = unsafe { Component::deserialize(host.engine(), &bytes) }.unwrap();
        Plugin::link(&host, &component, sandbox()).unwrap()
    });
}
