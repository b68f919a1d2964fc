//! The inbox over HTTP, on listeners of their own: for programs on other machines that process
//! events, and for those who run the webhook. The interface is `openapi.json`; durability and
//! leases are the inbox's, connections and limits the host's.
//!
//! ```text
//! Service::answer -> Tokens        whether it may ask at all
//!                 -> request       path, query and body, parsed once
//!                 -> workers       lease, ack, extend, nack, release
//!                 -> polls         how many of one address may wait
//!                 -> events        list, show
//!                 -> operator      overview, requeue, metrics, the page
//!                 -> otlp          metrics and spans, to a collector
//!                 -> Problem       whatever went wrong, as RFC 9457 has it
//! ```

mod events;
mod flow;
mod metrics;
mod operator;
mod otlp;
mod page;
mod polls;
mod problem;
mod request;
mod tokens;
mod workers;

pub use metrics::Sources;
pub use operator::Operator;
pub use otlp::{Exporter, OtlpOptions, Telemetry};
pub use tokens::{TokenError, Tokens};
pub use workers::Workers;

use std::net::SocketAddr;

use bytes::Bytes;
use http::{HeaderValue, Response, StatusCode, header};
use http_body_util::Full;
use messaging_host::serve::{Reply, Why};
use serde_json::Value;

use problem::Problem;

/// The largest body of a request that is read, in bytes.
pub const MAX_BODY_BYTES: usize = 64 * 1024;

/// The answer to a request, and whether it proved with a token who asks.
fn reply(response: Result<Response<Full<Bytes>>, Problem>, proved: bool) -> Reply {
    let reply = match response {
        Ok(response) => response.into(),
        Err(problem) => problem.into(),
    };
    Reply { proved, ..reply }
}

fn json(value: &Value) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(Bytes::from(value.to_string())));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

/// Without the path: it is of no use to a reader who has the status, and anybody can ask for any.
fn log(listener: &str, peer: SocketAddr, status: StatusCode, ms: u64, why: Option<Why>) {
    let status = status.as_u16();
    match why {
        None if status < 400 => tracing::debug!(%peer, listener, status, ms, "request"),
        None => tracing::info!(%peer, listener, status, ms, "request"),
        Some(Why::ForAll(why)) => tracing::info!(%peer, listener, status, ms, ?why, "request"),
        Some(Why::ForDebugging(why)) => {
            tracing::debug!(%peer, listener, status, ms, ?why, "request");
        }
    }
}
