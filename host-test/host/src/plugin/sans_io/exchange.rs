//! One HTTP request of a call, over the host's connections. Enforces the deadline and the maximum
//! size of the reply, and classifies failures. `outbound` controls the reachable servers and the
//! API key.

use bytes::Bytes;
use http::{HeaderName, HeaderValue, Method, Request, Uri, header};
use http_body::Body;
use http_body_util::{BodyExt, Full};
use messaging_core::limits::MAX_REPLY_BYTES;
use messaging_core::outcome::{Proof, proof_of_code};
use messaging_core::wire::reply::is_body_read;
use messaging_net::departure::in_future;
use tokio::time::{Duration, Instant, timeout_at};
use wasmtime_wasi_http::{DEFAULT_FORBIDDEN_HEADERS, Error, RequestOptions, WasiBody};

use super::types::{BodyEnd, Failed, Failure, HttpReply, HttpRequest, Input};
use crate::outbound::{CONNECT_MARGIN, Metered, code};
use crate::types::wit;

/// Reply headers that the host passes to components.
const READ: [HeaderName; 3] = [header::CONTENT_ENCODING, header::RETRY_AFTER, header::DATE];

/// Sends `request` once and reads its reply.
pub async fn exchange(outbound: &Metered, request: HttpRequest) -> Input {
    let time_left = Duration::from_millis(request.time_left_ms.into());
    let until = in_future(Instant::now(), time_left);
    // This timeout ends before `until`, so a request that has not left fails as `NotReached`
    // instead of `Late`.
    let options = RequestOptions {
        connect_timeout: Some(time_left.saturating_sub(CONNECT_MARGIN)),
        ..RequestOptions::default()
    };
    // Limits the component's value to the maximum of `MESSAGING_MAX_REPLY_BYTES`.
    let max_bytes = request.max_reply_bytes.min(MAX_REPLY_BYTES);
    let max_bytes = usize::try_from(max_bytes).unwrap_or(usize::MAX);
    let is_read = match request.method.as_str() {
        "GET" => |status| is_body_read(messaging_core::wire::Method::Get, status),
        _ => |status| is_body_read(messaging_core::wire::Method::Post, status),
    };
    let request = match build(request) {
        Ok(request) => request,
        Err(part) => {
            return failed(Failure::Denied, &format!("a {part} that components cannot set"));
        }
    };
    let sent = outbound.send(request, options);
    let response = match timeout_at(until, sent).await {
        Ok(Ok(response)) => response,
        Ok(Err(error)) => {
            let code = code::name(&error);
            return failed(failure_of_code(code), code);
        }
        Err(_) => return failed(Failure::Late, "the deadline has passed"),
    };
    let (head, body) = response.into_parts();
    let status = head.status.as_u16();
    let headers = READ.iter().flat_map(|name| {
        head.headers.get_all(name).iter().map(|value| wit::Header {
            name: name.as_str().to_string(),
            value: String::from_utf8_lossy(value.as_bytes()).into_owned(),
        })
    });
    let headers = headers.collect();
    let (body, ended) = match is_read(status) {
        true => read(body, until, max_bytes).await,
        false => (Vec::new(), BodyEnd::Whole),
    };
    Input::Replied(HttpReply { status, headers, body, ended })
}

fn failed(failure: Failure, detail: &str) -> Input {
    Input::Failed(Failed { failure, detail: detail.to_string() })
}

/// Classifies a `wasi:http` error code by the rules of `messaging_core`, because the host's
/// connections report the same codes to every kind of plugin.
fn failure_of_code(code: &str) -> Failure {
    match proof_of_code(code) {
        Proof::NotSent => Failure::NotReached,
        Proof::Denied => Failure::Denied,
        Proof::Nothing => Failure::Broken,
    }
}

/// Builds the request. `Err` names the forbidden or invalid part. Headers that control HTTP itself,
/// such as `Host`, are forbidden, because they could change the destination or the length of the
/// request.
fn build(request: HttpRequest) -> Result<Request<WasiBody>, &'static str> {
    let body = Full::new(Bytes::from(request.body)).map_err(|never| match never {});
    let mut built = Request::new(body.boxed_unsync());
    *built.method_mut() = match request.method.as_str() {
        "GET" => Method::GET,
        "POST" => Method::POST,
        _ => return Err("method"),
    };
    *built.uri_mut() = Uri::try_from(request.url).map_err(|_| "URL")?;
    for wit::Header { name, value } in request.headers {
        let name = HeaderName::try_from(name).map_err(|_| "header")?;
        if DEFAULT_FORBIDDEN_HEADERS.contains(&name) || name == header::CONTENT_LENGTH {
            return Err("header");
        }
        let value = HeaderValue::try_from(value).map_err(|_| "header")?;
        built.headers_mut().try_append(name, value).map_err(|_| "header")?;
    }
    Ok(built)
}

/// Reads a body until its end, the deadline or the maximum size.
async fn read(mut body: WasiBody, until: Instant, max_bytes: usize) -> (Vec<u8>, BodyEnd) {
    let mut bytes = Vec::new();
    loop {
        if body.is_end_stream() {
            return (bytes, BodyEnd::Whole);
        }
        match timeout_at(until, body.frame()).await {
            Ok(Some(Ok(frame))) => {
                bytes.extend_from_slice(frame.data_ref().map_or(&[], Bytes::as_ref));
            }
            Ok(Some(Err(Error::HttpResponseContentCoding(_)))) => {
                return (bytes, BodyEnd::Withheld);
            }
            Ok(Some(Err(_))) => return (bytes, BodyEnd::Broken),
            Ok(None) => return (bytes, BodyEnd::Whole),
            Err(_) => return (bytes, BodyEnd::Late),
        }
        if bytes.len() > max_bytes {
            bytes.truncate(max_bytes);
            return (bytes, BodyEnd::TooLarge);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(method: &str, url: &str, headers: &[(&str, &str)]) -> HttpRequest {
        let header = |(name, value): &(&str, &str)| wit::Header {
            name: (*name).into(),
            value: (*value).into(),
        };
        HttpRequest {
            method: method.into(),
            url: url.into(),
            headers: headers.iter().map(header).collect(),
            body: b"{}".to_vec(),
            time_left_ms: 1,
            max_reply_bytes: 1,
        }
    }

    #[test]
    fn sans_io_request_omits_connection_headers() {
        let url = "https://api.example/v1/messages";
        let built = build(request("POST", url, &[("token", "a b"), ("token", "c")])).unwrap();
        assert_eq!((built.method(), built.uri().to_string()), (&Method::POST, url.to_string()));
        assert_eq!(built.headers().get_all("token").iter().count(), 2);
        let refused = |method, url, headers: &[(&str, &str)]| {
            build(request(method, url, headers)).err().unwrap()
        };
        for method in ["", "post", "DELETE", "CONNECT", "G ET"] {
            assert_eq!(refused(method, url, &[]), "method", "{method}");
        }
        let long = "a".repeat(70_000);
        for wrong in ["", "https://", "https://a b/", &long] {
            assert_eq!(refused("GET", wrong, &[]), "URL", "{wrong}");
        }
        for (name, value) in [
            ("Host", "other.example"),
            ("content-length", "1"),
            ("Transfer-Encoding", "chunked"),
            ("connection", "token"),
            ("a b", ""),
            ("", ""),
            ("a", "b\r\nhost: c"),
        ] {
            assert_eq!(refused("POST", url, &[(name, value)]), "header", "{name}");
        }
        let many: Vec<_> = (0..40_000).map(|number| format!("h{number}")).collect();
        let many: Vec<_> = many.iter().map(|name| (name.as_str(), "")).collect();
        assert_eq!(refused("POST", url, &many), "header");
    }
}
