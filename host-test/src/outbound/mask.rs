//! Replies on their way to a component: the key is masked where a service repeats
//! it, and the pause between two pieces is bounded.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use http::{HeaderMap, HeaderValue};
use http_body::{Body, Frame, SizeHint};
use messaging_core::secret::ApiKey;
use tokio::time::Sleep;
use wasmtime_wasi_http::Error;

use super::HeldKey;

/// Masks every header value that repeats the key.
pub fn headers(headers: &mut HeaderMap, key: &ApiKey) {
    for value in headers.values_mut() {
        let mut bytes = value.as_bytes().to_vec();
        if mask(&mut bytes, key.reveal().as_bytes())
            && let Ok(masked) = HeaderValue::from_bytes(&bytes)
        {
            *value = masked;
        }
    }
}

/// Replaces each occurrence of `key` by as many asterisks, so that lengths stay
/// true. Whether there was one.
fn mask(bytes: &mut [u8], key: &[u8]) -> bool {
    let mut found = false;
    let mut at = 0;
    while let Some(rest) = bytes.get_mut(at..) {
        match rest.get_mut(..key.len()) {
            Some(window) if window == key => {
                window.fill(b'*');
                found = true;
                at = at.saturating_add(key.len());
            }
            Some(_) => at = at.saturating_add(1),
            None => break,
        }
    }
    found
}

/// Where `data` holds the key, or ends with what may be its beginning.
fn place_of(key: &[u8], data: &[u8]) -> Option<usize> {
    (0..data.len()).find(|at| {
        let rest = data.get(*at..).unwrap_or_default();
        let length = rest.len().min(key.len());
        rest.get(..length) == key.get(..length)
    })
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
        let key = held_key.key.reveal().as_bytes();
        // Most pieces hold nothing of the key, and pass as they are.
        if self.held.is_empty() && place_of(key, &data).is_none() {
            return data;
        }
        let mut bytes = std::mem::take(&mut self.held);
        bytes.extend_from_slice(&data);
        mask(&mut bytes, key);
        let partial = (1..key.len().min(bytes.len().saturating_add(1)))
            .rev()
            .find(|length| key.get(..*length).is_some_and(|start| bytes.ends_with(start)));
        self.held = bytes.split_off(bytes.len().saturating_sub(partial.unwrap_or(0)));
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

    #[test]
    fn every_occurrence_is_masked_and_no_length_changes() {
        let mut bytes = b"a-canary-b canarycanary canar".to_vec();
        assert!(mask(&mut bytes, b"canary"));
        assert_eq!(bytes, b"a-******-b ************ canar");
        assert!(!mask(&mut b"nothing".to_vec(), b"canary"));
        assert!(!mask(&mut [], b"canary"));
    }
}
