//! Constant-time checks in the released webhook: every rejection executes an equal number of
//! instructions. The number depends neither on the position of the first difference nor on the
//! position of the valid signature among several.

use std::sync::OnceLock;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use hmac::{Hmac, KeyInit, Mac};
use http_body_util::Full;
use messaging_components::WEBHOOK_FILES;
use sha2::Sha256;
use wasmtime::component::Component;
use wasmtime::{Config, Engine};
use wasmtime_wasi::WasiCtxBuilder;
use wasmtime_wasi_http::WasiHttpView;
use wasmtime_wasi_http::p2::bindings::ProxyPre;
use wasmtime_wasi_http::p2::bindings::http::types::Scheme;

use crate::common::wasi_state::WasiState;
use crate::memory::Memory;

const BODY: &str = r#"{"id":"m1","object":"message","event":"message:in:new"}"#;
const SECRET: &str = "a-secret-of-enough-bytes";
const NEXT: &str = "the-next-of-enough-bytes";
const FUEL: u64 = 1 << 40;

type State = WasiState<Memory>;

/// Returns the webhook on an engine that counts instructions. The webhook has no directory, because
/// a rejected delivery is not stored.
fn webhook() -> &'static (Engine, ProxyPre<State>) {
    static ONCE: OnceLock<(Engine, ProxyPre<State>)> = OnceLock::new();
    ONCE.get_or_init(|| {
        let engine = Engine::new(Config::new().consume_fuel(true)).unwrap();
        let component = Component::new(&engine, WEBHOOK_FILES).unwrap();
        let pre =
            ProxyPre::new(State::linker(&engine).instantiate_pre(&component).unwrap()).unwrap();
        (engine, pre)
    })
}

/// Returns the number of instructions of a delivery that is answered 401.
async fn refused(settings: &[(&str, &str)], path: &str, headers: &[(&str, String)]) -> u64 {
    let (engine, pre) = webhook();
    let mut wasi = WasiCtxBuilder::new();
    for (name, value) in settings {
        wasi.env(format!("MESSAGING_WEBHOOK_{name}"), value);
    }
    let mut store = State::store(engine, &mut wasi, Memory::default());
    store.set_fuel(FUEL).unwrap();
    let mut request = http::Request::post(format!("http://localhost{path}"))
        .header("content-type", "application/json")
        .header("x-idempotency-key", "evt-1");
    for (name, value) in headers {
        request = request.header(*name, value);
    }
    let request = request.body(Full::new(Bytes::from_static(BODY.as_bytes()))).unwrap();
    let (sender, receiver) = tokio::sync::oneshot::channel();
    let mut view = store.data_mut().http();
    let request = view.new_incoming_request(Scheme::Http, request).unwrap();
    let out = view.new_response_outparam(sender).unwrap();
    let instance = pre.instantiate_async(&mut store).await.unwrap();
    let before = store.get_fuel().unwrap();
    instance.wasi_http_incoming_handler().call_handle(&mut store, request, out).await.unwrap();
    assert_eq!(receiver.await.unwrap().unwrap().status(), 401);
    before - store.get_fuel().unwrap()
}

/// Changes one letter or digit to another character of its kind, so that both texts are parsed
/// alike.
fn changed(text: &str, at: usize) -> String {
    let change = |byte: u8| match byte {
        b'0' => b'1',
        b'1'..=b'9' => byte - 1,
        b'a' => b'b',
        b'b'..=b'z' => byte - 1,
        b'A' => b'B',
        b'B'..=b'Z' => byte - 1,
        other => panic!("{other} is not a letter or a digit"),
    };
    let mut bytes = text.as_bytes().to_vec();
    bytes[at] = change(bytes[at]);
    String::from_utf8(bytes).unwrap()
}

fn first(text: &str) -> usize {
    text.bytes().position(|byte| byte.is_ascii_alphanumeric()).unwrap()
}

fn last(text: &str) -> usize {
    text.bytes().rposition(|byte| byte.is_ascii_alphanumeric()).unwrap()
}

fn same(costs: &[u64], what: &str) {
    assert!(costs.windows(2).all(|pair| pair[0] == pair[1]), "{what}: {costs:?}");
}

#[tokio::test]
async fn secret_comparison_takes_constant_time() {
    let all = |secret: &str| [changed(secret, first(secret)), changed(secret, last(secret))];
    let mut costs = Vec::new();
    let settings = [("HEADER_SECRET", SECRET), ("HEADER_SECRET_NEXT", NEXT)];
    let other = "z".repeat(SECRET.len());
    let guesses = [all(SECRET), all(NEXT), [other.clone(), other.clone()]].concat();
    for guess in &guesses {
        let header = ("x-webhook-secret", guess.clone());
        costs.push(refused(&settings, "/", &[header]).await);
    }
    same(&costs, "a header");

    costs.clear();
    let settings = [("PATH_SECRET", SECRET), ("PATH_SECRET_NEXT", NEXT)];
    for guess in &guesses {
        costs.push(refused(&settings, &format!("/{guess}"), &[]).await);
    }
    same(&costs, "the path");
}

fn mac(secret: &str, text: &str) -> Vec<u8> {
    let mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).unwrap();
    mac.chain_update(text).finalize().into_bytes().to_vec()
}

#[tokio::test]
async fn signature_comparison_takes_constant_time() {
    let settings = [("SIGNATURE_SECRET", SECRET), ("SIGNATURE_SECRET_NEXT", NEXT)];
    let mut costs = Vec::new();
    let right: String = mac(SECRET, BODY).iter().map(|byte| format!("{byte:02x}")).collect();
    for at in [0, 1, 31, 62, 63] {
        let header = ("x-signature", changed(&right, at));
        costs.push(refused(&settings, "/", &[header]).await);
    }
    same(&costs, "a signature in hex");
}

#[tokio::test]
async fn several_signatures_take_constant_time() {
    let whsec = |secret: &str| format!("whsec_{}", STANDARD.encode(secret));
    let (current, next) = (whsec(SECRET), whsec(NEXT));
    // The signatures are valid, but their timestamp is in 1970. The delivery is rejected, so the
    // cost of accepting a delivery is not counted.
    let settings = [
        ("SIGNED", "standard-webhooks"),
        ("SIGNATURE_SECRET", current.as_str()),
        ("SIGNATURE_SECRET_NEXT", next.as_str()),
        ("TIMESTAMP_TOLERANCE_SECONDS", "300"),
    ];
    let text = format!("evt-1.17.{BODY}");
    let sign = |secret| format!("v1,{}", STANDARD.encode(mac(secret, &text)));
    let (by_current, by_next, wrong) = (sign(SECRET), sign(NEXT), sign("another"));
    let mut costs = Vec::new();
    for values in [
        [&by_current, &wrong, &wrong],
        [&wrong, &by_current, &wrong],
        [&wrong, &wrong, &by_current],
        [&by_next, &wrong, &wrong],
        [&wrong, &wrong, &by_next],
        [&by_current, &by_next, &wrong],
    ] {
        let value = values.map(String::as_str).join(" ");
        let headers = [
            ("webhook-id", "evt-1".to_string()),
            ("webhook-timestamp", "17".into()),
            ("webhook-signature", value),
        ];
        costs.push(refused(&settings, "/", &headers).await);
    }
    same(&costs, "Standard Webhooks");
}
