//! Address, TLS, limits and timeouts of a `Server`.

use std::net::SocketAddr;
use std::time::Duration;

use super::health::Probe;
use super::tls::Tls;

/// Options of a server.
#[derive(Clone)]
pub struct Options {
    /// Address to listen on. Port 0 selects a free port.
    pub address: SocketAddr,
    /// Certificate and private key for HTTPS; `None` for HTTP.
    pub tls: Option<Tls>,
    /// Maximum number of connections.
    pub max_connections: usize,
    /// Maximum size of a request body, in bytes.
    pub max_body_bytes: usize,
    /// Timeout of a request head and of an idle connection.
    pub head_timeout: Duration,
    /// Timeout of a request body.
    pub body_timeout: Duration,
    /// Maximum time without progress while a client reads a response.
    pub write_timeout: Duration,
    /// Maximum time for active requests to finish during shutdown.
    pub stop_timeout: Duration,
    /// If true, a client that closes its write half still receives the response. If false, its
    /// request is canceled.
    pub half_close: bool,
    /// Accepts only requests for local host names, and rejects requests from browser pages. Use it
    /// for an unverified webhook on a loopback address.
    pub local_names_only: bool,
    /// Readiness check for `/readyz`. `None` means always ready.
    pub probe: Option<Probe>,
}

impl Options {
    /// Returns options for `address` with limits that fit the webhook's default settings.
    pub fn new(address: SocketAddr) -> Self {
        Self {
            address,
            tls: None,
            max_connections: 256,
            max_body_bytes: 256 * 1024,
            head_timeout: Duration::from_secs(15),
            body_timeout: Duration::from_secs(10),
            write_timeout: Duration::from_secs(15),
            stop_timeout: Duration::from_secs(4),
            half_close: true,
            local_names_only: false,
            probe: None,
        }
    }
}
