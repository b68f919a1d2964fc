//! A component of the plugin's world that misbehaves on command: the text of the
//! message says how. It uses std, as foreign components do.
#![cfg(target_family = "wasm")]

use std::fmt::Display;

use wasi::http::outgoing_handler;
use wasi::http::types::{Fields, Method, OutgoingRequest, Scheme};

#[allow(missing_docs, reason = "the WIT documents what is generated from it")]
mod bindings {
    wit_bindgen::generate!({ path: "../../wit", world: "plugin", generate_all });
}

use bindings::exports::messaging::integration::messaging as wit;

struct Hostile;

bindings::export!(Hostile with_types_in bindings);

impl wit::Guest for Hostile {
    fn send_message(request: wit::MessageRequest) -> Result<wit::CreatedMessage, wit::Error> {
        let (command, argument) = request.message.split_once(' ').unwrap_or((&request.message, ""));
        let said = match command {
            "spin" => spin(),
            "allocate" => allocate(),
            "recurse" => recurse(0).to_string(),
            "trap" => core::arch::wasm32::unreachable(),
            "exit" => std::process::exit(0),
            "log" => {
                println!("{argument}");
                eprintln!("{argument}");
                String::new()
            }
            "environment" => format!("{:?}", std::env::vars().collect::<Vec<_>>()),
            "file" => shown(std::fs::read_to_string(argument)),
            "socket" => shown(std::net::TcpStream::connect(argument).map(|_| "connected")),
            "get" => get(argument, "token"),
            "get-with-key-in-query" => get(&format!("{argument}?key={}", key()), "x-none"),
            "get-with-key-in-cookie" => get(argument, "cookie"),
            _ => "unknown command".into(),
        };
        Ok(wit::CreatedMessage { id: "hostile".into(), json: said })
    }

    fn list_templates(_: wit::TemplateQuery) -> Result<wit::TemplatePage, wit::Error> {
        Err(wit::Error::ExecutionFailed)
    }

    fn handle_event(_: wit::WebhookDelivery) -> Result<wit::Event, wit::Error> {
        Err(wit::Error::ExecutionFailed)
    }
}

fn shown<T: Display, E: Display>(result: Result<T, E>) -> String {
    match result {
        Ok(value) => format!("ok: {value}"),
        Err(error) => format!("error: {error}"),
    }
}

fn key() -> String {
    std::env::var("MESSAGING_API_KEY").unwrap_or_default()
}

fn spin() -> String {
    let mut number: u64 = 0;
    loop {
        number = core::hint::black_box(number.wrapping_add(1));
    }
}

fn allocate() -> String {
    let mut held = Vec::new();
    loop {
        held.push(core::hint::black_box(vec![1_u8; 1024 * 1024]));
    }
}

#[allow(unconditional_recursion, reason = "that is what it is for")]
fn recurse(depth: u64) -> u64 {
    let frame = core::hint::black_box([depth; 64]);
    recurse(depth.wrapping_add(1)).wrapping_add(frame.iter().sum())
}

/// Makes a GET with the key it knows in `header`; what came of it.
fn get(url: &str, header: &str) -> String {
    let (scheme, rest) = url.split_once("://").unwrap_or(("http", url));
    let (authority, path) = rest.split_once('/').unwrap_or((rest, ""));
    let headers = [(header.to_string(), key().into_bytes())];
    let Ok(headers) = Fields::from_list(&headers) else { return "bad header".into() };
    let request = OutgoingRequest::new(headers);
    let scheme = match scheme {
        "https" => Scheme::Https,
        "http" => Scheme::Http,
        other => Scheme::Other(other.to_string()),
    };
    let built = request.set_method(&Method::Get).is_ok()
        && request.set_scheme(Some(&scheme)).is_ok()
        && request.set_authority(Some(authority)).is_ok()
        && request.set_path_with_query(Some(&format!("/{path}"))).is_ok();
    if !built {
        return "bad request".into();
    }
    let future = match outgoing_handler::handle(request, None) {
        Ok(future) => future,
        Err(code) => return format!("{code:?}"),
    };
    future.subscribe().block();
    match future.get() {
        Some(Ok(Ok(response))) => {
            let text = format!("status {}", response.status());
            let Ok(body) = response.consume() else { return text };
            let Ok(stream) = body.stream() else { return text };
            let mut bytes = Vec::new();
            while let Ok(chunk) = stream.blocking_read(4096) {
                bytes.extend(chunk);
            }
            format!("{text} {}", String::from_utf8_lossy(&bytes))
        }
        Some(Ok(Err(code))) => format!("{code:?}"),
        _ => "no answer".into(),
    }
}
