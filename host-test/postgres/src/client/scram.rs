//! The stream of a connection without TLS. If the server asks for a password in cleartext or as
//! MD5, the client does not send the password, because an impostor on the port could use it. SCRAM
//! proves knowledge of the password without revealing it.

use std::convert::Infallible;
use std::future::{Ready, ready};
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_postgres::tls::{ChannelBinding, MakeTlsConnect, TlsConnect, TlsStream};

const REFUSED: &str = "the server asks for a password without SCRAM, and the connection has no TLS; use sslmode=verify-full, or let pg_hba.conf ask for scram-sha-256, set password_encryption = 'scram-sha-256' (in PgBouncer auth_type = scram-sha-256), and set the password again";

/// The connector that replaces TLS. It does not encrypt; it only watches the stream.
#[derive(Clone, Copy)]
pub(crate) struct Plain;

impl<S: AsyncRead + AsyncWrite + Unpin> MakeTlsConnect<S> for Plain {
    type Stream = Watched<S>;
    type TlsConnect = Self;
    type Error = Infallible;

    fn make_tls_connect(&mut self, _: &str) -> Result<Self, Infallible> {
        Ok(Self)
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> TlsConnect<S> for Plain {
    type Stream = Watched<S>;
    type Error = Infallible;
    type Future = Ready<Result<Watched<S>, Infallible>>;

    fn connect(self, stream: S) -> Self::Future {
        ready(Ok(Watched::plain(stream)))
    }
}

/// A stream to a server without TLS. It fails if the server asks for a password without SCRAM.
pub(crate) struct Watched<S> {
    stream: S,
    /// The first bytes of the current message; `None` once the server has accepted the client.
    head: Option<Vec<u8>>,
    /// Number of bytes of the current message that have not arrived.
    rest: usize,
}

impl<S> Watched<S> {
    pub(crate) fn plain(stream: S) -> Self {
        Self { stream, head: Some(Vec::new()), rest: 0 }
    }

    /// Inspects one byte. A message has a letter, a length of four bytes, and a body. The body of
    /// an authentication request (`R`) begins with a code of four bytes.
    fn watch(&mut self, byte: u8) -> io::Result<()> {
        let Some(head) = &mut self.head else { return Ok(()) };
        if self.rest > 0 {
            self.rest = self.rest.saturating_sub(1);
            return Ok(());
        }
        head.push(byte);
        let (length, before) = match *head.as_slice() {
            [b'R', _, _, _, _, 0, 0, 0, 3 | 5] => {
                return Err(io::Error::new(io::ErrorKind::PermissionDenied, REFUSED));
            }
            [b'R', _, _, _, _, 0, 0, 0, 0] => {
                self.head = None;
                return Ok(());
            }
            [b'R', a, b, c, d, _, _, _, _] => ([a, b, c, d], 8),
            [b'R', ..] => return Ok(()),
            [_, a, b, c, d] => ([a, b, c, d], 4),
            _ => return Ok(()),
        };
        head.clear();
        let length = usize::try_from(u32::from_be_bytes(length)).unwrap_or(usize::MAX);
        self.rest = length.saturating_sub(before);
        Ok(())
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> TlsStream for Watched<S> {
    fn channel_binding(&self) -> ChannelBinding {
        ChannelBinding::none()
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Watched<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        ready!(Pin::new(&mut self.stream).poll_read(context, buffer))?;
        if self.head.is_some() {
            for byte in buffer.filled().get(before..).unwrap_or_default() {
                self.watch(*byte)?;
            }
        }
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Watched<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
