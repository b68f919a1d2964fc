//! The scripted server: real sockets, and a script instead of a service.

mod head;

use std::collections::{BTreeSet, VecDeque};
use std::future;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::sync::watch;
use tokio::task::{JoinHandle, JoinSet};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;

use head::Head;

use super::record::{ConnectionEvent, Event, Received, Record};
use super::script::{Exchange, Read, Then};
use super::tls::{self, Certificate};

/// Maximum size of a request in bytes.
const MAX_REQUEST_BYTES: usize = 16 * 1024 * 1024;

/// Size of each write of a reply.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Chunking {
    /// Writes as many bytes at once as the network accepts.
    #[default]
    Whole,
    /// Writes each byte in its own packet.
    Bytes,
}

/// Time after which a connection attempt counts as unanswered. Loopback connections need
/// microseconds.
const UNANSWERED: Duration = Duration::from_millis(250);

/// Replies above this size in bytes are written whole, because a packet per byte takes too long.
const MAX_SLICED_BYTES: usize = 16 * 1024;

/// A listening server with a second address that should receive no requests. Dropping the server
/// frees both addresses.
pub struct ScriptedServer {
    address: SocketAddr,
    elsewhere: SocketAddr,
    shared: Arc<Shared>,
    /// A bound socket that does not listen: the system refuses connections to it, and no other
    /// socket can get its port.
    _absent: Option<TcpSocket>,
    /// Connections that fill the queue of a socket that accepts no connection.
    _queue: Option<(TcpListener, Vec<TcpStream>)>,
    tasks: Vec<JoinHandle<()>>,
}

impl ScriptedServer {
    /// Starts a server that follows `script`, after a TLS handshake if there is a `certificate`.
    /// Without a script, connections are refused. In the bytes of a reply, `{elsewhere}` becomes
    /// the second address.
    ///
    /// # Errors
    /// Returns an error if no loopback port is available or no certificate can be generated.
    pub async fn start(
        script: Option<Vec<Exchange>>,
        certificate: Option<Certificate>,
        chunking: Chunking,
    ) -> io::Result<Self> {
        let any = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
        let (mut tasks, elsewhere, shared) = Self::begin(script.clone(), chunking).await?;
        if script.is_none() {
            let absent = TcpSocket::new_v4()?;
            absent.bind(any)?;
            let address = absent.local_addr()?;
            let _absent = Some(absent);
            return Ok(Self { address, elsewhere, shared, _absent, _queue: None, tasks });
        }
        let tls = certificate.map(tls::acceptor).transpose()?;
        let listener = TcpListener::bind(any).await?;
        let address = listener.local_addr()?;
        tasks.push(tokio::spawn(listen(listener, tls, Arc::clone(&shared))));
        Ok(Self { address, elsewhere, shared, _absent: None, _queue: None, tasks })
    }

    /// Starts a server that neither accepts nor refuses connections.
    ///
    /// # Errors
    /// Returns an error if no loopback port is available.
    pub async fn black_hole(chunking: Chunking) -> io::Result<Self> {
        let (tasks, elsewhere, shared) = Self::begin(None, chunking).await?;
        let socket = TcpSocket::new_v4()?;
        socket.bind(SocketAddr::from((Ipv4Addr::LOCALHOST, 0)))?;
        let listener = socket.listen(1)?;
        let address = listener.local_addr()?;
        let mut queued = Vec::new();
        while let Ok(connected) =
            tokio::time::timeout(UNANSWERED, TcpStream::connect(address)).await
        {
            queued.push(connected?);
        }
        let _queue = Some((listener, queued));
        Ok(Self { address, elsewhere, shared, _absent: None, _queue, tasks })
    }

    /// Starts the listener of the second address, and creates the state that all connections share.
    async fn begin(
        script: Option<Vec<Exchange>>,
        chunking: Chunking,
    ) -> io::Result<(Vec<JoinHandle<()>>, SocketAddr, Arc<Shared>)> {
        let other = TcpListener::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, 0))).await?;
        let elsewhere = other.local_addr()?;
        let shared = Arc::new(Shared {
            elsewhere,
            chunking,
            script: Mutex::new(script.unwrap_or_default().into()),
            record: Mutex::default(),
            gates: watch::Sender::default(),
        });
        let tasks = vec![tokio::spawn(stray(other, Arc::clone(&shared)))];
        Ok((tasks, elsewhere, shared))
    }

    /// Returns the address of the server. Without a script, connections to it are refused.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Returns the second address, which should receive no requests.
    pub fn elsewhere(&self) -> SocketAddr {
        self.elsewhere
    }

    /// Returns the requests and events recorded so far.
    pub fn record(&self) -> Record {
        lock(&self.shared.record).clone()
    }

    /// Opens a gate that the script waits for.
    pub fn open(&self, gate: &str) {
        self.shared.open(gate);
    }

    /// Waits until `happened` is recorded for any connection.
    pub async fn until(&self, happened: &ConnectionEvent) {
        let is_recorded = |_: &BTreeSet<String>| {
            lock(&self.shared.record).events.iter().any(|event| event.what == *happened)
        };
        // The channel never closes during this call, because `self` owns its sender.
        let _ = self.shared.gates.subscribe().wait_for(is_recorded).await;
    }
}

/// State that all connections of a server share.
struct Shared {
    elsewhere: SocketAddr,
    chunking: Chunking,
    script: Mutex<VecDeque<Exchange>>,
    record: Mutex<Record>,
    /// Names of the open gates. Recording an event also marks this value as changed, to wake
    /// `until`.
    gates: watch::Sender<BTreeSet<String>>,
}

impl Shared {
    fn happened(&self, connection: usize, what: ConnectionEvent) {
        lock(&self.record).events.push(Event { connection, what });
        self.gates.send_modify(|_| {});
    }

    fn open(&self, gate: &str) {
        self.gates.send_modify(|open| {
            open.insert(gate.to_string());
        });
    }

    async fn wait(&self, gate: &str) {
        let _ = self.gates.subscribe().wait_for(|open| open.contains(gate)).await;
    }
}

impl Drop for ScriptedServer {
    fn drop(&mut self) {
        for task in &self.tasks {
            task.abort();
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A connection that can be ended by a reset.
trait Socket: AsyncRead + AsyncWrite + Unpin + Send {
    fn tcp(&self) -> &TcpStream;
}

impl Socket for TcpStream {
    fn tcp(&self) -> &TcpStream {
        self
    }
}

impl Socket for TlsStream<TcpStream> {
    fn tcp(&self) -> &TcpStream {
        self.get_ref().0
    }
}

async fn listen(listener: TcpListener, tls: Option<TlsAcceptor>, shared: Arc<Shared>) {
    // Dropping this task drops all its connections.
    let mut connections = JoinSet::new();
    let mut number = 0;
    loop {
        number += 1;
        let Some(stream) = accept(&listener).await else { continue };
        shared.happened(number, ConnectionEvent::Accepted);
        let (tls, shared) = (tls.clone(), Arc::clone(&shared));
        connections.spawn(async move {
            let stream: Box<dyn Socket> = match tls {
                None => Box::new(stream),
                Some(tls) => match tls.accept(stream).await {
                    Ok(stream) => Box::new(stream),
                    Err(error) => {
                        return shared.happened(number, ConnectionEvent::NoTls(error.to_string()));
                    }
                },
            };
            Connection { stream, number, buffer: Vec::new(), shared }.run().await;
        });
        while connections.try_join_next().is_some() {}
    }
}

/// Serves the second address: records each request and answers it with the reply for unscripted
/// requests.
async fn stray(listener: TcpListener, shared: Arc<Shared>) {
    let mut connections = JoinSet::new();
    loop {
        let Some(stream) = accept(&listener).await else { continue };
        let shared = Arc::clone(&shared);
        connections.spawn(async move {
            let record = Arc::clone(&shared);
            let stream = Box::new(stream);
            let mut connection = Connection { stream, number: 0, buffer: Vec::new(), shared };
            let Some(head) = connection.head().await else { return };
            let Some(request) = connection.body(head, &Read::Request).await else { return };
            lock(&record.record).elsewhere.push(request);
            let _ = connection.answer(&unscripted()).await;
        });
        while connections.try_join_next().is_some() {}
    }
}

async fn accept(listener: &TcpListener) -> Option<TcpStream> {
    let (stream, _) = listener.accept().await.ok()?;
    let _ = stream.set_nodelay(true);
    Some(stream)
}

struct Connection {
    stream: Box<dyn Socket>,
    number: usize,
    /// Bytes that were read and do not belong to a request yet.
    buffer: Vec<u8>,
    shared: Arc<Shared>,
}

impl Connection {
    async fn run(mut self) {
        loop {
            let Some(exchange) = self.next().await else {
                return self.happened(ConnectionEvent::Left);
            };
            if let Some(gate) = &exchange.open {
                self.happened(ConnectionEvent::Opened(gate.clone()));
                self.shared.open(gate);
            }
            if let Some(gate) = &exchange.wait {
                self.shared.wait(gate).await;
                self.happened(ConnectionEvent::Passed(gate.clone()));
            }
            match self.answer(&exchange).await {
                Ok(0) => {}
                Ok(bytes) => self.happened(ConnectionEvent::Wrote(bytes)),
                Err(_) => return self.happened(ConnectionEvent::Left),
            }
            match exchange.then {
                Then::Keep => {}
                Then::Close => {
                    let _ = self.stream.shutdown().await;
                    return self.happened(ConnectionEvent::Ended);
                }
                Then::HalfClose => {
                    let _ = self.stream.shutdown().await;
                    return self.drain().await;
                }
                Then::Cut => return self.happened(ConnectionEvent::Ended),
                Then::Reset => {
                    let _ = self.stream.tcp().set_zero_linger();
                    return self.happened(ConnectionEvent::Ended);
                }
                Then::Hold => return future::pending().await,
                Then::Flood => return self.flood().await,
                Then::Drain => return self.drain().await,
            }
        }
    }

    fn happened(&self, what: ConnectionEvent) {
        self.shared.happened(self.number, what);
    }

    /// Reads the part of a request that the next exchange asks for, and returns the exchange.
    /// Records the request if the head was parsed. `None` if the caller disconnected.
    async fn next(&mut self) -> Option<Exchange> {
        let first = {
            let mut script = lock(&self.shared.script);
            let front = script.front();
            let by_bytes =
                front.is_some_and(|next| matches!(next.read, Read::Nothing | Read::Until(_)));
            if by_bytes { script.pop_front() } else { None }
        };
        if let Some(exchange) = first {
            if let Read::Until(text) = &exchange.read {
                while !contains(&self.buffer, text.as_bytes()) {
                    self.more().await?;
                }
                self.happened(ConnectionEvent::Read);
            }
            return Some(exchange);
        }
        let head = self.head().await?;
        let exchange = lock(&self.shared.script).pop_front().unwrap_or_else(unscripted);
        let request = self.body(head, &exchange.read).await?;
        lock(&self.shared.record).requests.push(request);
        self.happened(ConnectionEvent::Read);
        Some(exchange)
    }

    async fn answer(&mut self, exchange: &Exchange) -> io::Result<usize> {
        let elsewhere = format!("http://{}", self.shared.elsewhere);
        let output = match String::from_utf8(exchange.output()) {
            Ok(text) => text.replace("{elsewhere}", &elsewhere).into_bytes(),
            Err(error) => error.into_bytes(),
        };
        let length = output.len();
        let sliced = self.shared.chunking == Chunking::Bytes && length <= MAX_SLICED_BYTES;
        if !sliced && exchange.drip_ms == 0 {
            self.stream.write_all(&output).await?;
            self.stream.flush().await?;
            return Ok(length);
        }
        // Writes the bytes after a reply together with the last byte of the reply. Otherwise these
        // bytes could arrive after the next request and look like a reply to it.
        let (slices, rest) = output.split_at(length.saturating_sub(exchange.stray()));
        for byte in slices {
            if exchange.drip_ms > 0 {
                tokio::time::sleep(Duration::from_millis(exchange.drip_ms)).await;
            }
            self.stream.write_all(&[*byte]).await?;
            self.stream.flush().await?;
            tokio::task::yield_now().await;
        }
        self.stream.write_all(rest).await?;
        self.stream.flush().await?;
        Ok(length)
    }

    /// Reads and discards further bytes until the caller disconnects.
    async fn drain(&mut self) {
        let _ = tokio::io::copy(&mut self.stream, &mut tokio::io::sink()).await;
        self.happened(ConnectionEvent::Left);
    }

    async fn flood(&mut self) {
        let block = [b'x'; 16 * 1024];
        while self.stream.write_all(&block).await.is_ok() {}
        self.happened(ConnectionEvent::Left);
    }

    /// Reads the head of the next request, and removes the head from the buffer.
    async fn head(&mut self) -> Option<Head> {
        loop {
            if let Some(head) = Head::parse(&self.buffer) {
                self.buffer.drain(..head.bytes);
                return Some(head);
            }
            self.more().await?;
        }
    }

    async fn body(&mut self, head: Head, read: &Read) -> Option<Received> {
        let mut received = head.received;
        if *read == Read::Head {
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

fn contains(bytes: &[u8], text: &[u8]) -> bool {
    text.is_empty() || bytes.windows(text.len()).any(|window| window == text)
}

/// Returns the reply to a request that the script does not contain. The server records the request,
/// so that a test can detect it.
fn unscripted() -> Exchange {
    Exchange {
        bytes: Some("HTTP/1.1 500 Unscripted\r\nContent-Length: 0\r\n\r\n".into()),
        then: Then::Close,
        ..Exchange::default()
    }
}
