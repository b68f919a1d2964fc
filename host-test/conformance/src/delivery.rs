//! Deliveries of events as bytes on a socket: complete requests, and a minimal client.

use std::io::{self, ErrorKind};
use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpSocket, TcpStream};

/// Secret of the webhooks under test.
pub const SECRET: &str = "a-secret-of-enough-bytes";

/// Setting with which a webhook requires [`SECRET`] in each delivery.
pub const PROOF: (&str, &str) = ("MESSAGING_WEBHOOK_HEADER_SECRET", SECRET);

/// Timeout of a client, much longer than every time limit of the server.
const TIMEOUT: Duration = Duration::from_secs(30);

/// Returns the header line with [`SECRET`], including the line break.
pub fn with_secret() -> String {
    format!("X-Webhook-Secret: {SECRET}\r\n")
}

/// Returns the body of a valid event for message `id`.
pub fn body(id: &str) -> String {
    format!(r#"{{"id":"{id}","object":"message","event":"message:in:new","text":"hé"}}"#)
}

/// Returns a request after which the server closes the connection. `headers` contains lines, each
/// with its line break.
pub fn request(path: &str, headers: &str, key: &str, body: &str) -> String {
    kept_alive(path, &format!("Connection: close\r\n{headers}"), key, body)
}

/// Returns a request after which the connection stays open. `headers` contains lines, each with its
/// line break.
pub fn kept_alive(path: &str, headers: &str, key: &str, body: &str) -> String {
    let length = body.len();
    format!(
        "POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nX-Idempotency-Key: {key}\r\n{headers}Content-Length: {length}\r\n\r\n{body}"
    )
}

/// Connects to `to` from `from`, an address of this machine.
///
/// # Errors
/// Returns an error if this machine does not have the address `from`, or if no server listens.
pub async fn connect(from: IpAddr, to: SocketAddr) -> io::Result<TcpStream> {
    let socket = TcpSocket::new_v4()?;
    socket.bind((from, 0).into())?;
    socket.connect(to).await
}

/// A complete reply, read until the connection closed.
#[derive(Debug)]
pub struct Reply {
    /// Status code; 0 if the server sent no reply.
    pub status: u16,
    /// Status line and headers, in lower case.
    pub head: String,
    /// Body of the reply.
    pub body: String,
}

/// Sends a request, and reads until the server closes the connection.
///
/// # Errors
/// Returns an error if the connection cannot be opened, or if [`read_reply`] fails.
pub async fn exchange(to: SocketAddr, request: &[u8]) -> io::Result<Reply> {
    let mut stream = TcpStream::connect(to).await?;
    // The server may answer and close before it has read the whole request.
    let _ = stream.write_all(request).await;
    read_reply(&mut stream).await
}

/// Reads until the server closes or resets the connection.
///
/// # Errors
/// Returns an error if the server does not close within 30 s, or if reading fails.
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

/// A connection for several requests.
pub struct Connection(BufReader<TcpStream>);

impl Connection {
    /// Connects to a server.
    ///
    /// # Errors
    /// Returns an error if no server listens.
    pub async fn to(address: SocketAddr) -> io::Result<Self> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        Ok(Self(BufReader::new(stream)))
    }

    /// Delivers one event. Returns the status of the response.
    ///
    /// # Errors
    /// Returns an error if the response is not complete within 30 s.
    pub async fn deliver(&mut self, headers: &str, key: &str, body: &str) -> io::Result<u16> {
        let request = kept_alive("/", headers, key, body);
        Ok(self.send(request.as_bytes()).await?.0)
    }

    /// Sends one request. Returns the status of the response, and true if the server will close the
    /// connection.
    ///
    /// # Errors
    /// Returns an error if the response is not complete within 30 s.
    pub async fn send(&mut self, request: &[u8]) -> io::Result<(u16, bool)> {
        tokio::time::timeout(TIMEOUT, self.exchange(request)).await?
    }

    async fn exchange(&mut self, request: &[u8]) -> io::Result<(u16, bool)> {
        // The server may answer and close before it has read the whole request.
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
