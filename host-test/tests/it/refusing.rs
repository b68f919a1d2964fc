//! Hosts that reject a part of a request. Nothing is sent, and the error names the part.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use crate::common::wasi_state::WasiState;
use crate::common::{KEY, Kind, cached, message, query};
use crate::memory::Memory;
use messaging_components::PLUGIN;
use messaging_host::wit::{CreatedMessage, Error, MessageRequest};
use messaging_host::{CallError, Host, Limit, Limits};
use messaging_simulator::service::{Options, Service};
use wasmtime::component::{Component, Linker, Resource};
use wasmtime_wasi::WasiCtxBuilder;
use wasmtime_wasi_http::FieldMap;
use wasmtime_wasi_http::p2::bindings::http::types::{HeaderError, Method, Scheme};
use wasmtime_wasi_http::p2::body::HostOutgoingBody;
use wasmtime_wasi_http::p2::types::HostOutgoingRequest;

type State = WasiState<Memory>;
type Request = Resource<HostOutgoingRequest>;
type Text = Option<String>;
type Refused = wasmtime::Result<(Result<(), ()>,)>;

/// Name of the interface in the linker of wasmtime-wasi-http.
const TYPES: &str = "wasi:http/types@0.2.12";

fn linker(host: &Host, refused: &str) -> Linker<State> {
    let mut linker = State::linker(host.engine());
    linker.allow_shadowing(true);
    let mut types = linker.instance(TYPES).unwrap();
    let set = |part: &str| format!("[method]outgoing-request.{part}");
    match refused {
        "headers" => {
            types.func_wrap("[static]fields.from-list", |_, _: (Vec<(String, Vec<u8>)>,)| {
                Ok((Err::<Resource<FieldMap>, _>(HeaderError::InvalidSyntax),))
            })
        }
        "method" => types
            .func_wrap(&set("set-method"), |_, _: (Request, Method)| -> Refused { Ok((Err(()),)) }),
        "scheme" => types
            .func_wrap(&set("set-scheme"), |_, _: (Request, Option<Scheme>)| -> Refused {
                Ok((Err(()),))
            }),
        "authority" => types.func_wrap(&set("set-authority"), |_, _: (Request, Text)| -> Refused {
            Ok((Err(()),))
        }),
        "path" => types
            .func_wrap(&set("set-path-with-query"), |_, _: (Request, Text)| -> Refused {
                Ok((Err(()),))
            }),
        "body" => types.func_wrap(&set("body"), |_, _: (Request,)| {
            Ok((Err::<Resource<HostOutgoingBody>, ()>(()),))
        }),
        _ => Ok(()),
    }
    .unwrap();
    linker
}

type Said = Result<CreatedMessage, Error>;

async fn send(host: &Host, base: &str, refused: &str) -> Said {
    let component = Component::new(host.engine(), PLUGIN).unwrap();
    let mut wasi = WasiCtxBuilder::new();
    wasi.env("MESSAGING_BASE_URL", base).env("MESSAGING_API_KEY", KEY);
    let mut store = State::store(host.engine(), &mut wasi, Memory::default());
    store.set_epoch_deadline(u64::MAX / 2);
    let linker = linker(host, refused);
    let instance = linker.instantiate_async(&mut store, &component).await.unwrap();
    let interface = messaging_host::plugin::INTERFACE;
    let interface = instance.get_export_index(&mut store, None, interface).unwrap();
    let send = instance.get_export_index(&mut store, Some(&interface), "send-message").unwrap();
    let send = instance.get_typed_func::<(MessageRequest,), (Said,)>(&mut store, &send).unwrap();
    send.call_async(&mut store, (message("+34600111222"),)).await.unwrap().0
}

#[tokio::test]
async fn rejected_request_part_is_named() {
    let service = Service::start(Options::new(KEY)).await.unwrap();
    let host = cached(Host::on_demand(Limits::default()).unwrap());
    for part in ["headers", "method", "scheme", "authority", "path", "body"] {
        let said = send(&host, &service.base_url(), part).await;
        let Err(Error::PermanentDenied(denied)) = said else { panic!("{part}: {said:?}") };
        assert_eq!(denied.detail, format!("the host refused the request's {part}"));
    }
    assert!(service.ledger().requests.is_empty());
    // A host that rejects nothing sends the message.
    send(&host, &service.base_url(), "nothing").await.unwrap();
    assert_eq!(service.ledger().messages.len(), 1);
}

/// The headers of each request exceed the limit of the host.
#[tokio::test]
async fn rejected_headers_are_named() {
    let service = Service::start(Options::new(KEY)).await.unwrap();
    let base = service.base_url();
    let limits = Limits { header_bytes: 100, ..Limits::default() };
    let config = crate::common::config(&[("MESSAGING_BASE_URL", &base)], Some(KEY));
    let plugin = Kind::P3.load(limits, config.clone());
    let said = plugin.send_message(&message("+34600111222")).await.unwrap().unwrap_err();
    let Error::PermanentDenied(denied) = said else { panic!("{said:?}") };
    assert_eq!(denied.detail, "the host refused the request's headers");
    let said = plugin.list_templates(&query()).await.unwrap();
    assert!(matches!(said, Err(Error::PermanentDenied(_))), "{said:?}");
    // WASI 0.2 has no error for this limit, so the host ends the call.
    let ended = Kind::P2.load(limits, config).send_message(&message("+34600111222")).await;
    assert!(matches!(ended, Err(CallError::Limit(Limit::Headers))), "{ended:?}");
    assert!(service.ledger().requests.is_empty());
}
