//! HTTP requests to services, receivers and collectors. A failure tells if the request may have
//! been sent.
//!
//! ```text
//! connect      connections: name resolution, TCP, TLS
//! names        addresses that a name may resolve to
//! departure    deadlines; an unsent request can be given up
//! failure      failed connections and requests, with their causes
//! destination  scheme, host and port of a request
//! joined       response bodies in fewer pieces
//! post         a POST request to a URL of the operator
//! headers      configurable headers with secrets
//! permit       concurrency limits
//! proxy        proxies from the environment
//! read         bounded reads of files and devices
//! reload       values that are read again when their files change
//! ```

pub mod connect;
pub mod departure;
pub mod destination;
pub mod failure;
pub mod headers;
pub mod joined;
pub mod names;
pub mod permit;
pub mod post;
pub mod proxy;
pub mod read;
pub mod reload;

pub use connect::{Trust, TrustError};
pub use failure::{ConnectCause, ConnectFailure, RequestError};
