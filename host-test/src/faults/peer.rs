//! The peer: real sockets, and a script in place of a service.

use std::collections::VecDeque;
use std::future;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde::Serialize;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::task::{JoinHandle, JoinSet};

use super::script::{Exchange, Read, Then};

/// The largest request that is read.
const MAX_REQUEST_BYTES: usize = 16 * 1024 * 1024;

/// How a peer writes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pace {
    /// As much at once as the network takes.
    #[default]
    Whole,
    /// One byte after the other, each in a packet of its own.
    Bytes,
}

/// What is longer is written whole all the same: a packet for each byte takes time.
const MAX_SLICED_BYTES: usize = 16 * 1024;

/// A listening peer, and a second one elsewhere to which nothing should ever come.
/// Both end when it is dropped.
pub struct Peer {
    address: SocketAddr,
    elsewhere: SocketAddr,
    record: Arc<Mutex<Record>>,
    /// A bound socket that does not listen: connections to it are refused, and
    /// nobody else can be given its port.
    _absent: Option<TcpSocket>,
    tasks: Vec<JoinHandle<()>>,
}

/// What arrived.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Record {
    /// The requests, in the order of their arrival.
    pub requests: Vec<Received>,
    /// What came to the other address.
    pub elsewhere: Vec<Received>,
}

/// One request as it was received. What is not UTF-8 is replaced.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Received {
    /// The method.
    pub method: String,
    /// The target of the request line.
    pub target: String,
    /// The headers, names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body, as far as it was read.
    pub body: String,
}

impl Peer {
    /// A peer that follows `script`; without one it is absent, and connections to it
    /// are refused. `{elsewhere}` in what it writes becomes the other address.
    ///
    /// # Errors
    /// No loopback port is to be had.
    pub async fn start(script: Option<Vec<Exchange>>, pace: Pace) -> io::Result<Self> {
        let any = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
        let record = Arc::new(Mutex::new(Record::default()));
        let other = TcpListener::bind(any).await?;
        let elsewhere = other.local_addr()?;
        let stray = Arc::clone(&record);
        let stray = listen(other, elsewhere, pace, Arc::default(), move |one| {
            lock(&stray).elsewhere.push(one);
        });
        let mut tasks = vec![tokio::spawn(stray)];
        let Some(script) = script else {
            let absent = TcpSocket::new_v4()?;
            absent.bind(any)?;
            let address = absent.local_addr()?;
            return Ok(Self { address, elsewhere, record, _absent: Some(absent), tasks });
        };
        let listener = TcpListener::bind(any).await?;
        let address = listener.local_addr()?;
        let script = Arc::new(Mutex::new(VecDeque::from(script)));
        let own = Arc::clone(&record);
        tasks.push(tokio::spawn(listen(listener, elsewhere, pace, script, move |one| {
            lock(&own).requests.push(one);
        })));
        Ok(Self { address, elsewhere, record, _absent: None, tasks })
    }

    /// Where it listens, or would.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The other address, that nothing should come to.
    #[must_use]
    pub fn elsewhere(&self) -> SocketAddr {
        self.elsewhere
    }

    /// What has arrived so far.
    #[must_use]
    pub fn record(&self) -> Record {
        lock(&self.record).clone()
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        for task in &self.tasks {
            task.abort();
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

type Script = Arc<Mutex<VecDeque<Exchange>>>;

async fn listen(
    listener: TcpListener,
    elsewhere: SocketAddr,
    pace: Pace,
    script: Script,
    received: impl Fn(Received) + Clone + Send + Sync + 'static,
) {
    // Dropped with this task, and every connection with it.
    let mut connections = JoinSet::new();
    loop {
        let Ok((stream, _)) = listener.accept().await else { continue };
        let _ = stream.set_nodelay(true);
        let connection = Connection { stream, buffer: Vec::new(), elsewhere, pace };
        connections.spawn(connection.run(Arc::clone(&script), received.clone()));
        while connections.try_join_next().is_some() {}
    }
}

struct Connection {
    stream: TcpStream,
    /// What was read and belongs to no request yet.
    buffer: Vec<u8>,
    elsewhere: SocketAddr,
    pace: Pace,
}

impl Connection {
    async fn run(mut self, script: Script, received: impl Fn(Received) + Send) {
        loop {
            let silent = {
                let mut script = lock(&script);
                let front = script.front().is_some_and(|next| next.read == Read::Nothing);
                if front { script.pop_front() } else { None }
            };
            let exchange = match silent {
                Some(exchange) => exchange,
                None => {
                    let Some(head) = self.head().await else { return };
                    let exchange = lock(&script).pop_front().unwrap_or_else(unscripted);
                    let Some(request) = self.request(head, exchange.read).await else { return };
                    received(request);
                    exchange
                }
            };
            if self.answer(&exchange).await.is_err() {
                return;
            }
            match exchange.then {
                Then::Keep => {}
                Then::Close => {
                    let _ = self.stream.shutdown().await;
                    return;
                }
                Then::Reset => {
                    let _ = self.stream.set_zero_linger();
                    return;
                }
                Then::Hold => return future::pending().await,
                Then::Flood => return self.flood().await,
                Then::Drain => {
                    let _ = tokio::io::copy(&mut self.stream, &mut tokio::io::sink()).await;
                    return;
                }
            }
        }
    }

    async fn answer(&mut self, exchange: &Exchange) -> io::Result<()> {
        let elsewhere = format!("http://{}", self.elsewhere);
        let output = match String::from_utf8(exchange.output()) {
            Ok(text) => text.replace("{elsewhere}", &elsewhere).into_bytes(),
            Err(error) => error.into_bytes(),
        };
        let sliced = self.pace == Pace::Bytes && output.len() <= MAX_SLICED_BYTES;
        if !sliced && exchange.drip_ms == 0 {
            return self.stream.write_all(&output).await;
        }
        for byte in output {
            if exchange.drip_ms > 0 {
                tokio::time::sleep(Duration::from_millis(exchange.drip_ms)).await;
            }
            self.stream.write_all(&[byte]).await?;
            self.stream.flush().await?;
            tokio::task::yield_now().await;
        }
        Ok(())
    }

    async fn flood(&mut self) {
        let block = [b'x'; 16 * 1024];
        while self.stream.write_all(&block).await.is_ok() {}
    }

    /// The head of the next request, its bytes taken from the buffer.
    async fn head(&mut self) -> Option<Head> {
        loop {
            if let Some(head) = Head::parse(&self.buffer) {
                self.buffer.drain(..head.bytes);
                return Some(head);
            }
            self.more().await?;
        }
    }

    async fn request(&mut self, head: Head, read: Read) -> Option<Received> {
        let mut received = head.received;
        if read == Read::Head {
            return Some(received);
        }
        if head.chunked {
            while !self.buffer.ends_with(b"0\r\n\r\n") {
                self.more().await?;
            }
            let body = std::mem::take(&mut self.buffer);
            received.body = String::from_utf8_lossy(&body).into_owned();
            return Some(received);
        }
        while self.buffer.len() < head.length {
            self.more().await?;
        }
        let body: Vec<u8> = self.buffer.drain(..head.length).collect();
        received.body = String::from_utf8_lossy(&body).into_owned();
        Some(received)
    }

    async fn more(&mut self) -> Option<()> {
        if self.buffer.len() > MAX_REQUEST_BYTES {
            return None;
        }
        match self.stream.read_buf(&mut self.buffer).await {
            Ok(0) | Err(_) => None,
            Ok(_) => Some(()),
        }
    }
}

/// What a request beyond the script gets. It is on record, and that tells.
fn unscripted() -> Exchange {
    Exchange {
        bytes: Some("HTTP/1.1 500 Unscripted\r\nContent-Length: 0\r\n\r\n".into()),
        then: Then::Close,
        ..Exchange::default()
    }
}

/// A request's head.
struct Head {
    received: Received,
    bytes: usize,
    length: usize,
    chunked: bool,
}

impl Head {
    fn parse(buffer: &[u8]) -> Option<Self> {
        let mut headers = [httparse::EMPTY_HEADER; 64];
        let mut request = httparse::Request::new(&mut headers);
        let httparse::Status::Complete(bytes) = request.parse(buffer).ok()? else { return None };
        let headers: Vec<_> = request
            .headers
            .iter()
            .map(|header| {
                let value = String::from_utf8_lossy(header.value).into_owned();
                (header.name.to_ascii_lowercase(), value)
            })
            .collect();
        let get = |name: &str| headers.iter().find(|(own, _)| own == name).map(|(_, value)| value);
        Some(Self {
            bytes,
            length: get("content-length").and_then(|value| value.parse().ok()).unwrap_or(0),
            chunked: get("transfer-encoding").is_some(),
            received: Received {
                method: request.method.unwrap_or_default().to_string(),
                target: request.path.unwrap_or_default().to_string(),
                headers,
                body: String::new(),
            },
        })
    }
}
