//! Masks the API key in replies to a component, also if the key has JSON escapes. Also limits the
//! delay between two pieces of a body.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use http::header::{CONTENT_LENGTH, TRANSFER_ENCODING};
use http::{HeaderMap, HeaderName, HeaderValue, Response, header};
use http_body::{Body, Frame, SizeHint};
use messaging_core::limits::MIN_REDACTED_KEY_BYTES;
use messaging_core::secret::{ApiKey, Effort, Found, PrefixMatch, Progress};
use tokio::time::Sleep;
use wasmtime_wasi_http::Error;

use super::held::HeldKey;

/// Characters that may replace the key. They are allowed in header names and do not occur in JSON
/// escapes.
const FILLS: &[u8] = b"*#-_.+~^!$%&'|gGhHiIjJkKlLmMopqsvwxyzNOPQRSTUVWXYZ";

/// Returns the first fill character that the key does not contain, because the masked data must not
/// contain the key. Falls back to 0xff, which does not occur in text.
fn fill(key: &str) -> u8 {
    FILLS.iter().copied().find(|fill| !key.as_bytes().contains(fill)).unwrap_or(0xff)
}

/// Returns true if `text` may be the masked key: only fill characters, and at least as long as the
/// key.
pub fn is_masked(text: &str, key: &ApiKey) -> bool {
    let filled = || text.bytes().all(|byte| byte == fill(key.reveal()));
    searched(key).is_some_and(|key| text.len() >= key.len()) && filled()
}

/// Masks the key in the names and values of headers.
pub fn headers(headers: &mut HeaderMap, key: &ApiKey) {
    for value in headers.values_mut() {
        if let Some(masked) = masked(value.as_bytes(), key) {
            // The fallback is never used, because masking keeps a header value valid.
            *value =
                HeaderValue::from_bytes(&masked).unwrap_or_else(|_| HeaderValue::from_static(""));
        }
    }
    // Searches in lower case, because `HeaderName` stores names in lower case.
    let Some(name) = searched(key).map(str::to_ascii_lowercase) else { return };
    let repeats = |held: &HeaderName| held.as_str().contains(&name);
    if headers.keys().any(repeats) {
        let fill = char::from(fill(&name).to_ascii_lowercase()).to_string().repeat(name.len());
        let mut last = None;
        for (held, value) in std::mem::take(headers) {
            last = held.or(last);
            let Some(held) = &last else { continue };
            // A header whose name cannot be masked is removed.
            if let Ok(held) = HeaderName::try_from(held.as_str().replace(&name, &fill)) {
                headers.append(held, value);
            }
        }
    }
}

/// Returns the reason why the mask cannot find the key in a body: compression, or a charset in
/// which the key has other bytes. `None` if the mask can find the key. The reason does not contain
/// the header's value, which can be the key.
pub fn hidden_in(headers: &HeaderMap) -> Option<&'static str> {
    let is_coded = |name: &HeaderName, plain: [&str; 2]| {
        let mut codings = headers
            .get_all(name)
            .iter()
            .flat_map(|value| value.as_bytes().split(|byte| *byte == b',').map(<[u8]>::trim_ascii));
        let is_plain = |coding: &&[u8]| {
            plain.iter().any(|plain| coding.eq_ignore_ascii_case(plain.as_bytes()))
        };
        codings.any(|coding| !is_plain(&coding))
    };
    let types = headers.get_all(header::CONTENT_TYPE);
    match headers {
        _ if is_coded(&header::CONTENT_ENCODING, ["identity", ""]) => Some("content-encoding"),
        _ if is_coded(&TRANSFER_ENCODING, ["chunked", ""]) => Some("transfer-encoding"),
        _ if types.iter().any(charset_has_other_bytes) => Some("charset"),
        _ => None,
    }
}

/// Numbers of the code pages of EBCDIC, SCSU and BOCU-1 (1212 to 1215), and UTF-7 (65000). Windows
/// numbers some pages of EBCDIC 20,000 or 50,000 higher.
const CODE_PAGES: [u32; 92] = [
    37, 39, 273, 274, 275, 277, 278, 280, 281, 282, 283, 284, 285, 286, 290, 297, 410, 420, 423,
    424, 425, 500, 803, 833, 836, 838, 870, 871, 875, 880, 905, 918, 924, 930, 931, 933, 935, 937,
    939, 1025, 1026, 1027, 1047, 1069, 1070, 1071, 1097, 1112, 1122, 1123, 1130, 1132, 1137, 1140,
    1141, 1142, 1143, 1144, 1145, 1146, 1147, 1148, 1149, 1153, 1154, 1155, 1156, 1157, 1158, 1160,
    1164, 1165, 1166, 1364, 1371, 1377, 1388, 1390, 1399, 4971, 5026, 5035, 5123, 8482, 12712,
    16684, 28709, 1212, 1213, 1214, 1215, 65000,
];

/// Returns true if the charset of a content type may encode ASCII as other bytes and adds no zero
/// bytes: UTF-7, EBCDIC, HZ, and the compressed forms of Unicode. All other charsets, including
/// unknown names, keep the bytes of ASCII or add zero bytes (UTF-16, UTF-32).
fn charset_has_other_bytes(value: &HeaderValue) -> bool {
    value.as_bytes().split(|byte| matches!(byte, b';' | b',')).any(|parameter| {
        let mut parts = parameter.splitn(2, |byte| *byte == b'=').map(<[u8]>::trim_ascii);
        let (Some(label), Some(charset)) = (parts.next(), parts.next()) else { return false };
        if !label.eq_ignore_ascii_case(b"charset") {
            return false;
        }
        // The comparison ignores case and punctuation (Unicode Technical Standard 22).
        let name: String = charset
            .iter()
            .filter(|byte| byte.is_ascii_alphanumeric())
            .map(|byte| char::from(byte.to_ascii_lowercase()))
            .collect();
        ["utf7", "ebcdic", "scsu", "bocu"].iter().any(|part| name.contains(part))
            || name.starts_with("hz")
            || name.ends_with("ibmthai")
            || code_page(&name).is_some_and(is_listed)
    })
}

fn is_listed(number: u32) -> bool {
    [0, 20_000, 50_000]
        .iter()
        .filter_map(|added| number.checked_sub(*added))
        .any(|number| CODE_PAGES.contains(&number))
}

/// Returns the first number in the name of a charset, for example of `ibm037`, `cp037` or
/// `ibm1140s390`.
fn code_page(name: &str) -> Option<u32> {
    name.split(|char: char| !char.is_ascii_digit()).find(|digits| !digits.is_empty())?.parse().ok()
}

/// Returns the key if it is long enough to differ from ordinary text.
fn searched(key: &ApiKey) -> Option<&str> {
    Some(key.reveal()).filter(|key| key.len() >= MIN_REDACTED_KEY_BYTES)
}

/// Returns a complete header value with the key masked; `None` if the value does not contain the
/// key.
fn masked(text: &[u8], key: &ApiKey) -> Option<Vec<u8>> {
    key.find(text, false, &mut key.effort(text.len()))?;
    let mut bytes = text.to_vec();
    mask(&mut bytes, 0, key, false, &mut key.effort(text.len()));
    Some(bytes)
}

/// Overwrites each occurrence of the key after `from` with the same number of fill characters. The
/// length of `bytes` does not change. If `more` is true, further data may follow, and the function
/// returns the position of a possible beginning of the key at the end of `bytes`.
fn mask(
    bytes: &mut [u8],
    from: usize,
    key: &ApiKey,
    more: bool,
    effort: &mut Effort,
) -> Option<usize> {
    let mut at = from;
    loop {
        let rest = bytes.get_mut(at..)?;
        match key.find(rest, more, effort)? {
            Found::Whole(range) => {
                let end = range.end;
                rest.get_mut(range)?.fill(fill(key.reveal()));
                at = at.saturating_add(end);
            }
            Found::Beginning(start) => return Some(at.saturating_add(start)),
        }
    }
}

/// The body of a reply with the key masked.
pub struct Masked<B> {
    body: B,
    held_key: Option<Arc<HeldKey>>,
    /// True if the request carried the key.
    keyed: bool,
    /// True if the end of the body can be distinguished from a closed connection.
    delimited: bool,
    /// The last bytes of the data so far, if they may be the beginning of the key; otherwise empty.
    held: BytesMut,
    /// Progress of the comparison of `held` with the API key.
    progress: Progress,
    /// Work that is left to search the key.
    effort: Effort,
    /// Trailers that follow `held`.
    next: Option<Frame<Bytes>>,
    ended: bool,
    /// Maximum delay between two pieces of the body.
    between: Option<Duration>,
    sleep: Option<Pin<Box<Sleep>>>,
}

impl<B> Masked<B> {
    pub fn new(
        response: Response<B>,
        held_key: Option<Arc<HeldKey>>,
        keyed: bool,
        between: Option<Duration>,
    ) -> Response<Self> {
        // RFC 9112, section 6.3: without these headers, the body ends when the connection closes.
        let delimiters = [&CONTENT_LENGTH, &TRANSFER_ENCODING];
        let delimited = delimiters.iter().any(|name| response.headers().contains_key(*name));
        let effort = held_key.as_ref().map(|held| held.key.effort(0)).unwrap_or_default();
        response.map(|body| Self {
            body,
            held_key,
            keyed,
            delimited,
            held: BytesMut::new(),
            progress: Progress::default(),
            effort,
            next: None,
            ended: false,
            between,
            sleep: None,
        })
    }

    /// Adds a piece of the body. Returns the data with the key masked, and holds back bytes at the
    /// end that may be the beginning of the key.
    fn pass(&mut self, data: Bytes) -> Bytes {
        let Some(held_key) = &self.held_key else { return data };
        let key = &held_key.key;
        self.effort.add(data.len());
        // Fast path: most pieces do not contain the key.
        if self.held.is_empty() && key.find(&data, true, &mut self.effort).is_none() {
            return data;
        }
        let mut bytes = std::mem::take(&mut self.held);
        bytes.extend_from_slice(&data);
        let from = match key.begins(&bytes, &mut self.progress) {
            PrefixMatch::Maybe => {
                self.held = bytes;
                return Bytes::new();
            }
            PrefixMatch::Whole(width) => {
                bytes.iter_mut().take(width).for_each(|byte| *byte = fill(key.reveal()));
                width
            }
            PrefixMatch::Otherwise => 0,
        };
        self.progress = Progress::default();
        if let Some(beginning) = mask(&mut bytes, from, key, true, &mut self.effort) {
            self.held = bytes.split_off(beginning);
        }
        bytes.freeze()
    }

    /// Returns the held bytes at the end of the body. Masks a beginning of the key if the body may
    /// have been cut off.
    fn release(&mut self) -> Bytes {
        let mut bytes = std::mem::take(&mut self.held);
        if let Some(held_key) = &self.held_key {
            let key = &held_key.key;
            let beginning = mask(&mut bytes, 0, key, !self.delimited, &mut self.effort);
            let beginning = beginning.and_then(|at| bytes.get_mut(at..)).unwrap_or_default();
            if beginning.len() >= MIN_REDACTED_KEY_BYTES {
                beginning.fill(fill(key.reveal()));
            }
        }
        bytes.freeze()
    }

    /// Masks the key in a frame that is not data.
    fn other(&self, frame: Frame<Bytes>) -> Frame<Bytes> {
        match (frame.into_trailers(), &self.held_key) {
            (Ok(mut trailers), Some(held_key)) => {
                headers(&mut trailers, &held_key.key);
                Frame::trailers(trailers)
            }
            (Ok(trailers), None) => Frame::trailers(trailers),
            (Err(frame), _) => frame,
        }
    }
}

impl<B: Body<Data = Bytes, Error = Error> + Unpin> Body for Masked<B> {
    type Data = Bytes;
    type Error = Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Error>>> {
        loop {
            if let Some(next) = self.next.take() {
                return Poll::Ready(Some(Ok(next)));
            }
            if self.ended {
                return Poll::Ready(None);
            }
            let frame = match Pin::new(&mut self.body).poll_frame(cx) {
                Poll::Ready(frame) => frame,
                Poll::Pending => {
                    let Some(between) = self.between else { return Poll::Pending };
                    let sleep =
                        self.sleep.get_or_insert_with(|| Box::pin(tokio::time::sleep(between)));
                    ready!(sleep.as_mut().poll(cx));
                    self.ended = true;
                    return Poll::Ready(Some(Err(Error::ConnectionReadTimeout)));
                }
            };
            self.sleep = None;
            let data = match frame {
                Some(Ok(frame)) => match frame.into_data() {
                    // Withholds binary data, UTF-16 and UTF-32, because the mask cannot find the
                    // key in them.
                    Ok(data) if self.keyed && data.contains(&0) => {
                        let why = "zero bytes";
                        tracing::warn!(
                            why,
                            "body of a response withheld: it could contain the API key in a form that is not masked"
                        );
                        self.ended = true;
                        return Poll::Ready(Some(Err(Error::HttpResponseContentCoding(None))));
                    }
                    Ok(data) => self.pass(data),
                    // Releases the held bytes, because no data follows trailers.
                    Err(other) => {
                        self.next = Some(self.other(other));
                        self.release()
                    }
                },
                // Drops the held bytes, because they may be almost the whole key.
                Some(Err(error)) => {
                    self.ended = true;
                    return Poll::Ready(Some(Err(error)));
                }
                None => {
                    self.ended = true;
                    self.release()
                }
            };
            if !data.is_empty() {
                return Poll::Ready(Some(Ok(Frame::data(data))));
            }
        }
    }

    fn is_end_stream(&self) -> bool {
        self.next.is_none() && (self.ended || (self.held.is_empty() && self.body.is_end_stream()))
    }

    fn size_hint(&self) -> SizeHint {
        if self.held.is_empty() { self.body.size_hint() } else { SizeHint::default() }
    }
}
