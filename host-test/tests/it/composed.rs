//! Composed webhooks: an HTTP delivery is stored in the inbox.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use crate::common::cached;
use crate::common::wasi_state::WasiState;
use bytes::Bytes;
use http_body_util::Full;
use messaging_components::{WEBHOOK_FILES, WEBHOOK_KEYVALUE};
use messaging_host::keyvalue::{self, KeyValueView};
use messaging_host::{Host, Limits};
use tempfile::TempDir;
use wasmtime::component::Component;
use wasmtime_wasi::{FsPerms, WasiCtxBuilder};
use wasmtime_wasi_http::WasiHttpView;
use wasmtime_wasi_http::p2::bindings::ProxyPre;
use wasmtime_wasi_http::p2::bindings::http::types::Scheme;

use crate::memory::Memory;

const EVENT: &str = r#"{"id":"m1","object":"message","event":"message:in:new"}"#;

type State = WasiState<Memory>;

/// Delivers to a fresh instance and returns the status.
async fn deliver(webhook: &[u8], wasi: &mut WasiCtxBuilder, store: &Memory, body: &str) -> u16 {
    let host = cached(Host::on_demand(Limits::default()).unwrap());
    let mut linker = State::linker(host.engine());
    keyvalue::add_to_linker(&mut linker, |state: &mut State| KeyValueView {
        store: Some(&state.own),
        table: &mut state.table,
    })
    .unwrap();
    let component = Component::new(host.engine(), webhook).unwrap();
    let webhook = ProxyPre::new(linker.instantiate_pre(&component).unwrap()).unwrap();

    let wasi = wasi.env("MESSAGING_WEBHOOK_ALLOW_UNVERIFIED", "true").inherit_stderr();
    let mut store = State::store(host.engine(), wasi, store.clone());
    store.set_epoch_deadline(u64::MAX / 2);
    let request = http::Request::post("http://localhost/")
        .header("content-type", "application/json")
        .header("x-idempotency-key", "evt-1")
        .body(Full::new(Bytes::copy_from_slice(body.as_bytes())))
        .unwrap();
    let (sender, receiver) = tokio::sync::oneshot::channel();
    let mut view = store.data_mut().http();
    let request = view.new_incoming_request(Scheme::Http, request).unwrap();
    let out = view.new_response_outparam(sender).unwrap();
    let webhook = webhook.instantiate_async(&mut store).await.unwrap();
    webhook.wasi_http_incoming_handler().call_handle(&mut store, request, out).await.unwrap();
    receiver.await.unwrap().unwrap().status().as_u16()
}

#[tokio::test]
async fn delivery_becomes_file() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("events/evt-1.json");
    for expected in [200, 200] {
        let mut wasi = WasiCtxBuilder::new();
        wasi.preopened_dir(folder.path(), "/inbox", FsPerms::ReadWrite).unwrap();
        let status = deliver(WEBHOOK_FILES, &mut wasi, &Memory::default(), EVENT).await;
        assert_eq!(status, expected);
        assert!(std::fs::read_to_string(&file).unwrap().contains(EVENT));
    }
    let unopened = &mut WasiCtxBuilder::new();
    assert_eq!(deliver(WEBHOOK_FILES, unopened, &Memory::default(), EVENT).await, 503);
    let malformed = &mut WasiCtxBuilder::new();
    assert_eq!(deliver(WEBHOOK_FILES, malformed, &Memory::default(), "{").await, 400);
}

#[tokio::test]
async fn delivery_becomes_value() {
    let store = Memory::default();
    let wasi = &mut WasiCtxBuilder::new();
    assert_eq!(deliver(WEBHOOK_KEYVALUE, wasi, &store, EVENT).await, 200);
    assert_eq!(store.keys().len(), 2);
    assert!(store.value("first.evt-1").is_some());
}
