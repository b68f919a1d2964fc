//! Tests of masked headers, trailers and bodies, and of replies that could contain the key in a
//! form that is not masked.

mod model;

use std::sync::Mutex;

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, Request, Response};
use http_body::Frame;
use http_body_util::{BodyExt, StreamBody};
use messaging_core::secret::ApiKey;
use wasmtime_wasi_http::{Error, RequestOptions, WasiBody};

use super::held::TOKEN;
use super::*;

/// A service that answers one request with a prepared response.
struct Service {
    response: Mutex<Option<Response<WasiBody>>>,
    received: Mutex<Option<HeaderMap>>,
}

impl Transport for Service {
    fn send(&self, request: Request<WasiBody>) -> Answer {
        *self.received.lock().unwrap() = Some(request.headers().clone());
        let response = self.response.lock().unwrap().take();
        Box::pin(async move { response.ok_or(Error::ConnectionRefused) })
    }
}

/// Sends a request that carries `key`. Returns the headers that the service gets, and the response
/// that the component gets.
async fn exchange(
    key: &str,
    ask: &[(&'static str, &str)],
    response: Response<WasiBody>,
) -> (HeaderMap, Response<WasiBody>) {
    let response = Mutex::new(Some(response));
    let service = Arc::new(Service { response, received: Mutex::default() });
    let allow = AllowList::parse(["https://api.example"]).unwrap();
    let mut outbound = Outbound::over(allow, Arc::clone(&service) as Arc<dyn Transport>);
    let key = ApiKey::new(key.into()).unwrap();
    let placeholder = outbound.hold_key(key, Some("https://api.example"));
    let mut request = Request::post("https://api.example/v1/messages").header(TOKEN, placeholder);
    for (name, value) in ask {
        request = request.header(*name, *value);
    }
    let body = http_body_util::Empty::new().map_err(|never| match never {});
    let request = request.body(body.boxed_unsync()).unwrap();
    let response = outbound.send(request, RequestOptions::default()).await.unwrap();
    let received = service.received.lock().unwrap().take().unwrap();
    (received, response)
}

type Pieces = Vec<Result<Frame<Bytes>, Error>>;

fn reply(headers: HeaderMap, pieces: Pieces) -> Response<WasiBody> {
    let body = StreamBody::new(futures_util::stream::iter(pieces));
    let mut response = Response::new(body.boxed_unsync());
    *response.headers_mut() = headers;
    response
}

fn data(text: &[u8]) -> Result<Frame<Bytes>, Error> {
    Ok(Frame::data(Bytes::copy_from_slice(text)))
}

fn map(fields: &[(&str, &[u8])]) -> HeaderMap {
    let field = |(name, value): &(&str, &[u8])| {
        let name = HeaderName::from_bytes(name.as_bytes()).unwrap();
        (name, HeaderValue::from_bytes(value).unwrap())
    };
    fields.iter().map(field).collect()
}

/// Returns the bytes of a body, its trailers, and true if it ended without an error. Stops after
/// trailers, which end a body.
async fn read(mut body: WasiBody) -> (Vec<u8>, Option<HeaderMap>, bool) {
    let mut bytes = Vec::new();
    while let Some(frame) = body.frame().await {
        match frame.map(Frame::into_data) {
            Ok(Ok(data)) => bytes.extend_from_slice(&data),
            Ok(Err(other)) => return (bytes, other.into_trailers().ok(), true),
            Err(_) => return (bytes, None, false),
        }
    }
    (bytes, None, true)
}

#[tokio::test]
async fn possible_key_start_precedes_trailers() {
    let trailers = map(&[("x-sum", b"1")]);
    for (key, text) in [("secret-key-1234", "it is"), ("}secret-key", r#"{"id":"m-1"}"#)] {
        let pieces = vec![data(text.as_bytes()), Ok(Frame::trailers(trailers.clone()))];
        let (_, response) = exchange(key, &[], reply(HeaderMap::new(), pieces)).await;
        let (bytes, seen, whole) = read(response.into_body()).await;
        assert_eq!(String::from_utf8(bytes).unwrap(), text);
        assert_eq!((seen, whole), (Some(trailers.clone()), true));
    }
}

/// The mask holds back a possible beginning of the key. Otherwise a broken body would reveal almost
/// the whole key.
#[tokio::test]
async fn body_broken_within_key_is_clean() {
    let pieces = vec![data(b"the key secret-key-12"), Err(Error::ConnectionTerminated)];
    let (_, response) = exchange("secret-key-1234", &[], reply(HeaderMap::new(), pieces)).await;
    let (bytes, _, whole) = read(response.into_body()).await;
    assert_eq!((String::from_utf8(bytes).unwrap().as_str(), whole), ("the key ", false));
}

/// Returns the body that the component gets if the original arrives in pieces of `size` bytes.
async fn seen(key: &str, text: &str, size: usize) -> String {
    let pieces = text.as_bytes().chunks(size).map(data).collect();
    let head = map(&[("transfer-encoding", b"chunked")]);
    let (_, response) = exchange(key, &[], reply(head, pieces)).await;
    String::from_utf8(read(response.into_body()).await.0).unwrap()
}

#[tokio::test]
async fn json_escaped_key_is_masked() {
    let key = r#"ca"n/ry"#;
    for text in [
        r#"ca\"n/ry"#,
        r#"ca\"n\/ry"#,
        r#"\u0063a\"n/ry"#,
        r#"\u0063\u0061\u0022\u006e\u002F\u0072\u0079"#,
        r#"ca\u0022n/r\u0079"#,
        r#"ca\\\"n/ry"#,
        r#"\\u0063a\\u0022n\\\/ry"#,
    ] {
        assert_eq!(seen(key, text, 1).await, "*".repeat(text.len()), "{text}");
    }
    for text in [r#"\u0163a\"n/ry"#, r#"ca\\"n/"#, r#"ca\u+022n/ry"#, r#"ca\"n/rz"#] {
        assert_eq!(seen(key, text, 1).await, text);
    }
}

#[tokio::test]
async fn key_is_masked_in_headers_and_trailers() {
    let key = "Secret-Key-1234";
    let fields = map(&[
        ("x-before", b"1"),
        ("secret-key-1234", b"named after it"),
        ("x-secret-key-1234-x", b"the value as well: Secret-Key-1234!"),
        ("x-json", br#""Secret\u002dKey-1234""#),
        ("set-cookie", b"a"),
        ("set-cookie", b"b=Secret-Key-1234"),
        ("x-after", b"2"),
    ]);
    let masked = map(&[
        ("x-before", b"1"),
        ("***************", b"named after it"),
        ("x-***************-x", b"the value as well: ***************!"),
        ("x-json", br#""********************""#),
        ("set-cookie", b"a"),
        ("set-cookie", b"b=***************"),
        ("x-after", b"2"),
    ]);
    let pieces = vec![data(b"{}"), Ok(Frame::trailers(fields.clone()))];
    let (_, response) = exchange(key, &[], reply(fields, pieces)).await;
    assert_eq!(response.headers(), &masked);
    let (bytes, trailers, whole) = read(response.into_body()).await;
    assert_eq!((bytes.as_slice(), trailers, whole), (&b"{}"[..], Some(masked), true));
}

/// The request asks for a plain reply, because the mask would not find the key in a partial or
/// compressed reply.
#[tokio::test]
async fn keyed_request_asks_for_plain_reply() {
    let ask = [
        ("accept-encoding", "gzip"),
        ("accept-encoding", "br"),
        ("range", "bytes=0-9"),
        ("te", "gzip"),
        ("accept-charset", "utf-16"),
        ("accept", "application/json"),
    ];
    let (received, _) = exchange("secret-key-1234", &ask, reply(HeaderMap::new(), vec![])).await;
    let encodings: Vec<_> = received.get_all("accept-encoding").iter().collect();
    assert_eq!(encodings, ["identity"]);
    let kept = |name| received.contains_key(name);
    assert_eq!(["range", "te", "accept-charset", "accept"].map(kept), [false, false, false, true]);
    let (received, _) = exchange("secret-key-1234", &[], reply(HeaderMap::new(), vec![])).await;
    assert_eq!(received["accept-encoding"], "identity");
}

#[test]
fn reason_for_withholding_never_contains_key() {
    for (name, value) in [
        ("content-encoding", "secret-key-1234"),
        ("transfer-encoding", "secret-key-1234"),
        ("content-type", "text/plain; charset=hz-secret-key-1234"),
    ] {
        let why = mask::hidden_in(&map(&[(name, value.as_bytes())])).unwrap();
        assert!(!why.contains("secret"), "{why}");
    }
}

#[tokio::test]
async fn compressed_reply_is_withheld() {
    for (name, coding, whole) in [
        ("content-encoding", "gzip", false),
        ("content-encoding", "identity, br", false),
        ("transfer-encoding", "gzip, chunked", false),
        ("content-encoding", "identity", true),
        ("content-encoding", "", true),
        ("transfer-encoding", "chunked", true),
    ] {
        let headers = map(&[(name, coding.as_bytes())]);
        let response = reply(headers.clone(), vec![data(b"squeezed")]);
        let (_, response) = exchange("secret-key-1234", &[], response).await;
        assert_eq!(response.headers(), &headers);
        let (bytes, _, ended) = read(response.into_body()).await;
        assert_eq!((bytes.is_empty(), ended), (!whole, whole), "{name}: {coding}");
    }
}

#[tokio::test]
async fn response_is_withheld_only_if_charset_hides_key() {
    let key = "secret-key-1234";
    let withheld = [
        "text/plain; charset=utf-7",
        "text/plain; charset=\"UTF-7\"",
        "application/json;charset=unicode-1-1-utf-7",
        "text/plain; charset=utf-7-imap",
        "text/plain; charset = ibm037",
        "text/plain; charset=IBM-1047",
        "text/plain; charset=cp500",
        "text/plain; charset=CP01140",
        "text/plain; charset=x-ibm930",
        "text/plain; charset=csIBM1026",
        "text/plain; charset=037",
        "text/plain; charset=ebcdic-cp-us",
        "text/plain; charset=ibm-1140-s390",
        "text/plain; charset=ibm-1140_P100-1997",
        "text/plain; charset=windows-65000",
        "text/plain; charset=cp65000",
        "text/plain; charset=ibm-1214",
        "text/plain; charset=1047x",
        "text/plain; charset=UTF-EBCDIC",
        "text/plain; charset=IBM-Thai",
        "text/plain; charset=hz-gb-2312",
        "text/plain; charset=BOCU-1",
        "text/plain; charset=SCSU",
        "text/plain; charset=utf-8; charset=utf-7",
    ];
    let whole = [
        // The mask detects UTF-16 and UTF-32 by their zero bytes, because some services send UTF-8
        // under these names.
        "application/json; charset=utf-16",
        "text/plain;format=flowed; Charset=\"UTF-32\"",
        "application/json; charset=\"UTF-8\"",
        "text/html; charset=ISO-8859-1",
        "application/json; charset=iso-8859-15",
        "application/json; charset=windows-1251",
        "application/json; charset=cp1252",
        "application/json; charset=cp437",
        "application/json; charset=ibm850",
        "application/json; charset=IBM866",
        "application/json; charset=gbk",
        "application/json; charset=gb18030",
        "application/json; charset=big5",
        "application/json; charset=shift_jis",
        "application/json; charset=cp932",
        "application/json; charset=euc-kr",
        "application/json; charset=koi8-r",
        "application/json; charset=utf8mb4",
        "application/json; charset=utf-8-sig",
        "application/json; charset=binary",
        "application/json; charset=no-such-name",
        "application/json; charset=99999999999999999999",
        "application/json; charset=",
        "application/json; charset",
        "application/json",
    ];
    let all = withheld.map(|kind| (kind, false)).into_iter();
    for (kind, is_whole) in all.chain(whole.map(|kind| (kind, true))) {
        let headers = map(&[("content-type", kind.as_bytes())]);
        let (_, response) = exchange(key, &[], reply(headers, vec![data(b"text")])).await;
        let (bytes, _, ended) = read(response.into_body()).await;
        assert_eq!((bytes.is_empty(), ended), (!is_whole, is_whole), "{kind}");
    }
}

/// The reply does not declare its encoding.
#[tokio::test]
async fn utf16_and_utf32_replies_hide_key() {
    let text = r#"{"message":"bad secret-key-1234"}"#;
    let wide = |width: usize, at: usize| -> Vec<u8> {
        let one = |byte: u8| {
            let mut unit = vec![0; width];
            unit[at] = byte;
            unit
        };
        text.bytes().flat_map(one).collect()
    };
    for (width, at) in [(2, 0), (2, 1), (4, 0), (4, 3)] {
        for size in [1, 3, 1_000] {
            let text = wide(width, at);
            let pieces = text.chunks(size).map(data).collect();
            let response = reply(HeaderMap::new(), pieces);
            let (_, response) = exchange("secret-key-1234", &[], response).await;
            let (bytes, _, whole) = read(response.into_body()).await;
            assert!(!whole && bytes.len() < 2, "{width} {at} {size}: {bytes:?}");
        }
    }
}
