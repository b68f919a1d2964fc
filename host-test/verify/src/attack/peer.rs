//! A server for the requests of components. It answers without delay, never, or without end.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

/// A running server. Dropping it stops the server.
pub struct Peer {
    address: SocketAddr,
    most: Arc<AtomicUsize>,
    accepting: JoinHandle<()>,
}

impl Peer {
    /// Starts the server on a free loopback port.
    pub async fn start() -> io::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let address = listener.local_addr()?;
        let (open, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let seen = Arc::clone(&most);
        let accepting = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (open, seen) = (Arc::clone(&open), Arc::clone(&seen));
                tokio::spawn(async move {
                    let now = open.fetch_add(1, Ordering::Relaxed).saturating_add(1);
                    seen.fetch_max(now, Ordering::Relaxed);
                    // Attacks break connections, so errors are expected.
                    let _ = serve(stream).await;
                    open.fetch_sub(1, Ordering::Relaxed);
                });
            }
        });
        Ok(Self { address, most, accepting })
    }

    /// Returns the base URL.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Returns the maximum number of concurrent connections.
    pub fn most_concurrent(&self) -> usize {
        self.most.load(Ordering::Relaxed)
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

async fn serve(mut stream: TcpStream) -> io::Result<()> {
    let mut bytes = vec![0; 64 * 1024];
    loop {
        let read = stream.read(&mut bytes).await?;
        let head = bytes.get(..read).unwrap_or_default();
        if head.is_empty() {
            return Ok(());
        }
        let path = head.split(|byte| *byte == b' ').nth(1).unwrap_or_default();
        match path {
            b"/silent" | b"/sink" => while stream.read(&mut bytes).await? > 0 {},
            b"/endless" => {
                stream.write_all(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n").await?;
                let chunk = [b"4000\r\n", &[b'x'; 0x4000][..], b"\r\n"].concat();
                loop {
                    stream.write_all(&chunk).await?;
                }
            }
            _ => stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok").await?,
        }
    }
}
