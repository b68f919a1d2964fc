//! The attacks of the component, by name. The host must stop endless attacks.

use std::io::Write;

use wasi::clocks::monotonic_clock;
use wasi::http::outgoing_handler;
use wasi::http::types::{
    Fields, FutureIncomingResponse, IncomingBody, Method, OutgoingRequest, Scheme,
};
use wasi::io::poll;

const SECOND: u64 = 1_000_000_000;

/// Executes `command`, and returns its result, if any.
pub fn run(command: &str) -> String {
    let (command, argument) = command.split_once(' ').unwrap_or((command, ""));
    match command {
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
        "log-on" => loop {
            println!("{}", "x".repeat(1000));
        },
        "log-letters" => loop {
            print!("x");
            let _ = std::io::stdout().flush();
        },
        "say" => "x".repeat(argument.parse().unwrap_or_default()),
        "cross" => cross(),
        "draw" => {
            let bytes = argument.parse().unwrap_or_default();
            wasi::random::random::get_random_bytes(bytes).len().to_string()
        }
        "keep" => {
            // Leaks the bytes, so the instance holds them until it ends.
            let bytes = vec![1_u8; argument.parse().unwrap_or_default()];
            core::hint::black_box(bytes.leak()).len().to_string()
        }
        "environment" => format!("{:?}", std::env::vars().collect::<Vec<_>>()),
        "wait" => {
            monotonic_clock::subscribe_duration(90 * SECOND).block();
            "waited".into()
        }
        "fields" => fields(30_000, 2),
        "large-fields" => fields(30_000, 40),
        "handles" => hold(Fields::new),
        "clocks" => hold(|| monotonic_clock::subscribe_duration(90 * SECOND)),
        "clocks-over" => loop {
            core::hint::black_box(monotonic_clock::subscribe_duration(90 * SECOND));
        },
        "poll" => poll_on(),
        "random" => loop {
            core::hint::black_box(wasi::random::random::get_random_bytes(60_000_000));
        },
        "random-over" => loop {
            core::hint::black_box(wasi::random::insecure::get_insecure_random_bytes(1_000));
        },
        "headers-over" => headers_over(),
        "methods" => methods(),
        "bodies" => bodies(),
        "responses" => hold(|| request(argument, "x-none").map(send)),
        "requests-at-once" => {
            let all: Vec<_> = (0..300).filter_map(|_| request(argument, "x-none")).collect();
            let all: Vec<_> = all.into_iter().map(send).collect();
            monotonic_clock::subscribe_duration(90 * SECOND).block();
            format!("{} waited for", all.len())
        }
        "requests" => loop {
            get(argument, "x-none");
        },
        "unread" => unread(argument),
        "upload" => upload(argument),
        "get" => get(argument, "token"),
        "all" => all(argument),
        "post" => post(argument),
        "get-with-key-in-query" => get(&format!("{argument}?key={}", key()), "token"),
        "get-with-key-in-cookie" => get(argument, "cookie"),
        _ => "unknown command".into(),
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

#[allow(unconditional_recursion, reason = "required by the attack")]
fn recurse(depth: u64) -> u64 {
    let frame = core::hint::black_box([depth; 64]);
    recurse(depth.wrapping_add(1)).wrapping_add(frame.iter().sum())
}

/// Creates values without end, and keeps them.
fn hold<T>(make: impl Fn() -> T) -> String {
    let mut held = Vec::new();
    loop {
        held.push(make());
    }
}

/// Creates values of `Fields` without end, each with `values` headers of `value_bytes` bytes.
fn fields(value_bytes: usize, values: u32) -> String {
    let value = vec![b'x'; value_bytes];
    hold(|| {
        let fields = Fields::new();
        for number in 0..values {
            let _ = fields.append(&format!("x-{number}"), &value);
        }
        fields
    })
}

/// Passes one value of 5 MiB to the host.
fn cross() -> String {
    let value = vec![b'x'; 5 * 1024 * 1024];
    format!("{:?}", Fields::new().append(&"x".to_string(), &value))
}

/// Copies headers without end. Each copy costs the host processor time.
fn headers_over() -> String {
    let fields = Fields::new();
    for number in 0..300 {
        let _ = fields.append(&format!("x-{number}"), &vec![b'x'; 100]);
    }
    loop {
        core::hint::black_box(fields.entries());
    }
}

/// Polls a list of 1,000 ready events, without end.
fn poll_on() -> String {
    let ready = monotonic_clock::subscribe_duration(0);
    ready.block();
    let all: Vec<_> = std::iter::repeat_n(&ready, 1_000).collect();
    loop {
        core::hint::black_box(poll::poll(&all));
    }
}

/// Creates requests with a method and an authority of one megabyte each, without end.
fn methods() -> String {
    let name = "X".repeat(1024 * 1024);
    hold(|| {
        let request = OutgoingRequest::new(Fields::new());
        let _ = request.set_method(&Method::Other(name.clone()));
        let _ = request.set_authority(Some(&name));
        request
    })
}

/// Writes bodies of requests without end, and never sends the requests.
fn bodies() -> String {
    hold(|| {
        let request = OutgoingRequest::new(Fields::new());
        let body = request.body().ok()?;
        let stream = body.write().ok()?;
        while let Ok(room) = stream.check_write() {
            if room == 0 || stream.write(&vec![b'x'; usize::try_from(room).ok()?]).is_err() {
                break;
            }
        }
        Some((request, stream, body))
    })
}

/// Requests replies without end, and never reads their bodies.
fn unread(url: &str) -> String {
    hold(|| {
        let future = send(request(url, "x-none")?)?;
        future.subscribe().block();
        let response = future.get()?.ok()?.ok()?;
        let body = response.consume().ok()?;
        Some((body, response))
    })
}

/// Sends a body without end.
fn upload(url: &str) -> String {
    let piece = [b'x'; 4096];
    loop {
        let Some(request) = request(url, "x-none") else { return "bad request".into() };
        let _ = request.set_method(&Method::Post);
        let Ok(body) = request.body() else { return "no body".into() };
        let Some(_future) = send(request) else { continue };
        let Ok(stream) = body.write() else { return "no stream".into() };
        while stream.blocking_write_and_flush(&piece).is_ok() {}
    }
}

/// Makes a GET request with the API key in `header`, and returns the result.
fn get(url: &str, header: &str) -> String {
    let Some(request) = request(url, header) else { return "bad request".into() };
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
            while let Ok(chunk) = stream.blocking_read(64 * 1024) {
                // Drops later bytes, because a body may be endless.
                if bytes.len() < 64 * 1024 {
                    bytes.extend(chunk);
                }
            }
            format!("{text} {}", String::from_utf8_lossy(&bytes))
        }
        Some(Ok(Err(code))) => format!("{code:?}"),
        _ => "no answer".into(),
    }
}

/// Makes a GET request with the API key. `argument` is a URL, or `URL RANGE` for a part of the
/// body. Returns status, headers, body and trailers of the reply.
fn all(argument: &str) -> String {
    let (url, range) = argument.split_once(' ').unwrap_or((argument, ""));
    let mut headers = vec![("token".to_string(), key().into_bytes())];
    if !range.is_empty() {
        headers.push(("range".to_string(), range.as_bytes().to_vec()));
    }
    let Some(future) = request_with(url, &headers).and_then(send) else { return "not sent".into() };
    future.subscribe().block();
    let response = match future.get() {
        Some(Ok(Ok(response))) => response,
        other => return format!("{other:?}"),
    };
    let mut seen = format!("status {}\n{}", response.status(), text(&response.headers()));
    let Ok(body) = response.consume() else { return seen };
    if let Ok(stream) = body.stream() {
        let mut bytes = Vec::new();
        while let Ok(chunk) = stream.blocking_read(64 * 1024) {
            bytes.extend(chunk);
        }
        seen.push_str(&String::from_utf8_lossy(&bytes));
    }
    let trailers = IncomingBody::finish(body);
    trailers.subscribe().block();
    match trailers.get() {
        Some(Ok(Ok(Some(trailers)))) => seen.push_str(&text(&trailers)),
        Some(Ok(Ok(None))) => {}
        other => seen.push_str(&format!("{other:?}")),
    }
    seen
}

fn text(fields: &Fields) -> String {
    let line =
        |(name, value): (String, Vec<u8>)| format!("{name}: {}\n", String::from_utf8_lossy(&value));
    fields.entries().into_iter().map(line).collect()
}

/// Creates a message, and returns an empty result that hides the message.
fn post(url: &str) -> String {
    let Some(request) = request(url, "token") else { return "bad request".into() };
    let _ = request.set_method(&Method::Post);
    let Ok(body) = request.body() else { return "no body".into() };
    let Ok(stream) = body.write() else { return "no stream".into() };
    let Some(future) = send(request) else { return "not sent".into() };
    let message = br#"{"phone":"+34600111222","message":"unwanted"}"#;
    let _ = stream.blocking_write_and_flush(message);
    drop(stream);
    let _ = wasi::http::types::OutgoingBody::finish(body, None);
    future.subscribe().block();
    String::new()
}

fn send(request: impl Into<Option<OutgoingRequest>>) -> Option<FutureIncomingResponse> {
    outgoing_handler::handle(request.into()?, None).ok()
}

fn request(url: &str, header: &str) -> Option<OutgoingRequest> {
    let kind = ("content-type".to_string(), b"application/json".to_vec());
    request_with(url, &[(header.to_string(), key().into_bytes()), kind])
}

fn request_with(url: &str, headers: &[(String, Vec<u8>)]) -> Option<OutgoingRequest> {
    let (scheme, rest) = url.split_once("://").unwrap_or(("http", url));
    let (authority, path) = rest.split_once('/').unwrap_or((rest, ""));
    let request = OutgoingRequest::new(Fields::from_list(headers).ok()?);
    let scheme = match scheme {
        "https" => Scheme::Https,
        "http" => Scheme::Http,
        other => Scheme::Other(other.to_string()),
    };
    request.set_method(&Method::Get).ok()?;
    request.set_scheme(Some(&scheme)).ok()?;
    request.set_authority(Some(authority)).ok()?;
    request.set_path_with_query(Some(&format!("/{path}"))).ok()?;
    Some(request)
}
