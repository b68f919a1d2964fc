//! A component with the exports of the plugin for WASI 0.3. The component misbehaves on command:
//! the command is the text of a message. The variable `HOSTILE_START` has a command that runs
//! during instantiation.
#![cfg(target_family = "wasm")]
#![no_std]

extern crate alloc;

use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;
use core::future::poll_fn;
use core::pin::Pin;
use core::task::Poll;

use messaging_runtime as _;
use wit_bindgen::StreamResult;

#[allow(missing_docs, reason = "documented in the WIT")]
mod bindings {
    wit_bindgen::generate!({
        path: ["../../../wit/types.wit", "../../../wit/p3"],
        world: "messaging:integration-async/plugin",
        generate_all,
    });
}

use bindings::exports::messaging::integration::types as wit;
use bindings::exports::messaging::integration_async::messaging::Guest;
use bindings::wasi::cli::environment;
use bindings::wasi::clocks::monotonic_clock;
use bindings::wasi::http::client;
use bindings::wasi::http::types::{Fields, Method, Request, Response, Scheme};
use bindings::{wit_future, wit_stream};

const SECOND: u64 = 1_000_000_000;

struct Hostile;

bindings::export!(Hostile with_types_in bindings);

/// Runs during instantiation. A constructor in `.init_array` would run only at the first call.
#[unsafe(export_name = "_initialize")]
extern "C" fn start() {
    let variables = environment::get_environment();
    if let Some((_, command)) = variables.iter().find(|(name, _)| name == "HOSTILE_START") {
        wit_bindgen::block_on(run(command));
    }
}

impl Guest for Hostile {
    async fn send_message(request: wit::MessageRequest) -> Result<wit::CreatedMessage, wit::Error> {
        let json = run(&request.message).await;
        Ok(wit::CreatedMessage { id: "hostile".into(), json })
    }

    async fn list_templates(_: wit::TemplateQuery) -> Result<wit::TemplatePage, wit::Error> {
        Err(wit::Error::ExecutionFailed)
    }

    fn handle_event(_: wit::WebhookDelivery) -> Result<wit::Event, wit::Error> {
        Err(wit::Error::ExecutionFailed)
    }
}

async fn run(command: &str) -> String {
    let (command, argument) = command.split_once(' ').unwrap_or((command, ""));
    match command {
        "spin" => spin(),
        "allocate" => allocate(),
        "recurse" => recurse(0).to_string(),
        "trap" => core::arch::wasm32::unreachable(),
        "environment" => format!("{:?}", environment::get_environment()),
        "wait" => {
            wait().await;
            "waited".into()
        }
        "say" => "x".repeat(argument.parse().unwrap_or_default()),
        "cross" => cross(),
        "get-with-key-in-query" => all(&format!("{argument}?key={}", key())).await,
        "get-with-key-in-cookie" => cookie(argument).await,
        "fields" => fields(),
        "large-fields" => large_fields(),
        "handles" => hold(Fields::new),
        "clocks" => concurrently(|| Box::pin(monotonic_clock::wait_for(90 * SECOND))).await,
        "headers-over" => headers_over(),
        "methods" => methods(),
        "bodies" => bodies(),
        "streams" => hold(wit_stream::new::<u8>),
        "responses" => concurrently(|| Box::pin(drain(argument))).await,
        "begin" => begin(argument).await,
        "unread" => concurrently(|| Box::pin(unread(argument))).await,
        "requests" => loop {
            drain(argument).await;
        },
        "upload" => loop {
            upload(argument).await;
        },
        "get" => get(argument).await,
        "all" => all(argument).await,
        _ => "unknown command".into(),
    }
}

/// Returns the API key as the component sees it.
fn key() -> String {
    let variables = environment::get_environment();
    let key = variables.into_iter().find(|(name, _)| name == "MESSAGING_API_KEY");
    key.map(|(_, value)| value).unwrap_or_default()
}

fn spin() -> ! {
    let mut number: u64 = 0;
    loop {
        number = core::hint::black_box(number.wrapping_add(1));
    }
}

fn allocate() -> ! {
    hold(|| core::hint::black_box(vec![1_u8; 1024 * 1024]))
}

#[allow(unconditional_recursion, reason = "required by the attack")]
fn recurse(depth: u64) -> u64 {
    let frame = core::hint::black_box([depth; 64]);
    recurse(depth.wrapping_add(1)).wrapping_add(frame.iter().sum())
}

async fn wait() {
    monotonic_clock::wait_for(90 * SECOND).await;
}

/// Creates values without end, and keeps them.
fn hold<T>(make: impl Fn() -> T) -> ! {
    let mut held = Vec::new();
    loop {
        held.push(make());
    }
}

/// Begins calls without end, and never waits for them.
async fn concurrently<'a>(begin: impl Fn() -> Pin<Box<dyn Future<Output = ()> + 'a>>) -> String {
    let mut held = Vec::new();
    loop {
        let mut next = begin();
        // Polls the future once to begin the call.
        poll_fn(|context| Poll::Ready(next.as_mut().poll(context).is_ready())).await;
        held.push(next);
        if held.len().is_multiple_of(16) {
            // Lets the host process the calls.
            monotonic_clock::wait_for(1_000_000).await;
        }
    }
}

/// Begins requests without end, and never waits for them.
async fn begin(url: &str) -> String {
    let mut held = Vec::new();
    loop {
        let mut next = Box::pin(drain(url));
        poll_fn(|context| Poll::Ready(next.as_mut().poll(context).is_ready())).await;
        held.push(next);
    }
}

fn fields() -> ! {
    let value = vec![b'x'; 30_000];
    hold(|| {
        let fields = Fields::new();
        let mut count = 0_u32;
        while fields.append(&format!("x-{count}"), &value).is_ok() {
            count += 1;
        }
        fields
    })
}

/// Passes one value of 5 MiB to the host.
fn cross() -> String {
    let value = vec![b'x'; 5 * 1024 * 1024];
    format!("{:?}", Fields::new().append("x", &value))
}

/// Creates headers of 1.2 MB in one `Fields`. Makes no request.
fn large_fields() -> String {
    let fields = Fields::new();
    let value = vec![b'x'; 30_000];
    let refused = (0..40).find_map(|number| fields.append(&format!("x-{number}"), &value).err());
    format!("{refused:?}")
}

/// Creates requests with a body, without end, and never sends them.
fn bodies() -> ! {
    hold(|| {
        let (writer, contents) = wit_stream::new::<u8>();
        let (no_trailers, trailers) = wit_future::new(|| Ok(None));
        let (request, end) = Request::new(Fields::new(), Some(contents), trailers, None);
        (request, end, writer, no_trailers)
    })
}

/// Makes a GET request with the API key in a wrong header.
async fn cookie(url: &str) -> String {
    let headers = Fields::new();
    let _ = headers.append("cookie", key().as_bytes());
    match client::send(request_with(url, headers, None)).await {
        Ok(response) => format!("status {}", response.get_status_code()),
        Err(code) => format!("{code:?}"),
    }
}

fn headers_over() -> ! {
    let fields = Fields::new();
    let mut count = 0_u32;
    while fields.append(&format!("x-{count}"), &[b'x'; 100]).is_ok() {
        count += 1;
    }
    loop {
        core::hint::black_box(fields.copy_all());
    }
}

fn methods() -> ! {
    let name = "X".repeat(1024 * 1024);
    hold(|| {
        let (no_trailers, trailers) = wit_future::new(|| Ok(None));
        let (request, end) = Request::new(Fields::new(), None, trailers, None);
        let _ = request.set_method(&Method::Other(name.clone()));
        let _ = request.set_authority(Some(&name));
        (request, end, no_trailers)
    })
}

async fn get(url: &str) -> String {
    match client::send(request(url, None)).await {
        Ok(response) => format!("status {}", response.get_status_code()),
        Err(code) => format!("{code:?}"),
    }
}

/// Makes a GET request with the API key. `argument` is a URL, or `URL RANGE` for a part of the
/// body. Returns status, headers, body and trailers of the reply.
async fn all(argument: &str) -> String {
    let (url, range) = argument.split_once(' ').unwrap_or((argument, ""));
    let variables = environment::get_environment();
    let key = variables.iter().find(|(name, _)| name == "MESSAGING_API_KEY");
    let headers = Fields::new();
    let _ = headers.append("token", key.map_or("", |(_, key)| key).as_bytes());
    if !range.is_empty() {
        let _ = headers.append("range", range.as_bytes());
    }
    let response = match client::send(request_with(url, headers, None)).await {
        Ok(response) => response,
        Err(code) => return format!("{code:?}"),
    };
    let mut seen =
        format!("status {}\n{}", response.get_status_code(), text(&response.get_headers()));
    let (_no_complaint, complaint) = wit_future::new(|| Ok(()));
    let (mut stream, end) = Response::consume_body(response, complaint);
    let mut bytes = Vec::new();
    loop {
        let (result, read) = stream.read(Vec::with_capacity(64 * 1024)).await;
        bytes.extend(read);
        if !matches!(result, StreamResult::Complete(_)) {
            break;
        }
    }
    seen.push_str(&String::from_utf8_lossy(&bytes));
    match end.await {
        Ok(Some(trailers)) => seen.push_str(&text(&trailers)),
        Ok(None) => {}
        Err(code) => seen.push_str(&format!("{code:?}")),
    }
    seen
}

fn text(fields: &Fields) -> String {
    let line =
        |(name, value): (String, Vec<u8>)| format!("{name}: {}\n", String::from_utf8_lossy(&value));
    fields.copy_all().into_iter().map(line).collect()
}

async fn drain(url: &str) {
    let Ok(response) = client::send(request(url, None)).await else { return };
    let (_no_complaint, complaint) = wit_future::new(|| Ok(()));
    let (mut stream, _end) = Response::consume_body(response, complaint);
    loop {
        let (result, _) = stream.read(Vec::with_capacity(64 * 1024)).await;
        if !matches!(result, StreamResult::Complete(_)) {
            return;
        }
    }
}

async fn unread(url: &str) {
    let response = client::send(request(url, None)).await;
    wait().await;
    drop(response);
}

async fn upload(url: &str) {
    let (mut writer, contents) = wit_stream::new();
    let request = request(url, Some(contents));
    let _ = request.set_method(&Method::Post);
    let mut sending = Box::pin(client::send(request));
    let mut writing =
        Box::pin(async move { while writer.write_all(vec![b'x'; 64 * 1024]).await.is_empty() {} });
    poll_fn(|context| {
        let sent = sending.as_mut().poll(context).is_ready();
        let written = writing.as_mut().poll(context).is_ready();
        if sent || written { Poll::Ready(()) } else { Poll::Pending }
    })
    .await;
}

fn request(url: &str, contents: Option<wit_bindgen::StreamReader<u8>>) -> Request {
    request_with(url, Fields::new(), contents)
}

fn request_with(
    url: &str,
    headers: Fields,
    contents: Option<wit_bindgen::StreamReader<u8>>,
) -> Request {
    let rest = url.strip_prefix("http://").unwrap_or(url);
    let (authority, path) = rest.split_once('/').unwrap_or((rest, ""));
    let (no_trailers, trailers) = wit_future::new(|| Ok(None));
    let (request, _) = Request::new(headers, contents, trailers, None);
    // Dropping the writer sends its default value: no trailers.
    drop(no_trailers);
    let _ = request.set_scheme(Some(&Scheme::Http));
    let _ = request.set_authority(Some(authority));
    let _ = request.set_path_with_query(Some(&format!("/{path}")));
    request
}
