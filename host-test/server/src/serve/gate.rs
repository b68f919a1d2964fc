//! Passes the bytes of a connection to hyper: one request at a time, and only after its head is
//! complete and unambiguous.
//!
//! hyper closes the connection without a response if a head is too slow, and accepts
//! `Content-Length` together with `Transfer-Encoding`. The gate therefore replaces a rejected
//! request with the constant request `STAND_IN`, and stores the response to the rejected request in
//! the connection's [`Notes`]. hyper then writes all responses in the order of the requests.

use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::{Buf, Bytes, BytesMut};
use messaging_core::webhook::Answer;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::Sleep;

use super::head::{self, Head};
use super::slots::{ConnectionSlot, Stage};

/// A request that the gate passes to hyper instead of a rejected request.
const STAND_IN: &[u8] = b"POST / HTTP/1.1\r\nHost: refused.invalid\r\nConnection: close\r\n\r\n";
/// Maximum size of one read of a head, in bytes.
const CHUNK_BYTES: usize = 2048;
/// Maximum time, and maximum number of bytes, for reading the rest of a request that was answered
/// early. If the server closed the connection at once, the client would see a reset instead of the
/// response.
const LINGER: Duration = Duration::from_secs(3);
const LINGER_BYTES: usize = 64 * 1024 * 1024;

/// The gate's note about the last request that it passed to hyper.
#[derive(Default)]
pub struct Notes(Mutex<Note>);

/// The gate's decision about one request.
#[derive(Default)]
pub struct Note {
    /// The response to a rejected request; `None` if the gate accepted the request.
    pub refused: Option<Answer>,
    /// True if the connection closes after the response.
    pub last: bool,
}

impl Notes {
    /// Takes the `Note` about the request that hyper has just received.
    pub fn take(&self) -> Note {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn put(&self, refused: Option<Answer>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Note { refused, last: true };
    }
}

/// A connection whose requests are checked before hyper reads them.
pub struct Gate<S> {
    stream: S,
    /// Timeout of a head, and of an idle connection between two requests.
    head_timeout: Duration,
    max_head_bytes: usize,
    slot: Arc<ConnectionSlot>,
    notes: Arc<Notes>,
    /// Bytes that were read but not passed to hyper.
    seen: BytesMut,
    /// Number of bytes in `seen` that were checked for the end of a head.
    looked_at: usize,
    /// Number of bytes to pass to hyper before the next head is parsed.
    open: u64,
    /// Rest of `STAND_IN`, or empty at the end of a connection. `None` while requests are passed
    /// on. After `STAND_IN`, hyper gets no bytes of the client.
    stand_in: Option<Bytes>,
    /// True if the connection ends without a further request.
    ended: bool,
    /// Response to the first request of a connection without a slot; `None` with a slot.
    turned_away: Option<Answer>,
    /// Timer of the head.
    waiting: Option<Pin<Box<Sleep>>>,
    /// Timer and remaining bytes while the rest of a request is read after the last response.
    lingering: Option<(Pin<Box<Sleep>>, usize)>,
}

impl<S: AsyncRead + Unpin> Gate<S> {
    pub fn new(
        stream: S,
        head_timeout: Duration,
        max_head_bytes: usize,
        slot: Arc<ConnectionSlot>,
        notes: Arc<Notes>,
        turned_away: Option<Answer>,
    ) -> Self {
        Self {
            stream,
            turned_away,
            head_timeout,
            max_head_bytes,
            slot,
            notes,
            seen: BytesMut::new(),
            looked_at: 0,
            open: 0,
            stand_in: None,
            ended: false,
            waiting: None,
            lingering: None,
        }
    }

    /// Reads and discards data that the client still sends.
    fn poll_linger(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let Some((until, left)) = &mut self.lingering else { return Poll::Ready(()) };
        let mut chunk = [0; CHUNK_BYTES];
        while *left > 0 {
            let mut chunk = ReadBuf::new(&mut chunk);
            match Pin::new(&mut self.stream).poll_read(cx, &mut chunk) {
                Poll::Ready(Ok(())) if !chunk.filled().is_empty() => {
                    *left = left.saturating_sub(chunk.filled().len());
                }
                Poll::Ready(_) => break,
                Poll::Pending => return until.as_mut().poll(cx),
            }
        }
        Poll::Ready(())
    }

    /// Waits for the next head. Ready if there are bytes for hyper, or if the connection ends.
    fn poll_head(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        loop {
            if self.seen.len() > self.looked_at {
                if !self.slot.is_answering() {
                    self.slot.now(Stage::Head);
                }
                // Parses the first bytes at once, because a client with invalid HTTP must not wait
                // for the timeout. Parses later bytes only if they may complete the head.
                if self.looked_at == 0 || holds_an_empty_line(&self.seen, self.looked_at) {
                    let head = head::judge(&self.seen);
                    if head != Head::Incomplete
                        && let Some(answer) = self.turned_away.take()
                    {
                        return self.refuse(answer);
                    }
                    match head {
                        Head::Incomplete => {}
                        Head::Whole { length, body } => {
                            let length = u64::try_from(length).unwrap_or(u64::MAX);
                            return self.let_through(length.saturating_add(body));
                        }
                        Head::Last => return self.let_all_through(),
                        Head::Refused(answer) => return self.refuse(answer),
                    }
                }
                if self.seen.len() >= self.max_head_bytes {
                    // hyper responds that the head is too long.
                    return self.let_all_through();
                }
                self.looked_at = self.seen.len();
            }
            let mut chunk = [0; CHUNK_BYTES];
            let room = self.max_head_bytes.saturating_sub(self.seen.len()).min(CHUNK_BYTES);
            let mut chunk = ReadBuf::new(chunk.get_mut(..room).unwrap_or_default());
            match Pin::new(&mut self.stream).poll_read(cx, &mut chunk) {
                Poll::Ready(Ok(())) if chunk.filled().is_empty() => return self.let_all_through(),
                Poll::Ready(Ok(())) => self.seen.extend_from_slice(chunk.filled()),
                Poll::Ready(Err(error)) => return Poll::Ready(Err(error)),
                Poll::Pending if self.slot.is_answering() => {
                    // The client is waiting for a response, which can take longer than the timeout.
                    self.waiting = None;
                    return Poll::Pending;
                }
                Poll::Pending => {
                    let timeout = self.head_timeout;
                    let waiting =
                        self.waiting.get_or_insert_with(|| Box::pin(tokio::time::sleep(timeout)));
                    ready!(waiting.as_mut().poll(cx));
                    if self.seen.is_empty() {
                        // A connection without a request gets no response.
                        return self.end();
                    }
                    return self.refuse(Answer::TooSlow);
                }
            }
        }
    }

    fn let_through(&mut self, bytes: u64) -> Poll<io::Result<()>> {
        (self.waiting, self.looked_at) = (None, 0);
        self.open = bytes;
        Poll::Ready(Ok(()))
    }

    fn let_all_through(&mut self) -> Poll<io::Result<()>> {
        self.notes.put(None);
        self.let_through(u64::MAX)
    }

    /// Ends the connection as if the client had closed it.
    fn end(&mut self) -> Poll<io::Result<()>> {
        self.ended = true;
        self.stand_in = Some(Bytes::new());
        Poll::Ready(Ok(()))
    }

    fn refuse(&mut self, answer: Answer) -> Poll<io::Result<()>> {
        self.notes.put(Some(answer));
        self.seen = BytesMut::new();
        self.stand_in = Some(Bytes::from_static(STAND_IN));
        Poll::Ready(Ok(()))
    }
}

/// Returns true if `seen` has an empty line that ends after the first `before` bytes.
fn holds_an_empty_line(seen: &[u8], before: usize) -> bool {
    let new = seen.get(before.saturating_sub(3)..).unwrap_or_default();
    new.windows(2).any(|two| two == b"\n\n") || new.windows(3).any(|three| three == b"\n\r\n")
}

/// Copies at most `most` bytes to the buffer, and returns their number.
fn hand_over(from: &mut impl Buf, most: u64, buffer: &mut ReadBuf<'_>) -> u64 {
    let most = usize::try_from(most).unwrap_or(usize::MAX);
    let length = from.remaining().min(most).min(buffer.remaining());
    buffer.put_slice(&from.copy_to_bytes(length));
    u64::try_from(length).unwrap_or(u64::MAX)
}

impl<S: AsyncRead + Unpin> AsyncRead for Gate<S> {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        if this.open == 0 && this.stand_in.is_none() {
            ready!(this.poll_head(cx))?;
        }
        if let Some(stand_in) = &mut this.stand_in {
            if stand_in.is_empty() && !this.ended {
                // The last response is being written. An end of the stream would look like a
                // disconnect by the client.
                return Poll::Pending;
            }
            hand_over(stand_in, u64::MAX, buffer);
            return Poll::Ready(Ok(()));
        }
        if !this.seen.is_empty() {
            let handed_over = hand_over(&mut this.seen, this.open, buffer);
            this.open = this.open.saturating_sub(handed_over);
            if this.seen.is_empty() {
                // A new buffer frees the capacity of the old buffer.
                this.seen = BytesMut::new();
            }
            return Poll::Ready(Ok(()));
        }
        let room = usize::try_from(this.open).unwrap_or(usize::MAX).min(buffer.remaining());
        let mut part = ReadBuf::new(buffer.initialize_unfilled_to(room));
        ready!(Pin::new(&mut this.stream).poll_read(cx, &mut part))?;
        let read = part.filled().len();
        buffer.advance(read);
        this.open = this.open.saturating_sub(u64::try_from(read).unwrap_or(u64::MAX));
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for Gate<S> {
    fn poll_write(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.get_mut().stream).poll_write(cx, bytes)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.get_mut().stream).poll_write_vectored(cx, parts)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_flush(cx)
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        if this.lingering.is_none() {
            ready!(Pin::new(&mut this.stream).poll_shutdown(cx))?;
            let refused = this.stand_in.is_some() && !this.ended;
            if this.open == 0 && !refused {
                return Poll::Ready(Ok(()));
            }
            this.lingering = Some((Box::pin(tokio::time::sleep(LINGER)), LINGER_BYTES));
        }
        ready!(this.poll_linger(cx));
        Poll::Ready(Ok(()))
    }
}
