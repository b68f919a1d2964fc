//! Replies on their way to a component: the key is masked where a service repeats
//! it, as it is or escaped as in JSON, and the pause between two pieces is bounded.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use http::{HeaderMap, HeaderValue};
use http_body::{Body, Frame, SizeHint};
use messaging_core::limits::MIN_REDACTED_KEY_BYTES;
use messaging_core::secret::ApiKey;
use tokio::time::Sleep;
use wasmtime_wasi_http::Error;

use super::HeldKey;

/// Masks every header value that repeats the key.
pub fn headers(headers: &mut HeaderMap, key: &ApiKey) {
    let Some(key) = searched(key) else { return };
    for value in headers.values_mut() {
        if first(value.as_bytes(), key).is_some() {
            let mut bytes = value.as_bytes().to_vec();
            mask(&mut bytes, key);
            if let Ok(masked) = HeaderValue::from_bytes(&bytes) {
                *value = masked;
            }
        }
    }
}

/// The key, if it is long enough to be told from ordinary text.
fn searched(key: &ApiKey) -> Option<&str> {
    Some(key.reveal()).filter(|key| key.len() >= MIN_REDACTED_KEY_BYTES)
}

/// Replaces each occurrence of `key` by as many asterisks, so that lengths stay true.
/// Where the bytes end with what may be the beginning of another, that place.
fn mask(bytes: &mut [u8], key: &str) -> Option<usize> {
    let mut at = 0;
    while let Some(rest) = bytes.get_mut(at..) {
        let next = first(rest, key)?;
        match rest.get_mut(next..).map(|rest| (repeats(rest, key), rest)) {
            Some((Repeats::Whole(length), rest)) => {
                rest.iter_mut().take(length).for_each(|byte| *byte = b'*');
                at = at.saturating_add(next).saturating_add(length);
            }
            _ => return Some(at.saturating_add(next)),
        }
    }
    None
}

/// Where `data` first holds the key, or ends with what may be its beginning.
fn first(data: &[u8], key: &str) -> Option<usize> {
    (0..data.len())
        .find(|at| data.get(*at..).is_some_and(|rest| repeats(rest, key) != Repeats::Nothing))
}

/// What some bytes begin with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Repeats {
    /// The key, in this many bytes.
    Whole(usize),
    /// What may be the key, if more bytes come.
    Beginning,
    Nothing,
}

/// Looks for the key as it is, and as a JSON text may write it (RFC 8259 section 7):
/// whoever reads that text would have the key again.
fn repeats(data: &[u8], key: &str) -> Repeats {
    if let Some(result) = plainly(data, key.as_bytes()) {
        return result;
    }
    let mut rest = data;
    for wanted in key.chars() {
        let step = match rest {
            [b'\\', ..] => escaped(rest, wanted),
            _ => plainly(rest, wanted.encode_utf8(&mut [0; 4]).as_bytes()),
        };
        match step {
            Some(Repeats::Whole(length)) => rest = rest.get(length..).unwrap_or_default(),
            other => return other.unwrap_or(Repeats::Nothing),
        }
    }
    Repeats::Whole(data.len().saturating_sub(rest.len()))
}

/// What `data` begins with, if that is `text` or may be.
fn plainly(data: &[u8], text: &[u8]) -> Option<Repeats> {
    let length = data.len().min(text.len());
    (data.get(..length) == text.get(..length)).then_some(match length == text.len() {
        true => Repeats::Whole(length),
        false => Repeats::Beginning,
    })
}

/// The same for one character as an escape.
fn escaped(data: &[u8], wanted: char) -> Option<Repeats> {
    let Some(kind) = data.get(1) else { return Some(Repeats::Beginning) };
    if *kind != b'u' {
        let char = match kind {
            b't' => '\t',
            b'"' | b'\\' | b'/' => char::from(*kind),
            // Others stand for what no key holds.
            _ => return None,
        };
        return (char == wanted).then_some(Repeats::Whole(2));
    }
    // What lies beyond the basic plane is written as two units.
    let text = wanted
        .encode_utf16(&mut [0; 2])
        .iter()
        .fold(String::new(), |text, unit| text + &format!("\\u{unit:04x}"));
    let length = data.len().min(text.len());
    let same = data.get(..length)?.eq_ignore_ascii_case(text.as_bytes().get(..length)?);
    same.then_some(if length == text.len() { Repeats::Whole(length) } else { Repeats::Beginning })
}

/// A reply's body.
pub struct Masked<B> {
    body: B,
    held_key: Option<Arc<HeldKey>>,
    /// The end of what was read so far, where it may be the beginning of the key.
    held: BytesMut,
    ended: bool,
    between: Duration,
    sleep: Option<Pin<Box<Sleep>>>,
}

impl<B> Masked<B> {
    pub fn new(body: B, held_key: Option<Arc<HeldKey>>, between: Duration) -> Self {
        Self { body, held_key, held: BytesMut::new(), ended: false, between, sleep: None }
    }

    /// Takes a piece in, and gives out what can no longer be a part of the key.
    fn pass(&mut self, data: Bytes) -> Bytes {
        let Some(held_key) = &self.held_key else { return data };
        let Some(key) = searched(&held_key.key) else { return data };
        // Most pieces hold nothing of the key, and pass as they are.
        if self.held.is_empty() && first(&data, key).is_none() {
            return data;
        }
        let mut bytes = std::mem::take(&mut self.held);
        bytes.extend_from_slice(&data);
        if let Some(beginning) = mask(&mut bytes, key) {
            self.held = bytes.split_off(beginning);
        }
        bytes.freeze()
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
            if self.ended {
                return Poll::Ready(None);
            }
            let frame = match Pin::new(&mut self.body).poll_frame(cx) {
                Poll::Ready(frame) => frame,
                Poll::Pending => {
                    let between = self.between;
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
                    Ok(data) => self.pass(data),
                    Err(other) => return Poll::Ready(Some(Ok(other))),
                },
                Some(Err(error)) => {
                    self.ended = true;
                    return Poll::Ready(Some(Err(error)));
                }
                None => {
                    self.ended = true;
                    std::mem::take(&mut self.held).freeze()
                }
            };
            if !data.is_empty() {
                return Poll::Ready(Some(Ok(Frame::data(data))));
            }
        }
    }

    fn is_end_stream(&self) -> bool {
        self.ended || (self.held.is_empty() && self.body.is_end_stream())
    }

    fn size_hint(&self) -> SizeHint {
        if self.held.is_empty() { self.body.size_hint() } else { SizeHint::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn masked(text: &str) -> (String, Option<usize>) {
        let mut bytes = text.as_bytes().to_vec();
        let beginning = mask(&mut bytes, "ca\"n/ry");
        (String::from_utf8(bytes).unwrap(), beginning)
    }

    #[test]
    fn every_occurrence_is_masked_and_no_length_changes() {
        let text = r#"a-ca"n/ry-b ca"n/ryca"n/ry ca"n/"#;
        assert_eq!(masked(text), (r#"a-*******-b ************** ca"n/"#.into(), Some(27)));
        assert_eq!(masked("nothing"), ("nothing".into(), None));
        assert_eq!(masked(""), (String::new(), None));
        assert_eq!(masked("cacaca"), ("cacaca".into(), Some(4)));
    }

    #[test]
    fn what_json_would_read_as_the_key_is_masked() {
        for text in [
            r#"ca\"n/ry"#,
            r#"ca\"n\/ry"#,
            r#"\u0063a\"n/ry"#,
            r#"\u0063\u0061\u0022\u006e\u002F\u0072\u0079"#,
            r#"ca\u0022n/r\u0079"#,
        ] {
            let json: String = serde_json::from_str(&format!("\"{text}\"")).unwrap();
            assert_eq!(json, r#"ca"n/ry"#);
            assert_eq!(masked(text), ("*".repeat(text.len()), None), "{text}");
            for cut in 1..text.len() {
                let (kept, beginning) = masked(&text[..cut]);
                assert_eq!((kept.as_str(), beginning), (&text[..cut], Some(0)), "{text} at {cut}");
            }
        }
        let mut other = r"\u00E9\ud83d\uDE00\t\\".as_bytes().to_vec();
        assert_eq!(mask(&mut other, "é😀\t\\"), None);
        assert_eq!(other, [b'*'; 22]);
        for text in [r#"\u0163a\"n/ry"#, r#"ca\\"n/ry"#, r#"ca\u+022n/ry"#, r#"ca\"n/rz"#] {
            assert_eq!(masked(text).0, text);
        }
    }

    /// A body in pieces of every size comes out as it would in one.
    #[tokio::test]
    async fn a_key_that_is_cut_into_pieces_is_masked() {
        use http_body_util::{BodyExt, StreamBody};
        let key = ApiKey::new("canary-key".into()).unwrap();
        let held =
            HeldKey { key, placeholder: HeaderValue::from_static("placeholder"), origin: None };
        let held = Arc::new(held);
        let text = r#"{"a":"canary-key","b":"c\u0061nary\u002dkey","c":"canary-ke"}"#;
        for size in 1..text.len() {
            let pieces: Vec<Result<Frame<Bytes>, Error>> = text
                .as_bytes()
                .chunks(size)
                .map(|piece| Ok(Frame::data(Bytes::copy_from_slice(piece))))
                .collect();
            let body = StreamBody::new(futures_util::stream::iter(pieces));
            let body = Masked::new(body, Some(Arc::clone(&held)), Duration::from_secs(1));
            let bytes = body.collect().await.unwrap().to_bytes();
            let expected = r#"{"a":"**********","b":"********************","c":"canary-ke"}"#;
            assert_eq!(std::str::from_utf8(&bytes).unwrap(), expected, "{size}");
        }
    }
}
