//! HTTP/1.1 server for the webhook and every other [`Service`]: connections, TLS, limits, health
//! checks and graceful shutdown. Contains no event logic.
//!
//! The server reads the complete body before it calls the service. A slow client therefore occupies
//! a connection and a buffer, but never an instance of the webhook.
//!
//! # Limits
//!
//! | resource | limit |
//! |---|---|
//! | connections | [`Options::max_connections`] |
//! | request head | 16 KiB |
//! | request body | [`Options::max_body_bytes`] |
//! | overhead per connection | 64 KiB; 128 KiB with TLS |
//! | total memory, default settings | 256 × (16 + 256 + 64) KiB = 84 MiB |
//! | rejected connections that receive a 503 | 64, for 5 s each |
//! | consecutive unverified requests before the connection closes | 32 |
//! | requests in the webhook | [`Deliveries::max_running`] |
//!
//! When all connections are in use, a new connection evicts the connection that is least likely to
//! be legitimate; see [`slots`].
//!
//! # Timeouts
//!
//! | phase | timeout |
//! |---|---|
//! | TLS handshake | 10 s |
//! | request head, idle connection | [`Options::head_timeout`] |
//! | request body | [`Options::body_timeout`] |
//! | response that the client does not read | [`Options::write_timeout`] |

mod connection;
mod deliveries;
mod gate;
mod head;
mod health;
mod options;
mod origin;
mod service;
pub mod slots;
mod tls;
mod tokens;

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

pub use connection::Counts;
pub use deliveries::{Deliveries, DeliveryHandler, Handled};
use hyper_util::server::graceful::GracefulShutdown;
pub use messaging_core::webhook::Answer;
use tokio::net::{TcpListener, TcpSocket};
use tokio::sync::{Semaphore, watch};
use tokio::task::{JoinHandle, JoinSet};

use connection::Shared;
pub use health::{Probe, ProbeError};
pub use options::Options;
pub use origin::{addressed, host_of, is_local};
use service::above_0;
pub use service::{Answered, Peer, RejectReason, Reply, Service, log};
use slots::ConnectionSlots;
pub use tls::{Tls, TlsError};
pub use tokens::{TokenError, Tokens};

use messaging_inbox::Throttle;

/// Length of the accept queue. Only bursts fill the queue, because the server accepts connections
/// without delay.
const BACKLOG: u32 = 4096;
/// Delay after a failed accept, because file descriptors and memory take time to be freed.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// Maximum number of rejected connections that receive a 503, and the time for each. Their buffers
/// add at most a quarter to the memory of 256 regular connections, the default maximum.
const MAX_TURNED_AWAY: usize = 64;
const TURN_AWAY_TIMEOUT: Duration = Duration::from_secs(5);

/// A running server.
pub struct Server {
    address: SocketAddr,
    shared: Arc<Shared>,
    stop: watch::Sender<bool>,
    task: JoinHandle<usize>,
}

impl Server {
    /// Starts a server that accepts connections at [`Options::address`].
    ///
    /// # Errors
    /// Returns the error of the operating system if the address cannot be used.
    pub async fn start(service: impl Service, options: Options) -> io::Result<Self> {
        let listener = listen(options.address)?;
        let address = listener.local_addr()?;
        let (stop, stopped) = watch::channel(false);
        let shared = Arc::new(Shared::new(service, options));
        let task = tokio::spawn(accept(listener, Arc::clone(&shared), stopped));
        Ok(Self { address, shared, stop, task })
    }

    /// Returns the address on which the server listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Returns the counters, which stay valid after the server is dropped.
    pub fn counts(&self) -> Arc<Counts> {
        Arc::clone(&self.shared.counts)
    }

    /// Shuts down gracefully. Accepts no new connections, finishes active requests within
    /// [`Options::stop_timeout`], and returns the number of requests that were cut off; their
    /// clients must retry. No webhook task is running after the return.
    pub async fn stop(mut self) -> usize {
        let _ = self.stop.send(true);
        (&mut self.task).await.unwrap_or_default()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.task.abort();
    }
}

fn listen(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
    // Allows a restart without delay, as `TcpListener::bind` does.
    #[cfg(unix)]
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

/// Accepts connections until shutdown, then ends all connections. Returns the number of requests
/// without a response.
async fn accept(
    listener: TcpListener,
    shared: Arc<Shared>,
    mut stopped: watch::Receiver<bool>,
) -> usize {
    let mut connections = JoinSet::new();
    let graceful = GracefulShutdown::new();
    let options = &shared.options;
    let slots = ConnectionSlots::new(options.max_connections);
    let failures = Throttle::default();
    let evictions = Arc::new(Throttle::default());
    let turned_away = Arc::new(Semaphore::new(MAX_TURNED_AWAY));
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            _ = stopped.wait_for(|stop| *stop) => break,
        };
        let (stream, peer) = match accepted {
            Ok(accepted) => accepted,
            Err(error) => {
                if let Some(more) = failures.admit(()) {
                    let more = above_0(more);
                    tracing::warn!(%error, more, "a connection could not be accepted");
                }
                slots.free_one();
                tokio::time::sleep(ACCEPT_PAUSE).await;
                continue;
            }
        };
        let _ = stream.set_nodelay(true);
        let watcher = graceful.watcher();
        let shared = Arc::clone(&shared);
        while connections.try_join_next().is_some() {}
        let Some((slot, evicted)) = slots.take(peer.ip()) else {
            // No connection can be evicted: all connections are being answered.
            let Ok(turn) = Arc::clone(&turned_away).try_acquire_owned() else {
                tracing::debug!(%peer, "rejected without a response: no free connection slot");
                continue;
            };
            let slot = slots.outside();
            connections.spawn(async move {
                let served = shared.serve(stream, peer, slot, watcher, Some(Answer::Unavailable));
                let _ = tokio::time::timeout(TURN_AWAY_TIMEOUT, served).await;
                drop(turn);
            });
            continue;
        };
        let (evictions, most) = (Arc::clone(&evictions), options.max_connections);
        connections.spawn(async move {
            tokio::select! {
                () = shared.serve(stream, peer, slot, watcher, None) => {}
                _ = evicted => {
                    if let Some(more) = evictions.admit(()) {
                        tracing::warn!(%peer, most, more = above_0(more), "closed a connection for a new one: all connections are in use");
                    }
                }
            }
        });
        // Lets the new connection read its first bytes before it can be evicted.
        tokio::task::yield_now().await;
    }
    drop(listener);
    let _ = tokio::time::timeout(shared.options.stop_timeout, graceful.shutdown()).await;
    let unanswered = shared.counts.under_way();
    connections.shutdown().await;
    unanswered
}
