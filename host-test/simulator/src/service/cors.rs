//! CORS headers, which let a page in a browser call the service (Fetch standard, section 3.3, "CORS
//! protocol"). A browser sends a preflight request before a request with a `Token` header. The
//! ledger does not record preflight requests.

use bytes::Bytes;
use http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_REQUEST_METHOD, ORIGIN, VARY,
};
use http::{HeaderMap, HeaderValue, Method, Request, Response, StatusCode};
use http_body_util::Full;

use super::server::{self, Body};

/// Returns true if the request is a CORS preflight.
pub fn is_preflight<B>(request: &Request<B>) -> bool {
    let headers = request.headers();
    request.method() == Method::OPTIONS
        && headers.contains_key(ORIGIN)
        && headers.contains_key(ACCESS_CONTROL_REQUEST_METHOD)
}

/// Answers a preflight: pages of `origin` may send the methods and headers that the service
/// accepts.
pub fn preflight(origin: &HeaderValue) -> Response<Body> {
    let mut response = Response::new(Full::new(Bytes::new()));
    *response.status_mut() = StatusCode::NO_CONTENT;
    let headers = response.headers_mut();
    allow(headers, origin);
    headers.insert(ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static("GET, POST"));
    headers.insert(ACCESS_CONTROL_ALLOW_HEADERS, HeaderValue::from_static("token, content-type"));
    server::boxed(response)
}

/// Lets pages of `origin` read a response and the headers that say when to retry.
pub fn readable(mut response: Response<Body>, origin: &HeaderValue) -> Response<Body> {
    let headers = response.headers_mut();
    allow(headers, origin);
    let exposed = HeaderValue::from_static("content-encoding, date, retry-after");
    headers.insert(ACCESS_CONTROL_EXPOSE_HEADERS, exposed);
    response
}

fn allow(headers: &mut HeaderMap, origin: &HeaderValue) {
    headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin.clone());
    headers.insert(VARY, HeaderValue::from_static("origin"));
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpStream;

    use super::super::{Options, Service};
    use super::*;

    /// Returns the complete response to a request without a body.
    async fn answer(service: &Service, request: &str) -> String {
        let mut stream = TcpStream::connect(service.address()).await.unwrap();
        let request = format!("{request}\r\nHost: a\r\nConnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.unwrap();
        answer
    }

    const PREFLIGHT: &str = "OPTIONS /v1/messages HTTP/1.1\r\nOrigin: http://page.example\r\n\
        Access-Control-Request-Method: POST\r\nAccess-Control-Request-Headers: content-type,token";
    const LIST: &str =
        "GET /v1/waba/templates HTTP/1.1\r\nOrigin: http://page.example\r\nToken: key";

    #[tokio::test]
    async fn allowed_origin_may_send_and_read() {
        let cors = Some(HeaderValue::from_static("http://page.example"));
        let service = Service::start(Options { cors, ..Options::new("key") }).await.unwrap();
        let allowed = "access-control-allow-origin: http://page.example\r\n";
        let asked = answer(&service, PREFLIGHT).await;
        assert!(asked.starts_with("HTTP/1.1 204 ") && asked.contains(allowed), "{asked}");
        assert!(asked.contains("access-control-allow-headers: token, content-type\r\n"), "{asked}");
        assert!(service.ledger().requests.is_empty(), "the ledger records no preflight request");
        let read = answer(&service, LIST).await;
        assert!(read.starts_with("HTTP/1.1 200 ") && read.contains(allowed), "{read}");
        assert!(read.contains("retry-after"), "{read}");
        assert_eq!(service.ledger().requests.len(), 1);
    }

    #[tokio::test]
    async fn other_origin_gets_no_cors_headers() {
        let service = Service::start(Options::new("key")).await.unwrap();
        for request in [PREFLIGHT, LIST] {
            let answer = answer(&service, request).await;
            assert!(!answer.contains("access-control"), "{answer}");
        }
        let refused = answer(&service, PREFLIGHT).await;
        assert!(refused.starts_with("HTTP/1.1 405 "), "{refused}");
    }
}
