//! Property tests of the mask: the output equals the input except for the key, and does not contain
//! the key.

use std::sync::Mutex;

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, Request, Response};
use http_body::Frame;
use http_body_util::{BodyExt, StreamBody};
use messaging_core::secret::ApiKey;
use proptest::prelude::*;
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
/// trailers, as all readers do.
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

/// If the held bytes were passed on, a broken body would reveal the key except for its end.
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

/// The mask would not find the key in a partial or compressed reply.
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
        "text/plain; charset=UTF-EBCDIC",
        "text/plain; charset=IBM-Thai",
        "text/plain; charset=hz-gb-2312",
        "text/plain; charset=BOCU-1",
        "text/plain; charset=SCSU",
        "text/plain; charset=utf-8; charset=utf-7",
    ];
    let whole = [
        // Zero bytes reveal these charsets. Some services use their names for UTF-8.
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
        "application/json; charset=1047x",
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

/// Returns the key with `depth` layers of JSON escapes. The seed selects the escapes.
fn escaped(key: &str, depth: usize, mut seed: u64) -> Vec<u8> {
    let mut text = key.to_string();
    for _ in 0..depth {
        let layer = |char: char| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
            let units = |upper: bool| {
                let unit = |unit: u16| match upper {
                    true => format!("\\u{unit:04X}"),
                    false => format!("\\u{unit:04x}"),
                };
                char.encode_utf16(&mut [0; 2]).iter().map(|one| unit(*one)).collect::<String>()
            };
            match ((seed >> 60) % 8, char) {
                (0, _) => units(false),
                (1, _) => units(true),
                (_, '"' | '\\') => format!("\\{char}"),
                (2, '/') => "\\/".into(),
                (_, '\t') => "\\t".into(),
                _ => char.into(),
            }
        };
        text = text.chars().map(layer).collect();
    }
    text.into_bytes()
}

/// A byte, a character, or an invalid escape.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Item {
    Byte(u8),
    Char(char),
    Bad,
}

/// Removes one layer of JSON escapes. Unlike the mask, it processes the whole text and does not
/// know the key. The numbers are the end positions in the original text.
fn unescape(items: &[(Item, usize)]) -> Vec<(Item, usize)> {
    let mut plain = Vec::new();
    let mut at = 0;
    let hex = |at: usize| -> Option<u16> {
        let digits = items.get(at..at + 4)?.iter().map(|(item, _)| match item {
            Item::Byte(byte) => char::from(*byte).to_digit(16),
            _ => None,
        });
        digits.into_iter().try_fold(0, |unit, digit| Some(unit * 16 + digit? as u16))
    };
    let is = |at: usize, byte: u8| items.get(at).is_some_and(|(item, _)| *item == Item::Byte(byte));
    while at < items.len() {
        if !is(at, b'\\') {
            plain.push(items[at]);
            at += 1;
            continue;
        }
        let (item, width) = match items.get(at + 1) {
            Some((Item::Byte(b'u'), _)) => match hex(at + 2) {
                Some(high @ 0xd800..0xdc00) if is(at + 6, b'\\') && is(at + 7, b'u') => {
                    let pair = hex(at + 8).map(|low| char::decode_utf16([high, low]).next());
                    match pair {
                        Some(Some(Ok(char))) => (Item::Char(char), 12),
                        _ => (Item::Bad, 2),
                    }
                }
                Some(unit) => match char::from_u32(unit.into()) {
                    Some(char) if char.is_ascii() => (Item::Byte(char as u8), 6),
                    Some(char) => (Item::Char(char), 6),
                    None => (Item::Bad, 2),
                },
                None => (Item::Bad, 2),
            },
            Some((Item::Byte(b't'), _)) => (Item::Byte(b'\t'), 2),
            Some((Item::Byte(byte @ (b'"' | b'\\' | b'/')), _)) => (Item::Byte(*byte), 2),
            _ => (Item::Bad, 1),
        };
        at += width;
        let end = at.min(items.len()) - 1;
        plain.push((item, items[end].1));
    }
    plain
}

/// Returns the smallest number of bytes at the beginning of `text` that represent the key.
fn repeated(text: &[u8], key: &str) -> Option<usize> {
    let mut items: Vec<(Item, usize)> =
        text.iter().enumerate().map(|(at, byte)| (Item::Byte(*byte), at + 1)).collect();
    let mut shortest: Option<usize> = None;
    for _ in 0..=3 {
        let mut bytes = Vec::new();
        let mut ends = items.iter();
        while bytes.len() < key.len() {
            match ends.next() {
                Some((Item::Byte(byte), _)) => bytes.push(*byte),
                Some((Item::Char(char), _)) => {
                    bytes.extend_from_slice(char.encode_utf8(&mut [0; 4]).as_bytes());
                }
                _ => break,
            }
        }
        if bytes == key.as_bytes() {
            let read = items.len() - ends.len();
            let width = items[read - 1].1;
            shortest = Some(shortest.map_or(width, |least| least.min(width)));
        }
        items = unescape(&items);
    }
    shortest
}

/// Returns `text` with each occurrence of the key overwritten by `fill`.
fn expected(text: &[u8], key: &str, fill: u8) -> Vec<u8> {
    let mut clean = text.to_vec();
    let mut at = 0;
    while at < text.len() {
        match repeated(&text[at..], key) {
            Some(width) => {
                clean[at..at + width].fill(fill);
                at += width;
            }
            None => at += 1,
        }
    }
    clean
}

/// Keys with characters that JSON escapes, fill characters of the mask, and repetitions.
fn keys() -> impl Strategy<Value = String> {
    let char = prop_oneof![
        4 => prop::sample::select(&['a', 'b', 'c', '0', '6', 'u', '-', '*', '/', '"', '\\'][..]),
        1 => prop::sample::select(&['\t', ' ', '~'][..]),
    ];
    let key = prop::collection::vec(char, 4..12).prop_map(String::from_iter);
    key.prop_filter("a key", |key| key.trim() == key && ApiKey::new(key.clone()).is_ok())
}

/// A part of a string: the key, a beginning of it, or other text.
#[derive(Clone, Debug)]
enum Part {
    Key(usize, u64),
    Beginning(usize, u64, prop::sample::Index),
    Other(String),
}

fn parts() -> impl Strategy<Value = Vec<Part>> {
    let part = prop_oneof![
        (0..=3_usize, any::<u64>()).prop_map(|(depth, seed)| Part::Key(depth, seed)),
        (0..=3_usize, any::<u64>(), any::<prop::sample::Index>())
            .prop_map(|(depth, seed, end)| Part::Beginning(depth, seed, end)),
        r#"[abc06u*"\\/ é{}]{0,8}"#.prop_map(Part::Other),
    ];
    prop::collection::vec(part, 0..6)
}

fn write(parts: &[Part], key: &str) -> Vec<u8> {
    let part = |part: &Part| match part {
        Part::Key(depth, seed) => escaped(key, *depth, *seed),
        Part::Beginning(depth, seed, end) => {
            let mut bytes = escaped(key, *depth, *seed);
            bytes.truncate(end.index(bytes.len()));
            bytes
        }
        Part::Other(text) => text.clone().into_bytes(),
    };
    parts.iter().flat_map(part).collect()
}

/// RFC 9112, section 6.3: without a length, the body ends when the connection closes, possibly in
/// the middle.
#[tokio::test]
async fn key_start_at_possible_break_is_masked() {
    let key = "secret-key";
    for length in 1..key.len() {
        for (delimiter, masked) in
            [("x-other", length >= 4), ("content-length", false), ("transfer-encoding", false)]
        {
            let beginning = &key[..length];
            let pieces = vec![data(b"bad "), data(beginning.as_bytes())];
            let head = map(&[(delimiter, b"chunked")]);
            let (_, response) = exchange(key, &[], reply(head, pieces)).await;
            let (bytes, _, whole) = read(response.into_body()).await;
            let end = if masked { "*".repeat(length) } else { beginning.to_string() };
            assert!(whole);
            assert_eq!(String::from_utf8_lossy(&bytes), format!("bad {end}"), "{delimiter}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_048))]

    #[test]
    fn output_equals_input_except_key(
        key in keys(),
        body in parts(),
        field in parts(),
        cuts in prop::collection::vec(1..9_usize, 1..8),
        trailers in any::<bool>(),
    ) {
        let (body, field) = (write(&body, &key), write(&field, &key));
        let fill = if key.contains('*') { b'#' } else { b'*' };
        let fields = map(&[("x-echo", &field), ("x-other", b"other")]);
        // Without this header, the end of the body could be a closed connection.
        let chunked = ("transfer-encoding", &b"chunked"[..]);
        let head = map(&[("x-echo", &field), ("x-other", b"other"), chunked]);
        let mut pieces = Vec::new();
        let (mut rest, mut sizes) = (body.as_slice(), cuts.iter().cycle());
        while !rest.is_empty() {
            let (piece, later) = rest.split_at(rest.len().min(*sizes.next().unwrap()));
            pieces.push(data(piece));
            rest = later;
        }
        if trailers {
            pieces.push(Ok(Frame::trailers(fields.clone())));
        }
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let (seen, (bytes, ended, whole)) = runtime.block_on(async {
            let (_, response) = exchange(&key, &[], reply(head, pieces)).await;
            (response.headers().clone(), read(response.into_body()).await)
        });
        prop_assert!(whole);
        let clean = expected(&body, &key, fill);
        prop_assert_eq!(String::from_utf8_lossy(&bytes), String::from_utf8_lossy(&clean));
        let field = expected(&field, &key, fill);
        let head = map(&[("x-echo", &field), ("x-other", b"other"), chunked]);
        prop_assert_eq!(&seen, &head);
        let fields = map(&[("x-echo", &field), ("x-other", b"other")]);
        prop_assert_eq!(ended, trailers.then_some(fields));
        for text in [&bytes, &field] {
            for at in 0..text.len() {
                prop_assert_eq!(repeated(&text[at..], &key), None, "the key is left at {}", at);
            }
        }
    }

    #[test]
    fn no_header_name_contains_the_key(key in "[A-Za-z0-9_*.-]{4,9}", around in "[a-z*-]{0,6}") {
        let name = format!("{around}{key}{key}{around}").to_lowercase();
        let fields = map(&[(&name, b"a"), ("x-other", b"b")]);
        let pieces = vec![Ok(Frame::trailers(fields.clone()))];
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let (head, trailers) = runtime.block_on(async {
            let (_, response) = exchange(&key, &[], reply(fields, pieces)).await;
            (response.headers().clone(), read(response.into_body()).await.1.unwrap())
        });
        for seen in [head, trailers] {
            prop_assert_eq!(seen.len(), 2);
            let (masked, value) = seen.iter().next().unwrap();
            prop_assert_eq!((masked.as_str().len(), value.as_bytes()), (name.len(), &b"a"[..]));
            prop_assert!(!masked.as_str().contains(&key.to_lowercase()), "{}", masked);
        }
    }
}
