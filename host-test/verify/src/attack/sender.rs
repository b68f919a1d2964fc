//! Deliveries as bytes on a socket: whole requests, and as little of a client as can be.

use std::io::{self, ErrorKind};
use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpSocket, TcpStream};

/// The secret of the webhooks that are attacked.
pub const SECRET: &str = "a-secret-of-enough-bytes";

/// The setting that asks for [`SECRET`].
pub const PROOF: (&str, &str) = ("MESSAGING_WEBHOOK_HEADER_SECRET", SECRET);

/// Time after which a sender gives up, long beyond what is promised.
const TIMEOUT: Duration = Duration::from_secs(30);

/// The header with [`SECRET`], and its line break.
#[must_use]
pub fn with_secret() -> String {
    format!("X-Webhook-Secret: {SECRET}\r\n")
}

/// The body of a valid event about the message `id`.
#[must_use]
pub fn body(id: &str) -> String {
    format!(r#"{{"id":"{id}","object":"message","event":"message:in:new","text":"hé"}}"#)
}

/// A request over a connection of its own; `headers` end in a line break each.
#[must_use]
pub fn request(path: &str, headers: &str, key: &str, body: &str) -> String {
    kept_alive(path, &format!("Connection: close\r\n{headers}"), key, body)
}

/// A request over a connection that is kept.
#[must_use]
pub fn kept_alive(path: &str, headers: &str, key: &str, body: &str) -> String {
    let length = body.len();
    format!(
        "POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nX-Idempotency-Key: {key}\r\n{headers}Content-Length: {length}\r\n\r\n{body}"
    )
}

/// Connects from an address of this machine.
///
/// # Errors
/// The address is none of this machine's, or nobody listens.
pub(super) async fn connect(from: IpAddr, to: SocketAddr) -> io::Result<TcpStream> {
    let socket = TcpSocket::new_v4()?;
    socket.bind((from, 0).into())?;
    socket.connect(to).await
}

/// All that came back over a connection that has ended.
#[derive(Debug)]
pub struct Reply {
    /// The status; 0 without a reply.
    pub status: u16,
    /// The head, in lower case.
    pub head: String,
    /// The body.
    pub body: String,
}

/// Sends the bytes and reads until the other side closes.
///
/// # Errors
/// Returns an error if no connection is made, or as [`read_reply`] does.
pub async fn exchange(to: SocketAddr, request: &[u8]) -> io::Result<Reply> {
    let mut stream = TcpStream::connect(to).await?;
    // The server may answer, and close, before it has read everything.
    let _ = stream.write_all(request).await;
    read_reply(&mut stream).await
}

/// Reads until the other side closes, or resets after its answer.
///
/// # Errors
/// Returns an error if the other side does not close in time, or if reading fails.
pub async fn read_reply(stream: &mut (impl AsyncRead + Unpin)) -> io::Result<Reply> {
    let mut bytes = Vec::new();
    let ended = tokio::time::timeout(TIMEOUT, stream.read_to_end(&mut bytes)).await?;
    if let Err(error) = ended
        && !matches!(error.kind(), ErrorKind::ConnectionReset | ErrorKind::UnexpectedEof)
    {
        return Err(error);
    }
    let text = String::from_utf8_lossy(&bytes);
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
    Ok(Reply { status, head: head.to_lowercase(), body: body.into() })
}

/// A connection that is kept.
pub struct Connection(BufReader<TcpStream>);

impl Connection {
    /// Connects.
    ///
    /// # Errors
    /// Returns an error if nobody listens.
    pub async fn to(address: SocketAddr) -> io::Result<Self> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        Ok(Self(BufReader::new(stream)))
    }

    /// Delivers one event; the status of the answer.
    pub(super) async fn deliver(
        &mut self,
        headers: &str,
        key: &str,
        body: &str,
    ) -> io::Result<u16> {
        let request = kept_alive("/", headers, key, body);
        Ok(self.send(request.as_bytes()).await?.0)
    }

    /// Sends one request. Returns the status of the answer, and whether the server closes.
    ///
    /// # Errors
    /// Returns an error if no whole answer comes in time.
    pub async fn send(&mut self, request: &[u8]) -> io::Result<(u16, bool)> {
        tokio::time::timeout(TIMEOUT, self.exchange(request)).await?
    }

    async fn exchange(&mut self, request: &[u8]) -> io::Result<(u16, bool)> {
        // The server may answer, and close, before it has read everything.
        let _ = self.0.write_all(request).await;
        let (mut status, mut length, mut closes) = (0, 0, false);
        loop {
            let mut line = String::new();
            if self.0.read_line(&mut line).await? == 0 {
                return Err(ErrorKind::UnexpectedEof.into());
            }
            let line = line.trim_end().to_ascii_lowercase();
            if line.is_empty() {
                break;
            }
            if status == 0 {
                status = line.split(' ').nth(1).and_then(|it| it.parse().ok()).unwrap_or(0);
            }
            if let Some(value) = line.strip_prefix("content-length:") {
                length = value.trim().parse().unwrap_or(0);
            }
            closes |= line == "connection: close";
        }
        self.0.read_exact(&mut vec![0; length]).await?;
        Ok((status, closes))
    }
}
